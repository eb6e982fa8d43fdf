//! Japanese charsets of seven bits, with sets that escape sequences select: what ISO-2022-JP-2 and
//! ISO-2022-JP-3 share.

use crate::ErrorKind;
use crate::codec::Next;

pub(in crate::codec) const ESC: u8 = 0x1B;
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

/// The second designation of JIS X 0208, of the edition of 1978.
pub(in crate::codec) const JIS_C_6226: &[u8] = b"\x1B$@";

/// The code point of the first katakana.
const KATAKANA: u32 = 0xFF61;

/// A set with one byte for each character, from 21 to 7E.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codec) enum Single {
    Ascii,
    /// JIS X 0201, which has a yen sign and an overline.
    Roman,
    Katakana,
}

impl Single {
    pub(in crate::codec) const fn designation(self) -> &'static [u8] {
        match self {
            Self::Ascii => b"\x1B(B",
            Self::Roman => b"\x1B(J",
            Self::Katakana => b"\x1B(I",
        }
    }

    fn point(self, byte: u8) -> Option<u32> {
        match (self, byte) {
            (Self::Roman, b'\\') => Some(0xA5),
            (Self::Roman, b'~') => Some(0x203E),
            (Self::Katakana, 0x21..=0x5F) => Some(KATAKANA + u32::from(byte - 0x21)),
            (Self::Katakana, _) => None,
            _ => Some(u32::from(byte)),
        }
    }

    pub(in crate::codec) fn byte(self, point: u32) -> Option<u8> {
        match (self, point) {
            (Self::Ascii, 0..0x80) => Some(point as u8),
            (Self::Roman, 0xA5) => Some(b'\\'),
            (Self::Roman, 0x203E) => Some(b'~'),
            (Self::Roman, 0x21..0x7F) if point != 0x5C && point != 0x7E => Some(point as u8),
            (Self::Katakana, 0xFF61..=0xFF9F) => Some((point - KATAKANA) as u8 + 0x21),
            _ => None,
        }
    }
}

/// Whether no set has a code point, since its byte selects sets.
pub(in crate::codec) fn is_control(point: u32) -> bool {
    matches!(u8::try_from(point), Ok(ESC | SO | SI))
}

/// Interprets a text that does not begin with [`ESC`]. `single` is the set in effect. If that has two bytes
/// for each character, it is `None`, and `pair` interprets them.
pub(in crate::codec) fn character(
    src: &[u8],
    last: bool,
    single: Option<Single>,
    pair: impl FnOnce([u8; 2]) -> Option<Next>,
) -> Next {
    match *src {
        [] => Next::End,
        [SO | SI | 0x80.., ..] => Next::ill(ErrorKind::InvalidByte, 1),
        [first @ 0x21..=0x7E, ref rest @ ..] => match (single, rest) {
            (Some(single), _) => match single.point(first) {
                Some(point) => Next::Point { point, length: 1 },
                None => Next::ill(ErrorKind::Undefined, 1),
            },
            (None, [second @ 0x21..=0x7E, ..]) => {
                pair([first, *second]).unwrap_or(Next::ill(ErrorKind::Undefined, 2))
            }
            (None, [_, ..]) => Next::ill(ErrorKind::MissingTrail, 1),
            (None, []) if last => Next::ill(ErrorKind::Truncated, 1),
            (None, []) => Next::End,
        },
        [byte, ..] => Next::Point { point: u32::from(byte), length: 1 },
    }
}

/// The result for a text that begins with [`ESC`], but with none of the known escape sequences.
pub(in crate::codec) fn no_escape<'a>(
    src: &[u8],
    last: bool,
    mut known: impl Iterator<Item = &'a [u8]>,
) -> Next {
    match known.any(|sequence| sequence.starts_with(src) && sequence.len() > src.len()) {
        true if last => Next::ill(ErrorKind::Truncated, 1),
        true => Next::End,
        false => Next::ill(ErrorKind::Undefined, 1),
    }
}
