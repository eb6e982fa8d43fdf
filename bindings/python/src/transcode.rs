//! Bytes to bytes.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;
use utfall::lines::Position;
use utfall::parallel;
use utfall::{Encoding, Error, ErrorKind, Options, Status};
use utfall_normalize::{Form, Newline, Normalize};

use crate::arguments::{self, Direction, Errors, transliterating};
use crate::errors::{self, Place};
use crate::input::Input;
use crate::text::detached;

/// Convert bytes from one encoding to another.
///
/// data: any object with a contiguous buffer.
/// source: the encoding of the data; "detect" to guess.
/// target: the encoding of the result.
/// errors: as for utfall.decode and utfall.encode; "replace" writes U+FFFD, or "?" if the target lacks it.
/// unencodable: the same for characters that the target lacks, if that differs from errors.
/// newline: "lf", "crlf" or "cr" converts line ends.
/// normalize: "NFC", "NFD", "NFKC" or "NFKD" normalizes the text.
/// bom, granularity, replacement, substitute, double_mappings, jis_x_0212, utf7, utf7_allow, transliterate: as for
///     utfall.decode and utfall.encode.
///
/// Raises DecodeError or EncodeError. The result is data itself if that is bytes and nothing changes.
///
/// >>> import utfall
/// >>> utfall.transcode("naïve\r\n".encode("latin1"), "latin1", "UTF-16LE", newline="lf")
/// b'n\x00a\x00\xef\x00v\x00e\x00\n\x00'
#[pyfunction]
#[pyo3(signature = (data, source, target="UTF-8", errors=None, *, unencodable=None, newline=None, normalize=None, bom=None, granularity=None, replacement=None, substitute=None, double_mappings=None, jis_x_0212=None, utf7=None, utf7_allow=None, transliterate=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn transcode<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    source: &str,
    target: &str,
    errors: Option<&Bound<'py, PyAny>>,
    unencodable: Option<&Bound<'py, PyAny>>,
    newline: Option<&str>,
    normalize: Option<&str>,
    bom: Option<&str>,
    granularity: Option<&str>,
    replacement: Option<&str>,
    substitute: Option<&str>,
    double_mappings: Option<&str>,
    jis_x_0212: Option<&str>,
    utf7: Option<&str>,
    utf7_allow: Option<&str>,
    transliterate: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let input = Input::of(data)?;
    let bytes = input.bytes();
    let bom = arguments::bom_of(source, bom);
    let pair = (arguments::encoding_of(py, source, bytes)?, arguments::encoding(target)?);
    let options = options(
        (errors, unencodable),
        [
            ("bom", bom),
            ("granularity", granularity),
            ("replacement", replacement),
            ("substitute", substitute),
            ("double-mappings", double_mappings),
            ("jis-x-0212", jis_x_0212),
            ("utf7", utf7),
            ("utf7-allow", utf7_allow),
        ],
        transliterate,
    )?;
    let change = Normalize::new().with_newline(line_end(newline)?).with_form(form(normalize)?);
    if change.is_nothing() {
        let work = || utfall::transcode(pair.0, pair.1, bytes, options);
        return match detached(py, bytes.len(), work) {
            Ok(Cow::Borrowed(same)) if same.len() == bytes.len() => Ok(input.object(py)),
            Ok(converted) => Ok(PyBytes::new(py, &converted)),
            Err(error) => {
                let position = detached(py, bytes.len(), || position(pair, options, bytes));
                Err(raised(&input.object(py), pair.1, &error, position)?)
            }
        };
    }
    let mut out = Vec::new();
    let work = || utfall_normalize::convert(pair.0, pair.1, options, change, 1, bytes, &mut out);
    match detached(py, bytes.len(), work) {
        Ok(_) => Ok(PyBytes::new(py, &out)),
        Err(parallel::Error::Text { error, position, .. }) => {
            Err(raised(&input.object(py), pair.1, &error, Some(position))?)
        }
        Err(other) => Err(PyValueError::new_err(other.to_string())),
    }
}

fn options(
    (errors, unencodable): (Option<&Bound<'_, PyAny>>, Option<&Bound<'_, PyAny>>),
    given: [(&str, Option<&str>); 8],
    transliterate: bool,
) -> PyResult<Options> {
    let options = transliterating(arguments::options(&given)?, transliterate);
    let options = policy(errors)?.apply(options);
    Ok(match unencodable {
        None => options,
        Some(_) => {
            let lacking = policy(unencodable)?.apply(options);
            options.with_on_unencodable(lacking.on_unencodable)
        }
    })
}

/// The treatment of errors, unless it is a function.
fn policy(errors: Option<&Bound<'_, PyAny>>) -> PyResult<Errors> {
    let errors = Errors::parse(errors, Direction::Both)?;
    if errors.handler().is_some() {
        let message = "errors must be a policy here: strict, replace, ignore, backslashreplace, \
                       xmlcharrefreplace or surrogateescape; with a function, use decode and encode";
        return Err(PyValueError::new_err(message));
    }
    Ok(errors)
}

fn line_end(name: Option<&str>) -> PyResult<Newline> {
    Ok(match name {
        None | Some("keep") => Newline::Keep,
        Some("lf") => Newline::Lf,
        Some("crlf") => Newline::Crlf,
        Some("cr") => Newline::Cr,
        Some(_) => return Err(PyValueError::new_err("newline must be \"lf\", \"crlf\" or \"cr\"")),
    })
}

fn form(name: Option<&str>) -> PyResult<Option<Form>> {
    let message = "normalize must be \"NFC\", \"NFD\", \"NFKC\" or \"NFKD\"";
    Ok(Some(match name.map(str::to_ascii_uppercase).as_deref() {
        None => return Ok(None),
        Some("NFC") => Form::Nfc,
        Some("NFD") => Form::Nfd,
        Some("NFKC") => Form::Nfkc,
        Some("NFKD") => Form::Nfkd,
        Some(_) => return Err(PyValueError::new_err(message)),
    }))
}

/// The position of the first error.
pub(crate) fn position(
    (source, target): (Encoding, Encoding),
    options: Options,
    bytes: &[u8],
) -> Option<Position> {
    let mut transcoder = utfall::Transcoder::new(source, target, options).track_position();
    let (mut read, mut scratch) = (0, [0; 4096]);
    loop {
        let progress = transcoder.transcode(&bytes[read..], &mut scratch, true);
        read += progress.read;
        match progress.status {
            Status::OutputFull => {}
            _ => return transcoder.error_position(),
        }
    }
}

/// The exception for an error at its offset in `object`.
fn raised(
    object: &Bound<'_, PyBytes>,
    target: Encoding,
    error: &Error,
    position: Option<Position>,
) -> PyResult<PyErr> {
    let place = Place { offset: Some(error.offset()), position };
    let start = usize::try_from(error.offset()).unwrap_or(usize::MAX);
    let span = (start, start.saturating_add(error.length() as usize));
    raised_at(object, span, target, error, place)
}

fn raised_at(
    object: &Bound<'_, PyBytes>,
    span: (usize, usize),
    target: Encoding,
    error: &Error,
    place: Place,
) -> PyResult<PyErr> {
    let py = object.py();
    let exception = match error.kind() {
        ErrorKind::Unencodable(point @ ..=0x10_FFFF) => {
            errors::lacking(py, point, target, error, place)?
        }
        _ => errors::decode_error(object, error.encoding(), span, error, place)?,
    };
    Ok(PyErr::from_value(exception))
}

/// The output for the next piece, or the first error.
fn run(
    transcoder: &mut utfall::Transcoder<'_>,
    bytes: &[u8],
    is_last: bool,
) -> Result<Vec<u8>, Error> {
    let mut out = vec![0; bytes.len() + bytes.len() / 4 + 64];
    let (mut read, mut written) = (0, 0);
    loop {
        let progress = transcoder.transcode(&bytes[read..], &mut out[written..], is_last);
        read += progress.read;
        written += progress.written;
        match progress.status {
            Status::InputEmpty => break,
            Status::OutputFull => out.resize(out.len() * 2, 0),
            Status::Error(error) => return Err(error),
        }
    }
    out.truncate(written);
    Ok(out)
}

/// Convert a text from one encoding to another in pieces.
///
/// source, target: the encodings.
/// errors, unencodable, bom, granularity, replacement, substitute, double_mappings, jis_x_0212, utf7, utf7_allow,
///     transliterate: as for utfall.transcode.
///
/// Output and errors do not depend on how the text is cut. After an exception, the transcoder is as it was before the
/// call. In exceptions, offset, line and column count from the beginning of the text.
///
/// >>> import utfall
/// >>> transcoder = utfall.Transcoder("UTF-8", "UTF-16BE")
/// >>> transcoder.transcode(b"\xe2\x82"), transcoder.transcode(b"\xac", final=True)
/// (b'', b' \xac')
#[pyclass(frozen, module = "utfall", name = "Transcoder")]
#[derive(Debug)]
pub(crate) struct Transcoder {
    pair: (Encoding, Encoding),
    options: Options,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    transcoder: utfall::Transcoder<'static>,
    /// How many bytes came before the next piece.
    read: u64,
    /// Those of this text, or of the one before if this has not begun.
    counts: utfall::Counts,
}

/// How often a text was not converted exactly.
///
/// invalid: invalid sequences of the source.
/// unencodable: characters that the target lacks.
/// skipped: how many of both were left out.
/// tolerated: deviations that utf7_allow accepts. They are not counted as invalid.
#[pyclass(frozen, get_all, module = "utfall")]
#[derive(Debug)]
pub(crate) struct Counts {
    invalid: u64,
    unencodable: u64,
    skipped: u64,
    tolerated: u64,
}

#[pymethods]
impl Counts {
    fn __repr__(&self) -> String {
        let Self { invalid, unencodable, skipped, tolerated } = self;
        format!(
            "Counts({invalid} invalid, {unencodable} unencodable, {skipped} skipped, {tolerated} tolerated)"
        )
    }
}

impl From<utfall::Counts> for Counts {
    fn from(counts: utfall::Counts) -> Self {
        let utfall::Counts { ill_formed: invalid, unencodable, skipped, tolerated, .. } = counts;
        Self { invalid, unencodable, skipped, tolerated }
    }
}

impl State {
    fn new((source, target): (Encoding, Encoding), options: Options) -> Self {
        let transcoder = utfall::Transcoder::new(source, target, options).track_position();
        Self { transcoder, read: 0, counts: utfall::Counts::default() }
    }

    fn fork(&self) -> Self {
        Self { transcoder: self.transcoder.fork(), ..*self }
    }

    /// Converts the next piece, or returns the first error.
    fn run(&mut self, bytes: &[u8], is_last: bool) -> Result<Vec<u8>, (Error, Place)> {
        let out = run(&mut self.transcoder, bytes, is_last).map_err(|error| {
            let position = self.transcoder.error_position();
            (error, Place { offset: Some(error.offset()), position })
        })?;
        self.read += bytes.len() as u64;
        self.counts = self.transcoder.counts();
        Ok(out)
    }
}

#[pymethods]
impl Transcoder {
    #[new]
    #[pyo3(signature = (source, target="UTF-8", errors=None, *, unencodable=None, bom=None, granularity=None, replacement=None, substitute=None, double_mappings=None, jis_x_0212=None, utf7=None, utf7_allow=None, transliterate=false))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        source: &str,
        target: &str,
        errors: Option<&Bound<'_, PyAny>>,
        unencodable: Option<&Bound<'_, PyAny>>,
        bom: Option<&str>,
        granularity: Option<&str>,
        replacement: Option<&str>,
        substitute: Option<&str>,
        double_mappings: Option<&str>,
        jis_x_0212: Option<&str>,
        utf7: Option<&str>,
        utf7_allow: Option<&str>,
        transliterate: bool,
    ) -> PyResult<Self> {
        let pair = (arguments::encoding(source)?, arguments::encoding(target)?);
        let options = options(
            (errors, unencodable),
            [
                ("bom", bom),
                ("granularity", granularity),
                ("replacement", replacement),
                ("substitute", substitute),
                ("double-mappings", double_mappings),
                ("jis-x-0212", jis_x_0212),
                ("utf7", utf7),
                ("utf7-allow", utf7_allow),
            ],
            transliterate,
        )?;
        Ok(Self { pair, options, state: Mutex::new(State::new(pair, options)) })
    }

    /// The name of the encoding of the input.
    #[getter]
    fn source(&self) -> &'static str {
        self.pair.0.name()
    }

    /// The name of the encoding of the output.
    #[getter]
    fn target(&self) -> &'static str {
        self.pair.1.name()
    }

    /// Convert the next piece.
    ///
    /// data: any object with a contiguous buffer.
    /// final: whether it is the last piece. An incomplete character at its end is then an error; otherwise it waits for
    ///     the next call.
    #[pyo3(signature = (data, r#final=false))]
    fn transcode<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let input = Input::of(data)?;
        let bytes = input.bytes();
        let mut work = self.lock(py).fork();
        let before = work.read;
        match detached(py, bytes.len(), || work.run(bytes, r#final)) {
            Ok(out) => {
                if r#final {
                    work = State { counts: work.counts, ..State::new(self.pair, self.options) };
                }
                *self.lock(py) = work;
                Ok(PyBytes::new(py, &out))
            }
            Err((error, place)) => {
                // It may have begun in an earlier piece.
                let end = error.offset() + u64::from(error.length());
                let inside = |at: u64| {
                    let at = usize::try_from(at.saturating_sub(before)).unwrap_or(usize::MAX);
                    at.min(bytes.len())
                };
                let span = (inside(error.offset()), inside(end));
                Err(raised_at(&input.object(py), span, self.pair.1, &error, place)?)
            }
        }
    }

    /// How often the text so far was not converted exactly; after its last piece, the whole text.
    #[getter]
    fn counts(&self, py: Python<'_>) -> Counts {
        self.lock(py).counts.into()
    }

    /// Return to the beginning of a text.
    fn reset(&self, py: Python<'_>) {
        *self.lock(py) = State::new(self.pair, self.options);
    }

    fn __repr__(&self) -> String {
        format!("Transcoder('{}', '{}')", self.pair.0.name(), self.pair.1.name())
    }
}

impl Transcoder {
    fn lock(&self, py: Python<'_>) -> std::sync::MutexGuard<'_, State> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}
