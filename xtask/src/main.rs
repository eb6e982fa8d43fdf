//! The tasks of this workspace, run as `cargo xtask <command>` (an alias in
//! `.cargo/config.toml`).
//!
//! Hardly more than the standard library is used, so that the first command of a fresh
//! clone starts after a few seconds of building.

mod bench;
mod book;
mod dist;
mod links;
mod markdown;
mod pages;
mod picture;
mod steps;
mod test;
mod tools;
mod trust;
mod voice;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use pages::{costs, detect_table, iconv, repair_table, sessions};
use steps::Steps;
use test::Tier;
use trust::{
    api, conformance, coverage, deny, exhaustive, fuzz, limits, mbox, mutants, newcomer, platforms,
    tree, unsafe_count, windows,
};

const USAGE: &str = "\
usage: cargo xtask <command>

  test          everything CI checks, in CI's order; stops at the first failure. `test quick` is what
                takes seconds once it is built, `test deep` what takes hours
  api           what the library crates make public beside the lists of docs/api; `--write` writes them
  bench         measure utfall beside other libraries; `cargo xtask bench --help`
  book          build docs as a book with search, in target/book/html
  conformance   utfall beside CPython, glibc, ICU, Perl, Node, simdutf and encoding_rs, and docs/conformance.md;
                `--write` writes the page; `cargo xtask conformance --help`
  costs         write docs/costs.md: what text costs in mail, measured
  coverage      the lines of the library and its kernels that their tests reach
  repair-table  write the tables of docs/repair.md: what is restored, measured
  deny          licences, sources, doubles, build scripts and advisories of what we depend on, with cargo-deny
  dist          pack a release in `dist`: program, manual pages, completions, licences, SHA256SUMS; `--program PATH`
                packs one that is built already
  detect-table  write the tables of docs/detect.md: how often utfall detect is right
  exhaustive    `rows` of symbols and all sequences of four octets through every kernel: about ten
                minutes for each table; and through the `library`: hours. `exhaustive kernels` for one
                of the three, `--isa <name>` for one table, `--every 97` for one sequence in so many
  fuzz          what is random through the targets of `fuzz`, ten seconds each, or those that are
                named; `--time <seconds>` for another time; `--keep` keeps what was found
  iconv         utfall iconv beside glibc's: every pair of charsets, every corpus, clean and damaged;
                `--write` puts the table into docs/iconv.md; `cargo xtask iconv --help`
  kill          convert a tree of 20,000 files, kill that 200 times, undo it, and look at every file;
                `kill <kills> <files>` for other numbers
  limits        what hostile input costs, in instructions (callgrind's) and memory, at growing sizes; `--write`
                puts the table into docs/limits.md, `--long` takes larger sizes, `--only <text>` some surfaces
  links         check that links in Markdown pages lead to files and headings that exist
  mbox <MiB>    an mbox of that size made of examples/mail, on standard output
  mutants       the codecs changed in one place after another, and whether a test sees it;
                `mutants --shard 0/12` for one change in twelve
  newcomer      add the toy encoding of CONTRIBUTING.md to a copy of the workspace and use it
  picture       write the pictures of README.md: a session in a terminal, a chart of speed; `--check` compares them
  platforms     the tests of the libraries on aarch64, wasm, s390x (big-endian) and i686, and under Miri and
                AddressSanitizer, a part of each; `platforms s390x miri` for some, `--whole` for all of it
  sessions      write what the program answers into docs/sessions
  tree <folder> text files in 13 encodings in folders, 20,000 or `tree <folder> <files>`, with what
                they are to become in UTF-8
  unsafe-count  unsafe blocks, functions and impls per file of crates/*/src
  voice         words and phrases to be replaced by plainer ones, in texts that people read; `voice --check` fails
                on new ones; `cargo xtask voice --help`
  windows       the command for Windows: its lints, and its tests under wine
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
        ["test"] | ["test", "full"] => Steps::all(|steps| test::run(steps, &root, Tier::Full)),
        ["test", "quick"] => Steps::all(|steps| test::run(steps, &root, Tier::Quick)),
        ["test", "deep"] => Steps::all(|steps| test::run(steps, &root, Tier::Deep)),
        ["api", args @ ..] => reported(api::run(&root, args).map(|_| ())),
        ["book"] => reported(book::run(&root)),
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
        ["costs"] => reported(costs::run(&root)),
        ["repair-table"] => reported(repair_table::run(&root)),
        ["deny"] => Steps::all(|steps| deny::run(steps, &root)),
        ["dist", args @ ..] => reported(dist::run(&root, args).map(|_| ())),
        ["detect-table"] => reported(detect_table::run(&root)),
        ["picture", args @ ..] => reported(picture::run(&root, args)),
        ["platforms", args @ ..] => platforms::run(&root, args),
        ["sessions"] => reported(sessions::run(&root)),
        ["kill"] => reported(tree::kill(&root, None, None)),
        ["kill", kills] => reported(tree::kill(&root, Some(kills), None)),
        ["kill", kills, files] => reported(tree::kill(&root, Some(kills), Some(files))),
        ["tree", folder] => reported(tree::make(&root, folder, None)),
        ["tree", folder, files] => reported(tree::make(&root, folder, Some(files))),
        ["voice", args @ ..] => reported(voice::run(&root, args)),
        ["windows"] => Steps::all(|steps| windows::run(steps, &root)),
        ["unsafe-count"] => reported(unsafe_count::run(&root)),
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

/// How a task ended that has one thing to do.
fn reported(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace's `Cargo.toml`.
///
/// Read from the environment that `cargo run` sets, not from the one at build
/// time: a workspace may be moved with its `target` folder.
fn workspace_root() -> Result<PathBuf, String> {
    let manifest_dir = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    manifest_dir
        .and_then(|xtask| Some(xtask.parent()?.to_path_buf()))
        .ok_or_else(|| "CARGO_MANIFEST_DIR is not set; run it as `cargo xtask`".to_owned())
}
