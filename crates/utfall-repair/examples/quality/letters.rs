//! How common Latin letters beyond US-ASCII are, and which of them follow each other, in any language.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::correct::read;

/// How often a pair must occur in a language. Rarer ones may be misread text.
const LEAST: usize = 4;

/// Languages with fewer such letters say nothing about their shares.
const LETTERS: usize = 3000;

/// The least share of a letter that a language uses.
const USED: f64 = 0.005;

/// Prints `src/cost/letters/table.rs`: for each letter how rare it is in the language that has the most of
/// it, and the letters that follow it.
pub(crate) fn run(folder: &Path) -> io::Result<()> {
    let mut all: BTreeMap<char, String> = BTreeMap::new();
    let mut shares: BTreeMap<char, (f64, u32)> = BTreeMap::new();
    for (_, text) in read(folder)? {
        let mut counts: BTreeMap<(char, char), usize> = BTreeMap::new();
        let mut singles: BTreeMap<char, usize> = BTreeMap::new();
        let mut last = ' ';
        for character in text.chars() {
            if is_latin(last) && is_latin(character) {
                *counts.entry((last, character)).or_default() += 1;
            }
            if is_latin(character) {
                *singles.entry(character).or_default() += 1;
            }
            last = character;
        }
        let sum: usize = singles.values().sum();
        if sum >= LETTERS {
            for (letter, count) in singles {
                let share = shares.entry(letter).or_default();
                let of_language = count as f64 / sum as f64;
                share.0 = share.0.max(of_language);
                share.1 += u32::from(of_language >= USED);
            }
        }
        for ((first, second), _) in counts.into_iter().filter(|(_, count)| *count >= LEAST) {
            let seconds = all.entry(first).or_default();
            if !seconds.contains(second) {
                seconds.push(second);
            }
        }
    }
    println!(
        "//! Latin letters beyond US-ASCII: bits that say how rare each is in the language that has the most of it,\n\
         //! and those that follow it in any language. Made by\n\
         //! `cargo run --release -p utfall-repair --example quality letters target/repair-quality`.\n"
    );
    println!("#[rustfmt::skip]\npub(super) const LETTERS: &[(char, u8, &str)] = &[");
    for (letter, (share, languages)) in shares {
        let mut seconds: Vec<char> = all.remove(&letter).unwrap_or_default().chars().collect();
        seconds.sort_unstable();
        // A letter of few languages is seen less often than its share in one of them says.
        let few = 3.0 - f64::from(languages.max(1)).log2();
        let bits = few.max(0.0) - share.log2();
        println!("    ('{letter}', {bits:.0}, \"{}\"),", String::from_iter(seconds));
    }
    println!("];");
    Ok(())
}

fn is_latin(character: char) -> bool {
    matches!(character, '\u{C0}'..='\u{24F}') && !matches!(character, '×' | '÷')
}
