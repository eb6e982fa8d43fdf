//! `cargo xtask pages`: renews generated pages and lists.
//!
//! A test of a crate generates each, and compares it with the one in the repository, or writes it if
//! `UTFALL_BLESS=1` is set. Pages that need other programs have their own tasks, with `--write`.

pub(crate) mod iconv;

use std::path::Path;

use crate::picture;
use crate::steps::{self, Outcome, cargo};
use crate::trust::api;

/// A page that a test generates.
struct Page {
    name: &'static str,
    package: &'static str,
    /// The module of the crate's tests that generates it.
    module: &'static str,
    /// Whether that module is in the library itself.
    is_unit: bool,
}

const PAGES: [Page; 16] = [
    // Properties of encodings, in crates/utfall/tests/encodings.txt.
    Page { name: "encodings", package: "utfall", module: "messages", is_unit: false },
    // Indexes of East Asian charsets, in crates/utfall/src/codec/index.
    Page { name: "indexes", package: "utfall", module: "indexes", is_unit: false },
    // These indexes packed for WebAssembly.
    Page {
        name: "packed-indexes",
        package: "utfall",
        module: "codec::packed_tests",
        is_unit: true,
    },
    // Single-byte charsets packed, in crates/utfall/src/codec/single_byte.
    Page {
        name: "packed-tables",
        package: "utfall",
        module: "codec::packed_tests::single_byte",
        is_unit: true,
    },
    // Hangul of Unicode 1.1 packed, in crates/utfall/src/repertoire.
    Page { name: "packed-hangul", package: "utfall", module: "repertoire::hangul", is_unit: true },
    // Texts of `any_ascii` packed, in crates/utfall-iconv/src/translit.
    Page { name: "texts", package: "utfall-iconv", module: "translit::tests", is_unit: true },
    // Differences between charsets of glibc and of the web, in crates/utfall/src/codec/multi_byte.
    Page { name: "tables", package: "utfall", module: "multi_byte::tests", is_unit: true },
    // Calls with their answers, in testdata/bindings/cases.json.
    Page { name: "cases", package: "utfall-bind", module: "cases", is_unit: false },
    // Names of characters, in crates/utfall-bind/src/name.
    Page { name: "names", package: "utfall-bind", module: "names", is_unit: false },
    // The same packed for WebAssembly.
    Page {
        name: "packed-names",
        package: "utfall-bind",
        module: "name::table::tests",
        is_unit: true,
    },
    // Characters that look like ASCII, in crates/utfall/src/lint.
    Page { name: "prototypes", package: "utfall", module: "lint::prototype::tests", is_unit: true },
    // The header of C and its symbols, in bindings/c.
    Page { name: "header", package: "utfall-c", module: "header", is_unit: false },
    // Sizes of text in mail, in docs/costs.md.
    Page { name: "costs", package: "utfall-mime", module: "costs_page", is_unit: false },
    // How often detection is right, in docs/detect.md.
    Page { name: "detect", package: "utfall-detect", module: "page", is_unit: false },
    // How often repair is right, in docs/repair.md.
    Page { name: "repair", package: "utfall-repair", module: "corpora", is_unit: false },
    // Output of the program, in docs/sessions and in `console` blocks of other pages.
    Page { name: "sessions", package: "utfall-cli", module: "sessions", is_unit: false },
];

/// The lists of public items, in docs/api.
const API: &str = "api";
/// The pictures of README.md.
const PICTURE: &str = "picture";

/// Writes all pages, or those with these names.
pub(crate) fn run(root: &Path, names: &[&str]) -> Result<(), String> {
    let known: Vec<_> = PAGES.iter().map(|page| page.name).chain([API, PICTURE]).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!("no generated page {unknown}; there are: {}", known.join(", ")));
    }
    let is_wanted = |name: &str| names.is_empty() || names.contains(&name);
    for page in PAGES.iter().filter(|page| is_wanted(page.name)) {
        let module = format!("{}::", page.module);
        let mut args = vec!["test", "--all-features", "--package", page.package];
        args.extend(if page.is_unit { &["--lib"][..] } else { &["--test", "it"] });
        args.push(&module);
        steps::run(cargo(root, &args).env(utfall_page::SWITCH, "1"))?;
    }
    if is_wanted(API)
        && let Outcome::Skipped(reason) = api::run(root, &["--write"])?
    {
        println!("   {API}: skipped: {reason}");
    }
    if is_wanted(PICTURE) {
        picture::run(root, &[])?;
    }
    Ok(())
}
