//! Validation, conversion, streams and names of mailboxes.

use std::ptr;

use serde_json::Value;
use utfall_c::*;

use super::{Case, problem, units};
use crate::vectors::initial;

pub(super) fn validate(case: Case<'_>) {
    let (input, encoding) = (case.bytes("input"), case.encoding("encoding"));
    let mut error = utfall_error::default();
    // SAFETY: the pointer and length of a vector.
    let status =
        unsafe { utfall_validate(encoding, input.as_ptr().cast(), input.len(), &mut error) };
    case.compare(&problem(&error), case.get("error"));
    let expected = if case.get("error").is_null() { UTFALL_OK } else { UTFALL_INVALID_TEXT };
    case.compare(status, expected);
}

/// The options of a case. They point into it.
fn options(case: Case<'_>) -> utfall_options {
    let mut options = initial();
    options.track_position = 1;
    for (name, value) in case.object("options") {
        let value = value.as_str().unwrap();
        if name == "transliterate" {
            options.transliterate = 1;
            continue;
        }
        // SAFETY: pointers and lengths of texts.
        let status = unsafe {
            utfall_options_set(
                &mut options,
                name.as_ptr().cast(),
                name.len(),
                value.as_ptr().cast(),
                value.len(),
                ptr::null_mut(),
                0,
            )
        };
        case.compare(status, UTFALL_OK);
    }
    options
}

pub(super) fn transcode(case: Case<'_>) {
    let (from, to, options) = (case.encoding("from"), case.encoding("to"), options(case));
    let (input, expected) = (case.bytes("input"), case.bytes("output"));
    let (start, is_valid) = (input.as_ptr().cast(), case.get("error").is_null());

    // A stop at an error needs space for what comes before it, and may need more to find it.
    let mut out = vec![0_u8; if is_valid { expected.len() } else { expected.len() + 64 }];
    // SAFETY: pointers and lengths of vectors, and valid options.
    let progress = unsafe {
        let place = out.as_mut_ptr().cast();
        utfall_transcode(from, to, &options, start, input.len(), place, out.len())
    };
    out.truncate(progress.written);
    case.compare(&out, &expected);
    case.compare(&problem(&progress.error), case.get("error"));
    case.compare(progress.status, if is_valid { UTFALL_OK } else { UTFALL_INVALID_TEXT });

    let (mut length, mut error) = (99, utfall_error::default());
    // SAFETY: as above.
    let status = unsafe {
        utfall_transcoded_length(from, to, &options, start, input.len(), &mut length, &mut error)
    };
    case.compare((status, error), (progress.status, progress.error));
    case.compare(length, if is_valid { expected.len() } else { 0 });

    if case.object("options").is_empty() {
        units::compare(case, &input, &expected);
    }

    // SAFETY: valid options.
    let stream = unsafe { utfall_stream_new(from, to, &options) };
    let pieces = input.chunks(1).map(|piece| (piece, false)).chain([(&[][..], true)]);
    let (mut all, mut first) = (Vec::new(), Value::Null);
    for (piece, last) in pieces {
        let (output, mut errors) = push(stream, piece, last, is_valid);
        all.extend(output);
        if !errors.is_empty() {
            first = errors.swap_remove(0);
            break;
        }
    }
    // SAFETY: the stream is not used again.
    unsafe { utfall_stream_free(stream) };
    case.compare(&all, &expected);
    case.compare(&first, case.get("error"));
}

/// Passes a piece to a stream. Returns its output and errors, all or only the first.
fn push(
    stream: *mut utfall_stream,
    mut piece: &[u8],
    last: bool,
    all: bool,
) -> (Vec<u8>, Vec<Value>) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let call = if last { utfall_stream_finish } else { utfall_stream_push };
    loop {
        let mut out = [0_u8; 16];
        let (start, place) = (piece.as_ptr().cast(), out.as_mut_ptr().cast());
        // SAFETY: a valid stream, and pointers and lengths of slices.
        let progress = unsafe { call(stream, start, piece.len(), place, out.len()) };
        output.extend_from_slice(&out[..progress.written]);
        piece = &piece[progress.read..];
        match progress.status {
            UTFALL_OUTPUT_FULL => {}
            UTFALL_INVALID_TEXT => {
                errors.push(problem(&progress.error));
                if !all {
                    return (output, errors);
                }
            }
            status => {
                assert_eq!(status, UTFALL_OK);
                return (output, errors);
            }
        }
    }
}

pub(super) fn stream(case: Case<'_>) {
    let options = options(case);
    // SAFETY: valid options.
    let stream = unsafe { utfall_stream_new(case.encoding("from"), case.encoding("to"), &options) };
    for step in case.list("steps") {
        let last = step.get("last").as_bool().unwrap();
        let (output, errors) = push(stream, &step.bytes("input"), last, true);
        case.compare((output, &Value::Array(errors)), (step.bytes("output"), step.get("errors")));
    }
    let mut counts = utfall_counts::default();
    // SAFETY: a valid stream, which is not used again after it is freed.
    unsafe {
        assert_eq!(utfall_stream_counts(stream, &mut counts), UTFALL_OK);
        utfall_stream_free(stream);
    }
    let expected = Case(case.get("counts"));
    let expected =
        ["ill_formed", "unencodable", "skipped", "tolerated"].map(|it| expected.number(it));
    let utfall_counts { ill_formed, unencodable, skipped, tolerated } = counts;
    case.compare([ill_formed, unencodable, skipped, tolerated], expected);
}

type Mailbox = unsafe extern "C" fn(
    *const std::ffi::c_char,
    usize,
    *mut std::ffi::c_char,
    usize,
    *mut usize,
    *mut utfall_error,
) -> utfall_status;

/// The status, output and error of a function for names, with exactly the space that it asks for.
fn mailbox(call: Mailbox, input: &[u8]) -> (utfall_status, Vec<u8>, Value) {
    let (mut length, mut error) = (0, utfall_error::default());
    let start = input.as_ptr().cast();
    // SAFETY: pointers and lengths of slices.
    unsafe {
        call(start, input.len(), ptr::null_mut(), 0, &mut length, &mut error);
        let mut out = vec![0_u8; length];
        let place = out.as_mut_ptr().cast();
        let status = call(start, input.len(), place, out.len(), &mut length, &mut error);
        (status, out, problem(&error))
    }
}

pub(super) fn imap_encode(case: Case<'_>) {
    let (status, output, error) = mailbox(utfall_imap_encode, &case.bytes("input"));
    case.compare((output, &error), (case.bytes("output"), case.get("error")));
    case.compare(status == UTFALL_OK, error.is_null());
}

/// C gives only the first problem.
pub(super) fn imap_decode(case: Case<'_>) {
    let (status, output, error) = mailbox(utfall_imap_decode, &case.bytes("input"));
    let first = case.list("problems").next().map_or(&Value::Null, |first| first.0);
    case.compare((output, &error), (case.bytes("output"), first));
    case.compare(status, if first.is_null() { UTFALL_OK } else { UTFALL_INVALID_TEXT });
}
