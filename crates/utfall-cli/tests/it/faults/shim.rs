//! `shim.c`, which lets calls of the system fail.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

/// Errors, by their numbers on Linux.
pub(crate) const EPERM: i32 = 1;
pub(crate) const EINTR: i32 = 4;
pub(crate) const EIO: i32 = 5;
pub(crate) const EAGAIN: i32 = 11;
pub(crate) const EACCES: i32 = 13;
pub(crate) const EXDEV: i32 = 18;
pub(crate) const EMFILE: i32 = 24;
pub(crate) const ENOSPC: i32 = 28;
pub(crate) const EROFS: i32 = 30;
pub(crate) const ENOLCK: i32 = 37;
pub(crate) const EDQUOT: i32 = 122;

/// A call that is to fail.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// The kind of call, as `shim.c` names it.
    pub(crate) call: String,
    /// Which of them: a number from 1, `all`, or `odd`.
    pub(crate) at: String,
    pub(crate) with: With,
}

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum With {
    Error(i32),
    /// It reads or writes one byte.
    Short,
    /// This happens to the file that the call is about, just before: `cut`, `grow`, `gone`, `other`.
    Change(&'static str),
}

/// The library, compiled once. `None`, with the reason printed, where there can be none.
pub(crate) fn library() -> Option<&'static Path> {
    static LIBRARY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| {
        if !cfg!(all(target_os = "linux", target_env = "gnu")) {
            println!("skipped: no program of this system calls glibc");
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let made = folder.join(format!("faults-{}.so", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/faults/shim.c");
        let mut compiler = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
        compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&made).arg(source).arg("-ldl");
        match compiler.output() {
            Ok(output) if output.status.success() => {}
            Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
            Err(error) => {
                println!("skipped: there is no C compiler: {error}");
                return None;
            }
        }
        // One directory for all runs of the tests: nothing remains.
        let library = folder.join("faults.so");
        fs::rename(made, &library).unwrap();
        Some(library)
    });
    library.as_deref()
}

/// Lets the program run with the library.
pub(crate) fn load(command: &mut Command) -> Option<&mut Command> {
    Some(command.env("LD_PRELOAD", library()?))
}

/// And lets a call fail.
pub(crate) fn inject<'c>(command: &'c mut Command, fault: &Fault) -> Option<&'c mut Command> {
    let with = match fault.with {
        With::Error(number) => number.to_string(),
        With::Short => "short".into(),
        With::Change(what) => what.into(),
    };
    let command = load(command)?;
    Some(
        command
            .env("FAULTS_CALL", &fault.call)
            .env("FAULTS_AT", &fault.at)
            .env("FAULTS_WITH", with),
    )
}

/// The number of a call of the system, for `FAULTS_DENY`.
pub(crate) fn number(call: &str) -> Option<u32> {
    let number = match (call, env::consts::ARCH) {
        ("renameat", "x86_64") => 264,
        ("renameat2", "x86_64") => 316,
        ("renameat", "aarch64") => 38,
        ("renameat2", "aarch64") => 276,
        _ => {
            println!("skipped: the number of {call} is not known for {}", env::consts::ARCH);
            return None;
        }
    };
    Some(number)
}

/// The calls that the program makes: their kinds, in order.
pub(crate) fn calls(log: &Path) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned();
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(kind, name)| (kind.to_owned(), name.to_owned()))
        .collect()
}
