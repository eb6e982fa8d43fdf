//! HZ (RFC 1843) and ISO-2022-KR (RFC 1557): US-ASCII, and between shifts pairs of GB 2312 or
//! KS X 1001, whose bytes are those of EUC without the high bit.
//!
//! A line ends in US-ASCII. A line feed after a missing shift returns to it, so that such a shift
//! damages one line only.

use super::{Codec, Decode, Encode, Next, Put, multi_byte};
use crate::info::{Family, Info};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};

/// The designation of KS X 1001, which precedes its first use.
const DESIGNATION: &[u8] = b"\x1B$)C";
const ESC: u8 = 0x1B;
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

const INFO: Info = Info {
    seven_bit: true,
    stateful: true,
    repertoire: Repertoire::Table,
    ..Info::of(Family::MultiByte)
};

pub(crate) struct Hz;

impl Codec for Hz {
    const INFO: Info = Info {
        name: "HZ-GB-2312/iana",
        aliases: &["HZ"],
        specification: "RFC 1843",
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => {
                "RFC 1843 §2: characters are those of US-ASCII and GB 2312"
            }
            ErrorKind::InvalidByte => "RFC 1843 §2: ~ is followed by ~, {, } or a line feed",
            _ => "RFC 1843 §2: two bytes of GB 2312, 21 to 77 and 21 to 7E",
        },
        ..INFO
    };
    type Decoder = HzDecoder;
    type Encoder = HzEncoder;

    fn decoder(_: &Options) -> HzDecoder {
        HzDecoder { in_pairs: false }
    }

    fn encoder(_: &Options) -> HzEncoder {
        HzEncoder { in_pairs: false }
    }
}

/// The pair at the start of `src`, whose first byte is 21 to 7E.
fn pair(point: fn(u8, u8) -> Option<u32>, src: &[u8], last: bool) -> Next {
    match *src {
        [first, second @ 0x21..=0x7E, ..] => match point(first | 0x80, second | 0x80) {
            Some(point) => Next::Point { point, length: 2 },
            None => Next::ill(ErrorKind::Undefined, 2),
        },
        [_, _, ..] => Next::ill(ErrorKind::MissingTrail, 1),
        _ if last => Next::ill(ErrorKind::Truncated, 1),
        _ => Next::End,
    }
}

#[derive(Clone)]
pub(crate) struct HzDecoder {
    in_pairs: bool,
}

impl Decode for HzDecoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match *src {
            [] => Next::End,
            [b'~', b'}', ..] if self.in_pairs => {
                self.in_pairs = false;
                Next::Skip { length: 2 }
            }
            [b'~', b'{', ..] if !self.in_pairs => {
                self.in_pairs = true;
                Next::Skip { length: 2 }
            }
            [b'~', b'~', ..] if !self.in_pairs => Next::Point { point: u32::from(b'~'), length: 2 },
            [b'~', b'\n', ..] if !self.in_pairs => Next::Skip { length: 2 },
            [b'~'] if !last => Next::End,
            [b'~'] => Next::ill(ErrorKind::Truncated, 1),
            [b'~' | 0x80.., ..] => Next::ill(ErrorKind::InvalidByte, 1),
            [0x21..=0x7D, ..] if self.in_pairs => pair(multi_byte::gb_2312, src, last),
            [byte, ..] => {
                self.in_pairs &= byte != b'\n';
                Next::Point { point: u32::from(byte), length: 1 }
            }
        }
    }
}

#[derive(Clone)]
pub(crate) struct HzEncoder {
    in_pairs: bool,
}

impl Encode for HzEncoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let (is_pair, text) = match u8::try_from(point) {
            Ok(b'~') => (false, *b"~~"),
            Ok(byte @ ..0x80) => (false, [byte, 0]),
            _ => match multi_byte::code_of_gb_2312(point) {
                Some(code) => (true, code.map(|byte| byte & 0x7F)),
                None => return Put::Unencodable,
            },
        };
        let shift: &[u8] = match (self.in_pairs, is_pair) {
            (false, true) => b"~{",
            (true, false) => b"~}",
            _ => b"",
        };
        let length = if text[1] == 0 { 1 } else { 2 };
        let put = write(dst, shift, &text[..length]);
        if let Put::Written(_) = put {
            self.in_pairs = is_pair;
        }
        put
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        finish(&mut self.in_pairs, dst, b"~}")
    }
}

/// Writes both parts, or nothing.
fn write(dst: &mut [u8], shift: &[u8], text: &[u8]) -> Put {
    let length = shift.len() + text.len();
    let Some(room) = dst.get_mut(..length) else { return Put::Full };
    let (before, after) = room.split_at_mut(shift.len());
    before.copy_from_slice(shift);
    after.copy_from_slice(text);
    Put::Written(length)
}

/// Returns to US-ASCII.
fn finish(in_pairs: &mut bool, dst: &mut [u8], shift: &[u8]) -> Option<usize> {
    if !*in_pairs {
        return Some(0);
    }
    dst.get_mut(..shift.len())?.copy_from_slice(shift);
    *in_pairs = false;
    Some(shift.len())
}

pub(crate) struct Iso2022Kr;

impl Codec for Iso2022Kr {
    const INFO: Info = Info {
        name: "ISO-2022-KR/iana",
        specification: "RFC 1557",
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => {
                "RFC 1557: characters are those of US-ASCII and KS X 1001, without 0E, 0F, 1B"
            }
            ErrorKind::InvalidByte => "RFC 1557: seven bits, and SO only after ESC $ ) C",
            ErrorKind::MissingTrail | ErrorKind::Truncated => "RFC 1557: incomplete sequence",
            _ => "RFC 1557: two bytes of KS X 1001, 21 to 7E, or ESC $ ) C",
        },
        ..INFO
    };
    type Decoder = KrDecoder;
    type Encoder = KrEncoder;

    fn decoder(_: &Options) -> KrDecoder {
        KrDecoder { designated: false, in_pairs: false }
    }

    fn encoder(_: &Options) -> KrEncoder {
        KrEncoder { designated: false, in_pairs: false }
    }
}

#[derive(Clone)]
pub(crate) struct KrDecoder {
    designated: bool,
    in_pairs: bool,
}

impl Decode for KrDecoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match *src {
            [] => Next::End,
            [ESC, ..] if src.starts_with(DESIGNATION) => {
                self.designated = true;
                Next::Skip { length: DESIGNATION.len() }
            }
            [ESC, ..] if DESIGNATION.starts_with(src) && !last => Next::End,
            [ESC, ..] if DESIGNATION.starts_with(src) => Next::ill(ErrorKind::Truncated, 1),
            [ESC, ..] => Next::ill(ErrorKind::Undefined, 1),
            [SO, ..] if self.designated => {
                self.in_pairs = true;
                Next::Skip { length: 1 }
            }
            [SI, ..] => {
                self.in_pairs = false;
                Next::Skip { length: 1 }
            }
            [SO | 0x80.., ..] => Next::ill(ErrorKind::InvalidByte, 1),
            [0x21..=0x7E, ..] if self.in_pairs => pair(multi_byte::ks_x_1001, src, last),
            [byte, ..] => {
                self.in_pairs &= byte != b'\n';
                Next::Point { point: u32::from(byte), length: 1 }
            }
        }
    }
}

#[derive(Clone)]
pub(crate) struct KrEncoder {
    designated: bool,
    in_pairs: bool,
}

impl Encode for KrEncoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let (is_pair, text) = match u8::try_from(point) {
            Ok(ESC | SO | SI) => return Put::Unencodable,
            Ok(byte @ ..0x80) => (false, [byte, 0]),
            _ => match multi_byte::code_of_ks_x_1001(point) {
                Some(code) => (true, code.map(|byte| byte & 0x7F)),
                None => return Put::Unencodable,
            },
        };
        let shift: &[u8] = match (self.designated, self.in_pairs, is_pair) {
            (false, _, true) => b"\x1B$)C\x0E",
            // The designation must be at the start of a line, and begins every text.
            (false, _, false) => DESIGNATION,
            (true, false, true) => &[SO],
            (true, true, false) => &[SI],
            _ => b"",
        };
        let put = write(dst, shift, if is_pair { &text } else { &text[..1] });
        if let Put::Written(_) = put {
            (self.designated, self.in_pairs) = (true, is_pair);
        }
        put
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        finish(&mut self.in_pairs, dst, &[SI])
    }
}

#[cfg(test)]
mod tests {
    use crate::{Encoding, ErrorKind};

    fn error(encoding: Encoding, text: &[u8]) -> (u64, u64, ErrorKind) {
        let error = encoding.validate(text).unwrap_err();
        (error.offset(), error.length() as u64, error.kind())
    }

    /// The example of RFC 1843 §4.
    #[test]
    fn hz() {
        let text =
            "This sentence is in ASCII.\nThe next sentence is in GB.己所不欲，勿施於人。Bye.\n";
        let bytes: &[u8] = b"This sentence is in ASCII.\nThe next sentence is in GB.~{<:Ky2;S{#,\
            NpJ)l6HK!#~}Bye.\n";
        assert_eq!(Encoding::Hz.decode(bytes).as_deref(), Ok(text));
        assert_eq!(Encoding::Hz.encode(text).as_deref(), Ok(bytes));
        assert_eq!(Encoding::Hz.encode("~己").as_deref(), Ok(&b"~~~{<:~}"[..]));
        assert_eq!(Encoding::Hz.decode(b"a~\nb~~~{<:\nc").as_deref(), Ok("ab~己\nc"));
        assert_eq!(error(Encoding::Hz, b"~x"), (0, 1, ErrorKind::InvalidByte));
        assert_eq!(error(Encoding::Hz, b"~{<"), (2, 1, ErrorKind::Truncated));
        assert_eq!(error(Encoding::Hz, b"~{<\n"), (2, 1, ErrorKind::MissingTrail));
        assert_eq!(error(Encoding::Hz, b"~{})"), (2, 2, ErrorKind::Undefined));
        assert_eq!(error(Encoding::Hz, b"a~"), (1, 1, ErrorKind::Truncated));
    }

    #[test]
    fn iso_2022_kr() {
        let encoding = Encoding::Iso2022Kr;
        let bytes: &[u8] = b"\x1B$)Ca \x0E0!\x0F\n\x0E0!0\"\x0F";
        assert_eq!(encoding.decode(bytes).as_deref(), Ok("a 가\n가각"));
        assert_eq!(encoding.encode("a 가\n가각").as_deref(), Ok(bytes));
        assert_eq!(encoding.encode("가").as_deref(), Ok(&b"\x1B$)C\x0E0!\x0F"[..]));
        assert_eq!(encoding.encode("").as_deref(), Ok(&b""[..]));
        assert!(encoding.encode("갂").is_err());
        assert_eq!(error(encoding, b"\x0E0!"), (0, 1, ErrorKind::InvalidByte));
        assert_eq!(error(encoding, b"\x1B$)C\x0E0"), (5, 1, ErrorKind::Truncated));
        assert_eq!(error(encoding, b"a\x1B$"), (1, 1, ErrorKind::Truncated));
        assert_eq!(error(encoding, b"\x1B$)B"), (0, 1, ErrorKind::Undefined));
    }
}
