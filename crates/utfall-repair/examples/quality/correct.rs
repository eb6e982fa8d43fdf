//! Correct text must not change.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use utfall_repair::{Options, repair_with};

use crate::collect::hash;

/// Hashes of lines that the packages themselves ship damaged, such as `PerÃº`. Each was found in
/// the list of changes and reviewed there.
const DAMAGED: &str = include_str!("damaged-lines.txt");

pub(crate) fn run(folder: &Path) -> io::Result<()> {
    let lenient = std::env::var("LEAST").ok().and_then(|least| least.parse().ok());
    let options = Options::default().with_min_confidence(lenient.unwrap_or(0.9));
    let known: HashSet<u64> =
        DAMAGED.lines().filter_map(|line| u64::from_str_radix(line, 16).ok()).collect();
    let is_damaged = |line: &str| known.contains(&hash(line.as_bytes()));
    let (mut lines, mut whole, mut alone, mut damaged) = (0, 0, 0, 0);
    for (language, text) in read(folder)? {
        let (mut of_whole, mut of_alone, mut count) = (0, 0, 0);
        let mut last = 0;
        for change in repair_with(text.as_bytes(), options).changes {
            let line = text.lines().nth(change.line as usize - 1);
            of_whole += usize::from(change.line != last && !line.is_some_and(is_damaged));
            last = change.line;
            show("file ", &language, line, &change);
        }
        for line in text.lines() {
            count += 1;
            let changes = repair_with(line.as_bytes(), options).changes;
            let is_changed = !changes.is_empty();
            of_alone += usize::from(is_changed && !is_damaged(line));
            damaged += usize::from(is_changed && is_damaged(line));
            for change in changes {
                show("alone", &language, Some(line), &change);
            }
        }
        println!("{language}\t{count} lines\t{of_whole} changed in the file\t{of_alone} alone");
        (lines, whole, alone) = (lines + count, whole + of_whole, alone + of_alone);
    }
    let per_million = |count: usize| count as f64 * 1e6 / lines as f64;
    println!(
        "{lines} lines; changed in files: {whole}, {:.2} in a million; each line alone: {alone}, {:.2} in a million",
        per_million(whole),
        per_million(alone)
    );
    println!("changed alone, and known to be damaged in their packages: {damaged} lines more");
    Ok(())
}

fn show(how: &str, language: &str, line: Option<&str>, change: &utfall_repair::Change) {
    let text = String::from_utf8_lossy;
    println!(
        "CHANGE {how} {:016x} {language} {:.6} {:?} -> {:?} ({}) in {:?}",
        hash(line.unwrap_or_default().as_bytes()),
        change.confidence,
        text(&change.before),
        text(&change.after),
        change.chain,
        line.unwrap_or_default(),
    );
}

/// The languages of a part, with their lines.
pub(crate) fn read(folder: &Path) -> io::Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        all.push((name.unwrap_or_default(), fs::read_to_string(&path)?));
    }
    all.sort();
    Ok(all)
}
