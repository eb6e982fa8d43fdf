//! What a decoder knows in front of a unit, as far as it tells what the unit's octets are.

use crate::encoding::AnyDecoder;

#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// Octets whose bits are no part of a number.
    Octets,
    /// One octet for each character, its low bits the code point.
    Single { payload: u8 },
    /// The sequences of UTF-8; `surrogates` may make pairs.
    Utf8 { surrogates: bool },
    /// UTF-EBCDIC, whose sequences are those of I8.
    I8(&'static [u8; 256]),
    /// In a run of UTF-7 or of IMAP's, behind so many bits of the next code unit.
    Run { bits: u8, count: u8, is_imap: bool },
    /// Code units of two octets or four. UCS-2 has no pairs.
    Units { octets: u8, is_little: bool, has_pairs: bool },
    /// SCSU: its mode, where the active window begins, and where all of them do.
    Scsu { unicode: bool, active: u32, windows: [u32; 8] },
    /// BOCU-1: what the next difference is taken from.
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
            D::Utf7(d) | D::Utf7Rfc1642(d) | D::Unicode11Utf7(d) => {
                let run = |(bits, count)| Self::Run { bits, count, is_imap: false };
                d.run_bits().map_or(direct, run)
            }
            D::Utf7Imap(d) => {
                let run = |(bits, count)| Self::Run { bits, count, is_imap: true };
                d.run_bits().map_or(direct, run)
            }
            D::Utf16(d) | D::Utf16Le(d) | D::Utf16Be(d) | D::Unicode11(d) | D::Unicode20(d) => {
                // Without a mark it is the big-endian order.
                let is_little = d.is_little().unwrap_or(false);
                Self::Units { octets: 2, is_little, has_pairs: true }
            }
            D::Ucs2(d) | D::Ucs2Le(d) | D::Ucs2Be(d) => {
                let is_little = d.is_little().unwrap_or(false);
                Self::Units { octets: 2, is_little, has_pairs: false }
            }
            D::Utf32(d) | D::Utf32Le(d) | D::Utf32Be(d) => {
                let is_little = d.is_little().unwrap_or(false);
                Self::Units { octets: 4, is_little, has_pairs: false }
            }
            D::Ucs4(d) | D::Ucs4Le(d) | D::Ucs4Be(d) => {
                let is_little = d.is_little().unwrap_or(false);
                Self::Units { octets: 4, is_little, has_pairs: false }
            }
            D::Scsu(d) => {
                let (unicode, active, windows) = d.windows();
                Self::Scsu { unicode, active, windows }
            }
            D::Bocu1(d) => Self::Bocu1 { previous: d.previous() },
            D::UsAscii(_) => direct,
            D::Iso8859_1(_) => Self::Single { payload: 0xFF },
            _ => Self::Octets,
        }
    }

    /// In a run, how many bits at the end of the last digit belong to what follows.
    pub(super) fn left_over(&self) -> u8 {
        match self {
            Self::Run { count, .. } => *count,
            _ => 0,
        }
    }
}
