//! Base64 as used in mail (RFC 2045 §6.8).

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use base64::engine::{DecodePaddingMode, general_purpose::NO_PAD};

use crate::transfer::Decoded;

/// Ignores nonzero padding bits in a group, as mail readers always have.
const LAX: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::with_decode_allow_trailing_bits(NO_PAD_ANY, true),
);
const NO_PAD_ANY: GeneralPurposeConfig =
    NO_PAD.with_decode_padding_mode(DecodePaddingMode::RequireNone);

/// The longest line of an encoded body, in bytes (RFC 2045 §6.8).
pub(crate) const LINE: usize = 76;

/// Decodes a body.
///
/// Characters outside the alphabet are skipped, as RFC 2045 §6.8 requires; except for white space,
/// each counts as a departure. `=` ends a group and another group may follow, as in bodies that
/// were encoded in pieces. Six leftover bits do not make a byte and count as an error.
///
/// ```
/// use utfall_mime::base64::decode;
/// assert_eq!(decode(b"Jjo=\r\n").bytes, [0x26, 0x3A]);
/// let decoded = decode(b"QQ==\r\nQ*g");
/// assert_eq!((&decoded.bytes[..], decoded.errors, decoded.departures), (&b"AB"[..], 0, 1));
/// assert_eq!(decode(b"QUJDR").errors, 1);
/// ```
#[must_use]
pub fn decode(src: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    let mut digits = Vec::with_capacity(src.len().min(DIGITS));
    for byte in src {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => digits.push(*byte),
            b'=' => decode_digits(&mut digits, &mut decoded),
            b'\r' | b'\n' | b' ' | b'\t' => {}
            _ => decoded.departures += 1,
        }
        if digits.len() == DIGITS {
            decode_digits(&mut digits, &mut decoded);
        }
    }
    decode_digits(&mut digits, &mut decoded);
    decoded
}

/// Digits decoded at a time; a multiple of the group size.
const DIGITS: usize = 4096;

fn decode_digits(digits: &mut Vec<u8>, decoded: &mut Decoded) {
    if digits.len() % 4 == 1 {
        digits.pop();
        decoded.errors += 1;
    }
    if LAX.decode_vec(&digits, &mut decoded.bytes).is_err() {
        // Unreachable: all are digits, and their number is valid.
        decoded.errors += 1;
    }
    digits.clear();
}

/// Decodes strict Base64: whole groups, nothing between them, zero padding bits (RFC 4648 §3.5,
/// §4). Returns `None` for anything else.
///
/// ```
/// use utfall_mime::base64::decode_strict;
/// assert_eq!(decode_strict(b"Jjo="), Some(vec![0x26, 0x3A]));
/// assert_eq!(decode_strict(b"Jjo"), None);
/// ```
#[must_use]
pub fn decode_strict(src: &[u8]) -> Option<Vec<u8>> {
    STANDARD.decode(src).ok()
}

/// Encodes without line breaks.
///
/// ```
/// assert_eq!(utfall_mime::base64::encode(&[0x26, 0x3A]), "Jjo=");
/// ```
#[must_use]
pub fn encode(src: &[u8]) -> String {
    STANDARD.encode(src)
}

/// The length of [`encode`]'s output for this many bytes.
pub(crate) const fn encoded_len(bytes: usize) -> usize {
    bytes.div_ceil(3) * 4
}

/// Encodes a body in lines of 76 bytes, separated by `eol`. The last line has no line end.
///
/// ```
/// let lines = utfall_mime::base64::encode_lines(&[0; 60], b"\r\n");
/// assert_eq!(lines.iter().position(|byte| *byte == b'\r'), Some(76));
/// ```
#[must_use]
pub fn encode_lines(src: &[u8], eol: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(encoded_len(src.len()) * 78 / 76 + 4);
    for line in src.chunks(LINE / 4 * 3) {
        if !lines.is_empty() {
            lines.extend_from_slice(eol);
        }
        lines.extend_from_slice(STANDARD.encode(line).as_bytes());
    }
    lines
}
