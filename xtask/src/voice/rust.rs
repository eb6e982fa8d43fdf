//! The comments and string literals of a Rust file, without those of its tests. This is a light
//! tokenizer, which only knows where these begin and end.

use super::page::{self, Reading};
use super::prose::{Kind, Prose};

/// The prose of a file.
pub(crate) fn prose(source: &str) -> Vec<Prose> {
    let mut found = Vec::new();
    let mut comment: Option<Comment> = None;
    for token in Tokens::new(source) {
        if let Token::Comment { kind, text, line } = token {
            match &mut comment {
                Some(open) if open.takes(kind, line) => open.lines.push((line, text)),
                _ => {
                    found.extend(comment.take().into_iter().flat_map(Comment::prose));
                    comment = Some(Comment { kind, lines: vec![(line, text)] });
                }
            }
        } else if let Token::Literal { text, line } = token {
            found.extend(literal(text, line));
        }
    }
    found.extend(comment.into_iter().flat_map(Comment::prose));
    found
}

/// Comments on lines that follow one another.
struct Comment<'a> {
    kind: Kind,
    lines: Vec<(usize, &'a str)>,
}

impl Comment<'_> {
    fn takes(&self, kind: Kind, line: usize) -> bool {
        self.kind == kind && self.lines.last().is_some_and(|(last, _)| last + 1 == line)
    }

    fn prose(self) -> Vec<Prose> {
        let is_described = self.kind == Kind::Doc;
        page::prose(self.lines, Reading { kind: self.kind, is_described, with_tables: true })
    }
}

/// The paragraphs of a literal. Escapes that end a line are resolved.
fn literal(text: &str, line: usize) -> Vec<Prose> {
    let mut found = Vec::new();
    let mut prose = Prose::new(Kind::Message, false);
    for (at, source_line) in text.split('\n').enumerate() {
        for (part, piece) in source_line.split("\\n").enumerate() {
            let piece = piece.trim().trim_end_matches('\\').trim_end();
            let is_new = part > 0 && (piece.is_empty() || piece.starts_with(char::is_uppercase));
            if is_new && !prose.is_empty() {
                found.push(std::mem::replace(&mut prose, Prose::new(Kind::Message, false)));
            }
            prose.push_line(piece, line + at);
        }
    }
    found.push(prose);
    found.retain(|prose| !prose.is_empty());
    found
}

enum Token<'a> {
    Comment {
        kind: Kind,
        text: &'a str,
        line: usize,
    },
    Literal {
        text: &'a str,
        line: usize,
    },
    /// `{`, `}`, `;`
    Mark(u8),
    /// `#[cfg(test)]`
    ForTests,
}

/// The tokens of a source, without tests.
struct Tokens<'a> {
    source: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Tokens<'a> {
    fn new(source: &'a str) -> Self {
        Self { source, at: 0, line: 1 }
    }

    /// Advances by `length` bytes, which are returned.
    fn take(&mut self, length: usize) -> &'a str {
        let text = &self.source[self.at..self.at + length];
        self.line += text.matches('\n').count();
        self.at += length;
        text
    }

    /// The next token, including those of tests.
    fn any(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = &self.source[self.at..];
            let line = self.line;
            let first = *rest.as_bytes().first()?;
            if rest.starts_with("//") {
                let text = self.take(rest.find('\n').unwrap_or(rest.len()));
                let is_doc = text.starts_with("//!")
                    || (text.starts_with("///") && !text.starts_with("////"));
                let kind = if is_doc { Kind::Doc } else { Kind::Comment };
                let text = text.trim_start_matches('/').trim_start_matches('!');
                let text = text.strip_prefix(' ').unwrap_or(text);
                return Some(Token::Comment { kind, text, line });
            } else if rest.starts_with("/*") {
                let text = self.take(rest.find("*/").map_or(rest.len(), |end| end + 2));
                let text = text.trim_matches(['/', '*']);
                return Some(Token::Comment { kind: Kind::Comment, text, line });
            } else if let Some((start, end, length)) = string(rest) {
                let text = &self.take(length)[start..end];
                return Some(Token::Literal { text, line });
            } else if let Some(length) = character(rest) {
                self.take(length);
            } else if rest.starts_with("#[cfg(test)]") {
                self.take("#[cfg(test)]".len());
                return Some(Token::ForTests);
            } else if b"{};".contains(&first) {
                self.take(1);
                return Some(Token::Mark(first));
            } else {
                let name = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                let length = name.unwrap_or(rest.len());
                self.take(length.max(rest.chars().next()?.len_utf8()));
            }
        }
    }

    /// Advances past the next item.
    fn skip_item(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.any() {
            match token {
                Token::Mark(b'{') => depth += 1,
                Token::Mark(b'}') => depth -= 1,
                Token::Mark(_) => {}
                _ => continue,
            }
            if depth == 0 {
                return;
            }
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            match self.any()? {
                Token::ForTests => self.skip_item(),
                token => return Some(token),
            }
        }
    }
}

/// The start and end of the text of the string literal at the start of `rest`, and the length of
/// the literal.
fn string(rest: &str) -> Option<(usize, usize, usize)> {
    let prefix = ["br", "cr", "r", "b", "c", ""].iter().find(|prefix| {
        let after = rest.strip_prefix(**prefix).unwrap_or("-");
        let is_raw = prefix.ends_with('r');
        after.starts_with('"') || (is_raw && after.trim_start_matches('#').starts_with('"'))
    })?;
    let after = &rest[prefix.len()..];
    if prefix.ends_with('r') {
        let marks = after.len() - after.trim_start_matches('#').len();
        let start = prefix.len() + marks + 1;
        let close = format!("\"{}", "#".repeat(marks));
        let end = rest[start..].find(&close).map_or(rest.len(), |at| start + at);
        return Some((start, end, (end + close.len()).min(rest.len())));
    }
    let start = prefix.len() + 1;
    let mut is_escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(start) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some((start, at, at + 1)),
            _ => {}
        }
    }
    Some((start, rest.len(), rest.len()))
}

/// The length of the character literal at the start of `rest`. `None` for a lifetime.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    if first == '\\' {
        let end = inside[2..].find('\'')?;
        return Some(1 + 2 + end + 1);
    }
    inside[first.len_utf8()..].starts_with('\'').then_some(1 + first.len_utf8() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_found_and_tests_are_not() {
        let source = r##"//! One
//! two.
fn f<'a>(x: &'a str) -> char { // three
    let y = ('"', b'\'', '\u{22}', r#"four "4" five"#, "six \" seven \
        eight");
    var"nine"
}
#[cfg(test)]
mod tests {
    const S: &str = "} not";
    fn g() {}
}
/* ten */
"##;
        let texts: Vec<_> = prose(source)
            .iter()
            .map(|prose| (prose.kind, prose.line(0), prose.excerpt(0..0, 100)))
            .collect();
        let texts: Vec<_> =
            texts.iter().map(|(k, line, text)| (*k, *line, text.as_str())).collect();
        let expected = [
            (Kind::Doc, 1, "One two."),
            (Kind::Message, 4, "four \"4\" five"),
            (Kind::Message, 4, "six \\\" seven eight"),
            (Kind::Message, 6, "nine"),
            (Kind::Comment, 3, "three"),
            (Kind::Comment, 13, "ten"),
        ];
        let mut sorted = expected;
        sorted.sort_by_key(|(_, line, _)| *line);
        let mut texts = texts;
        texts.sort_by_key(|(_, line, _)| *line);
        assert_eq!(texts, sorted);
    }
}
