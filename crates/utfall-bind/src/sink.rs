//! A writer made of a function.

use std::io::{self, Write};

/// Passes bytes to a function, which returns whether to go on.
///
/// ```
/// use utfall_bind::Sink;
/// use utfall_bind::explain::{Request, explain};
/// let mut lines = 0;
/// let mut sink = Sink(|_: &[u8]| {
///     lines += 1;
///     lines < 2
/// });
/// assert!(explain(b"abc", &Request::default(), &mut sink).is_err());
/// assert_eq!(lines, 2);
/// ```
#[derive(Debug)]
pub struct Sink<F>(pub F);

impl<F: FnMut(&[u8]) -> bool> Write for Sink<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0(bytes) {
            true => Ok(bytes.len()),
            false => Err(io::Error::other("stopped by the receiver")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
