//! `cargo xtask picture`: the pictures of README.md, light and dark: a terminal session of the real
//! program, and a chart of the newest record of the bench.

mod chart;
mod terminal;
mod theme;

use std::fs;
use std::path::Path;

use crate::steps::{self, cargo};
use crate::tools::target_dir;
use theme::THEMES;

const FOLDER: &str = "docs/pictures";

/// Writes the pictures, or with `--check` compares them.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    let is_check = match args {
        [] => false,
        ["--check"] => true,
        _ => return Err("usage: cargo xtask picture [--check]".to_owned()),
    };
    // As for the quick tests.
    steps::run(&mut cargo(root, &["build", "--quiet", "--all-features", "--bin", "utfall"]))?;
    let pictures = [charts(root)?, sessions(root, "debug")?].concat();
    if is_check { compare(root, &pictures) } else { write(root, &pictures) }
}

/// Compares the charts, which require no build.
pub(crate) fn check_charts(root: &Path) -> Result<(), String> {
    compare(root, &charts(root)?)
}

/// Compares the session with that of the program built in this profile.
pub(crate) fn check_session(root: &Path, profile: &str) -> Result<(), String> {
    compare(root, &sessions(root, profile)?)
}

/// A file name and its text.
type Picture = (String, String);

fn charts(root: &Path) -> Result<Vec<Picture>, String> {
    let chart = chart::Chart::of_newest(root)?;
    Ok(THEMES.iter().map(|theme| (format!("speed-{}.svg", theme.name), chart.svg(theme))).collect())
}

fn sessions(root: &Path, profile: &str) -> Result<Vec<Picture>, String> {
    let text = terminal::recorded(root, &target_dir(root).join(profile))?;
    let picture = |theme| terminal::svg(&text, theme);
    Ok(THEMES.iter().map(|theme| (format!("session-{}.svg", theme.name), picture(theme))).collect())
}

fn write(root: &Path, pictures: &[Picture]) -> Result<(), String> {
    for (name, text) in pictures {
        let path = root.join(FOLDER).join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("   {FOLDER}/{name}");
    }
    Ok(())
}

fn compare(root: &Path, pictures: &[Picture]) -> Result<(), String> {
    if utfall_page::is_renewed() {
        return write(root, pictures);
    }
    for (name, new) in pictures {
        let old = fs::read_to_string(root.join(FOLDER).join(name)).unwrap_or_default();
        if old == *new {
            println!("   {FOLDER}/{name}");
            continue;
        }
        let lines = old.lines().zip(new.lines()).find(|(old, new)| old != new);
        if let Some((old, new)) = lines {
            println!("   - {old}\n   + {new}");
        }
        return Err(format!("{FOLDER}/{name} is stale: run `cargo xtask picture`"));
    }
    Ok(())
}
