//! Text from outside (contents, file names, labels, arguments), made safe to print.
//!
//! A character that acts on a terminal, reorders the text around it or cannot be seen is printed as
//! its escape: `\n`, `\u{1b}`, `\u{202e}`. These are
//!
//! - the controls of C0 and C1, and DEL;
//! - the bidirectional controls U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069;
//! - the separators U+2028 and U+2029;
//! - the other default-ignorable code points, except ZWNJ, ZWJ and variation selectors, which words
//!   and emoji need, and the interlinear annotations U+FFF9 to U+FFFB;
//! - noncharacters.
//!
//! Backslashes are not escaped, so that names stay readable; JSON has the exact text.
//!
//! CI systems obey some lines of a log: GitHub Actions those that begin with `::` after white
//! space, or have `##[` anywhere; Azure Pipelines `##vso[`; TeamCity `##teamcity[`. No line printed
//! here is such a command.
//!
//! ```
//! use utfall_bind::screen;
//! assert_eq!(screen::plain("a\u{1B}[2Jb"), "a\\u{1b}[2Jb");
//! assert_eq!(screen::line("::stop-commands::x"), "\\u{3a}:stop-commands::x");
//! ```

use std::borrow::Cow;

/// Makes text from outside safe as a part of a line.
#[must_use]
pub fn plain(text: &str) -> String {
    part(text).into_owned()
}

/// Makes a whole line safe, whatever its content.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    match part(text) {
        Cow::Borrowed(text) => start(text),
        Cow::Owned(text) => Cow::Owned(start(&text).into_owned()),
    }
}

/// Makes lines safe, possibly colored, whose parts from outside are already escaped.
#[must_use]
pub fn lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(|line| without_brackets(&start(line))).collect();
    lines.join("\n")
}

/// Makes text safe for a terminal; keeps its line ends and tabs.
#[must_use]
pub fn text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let end = ["\r\n", "\n"].into_iter().find(|end| line.ends_with(end)).unwrap_or("");
        for (index, cell) in line[..line.len() - end.len()].split('\t').enumerate() {
            if index > 0 {
                shown.push('\t');
            }
            escape(cell, &mut shown);
        }
        shown += if end.is_empty() { "" } else { "\n" };
    }
    shown
}

/// Whether a character is printed as its escape.
#[must_use]
pub fn is_escaped(c: char) -> bool {
    match u32::from(c) {
        // C0, DEL and C1.
        0x00..=0x1F | 0x7F..=0x9F => true,
        0xAD | 0x34F | 0x61C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180E => true,
        // Not ZWNJ and ZWJ.
        0x200B | 0x200E..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F => true,
        0x3164 | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A => true,
        // Not the variation selectors.
        0xE0000..=0xE00FF | 0xE01F0..=0xE0FFF => true,
        0xFDD0..=0xFDEF => true,
        point => point & 0xFFFE == 0xFFFE,
    }
}

fn part(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !text.chars().any(is_escaped) {
        return match has_brackets(text) {
            true => Cow::Owned(without_brackets(text)),
            false => Cow::Borrowed(text),
        };
    }
    let mut shown = String::with_capacity(text.len() + 16);
    escape(text, &mut shown);
    Cow::Owned(without_brackets(&shown))
}

fn escape(text: &str, shown: &mut String) {
    for c in text.chars() {
        match is_escaped(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
}

/// Escapes `::` at the start of a line.
fn start(line: &str) -> Cow<'_, str> {
    let rest = line.trim_start();
    match rest.strip_prefix("::") {
        Some(after) => {
            let indent = &line[..line.len() - rest.len()];
            Cow::Owned(format!("{indent}\\u{{3a}}:{after}"))
        }
        None => Cow::Borrowed(line),
    }
}

fn has_brackets(text: &str) -> bool {
    brackets(text).next().is_some()
}

/// Escapes the bracket of `##[`, `##vso[` and the like.
fn without_brackets(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut done = 0;
    for at in brackets(text) {
        shown += &text[done..at];
        shown += "\\u{5b}";
        done = at + 1;
    }
    shown + &text[done..]
}

/// The offset of the bracket of a command.
pub fn brackets(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices('[').map(|(at, _)| at).filter(|at| {
        text[..*at].trim_end_matches(|c: char| c.is_ascii_alphabetic()).ends_with("##")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_or_cannot_be_seen_is_escaped() {
        for c in "\0\t\n\r\u{1B}\u{7F}\u{80}\u{9F}\u{AD}\u{61C}\u{200B}\u{200E}\u{200F}\u{2028}\
                  \u{2029}\u{202A}\u{202E}\u{2066}\u{2069}\u{FEFF}\u{FFFF}\u{E0041}"
            .chars()
        {
            assert!(is_escaped(c), "{c:?}");
            assert_eq!(plain(&format!("a{c}b")), format!("a{}b", c.escape_default()));
        }
        let seen = " ~\u{A0}é日\u{301}\u{200C}\u{200D}\u{3000}\u{FE0F}\u{E000}\u{FFFD}👩\u{E0100}";
        assert!(matches!(part(seen), Cow::Borrowed(text) if text == seen));
    }

    #[test]
    fn no_line_is_a_command() {
        assert_eq!(line("::stop-commands::x"), "\\u{3a}:stop-commands::x");
        assert_eq!(line(" \u{A0}::x"), " \u{A0}\\u{3a}:x");
        assert_eq!(
            line("a::x ##[y] ##vso[z] #[t] ##1["),
            "a::x ##\\u{5b}y] ##vso\\u{5b}z] #[t] ##1["
        );
        assert_eq!(lines("\x1B[1m##[x]\n ::y\n"), "\x1B[1m##\\u{5b}x]\n \\u{3a}:y\n");
        assert_eq!(plain("::1"), "::1");
        // Escapes are unchanged.
        let escaped = line("::a\x1B##[\u{202E}").into_owned();
        assert_eq!(line(&escaped), escaped);
    }

    #[test]
    fn texts_keep_their_lines() {
        assert_eq!(text("a\tb\r\n\n\x1B[2Jc\rd\r"), "a\tb\n\n\\u{1b}[2Jc\\rd\\r");
        assert_eq!(text(""), "");
    }
}
