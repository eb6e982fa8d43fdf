//! The tests of the kernels for processors that this machine is not, and what they need.
//!
//! What is missing is fetched if that is possible without asking anybody: targets with
//! `rustup`, programs with `apt-get` if this is Debian and we are root, as in a container of
//! CI. Otherwise the step is skipped.

use std::path::Path;
use std::process::{Command, Stdio};
use std::str;

use crate::steps::{self, Outcome, cargo};

/// What `UTFALL_TEST_SHORT` does; see `step` in the tests.
const SHORT: &str = "shorter: random text, one round in 8; \
    edges_behind_…, one case in 97";

const AARCH64: &str = "aarch64-unknown-linux-gnu";
const WASM: &str = "wasm32-wasip1";

/// The NEON table, on an emulated processor.
pub(crate) fn aarch64(root: &Path) -> Result<Outcome, String> {
    if cfg!(target_arch = "aarch64") {
        return Ok(Outcome::Skipped("this machine is one; see the step with all tests".to_owned()));
    }
    if let Some(lacking) = lacking_target(root, AARCH64)? {
        return Ok(Outcome::Skipped(lacking));
    }
    let linker = "aarch64-linux-gnu-gcc";
    let programs = [[linker, "--version"], ["qemu-aarch64", "--version"]];
    let packages = ["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"];
    if let Some(lacking) = lacking_programs(&programs, &packages)? {
        return Ok(Outcome::Skipped(lacking));
    }
    let mut test = kernel_tests(root, AARCH64);
    // One starts itself once more, which an emulator of one process cannot; the others compare
    // what has no kernel in it.
    let left_out = ["one_octet_outside_is_fatal", "plain::tests"];
    test.arg("--");
    for name in left_out {
        test.args(["--skip", name]);
    }
    test.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", linker);
    test.env(
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
        "qemu-aarch64 -L /usr/aarch64-linux-gnu",
    );
    println!("   {SHORT}\n   left out: {}", left_out.join(", "));
    steps::run(&mut test)?;
    Ok(Outcome::Passed)
}

/// The simd128 table, in the virtual machine of node.
pub(crate) fn wasm(root: &Path) -> Result<Outcome, String> {
    if let Some(lacking) = lacking_target(root, WASM)? {
        return Ok(Outcome::Skipped(lacking));
    }
    let wasi = "new (require('node:wasi').WASI)({ version: 'preview1' }).getImportObject()";
    if let Some(lacking) = lacking_programs(&[["node", "-e", wasi]], &["nodejs"])? {
        return Ok(Outcome::Skipped(lacking));
    }
    let mut test = kernel_tests(root, WASM);
    test.env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", "-C target-feature=+simd128");
    // From the folder of the crate, where cargo starts tests.
    test.env("CARGO_TARGET_WASM32_WASIP1_RUNNER", "node --no-warnings ../../xtask/wasi.mjs");
    println!("   {SHORT}");
    steps::run(&mut test)?;
    Ok(Outcome::Passed)
}

fn kernel_tests(root: &Path, target: &str) -> Command {
    let test = ["test", "-p", "utfall-simd", "--tests", "--profile", "checked", "--target", target];
    let mut test = cargo(root, &test);
    test.env("UTFALL_TEST_SHORT", "1");
    test
}

/// Adds a target if need be. Returns why not, if that fails.
pub(crate) fn lacking_target(root: &Path, target: &str) -> Result<Option<String>, String> {
    if target_is_installed(root, target)? {
        return Ok(None);
    }
    let mut add = Command::new("rustup");
    add.args(["target", "add", target]).current_dir(root);
    Ok(steps::run(&mut add).err().map(|reason| {
        format!("the target {target} is not installed and cannot be added: {reason}")
    }))
}

/// Asks the compiler, so that it works without `rustup` too.
fn target_is_installed(root: &Path, target: &str) -> Result<bool, String> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", target]);
    let libdir = steps::output(rustc.current_dir(root), b"")?;
    let libdir = str::from_utf8(&libdir).map_err(|error| format!("rustc: {error}"))?;
    Ok(Path::new(libdir.trim_end()).is_dir())
}

/// Installs `packages` unless all of `programs` run. Returns why not, if they do not then.
pub(crate) fn lacking_programs<const N: usize>(
    programs: &[[&str; N]],
    packages: &[&str],
) -> Result<Option<String>, String> {
    let lacking =
        || programs.iter().find(|program| !runs(program.as_slice())).map(|program| program[0]);
    let Some(program) = lacking() else { return Ok(None) };
    if !is_root() || !runs(&["apt-get", "--version"]) {
        let packages = packages.join(" ");
        return Ok(Some(format!("{program} is missing or too old (Debian: {packages})")));
    }
    let apt_get = || {
        let mut command = Command::new("apt-get");
        command.args(["-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"]);
        command.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command
    };
    let install = ["install", "-y", "--no-install-recommends"];
    let installed = steps::run(apt_get().arg("update"))
        .and_then(|()| steps::run(apt_get().args(install).args(packages)));
    Ok(match installed {
        Err(reason) => Some(format!("{program} is missing and cannot be installed: {reason}")),
        Ok(()) => lacking().map(|program| format!("{program} is missing or too old")),
    })
}

/// Whether a command ends well.
pub(crate) fn runs(command: &[&str]) -> bool {
    let [program, args @ ..] = command else { return false };
    let status = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
