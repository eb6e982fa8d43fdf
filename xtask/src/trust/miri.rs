//! Miri: an interpreter that stops at undefined behaviour. It supports the instructions of SSE4.2
//! and AVX2 but not all of AVX-512, and processors other than that of this machine, including
//! big-endian ones.

use std::path::Path;
use std::process::Command;

use crate::share::Share;
use crate::steps::{self, Outcome, Steps, Stopped};
use crate::tools::{NO_NIGHTLY, nightly, runs};
use crate::trust::platforms::Extent;

pub(crate) const NAME: &str = "miri";

/// Some tests, on some machine.
struct Run {
    name: &'static str,
    target: Option<&'static str>,
    rustflags: &'static str,
    miriflags: &'static str,
    tests: &'static [Tests],
    /// Names of tests that take too long and cannot be made shorter.
    left_out: &'static [&'static str],
    /// For [`Share::Short`].
    short: u32,
    in_ci: bool,
}

/// Some tests of one package.
struct Tests {
    /// The arguments for cargo that select the binaries.
    binaries: &'static str,
    /// Parts of the names of tests, if not all.
    only: &'static [&'static str],
}

/// The tests of kernels that are still useful with a thousandth of their cases.
const KERNELS: &[Tests] =
    &[Tests { binaries: "-p utfall-simd --test it", only: &["kernels::", "utf7::"] }];
const ALL_KERNELS: &[Tests] = &[Tests { binaries: "-p utfall-simd --tests", only: &[] }];
const LIBRARY: &[Tests] = &[
    Tests { binaries: "-p utfall --lib", only: &[] },
    Tests { binaries: "-p utfall --test it", only: &["streams::"] },
];
/// Tests of the library that process long texts many times, which takes minutes each.
const LONG: &[&str] =
    &["of_damaged_text", "korean", "other_text", "corpora", "readers_and_writers", "in_long_text"];
const BIG_ENDIAN: Option<&str> = Some("s390x-unknown-linux-gnu");
/// With the vectors of AVX2.
const AVX2: &str = "-Ctarget-cpu=x86-64-v3";

const RUNS: [Run; 7] = [
    Run {
        name: "kernels under Miri: AVX2, SSE4.2, scalar",
        target: None,
        rustflags: AVX2,
        miriflags: "",
        tests: &[Tests {
            binaries: "-p utfall-simd --test it",
            only: &[
                "kernels::the_table",
                "kernels::edges",
                "kernels::every_unit_of_utf16_and_pairs_at_the_edges",
                "kernels::values_of_utf32_at_the_edges",
                "kernels::counts_and_lengths",
                "kernels::mixtures_of_units",
                "kernels::remarkable",
                "utf7::surrogates",
                "utf7::bytes_of_the_alphabet",
            ],
        }],
        left_out: &[],
        short: 20_000,
        in_ci: true,
    },
    Run {
        name: "library under Miri, short texts: AVX2",
        target: None,
        rustflags: AVX2,
        miriflags: "",
        tests: &[
            Tests {
                binaries: "-p utfall --lib",
                only: &["worked_examples", "granularity", "surrogate"],
            },
            Tests {
                binaries: "-p utfall --test it",
                only: &[
                    "streams::byte_order_marks",
                    "streams::of_two_byte_order_marks",
                    "streams::policies_when",
                    "streams::callback",
                    "streams::escapes",
                    "streams::granularities",
                    "streams::strict_streams",
                    "streams::surrogate",
                    "streams::no_byte_takes_the_place_of_a_surrogate",
                ],
            },
        ],
        left_out: &[],
        short: 20_000,
        in_ci: true,
    },
    Run {
        name: "kernels under Miri: big-endian, scalar",
        target: BIG_ENDIAN,
        rustflags: "",
        miriflags: "",
        tests: KERNELS,
        left_out: &[],
        short: 20_000,
        in_ci: false,
    },
    Run {
        name: "library under Miri",
        target: None,
        rustflags: "",
        miriflags: "",
        tests: LIBRARY,
        left_out: LONG,
        short: 20_000,
        in_ci: false,
    },
    Run {
        name: "library under Miri: big-endian",
        target: BIG_ENDIAN,
        rustflags: "",
        miriflags: "",
        tests: LIBRARY,
        left_out: LONG,
        short: 20_000,
        in_ci: false,
    },
    Run {
        name: "kernels under Miri: tree borrows, strict provenance",
        target: None,
        rustflags: AVX2,
        miriflags: "-Zmiri-tree-borrows -Zmiri-strict-provenance",
        tests: ALL_KERNELS,
        left_out: &[],
        short: 500,
        in_ci: false,
    },
    Run {
        name: "kernels under Miri: longer",
        target: None,
        rustflags: AVX2,
        miriflags: "-Zmiri-strict-provenance",
        tests: ALL_KERNELS,
        left_out: &[],
        short: 200,
        in_ci: false,
    },
];

pub(crate) fn run(steps: &mut Steps, root: &Path, extent: Extent) -> Result<(), Stopped> {
    for run in RUNS.iter().filter(|run| run.in_ci || extent == Extent::Whole) {
        steps.run(run.name, || run.start(root))?;
    }
    Ok(())
}

impl Run {
    fn start(&self, root: &Path) -> Result<Outcome, String> {
        if let Some(lacking) = lacking(root) {
            return Ok(Outcome::Skipped(lacking));
        }
        if !self.left_out.is_empty() {
            println!("   left out: {}", self.left_out.join(", "));
        }
        self.tests.iter().try_for_each(|tests| steps::run(&mut self.command(root, tests)))?;
        Ok(Outcome::Passed)
    }

    fn command(&self, root: &Path, tests: &Tests) -> Command {
        let mut test = nightly(&["miri", "test"]);
        test.args(self.target.map(|target| format!("--target={target}")));
        test.args(tests.binaries.split(' ')).args(["--", "--nocapture"]).args(tests.only);
        if !tests.only.is_empty() {
            println!("   only tests with these in their names: {}", tests.only.join(", "));
        }
        test.args(self.left_out.iter().flat_map(|name| ["--skip", name]));
        test.current_dir(root).env("RUST_BACKTRACE", "0");
        test.env("RUSTFLAGS", self.rustflags);
        // They read the environment, and files of `testdata`.
        test.env("MIRIFLAGS", format!("-Zmiri-disable-isolation {}", self.miriflags));
        Share::Short(self.short).set(&mut test);
        test
    }
}

/// Adds Miri to the nightly toolchain if necessary. Returns the reason if that fails.
fn lacking(root: &Path) -> Option<String> {
    if !runs(&["rustup", "run", "nightly", "rustc", "--version"]) {
        return Some(NO_NIGHTLY.to_owned());
    }
    if runs(&["rustup", "run", "nightly", "cargo", "miri", "--version"]) {
        return None;
    }
    let mut add = Command::new("rustup");
    add.args(["component", "add", "miri", "rust-src", "--toolchain", "nightly"]);
    let failed = steps::run(add.current_dir(root)).err();
    failed.map(|reason| format!("Miri is not installed and cannot be added: {reason}"))
}
