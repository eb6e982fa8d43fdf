//! The tasks of this workspace, run as `cargo xtask <command>` (an alias in
//! `.cargo/config.toml`).
//!
//! There are few dependencies, so that the first command in a fresh clone builds within a few
//! seconds.
#![forbid(unsafe_code)]

#[cfg(test)]
mod architecture;
mod bench;
mod bindings;
mod book;
mod charsets;
mod circles;
mod detect_quality;
mod dist;
mod hidden_quality;
mod links;
#[cfg(test)]
mod lists;
mod markdown;
mod package;
mod pages;
mod picture;
mod repair_quality;
mod rust;
mod share;
mod steps;
mod test;
mod tools;
mod trust;
mod voice;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use pages::iconv;
use steps::Steps;
use test::Tier;
use trust::{
    api, conformance, coverage, deny, exhaustive, fuzz, limits, mbox, mutants, newcomer, platforms,
    tree, windows,
};

const USAGE: &str = "\
usage: cargo xtask <command>

  test          check a change before it is submitted; stop at the first failure. `test quick` checks
                less, `test ci` runs all checks of CI, `test deep` takes hours
  api           compare the public API of the library crates with docs/api; `--write` updates the lists
  bench         compare the speed of utfall with other libraries; `cargo xtask bench --help`
  bindings      build what other languages use, and test it with their compilers and real programs;
                `bindings NAME` does one: c, datafusion, duckdb, engines, iconv, js, python or web;
                `bindings js --compare` and `bindings python --compare` print their speed beside that of others
  book          build docs as a book with search, in target/book/html
  charsets      write the tables of the single-byte charsets
  circles       find circles between the modules of each crate
  conformance   compare utfall with CPython, glibc, ICU, Perl, Node, simdutf and encoding_rs, and the results
                with docs/conformance.md; `--write` writes the page; `cargo xtask conformance --help`
  coverage      measure the lines of the library and its kernels that their tests reach
  deny          check licences, sources, duplicates, build scripts and advisories of dependencies with cargo-deny
  detect-quality
                measure utfall-detect on texts of Debian packages in many languages, beside chardet,
                charset-normalizer and cchardet; `detect-quality --alone` does not run those again
  dist          pack a release in `dist`: program, manual pages, completions, licences, SHA256SUMS;
                `--program PATH` packs an existing program
  exhaustive    run `rows` of symbols and all sequences of four bytes through every kernel (about ten
                minutes for each table) and through the `library` (hours). `exhaustive kernels` runs one
                of the three, `--isa <name>` one table, `--every 97` one sequence in 97
  fuzz          run the fuzz targets, or the named ones, for ten seconds each; `--time <seconds>` sets the time;
                `--keep` adds inputs that were found to the corpus
  hidden-quality
                measure how often the rules for hidden text report ordinary text, on the texts of detect-quality;
                `hidden-quality RULE` prints the lines
  iconv         compare utfall iconv with glibc's: every pair of charsets, every corpus, clean and damaged;
                `--write` updates the table in docs/iconv.md; `cargo xtask iconv --help`
  install-c     build the C library and install it for pkg-config and CMake: `install-c --prefix PATH`
  install-duckdb build the DuckDB extension: `install-duckdb --to FOLDER`
  install-iconv build the libraries of iconv(3) and install them: `install-iconv --prefix PATH`; with `--musl`,
                the one for musl too
  kill          convert a tree of 20,000 files, kill that 200 times, undo it, and check every file;
                `kill <kills> <files>` sets other numbers
  limits        measure the cost of hostile input at growing sizes, in instructions (by callgrind) and memory;
                `--write` updates the table in docs/limits.md, `--long` uses larger sizes,
                `--only <text>` selects surfaces
  links         check that the files and headings that links in Markdown pages refer to exist
  mbox <MiB>    write an mbox of that size, made of examples/mail, to standard output
  mutants       change the codecs in one place at a time, and check that a test detects it;
                `mutants --shard 0/12` makes one change in twelve
  newcomer      add the toy encoding of CONTRIBUTING.md to a copy of the workspace and use it
  package       pack the crates that are published, and build each from its package; `--no-build` only packs them
  pages         write all pages that a test generates and compares, docs/api and the pictures;
                `pages costs sessions` writes some
  picture       write the pictures of README.md: a session in a terminal, a chart of speed; `--check` compares them
  platforms     run part of the libraries' tests on aarch64, wasm, s390x (big-endian) and i686, and under Miri
                and AddressSanitizer; `platforms s390x miri` runs some, `--whole` runs all tests
  repair-quality
                measure utfall-repair on texts of Debian packages in many languages, beside ftfy;
                `repair-quality --tuning` measures the part that the model is tuned on
  tree <folder> make a tree of text files in 13 encodings, 20,000 or `tree <folder> <files>`, with their
                expected contents in UTF-8
  voice         list words and phrases to replace by plainer ones, in all texts for readers; `voice --check`
                fails on new ones; `cargo xtask voice --help`
  web           build the page for browsers in `target/web`
  windows       lint the command for Windows, and run its tests under wine
";

fn main() -> ExitCode {
    if let Some(exit) = api::rustdoc() {
        return exit;
    }
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let root = match workspace_root() {
        Ok(root) => root,
        Err(message) => {
            eprintln!("xtask: {message}");
            return ExitCode::from(2);
        }
    };
    match args.as_slice() {
        ["test"] => Steps::all(|steps| test::run(steps, &root, Tier::Usual)),
        ["test", "ci"] => Steps::all(|steps| test::run(steps, &root, Tier::Ci)),
        ["test", "quick"] => Steps::all(|steps| test::run(steps, &root, Tier::Quick)),
        ["test", "deep"] => Steps::all(|steps| test::run(steps, &root, Tier::Deep)),
        ["api", args @ ..] => reported(api::run(&root, args).map(|_| ())),
        ["bindings", "js", "--compare"] => reported(bindings::compare_js(&root)),
        ["bindings", "python", "--compare"] => reported(bindings::compare_python(&root)),
        ["bindings", args @ ..] => bindings::run(&root, args),
        ["book"] => reported(book::run(&root)),
        ["charsets"] => reported(charsets::run(&root)),
        ["circles"] => reported(circles::run(&root)),
        ["bench", args @ ..] => bench::run(&root, args),
        ["conformance", args @ ..] => conformance::run(&root, args),
        ["exhaustive", args @ ..] => exhaustive::run(&root, args),
        ["fuzz", args @ ..] => fuzz::run(&root, args),
        ["iconv", args @ ..] => reported(iconv::run(&root, args)),
        ["limits", args @ ..] => {
            Steps::all(|steps| steps.run("limits", || limits::run(&root, args)))
        }
        ["links"] => reported(links::run(&root)),
        ["mbox", mebibytes] => mbox::run(&root, mebibytes),
        ["newcomer"] => Steps::all(|steps| newcomer::run(steps, &root)),
        ["coverage"] => Steps::all(|steps| steps.run("coverage", || coverage::run(&root))),
        ["mutants", args @ ..] => {
            Steps::all(|steps| steps.run("mutants", || mutants::run(&root, args)))
        }
        ["deny"] => Steps::all(|steps| deny::run(steps, &root)),
        ["dist", args @ ..] => reported(dist::run(&root, args).map(|_| ())),
        ["package", args @ ..] => reported(package::run(&root, args).map(|_| ())),
        ["pages", names @ ..] => reported(pages::run(&root, names)),
        ["picture", args @ ..] => reported(picture::run(&root, args)),
        ["platforms", args @ ..] => platforms::run(&root, args),
        ["detect-quality", args @ ..] => reported(detect_quality::run(&root, args)),
        ["hidden-quality", args @ ..] => reported(hidden_quality::run(&root, args)),
        ["repair-quality", args @ ..] => reported(repair_quality::run(&root, args)),
        ["install-c", args @ ..] => reported(bindings::install(&root, args)),
        ["install-duckdb", args @ ..] => reported(bindings::install_duckdb(&root, args)),
        ["install-iconv", args @ ..] => reported(bindings::install_iconv(&root, args)),
        ["kill"] => reported(tree::kill(&root, None, None)),
        ["kill", kills] => reported(tree::kill(&root, Some(kills), None)),
        ["kill", kills, files] => reported(tree::kill(&root, Some(kills), Some(files))),
        ["tree", folder] => reported(tree::make(&root, folder, None)),
        ["tree", folder, files] => reported(tree::make(&root, folder, Some(files))),
        ["voice", args @ ..] => reported(voice::run(&root, args)),
        ["web"] => reported(bindings::web(&root)),
        ["windows"] => Steps::all(|steps| windows::run(steps, &root)),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprint!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// The exit status of a task that is a single step.
fn reported(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The directory of the workspace's `Cargo.toml`.
///
/// Read from the environment that `cargo run` sets, not from the one at build time: a workspace
/// may be moved together with its `target` directory.
fn workspace_root() -> Result<PathBuf, String> {
    let manifest_dir = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    manifest_dir
        .and_then(|xtask| Some(xtask.parent()?.to_path_buf()))
        .ok_or_else(|| "CARGO_MANIFEST_DIR is not set; run it as `cargo xtask`".to_owned())
}
