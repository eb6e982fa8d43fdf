//! Output buffers, between values that must not change.

const CANARY: u8 = 0xA5;
const MARGIN: usize = 64;

/// An output buffer.
pub struct Room<T> {
    buffer: Vec<T>,
    begin: usize,
    end: usize,
}

impl<T: Copy + PartialEq + From<u8>> Room<T> {
    /// A buffer of `length` units, moved by `shift` units.
    pub fn new(length: usize, shift: usize) -> Self {
        let (begin, end) = (MARGIN + shift, MARGIN + shift + length);
        Self { buffer: vec![T::from(CANARY); end + MARGIN], begin, end }
    }

    /// Passes the buffer to `write`, which returns the number of units written, and any other
    /// result.
    pub fn fill<R>(&mut self, write: impl FnOnce(&mut [T]) -> (usize, R)) -> (&[T], R) {
        let (written, result) = write(&mut self.buffer[self.begin..self.end]);
        assert!(written <= self.end - self.begin, "{written} units written, beyond the buffer");
        let is_canary = |unit: &T| *unit == T::from(CANARY);
        assert!(self.buffer[..self.begin].iter().all(is_canary), "written before the buffer");
        assert!(self.buffer[self.end..].iter().all(is_canary), "written after the buffer");
        (&self.buffer[self.begin..][..written], result)
    }
}
