//! Correct text must not change.

use std::fs;
use std::io;
use std::path::Path;

use utfall_repair::{Options, repair_with};

pub(crate) fn run(folder: &Path) -> io::Result<()> {
    let lenient = std::env::var("LEAST").ok().and_then(|least| least.parse().ok());
    let options = Options::default().with_min_confidence(lenient.unwrap_or(0.9));
    let (mut lines, mut whole, mut alone) = (0, 0, 0);
    for (language, text) in read(folder)? {
        let (mut of_whole, mut of_alone, mut count) = (0, 0, 0);
        let mut last = 0;
        for change in repair_with(text.as_bytes(), options).changes {
            of_whole += usize::from(change.line != last);
            last = change.line;
            show("file ", &language, text.lines().nth(change.line as usize - 1), &change);
        }
        for line in text.lines() {
            count += 1;
            let changes = repair_with(line.as_bytes(), options).changes;
            of_alone += usize::from(!changes.is_empty());
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
    Ok(())
}

fn show(how: &str, language: &str, line: Option<&str>, change: &utfall_repair::Change) {
    let text = String::from_utf8_lossy;
    println!(
        "CHANGE {how} {language} {:.6} {:?} -> {:?} ({}) in {:?}",
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
