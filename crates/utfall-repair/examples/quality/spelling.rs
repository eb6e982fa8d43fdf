//! In which languages Latin letters beyond US-ASCII occur, and next to which other letters.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::correct::read;

/// A language with fewer Latin letters beyond US-ASCII is left out: its shares would be unreliable.
const LETTERS: usize = 3000;
/// A language is also left out if it has less than one such letter per this many ASCII letters.
const RARE: usize = 200;
/// The fewest occurrences of a letter in a language for its neighbours to count.
const LEAST: usize = 20;
/// The most bits that the table holds.
const MOST: f64 = 15.0;
/// Kinds of neighbours: each letter of US-ASCII, another letter, and all else.
const CLASSES: usize = 28;

/// The counts of a letter in one language.
#[derive(Default)]
struct Counts {
    all: usize,
    before: [usize; CLASSES],
    after: [usize; CLASSES],
}

/// Prints `src/spelling/table.rs`.
pub(crate) fn run(folder: &Path) -> io::Result<()> {
    let mut names = Vec::new();
    let mut rows: BTreeMap<char, Row> = BTreeMap::new();
    for (name, text) in read(folder)? {
        let mut counts: BTreeMap<char, Counts> = BTreeMap::new();
        let (mut plain, mut last) = (0, ' ');
        let mut characters = text.chars().flat_map(char::to_lowercase).peekable();
        while let Some(character) = characters.next() {
            plain += usize::from(character.is_ascii_alphabetic());
            if is_latin(character) {
                let counts = counts.entry(character).or_default();
                counts.all += 1;
                counts.before[class(last)] += 1;
                counts.after[class(characters.peek().copied().unwrap_or(' '))] += 1;
            }
            last = character;
        }
        let sum: usize = counts.values().map(|counts| counts.all).sum();
        if sum < LETTERS || sum * RARE < plain {
            continue;
        }
        for (letter, counts) in counts {
            let row = rows.entry(letter).or_insert_with(Row::new);
            row.shares.resize(names.len(), MOST);
            row.shares.push(bits(counts.all, sum));
            if counts.all >= LEAST {
                for class in 0..CLASSES {
                    let least =
                        |known: &mut f64, count| *known = known.min(bits(count, counts.all));
                    least(&mut row.before[class], counts.before[class]);
                    least(&mut row.after[class], counts.after[class]);
                }
            }
        }
        names.push(name);
    }
    println!(
        "//! Latin letters beyond US-ASCII, each with bits in hexadecimal: how rare each neighbour is before it and\n\
         //! after it, in the language where it is most frequent, and how rare the letter is in each language. Made by\n\
         //! `cargo run --release -p utfall-repair --example quality spelling target/repair-quality`.\n"
    );
    println!("/// How many languages there are.");
    println!("pub(super) const LANGUAGES: usize = {};\n", names.len());
    println!("/// Their codes.\n#[rustfmt::skip]");
    println!("pub(super) const CODES: [&str; LANGUAGES] = {names:?};\n");
    println!("#[rustfmt::skip]\npub(super) const LETTERS: &[(char, &str, &str, &str)] = &[");
    for (letter, mut row) in rows {
        row.shares.resize(names.len(), MOST);
        if row.shares.iter().all(|bits| *bits >= MOST) {
            continue;
        }
        let [before, after] = [&row.before, &row.after].map(|all| digits(all));
        println!("    ('{letter}', \"{before}\", \"{after}\", \"{}\"),", digits(&row.shares));
    }
    println!("];");
    Ok(())
}

/// The bits of a letter.
struct Row {
    before: [f64; CLASSES],
    after: [f64; CLASSES],
    shares: Vec<f64>,
}

impl Row {
    fn new() -> Self {
        Self { before: [MOST; CLASSES], after: [MOST; CLASSES], shares: Vec::new() }
    }
}

fn bits(count: usize, of: usize) -> f64 {
    (of as f64 / count as f64).log2().min(MOST)
}

fn digits(bits: &[f64]) -> String {
    bits.iter().filter_map(|bits| char::from_digit(bits.round() as u32, 16)).collect()
}

fn class(character: char) -> usize {
    match character {
        'a'..='z' => character as usize - 'a' as usize,
        _ if character.is_alphabetic() => 26,
        _ => 27,
    }
}

fn is_latin(character: char) -> bool {
    matches!(character, '\u{C0}'..='\u{24F}') && !matches!(character, '×' | '÷')
}
