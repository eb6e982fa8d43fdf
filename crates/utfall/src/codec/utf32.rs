//! Formats of 32-bit code units: UTF-32 (Unicode) and UCS-4 (ISO/IEC 10646 until 2011, any value of
//! 31 bits).
//!
//! If the name of a format does not specify the byte order, a byte order mark does; the default is
//! big-endian (Unicode D99).

use utfall_simd::{Kernels, Layout};

use super::shared::byte_order::{Mark, Order, OrderRead, property};
use super::shared::kernel;
use super::{Codec, Decode, Decoded, Encode, Encoded, Next, Put};
use crate::info::{BoundaryRule, Family, Info, SplitPoint};
use crate::repertoire::Repertoire;
use crate::route::Side;
use crate::{ErrorKind, Options};

const FORMAT: Info = Info {
    code_unit: 4,
    specification: "The Unicode Standard §3.10, D99 to D101",
    boundaries: Some(BoundaryRule {
        clause: "Unicode D90: a character is one code unit, of four bytes",
        is_boundary: |_, index| index.is_multiple_of(4),
    }),
    split_point: SplitPoint::Character,
    clause: |kind| match kind {
        ErrorKind::Truncated => "Unicode D90: a code unit has four bytes",
        _ => "Unicode D90: code units are 0 to D7FF and E000 to 10FFFF",
    },
    ..Info::of(Family::Utf32)
};

const FORMAT_UCS4: Info = Info {
    specification: "ISO/IEC 10646-1:1993 §14.2",
    boundaries: Some(BoundaryRule {
        clause: "ISO/IEC 10646-1:1993 §14.2: a character has four bytes",
        is_boundary: |_, index| index.is_multiple_of(4),
    }),
    repertoire: Repertoire::Ucs4WithSurrogates,
    clause: |kind| match kind {
        ErrorKind::Truncated => "ISO/IEC 10646-1:1993 §14.2: a character has four bytes",
        _ => "ISO/IEC 10646-1:1993 §6.2: groups 00 to 7F, 31 bits",
    },
    ..FORMAT
};

/// A codec of this file: its type, its byte order, its BOM.
macro_rules! codec {
    ($name:ident, $order:expr, mark: $mark:expr, $info:expr) => {
        pub(crate) struct $name;

        impl Codec for $name {
            const INFO: Info = Info { byte_order: Some(property($order)), ..$info };
            type Decoder = Decoder;
            type Encoder = Encoder;

            fn decoder(options: &Options) -> Decoder {
                Decoder {
                    order: OrderRead::new($order, options),
                    repertoire: Self::INFO.repertoire,
                }
            }

            fn encoder(options: &Options) -> Encoder {
                Encoder {
                    order: Option::unwrap_or($order, Order::Big),
                    repertoire: Self::INFO.repertoire,
                    mark: $mark.unless_stripped(options),
                }
            }
        }
    };
}

codec!(Utf32, None, mark: Mark::Always, Info {
    name: "UTF-32",
    iana: true,
    aliases: &["csUTF32", "ibm-1236", "ibm-1237"],
    signature: b"\0\0\xFE\xFF",
    ..FORMAT
});

codec!(Utf32Le, Some(Order::Little), mark: Mark::Never, Info {
    name: "UTF-32LE",
    iana: true,
    aliases: &["csUTF32LE", "UTF32_LittleEndian", "ibm-1234", "ibm-1235"],
    signature: b"\xFF\xFE\0\0",
    side: Side::Plain(Layout::Utf32Le),
    ..FORMAT
});

codec!(Utf32Be, Some(Order::Big), mark: Mark::Never, Info {
    name: "UTF-32BE",
    iana: true,
    aliases: &["csUTF32BE", "UTF32_BigEndian", "ibm-1232", "ibm-1233", "ibm-9424"],
    signature: b"\0\0\xFE\xFF",
    side: Side::Plain(Layout::Utf32Be),
    code_point_order: Some("Unicode D99: the most significant byte is first"),
    ..FORMAT
});

codec!(Ucs4, None, mark: Mark::IfTextHasOne, Info {
    name: "ISO-10646-UCS-4",
    iana: true,
    aliases: &["csUCS4", "UCS-4", "iso-10646", "10646-1:1993", "10646-1:1993/ucs4", "osf00010104", "osf00010105", "osf00010106"],
    signature: b"\0\0\xFE\xFF",
    ..FORMAT_UCS4
});

codec!(Ucs4Le, Some(Order::Little), mark: Mark::Never, Info {
    name: "UCS-4LE",
    signature: b"\xFF\xFE\0\0",
    ..FORMAT_UCS4
});

codec!(Ucs4Be, Some(Order::Big), mark: Mark::Never, Info {
    name: "UCS-4BE",
    signature: b"\0\0\xFE\xFF",
    code_point_order: Some("ISO/IEC 10646-1:1993 §6.3: the most significant byte is first"),
    ..FORMAT_UCS4
});

fn form(order: Order) -> Layout {
    order.choose(Layout::Utf32Le, Layout::Utf32Be)
}

/// The code point at the start of `src`.
#[inline(always)]
fn scan(order: Order, repertoire: Repertoire, src: &[u8], last: bool) -> Next {
    let Some(bytes) = src.first_chunk() else {
        return match src.len() {
            0 => Next::End,
            left if last => Next::ill(ErrorKind::Truncated, left),
            _ => Next::End,
        };
    };
    let point = order.choose(u32::from_le_bytes(*bytes), u32::from_be_bytes(*bytes));
    if repertoire.has(point) {
        Next::Point { point, length: 4 }
    } else if matches!(point, 0xD800..=0xDFFF) {
        Next::ill(ErrorKind::Surrogate, 4)
    } else {
        Next::ill(ErrorKind::OutOfRange, 4)
    }
}

/// The code point at the start of `src`, the end of a text in UTF-32.
#[inline(always)]
pub(crate) fn at_end<const LE: bool>(src: &[u8]) -> Next {
    scan(if LE { Order::Little } else { Order::Big }, Repertoire::ScalarValues, src, true)
}

#[derive(Clone)]
pub(crate) struct Decoder {
    order: OrderRead,
    repertoire: Repertoire,
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match self.order.decide([0, 0, 0xFE, 0xFF], src, last) {
            Ok(order) => scan(order, self.repertoire, src, last),
            Err(next) => next,
        }
    }

    fn is_little(&self) -> Option<bool> {
        self.order.known().map(|order| order.choose(true, false))
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        match self.order.known() {
            // Also used for UCS-4: the kernel stops at values that only UCS-4 has.
            Some(order) => kernel::decode(self, kernels, form(order), src, dst, last),
            None => super::decode_each(self, src, dst, last),
        }
    }

    fn side(&self) -> Side {
        self.order.known().map(form).into()
    }

    fn removes_bom(&self) -> bool {
        self.order.removes_bom()
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    order: Order,
    repertoire: Repertoire,
    mark: Mark,
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if !self.repertoire.has(point) {
            return Put::Unencodable;
        }
        let mark = usize::from(self.mark.precedes(point));
        let Some(room) = dst.get_mut(..4 * (mark + 1)) else { return Put::Full };
        for (bytes, unit) in room.as_chunks_mut().0.iter_mut().zip(&[0xFEFF, point][1 - mark..]) {
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
        (self.mark == Mark::Never).then(|| form(self.order)).into()
    }

    fn omit_bom(&mut self) {
        self.mark = Mark::Never;
    }
}
