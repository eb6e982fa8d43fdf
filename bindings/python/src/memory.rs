//! The memory of a `str`, in interpreters with a known layout.
//!
//! The stable ABI has no function for it. But each minor version of CPython keeps its layout, because extensions that are
//! compiled for it read that with macros; and it exports functions that make a `str`. They are only used
//! if a few examples have the expected contents. Elsewhere, and with `UTFALL_PYTHON_ABI=stable`, the functions return
//! `None`, and `text.rs` asks CPython to encode and decode.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::{env, slice};

use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::{ffi, intern};

/// The characters of a `str`, where CPython has them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Characters<'a> {
    Ascii(&'a [u8]),
    /// Up to U+00FF.
    Latin1(&'a [u8]),
    /// Up to U+FFFF, possibly surrogates.
    Ucs2(&'a [u16]),
    /// Possibly surrogates.
    Ucs4(&'a [u32]),
}

/// `PyUnicode_FromKindAndData`.
type FromUnits = unsafe extern "C" fn(c_int, *const c_void, ffi::Py_ssize_t) -> *mut ffi::PyObject;
/// `PyUnicode_New`, with the length and the largest character.
type New = unsafe extern "C" fn(ffi::Py_ssize_t, u32) -> *mut ffi::PyObject;

/// The known parts of an interpreter.
#[derive(Clone, Copy, Debug)]
struct Known {
    layout: Layout,
    from_units: FromUnits,
    new: New,
}

/// The sizes of the headers before the characters.
#[derive(Clone, Copy, Debug)]
struct Layout {
    ascii: usize,
    other: usize,
}

/// The offset of the state, after the length and the hash.
const STATE: usize = size_of::<ffi::PyObject>() + 2 * size_of::<usize>();

/// The functions and the layout of this interpreter, if they are known.
static KNOWN: OnceLock<Option<Known>> = OnceLock::new();

/// The same, after [`prepare`].
fn known() -> Option<Known> {
    *KNOWN.get()?
}

/// Examines this interpreter, once.
pub(crate) fn prepare(py: Python<'_>) {
    KNOWN.get_or_init(|| {
        if env::var_os("UTFALL_PYTHON_ABI").is_some_and(|abi| abi == "stable") {
            return None;
        }
        let layout = layout(py)?;
        let (from_units, new) = functions()?;
        matches!(is_as_expected(py, layout), Ok(true)).then_some(Known { layout, from_units, new })
    });
}

/// The layout of this version, unless it is unknown.
fn layout(py: Python<'_>) -> Option<Layout> {
    let is_usual = cfg!(all(target_pointer_width = "64", target_endian = "little"));
    if !is_usual || size_of::<ffi::PyObject>() != 2 * size_of::<usize>() {
        return None;
    }
    let version = py.version_info();
    match (version.major, version.minor) {
        // With a pointer to a copy in `wchar_t`, and its length.
        (3, 11) => Some(Layout { ascii: 48, other: 72 }),
        (3, 12..=14) => Some(Layout { ascii: 40, other: 56 }),
        _ => None,
    }
}

/// The functions of the interpreter that this process runs.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn functions() -> Option<(FromUnits, New)> {
    unsafe extern "C" {
        fn dlsym(handle: *mut c_void, name: *const std::ffi::c_char) -> *mut c_void;
    }
    // `RTLD_DEFAULT`, which is everything that was loaded for all.
    let everywhere = if cfg!(target_vendor = "apple") { usize::MAX - 1 } else { 0 };
    let everywhere = std::ptr::without_provenance_mut(everywhere);
    // SAFETY: the names end with NUL. Every CPython since 3.3 has functions with these names and arguments.
    unsafe {
        let from_units = dlsym(everywhere, c"PyUnicode_FromKindAndData".as_ptr());
        let new = dlsym(everywhere, c"PyUnicode_New".as_ptr());
        (!from_units.is_null() && !new.is_null()).then(|| {
            (
                std::mem::transmute::<*mut c_void, FromUnits>(from_units),
                std::mem::transmute::<*mut c_void, New>(new),
            )
        })
    }
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn functions() -> Option<(FromUnits, New)> {
    None
}

/// Whether texts of each kind are in memory as this layout says.
fn is_as_expected(py: Python<'_>, layout: Layout) -> PyResult<bool> {
    for (example, header, width) in [
        ("ASCII", layout.ascii, 1),
        ("caf\u{E9} \u{FF}", layout.other, 1),
        ("\u{100} \u{416}\u{4E00}\u{FFFD}", layout.other, 2),
        ("a\u{1F600}\u{10FFFF}", layout.other, 4),
    ] {
        for times in [1, 50] {
            let example = example.repeat(times);
            let text = PyString::new(py, &example);
            let count = example.chars().count();
            let size: usize = text.call_method0(intern!(py, "__sizeof__"))?.extract()?;
            if size != header + (count + 1) * width {
                return Ok(false);
            }
            // SAFETY: the object has as many bytes as the layout says.
            let found = unsafe { characters_in(&text, layout) };
            let is_equal = match found {
                Some(Characters::Ascii(bytes)) => width == 1 && bytes == example.as_bytes(),
                Some(Characters::Latin1(units)) => width == 1 && is_text(units, &example),
                Some(Characters::Ucs2(units)) => width == 2 && is_text(units, &example),
                Some(Characters::Ucs4(units)) => width == 4 && is_text(units, &example),
                None => false,
            };
            if !is_equal {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn is_text<T: Copy + Into<u32>>(units: &[T], text: &str) -> bool {
    units.iter().map(|unit| (*unit).into()).eq(text.chars().map(u32::from))
}

/// The characters of a `str`, which never changes. A `str` of a subclass has none here.
pub(crate) fn characters<'a>(text: &'a Bound<'_, PyString>) -> Option<Characters<'a>> {
    let Known { layout, .. } = known()?;
    // SAFETY: it is the layout of this interpreter.
    unsafe { characters_in(text, layout) }
}

/// # Safety
/// The `str` must have this layout.
unsafe fn characters_in<'a>(
    text: &'a Bound<'_, PyString>,
    layout: Layout,
) -> Option<Characters<'a>> {
    let object = text.as_ptr().cast::<u8>();
    // SAFETY: the argument is a `str`, and has a state at this place.
    let (length, state) = unsafe {
        (ffi::PyUnicode_GetLength(text.as_ptr()), object.add(STATE).cast::<u32>().read())
    };
    let length = usize::try_from(length).ok()?;
    let (kind, is_compact, is_ascii) = (state >> 2 & 7, state >> 5 & 1 == 1, state >> 6 & 1 == 1);
    if !is_compact {
        // The characters are elsewhere.
        return None;
    }
    let start = if is_ascii { layout.ascii } else { layout.other };
    // SAFETY: a compact `str` has this many units of its kind after the header, which has the
    // alignment of pointers. They do not change while `text` holds a reference.
    unsafe {
        let start = object.add(start);
        Some(match kind {
            1 if is_ascii => Characters::Ascii(slice::from_raw_parts(start, length)),
            1 => Characters::Latin1(slice::from_raw_parts(start, length)),
            2 => Characters::Ucs2(slice::from_raw_parts(start.cast(), length)),
            4 => Characters::Ucs4(slice::from_raw_parts(start.cast(), length)),
            _ => return None,
        })
    }
}

/// Whether [`from_units`] makes a `str`.
pub(crate) fn has_from_units() -> bool {
    known().is_some()
}

/// The `str` of US-ASCII.
///
/// # Safety
/// The bytes must be US-ASCII.
pub(crate) unsafe fn from_ascii<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> Option<PyResult<Bound<'py, PyString>>> {
    let Known { layout, new, .. } = known()?;
    // CPython has one object for each of the shortest texts.
    if bytes.len() < 2 {
        return None;
    }
    // SAFETY: the bytes are below 80, as the second argument says; the result is a new reference to a `str` with this many bytes after its header, which
    // nothing else uses yet, or NULL with an exception.
    Some(unsafe {
        let made = new(bytes.len().cast_signed(), 0x7F);
        Bound::from_owned_ptr_or_err(py, made).map(|text| {
            let start = text.as_ptr().cast::<u8>().add(layout.ascii);
            start.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            text.cast_into_unchecked()
        })
    })
}

/// The `str` of characters up to U+FFFF, possibly surrogates, in the order of this machine.
pub(crate) fn from_ucs2<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> Option<PyResult<Bound<'py, PyString>>> {
    // SAFETY: any two bytes are such a character.
    unsafe { from_units(py, bytes, 2) }
}

/// The `str` of code points, possibly surrogates, in the order of this machine.
///
/// # Safety
/// They must be at most 10FFFF.
pub(crate) unsafe fn from_ucs4<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> Option<PyResult<Bound<'py, PyString>>> {
    // SAFETY: the same contract.
    unsafe { from_units(py, bytes, 4) }
}

/// # Safety
/// The bytes must be code points of this width.
unsafe fn from_units<'py>(
    py: Python<'py>,
    bytes: &[u8],
    width: usize,
) -> Option<PyResult<Bound<'py, PyString>>> {
    let Known { from_units: make, .. } = known()?;
    let start = bytes.as_ptr();
    if !start.addr().is_multiple_of(width) || !bytes.len().is_multiple_of(width) {
        return None;
    }
    // SAFETY: the pointer is aligned, and has this many units; the result is a new reference to a
    // `str`, or NULL with an exception.
    Some(unsafe {
        let length = (bytes.len() / width).cast_signed();
        // The number of a kind is its width.
        let made = make(width as c_int, start.cast(), length);
        Bound::from_owned_ptr_or_err(py, made).map(|text| text.cast_into_unchecked())
    })
}
