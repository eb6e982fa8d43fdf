//! Text for people: bytes, characters, file names, numbers, errors.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::path::Path;

use utfall::{Encoding, ErrorKind, Family, Origin};

use crate::screen::plain;

/// `C0 AE`.
#[must_use]
pub fn bytes(bytes: &[u8]) -> String {
    let shown: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    shown.join(" ")
}

/// `U+20AC "€"`, or only the code point if the character is not visible.
#[must_use]
pub fn character(point: u32) -> String {
    let mut text = format!("U+{point:04X}");
    // `escape_debug` does not escape characters that are printable and not combining.
    match char::from_u32(point) {
        Some(scalar @ ('"' | '\'' | '\\')) => _ = write!(text, " \"{scalar}\""),
        Some(scalar) if scalar != ' ' && scalar.escape_debug().len() == 1 => {
            _ = write!(text, " \"{scalar}\"");
        }
        _ => {}
    }
    text
}

/// A file name. Parts that are not Unicode become U+FFFD.
#[must_use]
pub fn path(path: &Path) -> String {
    let text = path.to_string_lossy();
    // Windows puts `\\?\` before canonical paths; users do not type it.
    let is_drive = |rest: &&str| rest.chars().nth(1) == Some(':');
    match text.strip_prefix(r"\\?\").filter(|rest| cfg!(windows) && is_drive(rest)) {
        Some(rest) => plain(rest),
        None => plain(&text),
    }
}

/// An error in a text, without its place: `overlong form in UTF-8`, ``U+20AC "€" cannot be encoded in
/// US-ASCII``.
///
/// ```
/// use utfall::Encoding;
/// use utfall_bind::show;
/// let error = Encoding::UsAscii.encode("10 €").unwrap_err();
/// assert_eq!(show::problem(&error), "U+20AC \"€\" cannot be encoded in US-ASCII");
/// let error = Encoding::Utf8.validate(b"\xE2\x82").unwrap_err();
/// assert_eq!(show::problem(&error), "incomplete UTF-8 sequence at the end of the input");
/// ```
#[must_use]
pub fn problem(error: &utfall::Error) -> String {
    problem_of(error.encoding(), error.kind(), error.run_bit())
}

/// The same for an error of which only these parts are known.
#[must_use]
pub fn problem_of(encoding: Encoding, kind: ErrorKind, run_bit: Option<u32>) -> String {
    let name = encoding.name();
    let text = match kind {
        ErrorKind::Unencodable(point) => {
            format!("{} cannot be encoded in {name}", character(point))
        }
        ErrorKind::Truncated => format!("incomplete {name} sequence at the end of the input"),
        _ => format!("{kind} in {name}"),
    };
    text + &bit(run_bit)
}

/// How many charsets [`charsets_with`] returns at most.
const SUGGESTED: usize = 2;

/// Charsets that have a character which `target` lacks, those most similar to `target` first; at most
/// two. Empty for private-use characters, and without the feature `charsets`.
///
/// ```
/// use utfall::Encoding;
/// use utfall_bind::show;
/// let found = show::charsets_with(u32::from('ř'), Encoding::Windows1252);
/// assert_eq!(found, [Encoding::Windows1250, Encoding::Iso8859_2]);
/// ```
#[must_use]
pub fn charsets_with(point: u32, target: Encoding) -> Vec<Encoding> {
    let Some(scalar) = char::from_u32(point).filter(|c| !('\u{E000}'..='\u{F8FF}').contains(c))
    else {
        return Vec::new();
    };
    let mut room = [0; 4];
    let text: &str = scalar.encode_utf8(&mut room);
    let keeps_it = |encoding: Encoding| {
        // Some encoders of the web write similar characters.
        encoding
            .encode(text)
            .is_ok_and(|bytes| encoding.decode(&bytes).is_ok_and(|read| read == text))
    };
    let is_charset = |encoding: &&Encoding| {
        let info = encoding.info();
        let is_table = matches!(info.family, Family::SingleByte | Family::MultiByte);
        // GB 18030 has every character, as UTF-8 has.
        is_table
            && !info.stateful
            && !matches!(info.origin, Origin::Glibc | Origin::Other)
            && info.name != "GB18030"
    };
    let charsets = Encoding::ALL.iter().filter(is_charset).copied();
    let mut found: Vec<_> = charsets.filter(|encoding| keeps_it(*encoding)).collect();
    // US-ASCII is equally similar to most. Western text is the likeliest.
    let model = if target == Encoding::UsAscii { Encoding::Iso8859_1 } else { target };
    let similarity = |encoding: Encoding| {
        let same = |byte: &u8| {
            let character = encoding.decode(std::slice::from_ref(byte));
            character.is_ok() && character == model.decode(std::slice::from_ref(byte))
        };
        (0x80..=0xFF).filter(same).count()
    };
    let family = target.info().family;
    found.sort_by_cached_key(|encoding| {
        (encoding.info().family != family, Reverse(similarity(*encoding)))
    });
    found.truncate(SUGGESTED);
    found
}

/// `, bit 16 of its group of eight digits`, for an error inside a shifted run.
#[must_use]
pub fn run_bit(error: &utfall::Error) -> String {
    bit(error.run_bit())
}

fn bit(run_bit: Option<u32>) -> String {
    match run_bit {
        Some(bit) => format!(", bit {bit} of its group of eight digits"),
        None => String::new(),
    }
}

/// `3 files`, `1 file`.
#[must_use]
pub fn count(number: u64, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}
