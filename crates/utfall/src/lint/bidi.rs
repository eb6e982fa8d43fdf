//! Bidirectional embeddings, overrides and isolates (UAX #9, X1 to X8), and whether they are closed
//! in their line.

use alloc::vec::Vec;

use super::{FindingKind, Place, Rule, Rules, Tell};

/// The maximum nesting depth in UAX #9 (BD2).
const DEEPEST: usize = 125;

/// The open controls.
#[derive(Debug, Default)]
pub(super) struct Bidi {
    open: Vec<(u32, Place)>,
    /// The line in which they are open.
    line: u64,
}

impl Bidi {
    /// Handles the line of a code point: controls of an earlier line stay unclosed.
    pub(super) fn line(&mut self, line: u64, rules: Rules, tell: Tell<'_>) {
        if self.line != line {
            self.end(rules, tell);
            self.line = line;
        }
    }

    pub(super) fn point(&mut self, point: u32, place: Place, rules: Rules, tell: Tell<'_>) {
        let isolate = |open: &(u32, Place)| open.0 >= 0x2066;
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
            0x202C | 0x2069 => report(Rule::BidiUnbalanced, (point, place), rules, tell),
            // Paragraphs end here, and at line ends.
            0x2029 | 0x85 => self.end(rules, tell),
            _ => {}
        }
    }

    /// Ends the text or the line.
    pub(super) fn end(&mut self, rules: Rules, tell: Tell<'_>) {
        for open in self.open.drain(..) {
            report(Rule::BidiUnbalanced, open, rules, tell);
        }
    }

    fn close(&mut self, at: usize, by: (u32, Place), rules: Rules, tell: Tell<'_>) {
        for (index, open) in self.open.drain(at..).enumerate() {
            let rule = if index == 0 { Rule::BidiControl } else { Rule::BidiUnbalanced };
            report(rule, open, rules, tell);
        }
        report(Rule::BidiControl, by, rules, tell);
    }
}

fn report(rule: Rule, (point, place): (u32, Place), rules: Rules, tell: Tell<'_>) {
    if rules.contains(rule) {
        tell(place.finding(rule, FindingKind::Character(point)));
    }
}
