//! Conversion of a whole text from one encoding to another.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

#[cfg(feature = "alloc")]
use utfall_simd::text;
use utfall_simd::{Layout, dispatch};

use super::buffer::{BufferError, convert_into};
use super::{SHORT, all_of_short, count, own_kernel};
#[cfg(feature = "alloc")]
use super::{begin, resume, short_plain};
use crate::codec::{Encode, Next};
#[cfg(feature = "alloc")]
use crate::direct::Direct;
use crate::encoding::AnyEncoder;
use crate::engine::SCRATCH;
use crate::route::Route;
#[cfg(feature = "alloc")]
use crate::route::Side;
use crate::{Encoding, Error, Options, Transcoder, shortcut};

/// Converts bytes from one encoding to another. Borrowed if nothing changes.
///
/// # Errors
/// The first ill-formed sequence or unencodable code point, if the policy for it is to stop.
///
/// ```
/// use utfall::{Encoding, Options, transcode};
/// let utf7 = transcode(Encoding::Utf16Be, Encoding::Utf7, b"\x26\x3A", Options::default())?;
/// assert_eq!(&*utf7, b"+Jjo-");
/// # Ok::<(), utfall::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn transcode(
    source: Encoding,
    target: Encoding,
    bytes: &[u8],
    options: Options,
) -> Result<Cow<'_, [u8]>, Error> {
    if source == Encoding::Iso8859_1
        && Route::is_by_names(&options)
        && let Side::Plain(to) = target.info().side
        && let Some(made) = text::widened(to, bytes)
    {
        return Ok(Cow::Owned(made));
    }
    let shared = source.shared(options.bom).min(target.shared(options.bom));
    if shared.as_str(bytes).is_some() {
        return Ok(Cow::Borrowed(bytes));
    }
    let sides = (source.info().side, target.info().side);
    let rest = |read| match source.error_at(bytes, read, &options) {
        Some(error) => Err(error),
        None => transcode_rest((source, target), bytes, &options, (Vec::new(), 0)),
    };
    match short_plain(sides, bytes, &options, rest) {
        Some(made) => made,
        None => transcode_more(source, target, bytes, options),
    }
}

/// Converts long text, and text from or to an encoding that is not plain.
#[cfg(feature = "alloc")]
#[inline(never)]
fn transcode_more(
    source: Encoding,
    target: Encoding,
    bytes: &[u8],
    options: Options,
) -> Result<Cow<'_, [u8]>, Error> {
    let route = Route::at_start(source.info().side, target.info().side, &options);
    if let Some(made) = own_kernel::convert(route, (source, target), bytes, &options) {
        return Ok(Cow::Owned(made));
    }
    match begin(route, bytes) {
        Ok(made) => Ok(Cow::Owned(made)),
        Err(begun) => match source.error_at(bytes, begun.1, &options) {
            Some(error) if matches!(route, Route::Pair(..)) => Err(error),
            _ => transcode_rest((source, target), bytes, &options, begun),
        },
    }
}

/// Continues after a kernel, given what it wrote and the number of bytes it read.
#[cfg(feature = "alloc")]
#[inline(never)]
fn transcode_rest<'a>(
    (source, target): (Encoding, Encoding),
    bytes: &[u8],
    options: &Options,
    begun: (Vec<u8>, usize),
) -> Result<Cow<'a, [u8]>, Error> {
    let (from, to) = (source.info(), target.info());
    if let Route::Pair(from_layout, to_layout) = Route::at_start(from.side, to.side, options)
        && shortcut::is_lossy(from, options)
        && shortcut::only_replaces(to, options)
    {
        let kernels = dispatch::active();
        let room = shortcut::room(kernels, Direct::Pair(from_layout, to_layout), bytes);
        let made = text::to_lossy_vec(bytes, room, |src, dst| {
            kernels.convert_lossy(from_layout, to_layout, src, dst)
        });
        if let Some((mut made, lossy)) = made {
            let (rest, mut end) = (&bytes[lossy.read..], [0; 4]);
            if rest.is_empty() {
                return Ok(Cow::Owned(made));
            }
            if let Some(length) = source.replace_truncated(to_layout, rest, &mut end) {
                made.extend_from_slice(&end[..length]);
                return Ok(Cow::Owned(made));
            }
        }
    }
    resume(begun, bytes, || Transcoder::new(source, target, *options)).map(Cow::Owned)
}

/// Converts bytes into the caller's buffer, and returns the number of bytes written.
///
/// # Errors
/// As [`transcode()`], or [`BufferError::TooSmall`].
///
/// ```
/// use utfall::{BufferError, Encoding, Options, transcode_into};
/// let mut buffer = [0; 2];
/// let result = transcode_into(Encoding::Utf8, Encoding::Utf16Le, b"abc", &mut buffer, Options::default());
/// assert_eq!(result, Err(BufferError::TooSmall { needed: 6 }));
/// ```
#[inline]
pub fn transcode_into(
    source: Encoding,
    target: Encoding,
    bytes: &[u8],
    buffer: &mut [u8],
    options: Options,
) -> Result<usize, BufferError> {
    if bytes.len() <= SHORT && Route::is_by_names(&options) {
        return match all_of_short(source, target, bytes, buffer) {
            Ok(length) => Ok(length),
            Err(begun) => transcode_any(source, target, bytes, buffer, &options, begun),
        };
    }
    transcode_any(source, target, bytes, buffer, &options, (0, 0))
}

/// The same after a kernel, which has read and written that many bytes, but not converted all.
#[inline(never)]
fn transcode_any(
    source: Encoding,
    target: Encoding,
    bytes: &[u8],
    buffer: &mut [u8],
    options: &Options,
    (read, written): (usize, usize),
) -> Result<usize, BufferError> {
    let (from, to) = (source.info(), target.info());
    let route = Route::at_start(from.side, to.side, options);
    if bytes.len() <= SHORT
        && let Route::Pair(from_layout, to_layout) = route
        && shortcut::is_lossy(from, options)
        && shortcut::only_replaces(to, options)
        && let (src, dst) = (&bytes[read..], &mut buffer[written..])
        && let Some(made) = dispatch::active().convert_lossy(from_layout, to_layout, src, dst)
    {
        let rest = &src[made.read..];
        let all = written + made.written;
        if rest.is_empty() {
            return Ok(all);
        }
        if let Some(more) = source.replace_truncated(to_layout, rest, &mut buffer[all..]) {
            return Ok(all + more);
        }
    }
    let pair = (source, target);
    if let Some(length) = own_kernel::convert_into(route, pair, bytes, buffer, options) {
        return Ok(length);
    }
    let stream = || Transcoder::new(source, target, *options);
    let error_at = |at| match route {
        Route::Pair(..) => source.error_at(bytes, at, options),
        _ => None,
    };
    convert_into(route, bytes, buffer, error_at, stream, || {
        transcoded_len(source, target, bytes, *options)
    })
}

impl Encoding {
    /// Writes U+FFFD for `rest`, if that is a truncated sequence at the end of a text. Returns the
    /// number of bytes written.
    #[inline]
    fn replace_truncated(self, to: Layout, rest: &[u8], dst: &mut [u8]) -> Option<usize> {
        let Next::Ill(ill) = self.at_end(rest) else { return None };
        let utf8 = "\u{FFFD}".as_bytes();
        let (read, written) = dispatch::active().convert(Layout::Utf8, to, utf8, dst);
        (ill.length == rest.len() && read == utf8.len()).then_some(written)
    }
}

/// The exact number of bytes that [`transcode()`] would return, including replacements for errors.
///
/// Between UTF-8, UTF-16, UTF-32 and Latin-1 with a fixed byte order, this only counts, for
/// well-formed text and for ill-formed UTF-8 with U+FFFD as replacement. In all other cases, it
/// converts piece by piece into a small buffer and discards the result.
///
/// # Errors
/// As [`transcode()`].
///
/// ```
/// use utfall::{Encoding, Options, Policy, transcoded_len};
/// let options = Options::both(Policy::Replace);
/// assert_eq!(transcoded_len(Encoding::Utf8, Encoding::Utf16Le, b"a\xFF", options), Ok(4));
/// ```
pub fn transcoded_len(
    source: Encoding,
    target: Encoding,
    bytes: &[u8],
    options: Options,
) -> Result<usize, Error> {
    let (info, to_info) = (source.info(), target.info());
    let kernels = dispatch::active();
    let (mut read, mut written) = (0, 0);
    match Route::at_start(info.side, to_info.side, &options) {
        Route::Pair(from, to) => {
            let sound = &bytes[..kernels.prefix(from, bytes)];
            if let Some(length) = shortcut::exact_len(kernels, from, to, sound) {
                let rest = &bytes[sound.len()..];
                if rest.is_empty() {
                    return Ok(length);
                }
                if let Some(error) = source.error_at(bytes, sound.len(), &options) {
                    return Err(error);
                }
                if shortcut::is_lossy(info, &options)
                    && shortcut::only_replaces(to_info, &options)
                    && let Some(more) = shortcut::lossy_len(kernels, from, to, rest)
                {
                    return Ok(length + more);
                }
                (read, written) = (sound.len(), length);
            }
        }
        Route::FromUtf8 => {
            if let Some(length) = len_of_utf8(target, bytes, &options) {
                return Ok(length);
            }
        }
        _ => {}
    }
    let mut transcoder = Transcoder::new(source, target, options);
    transcoder.resume_after(&bytes[..read]);
    Ok(written + count(transcoder, &bytes[read..])?)
}

/// The length of well-formed UTF-8 in an encoding whose kernel can count it.
fn len_of_utf8(target: Encoding, bytes: &[u8], options: &Options) -> Option<usize> {
    let kernels = dispatch::active();
    let mut encoder = AnyEncoder::new(target, options);
    if kernels.utf8_prefix(bytes) < bytes.len() {
        return None;
    }
    let length = encoder.len_of_utf8(kernels, bytes)?;
    encoder.finish(&mut [0; SCRATCH]).map(|end| length + end)
}
