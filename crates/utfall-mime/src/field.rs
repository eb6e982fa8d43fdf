//! Converts header fields to another charset.

use std::ops::Range;

use utfall::Encoding;

use crate::charset::{self, Charset};
use crate::encoded_word::{self, LONGEST, Piece, Rules};
use crate::header::{self, Field, Kind, Role};
use crate::parameter::{self, Parameter, Parameters, Section};
use crate::rewrite::{Edit, Reason};

/// The longest line that contains an encoded word, in bytes (RFC 2047 §2).
const LINE: usize = 76;
/// The longest parameter value or section, in bytes, so that it fits into a line with its name.
const SECTION: usize = 50;

/// The result for a field.
pub(crate) enum Written {
    /// It is all US-ASCII.
    Nothing,
    /// It needs no change.
    Unchanged,
    /// Its text is encoded anew.
    Anew { edits: Vec<Edit>, is_guess: bool },
}

/// Converts the non-ASCII text of a field. Keeps everything else, including folds.
pub(crate) fn write(field: &Field<'_>, to: Encoding, eol: &[u8]) -> Result<Written, Reason> {
    let is_coded = !field.value.is_ascii() || memchr::memmem::find(field.value, b"=?").is_some();
    let kind = field.kind();
    match kind {
        Kind::Opaque => Ok(Written::Nothing),
        _ if field.is_too_long() && is_coded => Err(Reason::TooLong),
        _ if field.is_too_long() => Ok(Written::Nothing),
        Kind::Parameters => parameters(field, to, eol),
        _ if !is_coded => Ok(Written::Nothing),
        Kind::Text => {
            let mut writer = Writer::new(field, to, eol);
            writer.text(0..field.value.len())?;
            Ok(writer.finish())
        }
        Kind::Address | Kind::Phrases => {
            let mut writer = Writer::new(field, to, eol);
            for span in header::spans(kind, field.value) {
                match span.role {
                    Role::Phrase => writer.phrase(span.range)?,
                    Role::Comment => writer.text(span.range)?,
                    Role::Address => {}
                }
            }
            Ok(writer.finish())
        }
    }
}

struct Writer<'f, 'a> {
    field: &'f Field<'a>,
    to: Encoding,
    eol: &'f [u8],
    /// The charset of 8-bit bytes in the field.
    raw: Charset,
    edits: Vec<Edit>,
    is_guess: bool,
    /// The field has non-ASCII text that needs no change.
    is_right: bool,
    /// The end of the last edit, and the column after it.
    column: Option<(usize, usize)>,
}

impl<'f, 'a> Writer<'f, 'a> {
    fn new(field: &'f Field<'a>, to: Encoding, eol: &'f [u8]) -> Self {
        Self {
            field,
            to,
            eol,
            raw: field.raw,
            edits: Vec::new(),
            is_guess: false,
            is_right: false,
            column: None,
        }
    }

    fn finish(self) -> Written {
        match self {
            Self { edits, is_right, .. } if edits.is_empty() && is_right => Written::Unchanged,
            Self { edits, .. } if edits.is_empty() => Written::Nothing,
            Self { edits, is_guess, .. } => Written::Anew { edits, is_guess },
        }
    }

    /// Text: encodes each run of tokens with encoded words or 8-bit bytes anew.
    fn text(&mut self, range: Range<usize>) -> Result<(), Reason> {
        let value = &self.field.value[range.clone()];
        let mut run: Option<Range<usize>> = None;
        for (token, is_coded) in tokens(value) {
            match (&mut run, is_coded) {
                (Some(run), true) => run.end = token.end,
                (None, true) => run = Some(token),
                (_, false) => self.run(run.take(), range.start)?,
            }
        }
        self.run(run, range.start)
    }

    fn run(&mut self, run: Option<Range<usize>>, base: usize) -> Result<(), Reason> {
        let Some(run) = run else { return Ok(()) };
        let run = base + run.start..base + run.end;
        let value = &self.field.value[run.clone()];
        if self.is_right(value) {
            self.is_right = true;
            return Ok(());
        }
        let text = self.decode(value)?;
        self.replace(run, &text)
    }

    /// A phrase: encodes all of it anew, or nothing, since not all readers accept quoted or plain
    /// words next to encoded ones.
    fn phrase(&mut self, range: Range<usize>) -> Result<(), Reason> {
        let value = &self.field.value[range.clone()];
        let words = quoted(value);
        let is_coded = |(piece, is_quoted): &(Range<usize>, bool)| {
            let inside = &value[piece.clone()];
            match is_quoted {
                true => !inside.is_ascii(),
                false => tokens(inside).any(|(_, is_coded)| is_coded),
            }
        };
        if !words.iter().any(is_coded) {
            return Ok(());
        }
        if words.iter().all(|(_, is_quoted)| !is_quoted) && self.phrase_is_right(value) {
            self.is_right = true;
            return Ok(());
        }
        let mut text = String::new();
        for (piece, is_quoted) in words {
            let inside = &value[piece];
            text += &match is_quoted {
                true => self.decode(&unquoted(inside))?,
                false => self.decode(inside)?,
            };
        }
        self.replace(range, text.trim())
    }

    fn phrase_is_right(&self, value: &[u8]) -> bool {
        let mut coded = tokens(value).filter(|(_, is_coded)| *is_coded);
        coded.all(|(token, _)| self.is_right(&value[token]))
    }

    /// Whether text consists of well-formed encoded words of the charset, touched by nothing except
    /// parentheses.
    fn is_right(&self, value: &[u8]) -> bool {
        encoded_word::pieces(value, Rules::Strict).all(|piece| match piece {
            Piece::Space(_) => true,
            Piece::Word(word) => {
                word.encoding() == Some(self.to) && self.to.validate(word.bytes()).is_ok()
            }
            Piece::Text(range) => value[range].iter().all(|byte| b"()".contains(byte)),
        })
    }

    fn decode(&mut self, value: &[u8]) -> Result<String, Reason> {
        let decoded = encoded_word::decode_in(value, Rules::Lenient, self.raw);
        match () {
            () if decoded.unknown > 0 => return Err(Reason::UnknownCharset),
            () if decoded.ill_formed > 0 => return Err(Reason::IllFormed),
            () => {}
        }
        self.is_guess |= decoded.guess.is_some();
        Ok(decoded.text)
    }

    /// Replaces a range of the value with encoded words, folded to keep lines short.
    fn replace(&mut self, range: Range<usize>, text: &str) -> Result<(), Reason> {
        if !charset::keeps(text, self.to) {
            return Err(Reason::Unencodable);
        }
        let value = self.field.value;
        let before = &value[..range.start];
        // The white space before it may become a fold.
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
        let space = before.iter().rev().take_while(|byte| is_space(byte)).count();
        let column = self.column_at(range.start);
        let touches =
            matches!(before.last(), Some(byte) if !matches!(byte, b' ' | b'\t' | b'\n' | b'('));
        let mut bytes = Vec::new();
        let mut column = column + usize::from(touches || range.start == 0);
        if touches || range.start == 0 {
            bytes.push(b' ');
        }
        let room = LINE.saturating_sub(column);
        let words = encoded_word::encode(text, self.to, None, room.min(LONGEST))
            .map_err(|_| Reason::Unencodable)?;
        let mut start = range.start;
        // A CR there would become part of the fold. Readers turn a tab after a fold into a space.
        let is_stuck = before[..before.len() - space].ends_with(b"\r")
            || space < before.len() && before[before.len() - space..].starts_with(b"\t");
        for (number, word) in words.iter().enumerate() {
            let is_long = column + word.len() > LINE && column > 1;
            let is_fold = number > 0 || is_long && !is_stuck;
            if is_fold && number == 0 {
                bytes.clear();
            }
            if is_fold {
                bytes.extend_from_slice(self.eol);
                column = 1;
            }
            if is_fold && number == 0 && space > 0 && space < before.len() {
                // Before the existing white space, which is text.
                start -= space;
                bytes.extend_from_slice(&before[start..]);
                column = space;
            } else if is_fold {
                bytes.push(b' ');
            }
            bytes.extend_from_slice(word.as_bytes());
            column += word.len();
        }
        let rest = &value[range.end..];
        let touches = matches!(rest.first(), Some(byte) if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b')'));
        let line = &rest[..rest.len().min(LINE)];
        let follows = line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len());
        let is_foldable = rest.starts_with(b" ") || touches;
        if column + follows + usize::from(touches) > LINE
            && is_foldable
            && !rest.iter().all(u8::is_ascii_whitespace)
        {
            bytes.extend_from_slice(self.eol);
            column = 0;
        }
        if touches {
            bytes.push(b' ');
            column += 1;
        }
        self.column = Some((range.end, column));
        let offset = self.field.offset;
        self.edits.push(Edit { range: offset + start..offset + range.end, bytes });
        Ok(())
    }

    /// The column of an offset in the value after the edits so far.
    fn column_at(&self, at: usize) -> usize {
        let name = self.field.offset - self.field.range.start;
        let (end, column) = self.column.unwrap_or((0, name));
        match self.field.value[end..at].iter().rposition(|byte| *byte == b'\n') {
            Some(line) => at - (end + line) - 1,
            None => column + at - end,
        }
    }
}

/// Splits a value at white space. Each token says whether it has an encoded word or an 8-bit byte.
fn tokens(value: &[u8]) -> impl Iterator<Item = (Range<usize>, bool)> {
    let mut pieces = encoded_word::pieces(value, Rules::Lenient).peekable();
    std::iter::from_fn(move || {
        let mut token: Option<(Range<usize>, bool)> = None;
        loop {
            match pieces.peek() {
                Some(Piece::Space(_)) | None if token.is_some() => return token,
                None => return None,
                Some(Piece::Space(_)) => {}
                Some(piece) => {
                    let is_coded = match piece {
                        Piece::Word(_) => true,
                        piece => !value[piece.range()].is_ascii(),
                    };
                    let range = piece.range();
                    token = Some(match token {
                        Some((token, was_coded)) => (token.start..range.end, was_coded || is_coded),
                        None => (range, is_coded),
                    });
                }
            }
            pieces.next();
        }
    })
}

/// Splits a phrase at its quoted strings. Each piece says whether it is one.
fn quoted(value: &[u8]) -> Vec<(Range<usize>, bool)> {
    let mut pieces = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while at < value.len() {
        if value[at] == b'"' {
            pieces.push((begin..at, false));
            let end = header::quoted_end(value, at);
            pieces.push((at..end, true));
            (begin, at) = (end, end);
        } else {
            at += 1;
        }
    }
    pieces.push((begin..value.len(), false));
    pieces.retain(|(range, _)| range.start < range.end);
    pieces
}

/// The content of a quoted string.
fn unquoted(value: &[u8]) -> Vec<u8> {
    let inside = value.strip_prefix(b"\"").unwrap_or(value);
    let inside = inside.strip_suffix(b"\"").unwrap_or(inside);
    let mut bytes = Vec::with_capacity(inside.len());
    let mut rest = inside.iter();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => *rest.next().unwrap_or(byte),
            byte => *byte,
        });
    }
    bytes
}

/// Converts parameter values in another charset, with encoded words, or with 8-bit bytes.
fn parameters(field: &Field<'_>, to: Encoding, eol: &[u8]) -> Result<Written, Reason> {
    let all = parameter::parse_in(field.value, field.raw);
    let mut edits = Vec::new();
    let (mut is_guess, mut is_right) = (false, false);
    for parameter in &all.all {
        if matches!(&*parameter.name, "charset" | "boundary") {
            continue;
        }
        let words = parameter.decode(Rules::Lenient);
        if words.text.is_ascii() && words.words == 0 {
            continue;
        }
        if parameter.ill_formed + words.ill_formed > 0 {
            return Err(Reason::IllFormed);
        }
        if words.unknown > 0 {
            return Err(Reason::UnknownCharset);
        }
        // Also sections after a gap, which readers interpret differently, and text after a value.
        let follows =
            |section: &Section| field.value[section.range.end..].trim_ascii_start().first();
        let is_clear = |section| matches!(follows(section), None | Some(b';' | b'('));
        if all.count(&parameter.name) > 1
            || parameter.has_double_section
            // The new value would be plain, and there already is a plain one.
            || parameter.has_rivals && words.text.is_ascii()
            || parameter.name.is_empty()
            || parameter.name.contains('*')
            || !parameter::is_language(&parameter.language)
            || !parameter.sections.iter().all(is_clear)
        {
            return Err(Reason::Ambiguous);
        }
        if words.words == 0 && parameter.guess.is_none() && is_in(parameter, to) {
            is_right = true;
            continue;
        }
        is_guess |= parameter.guess.is_some() || words.guess.is_some();
        // Sections would conflict with the others; a single piece takes precedence over them.
        let most = if parameter.has_rivals { usize::MAX } else { SECTION };
        edits.extend(parameter_edits(field, parameter, &words.text, (to, most), eol)?);
    }
    Ok(match () {
        () if !edits.is_empty() => Written::Anew { edits, is_guess },
        () if is_right => Written::Unchanged,
        () => Written::Nothing,
    })
}

fn is_in(parameter: &Parameter, to: Encoding) -> bool {
    crate::charset::find(&parameter.charset) == Some(to)
}

/// Replaces the first section with the whole parameter, and deletes the others.
fn parameter_edits(
    field: &Field<'_>,
    parameter: &Parameter,
    text: &str,
    (to, most): (Encoding, usize),
    eol: &[u8],
) -> Result<Vec<Edit>, Reason> {
    if !charset::keeps(text, to) {
        return Err(Reason::Unencodable);
    }
    let written = parameter::encode(&parameter.name, text, &parameter.language, to, most)
        .map_err(|_| Reason::Unencodable)?;
    let fold = [b";", eol, b" "].concat();
    let bytes = written.iter().map(String::as_bytes).collect::<Vec<_>>().join(&fold[..]);
    let mut edits = Vec::new();
    for (number, section) in parameter.sections.iter().enumerate() {
        let (mut begin, end) = (section.range.start, section.range.end);
        let before = &field.value[..begin];
        let line = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |line| line + 1);
        // Keep it on a line of its own, if it begins one.
        let begins_line = before[line..].iter().all(|byte| matches!(byte, b' ' | b'\t'));
        // A comment that touches a token would become part of it.
        let space: &[u8] = if field.value[end..].starts_with(b"(") { b" " } else { b"" };
        let bytes = match number {
            0 if begins_line && line > 0 => [&bytes[..], space].concat(),
            0 => {
                begin = before.trim_ascii_end().len();
                [eol, b" ", &bytes, space].concat()
            }
            _ => {
                // Also delete the preceding `;`.
                let trimmed = before.trim_ascii_end();
                begin = trimmed.strip_suffix(b";").map_or(begin, <[u8]>::len);
                Vec::new()
            }
        };
        edits.push(Edit { range: field.offset + begin..field.offset + end, bytes });
    }
    Ok(edits)
}

/// Writes the charset label in a `Content-Type`. `None` if there is no safe place for it.
pub(crate) fn write_charset(
    field: &Field<'_>,
    parameters: &Parameters,
    to: Encoding,
    eol: &[u8],
) -> Option<Edit> {
    let at = |range: Range<usize>| field.offset + range.start..field.offset + range.end;
    if let Some(charset) = parameters.get("charset") {
        let [Section { range, value }] = &charset.sections[..] else { return None };
        return Some(match charset.is_extended || value.start == value.end {
            true => Edit { range: at(range.clone()), bytes: format!("charset={to}").into() },
            false => Edit { range: at(value.clone()), bytes: to.name().into() },
        });
    }
    if parameters.errors > 0 {
        return None;
    }
    let end = field.value.trim_ascii_end().len();
    let semicolon = if field.value[..end].ends_with(b";") { "" } else { ";" };
    let begin = field.value[..end].iter().rposition(|byte| *byte == b'\n');
    let column = begin.map_or(field.offset - field.range.start + end, |begin| end - begin);
    let charset = format!("charset={to}");
    let mut bytes = semicolon.as_bytes().to_vec();
    if column + charset.len() + 2 > LINE {
        bytes.extend_from_slice(eol);
    }
    bytes.push(b' ');
    bytes.extend_from_slice(charset.as_bytes());
    Some(Edit { range: at(end..field.value.len()), bytes })
}
