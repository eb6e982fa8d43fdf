//! Conversion of whole texts.

use std::ffi::c_void;

use utfall::{Bom, Encoding, Options, Policy, Progress, Status, Transcoder};
use utfall_simd::{Layout, dispatch};

use crate::arguments::{bytes, output, store};
use crate::encodings::{find, utfall_encoding};
use crate::errors::{
    UTFALL_BUG, UTFALL_INVALID_ARGUMENT, UTFALL_INVALID_TEXT, UTFALL_OK, UTFALL_OUTPUT_FULL,
    utfall_error, utfall_status,
};
use crate::guard::guard;
use crate::options::{Checked, utfall_options};

/// How far a conversion got, and why it returned.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct utfall_progress {
    /// How much of the input was read, in its units. After UTFALL_INVALID_TEXT this is after the invalid sequence,
    /// or after the character that the target lacks.
    pub read: usize,
    /// How much of the output was written, in its units. The rest of the buffer, up to its capacity, may have been
    /// overwritten.
    pub written: usize,
    /// With UTFALL_INVALID_TEXT, what is wrong and where; otherwise zeros.
    pub error: utfall_error,
    /// UTFALL_OK, UTFALL_OUTPUT_FULL, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
    pub status: utfall_status,
}

impl utfall_progress {
    /// A status, and nothing read or written.
    pub(crate) fn with_status(status: utfall_status) -> Self {
        Self { status, ..Self::default() }
    }

    /// The progress of a call on a stream, in bytes.
    pub(crate) fn new(progress: &Progress, error: impl Fn(&utfall::Error) -> utfall_error) -> Self {
        let (status, error) = match &progress.status {
            Status::InputEmpty => (UTFALL_OK, utfall_error::default()),
            Status::OutputFull => (UTFALL_OUTPUT_FULL, utfall_error::default()),
            Status::Error(it) => (UTFALL_INVALID_TEXT, error(it)),
        };
        Self { read: progress.read, written: progress.written, error, status }
    }
}

/// Whether a text is valid.
pub(crate) fn validate(encoding: Encoding, text: &[u8]) -> Result<(), utfall_error> {
    encoding.validate(text).map_err(|error| {
        // Any target will do, because the text before the error is only counted.
        let options = Options::default().with_on_unencodable(Policy::Skip);
        place((encoding, Encoding::Utf8), options, text, &error)
    })
}

/// Bytes of a text for which the time of a call matters.
const SHORT: usize = 1024;

/// The form that kernels know of an encoding whose text they convert alone.
#[inline(always)]
const fn layout(encoding: Encoding) -> Option<Layout> {
    match encoding {
        Encoding::Utf8 => Some(Layout::Utf8),
        Encoding::Utf16Le => Some(Layout::Utf16Le),
        Encoding::Utf16Be => Some(Layout::Utf16Be),
        Encoding::Utf32Le => Some(Layout::Utf32Le),
        Encoding::Utf32Be => Some(Layout::Utf32Be),
        Encoding::Iso8859_1 => Some(Layout::Latin1),
        _ => None,
    }
}

/// Converts a whole text. The quick ways first: they fail only if there is an error or not enough space.
#[inline(always)]
pub(crate) fn transcode(
    (from, to): (Encoding, Encoding),
    options: &Checked<'_>,
    text: &[u8],
    out: &mut [u8],
) -> utfall_progress {
    // Policies do not matter if there is no error.
    if text.len() <= SHORT
        && options.bom == Bom::Auto
        && let (Some(from), Some(to)) = (layout(from), layout(to))
    {
        let (read, written) = dispatch::active().convert(from, to, text, out);
        if read == text.len() {
            return utfall_progress { read, written, ..utfall_progress::with_status(UTFALL_OK) };
        }
    }
    transcode_all((from, to), options, text, out)
}

#[inline(never)]
fn transcode_all(
    (from, to): (Encoding, Encoding),
    options: &Checked<'_>,
    text: &[u8],
    out: &mut [u8],
) -> utfall_progress {
    // All of a text is converted to find out that it does not fit. Hardly any text fits into an eighth
    // of its length.
    if text.len() / 8 > out.len() {
        return transcode_partly((from, to), options, text, out);
    }
    match utfall::transcode_into(from, to, text, out, options.options()) {
        Ok(written) => {
            utfall_progress { read: text.len(), written, ..utfall_progress::with_status(UTFALL_OK) }
        }
        Err(_) => transcode_partly((from, to), options, text, out),
    }
}

/// Converts as much of a text as possible, up to an error or the end of the space.
#[cold]
fn transcode_partly(
    (from, to): (Encoding, Encoding),
    options: &Checked<'_>,
    text: &[u8],
    out: &mut [u8],
) -> utfall_progress {
    let mut transcoder = Transcoder::new(from, to, options.options()).track_position();
    let progress = transcoder.transcode(text, out, true);
    utfall_progress::new(&progress, |error| utfall_error::new(error, transcoder.error_position()))
}

/// The exact length of a converted text in bytes.
#[cfg(not(utfall_js))]
#[inline(always)]
pub(crate) fn length(
    (from, to): (Encoding, Encoding),
    options: &Checked<'_>,
    text: &[u8],
) -> Result<usize, utfall_error> {
    let length = utfall::transcoded_len(from, to, text, options.options());
    length.map_err(|error| place((from, to), options.options(), text, &error))
}

/// The first error of a conversion, with its line and column.
#[cold]
fn place(
    (from, to): (Encoding, Encoding),
    options: Options,
    text: &[u8],
    error: &utfall::Error,
) -> utfall_error {
    let mut transcoder = Transcoder::new(from, to, options).track_position();
    let (mut read, mut scratch) = (0, [0; 4096]);
    loop {
        let progress = transcoder.transcode(&text[read..], &mut scratch, true);
        read += progress.read;
        if progress.status != Status::OutputFull {
            return utfall_error::new(error, transcoder.error_position());
        }
    }
}

/// Checks whether a text is valid in an encoding.
///
/// @param encoding the encoding of the text.
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param error receives the first error, or zeros; may be NULL.
/// @return UTFALL_OK if it is valid, else UTFALL_INVALID_TEXT; UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_validate(
    encoding: utfall_encoding,
    text: *const c_void,
    length: usize,
    error: *mut utfall_error,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes a text of this length.
        let (Some(encoding), Some(text)) = (find(encoding), unsafe { bytes(text, length) }) else {
            return UTFALL_INVALID_ARGUMENT;
        };
        // SAFETY: the caller passes NULL or a place for the error.
        unsafe { report(validate(encoding, text), error) }
    })
}

/// The status of a result, whose error is stored.
///
/// # Safety
/// `error` must be NULL or valid for a write.
#[inline(always)]
pub(crate) unsafe fn report<T>(
    result: Result<T, utfall_error>,
    error: *mut utfall_error,
) -> utfall_status {
    let (status, found) = match result {
        Ok(_) => (UTFALL_OK, utfall_error::default()),
        Err(found) => (UTFALL_INVALID_TEXT, found),
    };
    // SAFETY: the same contract.
    unsafe { store(error, found) };
    status
}

/// Converts a whole text from one encoding to another.
///
/// Input and output must not overlap. Only whole characters are written. With UTFALL_OUTPUT_FULL, call again with
/// a larger buffer and the whole text (`utfall_transcoded_length` tells how large), or use a stream.
///
/// @param from the encoding of the text.
/// @param to the encoding of the output.
/// @param options the options; NULL for the defaults, which stop at the first error.
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer; may be NULL if `capacity` is 0. No NUL is added.
/// @param capacity its size in bytes.
/// @return the bytes read and written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_transcode(
    from: utfall_encoding,
    to: utfall_encoding,
    options: *const utfall_options,
    text: *const c_void,
    length: usize,
    out: *mut c_void,
    capacity: usize,
) -> utfall_progress {
    guard(utfall_progress::with_status(UTFALL_BUG), || {
        // SAFETY: the caller passes a text of this length and a buffer of this size.
        let (text, out) = unsafe { (bytes(text, length), output::<u8>(out.cast(), capacity)) };
        let (Some(from), Some(to), Some(text), Some(out)) = (find(from), find(to), text, out)
        else {
            return utfall_progress::with_status(UTFALL_INVALID_ARGUMENT);
        };
        let wrong = utfall_progress::with_status(UTFALL_INVALID_ARGUMENT);
        // SAFETY: the caller passes NULL or options.
        unsafe { with(options, wrong, |options| transcode((from, to), options, text, out)) }
    })
}

/// Passes the options at a pointer to `body`, or the defaults; returns `wrong` if a value is unknown.
///
/// # Safety
/// `options` must be NULL or point to options, whose texts have their lengths.
// The defaults are a case of their own, which the compiler makes shorter.
#[inline(always)]
unsafe fn with<T>(
    options: *const utfall_options,
    wrong: T,
    body: impl FnOnce(&Checked<'_>) -> T,
) -> T {
    if options.is_null() {
        return body(&Checked::STRICT);
    }
    // SAFETY: the same contract.
    let options = unsafe { utfall_options::read(options).and_then(|options| options.check()) };
    options.map_or(wrong, |options| body(&options))
}

/// Computes the exact length of a converted text, including replacements.
///
/// @param from the encoding of the text.
/// @param to the encoding of the output.
/// @param options the options; NULL for the defaults.
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param result receives the length of the output in bytes, 0 after an error; must not be NULL.
/// @param error receives the first error at which a conversion would stop, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[cfg(not(utfall_js))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_transcoded_length(
    from: utfall_encoding,
    to: utfall_encoding,
    options: *const utfall_options,
    text: *const c_void,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes a text of this length.
        let text = unsafe { bytes(text, length) };
        let (Some(from), Some(to), Some(text), false) =
            (find(from), find(to), text, result.is_null())
        else {
            return UTFALL_INVALID_ARGUMENT;
        };
        // SAFETY: the caller passes NULL or options, and places for the length and the error.
        unsafe {
            with(options, UTFALL_INVALID_ARGUMENT, |options| {
                let found = self::length((from, to), options, text);
                store(result, found.unwrap_or_default());
                report(found, error)
            })
        }
    })
}
