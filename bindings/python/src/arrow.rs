//! Columns of Arrow: the functions of `utfall.arrow`.

mod bytes;
mod capsule;
mod text;

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder, UInt64Builder};
use arrow_array::{Array as _, ArrayRef, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyString};
use utfall::lines::Position;
use utfall::{
    Bom, BufferError, Decoder, Encoding, Error, Options, Status, Transcoder, transcode,
    transcode_into,
};
use utfall_bind::guess::{LEAST, Verdict};
use utfall_bind::show;
use utfall_detect::Candidate;

use crate::arguments::{self, Direction, Errors};
use crate::errors::{self, Place};
use crate::text::{detached, has_ascii, is_charset};
use crate::transcode::position;
use bytes::{Bytes, Output, TooLong};
use capsule::Column;

/// An array. It has the Arrow PyCapsule protocol: pyarrow.array, polars.Series and others take it without a copy.
#[pyclass(frozen, module = "utfall.arrow", name = "Array")]
#[derive(Debug)]
pub(crate) struct Array {
    field: FieldRef,
    array: ArrayRef,
}

/// An array in chunks. It has the Arrow PyCapsule protocol: pyarrow.chunked_array, polars.Series and others take it
/// without a copy.
#[pyclass(frozen, module = "utfall.arrow", name = "ChunkedArray")]
#[derive(Debug)]
pub(crate) struct ChunkedArray {
    field: FieldRef,
    chunks: Vec<ArrayRef>,
}

#[pymethods]
impl Array {
    /// The type, in the words of Arrow.
    #[getter]
    fn r#type(&self) -> String {
        self.field.data_type().to_string()
    }

    /// The number of nulls.
    #[getter]
    fn null_count(&self) -> usize {
        self.array.null_count()
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &self.field)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A request may be refused.
        _ = requested_schema;
        Ok((capsule::export_schema(py, &self.field)?, capsule::export_array(py, &self.array)?))
    }

    fn __repr__(&self) -> String {
        format!("Array({}, {} rows)", self.field.data_type(), self.array.len())
    }
}

#[pymethods]
impl ChunkedArray {
    /// The type, in the words of Arrow.
    #[getter]
    fn r#type(&self) -> String {
        self.field.data_type().to_string()
    }

    /// The number of nulls.
    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.null_count()).sum()
    }

    /// The number of chunks.
    #[getter]
    fn num_chunks(&self) -> usize {
        self.chunks.len()
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &self.field)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A request may be refused.
        _ = requested_schema;
        capsule::export_stream(py, Arc::clone(&self.field), self.chunks.clone())
    }

    fn __repr__(&self) -> String {
        let (rows, chunks) = (self.__len__(), self.chunks.len());
        format!("ChunkedArray({}, {rows} rows, {chunks} chunks)", self.field.data_type())
    }
}

/// Why a column cannot be converted.
enum Failure {
    /// A value is invalid, or the target lacks a character of it.
    Value {
        row: usize,
        value: Vec<u8>,
        error: Error,
        position: Option<Position>,
    },
    TooLong,
    Arrow(ArrowError),
}

impl From<TooLong> for Failure {
    fn from(_: TooLong) -> Self {
        Self::TooLong
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

impl Failure {
    /// The exception, given the number of rows in earlier chunks.
    fn raise(self, py: Python<'_>, before: usize, target: Encoding) -> PyErr {
        match self {
            Self::TooLong => PyOverflowError::new_err(
                "the result is larger than 2 GiB: use large_string or large_binary",
            ),
            Self::Arrow(error) => PyValueError::new_err(error.to_string()),
            Self::Value { row, value, error, position } => {
                let place = Place { offset: Some(error.offset()), position };
                raise_value(py, &value, (&error, place), before + row, target)
                    .unwrap_or_else(|other| other)
            }
        }
    }
}

fn raise_value(
    py: Python<'_>,
    value: &[u8],
    (error, place): (&Error, Place),
    row: usize,
    target: Encoding,
) -> PyResult<PyErr> {
    let start = usize::try_from(error.offset()).unwrap_or(value.len()).min(value.len());
    let exception = match error.kind() {
        utfall::ErrorKind::Unencodable(point @ ..=0x10_FFFF) => {
            errors::lacking(py, point, target, error, place)?
        }
        _ => {
            let end = (start + error.length() as usize).min(value.len());
            errors::decode_error(
                &PyBytes::new(py, value),
                error.encoding(),
                (start, end),
                error,
                place,
            )?
        }
    };
    exception.call_method1("add_note", (format!("in row {row} of the column"),))?;
    Ok(PyErr::from_value(exception))
}

/// The treatment of values that cannot be converted.
#[derive(Clone, Copy)]
enum OnError {
    /// They become null.
    Null,
    /// As the options say.
    Options(Options),
}

impl OnError {
    fn parse(errors: Option<&str>, py: Python<'_>) -> PyResult<Self> {
        if errors == Some("null") {
            return Ok(Self::Null);
        }
        let name = errors.map(|name| PyString::new(py, name).into_any());
        let errors = Errors::parse(name.as_ref(), Direction::Both)?;
        match errors.handler() {
            None => Ok(Self::Options(errors.apply(Options::strict()))),
            Some(_) => Err(PyValueError::new_err(
                "errors must be strict, null, replace, ignore, backslashreplace or xmlcharrefreplace here",
            )),
        }
    }

    fn options(self) -> Options {
        match self {
            Self::Null => Options::strict(),
            Self::Options(options) => options,
        }
    }
}

/// Whether a kernel converts an encoding without a state, so that a text needs no stream.
fn is_direct(encoding: Encoding) -> bool {
    use Encoding::{Iso8859_1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    let is_plain = matches!(encoding, Utf8 | Utf16Le | Utf16Be | Utf32Le | Utf32Be | Iso8859_1);
    is_plain || is_charset(encoding)
}

/// Values of more bytes are converted to memory of their own: more space than they need would be
/// much.
const LONG: usize = 1 << 20;

/// Converts many short texts.
struct Texts {
    source: Encoding,
    target: Encoding,
    options: Options,
    /// Whether US-ASCII stays the same.
    keeps_ascii: bool,
    is_direct: bool,
    /// To UTF-8. A new one for each text would take longer than the text.
    decoder: Transcoder<'static>,
}

impl Texts {
    fn new((source, target): (Encoding, Encoding), options: Options) -> Self {
        Self {
            source,
            target,
            options,
            keeps_ascii: has_ascii(source) && has_ascii(target),
            is_direct: source != target && is_direct(source) && is_direct(target),
            decoder: Transcoder::new(source, Encoding::Utf8, options),
        }
    }

    /// Writes a text. After an error, nothing is written.
    fn convert(&mut self, text: &[u8], output: &mut Output) -> Result<(), Error> {
        if self.keeps_ascii && text.is_ascii() {
            output.push(text);
        } else if self.is_direct && text.len() < LONG {
            self.convert_by_kernel(text, 4 * text.len() + 16, output)?;
        } else if self.target == Encoding::Utf8 && self.source != Encoding::Utf8 {
            self.decode(text, output)?;
        } else {
            output.push(&transcode(self.source, self.target, text, self.options)?);
        }
        Ok(())
    }

    fn convert_by_kernel(
        &self,
        text: &[u8],
        size: usize,
        output: &mut Output,
    ) -> Result<(), Error> {
        match transcode_into(self.source, self.target, text, output.space(size), self.options) {
            Ok(length) => output.keep(length),
            Err(BufferError::Text(error)) => return Err(error),
            // Policies may insert long texts.
            Err(BufferError::TooSmall { needed }) => {
                return self.convert_by_kernel(text, needed.max(size + 1), output);
            }
            // A vector has space for anything.
            Err(_) => output.push(&transcode(self.source, self.target, text, self.options)?),
        }
        Ok(())
    }

    fn decode(&mut self, text: &[u8], output: &mut Output) -> Result<(), Error> {
        self.decoder.next_text(self.source, Bom::Auto);
        let (mut read, mut written) = (0, 0);
        loop {
            let rest = &text[read..];
            let space = output.space(written + 2 * rest.len() + 64);
            let progress = self.decoder.transcode(rest, &mut space[written..], true);
            read += progress.read;
            written += progress.written;
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => {
                    self.decoder = Transcoder::new(self.source, Encoding::Utf8, self.options);
                    return Err(error);
                }
            }
        }
        output.keep(written);
        Ok(())
    }
}

/// Converts the values. They are shared if nothing changes.
fn convert(
    values: &Bytes,
    pair: (Encoding, Encoding),
    on_error: OnError,
) -> Result<Bytes, Failure> {
    if has_ascii(pair.0) && has_ascii(pair.1) && values.is_ascii() {
        return Ok(values.clone());
    }
    let options = on_error.options();
    let mut texts = Texts::new(pair, options);
    values.map(|row, value, output| match texts.convert(value, output) {
        Ok(()) => Ok(true),
        Err(_) if matches!(on_error, OnError::Null) => Ok(false),
        Err(error) => {
            let position = position(pair, options, value);
            Err(Failure::Value { row, value: value.to_vec(), error, position })
        }
    })
}

/// The same for all chunks of a column.
fn each(
    py: Python<'_>,
    column: Column,
    target: Encoding,
    mut work: impl Send + FnMut(Bytes) -> Result<ArrayRef, Failure>,
    type_of: impl Fn(&Bytes) -> DataType,
) -> PyResult<Py<PyAny>> {
    let Column { field, chunks, is_chunked } = column;
    let empty = arrow_array::new_empty_array(field.data_type());
    let Some(example) = Bytes::of(&empty) else {
        let found = field.data_type();
        let message = format!("expected a column of binary data or text, not {found}");
        return Err(PyTypeError::new_err(message));
    };
    let data_type = type_of(&example);
    let (mut converted, mut rows) = (Vec::new(), 0);
    for chunk in chunks {
        let Some(values) = Bytes::of(&chunk) else { continue };
        // Rows may be long: the GIL is released for more than a few.
        let size = values.len().saturating_mul(64);
        let result = detached(py, size, || work(values));
        converted.push(result.map_err(|failure| failure.raise(py, rows, target))?);
        rows += chunk.len();
    }
    let name = field.name();
    let field = Arc::new(Field::new(name, data_type, true));
    Ok(match converted.pop() {
        Some(array) if !is_chunked => Py::new(py, Array { field, array })?.into_any(),
        last => {
            converted.extend(last);
            Py::new(py, ChunkedArray { field, chunks: converted })?.into_any()
        }
    })
}

/// Decodes a column.
#[pyfunction]
pub(crate) fn arrow_decode(
    py: Python<'_>,
    column: &Bound<'_, PyAny>,
    encoding: &str,
    errors: Option<&str>,
) -> PyResult<Py<PyAny>> {
    let (encoding, on_error) = (arguments::encoding(encoding)?, OnError::parse(errors, py)?);
    let work = |values: Bytes| {
        if encoding == Encoding::Utf8
            && let Ok(text) = values.clone().into_text()
        {
            return Ok(text);
        }
        Ok(convert(&values, (encoding, Encoding::Utf8), on_error)?.into_text()?)
    };
    each(py, capsule::import(column)?, Encoding::Utf8, work, Bytes::text_type)
}

/// Encodes a column.
#[pyfunction]
pub(crate) fn arrow_encode(
    py: Python<'_>,
    column: &Bound<'_, PyAny>,
    encoding: &str,
    errors: Option<&str>,
) -> PyResult<Py<PyAny>> {
    arrow_transcode(py, column, "UTF-8", encoding, errors)
}

/// Converts a column of bytes.
#[pyfunction]
pub(crate) fn arrow_transcode(
    py: Python<'_>,
    column: &Bound<'_, PyAny>,
    source: &str,
    target: &str,
    errors: Option<&str>,
) -> PyResult<Py<PyAny>> {
    let pair = (arguments::encoding(source)?, arguments::encoding(target)?);
    let on_error = OnError::parse(errors, py)?;
    let work = |values: Bytes| Ok(convert(&values, pair, on_error)?.into_binary());
    each(py, capsule::import(column)?, pair.1, work, Bytes::binary_type)
}

/// Repairs a column. Text stays text.
#[pyfunction]
pub(crate) fn arrow_repair(py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let column = capsule::import(column)?;
    let text = [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View];
    let is_text = text.contains(column.field.data_type());
    let type_of = |values: &Bytes| if is_text { values.text_type() } else { values.binary_type() };
    let work = |values: Bytes| {
        let mut is_changed = false;
        let repaired = values.map::<Failure>(|_, value, output| {
            let repaired = utfall_repair::repair(value);
            is_changed |= !repaired.changes.is_empty();
            output.push(match repaired.changes.is_empty() {
                true => value,
                false => &repaired.bytes,
            });
            Ok(true)
        })?;
        let result = if is_changed { repaired } else { values };
        Ok(if is_text { result.into_text()? } else { result.into_binary() })
    };
    each(py, column, Encoding::Utf8, work, type_of)
}

/// Tells which values are valid.
#[pyfunction]
pub(crate) fn arrow_is_valid(
    py: Python<'_>,
    column: &Bound<'_, PyAny>,
    encoding: &str,
) -> PyResult<Py<PyAny>> {
    let encoding = arguments::encoding(encoding)?;
    let work = |values: Bytes| {
        let mut valid = BooleanBuilder::with_capacity(values.len());
        for value in values.iter() {
            valid.append_option(value.map(|value| encoding.validate(value).is_ok()));
        }
        Ok(Arc::new(valid.finish()) as ArrayRef)
    };
    each(py, capsule::import(column)?, encoding, work, |_| DataType::Boolean)
}

fn fields(names: &[(&str, DataType)]) -> Fields {
    names.iter().map(|(name, kind)| Field::new(*name, kind.clone(), true)).collect()
}

/// The first problem of each value.
#[pyfunction]
pub(crate) fn arrow_problem(
    py: Python<'_>,
    column: &Bound<'_, PyAny>,
    encoding: &str,
) -> PyResult<Py<PyAny>> {
    let encoding = arguments::encoding(encoding)?;
    let number = DataType::UInt64;
    let fields = fields(&[
        ("offset", number.clone()),
        ("length", number.clone()),
        ("line", number.clone()),
        ("column", number),
        ("kind", DataType::Utf8),
        ("clause", DataType::Utf8),
        ("message", DataType::Utf8),
    ]);
    let data_type = DataType::Struct(fields.clone());
    let work = move |values: Bytes| {
        let mut numbers: [UInt64Builder; 4] = Default::default();
        let (mut kinds, mut clauses) = (StringBuilder::new(), StringBuilder::new());
        let mut messages = StringBuilder::new();
        let mut present = Vec::with_capacity(values.len());
        for value in values.iter() {
            let found = value.and_then(|value| first_problem(encoding, value));
            present.push(found.is_some());
            let places = found.as_ref().map(|(error, position)| {
                let (line, column) = (position.line, position.column);
                [error.offset(), u64::from(error.length()), line, column]
            });
            for (at, builder) in numbers.iter_mut().enumerate() {
                builder.append_option(places.map(|places| places[at]));
            }
            kinds.append_option(found.as_ref().map(|(error, _)| error.kind().name()));
            clauses.append_option(found.as_ref().map(|(error, _)| error.clause()));
            messages.append_option(found.as_ref().map(|(error, _)| show::problem(error)));
        }
        let mut columns: Vec<ArrayRef> =
            numbers.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect();
        columns.push(Arc::new(kinds.finish()));
        columns.push(Arc::new(clauses.finish()));
        columns.push(Arc::new(messages.finish()));
        let nulls = Some(NullBuffer::from(present));
        Ok(Arc::new(StructArray::try_new(fields.clone(), columns, nulls)?) as ArrayRef)
    };
    each(py, capsule::import(column)?, encoding, work, |_| data_type.clone())
}

fn first_problem(encoding: Encoding, value: &[u8]) -> Option<(Error, Position)> {
    if encoding.validate(value).is_ok() {
        return None;
    }
    let mut decoder = Decoder::new(encoding, Options::strict()).track_position();
    match decoder.validate(value, true).status {
        Status::Error(error) => Some((error, decoder.error_position().unwrap_or_default())),
        Status::InputEmpty | Status::OutputFull => None,
    }
}

/// Guesses the encoding of each value.
#[pyfunction]
pub(crate) fn arrow_detect(py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let fields = fields(&[
        ("encoding", DataType::Utf8),
        ("confidence", DataType::Float64),
        ("sure", DataType::Boolean),
        ("evidence", DataType::Utf8),
    ]);
    let data_type = DataType::Struct(fields.clone());
    let work = move |values: Bytes| {
        let (mut names, mut probabilities) = (StringBuilder::new(), Float64Builder::new());
        let (mut sure, mut present) = (BooleanBuilder::new(), Vec::new());
        let mut evidence = StringBuilder::new();
        for value in values.iter() {
            let candidates = value.map(utfall_detect::detect);
            let first = candidates.as_ref().and_then(|candidates| candidates.first());
            let best = first.filter(|best| best.confidence >= LEAST);
            names.append_option(best.map(|best| best.encoding.name()));
            probabilities.append_option(best.map(|best| best.confidence));
            let verdict = candidates.as_ref().map(|all| Verdict::on(all, None).is_sure());
            sure.append_option(verdict);
            evidence.append_option(best.map(reasons));
            present.push(value.is_some());
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(names.finish()),
            Arc::new(probabilities.finish()),
            Arc::new(sure.finish()),
            Arc::new(evidence.finish()),
        ];
        let nulls = Some(NullBuffer::from(present));
        Ok(Arc::new(StructArray::try_new(fields.clone(), columns, nulls)?) as ArrayRef)
    };
    each(py, capsule::import(column)?, Encoding::Utf8, work, |_| data_type.clone())
}

/// The reasons for a guess, strongest first.
fn reasons(best: &Candidate) -> String {
    let texts: Vec<_> = best.evidence.iter().map(ToString::to_string).collect();
    texts.join("; ")
}
