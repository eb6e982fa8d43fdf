//! How much of a long loop a test runs: a share that takes seconds, or all of it.

use std::env;
use std::panic::Location;
use std::sync::Mutex;

/// Runs all of every loop, as in CI.
const FULL: &str = "UTFALL_TEST_FULL";
/// A number: runs so many times less than the usual share, as on slow machines, and reports each loop.
const SHORT: &str = "UTFALL_TEST_SHORT";

/// Returns the step of a long loop: `short`, or 1 if the environment variable `UTFALL_TEST_FULL` is
/// set.
///
/// If `UTFALL_TEST_SHORT` is a number, as in emulators, the step is `short` times that number.
/// Standard error gets the place of each loop that is shortened.
///
/// ```
/// let taken = (0..1000).step_by(utfall_oracle::step(10)).count();
/// assert!(taken == 1000 || taken <= 100);
/// ```
#[track_caller]
pub fn step(short: usize) -> usize {
    if is_full() {
        return 1;
    }
    let times = env::var(SHORT).ok().and_then(|number| number.parse().ok());
    let step = short * times.map_or(1, |times: usize| times.max(1));
    if step > 1 {
        let place = Location::caller();
        report(times.map(|_| place), step);
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

fn is_full() -> bool {
    // The shorter one counts, so that a step of CI can ask for it.
    env::var_os(FULL).is_some() && env::var_os(SHORT).is_none()
}

/// Reports a place, once, with its step, or once for all places that loops are shortened.
///
/// Writes directly: the output of `eprintln!` is hidden if a test passes.
fn report(place: Option<&'static Location<'static>>, step: usize) {
    use std::io::Write as _;
    static REPORTED: Mutex<Vec<Option<&Location<'_>>>> = Mutex::new(Vec::new());
    let Ok(mut reported) = REPORTED.lock() else { return };
    if !reported.contains(&place) {
        reported.push(place);
        let mut stderr = std::io::stderr();
        let _ = match place {
            Some(place) => {
                writeln!(stderr, "shorter, one in {step}: {}:{}", place.file(), place.line())
            }
            None => writeln!(stderr, "long loops run in part; {FULL}=1 runs all of them"),
        };
    }
}
