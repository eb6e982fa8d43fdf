//! Messages on stderr.

use std::io::{self, Write as _};

use utfall::lines::Position;

use crate::excerpt::Excerpt;
pub(crate) use crate::screen::plain;
pub(crate) use crate::show::*;
use crate::snippet::{Kind, Layout, Message};

/// `error: something is wrong`, on stderr.
pub(crate) fn error(text: &str) {
    titled(Kind::Error, text);
}

/// An error and a suggestion.
pub(crate) fn error_with_help(text: &str, help: &str) {
    error(text);
    titled(Kind::Help, help);
}

/// `warning: something may surprise`, on stderr.
pub(crate) fn warning(text: &str) {
    titled(Kind::Warning, text);
}

/// `note: something worth knowing`, on stderr.
pub(crate) fn note(text: &str) {
    titled(Kind::Note, text);
}

fn titled(kind: Kind, title: &str) {
    print(&Message { kind, rule: "", title, line: None, notes: &[] });
}

/// A message about a place in a text.
pub(crate) struct Annotated<'a> {
    /// The place and the problem.
    pub(crate) title: &'a str,
    /// The number of the line.
    pub(crate) line: u64,
    pub(crate) excerpt: &'a Excerpt,
    /// The violated clause; may be empty.
    pub(crate) clause: &'a str,
    /// Suggestions, the likeliest first.
    pub(crate) help: &'a [String],
}

/// The line with the place marked, the clause and the help, on stderr.
pub(crate) fn annotated(what: &Annotated<'_>) {
    let clause = (!what.clause.is_empty()).then_some((Kind::Note, what.clause));
    let help = what.help.iter().map(|help| (Kind::Help, help.as_str()));
    let notes: Vec<_> = clause.into_iter().chain(help).collect();
    let line = Some((what.line, what.excerpt));
    print(&Message { kind: Kind::Error, rule: "", title: what.title, line, notes: &notes });
}

fn print(message: &Message<'_>) {
    let layout = Layout::of(&io::stderr());
    // If stderr is closed, the exit status still reports the result.
    _ = writeln!(anstream::stderr().lock(), "{}", layout.message(message));
}

/// A message about an error in a text.
pub(crate) struct TextError {
    pub(crate) error: utfall::Error,
    /// The displayed name of the input.
    pub(crate) name: String,
    pub(crate) position: Position,
    /// The bytes of the ill-formed sequence, or of the character that cannot be encoded.
    pub(crate) bytes: Vec<u8>,
    /// The line that contains the error.
    pub(crate) excerpt: Excerpt,
    /// Suggestions, the likeliest first.
    pub(crate) help: Vec<String>,
}

/// Prints the place, the problem, the violated clause and the suggestions.
pub(crate) fn text_error(text: &TextError) {
    let TextError { error: what, name, position, .. } = text;
    let place = place(name, *position, what.offset());
    let shown = bytes(&text.bytes);
    let reason = problem(what);
    annotated(&Annotated {
        title: &format!("{place}: {shown}: {reason}"),
        line: position.line,
        excerpt: &text.excerpt,
        clause: what.clause(),
        help: &text.help,
    });
}
