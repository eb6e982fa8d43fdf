//! Bytes from Python.

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The bytes of an argument.
#[derive(Debug)]
pub(crate) enum Input<'a, 'py> {
    /// An object that never changes.
    Bytes(&'a Bound<'py, PyBytes>),
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
        let (start, length) = (buffer.buf_ptr().cast::<u8>(), buffer.len_bytes());
        let mut copy = Vec::with_capacity(length);
        if length > 0 {
            // SAFETY: a contiguous buffer has this many bytes, and stays where it is until it is released. The copy has
            // space for them, and all of them are initialized afterwards.
            unsafe {
                start.copy_to_nonoverlapping(copy.as_mut_ptr(), length);
                copy.set_len(length);
            }
        }
        Ok(Self::Copy(copy))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            Self::Copy(bytes) => bytes,
        }
    }

    /// The bytes as an object, for an exception.
    pub(crate) fn object(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        match self {
            Self::Bytes(bytes) => (*bytes).clone(),
            Self::Copy(bytes) => PyBytes::new(py, bytes),
        }
    }
}
