//! Finds lists of encodings in the source code. Which encodings are of one family is a property in
//! the registry (`Info::family`): a list elsewhere misses the next encoding of the family.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use utfall::Encoding;

use crate::rust::{folder, rust_files, tokens, without_tests};

/// Encodings of one family, listed together, from which a list is suspicious.
const MANY: usize = 3;

/// Where the encodings are defined or named one by one.
const DEFINITIONS: [&str; 4] = [
    "crates/utfall/src/encoding.rs",
    "crates/utfall/src/codec/",
    // What other programs call each.
    "crates/utfall-conformance/src/",
    // What glibc calls each.
    "crates/utfall-iconv/src/names.rs",
];

/// Lists that are decisions of their file, with the reason.
const DECISIONS: &[(&str, &str)] = &[
    ("crates/utfall-bench/src/bin/charsets.rs", "charsets of several scripts, which are measured"),
    (
        "crates/utfall-bind/src/likely.rs",
        "forms of UTF-8 that accept overlong sequences or surrogates",
    ),
    ("crates/utfall-cli/src/explain/text.rs", "those of UTF-8 that show code units of UTF-16"),
    ("crates/utfall-detect/src/hints.rs", "the charsets of each language"),
    ("crates/utfall-detect/src/rank.rs", "the candidates that detection offers"),
    ("crates/utfall-detect/src/reading.rs", "how rare each candidate is"),
    ("crates/utfall-mime/src/cost.rs", "charsets that have other rows, or are not for mail"),
    ("crates/utfall/src/hidden.rs", "the finder that reads each"),
    ("crates/utfall/src/hidden/units.rs", "the byte order that a finder assumes"),
];

/// Sets of encodings of one family that are listed in source text without other words between them.
fn lists(text: &str) -> Vec<BTreeSet<String>> {
    let families: BTreeMap<String, _> = Encoding::ALL
        .iter()
        .map(|encoding| (format!("{encoding:?}"), encoding.info().family))
        .collect();
    let tokens = without_tests(&tokens(text));
    let mut found = Vec::new();
    let mut list: Vec<&String> = Vec::new();
    let mut end = |list: &mut Vec<&String>| {
        for name in list.iter() {
            let of_family = |other: &&&String| families[**other] == families[*name];
            let same: BTreeSet<_> = list.iter().filter(of_family).map(|s| s.to_string()).collect();
            if same.len() >= MANY && !found.contains(&same) {
                found.push(same);
            }
        }
        list.clear();
    };
    for (at, token) in tokens.iter().enumerate() {
        let is_path = at >= 2 && tokens[at - 1] == ":" && tokens[at - 2] == ":";
        match token.as_str() {
            name if is_path && families.contains_key(name) => list.push(token),
            "E" | "Encoding" | "Self" | "utfall" | ":" | "|" | "," => {}
            _ => end(&mut list),
        }
    }
    end(&mut list);
    found
}

#[test]
fn encodings_of_a_family_are_listed_in_the_registry_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut decisions: BTreeSet<_> = DECISIONS.iter().map(|(path, _)| *path).collect();
    let mut wrong = Vec::new();
    for krate in folder(&root.join("crates")).unwrap() {
        let mut files = Vec::new();
        if krate.join("src").is_dir() {
            rust_files(&krate.join("src"), &mut files).unwrap();
        }
        for file in files {
            let name = file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            if DEFINITIONS.iter().any(|path| name.starts_with(path)) {
                continue;
            }
            let found = lists(&std::fs::read_to_string(&file).unwrap());
            let is_decision = DECISIONS.iter().any(|(path, _)| *path == name);
            if !found.is_empty() && is_decision {
                decisions.remove(&*name);
            } else if !found.is_empty() {
                wrong.push(format!("{name}: {found:?}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "use Info::family, or add the file to DECISIONS with the reason:\n{}",
        wrong.join("\n")
    );
    assert!(decisions.is_empty(), "no list there anymore: {decisions:?}");
}

#[test]
fn a_list_is_recognized() {
    let found = |text| lists(text).into_iter().map(|list| list.len()).collect::<Vec<_>>();
    assert_eq!(found("matches!(e, E::Utf7 | E::Utf7Imap | E::Unicode11Utf7)"), [3]);
    assert_eq!(
        found("[Encoding::Utf16, Encoding::Scsu, Encoding::Utf16Le, utfall::Encoding::Ucs2]"),
        [3]
    );
    assert_eq!(found("E::Utf7 | E::Utf7Imap => 1, E::Unicode11Utf7 => 2"), []);
    assert_eq!(found("#[cfg(test)] mod tests { [E::Utf16, E::Utf16Le, E::Utf16Be] }"), []);
}
