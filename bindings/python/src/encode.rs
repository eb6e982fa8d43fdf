//! `str` to bytes.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utfall::lines::Position;
use utfall::{Bom, ByteOrder, Encoder, Encoding, Family, Options, Repertoire, Status, transcode};

use crate::arguments::{self, Direction, Errors, transliterating};
use crate::characters;
use crate::errors::{self, Place};
use crate::handler::{self, Replacement};
use crate::memory::{self, Characters};
use crate::text::{self, LARGE, SHORT, Text, detached};

/// Encode a str to bytes.
///
/// text: the str. Lone surrogates are errors, except in encodings that have them, such as WTF-8.
/// encoding: a name or alias, in any case.
/// errors: "strict", "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "namereplace", "surrogateescape",
///     "surrogatepass", another handler that is registered with codecs.register_error, or such a function itself.
/// bom: "auto" follows the encoding; "add" writes a BOM, "strip" removes it.
/// substitute: the text that "replace" writes, instead of "?".
/// double_mappings: how East Asian charsets encode characters with two code points, such as the wave dash: "table" as the
///     charset does; "either", "jis" and "microsoft" take both; "round-trip" accepts only characters that are decoded to themselves.
/// jis_x_0212: "write" encodes the characters of JIS X 0212 in EUC-JP; "read", the default, only decodes them.
/// utf7: the style of UTF-7: "direct" or "header", "minimal" or "explicit", separated by a comma.
/// transliterate: whether to replace characters that the encoding lacks by similar ones before `errors` applies.
///
/// Raises EncodeError, a UnicodeEncodeError with the line, the column and a hint; LookupError for an unknown encoding.
///
/// >>> import utfall
/// >>> utfall.encode("日本語", "UTF-7")
/// b'+ZeVnLIqe-'
/// >>> utfall.encode("5 €", "latin1", "xmlcharrefreplace")
/// b'5 &#8364;'
/// >>> utfall.encode("5 €", "latin1", transliterate=True)
/// b'5 EUR'
#[pyfunction]
#[pyo3(signature = (text, encoding="UTF-8", errors=None, *, bom=None, substitute=None, double_mappings=None, jis_x_0212=None, utf7=None, transliterate=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    encoding: &str,
    errors: Option<&Bound<'py, PyAny>>,
    bom: Option<&str>,
    substitute: Option<&str>,
    double_mappings: Option<&str>,
    jis_x_0212: Option<&str>,
    utf7: Option<&str>,
    transliterate: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let given = (bom, substitute, double_mappings, jis_x_0212, utf7, transliterate);
    let is_plain = matches!(given, (None, None, None, None, None, false));
    if is_plain
        && errors.is_none()
        && arguments::is_utf8(encoding)
        && let Some(bytes) = to_utf8(text)?
    {
        return Ok(bytes);
    }
    let options = [
        ("bom", bom),
        ("substitute", substitute),
        ("double-mappings", double_mappings),
        ("jis-x-0212", jis_x_0212),
        ("utf7", utf7),
    ];
    let given = Given { encoding, options, transliterate, is_plain };
    encode_any(py, text, errors, &given)
}

/// From this number of characters beyond US-ASCII on, a kernel is faster than CPython (measured).
const FEW: usize = 128;

/// UTF-8, if this is a fast way to it.
fn to_utf8<'py>(text: &Bound<'py, PyString>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    match memory::characters(text) {
        Some(Characters::Ascii(bytes)) => Ok(Some(PyBytes::new(text.py(), bytes))),
        Some(characters) if text.len()? >= FEW => {
            characters::encode(text.py(), characters, Encoding::Utf8)
        }
        None if text.len()? >= SHORT => Ok(None),
        _ => Ok(text::to_utf8(text).ok()),
    }
}

/// The arguments that say how to encode.
struct Given<'a> {
    encoding: &'a str,
    options: [(&'a str, Option<&'a str>); 5],
    transliterate: bool,
    /// Whether all but the encoding are absent.
    is_plain: bool,
}

/// Apart from the function above, so that that one needs little space on the stack.
#[inline(never)]
fn encode_any<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    errors: Option<&Bound<'py, PyAny>>,
    given: &Given<'_>,
) -> PyResult<Bound<'py, PyBytes>> {
    let Given { encoding, options, transliterate, is_plain } = *given;
    let encoding = arguments::encoding(encoding)?;
    let errors = Errors::parse(errors, Direction::Encode(encoding))?;
    if is_plain && let Some(bytes) = encode_quickly(text, encoding)? {
        return Ok(bytes);
    }
    let options = transliterating(arguments::options(&options)?, transliterate);
    let mut stream = Stream::new(encoding, errors.apply(options));
    Ok(PyBytes::new(py, &stream.run(text, true, &errors)?))
}

/// The bytes, if the encoding has all characters.
fn encode_quickly<'py>(
    text: &Bound<'py, PyString>,
    encoding: Encoding,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let py = text.py();
    let characters = memory::characters(text);
    // CPython writes the units of these where they stay.
    let is_narrow = matches!(characters, Some(Characters::Ascii(_) | Characters::Latin1(_)));
    let is_wider = is_narrow && encoding.info().code_unit > 1;
    if let Some(characters) = characters.filter(|_| !is_wider) {
        return characters::encode(py, characters, encoding);
    }
    // CPython copies most of these.
    match encoding {
        Encoding::Utf8 => return text::utf8_of(text),
        _ if encoding.info().family == Family::Utf7 => return encode_utf7(text, encoding),
        Encoding::Iso8859_1 => return Ok(text::encoded(text, c"latin-1").ok()),
        // To find the codec by its name takes longer than to copy a short text.
        text::NATIVE_UTF16 if text.len()? < LARGE => return Ok(text::to_utf16(text).ok()),
        Encoding::Utf16Le => return Ok(text::encoded(text, c"utf-16-le").ok()),
        Encoding::Utf16Be => return Ok(text::encoded(text, c"utf-16-be").ok()),
        Encoding::Utf32Le => return Ok(text::encoded(text, c"utf-32-le").ok()),
        Encoding::Utf32Be => return Ok(text::encoded(text, c"utf-32-be").ok()),
        _ if text::is_charset(encoding) => return text::to_charset(text, encoding),
        _ => {}
    }
    let converted = match Text::of(text)? {
        Text::Ascii(text) => {
            detached(py, text.len(), || encoding.encode(text).map(Cow::into_owned).ok())
        }
        // At the start, it is text here, and a BOM in a conversion.
        Text::Points(points) if points.first() == Some(&0xFEFF) => None,
        Text::Points(points) => {
            detached(py, points.len(), || text::transcode_points(&points, encoding))
        }
    };
    Ok(converted.map(|bytes| PyBytes::new(py, &bytes)))
}

/// The bytes in a form of UTF-7, if it has all characters. Kernels write it from UTF-8.
fn encode_utf7<'py>(
    text: &Bound<'py, PyString>,
    encoding: Encoding,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let Some(object) = text::utf8_of(text)? else { return Ok(None) };
    let utf8 = object.as_bytes();
    // At the start, it is text here, and a BOM in a conversion.
    if utf8.starts_with("\u{FEFF}".as_bytes()) {
        return Ok(None);
    }
    let work = || transcode(Encoding::Utf8, encoding, utf8, Options::strict());
    Ok(match detached(text.py(), utf8.len(), work) {
        Ok(Cow::Borrowed(same)) if same.len() == utf8.len() => Some(object.clone()),
        Ok(bytes) => Some(PyBytes::new(text.py(), &bytes)),
        Err(_) => None,
    })
}

/// Bytes encoded at a time.
const BUFFER: usize = 128 * 1024;

/// A text that is encoded in pieces, with error handlers in Python.
#[derive(Debug)]
pub(crate) struct Stream {
    encoding: Encoding,
    options: Options,
    encoder: Encoder<'static>,
    /// Whether something was written: a BOM comes with the first character.
    is_begun: bool,
    /// The number of code points read.
    offset: u64,
    position: Position,
}

impl Stream {
    pub(crate) fn new(encoding: Encoding, options: Options) -> Self {
        let encoder = Encoder::new(encoding, options);
        let position = Position::default();
        Self { encoding, options, encoder, is_begun: false, offset: 0, position }
    }

    /// Encodes the next piece. After an exception, the stream can only be dropped.
    pub(crate) fn run(
        &mut self,
        text: &Bound<'_, PyString>,
        is_last: bool,
        errors: &Errors,
    ) -> PyResult<Vec<u8>> {
        let py = text.py();
        let points = text::points(text)?;
        let (mut read, mut out) = (0, Vec::new());
        let mut buffer = vec![0; (points.len() * 2 + 64).min(BUFFER)];
        loop {
            let rest = &points[read..];
            let (encoder, bytes) = (&mut self.encoder, &mut *buffer);
            let work = move || encoder.encode_code_points(rest, bytes, is_last);
            let progress = detached(py, rest.len().min(BUFFER), work);
            out.extend_from_slice(&buffer[..progress.written]);
            self.is_begun |= progress.written > 0;
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => read += progress.read,
                Status::Error(error) => {
                    let start = (read + progress.read).saturating_sub(1);
                    let end = match errors.handler() {
                        Some(_) => self.end_of_run(&points, start),
                        None => start + 1,
                    };
                    // A handler may be called often: the exception finds the position when it is asked.
                    let is_final = errors.handler().is_none();
                    // "surrogatepass" reads the byte order from the name.
                    let encoding = match errors.handler() {
                        Some(_) => after_bom(self.encoding),
                        None => self.encoding,
                    };
                    let place = Place {
                        offset: Some(self.offset + start as u64),
                        position: is_final.then(|| after(self.position, &points[..start])),
                    };
                    let span = (start, end);
                    let exception = errors::encode_error(text, encoding, span, &error, place)?;
                    let failed = || PyErr::from_value(exception.clone());
                    let Some(handler) = errors.handler() else { return Err(failed()) };
                    let (replacement, next) =
                        handler::call(handler, &exception, points.len(), true)?;
                    match replacement {
                        Replacement::Bytes(bytes) => {
                            // Part of a code unit would displace all others.
                            if bytes.len() % self.encoding.info().code_unit != 0 {
                                return Err(failed());
                            }
                            if !bytes.is_empty() {
                                self.begin(&mut out);
                            }
                            out.extend_from_slice(&bytes);
                        }
                        Replacement::Text(points) => self.insert(&points, &mut out, failed)?,
                    }
                    read = next;
                }
            }
        }
        self.offset += points.len() as u64;
        self.position = after(self.position, &points);
        Ok(out)
    }

    /// Writes a BOM before the bytes that a handler returned, since the encoder does not see those.
    fn begin(&mut self, out: &mut Vec<u8>) {
        if !self.is_begun && writes_bom(self.encoding, self.options.bom) {
            let encoding = after_bom(self.encoding);
            out.extend_from_slice(encoding.info().signature);
            self.encoder = Encoder::new(encoding, self.options.with_bom(Bom::Auto));
        }
        self.is_begun = true;
    }

    /// Encodes the text that a handler returned.
    fn insert(
        &mut self,
        points: &[u32],
        out: &mut Vec<u8>,
        failed: impl Fn() -> PyErr,
    ) -> PyResult<()> {
        let mut read = 0;
        while read < points.len() {
            let mut buffer = [0; 256];
            let progress = self.encoder.encode_code_points(&points[read..], &mut buffer, false);
            out.extend_from_slice(&buffer[..progress.written]);
            self.is_begun |= progress.written > 0;
            read += progress.read;
            if let Status::Error(_) = progress.status {
                return Err(failed());
            }
        }
        Ok(())
    }

    /// Python passes characters that follow each other to a handler together, except of multi-byte charsets.
    fn end_of_run(&self, points: &[u32], start: usize) -> usize {
        if self.encoding.info().family == Family::MultiByte {
            return start + 1;
        }
        let more = points[start + 1..].iter().take_while(|point| is_lacked(self.encoding, **point));
        start + 1 + more.count()
    }
}

/// Whether a text in this encoding begins with a BOM.
pub(crate) fn writes_bom(encoding: Encoding, bom: Bom) -> bool {
    match bom {
        Bom::Add => true,
        Bom::Strip => false,
        _ => encoding.info().byte_order == Some(ByteOrder::Marked),
    }
}

/// The encoding of the text after the BOM, which is big-endian unless the encoding has an order.
pub(crate) fn after_bom(encoding: Encoding) -> Encoding {
    match encoding.info().byte_order {
        Some(ByteOrder::Marked) => encoding.with_byte_order(ByteOrder::Big).unwrap_or(encoding),
        _ => encoding,
    }
}

fn is_lacked(encoding: Encoding, point: u32) -> bool {
    match encoding.info().repertoire {
        Repertoire::Table => {
            let mut encoder = Encoder::new(encoding, Options::strict());
            let progress = encoder.encode_code_points(&[point], &mut [0; 64], true);
            matches!(progress.status, Status::Error(_))
        }
        repertoire => !repertoire.contains(point),
    }
}

/// The position after these code points.
fn after(position: Position, points: &[u32]) -> Position {
    let line_feeds = points.iter().filter(|point| **point == 0x0A).count() as u64;
    match points.iter().rposition(|point| *point == 0x0A) {
        None => Position { column: position.column + points.len() as u64, ..position },
        Some(last) => {
            Position { line: position.line + line_feeds, column: (points.len() - last) as u64 }
        }
    }
}
