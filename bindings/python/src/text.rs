//! The way between Rust and `str`.
//!
//! A text is converted to the form that its largest character permits, which `memory.rs` copies to a `str`. In other
//! interpreters, the stable ABI only has functions that decode bytes. They differ in speed by a factor of 70: Latin-1 is
//! copied, UTF-16 is fast below U+8000, UTF-32 has the same speed for every text, UTF-8 beyond US-ASCII is slow. Both
//! ways, a `str` keeps lone surrogates.

use std::borrow::Cow;
use std::cell::Cell;
use std::ffi::CStr;
use std::ptr;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::{ffi, intern};
use utfall::{
    BufferError, Decoder, Encoding, Family, Options, SplitPoint, Status, transcode, transcode_into,
    transcoded_len,
};
use utfall_simd::units;

use crate::memory;

/// From this length in bytes, another form is faster than UTF-8 (measured).
pub(crate) const SHORT: usize = 512;
/// The same where [`memory`] makes a `str` from another form.
pub(crate) const FEW: usize = 256;
/// From this length in bytes, other threads may run during a conversion.
pub(crate) const LARGE: usize = 32 * 1024;
/// From this character on, CPython decodes UTF-32 faster than UTF-16.
const HIGH: u32 = 0x8000;
/// The lead byte of U+8000 in UTF-8.
const HIGH_LEAD: u8 = 0xE8;
/// The first character that is two units of UTF-16.
const SUPPLEMENTARY: u32 = 0x1_0000;
/// The lead byte of U+0100 in UTF-8.
const WIDE_LEAD: u8 = 0xC4;

/// The lead byte of U+10000 in UTF-8.
const SUPPLEMENTARY_LEAD: u8 = 0xF0;
/// Characters converted at a time. Their code points and bytes fit the second-level cache.
const PIECE: usize = 8 * 1024;
/// Bytes of UTF-8 that are examined at a time for the largest character.
const PART: usize = 4096;
/// The most bytes of memory that a thread keeps for its next conversion: new memory costs more than a conversion.
pub(crate) const MOST_KEPT: usize = 1 << 20;

/// UTF-32 in the byte order of this machine.
pub(crate) const NATIVE_UTF32: Encoding =
    if cfg!(target_endian = "little") { Encoding::Utf32Le } else { Encoding::Utf32Be };
/// UTF-16 in the byte order of this machine.
pub(crate) const NATIVE_UTF16: Encoding =
    if cfg!(target_endian = "little") { Encoding::Utf16Le } else { Encoding::Utf16Be };

/// A text in a form from which CPython makes a `str` quickly. Bytes are in the order of this machine.
#[derive(Debug)]
pub(crate) enum Form<'a> {
    /// Characters up to U+00FF.
    Latin1(Cow<'a, [u8]>),
    /// The same in memory that is used again.
    Latin1Bytes(Converted),
    /// UTF-8, not validated.
    Utf8(&'a [u8]),
    /// Characters up to U+FFFF, as bytes. Surrogates only if [`memory`] makes the `str`.
    Utf16Bytes(Converted),
    Utf16Slice(&'a [u8]),
    Utf16(Vec<u16>),
    /// Code points, as bytes.
    Utf32Bytes(Converted),
    /// Code points, possibly surrogates.
    Utf32(Cow<'a, [u32]>),
}

impl<'a> Form<'a> {
    /// The text, if the bytes are valid UTF-8.
    pub(crate) fn of_utf8(bytes: &'a [u8]) -> Option<Self> {
        let mut most = 0;
        for part in bytes.chunks(PART) {
            most = part.iter().fold(most, |most: u8, byte| most.max(*byte));
            // CPython is fast in US-ASCII, and UTF-32 needs four bytes for each character of it.
            if !memory::has_from_units()
                && most >= SUPPLEMENTARY_LEAD
                && count(part, |byte| byte < 0x80) * 3 >= part.len()
            {
                return Some(Self::Utf8(bytes));
            }
        }
        let to = |encoding, room| Converted::new(Encoding::Utf8, encoding, bytes, room);
        let high_lead = if memory::has_from_units() { SUPPLEMENTARY_LEAD } else { HIGH_LEAD };
        Some(match most {
            0..0x80 => Self::Latin1(bytes.into()),
            0x80..WIDE_LEAD => Self::Latin1Bytes(to(Encoding::Iso8859_1, bytes.len())?),
            _ if most < high_lead => Self::Utf16Bytes(to(NATIVE_UTF16, 2 * bytes.len())?),
            _ => {
                let characters = count(bytes, |byte| !(0x80..0xC0).contains(&byte));
                Self::Utf32Bytes(to(NATIVE_UTF32, 4 * characters)?)
            }
        })
    }

    /// The text in a charset for which [`is_charset`] is true, if the bytes are valid.
    pub(crate) fn of_charset(encoding: Encoding, bytes: &'a [u8]) -> Option<Self> {
        if has_ascii(encoding) && bytes.is_ascii() {
            return Some(Self::Latin1(bytes.into()));
        }
        if encoding == Encoding::Windows1252 && is_same_in_latin1(bytes) {
            return Some(Self::Latin1(bytes.into()));
        }
        let units = Converted::new(encoding, NATIVE_UTF16, bytes, 2 * bytes.len())?;
        // Only the others have characters of two units.
        Self::of_units(units, encoding.info().family != Family::SingleByte)
    }

    /// The text of UTF-7, if it is valid.
    pub(crate) fn of_utf7(bytes: &[u8]) -> Option<Self> {
        // No byte is more than one code unit.
        let units = Converted::new(Encoding::Utf7, NATIVE_UTF16, bytes, 2 * bytes.len())?;
        Self::of_units(units, true)
    }

    /// The text of UTF-16 in this byte order, if it is valid.
    pub(crate) fn of_utf16(encoding: Encoding, bytes: &'a [u8]) -> Option<Self> {
        let to = |target, room| Converted::new(encoding, target, bytes, room);
        let is_native = encoding == NATIVE_UTF16;
        let all = if is_native { bits(bytes) } else { bits(bytes).swap_bytes() >> 16 };
        if all < 0x100 {
            Some(Self::Latin1Bytes(to(Encoding::Iso8859_1, bytes.len() / 2)?))
        } else if !is_native {
            Self::of_units(to(NATIVE_UTF16, bytes.len())?, true)
        } else if has_surrogates(bytes) {
            Some(Self::Utf32Bytes(to(NATIVE_UTF32, 2 * bytes.len())?))
        } else {
            bytes.len().is_multiple_of(2).then_some(Self::Utf16Slice(bytes))
        }
    }

    /// The text of UTF-32 in this byte order, if it is valid.
    pub(crate) fn of_utf32(encoding: Encoding, bytes: &'a [u8]) -> Option<Self> {
        Self::of_units(Converted::new(encoding, NATIVE_UTF16, bytes, bytes.len())?, true)
    }

    /// The text of valid UTF-16 in the order of this machine.
    fn of_units(units: Converted, may_have_pairs: bool) -> Option<Self> {
        let count = units.length / 2;
        let to = |encoding, room| Converted::new(NATIVE_UTF16, encoding, units.bytes(), room);
        let high = if memory::has_from_units() { SUPPLEMENTARY } else { HIGH };
        Some(match bits(units.bytes()) {
            0..0x100 => Self::Latin1Bytes(to(Encoding::Iso8859_1, count)?),
            all if all < high && !(may_have_pairs && has_surrogates(units.bytes())) => {
                Self::Utf16Bytes(units)
            }
            _ => Self::Utf32Bytes(to(NATIVE_UTF32, 4 * count)?),
        })
    }

    /// The text of code points.
    ///
    /// # Panics
    /// If one is above 10FFFF.
    pub(crate) fn of_points(points: Cow<'a, [u32]>) -> Self {
        let high = if memory::has_from_units() { SUPPLEMENTARY } else { HIGH };
        let most = points.iter().fold(0, |most, point| *point.max(&most));
        assert!(most <= 0x10_FFFF, "no str has such characters");
        match most {
            0..0x100 => Self::Latin1(points.iter().map(|point| *point as u8).collect()),
            _ if most < high => Self::Utf16(points.iter().map(|point| *point as u16).collect()),
            _ => Self::Utf32(points),
        }
    }

    pub(crate) fn into_str(self, py: Python<'_>) -> PyResult<Bound<'_, PyString>> {
        let order = if cfg!(target_endian = "little") { -1 } else { 1 };
        match self {
            Self::Latin1(bytes) => from_latin1(py, &bytes),
            Self::Latin1Bytes(converted) => from_latin1(py, converted.bytes()),
            Self::Utf8(bytes) => PyString::from_bytes(py, bytes),
            Self::Utf16Bytes(converted) => from_ucs2(py, converted.bytes(), order),
            Self::Utf16Slice(bytes) => from_ucs2(py, bytes, order),
            Self::Utf16(units) => from_ucs2(py, units::bytes(&units), order),
            Self::Utf32Bytes(converted) => from_ucs4(py, converted.bytes(), order),
            Self::Utf32(points) => from_ucs4(py, units::bytes(&points), order),
        }
    }
}

/// A converted text in memory that the thread uses again.
#[derive(Debug)]
pub(crate) struct Converted {
    memory: Vec<u8>,
    length: usize,
}

thread_local! {
    static KEPT: Cell<[Vec<u8>; 2]> = const { Cell::new([Vec::new(), Vec::new()]) };
}

impl Converted {
    /// Text in another encoding, if it is valid. The result usually has at most `room` bytes.
    pub(crate) fn new(
        source: Encoding,
        target: Encoding,
        bytes: &[u8],
        room: usize,
    ) -> Option<Self> {
        if room > MOST_KEPT {
            let memory = transcode(source, target, bytes, Options::strict()).ok()?.into_owned();
            return Some(Self { length: memory.len(), memory });
        }
        // Two, since a text may be converted twice.
        let [memory, other] = KEPT.take();
        KEPT.set([other, Vec::new()]);
        let mut converted = Self { memory, length: 0 };
        if converted.memory.len() < room {
            converted.memory.resize(room, 0);
        }
        let out = &mut converted.memory[..room];
        match transcode_into(source, target, bytes, out, Options::strict()) {
            Ok(length) => converted.length = length,
            Err(BufferError::TooSmall { needed }) if needed > room => {
                return Self::new(source, target, bytes, needed);
            }
            Err(_) => return None,
        }
        Some(converted)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory[..self.length]
    }
}

/// The bits that UTF-16 code units in the order of this machine have: whether one is above a power
/// of two.
fn bits(bytes: &[u8]) -> u32 {
    let (units, _) = bytes.as_chunks();
    units.iter().fold(0, |all, unit| all | u16::from_ne_bytes(*unit)).into()
}

/// Whether bytes are the same text in windows-1252 and in ISO 8859-1.
pub(crate) fn is_same_in_latin1(bytes: &[u8]) -> bool {
    let is_different = |byte: &u8| byte & 0xE0 == 0x80;
    !bytes.chunks(PART).any(|part| part.iter().fold(false, |any, byte| any | is_different(byte)))
}

/// Whether a byte is somewhere in a text.
pub(crate) fn has_byte(bytes: &[u8], wanted: u8) -> bool {
    // By parts, since a loop without an exit vectorizes.
    let is_wanted = |byte: &u8| *byte == wanted;
    bytes.chunks(PART).any(|part| part.iter().fold(false, |any, byte| any | is_wanted(byte)))
}

/// Whether UTF-16 code units in the order of this machine are surrogates.
pub(crate) fn has_surrogates(bytes: &[u8]) -> bool {
    let is_surrogate = |unit: &[u8; 2]| u16::from_ne_bytes(*unit) & 0xF800 == 0xD800;
    let (units, _) = bytes.as_chunks();
    // By parts, since a loop without an exit vectorizes.
    units.chunks(PART).any(|part| part.iter().fold(false, |any, unit| any | is_surrogate(unit)))
}

/// The `str` of characters up to U+FFFF.
fn from_ucs2<'py>(py: Python<'py>, bytes: &[u8], order: i32) -> PyResult<Bound<'py, PyString>> {
    memory::from_ucs2(py, bytes).unwrap_or_else(|| from_utf16(py, bytes, order))
}

/// The `str` of code points, all at most 10FFFF.
fn from_ucs4<'py>(py: Python<'py>, bytes: &[u8], order: i32) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: forms have no others.
    unsafe { memory::from_ucs4(py, bytes) }.unwrap_or_else(|| from_utf32(py, bytes, order))
}

impl Drop for Converted {
    fn drop(&mut self) {
        if self.memory.len() <= MOST_KEPT {
            let [first, second] = KEPT.take();
            let other = if first.capacity() > second.capacity() { first } else { second };
            KEPT.set([std::mem::take(&mut self.memory), other]);
        }
    }
}

/// Whether kernels convert an encoding to and from UTF-16, without a state.
pub(crate) fn is_charset(encoding: Encoding) -> bool {
    let info = encoding.info();
    matches!(info.family, Family::SingleByte | Family::MultiByte)
        && !info.stateful
        && !info.holds_back
}

/// Whether US-ASCII is the same in an encoding, wherever it is.
pub(crate) fn has_ascii(encoding: Encoding) -> bool {
    let info = encoding.info();
    info.ascii_transparent && info.split_point == SplitPoint::Character
}

/// The `str` of valid UTF-8.
pub(crate) fn from_utf8<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    from_valid_utf8(py, text.as_bytes()).unwrap_or_else(|| Ok(PyString::new(py, text)))
}

/// The `str` of UTF-8, if it is valid.
pub(crate) fn from_valid_utf8<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> Option<PyResult<Bound<'py, PyString>>> {
    // CPython is as fast there, and no slower elsewhere.
    if bytes.len() < if memory::has_from_units() { FEW } else { SHORT } {
        return PyString::from_bytes(py, bytes).ok().map(Ok);
    }
    if looks_ascii(bytes) && detached(py, bytes.len(), || bytes.is_ascii()) {
        // SAFETY: it is.
        let text = unsafe { memory::from_ascii(py, bytes) };
        return Some(text.unwrap_or_else(|| PyString::from_bytes(py, bytes)));
    }
    Some(detached(py, bytes.len(), || Form::of_utf8(bytes))?.into_str(py))
}

/// The number of these bytes.
fn count(bytes: &[u8], is_counted: impl Fn(u8) -> bool) -> usize {
    // In small integers, so that the loop vectorizes.
    let count = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(is_counted(*byte))).sum::<u8>();
    bytes.chunks(255).map(|chunk| usize::from(count(chunk))).sum()
}

/// Whether samples of a text, which is at least [`FEW`], are US-ASCII.
fn looks_ascii(bytes: &[u8]) -> bool {
    let stride = bytes.len() / 4;
    (0..4).all(|part| bytes[part * stride..][..stride.min(64)].is_ascii())
}

/// The `str` of code points, all at most 10FFFF.
pub(crate) fn from_points<'py>(py: Python<'py>, points: &[u32]) -> PyResult<Bound<'py, PyString>> {
    detached(py, points.len(), || Form::of_points(points.into())).into_str(py)
}

/// Runs `work`, which takes time in proportion to `size`, without the GIL if that is worthwhile.
pub(crate) fn detached<T: Send>(py: Python<'_>, size: usize, work: impl Send + FnOnce() -> T) -> T {
    if size < LARGE { work() } else { py.detach(work) }
}

/// The `str` of ISO 8859-1.
pub(crate) fn from_latin1<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: the pointer and the length are those of a slice; the result is a new reference to a `str`, or NULL
    // with an exception.
    unsafe {
        string(py, ffi::PyUnicode_DecodeLatin1(bytes.as_ptr().cast(), length(bytes), ptr::null()))
    }
}

/// The `str` of UTF-16 in this byte order: -1 for little, 1 for big.
pub(crate) fn from_utf16<'py>(
    py: Python<'py>,
    bytes: &[u8],
    mut order: i32,
) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: as above; the byte order is a place that CPython may write to.
    unsafe {
        let (text, order) = (bytes.as_ptr().cast(), &raw mut order);
        string(py, ffi::PyUnicode_DecodeUTF16(text, length(bytes), ptr::null(), order))
    }
}

/// The `str` of code points as UTF-32 in this byte order. They may be surrogates.
pub(crate) fn from_utf32<'py>(
    py: Python<'py>,
    bytes: &[u8],
    mut order: i32,
) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: as above; the name of the error handler ends with NUL.
    unsafe {
        let (text, order) = (bytes.as_ptr().cast(), &raw mut order);
        let errors = c"surrogatepass".as_ptr();
        string(py, ffi::PyUnicode_DecodeUTF32(text, length(bytes), errors, order))
    }
}

/// The length of a slice, which never exceeds `isize::MAX`.
fn length(bytes: &[u8]) -> isize {
    bytes.len().cast_signed()
}

/// A `str` that CPython made.
///
/// # Safety
/// `made` must be a new reference to a `str`, or NULL with an exception.
unsafe fn string(py: Python<'_>, made: *mut ffi::PyObject) -> PyResult<Bound<'_, PyString>> {
    // SAFETY: the same contract.
    unsafe { Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked()) }
}

/// The bytes of a `str` as CPython encodes them in UTF-8; an error if it has surrogates.
pub(crate) fn to_utf8<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: the argument is a `str`; the result is a new reference to `bytes`, or NULL with an
    // exception.
    unsafe {
        let made = ffi::PyUnicode_AsUTF8String(text.as_ptr());
        Ok(Bound::from_owned_ptr_or_err(text.py(), made)?.cast_into_unchecked())
    }
}

/// UTF-16 of a `str` in the order of this machine; an error if it has surrogates.
pub(crate) fn to_utf16<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: the argument is a `str`; the result is a new reference to `bytes`, or NULL with an
    // exception.
    let made: Bound<'_, PyBytes> = unsafe {
        let made = ffi::PyUnicode_AsUTF16String(text.as_ptr());
        Bound::from_owned_ptr_or_err(text.py(), made)?.cast_into_unchecked()
    };
    // A BOM comes first.
    Ok(PyBytes::new(text.py(), made.as_bytes().get(2..).unwrap_or_default()))
}

/// The bytes of a `str` by a codec of CPython, with its strict handler.
pub(crate) fn encoded<'py>(
    text: &Bound<'py, PyString>,
    codec: &CStr,
) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: the first argument is a `str`, the others end with NUL; the result is a new reference to `bytes`, or NULL
    // with an exception.
    unsafe {
        let errors = c"strict".as_ptr();
        let made = ffi::PyUnicode_AsEncodedString(text.as_ptr(), codec.as_ptr(), errors);
        Ok(Bound::from_owned_ptr_or_err(text.py(), made)?.cast_into_unchecked())
    }
}

/// UTF-8 of a `str`, if it has no surrogates.
pub(crate) fn utf8_of<'py>(text: &Bound<'py, PyString>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let count = text.len()?;
    if count < SHORT || may_be_ascii(text, count) && is_ascii(text)? {
        return Ok(to_utf8(text).ok());
    }
    to_utf8_by_pieces(text, count)
}

/// The same for a long `str` beyond US-ASCII. It is converted in pieces, which stay in the cache.
fn to_utf8_by_pieces<'py>(
    text: &Bound<'py, PyString>,
    count: usize,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    // To ask for the size takes longer than to convert one piece from code points, whatever it has.
    let size = if count <= PIECE { 4 * count } else { size_of(text)? };
    let pieces = Pieces { text, is_narrow: size < 2 * count, count };
    let (mut points, mut bytes) = BUFFERS.take();
    points.resize(count.min(PIECE).max(points.len()), 0);
    let made = match pieces.length_at_most(size) {
        most if most <= MOST_KEPT => {
            bytes.resize(most.max(bytes.len()), 0);
            pieces.convert(&mut points, &mut bytes)
        }
        _ => pieces.convert_exactly(&mut points),
    };
    BUFFERS.set((points, bytes));
    made
}

thread_local! {
    /// Memory for the code points of a piece, and for bytes.
    static BUFFERS: Cell<(Vec<u32>, Vec<u8>)> = const { Cell::new((Vec::new(), Vec::new())) };
}

/// A `str` in pieces of [`PIECE`] characters.
struct Pieces<'a, 'py> {
    text: &'a Bound<'py, PyString>,
    count: usize,
    is_narrow: bool,
}

/// A piece of a `str`.
enum Piece<'a, 'py> {
    Latin1(Bound<'py, PyBytes>),
    Points(&'a [u32]),
}

impl<'py> Pieces<'_, 'py> {
    /// The piece that starts at this character.
    fn get<'b>(&self, start: usize, points: &'b mut [u32]) -> PyResult<Piece<'b, 'py>> {
        let (py, end) = (self.text.py(), self.count.min(start + PIECE));
        let (from, to) = (start.cast_signed(), end.cast_signed());
        // SAFETY: the argument is a `str`; the result is a new reference to a `str`, or NULL with an exception.
        let piece = unsafe { string(py, ffi::PyUnicode_Substring(self.text.as_ptr(), from, to)) }?;
        if self.is_narrow {
            return Ok(Piece::Latin1(encoded(&piece, c"latin-1")?));
        }
        copy_points(&piece, &mut points[..end - start])?;
        Ok(Piece::Points(&points[..end - start]))
    }

    /// The most bytes of UTF-8, given the size of the `str` in memory. Only with four bytes for each character, some may be
    /// above U+FFFF.
    fn length_at_most(&self, size: usize) -> usize {
        let most = match size {
            _ if self.is_narrow => 2,
            _ if size < 4 * self.count => 3,
            _ => 4,
        };
        most * self.count
    }

    /// UTF-8, if there are no surrogates. `bytes` has space for it.
    fn convert(
        &self,
        points: &mut [u32],
        bytes: &mut [u8],
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let mut length = 0;
        for start in (0..self.count).step_by(PIECE) {
            let piece = self.get(start, points)?;
            match piece.transcode_into(&mut bytes[length..]) {
                Some(more) => length += more,
                None => return Ok(None),
            }
        }
        Ok(Some(PyBytes::new(self.text.py(), &bytes[..length])))
    }

    /// The same in new memory, for which the length is counted first: to copy a long text costs more.
    fn convert_exactly(&self, points: &mut [u32]) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let mut length = 0;
        for start in (0..self.count).step_by(PIECE) {
            let piece = self.get(start, points)?;
            let (encoding, bytes) = piece.encoded();
            match transcoded_len(encoding, Encoding::Utf8, bytes, Options::strict()) {
                Ok(more) => length += more,
                Err(_) => return Ok(None),
            }
        }
        let bytes = PyBytes::new_with(self.text.py(), length, |mut out| {
            for start in (0..self.count).step_by(PIECE) {
                // The length was counted, so there is space.
                let written = self.get(start, points)?.transcode_into(out);
                out = &mut out[written.unwrap_or_default()..];
            }
            Ok(())
        })?;
        Ok(Some(bytes))
    }
}

impl Piece<'_, '_> {
    /// The encoding of the bytes, and the bytes.
    fn encoded(&self) -> (Encoding, &[u8]) {
        match self {
            Self::Latin1(bytes) => (Encoding::Iso8859_1, bytes.as_bytes()),
            Self::Points(points) => (NATIVE_UTF32, units::bytes(points)),
        }
    }

    /// Writes UTF-8. Returns its length, unless there are surrogates.
    fn transcode_into(&self, out: &mut [u8]) -> Option<usize> {
        let (encoding, bytes) = self.encoded();
        transcode_into(encoding, Encoding::Utf8, bytes, out, Options::strict()).ok()
    }
}

/// The text of a `str` for a conversion.
#[derive(Debug)]
pub(crate) enum Text<'a> {
    /// US-ASCII.
    Ascii(&'a str),
    /// Code points, possibly surrogates.
    Points(Vec<u32>),
}

impl<'a> Text<'a> {
    pub(crate) fn of(text: &'a Bound<'_, PyString>) -> PyResult<Self> {
        Ok(match is_ascii(text)? {
            // Of US-ASCII, this is the text itself.
            true => Self::Ascii(text.to_str()?),
            false => Self::Points(points(text)?),
        })
    }
}

/// Whether a `str` is US-ASCII.
fn is_ascii(text: &Bound<'_, PyString>) -> PyResult<bool> {
    text.call_method0(intern!(text.py(), "isascii"))?.is_truthy()
}

/// Whether some characters of a `str`, which is not empty, are US-ASCII. This takes less time than
/// to ask for all.
fn may_be_ascii(text: &Bound<'_, PyString>, count: usize) -> bool {
    let places = [0, count / 4, count / 2, count - 1];
    places.iter().all(|place| {
        // SAFETY: the argument is a `str`, and has a character at this place.
        unsafe { ffi::PyUnicode_ReadChar(text.as_ptr(), place.cast_signed()) < 0x80 }
    })
}

/// The bytes of a `str` in a charset for which [`is_charset`] is true, if it has all characters.
pub(crate) fn to_charset<'py>(
    text: &Bound<'py, PyString>,
    encoding: Encoding,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (py, count) = (text.py(), text.len()?);
    if count >= SHORT && has_ascii(encoding) && may_be_ascii(text, count) && is_ascii(text)? {
        return Ok(to_utf8(text).ok());
    }
    let (mut points, mut bytes) = BUFFERS.take();
    points.resize(count.max(points.len()), 0);
    let copied = copy_points(text, &mut points[..count]);
    let made = copied.map(|()| {
        let points = &points[..count];
        if encoding.info().family == Family::SingleByte {
            // One byte for each.
            let mut is_complete = false;
            let made = PyBytes::new_with(py, count, |out| {
                is_complete = detached(py, count, || charset_into(points, encoding, out)).is_some();
                Ok(())
            });
            return made.map(|made| is_complete.then_some(made));
        }
        let length = detached(py, count, || charset_to(points, encoding, &mut bytes));
        Ok(length.map(|length| PyBytes::new(py, &bytes[..length])))
    });
    if points.len() <= MOST_KEPT / 4 && bytes.len() <= MOST_KEPT {
        BUFFERS.set((points, bytes));
    }
    made?
}

/// Writes code points in a charset to the start of a buffer, which grows. Returns the number of
/// bytes.
fn charset_to(points: &[u32], encoding: Encoding, bytes: &mut Vec<u8>) -> Option<usize> {
    let mut length = 0;
    for piece in points.chunks(PIECE) {
        // The most bytes of a character are four.
        bytes.resize(bytes.len().max(length + 4 * piece.len()), 0);
        length += charset_into(piece, encoding, &mut bytes[length..])?;
    }
    Some(length)
}

/// Writes code points in a charset. Returns the number of bytes, unless characters are lacking.
fn charset_into(points: &[u32], encoding: Encoding, out: &mut [u8]) -> Option<usize> {
    let mut length = 0;
    for piece in points.chunks(PIECE) {
        // At the start, it is text here, and may be a BOM in a conversion.
        if piece.first() == Some(&0xFEFF) {
            return None;
        }
        // Charsets of more than one byte are converted from UTF-16.
        let points = units::bytes(piece);
        let units = Converted::new(NATIVE_UTF32, NATIVE_UTF16, points, points.len())?;
        let out = &mut out[length..];
        length +=
            transcode_into(NATIVE_UTF16, encoding, units.bytes(), out, Options::strict()).ok()?;
    }
    Some(length)
}

/// The bytes of a `str` in memory: one, two or four for each character, and possibly a copy of its UTF-8.
fn size_of(text: &Bound<'_, PyString>) -> PyResult<usize> {
    text.call_method0(intern!(text.py(), "__sizeof__"))?.extract()
}

/// The code points of a `str`.
pub(crate) fn points(text: &Bound<'_, PyString>) -> PyResult<Vec<u32>> {
    let mut points = vec![0; text.len()?];
    copy_points(text, &mut points)?;
    Ok(points)
}

/// Copies the code points of a `str` to a buffer of that length.
fn copy_points(text: &Bound<'_, PyString>, points: &mut [u32]) -> PyResult<()> {
    // SAFETY: the argument is a `str`. CPython copies at most `points.len()` code points.
    let copied = unsafe {
        ffi::PyUnicode_AsUCS4(text.as_ptr(), points.as_mut_ptr(), points.len().cast_signed(), 0)
    };
    if copied.is_null() && !points.is_empty() {
        return Err(PyErr::fetch(text.py()));
    }
    Ok(())
}

/// Code points in an encoding that has all of them.
pub(crate) fn transcode_points(points: &[u32], encoding: Encoding) -> Option<Vec<u8>> {
    let converted = transcode(NATIVE_UTF32, encoding, units::bytes(points), Options::strict());
    converted.map(Cow::into_owned).ok()
}

/// The code points of a decoder's output, or its first error.
pub(crate) fn decode_points(
    encoding: Encoding,
    bytes: &[u8],
    options: Options,
) -> Option<Vec<u32>> {
    let mut decoder = Decoder::new(encoding, options);
    let mut points = vec![0; bytes.len() + 16];
    let (mut read, mut written) = (0, 0);
    loop {
        let progress = decoder.decode_to_code_points(&bytes[read..], &mut points[written..], true);
        read += progress.read;
        written += progress.written;
        match progress.status {
            Status::InputEmpty => break,
            Status::OutputFull => points.resize(points.len() * 2, 0),
            Status::Error(_) => return None,
        }
    }
    points.truncate(written);
    Some(points)
}
