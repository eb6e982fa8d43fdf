//! Measures how often the rules for hidden and deceptive text report ordinary text, by language.
//! `cargo xtask hidden-quality` collects the texts, and runs this.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use utfall::Encoding;
use utfall::lint::{self, Finding, Rule, Rules};

const USAGE: &str = "\
usage: hidden_quality FOLDER         print a table of FOLDER/{training,held-out}/LANGUAGE.txt, and of emoji
       hidden_quality FOLDER RULE    print the lines that a rule reports";

/// Rules about other things: line ends, BOMs, lost and double-encoded text.
const OTHERS: [&str; 8] = [
    "bom",
    "bom-inside",
    "control",
    "double-encoding",
    "final-newline",
    "ill-formed",
    "mixed-newlines",
    "replacement-character",
];

/// Languages by script; those that are not listed are in the last group.
const GROUPS: [(&str, &str); 13] = [
    ("Arabic, Sorani, Uyghur, Pashto", "ar ckb ug ps"),
    ("Persian, Urdu, Kashmiri, Sindhi", "fa ur ks sd"),
    ("Hebrew, Yiddish", "he yi"),
    ("Hindi, Marathi, Nepali, other Devanagari", "hi mr ne kok brx mai sa doi bho"),
    ("Bengali, Assamese, Manipuri", "bn as mni"),
    ("Tamil, Telugu, Kannada, Malayalam", "ta te kn ml"),
    ("Gujarati, Odia, Punjabi, Sinhala, Santali", "gu or pa si sat"),
    ("Thai, Lao, Khmer, Burmese, Tibetan, Dzongkha", "th lo km my bo dz"),
    ("Chinese, Japanese, Korean", "zh-hans zh-hant ja ko"),
    ("Russian, Ukrainian, other Cyrillic", "ru uk be bg sr mk kk ky mn tg tt ab mhr"),
    ("Greek, Armenian, Georgian, Amharic", "el hy ka am ti"),
    ("Vietnamese", "vi"),
    ("emoji in CLDR", "emoji"),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match &args[..] {
        [folder] => table(Path::new(folder)),
        [folder, rule] => Rule::from_name(rule)
            .ok_or_else(|| io::Error::other(format!("unknown rule {rule:?}")))
            .and_then(|rule| show(Path::new(folder), rule)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hidden_quality: {error}");
            ExitCode::FAILURE
        }
    }
}

fn rules() -> impl Iterator<Item = Rule> {
    Rule::ALL.iter().copied().filter(|rule| !OTHERS.contains(&rule.name()))
}

/// The texts of each language.
fn texts(folder: &Path) -> io::Result<BTreeMap<String, Vec<PathBuf>>> {
    let mut texts: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for part in ["training", "held-out"] {
        for entry in fs::read_dir(folder.join(part))? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            texts.entry(name).or_default().push(path);
        }
    }
    let annotations = "files/unicode-cldr-core/usr/share/unicode/cldr/common/annotations";
    for entry in fs::read_dir(folder.join(annotations))? {
        texts.entry("emoji".into()).or_default().push(entry?.path());
    }
    Ok(texts)
}

/// The lines of a text, each with its findings.
fn findings(path: &Path, mut each: impl FnMut(&str, &[Finding])) -> io::Result<()> {
    let bytes = fs::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let found = lint::check(Encoding::Utf8, text.as_bytes(), rules().collect::<Rules>());
    let mut of_line: BTreeMap<u64, Vec<Finding>> = BTreeMap::new();
    for finding in found {
        of_line.entry(finding.position.line).or_default().push(finding);
    }
    for (number, line) in (1..).zip(text.lines()) {
        each(line, of_line.get(&number).map_or(&[], Vec::as_slice));
    }
    Ok(())
}

/// Lines, and lines that each rule reports.
#[derive(Default)]
struct Counts {
    lines: u64,
    reported: BTreeMap<Rule, u64>,
}

/// Prints lines reported per million, by group and rule.
fn table(folder: &Path) -> io::Result<()> {
    let mut groups: Vec<(&str, Counts)> =
        GROUPS.iter().map(|(name, _)| (*name, Counts::default())).collect();
    groups.push(("other languages, mostly in Latin script", Counts::default()));
    groups.push(("all", Counts::default()));
    for (language, paths) in texts(folder)? {
        let group = GROUPS.iter().position(|(_, all)| all.split(' ').any(|it| it == language));
        for path in paths {
            findings(&path, |_, found| {
                for at in [group.unwrap_or(GROUPS.len()), GROUPS.len() + 1] {
                    let counts = &mut groups[at].1;
                    counts.lines += 1;
                    for rule in rules().filter(|rule| found.iter().any(|one| one.rule == *rule)) {
                        *counts.reported.entry(rule).or_default() += 1;
                    }
                }
            })?;
        }
    }
    let all = &groups[GROUPS.len() + 1].1.reported;
    let (shown, silent): (Vec<Rule>, Vec<Rule>) = rules().partition(|rule| all.contains_key(rule));
    let cells = |cells: Vec<String>| println!("| {} |", cells.join(" | "));
    let names = shown.iter().map(|rule| format!("`{}`", rule.name()));
    cells(["language".into(), "lines".into()].into_iter().chain(names).collect());
    cells(vec!["---".into(); shown.len() + 2]);
    for (name, Counts { lines, reported }) in &groups {
        let rate = |rule: &Rule| match (reported.get(rule), lines) {
            (None, _) | (_, 0) => "0".to_owned(),
            (Some(count), _) => format!("{:.1}", *count as f64 * 1e6 / *lines as f64),
        };
        let rates = shown.iter().map(rate);
        cells([name.to_string(), lines.to_string()].into_iter().chain(rates).collect());
    }
    let silent: Vec<_> = silent.iter().map(|rule| format!("`{}`", rule.name())).collect();
    println!("\nno findings: {}", silent.join(", "));
    Ok(())
}

/// Prints the lines that a rule reports, with language and message.
fn show(folder: &Path, rule: Rule) -> io::Result<()> {
    for (language, paths) in texts(folder)? {
        for path in paths {
            findings(&path, |line, found| {
                for one in found.iter().filter(|one| one.rule == rule) {
                    println!("{language}\t{one}\t{line}");
                }
            })?;
        }
    }
    Ok(())
}
