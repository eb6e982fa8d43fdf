//! The texts to convert: the corpora in every charset, and the damage done to them.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use super::convert;

/// Bytes used of a corpus: enough for more than one block of glibc's.
const LONGEST: usize = 40_000;

/// The damage done to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    None,
    /// The end is cut off.
    Truncated,
    /// One byte is changed.
    Flipped,
    /// An unpaired surrogate, in bytes of the charset.
    Surrogate,
    /// An inserted byte that begins a sequence, or never appears.
    Lead,
    /// Bytes are changed near the ends of blocks of 8160, 32,640 and 32,768 bytes.
    BlockEnds,
}

pub(crate) const DAMAGES: &[Damage] = &[
    Damage::None,
    Damage::Truncated,
    Damage::Flipped,
    Damage::Surrogate,
    Damage::Lead,
    Damage::BlockEnds,
];

impl Damage {
    pub(crate) fn apply(self, clean: &[u8], charset: &str, seed: usize) -> Vec<u8> {
        let mut text = clean.to_vec();
        if text.is_empty() {
            return text;
        }
        let at = seed.wrapping_mul(7919) % text.len();
        match self {
            Self::None => {}
            Self::Truncated => text.truncate(at),
            Self::Flipped => text[at] ^= 1 << (seed % 8),
            Self::Surrogate => {
                let (at, bytes): (usize, &[u8]) = match charset {
                    "UTF-16BE" | "UNICODEBIG" => (at & !1, b"\xD8\x3D"),
                    "UTF-16" | "UTF-16LE" | "UNICODE" | "UNICODELITTLE" | "UCS-2" => {
                        (at & !1, b"\x3D\xD8")
                    }
                    "UTF-32BE" | "UCS-4" => (at & !3, b"\0\0\xDC\0"),
                    "UTF-32" | "UTF-32LE" | "UCS-4LE" | "WCHAR_T" => (at & !3, b"\0\xDC\0\0"),
                    "UTF-7" => (at, b"+2D0-"),
                    "UTF-7-IMAP" => (at, b"&2D0-"),
                    _ => (at, b"\xED\xA0\xBD"),
                };
                text.splice(at..at, bytes.iter().copied());
            }
            Self::Lead => text.insert(at, [0xFF, 0xE3, 0x8F, 0xF5][seed % 4]),
            Self::BlockEnds => {
                for end in [8160, 32_640, 32_768] {
                    if let Some(byte) = text.get_mut(end - 1 - seed % 3) {
                        *byte ^= 0x80;
                    }
                }
            }
        }
        text
    }
}

/// The corpora, by their names.
pub(crate) fn corpora(root: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let folder = fs::read_dir(root.join("testdata/corpora")).map_err(|error| error.to_string())?;
    let mut corpora = Vec::new();
    for entry in folder {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let mut text = fs::read(&path).map_err(|error| error.to_string())?;
            text.truncate(LONGEST);
            // Not in the middle of a character.
            while text.last().is_some_and(|byte| *byte >= 0x80) {
                text.pop();
            }
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            corpora.push((name, text));
        }
    }
    corpora.sort();
    Ok(corpora)
}

/// The texts made so far.
pub(crate) type Cache = Mutex<HashMap<(usize, String), Arc<Vec<u8>>>>;

/// A corpus in a charset, without the characters that the charset lacks.
pub(crate) fn in_charset(
    cache: &Cache,
    corpus: &(String, Vec<u8>),
    number: usize,
    charset: &str,
) -> Arc<Vec<u8>> {
    let key = (number, charset.to_owned());
    if let Some(text) = cache.lock().ok().and_then(|cache| cache.get(&key).cloned()) {
        return text;
    }
    let made = convert(Command::new("iconv").args(["-c", "-f", "UTF-8", "-t", charset]), &corpus.1);
    let text = Arc::new(made.output);
    if let Ok(mut cache) = cache.lock() {
        cache.insert(key, Arc::clone(&text));
    }
    text
}
