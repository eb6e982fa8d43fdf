//! `cargo xtask newcomer`: a new encoding is one file, one `mod` line and one row
//! of the registry, as CONTRIBUTING.md says.
//!
//! The page shows a toy encoding, `X-ROT13`, in three blocks. This task extracts them from the
//! page, adds them to a copy of the workspace and uses them through the command, so the page
//! cannot become stale. Each block follows an HTML comment that says where it goes:
//!
//! ```text
//! <!-- toy: file crates/utfall/src/codec/rot13.rs -->    becomes that file
//! <!-- toy: mod crates/utfall/src/codec.rs -->           one line, after the first `mod` line
//! <!-- toy: row crates/utfall/src/encoding.rs -->        above `// Add new rows above this line`
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::markdown;
use crate::share::Share;
use crate::steps::{self, Outcome, Steps, Stopped, cargo};
use crate::tools::{AS_TESTED, CRATES, target_dir};

/// The page that shows the toy encoding.
const PAGE: &str = "CONTRIBUTING.md";
/// The line of the registry above which new rows are inserted.
const ROW_MARK: &str = "// Add new rows above this line";
/// The toy encoding's name.
const NAME: &str = "X-ROT13";
/// Its name in C.
const CONSTANT: &str = "UTFALL_ENC_X_ROT13";
/// A text, and its form in the toy encoding.
const PLAIN: &str = "Hello";
const TOY: &str = "Uryyb";

/// Adds the toy encoding to a copy of the workspace, builds the command there,
/// and uses it.
pub(crate) fn run(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    let target = target_dir(root).join("newcomer");
    let copy = target.join("workspace");

    steps.run("newcomer: add the toy encoding of CONTRIBUTING.md", || {
        let toy = Toy::read(&root.join(PAGE))?;
        copy_workspace(root, &copy)?;
        toy.add_to(&copy)?;
        println!("   to {}", copy.display());
        Ok(Outcome::Passed)
    })?;
    // Built with the options and in the directory of the tests, which have already built the
    // dependencies. The results go to a separate directory. Our crates need not be fast for five
    // letters and a share of the tests.
    let cargo = |args: &[&str], opt_level| {
        let mut cargo = cargo(&copy, args);
        cargo.env("CARGO_BUILD_BUILD_DIR", target_dir(root)).env("CARGO_TARGET_DIR", &target);
        for name in own_crates(root) {
            cargo
                .arg("--config")
                .arg(format!("profile.checked.package.{name}.opt-level={opt_level}"));
        }
        cargo
    };
    let mut build = cargo(&["build", "--locked", "--bin", "utfall"], 0);
    steps.command("newcomer: build", build.args(CRATES).args(AS_TESTED))?;

    let utfall = |args: &[&str]| {
        let program = format!("utfall{}", env::consts::EXE_SUFFIX);
        let mut command = Command::new(target.join("checked").join(program));
        command.args(args).current_dir(&copy);
        command
    };
    for (from, to, input, expected) in [(NAME, "UTF-8", TOY, PLAIN), ("UTF-8", NAME, PLAIN, TOY)] {
        steps.run(&format!("newcomer: {from} to {to}"), || {
            let mut convert = utfall(&["convert", "-f", from, "-t", to]);
            let output = steps::output(&mut convert, input.as_bytes())?;
            let output = String::from_utf8_lossy(&output);
            println!("   {input} -> {output}");
            if output == expected {
                Ok(Outcome::Passed)
            } else {
                Err(format!("expected {expected}"))
            }
        })?;
    }
    let mut tests = cargo(&["test", "--locked", "--quiet", "-p", "utfall", "--lib", "--tests"], 1);
    tests.args(["--all-features", "--no-fail-fast", "--profile", "checked"]);
    // The tests write the lists of all encodings. CI has run their loops in full before.
    Share::Short(10).set(&mut tests).env("UTFALL_BLESS", "1");
    steps.command("newcomer: tests of the library", &mut tests)?;
    let mut tests =
        cargo(&["test", "--locked", "--quiet", "-p", "utfall-bind", "-p", "utfall-c"], 1);
    tests.args(["--test", "it", "--profile", "checked"]).env("UTFALL_BLESS", "1");
    steps.command("newcomer: tests of bindings", &mut tests)?;
    steps.run("newcomer: in the header of C", || {
        let path = copy.join("bindings/c/include/utfall.h");
        let header =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        match header.lines().find(|line| line.contains(CONSTANT)) {
            Some(line) => {
                println!("   {line}");
                Ok(Outcome::Passed)
            }
            None => Err(format!("{CONSTANT} is not in it")),
        }
    })?;
    steps.run("newcomer: in the list", || {
        let output = steps::output(&mut utfall(&["list"]), b"")?;
        let output = String::from_utf8_lossy(&output);
        match output.lines().find(|line| line.contains(NAME)) {
            Some(line) => {
                println!("   {line}");
                Ok(Outcome::Passed)
            }
            None => Err(format!("{NAME} is not in it")),
        }
    })
}

/// The crates of this workspace, by the names of their directories.
fn own_crates(root: &Path) -> Vec<String> {
    let folders = fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    let crates = folders.filter(|entry| entry.path().join("Cargo.toml").exists());
    crates.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The three blocks of the page, each with the file it belongs to.
#[derive(Debug)]
struct Toy {
    file: (String, String),
    module: (String, String),
    row: (String, String),
}

impl Toy {
    fn read(page: &Path) -> Result<Toy, String> {
        let text = fs::read_to_string(page).map_err(|error| format!("{PAGE}: {error}"))?;
        let block = |kind| {
            let (path, block) = markdown::marked_block(&text, &format!("<!-- toy: {kind}"), "rust")
                .map_err(|error| format!("{PAGE}: {error}"))?;
            Ok::<_, String>((path.to_owned(), block))
        };
        let toy = Toy { file: block("file")?, module: block("mod")?, row: block("row")? };
        match toy.module.1.lines().count() {
            1 => Ok(toy),
            lines => Err(format!("{PAGE}: the `toy: mod` block has {lines} lines, not one")),
        }
    }

    fn add_to(&self, copy: &Path) -> Result<(), String> {
        let (path, text) = &self.file;
        if copy.join(path).exists() {
            return Err(format!("{path} exists already"));
        }
        write(&copy.join(path), text)?;
        edit(copy, &self.module, insert_module)?;
        edit(copy, &self.row, insert_row)
    }
}

/// Inserts a block into an existing file.
fn edit(
    copy: &Path,
    (path, block): &(String, String),
    insert: impl Fn(&str, &str) -> Result<String, String>,
) -> Result<(), String> {
    let file = copy.join(path);
    let old = fs::read_to_string(&file).map_err(|error| format!("{path}: {error}"))?;
    let new = insert(&old, block).map_err(|error| format!("{path}: {error}"))?;
    write(&file, &new)
}

/// Inserts `line` after the first `mod` line of `text`.
fn insert_module(text: &str, line: &str) -> Result<String, String> {
    let is_module = |line: &str| {
        ["mod ", "pub mod ", "pub(crate) mod "].iter().any(|start| line.starts_with(start))
    };
    insert(text, line, is_module, Side::After).ok_or_else(|| "there is no `mod` line".to_owned())
}

/// Inserts `row` above the line that marks the place of new rows.
fn insert_row(text: &str, row: &str) -> Result<String, String> {
    insert(text, row, |line| line.contains(ROW_MARK), Side::Before)
        .ok_or_else(|| format!("there is no line `{ROW_MARK}`"))
}

enum Side {
    Before,
    After,
}

/// Inserts `block` before or after the first line for which `is_place` holds, with the same
/// indentation.
fn insert(text: &str, block: &str, is_place: impl Fn(&str) -> bool, side: Side) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| is_place(line))?;
    let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
    let block: Vec<String> = block.lines().map(|l| format!("{indent}{l}")).collect();
    let at = match side {
        Side::Before => at,
        Side::After => at + 1,
    };
    lines.splice(at..at, block.iter().map(String::as_str));
    Some(lines.join("\n") + "\n")
}

/// Copies the workspace to `copy`, which is emptied first: everything except the directory of git and
/// build directories.
fn copy_workspace(root: &Path, copy: &Path) -> Result<(), String> {
    if copy.exists() {
        fs::remove_dir_all(copy).map_err(|error| format!("{}: {error}", copy.display()))?;
    }
    let skipped = [root.join(".git"), root.join("target"), target_dir(root)];
    copy_folder(root, copy, &skipped)
}

fn copy_folder(from: &Path, to: &Path, skipped: &[PathBuf]) -> Result<(), String> {
    let error = |error| format!("{}: {error}", from.display());
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    for entry in fs::read_dir(from).map_err(error)? {
        let entry = entry.map_err(error)?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if skipped.contains(&path) {
            continue;
        }
        let kind = entry.file_type().map_err(error)?;
        // Cargo writes this file to every build directory.
        let is_build = path.join("CACHEDIR.TAG").exists();
        if kind.is_dir() && !is_build {
            copy_folder(&path, &to, skipped)?;
        } else if kind.is_file() {
            fs::copy(&path, &to).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn module_line_goes_after_the_first() {
        let text = "//! Docs.\n\npub(crate) mod bocu1;\nmod utf8;\n";
        assert_eq!(
            insert_module(text, "mod rot13;\n").unwrap(),
            "//! Docs.\n\npub(crate) mod bocu1;\nmod rot13;\nmod utf8;\n"
        );
        assert!(insert_module("//! mod x;\n", "mod rot13;\n").is_err());
    }

    #[test]
    fn row_goes_above_the_mark_and_is_indented() {
        let text = "rows! {\n    a,\n    // Add new rows above this line\n}\n";
        assert_eq!(
            insert_row(text, "b,\n").unwrap(),
            "rows! {\n    a,\n    b,\n    // Add new rows above this line\n}\n"
        );
        assert!(insert_row("rows! {}\n", "b,\n").is_err());
    }
}
