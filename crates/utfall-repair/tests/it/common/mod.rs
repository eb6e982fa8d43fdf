//! Test texts.

use std::fs;
use std::path::{Path, PathBuf};

use utfall_repair::Repaired;

/// The path of a file in the repository.
pub(crate) fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// A text, line by line.
pub(crate) struct Corpus {
    pub(crate) name: &'static str,
    pub(crate) all: Vec<String>,
    /// Some non-ASCII lines, spread over the text.
    pub(crate) sample: Vec<String>,
}

const FILES: [(&str, &str); 14] = [
    ("Arabic", "corpora/Arabic-Lipsum.utf8.txt"),
    ("Chinese", "corpora/Chinese-Lipsum.utf8.txt"),
    ("Emoji", "corpora/Emoji-Lipsum.utf8.txt"),
    ("English", "corpora/wiki-english.utf8.txt"),
    ("French", "corpora/wiki-french.utf8.txt"),
    ("Greek", "repair/greek.txt"),
    ("Hebrew", "corpora/Hebrew-Lipsum.utf8.txt"),
    ("Hindi", "corpora/Hindi-Lipsum.utf8.txt"),
    ("Japanese", "corpora/Japanese-Lipsum.utf8.txt"),
    ("Korean", "corpora/Korean-Lipsum.utf8.txt"),
    ("Polish", "repair/polish.txt"),
    ("Russian", "corpora/Russian-Lipsum.utf8.txt"),
    ("Vietnamese", "repair/vietnamese.txt"),
    ("Latin", "corpora/Latin-Lipsum.utf8.txt"),
];

/// The most lines in a sample.
const SAMPLE: usize = 20;
/// Longer lines are cut.
const LONG: usize = 200;

pub(crate) fn corpora() -> Vec<Corpus> {
    let read = |(name, file): (&'static str, &str)| {
        let text = fs::read_to_string(repository("testdata").join(file)).unwrap();
        let all: Vec<String> = text.lines().map(str::to_owned).collect();
        let candidates: Vec<String> = text
            .lines()
            .flat_map(|line| {
                let characters: Vec<char> = line.chars().collect();
                characters.chunks(LONG).map(String::from_iter).collect::<Vec<_>>()
            })
            .filter(|line| !line.is_ascii())
            .collect();
        let every = candidates.len().div_ceil(SAMPLE).max(1);
        Corpus { name, all, sample: candidates.into_iter().step_by(every).collect() }
    };
    FILES.map(read).into_iter().collect()
}

/// Reconstructs the original text from the changes.
pub(crate) fn reversed(repaired: &Repaired) -> Vec<u8> {
    let (mut text, mut done) = (Vec::new(), 0);
    for change in &repaired.changes {
        let begin = change.offset_after as usize;
        text.extend(&repaired.bytes[done..begin]);
        text.extend(&change.before);
        done = begin + change.after.len();
    }
    text.extend(&repaired.bytes[done..]);
    text
}
