//! Error handlers in Python.

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::text;

/// The result of a handler: a replacement, and where to continue.
#[derive(Debug)]
pub(crate) enum Replacement {
    /// Code points.
    Text(Vec<u32>),
    /// Bytes, for an encoder only.
    Bytes(Vec<u8>),
}

/// Calls a handler with an exception about an object of `length` items.
pub(crate) fn call(
    handler: &Py<PyAny>,
    exception: &Bound<'_, PyAny>,
    length: usize,
    may_be_bytes: bool,
) -> PyResult<(Replacement, usize)> {
    let py = exception.py();
    let kind = if may_be_bytes { "encoding" } else { "decoding" };
    let expected = if may_be_bytes { "(str/bytes, int)" } else { "(str, int)" };
    let wrong =
        || PyTypeError::new_err(format!("{kind} error handler must return {expected} tuple"));
    let result = handler.bind(py).call1((exception,))?;
    let result = result.cast::<PyTuple>().map_err(|_| wrong())?;
    if result.len() != 2 {
        return Err(wrong());
    }
    let (given, place) = (result.get_item(0)?, result.get_item(1)?);
    let place: isize = place.extract().map_err(|_| wrong())?;
    let replacement = if let Ok(text) = given.cast::<PyString>() {
        Replacement::Text(text::points(text)?)
    } else {
        match given.cast::<PyBytes>() {
            Ok(bytes) if may_be_bytes => Replacement::Bytes(bytes.as_bytes().to_vec()),
            _ => return Err(wrong()),
        }
    };
    // Negative places count from the end.
    let place = if place < 0 { place.checked_add_unsigned(length) } else { Some(place) };
    match place.and_then(|place| usize::try_from(place).ok()).filter(|place| *place <= length) {
        Some(place) => Ok((replacement, place)),
        None => {
            let given = result.get_item(1)?;
            Err(PyIndexError::new_err(format!("position {given} from error handler out of bounds")))
        }
    }
}
