//! utfall's C functions beside those of simdutf, which are called in one program through the same C interface.
//! `cargo run --release -p utfall-bench --features simdutf --example c_beside_simdutf` prints a table; with
//! `UTFALL_BLESS=1`, it is written to `docs/c.md`.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use std::{fs, ptr};

use simdutf as _;
use utfall::Encoding;
use utfall_c::*;

/// Rounds, in which both alternate. The minimum counts: what disturbs only adds.
const ROUNDS: usize = 200;

/// How long a measurement in a round lasts, in nanoseconds.
const ROUND: f64 = 50_000.0;

const PAGE: &str = "docs/c.md";
const MARKS: (&str, &str) = ("<!-- beside simdutf -->\n", "<!-- end -->");

/// Bytes of the long texts in UTF-8, and of the short one.
const LONG: usize = 64 * 1024;
const SHORT: usize = 24;

/// `simdutf_result`.
#[repr(C)]
struct Found {
    error: u32,
    count: usize,
}

// The names and types of simdutf_c.h, in the library that the crate builds.
unsafe extern "C" {
    fn simdutf_validate_utf8_with_errors(text: *const u8, length: usize) -> Found;
    fn simdutf_validate_utf16_with_errors(text: *const u16, length: usize) -> Found;
    fn simdutf_validate_utf32_with_errors(text: *const u32, length: usize) -> Found;
    fn simdutf_convert_utf8_to_utf16_with_errors(
        text: *const u8,
        length: usize,
        out: *mut u16,
    ) -> Found;
    fn simdutf_convert_utf8_to_utf32_with_errors(
        text: *const u8,
        length: usize,
        out: *mut u32,
    ) -> Found;
    fn simdutf_convert_utf8_to_latin1_with_errors(
        text: *const u8,
        length: usize,
        out: *mut u8,
    ) -> Found;
    fn simdutf_convert_utf16_to_utf8_with_errors(
        text: *const u16,
        length: usize,
        out: *mut u8,
    ) -> Found;
    fn simdutf_convert_utf16_to_utf32_with_errors(
        text: *const u16,
        length: usize,
        out: *mut u32,
    ) -> Found;
    fn simdutf_convert_utf16_to_latin1_with_errors(
        text: *const u16,
        length: usize,
        out: *mut u8,
    ) -> Found;
    fn simdutf_convert_utf32_to_utf8_with_errors(
        text: *const u32,
        length: usize,
        out: *mut u8,
    ) -> Found;
    fn simdutf_convert_utf32_to_utf16(text: *const u32, length: usize, out: *mut u16) -> usize;
    fn simdutf_convert_utf32_to_latin1(text: *const u32, length: usize, out: *mut u8) -> usize;
    fn simdutf_convert_latin1_to_utf8(text: *const u8, length: usize, out: *mut u8) -> usize;
    fn simdutf_convert_latin1_to_utf16le(text: *const u8, length: usize, out: *mut u16) -> usize;
    fn simdutf_convert_latin1_to_utf32(text: *const u8, length: usize, out: *mut u32) -> usize;
    fn simdutf_utf16_length_from_utf8(text: *const u8, length: usize) -> usize;
    fn simdutf_utf32_length_from_utf8(text: *const u8, length: usize) -> usize;
    fn simdutf_utf8_length_from_utf16(text: *const u16, length: usize) -> usize;
    fn simdutf_utf8_length_from_latin1(text: *const u8, length: usize) -> usize;
}

/// What a function returns that tells how much it has done.
trait Answer {
    /// The units written, or those that were valid.
    fn count(self) -> usize;
}

impl Answer for Found {
    fn count(self) -> usize {
        assert_eq!(self.error, 0);
        self.count
    }
}

impl Answer for usize {
    fn count(self) -> usize {
        self
    }
}

impl Answer for utfall_progress {
    fn count(self) -> usize {
        assert_eq!(self.status, UTFALL_OK);
        self.written
    }
}

/// One text in all forms that the functions take.
struct Forms {
    utf8: Vec<u8>,
    utf16: Vec<u16>,
    utf32: Vec<u32>,
    latin1: Option<Vec<u8>>,
}

impl Forms {
    fn new(text: &str) -> Self {
        let latin1 = Encoding::Iso8859_1.encode(text).ok().map(|text| text.into_owned());
        Self {
            utf8: text.into(),
            utf16: text.encode_utf16().collect(),
            utf32: text.chars().map(u32::from).collect(),
            latin1,
        }
    }
}

/// The time of one call of each library, in nanoseconds, and the bytes of its input.
struct Times {
    utfall: f64,
    simdutf: f64,
    bytes: usize,
}

fn time(times: u32, call: &mut dyn FnMut() -> usize) -> f64 {
    let start = Instant::now();
    for _ in 0..times {
        black_box(call());
    }
    start.elapsed().as_nanos() as f64 / f64::from(times)
}

/// Both calls, whose answers must be equal.
fn measure(
    bytes: usize,
    mut utfall: impl FnMut() -> usize,
    mut simdutf: impl FnMut() -> usize,
) -> Times {
    assert_eq!(utfall(), simdutf());
    let mut least = [f64::INFINITY; 2];
    let mut times = 4;
    for _ in 0..ROUNDS {
        least[0] = least[0].min(time(times, &mut utfall));
        least[1] = least[1].min(time(times, &mut simdutf));
        times = (ROUND / least[0]).clamp(1.0, 5_000.0) as u32;
    }
    Times { utfall: least[0], simdutf: least[1], bytes }
}

/// A conversion into a buffer.
fn convert<T, U: Clone + Default, A: Answer>(
    input: &[T],
    utfall: fn(*const T, usize, *mut U, usize) -> utfall_progress,
    simdutf: unsafe extern "C" fn(*const T, usize, *mut U) -> A,
) -> Times {
    let (utfall, simdutf) = (black_box(utfall), black_box(simdutf));
    // Sufficient for every form.
    let mut out = vec![U::default(); 4 * input.len() + 64];
    let mut other = out.clone();
    measure(
        size_of_val(input),
        || utfall(input.as_ptr(), input.len(), out.as_mut_ptr(), out.len()).count(),
        // SAFETY: pointers and lengths of slices; there is space for the longest form of each unit.
        || unsafe { simdutf(input.as_ptr(), input.len(), other.as_mut_ptr()) }.count(),
    )
}

fn validate<T>(
    input: &[T],
    utfall: fn(*const T, usize, *mut utfall_error) -> utfall_status,
    simdutf: unsafe extern "C" fn(*const T, usize) -> Found,
) -> Times {
    let (utfall, simdutf) = (black_box(utfall), black_box(simdutf));
    measure(
        size_of_val(input),
        || {
            assert_eq!(utfall(input.as_ptr(), input.len(), ptr::null_mut()), UTFALL_OK);
            input.len()
        },
        // SAFETY: pointers and lengths of slices.
        || unsafe { simdutf(input.as_ptr(), input.len()) }.count(),
    )
}

fn length<T>(
    input: &[T],
    utfall: fn(*const T, usize, *mut usize, *mut utfall_error) -> utfall_status,
    simdutf: unsafe extern "C" fn(*const T, usize) -> usize,
) -> Times {
    let (utfall, simdutf) = (black_box(utfall), black_box(simdutf));
    measure(
        size_of_val(input),
        || {
            let mut result = 0;
            let status = utfall(input.as_ptr(), input.len(), &mut result, ptr::null_mut());
            assert_eq!(status, UTFALL_OK);
            result
        },
        // SAFETY: pointers and lengths of slices.
        || unsafe { simdutf(input.as_ptr(), input.len()) },
    )
}

/// The functions of utfall and simdutf, and the times if the text has the form.
type Row = (&'static str, &'static str, Option<Times>);

/// The rows of the table.
fn rows(forms: &Forms) -> Vec<Row> {
    // A text that has no form in Latin-1 cannot become Latin-1.
    let latin1 = forms.latin1.as_deref();
    let (utf8, utf16, utf32) = (Some(&*forms.utf8), Some(&*forms.utf16), Some(&*forms.utf32));
    macro_rules! row {
        (validate $input:expr, $utfall:ident, $simdutf:ident) => {
            // SAFETY: pointers and lengths of slices; the same for all functions.
            row!(@ validate $input, $utfall, $simdutf, |a, b, c| unsafe { $utfall(a.cast(), b, c) })
        };
        (length $input:expr, $utfall:ident, $simdutf:ident) => {
            // SAFETY: as above.
            row!(@ length $input, $utfall, $simdutf, |a, b, c, d| unsafe {
                $utfall(a.cast(), b, c, d)
            })
        };
        (convert $input:expr, $utfall:ident, $simdutf:ident) => {
            // SAFETY: as above.
            row!(@ convert $input, $utfall, $simdutf, |a, b, c, d| unsafe {
                $utfall(a.cast(), b, c.cast(), d)
            })
        };
        (@ $measure:ident $input:expr, $utfall:ident, $simdutf:ident, $call:expr) => {
            (
                stringify!($utfall),
                stringify!($simdutf),
                $input.map(|input| $measure(input, $call, $simdutf)),
            )
        };
    }
    vec![
        row!(validate utf8, utfall_utf8_validate, simdutf_validate_utf8_with_errors),
        row!(validate utf16, utfall_utf16_validate, simdutf_validate_utf16_with_errors),
        row!(validate utf32, utfall_utf32_validate, simdutf_validate_utf32_with_errors),
        row!(convert utf8, utfall_utf8_to_utf16, simdutf_convert_utf8_to_utf16_with_errors),
        row!(convert utf8, utfall_utf8_to_utf32, simdutf_convert_utf8_to_utf32_with_errors),
        row!(convert latin1.and(utf8), utfall_utf8_to_latin1, simdutf_convert_utf8_to_latin1_with_errors),
        row!(convert utf16, utfall_utf16_to_utf8, simdutf_convert_utf16_to_utf8_with_errors),
        row!(convert utf16, utfall_utf16_to_utf32, simdutf_convert_utf16_to_utf32_with_errors),
        row!(convert latin1.and(utf16), utfall_utf16_to_latin1, simdutf_convert_utf16_to_latin1_with_errors),
        row!(convert utf32, utfall_utf32_to_utf8, simdutf_convert_utf32_to_utf8_with_errors),
        row!(convert utf32, utfall_utf32_to_utf16, simdutf_convert_utf32_to_utf16),
        row!(convert latin1.and(utf32), utfall_utf32_to_latin1, simdutf_convert_utf32_to_latin1),
        row!(convert latin1, utfall_latin1_to_utf8, simdutf_convert_latin1_to_utf8),
        row!(convert latin1, utfall_latin1_to_utf16, simdutf_convert_latin1_to_utf16le),
        row!(convert latin1, utfall_latin1_to_utf32, simdutf_convert_latin1_to_utf32),
        row!(length utf8, utfall_utf8_to_utf16_length, simdutf_utf16_length_from_utf8),
        row!(length utf8, utfall_utf8_to_utf32_length, simdutf_utf32_length_from_utf8),
        row!(length utf16, utfall_utf16_to_utf8_length, simdutf_utf8_length_from_utf16),
        row!(length latin1, utfall_latin1_to_utf8_length, simdutf_utf8_length_from_latin1),
    ]
}

/// The first characters of a file of `testdata/corpora` that a test accepts, up to a length in bytes.
fn text(file: &str, most: usize, accept: fn(&char) -> bool) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpora").join(file);
    let all =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    for character in all.chars().filter(accept).cycle() {
        if text.len() + character.len_utf8() > most {
            return text;
        }
        text.push(character);
    }
    panic!("{}: no text", path.display());
}

/// `12 / 9`: nanoseconds.
fn nanoseconds(times: &Option<Times>) -> String {
    times.as_ref().map_or("–".into(), |it| format!("{:.0} / {:.0}", it.utfall, it.simdutf))
}

/// `12.0 / 9.0 = 1.33`: gigabytes of input in a second, and their ratio.
fn speed(times: &Option<Times>) -> String {
    let Some(Times { utfall, simdutf, bytes }) = times else { return "–".into() };
    let bytes = *bytes as f64;
    format!("{:.1} / {:.1} = {:.2}", bytes / utfall, bytes / simdutf, simdutf / utfall)
}

fn main() {
    let is_latin1 = |character: &char| *character <= '\u{FF}';
    let texts = [
        text("wiki-french.utf8.txt", SHORT, is_latin1),
        text("wiki-french.utf8.txt", LONG, is_latin1),
        text("Japanese-Lipsum.utf8.txt", LONG, |_| true),
    ];
    let [short, french, japanese] = texts.map(|text| rows(&Forms::new(&text)));
    let mut table = String::from(
        "| utfall | simdutf | 24 bytes, ns | French, GB/s | Japanese, GB/s |\n|---|---|---|---|---|\n",
    );
    for (((utfall, simdutf, short), (.., french)), (.., japanese)) in
        short.iter().zip(&french).zip(&japanese)
    {
        _ = writeln!(
            table,
            "| `{utfall}` | `{simdutf}` | {} | {} | {} |",
            nanoseconds(short),
            speed(french),
            speed(japanese)
        );
    }
    print!("{table}");
    if utfall_page::is_renewed() {
        utfall_page::compare_part(PAGE, MARKS, &table);
    }
}
