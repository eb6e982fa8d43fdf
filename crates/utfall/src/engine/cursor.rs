//! The place in the input.

use utfall_simd::Layout;

use super::bytes::Bytes;
use crate::codec::{Ill, MAX_INCOMPLETE};
use crate::lines::Position;

/// Space for an incomplete sequence and at least one more byte.
pub(crate) const CARRY: usize = MAX_INCOMPLETE + 1;

#[derive(Clone, Copy)]
pub(super) struct Cursor {
    /// The stream offset of the next byte to decode: the first of `carry`.
    pub(super) offset: u64,
    /// The line and column of that byte, if tracked.
    pub(super) position: Option<Position>,
    /// The line and column of the last error.
    pub(super) error_position: Option<Position>,
    /// The last bytes read, for ill-formed sequences that begin before the decoder's input.
    recent: Bytes<CARRY>,
    /// An incomplete sequence carried over from the previous input.
    pub(super) carry: Bytes<{ 2 * CARRY }>,
    /// True until something has been decoded.
    pub(super) start: bool,
    /// The last block ended at an error, so the next error may be near.
    pub(super) follows_error: bool,
}

impl Cursor {
    #[inline]
    pub(super) const fn new() -> Self {
        Self {
            offset: 0,
            position: None,
            error_position: None,
            recent: Bytes::new(),
            carry: Bytes::new(),
            start: true,
            follows_error: false,
        }
    }

    /// Moves to the start of another text.
    pub(super) fn restart(&mut self) {
        self.offset = 0;
        self.position = self.position.map(|_| Position::default());
        self.recent = Bytes::new();
        self.carry = Bytes::new();
        self.start = true;
    }

    /// Counts bytes as read. Called once per step, after errors have been located.
    #[inline]
    pub(super) fn consume(&mut self, src: &[u8], read: usize) {
        self.offset += read as u64;
        self.recent.keep_last(&src[..read]);
    }

    #[inline]
    pub(super) fn advance(&mut self, points: &[u32]) {
        if let Some(position) = &mut self.position {
            position.advance_points(points);
        }
    }

    #[inline]
    pub(super) fn advance_bytes(&mut self, layout: Layout, bytes: &[u8]) {
        if let Some(position) = &mut self.position {
            position.advance_bytes(layout, bytes);
        }
    }

    /// The next character is an error.
    #[inline]
    pub(super) fn mark_error(&mut self) {
        self.error_position = self.position;
    }

    /// The bytes of an ill-formed sequence that ends before byte `read`. Some of them may have been
    /// read earlier.
    pub(super) fn bytes_of(&self, src: &[u8], read: usize, ill: Ill) -> Bytes<CARRY> {
        let mut bytes = Bytes::new();
        let earlier = ill.back.saturating_sub(read);
        let recent = self.recent.as_slice();
        bytes.extend(&recent[recent.len().saturating_sub(earlier)..]);
        bytes.extend(&src[read.saturating_sub(ill.back)..read]);
        bytes.truncate(ill.length);
        bytes
    }
}
