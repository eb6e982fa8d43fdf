//! `cargo xtask circles`: finds circles between the modules of a crate. Two modules that use each
//! other can only be understood together.
//!
//! A module is one that `lib.rs` or `main.rs` declares, with all below it. What it uses are the
//! paths in it that begin with `crate::` or lead there by `super::`, through the `use` lines of the root.
//! Tests may use anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::rust::{folder, rust_files, tokens, without_tests};

/// The circles that stay: the crate, the modules, and the reason. A circle among some of the
/// modules is accepted too.
const ACCEPTED: &[(&str, &[&str], &str)] = &[
    (
        "utfall",
        &[
            "codec", "encoding", "engine", "error", "info", "lines", "oneshot", "progress",
            "route", "shortcut", "stream",
        ],
        "the registry names every codec, and an error names its encoding",
    ),
    (
        "utfall-cli",
        &["check", "cli", "config", "file_name", "input", "likely", "output", "progress"],
        "help lists the rules of `check`; an input takes a sample for `likely`, which opens inputs",
    ),
    ("utfall-conformance", &["classes", "compare"], "a class judges a comparison"),
    ("utfall-iconv", &["iso_2022_jp", "table"], "a table may be one of its character sets"),
    (
        "utfall-mime",
        &["base64", "quoted_printable", "transfer"],
        "the result of decoding is declared in `transfer`, which calls both",
    ),
    ("utfall-mime", &["field", "rewrite"], "edits of a field are those of a message"),
    ("utfall-oracle", &["imap_utf7", "shifted", "utf7"], "two formats share the run"),
    (
        "utfall-repair",
        &[
            "chain", "context", "controls", "escapes", "guard", "halved", "line", "raw", "row",
            "search", "sequence", "table", "uniform", "unite", "whole",
        ],
        "steps, rows and edits are declared where they are made, and used in the whole search",
    ),
    (
        "utfall-simd",
        &["arch", "generic"],
        "tables of `arch` instantiate `generic`, which leaves ends to the scalar table there",
    ),
];

/// The modules of a crate, and those that each uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Checks every crate.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut wrong = 0;
    let mut stale: Vec<_> = ACCEPTED.iter().collect();
    let mut modules = 0;
    let mut crates = folder(&root.join("crates"))?;
    crates.push(root.join("xtask"));
    for krate in crates {
        let name = krate.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(uses) = uses(&krate.join("src"))? else { continue };
        modules += uses.len();
        for circle in circles(&uses) {
            let accepted = ACCEPTED.iter().find(|(of, among, _)| {
                *of == name && circle.iter().all(|module| among.contains(&module.as_str()))
            });
            match accepted {
                Some(row) => stale.retain(|other| !std::ptr::eq(*other, row)),
                None => {
                    wrong += 1;
                    tell(&name, &circle, &uses);
                }
            }
        }
    }
    for (krate, among, _) in &stale {
        println!(
            "{krate}: {} no longer form a circle: delete their row of ACCEPTED",
            among.join(", ")
        );
    }
    match wrong + stale.len() {
        0 => {
            println!("   {modules} modules, {} accepted circles", ACCEPTED.len());
            Ok(())
        }
        _ => Err("circles between modules are not those of xtask/src/circles.rs; move what both \
                  modules need to one that uses neither"
            .to_owned()),
    }
}

/// Prints a circle, and which of its modules uses which.
fn tell(krate: &str, circle: &BTreeSet<String>, uses: &Uses) {
    println!("{krate}: circle among {} modules:", circle.len());
    for module in circle {
        let used: Vec<_> = uses[module].intersection(circle).map(String::as_str).collect();
        println!("  {module} uses {}", used.join(", "));
    }
}

/// The modules that each module of a crate uses. `None` if `src` is not a crate.
fn uses(src: &Path) -> Result<Option<Uses>, String> {
    let roots = ["lib.rs", "main.rs"].map(|file| src.join(file));
    let roots: Vec<_> = roots.into_iter().filter(|path| path.is_file()).collect();
    if roots.is_empty() {
        return Ok(None);
    }
    let mut modules = BTreeSet::new();
    let mut imports = BTreeMap::new();
    for path in &roots {
        let tokens = without_tests(&read(path)?);
        modules.extend(declared(&tokens));
        imports.extend(imported(&tokens));
    }
    let mut files = Vec::new();
    rust_files(src, &mut files)?;
    let mut uses: Uses = modules.iter().map(|name| (name.clone(), BTreeSet::new())).collect();
    for file in files.iter().filter(|file| !roots.contains(file)) {
        let path = file.strip_prefix(src).unwrap_or(file).with_extension("");
        let mut parts: Vec<String> =
            path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        if parts.last().is_some_and(|last| last == "mod") {
            parts.pop();
        }
        let Some(own) = parts.first().and_then(|first| uses.get_mut(first)) else { continue };
        for name in rooted(&without_tests(&read(file)?), parts.len()) {
            let module = imports.get(&name).unwrap_or(&name);
            if modules.contains(module) && *module != parts[0] {
                own.insert(module.clone());
            }
        }
    }
    Ok(Some(uses))
}

fn read(path: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(tokens(&text))
}

/// The modules that a root declares.
fn declared(tokens: &[String]) -> impl Iterator<Item = String> {
    tokens.windows(3).filter(|three| three[0] == "mod" && three[2] == ";").map(|t| t[1].clone())
}

/// The names that a root imports from its modules, each with its module.
fn imported(tokens: &[String]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut rest = tokens;
    while let Some(at) = rest.iter().position(|token| token == "use") {
        let end = rest[at..].iter().position(|token| token == ";").map_or(rest.len(), |n| at + n);
        let path = &rest[at + 1..end];
        let module = path.iter().find(|token| !["self", "crate", ":"].contains(&token.as_str()));
        if let Some(module) = module {
            let names = path.iter().filter(|token| token.starts_with(char::is_alphabetic));
            found.extend(names.map(|name| (name.clone(), module.clone())));
        }
        rest = &rest[end..];
    }
    found
}

/// The names directly in the root of the crate that a file uses, which is `depth` modules below it.
fn rooted(tokens: &[String], depth: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let is_path = |at: usize| {
        let colon = |at: usize| tokens.get(at).is_some_and(|token| token == ":");
        colon(at) && colon(at + 1)
    };
    let mut at = 0;
    while at < tokens.len() {
        let mut supers = 0;
        while tokens[at] == "super" && is_path(at + 1) && at + 3 < tokens.len() {
            supers += 1;
            at += 3;
        }
        let is_root = (supers > 0 && supers == depth) || (tokens[at] == "crate" && is_path(at + 1));
        let first = if supers > 0 { at } else { at + 3 };
        if is_root {
            names.extend(firsts(&tokens[first.min(tokens.len())..]));
        }
        at += 1;
    }
    names
}

/// The first names of a path, or of the paths in a group.
fn firsts(tokens: &[String]) -> Vec<String> {
    let Some(first) = tokens.first() else { return Vec::new() };
    if first != "{" {
        return vec![first.clone()];
    }
    let mut names = Vec::new();
    let mut depth = 0;
    let mut begins = false;
    for token in tokens {
        match token.as_str() {
            "{" => {
                depth += 1;
                begins = depth == 1;
            }
            "}" if depth == 1 => break,
            "}" => depth -= 1,
            "," => begins = depth == 1,
            name if begins => {
                names.push(name.to_owned());
                begins = false;
            }
            _ => {}
        }
    }
    names
}

/// The sets of modules that all use each other, directly or through others.
fn circles(uses: &Uses) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<String>> =
        uses.keys().map(|module| (module, reach(uses, module))).collect();
    let circle = |module: &String| -> BTreeSet<String> {
        let both = reached[module].iter().filter(|other| reached[other].contains(module));
        both.cloned().collect()
    };
    let circles: BTreeSet<_> =
        uses.keys().map(circle).filter(|circle| !circle.is_empty()).collect();
    circles.into_iter().collect()
}

/// Every module that this one uses, directly or through others.
fn reach(uses: &Uses, module: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&String> = uses[module].iter().collect();
    while let Some(module) = next.pop() {
        if reached.insert(module.clone()) {
            next.extend(&uses[module]);
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_root_are_found_in_every_spelling() {
        let text = "use crate::a::B; use crate::{c, d::{e, f}, g}; fn h() { crate::i::j() } \
                    use super::k; use super::super::l; use super::super::{m, n::o}; // crate::p";
        let found = |depth| rooted(&tokens(text), depth).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(found(1), "a c d g i k");
        assert_eq!(found(2), "a c d g i l m n");
    }

    #[test]
    fn what_the_root_imports_belongs_to_a_module() {
        let found =
            imported(&tokens("mod a; pub use a::{B, c::D}; use std::fs; pub use self::e::F;"));
        assert_eq!((&*found["B"], &*found["D"], &*found["F"]), ("a", "a", "e"));
    }

    #[test]
    fn circles_are_found() {
        let uses = |pairs: &[(&str, &str)]| -> Uses {
            let of = |(module, used): &(&str, &str)| {
                (module.to_string(), used.split_whitespace().map(str::to_owned).collect())
            };
            pairs.iter().map(of).collect()
        };
        assert_eq!(circles(&uses(&[("a", "b c"), ("b", "c"), ("c", "")])), []);
        let found = circles(&uses(&[("a", "b"), ("b", "c"), ("c", "a d"), ("d", "e"), ("e", "d")]));
        let found: Vec<Vec<_>> = found.into_iter().map(|one| one.into_iter().collect()).collect();
        assert_eq!(found, [vec!["a", "b", "c"], vec!["d", "e"]]);
    }
}
