//! Bytes from Python.

use std::ptr::NonNull;
use std::slice;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

use crate::text::detached;

/// The bytes of an argument.
#[derive(Debug)]
pub(crate) enum Input<'a, 'py> {
    /// An object that never changes.
    Bytes(&'a Bound<'py, PyBytes>),
    /// A view of one.
    View(PyUntypedBuffer),
    /// A copy of a buffer, whose owner may change it while other threads run.
    Copy(Vec<u8>),
}

impl<'a, 'py> Input<'a, 'py> {
    /// The bytes of any object with a contiguous buffer.
    pub(crate) fn of(data: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = data.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes));
        }
        if data.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("expected bytes, not str"));
        }
        let buffer = PyUntypedBuffer::get(data)?;
        if !buffer.is_c_contiguous() {
            return Err(PyBufferError::new_err("the buffer is not contiguous"));
        }
        if is_view_of_bytes(data)? {
            return Ok(Self::View(buffer));
        }
        let copy = detached(data.py(), buffer.len_bytes(), || copy(&buffer));
        Ok(Self::Copy(copy))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            // SAFETY: see `memory`. The bytes are those of an object that never changes.
            Self::View(buffer) => unsafe {
                let (start, length) = memory(buffer);
                slice::from_raw_parts(start, length)
            },
            Self::Copy(bytes) => bytes,
        }
    }

    /// The bytes as an object, for an exception.
    pub(crate) fn object(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        match self {
            Self::Bytes(bytes) => (*bytes).clone(),
            Self::View(_) | Self::Copy(_) => PyBytes::new(py, self.bytes()),
        }
    }
}

/// Whether this is a memoryview of an object that never changes.
fn is_view_of_bytes(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Ok(view) = data.cast::<PyMemoryView>() else { return Ok(false) };
    Ok(view.getattr(intern!(data.py(), "obj"))?.is_exact_instance_of::<PyBytes>())
}

/// The bytes of a contiguous buffer, which stay where they are until it is released. The pointer is
/// never NULL.
fn memory(buffer: &PyUntypedBuffer) -> (*const u8, usize) {
    match buffer.len_bytes() {
        0 => (NonNull::dangling().as_ptr(), 0),
        length => (buffer.buf_ptr().cast(), length),
    }
}

/// Copies a contiguous buffer. Other threads may change it meanwhile: each byte is one that was
/// there.
fn copy(buffer: &PyUntypedBuffer) -> Vec<u8> {
    let (start, length) = memory(buffer);
    // SAFETY: see `memory`. Atomic integers may change at any time, and every combination of bits
    // is one.
    let (head, words, tail) = unsafe {
        slice::from_raw_parts(start.cast::<AtomicU8>(), length).align_to::<AtomicUsize>()
    };
    let mut copy = Vec::with_capacity(length);
    copy.extend(head.iter().map(|byte| byte.load(Ordering::Relaxed)));
    for word in words {
        copy.extend_from_slice(&word.load(Ordering::Relaxed).to_ne_bytes());
    }
    copy.extend(tail.iter().map(|byte| byte.load(Ordering::Relaxed)));
    copy
}
