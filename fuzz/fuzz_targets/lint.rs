//! Suspicious and hidden text: the findings are the same however the text is cut, in order, inside
//! it, and the same in parts that are checked separately. Ill-formed text is reported where the
//! decoder stops.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use utfall::hidden::{self, Finder};
use utfall::lines::LineEnd;
use utfall::lint::{self, Finding, FindingKind, Linter, Rule, Rules};
use utfall::{Encoding, Options};
use utfall_fuzz::cut::{Cuts, one_of};

#[derive(Arbitrary, Debug)]
struct Input<'s> {
    encoding: u8,
    /// The text is UTF-8, which is converted to the encoding first.
    is_text: bool,
    rules: u32,
    cuts: Cuts,
    text: &'s [u8],
}

/// Determined where something ends: a bidirectional control, a word, a line, or the text.
fn is_late(finding: &Finding) -> bool {
    use Rule::{BidiControl, BidiUnbalanced, FinalNewline, MixedNewlines};
    use Rule::{LookalikeDomain, LookalikeLetter, MixedScript, SoftHyphen};
    let is_of_text = matches!(finding.rule, MixedNewlines | FinalNewline);
    let is_of_word =
        matches!(finding.rule, SoftHyphen | MixedScript | LookalikeLetter | LookalikeDomain);
    is_of_text || is_of_word || matches!(finding.rule, BidiControl | BidiUnbalanced)
}

fn check_findings(encoding: Encoding, rules: Rules, text: &[u8], cuts: &Cuts) {
    let all = lint::check(encoding, text, rules);
    let mut at = 0;
    for finding in &all {
        assert!(rules.contains(finding.rule));
        assert!(finding.offset + finding.length <= text.len() as u64, "{finding:?}");
        assert!(finding.position.line >= 1 && finding.position.column >= 1);
        assert!(!finding.to_string().is_empty());
        if !is_late(finding) {
            assert!(finding.offset >= at, "{all:?}");
            at = finding.offset;
        }
    }
    if rules.contains(Rule::IllFormed) {
        let ill = all.iter().find_map(|finding| match &finding.what {
            FindingKind::IllFormed(error) => Some(*error),
            _ => None,
        });
        assert_eq!(encoding.validate(text).err(), ill);
    }

    let mut linter = Linter::new(encoding, rules, Options::default());
    let mut found = Vec::new();
    for (piece, last) in cuts.pieces(text) {
        linter.check(piece, last, |finding| found.push(finding));
    }
    assert_eq!(found, all);
    check_parts(encoding, rules, text, all);
}

/// Checks each line separately.
fn check_parts(encoding: Encoding, rules: Rules, text: &[u8], mut all: Vec<Finding>) {
    // A line feed that breaks a sequence of BOCU-1 is part of it: for the linter it does not end a
    // line.
    let ends_lines = |line_end: &LineEnd| line_end.unit() == 1 && encoding != Encoding::Bocu1;
    let Some(line_end) = LineEnd::of(encoding).filter(ends_lines) else {
        return;
    };
    let (mut begin, mut lines, mut found) = (0, 0, Vec::new());
    while begin < text.len() {
        let end = line_end.after_first(&text[begin..]).map_or(text.len(), |end| begin + end);
        let mut linter = Linter::part(encoding, rules, Options::default(), begin as u64);
        linter.check(&text[begin..end], true, |mut finding| {
            finding.position.line += lines;
            found.push(finding);
        });
        lines += linter.lines();
        begin = end;
    }
    all.retain(|finding| !matches!(finding.rule, Rule::MixedNewlines | Rule::FinalNewline));
    assert_eq!(found, all);
}

fn check_hidden(encoding: Encoding, text: &[u8], cuts: &Cuts) {
    let all = hidden::find(encoding, text);
    let mut at = 0;
    for one in &all {
        assert!(one.offset >= at && one.offset + one.length <= text.len() as u64, "{all:?}");
        at = one.offset;
        assert!(one.text.chars().count() <= 10 * hidden::SHOWN + 1);
    }
    let Some(mut finder) = Finder::new(encoding) else { return };
    let mut found = Vec::new();
    for (piece, last) in cuts.pieces(text) {
        finder.find(piece, last, |one| found.push(one));
    }
    assert_eq!(found, all);
}

fuzz_target!(|input: Input<'_>| {
    let encoding = one_of(Encoding::ALL, input.encoding);
    let rules: Rules =
        Rule::ALL.iter().copied().filter(|rule| input.rules >> *rule as u32 & 1 == 1).collect();
    let mut text = input.text.to_vec();
    if input.is_text
        && let Ok(bytes) = encoding.encode(&String::from_utf8_lossy(input.text))
    {
        text = bytes.into_owned();
    }
    for rules in [Rules::ALL, rules] {
        check_findings(encoding, rules, &text, &input.cuts);
    }
    check_hidden(encoding, &text, &input.cuts);
});
