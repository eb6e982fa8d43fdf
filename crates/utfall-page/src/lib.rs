//! Generated pages of this repository. A test generates each and compares it with the one in the
//! repository. With `UTFALL_BLESS=1`, it writes the page instead.
#![forbid(unsafe_code)]

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The environment variable that renews pages.
pub const SWITCH: &str = "UTFALL_BLESS";

/// The most lines of a difference that are shown, old and new.
const SHOWN: usize = 20;

/// Whether pages are written instead of compared.
#[must_use]
pub fn is_renewed() -> bool {
    env::var_os(SWITCH).is_some_and(|value| !value.is_empty() && value != "0")
}

/// Compares a page, given by its path in the repository, with its new text, or writes it.
///
/// # Panics
/// Panics if they differ, or the page cannot be written.
#[track_caller]
pub fn compare(path: &str, new: &str) {
    compare_with(path, &fs::read_to_string(absolute(path)).unwrap_or_default(), new);
}

/// Compares a page like [`compare`]. The caller passes its current text `old`, for tests on systems
/// without files.
///
/// # Panics
/// Panics if they differ, or the page cannot be written.
#[track_caller]
pub fn compare_with(path: &str, old: &str, new: &str) {
    let old = old.replace('\r', "");
    if old == new {
        return;
    }
    if is_renewed() {
        if let Err(error) = fs::write(absolute(path), new) {
            panic!("{path}: {error}");
        }
        println!("{path}: written");
        return;
    }
    panic!(
        "{path} is not up to date; `cargo xtask pages` or {SWITCH}=1 writes it\n{}",
        difference(&old, new)
    );
}

/// Like [`compare`], for a file that is not text.
///
/// # Panics
/// Panics if they differ, or the file cannot be written.
#[track_caller]
pub fn compare_bytes(path: &str, new: &[u8]) {
    let old = fs::read(absolute(path)).unwrap_or_default();
    if old == new {
        return;
    }
    if !is_renewed() {
        panic!("{path} is not up to date; `cargo xtask pages` or {SWITCH}=1 writes it");
    }
    if let Err(error) = fs::write(absolute(path), new) {
        panic!("{path}: {error}");
    }
    println!("{path}: written");
}

/// Like [`compare`], for the part of a page between two lines, which stay.
///
/// # Panics
/// Panics if the part is missing or differs, or the page cannot be written.
#[track_caller]
pub fn compare_part(path: &str, (begin, end): (&str, &str), new: &str) {
    let page = fs::read_to_string(absolute(path)).unwrap_or_default().replace('\r', "");
    let parts = page.split_once(begin).and_then(|(head, rest)| {
        let (_, tail) = rest.split_once(end)?;
        Some((head, tail))
    });
    let Some((head, tail)) = parts else { panic!("{path}: no {begin:?} before {end:?}") };
    compare_with(path, &page, &format!("{head}{begin}{new}{end}{tail}"));
}

fn absolute(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The lines from the first to the last that differ.
fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = tails.take_while(|(old, new)| old == new).count();
    let mut text = format!("line {}:\n", head + 1);
    for (sign, lines) in [('-', &old[head..old.len() - tail]), ('+', &new[head..new.len() - tail])]
    {
        for line in lines.iter().take(SHOWN) {
            _ = writeln!(text, "{sign} {line}");
        }
        if lines.len() > SHOWN {
            _ = writeln!(text, "{sign} … {} lines more", lines.len() - SHOWN);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_lines_are_shown() {
        assert_eq!(difference("a\nb\nc\nd\n", "a\nB\nd\n"), "line 2:\n- b\n- c\n+ B\n");
        assert_eq!(difference("a\n", "a\na\n"), "line 2:\n+ a\n");
    }

    #[test]
    #[should_panic(expected = "cargo xtask pages")]
    fn a_stale_page_is_an_error() {
        if is_renewed() {
            panic!("not compared, so that nothing is written; cargo xtask pages");
        }
        compare_with("no such page", "old\n", "new\n");
    }

    #[test]
    fn carriage_returns_are_ignored() {
        compare_with("no such page", "a\r\nb\r\n", "a\nb\n");
    }
}
