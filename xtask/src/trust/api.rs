//! `cargo xtask api`: compares the public API of the library crates with `docs/api`.
//!
//! Removing or changing a public item breaks somebody's build; adding one is a commitment. So
//! neither goes unnoticed: a change of the API is also a change of a page in `docs/api`.
//!
//! The list is made from rustdoc's JSON output, which requires a nightly rustdoc, or one that is
//! made to believe that it is nightly. Only rustdoc is, through this program (see [`rustdoc`]): if
//! rustc were, cargo would build the dependencies again for it.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use crate::steps::{self, Outcome, cargo};
use crate::tools::{AS_TESTED, CRATES, published, target_dir};

/// Set when this program is started as rustdoc.
const AS_RUSTDOC: &str = "UTFALL_XTASK_AS_RUSTDOC";
/// The directory of the lists.
const PAGES: &str = "docs/api";

/// Compares the lists of `docs/api` with the crates, or writes them.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<Outcome, String> {
    let write = match args {
        [] => utfall_page::is_renewed(),
        ["--write"] => true,
        _ => return Err("usage: cargo xtask api [--write]".to_owned()),
    };
    let crates = libraries(root)?;
    document(root, &crates)?;
    // With the options of the tests, so that they have already built its dependencies.
    let lister = ["build", "--quiet", "--bin", "utfall-api"];
    steps::run(cargo(root, &lister).args(CRATES).args(AS_TESTED))?;
    let lister = format!("checked/utfall-api{}", env::consts::EXE_SUFFIX);
    let lister = target_dir(root).join(lister);

    let pages = root.join(PAGES);
    let mut differences = String::new();
    for name in &crates {
        let json = format!("{}.json", name.replace('-', "_"));
        let now = list(&lister, &target_dir(root).join("doc").join(json))?;
        let page = pages.join(format!("{name}.txt"));
        if write {
            fs::create_dir_all(&pages).map_err(|error| format!("{PAGES}: {error}"))?;
            fs::write(&page, &now).map_err(|error| format!("{}: {error}", page.display()))?;
        } else {
            let then = fs::read_to_string(&page).unwrap_or_default();
            differences += &difference(name, &then, &now);
        }
        println!("   {name}: {} lines", now.lines().count());
    }
    let strangers = strangers(&pages, &crates)?;
    for page in &strangers {
        if write {
            fs::remove_file(page).map_err(|error| format!("{}: {error}", page.display()))?;
        } else {
            differences += &format!("{}: there is no such library crate\n", page.display());
        }
    }
    if differences.is_empty() {
        return Ok(Outcome::Passed);
    }
    print!("{differences}");
    Err(format!(
        "what is public is not what {PAGES} says. If it is meant, run `cargo xtask api --write`, \
         commit what it writes, and tell it in CHANGELOG.md. A line that is gone breaks who used it: \
         once there is a release, that is for its next minor version while it is 0.x, and for the \
         next major one after"
    ))
}

/// The crates of this workspace that other projects may depend on.
pub(crate) fn libraries(root: &Path) -> Result<Vec<String>, String> {
    let mut names = published(root)?;
    names.retain(|name| {
        let folder = root.join("crates").join(name);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        // Crates without documentation are not for others: the program as a library.
        folder.join("src/lib.rs").exists() && !manifest.contains("doc = false")
    });
    Ok(names)
}

/// Writes the JSON of `crates`.
fn document(root: &Path, crates: &[String]) -> Result<(), String> {
    let mut doc = cargo(root, &["doc", "--quiet", "--no-deps", "--lib", "--all-features"]);
    for name in crates {
        doc.args(["-p", name]);
    }
    let this = env::current_exe().map_err(|error| format!("where this program is: {error}"))?;
    let flags = "-Z unstable-options --output-format json";
    doc.env("RUSTDOC", this).env(AS_RUSTDOC, "1").env("RUSTDOCFLAGS", flags);
    steps::run(&mut doc)
}

/// If this program was started as rustdoc, runs rustdoc with unstable options enabled.
pub(crate) fn rustdoc() -> Option<ExitCode> {
    env::var_os(AS_RUSTDOC)?;
    let mut rustdoc = Command::new("rustdoc");
    rustdoc.args(env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").env_remove(AS_RUSTDOC);
    match rustdoc.status() {
        Ok(status) if status.success() => Some(ExitCode::SUCCESS),
        Ok(_) => Some(ExitCode::FAILURE),
        Err(error) => {
            eprintln!("rustdoc: {error}");
            Some(ExitCode::FAILURE)
        }
    }
}

/// The public API of the crate whose JSON is `json`.
fn list(lister: &Path, json: &Path) -> Result<String, String> {
    let output = Command::new(lister).arg(json).output();
    let output = output.map_err(|error| format!("{}: {error}", lister.display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Lines that were removed, then lines that were added.
fn difference(name: &str, then: &str, now: &str) -> String {
    let missing = |from: &str, of: &str, sign: &str| -> String {
        let there: HashSet<&str> = of.lines().collect();
        let gone = from.lines().filter(|line| !there.contains(line));
        gone.map(|line| format!("   {sign} {line}\n")).collect()
    };
    let lines = missing(then, now, "-") + &missing(now, then, "+");
    match lines.as_str() {
        // Otherwise the order may differ, such as that of variants with numbers.
        "" if then == now => String::new(),
        "" => format!("   {name}: in another order\n"),
        _ => format!("   {name}:\n{lines}"),
    }
}

/// Lists in the directory that belong to no crate.
fn strangers(pages: &Path, crates: &[String]) -> Result<Vec<PathBuf>, String> {
    let error = |error| format!("{}: {error}", pages.display());
    let mut strangers = Vec::new();
    for entry in fs::read_dir(pages).map_err(error)? {
        let path = entry.map_err(error)?.path();
        let known =
            path.file_stem().is_some_and(|stem| crates.iter().any(|c| stem == OsStr::new(c)));
        if !known {
            strangers.push(path);
        }
    }
    Ok(strangers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_tells_what_is_gone_first() {
        assert_eq!(difference("a", "x\ny\n", "x\ny\n"), "");
        assert_eq!(difference("a", "x\ny\n", "y\nz\n"), "   a:\n   - x\n   + z\n");
        assert_eq!(difference("a", "x\ny\n", "y\nx\n"), "   a: in another order\n");
    }

    #[test]
    fn library_crates_are_those_that_are_published() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let crates = libraries(root).unwrap();
        for name in ["utfall", "utfall-simd", "utfall-tree"] {
            assert!(crates.iter().any(|c| c == name), "{name}");
        }
        for name in ["utfall-oracle", "utfall-bench", "utfall-api"] {
            assert!(!crates.iter().any(|c| c == name), "{name}");
        }
    }
}
