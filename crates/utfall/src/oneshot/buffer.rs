//! Conversion into a buffer of the caller.

use core::fmt;

use super::Resume;
use crate::route::Route;
use crate::{Error, Status};

/// Why a conversion into a buffer failed.
///
/// ```
/// use std::error::Error;
/// use utfall::{BufferError, Encoding};
/// let error = Encoding::Utf8.decode_into(b"abc", &mut [0; 2]).unwrap_err();
/// assert_eq!(error, BufferError::TooSmall { needed: 3 });
/// let error = Encoding::Utf8.decode_into(b"\xFF", &mut [0; 2]).unwrap_err();
/// assert!(error.source().unwrap().is::<utfall::Error>());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BufferError {
    /// The text is ill-formed, or cannot be encoded.
    Text(Error),
    /// The text is correct, but the buffer is too small.
    TooSmall {
        /// How many bytes it would have to have.
        needed: usize,
    },
}

impl From<Error> for BufferError {
    fn from(error: Error) -> Self {
        Self::Text(error)
    }
}

impl fmt::Display for BufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(_) => f.write_str("cannot convert the text"),
            Self::TooSmall { needed } => {
                write!(f, "the buffer is too small: {needed} bytes are needed")
            }
        }
    }
}

impl core::error::Error for BufferError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Text(error) => Some(error),
            Self::TooSmall { .. } => None,
        }
    }
}

/// Converts all of `bytes` with a kernel, if it can, and returns the number of bytes written.
/// Otherwise `error_at` may return the error at the offset where it has stopped, or `stream`
/// continues. If the buffer is full, `needed` counts how large it would have to be.
#[inline]
pub(super) fn convert_into<R: Resume<u8, u8>>(
    route: Route,
    bytes: &[u8],
    buffer: &mut [u8],
    error_at: impl FnOnce(usize) -> Option<Error>,
    stream: impl FnOnce() -> R,
    needed: impl FnOnce() -> Result<usize, Error>,
) -> Result<usize, BufferError> {
    let begun = match route.direct() {
        Some(direct) => {
            let (read, written) = direct.run(bytes, buffer);
            if read == bytes.len() {
                return Ok(written);
            }
            if let Some(error) = error_at(read) {
                return Err(BufferError::Text(error));
            }
            (read, written)
        }
        None => (0, 0),
    };
    resume_into(begun, bytes, buffer, stream, needed)
}

/// Continues after a kernel, which has read and written that many bytes.
#[inline(never)]
pub(super) fn resume_into<R: Resume<u8, u8>>(
    (read, written): (usize, usize),
    bytes: &[u8],
    buffer: &mut [u8],
    stream: impl FnOnce() -> R,
    needed: impl FnOnce() -> Result<usize, Error>,
) -> Result<usize, BufferError> {
    let mut stream = stream();
    stream.resume_after(&bytes[..read]);
    let rest = stream.run(&bytes[read..], &mut buffer[written..]);
    match rest.status {
        Status::InputEmpty => Ok(written + rest.written),
        Status::OutputFull => Err(BufferError::TooSmall { needed: needed()? }),
        Status::Error(error) => Err(BufferError::Text(error)),
    }
}
