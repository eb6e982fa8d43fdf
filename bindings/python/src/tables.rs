//! Tables of charsets before Unicode, for long texts. They are made from the library where they are first needed, so they
//! give its answers.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use utfall::{Decoder, Encoder, Encoding, Family, Options, Status};

use crate::text::Form;

/// More than the largest number of an encoding.
const ENCODINGS: usize = 256;
/// After this many characters, a table is made.
const LONG: usize = 2048;
/// A byte that a charset does not define. No charset has this noncharacter.
const UNDEFINED: u16 = 0xFFFF;
/// A character that a charset lacks. No charset has these four bytes.
const LACKED: u32 = 0xFFFF_FFFF;

/// A single-byte charset.
struct SingleByte {
    /// The code point of each byte.
    points: [u16; 256],
    /// Whether all bytes but 80 to 9F are the code point with their value.
    is_latin1: bool,
}

/// The bytes of 256 code points, the first in the highest of those that are used.
type Page = [u32; 256];

/// The encoded characters of the basic multilingual plane.
type Pages = [OnceLock<Box<Page>>; 256];

fn single_byte(encoding: Encoding) -> Option<&'static SingleByte> {
    static ALL: [OnceLock<SingleByte>; ENCODINGS] = [const { OnceLock::new() }; ENCODINGS];
    if encoding.info().family != Family::SingleByte {
        return None;
    }
    let table = ALL.get(usize::from(encoding as u16))?;
    Some(table.get_or_init(|| {
        let mut points = [UNDEFINED; 256];
        for (byte, point) in (0..=u8::MAX).zip(&mut points) {
            let mut out = [0; 2];
            let mut decoder = Decoder::new(encoding, Options::strict());
            let progress = decoder.decode_to_code_points(&[byte], &mut out, true);
            if progress.status == Status::InputEmpty && progress.written == 1 {
                *point = u16::try_from(out[0]).unwrap_or(UNDEFINED);
            }
        }
        let is_same = |(byte, point): (usize, &u16)| byte == usize::from(*point);
        let is_c1 = |byte: usize| (0x80..0xA0).contains(&byte);
        let is_latin1 = points.iter().enumerate().all(|pair| is_c1(pair.0) || is_same(pair));
        SingleByte { points, is_latin1 }
    }))
}

/// Whether a charset has US-ASCII.
fn is_ascii(table: &SingleByte) -> bool {
    (0..0x80).zip(&table.points).all(|(byte, point)| byte == *point)
}

/// The text, if the charset has one byte for each character and defines all of these.
pub(crate) fn decode(encoding: Encoding, bytes: &[u8]) -> Option<Form<'_>> {
    let table = single_byte(encoding)?;
    if bytes.is_ascii() && is_ascii(table) || is_latin1(encoding, bytes) {
        return Some(Form::Latin1(bytes.into()));
    }
    let units: Vec<u16> = bytes.iter().map(|byte| table.points[usize::from(*byte)]).collect();
    match units.iter().copied().max()? {
        UNDEFINED => None,
        0..0x100 => Some(Form::Latin1(units.iter().map(|unit| *unit as u8).collect())),
        _ => Some(Form::Utf16(units)),
    }
}

/// The text in UTF-8, if the charset has one byte for each character and defines all of these.
pub(crate) fn decode_utf8(encoding: Encoding, bytes: &[u8]) -> Option<Vec<u8>> {
    let table = single_byte(encoding)?;
    let mut out = Vec::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let point = table.points[usize::from(*byte)];
        if point < 0x80 {
            out.push(point as u8);
            continue;
        }
        let character = char::from_u32(point.into()).filter(|_| point != UNDEFINED)?;
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Some(out)
}

/// Whether ISO 8859-1 has the same text for these bytes.
pub(crate) fn is_latin1(encoding: Encoding, bytes: &[u8]) -> bool {
    let is_c1 = |byte: &u8| (0x80..0xA0).contains(byte);
    single_byte(encoding).is_some_and(|table| table.is_latin1) && !bytes.iter().any(is_c1)
}

/// Whether a table for encoding is worth the time to make it: after some text.
pub(crate) fn is_worthwhile(encoding: Encoding, points: &[u32]) -> bool {
    static SEEN: [AtomicUsize; ENCODINGS] = [const { AtomicUsize::new(0) }; ENCODINGS];
    let Some(seen) = SEEN.get(usize::from(encoding as u16)) else { return false };
    seen.fetch_add(points.len(), Ordering::Relaxed) + points.len() >= LONG
}

/// The bytes of a text, if the charset has no state and has all of these characters.
pub(crate) fn encode(encoding: Encoding, points: &[u32]) -> Option<Vec<u8>> {
    static ALL: [OnceLock<Box<Pages>>; ENCODINGS] = [const { OnceLock::new() }; ENCODINGS];
    let info = encoding.info();
    if !matches!(info.family, Family::SingleByte | Family::MultiByte) || info.stateful {
        return None;
    }
    let pages = ALL.get(usize::from(encoding as u16))?;
    let pages = pages.get_or_init(|| Box::new([const { OnceLock::new() }; 256]));
    let mut above = Encoder::new(encoding, Options::strict());
    let mut out = Vec::with_capacity(points.len() * 2);
    for point in points {
        let bytes = match pages.get(*point as usize >> 8) {
            Some(page) => {
                page.get_or_init(|| page_of(encoding, point >> 8))[*point as usize & 0xFF]
            }
            None => bytes_of(&mut above, *point),
        };
        match bytes {
            LACKED => return None,
            0..0x100 => out.push(bytes as u8),
            0x100..0x1_0000 => out.extend_from_slice(&bytes.to_be_bytes()[2..]),
            0x1_0000..0x100_0000 => out.extend_from_slice(&bytes.to_be_bytes()[1..]),
            _ => out.extend_from_slice(&bytes.to_be_bytes()),
        }
    }
    Some(out)
}

fn page_of(encoding: Encoding, page: u32) -> Box<Page> {
    let mut encoder = Encoder::new(encoding, Options::strict());
    let mut all = Box::new([LACKED; 256]);
    for (low, bytes) in (0..).zip(all.iter_mut()) {
        *bytes = bytes_of(&mut encoder, page << 8 | low);
    }
    all
}

/// The bytes of a character, the first in the highest of those that are used.
fn bytes_of(encoder: &mut Encoder<'static>, point: u32) -> u32 {
    let mut out = [0; 8];
    let progress = encoder.encode_code_points(&[point], &mut out, false);
    match (progress.status, progress.written) {
        (Status::InputEmpty, length @ 1..=4) => {
            out[..length].iter().fold(0, |all, byte| all << 8 | u32::from(*byte))
        }
        _ => LACKED,
    }
}
