//! How far one call on a stream got.

use crate::Error;

/// The outcome of one call on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Progress {
    /// How much of the input was read: in bytes, or in code units if it consists of those.
    pub read: usize,
    /// How much of the output was written: in bytes, or in code units if it consists of those.
    pub written: usize,
    /// Why the call returned.
    pub status: Status,
}

/// Why a call on a stream returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All input was read. Provide more, or stop if this was the last.
    InputEmpty,
    /// The output has no space for the next character. Call again with more space (16 bytes are
    /// always enough to make progress) and the rest of the input.
    OutputFull,
    /// A policy stopped the call. `read` is after the ill-formed sequence, or after the code point
    /// that cannot be encoded; the next call continues from there.
    Error(Error),
}
