//! Hangul before and after Amendment 5 of ISO 10646 (RFC 2279 §3, §5).
//!
//! Unicode 1.1 had 6,656 syllables at U+3400–4DFF. Unicode 2.0 has 11,172 at U+AC00–D7A3; other
//! characters have been assigned to the old place since. `docs/decisions.md` §9 describes how text
//! labelled `UNICODE-1-1…` is read.

use super::hangul_table;

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown", feature = "std")))]
use hangul_table::NEW;

/// The table, unpacked when it is first used in a module of WebAssembly.
#[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
static NEW: std::sync::LazyLock<std::vec::Vec<u16>> = std::sync::LazyLock::new(|| {
    let mut packed = crate::packed::Coder::unpacker(include_bytes!("hangul.bin"));
    let text = crate::packed::cells::Cells::unused().code(&mut packed, LAYOUT, "");
    text.chars().filter(|syllable| *syllable != '\n').map(|syllable| syllable as u16).collect()
});

/// All of the table: 52 rows.
#[cfg(any(
    all(test, feature = "alloc"),
    all(target_arch = "wasm32", target_os = "unknown", feature = "std")
))]
const LAYOUT: crate::packed::cells::Layout = crate::packed::cells::Layout::new((0, 51), (0, 127));

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
pub(crate) fn to_1_1(point: u32) -> Option<u32> {
    to_1_1_in(&NEW, point)
}

/// Whether Unicode 1.1 has a number for a code point of today.
pub(crate) const fn is_in_1_1(point: u32) -> bool {
    to_1_1_in(&hangul_table::NEW, point).is_some()
}

const fn to_1_1_in(new: &[u16], point: u32) -> Option<u32> {
    match point {
        OLD_FIRST..=OLD_LAST => None,
        0xAC00..=0xD7A3 => {
            let mut run = 0;
            while run + 1 < RUNS.len() {
                if let Some(at) = find(new, point as u16, RUNS[run], RUNS[run + 1]) {
                    return Some(OLD_FIRST + at as u32);
                }
                run += 1;
            }
            None
        }
        _ => Some(point),
    }
}

/// Binary search in `new[from..to]`, which is in ascending order.
const fn find(new: &[u16], syllable: u16, mut from: usize, mut to: usize) -> Option<usize> {
    while from < to {
        let middle = from + (to - from) / 2;
        if new[middle] == syllable {
            return Some(middle);
        }
        if new[middle] < syllable {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    None
}

const fn runs() -> [usize; 7] {
    const TABLE: [u16; 6656] = hangul_table::NEW;
    let mut runs = [TABLE.len(); 7];
    runs[0] = 0;
    let (mut run, mut at) = (1, 1);
    while at < TABLE.len() {
        if TABLE[at] < TABLE[at - 1] {
            runs[run] = at;
            run += 1;
        }
        at += 1;
    }
    runs
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    extern crate std;

    use std::string::String;

    use super::*;
    use crate::packed::Coder;
    use crate::packed::cells::Cells;

    /// `cargo xtask pages packed-hangul` writes it.
    #[test]
    fn the_table_is_packed() {
        let mut text = String::new();
        for row in NEW.chunks(128) {
            text.extend(row.iter().map(|syllable| char::from_u32((*syllable).into()).unwrap()));
            text.push('\n');
        }
        let mut packer = Coder::packer();
        Cells::unused().code(&mut packer, LAYOUT, &text);
        let packed = packer.finish();
        let mut unpacker = Coder::unpacker(&packed);
        assert_eq!(Cells::unused().code(&mut unpacker, LAYOUT, ""), text);
        utfall_page::compare_bytes("crates/utfall/src/repertoire/hangul.bin", &packed);
    }
}
