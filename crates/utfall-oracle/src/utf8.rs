//! UTF-8 in four profiles (RFC 3629 §3, RFC 2279 §2, RFC 2044 §2, Perl's `utf8`; §1).

use crate::sequence::{Found, Scheme, read};
use crate::{Encoded, Item, is_surrogate};

pub(crate) struct Profile {
    scheme: Scheme,
    writes_surrogates: bool,
}

pub(crate) const SHORTEST: [u32; 6] = [0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000];
const ANY_LENGTH: [u32; 6] = [0; 6];
const SURROGATES: Option<(u32, u32)> = Some((0xD800, 0xDFFF));

pub(crate) static RFC3629: Profile = Profile {
    scheme: Scheme {
        lead,
        trail,
        bits: 6,
        least: SHORTEST,
        greatest: 0x10_FFFF,
        refused: SURROGATES,
    },
    writes_surrogates: false,
};

pub(crate) static RFC2279: Profile = Profile {
    scheme: Scheme {
        lead,
        trail,
        bits: 6,
        least: SHORTEST,
        greatest: 0x7FFF_FFFF,
        refused: SURROGATES,
    },
    writes_surrogates: false,
};

/// A decoder is required to check neither for the shortest form nor for surrogates.
pub(crate) static RFC2044: Profile = Profile {
    scheme: Scheme {
        lead,
        trail,
        bits: 6,
        least: ANY_LENGTH,
        greatest: 0x7FFF_FFFF,
        refused: None,
    },
    writes_surrogates: false,
};

pub(crate) static PERL: Profile = Profile {
    scheme: Scheme { lead, trail, bits: 6, least: SHORTEST, greatest: 0x7FFF_FFFF, refused: None },
    writes_surrogates: true,
};

pub(crate) fn decode(profile: &Profile, bytes: &[u8], items: &mut Vec<Item>) {
    let mut offset = 0;
    while offset < bytes.len() {
        match read(&profile.scheme, |at| bytes.get(offset + at).copied()) {
            Found::Point(point, length) => {
                items.push(Item::Point(point));
                offset += length;
            }
            Found::Ill(length) => {
                items.push(Item::Ill { offset, length });
                offset += length;
            }
        }
    }
}

pub(crate) fn encode(profile: &Profile, points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    for (index, &point) in points.iter().enumerate() {
        if point > profile.scheme.greatest || is_surrogate(point) && !profile.writes_surrogates {
            return Err(index);
        }
        write(point, bytes);
    }
    Ok(())
}

/// The six rows of the table in RFC 2279 §2.
pub(crate) fn lead(byte: u8) -> Option<(u32, u32)> {
    let byte = u32::from(byte);
    match byte {
        0x00..=0x7F => Some((byte, 0)),
        0xC0..=0xDF => Some((byte - 0xC0, 1)),
        0xE0..=0xEF => Some((byte - 0xE0, 2)),
        0xF0..=0xF7 => Some((byte - 0xF0, 3)),
        0xF8..=0xFB => Some((byte - 0xF8, 4)),
        0xFC..=0xFD => Some((byte - 0xFC, 5)),
        _ => None,
    }
}

pub(crate) fn trail(byte: u8) -> Option<u32> {
    match byte {
        0x80..=0xBF => Some(u32::from(byte) - 0x80),
        _ => None,
    }
}

/// Appends the shortest form of a value up to 7FFFFFFF, surrogate or not.
pub(crate) fn write(point: u32, bytes: &mut Vec<u8>) {
    let (mark, trailing) = match point {
        0x0000_0000..=0x0000_007F => (0x00, 0),
        0x0000_0080..=0x0000_07FF => (0xC0, 1),
        0x0000_0800..=0x0000_FFFF => (0xE0, 2),
        0x0001_0000..=0x001F_FFFF => (0xF0, 3),
        0x0020_0000..=0x03FF_FFFF => (0xF8, 4),
        0x0400_0000..=0x7FFF_FFFF => (0xFC, 5),
        0x8000_0000.. => unreachable!("values have 31 bits"),
    };
    bytes.push((mark + (point >> (6 * trailing))) as u8);
    for left in (0..trailing).rev() {
        bytes.push((0x80 + (point >> (6 * left)) % 0x40) as u8);
    }
}
