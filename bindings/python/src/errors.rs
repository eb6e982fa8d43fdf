//! Exceptions. Their classes are in `utfall/_errors.py`.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};
use utfall::lines::Position;
use utfall::{Decoder, Encoding, Error, ErrorKind, Options, Policy, Status};
use utfall_bind::likely::{self, Likely};
use utfall_bind::show;

use crate::text;

/// The place of an error in a stream, if it differs from the place in the object.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) offset: Option<u64>,
    pub(crate) position: Option<Position>,
}

/// `DecodeError` for `object[start..end]`.
pub(crate) fn decode_error<'py>(
    object: &Bound<'py, PyBytes>,
    encoding: Encoding,
    (start, end): (usize, usize),
    error: &Error,
    place: Place,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(object.py(), "utfall._errors", "DecodeError")?;
    let fields = fields(object.py(), error, place)?;
    let args = (encoding.name(), object, start, end, show::problem(error));
    class.call(args, Some(&fields))
}

/// `EncodeError` for `object[start..end]`.
pub(crate) fn encode_error<'py>(
    object: &Bound<'py, PyString>,
    encoding: Encoding,
    (start, end): (usize, usize),
    error: &Error,
    place: Place,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(object.py(), "utfall._errors", "EncodeError")?;
    let fields = fields(object.py(), error, place)?;
    let args = (encoding.name(), object, start, end, show::problem(error));
    class.call(args, Some(&fields))
}

/// `EncodeError` for a character of a text in bytes: its object has only the character.
pub(crate) fn lacking<'py>(
    py: Python<'py>,
    point: u32,
    encoding: Encoding,
    error: &Error,
    place: Place,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "utfall._errors", "EncodeError")?;
    let fields = fields(py, error, place)?;
    fields.set_item("is_in_bytes", true)?;
    let character = text::from_points(py, &[point])?;
    let args = (encoding.name(), character, 0, 1, show::problem(error));
    class.call(args, Some(&fields))
}

fn fields<'py>(py: Python<'py>, error: &Error, place: Place) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("kind", error.kind().name())?;
    fields.set_item("clause", error.clause())?;
    fields.set_item("run_bit", error.run_bit())?;
    fields.set_item("offset", place.offset)?;
    fields.set_item("line", place.position.map(|position| position.line))?;
    fields.set_item("column", place.position.map(|position| position.column))?;
    Ok(fields)
}

/// The first error of a text at or after `offset`, with its position.
pub(crate) fn error_at(
    encoding: Encoding,
    text: &[u8],
    offset: u64,
) -> Option<(Error, Option<Position>)> {
    let mut decoder = Decoder::new(encoding, Options::strict()).track_position();
    let mut read = 0;
    loop {
        let progress = decoder.validate(&text[read..], true);
        read += progress.read;
        match progress.status {
            Status::Error(error) if error.offset() >= offset => {
                return Some((error, decoder.error_position()));
            }
            Status::Error(_) => {}
            Status::InputEmpty | Status::OutputFull => return None,
        }
    }
}

/// The line and column of the error at `offset`, from 1.
#[pyfunction]
pub(crate) fn locate(
    py: Python<'_>,
    text: &[u8],
    encoding: &str,
    offset: u64,
) -> Option<(u64, u64)> {
    let encoding = Encoding::for_label(encoding)?;
    let (_, position) = py.detach(|| error_at(encoding, text, offset))?;
    position.map(|position| (position.line, position.column))
}

/// The encoding that an invalid text looks like, in words and by name.
#[pyfunction]
pub(crate) fn suggest(
    py: Python<'_>,
    text: &[u8],
    encoding: &str,
    offset: u64,
) -> Option<(String, &'static str)> {
    let encoding = Encoding::for_label(encoding)?;
    let found = py.detach(|| Likely::of(likely::sample(text, 0, offset), encoding))?;
    Some((found.to_string(), found.encoding().name()))
}

/// The first code point that `text` cannot have in memory, as an error of UTF-8.
pub(crate) fn out_of_range(encoding: Encoding, text: &[u8], bom: utfall::Bom) -> Option<Error> {
    let options = Options::strict().with_bom(bom).with_on_ill_formed(Policy::Replace);
    let mut decoder = Decoder::new(encoding, options);
    let mut out = [0; 1024];
    let mut read = 0;
    loop {
        let progress = decoder.decode_to_utf8(&text[read..], &mut out, true);
        read += progress.read;
        match progress.status {
            Status::Error(error) if matches!(error.kind(), ErrorKind::Unencodable(0x11_0000..)) => {
                return Some(error);
            }
            Status::Error(_) | Status::OutputFull => {}
            Status::InputEmpty => return None,
        }
    }
}
