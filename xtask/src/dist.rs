//! `cargo xtask dist`: what is installed, in a folder: the program, its manual pages and completions,
//! the licences.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::steps::{self, Outcome, cargo};
use crate::tools::target_dir;

/// What is handed on as it is.
const PAGES: [&str; 4] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md"];

/// A shell, and where it looks for completions.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "utfall"),
    ("elvish", "utfall.elv"),
    ("fish", "utfall.fish"),
    ("powershell", "_utfall.ps1"),
    ("zsh", "_utfall"),
];

/// Writes the folder `dist`.
pub(crate) fn run(root: &Path) -> Result<Outcome, String> {
    // Without `--package`, as the first command of the README has it: with another set of features it
    // would all be built once more.
    steps::run(&mut cargo(root, &["build", "--release", "--locked", "--bin", "utfall"]))?;
    let program = format!("utfall{}", env::consts::EXE_SUFFIX);
    let built = target_dir(root).join("release").join(&program);
    let dist = root.join("dist");
    let failed = |path: &Path| format!("{}: ", path.display());

    if dist.exists() {
        fs::remove_dir_all(&dist).map_err(|error| failed(&dist) + &error.to_string())?;
    }
    for folder in ["bin", "man/man1", "completions"] {
        let folder = dist.join(folder);
        fs::create_dir_all(&folder).map_err(|error| failed(&folder) + &error.to_string())?;
    }
    let copy = |from: &Path, to: &Path| {
        fs::copy(from, to).map_err(|error| failed(from) + &error.to_string())
    };
    let installed = dist.join("bin").join(&program);
    copy(&built, &installed)?;
    for page in PAGES {
        copy(&root.join(page), &dist.join(page))?;
    }
    // It only makes the file smaller, and not everybody who has Rust has it.
    if let Err(reason) = steps::run(Command::new("strip").arg(&installed)) {
        println!("   not stripped: {reason}");
    }
    let generate = |args: &[&str]| {
        let mut command = Command::new(&installed);
        command.arg("generate").args(args).current_dir(&dist);
        steps::output(&mut command, b"")
    };
    generate(&["man", "man/man1"])?;
    for (shell, name) in COMPLETIONS {
        let path = dist.join("completions").join(name);
        let text = generate(&["completions", shell])?;
        fs::write(&path, text).map_err(|error| failed(&path) + &error.to_string())?;
    }
    println!("   in {}", dist.display());
    Ok(Outcome::Passed)
}
