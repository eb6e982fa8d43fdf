//! Encoded words, strictly as defined in RFC 2047.
//!
//! One exception: a charset name may contain any graphic character except `?`, since names with a
//! `:` or `.` are in use.

/// An encoded word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The offset of its first byte.
    pub begin: usize,
    /// The offset of its end.
    pub end: usize,
    /// The charset, with the language of RFC 2231 §5 if there is one.
    pub charset: Vec<u8>,
    /// The decoded bytes of its text.
    pub bytes: Vec<u8>,
}

/// Finds all encoded words in the value of a field.
///
/// ```
/// use utfall_oracle::encoded_word::words;
/// let words = words(b"a =?UTF-8?Q?=C3=A9_?= b");
/// assert_eq!((words[0].begin, words[0].end), (2, 21));
/// assert_eq!(words[0].bytes, "é ".as_bytes());
/// ```
#[must_use]
pub fn words(value: &[u8]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    while at < value.len() {
        match word_at(value, at) {
            Some(word) => {
                at = word.end;
                words.push(word);
            }
            None => at += 1,
        }
    }
    words
}

/// §2: `=?` charset `?` encoding `?` encoded-text `?=`, at most 75 bytes; §5: separated from the
/// surrounding text.
fn word_at(value: &[u8], begin: usize) -> Option<Word> {
    let is_graphic = |byte: u8| (0x21..=0x7E).contains(&byte);
    let parts_from = begin + 2;
    if !value[begin..].starts_with(b"=?") {
        return None;
    }
    let mut marks = Vec::new();
    let mut at = parts_from;
    while marks.len() < 3 {
        let byte = *value.get(at)?;
        if !is_graphic(byte) {
            return None;
        }
        if byte == b'?' {
            marks.push(at);
        }
        at += 1;
    }
    if value.get(at) != Some(&b'=') {
        return None;
    }
    let end = at + 1;
    let charset = value[parts_from..marks[0]].to_vec();
    let encoding = &value[marks[0] + 1..marks[1]];
    let text = &value[marks[1] + 1..marks[2]];
    let name = charset.split(|byte| *byte == b'*').next().unwrap_or_default();
    if end - begin > 75 || name.is_empty() {
        return None;
    }
    let before = begin.checked_sub(1).map(|at| value[at]);
    let after = value.get(end).copied();
    if !matches!(before, None | Some(b' ' | b'\t' | b'\n' | b'('))
        || !matches!(after, None | Some(b' ' | b'\t' | b'\r' | b'\n' | b')'))
    {
        return None;
    }
    let bytes = match encoding {
        b"Q" | b"q" => quoted(text)?,
        b"B" | b"b" => base64(text)?,
        _ => return None,
    };
    Some(Word { begin, end, charset, bytes })
}

/// §4.2.
fn quoted(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'_' => bytes.push(0x20),
            b'=' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let (high, low) = (digit(*text.get(at + 1)?)?, digit(*text.get(at + 2)?)?);
                bytes.push((16 * high + low) as u8);
                at += 2;
            }
            other => bytes.push(other),
        }
        at += 1;
    }
    Some(bytes)
}

/// §4.1: Base64 with complete padding, whose bits are zero.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    if padding > 2 {
        return None;
    }
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for byte in &text[..text.len() - padding] {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    (bits == 0 && count < 6).then_some(bytes)
}
