//! Columns from other packages and to them, by the Arrow C data interface in PyCapsules.
//!
//! The maker of a structure sets its `release` function. Its taker moves it and leaves `release` empty. The types of
//! `arrow_array` do both, and call `release` when they are dropped.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array as _, ArrayRef, make_array};
use arrow_schema::{ArrowError, Field, FieldRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// `EINVAL`, which the interface shares with C.
const INVALID: c_int = 22;

/// A column: arrays of one type.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) field: FieldRef,
    pub(crate) chunks: Vec<ArrayRef>,
    /// Whether it came as a stream.
    pub(crate) is_chunked: bool,
}

fn failed(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The column of any object with the protocol.
pub(crate) fn import(object: &Bound<'_, PyAny>) -> PyResult<Column> {
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
        let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
        // SAFETY: a capsule of this name has a valid schema, and lives until the end of this function.
        let field = Field::try_from(unsafe { schema.as_ref() }).map_err(|error| failed(&error))?;
        let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
        // SAFETY: a capsule of this name has a valid array, which is moved out of it.
        let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
        if array.is_released() {
            return Err(PyValueError::new_err("the array was already taken"));
        }
        let array = import_array(array, &field).map_err(|error| failed(&error))?;
        return Ok(Column { field: Arc::new(field), chunks: vec![array], is_chunked: false });
    }
    if object.hasattr("__arrow_c_stream__")? {
        let capsule: Bound<'_, PyCapsule> =
            object.call_method0("__arrow_c_stream__")?.cast_into()?;
        let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: a capsule of this name has a valid stream, which is moved out of it.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        return import_stream(stream);
    }
    Err(PyTypeError::new_err("expected a column with the Arrow PyCapsule protocol"))
}

fn import_array(array: FFI_ArrowArray, field: &Field) -> Result<ArrayRef, ArrowError> {
    // SAFETY: the producer says that the array has this type.
    let mut data = unsafe { from_ffi_and_data_type(array, field.data_type().clone()) }?;
    data.align_buffers();
    data.validate()?;
    Ok(make_array(data))
}

/// All arrays of a stream.
fn import_stream(mut stream: FFI_ArrowArrayStream) -> PyResult<Column> {
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(PyValueError::new_err("the stream was already taken"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: these are the functions of this stream, which is not released.
    if unsafe { get_schema(&raw mut stream, &raw mut schema) } != 0 {
        return Err(stream_error(&mut stream));
    }
    let field = Field::try_from(&schema).map_err(|error| failed(&error))?;
    let mut chunks = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        if unsafe { get_next(&raw mut stream, &raw mut array) } != 0 {
            return Err(stream_error(&mut stream));
        }
        if array.is_released() {
            return Ok(Column { field: Arc::new(field), chunks, is_chunked: true });
        }
        chunks.push(import_array(array, &field).map_err(|error| failed(&error))?);
    }
}

fn stream_error(stream: &mut FFI_ArrowArrayStream) -> PyErr {
    let message = match stream.get_last_error {
        // SAFETY: this is the function of this stream. The text is valid until the next call.
        Some(get) => unsafe {
            let text = get(ptr::from_mut(stream));
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        },
        None => None,
    };
    PyValueError::new_err(message.unwrap_or_else(|| "the stream failed".into()))
}

/// A schema for another package.
pub(crate) fn export_schema<'py>(
    py: Python<'py>,
    field: &Field,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(|error| failed(&error))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// An array for another package.
pub(crate) fn export_array<'py>(
    py: Python<'py>,
    array: &ArrayRef,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)
}

/// A column, as a stream for another package.
struct Exported {
    field: FieldRef,
    chunks: std::vec::IntoIter<ArrayRef>,
    error: Option<CString>,
}

/// A stream of arrays for another package.
pub(crate) fn export_stream(
    py: Python<'_>,
    field: FieldRef,
    chunks: Vec<ArrayRef>,
) -> PyResult<Bound<'_, PyCapsule>> {
    let exported = Box::new(Exported { field, chunks: chunks.into_iter(), error: None });
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(exported).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// # Safety
/// `stream` must be one of [`export_stream`] that is not released, and that nothing else uses.
unsafe fn exported<'a>(stream: *mut FFI_ArrowArrayStream) -> &'a mut Exported {
    // SAFETY: the same contract; `private_data` was set there.
    unsafe { &mut *(*stream).private_data.cast::<Exported>() }
}

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    // SAFETY: consumers pass the stream that has this function.
    let exported = unsafe { exported(stream) };
    match FFI_ArrowSchema::try_from(exported.field.as_ref()) {
        Ok(schema) => {
            // SAFETY: consumers pass a place for the schema.
            unsafe { out.write(schema) };
            0
        }
        Err(error) => {
            exported.error = CString::new(error.to_string()).ok();
            INVALID
        }
    }
}

unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: consumers pass the stream that has this function.
    let next = unsafe { exported(stream) }.chunks.next();
    // A released array ends the stream.
    let array =
        next.map_or_else(FFI_ArrowArray::empty, |array| FFI_ArrowArray::new(&array.to_data()));
    // SAFETY: consumers pass a place for the array.
    unsafe { out.write(array) };
    0
}

unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: consumers pass the stream that has this function.
    let exported = unsafe { exported(stream) };
    exported.error.as_ref().map_or(ptr::null(), |error| error.as_ptr())
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: consumers pass the stream that has this function, once: it is removed here.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Exported>()));
        (*stream).private_data = ptr::null_mut::<c_void>();
        (*stream).release = None;
    }
}
