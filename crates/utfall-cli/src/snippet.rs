//! Messages for people: the problem and its place, the line with the place marked, and notes.

use std::fmt::Write as _;

use anstream::stream::RawStream;
use anstyle::{AnsiColor, Color, Style};
use unicode_width::UnicodeWidthStr;

use crate::excerpt::Excerpt;
use crate::show::digits;
use crate::{screen, width};

// The styles of clap, whose errors appear beside ours.
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Green.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();
const TITLE: Style = Style::new().bold();
const FRAME: Style = Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::BrightBlue)));

/// Indentation of the second line of a title.
const INDENT: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Error,
    Warning,
    Note,
    Help,
}

/// A message, its place and notes, if there are any.
pub(crate) struct Message<'a> {
    pub(crate) kind: Kind,
    /// The violated rule; may be empty.
    pub(crate) rule: &'a str,
    pub(crate) title: &'a str,
    /// A line of the text, and its number.
    pub(crate) line: Option<(u64, &'a Excerpt)>,
    pub(crate) notes: &'a [(Kind, &'a str)],
}

/// The layout of messages.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) is_coloured: bool,
    /// The column to wrap text at. Text in pipes and files is not wrapped, so that it can be
    /// searched.
    wrap: Option<usize>,
    /// Columns available for a line of the checked text.
    pub(crate) columns: usize,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
            Self::Help => "help",
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Error => ERROR,
            Self::Warning => WARNING,
            Self::Note => NOTE,
            Self::Help => HELP,
        }
    }
}

impl Layout {
    /// The layout for a standard stream.
    pub(crate) fn of(stream: &impl RawStream) -> Self {
        let choice = anstream::AutoStream::choice(stream);
        let columns = width::columns();
        let wrap = stream.is_terminal().then_some(columns);
        Self { is_coloured: choice != anstream::ColorChoice::Never, wrap, columns }
    }

    /// The lines of a message, safe to print, without a final line end.
    pub(crate) fn message(&self, message: &Message<'_>) -> String {
        let mut text = String::with_capacity(256);
        let Message { kind, rule, title, line, notes } = message;
        let mut label = kind.name().to_owned();
        if !rule.is_empty() {
            _ = write!(label, "[{rule}]");
        }
        let title = self.wrapped(&format!(": {}", screen::plain(title)), label.width(), INDENT);
        text += &self.styled(kind.style(), &label);
        text += &self.styled(TITLE, &title);
        let gutter = line.map_or(0, |(line, _)| digits(line));
        if let Some((number, excerpt)) = line {
            self.excerpt(*kind, *number, excerpt, &mut text);
            if !notes.is_empty() {
                _ = write!(text, "\n{:gutter$} {}", "", self.styled(FRAME, "|"));
            }
        }
        for (kind, note) in *notes {
            // `= note: `
            let before = gutter + 3 + kind.name().len() + 2;
            let note = self.wrapped(&screen::plain(note), before, before);
            let (frame, label) = (self.styled(FRAME, "="), self.styled(TITLE, kind.name()));
            _ = write!(text, "\n{:gutter$} {frame} {label}: {note}", "");
        }
        screen::lines(&text)
    }

    /// A line of a report, which is wrapped on a terminal.
    pub(crate) fn line(&self, text: &str) -> String {
        screen::lines(&self.wrapped(&screen::plain(text), 0, INDENT))
    }

    /// The line of the text, and the marks under the place.
    fn excerpt(&self, kind: Kind, number: u64, excerpt: &Excerpt, text: &mut String) {
        let Excerpt { before, at, after } = excerpt;
        let gutter = digits(number);
        let frame = self.styled(FRAME, "|");
        let shown = self.styled(FRAME, &number.to_string());
        let marks = self.styled(kind.style(), &"^".repeat(at.width().max(1)));
        let indent = before.width();
        _ = write!(text, "\n{:gutter$} {frame}", "");
        _ = write!(text, "\n{shown} {frame} {before}{at}{after}");
        _ = write!(text, "\n{:gutter$} {frame} {:indent$}{marks}", "", "");
    }

    fn styled(&self, style: Style, text: &str) -> String {
        match self.is_coloured {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }

    /// Wraps text that is too long at spaces. It begins at column `begin`, and its other lines are
    /// indented.
    fn wrapped(&self, text: &str, begin: usize, indent: usize) -> String {
        let Some(width) = self.wrap else { return text.to_owned() };
        let (mut shown, mut column) = (String::with_capacity(text.len() + 16), begin);
        for (index, word) in text.split(' ').enumerate() {
            let columns = word.width();
            if index == 0 {
                column += columns;
            } else if column + 1 + columns <= width || column <= indent {
                shown.push(' ');
                column += 1 + columns;
            } else {
                _ = write!(shown, "\n{:indent$}", "");
                column = indent + columns;
            }
            shown += word;
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_at_words() {
        let layout = |wrap| Layout { is_coloured: false, wrap, columns: 80 };
        let text = "one two three-is-longer four";
        assert_eq!(layout(None).line(text), text);
        assert_eq!(layout(Some(12)).line(text), "one two\n    three-is-longer\n    four");
        assert_eq!(layout(Some(7)).line("\u{65E5}\u{672C} x y"), "\u{65E5}\u{672C} x\n    y");
        // Text from outside cannot begin a line that is a command.
        assert_eq!(layout(Some(8)).line("abcde ::error"), "abcde\n    \\u{3a}:error");
    }

    #[test]
    fn marks_are_under_the_place() {
        let excerpt =
            Excerpt { before: "\u{65E5}o\u{301}".into(), at: "<FF>".into(), after: "!".into() };
        let message = Message {
            kind: Kind::Warning,
            rule: "rule",
            title: "a title that is long",
            line: Some((10, &excerpt)),
            notes: &[(Kind::Note, "a note that is longer")],
        };
        let layout = Layout { is_coloured: false, wrap: Some(30), columns: 30 };
        assert_eq!(
            layout.message(&message),
            "warning[rule]: a title that is\n    long\n   |\n10 | \u{65E5}o\u{301}<FF>!\n   |    ^^^^\n   |\n   \
             = note: a note that is\n           longer"
        );
    }
}
