//! Room for output, between values that must stay as they are.

const CANARY: u8 = 0xA5;
const MARGIN: usize = 64;

/// Room for output.
pub struct Room<T> {
    buffer: Vec<T>,
    begin: usize,
    end: usize,
}

impl<T: Copy + PartialEq + From<u8>> Room<T> {
    /// For `length` units, `shift` units further on than it might be.
    pub fn new(length: usize, shift: usize) -> Self {
        let (begin, end) = (MARGIN + shift, MARGIN + shift + length);
        Self { buffer: vec![T::from(CANARY); end + MARGIN], begin, end }
    }

    /// Lets `write` have it. It returns how much it wrote, and anything.
    pub fn fill<R>(&mut self, write: impl FnOnce(&mut [T]) -> (usize, R)) -> (&[T], R) {
        let (written, result) = write(&mut self.buffer[self.begin..self.end]);
        assert!(written <= self.end - self.begin, "{written} units written, beyond the room");
        let is_canary = |unit: &T| *unit == T::from(CANARY);
        assert!(self.buffer[..self.begin].iter().all(is_canary), "written before the room");
        assert!(self.buffer[self.end..].iter().all(is_canary), "written behind the room");
        (&self.buffer[self.begin..][..written], result)
    }
}
