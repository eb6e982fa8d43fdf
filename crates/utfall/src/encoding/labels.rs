//! Encodings by their labels: a hash table that is made at compile time.

use super::Encoding;
#[cfg(feature = "legacy")]
use crate::Origin;

/// More letters and digits than the longest label has.
const LONGEST: usize = 64;

/// More than twice as many slots as there are labels, so that a search takes one or two steps.
const SLOTS: usize = 4096;

/// The labels by the hash of their letters and digits. A label that is not in its slot is in one of the next
/// ones, before the first that is empty. If two encodings had a label, the first would come first.
static TABLE: [Slot; SLOTS] = {
    let mut table = [Slot::EMPTY; SLOTS];
    let mut encoding = 0;
    while encoding < Encoding::ALL.len() {
        let labels = 1 + Encoding::ALL[encoding].info().aliases.len();
        let mut number = 0;
        while number < labels {
            let label = Slot { encoding: encoding as u16, number: number as u8, mark: 0 }.label();
            let hash = match Folded::new(label.as_bytes()) {
                Some(folded) => folded.hash,
                None => panic!("a label is too long, or not ASCII"),
            };
            let mut at = hash as usize % SLOTS;
            while !table[at].is_empty() {
                at = (at + 1) % SLOTS;
            }
            table[at] =
                Slot { encoding: encoding as u16, number: number as u8, mark: mark_of(hash) };
            number += 1;
        }
        encoding += 1;
    }
    table
};

/// A label of an encoding.
#[derive(Clone, Copy)]
struct Slot {
    /// The index in [`Encoding::ALL`].
    encoding: u16,
    /// 0 for the name, otherwise the number of the alias from 1.
    number: u8,
    /// Bits of the hash, to skip most other labels.
    mark: u8,
}

impl Slot {
    const EMPTY: Self = Self { encoding: u16::MAX, number: 0, mark: 0 };

    const fn is_empty(self) -> bool {
        self.encoding == u16::MAX
    }

    const fn encoding(self) -> Encoding {
        Encoding::ALL[self.encoding as usize]
    }

    const fn label(self) -> &'static str {
        let info = self.encoding().info();
        match self.number {
            0 => info.name,
            number => info.aliases[number as usize - 1],
        }
    }
}

const fn mark_of(hash: u32) -> u8 {
    (hash >> 24) as u8
}

/// The letters and digits of a label in lower case, without leading zeros of numbers.
struct Folded {
    bytes: [u8; LONGEST],
    length: usize,
    hash: u32,
}

impl Folded {
    /// `None` if the label is too long, or not ASCII.
    const fn new(label: &[u8]) -> Option<Self> {
        let mut this = Self { bytes: [0; LONGEST], length: 0, hash: 0x811C_9DC5 };
        let (mut follows_digit, mut at) = (false, 0);
        while at < label.len() {
            let byte = label[at];
            at += 1;
            if !byte.is_ascii_alphanumeric() {
                if !byte.is_ascii() {
                    return None;
                }
                continue;
            }
            if byte == b'0' && !follows_digit && at < label.len() && label[at].is_ascii_digit() {
                continue;
            }
            follows_digit = byte.is_ascii_digit();
            if this.length == LONGEST {
                return None;
            }
            let byte = byte.to_ascii_lowercase();
            this.bytes[this.length] = byte;
            this.length += 1;
            // FNV-1a.
            this.hash = (this.hash ^ byte as u32).wrapping_mul(0x0100_0193);
        }
        this.hash ^= this.hash >> 15;
        Some(this)
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// The encoding with this label.
pub(super) fn find(label: &[u8]) -> Option<Encoding> {
    let wanted = Folded::new(label)?;
    let mut at = wanted.hash as usize % SLOTS;
    loop {
        let slot = TABLE[at];
        if slot.is_empty() {
            return None;
        }
        if slot.mark == mark_of(wanted.hash) {
            let known = slot.label().as_bytes();
            let is_it = || Folded::new(known).is_some_and(|f| f.as_slice() == wanted.as_slice());
            if known.eq_ignore_ascii_case(label) || is_it() {
                return Some(slot.encoding());
            }
        }
        at = (at + 1) % SLOTS;
    }
}

/// The encoding with this label on the web.
#[cfg(feature = "legacy")]
pub(super) fn find_whatwg(label: &[u8]) -> Option<Encoding> {
    let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ');
    let start = label.iter().position(|byte| !is_space(byte))?;
    let end = label.iter().rposition(|byte| !is_space(byte))?;
    let label = &label[start..=end];
    let mut buffer = [0; LONGEST];
    let lower = buffer.get_mut(..label.len())?;
    lower.copy_from_slice(label);
    lower.make_ascii_lowercase();
    if let Some(encoding) = only_whatwg(lower) {
        return Some(encoding);
    }
    // The other labels of the web are those of its encodings here, letter for letter.
    let found = find(lower)?;
    let info = found.info();
    let is_known = core::iter::once(info.name)
        .chain(info.aliases.iter().copied())
        .any(|known| known.as_bytes().eq_ignore_ascii_case(lower));
    (is_known && info.origin == Origin::Whatwg).then_some(found)
}

/// Labels of WHATWG Encoding §4.2 that mean something else here, or nothing; in lower case.
#[cfg(feature = "legacy")]
fn only_whatwg(label: &[u8]) -> Option<Encoding> {
    Some(match label {
        b"unicode-1-1-utf-8" | b"unicode11utf8" | b"unicode20utf8" | b"utf-8" | b"utf8"
        | b"x-unicode20utf8" => Encoding::Utf8,
        b"ansi_x3.4-1968" | b"ascii" | b"cp819" | b"csisolatin1" | b"ibm819" | b"iso-8859-1"
        | b"iso-ir-100" | b"iso8859-1" | b"iso88591" | b"iso_8859-1" | b"iso_8859-1:1987"
        | b"l1" | b"latin1" | b"us-ascii" => Encoding::Windows1252,
        b"csunicode" | b"iso-10646-ucs-2" | b"ucs-2" | b"unicode" | b"unicodefeff" | b"utf-16"
        | b"utf-16le" => Encoding::Utf16Le,
        b"unicodefffe" | b"utf-16be" => Encoding::Utf16Be,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::format;
    use std::string::String;
    use std::vec::Vec;

    use super::*;

    fn labels() -> impl Iterator<Item = (Encoding, &'static str)> {
        Encoding::ALL.iter().flat_map(|encoding| {
            let info = encoding.info();
            let labels = core::iter::once(info.name).chain(info.aliases.iter().copied());
            labels.map(|label| (*encoding, label))
        })
    }

    /// Other ways to write a label.
    fn variants(label: &str) -> Vec<String> {
        // Whether a zero leads a number may depend on what is between the digits.
        let is_between = |c: char| !c.is_ascii_alphanumeric() && !label.contains('0');
        let bare = label.replace(is_between, "");
        [label, &label.to_uppercase(), &label.to_lowercase(), &format!("_{label}-"), &bare]
            .map(String::from)
            .into()
    }

    #[test]
    fn every_label_is_found_however_it_is_written() {
        for (encoding, label) in labels() {
            for variant in variants(label) {
                assert_eq!(find(variant.as_bytes()), Some(encoding), "{variant}");
            }
            for other in [format!("{label}x"), format!("{label}é"), label.repeat(9)] {
                let known = labels().any(|(_, known)| known.eq_ignore_ascii_case(&other));
                assert!(known || find(other.as_bytes()).is_none(), "{other}");
            }
        }
        for zeros in ["utf-07", "UTF 0016le", "iso-08859-2"] {
            assert!(find(zeros.as_bytes()).is_some(), "{zeros}");
        }
        for nothing in ["", "-", " ", "_:_", "é"] {
            assert_eq!(find(nothing.as_bytes()), None, "{nothing:?}");
        }
    }

    #[test]
    fn encodings_are_found_by_their_numbers() {
        for encoding in Encoding::ALL {
            assert_eq!(Encoding::try_from(*encoding as u16), Ok(*encoding));
        }
        assert!(Encoding::ALL.is_sorted());
        assert!(Encoding::try_from(199).is_err() && Encoding::try_from(u16::MAX).is_err());
    }

    /// A search ends after a few steps.
    #[test]
    fn no_label_is_far_from_its_slot() {
        let count = labels().count();
        assert!(2 * count < SLOTS, "{count} labels");
        let mut run = 0;
        for slot in TABLE {
            run = if slot.is_empty() { 0 } else { run + 1 };
            assert!(run < 16, "{run} slots in a row");
        }
    }

    #[test]
    #[cfg(feature = "legacy")]
    fn labels_of_the_web_are_those_of_encoding_rs() {
        let others = [
            "unicode-1-1-utf-8",
            "unicode11utf8",
            "unicode20utf8",
            "x-unicode20utf8",
            "ascii",
            "ansi_x3.4-1968",
            "cp819",
            "csisolatin1",
            "ibm819",
            "iso8859-1",
            "iso88591",
            "iso-ir-100",
            "iso_8859-1",
            "iso_8859-1:1987",
            "l1",
            "latin1",
            "us-ascii",
            "csunicode",
            "ucs-2",
            "iso-10646-ucs-2",
            "unicode",
            "unicodefeff",
            "unicodefffe",
            "utf-16",
        ];
        let known = labels().map(|(_, label)| label).chain(others);
        let mut found = 0;
        for label in known.flat_map(|label| {
            variants(label)
                .into_iter()
                .chain([format!("\t\n {label}\x0C\r"), format!("\x0B{label}")])
        }) {
            let theirs = encoding_rs::Encoding::for_label(label.as_bytes());
            let ours = find_whatwg(label.as_bytes());
            let theirs = theirs.map(|theirs| theirs.name().to_lowercase());
            assert_eq!(ours.map(|ours| ours.name().to_lowercase()), theirs, "{label:?}");
            found += usize::from(ours.is_some());
        }
        assert!(found > 600, "{found}");
    }
}
