//! Corpora that are misread on purpose must be restored; correct ones must not change. The test
//! rebuilds the table of `docs/repair.md`; `cargo xtask pages repair` writes it.

use std::fmt::Write as _;

use crate::common::{Corpus, corpora, reversed};
use utfall_repair::{Chain, Change, Charset, Loss, Options, Step, repair, repair_with};

/// The lines of the page around its generated part.
const MARKERS: (&str, &str) = ("<!-- made by cargo xtask pages -->\n", "\n<!-- end -->");
/// The rate of restoration required of text without losses, in percent.
const LEAST: usize = 95;

/// Chains of wrong decodings, in the order in which they happen.
const ONE: [&[&str]; 22] = [
    &["windows-1252"],
    &["ISO-8859-1"],
    &["ISO-8859-15"],
    &["macintosh"],
    &["windows-1250"],
    &["windows-1251"],
    &["windows-1253"],
    &["windows-1254"],
    &["windows-1255"],
    &["windows-1256"],
    &["windows-1257"],
    &["windows-1258"],
    &["windows-874"],
    &["ISO-8859-2"],
    &["ISO-8859-5"],
    &["KOI8-R"],
    &["IBM866"],
    &["x-mac-cyrillic"],
    &["IBM437"],
    &["IBM850"],
    &["IBM852"],
    &["IBM737"],
];
const TWO: [&[&str]; 10] = [
    &["windows-1252", "windows-1252"],
    &["ISO-8859-1", "ISO-8859-1"],
    &["windows-1252", "ISO-8859-1"],
    &["ISO-8859-1", "windows-1252"],
    &["macintosh", "macintosh"],
    &["windows-1252", "macintosh"],
    &["windows-1251", "windows-1252"],
    &["windows-1251", "windows-1251"],
    &["IBM437", "windows-1252"],
    &["IBM850", "IBM850"],
];
const THREE: [&[&str]; 5] = [
    &["windows-1252", "windows-1252", "windows-1252"],
    &["ISO-8859-1", "ISO-8859-1", "ISO-8859-1"],
    &["windows-1252", "ISO-8859-1", "windows-1252"],
    &["windows-1252", "macintosh", "IBM437"],
    &["windows-1251", "windows-1252", "ISO-8859-1"],
];
/// How windows-1252 decoders lose unmapped bytes and U+00A0.
const LOSSES: [(&str, Loss); 4] = [
    ("U+00A0 made a space", Loss::Space),
    ("without 81, 8D, 8F, 90, 9D, AD", Loss::Dropped),
    ("with `?` for 81, 8D, 8F, 90, 9D", Loss::Replaced('?')),
    ("with U+FFFD for 81, 8D, 8F, 90, 9D", Loss::Replaced('\u{FFFD}')),
];

fn misread(names: &[&str], loss: Option<Loss>) -> Chain {
    let step = |name: &&str| Step::Misread { charset: Charset::from_name(name).unwrap(), loss };
    Chain::new(names.iter().map(step).collect())
}

#[test]
fn clean_text_stays() {
    for corpus in corpora() {
        let text = corpus.all.join("\n");
        // A lower confidence than the default of 0.9.
        let repaired = repair_with(text.as_bytes(), Options::default().with_min_confidence(0.5));
        assert!(repaired.changes.is_empty(), "{}: {:?}", corpus.name, repaired.changes);
        assert_eq!(repaired.bytes, text.as_bytes());
    }
}

/// Restored lines and all lines of a corpus; changes made, and changes to something that was not in
/// the original.
#[derive(Clone, Copy, Default)]
struct Count {
    restored: usize,
    all: usize,
    changes: usize,
    wrong: usize,
}

fn count(corpus: &Corpus, chain: &Chain, must_differ: Option<&Chain>) -> Count {
    let mut count = Count::default();
    for line in &corpus.sample {
        // An unmapped byte makes the damage irreversible.
        let Some(broken) = chain.apply(line.as_bytes()) else { continue };
        if must_differ.is_some_and(|other| other.apply(line.as_bytes()).as_ref() == Some(&broken)) {
            continue;
        }
        let repaired = repair(&broken);
        assert_eq!(reversed(&repaired), broken, "{chain} of {line}");
        for change in &repaired.changes {
            let again = change.chain.apply(&change.after);
            assert_eq!(again.as_ref(), Some(&change.before), "{chain} of {line}");
            count.changes += 1;
            count.wrong += usize::from(!is_right(change, line, chain));
        }
        count.all += 1;
        count.restored += usize::from(repaired.bytes == line.as_bytes());
    }
    count
}

/// Whether a change restores the original, or undoes some of the steps.
fn is_right(change: &Change, line: &str, chain: &Chain) -> bool {
    let begin = change.offset as usize;
    let end = begin + change.before.len();
    let mut there = String::new();
    let mut offset = 0;
    for character in line.chars() {
        let length = chain.apply(character.to_string().as_bytes()).map_or(0, |bytes| bytes.len());
        if offset >= begin && offset < end {
            there.push(character);
        }
        offset += length;
    }
    let parts = (0..chain.steps().len()).map(|count| Chain::new(chain.steps()[..count].to_vec()));
    parts.into_iter().any(|part| part.apply(there.as_bytes()).as_ref() == Some(&change.after))
}

#[test]
fn misread_text_is_restored_and_the_page_says_how_much() {
    let corpora: Vec<_> =
        corpora().into_iter().filter(|corpus| !corpus.sample.is_empty()).collect();
    let mut page = String::new();
    let mut sums = [Count::default(); 2];
    let mut table = |title: &str, rows: Vec<(String, Chain, Option<Chain>)>, sum: usize| {
        _ = write!(page, "\n| {title} |");
        for corpus in &corpora {
            _ = write!(page, " {} |", corpus.name);
        }
        page += &format!("\n|---|{}\n", "---|".repeat(corpora.len()));
        for (name, chain, other) in rows {
            _ = write!(page, "| {name} |");
            for corpus in &corpora {
                let count = count(corpus, &chain, other.as_ref());
                sums[sum].restored += count.restored;
                sums[sum].all += count.all;
                sums[sum].changes += count.changes;
                sums[sum].wrong += count.wrong;
                match count.all {
                    0 => page += " |",
                    all => _ = write!(page, " {}/{all} |", count.restored),
                }
            }
            page += "\n";
        }
    };
    let rows = |chains: &[&[&str]]| {
        let row = |names: &&[&str]| (names.join(", "), misread(names, None), None);
        chains.iter().map(row).collect::<Vec<_>>()
    };
    table("one deep", rows(&ONE), 0);
    table("two deep", rows(&TWO), 0);
    table("three deep", rows(&THREE), 0);
    let lossy = |(name, loss): &(&str, Loss)| {
        let names = ["windows-1252"];
        ((*name).to_owned(), misread(&names, Some(*loss)), Some(misread(&names, None)))
    };
    table("windows-1252 with losses", LOSSES.iter().map(lossy).collect(), 1);
    let say = |count: Count| {
        let share = count.restored as f64 / count.all as f64 * 100.0;
        let (restored, all) = (count.restored, count.all);
        let (changes, wrong) = (count.changes, count.wrong);
        format!("{restored} of {all} lines, {share:.1} %; {changes} changes, {wrong} of them wrong")
    };
    let summary = format!(
        "\nRestored exactly: {}. Of the lines that also lost bytes,\nwhich can rarely be restored: {}.\n",
        say(sums[0]),
        say(sums[1])
    );
    assert!(sums[0].restored * 100 >= sums[0].all * LEAST, "{summary}");
    utfall_page::compare_part("docs/repair.md", MARKERS, &(summary + &page));
}
