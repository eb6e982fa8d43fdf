//! `cargo xtask fuzz`: the targets of `fuzz/`, built and run, each for some seconds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use crate::steps;
use crate::tools::nightly;

/// How long each target runs, in seconds, if that is not said.
const SECONDS: u32 = 10;
/// The longest input, in octets.
const LONGEST: u32 = 800;

const USAGE: &str = "usage: cargo xtask fuzz [--time SECONDS] [TARGET…]";

/// Vectors that targets begin with, by the name of the target.
const SEEDS: [(&str, &[&str]); 3] = [
    ("utf7", &["utf-7.tsv"]),
    ("imap", &["utf-7-imap.tsv"]),
    ("mime", &["rfc2047.tsv", "rfc2231.tsv", "quoted-printable.tsv", "base64.tsv"]),
];

/// Builds and runs targets; without names, all of them.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let (seconds, names) = match args {
        ["--time", seconds, names @ ..] => (seconds.parse(), names),
        names => (Ok(SECONDS), names),
    };
    let known = |name: &&str| SEEDS.iter().any(|(target, _)| target == name);
    let (Ok(seconds), true) = (seconds, names.iter().all(known)) else {
        let targets = SEEDS.map(|(target, _)| target).join(", ");
        eprintln!("{USAGE}\n\ntargets: {targets}");
        return ExitCode::from(2);
    };
    let wanted = SEEDS.iter().filter(|(target, _)| names.is_empty() || names.contains(target));
    let done = check_tools().and_then(|()| {
        for (target, vectors) in wanted {
            fuzz(root, target, vectors, seconds)?;
        }
        Ok(())
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Says how to get what is not there.
fn check_tools() -> Result<(), String> {
    let runs = |args: &[&str]| {
        let mut command = nightly(args);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    match () {
        () if !runs(&["--version"]) => {
            Err("fuzzing needs a nightly toolchain: rustup toolchain install nightly".to_owned())
        }
        () if !runs(&["fuzz", "--version"]) => {
            Err("fuzzing needs cargo-fuzz: cargo install cargo-fuzz --locked".to_owned())
        }
        () => Ok(()),
    }
}

fn fuzz(root: &Path, target: &str, vectors: &[&str], seconds: u32) -> Result<(), String> {
    let io = |error: std::io::Error| error.to_string();
    let folder = root.join("fuzz");
    let (corpus, seeds) = (folder.join("corpus").join(target), folder.join("seeds").join(target));
    let found = folder.join("artifacts").join(target);
    for folder in [&corpus, &seeds, &found] {
        fs::create_dir_all(folder).map_err(io)?;
    }
    for file in vectors {
        let text = fs::read_to_string(root.join("testdata/vectors").join(file)).map_err(io)?;
        for (name, octets) in inputs(&text) {
            fs::write(seeds.join(name), octets).map_err(io)?;
        }
    }
    let before = files(&found)?;
    let path = |path: &Path| path.display().to_string();
    let mut command = nightly(&["fuzz", "run", "--fuzz-dir", &path(&folder), target]);
    command.args([corpus, seeds]).current_dir(&folder);
    command.args(["--", "-len_control=0", "-verbosity=0", "-print_final_stats=1"]);
    command.args([format!("-max_total_time={seconds}"), format!("-max_len={LONGEST}")]);
    steps::run(&mut command).map_err(|error| {
        let after = files(&found).unwrap_or_default();
        match after.iter().find(|file| !before.contains(file)) {
            Some(file) => advice(target, file),
            None => format!("{target}: {error}"),
        }
    })
}

/// What to do with a find.
fn advice(target: &str, file: &Path) -> String {
    let file = file.display();
    let fuzz = "cargo +nightly fuzz";
    format!(
        "{target}: the input {file} fails. In `fuzz`:\n\
         - {fuzz} fmt --fuzz-dir . {target} {file}   shows it\n\
         - {fuzz} tmin --fuzz-dir . {target} {file}  makes it small\n\
         - {fuzz} run --fuzz-dir . {target} {file}   runs it again\n\
         Write a test that fails for the same reason, with a name that says which, mend the \
         library, then run the fuzzer again."
    )
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

/// The inputs of a file of vectors, by the names of the vectors: columns `id` and `input`, the
/// latter in hexadecimal digits.
fn inputs(text: &str) -> Vec<(&str, Vec<u8>)> {
    let mut lines = text.lines();
    let heads = lines.next().unwrap_or_default();
    let column = |name| heads.split('\t').position(|head| head == name);
    let (Some(id), Some(input)) = (column("id"), column("input")) else { return Vec::new() };
    lines
        .filter_map(|line| {
            let name = Path::new(line.split('\t').nth(id)?).file_name()?.to_str()?;
            Some((name, octets(line.split('\t').nth(input)?)?))
        })
        .filter(|(_, octets)| !octets.is_empty())
        .collect()
}

fn octets(hexadecimal: &str) -> Option<Vec<u8>> {
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    hexadecimal.as_bytes().chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_inputs() {
        let text = "id\tinput\tnote\na\t2b41\tx\nb\t\tempty\nc\tzz\tno digits\nd\t0A\t\n";
        assert_eq!(inputs(text), [("a", b"+A".to_vec()), ("d", b"\n".to_vec())]);
    }
}
