//! Facts about mail that several subcommands need.

/// The maximum size of a message in bytes. Longer messages are copied unchanged.
pub(crate) const LONGEST: usize = 64 << 20;
/// The start of an mbox.
pub(crate) const FROM: &[u8] = b"From ";
