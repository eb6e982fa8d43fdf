//! Formats of 16-bit code units: UTF-16 (RFC 2781), UCS-2 (ISO/IEC 10646), and the two
//! charsets of RFC 1641.
//!
//! If the name of a format does not specify the byte order, a byte order mark does; the default is
//! big-endian (RFC 2781 §4.3).

use utfall_simd::{Kernels, Layout};

use super::shared::byte_order::{Mark, Order, OrderRead, property};
use super::shared::kernel;
use super::{Codec, Decode, Decoded, Encode, Encoded, Next, Put};
use crate::info::{BoundaryRule, Family, Info, SplitPoint};
use crate::repertoire::Repertoire;
use crate::route::Side;
use crate::{ErrorKind, Options};

/// The rule by which boundaries are found.
const PAIRS: &str =
    "RFC 2781 §2.1: the first unit of a pair is D800 to DBFF, the second one DC00 to DFFF";

const FORMAT: Info = Info {
    code_unit: 2,
    boundaries: Some(BoundaryRule {
        clause: PAIRS,
        is_boundary: |bytes, index| is_boundary(order_of(bytes), bytes, index),
    }),
    split_point: SplitPoint::Character,
    clause: |kind| match kind {
        ErrorKind::Truncated => "RFC 2781 §2: code units have two bytes, pairs have four",
        ErrorKind::Surrogate => {
            "RFC 2781 §2.2: D800 to DBFF and DC00 to DFFF appear only in pairs, in this order"
        }
        _ => "RFC 2781 §2.1: characters are 0 to D7FF and E000 to 10FFFF",
    },
    ..Info::of(Family::Utf16)
};

const FORMAT_UCS2: Info = Info {
    boundaries: Some(BoundaryRule {
        clause: "ISO/IEC 10646-1:1993 §14.1: a character has two bytes",
        is_boundary: |_, index| index.is_multiple_of(2),
    }),
    repertoire: Repertoire::Bmp,
    clause: |kind| match kind {
        ErrorKind::Truncated => "ISO/IEC 10646-1:1993 §14.1: a character has two bytes",
        ErrorKind::Surrogate => "ISO/IEC 10646-1:1993 §8: D800 to DFFF are reserved for UTF-16",
        _ => "ISO/IEC 10646-1:1993 §14.1: only the Basic Multilingual Plane",
    },
    ..FORMAT
};

/// A codec of this file: its type, its byte order, whether it has pairs, its BOM.
macro_rules! codec {
    ($name:ident, $order:expr, $pairs:literal, mark: $mark:expr, $info:expr) => {
        pub(crate) struct $name;

        impl Codec for $name {
            const INFO: Info = Info { byte_order: Some(property($order)), ..$info };
            type Decoder = Decoder;
            type Encoder = Encoder;

            fn decoder(options: &Options) -> Decoder {
                Decoder { order: OrderRead::new($order, options), pairs: $pairs }
            }

            fn encoder(options: &Options) -> Encoder {
                Encoder {
                    order: Option::unwrap_or($order, Order::Big),
                    pairs: $pairs,
                    mark: $mark.unless_stripped(options),
                }
            }
        }
    };
}

codec!(Utf16, None, true, mark: Mark::Always, Info {
    name: "UTF-16",
    iana: true,
    aliases: &["csUTF16", "unicode", "ibm-1204", "ibm-1205"],
    specification: "RFC 2781",
    signature: b"\xFE\xFF",
    ..FORMAT
});

codec!(Utf16Le, Some(Order::Little), true, mark: Mark::Never, Info {
    name: "UTF-16LE",
    iana: true,
    aliases: &[
        "csUTF16LE",
        "x-utf-16le",
        "UnicodeLittleUnmarked",
        "UnicodeFEFF",
        "cp1200",
        "windows-1200",
        "ibm-1202",
        "ibm-1203",
        "ibm-13490",
        "ibm-17586",
        "ibm-17587",
        "ibm-21683",
        "ibm-25778",
        "ibm-29874",
        "ibm-29875",
    ],
    specification: "RFC 2781",
    signature: b"\xFF\xFE",
    side: Side::Plain(Layout::Utf16Le),
    boundaries: Some(BoundaryRule {
        clause: PAIRS,
        is_boundary: |bytes, index| is_boundary(Order::Little, bytes, index),
    }),
    ..FORMAT
});

codec!(Utf16Be, Some(Order::Big), true, mark: Mark::Never, Info {
    name: "UTF-16BE",
    iana: true,
    aliases: &[
        "csUTF16BE",
        "x-utf-16be",
        "UnicodeBigUnmarked",
        "UnicodeFFFE",
        "cp1201",
        "windows-1201",
        "ibm-1200",
        "ibm-1201",
        "ibm-13488",
        "ibm-13489",
        "ibm-17584",
        "ibm-21680",
        "ibm-21681",
        "ibm-25777",
        "ibm-29872",
        "ibm-61955",
        "ibm-61956",
    ],
    specification: "RFC 2781",
    signature: b"\xFE\xFF",
    side: Side::Plain(Layout::Utf16Be),
    boundaries: Some(BoundaryRule {
        clause: PAIRS,
        is_boundary: |bytes, index| is_boundary(Order::Big, bytes, index),
    }),
    ..FORMAT
});

codec!(Ucs2, None, false, mark: Mark::IfTextHasOne, Info {
    name: "ISO-10646-UCS-2",
    iana: true,
    aliases: &["csUnicode", "UCS-2", "iso-10646-1", "osf00010100", "osf00010101", "osf00010102"],
    specification: "ISO/IEC 10646-1:1993 §14.1",
    signature: b"\xFE\xFF",
    ..FORMAT_UCS2
});

codec!(Ucs2Le, Some(Order::Little), false, mark: Mark::Never, Info {
    name: "UCS-2LE", aliases: &["unicodelittle"],
    specification: "ISO/IEC 10646-1:1993 §14.1",
    signature: b"\xFF\xFE",
    ..FORMAT_UCS2
});

codec!(Ucs2Be, Some(Order::Big), false, mark: Mark::Never, Info {
    name: "UCS-2BE",
    aliases: &["unicodebig"],
    code_point_order: Some("ISO/IEC 10646-1:1993 §6.3: the most significant byte is first"),
    specification: "ISO/IEC 10646-1:1993 §14.1",
    signature: b"\xFE\xFF",
    ..FORMAT_UCS2
});

codec!(Unicode11, None, true, mark: Mark::IfTextHasOne, Info {
    name: "UNICODE-1-1",
    iana: true,
    aliases: &["csUnicode11"],
    specification: "RFC 1641",
    signature: b"\xFE\xFF",
    clause: |kind| match kind {
        ErrorKind::Unencodable(_) => "RFC 2279 §3: Hangul moved between Unicode 1.1 and 2.0",
        _ => (FORMAT.clause)(kind),
    },
    ..FORMAT
});

codec!(Unicode20, None, true, mark: Mark::IfTextHasOne, Info {
    name: "UNICODE-2-0",
    specification: "RFC 2152, Discussion",
    signature: b"\xFE\xFF",
    ..FORMAT
});

/// Whether no code unit and no surrogate pair extends across `index`, which is inside `bytes`.
fn is_boundary(order: Order, bytes: &[u8], index: usize) -> bool {
    let unit = |at: usize| unit(order, [bytes[at], *bytes.get(at + 1).unwrap_or(&0)]);
    let splits_pair = |at: usize| {
        index + 1 < bytes.len()
            && matches!(unit(at), 0xD800..0xDC00)
            && matches!(unit(index), 0xDC00..0xE000)
    };
    index.is_multiple_of(2) && !index.checked_sub(2).is_some_and(splits_pair)
}

/// The byte order of a text that may begin with a BOM.
fn order_of(bytes: &[u8]) -> Order {
    if bytes.starts_with(b"\xFF\xFE") { Order::Little } else { Order::Big }
}

fn unit(order: Order, bytes: [u8; 2]) -> u32 {
    u32::from(order.choose(u16::from_le_bytes(bytes), u16::from_be_bytes(bytes)))
}

fn form(order: Order) -> Layout {
    order.choose(Layout::Utf16Le, Layout::Utf16Be)
}

/// The character at the start of `src`; with `pairs`, it may be a surrogate pair.
#[inline(always)]
fn scan(order: Order, pairs: bool, src: &[u8], last: bool) -> Next {
    let &[a, b, ref rest @ ..] = src else {
        return match src.len() {
            1 if last => Next::ill(ErrorKind::Truncated, 1),
            _ => Next::End,
        };
    };
    let high = unit(order, [a, b]);
    match high {
        0xD800..=0xDBFF if pairs => {}
        0xD800..=0xDFFF => return Next::ill(ErrorKind::Surrogate, 2),
        _ => return Next::Point { point: high, length: 2 },
    }
    let &[c, d, ..] = rest else {
        // The rest is too short for a pair: 2 or 3 bytes.
        return if last { Next::ill(ErrorKind::Truncated, src.len()) } else { Next::End };
    };
    match unit(order, [c, d]) {
        low @ 0xDC00..=0xDFFF => {
            let point = 0x1_0000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
            Next::Point { point, length: 4 }
        }
        _ => Next::ill(ErrorKind::Surrogate, 2),
    }
}

/// The character at the start of `src`, the end of a text in UTF-16.
#[inline(always)]
pub(crate) fn at_end<const LE: bool>(src: &[u8]) -> Next {
    scan(if LE { Order::Little } else { Order::Big }, true, src, true)
}

#[derive(Clone)]
pub(crate) struct Decoder {
    order: OrderRead,
    /// Whether a surrogate pair is a character: true for UTF-16, false for UCS-2.
    pairs: bool,
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match self.order.decide([0xFE, 0xFF], src, last) {
            Ok(order) => scan(order, self.pairs, src, last),
            Err(next) => next,
        }
    }

    fn is_little(&self) -> Option<bool> {
        self.order.known().map(|order| order.choose(true, false))
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        match self.side().form() {
            Some(form) => kernel::decode(self, kernels, form, src, dst, last),
            None => super::decode_each(self, src, dst, last),
        }
    }

    fn side(&self) -> Side {
        self.order.known().filter(|_| self.pairs).map(form).into()
    }

    fn removes_bom(&self) -> bool {
        self.order.removes_bom()
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    order: Order,
    pairs: bool,
    mark: Mark,
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let (units, count) = match point {
            0xD800..=0xDFFF => return Put::Unencodable,
            0..=0xFFFF => ([point as u16, 0], 1),
            0x1_0000..=0x10_FFFF if self.pairs => {
                let offset = point - 0x1_0000;
                ([0xD800 | (offset >> 10) as u16, 0xDC00 | (offset & 0x3FF) as u16], 2)
            }
            _ => return Put::Unencodable,
        };
        let mark = usize::from(self.mark.precedes(point));
        let Some(room) = dst.get_mut(..2 * (mark + count)) else { return Put::Full };
        let marked = [0xFEFF, units[0], units[1]];
        for (bytes, unit) in room.as_chunks_mut().0.iter_mut().zip(&marked[1 - mark..]) {
            *bytes = self.order.choose(unit.to_le_bytes(), unit.to_be_bytes());
        }
        self.mark = Mark::Never;
        Put::Written(room.len())
    }

    fn encode(&mut self, kernels: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        match self.side().form() {
            Some(form) => kernel::encode(self, kernels, form, src, dst),
            None => super::encode_each(self, src, dst),
        }
    }

    fn side(&self) -> Side {
        (self.pairs && self.mark == Mark::Never).then(|| form(self.order)).into()
    }

    fn omit_bom(&mut self) {
        self.mark = Mark::Never;
    }
}
