//! The operations that are measured: one [`Op`] for each, and its expected result in plain Rust.

use utfall::{Encoding, Options, Repertoire, Utf7Options};
use utfall_simd::Layout;
use utfall_simd::Layout::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};

/// The kind of an operation, with the meaning of its [`Outcome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whether all is well-formed: `(0 or 1, 0)`.
    Validate,
    /// Bytes up to the first error: `(bytes, 0)`.
    ValidUpTo,
    /// Like `Validate`, for ASCII.
    ValidateAscii,
    /// Like `ValidUpTo`, for ASCII.
    AsciiUpTo,
    /// Like `ValidUpTo`, for code points in Latin-1.
    Latin1UpTo,
    /// Strict conversion: `(read, written)`.
    Convert,
    /// Conversion with U+FFFD for ill-formed sequences: `(read, written)`.
    Lossy,
    /// Code points: `(count, 0)`.
    Count,
    /// Bytes of the conversion to `to`: `(bytes, 0)`.
    Length,
    /// Code points of the lossy conversion: `(count, 0)`.
    CountLossy,
    /// Bytes of the lossy conversion to `to`: `(bytes, 0)`.
    LengthLossy,
    /// Strict conversion between encodings that are not a [`Layout`]: `(read, written)`.
    Transcode(Encoding, Encoding, Utf7Options),
    /// Bytes of that conversion: `(bytes, 0)`.
    TranscodeLength(Encoding, Encoding, Utf7Options),
}

/// An operation. Those of a kernel have the kernel's name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) from: Layout,
    /// `from` if nothing is written.
    pub(crate) to: Layout,
}

/// The result of an engine for one piece of input; [`Kind`] defines its meaning.
pub(crate) type Outcome = (usize, usize);

const PLAIN: Utf7Options = Utf7Options::new();
const EXPLICIT: Utf7Options = PLAIN.with_explicit_close(true);
const HEADER: Utf7Options = PLAIN.with_shift_set_o(true);

/// Every operation, in the order of the tables.
pub(crate) const OPS: &[Op] = &[
    op("validate_ascii", Kind::ValidateAscii, Utf8, Utf8),
    op("validate_utf8", Kind::Validate, Utf8, Utf8),
    op("validate_utf16le", Kind::Validate, Utf16Le, Utf16Le),
    op("validate_utf16be", Kind::Validate, Utf16Be, Utf16Be),
    op("validate_utf32le", Kind::Validate, Utf32Le, Utf32Le),
    op("validate_utf32be", Kind::Validate, Utf32Be, Utf32Be),
    op("ascii_valid_up_to", Kind::AsciiUpTo, Utf8, Utf8),
    op("utf8_valid_up_to", Kind::ValidUpTo, Utf8, Utf8),
    op("utf16le_valid_up_to", Kind::ValidUpTo, Utf16Le, Utf16Le),
    op("utf16be_valid_up_to", Kind::ValidUpTo, Utf16Be, Utf16Be),
    op("utf32le_valid_up_to", Kind::ValidUpTo, Utf32Le, Utf32Le),
    op("utf32be_valid_up_to", Kind::ValidUpTo, Utf32Be, Utf32Be),
    op("utf8_to_utf16le", Kind::Convert, Utf8, Utf16Le),
    op("utf8_to_utf16be", Kind::Convert, Utf8, Utf16Be),
    op("utf8_to_utf32le", Kind::Convert, Utf8, Utf32Le),
    op("utf8_to_utf32be", Kind::Convert, Utf8, Utf32Be),
    op("utf8_to_latin1", Kind::Convert, Utf8, Latin1),
    op("utf16le_to_utf8", Kind::Convert, Utf16Le, Utf8),
    op("utf16le_to_utf16be", Kind::Convert, Utf16Le, Utf16Be),
    op("utf16le_to_utf32le", Kind::Convert, Utf16Le, Utf32Le),
    op("utf16le_to_utf32be", Kind::Convert, Utf16Le, Utf32Be),
    op("utf16le_to_latin1", Kind::Convert, Utf16Le, Latin1),
    op("utf16be_to_utf8", Kind::Convert, Utf16Be, Utf8),
    op("utf16be_to_utf16le", Kind::Convert, Utf16Be, Utf16Le),
    op("utf16be_to_utf32le", Kind::Convert, Utf16Be, Utf32Le),
    op("utf16be_to_utf32be", Kind::Convert, Utf16Be, Utf32Be),
    op("utf16be_to_latin1", Kind::Convert, Utf16Be, Latin1),
    op("utf32le_to_utf8", Kind::Convert, Utf32Le, Utf8),
    op("utf32le_to_utf16le", Kind::Convert, Utf32Le, Utf16Le),
    op("utf32le_to_utf16be", Kind::Convert, Utf32Le, Utf16Be),
    op("utf32le_to_utf32be", Kind::Convert, Utf32Le, Utf32Be),
    op("utf32le_to_latin1", Kind::Convert, Utf32Le, Latin1),
    op("utf32be_to_utf8", Kind::Convert, Utf32Be, Utf8),
    op("utf32be_to_utf16le", Kind::Convert, Utf32Be, Utf16Le),
    op("utf32be_to_utf16be", Kind::Convert, Utf32Be, Utf16Be),
    op("utf32be_to_utf32le", Kind::Convert, Utf32Be, Utf32Le),
    op("utf32be_to_latin1", Kind::Convert, Utf32Be, Latin1),
    op("latin1_to_utf8", Kind::Convert, Latin1, Utf8),
    op("latin1_to_utf16le", Kind::Convert, Latin1, Utf16Le),
    op("latin1_to_utf16be", Kind::Convert, Latin1, Utf16Be),
    op("latin1_to_utf32le", Kind::Convert, Latin1, Utf32Le),
    op("latin1_to_utf32be", Kind::Convert, Latin1, Utf32Be),
    op("utf8_to_utf8_lossy", Kind::Lossy, Utf8, Utf8),
    op("utf8_to_utf16le_lossy", Kind::Lossy, Utf8, Utf16Le),
    op("utf8_to_utf16be_lossy", Kind::Lossy, Utf8, Utf16Be),
    op("utf8_to_utf32le_lossy", Kind::Lossy, Utf8, Utf32Le),
    op("utf8_to_utf32be_lossy", Kind::Lossy, Utf8, Utf32Be),
    op("utf16le_to_utf8_lossy", Kind::Lossy, Utf16Le, Utf8),
    op("utf16be_to_utf8_lossy", Kind::Lossy, Utf16Be, Utf8),
    op("utf16le_to_utf16le_lossy", Kind::Lossy, Utf16Le, Utf16Le),
    op("utf16be_to_utf16be_lossy", Kind::Lossy, Utf16Be, Utf16Be),
    op("utf8_latin1_prefix", Kind::Latin1UpTo, Utf8, Utf8),
    op("utf16le_latin1_prefix", Kind::Latin1UpTo, Utf16Le, Utf16Le),
    op("utf16be_latin1_prefix", Kind::Latin1UpTo, Utf16Be, Utf16Be),
    op("utf8_count", Kind::Count, Utf8, Utf8),
    op("utf16le_count", Kind::Count, Utf16Le, Utf16Le),
    op("utf16be_count", Kind::Count, Utf16Be, Utf16Be),
    op("utf16_len_from_utf8", Kind::Length, Utf8, Utf16Le),
    op("utf8_len_from_utf16le", Kind::Length, Utf16Le, Utf8),
    op("utf8_len_from_utf16be", Kind::Length, Utf16Be, Utf8),
    op("utf8_len_from_utf32le", Kind::Length, Utf32Le, Utf8),
    op("utf8_len_from_utf32be", Kind::Length, Utf32Be, Utf8),
    op("utf16_len_from_utf32le", Kind::Length, Utf32Le, Utf16Le),
    op("utf16_len_from_utf32be", Kind::Length, Utf32Be, Utf16Le),
    op("utf8_len_from_latin1", Kind::Length, Latin1, Utf8),
    op("utf8_count_lossy", Kind::CountLossy, Utf8, Utf8),
    op("utf16_len_from_utf8_lossy", Kind::LengthLossy, Utf8, Utf16Le),
    transcode("utf8_to_utf7", Encoding::Utf8, Encoding::Utf7),
    // Other libraries always end every run, or always shift set O.
    op(
        "utf8_to_utf7_explicit",
        Kind::Transcode(Encoding::Utf8, Encoding::Utf7, EXPLICIT),
        Utf8,
        Utf8,
    ),
    op("utf8_to_utf7_header", Kind::Transcode(Encoding::Utf8, Encoding::Utf7, HEADER), Utf8, Utf8),
    op(
        "utf7_len_from_utf8",
        Kind::TranscodeLength(Encoding::Utf8, Encoding::Utf7, EXPLICIT),
        Utf8,
        Utf8,
    ),
    transcode("utf7_to_utf8", Encoding::Utf7, Encoding::Utf8),
    // For direct text, compared with copying it.
    transcode("utf8_to_utf7_direct", Encoding::Utf8, Encoding::Utf7),
    transcode("utf7_to_utf8_direct", Encoding::Utf7, Encoding::Utf8),
    transcode("utf8_to_scsu", Encoding::Utf8, Encoding::Scsu),
    transcode("scsu_to_utf8", Encoding::Scsu, Encoding::Utf8),
    transcode("utf8_to_bocu1", Encoding::Utf8, Encoding::Bocu1),
    transcode("bocu1_to_utf8", Encoding::Bocu1, Encoding::Utf8),
    transcode("shift_jis_to_utf8", Encoding::ShiftJis, Encoding::Utf8),
    transcode("utf8_to_shift_jis", Encoding::Utf8, Encoding::ShiftJis),
    transcode("euc_jp_to_utf8", Encoding::EucJp, Encoding::Utf8),
    transcode("utf8_to_euc_jp", Encoding::Utf8, Encoding::EucJp),
    transcode("iso_2022_jp_to_utf8", Encoding::Iso2022Jp, Encoding::Utf8),
    transcode("utf8_to_iso_2022_jp", Encoding::Utf8, Encoding::Iso2022Jp),
    transcode("gbk_to_utf8", Encoding::Gbk, Encoding::Utf8),
    transcode("utf8_to_gbk", Encoding::Utf8, Encoding::Gbk),
    transcode("gb18030_to_utf8", Encoding::Gb18030, Encoding::Utf8),
    transcode("utf8_to_gb18030", Encoding::Utf8, Encoding::Gb18030),
    transcode("big5_to_utf8", Encoding::Big5, Encoding::Utf8),
    transcode("utf8_to_big5", Encoding::Utf8, Encoding::Big5),
    transcode("euc_kr_to_utf8", Encoding::EucKr, Encoding::Utf8),
    transcode("utf8_to_euc_kr", Encoding::Utf8, Encoding::EucKr),
];

const fn op(name: &'static str, kind: Kind, from: Layout, to: Layout) -> Op {
    Op { name, kind, from, to }
}

const fn transcode(name: &'static str, from: Encoding, to: Encoding) -> Op {
    op(name, Kind::Transcode(from, to, PLAIN), Utf8, Utf8)
}

impl Op {
    /// `text` in the source form of this operation.
    pub(crate) fn input(self, text: &str) -> Vec<u8> {
        match self.kind {
            Kind::Transcode(from, _, utf7) | Kind::TranscodeLength(from, _, utf7) => {
                in_encoding(from, utf7, text)
            }
            _ => encode(self.from, text),
        }
    }

    /// Whether ill-formed input is measured too.
    pub(crate) fn takes_errors(self) -> bool {
        matches!(self.kind, Kind::ValidUpTo | Kind::Lossy | Kind::CountLossy | Kind::LengthLossy)
    }

    /// Whether short strings are measured.
    pub(crate) fn takes_short(self) -> bool {
        let utf7 = |encoding| encoding == Encoding::Utf7;
        match self.kind {
            Kind::Validate | Kind::ValidUpTo | Kind::Convert | Kind::Lossy => true,
            Kind::Transcode(from, to, _) => utf7(from) || utf7(to),
            _ => false,
        }
    }

    /// Whether the operation supports `c`.
    pub(crate) fn takes(self, c: char) -> bool {
        match (self.kind, self.from, self.to) {
            (Kind::ValidateAscii | Kind::AsciiUpTo, ..) => c.is_ascii(),
            (Kind::Latin1UpTo, ..) | (_, Latin1, _) | (_, _, Latin1) => c <= '\u{FF}',
            _ if self.name.ends_with("_direct") => {
                let is_text = matches!(c, ' '..='}' | '\t' | '\r' | '\n');
                is_text && !matches!(c, '+' | '\\')
            }
            // Some libraries end a run before it, others put it into the run; both are allowed.
            (Kind::Transcode(.., EXPLICIT) | Kind::TranscodeLength(..), ..) => c != '+',
            (Kind::Transcode(from, to, _), ..) => has(from, c) && has(to, c),
            _ => true,
        }
    }

    /// The expected result for `bytes`, computed one code point at a time: the outcome and the
    /// output. `text` is the same text, if it is well-formed.
    pub(crate) fn answer(self, bytes: &[u8], text: &str) -> (Outcome, Vec<u8>) {
        match self.kind {
            Kind::Transcode(_, to, utf7) => {
                let output = in_encoding(to, utf7, text);
                return ((bytes.len(), output.len()), output);
            }
            Kind::TranscodeLength(_, to, utf7) => {
                return ((in_encoding(to, utf7, text).len(), 0), Vec::new());
            }
            _ => {}
        }
        let Decoded { text, valid_up_to } = decode(self.from, bytes);
        let length = bytes.len();
        let whole = usize::from(valid_up_to == length);
        let none = Vec::new();
        match self.kind {
            Kind::Validate => ((whole, 0), none),
            Kind::ValidateAscii => ((usize::from(bytes.is_ascii()), 0), none),
            Kind::ValidUpTo => ((valid_up_to, 0), none),
            // Their inputs are all ASCII and all Latin-1; see `limited`.
            Kind::AsciiUpTo | Kind::Latin1UpTo => ((length, 0), none),
            Kind::Convert | Kind::Lossy => {
                let output = encode(self.to, &text);
                ((length, output.len()), output)
            }
            Kind::Count | Kind::CountLossy => ((text.chars().count(), 0), none),
            Kind::Length | Kind::LengthLossy => ((encode(self.to, &text).len(), 0), none),
            Kind::Transcode(..) | Kind::TranscodeLength(..) => unreachable!("it has returned"),
        }
    }
}

/// Whether an encoding has a character, and decodes its bytes to the same one. Shift_JIS encodes
/// U+00A5 as 5C, which is U+005C when decoded.
fn has(encoding: Encoding, c: char) -> bool {
    let mut room = [0; 4];
    let text = &*c.encode_utf8(&mut room);
    encoding.info().repertoire != Repertoire::Table
        || encoding
            .encode(text)
            .is_ok_and(|bytes| encoding.decode(&bytes).is_ok_and(|decoded| decoded == text))
}

/// `text` in an encoding that is not a [`Layout`], as utfall encodes it.
fn in_encoding(encoding: Encoding, utf7: Utf7Options, text: &str) -> Vec<u8> {
    let options = Options::default().with_utf7(utf7);
    let bytes = utfall::transcode(Encoding::Utf8, encoding, text.as_bytes(), options);
    bytes.expect("it has every code point").into_owned()
}

/// `text` in `form`. The caller must not pass code points that Latin-1 lacks.
pub(crate) fn encode(form: Layout, text: &str) -> Vec<u8> {
    match form {
        Utf8 => text.into(),
        Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Utf32Le => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        Utf32Be => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        Latin1 => text.chars().map(|c| u8::try_from(c).expect("Latin-1")).collect(),
    }
}

/// Text, with U+FFFD for errors, and the number of bytes before the first error.
struct Decoded {
    text: String,
    valid_up_to: usize,
}

fn decode(form: Layout, bytes: &[u8]) -> Decoded {
    let utf16 = |read: fn([u8; 2]) -> u16| {
        let units = bytes.as_chunks().0.iter().map(|&unit| read(unit));
        chars(char::decode_utf16(units).map(|c| c.map(|c| (c, 2 * c.len_utf16())).map_err(|_| ())))
    };
    let utf32 = |read: fn([u8; 4]) -> u32| {
        let units = bytes.as_chunks().0.iter().map(|&unit| read(unit));
        chars(units.map(|unit| char::from_u32(unit).map(|c| (c, 4)).ok_or(())))
    };
    match form {
        Utf8 => Decoded {
            text: String::from_utf8_lossy(bytes).into_owned(),
            valid_up_to: std::str::from_utf8(bytes)
                .map_or_else(|error| error.valid_up_to(), str::len),
        },
        Utf16Le => utf16(u16::from_le_bytes),
        Utf16Be => utf16(u16::from_be_bytes),
        Utf32Le => utf32(u32::from_le_bytes),
        Utf32Be => utf32(u32::from_be_bytes),
        Latin1 => Decoded {
            text: bytes.iter().map(|&byte| char::from(byte)).collect(),
            valid_up_to: bytes.len(),
        },
    }
}

/// Collects code points, each with its number of bytes.
fn chars(units: impl Iterator<Item = Result<(char, usize), ()>>) -> Decoded {
    let mut decoded = Decoded { text: String::new(), valid_up_to: 0 };
    let mut well_formed = true;
    for unit in units {
        match unit {
            Ok((c, bytes)) => {
                decoded.text.push(c);
                decoded.valid_up_to += if well_formed { bytes } else { 0 };
            }
            Err(_) => {
                decoded.text.push(char::REPLACEMENT_CHARACTER);
                well_formed = false;
            }
        }
    }
    decoded
}
