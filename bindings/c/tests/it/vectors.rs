//! The vectors of `testdata/vectors` through the C functions, equal to the Rust functions: whole, and in streams of
//! one byte at a time.

use std::ptr;

use utfall::{Encoder, Encoding, Error, Options, Status};
use utfall_c::*;
use utfall_oracle::vectors::{self, Case, bytes, points};

/// The words of `--on-error` for the mode of a case. Others have no like here; strict will do.
fn policy(case: &Case) -> &'static str {
    match case.mode.as_str() {
        "replace" => "replace",
        "ignore" => "skip",
        "surrogateescape" => "surrogateescape",
        "backslashreplace" | "escape-c" => "escape-python",
        "xmlcharrefreplace" => "escape-xml",
        _ => "strict",
    }
}

/// Code points in the UTF-8 that carries them all.
fn to_perl(points: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; 6 * points.len()];
    let mut encoder = Encoder::new(Encoding::Utf8Perl, Options::default());
    let progress = encoder.encode_code_points(points, &mut bytes, true);
    assert_eq!(progress.status, Status::InputEmpty, "{points:X?}");
    bytes.truncate(progress.written);
    bytes
}

/// The encodings and the input of a case, if they are bytes or code points.
fn parts(case: &Case) -> Option<(Encoding, Encoding, Vec<u8>)> {
    let named = |label: &str| Encoding::for_label(label);
    match case.direction.as_str() {
        "decode" => Some((named(&case.encoding)?, Encoding::Utf8Perl, bytes(&case.input))),
        "encode" => {
            Some((Encoding::Utf8Perl, named(&case.encoding)?, to_perl(&points(&case.input))))
        }
        "transcode" => {
            let label = |option| named(case.option(option).unwrap_or(&case.encoding));
            Some((label("from")?, label("to")?, bytes(&case.input)))
        }
        _ => None,
    }
}

fn set(options: &mut utfall_options, c: &mut Options, name: &str, value: &str) {
    *c = utfall_bind::options::set(*c, name, value).unwrap();
    let (name, value) = (name.as_bytes(), value.as_bytes());
    // SAFETY: pointers and lengths of slices.
    let status = unsafe {
        utfall_options_set(
            options,
            name.as_ptr().cast(),
            name.len(),
            value.as_ptr().cast(),
            value.len(),
            ptr::null_mut(),
            0,
        )
    };
    assert_eq!(status, UTFALL_OK);
}

/// The whole text, or its error.
fn whole(
    from: u16,
    to: u16,
    options: &utfall_options,
    text: &[u8],
) -> Result<Vec<u8>, utfall_error> {
    let (mut length, mut error) = (0, utfall_error::default());
    let input = text.as_ptr().cast();
    // SAFETY: pointers and lengths of slices.
    let status = unsafe {
        utfall_transcoded_length(from, to, options, input, text.len(), &mut length, &mut error)
    };
    let mut out = vec![0xA5_u8; length + 1];
    let place = out.as_mut_ptr().cast();
    // SAFETY: as above; there is one byte more, which must stay.
    let progress = unsafe { utfall_transcode(from, to, options, input, text.len(), place, length) };
    assert_eq!(out.pop(), Some(0xA5));
    if status == UTFALL_OK {
        assert_eq!(
            (progress.status, progress.read, progress.written),
            (UTFALL_OK, text.len(), length)
        );
        return Ok(out);
    }
    assert_eq!(status, UTFALL_INVALID_TEXT);
    // The first error may come after the output is full.
    let mut large = vec![0_u8; 64 + 16 * text.len()];
    let place = large.as_mut_ptr().cast();
    // SAFETY: as above.
    let progress =
        unsafe { utfall_transcode(from, to, options, input, text.len(), place, large.len()) };
    assert_eq!((progress.status, progress.error), (UTFALL_INVALID_TEXT, error));
    Err(error)
}

/// The same through a stream.
fn pieces(
    from: u16,
    to: u16,
    options: &utfall_options,
    text: &[u8],
) -> Result<Vec<u8>, utfall_error> {
    // SAFETY: valid options.
    let mut stream = unsafe { utfall_stream_new(from, to, options) };
    assert!(!stream.is_null());
    let mut all = Vec::new();
    let mut result = Ok(());
    'text: for (at, piece) in text.chunks(1).chain([&[][..]]).enumerate() {
        if at % 7 == 3 {
            // SAFETY: the stream is valid, and is not used after it is freed.
            unsafe {
                let fork = utfall_stream_fork(stream);
                utfall_stream_free(stream);
                stream = fork;
            }
        }
        let mut piece = piece;
        loop {
            let mut out = [0_u8; 16];
            let call = if at < text.len() { utfall_stream_push } else { utfall_stream_finish };
            let (input, place) = (piece.as_ptr().cast(), out.as_mut_ptr().cast());
            // SAFETY: pointers and lengths of slices.
            let progress = unsafe { call(stream, input, piece.len(), place, out.len()) };
            all.extend_from_slice(&out[..progress.written]);
            piece = &piece[progress.read..];
            match progress.status {
                UTFALL_OK => break,
                UTFALL_OUTPUT_FULL => {}
                status => {
                    assert_eq!(status, UTFALL_INVALID_TEXT);
                    result = Err(progress.error);
                    break 'text;
                }
            }
        }
    }
    // SAFETY: the stream is valid, and not used again.
    unsafe { utfall_stream_free(stream) };
    result.map(|()| all)
}

fn is_same(expected: &Result<Vec<u8>, Error>, actual: &Result<Vec<u8>, utfall_error>) -> bool {
    match (expected, actual) {
        (Ok(expected), Ok(actual)) => expected == actual,
        (Err(expected), Err(actual)) => {
            (expected.offset(), expected.length(), expected.encoding() as u16)
                == (actual.offset, actual.length, actual.encoding)
                && expected.run_bit().unwrap_or(UTFALL_NO_RUN_BIT) == actual.run_bit
                && name(actual.kind) == expected.kind().name()
                && message(actual) == utfall_bind::show::problem(expected)
                && clause(actual) == expected.clause()
        }
        _ => false,
    }
}

fn name(kind: u16) -> &'static str {
    let name = utfall_kind_name(kind);
    assert!(!name.is_null());
    // SAFETY: a constant string that ends with NUL.
    unsafe { std::ffi::CStr::from_ptr(name) }.to_str().unwrap()
}

type Says = unsafe extern "C" fn(*const utfall_error, *mut std::ffi::c_char, usize) -> usize;

fn said(says: Says, error: &utfall_error) -> String {
    let mut text = vec![0_u8; 200];
    // SAFETY: a valid error, and the size of the space.
    let length = unsafe { says(error, text.as_mut_ptr().cast(), text.len()) };
    assert_eq!(text[length], 0);
    text.truncate(length);
    String::from_utf8(text).unwrap()
}

fn message(error: &utfall_error) -> String {
    said(utfall_error_message, error)
}

fn clause(error: &utfall_error) -> String {
    said(utfall_error_clause, error)
}

#[test]
fn vectors_are_as_in_rust() {
    let (mut count, mut errors, mut others) = (0, 0, 0);
    for case in vectors::cases() {
        let Some((from, to, text)) = parts(&case) else {
            others += 1;
            continue;
        };
        let mut c = utfall_options { track_position: 1, ..initial() };
        let mut rust = Options::default();
        set(&mut c, &mut rust, "on-error", policy(&case));
        for name in case.leniences() {
            let both =
                format!("{},{name}", rust.utf7_tolerance.names().collect::<Vec<_>>().join(","));
            if utfall_bind::options::set(rust, "utf7-allow", &both).is_ok() {
                set(&mut c, &mut rust, "utf7-allow", &both);
            }
        }
        let expected = utfall::transcode(from, to, &text, rust).map(|text| text.into_owned());
        let (from, to) = (from as u16, to as u16);
        let actual = whole(from, to, &c, &text);
        assert!(is_same(&expected, &actual), "{}: {actual:?} instead of {expected:?}", case.id);
        let in_pieces = pieces(from, to, &c, &text);
        assert_eq!(in_pieces, actual, "{} in pieces", case.id);
        if let Err(error) = actual {
            assert!(error.line > 0 && error.column > 0, "{}", case.id);
            errors += 1;
        }
        count += 1;
    }
    println!(
        "{count} cases, {errors} of them errors; {others} are not between bytes and code points"
    );
    assert!(count > 1000 && errors > 200);
}

pub(crate) fn initial() -> utfall_options {
    let mut options = std::mem::MaybeUninit::uninit();
    // SAFETY: the function initializes all of it.
    unsafe {
        utfall_options_init(options.as_mut_ptr());
        options.assume_init()
    }
}
