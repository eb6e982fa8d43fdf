//! glibc's `iconv`. It shifts set O, and ends a run with `-` only where it has to.

use std::ffi::CStr;
use std::ptr::null_mut;
use std::rc::Rc;

use super::{Engine, engine};
use crate::op::{Op, Outcome};

pub(super) fn engine_for(op: Op) -> Option<Engine> {
    let converter = match op.name {
        "utf7_to_utf8" => Converter::new(c"UTF-7", c"UTF-8")?,
        "utf8_to_utf7_header" => Converter::new(c"UTF-8", c"UTF-7")?,
        _ => return None,
    };
    let converter = Rc::new(converter);
    engine("iconv", move |piece, output| converter.convert(piece.bytes, output))
}

/// Invariant: a descriptor from `iconv_open`, closed only in `drop`.
struct Converter(libc::iconv_t);

impl Converter {
    /// `None` if this system's glibc does not have the pair.
    fn new(from: &CStr, to: &CStr) -> Option<Self> {
        // SAFETY: two strings that end in NUL.
        let descriptor = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
        (descriptor.addr() != usize::MAX).then_some(Self(descriptor))
    }

    /// `(read, written)` of a whole text.
    fn convert(&self, src: &[u8], dst: &mut [u8]) -> Outcome {
        let (mut from, mut left) = (src.as_ptr().cast_mut().cast(), src.len());
        let (mut to, mut room) = (dst.as_mut_ptr().cast(), dst.len());
        // SAFETY: the invariant; `left` bytes can be read and `room` written. It does not write to
        // its input, despite the type.
        unsafe { libc::iconv(self.0, &mut from, &mut left, &mut to, &mut room) };
        // SAFETY: the same; without input it ends the text and resets the state.
        unsafe { libc::iconv(self.0, null_mut(), null_mut(), &mut to, &mut room) };
        (src.len() - left, dst.len() - room)
    }
}

impl Drop for Converter {
    fn drop(&mut self) {
        // SAFETY: the invariant; the descriptor is not used any more.
        unsafe { libc::iconv_close(self.0) };
    }
}
