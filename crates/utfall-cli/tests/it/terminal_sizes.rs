//! What a person sees: each screen is written to a terminal of so many columns and read back from an
//! emulator of one.

#![cfg(unix)]

use std::num::NonZero;

use crate::common::{Folder, commands};
use crate::pty;

/// Room for everything, so that nothing is scrolled out.
const ROWS: u16 = 2000;

const BAD: &[u8] = "one\ntwo \u{65E5}\u{672C} and more text that makes this a line of more than a hundred columns, \
    if it is shown as a whole; "
    .as_bytes();

/// The rows of a screen that are not empty at its end, or `None` if there is no terminal.
struct Screen {
    rows: Vec<String>,
    /// Those that go on in the next row, because they are too long.
    wrapped: Vec<String>,
}

/// Runs the program with this text in `bad.txt` on a terminal of so many columns.
fn screen(args: &[&str], columns: u16) -> Option<Screen> {
    let bad = [BAD, b"\xC0\xAE and more text after it, which goes on\nthree \xFF\n"].concat();
    let folder = Folder::with([("bad.txt", &bad)]);
    let mut command = folder.command();
    command.args(args).env("PAGER", "cat").env("TERM", "xterm-256color");
    for variable in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    let run = pty::run_sized(&mut command, Some((24, columns)))?;
    let size = [ROWS, columns].map(|count| NonZero::new(count).unwrap());
    let mut parser = vt100::Parser::new(size[0], size[1], 0);
    // The terminal is raw.
    let output = [&run.stdout, run.stderr.as_bytes()].concat();
    for line in output.split_inclusive(|byte| *byte == b'\n') {
        parser.process(line);
        parser.process(b"\r");
    }
    let screen = parser.screen();
    let rows: Vec<_> = screen.rows(0, columns).map(|row| row.trim_end().to_owned()).collect();
    let used = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    let is_wrapped = |row: &usize| screen.row_wrapped(*row as u16);
    let wrapped = (0..used).filter(is_wrapped).map(|row| rows[row].clone()).collect();
    Some(Screen { rows: rows[..used].to_vec(), wrapped })
}

impl Screen {
    fn text(&self) -> String {
        self.rows.join("\n")
    }

    /// Its words, however they are wrapped.
    fn words(&self) -> String {
        let text = self.text();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn shows(&self, words: &[&str]) {
        assert!(self.wrapped.is_empty(), "too long: {:#?}\n{}", self.wrapped, self.text());
        let shown = self.words();
        for word in words {
            assert!(shown.contains(word), "no {word:?} in\n{}", self.text());
        }
    }
}

const EXPLAIN: [&str; 3] = ["explain", "--hex", "C0 AF E2 28 A1"];
const EXPLAINED: [&str; 5] = [
    "overlong form of U+002F",
    "there is only one valid way to encode a character",
    "accepted by RFC 2044 (1996) and its 1997 draft revision",
    "LEFT PARENTHESIS",
    "5 bytes",
];

/// The whole of it, within 24 rows of 80 columns.
fn fits(args: &[&str], words: &[&str]) {
    let Some(screen) = screen(args, 80) else { return };
    screen.shows(words);
    let count = screen.rows.len();
    assert!(count <= 24, "utfall {args:?}: {count} rows\n{}", screen.text());
}

#[test]
fn the_first_screen_fits() {
    fits(&[], &["Usage:", "convert", "check", "detect", "explain", "repair", "utfall --help"]);
}

#[test]
fn the_short_help_of_check_fits() {
    let words = ["Usage:", "--format", "--all", "--rule", "--deny", "--allow", "FILE"];
    fits(&["check", "-h"], &words);
}

#[test]
fn explain_shows_everything_at_each_width() {
    for columns in [60, 80, 200] {
        let Some(screen) = screen(&EXPLAIN, columns) else { return };
        screen.shows(&EXPLAINED);
    }
}

#[test]
fn check_shows_everything_at_each_width() {
    for columns in [60, 80, 200] {
        let Some(screen) = screen(&["check", "--all", "bad.txt"], columns) else { return };
        screen.shows(&[
            "error[ill-formed]: bad.txt: line 2, column",
            "C0 AE: overlong form of U+002E \".\"",
            "= note: RFC 3629 §3: there is only one valid way to encode a character",
            "= note: accepted by RFC 2044 (1996) and its 1997 draft revision",
            "= note: no UTF-8 specification accepts it",
            "not valid UTF-8 by any RFC: byte that never appears at line 3, column 7",
            "total: 1 file, 1 ill-formed, 2 problems",
        ]);
        let excerpt = screen.rows.iter().position(|row| row.starts_with("2 | ")).unwrap();
        let (line, marks) = (&screen.rows[excerpt], &screen.rows[excerpt + 1]);
        // Without wide characters near it, columns of both are characters.
        let (_, marks) = marks.split_once('|').unwrap();
        let (_, line) = line.split_once('|').unwrap();
        let wide = line.chars().filter(|c| "\u{65E5}\u{672C}".contains(*c)).count();
        let column = |text: &str, of: &str| text[..text.find(of).unwrap()].chars().count();
        assert_eq!(column(line, "<C0 AE>") + wide, column(marks, "^^^^^^^"), "{}", screen.text());
        assert_eq!(line.contains('…'), columns < 200, "{line}");
        assert_eq!(line.contains("two"), columns == 200, "{line}");
    }
}

/// All that are too long are printed.
#[test]
fn no_line_of_short_help_is_too_long() {
    let mut long = Vec::new();
    for command in commands("") {
        let args = [&command.split(' ').collect::<Vec<_>>()[..], &["-h"]].concat();
        let Some(screen) = screen(&args, 80) else { return };
        assert!(screen.words().contains("Usage:"), "{command}: {}", screen.text());
        long.extend(screen.wrapped.iter().map(|row| format!("utfall {command} -h: {row}")));
    }
    assert!(long.is_empty(), "longer than 80 columns:\n{}", long.join("\n"));
}
