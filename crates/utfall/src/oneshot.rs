//! Conversion of a whole text in one call: first by a kernel, then by a stream, which converts the rest.

mod buffer;
mod decode;
mod encode;
mod own_kernel;
#[cfg(feature = "alloc")]
mod shared;
mod transcode;
mod validate;

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

use utfall_simd::Layout;
#[cfg(feature = "alloc")]
use utfall_simd::units::{self, Unit};
#[cfg(feature = "alloc")]
use utfall_simd::{dispatch, text};

#[cfg(feature = "alloc")]
use crate::direct::Direct;
use crate::engine::SCRATCH;
use crate::route::{Route, Side};
#[cfg(feature = "alloc")]
use crate::{Decoder, Options, shortcut};
use crate::{Encoder, Encoding, Error, Progress, Status, Transcoder};

pub use buffer::BufferError;
#[cfg(feature = "alloc")]
pub use decode::Lossy;
#[cfg(feature = "alloc")]
pub use transcode::transcode;
pub use transcode::{transcode_into, transcoded_len};

/// Text up to this length, in bytes, is first converted as a whole, in the fewest steps. If that
/// fails, another way begins again.
const SHORT: usize = 256;

/// Text in memory.
const UTF8: Side = Side::Plain(Layout::Utf8);
#[cfg(feature = "alloc")]
const UTF16: Side = Side::Plain(units::NATIVE_UTF16);

/// Converts all of a short text, if it is one step between these encodings, or if one of them is
/// ISO-2022-JP. Returns the number of bytes written. A BOM is ordinary text.
///
/// # Errors
/// The number of bytes read and written, if not everything can be converted.
#[inline(never)]
fn all_of_short(
    source: Encoding,
    target: Encoding,
    src: &[u8],
    dst: &mut [u8],
) -> Result<usize, (usize, usize)> {
    let route = Route::new(source.info().side, target.info().side);
    let Some(direct) = route.direct() else {
        return own_kernel::iso_2022_jp(route, (source, target), src, dst).ok_or((0, 0));
    };
    let (read, written) = direct.run(src, dst);
    if read == src.len() { Ok(written) } else { Err((read, written)) }
}

/// A stream from units of `S` to units of `T` that can begin where a kernel has stopped.
trait Resume<S, T> {
    /// Begins after these bytes, which a kernel has converted.
    fn resume_after(&mut self, bytes: &[u8]);

    /// Converts the rest of the text.
    fn run(&mut self, src: &[S], dst: &mut [T]) -> Progress;
}

impl Resume<u8, u8> for Transcoder<'_> {
    fn resume_after(&mut self, bytes: &[u8]) {
        Self::resume_after(self, bytes);
    }

    fn run(&mut self, src: &[u8], dst: &mut [u8]) -> Progress {
        self.transcode(src, dst, true)
    }
}

#[cfg(feature = "alloc")]
impl Resume<u8, u16> for Decoder<'_> {
    fn resume_after(&mut self, bytes: &[u8]) {
        Self::resume_after(self, bytes);
    }

    fn run(&mut self, src: &[u8], dst: &mut [u16]) -> Progress {
        self.decode_to_utf16(src, dst, true)
    }
}

impl Resume<u8, u8> for Encoder<'_> {
    fn resume_after(&mut self, bytes: &[u8]) {
        Self::resume_after(self, bytes);
    }

    fn run(&mut self, src: &[u8], dst: &mut [u8]) -> Progress {
        self.encode_bytes(src, dst, true)
    }
}

#[cfg(feature = "alloc")]
impl Resume<u16, u8> for Encoder<'_> {
    fn resume_after(&mut self, bytes: &[u8]) {
        Self::resume_after(self, bytes);
    }

    fn run(&mut self, src: &[u16], dst: &mut [u8]) -> Progress {
        self.encode_utf16(src, dst, true)
    }
}

/// Continues after a kernel, given what it wrote and the number of bytes it read.
#[cfg(feature = "alloc")]
#[inline(never)]
fn resume<S: Unit, T: Unit + Default, R: Resume<S, T>>(
    (begun, read): (Vec<T>, usize),
    src: &[S],
    stream: impl FnOnce() -> R,
) -> Result<Vec<T>, Error> {
    let mut stream = stream();
    stream.resume_after(&units::bytes(src)[..read]);
    let rest = &src[read / size_of::<S>()..];
    let (out, error) = collect(begun, rest, |src, dst| stream.run(src, dst));
    error.map_or(Ok(out), Err)
}

/// Converts short text from one plain layout to another. `None` if it is long, or a side is not plain. If a
/// kernel stops early, `otherwise` gets the number of bytes read. Callers that return the result as
/// it is pass it on without a copy, which would take as long as the conversion of a word.
#[cfg(feature = "alloc")]
#[inline(always)]
fn short_plain<'a>(
    sides: (Side, Side),
    bytes: &[u8],
    options: &Options,
    otherwise: impl FnOnce(usize) -> Result<Cow<'a, [u8]>, Error>,
) -> Option<Result<Cow<'a, [u8]>, Error>> {
    let (Side::Plain(from), Side::Plain(to)) = sides else { return None };
    if bytes.len() > text::SHORT || !Route::is_by_names(options) {
        return None;
    }
    Some(match text::to_short_vec(dispatch::active(), from, to, bytes) {
        Ok(made) => Ok(Cow::Owned(made)),
        Err(read) => otherwise(read),
    })
}

/// The vector, if a kernel fills all of it; otherwise what it wrote and the number of bytes read.
#[cfg(feature = "alloc")]
#[inline(always)]
fn begin<T: Unit + Default>(route: Route, bytes: &[u8]) -> Result<Vec<T>, (Vec<T>, usize)> {
    let Some(direct) = route.direct() else { return Err((Vec::new(), 0)) };
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let kernels = dispatch::active();
    let room = shortcut::room(kernels, direct, bytes) / size_of::<T>();
    let (begun, read) = match direct {
        Direct::Pair(from, to) => text::to_vec(kernels, from, to, bytes, room),
        _ => text::to_vec_by(bytes, room, |src, dst| direct.run(src, dst)),
    };
    if read == bytes.len() { Ok(begun) } else { Err((begun, read)) }
}

/// Counts the bytes that a stream writes for all of `src`.
fn count<S, R: Resume<S, u8>>(mut stream: R, src: &[S]) -> Result<usize, Error> {
    let (mut read, mut written) = (0, 0);
    let mut scratch = [0; SCRATCH];
    loop {
        let progress = stream.run(&src[read..], &mut scratch);
        read += progress.read;
        written += progress.written;
        match progress.status {
            Status::InputEmpty => return Ok(written),
            Status::OutputFull => {}
            Status::Error(error) => return Err(error),
        }
    }
}

/// Runs a stream to its end, or to its first error. The output grows after what a kernel wrote.
#[cfg(feature = "alloc")]
fn collect<S, T: Copy + Default>(
    mut out: Vec<T>,
    src: &[S],
    mut run: impl FnMut(&[S], &mut [T]) -> Progress,
) -> (Vec<T>, Option<Error>) {
    let begun = out.len();
    let (mut read, mut written) = (0, begun);
    out.resize(begun + src.len() + 16, T::default());
    let error = loop {
        let progress = run(&src[read..], &mut out[written..]);
        read += progress.read;
        written += progress.written;
        match progress.status {
            Status::InputEmpty => break None,
            Status::Error(error) => break Some(error),
            Status::OutputFull => {
                out.resize(written + more(src.len(), read, written - begun), T::default());
            }
        }
    };
    out.truncate(written);
    (out, error)
}

/// How much to grow the output: in proportion to the rest of the input.
#[cfg(feature = "alloc")]
fn more(length: usize, read: usize, written: usize) -> usize {
    (length - read) * (written / read.max(1) + 1) + 32
}
