//! glibc's `iconv`, for the charsets as the web defines them.

use std::ffi::CString;
use std::ptr::null_mut;

/// Invariant: a descriptor from `iconv_open`, closed only in `drop`.
pub(crate) struct Converter(libc::iconv_t);

impl Converter {
    pub(crate) fn new(from: &str, to: &str) -> Option<Self> {
        let [from, to] = [from, to].map(|name| CString::new(glibc_name(name)));
        let (from, to) = (from.ok()?, to.ok()?);
        // SAFETY: two strings that end in NUL.
        let descriptor = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
        (descriptor.addr() != usize::MAX).then_some(Self(descriptor))
    }

    /// Converts a whole text. Returns whether all of it was read.
    pub(crate) fn convert(&self, src: &[u8], dst: &mut [u8]) -> bool {
        let (mut from, mut left) = (src.as_ptr().cast_mut().cast(), src.len());
        let (mut to, mut room) = (dst.as_mut_ptr().cast(), dst.len());
        // SAFETY: the invariant; `left` bytes can be read and `room` written. It does not write to
        // its input, despite the type.
        unsafe { libc::iconv(self.0, &mut from, &mut left, &mut to, &mut room) };
        // SAFETY: the same; without input it ends the text and resets the state.
        unsafe { libc::iconv(self.0, null_mut(), null_mut(), &mut to, &mut room) };
        left == 0
    }
}

impl Drop for Converter {
    fn drop(&mut self) {
        // SAFETY: the invariant; the descriptor is not used any more.
        unsafe { libc::iconv_close(self.0) };
    }
}

/// glibc's name of the web's charset, or of the nearest one.
fn glibc_name(name: &str) -> &str {
    match name {
        "Shift_JIS" => "WINDOWS-31J",
        "EUC-JP" => "EUC-JP-MS",
        "EUC-KR" => "UHC",
        "Big5" => "BIG5-HKSCS",
        name => name,
    }
}
