//! The C functions under iconv(3) and libiconv.
//!
//! `src/preload.c` and `src/libiconv.c` give them the names and the `errno` of the two libraries.
//! These functions return a [`Status`] instead.
//!
//! No function unwinds. After a panic, which is a bug, a function returns [`Status::IllFormed`] (or an error
//! when it opens a descriptor), and has read and written nothing.

mod names;
mod open;
mod pointers;

use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use utfall_iconv::{Descriptor, End, Rules, Step};

pub use names::{utfall_iconv_canonical, utfall_iconv_names};
pub use open::{utfall_iconv_close, utfall_iconv_open};
use pointers::Buffers;

/// The outcome of a call. The C code has the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// All input was converted.
    Done = 0,
    /// `E2BIG`
    OutputFull = 1,
    /// `EINVAL`
    Incomplete = 2,
    /// `EILSEQ`
    IllFormed = 3,
    /// All input was read, but `//IGNORE` omitted some of it.
    Ignored = 4,
}

impl From<End> for Status {
    fn from(end: End) -> Self {
        match end {
            End::Input => Self::Done,
            End::Ignored => Self::Ignored,
            End::OutputFull => Self::OutputFull,
            End::Incomplete => Self::Incomplete,
            End::IllFormed | End::Unencodable => Self::IllFormed,
        }
    }
}

/// The conversion that `iconv` does, with its arguments.
///
/// `irreversible` receives the number of characters that were replaced or omitted. It may be NULL.
///
/// # Safety
/// `descriptor` is one of [`utfall_iconv_open`] that was not closed, and no other thread uses it now. The
/// other pointers are those of iconv(3): each is NULL or valid, and so are the buffers that they point to, for
/// as many bytes as the lengths say. The two buffers do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_iconv_convert(
    descriptor: *mut Descriptor,
    input: *mut *mut c_char,
    input_left: *mut usize,
    output: *mut *mut c_char,
    output_left: *mut usize,
    irreversible: *mut usize,
) -> Status {
    // SAFETY: the caller's pointers, as above.
    let buffers = unsafe { Buffers::new(input, input_left, output, output_left) };
    // SAFETY: as above.
    let Some(descriptor) = (unsafe { descriptor.as_mut() }) else { return Status::IllFormed };
    let converted = catch_unwind(AssertUnwindSafe(|| {
        #[cfg(debug_assertions)]
        panics::panic_if_asked();
        // SAFETY: as above.
        let (input, output) = unsafe { (buffers.input(), buffers.output()) };
        convert(descriptor, input, output)
    }));
    let Ok(step) = converted else { return Status::IllFormed };
    // SAFETY: as above; no more was read and written than the buffers have.
    unsafe { buffers.advance(step.read, step.written) };
    if !irreversible.is_null() {
        // SAFETY: it is not NULL, so it is valid.
        unsafe { *irreversible = step.irreversible };
    }
    step.end.into()
}

/// A way for tests to see what a panic does.
#[cfg(debug_assertions)]
mod panics {
    use std::sync::atomic::{AtomicBool, Ordering};

    /// The next conversion panics.
    #[unsafe(no_mangle)]
    static utfall_iconv_panics_next: AtomicBool = AtomicBool::new(false);

    pub(crate) fn panic_if_asked() {
        let is_asked = utfall_iconv_panics_next.swap(false, Ordering::Relaxed);
        assert!(!is_asked, "a panic that the test expects");
    }
}

/// Without input, a text ends. Without output too, the next one begins.
fn convert(descriptor: &mut Descriptor, input: Option<&[u8]>, output: Option<&mut [u8]>) -> Step {
    match (input, output) {
        (Some(input), output) => descriptor.step(input, output.unwrap_or_default()),
        (None, Some(output)) => descriptor.finish(output),
        (None, None) => {
            descriptor.reset();
            Step { read: 0, written: 0, irreversible: 0, end: End::Input }
        }
    }
}

/// Whether both charsets are the same.
///
/// # Safety
/// As [`utfall_iconv_convert`] says of `descriptor`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_iconv_is_trivial(descriptor: *const Descriptor) -> c_int {
    // SAFETY: the caller's pointer, as above.
    let descriptor = unsafe { descriptor.as_ref() };
    c_int::from(descriptor.is_some_and(|descriptor| descriptor.from() == descriptor.to()))
}

/// The settings that `iconvctl` of libiconv reads and changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Property {
    /// `//TRANSLIT`
    Transliterate = 0,
    /// `//IGNORE`
    Ignore = 1,
    /// Omit characters that the target lacks.
    Discard = 2,
}

/// The value of a property, 0 or 1. If `value` is 0 or 1, it becomes that first; any other value
/// changes nothing.
///
/// # Safety
/// As [`utfall_iconv_convert`] says of `descriptor`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_iconv_property(
    descriptor: *mut Descriptor,
    property: Property,
    value: c_int,
) -> c_int {
    // SAFETY: the caller's pointer, as above.
    let Some(descriptor) = (unsafe { descriptor.as_mut() }) else { return 0 };
    let mut rules: Rules = descriptor.rules().clone();
    let rule = match property {
        Property::Transliterate => &mut rules.transliterate,
        Property::Ignore => &mut rules.skip,
        Property::Discard => &mut rules.discard,
    };
    if value == 0 || value == 1 {
        *rule = value == 1;
    }
    let now = c_int::from(*rule);
    descriptor.set_rules(rules);
    now
}
