//! The words and turns of phrase of `shared/design/voice.md`, and what to write instead.
//!
//! A pattern is a sequence of words. `a|b` matches either; only white space or a hyphen may be
//! between two words.

use std::collections::HashMap;
use std::ops::Range;

use super::prose::{Kind, Prose, Word};

/// Where a pattern must begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Anywhere,
    /// At the start of a sentence that is not a question.
    Sentence,
    /// As the first word of a heading, a doc comment or a help text.
    Start,
}

struct Pattern {
    name: &'static str,
    at: At,
    /// Words that may not directly precede.
    not_after: &'static str,
    words: &'static str,
    /// Words that may not directly follow.
    not_before: &'static str,
    better: &'static str,
}

impl Pattern {
    const fn new(name: &'static str, words: &'static str, better: &'static str) -> Self {
        Self { name, at: At::Anywhere, not_after: "", words, not_before: "", better }
    }

    const fn at(mut self, at: At) -> Self {
        self.at = at;
        self
    }

    const fn not_after(mut self, words: &'static str) -> Self {
        self.not_after = words;
        self
    }

    const fn not_before(mut self, words: &'static str) -> Self {
        self.not_before = words;
        self
    }
}

/// If two patterns overlap in a text, the one that is earlier here is reported.
const PATTERNS: [Pattern; 33] = [
    Pattern::new("octet", "octet|octets", "byte").not_before("stream"),
    Pattern::new("memo", "memo|memos", "RFC"),
    Pattern::new("mended", "mend|mends|mended|mending", "fix"),
    Pattern::new("behind", "behind", "after, following"),
    Pattern::new("room", "room|rooms", "space, capacity"),
    Pattern::new("stand", "stand|stands|stood|standing", "appear, be at, follow, represent")
        .not_before("alone"),
    Pattern::new("lay", "lay|lays|laid|lain", "put, place, attribute"),
    Pattern::new("in place of", "in place of", "replace, instead of"),
    Pattern::new("but for", "but for", "except for"),
    Pattern::new("taken for", "take|takes|taken|took|taking for", "treat as, mistake for")
        .not_before("example|granted|a"),
    Pattern::new("taken for", "take|takes|took|taking it|them|this|that for", "treat as"),
    Pattern::new("no text", "is|are|was|were|be|looks|look no text", "binary, not text")
        .not_after("there"),
    Pattern::new("no text", "were|was|is|are it|they no text", "binary, not text"),
    Pattern::new("no text", "no text", "binary, not text").not_after("there|has|have|with"),
    Pattern::new("is no X", "is|are|was|were|be|being|been no", "is not a")
        .not_after("there|there's")
        .not_before(
            "longer|more|less|fewer|better|worse|larger|shorter|slower|faster|later|different|1|2|3|4|5|6|7|8|9",
        ),
    Pattern::new(
        "passive",
        "is|are|was|were|be|been|being told|said|wanted|kept",
        "report, expect, save: name who does it",
    )
    .not_before("apart"),
    Pattern::new("passive", "told by|of", "identify by, report"),
    Pattern::new("doubles", "doubles", "duplicates")
        .not_before("the|its|their|every|each|in|with|as|for|when"),
    Pattern::new("old text", "old text|texts", "original file, backup"),
    Pattern::new("folder of state", "folder of state", "state directory"),
    Pattern::new("right already", "right already", "unchanged, already in the encoding"),
    Pattern::new(
        "which encoding",
        "which encoding|encodings|charset|charsets it|they|octets|bytes|files|text|a is|are in",
        "the encoding of",
    ),
    Pattern::new("which encoding", "which encoding it|they|octets|files is|are in", "the encoding of"),
    Pattern::new("leniences", "lenience|leniences", "tolerance, relaxed rule, option"),
    Pattern::new("first word", "not|also|only|nothing|none|neither", "begin with a verb or a noun")
        .at(At::Start),
    Pattern::new("headless clause", "what|who|whoever|whatever|whichever", "name the subject")
        .at(At::Sentence),
    Pattern::new(
        "headless clause",
        "of|for|from|with|than|beside|into|behind|without|all what",
        "name the object",
    ),
    Pattern::new("that which", "that|those which", "name the object"),
    Pattern::new("put back", "puts|put back", "restore, revert"),
    Pattern::new("put right", "put right|whole", "fix, restore"),
    Pattern::new("left alone", "left alone", "skipped, unchanged"),
    Pattern::new("by itself", "by itself|themselves", "alone, automatically"),
    Pattern::new("to be seen", "to be had|seen|looked", "available, visible, checked"),
];

/// The name of the pattern for sentences that are too long, and the most words allowed.
const LONG: &str = "long sentence";
const LONGEST: usize = 25;

/// A finding.
#[derive(Debug)]
pub(crate) struct Match {
    pub(crate) pattern: &'static str,
    pub(crate) better: &'static str,
    pub(crate) range: Range<usize>,
    pub(crate) sentence: usize,
}

/// The patterns, by each of their first words.
pub(crate) struct Patterns {
    rows: Vec<Row>,
    by_first: HashMap<&'static str, Vec<usize>>,
}

struct Row {
    pattern: &'static Pattern,
    words: Vec<Vec<&'static str>>,
}

impl Patterns {
    pub(crate) fn new() -> Self {
        let words = |pattern: &'static Pattern| -> Vec<Vec<&'static str>> {
            pattern.words.split(' ').map(|word| word.split('|').collect()).collect()
        };
        let rows: Vec<Row> =
            PATTERNS.iter().map(|pattern| Row { pattern, words: words(pattern) }).collect();
        let mut by_first: HashMap<_, Vec<_>> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            for first in &row.words[0] {
                by_first.entry(*first).or_default().push(at);
            }
        }
        Self { rows, by_first }
    }

    /// The names, without duplicates, in the order of the table.
    pub(crate) fn names() -> Vec<&'static str> {
        let mut names: Vec<_> = PATTERNS.iter().map(|pattern| pattern.name).collect();
        names.push(LONG);
        names.dedup();
        names
    }

    /// All matches of patterns in `prose`, sorted by position.
    pub(crate) fn find(&self, prose: &Prose, words: &[Word]) -> Vec<Match> {
        let mut found: Vec<(usize, Match)> = Vec::new();
        for at in 0..words.len() {
            for row in self.by_first.get(words[at].lower.as_str()).into_iter().flatten() {
                let Row { pattern, words: wanted } = &self.rows[*row];
                if let Some(range) = matches(pattern, wanted, prose, words, at) {
                    let sentence = words[at].sentence;
                    let (pattern, better) = (pattern.name, pattern.better);
                    found.push((*row, Match { pattern, better, range, sentence }));
                }
            }
        }
        found.sort_by_key(|(row, _)| *row);
        let mut kept: Vec<Match> = Vec::new();
        for (_, new) in found {
            let overlaps =
                |old: &Match| old.range.start < new.range.end && new.range.start < old.range.end;
            if !kept.iter().any(overlaps) {
                kept.push(new);
            }
        }
        if prose.kind == Kind::Page {
            kept.extend(long_sentences(words));
        }
        kept.sort_by_key(|found| found.range.start);
        kept
    }
}

/// The range in the text if `wanted` matches the words from `at` on.
fn matches(
    pattern: &Pattern,
    wanted: &[Vec<&str>],
    prose: &Prose,
    words: &[Word],
    at: usize,
) -> Option<Range<usize>> {
    let span = words.get(at..at + wanted.len())?;
    let is_joined = span[1..].iter().all(|word| word.is_joined);
    let is_equal = span.iter().zip(wanted).all(|(word, any)| any.contains(&word.lower.as_str()));
    let is_there = match pattern.at {
        At::Anywhere => true,
        At::Sentence => words[at].begins && !prose.is_question(words, words[at].sentence),
        At::Start => at == 0 && prose.is_first && words[at].begins,
    };
    let before = at.checked_sub(1).map(|before| &words[before]);
    let after = words.get(at + wanted.len());
    let is_before = |word: &&Word| span[0].is_joined && is_any(pattern.not_after, word);
    let is_after = |word: &&Word| word.is_joined && is_any(pattern.not_before, word);
    let is_match = is_joined
        && is_equal
        && is_there
        && !before.as_ref().is_some_and(is_before)
        && !after.as_ref().is_some_and(is_after);
    is_match.then(|| span[0].range.start..span[span.len() - 1].range.end)
}

fn is_any(words: &str, word: &Word) -> bool {
    words.split('|').any(|any| any == word.lower)
}

fn long_sentences(words: &[Word]) -> Vec<Match> {
    let sentences = words.chunk_by(|one, next| one.sentence == next.sentence);
    let long = sentences.filter(|sentence| sentence.len() > LONGEST);
    long.map(|sentence| Match {
        pattern: LONG,
        better: "at most 25 words: one idea per sentence",
        range: sentence[0].range.clone(),
        sentence: sentence[0].sentence,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(kind: Kind, is_first: bool, text: &str) -> Vec<&'static str> {
        let mut prose = Prose::new(kind, is_first);
        prose.push_line(text, 1);
        let words = prose.words();
        Patterns::new().find(&prose, &words).iter().map(|found| found.pattern).collect()
    }

    #[test]
    fn each_pattern_has_a_text_that_it_finds() {
        let cases = [
            ("octet", "three Octets of it"),
            ("memo", "the UTF-7 memo"),
            ("mended", "then it is mended"),
            ("behind", "the octet-stream behind it"),
            ("room", "into little room"),
            ("stand", "a mark stands at the start"),
            ("lay", "it is laid to another"),
            ("in place of", "tables in place\tof numbers"),
            ("but for", "all but for those"),
            ("taken for", "each file is taken for text"),
            ("no text", "files that are no text"),
            ("no text", "skipped: no text"),
            ("is no X", "standard input is no file"),
            ("passive", "no more than 0.85 is said"),
            ("doubles", "licences and doubles of crates"),
            ("old text", "keeps the old texts"),
            ("folder of state", "in the folder of state"),
            ("right already", "right already"),
            ("which encoding", "say which encoding files are in"),
            ("leniences", "the leniences of UTF-7"),
            ("headless clause", "It ends. What is left stays."),
            ("headless clause", "the end of what is read"),
            ("that which", "those which begin"),
            ("put back", "puts back the rest"),
            ("put right", "can be put right"),
            ("left alone", "reported and left alone"),
            ("by itself", "nothing is removed by itself"),
            ("to be seen", "that is to be seen"),
        ];
        for (name, text) in cases {
            assert_eq!(found(Kind::Comment, false, text), [name], "{text}");
        }
        assert_eq!(found(Kind::Doc, true, "Only these rules"), ["first word"]);
        assert_eq!(found(Kind::Page, false, &"word ".repeat(26)), [LONG]);
        let told: Vec<_> =
            cases.iter().map(|(name, _)| *name).chain(["first word", LONG]).collect();
        for name in Patterns::names() {
            assert!(told.contains(&name), "{name} has no case");
        }
    }

    #[test]
    fn right_english_is_not_found() {
        for text in [
            "application/octet-stream",
            "There are no more than five, and it is no longer there.",
            "it doubles the odds",
            "What is left?",
            "`octet` and {octet} and <octet>",
            "Not only this",
            "told apart",
            "in place. Of these",
        ] {
            assert_eq!(found(Kind::Comment, false, text), [""; 0], "{text}");
        }
        assert_eq!(found(Kind::Page, false, &"word ".repeat(25)), [""; 0]);
    }
}
