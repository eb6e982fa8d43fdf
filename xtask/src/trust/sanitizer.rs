//! The kernels, and the library above them, with every memory access checked, including the
//! vectors of AVX-512, which Miri does not support.

use std::path::Path;

use crate::share::Share;
use crate::steps::{self, Outcome};
use crate::tools::{nightly, target_dir};
use crate::trust::fuzz::build::{host, without_sanitizer};
use crate::trust::platforms::Extent;

pub(crate) const NAME: &str = "asan";

pub(crate) fn run(root: &Path, extent: Extent) -> Result<Outcome, String> {
    let folder = target_dir(root).join("asan");
    if let Some(reason) = without_sanitizer(root, &folder)? {
        return Ok(Outcome::Skipped(reason));
    }
    let host = host(root)?;
    let cargo = |args: &[&str]| {
        let mut cargo = nightly(&[&["test", "--target", &host], args].concat());
        cargo.current_dir(root).env("RUSTFLAGS", "-Zsanitizer=address");
        cargo.env("CARGO_TARGET_DIR", &folder).env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
        // The test of guard pages leaks the names of its operations.
        cargo.env("ASAN_OPTIONS", "detect_leaks=0").env("RUST_BACKTRACE", "0");
        match extent {
            Extent::Short => Share::Short(1).set(&mut cargo),
            Extent::Whole => Share::Full.set(&mut cargo),
        };
        cargo
    };
    let mut kernels = cargo(&["-p", "utfall-simd", "--tests"]);
    // It makes an invalid access, which ends in a report of its own.
    kernels.args(["--", "--skip", "one_byte_outside_is_fatal"]);
    println!("   left out: one_byte_outside_is_fatal");
    steps::run(&mut kernels)?;
    let tables = "kernels::the_table_of_the_build_is_there";
    steps::run(&mut cargo(&["-p", "utfall-simd", "--test", "it", "--", tables, "--nocapture"]))?;
    // In CI the fuzz targets do this.
    if extent == Extent::Whole {
        steps::run(&mut cargo(&["-p", "utfall", "--all-features", "--lib", "--tests"]))?;
    }
    Ok(Outcome::Passed)
}
