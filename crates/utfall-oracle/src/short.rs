//! How much of a long loop a test runs.

use std::env;
use std::panic::Location;
use std::sync::Mutex;

/// Returns the step of a long loop: 1, unless the environment variable `UTFALL_TEST_SHORT` is set.
///
/// If it is set, the step is `short`; if it is a number, as on even slower machines, `short` times
/// that. Reports what is skipped, once for each caller.
///
/// ```
/// let taken = (0..1000).step_by(utfall_oracle::step(10)).count();
/// assert!(taken == 1000 || taken <= 100);
/// ```
#[track_caller]
pub fn step(short: usize) -> usize {
    let Some(set) = env::var_os("UTFALL_TEST_SHORT") else { return 1 };
    let times = set.to_str().and_then(|number| number.parse().ok()).unwrap_or(1);
    let step = short * std::cmp::max(times, 1);
    if step > 1 {
        tell(Location::caller(), step);
    }
    step
}

/// The number of `all` rounds that a long loop runs, at least one: see [`step`].
///
/// ```
/// assert!((1..=1000).contains(&utfall_oracle::rounds(1000, 7)));
/// ```
#[track_caller]
pub fn rounds(all: usize, short: usize) -> usize {
    all.div_ceil(step(short))
}

/// Writes directly: the output of `eprintln!` is hidden if a test passes.
fn tell(place: &'static Location<'static>, step: usize) {
    use std::io::Write as _;
    static TOLD: Mutex<Vec<&Location<'_>>> = Mutex::new(Vec::new());
    let Ok(mut told) = TOLD.lock() else { return };
    if !told.contains(&place) {
        told.push(place);
        let (file, line) = (place.file(), place.line());
        let _ = writeln!(std::io::stderr(), "shorter, one in {step}: {file}:{line}");
    }
}
