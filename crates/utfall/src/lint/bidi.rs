//! Bidirectional embeddings, overrides and isolates (UAX #9, X1 to X8): which of them end in the
//! line they begin in.

use alloc::vec::Vec;

use super::{Place, Rule, Rules, Tell, What};

/// How many may be open at once, as UAX #9 has it (BD2).
const DEEPEST: usize = 125;

/// What is open.
#[derive(Debug, Default)]
pub(super) struct Bidi {
    open: Vec<(u32, Place)>,
    /// The line it is open in.
    line: u64,
}

impl Bidi {
    /// A code point in this line: what is open in one before is not ended any more.
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
            // It ends the embeddings inside the isolate too.
            0x2069 if let Some(at) = self.open.iter().rposition(isolate) => {
                self.close(at, (point, place), rules, tell);
            }
            0x202C | 0x2069 => report(Rule::BidiUnbalanced, (point, place), rules, tell),
            // Paragraphs end here, besides at line ends.
            0x2029 | 0x85 => self.end(rules, tell),
            _ => {}
        }
    }

    /// The text, or the line, ends.
    pub(super) fn end(&mut self, rules: Rules, tell: Tell<'_>) {
        for open in self.open.drain(..) {
            report(Rule::BidiUnbalanced, open, rules, tell);
        }
    }

    fn close(&mut self, at: usize, by: (u32, Place), rules: Rules, tell: Tell<'_>) {
        for (behind, open) in self.open.drain(at..).enumerate() {
            let rule = if behind == 0 { Rule::BidiControl } else { Rule::BidiUnbalanced };
            report(rule, open, rules, tell);
        }
        report(Rule::BidiControl, by, rules, tell);
    }
}

fn report(rule: Rule, (point, place): (u32, Place), rules: Rules, tell: Tell<'_>) {
    if rules.contains(rule) {
        tell(place.finding(rule, What::Character(point)));
    }
}
