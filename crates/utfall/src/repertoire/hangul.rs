//! Hangul before and after Amendment 5 of ISO 10646 (RFC 2279 §3, §5).
//!
//! Unicode 1.1 had 6,656 syllables at U+3400–4DFF. Unicode 2.0 has 11,172 at U+AC00–D7A3; other
//! characters have been assigned to the old place since. `docs/decisions.md` §9 describes how text
//! labelled `UNICODE-1-1…` is read.

use super::hangul_table::NEW;

const OLD_FIRST: u32 = 0x3400;
const OLD_LAST: u32 = 0x4DFF;

/// The start of each of the six ascending runs in [`NEW`], followed by the end of the last. They
/// are the syllables of three national standards, each in its own order, and the rest.
const RUNS: [usize; 7] = runs();

/// Maps a code point of Unicode 1.1 to its number today. All except Hangul syllables are unchanged.
pub(crate) fn from_1_1(point: u32) -> u32 {
    match point {
        OLD_FIRST..=OLD_LAST => u32::from(NEW[(point - OLD_FIRST) as usize]),
        _ => point,
    }
}

/// Maps a code point of today to its number in Unicode 1.1. `None` for a syllable it lacked, and
/// for today's characters at U+3400–4DFF, which would be read back as Hangul.
pub(crate) const fn to_1_1(point: u32) -> Option<u32> {
    match point {
        OLD_FIRST..=OLD_LAST => None,
        0xAC00..=0xD7A3 => {
            let mut run = 0;
            while run + 1 < RUNS.len() {
                if let Some(at) = find(point as u16, RUNS[run], RUNS[run + 1]) {
                    return Some(OLD_FIRST + at as u32);
                }
                run += 1;
            }
            None
        }
        _ => Some(point),
    }
}

/// Binary search in `NEW[from..to]`, which is in ascending order.
const fn find(syllable: u16, mut from: usize, mut to: usize) -> Option<usize> {
    while from < to {
        let middle = from + (to - from) / 2;
        if NEW[middle] == syllable {
            return Some(middle);
        }
        if NEW[middle] < syllable {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    None
}

const fn runs() -> [usize; 7] {
    let mut runs = [NEW.len(); 7];
    runs[0] = 0;
    let (mut run, mut at) = (1, 1);
    while at < NEW.len() {
        if NEW[at] < NEW[at - 1] {
            runs[run] = at;
            run += 1;
        }
        at += 1;
    }
    runs
}
