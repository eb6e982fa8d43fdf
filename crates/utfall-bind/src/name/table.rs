//! The names of Unicode, in a text that compresses well: a page that downloads it gets 111 KiB, where a table for a binary
//! search has 267 KiB.
//!
//! Each line of `names.txt` is a code point, the next after that of the line before. It begins with a digit or a character
//! after `9`, the number of words that it shares with the name before; the other words follow. `*` is the code point in
//! hexadecimal. A line `=N` repeats the name for N more code points. `!C` goes to the code point C, and the next
//! line shares nothing, so that reading can begin there.
//!
//! Names of Hangul syllables are composed (The Unicode Standard §3.12).

use std::sync::OnceLock;

/// `tests/it/names.rs` writes it.
const NAMES: &str = include_str!("names.txt");

/// A line `!C`: the code point, and the offset of the next line.
type Start = (u32, usize);

/// The name of a code point, if it has one other than those of controls.
pub(super) fn name(point: u32) -> Option<String> {
    if let Some(syllable) = hangul(point) {
        return Some(syllable);
    }
    static STARTS: OnceLock<Vec<Start>> = OnceLock::new();
    let starts = STARTS.get_or_init(starts);
    let after = starts.partition_point(|(first, _)| *first <= point);
    let (mut next, at) = *starts.get(after.checked_sub(1)?)?;
    let mut name = String::new();
    for line in NAMES[at..].lines() {
        let (first, rest) = line.split_at_checked(1)?;
        match first {
            "!" => return None,
            "=" => next += u32::from_str_radix(rest, 16).ok()?,
            shared => {
                let shared = shared.bytes().next()? - b'0';
                name.truncate(end_of_words(&name, shared));
                if !name.is_empty() && !rest.is_empty() {
                    name.push(' ');
                }
                name.push_str(rest);
                next += 1;
            }
        }
        if point < next {
            return Some(name.replace('*', &format!("{point:04X}")));
        }
    }
    None
}

/// Where the first words of a name end.
fn end_of_words(name: &str, count: u8) -> usize {
    let Some(last) = usize::from(count).checked_sub(1) else { return 0 };
    name.match_indices(' ').nth(last).map_or(name.len(), |(at, _)| at)
}

fn starts() -> Vec<Start> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in NAMES.split_inclusive('\n') {
        at += line.len();
        let point = line.strip_prefix('!').map(|digits| u32::from_str_radix(digits.trim_end(), 16));
        if let Some(Ok(point)) = point {
            starts.push((point, at));
        }
    }
    starts
}

fn hangul(point: u32) -> Option<String> {
    const LEADING: [&str; 19] = [
        "G", "GG", "N", "D", "DD", "R", "M", "B", "BB", "S", "SS", "", "J", "JJ", "C", "K", "T",
        "P", "H",
    ];
    const VOWEL: [&str; 21] = [
        "A", "AE", "YA", "YAE", "EO", "E", "YEO", "YE", "O", "WA", "WAE", "OE", "YO", "U", "WEO",
        "WE", "WI", "YU", "EU", "YI", "I",
    ];
    const TRAILING: [&str; 28] = [
        "", "G", "GG", "GS", "N", "NJ", "NH", "D", "L", "LG", "LM", "LB", "LS", "LT", "LP", "LH",
        "M", "B", "BS", "S", "SS", "NG", "J", "C", "K", "T", "P", "H",
    ];
    let index = point.checked_sub(0xAC00)? as usize;
    let leading = LEADING.get(index / (VOWEL.len() * TRAILING.len()))?;
    let vowel = VOWEL[index / TRAILING.len() % VOWEL.len()];
    let trailing = TRAILING[index % TRAILING.len()];
    Some(format!("HANGUL SYLLABLE {leading}{vowel}{trailing}"))
}
