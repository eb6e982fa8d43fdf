//! The names of Unicode, in a text that takes a third of a table for binary search. Modules of
//! WebAssembly have it packed.
//!
//! Each line of `names.txt` names the next code point. It begins with the number of words that the
//! name shares with the name before it, as a digit or a character after `9`; the other words
//! follow. `*` is the code point in hexadecimal. A line `=N` repeats the name for N more code
//! points. `!C` goes to the code point C, and the next line shares nothing, so that reading can
//! begin there.
//!
//! Names of Hangul syllables are composed (The Unicode Standard §3.12).

use std::sync::OnceLock;

/// `tests/it/names.rs` writes it.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
fn list() -> &'static str {
    include_str!("names.txt")
}

/// The list from its packed form.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
fn list() -> &'static str {
    let mut unpacker = utfall::packed::Coder::unpacker(include_bytes!("names.bin"));
    packed::code(&mut unpacker, "").leak()
}

#[cfg(any(test, all(target_arch = "wasm32", target_os = "unknown")))]
#[path = "packed.rs"]
mod packed;

/// The names after a line `!C`, parsed on first use: a text has characters of few blocks.
struct Block {
    first: u32,
    text: &'static str,
    names: OnceLock<Vec<Name>>,
}

struct Name {
    /// The first code point with this name.
    first: u32,
    /// The code point after the last one.
    end: u32,
    name: Box<str>,
}

/// The name of a code point. `None` for controls, and for code points without a name.
pub(super) fn name(point: u32) -> Option<String> {
    if let Some(syllable) = hangul(point) {
        return Some(syllable);
    }
    static BLOCKS: OnceLock<Vec<Block>> = OnceLock::new();
    let blocks = BLOCKS.get_or_init(blocks);
    let after = blocks.partition_point(|block| block.first <= point);
    let block = blocks.get(after.checked_sub(1)?)?;
    let names = block.names.get_or_init(|| names(block.first, block.text));
    let after = names.partition_point(|name| name.first <= point);
    let Name { end, name, .. } = names.get(after.checked_sub(1)?)?;
    if point >= *end {
        return None;
    }
    Some(match name.strip_suffix('*') {
        Some(head) => format!("{head}{point:04X}"),
        None => name.to_string(),
    })
}

fn blocks() -> Vec<Block> {
    let blocks = list().split('!').filter_map(|block| {
        let (digits, text) = block.split_once('\n')?;
        let first = u32::from_str_radix(digits.trim_end(), 16).ok()?;
        Some(Block { first, text, names: OnceLock::new() })
    });
    blocks.collect()
}

/// The names of a block.
fn names(first: u32, text: &str) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let mut next = first;
    for line in text.lines() {
        let Some((sign, rest)) = line.split_at_checked(1) else { continue };
        if sign == "=" {
            next += u32::from_str_radix(rest, 16).unwrap_or(0);
            if let Some(last) = names.last_mut() {
                last.end = next;
            }
            continue;
        }
        let shared = usize::from(sign.as_bytes()[0] - b'0');
        let last = names.last().map_or("", |last| &last.name);
        let mut words: Vec<_> = last.split(' ').take(shared).collect();
        if !rest.is_empty() {
            words.push(rest);
        }
        names.push(Name { first: next, end: next + 1, name: words.join(" ").into() });
        next += 1;
    }
    names
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

#[cfg(test)]
mod tests {
    use utfall::packed::Coder;

    use super::*;

    /// `cargo xtask pages packed-names` writes the packed list.
    #[test]
    fn the_list_is_packed() {
        let mut packer = Coder::packer();
        packed::code(&mut packer, list());
        let packed = packer.finish();
        assert!(packed::code(&mut Coder::unpacker(&packed), "") == list());
        utfall_page::compare_bytes("crates/utfall-bind/src/name/names.bin", &packed);
    }
}
