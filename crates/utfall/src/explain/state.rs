//! The state of a decoder before a unit, as far as it affects the meaning of the unit's bytes.

use crate::codec::{Decode, utf7};
use crate::encoding::AnyDecoder;
use crate::{ByteOrder, Encoding, Family, Repertoire};

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

/// US-ASCII.
const DIRECT: State = State::Single { payload: 0x7F };

/// Whether a form of UTF-8 may encode surrogates: as code points of their own, or in pairs.
fn has_surrogates(encoding: Encoding) -> bool {
    let repertoire = encoding.info().repertoire;
    encoding == Encoding::Cesu8
        || matches!(repertoire, Repertoire::WithSurrogates | Repertoire::Ucs4WithSurrogates)
}

impl State {
    /// The family of an encoding determines how its bytes are read, unless that depends on earlier
    /// bytes, which only its decoder knows.
    pub(super) fn of(encoding: Encoding, decoder: &AnyDecoder) -> Self {
        let info = encoding.info();
        match info.family {
            Family::Utf8 => Self::Utf8 { surrogates: has_surrogates(encoding) },
            Family::Utf16 | Family::Utf32 => Self::Units {
                bytes: info.code_unit as u8,
                // Without a BOM the byte order is big-endian.
                is_little: match info.byte_order {
                    Some(ByteOrder::Marked) => decoder.is_little().unwrap_or(false),
                    order => order == Some(ByteOrder::Little),
                },
                has_pairs: info.has_surrogate_pairs(),
            },
            _ => Self::of_decoder(decoder),
        }
    }

    /// That of formats with a rule of their own.
    fn of_decoder(decoder: &AnyDecoder) -> Self {
        use AnyDecoder as D;
        match decoder {
            D::UtfEbcdic(d) | D::UtfEbcdicCdra(d) => Self::I8(d.to_i8()),
            D::Utf7(d) | D::Utf7Rfc1642(d) => Self::of_utf7(d),
            D::Unicode11Utf7(d) => Self::of_utf7(d.format()),
            D::Utf7Imap(d) => {
                let run = |(bits, count)| Self::Run { bits, count, is_imap: true };
                d.run_bits().map_or(DIRECT, run)
            }
            D::Scsu(d) => {
                let (unicode, active, windows) = d.windows();
                Self::Scsu { unicode, active, windows }
            }
            D::Bocu1(d) => Self::Bocu1 { previous: d.previous() },
            D::UsAscii(_) => DIRECT,
            D::Iso8859_1(_) => Self::Single { payload: 0xFF },
            _ => Self::Bytes,
        }
    }

    fn of_utf7(decoder: &utf7::Decoder) -> Self {
        let run = |(bits, count)| Self::Run { bits, count, is_imap: false };
        decoder.run_bits().map_or(DIRECT, run)
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
