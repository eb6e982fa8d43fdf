//! Bytes to `str`.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utfall::{ByteOrder, Decoder, Encoding, ErrorKind, Family, Options, Policy, Status};

use crate::arguments::{self, Direction, Errors};
use crate::errors::{self, Place};
use crate::handler::{self, Replacement};
use crate::input::Input;
use crate::memory;
use crate::text::{self, Converted, Form, SHORT, detached};

/// Decode bytes to a str.
///
/// data: any object with a contiguous buffer, such as bytes, bytearray, memoryview or mmap.
/// encoding: a name or alias in any case; "detect" to guess.
/// errors: "strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass", another handler
///     that is registered with codecs.register_error, or such a function itself.
/// bom: "auto" follows the encoding; "keep", "strip".
/// granularity: how many U+FFFD "replace" writes for invalid UTF-8: "maximal-subpart" (one for each sequence, as
///     Python does), "per-byte", "jdk", "perl".
/// replacement: the text that "replace" writes, instead of U+FFFD.
/// double_mappings: the code points for characters that vendors map in two ways: "table", as the charset does; in Japanese
///     charsets also "jis" and "microsoft".
/// utf7_allow: deviations in UTF-7 to accept, separated by commas, such as "controls,lone-surrogates".
///
/// Raises DecodeError, a UnicodeDecodeError with the line, the column, the violated clause and a hint; LookupError for
/// an unknown encoding; DetectError if the encoding cannot be guessed.
///
/// >>> import utfall
/// >>> utfall.decode(b"Hi Mom -+Jjo--!", "UTF-7")
/// 'Hi Mom -☺-!'
/// >>> utfall.decode(b"caf\xe9", "windows-1252")
/// 'café'
/// >>> utfall.decode(b"a\xffb", errors="replace")
/// 'a\ufffdb'
#[pyfunction]
#[pyo3(signature = (data, encoding="UTF-8", errors=None, *, bom=None, granularity=None, replacement=None, double_mappings=None, utf7_allow=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn decode<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    encoding: &str,
    errors: Option<&Bound<'py, PyAny>>,
    bom: Option<&str>,
    granularity: Option<&str>,
    replacement: Option<&str>,
    double_mappings: Option<&str>,
    utf7_allow: Option<&str>,
) -> PyResult<Bound<'py, PyString>> {
    let given = (bom, granularity, replacement, double_mappings, utf7_allow);
    let is_plain = matches!(given, (None, None, None, None, None));
    if is_plain
        && errors.is_none()
        && arguments::is_utf8(encoding)
        && let Ok(bytes) = data.cast::<PyBytes>()
        && let Some(text) = text::from_valid_utf8(py, bytes.as_bytes())
    {
        return text;
    }
    let options = [
        ("granularity", granularity),
        ("replacement", replacement),
        ("double-mappings", double_mappings),
        ("utf7-allow", utf7_allow),
    ];
    let given = Given { encoding, bom, options, is_plain };
    decode_any(data, errors, &given)
}

/// The arguments that say how to decode.
struct Given<'a> {
    encoding: &'a str,
    bom: Option<&'a str>,
    options: [(&'a str, Option<&'a str>); 4],
    /// Whether all but the encoding are absent.
    is_plain: bool,
}

/// Apart from the function above, so that that one needs little space on the stack.
#[inline(never)]
fn decode_any<'py>(
    data: &Bound<'py, PyAny>,
    errors: Option<&Bound<'py, PyAny>>,
    given: &Given<'_>,
) -> PyResult<Bound<'py, PyString>> {
    let py = data.py();
    let Given { encoding, bom, options, is_plain } = *given;
    let input = Input::of(data)?;
    let bytes = input.bytes();
    let bom = arguments::bom_of(encoding, bom);
    let encoding = arguments::encoding_of(py, encoding, bytes)?;
    let errors = Errors::parse(errors, Direction::Decode(encoding))?;
    // In a valid text, there is nothing for a handler to do.
    if is_plain && let Some(text) = decode_quickly(py, encoding, without_bom(encoding, bytes, bom))
    {
        return text;
    }
    let options = arguments::set(arguments::options(&options)?, "bom", bom)?;
    let options = errors.apply(options);
    let mut stream = Stream::new(encoding, options);
    let points = stream.run(py, &input, true, &errors)?;
    text::from_points(py, &points)
}

/// The text without a BOM that is not part of it.
fn without_bom<'b>(encoding: Encoding, bytes: &'b [u8], bom: Option<&str>) -> &'b [u8] {
    if bom != Some("strip") {
        return bytes;
    }
    match Encoding::for_bom(bytes) {
        Some((found, length)) if found == encoding => &bytes[length..],
        _ => bytes,
    }
}

/// The text, if it is valid. Lone surrogates are left to the slow way.
fn decode_quickly<'py>(
    py: Python<'py>,
    encoding: Encoding,
    bytes: &[u8],
) -> Option<PyResult<Bound<'py, PyString>>> {
    let is_made_in_memory = bytes.len() >= SHORT && memory::has_from_units();
    match encoding {
        Encoding::Utf8 => text::from_valid_utf8(py, bytes),
        Encoding::Utf16 | Encoding::Utf32 if is_made_in_memory => {
            let ordered = encoding.with_byte_order(order(encoding, bytes)?)?;
            decode_quickly(py, ordered, without_bom(ordered, bytes, Some("strip")))
        }
        Encoding::Utf16Le | Encoding::Utf16Be if is_made_in_memory => {
            let form = detached(py, bytes.len(), || Form::of_utf16(encoding, bytes))?;
            Some(form.into_str(py))
        }
        Encoding::Utf32Le | Encoding::Utf32Be if is_made_in_memory => {
            let form = detached(py, bytes.len(), || Form::of_utf32(encoding, bytes))?;
            Some(form.into_str(py))
        }
        Encoding::Iso8859_1 => Some(text::from_latin1(py, bytes)),
        Encoding::Utf16Le => text::from_utf16(py, bytes, -1).ok().map(Ok),
        Encoding::Utf16Be => text::from_utf16(py, bytes, 1).ok().map(Ok),
        _ if text::is_charset(encoding) => {
            let form = detached(py, bytes.len(), || Form::of_charset(encoding, bytes))?;
            Some(form.into_str(py))
        }
        Encoding::Utf7 if text::has_byte(bytes, b'+') => {
            let form = detached(py, bytes.len(), || Form::of_utf7(bytes))?;
            Some(form.into_str(py))
        }
        _ if encoding.info().family == Family::Utf7 => {
            let room = bytes.len() + bytes.len() / 8 + 16;
            let work = || Converted::new(encoding, Encoding::Utf8, bytes, room);
            let converted = detached(py, bytes.len(), work)?;
            text::from_valid_utf8(py, converted.bytes())
        }
        _ if bytes.len() < SHORT => {
            let text = detached(py, bytes.len(), || encoding.decode(bytes)).ok()?;
            Some(text::from_utf8(py, &text))
        }
        _ => {
            let work = || {
                let points = text::decode_points(encoding, bytes, Options::strict())?;
                let is_text = points.iter().all(|point| *point <= 0x10_FFFF);
                is_text.then(|| Form::of_points(points.into()))
            };
            Some(detached(py, bytes.len(), work)?.into_str(py))
        }
    }
}

/// Code points decoded at a time.
const BUFFER: usize = 64 * 1024;

/// A text that is decoded in pieces, with error handlers in Python.
#[derive(Debug)]
pub(crate) struct Stream {
    encoding: Encoding,
    options: Options,
    decoder: Decoder<'static>,
    /// Bytes that have been read, but not decoded yet.
    tail: Vec<u8>,
    /// Whether the decoder has seen them.
    is_tail_seen: bool,
    /// Where the decoder began, in the stream.
    begin: u64,
    /// Whether lines are counted from the beginning of the stream.
    is_tracked: bool,
    /// The encoding, with the byte order that the beginning of the stream determined.
    ordered: Encoding,
}

impl Stream {
    pub(crate) fn new(encoding: Encoding, options: Options) -> Self {
        let decoder = Decoder::new(encoding, options);
        Self {
            encoding,
            options,
            decoder,
            tail: Vec::new(),
            is_tail_seen: true,
            begin: 0,
            is_tracked: false,
            ordered: encoding,
        }
    }

    /// Counts lines and columns for the errors.
    pub(crate) fn track_position(mut self) -> Self {
        self.decoder = self.decoder.track_position();
        self.is_tracked = true;
        self
    }

    /// A stream that continues from the same place.
    pub(crate) fn fork(&self) -> Self {
        Self { decoder: self.decoder.fork(), tail: self.tail.clone(), ..*self }
    }

    /// The bytes that have been read, but not decoded yet.
    pub(crate) fn tail(&self) -> &[u8] {
        &self.tail
    }

    /// The number of bytes that have been decoded.
    pub(crate) fn offset(&self) -> u64 {
        self.begin + self.decoder.offset()
    }

    /// Decodes the next piece to code points. After an exception, the stream can only be dropped.
    pub(crate) fn run<'py>(
        &mut self,
        py: Python<'py>,
        input: &Input<'_, 'py>,
        is_last: bool,
        errors: &Errors,
    ) -> PyResult<Vec<u32>> {
        let tail = self.tail.len();
        let joined;
        let object: &[u8] = match tail {
            0 => input.bytes(),
            _ => {
                joined = [&self.tail, input.bytes()].concat();
                &joined
            }
        };
        // The exceptions' object, made when there is one.
        let exported = || match tail {
            0 => input.object(py),
            _ => PyBytes::new(py, object),
        };
        let mut exception_object = None;
        let zero = self.offset();
        if zero == 0
            && let Some(order) = order(self.encoding, object)
        {
            self.ordered = self.encoding.with_byte_order(order).unwrap_or(self.encoding);
        }
        let mut read = if self.is_tail_seen { tail } else { 0 };
        self.is_tail_seen = true;
        let mut out = Vec::new();
        let mut buffer = vec![0; (object.len() + 32).min(BUFFER)];
        loop {
            let rest = &object[read..];
            let (decoder, points) = (&mut self.decoder, &mut *buffer);
            let work = move || decoder.decode_to_code_points(rest, points, is_last);
            let progress = detached(py, rest.len().min(BUFFER), work);
            read += progress.read;
            out.extend_from_slice(&buffer[..progress.written]);
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => {
                    let offset = self.begin + error.offset();
                    // A run of UTF-7 may have begun before the object.
                    let start =
                        usize::try_from(offset.saturating_sub(zero)).unwrap_or(object.len());
                    let end = (start + error.length() as usize).clamp(start, object.len());
                    let is_handled = errors.handler().is_some();
                    if is_handled
                        && !is_last
                        && error.kind() == ErrorKind::Surrogate
                        && object.len() < start + 3
                    {
                        // A handler may accept the surrogate, if it sees all of its bytes.
                        self.restart(offset);
                        self.is_tail_seen = false;
                        break;
                    }
                    let position = self.decoder.error_position().filter(|_| self.is_tracked);
                    let place = Place { offset: Some(offset), position };
                    let object_of = exception_object.get_or_insert_with(exported);
                    // "surrogatepass" reads the byte order from the name.
                    let encoding = match is_handled {
                        true => self.ordered,
                        false => error.encoding(),
                    };
                    let span = (start, end);
                    let exception = errors::decode_error(object_of, encoding, span, &error, place)?;
                    let Some(handler) = errors.handler() else {
                        return Err(PyErr::from_value(exception));
                    };
                    let (replacement, next) =
                        handler::call(handler, &exception, object.len(), false)?;
                    if let Replacement::Text(points) = replacement {
                        out.extend_from_slice(&points);
                    }
                    if next != end {
                        self.restart(zero + next as u64);
                        read = next;
                    }
                }
            }
        }
        self.check_range(&mut out, object, exported, errors)?;
        let decoded = usize::try_from(self.offset().saturating_sub(zero)).unwrap_or(object.len());
        self.tail = object[decoded.min(object.len())..].to_vec();
        Ok(out)
    }

    /// Begins again at this place of the stream, after its start.
    fn restart(&mut self, offset: u64) {
        self.decoder = Decoder::new(self.ordered, self.options);
        self.is_tracked = false;
        self.begin = offset;
    }

    /// Old forms have values that no `str` can have.
    fn check_range<'py>(
        &self,
        points: &mut [u32],
        object: &[u8],
        exported: impl Fn() -> Bound<'py, PyBytes>,
        errors: &Errors,
    ) -> PyResult<()> {
        if points.iter().all(|point| *point <= 0x10_FFFF) {
            return Ok(());
        }
        let is_strict = !matches!(errors, Errors::Policy(policy) if *policy != Policy::Strict);
        let error = errors::out_of_range(self.encoding, object, self.options.bom);
        if let Some(error) = error.filter(|_| is_strict) {
            let start = usize::try_from(error.offset()).unwrap_or(object.len());
            let span = (start, start + error.length() as usize);
            let (object, place) = (exported(), Place::default());
            let exception = errors::decode_error(&object, error.encoding(), span, &error, place)?;
            return Err(PyErr::from_value(exception));
        }
        for point in points.iter_mut().filter(|point| **point > 0x10_FFFF) {
            *point = 0xFFFD;
        }
        Ok(())
    }
}

/// The byte order that the first code unit of a text determines, if the encoding has a BOM for it.
pub(crate) fn order(encoding: Encoding, text: &[u8]) -> Option<ByteOrder> {
    let info = encoding.info();
    if info.byte_order != Some(ByteOrder::Marked) {
        return None;
    }
    let first = text.get(..info.code_unit)?;
    let is_little = first.starts_with(b"\xFF\xFE") && first[2..].iter().all(|byte| *byte == 0);
    Some(if is_little { ByteOrder::Little } else { ByteOrder::Big })
}

/// Tell whether bytes are valid in an encoding.
///
/// >>> import utfall
/// >>> utfall.is_valid("naïve".encode(), "UTF-8"), utfall.is_valid(b"na\xefve", "UTF-8")
/// (True, False)
#[pyfunction]
#[pyo3(signature = (data, encoding="UTF-8"))]
pub(crate) fn is_valid(py: Python<'_>, data: &Bound<'_, PyAny>, encoding: &str) -> PyResult<bool> {
    let encoding = arguments::encoding(encoding)?;
    let input = Input::of(data)?;
    let bytes = input.bytes();
    Ok(detached(py, bytes.len(), || encoding.validate(bytes).is_ok()))
}
