//! `cargo xtask package`: packs the crates that are published, and builds each of them from its package.
//!
//! `cargo package` builds them too. But it treats a crate that others need as one of a registry, which never
//! changes: it neither unpacks nor builds it again while the version stays the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{self, Outcome, cargo};
use crate::tools::{published, target_dir};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The licences that every package contains: links to those of the repository.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The other files of a package besides its sources; cargo adds all but the last.
const FILES: [&str; 5] =
    [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig", "README.md"];

/// The largest compressed size of a package, in bytes, to catch files that do not belong there.
/// Tables of charsets take most of the largest package.
const LARGEST: u64 = 840_000;

/// Packs, checks and builds the crates; `--no-build` leaves out the last, which takes most of the time.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<Outcome, String> {
    let builds = match args {
        [] => true,
        ["--no-build"] => false,
        _ => return Err("usage: cargo xtask package [--no-build]".to_owned()),
    };
    let crates = published(root)?;
    pack(root, &crates)?;
    for name in &crates {
        check(root, name)?;
    }
    if builds {
        build(root, &crates)?;
    }
    Ok(Outcome::Passed)
}

fn pack(root: &Path, crates: &[String]) -> Result<(), String> {
    // Everything is there once the crates are built, and a change is tested before it is committed.
    let mut package = cargo(root, &["package", "--quiet", "--no-verify", "--offline"]);
    package.args(["--locked", "--allow-dirty"]);
    for name in crates {
        package.args(["--package", name]);
    }
    steps::run(&mut package)
}

/// Unpacks the packages side by side and builds one after the other, so that none has features that
/// only another one asks for.
fn build(root: &Path, crates: &[String]) -> Result<(), String> {
    let work = target_dir(root).join("packages");
    let failed = |error| format!("{}: {error}", work.display());
    fs::create_dir_all(&work).map_err(failed)?;
    let (mut members, mut patches) = (String::new(), String::new());
    for name in crates {
        let folder = format!("{name}-{VERSION}");
        members += &format!("    \"{folder}\",\n");
        patches += &format!("{name} = {{ path = \"{folder}\" }}\n");
        let unpacked = work.join(&folder);
        if unpacked.exists() {
            fs::remove_dir_all(&unpacked).map_err(failed)?;
        }
        // The files get the time of now: those of a package have one time always, which hides changes.
        tar(&work, "-xzmf", &archive(root, name), None)?;
    }
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [\n{members}]\n\n[patch.crates-io]\n{patches}"
    );
    fs::write(work.join("Cargo.toml"), manifest).map_err(failed)?;
    fs::copy(root.join("Cargo.lock"), work.join("Cargo.lock")).map_err(failed)?;
    for name in crates {
        let mut build = cargo(&work, &["build", "--quiet", "--offline", "--package", name]);
        // Nobody debugs the programs, or builds them twice.
        build
            .env("CARGO_TARGET_DIR", work.join("target"))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_INCREMENTAL", "0");
        steps::run(&mut build)?;
    }
    Ok(())
}

fn archive(root: &Path, name: &str) -> PathBuf {
    target_dir(root).join("package").join(format!("{name}-{VERSION}.crate"))
}

/// Checks what a package contains.
fn check(root: &Path, name: &str) -> Result<(), String> {
    let archive = archive(root, name);
    let metadata = fs::metadata(&archive);
    let size = metadata.map_err(|error| format!("{}: {error}", archive.display()))?.len();
    let folder = format!("{name}-{VERSION}/");
    let list = tar(root, "-tzf", &archive, None)?;
    let list = String::from_utf8_lossy(&list);
    let files: Vec<_> = list.lines().filter_map(|line| line.strip_prefix(&folder)).collect();
    let is_known =
        |file: &str| file.starts_with("src/") || FILES.contains(&file) || LICENCES.contains(&file);
    if let Some(file) = files.iter().find(|file| !is_known(file)) {
        return Err(format!("the package of {name} contains {file}: see `include` in Cargo.toml"));
    }
    if !files.contains(&"README.md") {
        return Err(format!("the package of {name} contains no README.md"));
    }
    for licence in LICENCES {
        let packed = tar(root, "-xzOf", &archive, Some(&format!("{folder}{licence}")))?;
        let ours = fs::read(root.join(licence)).map_err(|error| format!("{licence}: {error}"))?;
        if packed != ours {
            return Err(format!(
                "{licence} in the package of {name} is not that of the repository: on Windows, \
                 check out with `git config core.symlinks true`"
            ));
        }
    }
    if size > LARGEST {
        return Err(format!("the package of {name} has {size} bytes, more than {LARGEST}"));
    }
    println!("   {name}: {} files, {} kB", files.len(), size.div_ceil(1000));
    Ok(())
}

/// Runs `tar`, which every system has, on an archive or a file in it, and returns what it prints.
fn tar(folder: &Path, option: &str, archive: &Path, file: Option<&str>) -> Result<Vec<u8>, String> {
    let mut tar = Command::new("tar");
    let output = tar.arg(option).arg(archive).args(file).current_dir(folder).output();
    let output = output.map_err(|error| format!("tar: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(format!("{}: {}", archive.display(), String::from_utf8_lossy(&output.stderr)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The categories of crates.io that fit; cargo does not check them before it publishes.
    const CATEGORIES: [&str; 7] = [
        "command-line-utilities",
        "email",
        "encoding",
        "filesystem",
        "internationalization",
        "no-std::no-alloc",
        "text-processing",
    ];

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
    }

    /// The strings between quotes in the line of a manifest that begins with `key`.
    fn values<'m>(manifest: &'m str, key: &str) -> Vec<&'m str> {
        let is_key = |line: &&str| line.split_once(" = ").is_some_and(|(found, _)| found == key);
        let line = manifest.lines().find(is_key).unwrap_or_default();
        line.split('"').skip(1).step_by(2).collect()
    }

    #[test]
    fn every_published_crate_describes_itself() {
        for name in published(root()).unwrap() {
            let folder = root().join("crates").join(&name);
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            assert_eq!(values(&manifest, "description").len(), 1, "{name}");
            assert!(!manifest.contains("octet"), "{name}");
            assert_eq!(values(&manifest, "documentation").len(), 1, "{name}");
            assert_eq!(values(&manifest, "readme"), ["README.md"], "{name}");
            assert!(manifest.contains("\ninclude.workspace = true\n"), "{name}");
            let keywords = values(&manifest, "keywords");
            // As crates.io wants them.
            let is_keyword = |word: &&str| {
                let is_part = |c: char| c.is_ascii_alphanumeric() || "-_+".contains(c);
                word.len() <= 20
                    && word.starts_with(|c: char| c.is_ascii_alphanumeric())
                    && word.chars().all(is_part)
            };
            assert!((1..=5).contains(&keywords.len()), "{name}: {keywords:?}");
            assert!(keywords.iter().all(is_keyword), "{name}: {keywords:?}");
            let categories = values(&manifest, "categories");
            assert!((1..=5).contains(&categories.len()), "{name}: {categories:?}");
            assert!(categories.iter().all(|slug| CATEGORIES.contains(slug)), "{name}");
            let page = fs::read_to_string(folder.join("README.md")).unwrap();
            assert!(page.starts_with(&format!("# {name}\n")), "{name}");
            assert!(page.contains("\n## Licence\n"), "{name}");
            assert!(page.contains("\n## Documentation\n"), "{name}");
        }
    }

    /// Their READMEs are run as examples, and docs.rs shows the features that items need.
    #[test]
    fn every_library_has_its_pages_checked() {
        for name in crate::trust::api::libraries(root()).unwrap() {
            let folder = root().join("crates").join(&name);
            let page = fs::read_to_string(folder.join("README.md")).unwrap();
            assert!(page.contains("\n```rust\n"), "{name}");
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let docs = "\n[package.metadata.docs.rs]\nall-features = true\n\
                        rustdoc-args = [\"--cfg\", \"docsrs\"]\n";
            assert!(manifest.contains(docs), "{name}");
            let code = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
            assert!(code.contains("\n#![cfg_attr(docsrs, feature(doc_cfg))]\n"), "{name}");
            let example = "\n#[cfg(doctest)]\n#[doc = include_str!(\"../README.md\")]\n";
            assert!(code.contains(example), "{name}");
            let first = code.lines().find(|line| line.starts_with("//! ```"));
            assert_eq!(first, Some("//! ```"), "{name} has no example on its first page");
        }
    }
}
