//! `docs/dependencies.md` names every direct dependency, with the reason for it.
//!
//! The page is written by hand. The test compares it with the manifests, so that no dependency
//! comes without a reason and no reason outlives its dependency. It only reads manifests in the
//! style of this workspace: a dependency is one line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Crate, dependency, its features, and whether it is used only for tests.
type Row = (String, String, String, bool);

const PAGE: &str = "docs/dependencies.md";

#[test]
fn the_page_names_every_dependency_and_no_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let sql = root.join("bindings/datafusion/sql");
    let mut folders: Vec<PathBuf> = vec![root.join("fuzz"), root.join("xtask"), sql];
    for parent in ["crates", "bindings"] {
        let entries = fs::read_dir(root.join(parent)).unwrap();
        folders.extend(entries.map(|entry| entry.unwrap().path()));
    }
    let mut there = BTreeSet::new();
    for folder in folders {
        // A binding has its folder in its name.
        let path = folder.strip_prefix(root).unwrap();
        let is_binding = path.starts_with("bindings");
        let name = if is_binding { path.to_str() } else { path.file_name().unwrap().to_str() };
        let name = &name.unwrap().replace('\\', "/");
        if let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) {
            there.extend(dependencies(name, &manifest));
        }
    }
    assert!(there.len() > 40, "manifests can no longer be parsed: {there:?}");
    let told = told(&fs::read_to_string(root.join(PAGE)).unwrap());
    let missing: Vec<_> = there.difference(&told).collect();
    let gone: Vec<_> = told.difference(&there).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "{PAGE}\nlacks {missing:#?}\nstill has {gone:#?}"
    );
}

/// The kernels must be readable without other crates, and the library needs only them, except for a feature.
#[test]
fn the_library_needs_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let of = |name: &str| -> Vec<String> {
        let manifest =
            fs::read_to_string(root.join("crates").join(name).join("Cargo.toml")).unwrap();
        let rows = dependencies(name, &manifest);
        rows.into_iter().filter(|row| !row.3).map(|(_, name, ..)| name).collect()
    };
    assert_eq!(of("utfall-simd"), [""; 0]);
    assert_eq!(of("utfall-oracle"), [""; 0]);
    assert_eq!(of("utfall"), ["unicode-security"]);
    let manifest = fs::read_to_string(root.join("crates/utfall/Cargo.toml")).unwrap();
    let is_left_out =
        |line: &str| line.starts_with("unicode-security") && line.contains("optional = true");
    assert!(manifest.lines().any(is_left_out));
    let default = manifest.lines().find(|line| line.starts_with("default = "));
    assert!(default.is_some_and(|line| !line.contains("confusables")), "{default:?}");
}

/// The dependencies of a manifest that are not in this workspace.
fn dependencies(name: &str, manifest: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut section = "";
    for line in manifest.lines() {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            assert!(!section.contains("dependencies."), "a table for one dependency: {line}");
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        if !section.ends_with("dependencies") || line.starts_with('#') {
            continue;
        }
        let dependency = key.trim().trim_end_matches(".workspace");
        if !dependency.starts_with("utfall") {
            let for_tests = section.ends_with("dev-dependencies");
            rows.push((name.into(), dependency.into(), features(value), for_tests));
        }
    }
    rows
}

/// `features = ["a", "b"]` of a dependency, as `a, b`.
fn features(value: &str) -> String {
    let list = value.split_once("features = [").and_then(|(_, list)| list.split_once(']'));
    list.map_or(String::new(), |(list, _)| list.replace('"', ""))
}

/// The rows of the page, each below the heading of its crate.
fn told(page: &str) -> BTreeSet<Row> {
    let mut rows = BTreeSet::new();
    let mut name = "";
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            name = heading;
        } else if line.starts_with("| `") {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [_, dependency, features, of, why, licence, kept_by, crates, _] = cells[..] else {
                panic!("{PAGE}: {line}: expected seven cells");
            };
            for cell in [why, licence, kept_by, crates] {
                assert!(!cell.is_empty(), "{PAGE}: {line}: a cell is empty");
            }
            let plain = |cell: &str| cell.replace('`', "");
            let row = (name.into(), plain(dependency), plain(features), of == "tests");
            assert!(rows.insert(row), "{PAGE}: {line}: twice");
        }
    }
    rows
}

#[test]
fn manifests_are_read() {
    let manifest = "[package]\nname = \"a\"\n[dependencies]\nutfall.workspace = true\n# Why.\nb = \"1\"\n\
                    c = { version = \"2\", default-features = false, features = [\"x\", \"y\"] }\n\
                    [target.'cfg(unix)'.dev-dependencies]\nd = \"1\"\n[lints]\nworkspace = true\n";
    let row = |name: &str, features: &str, tests| ("a".into(), name.into(), features.into(), tests);
    let expected = [row("b", "", false), row("c", "x, y", false), row("d", "", true)];
    assert_eq!(dependencies("a", manifest), expected);
}
