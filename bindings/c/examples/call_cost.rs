//! The cost of a call through the C interface beside the same call in Rust, in nanoseconds:
//! `cargo run --release -p utfall-c --example call_cost`. Fails if a call with a short text costs more than
//! `MOST` above Rust.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;
use std::{mem, ptr};

use utfall::{
    Bom, Encoding, Granularity, Options, Policy, Transcoder, transcode_into, transcoded_len,
};
use utfall_c::*;

/// Rounds, in which Rust and C alternate. The minimum counts: what disturbs only adds.
const ROUNDS: usize = 400;

/// How often a call that seems too slow is measured again.
const RETRIES: usize = 8;

/// How long a measurement in a round lasts, in nanoseconds.
const ROUND: f64 = 20_000.0;

/// What a call may cost more than in Rust, in nanoseconds.
const MOST: f64 = 10.0;

const UTF16: Encoding =
    if cfg!(target_endian = "big") { Encoding::Utf16Be } else { Encoding::Utf16Le };
const UTF32: Encoding =
    if cfg!(target_endian = "big") { Encoding::Utf32Be } else { Encoding::Utf32Le };

/// A call, repeated.
type Call<'a> = Box<dyn FnMut(u32) + 'a>;

/// A name, the call in Rust and the call in C.
type Row<'a> = (&'static str, Call<'a>, Call<'a>);

fn repeat<'a, T>(mut call: impl FnMut() -> T + 'a) -> Call<'a> {
    Box::new(move |times| (0..times).for_each(|_| _ = black_box(call())))
}

/// The least time of each call.
fn measure((_, rust, c): &mut Row<'_>) -> [f64; 2] {
    let mut least = [f64::INFINITY; 2];
    let mut times = 16;
    for _ in 0..ROUNDS {
        for (call, least) in [&mut *rust, &mut *c].into_iter().zip(&mut least) {
            let start = Instant::now();
            call(times);
            *least = least.min(start.elapsed().as_nanos() as f64 / f64::from(times));
        }
        times = (ROUND / least[0]).clamp(1.0, 10_000.0) as u32;
    }
    least
}

/// Whether the function has done its work.
fn done(progress: utfall_progress) -> usize {
    assert_eq!(progress.status, UTFALL_OK);
    progress.written
}

fn main() -> ExitCode {
    let mut is_slow = false;
    for length in [2_usize, 8, 16, 32, 100, 1000, 100_000] {
        println!("\n{length} bytes of UTF-8        Rust       C    more");
        let text = "é".repeat(length / 2);
        for mut row in rows(&text) {
            let [mut rust, mut c] = measure(&mut row);
            let is_over = |rust, c| length <= 32 && c - rust > MOST;
            // Perhaps another program was running.
            for _ in 0..RETRIES {
                if is_over(rust, c) {
                    let again = measure(&mut row);
                    (rust, c) = (again[0].min(rust), again[1].min(c));
                }
            }
            let is_over = is_over(rust, c);
            is_slow |= is_over;
            let mark = if is_over { "  too slow" } else { "" };
            println!("{:22} {rust:>8.1} {c:>8.1} {:>7.1}{mark}", row.0, c - rust);
        }
    }
    ExitCode::from(u8::from(is_slow))
}

/// The calls for a text. As in C, the compiler knows neither encodings nor functions beforehand.
fn rows(text: &str) -> Vec<Row<'_>> {
    let latin1 = Encoding::Iso8859_1;
    let mut rows = Vec::new();
    for (name, encoding) in [("validate UTF-8", Encoding::Utf8), ("validate UTF-16", UTF16)] {
        let input = encoding.encode(text).unwrap().into_owned();
        let (rust, call) =
            (input.clone(), black_box(utfall_validate as unsafe extern "C" fn(_, _, _, _) -> _));
        rows.push((
            name,
            repeat(move || black_box(encoding).validate(black_box(&rust)).is_ok()),
            // SAFETY: the pointer and length of a vector.
            repeat(move || unsafe {
                call(
                    black_box(encoding as u16),
                    input.as_ptr().cast(),
                    input.len(),
                    ptr::null_mut(),
                )
            }),
        ));
    }
    rows.push(transcode("transcode", text, Options::default, None));
    let mut options = mem::MaybeUninit::uninit();
    // SAFETY: the function initializes all of it.
    let mut options = unsafe {
        utfall_options_init(options.as_mut_ptr());
        options.assume_init()
    };
    options.on_invalid = UTFALL_REPLACE;
    // As in C, the words are only known at run time.
    let rust = || {
        Options::default()
            .with_on_ill_formed(black_box(Policy::Replace))
            .with_on_unencodable(black_box(Policy::Strict))
            .with_granularity(black_box(Granularity::MaximalSubpart))
            .with_bom(black_box(Bom::Auto))
    };
    rows.push(transcode("transcode, options", text, rust, Some(options)));
    rows.push(length(text));
    rows.push(stream(text));
    rows.extend([
        shortcut::<u8, u16>(
            "utf8_to_utf16",
            text,
            (Encoding::Utf8, UTF16),
            |text, length, out, capacity| {
                // SAFETY: pointers and lengths of vectors; the same for the other functions.
                unsafe { utfall_utf8_to_utf16(text.cast(), length, out, capacity) }
            },
        ),
        shortcut::<u8, u32>(
            "utf8_to_utf32",
            text,
            (Encoding::Utf8, UTF32),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_utf8_to_utf32(text.cast(), length, out, capacity) }
            },
        ),
        shortcut::<u8, u8>(
            "utf8_to_latin1",
            text,
            (Encoding::Utf8, latin1),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_utf8_to_latin1(text.cast(), length, out.cast(), capacity) }
            },
        ),
        shortcut::<u16, u8>(
            "utf16_to_utf8",
            text,
            (UTF16, Encoding::Utf8),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_utf16_to_utf8(text, length, out.cast(), capacity) }
            },
        ),
        shortcut::<u16, u32>(
            "utf16_to_utf32",
            text,
            (UTF16, UTF32),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_utf16_to_utf32(text, length, out, capacity) }
            },
        ),
        shortcut::<u16, u8>(
            "utf16_to_latin1",
            text,
            (UTF16, latin1),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_utf16_to_latin1(text, length, out.cast(), capacity) }
            },
        ),
        shortcut::<u32, u8>(
            "utf32_to_utf8",
            text,
            (UTF32, Encoding::Utf8),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_utf32_to_utf8(text, length, out.cast(), capacity) }
            },
        ),
        shortcut::<u32, u16>(
            "utf32_to_utf16",
            text,
            (UTF32, UTF16),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_utf32_to_utf16(text, length, out, capacity) }
            },
        ),
        shortcut::<u32, u8>(
            "utf32_to_latin1",
            text,
            (UTF32, latin1),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_utf32_to_latin1(text, length, out.cast(), capacity) }
            },
        ),
        shortcut::<u8, u8>(
            "latin1_to_utf8",
            text,
            (latin1, Encoding::Utf8),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_latin1_to_utf8(text.cast(), length, out.cast(), capacity) }
            },
        ),
        shortcut::<u8, u16>(
            "latin1_to_utf16",
            text,
            (latin1, UTF16),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_latin1_to_utf16(text.cast(), length, out, capacity) }
            },
        ),
        shortcut::<u8, u32>(
            "latin1_to_utf32",
            text,
            (latin1, UTF32),
            |text, length, out, capacity| {
                // SAFETY: as above.
                unsafe { utfall_latin1_to_utf32(text.cast(), length, out, capacity) }
            },
        ),
    ]);
    rows
}

fn in_rust<'a>(
    (from, to): (Encoding, Encoding),
    input: Vec<u8>,
    options: impl Fn() -> Options + 'a,
    capacity: usize,
) -> Call<'a> {
    let mut out = vec![0; capacity];
    repeat(move || {
        let (from, to) = (black_box(from), black_box(to));
        transcode_into(from, to, black_box(&input), black_box(&mut out), options()).unwrap()
    })
}

fn transcode<'a>(
    name: &'static str,
    text: &'a str,
    rust: impl Fn() -> Options + 'a,
    options: Option<utfall_options>,
) -> Row<'a> {
    let mut out = vec![0_u8; 2 * text.len()];
    let call = black_box(utfall_transcode as unsafe extern "C" fn(_, _, _, _, _, _, _) -> _);
    let (from, to) = (Encoding::Utf8, UTF16);
    (
        name,
        in_rust((from, to), text.into(), rust, out.len()),
        repeat(move || {
            let options = options.as_ref().map_or(ptr::null(), ptr::from_ref);
            let (from, to) = black_box((from as u16, to as u16));
            let place = out.as_mut_ptr().cast();
            // SAFETY: pointers and lengths of slices.
            done(unsafe {
                call(from, to, options, text.as_ptr().cast(), text.len(), place, out.len())
            })
        }),
    )
}

fn length(text: &str) -> Row<'_> {
    let call = black_box(
        utfall_transcoded_length as unsafe extern "C" fn(_, _, _, _, _, *mut usize, _) -> _,
    );
    let (from, to) = (Encoding::Utf8, UTF16);
    (
        "transcoded_length",
        repeat(move || {
            let (from, to) = black_box((from, to));
            transcoded_len(from, to, black_box(text.as_bytes()), Options::default())
        }),
        repeat(move || {
            let (from, to) = black_box((from as u16, to as u16));
            let (start, mut result) = (text.as_ptr().cast(), 0);
            // SAFETY: pointers and lengths of slices.
            unsafe { call(from, to, ptr::null(), start, text.len(), &mut result, ptr::null_mut()) };
            result
        }),
    )
}

fn stream(text: &str) -> Row<'_> {
    let (from, to) = (Encoding::Utf8, UTF16);
    let mut rust = Transcoder::new(from, to, Options::default());
    let mut buffer = vec![0_u8; 2 * text.len()];
    let mut out = buffer.clone();
    let call = black_box(utfall_stream_push as unsafe extern "C" fn(_, _, _, _, _) -> _);
    // SAFETY: the options are NULL. The stream is never freed, and only used here.
    let stream = unsafe { utfall_stream_new(from as u16, to as u16, ptr::null()) };
    (
        "stream_push",
        repeat(move || rust.transcode(black_box(text.as_bytes()), &mut buffer, false).written),
        repeat(move || {
            let place = out.as_mut_ptr().cast();
            // SAFETY: pointers and lengths of slices.
            done(unsafe { call(stream, text.as_ptr().cast(), text.len(), place, out.len()) })
        }),
    )
}

fn shortcut<'a, T: Copy + Default + 'a, U: Copy + Default + 'a>(
    name: &'static str,
    text: &str,
    (from, to): (Encoding, Encoding),
    call: fn(*const T, usize, *mut U, usize) -> utfall_progress,
) -> Row<'a> {
    let bytes = from.encode(text).unwrap().into_owned();
    let mut input = vec![T::default(); bytes.len() / size_of::<T>()];
    // SAFETY: both are vectors of integers, of the same size.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), input.as_mut_ptr().cast(), bytes.len()) };
    let mut out = vec![U::default(); 2 * text.len()];
    let call = black_box(call);
    (
        name,
        in_rust((from, to), bytes, Options::default, size_of::<U>() * out.len()),
        repeat(move || done(call(input.as_ptr(), input.len(), out.as_mut_ptr(), out.len()))),
    )
}
