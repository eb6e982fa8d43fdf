//! Bidirectional embeddings, overrides and isolates (UAX #9, X1 to X8), and whether they are closed
//! in their line. Hebrew and Arabic text has embeddings that nobody closes, so only overrides are
//! errors there.

use alloc::vec::Vec;

use super::letters::is_right_to_left;
use super::words::Tail;
use super::{FindingKind, Place, Rule, Rules, Tell};

/// The maximum nesting depth in UAX #9 (BD2).
const DEEPEST: usize = 125;

/// How many code points after a control show the script of its line.
const AHEAD: u32 = 64;

/// The open controls.
#[derive(Debug, Default)]
pub(super) struct Bidi {
    open: Vec<(u32, Place)>,
    /// The line in which they are open.
    line: u64,
    /// There are letters of right-to-left scripts in it.
    is_right_to_left: bool,
    /// How many more code points may show that.
    ahead: u32,
}

impl Bidi {
    /// Handles the line of a code point: controls of an earlier line stay unclosed.
    pub(super) fn line(&mut self, line: u64, rules: Rules, tell: Tell<'_>) {
        if self.line != line {
            self.end(rules, tell);
            self.line = line;
            self.is_right_to_left = false;
        }
    }

    /// Whether the next code point may show the script of the line.
    pub(super) fn is_open(&self) -> bool {
        self.ahead > 0
    }

    /// Looks no further for the script of the line.
    pub(super) fn interrupt(&mut self) {
        self.ahead = 0;
    }

    /// Handles a code point after `tail`.
    pub(super) fn point(
        &mut self,
        point: u32,
        tail: Option<&Tail>,
        place: Place,
        rules: Rules,
        tell: Tell<'_>,
    ) {
        let isolate = |open: &(u32, Place)| open.0 >= 0x2066;
        // Other code points are seen or not, depending on how the text is split.
        if self.ahead > 0 {
            self.ahead -= 1;
            self.is_right_to_left |= is_right_to_left(point);
        }
        if is_control(point) && !self.is_right_to_left {
            let mut back = tail.into_iter().flat_map(Tail::back).take_while(|it| !ends_line(*it));
            self.is_right_to_left = back.any(is_right_to_left);
            self.ahead = AHEAD;
        }
        if self.is_right_to_left || ends_line(point) {
            self.ahead = 0;
        }
        match point {
            0x202A | 0x202B | 0x202D | 0x202E | 0x2066..=0x2068 => {
                if self.open.len() == DEEPEST {
                    self.end(rules, tell);
                }
                self.open.push((point, place));
            }
            0x202C if self.open.last().is_some_and(|open| !isolate(open)) => {
                self.close(self.open.len() - 1, (point, place), rules, tell);
            }
            // It also closes the embeddings inside the isolate.
            0x2069 if let Some(at) = self.open.iter().rposition(isolate) => {
                self.close(at, (point, place), rules, tell);
            }
            0x202C | 0x2069 => report(self.unbalanced(point), (point, place), rules, tell),
            // Paragraphs end here, and at line ends.
            0x2029 | 0x85 => {
                self.end(rules, tell);
                self.is_right_to_left = false;
            }
            _ => {}
        }
    }

    /// Ends the text or the line.
    pub(super) fn end(&mut self, rules: Rules, tell: Tell<'_>) {
        for open in core::mem::take(&mut self.open) {
            report(self.unbalanced(open.0), open, rules, tell);
        }
        self.ahead = 0;
    }

    fn close(&mut self, at: usize, by: (u32, Place), rules: Rules, tell: Tell<'_>) {
        for (index, open) in self.open.split_off(at).into_iter().enumerate() {
            let rule = if index == 0 { Rule::BidiControl } else { self.unbalanced(open.0) };
            report(rule, open, rules, tell);
        }
        report(Rule::BidiControl, by, rules, tell);
    }

    /// The rule about a control that is not closed, or closes nothing.
    fn unbalanced(&self, point: u32) -> Rule {
        let is_override = matches!(point, 0x202D | 0x202E);
        match self.is_right_to_left && !is_override {
            true => Rule::BidiControl,
            false => Rule::BidiUnbalanced,
        }
    }
}

fn is_control(point: u32) -> bool {
    matches!(point, 0x202A..=0x202E | 0x2066..=0x2069)
}

/// A line feed, or the end of a paragraph in UAX #9.
fn ends_line(point: u32) -> bool {
    matches!(point, 0x0A | 0x85 | 0x2029)
}

fn report(rule: Rule, (point, place): (u32, Place), rules: Rules, tell: Tell<'_>) {
    if rules.contains(rule) {
        tell(place.finding(rule, FindingKind::Character(point)));
    }
}
