//! Encoded words: non-ASCII text in header fields (RFC 2047).
//!
//! Adjacent words in the same charset are joined before decoding, which repairs characters that a
//! careless writer split over two words. UTF-7 is an exception if each word is well-formed alone,
//! because a run that ends with its word would continue in the next. A word that cannot be decoded
//! stays visible as it is.

use std::ops::Range;

use utfall::{Encoding, Family, Options, Utf7Options};

use crate::charset::{self, Charset};
use crate::{base64, quoted_printable};

/// The longest encoded word allowed, in bytes (RFC 2047 §2).
pub const LONGEST: usize = 75;

/// How many bytes longer Q may be and still be chosen, since people can read it.
const EASE: usize = 6;

/// The rules for recognizing encoded words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The rules of RFC 2047: at most 75 bytes, white space or parentheses on both sides, no spaces
    /// in the payload, and complete padding.
    Strict,
    /// Accepts common deviations, too: words of any length, words that touch other text, spaces and
    /// 8-bit bytes in Q, and missing padding.
    Lenient,
}

/// The encoding of the payload, Q or B (RFC 2047 §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Quoted-printable with `_` for the space.
    Q,
    /// Base64.
    B,
}

/// An encoded word. Offsets are in bytes of the searched text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedWord<'a> {
    /// The whole word, from `=?` to `?=`.
    pub range: Range<usize>,
    /// The charset label as written, without the language.
    pub charset: &'a [u8],
    /// The language (RFC 2231 §5).
    pub language: Option<&'a [u8]>,
    /// The encoding of the payload.
    pub scheme: Scheme,
    /// The payload.
    pub payload: Range<usize>,
    bytes: Vec<u8>,
    encoding: Option<Encoding>,
    is_raw: bool,
}

impl EncodedWord<'_> {
    /// The decoded bytes of the payload.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the payload has 8-bit bytes, which RFC 2047 §2 forbids.
    #[must_use]
    pub fn is_raw(&self) -> bool {
        self.is_raw
    }

    /// The encoding of the charset, if known. A word with an unknown charset is ordinary text.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }
}

/// A piece of a header field's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// An encoded word.
    Word(EncodedWord<'a>),
    /// Linear white space: spaces, tabs, and line ends that fold the field.
    Space(Range<usize>),
    /// Any other text.
    Text(Range<usize>),
}

impl Piece<'_> {
    /// The byte range of the piece.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        match self {
            Self::Word(word) => word.range.clone(),
            Self::Space(range) | Self::Text(range) => range.clone(),
        }
    }
}

/// Splits `src` into pieces, in order and without gaps.
///
/// ```
/// use utfall_mime::encoded_word::{Piece, Rules, pieces};
/// let value = b"Hi =?UTF-7?Q?Mom_+Jjo-?=!";
/// let words: Vec<_> = pieces(value, Rules::Lenient)
///     .filter_map(|piece| match piece {
///         Piece::Word(word) => Some((word.range.clone(), word.bytes().to_vec())),
///         _ => None,
///     })
///     .collect();
/// assert_eq!(words, [(3..24, b"Mom +Jjo-".to_vec())]);
/// // An encoded word ends before white space.
/// assert!(pieces(value, Rules::Strict).all(|piece| !matches!(piece, Piece::Word(_))));
/// ```
pub fn pieces(src: &[u8], rules: Rules) -> impl Iterator<Item = Piece<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let piece = piece_at(src, at, rules)?;
        at = piece.range().end;
        Some(piece)
    })
}

fn piece_at(src: &[u8], at: usize, rules: Rules) -> Option<Piece<'_>> {
    if at == src.len() {
        return None;
    }
    let space = space_length(&src[at..]);
    if space > 0 {
        return Some(Piece::Space(at..at + space));
    }
    if let Some(word) = word_at(src, at, rules) {
        return Some(Piece::Word(word));
    }
    let mut end = at + 1;
    while end < src.len() {
        let could_be_word = src[end] == b'=' && word_at(src, end, rules).is_some();
        if could_be_word || space_length(&src[end..]) > 0 {
            break;
        }
        end += 1;
    }
    Some(Piece::Text(at..end))
}

/// The length of the linear white space at the start of `src`. A line end counts only before a
/// space or tab.
fn space_length(src: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += match &src[at..] {
            [b' ' | b'\t', ..] => 1,
            [b'\r', b'\n', b' ' | b'\t', ..] => 3,
            // After two conversions of line ends.
            [b'\r', b'\r', b'\n', b' ' | b'\t', ..] => 4,
            [b'\n', b' ' | b'\t', ..] => 2,
            _ => return at,
        };
    }
}

/// Parses the encoded word at this offset.
pub(crate) fn word_at(src: &[u8], at: usize, rules: Rules) -> Option<EncodedWord<'_>> {
    let rest = src[at..].strip_prefix(b"=?")?;
    // Every scan ends at a question mark, so a text full of false starts takes linear time.
    let label = &rest[..rest.iter().position(|byte| !is_label(*byte))?];
    let (scheme, rest) = match &rest[label.len()..] {
        [b'?', b'Q' | b'q', b'?', rest @ ..] => (Scheme::Q, rest),
        [b'?', b'B' | b'b', b'?', rest @ ..] => (Scheme::B, rest),
        _ => return None,
    };
    let payload = &rest[..rest.iter().position(|byte| !is_payload(*byte, scheme, rules))?];
    let rest = rest[payload.len()..].strip_prefix(b"?=")?;
    let range = at..src.len() - rest.len();
    let (charset, language) = match label.iter().position(|byte| *byte == b'*') {
        Some(star) => (&label[..star], Some(&label[star + 1..])),
        None => (label, None),
    };
    let is_apart = || {
        let before = at == 0 || matches!(src[at - 1], b' ' | b'\t' | b'\n' | b'(');
        before && matches!(rest, [] | [b' ' | b'\t' | b'\r' | b'\n' | b')', ..])
    };
    if charset.is_empty() || rules == Rules::Strict && (range.len() > LONGEST || !is_apart()) {
        return None;
    }
    let bytes = match scheme {
        Scheme::Q => decode_q(payload)?,
        Scheme::B if rules == Rules::Strict => base64::decode_strict(payload)?,
        Scheme::B => decode_b(payload)?,
    };
    let end = range.end - 2;
    Some(EncodedWord {
        payload: end - payload.len()..end,
        range,
        charset,
        language,
        scheme,
        bytes,
        encoding: charset::find(charset),
        is_raw: !payload.is_ascii(),
    })
}

fn is_label(byte: u8) -> bool {
    // RFC 2047 §2 forbids more, but some charset names contain `:` or `.`.
    byte.is_ascii_graphic() && byte != b'?'
}

fn is_payload(byte: u8, scheme: Scheme, rules: Rules) -> bool {
    let is_common = matches!(byte, b' ' | 0x80..);
    byte.is_ascii_graphic() && byte != b'?'
        || rules == Rules::Lenient && scheme == Scheme::Q && is_common
}

fn decode_q(payload: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(payload.len());
    let mut rest = payload;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        bytes.push(match byte {
            b'_' => b' ',
            b'=' => {
                let (digits, tail) = rest.split_first_chunk::<2>()?;
                rest = tail;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                quoted_printable::digit(digits[0]) << 4 | quoted_printable::digit(digits[1])
            }
            byte => *byte,
        });
    }
    Some(bytes)
}

fn decode_b(payload: &[u8]) -> Option<Vec<u8>> {
    let decoded = base64::decode(payload);
    (decoded.errors == 0 && decoded.departures == 0).then_some(decoded.bytes)
}

/// A decoded value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded {
    /// The text, unfolded.
    pub text: String,
    /// Number of encoded words decoded.
    pub words: usize,
    /// Number of words left as they are because their charset is unknown.
    pub unknown: usize,
    /// Number of words with 8-bit bytes, which RFC 2047 §2 forbids. They are decoded in the charset of
    /// the word.
    pub raw: usize,
    /// Number of ill-formed sequences replaced with U+FFFD.
    pub ill_formed: u64,
    /// The guessed encoding of 8-bit bytes outside encoded words, or of a mislabelled word.
    pub guess: Option<Charset>,
}

/// Decodes text with encoded words: a `Subject`, a comment, the words of a phrase.
///
/// ```
/// use utfall_mime::encoded_word::{Rules, decode};
/// let text = |value: &[u8]| decode(value, Rules::Lenient).text;
/// // A character split over two words.
/// assert_eq!(text(b"a =?UTF-8?Q?=E2=98?=\r\n =?UTF-8?Q?=BA?= b"), "a ☺ b");
/// assert_eq!(text(b"=?UTF-7?Q?Hi_Mom_+Jjo-!?="), "Hi Mom ☺!");
/// assert_eq!(text(b"=?UTF-8?Q?A=B?="), "=?UTF-8?Q?A=B?=");
/// assert_eq!(text(b"caf\xE9"), "café");
/// ```
#[must_use]
pub fn decode(src: &[u8], rules: Rules) -> Decoded {
    decode_in(src, rules, Charset::guess_field(src))
}

/// Decodes a part of a field, with 8-bit bytes in the charset `raw`.
pub(crate) fn decode_in(src: &[u8], rules: Rules, raw: Charset) -> Decoded {
    let mut decoded = Decoded::default();
    let mut group: Vec<EncodedWord<'_>> = Vec::new();
    // White space that becomes text unless a word follows.
    let mut space = 0..0;
    for piece in pieces(src, rules) {
        match piece {
            Piece::Space(range) => space = range,
            Piece::Word(word) if word.encoding.is_some() => {
                if group.first().is_none_or(|first| !goes_on(first, &word)) {
                    let is_next = !group.is_empty();
                    flush(&mut group, &mut decoded);
                    if !is_next {
                        push_space(&src[space.clone()], &mut decoded.text);
                    }
                }
                space = 0..0;
                group.push(word);
            }
            piece => {
                flush(&mut group, &mut decoded);
                push_space(&src[space.clone()], &mut decoded.text);
                space = 0..0;
                decoded.unknown += usize::from(matches!(piece, Piece::Word(_)));
                let text = &src[piece.range()];
                match std::str::from_utf8(text) {
                    Ok(text) if text.is_ascii() => decoded.text.push_str(text),
                    _ => {
                        decoded.guess = Some(raw);
                        let (text, errors) = raw.decode_inside(text);
                        decoded.text.push_str(&text);
                        decoded.ill_formed += errors;
                    }
                }
            }
        }
    }
    flush(&mut group, &mut decoded);
    push_space(&src[space], &mut decoded.text);
    decoded
}

/// Whether the bytes of `word` may continue those of `before`. A BOM starts a new text.
fn goes_on(before: &EncodedWord<'_>, word: &EncodedWord<'_>) -> bool {
    let has_mark =
        word.encoding.is_some_and(charset::takes_mark) && Encoding::for_bom(&word.bytes).is_some();
    before.encoding == word.encoding
        && before.charset.eq_ignore_ascii_case(word.charset)
        && !has_mark
}

fn flush(group: &mut Vec<EncodedWord<'_>>, decoded: &mut Decoded) {
    let Some(encoding) = group.first().and_then(|word| word.encoding) else { return };
    let by_itself = |word: &EncodedWord<'_>| encoding.validate(&word.bytes).is_ok();
    decoded.words += group.len();
    decoded.raw += group.iter().filter(|word| word.is_raw).count();
    if is_utf7(encoding) && group.iter().all(by_itself) {
        for word in group.drain(..) {
            push_text(word.charset, &word.bytes, decoded);
        }
        return;
    }
    let charset = group[0].charset;
    let mut bytes = Vec::new();
    for word in group.drain(..) {
        // Each word of ISO-2022-JP should end in US-ASCII. Switching there and back with nothing
        // between is ill-formed (WHATWG Encoding §12.2.1).
        let to_ascii = [&b"\x1B(B"[..], b"\x1B(J"].iter().any(|escape| bytes.ends_with(escape));
        if encoding == Encoding::Iso2022Jp && to_ascii && word.bytes.starts_with(b"\x1B") {
            bytes.truncate(bytes.len() - 3);
        }
        bytes.extend(word.bytes);
    }
    push_text(charset, &bytes, decoded);
}

fn push_text(label: &[u8], bytes: &[u8], decoded: &mut Decoded) {
    let Some(charset) = Charset::of(Some(label), bytes) else { return };
    let (text, errors) = charset.decode_inside(bytes);
    decoded.text.push_str(&text);
    decoded.ill_formed += errors;
    decoded.guess = decoded.guess.or(charset.is_guess().then_some(charset));
}

/// Appends white space without its line ends. A tab that begins a folded line becomes a space, as it
/// was before a program folded the field there.
fn push_space(space: &[u8], text: &mut String) {
    let mut before = 0;
    for byte in space {
        match byte {
            b'\r' | b'\n' => {}
            b'\t' if before == b'\n' => text.push(' '),
            byte => text.push(char::from(*byte)),
        }
        before = *byte;
    }
}

pub(crate) fn is_utf7(encoding: Encoding) -> bool {
    encoding.info().family == Family::Utf7 && encoding != Encoding::Utf7Imap
}

/// Encodes text as encoded words of at most 75 bytes. Each contains whole characters and can be
/// decoded alone. Outside the escapes they consist of letters, digits and `!*+-/`, and so are valid
/// everywhere (RFC 2047 §5). In UTF-7, only set D is written directly (RFC 2152).
///
/// `first` is the space for the first word, in bytes, if other text precedes it in its line. A word
/// that does not fit there is as long as any other. Without a `scheme`, B is chosen if it is
/// shorter by more than 6 bytes, otherwise Q.
///
/// # Errors
/// Returns an error for the first character that `encoding` lacks.
///
/// ```
/// use utfall::Encoding;
/// use utfall_mime::encoded_word::{LONGEST, encode};
/// assert_eq!(encode("Hi Mom ☺!", Encoding::Utf7, None, LONGEST)?, ["=?UTF-7?Q?Hi_Mom_+JjoAIQ-?="]);
/// assert_eq!(encode("日本語", Encoding::Utf8, None, LONGEST)?, ["=?UTF-8?B?5pel5pys6Kqe?="]);
/// # Ok::<(), utfall::Error>(())
/// ```
pub fn encode(
    text: &str,
    encoding: Encoding,
    scheme: Option<Scheme>,
    first: usize,
) -> Result<Vec<String>, utfall::Error> {
    // Encoding all of it also gives errors the right offset.
    let bytes = encode_payload(text, encoding)?;
    let scheme = scheme.unwrap_or_else(|| {
        let b_length = base64::encoded_len(bytes.len());
        if q_length(&bytes) <= b_length + EASE { Scheme::Q } else { Scheme::B }
    });
    let overhead = overhead(encoding);
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() || words.is_empty() {
        let most = LONGEST - overhead;
        let mut length = 0;
        if words.is_empty() && first < LONGEST {
            length = fitting(rest, encoding, scheme, first.saturating_sub(overhead))?;
        }
        if length == 0 {
            length = fitting(rest, encoding, scheme, most)?;
        }
        // No known character exceeds a word; if one does, its word is too long.
        let length = if length == 0 { first_character(rest, encoding) } else { length };
        let (head, tail) = rest.split_at(length);
        words.push(word(&encode_payload(head, encoding)?, encoding, scheme));
        rest = tail;
    }
    Ok(words)
}

/// The bytes of a word outside its payload.
pub(crate) const fn overhead(encoding: Encoding) -> usize {
    "=??Q??=".len() + encoding.name().len()
}

fn first_character(text: &str, encoding: Encoding) -> usize {
    let mut ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let stays = |end: &usize| encoding.info().holds_back && begins_with_mark(&text[*end..]);
    ends.find(|end| !stays(end)).unwrap_or(0)
}

/// How many bytes of `text` fit into a payload of at most `most` bytes.
fn fitting(
    text: &str,
    encoding: Encoding,
    scheme: Scheme,
    most: usize,
) -> Result<usize, utfall::Error> {
    let length = |text: &str| -> Result<usize, utfall::Error> {
        let bytes = encode_payload(text, encoding)?;
        Ok(match scheme {
            Scheme::Q => q_length(&bytes),
            Scheme::B => base64::encoded_len(bytes.len()),
        })
    };
    // The ends of as many characters as could fit, since none takes less than a byte. Two code points
    // that may be one character of the charset stay together.
    let stays = |end: &usize| encoding.info().holds_back && begins_with_mark(&text[*end..]);
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let ends: Vec<usize> = ends.filter(|end| !stays(end)).take(most).collect();
    let (mut fits, mut not) = (0, ends.len() + 1);
    while fits + 1 < not {
        let middle = fits + (not - fits) / 2;
        if length(&text[..ends[middle - 1]])? <= most {
            fits = middle;
        } else {
            not = middle;
        }
    }
    Ok(if fits == 0 { 0 } else { ends[fits - 1] })
}

/// Whether a text begins with a mark that a charset may combine with the code point before it:
/// those of JIS X 0213 and BIG5-HKSCS, and the signs of Tamil.
fn begins_with_mark(text: &str) -> bool {
    let is_sign = |c| matches!(c, '\u{BBE}'..='\u{BCD}' | '\u{BD7}');
    text.starts_with(['\u{2E5}', '\u{2E9}', '\u{300}', '\u{301}', '\u{304}', '\u{30C}', '\u{309A}'])
        || text.starts_with(is_sign)
}

/// Encodes the text of a single word.
pub(crate) fn encode_payload(text: &str, encoding: Encoding) -> Result<Vec<u8>, utfall::Error> {
    let utf7 = Utf7Options::new().with_shift_set_o(true).with_explicit_close(true);
    let options = Options::default().with_utf7(utf7);
    Ok(encoding.encode_with(text, options)?.into_owned())
}

fn word(bytes: &[u8], encoding: Encoding, scheme: Scheme) -> String {
    let payload = match scheme {
        Scheme::Q => encode_q(bytes),
        Scheme::B => base64::encode(bytes),
    };
    let letter = if scheme == Scheme::Q { 'Q' } else { 'B' };
    format!("=?{}?{letter}?{payload}?=", encoding.name())
}

/// Whether the byte can be written directly in Q at any position (RFC 2047 §5, 3).
fn is_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!*+-/".contains(&byte)
}

/// The length in bytes of [`encode`]'s Q payload.
pub(crate) fn q_length(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| if is_safe(*byte) || *byte == b' ' { 1 } else { 3 }).sum()
}

fn encode_q(bytes: &[u8]) -> String {
    let mut payload = Vec::with_capacity(bytes.len() * 3);
    for byte in bytes {
        match byte {
            b' ' => payload.push(b'_'),
            byte if is_safe(*byte) => payload.push(*byte),
            byte => quoted_printable::push_escaped(*byte, &mut payload),
        }
    }
    payload.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BIG5-HKSCS of glibc has one code for `ê` and U+030C together, but no code for U+030C alone.
    /// TSCII writes some signs before their consonants.
    #[test]
    fn words_are_not_cut_within_a_pair() {
        for (encoding, pairs) in [(Encoding::Big5Hkscs, "ê\u{30C}"), (Encoding::Tscii, "க்ஷெஜெகொஸ்ரீ")]
        {
            let text = pairs.repeat(40);
            for first in 1..75 {
                for scheme in [Scheme::B, Scheme::Q] {
                    let words = encode(&text, encoding, Some(scheme), first).unwrap();
                    assert!(words.len() > 1);
                    assert!(words.iter().all(|word| word.len() <= LONGEST), "{words:?}");
                    // Each word alone is text.
                    let alone = |word: &String| decode(word.as_bytes(), Rules::Strict).text;
                    let texts: String = words.iter().map(alone).collect();
                    assert_eq!(texts, text, "{encoding}");
                }
            }
        }
    }
}
