//! Real programs with the library and without: everything that they print and write must be equal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use crate::steps::Outcome;
use crate::tools::lacking_programs;

/// A program that uses iconv(3). The script `tests/programs/NAME.sh` runs it.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    /// A command that succeeds if the program is installed.
    there: [&'static str; 2],
    packages: &'static [&'static str],
}

const fn program(
    name: &'static str,
    there: [&'static str; 2],
    packages: &'static [&'static str],
) -> Program {
    Program { name, there, packages }
}

pub(crate) const ALL: [Program; 6] = [
    program("git", ["git", "--version"], &["git"]),
    program("vim", ["vim", "--version"], &["vim"]),
    program("xmllint", ["xmllint", "--version"], &["libxml2-utils"]),
    program("msgconv", ["msgconv", "--version"], &["gettext"]),
    program("iconv", ["iconv", "--version"], &["libc-bin"]),
    program("php", ["php", "--version"], &["php-cli", "patchelf"]),
];

/// What a script printed, and the files that it left.
#[derive(PartialEq, Eq)]
struct Run {
    status: Option<i32>,
    printed: String,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// Runs the script of a program in an empty directory, with `library` and without.
pub(crate) fn run(program: &Program, source: &Path, library: &Path) -> Result<Outcome, String> {
    if let Some(lacking) = lacking_programs(&[program.there], program.packages)? {
        return Ok(Outcome::Skipped(lacking));
    }
    let folder = env::temp_dir().join(format!("utfall-iconv-{}-{}", program.name, process::id()));
    let compared = compare(program, source, library, &folder);
    _ = fs::remove_dir_all(&folder);
    compared
}

fn compare(
    program: &Program,
    source: &Path,
    library: &Path,
    folder: &Path,
) -> Result<Outcome, String> {
    let script = source.join("tests/programs").join(program.name).with_extension("sh");
    let plain = Setting { environment: Vec::new(), log: None };
    let log = folder.join("log");
    fs::create_dir_all(&log).map_err(|error| format!("{}: {error}", log.display()))?;
    let mut preloaded = Setting { environment: Vec::new(), log: Some(log.clone()) };
    let mut without = plain;
    if program.name == "php" {
        let extensions = match extensions()? {
            Ok(extensions) => extensions,
            Err(reason) => return Ok(Outcome::Skipped(reason)),
        };
        let patched = folder.join("extensions");
        patch(&extensions, &patched, library)?;
        without.environment.push(("EXTENSIONS", extensions));
        preloaded.environment.push(("EXTENSIONS", patched));
    } else {
        preloaded.environment.push(("LD_PRELOAD", library.to_owned()));
    }
    let theirs = without.run(&script, &folder.join("plain"))?;
    let ours = preloaded.run(&script, &folder.join("work"))?;
    if theirs.printed.len() < 200 {
        return Err(format!("the script has printed too little: {}", theirs.printed));
    }
    if theirs != ours {
        return Err(difference(&theirs, &ours));
    }
    match is_used(&log)? {
        true => Ok(Outcome::Passed),
        false => Err(format!("{} did not use {}", program.name, library.display())),
    }
}

/// The environment of a run.
struct Setting {
    environment: Vec<(&'static str, PathBuf)>,
    /// Where the dynamic linker writes which symbols it found in which library.
    log: Option<PathBuf>,
}

impl Setting {
    fn run(&self, script: &Path, folder: &Path) -> Result<Run, String> {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut shell = Command::new("sh");
        shell.arg(script).current_dir(folder).env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
        shell.envs(self.environment.iter().cloned());
        if let Some(log) = &self.log {
            shell.env("LD_DEBUG", "bindings").env("LD_DEBUG_OUTPUT", log.join("of"));
        }
        let output = shell.output().map_err(|error| format!("sh: {error}"))?;
        let mut files = BTreeMap::new();
        collect(folder, folder, &mut files)?;
        let printed = [output.stdout, output.stderr].concat().escape_ascii().to_string();
        let printed = printed.replace(&folder.display().to_string(), "");
        Ok(Run { status: output.status.code(), printed, files })
    }
}

/// The files in a directory, except those of git, which have times in them.
fn collect(
    root: &Path,
    folder: &Path,
    files: &mut BTreeMap<PathBuf, Vec<u8>>,
) -> Result<(), String> {
    let error = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(error)? {
        let path = entry.map_err(error)?.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != ".git") {
            collect(root, &path, files)?;
        } else if path.is_file() {
            let name = path.strip_prefix(root).unwrap_or(&path).to_owned();
            files.insert(name, fs::read(&path).map_err(error)?);
        }
    }
    Ok(())
}

fn difference(theirs: &Run, ours: &Run) -> String {
    if theirs.status != ours.status {
        return format!("status {:?} with glibc, {:?} with utfall", theirs.status, ours.status);
    }
    let lines = |run: &Run| run.printed.replace("\\n", "\n");
    let (printed, other) = (lines(theirs), lines(ours));
    for (theirs, ours) in printed.lines().zip(other.lines()) {
        if theirs != ours {
            return format!("glibc:  {theirs}\n           utfall: {ours}");
        }
    }
    let different = |name: &&PathBuf| theirs.files.get(*name) != ours.files.get(*name);
    let mut names = theirs.files.keys().chain(ours.files.keys());
    format!("different file or length of output: {:?}", names.find(different))
}

/// Whether a process has called `iconv` of the library.
fn is_used(log: &Path) -> Result<bool, String> {
    let error = |error| format!("{}: {error}", log.display());
    for entry in fs::read_dir(log).map_err(error)? {
        let text = fs::read(entry.map_err(error)?.path()).map_err(error)?;
        let text = String::from_utf8_lossy(&text);
        let is_ours = |line: &str| {
            let to = line.split(" to ").nth(1).unwrap_or_default();
            to.contains("libutfall_iconv.so") && line.contains("symbol `iconv'")
        };
        if text.lines().any(is_ours) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The directory of PHP's extensions, if one of them is iconv.
pub(super) fn extensions() -> Result<Result<PathBuf, String>, String> {
    let mut php = Command::new("php");
    let output = php.args(["-n", "-r", "echo ini_get('extension_dir');"]).output();
    let output = output.map_err(|error| format!("php: {error}"))?;
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).into_owned());
    let there = folder.join("iconv.so").is_file();
    Ok(if there { Ok(folder) } else { Err("PHP has iconv built in, not as an extension".into()) })
}

/// A copy of the extension that is linked with the library: PHP opens extensions with
/// RTLD_DEEPBIND, which hides what LD_PRELOAD loads.
pub(super) fn patch(extensions: &Path, patched: &Path, library: &Path) -> Result<(), String> {
    if let Some(lacking) = lacking_programs(&[["patchelf", "--version"]], &["patchelf"])? {
        return Err(lacking);
    }
    fs::create_dir_all(patched).map_err(|error| error.to_string())?;
    let copy = patched.join("iconv.so");
    fs::copy(extensions.join("iconv.so"), &copy).map_err(|error| error.to_string())?;
    let mut patchelf = Command::new("patchelf");
    crate::steps::run(patchelf.arg("--add-needed").arg(library).arg(copy))
}
