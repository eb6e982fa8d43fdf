//! The state of a decoder before a unit, as far as it affects the meaning of the unit's bytes.

use crate::codec::{utf7, utf16};
use crate::encoding::AnyDecoder;

#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// Bytes whose bits are not part of a number.
    Bytes,
    /// One byte per character, whose low bits are the code point.
    Single { payload: u8 },
    /// The sequences of UTF-8; `surrogates` means they may form pairs.
    Utf8 { surrogates: bool },
    /// UTF-EBCDIC, whose sequences are those of I8.
    I8(&'static [u8; 256]),
    /// In a run of UTF-7 or of IMAP's variant, after that many bits of the next code unit.
    Run { bits: u8, count: u8, is_imap: bool },
    /// Code units of two or four bytes. UCS-2 has no pairs.
    Units { bytes: u8, is_little: bool, has_pairs: bool },
    /// SCSU: its mode, the start of the active window, and the starts of all windows.
    Scsu { unicode: bool, active: u32, windows: [u32; 8] },
    /// BOCU-1: the base of the next difference.
    Bocu1 { previous: u32 },
}

impl State {
    pub(super) fn of(decoder: &AnyDecoder) -> Self {
        use AnyDecoder as D;
        let direct = Self::Single { payload: 0x7F };
        match decoder {
            D::Utf8(_) | D::Utf8Rfc2279(_) | D::Utf8Rfc2044(_) | D::Unicode11Utf8(_) => {
                Self::Utf8 { surrogates: false }
            }
            D::Utf8Perl(_) | D::Cesu8(_) | D::Mutf8(_) | D::Wtf8(_) => {
                Self::Utf8 { surrogates: true }
            }
            D::UtfEbcdic(d) | D::UtfEbcdicCdra(d) => Self::I8(d.to_i8()),
            D::Utf7(d) | D::Utf7Rfc1642(d) => Self::of_utf7(d),
            D::Unicode11Utf7(d) => Self::of_utf7(d.format()),
            D::Utf7Imap(d) => {
                let run = |(bits, count)| Self::Run { bits, count, is_imap: true };
                d.run_bits().map_or(direct, run)
            }
            D::Utf16(d) | D::Utf16Le(d) | D::Utf16Be(d) | D::Unicode20(d) => Self::of_utf16(d),
            D::Unicode11(d) => Self::of_utf16(d.format()),
            D::Ucs2(d) | D::Ucs2Le(d) | D::Ucs2Be(d) => {
                let is_little = d.is_little().unwrap_or(false);
                Self::Units { bytes: 2, is_little, has_pairs: false }
            }
            D::Utf32(d) | D::Utf32Le(d) | D::Utf32Be(d) => {
                let is_little = d.is_little().unwrap_or(false);
                Self::Units { bytes: 4, is_little, has_pairs: false }
            }
            D::Ucs4(d) | D::Ucs4Le(d) | D::Ucs4Be(d) => {
                let is_little = d.is_little().unwrap_or(false);
                Self::Units { bytes: 4, is_little, has_pairs: false }
            }
            D::Scsu(d) => {
                let (unicode, active, windows) = d.windows();
                Self::Scsu { unicode, active, windows }
            }
            D::Bocu1(d) => Self::Bocu1 { previous: d.previous() },
            D::UsAscii(_) => direct,
            D::Iso8859_1(_) => Self::Single { payload: 0xFF },
            _ => Self::Bytes,
        }
    }

    fn of_utf7(decoder: &utf7::Decoder) -> Self {
        let run = |(bits, count)| Self::Run { bits, count, is_imap: false };
        decoder.run_bits().map_or(Self::Single { payload: 0x7F }, run)
    }

    fn of_utf16(decoder: &utf16::Decoder) -> Self {
        // Without a BOM the byte order is big-endian.
        let is_little = decoder.is_little().unwrap_or(false);
        Self::Units { bytes: 2, is_little, has_pairs: true }
    }

    /// In a run, how many bits at the end of the last digit belong to the next unit.
    pub(super) fn left_over(&self) -> u8 {
        match self {
            Self::Run { count, .. } => *count,
            _ => 0,
        }
    }
}

/// The number in Unicode 1.1 of the last code point, if it has another one today.
pub(super) fn old_number(decoder: &AnyDecoder) -> Option<u32> {
    match decoder {
        AnyDecoder::Unicode11Utf8(decoder) => decoder.old(),
        AnyDecoder::Unicode11(decoder) => decoder.old(),
        AnyDecoder::Unicode11Utf7(decoder) => decoder.old(),
        _ => None,
    }
}
