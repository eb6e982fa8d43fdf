//! Texts of any length, in pieces.

use std::ffi::c_void;
use std::ptr;

use utfall::{Encoding, Options, Transcoder};

use crate::arguments::{bytes, output, store};
use crate::convert::utfall_progress;
use crate::encodings::{find, utfall_encoding};
use crate::errors::{UTFALL_BUG, UTFALL_INVALID_ARGUMENT, UTFALL_OK, utfall_error, utfall_status};
use crate::guard::guard;
use crate::options::utfall_options;

/// A conversion of one text in pieces. Made by `utfall_stream_new` or `utfall_stream_fork`, and owned by the
/// caller, who frees it with `utfall_stream_free`. Only one thread may use it at a time.
#[derive(Debug)]
pub struct utfall_stream {
    transcoder: Transcoder<'static>,
    encodings: (Encoding, Encoding),
    options: Options,
    is_tracked: bool,
    /// A call has panicked: the state is unknown.
    is_broken: bool,
}

/// How many errors a stream has met so far.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct utfall_counts {
    /// Invalid sequences in the input, without those that `utfall_options.utf7` accepts.
    pub ill_formed: u64,
    /// Code points that the output encoding lacks.
    pub unencodable: u64,
    /// Of both, those that were left out.
    pub skipped: u64,
    /// Invalid sequences that `utfall_options.utf7` accepted.
    pub tolerated: u64,
}

impl utfall_stream {
    fn new(encodings: (Encoding, Encoding), options: Options, is_tracked: bool) -> Self {
        let transcoder = Transcoder::new(encodings.0, encodings.1, options);
        let transcoder = if is_tracked { transcoder.track_position() } else { transcoder };
        Self { transcoder, encodings, options, is_tracked, is_broken: false }
    }
}

/// Begins a conversion in pieces.
///
/// @param from the encoding of the input.
/// @param to the encoding of the output.
/// @param options the options; NULL for the defaults. They are copied.
/// @return the stream, owned by the caller; NULL if an argument is invalid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_stream_new(
    from: utfall_encoding,
    to: utfall_encoding,
    options: *const utfall_options,
) -> *mut utfall_stream {
    guard(ptr::null_mut(), || {
        // SAFETY: the caller passes NULL or options.
        let read = unsafe { utfall_options::read(options) };
        // SAFETY: the texts of the options have their lengths.
        let parsed = read
            .and_then(|read| Some((unsafe { read.check() }?.options(), read.track_position == 1)));
        match (find(from), find(to), parsed) {
            (Some(from), Some(to), Some((options, is_tracked))) => {
                Box::into_raw(Box::new(utfall_stream::new((from, to), options, is_tracked)))
            }
            _ => ptr::null_mut(),
        }
    })
}

/// Converts the next piece of the input.
///
/// A character may be split between pieces: its beginning is read and kept. With UTFALL_OUTPUT_FULL, call again with
/// more space and the rest of the piece (`text + read`). With UTFALL_INVALID_TEXT, the next call continues after
/// the error. Offsets count from the beginning of the stream; lines and columns need
/// `utfall_options.track_position`.
///
/// @param stream the stream.
/// @param text the piece; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer, which must not overlap the piece; may be NULL if `capacity` is 0.
/// @param capacity its size in bytes; 16 are always enough to make progress.
/// @return the bytes read and written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_stream_push(
    stream: *mut utfall_stream,
    text: *const c_void,
    length: usize,
    out: *mut c_void,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { run(stream, (text, length), (out, capacity), false) }
}

/// Converts the last piece of the input, which may be empty, and ends the text: an incomplete character is an error,
/// and a shifted run is closed. Otherwise as `utfall_stream_push`: call it until the status is UTFALL_OK. Afterwards
/// the stream can be reset or freed.
///
/// @param stream the stream.
/// @param text the last piece; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer; may be NULL if `capacity` is 0.
/// @param capacity its size in bytes.
/// @return the bytes read and written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_stream_finish(
    stream: *mut utfall_stream,
    text: *const c_void,
    length: usize,
    out: *mut c_void,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { run(stream, (text, length), (out, capacity), true) }
}

/// # Safety
/// As [`utfall_stream_push`].
unsafe fn run(
    stream: *mut utfall_stream,
    (text, length): (*const c_void, usize),
    (out, capacity): (*mut c_void, usize),
    is_last: bool,
) -> utfall_progress {
    guard(utfall_progress::with_status(UTFALL_BUG), || {
        // SAFETY: the caller passes NULL or a stream that nothing else uses, a text of this length and a
        // buffer of this size.
        let all =
            unsafe { (stream.as_mut(), bytes(text, length), output::<u8>(out.cast(), capacity)) };
        let (Some(stream), Some(text), Some(out)) = all else {
            return utfall_progress::with_status(UTFALL_INVALID_ARGUMENT);
        };
        if stream.is_broken {
            return utfall_progress::with_status(UTFALL_BUG);
        }
        stream.is_broken = true;
        let progress = stream.transcoder.transcode(text, out, is_last);
        stream.is_broken = false;
        utfall_progress::new(&progress, |error| {
            utfall_error::new(error, stream.transcoder.error_position())
        })
    })
}

/// Copies a stream with its state. Both continue independently, for example to try an input.
///
/// @param stream the stream.
/// @return the copy, owned by the caller; NULL if `stream` is NULL or a call on it returned UTFALL_BUG.
#[cfg(not(utfall_js))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_stream_fork(stream: *const utfall_stream) -> *mut utfall_stream {
    guard(ptr::null_mut(), || {
        // SAFETY: the caller passes NULL or a stream.
        match unsafe { stream.as_ref() } {
            Some(stream) if !stream.is_broken => Box::into_raw(Box::new(utfall_stream {
                transcoder: stream.transcoder.fork(),
                ..*stream
            })),
            _ => ptr::null_mut(),
        }
    })
}

/// Returns a stream to the beginning of a text, with the same encodings and options. It forgets the
/// beginning of a character that it kept.
///
/// @param stream the stream; NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_stream_reset(stream: *mut utfall_stream) {
    guard((), || {
        // SAFETY: the caller passes NULL or a stream that nothing else uses.
        if let Some(stream) = unsafe { stream.as_mut() } {
            *stream = utfall_stream::new(stream.encodings, stream.options, stream.is_tracked);
        }
    });
}

/// Counts the errors of a stream so far.
///
/// @param stream the stream.
/// @param counts receives the counts; must not be NULL.
/// @return UTFALL_OK or UTFALL_INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_stream_counts(
    stream: *const utfall_stream,
    counts: *mut utfall_counts,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes NULL or a stream.
        let (Some(stream), false) = (unsafe { stream.as_ref() }, counts.is_null()) else {
            return UTFALL_INVALID_ARGUMENT;
        };
        let utfall::Counts { ill_formed, unencodable, skipped, tolerated, .. } =
            stream.transcoder.counts();
        let found = utfall_counts { ill_formed, unencodable, skipped, tolerated };
        // SAFETY: it is not NULL, and the caller passes a place for it.
        unsafe { store(counts, found) };
        UTFALL_OK
    })
}

/// Frees a stream.
///
/// @param stream the stream, which must not be used afterwards; NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_stream_free(stream: *mut utfall_stream) {
    guard((), || {
        if !stream.is_null() {
            // SAFETY: it was made by `Box::into_raw`, and the caller gives it up.
            drop(unsafe { Box::from_raw(stream) });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream whose last call panicked only reports that, and can be reset.
    #[test]
    fn a_broken_stream_stays_broken() {
        let encodings = (Encoding::Utf8, Encoding::Utf16Le);
        let mut stream = utfall_stream::new(encodings, Options::default(), false);
        let stream = &raw mut stream;
        let mut out = [0_u8; 8];
        let out = (out.as_mut_ptr().cast(), out.len());
        let text = (b"a".as_ptr().cast(), 1);
        // SAFETY: the stream is local, and the text and the buffer have these lengths.
        unsafe {
            (*stream).is_broken = true;
            assert_eq!(run(stream, text, out, false).status, UTFALL_BUG);
            assert!(utfall_stream_fork(stream).is_null());
            utfall_stream_reset(stream);
            assert_eq!(run(stream, text, out, false).written, 2);
        }
    }
}
