//! Exhaustive tests of the library: every sequence of four bytes in UTF-8 and its relatives, every
//! two units of UTF-16, every value of UTF-32, and every code point. `cargo xtask exhaustive` runs
//! them; the ordinary tests include only a part. (`oracle.rs` has every sequence of up to three bytes in
//! every encoding; `exhaustive` of `utfall-simd` tests the kernels.)
//!
//! 1. **UTF-8 and its relatives.** Each of the 2^32 sequences followed by a letter, in texts of 256;
//!    those that four bytes do not complete, also at the end of a text. Checks streams and
//!    `validate`: code points, and offset, length and kind of every error. Checks the U+FFFD of each
//!    `Granularity`, or of one of them where other sequences cover the rest.
//! 2. **UTF-16 and UCS-2.** Each of the 2^32 pairs of units followed by a letter, in three byte
//!    orders: code points, errors, U+FFFD.
//! 3. **UTF-32 and UCS-4.** Each of the 2^32 values, likewise.
//! 4. **Code points.** Each from 0 to 10FFFF, and about two million up to 7FFFFFFF, to every
//!    encoding that has it, from code points, UTF-8, UTF-16 and UTF-32, and back to each; with every
//!    table of kernels, since these do the conversion. To the tables of the feature `legacy` only the
//!    first plane: `codec/whatwg_tests.rs` compares the others with `encoding_rs`.
//!
//! The expected results come from `utfall-oracle`, those for code points from the standard library.

mod points;
mod units;
mod utf8;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::Command;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use units::Compared;
use utfall::Encoding;
use utfall_oracle::step;
use utfall_simd::dispatch;

/// Names a variable: do only one task in this many, for parts whose results are representative of
/// the whole. These begin with a byte or unit that begins no sequence, followed by what shorter
/// sequences have. Should be odd.
const EVERY: &str = "UTFALL_EXHAUSTIVE_EVERY";
/// Names a variable: the parts of `everything` to do, separated by commas; all if it is not set.
const ONLY: &str = "UTFALL_EXHAUSTIVE_ONLY";
const PAIRS: &str = "pairs of units";
const VALUES: &str = "values of four bytes";

/// Values at which the behaviour of decoders may change.
const EDGES_OF_BYTES: [u8; 26] = [
    0x00, 0x41, 0x7F, 0x80, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xC2, 0xE0,
    0xE1, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xF8, 0xFC, 0xFD, 0xFF,
];
const EDGES_OF_UNITS: [u16; 22] = [
    0x0000, 0x0001, 0x0010, 0x0011, 0x0061, 0x007F, 0x0080, 0x00FF, 0x0100, 0x07FF, 0x0800, 0x7FFF,
    0x8000, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFE, 0xFFFF,
];

/// Does all tasks on all processors, with a separate state per thread. If `is_shown`, reports
/// progress and the time taken.
fn run<T: Sync, S>(
    (name, is_shown): (&str, bool),
    tasks: &[T],
    state: impl Fn() -> S + Sync,
    task: impl Fn(&mut S, &T) + Sync,
) {
    let (begin, next) = (Instant::now(), AtomicUsize::new(0));
    let work = || {
        let mut state = state();
        loop {
            let index = next.fetch_add(1, Relaxed);
            let Some(now) = tasks.get(index) else { break };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| task(&mut state, now))) {
                // Stop the other threads, which could take hours.
                next.store(tasks.len(), Relaxed);
                resume_unwind(panic);
            }
            if is_shown && index.is_multiple_of(tasks.len() / 4 + 1) {
                let (done, seconds) = (100 * index / tasks.len(), begin.elapsed().as_secs_f64());
                println!("{name}: {done} %, {seconds:.0} s");
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    if threads == 1 {
        work();
    } else {
        thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    }
    if is_shown {
        let (count, seconds) = (tasks.len(), begin.elapsed().as_secs_f64());
        println!("{name}: {count} tasks, all sound, {seconds:.0} s");
    }
}

/// Sequences that begin with two of `bytes`: one task in `every`, but all tasks in which the
/// second byte continues a sequence.
fn sequences(profile: Encoding, bytes: &[u8], every: usize, is_shown: bool) {
    let pairs = bytes.iter().flat_map(|a| bytes.iter().map(|b| [*a, *b]));
    let (whole, part): (Vec<[u8; 2]>, Vec<_>) = pairs.partition(|pair| utf8::continues(*pair));
    let pairs: Vec<[u8; 2]> = whole.into_iter().chain(part.into_iter().step_by(every)).collect();
    let batch = || utf8::Batch::new(profile);
    run((profile.name(), is_shown), &pairs, batch, |batch, pair| {
        utf8::from_two(batch, *pair, bytes);
    });
}

#[test]
fn up_to_three_bytes_with_kinds_and_counts() {
    let all: Vec<u8> = match step(10) {
        1 => (0..=255).collect(),
        _ => EDGES_OF_BYTES.to_vec(),
    };
    for profile in utf8::PROFILES {
        let batch = || utf8::Batch::new(profile);
        run((profile.name(), false), &all, batch, |batch, first| {
            utf8::up_to_three(batch, *first, &all, &EDGES_OF_BYTES);
        });
    }
}

#[test]
fn four_bytes_at_the_edges() {
    for profile in utf8::PROFILES {
        sequences(profile, &EDGES_OF_BYTES, step(11), false);
    }
}

/// Every unit before and after those at the edges.
#[test]
fn units_at_the_edges() {
    let all: Vec<u16> =
        (0..=u16::MAX).step_by(7 * step(101)).chain((0xD800..=0xDFFF).step_by(step(97))).collect();
    run(("edges", false), &EDGES_OF_UNITS, Compared::default, |state, edge| {
        units::pairs(state, *edge, &all);
        units::values(state, *edge, &all);
    });
    run(("edges", false), &all, Compared::default, |state, unit| {
        units::pairs(state, *unit, &EDGES_OF_UNITS);
    });
}

#[test]
#[ignore = "takes hours: `cargo xtask exhaustive`"]
fn everything() {
    let every = env::var(EVERY).map_or(1, |every| every.parse().expect(EVERY));
    let parts: Vec<&str> =
        utf8::PROFILES.map(Encoding::name).into_iter().chain([PAIRS, VALUES]).collect();
    let only = env::var(ONLY);
    let only: Vec<&str> = only.as_deref().map_or(parts.clone(), |only| only.split(',').collect());
    assert!(only.iter().all(|name| parts.contains(name)), "{only:?}: there are {parts:?}");
    println!("one task in {every}, of {}", only.join(", "));

    let bytes: Vec<u8> = (0..=255).collect();
    let units: Vec<u16> = (0..=u16::MAX).collect();
    for profile in utf8::PROFILES.into_iter().filter(|profile| only.contains(&profile.name())) {
        sequences(profile, &bytes, every, true);
    }
    if only.contains(&PAIRS) {
        let (surrogates, others): (Vec<u16>, Vec<u16>) =
            units.iter().partition(|unit| (0xD800..=0xDFFF).contains(*unit));
        let others = others.into_iter().step_by(every);
        let firsts: Vec<u16> = surrogates.into_iter().chain(others).collect();
        run((PAIRS, true), &firsts, Compared::default, |state, first| {
            units::pairs(state, *first, &units);
        });
    }
    if only.contains(&VALUES) {
        // The upper halves of values that may be valid, and some of those that cannot be.
        let halves: Vec<u16> = (0..=0x20).chain((0x21..=u16::MAX).step_by(every)).collect();
        run((VALUES, true), &halves, Compared::default, |state, high| {
            units::values(state, *high, &units);
        });
    }
}

/// The test that [`every_code_point_with_every_table`] starts.
const ONE_TABLE: &str = "exhaustive::every_code_point_with_one_table";

/// The kernel table is selected once per process, so each table gets its own process.
#[test]
fn every_code_point_with_every_table() {
    let Ok(program) = env::current_exe() else { return };
    for kernels in dispatch::available() {
        let mut command = Command::new(&program);
        command.args(["--exact", ONE_TABLE, "--ignored", "--nocapture"]);
        let result = command.env("UTFALL_ISA", kernels.name()).output();
        // Processes may not be available; an emulator may start one that fails before it reports a
        // test.
        let started = result.ok().filter(|output| !output.stdout.is_empty());
        let Some(output) = started else {
            println!("SKIPPED: this program cannot start itself; with the table in use only");
            return every_code_point_with_one_table();
        };
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{kernels:?}: {said}");
        assert!(said.contains(&format!("with {}", kernels.name())), "{kernels:?}: {said}");
        print!("{said}");
    }
}

#[test]
#[ignore = "by every_code_point_with_every_table"]
fn every_code_point_with_one_table() {
    let every = step(29);
    let count = AtomicU64::new(0);
    run(
        ("code points", false),
        Encoding::ALL,
        || (),
        |(), encoding| {
            count.fetch_add(points::there_and_back(*encoding, every), Relaxed);
        },
    );
    let (count, encodings) = (count.into_inner(), Encoding::ALL.len());
    println!("{count} code points of {encodings} encodings with {}", dispatch::active().name());
}
