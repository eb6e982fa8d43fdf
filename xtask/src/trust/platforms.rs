//! `cargo xtask platforms`: the tests on processors other than that of this machine, under an
//! interpreter that detects undefined behaviour, and with every memory access checked.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{fs, io};

use crate::share::Share;
use crate::steps::{self, Outcome, Steps, Stopped, cargo};
use crate::tools::{lacking_programs, lacking_target, target_dir};
use crate::trust::{miri, sanitizer};

const USAGE: &str = "usage: cargo xtask platforms [--whole] [NAME…]";

/// How many of the tests to run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The library and its kernels, about a minute: loops run partly, and report it.
    Short,
    /// Everything that can run there.
    Whole,
}

/// The crates that are tested besides `utfall` and `utfall-simd` if everything is: the other libraries,
/// except the one for file trees, which WebAssembly does not have. They have no code that depends on
/// the processor.
const OTHER_LIBRARIES: [&str; 6] = [
    "utfall-oracle",
    "utfall-mime",
    "utfall-detect",
    "utfall-repair",
    "utfall-normalize",
    "utfall-iconv",
];

/// Tests of the command that are meaningless in an emulator: the memory in use is not that of the
/// command, and glibc's byte order is that of the machine that runs the tests.
const COMMAND_LEFT_OUT: [&str; 2] = ["memory_is_bounded", "marks_are_glibc_s"];

/// An emulated processor, or the other mode of this one.
struct Platform {
    name: &'static str,
    what: &'static str,
    target: &'static str,
    /// The settings of cargo in addition to the target, as environment variables of the target.
    settings: &'static [(&'static str, &'static str)],
    /// Why its programs are missing and cannot be installed.
    lacking: fn() -> Result<Option<String>, String>,
    /// Tests that cannot run there at all.
    left_out: &'static [&'static str],
    /// Whether this machine is of that kind.
    is_here: bool,
    /// Whether the short tests are among those of CI.
    in_ci: bool,
}

/// It starts itself again, which an emulator of one process cannot.
const STARTS_ITSELF: &str = "one_byte_outside_is_fatal";

/// Runs a program for WASI. The path is relative to the directory of the crate, where cargo
/// starts tests. With fast calls, node's WASI uses memory that was freed when the program's
/// memory grew (nodejs/node#53087).
pub(crate) const WASI_RUNNER: &str =
    "node --no-warnings --no-turbo-fast-api-calls ../../xtask/wasi.mjs";

const PLATFORMS: [Platform; 4] = [
    Platform {
        name: "aarch64",
        what: "aarch64 (qemu): NEON",
        target: "aarch64-unknown-linux-gnu",
        settings: &[
            ("LINKER", "aarch64-linux-gnu-gcc"),
            ("RUNNER", "qemu-aarch64 -L /usr/aarch64-linux-gnu"),
        ],
        lacking: || {
            let programs = [["aarch64-linux-gnu-gcc", "--version"], ["qemu-aarch64", "--version"]];
            let packages = ["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"];
            lacking_programs(&programs, &packages)
        },
        left_out: &[STARTS_ITSELF],
        is_here: cfg!(all(target_arch = "aarch64", target_os = "linux")),
        in_ci: true,
    },
    Platform {
        name: "wasm",
        what: "WebAssembly (node): simd128, 32 bits, no threads",
        target: "wasm32-wasip1",
        settings: &[("RUSTFLAGS", "-C target-feature=+simd128"), ("RUNNER", WASI_RUNNER)],
        lacking: || {
            let wasi = "new (require('node:wasi').WASI)({ version: 'preview1' }).getImportObject()";
            lacking_programs(&[["node", "--no-turbo-fast-api-calls", "-e", wasi]], &["nodejs"])
        },
        left_out: &[],
        is_here: false,
        in_ci: true,
    },
    Platform {
        name: "s390x",
        what: "s390x (qemu): big-endian",
        target: "s390x-unknown-linux-gnu",
        settings: &[
            ("LINKER", "s390x-linux-gnu-gcc"),
            ("RUNNER", "qemu-s390x -L /usr/s390x-linux-gnu"),
        ],
        lacking: || {
            let programs = [["s390x-linux-gnu-gcc", "--version"], ["qemu-s390x", "--version"]];
            let packages = ["gcc-s390x-linux-gnu", "libc6-dev-s390x-cross", "qemu-user"];
            lacking_programs(&programs, &packages)
        },
        left_out: &[STARTS_ITSELF],
        is_here: cfg!(all(target_arch = "s390x", target_os = "linux")),
        in_ci: true,
    },
    Platform {
        name: "i686",
        what: "i686: 32 bits, with threads",
        target: "i686-unknown-linux-gnu",
        settings: &[
            ("LINKER", "i686-linux-gnu-gcc"),
            (
                "RUNNER",
                "/usr/i686-linux-gnu/lib/ld-linux.so.2 --library-path /usr/i686-linux-gnu/lib",
            ),
        ],
        lacking: || {
            let loader = "/usr/i686-linux-gnu/lib/ld-linux.so.2";
            let programs = [["i686-linux-gnu-gcc", "--version"], [loader, "--version"]];
            lacking_programs(&programs, &["gcc-i686-linux-gnu", "libc6-dev-i386-cross"])
        },
        // The loader would start itself.
        left_out: &[STARTS_ITSELF],
        is_here: cfg!(all(target_arch = "x86", target_os = "linux")),
        in_ci: false,
    },
];

/// The task: runs the named platforms, or all.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let (extent, names) = match args {
        ["--whole", names @ ..] => (Extent::Whole, names),
        names => (Extent::Short, names),
    };
    let all =
        || PLATFORMS.iter().map(|platform| platform.name).chain([miri::NAME, sanitizer::NAME]);
    if let Some(unknown) = names.iter().find(|name| all().all(|known| known != **name)) {
        let names = all().collect::<Vec<_>>().join(", ");
        eprintln!("{USAGE}\n\nunknown platform {unknown}; there are: {names}");
        return ExitCode::from(2);
    }
    let is_wanted = |name: &str, _| names.is_empty() || names.contains(&name);
    Steps::all(|steps| each(steps, root, extent, is_wanted))
}

/// The steps of CI, or of the deep tier.
pub(crate) fn steps(steps: &mut Steps, root: &Path, extent: Extent) -> Result<(), Stopped> {
    each(steps, root, extent, |_, in_ci| in_ci || extent == Extent::Whole)
}

fn each(
    steps: &mut Steps,
    root: &Path,
    extent: Extent,
    is_wanted: impl Fn(&str, bool) -> bool,
) -> Result<(), Stopped> {
    for platform in PLATFORMS.iter().filter(|platform| is_wanted(platform.name, platform.in_ci)) {
        let name = format!("libraries on {}", platform.what);
        steps.run(&name, || platform.libraries(root, extent))?;
        if extent == Extent::Whole && platform.emulator().is_some() {
            let name = format!("the command on {}", platform.what);
            steps.run(&name, || platform.command(root))?;
        }
    }
    if is_wanted(sanitizer::NAME, true) {
        steps.run("kernels under AddressSanitizer", || sanitizer::run(root, extent))?;
    }
    if is_wanted(miri::NAME, true) {
        miri::run(steps, root, extent)?;
    }
    Ok(())
}

impl Platform {
    /// Why it cannot run here.
    fn skipped(&self, root: &Path) -> Result<Option<String>, String> {
        if self.is_here {
            return Ok(Some("this machine is one; see the step with all tests".to_owned()));
        }
        match lacking_target(root, self.target)? {
            None => (self.lacking)(),
            lacking => Ok(lacking),
        }
    }

    /// Tests the kernels first, optimized, then the library.
    fn libraries(&self, root: &Path, extent: Extent) -> Result<Outcome, String> {
        if let Some(reason) = self.skipped(root)? {
            return Ok(Outcome::Skipped(reason));
        }
        let mut kernels = self.cargo(root, "test");
        // With the features that the library requires, so that it needs no other build.
        kernels.args(["-p", "utfall-simd", "--no-default-features", "--features", "std"]);
        kernels.args(["--tests", "--profile", "checked"]);
        let mut library = self.cargo(root, "test");
        // The tests of the library need less optimization.
        library.args([
            "--profile",
            "checked",
            "--config",
            "profile.checked.package.utfall.opt-level=1",
        ]);
        library.args(["-p", "utfall", "--all-features", "--lib", "--tests"]);
        match extent {
            Extent::Short => {
                Share::Short(1).set(&mut kernels);
                Share::Short(8).set(&mut library);
            }
            Extent::Whole => {
                Share::Full.set(&mut kernels);
                Share::Full.set(&mut library);
                library.args(OTHER_LIBRARIES.iter().flat_map(|library| ["-p", library]));
                if self.target.ends_with("linux-gnu") {
                    library.args(["-p", "utfall-tree"]);
                }
            }
        }
        println!("   left out: {}", self.left_out.join(", "));
        if self.emulator().is_some() {
            // A thread that starts a program in QEMU may wait for ever.
            println!("   left out: comparisons with programs of the system");
            library.env("UTFALL_TEST_ALONE", "1");
        }
        for test in [&mut kernels, &mut library] {
            test.arg("--").args(self.left_out.iter().flat_map(|name| ["--skip", name]));
            steps::run(test)?;
        }
        Ok(Outcome::Passed)
    }

    /// The emulator of this platform.
    fn emulator(&self) -> Option<&'static str> {
        let runner = self.settings.iter().find(|(name, _)| *name == "RUNNER");
        runner.map(|(_, runner)| *runner).filter(|runner| runner.starts_with("qemu"))
    }

    /// The command's tests run on this machine, with the command in the emulator.
    fn command(&self, root: &Path) -> Result<Outcome, String> {
        if let Some(reason) = self.skipped(root)? {
            return Ok(Outcome::Skipped(reason));
        }
        steps::run(self.cargo(root, "build").args(["-p", "utfall-cli"]))?;
        let folder = target_dir(root).join(self.target);
        let program = folder.join("emulated").join("utfall");
        let emulator = self.emulator().unwrap_or_default().replacen(' ', " -0 \"$0\" ", 1);
        let file = folder.join("debug").join("utfall");
        let script = format!("#!/bin/sh\nexec {emulator} '{}' \"$@\"\n", file.display());
        write_program(&program, &script)
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let mut test = cargo(root, &["test", "-p", "utfall-cli", "--tests"]);
        Share::Full.set(&mut test).env("UTFALL_TEST_PROGRAM", program);
        println!("   left out: {}", COMMAND_LEFT_OUT.join(", "));
        test.arg("--");
        for name in COMMAND_LEFT_OUT {
            test.args(["--skip", name]);
        }
        steps::run(&mut test)?;
        Ok(Outcome::Passed)
    }

    /// Cargo for this platform.
    fn cargo(&self, root: &Path, task: &str) -> Command {
        let mut cargo = cargo(root, &[task, "--target", self.target]);
        let target = self.target.to_uppercase().replace('-', "_");
        for (name, value) in self.settings {
            cargo.env(format!("CARGO_TARGET_{target}_{name}"), value);
        }
        // No debug information is needed here.
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_PROFILE_CHECKED_DEBUG", "false");
        cargo
    }
}

/// Writes an executable script.
fn write_program(path: &Path, script: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, script)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}
