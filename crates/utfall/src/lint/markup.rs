//! UTF-7 in HTML of another encoding. Browsers that guessed UTF-7 ran it as markup, and filters of
//! UTF-8 let it pass.

use alloc::vec::Vec;

use utfall_simd::Layout;

use super::{FindingKind, Place, Rule, Tell};
use crate::codec::utf7;
use crate::hidden::Shown;

/// The beginnings of HTML, each followed by a space or `>`, after white space (WHATWG MIME
/// Sniffing, 7.1). XML may come before HTML.
const BEGINNINGS: [&[u8]; 18] = [
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
    b"<!--",
    b"<?xml",
];

const LONGEST_BEGINNING: usize = 15;

/// Searches a text that may be HTML.
#[derive(Debug, Default)]
pub(super) struct Markup {
    state: State,
    here: Place,
}

#[derive(Debug)]
enum State {
    /// The first bytes after white space.
    Start(Vec<u8>),
    /// The text is not HTML.
    Other,
    Direct,
    Run(Run),
}

impl Default for State {
    fn default() -> Self {
        Self::Start(Vec::new())
    }
}

/// A run of Base64 digits after `+`.
#[derive(Debug)]
struct Run {
    begin: Place,
    bits: u32,
    count: u32,
    /// The text so far, or `None` if something is not printable US-ASCII.
    text: Option<Shown>,
    has_brackets: bool,
}

impl Markup {
    /// Searches the next chunk, the final one if `last`. Returns false if the text is not HTML.
    pub(super) fn find(&mut self, src: &[u8], last: bool, tell: Tell<'_>) -> bool {
        let mut rest = src;
        while let Some(&byte) = rest.first() {
            let mut read = 1;
            match &mut self.state {
                State::Other => return false,
                State::Start(begin) => {
                    let is_space = matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ');
                    let is_mark = self.here.offset < 3 && matches!(byte, 0xEF | 0xBB | 0xBF);
                    if !(begin.is_empty() && (is_space || is_mark)) {
                        begin.push(byte.to_ascii_lowercase());
                    }
                    if let Some(is_html) = begins_html(begin) {
                        self.state = if is_html { State::Direct } else { State::Other };
                    }
                    if is_mark {
                        // A BOM has no width.
                        self.here.offset += 1;
                        rest = &rest[1..];
                        continue;
                    }
                }
                State::Direct if byte == b'+' => self.state = State::Run(Run::new(self.here)),
                State::Direct => {
                    read = rest.iter().position(|byte| *byte == b'+').unwrap_or(rest.len());
                }
                State::Run(run) => match utf7::digit(byte) {
                    Some(digit) => run.push(u32::from(digit)),
                    None => {
                        run.end(self.here.offset, tell);
                        self.state = State::Direct;
                        continue;
                    }
                },
            }
            self.here.position.advance_bytes(Layout::Utf8, &rest[..read]);
            self.here.offset += read as u64;
            rest = &rest[read..];
        }
        if let (true, State::Run(run)) = (last, &self.state) {
            run.end(self.here.offset, tell);
        }
        true
    }
}

/// Whether a text with these first bytes starts like HTML. [`Rule::Utf7Markup`] applies to all of
/// it, so it cannot be linted in [parts](super::Linter::part).
///
/// ```
/// use utfall::lint::is_html;
/// assert!(is_html(b"\xEF\xBB\xBF\n<!DOCTYPE html>\n<p>"));
/// assert!(!is_html(b"a <p>"));
/// ```
#[must_use]
pub fn is_html(first: &[u8]) -> bool {
    let mut markup = Markup::default();
    markup.find(first, false, &mut |_| {}) && !matches!(markup.state, State::Start(_))
}

/// Whether a text that begins like this is HTML, as soon as that is known.
fn begins_html(begin: &[u8]) -> Option<bool> {
    let is_tag = |tag: &&[u8]| {
        let end = begin.strip_prefix(*tag).map(<[u8]>::first);
        end.is_some_and(|end| *tag == b"<!--" || matches!(end, Some(b' ' | b'>')))
    };
    if BEGINNINGS.iter().any(is_tag) {
        return Some(true);
    }
    let may_be_tag = BEGINNINGS.iter().any(|tag| tag.starts_with(begin) || begin == *tag);
    (!may_be_tag || begin.len() > LONGEST_BEGINNING).then_some(false)
}

impl Run {
    fn new(begin: Place) -> Self {
        Self { begin, bits: 0, count: 0, text: Some(Shown::default()), has_brackets: false }
    }

    fn push(&mut self, digit: u32) {
        let Some(text) = &mut self.text else { return };
        self.bits = self.bits << 6 | digit;
        self.count += 6;
        if self.count >= 16 {
            self.count -= 16;
            let unit = self.bits >> self.count & 0xFFFF;
            match unit {
                0x20..0x7F | 0x09 | 0x0A | 0x0D => text.push(unit),
                _ => self.text = None,
            }
            self.has_brackets |= matches!(unit, 0x3C | 0x3E);
        }
    }

    /// Reports the run if it is US-ASCII with `<` or `>`, as RFC 2152 writes it.
    fn end(&self, end: u64, tell: Tell<'_>) {
        let is_padded = self.count < 6 && self.bits & ((1 << self.count) - 1) == 0;
        if let Some(text) = &self.text
            && self.has_brackets
            && is_padded
        {
            let place = Place { length: end - self.begin.offset, ..self.begin };
            let what = FindingKind::Markup { text: text.as_str().into() };
            tell(place.finding(Rule::Utf7Markup, what));
        }
    }
}
