//! Counts the letter pairs of each language in the training part, and writes them as costs.
//!
//! `tables.rs` lists the languages and their letters. `tables.bin` has a square of bytes for each: the
//! cost of a class of characters after another, in sixteenths of a bit.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use utfall::Encoding;

/// Languages, by script. The first two letters of a script's name are used in the tables.
const LANGUAGES: &[(&str, &[&str])] = &[
    (
        "Latin",
        &[
            "en", "de", "fr", "es", "pt", "it", "nl", "ca", "gl", "eu", "ga", "cy", "sq", "da",
            "sv", "no", "nn", "fi", "is", "cs", "sk", "pl", "hu", "sl", "hr", "bs", "ro",
            "sr-latn", "et", "lt", "lv", "tr", "az", "eo", "mt", "se", "gd", "br", "oc", "vi",
            "vi-tones", "vi-1258",
        ],
    ),
    ("Cyrillic", &["ru", "bg", "mk", "sr", "uk", "be", "kk", "tg"]),
    ("Greek", &["el"]),
    ("Hebrew", &["he"]),
    ("Arabic", &["ar", "fa"]),
    ("Thai", &["th"]),
];
/// Languages with ideographs.
const IDEOGRAPHS: [&str; 3] = ["zh-hans", "zh-hant", "ja"];
/// A character is in a level for each of these costs in bits that it stays below.
const LEVELS: [f64; 3] = [14.5, 11.5, 9.0];
/// A letter is part of the alphabet if it is at least one of this many.
const RARE: u64 = 20_000;
/// Cost of a letter outside the alphabet, in sixteenths of a bit.
const FOREIGN: u8 = 15 * 16;
/// Languages with less text, in bytes, have no table.
const LEAST: usize = 5_000;

pub(crate) fn write(folder: &Path, target: &Path) -> io::Result<()> {
    let (mut rows, mut tables) = (String::new(), Vec::new());
    for (script, languages) in LANGUAGES {
        for language in *languages {
            let name = language.split_once('-').filter(|(name, _)| *name == "vi");
            let name = name.map_or(*language, |(name, _)| name);
            let path = folder.join("training").join(format!("{name}.txt"));
            let text = fs::read_to_string(&path).unwrap_or_default();
            if text.len() < LEAST {
                println!("skipped {language}: {} has {} bytes", path.display(), text.len());
                continue;
            }
            let text: String = match *language {
                "vi-tones" => text.chars().flat_map(tones).collect(),
                "vi-1258" => text.chars().flat_map(tones_of_1258).collect(),
                _ => text,
            };
            let (letters, costs) = table(&text, script);
            let side = costs.len().isqrt();
            println!("{language}: {} letters, {} bytes of text", side, text.len());
            writeln!(
                rows,
                "    Table {{ language: {name:?}, script: Script::{script}, letters: &{letters:?}, \
                 side: {side}, start: {} }},",
                tables.len()
            )
            .map_err(io::Error::other)?;
            tables.extend(costs);
        }
    }
    let source = format!(
        "//! The languages and their letters; `tables.bin` has the costs. Written by `cargo xtask \
         detect-quality --train`.\n\nuse super::{{Script, Table}};\n\n\
         /// The tables, in the order of `COSTS`.\n#[rustfmt::skip]\n\
         pub(super) static TABLES: &[Table] = &[\n{rows}];\n\n\
         /// The squares of all tables.\npub(super) static COSTS: &[u8; {}] = \
         include_bytes!(\"tables.bin\");\n",
        tables.len()
    );
    let (ideographs, syllables) = (levels(folder, &IDEOGRAPHS)?, levels(folder, &["ko"])?);
    println!(
        "{} bytes of letter pairs, {} of ideographs, {} of syllables",
        tables.len(),
        ideographs.len(),
        syllables.len()
    );
    let source_folder = target.join("src");
    let target = source_folder.join("language");
    fs::create_dir_all(&target)?;
    let frequent = source_folder.join("frequent");
    fs::create_dir_all(&frequent)?;
    fs::write(frequent.join("ideographs.bin"), ideographs)?;
    fs::write(frequent.join("syllables.bin"), syllables)?;
    fs::write(target.join("tables.bin"), tables)?;
    fs::write(target.join("tables.rs"), source)
}

/// How frequent each ideograph from U+4E00 is, or each syllable from U+AC00 for a single language:
/// two bits for each language, four of them in a byte.
fn levels(folder: &Path, languages: &[&str]) -> io::Result<Vec<u8>> {
    let (first, last) = if languages.len() == 1 { (0xAC00, 0xD7A3) } else { (0x4E00, 0x9FFF) };
    let size = last - first + 1;
    let mut all = vec![[0_u8; 4]; size];
    for (at, language) in languages.iter().enumerate() {
        let text = fs::read_to_string(folder.join("training").join(format!("{language}.txt")))?;
        let mut counts = vec![0_u32; size];
        let places = text.chars().filter_map(|scalar| (scalar as usize).checked_sub(first));
        places.filter(|place| *place < size).for_each(|place| counts[place] += 1);
        let sum: f64 = counts.iter().copied().map(f64::from).sum();
        for ((levels, count), scalar) in all.iter_mut().zip(counts).zip(first as u32..) {
            let bits = -(f64::from(count) / sum).log2();
            let is_common =
                char::from_u32(scalar).is_some_and(|scalar| is_common(language, scalar));
            let level = LEVELS.iter().filter(|most| bits < **most).count() as u8;
            levels[at] = level.max(u8::from(is_common));
        }
    }
    let packed = |levels: &[u8]| {
        levels.iter().enumerate().fold(0, |byte, (at, level)| byte | level << (2 * at))
    };
    Ok(match languages.len() {
        1 => {
            let flat: Vec<u8> = all.iter().map(|levels| levels[0]).collect();
            flat.chunks(4).map(packed).collect()
        }
        _ => all.iter().map(|levels| packed(levels)).collect(),
    })
}

/// The charset and the last lead byte of the ideographs that its authors chose as the most common
/// ones. Those that the training text lacks are still likelier than the rest.
fn common(language: &str) -> (Encoding, u8) {
    match language {
        "zh-hans" => (Encoding::Gbk, 0xD7),
        "zh-hant" => (Encoding::Big5, 0xC6),
        "ja" => (Encoding::EucJp, 0xCF),
        _ => (Encoding::EucKr, 0xFE),
    }
}

fn is_common(language: &str, scalar: char) -> bool {
    let (charset, last) = common(language);
    let bytes = charset.encode(scalar.encode_utf8(&mut [0; 4])).map(|bytes| bytes.into_owned());
    match bytes.as_deref() {
        // GBK and the extended EUC-KR have other characters outside of the square of 94 rows.
        Ok([lead, trail]) if charset != Encoding::Big5 => {
            (0xB0..=last).contains(lead) && *trail >= 0xA1
        }
        Ok([lead, _]) => (0xA4..=last).contains(lead),
        _ => false,
    }
}

/// The tones as glibc writes windows-1258: the charset has some vowels with their tones.
fn tones_of_1258(scalar: char) -> Vec<char> {
    let mut bytes = [0; 4];
    let is_whole = Encoding::Windows1258.encode(scalar.encode_utf8(&mut bytes)).is_ok();
    if is_whole { vec![scalar] } else { tones(scalar) }
}

fn tones(scalar: char) -> Vec<char> {
    match crate::cases::with_tone(scalar) {
        Some((base, tone)) => vec![base, tone],
        None => vec![scalar],
    }
}

/// Whether a character belongs to words of the script.
fn is_of(script: &str, scalar: char) -> bool {
    match script {
        "Latin" => {
            matches!(scalar, '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' | '\u{300}'..='\u{36F}')
                && !matches!(scalar, '×' | '÷')
        }
        "Cyrillic" => matches!(scalar, '\u{400}'..='\u{52F}'),
        "Greek" => matches!(scalar, '\u{370}'..='\u{3FF}'),
        "Hebrew" => matches!(scalar, '\u{591}'..='\u{5F4}'),
        "Arabic" => matches!(scalar, '\u{620}'..='\u{65F}' | '\u{66E}'..='\u{6D3}'),
        _ => matches!(scalar, '\u{E01}'..='\u{E3A}' | '\u{E40}'..='\u{E4E}'),
    }
}

/// The letters of the alphabet, and the costs of each class after each. The classes are: no letter;
/// a letter of US-ASCII, or each of them for Latin script; the letters; other letters.
fn table(text: &str, script: &str) -> (Vec<char>, Vec<u8>) {
    let small = |scalar: char| match scalar {
        'ș' | 'Ș' => 'ş',
        'ț' | 'Ț' => 'ţ',
        'İ' => 'i',
        _ => scalar.to_lowercase().next().unwrap_or(scalar),
    };
    let mut counts: BTreeMap<char, u64> = BTreeMap::new();
    for scalar in text.chars().map(small).filter(|scalar| is_of(script, *scalar)) {
        *counts.entry(scalar).or_default() += 1;
    }
    let all: u64 = match script {
        "Latin" => text.chars().filter(|scalar| scalar.is_alphabetic()).count() as u64,
        _ => counts.values().sum(),
    };
    counts.retain(|_, count| *count * RARE > all);
    let letters: Vec<char> = counts.into_keys().collect();
    let ascii = if script == "Latin" { 26 } else { 1 };
    let side = 1 + ascii + letters.len() + 1;
    let class = |scalar: char| {
        let scalar = small(scalar);
        match letters.binary_search(&scalar) {
            Ok(at) => 1 + ascii + at,
            Err(_) if scalar.is_ascii_lowercase() => {
                1 + if ascii == 1 { 0 } else { usize::from(scalar as u8 - b'a') }
            }
            Err(_) if scalar.is_alphabetic() || is_of(script, scalar) => side - 1,
            Err(_) => 0,
        }
    };
    let (mut pairs, mut single) = (vec![0.0_f64; side * side], vec![0.0_f64; side]);
    let mut before = 0;
    for scalar in text.chars() {
        let now = class(scalar);
        // Runs of symbols say nothing about words.
        if before > 0 || now > 0 {
            pairs[before * side + now] += 1.0;
            single[now] += 1.0;
        }
        before = now;
    }
    let sum: f64 = single.iter().sum();
    let mut costs = vec![0; side * side];
    for before in 0..side {
        let row = &pairs[before * side..][..side];
        let of_row: f64 = row.iter().sum();
        // A class that never occurs counts as half an occurrence.
        let weight = 6.0;
        for now in 0..side {
            let alone = (single[now] + 0.5) / (sum + 0.5 * side as f64);
            let chance = (row[now] + weight * alone) / (of_row + weight);
            let cost = (-chance.log2() * 16.0).round().min(255.0) as u8;
            // Words of other scripts occur, but each of their letters is as unlikely as the first.
            costs[before * side + now] = if now == side - 1 { FOREIGN } else { cost };
        }
    }
    (letters, costs)
}
