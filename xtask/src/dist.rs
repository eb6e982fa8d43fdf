//! `cargo xtask dist`: a release archive with the program, its manual pages and completions, and the
//! licences; and `SHA256SUMS`. `.ci/install` downloads it, and so does `cargo binstall`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::steps::{self, Outcome, cargo};
use crate::tools::{runs, target_dir};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Files that are packed unchanged.
const PAGES: [&str; 4] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md"];

/// A shell, and the file name of its completions.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "utfall"),
    ("elvish", "utfall.elv"),
    ("fish", "utfall.fish"),
    ("powershell", "_utfall.ps1"),
    ("zsh", "_utfall"),
];

/// Writes the directory `dist`: the archive, its checksum, and in `utfall` the contents of the
/// archive, from which cargo-deb takes them. `--program PATH` packs an existing program.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<Outcome, String> {
    let built = match args {
        [] => build(root)?,
        ["--program", program] => PathBuf::from(program),
        _ => return Err("usage: cargo xtask dist [--program PATH]".to_owned()),
    };
    let name = format!("utfall-{VERSION}-{}", host(root)?);
    let dist = root.join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist).map_err(|error| failed(&dist, error))?;
    }
    fill(root, &dist.join(&name), &built)?;
    let archive = pack(root, &dist, &name)?;
    fs::rename(dist.join(&name), dist.join("utfall")).map_err(|error| failed(&dist, error))?;
    let sums = dist.join("SHA256SUMS");
    let line = format!("{}  {archive}\n", sha256(&dist.join(&archive))?);
    fs::write(&sums, &line).map_err(|error| failed(&sums, error))?;
    print!("   in {}:\n   {line}", dist.display());
    Ok(Outcome::Passed)
}

fn build(root: &Path) -> Result<PathBuf, String> {
    // Without `--package`, like the first command of the README: with another set of features
    // everything would be built again.
    steps::run(&mut cargo(root, &["build", "--release", "--locked", "--bin", "utfall"]))?;
    Ok(target_dir(root).join("release").join(program()))
}

fn program() -> String {
    format!("utfall{}", env::consts::EXE_SUFFIX)
}

/// The target that the compiler builds for.
fn host(root: &Path) -> Result<String, String> {
    let mut rustc = Command::new("rustc");
    let output = steps::output(rustc.arg("-vV").current_dir(root), b"")?;
    let output = String::from_utf8_lossy(&output).into_owned();
    let host = output.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "the output of rustc -vV has no host".to_owned())
}

/// Fills the directory to be packed.
fn fill(root: &Path, folder: &Path, built: &Path) -> Result<(), String> {
    for part in ["bin", "man/man1", "completions"] {
        let part = folder.join(part);
        fs::create_dir_all(&part).map_err(|error| failed(&part, error))?;
    }
    let copy =
        |from: &Path, to: &Path| fs::copy(from, to).map_err(|error| failed(from, error)).map(drop);
    let installed = folder.join("bin").join(program());
    copy(built, &installed)?;
    for page in PAGES {
        copy(&root.join(page), &folder.join(page))?;
    }
    // It only makes the file smaller, and not every Rust installation has it.
    if let Err(reason) = steps::run(Command::new("strip").arg(&installed)) {
        println!("   not stripped: {reason}");
    }
    let generate = |args: &[&str]| {
        let mut command = Command::new(&installed);
        command.arg("generate").args(args).current_dir(folder);
        steps::output(&mut command, b"")
    };
    generate(&["man", "man/man1"])?;
    for (shell, name) in COMPLETIONS {
        let path = folder.join("completions").join(name);
        let text = generate(&["completions", shell])?;
        fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

/// Packs a directory of `dist` under its name, and returns the name of the archive. Every system
/// has a `tar`; that of Windows also writes zip files.
fn pack(root: &Path, dist: &Path, name: &str) -> Result<String, String> {
    let archive = format!("{name}{}", suffix(cfg!(windows)));
    let mut tar = Command::new("tar");
    if cfg!(windows) {
        tar.args(["-a", "-cf"]);
    } else {
        tar.arg("-czf");
    }
    tar.arg(&archive);
    let version = Command::new("tar").arg("--version").output();
    if version.is_ok_and(|version| version.stdout.starts_with(b"tar (GNU tar)")) {
        // The same files give the same archive on every machine.
        tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=go-w"]);
        tar.arg(format!("--mtime=@{}", time(root)));
    }
    steps::run(tar.arg(name).current_dir(dist))?;
    Ok(archive)
}

fn suffix(is_windows: bool) -> &'static str {
    if is_windows { ".zip" } else { ".tar.gz" }
}

/// The modification time of packed files: that of the last commit, or the start of 1970.
fn time(root: &Path) -> String {
    if let Ok(time) = env::var("SOURCE_DATE_EPOCH") {
        return time;
    }
    let mut git = Command::new("git");
    let log = git.args(["log", "-1", "--format=%ct"]).current_dir(root).stderr(Stdio::null());
    let output = log.output().map(|output| output.stdout).unwrap_or_default();
    let time = String::from_utf8_lossy(&output).trim().to_owned();
    if time.is_empty() { "0".to_owned() } else { time }
}

/// The digest of a file, computed by a program of the system.
fn sha256(file: &Path) -> Result<String, String> {
    let programs: [(&str, &[&str]); 3] =
        [("sha256sum", &[]), ("shasum", &["-a", "256"]), ("certutil", &["-hashfile"])];
    for (program, args) in programs {
        if program != "certutil" && !runs(&[program, "--version"]) {
            continue;
        }
        let mut command = Command::new(program);
        command.args(args).arg(file);
        if program == "certutil" {
            command.arg("SHA256");
        }
        let output = steps::output(&mut command, b"")?;
        let output = String::from_utf8_lossy(&output).into_owned();
        let is_digest =
            |word: &&str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if let Some(digest) = output.split_whitespace().find(is_digest) {
            return Ok(digest.to_owned());
        }
    }
    Err("there is no sha256sum, shasum or certutil".to_owned())
}

fn failed(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
    }

    #[test]
    fn names_are_those_that_binstall_looks_for() {
        let manifest = fs::read_to_string(root().join("crates/utfall-cli/Cargo.toml")).unwrap();
        let value = |key: &str| {
            let line =
                manifest.lines().find(|line| line.starts_with(&format!("{key} = "))).unwrap();
            line.split('"').nth(1).unwrap().to_owned()
        };
        let name = format!("utfall-{VERSION}-T");
        let found = value("pkg-url")
            .replace("{ repo }", "R")
            .replace("{ version }", VERSION)
            .replace("{ target }", "T")
            .replace("{ archive-suffix }", suffix(false));
        assert_eq!(found, format!("R/releases/download/v{VERSION}/{name}.tar.gz"));
        let found = value("bin-dir").replace("{ version }", VERSION).replace("{ target }", "T");
        assert_eq!(found, format!("{name}/bin/{{ bin }}{{ binary-ext }}"));
    }

    /// `.ci/install` accepts only an archive whose checksum is right.
    #[test]
    #[cfg(unix)]
    fn releases_are_installed_by_their_checksum() {
        for program in ["bash", "curl", "tar", "sha256sum"] {
            if !runs(&[program, "--version"]) {
                println!("skipped: there is no {program}");
                return;
            }
        }
        if env::consts::OS != "linux" {
            println!("skipped: the archive of the test is for Linux");
            return;
        }
        let work = target_dir(root()).join("tmp/install");
        _ = fs::remove_dir_all(&work);
        let release = work.join("releases/v9.9.9");
        let name = format!("utfall-9.9.9-{}-unknown-linux-gnu", env::consts::ARCH);
        fs::create_dir_all(release.join(&name).join("bin")).unwrap();
        fs::write(release.join(&name).join("bin/utfall"), "the program").unwrap();
        let archive = pack(root(), &release, &name).unwrap();
        let digest = sha256(&release.join(&archive)).unwrap();
        let install = |digest: &str, folder: &str| {
            let temporary = work.join(folder);
            fs::create_dir_all(&temporary).unwrap();
            fs::write(release.join("SHA256SUMS"), format!("{digest}  {archive}\n")).unwrap();
            let mut command = Command::new("bash");
            command.arg(root().join(".ci/install")).env("RUNNER_TEMP", &temporary);
            command.env("UTFALL_VERSION", "9.9.9").env("GITHUB_PATH", temporary.join("path"));
            command.env("UTFALL_RELEASES", format!("file://{}", work.join("releases").display()));
            (command.output().unwrap(), temporary)
        };
        let (output, folder) = install(&digest, "right");
        assert!(output.status.success(), "{output:?}");
        let path = fs::read_to_string(folder.join("path")).unwrap();
        let installed = fs::read_to_string(Path::new(path.trim()).join("utfall")).unwrap();
        assert_eq!(installed, "the program");
        let (output, folder) = install(&"0".repeat(64), "wrong");
        assert!(!output.status.success() && !folder.join("path").exists(), "{output:?}");
    }
}
