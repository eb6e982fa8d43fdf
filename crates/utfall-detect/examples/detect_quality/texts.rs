//! Collects the text of each language from unpacked packages.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use crate::mo;

/// The packages, and the part that each belongs to.
const PACKAGES: &str = include_str!("packages.txt");
/// Longer lines are tables or generated.
const LONG: usize = 2000;
/// The most bytes of a language that a package adds to each part.
const MOST: [usize; 2] = [2_000_000, 150_000];

/// Languages that few packages are translated to.
const OF_CLDR: [&str; 6] = ["cy", "ga", "kk", "mt", "se", "tg"];

/// 64-bit FNV-1a, which does not depend on a library's version.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    let hash = bytes.iter().fold(0xCBF2_9CE4_8422_2325, mix);
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16
}

#[derive(Default)]
struct Language {
    /// The texts of the training part, and of the held-out part.
    parts: [String; 2],
    /// The bytes that the current package has added.
    of_package: usize,
    seen: HashSet<u64>,
}

/// Reads FOLDER/files/PACKAGE, and writes FOLDER/training/LANGUAGE.txt and
/// FOLDER/held-out/LANGUAGE.txt. A line that both parts have is in the training part only.
pub(crate) fn collect(folder: &Path) -> io::Result<()> {
    let mut all: BTreeMap<String, Language> = BTreeMap::new();
    for (part, name) in ["training", "held-out"].into_iter().enumerate() {
        let packages = PACKAGES.lines().filter_map(|line| line.split_once(' '));
        for (_, package) in packages.filter(|(of, _)| *of == name) {
            let root = folder.join("files").join(package);
            let mut files = Vec::new();
            walk(&root, &mut files)?;
            files.sort();
            all.values_mut().for_each(|language| language.of_package = 0);
            for path in files {
                let inner = path.strip_prefix(&*root.to_string_lossy()).unwrap_or(&path);
                let Some(language) = language(package, inner) else { continue };
                let bytes = fs::read(&path)?;
                if part == 0 && language == "de" && path.ends_with(".mo") {
                    let texts = mo::originals(&bytes).unwrap_or_default();
                    let lines = texts.into_iter().flat_map(|text| text.split(['\n', '\0']));
                    let lines: Vec<&str> = lines.collect();
                    put(all.entry("en".into()).or_default(), part, &lines, true);
                }
                add(all.entry(language).or_default(), part, &path, &bytes);
            }
        }
        let target = folder.join(name);
        fs::create_dir_all(&target)?;
        for (language, found) in &all {
            fs::write(target.join(format!("{language}.txt")), &found.parts[part])?;
        }
        let bytes: usize = all.values().map(|language| language.parts[part].len()).sum();
        println!("{name}: {bytes} bytes in {} languages", all.len());
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

/// The language of a file: a code such as `fr`, `sr-latn` or `zh-hant`.
fn language(package: &str, path: &str) -> Option<String> {
    const BEFORE: [&str; 9] =
        ["locale", "resource", "man", "help", "C", "doc", "html", "annotations", "main"];
    const PREFIXES: [&str; 7] = [
        "developers-reference-",
        "fortunes-",
        "libreoffice-l10n-",
        "manpages-",
        "aptitude-doc-",
        "debian-reference-",
        "debian-faq-",
    ];
    let parts: Vec<&str> = path.split('/').collect();
    let after = parts.windows(2).find(|pair| BEFORE.contains(&pair[0]) && is_code(pair[1]));
    let of_package = || PREFIXES.iter().find_map(|prefix| package.strip_prefix(prefix));
    let code = after.map(|pair| pair[1]).or_else(of_package).filter(|code| is_code(code))?;
    let base = code.split(['_', '-', '@', '.']).next().unwrap_or(code);
    // The names and words of CLDR are no sentences: they are for languages with little else.
    if package == "unicode-cldr-core" && !OF_CLDR.contains(&code.trim_end_matches(".xml")) {
        return None;
    }
    let is_latin = code.contains("atin") || code.contains("Latn");
    Some(match base {
        "nb" => "no".into(),
        "sr" | "uz" | "az" | "be" | "tt" if is_latin => format!("{base}-latn"),
        "zh" if ["TW", "HK", "tw", "Hant"].iter().any(|place| code.contains(place)) => {
            "zh-hant".into()
        }
        "zh" => "zh-hans".into(),
        base => base.to_owned(),
    })
}

fn is_code(text: &str) -> bool {
    let base = text.split(['_', '-', '@', '.']).next().unwrap_or_default();
    (2..=3).contains(&base.len()) && base.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Adds the lines of a file, each once per language.
fn add(language: &mut Language, part: usize, path: &str, bytes: &[u8]) {
    let lines: Vec<&str> = if path.ends_with(".mo") {
        let texts = mo::translations(bytes).unwrap_or_default();
        texts.into_iter().flat_map(|text| text.split(['\n', '\0'])).collect()
    } else {
        let is_markup = part == 0 && [".html", ".xml"].iter().any(|end| path.ends_with(end));
        if is_markup && let Ok(text) = std::str::from_utf8(bytes) {
            let text = without_tags(text);
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            put(language, part, &lines, false);
            return;
        }
        let is_code = [".js", ".css", ".py", ".dat", ".svg"].iter().any(|end| path.ends_with(end));
        match std::str::from_utf8(bytes) {
            Ok(text) if !is_code && !text.contains('\0') => text.split('\n').collect(),
            _ => Vec::new(),
        }
    };
    // In a file that is hardly translated, the lines of US-ASCII are English.
    let translated = lines.iter().filter(|line| !line.is_ascii()).count();
    put(language, part, &lines, translated * 5 > lines.len());
}

/// The text outside of tags, each element in a line of its own: the words of markup are English.
fn without_tags(text: &str) -> String {
    let outside = |part: &str| {
        let text = part.split_once('>').map_or(part, |(_, text)| text);
        text.replace(" | ", "\n").replace("&#160;", " ").replace("&nbsp;", " ")
    };
    text.split('<').map(outside).collect::<Vec<_>>().join("\n")
}

fn put(language: &mut Language, part: usize, lines: &[&str], with_ascii: bool) {
    for line in lines {
        let line = line.trim_end_matches('\r').trim_start_matches('\u{FEFF}');
        let is_text = line.len() > 2 && line.len() < LONG && (with_ascii || !line.is_ascii());
        let has_space = language.of_package < MOST[part];
        if is_text && has_space && language.seen.insert(hash(line.as_bytes())) {
            language.of_package += line.len();
            language.parts[part].push_str(line);
            language.parts[part].push('\n');
        }
    }
}
