//! Whether ARCHITECTURE.md names files that exist, and enters each file of its walk once.

use std::fs;
use std::path::Path;

use crate::rust::rust_files;

fn page(root: &Path) -> String {
    fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap().replace("\r\n", "\n")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The text between two lines.
fn section<'p>(page: &'p str, begin: &str, end: &str) -> &'p str {
    let (_, rest) = page.split_once(begin).unwrap();
    rest.split_once(end).unwrap().0
}

/// Files and folders in back-quotes, with the folder that the text names before them:
/// "In `utfall/src/`:".
fn places(text: &str) -> Vec<String> {
    let (mut base, mut places) = (String::new(), Vec::new());
    for name in text.split('`').skip(1).step_by(2) {
        let is_place = name.ends_with(".rs") || name.ends_with('/');
        if is_place && name.starts_with("utfall") {
            base = format!("crates/{name}");
        } else if is_place {
            places.push(format!("{base}{name}"));
        }
    }
    places
}

/// A place that is named twice, if there is one.
fn named_twice(places: &[String]) -> Option<&String> {
    places.iter().enumerate().find(|(at, place)| places[..*at].contains(place)).map(|(_, it)| it)
}

#[test]
fn the_walk_enters_each_file_once() {
    let page = page(root());
    let walk = section(&page, "## A walk of one byte\n", "\n## ");
    let (down, back) = walk.split_once("\nBack:\n").unwrap();
    let places_down = places(down);
    assert!(places_down.len() > 15, "{places_down:?}");
    for place in &places_down {
        assert!(root().join(place).exists(), "{place} does not exist");
    }
    assert_eq!(named_twice(&places_down), None);
    // The way back names files without their folder.
    for name in places(back) {
        let exists = |base: &str| root().join(format!("crates/{base}/src/{name}")).exists();
        assert!(exists("utfall") || exists("utfall-cli"), "{name} does not exist");
    }
}

#[test]
fn files_of_the_source_map_exist() {
    let page = page(root());
    let map = section(&page, "## Source map\n", "\nA new format");
    let (mut files, mut count) = (Vec::new(), 0);
    for line in map.lines() {
        let folder = line.trim_end().strip_prefix("    ").filter(|line| !line.starts_with(' '));
        if let Some(folder) = folder {
            files.clear();
            rust_files(&root().join(folder), &mut files).unwrap();
            continue;
        }
        if line.trim_start().starts_with("../") {
            // A folder beside the one above.
            continue;
        }
        let words = line.split(|c: char| c.is_whitespace() || ",;:()".contains(c));
        for name in words.filter(|word| word.ends_with(".rs") && !word.starts_with("../")) {
            // `bounded/{reader,writer}.rs` has two names.
            if name.contains('{') || name.contains('}') {
                continue;
            }
            count += 1;
            assert!(files.iter().any(|file| file.ends_with(name)), "{line:?}: {name}");
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_second_visit_is_noticed() {
    let text = "In `utfall/src/`: `a.rs` and `b/`. In `utfall-simd/src/`: `a.rs`, not `C`.";
    let found = places(text);
    assert_eq!(
        found,
        ["crates/utfall/src/a.rs", "crates/utfall/src/b/", "crates/utfall-simd/src/a.rs"]
    );
    assert_eq!(named_twice(&found), None);
    assert!(named_twice(&places("`a.rs`, `b.rs`, `a.rs`")).is_some());
}
