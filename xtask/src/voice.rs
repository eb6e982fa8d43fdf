//! `cargo xtask voice`: lists words and phrases for which plain technical English has better ones,
//! in all texts for readers: pages, help, messages, doc comments, comments.
//!
//! `voice-allow.tsv` lists intended ones, with the reason. `voice-baseline.tsv` has the number of
//! others that each file still has, which can only decrease.

mod page;
mod patterns;
mod prose;
mod rust;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use page::Reading;
use patterns::Patterns;
use prose::{Kind, Prose};

const ALLOW: &str = "xtask/voice-allow.tsv";
const BASELINE: &str = "xtask/voice-baseline.tsv";

const USAGE: &str = "\
usage: cargo xtask voice [PATH…] [--pattern NAME]   list findings in files below PATH
       cargo xtask voice --check                    fail if a file has more than its baseline
       cargo xtask voice --lower                    write lower baselines; new files begin at zero";

/// Pages whose tables are generated from answers, and use the words of specifications.
const MADE: [&str; 1] = ["docs/conformance.md"];

/// A word or phrase to be replaced.
struct Finding {
    path: String,
    line: usize,
    pattern: &'static str,
    better: &'static str,
    excerpt: String,
    sentence: String,
}

/// Runs the task with the arguments given.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    match args {
        ["--check"] => check(root),
        ["--lower"] => lower(root),
        ["--help" | "-h"] => {
            println!("{USAGE}\n\nNames: {}", Patterns::names().join(", "));
            Ok(())
        }
        [paths @ .., "--pattern", name] => list(root, paths, Some(name)),
        paths if paths.iter().all(|path| !path.starts_with('-')) => list(root, paths, None),
        _ => Err(USAGE.to_owned()),
    }
}

fn list(root: &Path, paths: &[&str], name: Option<&str>) -> Result<(), String> {
    if name.is_some_and(|name| !Patterns::names().contains(&name)) {
        return Err(format!("the patterns are: {}", Patterns::names().join(", ")));
    }
    let is_asked = |finding: &Finding| {
        let is_below = paths.iter().any(|path| Path::new(&finding.path).starts_with(path));
        (paths.is_empty() || is_below) && name.is_none_or(|name| name == finding.pattern)
    };
    let (findings, _) = findings(root)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| is_asked(finding)) {
        println!("{finding}");
        *counts.entry(finding.pattern).or_default() += 1;
    }
    println!();
    for (pattern, count) in &counts {
        println!("{count:6}  {pattern}");
    }
    println!("{:6}  in all", counts.values().sum::<usize>());
    Ok(())
}

fn check(root: &Path) -> Result<(), String> {
    let (findings, unused) = findings(root)?;
    let baseline = baseline(root)?;
    let mut problems = 0;
    let mut fallen = 0;
    let counts = counts(&findings);
    for (path, count) in &counts {
        let before = baseline.get(*path).copied().unwrap_or(0);
        if *count > before {
            problems += 1;
            for finding in findings.iter().filter(|finding| finding.path == *path) {
                println!("{finding}");
            }
            println!("{path}: {count} findings, {before} in {BASELINE}\n");
        }
    }
    for (path, before) in &baseline {
        fallen += usize::from(counts.get(path.as_str()).copied().unwrap_or(0) < *before);
    }
    for line in &unused {
        problems += 1;
        println!("{ALLOW}: matches nothing: {line}");
    }
    if fallen > 0 {
        println!("   {fallen} files have fewer than their baseline: `cargo xtask voice --lower`");
    }
    match problems {
        0 => {
            println!("   {} findings, none of them new", findings.len());
            Ok(())
        }
        _ => Err(format!("rewrite the new ones, or add them with a reason to {ALLOW}")),
    }
}

/// Writes the baseline, in which no number increases. Without a baseline, writes the current
/// numbers.
fn lower(root: &Path) -> Result<(), String> {
    let (findings, _) = findings(root)?;
    let old = if root.join(BASELINE).exists() { Some(baseline(root)?) } else { None };
    let mut text = String::from(
        "# How many findings of `cargo xtask voice` each file may still have: path, count. To be \
         lowered with `--lower`.\n",
    );
    let (mut files, mut all) = (0, 0);
    for (path, count) in counts(&findings) {
        let most = old.as_ref().map_or(count, |old| old.get(path).copied().unwrap_or(0));
        let count = count.min(most);
        if count > 0 {
            text += &format!("{path}\t{count}\n");
            files += 1;
            all += count;
        }
    }
    write(&root.join(BASELINE), &text)?;
    println!("{BASELINE}: {all} findings in {files} files");
    Ok(())
}

fn counts(findings: &[Finding]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.path.as_str()).or_default() += 1;
    }
    counts
}

fn baseline(root: &Path) -> Result<BTreeMap<String, usize>, String> {
    let row = |line: &str| {
        let (path, count) = line.split_once('\t')?;
        Some((path.to_owned(), count.parse().ok()?))
    };
    let rows = rows(root, BASELINE)?;
    rows.iter().map(|line| row(line).ok_or_else(|| malformed(BASELINE, line))).collect()
}

/// An intended finding: its file, a directory that ends in `/`, or `*`; its pattern or `*`; a part
/// of its sentence. The reason is for readers.
struct Allowed {
    path: String,
    pattern: String,
    fragment: String,
}

impl Allowed {
    fn read(line: &str) -> Result<Self, String> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [path, pattern, fragment, reason] = cells[..] else {
            return Err(malformed(ALLOW, line));
        };
        let is_known = pattern == "*" || Patterns::names().contains(&pattern);
        if !is_known || fragment.is_empty() || reason.is_empty() {
            return Err(malformed(ALLOW, line));
        }
        let [path, pattern, fragment] = [path, pattern, fragment].map(str::to_owned);
        Ok(Self { path, pattern, fragment })
    }

    fn is_meant(&self, finding: &Finding) -> bool {
        let is_below = self.path.ends_with('/') && finding.path.starts_with(&self.path);
        (is_below || self.path == "*" || self.path == finding.path)
            && (self.pattern == "*" || self.pattern == finding.pattern)
            && finding.sentence.contains(&self.fragment)
    }
}

/// The findings that are not allowed, and the lines of the list that match nothing.
fn findings(root: &Path) -> Result<(Vec<Finding>, Vec<String>), String> {
    let lines = rows(root, ALLOW)?;
    let allowed: Vec<Allowed> =
        lines.iter().map(|line| Allowed::read(line)).collect::<Result<_, _>>()?;
    let mut is_used = vec![false; allowed.len()];
    let patterns = Patterns::new();
    let mut findings = Vec::new();
    for path in files(root)? {
        let name = name(root, &path);
        let text = read(&path)?;
        for prose in texts(&name, &text) {
            for finding in in_prose(&patterns, &name, &prose) {
                match allowed.iter().position(|allowed| allowed.is_meant(&finding)) {
                    Some(at) => is_used[at] = true,
                    None => findings.push(finding),
                }
            }
        }
    }
    let unused = lines.into_iter().zip(is_used).filter(|(_, is_used)| !is_used);
    Ok((findings, unused.map(|(line, _)| line).collect()))
}

fn in_prose(patterns: &Patterns, path: &str, prose: &Prose) -> Vec<Finding> {
    let words = prose.words();
    let found = patterns.find(prose, &words).into_iter();
    found
        .map(|found| Finding {
            path: path.to_owned(),
            line: prose.line(found.range.start),
            pattern: found.pattern,
            better: found.better,
            excerpt: prose.excerpt(found.range, 40),
            sentence: prose.sentence(&words, found.sentence).to_owned(),
        })
        .collect()
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, line, pattern, better, excerpt, .. } = self;
        write!(f, "{path}:{line}: {pattern}: \"{excerpt}\" → {better}")
    }
}

/// The prose of a file.
fn texts(name: &str, text: &str) -> Vec<Prose> {
    if name.ends_with(".rs") {
        return rust::prose(text);
    }
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let with_tables = !MADE.contains(&name);
    page::prose(lines, Reading { kind: Kind::Page, is_described: false, with_tables })
}

/// Pages, and the sources of crates, sorted by name.
fn files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let failed = |error: io::Error| error.to_string();
    for entry in fs::read_dir(root).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    let folders = [("docs", "md"), ("examples", "md"), ("bindings", "rs"), ("crates", "rs")];
    for (folder, extension) in folders {
        below(&root.join(folder), extension, &mut files)?;
    }
    let is_read = |path: &PathBuf| {
        let name = name(root, path);
        let in_source = name.split('/').nth(2) == Some("src") && !name.ends_with("/tests.rs");
        !name.starts_with("bindings/") && !name.starts_with("crates/") || in_source
    };
    files.retain(is_read);
    files.sort();
    Ok(files)
}

fn below(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            below(&path, extension, files)?;
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    Ok(())
}

/// The path relative to the root, with `/`.
fn name(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The lines of a table that are not comments.
fn rows(root: &Path, path: &str) -> Result<Vec<String>, String> {
    let text = read(&root.join(path))?;
    let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(rows.map(str::to_owned).collect())
}

fn malformed(path: &str, line: &str) -> String {
    format!("{path}: malformed line: {line:?}")
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
