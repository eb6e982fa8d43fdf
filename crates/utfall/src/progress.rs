//! How far a step of a stream came.

use crate::Error;

/// The outcome of one call on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Progress {
    /// How much of the input was used: octets, or code units where the input has them.
    pub read: usize,
    /// How much of the output was filled: octets, or code units where the output has them.
    pub written: usize,
    /// Why it stopped.
    pub status: Status,
}

/// Why a call on a stream returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All input was used. Give more, or stop if that was the last.
    InputEmpty,
    /// The output has no room for the next character. Call again with more room
    /// (16 octets are always enough for progress) and the rest of the input.
    OutputFull,
    /// The policy is to stop here. `read` is behind the ill-formed sequence, or behind the
    /// code point that cannot be encoded; calling again goes on from there.
    Error(Error),
}
