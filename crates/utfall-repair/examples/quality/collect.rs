//! Collects the lines of each language.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use utfall_repair::Charset;

use crate::{languages, mo};

/// Longer lines are not lines that people write.
const LONG: usize = 4000;

/// 64-bit FNV-1a: the split must not depend on a library's version.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    let hash = bytes.iter().fold(0xCBF2_9CE4_8422_2325, mix);
    // The low bits of FNV alone are weak.
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16
}

#[derive(Default)]
struct Language {
    parts: [String; 2],
    seen: HashSet<u64>,
}

pub(crate) fn run(folder: &Path) -> io::Result<()> {
    let mut all: BTreeMap<String, Language> = BTreeMap::new();
    let root = folder.join("files");
    let mut packages: Vec<_> = fs::read_dir(&root)?.collect::<Result<_, _>>()?;
    packages.sort_by_key(fs::DirEntry::file_name);
    for package in packages {
        let name = package.file_name().to_string_lossy().into_owned();
        let mut files = Vec::new();
        walk(&package.path(), &mut files)?;
        files.sort();
        for path in files {
            let inner = path.strip_prefix(&package.path().display().to_string()).unwrap_or(&path);
            let bytes = fs::read(&path)?;
            let language = languages::of(&name, inner);
            let part = usize::from(hash(format!("{name}{inner}").as_bytes()).is_multiple_of(2));
            add(all.entry(language).or_default(), part, inner, &bytes, &path);
        }
    }
    for (part, name) in ["held-out", "tuning"].into_iter().enumerate() {
        let target = folder.join(name);
        fs::create_dir_all(&target)?;
        let mut lines = 0;
        for (language, found) in &all {
            lines += found.parts[part].lines().count();
            fs::write(target.join(format!("{language}.txt")), &found.parts[part])?;
        }
        println!("{name}: {lines} lines in {} languages", all.len());
    }
    Ok(())
}

fn walk(folder: &Path, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path().to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// Adds the lines of a file, each once per language, if they are not US-ASCII.
fn add(language: &mut Language, part: usize, inner: &str, bytes: &[u8], path: &str) {
    let mut put = |line: &str| {
        // A mark is no text, and not at the start of a file here.
        let line = line.trim_end_matches('\r').trim_start_matches('\u{FEFF}');
        if !line.is_ascii() && line.len() < LONG && language.seen.insert(hash(line.as_bytes())) {
            language.parts[part].push_str(line);
            language.parts[part].push('\n');
        }
    };
    if inner.ends_with(".mo") {
        let texts = mo::translations(bytes).unwrap_or_default();
        texts.iter().flat_map(|text| text.split(['\n', '\0'])).for_each(put);
        return;
    }
    let extension = inner.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    let decoded = match extension {
        // Affix flags are no text.
        Some((_, "dic")) => dictionary(bytes, path),
        Some((_, "aff" | "dat" | "pyc" | "css" | "js" | "gmo")) => None,
        _ => std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')).map(str::to_owned),
    };
    decoded.iter().flat_map(|text| text.split('\n')).for_each(&mut put);
}

/// The words of a hunspell dictionary, in the encoding that its affix file names.
fn dictionary(bytes: &[u8], path: &str) -> Option<String> {
    let affixes = fs::read(path.replace(".dic", ".aff")).ok()?;
    let affixes = String::from_utf8_lossy(&affixes);
    let label = affixes
        .lines()
        .find_map(|line| line.trim_start_matches('\u{FEFF}').strip_prefix("SET "))?;
    let text = match label.trim() {
        "UTF-8" => String::from_utf8(bytes.to_vec()).ok()?,
        // The web's windows-1254 has the characters of ISO-8859-9.
        label => {
            let label = label.replace("ISO8859-9", "windows-1254").replace("ISO8859", "ISO-8859");
            let charset = Charset::from_name(&label.replace("microsoft-cp", "windows-"))?;
            bytes.iter().map(|byte| charset.decode(*byte)).collect::<Option<String>>()?
        }
    };
    let words = text.lines().map(|line| line.split(['/', '\t']).next().unwrap_or_default());
    Some(words.collect::<Vec<_>>().join("\n"))
}
