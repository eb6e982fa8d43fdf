//! `str` to bytes, from the memory of the `str`.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use utfall::{Encoding, Family, Options, transcode, transcode_into, transcoded_len};
use utfall_simd::units;

use crate::memory::Characters;
use crate::text::{
    self, Converted, MOST_KEPT, NATIVE_UTF16, NATIVE_UTF32, detached, has_ascii, has_surrogates,
    is_charset,
};

/// The bytes in an encoding, if it has all characters. Lone surrogates are left to the slow way.
pub(crate) fn encode<'py>(
    py: Python<'py>,
    text: Characters<'_>,
    encoding: Encoding,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (source, bytes) = encoded(text);
    // Most text up to U+00FF has the same bytes there.
    if let Characters::Latin1(_) = text
        && encoding == Encoding::Windows1252
        && detached(py, bytes.len(), || text::is_same_in_latin1(bytes))
    {
        return Ok(Some(PyBytes::new(py, bytes)));
    }
    if let Characters::Ucs2(_) = text
        && detached(py, bytes.len(), || has_surrogates(bytes))
    {
        return Ok(None);
    }
    if is_same(text, encoding) {
        return Ok(Some(PyBytes::new(py, bytes)));
    }
    // At the start, it is text here, and may be a BOM in a conversion.
    if !is_plain(encoding) && starts_with_bom(text) {
        return Ok(None);
    }
    let room = room(text, encoding);
    // Kernels convert UTF-7 and charsets from UTF-16, other forms of UTF-7 from UTF-8.
    let between = match encoding.info().family {
        Family::Utf7 if encoding == Encoding::Utf7 => NATIVE_UTF16,
        Family::Utf7 => Encoding::Utf8,
        Family::SingleByte | Family::MultiByte if !is_plain(encoding) => NATIVE_UTF16,
        _ => source,
    };
    if between == source || source == Encoding::Utf8 {
        return to_bytes(py, (source, encoding), bytes, room);
    }
    let between_room = self::room(text, between);
    let work = || Converted::new(source, between, bytes, between_room);
    match detached(py, bytes.len(), work) {
        Some(made) => to_bytes(py, (between, encoding), made.bytes(), room),
        None => Ok(None),
    }
}

/// The encoding that a text has in memory. It has no lone surrogates.
fn encoded(text: Characters<'_>) -> (Encoding, &[u8]) {
    match text {
        Characters::Ascii(bytes) => (Encoding::Utf8, bytes),
        Characters::Latin1(bytes) => (Encoding::Iso8859_1, bytes),
        Characters::Ucs2(units) => (NATIVE_UTF16, units::bytes(units)),
        Characters::Ucs4(points) => (NATIVE_UTF32, units::bytes(points)),
    }
}

/// Whether the bytes in memory are the result.
fn is_same(text: Characters<'_>, encoding: Encoding) -> bool {
    match text {
        Characters::Ascii(_) => has_ascii(encoding),
        Characters::Latin1(_) => encoding == Encoding::Iso8859_1,
        Characters::Ucs2(_) => encoding == NATIVE_UTF16,
        // They may be surrogates.
        Characters::Ucs4(_) => false,
    }
}

/// Whether U+FEFF is always text.
fn is_plain(encoding: Encoding) -> bool {
    use Encoding::{Iso8859_1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    matches!(encoding, Utf8 | Utf16Le | Utf16Be | Utf32Le | Utf32Be | Iso8859_1)
}

fn starts_with_bom(text: Characters<'_>) -> bool {
    match text {
        Characters::Ascii(_) | Characters::Latin1(_) => false,
        Characters::Ucs2(units) => units.first() == Some(&0xFEFF),
        Characters::Ucs4(points) => points.first() == Some(&0xFEFF),
    }
}

/// Bytes that are usually enough for a text.
fn room(text: Characters<'_>, encoding: Encoding) -> usize {
    let (count, in_utf8) = match text {
        Characters::Ascii(bytes) => (bytes.len(), 1),
        Characters::Latin1(bytes) => (bytes.len(), 2),
        Characters::Ucs2(units) => (units.len(), 3),
        Characters::Ucs4(points) => (points.len(), 4),
    };
    let each = match encoding.info().family {
        _ if encoding == Encoding::Utf8 => in_utf8,
        Family::SingleByte => 1,
        Family::Utf7 => in_utf8 + 1,
        _ => 4,
    };
    each * count + 16
}

/// The bytes of a text in another encoding, if that has all characters.
fn to_bytes<'py>(
    py: Python<'py>,
    (source, target): (Encoding, Encoding),
    bytes: &[u8],
    room: usize,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    if room <= MOST_KEPT {
        let made = detached(py, bytes.len(), || Converted::new(source, target, bytes, room));
        return Ok(made.map(|made| PyBytes::new(py, made.bytes())));
    }
    let options = Options::strict();
    if !is_charset(target) && !is_plain(target) {
        let made = py.detach(|| transcode(source, target, bytes, options));
        return Ok(made.ok().map(|made| PyBytes::new(py, &made)));
    }
    // To count first takes less time than to copy new memory.
    let Ok(length) = py.detach(|| transcoded_len(source, target, bytes, options)) else {
        return Ok(None);
    };
    let made = PyBytes::new_with(py, length, |out| {
        // There is space.
        _ = py.detach(|| transcode_into(source, target, bytes, out, options));
        Ok(())
    });
    made.map(Some)
}
