//! The cost of a call through the C interface beside the same call in Rust, in nanoseconds:
//! `cargo run --release -p utfall-c --example call_cost`

use std::hint::black_box;
use std::time::Instant;

use utfall::{Encoding, Options};
use utfall_c::{utfall_progress, utfall_transcode, utfall_utf8_to_utf16};

const ROUNDS: usize = 15;

/// The least time of a call, over several rounds.
fn nanoseconds(calls: u32, mut call: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

fn main() {
    let to = if cfg!(target_endian = "big") { Encoding::Utf16Be } else { Encoding::Utf16Le };
    println!("{:>8}  {:>10}  {:>10}  {:>10}", "bytes", "Rust", "transcode", "utf8_to_");
    for length in [2_usize, 8, 16, 32, 100, 1000, 1_000_000] {
        let text = "é".repeat(length / 2).into_bytes();
        let mut out = vec![0_u16; text.len()];
        let (start, place) = (text.as_ptr(), out.as_mut_ptr());
        let calls = (40_000_000 / (text.len() as u32 + 100)).max(10);
        let rust = {
            // SAFETY: the same space as bytes.
            let out = unsafe { std::slice::from_raw_parts_mut(place.cast::<u8>(), 2 * text.len()) };
            nanoseconds(calls, || {
                let written = utfall::transcode_into(
                    // As in C, the compiler does not know them.
                    black_box(Encoding::Utf8),
                    black_box(to),
                    black_box(&text),
                    black_box(&mut *out),
                    Options::default(),
                );
                black_box(written).unwrap();
            })
        };
        let check = |progress: utfall_progress| assert_eq!(black_box(progress).read, text.len());
        let transcode = nanoseconds(calls, || {
            // SAFETY: pointers and lengths of vectors.
            check(unsafe {
                black_box(utfall_transcode as unsafe extern "C" fn(_, _, _, _, _, _, _) -> _)(
                    Encoding::Utf8 as u16,
                    to as u16,
                    std::ptr::null(),
                    start.cast(),
                    text.len(),
                    place.cast(),
                    2 * text.len(),
                )
            });
        });
        let units = nanoseconds(calls, || {
            // SAFETY: pointers and lengths of vectors.
            check(unsafe {
                black_box(utfall_utf8_to_utf16 as unsafe extern "C" fn(_, _, _, _) -> _)(
                    start.cast(),
                    text.len(),
                    place,
                    text.len(),
                )
            });
        });
        println!("{:>8}  {rust:>10.1}  {transcode:>10.1}  {units:>10.1}", text.len());
    }
}
