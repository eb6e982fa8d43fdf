//! Texts inside texts: transfer encodings and double-encoded UTF-8.

use utfall::Encoding;
use utfall_mime::{base64, quoted_printable};

use crate::candidate::{Candidate, Inside, Layer};
use crate::cost::{Bits, bits};
use crate::facts::{Double, Facts, Ranking};
use crate::model::Model;
use crate::sample::Piece;

/// The least saving in bits for which an inner text is reported.
const LEAST_GAIN: Bits = bits(16);
/// The shortest Base64 text to decode, in digits.
const LEAST_DIGITS: usize = 16;

/// Returns the likeliest encoding of a text.
pub(crate) type Detect = fn(&[u8]) -> Option<Candidate>;

/// Looks for a layer inside the best candidate.
pub(crate) fn look_inside(
    facts: &Facts<'_>,
    ranking: &Ranking,
    candidates: &mut [Candidate],
    detect: Detect,
) {
    let Some(best) = candidates.first_mut() else { return };
    let head = &facts.pieces[0].bytes[..];
    let is_whole = facts.length == head.len() as u64;
    best.inside = match best.encoding {
        Encoding::UsAscii => {
            in_base64(head, is_whole, detect).or_else(|| in_quoted_printable(head, detect))
        }
        Encoding::Utf8 => {
            let double = ranking.double.as_ref();
            double.and_then(|double| inside(Layer::DoubleUtf8, &double.bytes, detect))
        }
        _ => None,
    }
    .map(Box::new);
}

fn inside(layer: Layer, bytes: &[u8], detect: Detect) -> Option<Inside> {
    Some(Inside { layer, candidate: detect(bytes)? })
}

/// Decodes a text that consists of Base64 only, with or without line breaks.
fn in_base64(head: &[u8], is_whole: bool, detect: Detect) -> Option<Inside> {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut digits: Vec<u8> = Vec::with_capacity(head.len());
    for line in head.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii_end();
        let bare = line.strip_suffix(b"==").or_else(|| line.strip_suffix(b"=")).unwrap_or(line);
        if !bare.iter().all(|byte| is_digit(*byte)) {
            return None;
        }
        digits.extend_from_slice(line);
    }
    if digits.len() < LEAST_DIGITS || (is_whole && !digits.len().is_multiple_of(4)) {
        return None;
    }
    digits.truncate(digits.len() / 4 * 4);
    // A long word, or a list of words, can be valid Base64, but does not decode to text.
    let mixed =
        digits.iter().any(u8::is_ascii_uppercase) && digits.iter().any(u8::is_ascii_lowercase);
    let decoded = base64::decode_strict(&digits).filter(|_| mixed)?;
    let found = inside(Layer::Base64, &decoded, detect)?;
    let gain = cost_of_ascii(&digits) - cost(found.candidate.encoding, &decoded);
    (gain >= LEAST_GAIN).then_some(found)
}

/// Decodes a text that has non-ASCII bytes written as `=C3=A9`, and no literal `=`.
fn in_quoted_printable(head: &[u8], detect: Detect) -> Option<Inside> {
    let mut high = 0;
    let mut rest = head;
    while let Some(at) = rest.iter().position(|byte| *byte == b'=') {
        rest = &rest[at + 1..];
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'A'..=b'F');
        match rest {
            [b'\n', ..] | [b'\r', b'\n', ..] => {}
            [first, second, ..] if is_digit(first) && is_digit(second) => {
                high += u32::from(*first >= b'8');
            }
            // The sample may end in the middle of a sequence.
            [] | [_] => {}
            _ => return None,
        }
    }
    if high == 0 {
        return None;
    }
    let decoded = quoted_printable::decode(head).bytes;
    let found = inside(Layer::QuotedPrintable, &decoded, detect)?;
    let gain = cost_of_ascii(head) - cost(found.candidate.encoding, &decoded);
    (gain >= LEAST_GAIN).then_some(found)
}

/// Undoes double encoding, if every non-ASCII character maps back to a byte of UTF-8 and the result
/// costs less than `outside`.
pub(crate) fn double_utf8(pieces: &[Piece], outside: Bits) -> Option<Double> {
    let mut bytes = Vec::new();
    for piece in pieces {
        let text = String::from_utf8_lossy(&piece.bytes);
        // Replacement characters from characters cut at the edges.
        let text = text.trim_matches('\u{FFFD}');
        let encoded = bytes_of(text)?;
        // A cut character leaves stray continuation bytes in the inner text, too.
        let trails = encoded.iter().take_while(|o| matches!(**o, 0x80..0xC0)).count();
        let encoded = if piece.offset > 0 { &encoded[trails.min(3)..] } else { &encoded[..] };
        let whole = match std::str::from_utf8(encoded) {
            Ok(_) => encoded,
            Err(error) if !piece.last && error.error_len().is_none() => {
                &encoded[..error.valid_up_to()]
            }
            Err(_) => return None,
        };
        bytes.extend_from_slice(whole);
    }
    let bits = cost(Encoding::Utf8, &bytes) + LEAST_GAIN;
    (!bytes.is_ascii() && bits < outside).then_some(Double { bytes, bits })
}

/// Maps each character back to a byte: through ISO 8859-1, or through windows-1252 for characters
/// above U+00FF.
fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let mut room = [0; 4];
    text.chars()
        .map(|scalar| match u8::try_from(u32::from(scalar)) {
            Ok(byte) => Some(byte),
            Err(_) => {
                let encoded = Encoding::Windows1252.encode(scalar.encode_utf8(&mut room)).ok()?;
                encoded.first().copied()
            }
        })
        .collect()
}

/// The cost of a text in an encoding.
fn cost(encoding: Encoding, bytes: &[u8]) -> Bits {
    let mut model = Model::default();
    let text = encoding.decode_lossy(bytes).text;
    text.chars().map(|scalar| model.add(u32::from(scalar))).sum()
}

fn cost_of_ascii(bytes: &[u8]) -> Bits {
    let mut model = Model::default();
    bytes.iter().map(|byte| model.add(u32::from(*byte))).sum()
}
