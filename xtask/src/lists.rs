//! Finds lists of encodings in the source code. Which encodings are of one family is a property in
//! the registry (`Info::family`): a list elsewhere misses the next encoding of the family.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use utfall::{Encoding, Family};

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
    ("bindings/python/src/decode.rs", "those that are decoded to the memory of a `str`"),
    (
        "crates/utfall-bench/src/bin/charsets/main.rs",
        "charsets of several scripts, which are measured",
    ),
    ("crates/utfall-bench/src/bin/charsets/texts.rs", "the language of the text for each of them"),
    (
        "crates/utfall-bind/src/likely.rs",
        "forms of UTF-8 that accept overlong sequences or surrogates",
    ),
    ("crates/utfall-cli/src/explain/text.rs", "those of UTF-8 that show code units of UTF-16"),
    ("crates/utfall-detect/src/hints.rs", "the charsets of each language"),
    ("crates/utfall-detect/src/language.rs", "charsets of a few languages"),
    ("crates/utfall-detect/src/possible.rs", "the candidates that detection offers"),
    ("crates/utfall-detect/src/reading.rs", "how rare each candidate is"),
    ("crates/utfall-detect/src/reasons.rs", "the evidence that only some encodings have"),
    ("crates/utfall-iconv/src/bounded/few.rs", "those that short texts are in, each with its loop"),
    ("crates/utfall-mime/src/charset.rs", "the characters that each maps in two ways"),
    ("crates/utfall-mime/src/cost.rs", "charsets that have other rows, or are not for mail"),
    ("crates/utfall/src/encoding/labels.rs", "the labels that vocabularies define differently"),
    ("crates/utfall/src/explain/note.rs", "the standards whose rows and cells each charset has"),
    ("crates/utfall/src/explain/state.rs", "decoders with a state, each of a type of its own"),
];

/// Types with a variant for each encoding.
const TYPES: [&str; 3] = ["Encoding", "AnyDecoder", "AnyEncoder"];

/// Source text, and how it names encodings.
struct Source {
    tokens: Vec<String>,
    /// [`TYPES`], and what the text renames them to: `use Encoding as E`.
    types: BTreeSet<String>,
    families: BTreeMap<String, Family>,
}

impl Source {
    fn new(text: &str) -> Self {
        let tokens = without_tests(&tokens(text));
        let renamed = tokens.windows(3).filter_map(|window| match window {
            [of, word, name] if TYPES.contains(&&**of) && word == "as" => Some(name.clone()),
            _ => None,
        });
        let names = TYPES.into_iter().chain(["Self"]).map(str::to_owned);
        let types = names.chain(renamed).collect();
        let row = |encoding: &Encoding| (format!("{encoding:?}"), encoding.info().family);
        Self { tokens, types, families: Encoding::ALL.iter().map(row).collect() }
    }

    /// Whether the token is the name of an encoding, after its type.
    fn is_encoding(&self, at: usize) -> bool {
        let path = at.checked_sub(3).and_then(|from| self.tokens.get(from..=at));
        let Some([of, first, second, name]) = path else { return false };
        first == ":" && second == ":" && self.types.contains(of) && self.families.contains_key(name)
    }

    /// Encodings with only punctuation and the names of their type between them.
    fn sequences(&self) -> Vec<BTreeSet<String>> {
        let between = ["utfall", "crate", ":", "|", ",", "(", "_", ")"];
        let (mut found, mut list) = (Vec::new(), BTreeSet::new());
        for (at, token) in self.tokens.iter().enumerate() {
            if self.is_encoding(at) {
                list.insert(token.clone());
            } else if !between.contains(&&**token) && !self.types.contains(token) {
                found.push(std::mem::take(&mut list));
            }
        }
        found.push(list);
        found
    }

    /// The encodings in the patterns of the `match` whose operand begins at `at`.
    fn patterns(&self, at: usize) -> BTreeSet<String> {
        let mut depth = 0_usize;
        let (mut is_operand, mut is_pattern, mut found) = (true, true, BTreeSet::new());
        for (at, token) in self.tokens.iter().enumerate().skip(at) {
            match &**token {
                "{" if depth == 0 => (is_operand, depth) = (false, 1),
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && !is_operand {
                        break;
                    }
                    // The end of an arm that is a block.
                    is_pattern |= depth == 1 && token == "}";
                }
                "," if depth == 1 => is_pattern = true,
                ">" if depth == 1 && self.tokens[at - 1] == "=" => is_pattern = false,
                _ if is_pattern && !is_operand && self.is_encoding(at) => {
                    found.insert(token.clone());
                }
                _ => {}
            }
        }
        found
    }
}

/// Sets of encodings of one family that are listed in source text: without other words between
/// them, or in the patterns of one `match`.
fn lists(text: &str) -> Vec<BTreeSet<String>> {
    let source = Source::new(text);
    let matches = source.tokens.iter().enumerate().filter(|(_, token)| *token == "match");
    let mut all = source.sequences();
    all.extend(matches.map(|(at, _)| source.patterns(at + 1)));
    let mut found = Vec::new();
    for list in all {
        for name in &list {
            let of_family = |other: &&String| source.families[*other] == source.families[name];
            let same: BTreeSet<String> = list.iter().filter(of_family).cloned().collect();
            if same.len() >= MANY && !found.contains(&same) {
                found.push(same);
            }
        }
    }
    found
}

#[test]
fn encodings_of_a_family_are_listed_in_the_registry_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut decisions: BTreeSet<_> = DECISIONS.iter().map(|(path, _)| *path).collect();
    let mut wrong = Vec::new();
    let crates = ["crates", "bindings"].map(|place| folder(&root.join(place)).unwrap());
    for krate in crates.into_iter().flatten() {
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
    let found = |text: &str| {
        let text = format!("use utfall::Encoding as E; {text}");
        lists(&text).into_iter().map(|list| list.len()).collect::<Vec<_>>()
    };
    assert_eq!(found("matches!(e, E::Utf7 | E::Utf7Imap | E::Unicode11Utf7)"), [3]);
    assert_eq!(
        found("[Encoding::Utf16, Encoding::Scsu, Encoding::Utf16Le, utfall::Encoding::Ucs2]"),
        [3]
    );
    assert_eq!(found("[E::Utf7, E::Utf7Imap, other, E::Unicode11Utf7]"), []);
    assert_eq!(found("E::Utf7 | E::Utf7Imap => 1, E::Unicode11Utf7 => 2"), []);
    assert_eq!(found("#[cfg(test)] mod tests { [E::Utf16, E::Utf16Le, E::Utf16Be] }"), []);
    // Other types have variants of these names.
    assert_eq!(found("use Layout as L; L::Utf16(_) | L::Utf16Le(_) | L::Utf16Be(_)"), []);
    let decoders = "use AnyDecoder as D; D::Utf16(d) | D::Utf16Le(d) | D::Ucs2(d)";
    assert_eq!(found(&decoders.replace("(d)", "(_)")), [3]);
    // One for each arm, whatever the arms do.
    assert_eq!(
        found(
            "match f(a) { E::Utf7 | E::Utf7Imap => 1, Some(E::Unicode11Utf7) => { g(2) } _ => 3 }"
        ),
        [3]
    );
    assert_eq!(found("match e { D::Utf16(d) => 1, D::Utf16Le(d) => 2, D::Utf16Be(d) => 3 }"), []);
    assert_eq!(found("match e { E::Utf7 => E::Utf7Imap, E::Unicode11Utf7 => E::Utf7Rfc1642 }"), []);
}
