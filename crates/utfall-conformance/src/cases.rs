//! The inputs for all peers.

use std::fs;
use std::path::Path;

use utfall::{Encoding, Options, Policy, transcode};
use utfall_oracle::vectors;

use crate::answer::{Input, bytes};
use crate::labels::{is_legacy, is_multi_byte};

/// Makes the inputs.
pub(crate) struct Cases {
    corpora: Vec<String>,
    vectors: Vec<vectors::Case>,
    /// Takes one in this many of the generated inputs; vectors are all used.
    every: usize,
}

impl Cases {
    pub(crate) fn new(root: &Path, every: usize) -> Result<Self, String> {
        let folder = root.join("testdata/corpora");
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
        paths.sort();
        let read = |path: &_| fs::read_to_string(path).map_err(|error| error.to_string());
        let corpora = paths.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Self { corpora, vectors: vectors::cases(), every })
    }

    /// Bytes to be decoded, short ones first, without duplicates.
    pub(crate) fn bytes(&self, encoding: Encoding) -> Vec<Input> {
        let mut made = Vec::new();
        let mut kept = Vec::new();
        // The codes of charsets with tables are learned from these.
        let codes = if is_multi_byte(encoding) { &mut kept } else { &mut made };
        let stateless = is_legacy(encoding) && !is_multi_byte(encoding);
        sequences(&byte_tokens(0..=255), if stateless { 1 } else { 2 }, codes);
        let (tokens, most) = tokens(encoding);
        sequences(&tokens, most, &mut made);
        if let Some(alphabet) = alphabet(encoding) {
            random(alphabet, 300_000, &mut made);
        }
        if encoding == Encoding::Gb18030 {
            four_bytes(&mut made);
        }
        let rows = (0xA1..=0xFE).flat_map(|row| (0xA1..=0xFE).map(move |cell| [row, cell]));
        match encoding {
            Encoding::EucJp => kept.extend(rows.map(|[row, cell]| vec![0x8F, row, cell])),
            Encoding::Iso2022Jp => {
                kept.extend(
                    rows.map(|[row, cell]| vec![0x1B, b'$', b'B', row & 0x7F, cell & 0x7F]),
                );
                kept.extend((0x21..=0x7E).map(|byte| vec![0x1B, b'(', b'J', byte]));
            }
            _ => {}
        }
        sequences(&byte_tokens(0..=255), 1, &mut kept);
        kept.extend(made.into_iter().step_by(self.every));
        kept.extend(self.texts(encoding));
        let named = |case: &&vectors::Case| Encoding::for_label(&case.encoding) == Some(encoding);
        let decoded = self.vectors.iter().filter(named).filter(|case| case.direction == "decode");
        kept.extend(decoded.map(|case| vectors::bytes(&case.input)));
        kept.sort_unstable_by(|one, two| (one.len(), one).cmp(&(two.len(), two)));
        kept.dedup();
        kept
    }

    /// Code points to be encoded, in UTF-32LE.
    pub(crate) fn points(&self, encoding: Encoding) -> Vec<Input> {
        let ranges: &[_] = if !is_legacy(encoding) {
            &[0..=0x10FFFF]
        } else if is_multi_byte(encoding) {
            &[0..=0xFFFF, 0x20000..=0x2FFFF, 0xF0000..=0xF00FF]
        } else {
            &[0..=0xFFFF, 0x1F600..=0x1F6FF]
        };
        let single = ranges.iter().cloned().flatten().step_by(self.every);
        let mut kept: Vec<Input> = single.map(|point| bytes(&[point])).collect();
        // Characters with different codes must be known before whole lines are encoded.
        let corpora = if is_legacy(encoding) && self.every > 1 { &[] } else { &self.corpora[..] };
        for corpus in corpora {
            let lines = corpus.lines().filter(|line| !line.is_empty());
            for line in lines.step_by(self.every) {
                kept.push(bytes(&line.chars().take(80).map(u32::from).collect::<Vec<_>>()));
            }
        }
        kept
    }

    /// A piece of each corpus in this encoding, complete, cut off, and damaged.
    fn texts(&self, encoding: Encoding) -> Vec<Input> {
        let options = Options::default().with_on_unencodable(Policy::Skip);
        let mut made = Vec::new();
        let mut random = Random(0x5EED_0007);
        for corpus in &self.corpora {
            let text: String = corpus.chars().skip(500).take(300).collect();
            let Ok(whole) = transcode(Encoding::Utf8, encoding, text.as_bytes(), options) else {
                continue;
            };
            made.extend((0..40).map(|cut| whole[..whole.len().saturating_sub(cut)].to_vec()));
            for _ in 0..(2000 / self.every).max(40) {
                let mut damaged = whole.to_vec();
                for _ in 0..=random.below(3) {
                    let at = random.below(damaged.len().max(1)).min(damaged.len());
                    let byte = random.below(256) as u8;
                    match random.below(3) {
                        0 => damaged.insert(at, byte),
                        _ if at == damaged.len() => {}
                        1 => damaged[at] = byte,
                        _ => drop(damaged.remove(at)),
                    }
                }
                made.push(damaged);
            }
        }
        made
    }
}

/// Building blocks for text of this encoding, at the edges of its classes, and how many of them to
/// combine.
fn tokens(encoding: Encoding) -> (Vec<Vec<u8>>, usize) {
    use Encoding::*;
    const UNITS: &[u16] = &[
        0, 0x41, 0xFF, 0x20AC, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFDD0, 0xFEFF,
        0xFFFD, 0xFFFE, 0xFFFF,
    ];
    const POINTS: &[u32] = &[
        0,
        0x41,
        0xD7FF,
        0xD800,
        0xDBFF,
        0xDC00,
        0xDFFF,
        0xE000,
        0xFEFF,
        0xFFFE,
        0xFFFF,
        0x10000,
        0x10FFFF,
        0x110000,
        0xFF_FFFF,
        0x7FFF_FFFF,
        0x8000_0000,
        0xFFFE_0000,
        0xFFFF_FFFF,
    ];
    let odd = [vec![0x41], vec![0xD8], vec![0xDC, 0, 0]];
    let units = |to: fn(u16) -> [u8; 2]| {
        UNITS.iter().map(|unit| to(*unit).to_vec()).chain(odd.clone()).collect::<Vec<_>>()
    };
    let points = |to: fn(u32) -> [u8; 4]| {
        POINTS.iter().map(|point| to(*point).to_vec()).chain(odd.clone()).collect::<Vec<_>>()
    };
    match encoding {
        Utf8 | Utf8Perl => (
            byte_tokens([
                0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBB, 0xBF, 0xC0, 0xC1,
                0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7,
                0xF8, 0xFC, 0xFE, 0xFF,
            ]),
            4,
        ),
        Cesu8 => {
            let mut tokens = byte_tokens([
                0x00, 0x41, 0x7F, 0x80, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xED,
                0xEF, 0xF0, 0xF4, 0xFF,
            ]);
            tokens.extend([
                vec![0xED, 0xA0, 0x80],
                vec![0xED, 0xAF, 0xBF],
                vec![0xED, 0xB0, 0x80],
                vec![0xED, 0xBF, 0xBF],
            ]);
            (tokens, 4)
        }
        Utf16Le | Ucs2Le => (units(u16::to_le_bytes), 4),
        Utf16 | Utf16Be | Ucs2Be => (units(u16::to_be_bytes), 4),
        Utf32Le | Ucs4Le => (points(u32::to_le_bytes), 3),
        Utf32 | Utf32Be | Ucs4Be => (points(u32::to_be_bytes), 3),
        Utf7 => (byte_tokens(*b"+-AIKwg23D./~\\\n\x01\x80=,& "), 4),
        Utf7Imap => (byte_tokens(*b"&-AIKwg23D./~\\\n\x01\x80=,+ "), 4),
        Scsu => (
            byte_tokens([
                0x00, 0x01, 0x02, 0x08, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x18, 0x1F, 0x20, 0x41,
                0x68, 0x80, 0xA8, 0xD8, 0xDC, 0xE0, 0xE8, 0xF0, 0xF1, 0xF2, 0xF9, 0xFF,
            ]),
            4,
        ),
        Bocu1 => (
            byte_tokens([
                0x00, 0x01, 0x06, 0x07, 0x0F, 0x10, 0x19, 0x1A, 0x1B, 0x1F, 0x20, 0x21, 0x22, 0x24,
                0x25, 0x50, 0x7F, 0x90, 0xCF, 0xD0, 0xD3, 0xFA, 0xFB, 0xFD, 0xFE, 0xFF,
            ]),
            4,
        ),
        Iso2022Jp => {
            let mut tokens = byte_tokens(*b"\x1B$B@(JI!~A\\\x0E\x0F\x80\xA5");
            tokens.extend(
                [b"\x1B$B", b"\x1B$@", b"\x1B(B", b"\x1B(J", b"\x1B(I"].map(|o| o.to_vec()),
            );
            (tokens, 4)
        }
        _ if is_multi_byte(encoding) => (
            byte_tokens([
                0x00, 0x20, 0x2F, 0x30, 0x39, 0x3A, 0x40, 0x5C, 0x7E, 0x7F, 0x80, 0x81, 0x84, 0x88,
                0x8E, 0x8F, 0x90, 0xA0, 0xA1, 0xC7, 0xDF, 0xE3, 0xF0, 0xFC, 0xFE, 0xFF,
            ]),
            if encoding == Gb18030 { 4 } else { 3 },
        ),
        _ => (Vec::new(), 0),
    }
}

/// The alphabet for random text, where long sequences matter.
fn alphabet(encoding: Encoding) -> Option<&'static [u8]> {
    match encoding {
        Encoding::Utf7 => Some(b"+++---AAIKwg23DD3A.~\\\n\x01\x80=, +/9q"),
        Encoding::Utf7Imap => Some(b"&&&---AAIKwg23DD3A.~\\\n\x01\x80=, +/9q"),
        _ => None,
    }
}

fn byte_tokens(bytes: impl IntoIterator<Item = u8>) -> Vec<Vec<u8>> {
    bytes.into_iter().map(|byte| vec![byte]).collect()
}

/// All sequences of up to `most` tokens.
fn sequences(tokens: &[Vec<u8>], most: usize, made: &mut Vec<Input>) {
    let mut last = vec![Vec::new()];
    for _ in 0..most {
        let longer = |start: &Vec<u8>| {
            tokens.iter().map(|token| [&start[..], token].concat()).collect::<Vec<_>>()
        };
        last = last.iter().flat_map(longer).collect();
        made.extend(last.iter().cloned());
    }
    made.push(Vec::new());
}

/// Random text; every second one ends outside a run.
fn random(alphabet: &[u8], count: usize, made: &mut Vec<Input>) {
    let mut random = Random(0x5EED_000A);
    for round in 0..count {
        let length = 1 + random.below(14);
        let mut text: Input = (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect();
        if round % 2 == 0 {
            text.extend(b"-.");
        }
        made.push(text);
    }
}

/// Sequences of four bytes of GB 18030: one in 7, which covers every row and cell, and the edges.
fn four_bytes(made: &mut Vec<Input>) {
    let pointers = (0..126 * 10 * 126 * 10_u32).step_by(7);
    let edges =
        [0, 7457, 7458, 33570, 33571, 39393, 39419, 39420, 188_999, 189_000, 1_237_575, 1_237_576];
    for pointer in pointers.chain(edges) {
        made.push(vec![
            0x81 + (pointer / 12600) as u8,
            0x30 + (pointer / 1260 % 10) as u8,
            0x81 + (pointer / 10 % 126) as u8,
            0x30 + (pointer % 10) as u8,
        ]);
    }
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as usize % limit
    }
}
