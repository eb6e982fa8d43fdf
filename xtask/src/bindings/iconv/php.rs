//! The tests of PHP's own iconv extension, with the library and with glibc: what passes with glibc must pass with
//! the library.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::programs::{extensions, patch};
use crate::steps::{self, Outcome};
use crate::tools::{lacking_programs, target_dir};

/// Tests that pass with glibc only, each with its reason in docs/iconv.md.
const DIFFERENCES: [&str; 0] = [];

/// Fewer would mean that the extension was not loaded.
const AT_LEAST: usize = 40;

pub(super) fn run(root: &Path, library: &Path) -> Result<Outcome, String> {
    let programs = [["php", "--version"], ["patchelf", "--version"], ["xz", "--version"]];
    let packages = ["php-cli", "patchelf", "xz-utils"];
    if let Some(lacking) = lacking_programs(&programs, &packages)? {
        return Ok(Outcome::Skipped(lacking));
    }
    let extensions = match extensions()? {
        Ok(extensions) => extensions,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    let folder = target_dir(root).join("bindings/php");
    let tests = match source(&folder) {
        Ok(tests) => tests,
        Err(reason) => return Ok(Outcome::Skipped(format!("no source package of PHP: {reason}"))),
    };
    let patched = folder.join("extensions");
    patch(&extensions, &patched, library)?;
    let theirs = results(&tests, &extensions)?;
    let ours = results(&tests, &patched)?;
    let passed = |results: &BTreeMap<String, String>, name: &str| {
        results.get(name).is_some_and(|result| result == "PASS")
    };
    let count = theirs.keys().filter(|name| passed(&theirs, name)).count();
    if count < AT_LEAST {
        return Err(format!("only {count} of {} tests pass with glibc", theirs.len()));
    }
    let failed: Vec<_> = theirs
        .keys()
        .filter(|name| passed(&theirs, name) && !passed(&ours, name))
        .filter(|name| !DIFFERENCES.iter().any(|known| name.ends_with(known)))
        .collect();
    if !failed.is_empty() {
        return Err(format!("pass with glibc, but not with the library: {failed:?}"));
    }
    let skipped = theirs.values().filter(|result| *result == "SKIP").count();
    println!("   {count} of {} tests pass with both; PHP skips {skipped} with glibc", theirs.len());
    Ok(Outcome::Passed)
}

/// The folder with PHP's `run-tests.php` and the tests, from the source package of the distribution.
fn source(folder: &Path) -> Result<PathBuf, String> {
    let mut php = Command::new("php");
    php.args(["-n", "-r", "echo PHP_MAJOR_VERSION, '.', PHP_MINOR_VERSION;"]);
    let version = String::from_utf8_lossy(&steps::output(&mut php, b"")?).into_owned();
    let tests = folder.join(&version);
    if !tests.join("run-tests.php").is_file() {
        _ = fs::remove_dir_all(folder);
        let archive = download(folder, &format!("php{version}"))?;
        fs::create_dir_all(&tests).map_err(|error| error.to_string())?;
        let mut tar = Command::new("tar");
        tar.arg("-xf").arg(archive).arg("-C").arg(&tests).args(["--strip-components=1"]);
        tar.args(["--wildcards", "*/run-tests.php", "*/ext/iconv/tests/*"]);
        if let Err(reason) = steps::run(&mut tar) {
            _ = fs::remove_dir_all(&tests);
            return Err(reason);
        }
    }
    Ok(tests)
}

/// Downloads a source package. Returns the archive of the original source.
///
/// The list of sources is private: this machine's may lack those of source packages.
fn download(folder: &Path, package: &str) -> Result<PathBuf, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let lists = folder.join("apt");
    fs::create_dir_all(lists.join("sources")).map_err(failed)?;
    fs::create_dir_all(lists.join("lists/partial")).map_err(failed)?;
    let known = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten();
    let known = known.map(|entry| entry.path()).chain([PathBuf::from("/etc/apt/sources.list")]);
    for path in known {
        let is_list = path.extension().is_some_and(|name| name == "list" || name == "sources");
        let (Some(name), true, Ok(text)) = (path.file_name(), is_list, fs::read_to_string(&path))
        else {
            continue;
        };
        let lines = text.lines().map(|line| match line.strip_prefix("deb ") {
            Some(rest) => format!("deb-src {rest}\n"),
            None if line.starts_with("Types:") => "Types: deb-src\n".to_owned(),
            None => format!("{line}\n"),
        });
        fs::write(lists.join("sources").join(name), lines.collect::<String>()).map_err(failed)?;
    }
    let apt = |program: &str, args: &[&str]| {
        let mut apt = Command::new(program);
        apt.arg("-qq").args(["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"]);
        apt.args(["-o", "APT::Sandbox::User=root", "-o", "Dir::Etc::sourcelist=/dev/null"]);
        for (option, place) in [
            ("Dir::Etc::sourceparts", "sources"),
            ("Dir::State::lists", "lists"),
            ("Dir::Cache", "cache"),
        ] {
            apt.arg("-o").arg(format!("{option}={}", lists.join(place).display()));
        }
        apt.args(args).current_dir(folder);
        apt
    };
    steps::run(&mut apt("apt-get", &["update"]))?;
    let shown = steps::output(&mut apt("apt-cache", &["showsrc", package]), b"")?;
    let shown = String::from_utf8_lossy(&shown).into_owned();
    let versions = shown.lines().filter_map(|line| line.strip_prefix("Version: "));
    // The newest may not be there yet, or no longer.
    let is_downloaded = |version: &str| {
        let source = format!("{package}={version}");
        steps::run(&mut apt("apt-get", &["source", "--download-only", &source])).is_ok()
    };
    if !versions.into_iter().any(is_downloaded) {
        return Err(format!("{package} cannot be downloaded"));
    }
    let files = fs::read_dir(folder).map_err(failed)?.flatten().map(|entry| entry.path());
    let is_original = |path: &PathBuf| path.to_string_lossy().ends_with(".orig.tar.xz");
    files.into_iter().find(is_original).ok_or_else(|| format!("no .orig.tar.xz of {package}"))
}

/// The results by test: `PASS`, `FAIL`, `SKIP` and others.
fn results(tests: &Path, extensions: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut php = Command::new("php");
    php.args(["-n", "run-tests.php", "-n", "-q", "--offline", "--no-color", "--no-progress"]);
    php.arg("-d").arg(format!("extension_dir={}", extensions.display()));
    php.args(["-d", "extension=iconv.so", "ext/iconv/tests"]);
    // Its status tells whether a test has failed.
    let output = php.env("TEST_PHP_EXECUTABLE", "/usr/bin/php").env("NO_INTERACTION", "1");
    let output = output.current_dir(tests).output().map_err(|error| format!("php: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let result = |line: &str| {
        let (result, rest) = line.split_once(' ')?;
        let name = rest.rsplit_once(" [").and_then(|(_, name)| name.split(']').next())?;
        let is_result = result.chars().all(|scalar| scalar.is_ascii_uppercase());
        (is_result && name.ends_with(".phpt")).then(|| (name.to_owned(), result.to_owned()))
    };
    Ok(text.lines().filter_map(result).collect())
}
