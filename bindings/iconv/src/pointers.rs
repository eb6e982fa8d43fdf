//! The pointers that iconv(3) gets.

use std::ffi::c_char;
use std::slice;

/// Pointers to pointers to buffers, and to their lengths.
#[derive(Clone, Copy)]
pub(crate) struct Buffers {
    input: *mut *mut c_char,
    input_left: *mut usize,
    output: *mut *mut c_char,
    output_left: *mut usize,
}

impl Buffers {
    /// # Safety
    /// Each is NULL or valid while this lives.
    pub(crate) unsafe fn new(
        input: *mut *mut c_char,
        input_left: *mut usize,
        output: *mut *mut c_char,
        output_left: *mut usize,
    ) -> Self {
        Self { input, input_left, output, output_left }
    }

    /// The unread input, or `None` for a NULL.
    ///
    /// # Safety
    /// The buffer has as many bytes as its length says, and nothing else changes them while the slice lives.
    pub(crate) unsafe fn input<'b>(&self) -> Option<&'b [u8]> {
        // SAFETY: as above.
        let (start, length) = unsafe { Self::buffer(self.input, self.input_left)? };
        // SAFETY: as above.
        Some(unsafe { slice::from_raw_parts(start, length) })
    }

    /// The space for output, or `None` for a NULL.
    ///
    /// # Safety
    /// As [`Buffers::input`]; nothing else reads the buffer either. Its bytes may be uninitialized: they are
    /// written before they are read.
    pub(crate) unsafe fn output<'b>(&self) -> Option<&'b mut [u8]> {
        // SAFETY: as above.
        let (start, length) = unsafe { Self::buffer(self.output, self.output_left)? };
        // SAFETY: as above.
        Some(unsafe { slice::from_raw_parts_mut(start, length) })
    }

    /// # Safety
    /// Each is NULL or valid.
    unsafe fn buffer(start: *mut *mut c_char, left: *mut usize) -> Option<(*mut u8, usize)> {
        // SAFETY: as above.
        let (start, left) = unsafe { (*start.as_ref()?, left.as_ref()) };
        // Some callers pass SIZE_MAX for "enough": no object has more bytes than this.
        let left = left.map_or(0, |left| {
            (*left).min(isize::MAX as usize - start.addr().min(isize::MAX as usize))
        });
        (!start.is_null()).then_some((start.cast(), left))
    }

    /// Moves the pointers, and reduces the lengths.
    ///
    /// # Safety
    /// As above, and the buffers have as many bytes.
    pub(crate) unsafe fn advance(&self, read: usize, written: usize) {
        for (start, left, count) in
            [(self.input, self.input_left, read), (self.output, self.output_left, written)]
        {
            if count > 0 {
                // SAFETY: with bytes in the buffer, neither pointer is NULL.
                unsafe {
                    *start = (*start).add(count);
                    *left -= count;
                }
            }
        }
    }
}
