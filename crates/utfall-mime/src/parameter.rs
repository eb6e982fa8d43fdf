//! Parameters of `Content-Type` and `Content-Disposition`: RFC 2045 §5.1, and RFC 2231 for long
//! values (continuations), other charsets, and languages.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use utfall::Encoding;

use crate::charset::{self, Basis, Charset};
use crate::encoded_word::{self, Decoded, Piece, Rules};
use crate::quoted_printable;

/// How many parameters of a field are read; further ones are ignored.
const MOST: usize = 1000;

/// The value of a field with parameters, parsed leniently, with a count of errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameters {
    /// The part before the first `;`, in lower case, without comments and white space:
    /// `text/plain`.
    pub value: String,
    /// The parameters, in the order in which they begin.
    pub all: Vec<Parameter>,
    /// Number of errors that no grammar allows: no value, no end, a duplicate name.
    pub errors: usize,
}

/// A parameter, joined from its sections.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// The name, in lower case.
    pub name: String,
    /// The decoded value.
    pub value: String,
    /// The declared charset; empty if none was declared.
    pub charset: Vec<u8>,
    /// The declared language; empty if none was declared.
    pub language: Vec<u8>,
    /// Whether the value was encoded as RFC 2231 defines, in sections or with a charset.
    pub is_extended: bool,
    /// Whether one of its sections is an extended value (RFC 2231 §4), with a charset or escapes.
    pub is_declared: bool,
    /// Whether the parameter also occurs in other forms (whole, in sections, plain), which are
    /// ignored.
    pub has_rivals: bool,
    /// Whether a section is duplicated. The first one is used; other readers use the last.
    pub has_double_section: bool,
    /// The guessed charset of undeclared 8-bit bytes.
    pub guess: Option<Charset>,
    /// Number of ill-formed sequences replaced with U+FFFD.
    pub ill_formed: u64,
    /// The byte ranges of its sections in the field's value, from name to value.
    pub sections: Vec<Section>,
}

/// The position of a section of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// From the first byte of the name to the last byte of the value.
    pub range: Range<usize>,
    /// The value, with its quotes if it has any.
    pub value: Range<usize>,
}

impl Parameters {
    /// The first parameter with this name, which must be in lower case.
    ///
    /// ```
    /// use utfall_mime::parameter::parse;
    /// let field = parse(b"text/plain; format=flowed; Charset=\"utf-7\" (Unicode)");
    /// assert_eq!((&*field.value, &*field.get("charset").unwrap().value), ("text/plain", "utf-7"));
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Parameter> {
        self.all.iter().find(|parameter| parameter.name == name)
    }

    /// The number of parameters with this name, which must be in lower case.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.all.iter().filter(|parameter| parameter.name == name).count()
    }

    /// Whether readers may disagree about the parameter with this name: it is duplicated, has
    /// several forms, or is in sections, which not all readers join.
    pub(crate) fn is_disputed(&self, name: &str) -> bool {
        let is_several =
            self.get(name).is_some_and(|found| found.has_rivals || found.sections.len() > 1);
        is_several || self.count(name) > 1
    }

    /// [`value`](Self::value) if it is a media type, otherwise `text/plain` (RFC 2045 §5.2).
    ///
    /// ```
    /// use utfall_mime::parameter::parse;
    /// assert_eq!(parse(b"Text / HTML").media_type(), "text/html");
    /// assert_eq!(parse(b"text").media_type(), "text/plain");
    /// ```
    #[must_use]
    pub fn media_type(&self) -> &str {
        let is_token = |part: &str| !part.is_empty() && part.bytes().all(is_token);
        match self.value.split_once('/') {
            Some((kind, subtype)) if is_token(kind) && is_token(subtype) => &self.value,
            _ => "text/plain",
        }
    }
}

/// A parameter or section of the field, before sections are joined.
struct Raw {
    /// Without `*` and section number, in lower case.
    name: String,
    section: Option<u32>,
    is_extended: bool,
    bytes: Vec<u8>,
    place: Section,
}

/// Parses the value of a field.
///
/// Sections may come in any order; those after a gap keep their number in the name. If a name
/// occurs in both forms, the RFC 2231 form is used. In quoted strings, `\` escapes only `"` and
/// `\`, since it is more often the path separator of a file name.
///
/// ```
/// use utfall_mime::parameter::parse;
/// let field = parse(
///     b"attachment;\r\n filename*0*=utf-8'en'na%C3;\r\n filename*1*=%AFve; filename*2=\".txt\"",
/// );
/// let name = field.get("filename").unwrap();
/// assert_eq!((&*name.value, &name.language[..]), ("naïve.txt", &b"en"[..]));
/// ```
#[must_use]
pub fn parse(value: &[u8]) -> Parameters {
    parse_in(value, Charset::guess_field(value))
}

/// The same, with 8-bit bytes in the charset of the field.
pub(crate) fn parse_in(value: &[u8], charset: Charset) -> Parameters {
    let mut scanner = Scanner { src: value, at: 0, end: 0, errors: 0 };
    let head = scanner.head();
    let is_value = |byte: &u8| *byte == b'/' || is_token(*byte);
    scanner.errors += usize::from(head.is_empty() || !head.iter().all(is_value));
    let mut raw = Vec::new();
    while raw.len() < MOST {
        match scanner.parameter() {
            Some(found) => raw.push(found),
            None => break,
        }
    }
    let (all, doubles) = assemble(raw, charset);
    Parameters {
        value: String::from_utf8_lossy(&head).to_ascii_lowercase(),
        all,
        errors: scanner.errors + doubles,
    }
}

/// The part before the parameters, as in [`Parameters::value`].
pub(crate) fn head(value: &[u8]) -> String {
    let mut scanner = Scanner { src: value, at: 0, end: 0, errors: 0 };
    String::from_utf8_lossy(&scanner.head()).to_ascii_lowercase()
}

/// Finds all occurrences of a parameter in any form (plain, RFC 2231, or its first section), with
/// the bytes of their values. If there are several, readers disagree about which one counts.
pub(crate) fn places(value: &[u8], name: &str) -> Vec<(Section, Vec<u8>)> {
    let mut scanner = Scanner { src: value, at: 0, end: 0, errors: 0 };
    scanner.token(b";");
    std::iter::from_fn(|| scanner.parameter())
        .take(MOST)
        .filter(|raw| raw.name == name && raw.section.unwrap_or_default() == 0)
        .map(|raw| (raw.place, raw.bytes))
        .collect()
}

struct Scanner<'a> {
    src: &'a [u8],
    at: usize,
    /// The end of the last token, without the white space and comments after it.
    end: usize,
    errors: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.src.get(self.at).copied()
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'(' => self.skip_comment(),
                _ => return,
            }
        }
    }

    fn skip_comment(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => self.at += 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
        self.at = self.at.min(self.src.len());
        self.errors += 1;
    }

    /// Reads the part before the parameters, without white space.
    fn head(&mut self) -> Vec<u8> {
        let mut head = self.token(b";");
        head.retain(|byte| !byte.is_ascii_whitespace());
        head
    }

    /// Reads up to one of `ends`. Trims the result and drops comments after white space.
    fn token(&mut self, ends: &[u8]) -> Vec<u8> {
        self.skip();
        let mut token = Vec::new();
        let mut follows_space = true;
        self.end = self.at;
        while let Some(byte) = self.peek() {
            if ends.contains(&byte) {
                break;
            }
            if byte == b'(' && follows_space {
                self.skip_comment();
                continue;
            }
            follows_space = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
            token.push(byte);
            self.at += 1;
            if !follows_space {
                self.end = self.at;
            }
        }
        token.truncate(token.trim_ascii_end().len());
        token
    }

    fn quoted(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek() {
            self.at += 1;
            match (byte, self.peek()) {
                (b'"', _) => return bytes,
                (b'\\', Some(next @ (b'"' | b'\\'))) => {
                    bytes.push(next);
                    self.at += 1;
                }
                (b'\r' | b'\n', _) => {}
                _ => bytes.push(byte),
            }
        }
        self.errors += 1;
        bytes
    }

    /// Reads the next parameter.
    fn parameter(&mut self) -> Option<Raw> {
        self.skip();
        while self.peek() == Some(b';') {
            self.at += 1;
            self.skip();
        }
        let begin = self.at;
        let name = self.token(b"=;");
        let has_value = self.peek() == Some(b'=');
        if name.is_empty() && !has_value {
            return None;
        }
        let mut bytes = Vec::new();
        let mut value = self.end..self.end;
        if has_value {
            self.at += 1;
            self.skip();
            let start = self.at;
            if self.peek() == Some(b'"') {
                bytes = self.quoted();
                value = start..self.at;
                self.errors += usize::from(!self.token(b";").is_empty());
            } else {
                bytes = self.token(b";");
                self.errors += usize::from(!bytes.iter().all(|byte| is_token(*byte)));
                value = start..self.end;
            }
        } else {
            self.errors += 1;
        }
        self.errors += usize::from(name.is_empty() || !name.iter().all(|byte| is_token(*byte)));
        let name = String::from_utf8_lossy(&name).to_ascii_lowercase();
        let range = begin..value.end;
        let (name, section, is_extended) = split_name(name);
        Some(Raw { name, section, is_extended, bytes, place: Section { range, value } })
    }
}

/// Splits a name: `title*1*` is section 1 of `title`, extended.
fn split_name(name: String) -> (String, Option<u32>, bool) {
    let (rest, is_extended) = match name.strip_suffix('*') {
        Some(rest) => (rest, true),
        None => (&*name, false),
    };
    if let Some((base, digits)) = rest.rsplit_once('*') {
        let is_number = digits == "0" || !digits.starts_with('0');
        if let (true, Ok(section)) = (is_number, digits.parse()) {
            return (base.to_owned(), Some(section), is_extended);
        }
    }
    (rest.to_owned(), None, is_extended)
}

fn assemble(raw: Vec<Raw>, charset: Charset) -> (Vec<Parameter>, usize) {
    // Maps each name to its occurrences, which are chosen in this order: RFC 2231 whole, in
    // sections, plain.
    let mut names: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, raw) in raw.iter().enumerate() {
        names.entry(raw.name.clone()).or_default().push(index);
    }
    let mut all: Vec<(usize, Parameter)> = Vec::new();
    let mut doubles = 0;
    for (name, indices) in names {
        let whole = |extended: bool| {
            let raw = &raw;
            let is = move |index: &usize| {
                raw[*index].section.is_none() && raw[*index].is_extended == extended
            };
            indices.iter().copied().filter(is).collect::<Vec<_>>()
        };
        let (extended, plain) = (whole(true), whole(false));
        let mut sections: Vec<usize> =
            indices.iter().copied().filter(|index| raw[*index].section.is_some()).collect();
        sections.sort_by_key(|index| raw[*index].section);
        let before = sections.len();
        sections.dedup_by_key(|index| raw[*index].section);
        let has_double_section = sections.len() < before;
        doubles += before - sections.len();
        let in_order = sections
            .iter()
            .zip(0..)
            .take_while(|(index, number)| raw[**index].section == Some(*number))
            .count();
        let rest = sections.split_off(in_order);
        let ways = [!extended.is_empty(), !sections.is_empty(), !plain.is_empty()];
        let has_rivals = ways.iter().filter(|way| **way).count() > 1 || !rest.is_empty();
        let mut add = |name: &str, indices: &[usize]| {
            let parameter = join(name, indices, &raw, charset);
            all.push((indices[0], Parameter { has_rivals, has_double_section, ..parameter }));
        };
        let taken = match () {
            () if !extended.is_empty() => &extended,
            () if !sections.is_empty() => &sections,
            () => &plain,
        };
        if taken == &sections && !sections.is_empty() {
            add(&name, &sections);
        } else {
            doubles += taken.len().saturating_sub(1);
            // Keep all of them, so that a search for a second charset finds it.
            taken.iter().for_each(|index| add(&name, &[*index]));
        }
        for index in rest {
            let name = format!("{name}*{}", raw[index].section.unwrap_or_default());
            add(&name, &[index]);
        }
    }
    all.sort_by_key(|(index, _)| *index);
    (all.into_iter().map(|(_, parameter)| parameter).collect(), doubles)
}

/// Joins sections. Adjacent encoded sections are decoded together, since a character may be split
/// between them.
fn join(name: &str, sections: &[usize], raw: &[Raw], charset: Charset) -> Parameter {
    let mut parameter = Parameter {
        name: name.to_owned(),
        value: String::new(),
        charset: Vec::new(),
        language: Vec::new(),
        is_extended: sections.len() > 1,
        is_declared: false,
        has_rivals: false,
        has_double_section: false,
        guess: None,
        ill_formed: 0,
        sections: sections.iter().map(|index| raw[*index].place.clone()).collect(),
    };
    let mut encoded = Vec::new();
    for (number, index) in sections.iter().enumerate() {
        let section = &raw[*index];
        if section.is_extended {
            (parameter.is_extended, parameter.is_declared) = (true, true);
            let mut bytes = &section.bytes[..];
            if number == 0 && section.section.unwrap_or(0) == 0 {
                let mut fields = bytes.splitn(3, |byte| *byte == b'\'');
                if let (Some(charset), Some(language), Some(text)) =
                    (fields.next(), fields.next(), fields.next())
                {
                    parameter.charset = charset.to_vec();
                    parameter.language = language.to_vec();
                    bytes = text;
                }
            }
            percent_decode(bytes, &mut encoded);
        } else {
            parameter.push(&std::mem::take(&mut encoded), true, charset);
            parameter.push(&section.bytes, false, charset);
        }
    }
    parameter.push(&encoded, true, charset);
    parameter
}

impl Parameter {
    /// Decodes the value. Encoded words are not allowed in values (RFC 2047 §5), but are common in
    /// plain ones and so are decoded there. An extended value is already decoded, so apparent
    /// encoded words in it are text.
    ///
    /// ```
    /// use utfall_mime::encoded_word::Rules;
    /// use utfall_mime::parameter::parse;
    /// let name = |field: &[u8]| parse(field).all[0].decode(Rules::Lenient).text;
    /// assert_eq!(name(b"inline; filename=\"=?utf-8?q?=C3=A9?=\""), "é");
    /// assert_eq!(name(b"inline; filename*=utf-8''=?utf-8?q?=C3=A9?="), "=?utf-8?q?=C3=A9?=");
    /// ```
    #[must_use]
    pub fn decode(&self, rules: Rules) -> Decoded {
        match self.is_declared {
            true => Decoded { text: self.value.clone(), ..Decoded::default() },
            false => encoded_word::decode(self.value.as_bytes(), rules),
        }
    }

    /// Decodes bytes in the declared charset, or in none or that of 8-bit bytes, and appends them to the value.
    fn push(&mut self, bytes: &[u8], is_declared: bool, raw: Charset) {
        let declared = is_declared.then(|| Charset::of(Some(&self.charset), bytes)).flatten();
        let charset = declared.unwrap_or_else(|| match Charset::guess_field(bytes) {
            Charset { basis: Basis::Fallback, .. }
                if matches!(raw.basis, Basis::Body | Basis::Detected) =>
            {
                raw
            }
            guess => guess,
        });
        let (text, errors) = charset.decode_inside(bytes);
        self.value.push_str(&text);
        self.ill_formed += errors;
        self.guess = self.guess.or(charset.is_guess().then_some(charset));
    }
}

/// Appends bytes, decoding each `%` with two digits. Any other `%` is copied.
fn percent_decode(src: &[u8], to: &mut Vec<u8>) {
    let mut rest = src;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match (byte, tail) {
            (b'%', [high, low, tail @ ..])
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                to.push(quoted_printable::digit(*high) << 4 | quoted_printable::digit(*low));
                rest = tail;
            }
            _ => to.push(*byte),
        }
    }
}

/// A character of a token (RFC 2045 §5.1).
pub(crate) fn is_token(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?=".contains(&byte)
}

/// A character that an extended value contains unescaped (RFC 2231 §7: `attribute-char`).
fn is_attribute(byte: u8) -> bool {
    is_token(byte) && !b"*'%".contains(&byte)
}

/// Whether a language tag is empty or plausible (RFC 5646 §2.1).
pub(crate) fn is_language(tag: &[u8]) -> bool {
    tag.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Encodes a parameter as `name=value`, or as several sections with values of at most `most` bytes,
/// to be joined with `;`.
///
/// US-ASCII is written as a token, or in quotes if necessary. Everything else, and text that looks
/// like an encoded word, is written in `encoding` in the RFC 2231 form. Each section contains whole
/// characters, unless `encoding` cannot restart in the middle of a text. A language tag with
/// characters other than letters, digits and `-` is omitted.
///
/// # Errors
/// Returns an error for the first character that `encoding` lacks.
///
/// ```
/// use utfall::Encoding;
/// use utfall_mime::parameter::encode;
/// let written = |value| encode("filename", value, b"", Encoding::Utf8, 40).unwrap();
/// assert_eq!(written("a.txt"), ["filename=a.txt"]);
/// assert_eq!(written("a b.txt"), ["filename=\"a b.txt\""]);
/// assert_eq!(
///     written("日本語のファイル"),
///     ["filename*0*=UTF-8''%E6%97%A5%E6%9C%AC%E8%AA%9E", "filename*1*=%E3%81%AE%E3%83%95%E3%82%A1%E3%82%A4",
///      "filename*2*=%E3%83%AB"],
/// );
/// ```
pub fn encode(
    name: &str,
    value: &str,
    language: &[u8],
    encoding: Encoding,
    most: usize,
) -> Result<Vec<String>, utfall::Error> {
    let has_word = || {
        let mut pieces = encoded_word::pieces(value.as_bytes(), Rules::Lenient);
        pieces.any(|piece| matches!(piece, Piece::Word(_)))
    };
    let is_plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !has_word();
    if is_plain && language.is_empty() && value.len() <= most {
        let is_token = !value.is_empty() && value.bytes().all(is_token);
        return Ok(vec![match is_token {
            true => format!("{name}={value}"),
            false => format!("{name}={}", quote(value)),
        }]);
    }
    if is_plain && language.is_empty() {
        let sections: Vec<&[u8]> = value.as_bytes().chunks(most).collect();
        let written = |(number, section): (usize, &&[u8])| {
            let text = String::from_utf8_lossy(section);
            let is_token = section.iter().all(|byte| is_token(*byte));
            let value = if is_token { text.into_owned() } else { quote(&text) };
            format!("{name}*{number}={value}")
        };
        return Ok(sections.iter().enumerate().map(written).collect());
    }
    let language = if is_language(language) { language } else { b"" };
    let head = format!("{}'{}'", encoding.name(), String::from_utf8_lossy(language));
    let whole = encoding.encode(value)?;
    let characters = whole_characters(value, encoding, &head, most)?;
    // Sections are decoded together, so sections in stateful encodings such as SCSU cannot restart.
    let is_right = encoding.decode(&characters.concat()).is_ok_and(|text| text == value);
    let parts = if is_right { characters } else { any_bytes(&whole, &head, most) };
    let mut sections: Vec<_> = parts.iter().map(|bytes| percent_encoded(bytes)).collect();
    sections[0].insert_str(0, &head);
    Ok(match &sections[..] {
        [whole] => vec![format!("{name}*={whole}")],
        sections => {
            let numbered = sections.iter().enumerate();
            numbered.map(|(number, section)| format!("{name}*{number}*={section}")).collect()
        }
    })
}

/// The bytes of each section. The characters of a section are encoded together, since encodings may
/// have states. There is at least one section.
fn whole_characters(
    value: &str,
    mut encoding: Encoding,
    head: &str,
    most: usize,
) -> Result<Vec<Vec<u8>>, utfall::Error> {
    if value.is_empty() {
        return Ok(vec![Vec::new()]);
    }
    let mut parts = Vec::new();
    let (mut rest, mut room) = (value, head_room(head, most));
    while !rest.is_empty() {
        let (length, bytes) = as_many_as_fit(rest, encoding, room)?;
        parts.push(bytes);
        rest = &rest[length..];
        encoding = charset::without_mark(encoding);
        room = most;
    }
    Ok(parts)
}

/// How many bytes of `text` fit into a section, as whole characters and at least one, and their
/// encoded form. Searches with doubling and then halving steps; trying every prefix would take
/// quadratic time.
fn as_many_as_fit(
    text: &str,
    encoding: Encoding,
    room: usize,
) -> Result<(usize, Vec<u8>), utfall::Error> {
    let encoded = |end: usize| encoding.encode(&text[..end]).map(|bytes| bytes.into_owned());
    let first = text.ceil_char_boundary(1);
    let (mut best, mut limit, mut step) = ((first, encoded(first)?), None, first);
    if percent_length(&best.1) > room {
        return Ok(best);
    }
    loop {
        let end = match limit {
            None => text.ceil_char_boundary((best.0 + step).min(text.len())),
            Some(limit) => text.floor_char_boundary(usize::midpoint(best.0, limit)),
        };
        let end = end.max(text.ceil_char_boundary((best.0 + 1).min(text.len())));
        if end == best.0 || limit.is_some_and(|limit| end >= limit) {
            return Ok(best);
        }
        let bytes = encoded(end)?;
        match percent_length(&bytes) <= room {
            true => best = (end, bytes),
            false => limit = Some(end),
        }
        step *= 2;
    }
}

/// The bytes of each section, without regard to character boundaries.
fn any_bytes(whole: &[u8], head: &str, most: usize) -> Vec<Vec<u8>> {
    let (mut parts, mut room) = (vec![Vec::new()], head_room(head, most));
    for byte in whole {
        let length = percent_length(&[*byte]);
        if length > room {
            parts.push(Vec::new());
            room = most;
        }
        room = room.saturating_sub(length);
        parts.last_mut().into_iter().for_each(|part| part.push(*byte));
    }
    parts
}

/// The space in the first section.
fn head_room(head: &str, most: usize) -> usize {
    most.saturating_sub(head.len())
}

fn quote(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

fn percent_length(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| if is_attribute(*byte) { 1 } else { 3 }).sum()
}

fn percent_encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(percent_length(bytes));
    for byte in bytes {
        match is_attribute(*byte) {
            true => text.push(char::from(*byte)),
            // Writing to a string cannot fail.
            false => _ = write!(text, "%{byte:02X}"),
        }
    }
    text
}
