//! The tests for processors that this machine is not.

use std::path::Path;
use std::process::Command;

use crate::steps::{self, Outcome, cargo};
use crate::tools::{lacking_programs, lacking_target};

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
