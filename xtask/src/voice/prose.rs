//! Text for readers, as words with their positions, in which patterns are searched.

use std::ops::Range;

/// The source of a text. Some patterns apply to one kind only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A heading of a Markdown page or of rustdoc.
    Heading,
    /// A paragraph, list item or table cell of a Markdown page.
    Page,
    /// A paragraph of a doc comment.
    Doc,
    /// An ordinary comment.
    Comment,
    /// A string literal.
    Message,
}

/// A text without significant line breaks, with the line in the file of each of its parts.
#[derive(Debug)]
pub(crate) struct Prose {
    pub(crate) kind: Kind,
    /// Whether it begins a heading or a doc comment, where the first word must be a verb or a
    /// noun.
    pub(crate) is_first: bool,
    text: String,
    /// Offsets in `text` at which another line of the file begins, ascending.
    lines: Vec<(usize, usize)>,
}

/// A word in lower case.
#[derive(Debug)]
pub(crate) struct Word {
    pub(crate) lower: String,
    pub(crate) range: Range<usize>,
    /// Whether only white space or a hyphen is between this word and the one before.
    pub(crate) is_joined: bool,
    /// The number of its sentence in the text.
    pub(crate) sentence: usize,
    /// Whether it begins its sentence, with a capital letter.
    pub(crate) begins: bool,
}

/// Abbreviations whose full stop does not end a sentence.
const ABBREVIATIONS: [&str; 8] = ["e.g", "i.e", "etc", "vs", "cf", "no", "approx", "st"];

impl Prose {
    pub(crate) fn new(kind: Kind, is_first: bool) -> Self {
        Self { kind, is_first, text: String::new(), lines: Vec::new() }
    }

    /// Adds the text of one line of the file, joined to the line before with a space.
    pub(crate) fn push_line(&mut self, text: &str, line: usize) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.lines.push((self.text.len(), line));
        self.text += text;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The line of the file that contains the offset.
    pub(crate) fn line(&self, offset: usize) -> usize {
        let after = self.lines.partition_point(|(start, _)| *start <= offset);
        self.lines[after.saturating_sub(1)].1
    }

    /// The text of a range, widened to whole words by `around` bytes on both sides.
    pub(crate) fn excerpt(&self, range: Range<usize>, around: usize) -> String {
        let start = self.text.floor_char_boundary(range.start.saturating_sub(around));
        let start =
            self.text[start..range.start].find(' ').map_or(range.start, |at| start + at + 1);
        let start = if range.start <= around { 0 } else { start };
        let end = self.text.ceil_char_boundary((range.end + around).min(self.text.len()));
        let end = if self.text[end..].is_empty() || self.text[end..].starts_with(' ') {
            end
        } else {
            self.text[range.end..end].rfind(' ').map_or(range.end, |at| range.end + at)
        };
        self.text[start..end].trim().to_owned()
    }

    /// The text of a sentence, from the first of its words to the last.
    pub(crate) fn sentence(&self, words: &[Word], sentence: usize) -> &str {
        let of = |word: &&Word| word.sentence == sentence;
        let first = words.iter().find(of).map_or(0, |word| word.range.start);
        let last = words.iter().rfind(of).map_or(first, |word| word.range.end);
        let end = self.text[last..].find([' ', '\n']).map_or(self.text.len(), |at| last + at);
        &self.text[first..end]
    }

    /// The words. Code, URLs and the targets of links are one opaque word each, or none.
    pub(crate) fn words(&self) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let mut rest = Rest { text: &self.text, at: 0 };
        let mut between = String::new();
        let mut sentence = 0;
        while let Some(piece) = rest.next() {
            let (range, lower) = match piece {
                Piece::Between(range) => {
                    between += &self.text[range];
                    continue;
                }
                Piece::Word(range) => (range.clone(), self.text[range].to_lowercase()),
                Piece::Opaque(range) => (range, String::from("`")),
            };
            let ended = words.last().is_some_and(|last| ends_sentence(&last.lower, &between));
            sentence += usize::from(ended);
            let is_capital = self.text[range.clone()].starts_with(char::is_uppercase);
            let begins = (ended || words.is_empty()) && is_capital;
            let is_joined = between.chars().all(|c| c.is_whitespace() || c == '-');
            words.push(Word { lower, range, is_joined, sentence, begins });
            between.clear();
        }
        words
    }

    /// Whether a sentence is a question.
    pub(crate) fn is_question(&self, words: &[Word], sentence: usize) -> bool {
        self.sentence(words, sentence).trim_end_matches(['*', '_', '"', ')']).ends_with('?')
    }
}

/// Whether the text between two words ends the sentence of the first.
fn ends_sentence(word: &str, between: &str) -> bool {
    let mut ends = between.trim_start_matches([')', '"', '”', '*', '_', '`', ']', '\'']).chars();
    match ends.next() {
        Some('!' | '?') => ends.any(char::is_whitespace),
        Some('.') => {
            ends.next().is_some_and(|c| c.is_whitespace() || "*_)\"".contains(c))
                && !ABBREVIATIONS.iter().any(|short| short.ends_with(word))
        }
        _ => false,
    }
}

enum Piece {
    Word(Range<usize>),
    /// Code, an argument of a format string, an address.
    Opaque(Range<usize>),
    Between(Range<usize>),
}

/// The part of a text that has not been split yet.
struct Rest<'a> {
    text: &'a str,
    at: usize,
}

impl Rest<'_> {
    fn next(&mut self) -> Option<Piece> {
        let start = self.at;
        let rest = &self.text[start..];
        let first = rest.chars().next()?;
        let to = |length: usize| start..start + length;
        let piece = if first == '`' {
            Piece::Opaque(to(code_span(rest)))
        } else if rest.starts_with("](") {
            Piece::Between(to(rest.find(')').map_or(2, |at| at + 1)))
        } else if rest.starts_with("http://") || rest.starts_with("https://") {
            Piece::Opaque(to(rest.find([' ', '>', ')', '"']).unwrap_or(rest.len())))
        } else if let Some(length) = in_brackets(rest) {
            Piece::Opaque(to(length))
        } else if first.is_alphanumeric() {
            Piece::Word(to(word(rest)))
        } else {
            Piece::Between(to(first.len_utf8()))
        };
        let (Piece::Word(range) | Piece::Opaque(range) | Piece::Between(range)) = &piece;
        self.at = range.end;
        Some(piece)
    }
}

/// The length of the word that `text` begins with.
fn word(text: &str) -> usize {
    let is_inside = |(at, c): (usize, char)| {
        let next = text[at + c.len_utf8()..].chars().next();
        // `don't`, `0.9` and `docs.rs` are one word each.
        c.is_alphanumeric()
            || c == '_'
            || ("'’.".contains(c) && next.is_some_and(char::is_alphanumeric))
    };
    text.char_indices().find(|place| !is_inside(*place)).map_or(text.len(), |(at, _)| at)
}

/// The length of a span of code, or of its back-quotes if it does not end.
fn code_span(text: &str) -> usize {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let fence = &text[..ticks];
    text[ticks..].find(fence).map_or(ticks, |at| ticks + at + ticks)
}

/// The length of an argument of a format string such as `{name}`, or of an HTML tag.
fn in_brackets(text: &str) -> Option<usize> {
    let close = match text.as_bytes().first()? {
        b'{' => '}',
        b'<' => '>',
        _ => return None,
    };
    let end = text.find(close)?;
    (!text[..end].contains(". ")).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(text: &str) -> Prose {
        let mut prose = Prose::new(Kind::Page, false);
        for (line, text) in text.lines().enumerate() {
            prose.push_line(text, line + 1);
        }
        prose
    }

    #[test]
    fn sentences_end_at_full_stops_and_nowhere_else() {
        let prose = prose("Reads `a. b` at 0.9, e.g. docs.rs (all). What is\nleft? See <b>it</b>.");
        let words = prose.words();
        let begins: Vec<_> =
            words.iter().filter(|word| word.begins).map(|word| word.lower.as_str()).collect();
        assert_eq!(begins, ["reads", "what", "see"]);
        assert_eq!(prose.sentence(&words, 1), "What is left?");
        assert!(prose.is_question(&words, 1));
        assert_eq!(
            prose.line(words.iter().find(|word| word.lower == "left").unwrap().range.start),
            2
        );
    }

    #[test]
    fn targets_of_links_and_arguments_are_no_words() {
        let prose = prose("see [the page](docs/octets.md) of {octets}");
        let words = prose.words();
        let words: Vec<_> = words.iter().map(|word| word.lower.as_str()).collect();
        assert_eq!(words, ["see", "the", "page", "of", "`"]);
    }

    #[test]
    fn excerpts_are_whole_words() {
        let prose = prose("one two three four five");
        let three = 8..13;
        assert_eq!(prose.excerpt(three.clone(), 5), "two three four");
        assert_eq!(prose.excerpt(three.clone(), 0), "three");
        assert_eq!(prose.excerpt(three, 100), "one two three four five");
    }
}
