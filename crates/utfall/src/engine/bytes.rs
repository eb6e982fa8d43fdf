//! A short byte buffer.

#[derive(Clone, Copy)]
pub(super) struct Bytes<const N: usize> {
    bytes: [u8; N],
    length: u8,
}

impl<const N: usize> Bytes<N> {
    #[inline]
    pub(super) const fn new() -> Self {
        const { assert!(N <= u8::MAX as usize) };
        Self { bytes: [0; N], length: 0 }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.length)
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len()]
    }

    /// Adds as much of `more` as fits, and returns how much that was.
    #[inline]
    pub(super) fn extend(&mut self, more: &[u8]) -> usize {
        let length = self.len();
        let count = more.len().min(N - length);
        self.bytes[length..][..count].copy_from_slice(&more[..count]);
        self.length += count as u8;
        count
    }

    #[inline]
    pub(super) fn truncate(&mut self, length: usize) {
        self.length = self.len().min(length) as u8;
    }

    #[inline]
    pub(super) fn remove_front(&mut self, count: usize) {
        let length = self.len();
        self.bytes.copy_within(count..length, 0);
        self.length -= count as u8;
    }

    /// Appends `more` and drops all but the last `N` bytes.
    #[inline]
    pub(super) fn keep_last(&mut self, more: &[u8]) {
        let more = &more[more.len().saturating_sub(N)..];
        let surplus = (self.len() + more.len()).saturating_sub(N);
        self.remove_front(surplus);
        self.extend(more);
    }
}
