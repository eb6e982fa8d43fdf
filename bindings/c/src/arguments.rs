//! Pointers and lengths from C, as slices.

use std::ffi::{c_char, c_void};

/// The elements at a pointer; none if the length is 0, even for NULL. `None` if NULL has a length, or the
/// length exceeds the address space.
///
/// # Safety
/// If `pointer` is not NULL, it must be valid for reads of `length` elements for `'a`.
pub(crate) unsafe fn input<'a, T>(pointer: *const T, length: usize) -> Option<&'a [T]> {
    if length == 0 {
        return Some(&[]);
    }
    if pointer.is_null() || !pointer.is_aligned() || is_too_long::<T>(length) {
        return None;
    }
    // SAFETY: it is not NULL, aligned, and by contract valid for that many elements.
    Some(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// The same for bytes.
///
/// # Safety
/// As [`input`].
pub(crate) unsafe fn bytes<'a>(pointer: *const c_void, length: usize) -> Option<&'a [u8]> {
    // SAFETY: the same contract.
    unsafe { input(pointer.cast(), length) }
}

/// The same for text, which need not be UTF-8.
///
/// # Safety
/// As [`input`].
pub(crate) unsafe fn text<'a>(pointer: *const c_char, length: usize) -> Option<&'a [u8]> {
    // SAFETY: the same contract.
    unsafe { input(pointer.cast(), length) }
}

/// The space for output at a pointer, under the conditions of [`input`].
///
/// # Safety
/// If `pointer` is not NULL, it must be valid for writes of `length` elements for `'a`, and nothing
/// else may use them.
pub(crate) unsafe fn output<'a, T>(pointer: *mut T, length: usize) -> Option<&'a mut [T]> {
    if length == 0 {
        return Some(&mut []);
    }
    if pointer.is_null() || !pointer.is_aligned() || is_too_long::<T>(length) {
        return None;
    }
    // SAFETY: it is not NULL, aligned, and by contract valid for that many elements. They are
    // integers, which kernels only write.
    Some(unsafe { std::slice::from_raw_parts_mut(pointer, length) })
}

/// Stores a result, unless the caller does not want it.
///
/// # Safety
/// `place` must be NULL or valid for a write.
pub(crate) unsafe fn store<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: it is not NULL, so by contract valid for a write.
        unsafe { place.write(value) };
    }
}

/// Copies as much of a text as there is space for, and a NUL after it. Returns the length of the whole
/// text without the NUL, as `snprintf` does.
///
/// # Safety
/// As [`output`].
pub(crate) unsafe fn copy_text(text: &str, out: *mut c_char, capacity: usize) -> usize {
    // SAFETY: the same contract.
    let out: Option<&mut [u8]> = unsafe { output(out.cast(), capacity) };
    if let Some([place @ .., _]) = out {
        let mut length = text.len().min(place.len());
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        place[..length].copy_from_slice(&text.as_bytes()[..length]);
        if let Some(out) = out {
            out[length] = 0;
        }
    }
    text.len()
}

fn is_too_long<T>(length: usize) -> bool {
    length > isize::MAX as usize / size_of::<T>().max(1)
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    #[test]
    fn nothing_at_null() {
        // SAFETY: NULL is allowed.
        unsafe {
            assert_eq!(input::<u16>(ptr::null(), 0), Some(&[][..]));
            assert_eq!(input::<u16>(ptr::null(), 1), None);
            assert_eq!(output::<u8>(ptr::null_mut(), 1), None);
            assert_eq!(copy_text("abc", ptr::null_mut(), 0), 3);
        }
        let unit = [0_u16; 2];
        // SAFETY: lengths that no object can have are rejected before anything is read.
        assert_eq!(unsafe { input(unit.as_ptr(), usize::MAX / 2) }, None);
    }

    #[test]
    fn texts_are_cut_between_characters() {
        let mut out = [0x7F_u8; 4];
        // SAFETY: the capacity is that of the array.
        assert_eq!(unsafe { copy_text("aé€", out.as_mut_ptr().cast(), 3) }, 6);
        assert_eq!(out, [b'a', 0, 0x7F, 0x7F]);
    }
}
