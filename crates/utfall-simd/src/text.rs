//! Text produced by kernels: strings that rely on a kernel instead of a second validation, and
//! vectors.
//!
//! This is the only module that may rely on a kernel in this way. The kernels concerned are
//! compared with the oracle over every sequence they can meet.

use core::ops::BitOr;

#[cfg(feature = "alloc")]
use crate::Lossy;
#[cfg(feature = "alloc")]
use crate::arch::scalar::{self, BIG, LITTLE, Target, Utf16, Utf32};
use crate::arch::scalar::{Source, Utf8};
#[cfg(feature = "alloc")]
use crate::pairs::Cells;
use crate::single_byte::Table;
#[cfg(feature = "alloc")]
use crate::units::{self, Unit};
#[cfg(feature = "alloc")]
use crate::utf7::RunState;
use crate::{Kernels, Layout};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

/// Returns `bytes` as a string.
///
/// # Errors
/// If `bytes` is not well-formed UTF-8 (RFC 3629 §4): the length of the well-formed prefix, which
/// is the offset of the first ill-formed sequence.
///
/// ```
/// use utfall_simd::{dispatch, text};
/// assert_eq!(text::as_str(dispatch::active(), b"abc"), Ok("abc"));
/// assert_eq!(text::as_str(dispatch::active(), b"abc\xFFd"), Err(3));
/// ```
#[inline]
pub fn as_str<'a>(kernels: &Kernels, bytes: &'a [u8]) -> Result<&'a str, usize> {
    let prefix = utf8_prefix(|| kernels, bytes);
    if prefix == bytes.len() {
        // SAFETY: `utf8_prefix` returns the length of a prefix that is well-formed
        // UTF-8, and that prefix is all of `bytes`.
        Ok(unsafe { core::str::from_utf8_unchecked(bytes) })
    } else {
        Err(prefix)
    }
}

/// The length of the ASCII prefix, as [`Kernels::ascii_prefix`] returns it. Short text that is all ASCII
/// needs no kernels.
///
/// ```
/// use utfall_simd::{dispatch, text};
/// assert_eq!(text::ascii_prefix(dispatch::active, "naïve".as_bytes()), 2);
/// ```
#[inline]
#[must_use]
pub fn ascii_prefix<'k>(kernels: impl FnOnce() -> &'k Kernels, bytes: &[u8]) -> usize {
    match bytes {
        [0x80..=0xFF, ..] => 0,
        _ if is_short_ascii(bytes) => bytes.len(),
        _ => kernels().ascii_prefix(bytes),
    }
}

/// Returns `bytes` as a string, if they are all ASCII.
///
/// # Errors
/// If they are not: the length of the ASCII prefix.
///
/// ```
/// use utfall_simd::{dispatch, text};
/// assert_eq!(text::as_ascii(dispatch::active(), b"abc"), Ok("abc"));
/// assert_eq!(text::as_ascii(dispatch::active(), "né".as_bytes()), Err(1));
/// ```
#[inline]
pub fn as_ascii<'a>(kernels: &Kernels, bytes: &'a [u8]) -> Result<&'a str, usize> {
    let prefix = ascii_prefix(|| kernels, bytes);
    if prefix == bytes.len() {
        // SAFETY: `ascii_prefix` found all of `bytes` to be ASCII, so they are UTF-8.
        Ok(unsafe { core::str::from_utf8_unchecked(bytes) })
    } else {
        Err(prefix)
    }
}

/// The length of the well-formed prefix, as [`Kernels::utf8_prefix`] returns it. Short text is
/// checked without the table: looking it up and calling it would cost more than the work.
#[inline]
#[must_use]
pub fn utf8_prefix<'k>(kernels: impl FnOnce() -> &'k Kernels, bytes: &[u8]) -> usize {
    match bytes {
        // Never lead bytes.
        [0x80..=0xC1 | 0xF5..=0xFF, ..] => 0,
        [0x80..=0xFF, ..] if bytes.len() < 16 => prefix_of_few(bytes),
        _ if is_tiny_ascii(bytes) => bytes.len(),
        _ => prefix_of_more(kernels, bytes),
    }
}

/// The same for a few bytes that are not ASCII, one sequence at a time.
fn prefix_of_few(bytes: &[u8]) -> usize {
    let mut read = 0;
    while let Some((_, length)) = Utf8::next(&bytes[read..]) {
        read += length;
    }
    read
}

/// The same for text that is longer, or not ASCII.
fn prefix_of_more<'k>(kernels: impl FnOnce() -> &'k Kernels, bytes: &[u8]) -> usize {
    if bytes.len() < 16 {
        prefix_of_few(bytes)
    } else if is_short_ascii(bytes) {
        bytes.len()
    } else {
        kernels().utf8_prefix(bytes)
    }
}

/// Whether these are at most 256 bytes, and all ASCII.
#[inline]
fn is_short_ascii(bytes: &[u8]) -> bool {
    match bytes.len() {
        0..=16 => is_tiny_ascii(bytes),
        17..=32 => ends_are_ascii::<16>(bytes),
        33..=64 => ends_are_ascii::<32>(bytes),
        65..=128 => ends_are_ascii::<64>(bytes),
        129..=256 => ends_are_ascii::<128>(bytes),
        _ => false,
    }
}

/// Whether these are at most 16 bytes, and all ASCII.
#[inline(always)]
fn is_tiny_ascii(bytes: &[u8]) -> bool {
    match bytes {
        [] => true,
        [a] => a.is_ascii(),
        [a, b] => (a | b).is_ascii(),
        [a, b, c] => (a | b | c).is_ascii(),
        _ => match bytes.len() {
            4..=8 => both_ends(bytes, u32::from_ne_bytes) & 0x8080_8080 == 0,
            9..=16 => both_ends(bytes, u64::from_ne_bytes) & 0x8080_8080_8080_8080 == 0,
            _ => false,
        },
    }
}

/// ORs the first and the last `N` bytes, which may overlap. Sets all bits if there are fewer.
#[inline(always)]
fn both_ends<const N: usize, T: BitOr<Output = T>>(bytes: &[u8], word: fn([u8; N]) -> T) -> T {
    let [first, last] = [bytes.first_chunk(), bytes.last_chunk()];
    word(*first.unwrap_or(&[0xFF; N])) | word(*last.unwrap_or(&[0xFF; N]))
}

/// Whether the first and the last `N` bytes, which may overlap, are ASCII.
#[inline(always)]
fn ends_are_ascii<const N: usize>(bytes: &[u8]) -> bool {
    let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) else {
        return false;
    };
    first.iter().zip(last).fold(0, |all, (a, b)| all | a | b).is_ascii()
}

/// Returns `bytes` as an owned string.
///
/// # Errors
/// Returns `bytes`, unchanged, if they are not well-formed UTF-8.
///
/// ```
/// use utfall_simd::{dispatch, text};
/// assert_eq!(text::into_string(dispatch::active(), b"abc".to_vec()), Ok("abc".into()));
/// assert!(text::into_string(dispatch::active(), b"\xC0\x80".to_vec()).is_err());
/// ```
#[cfg(feature = "alloc")]
pub fn into_string(kernels: &Kernels, bytes: Vec<u8>) -> Result<String, Vec<u8>> {
    if as_str(kernels, &bytes).is_ok() {
        // SAFETY: `as_str` has just found all of `bytes` well-formed.
        Ok(unsafe { String::from_utf8_unchecked(bytes) })
    } else {
        Err(bytes)
    }
}

/// Converts all of `src` to UTF-8 in `dst`.
///
/// # Errors
/// If not everything can be converted: how many bytes were read and written, and `dst`.
///
/// ```
/// use utfall_simd::{Layout, dispatch, text};
/// let kernels = dispatch::active();
/// assert_eq!(text::write_str(kernels, Layout::Latin1, b"\xE9", &mut [0; 8]), Ok("é"));
/// let Err((1, 1, _)) = text::write_str(kernels, Layout::Utf8, b"a\xFF", &mut [0; 8]) else { panic!() };
/// ```
#[inline]
pub fn write_str<'a>(
    kernels: &Kernels,
    from: Layout,
    src: &[u8],
    dst: &'a mut [u8],
) -> Result<&'a str, (usize, usize, &'a mut [u8])> {
    let (read, written) = kernels.convert(from, Layout::Utf8, src, dst);
    if read < src.len() {
        return Err((read, written, dst));
    }
    // SAFETY: a conversion to UTF-8 has written this many bytes of well-formed UTF-8.
    Ok(unsafe { core::str::from_utf8_unchecked(&dst[..written]) })
}

/// The same for text in a single-byte charset.
///
/// # Errors
/// If not everything can be converted: how many bytes were read and written, and `dst`.
#[inline]
pub fn write_str_from_table<'a>(
    kernels: &Kernels,
    from: &Table,
    src: &[u8],
    dst: &'a mut [u8],
) -> Result<&'a str, (usize, usize, &'a mut [u8])> {
    let (read, written) = kernels.utf8_from_table(from, src, dst);
    if read < src.len() {
        return Err((read, written, dst));
    }
    // SAFETY: a conversion to UTF-8 has written this many bytes of well-formed UTF-8.
    Ok(unsafe { core::str::from_utf8_unchecked(&dst[..written]) })
}

/// Converts a prefix to UTF-8 in a new string of at most `room` bytes. Returns the string and the
/// number of bytes read.
///
/// ```
/// use utfall_simd::{Layout, dispatch, text};
/// let made = text::to_string(dispatch::active(), Layout::Utf16Le, b"a\0\xE9\0\0\xDC", 9);
/// assert_eq!(made, ("aé".into(), 4));
/// ```
#[cfg(feature = "alloc")]
#[inline]
#[must_use]
pub fn to_string(kernels: &Kernels, from: Layout, src: &[u8], room: usize) -> (String, usize) {
    let (bytes, read) = to_vec(kernels, from, Layout::Utf8, src, room);
    // SAFETY: `to_vec` returns the output of one or more conversions to UTF-8, concatenated.
    (unsafe { String::from_utf8_unchecked(bytes) }, read)
}

/// Converts all of a text of up to [`SHORT`] bytes to UTF-8.
///
/// # Errors
/// The number of bytes read, if not everything can be converted.
///
/// ```
/// use utfall_simd::{Layout, dispatch, text};
/// let string = |src| text::to_short_string(dispatch::active(), Layout::Utf16Le, src);
/// assert_eq!(string(b"a\0\xE9\0"), Ok("aé".into()));
/// assert_eq!(string(b"a\0\xE9\0\0\xDC"), Err(4));
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn to_short_string(kernels: &Kernels, from: Layout, src: &[u8]) -> Result<String, usize> {
    // UTF-8 takes at most twice the bytes of any other layout.
    let mut made = [0; 2 * SHORT];
    match write_str(kernels, from, src, &mut made) {
        Ok(text) => Ok(text.into()),
        Err((read, ..)) => Err(read),
    }
}

/// The length of text that [`to_short_string`] and [`to_short_vec`] convert, in bytes.
#[cfg(feature = "alloc")]
pub const SHORT: usize = 64;

/// Converts a prefix of text in a single-byte charset to UTF-8 in a new string of at most `room`
/// bytes. Returns the string and the number of bytes read.
#[cfg(feature = "alloc")]
#[inline]
#[must_use]
pub fn to_string_from_table(
    kernels: &Kernels,
    from: &Table,
    src: &[u8],
    room: usize,
) -> (String, usize) {
    let (bytes, read) = to_vec_by(src, room, |src, dst| kernels.utf8_from_table(from, src, dst));
    // SAFETY: `to_vec_by` returns the output of one or more conversions to UTF-8, concatenated.
    (unsafe { String::from_utf8_unchecked(bytes) }, read)
}

/// Converts all of a short text in an East Asian charset to UTF-8, up to [`FEW_PAIRS`] bytes. `None`
/// if it is longer, or has anything that a kernel stops at.
#[cfg(feature = "alloc")]
#[inline]
#[must_use]
pub fn to_string_of_few_pairs(cells: &Cells<'_>, src: &[u8]) -> Option<String> {
    // A pair becomes three bytes at most, and the last character needs space for four.
    let mut made = [0; FEW_PAIRS / 2 * 3 + 4];
    if src.len() > FEW_PAIRS {
        return None;
    }
    let (read, written) = cells.few_to_utf8(src, &mut made);
    // SAFETY: `few_to_utf8` wrote the UTF-8 of code units that are not surrogates.
    let text = unsafe { core::str::from_utf8_unchecked(&made[..written]) };
    (read == src.len()).then(|| text.into())
}

/// The length of text that [`to_string_of_few_pairs`] converts, in bytes.
#[cfg(feature = "alloc")]
pub const FEW_PAIRS: usize = 64;

/// The same for up to 16 bytes in a single-byte charset.
#[cfg(feature = "alloc")]
#[inline]
#[must_use]
pub fn to_string_of_few(table: &Table, src: &[u8]) -> Option<String> {
    const FEW: usize = 16;
    let mut made = [0; 3 * FEW + 4];
    if src.len() > FEW {
        return None;
    }
    let (read, written) = table.few_to_utf8(src, &mut made);
    // SAFETY: `few_to_utf8` wrote the UTF-8 of the code points of the table.
    let text = unsafe { core::str::from_utf8_unchecked(&made[..written]) };
    (read == src.len()).then(|| text.into())
}

/// Converts all of a text in UTF-7 to UTF-8: short text that stays the same is borrowed. `None` if
/// it has an error, or needs more than `room` bytes.
///
/// ```
/// use std::borrow::Cow;
/// use utfall_simd::{dispatch, text};
/// let text = |src| text::str_from_utf7(dispatch::active(), src, 64);
/// assert_eq!(text(b"Hi Mom +Jjo-!").as_deref(), Some("Hi Mom ☺!"));
/// assert!(matches!(text(b"Hi Mom"), Some(Cow::Borrowed("Hi Mom"))));
/// assert_eq!(text(b"+Jj"), None);
/// ```
#[cfg(feature = "alloc")]
#[inline]
#[must_use]
pub fn str_from_utf7<'a>(kernels: &Kernels, src: &'a [u8], room: usize) -> Option<Cow<'a, str>> {
    let mut state = RunState::default();
    let (made, read) = to_cow_by(src, room, |src, dst| kernels.utf7_to_utf8(&mut state, src, dst));
    // A run may end with the text, if the bits left over are zero.
    if read < src.len() || state.bits != 0 {
        return None;
    }
    Some(match made {
        // SAFETY: the bytes are equal to the output of a conversion to UTF-8.
        Cow::Borrowed(bytes) => Cow::Borrowed(unsafe { core::str::from_utf8_unchecked(bytes) }),
        // SAFETY: this is the output of one or more conversions to UTF-8, concatenated.
        Cow::Owned(bytes) => Cow::Owned(unsafe { String::from_utf8_unchecked(bytes) }),
    })
}

/// Converts a prefix to UTF-8 in a new string, with U+FFFD for ill-formed sequences, if there is a
/// kernel for it. Only a truncated sequence at the end may be left over. `room` is an estimate.
///
/// ```
/// use utfall_simd::{Layout, dispatch, text};
/// let (text, made) =
///     text::to_string_lossy(dispatch::active(), Layout::Utf8, b"a\xFFb\xE2\x98", 0).unwrap();
/// assert_eq!((&*text, made.read, made.replaced), ("a\u{FFFD}b", 3, 1));
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn to_string_lossy(
    kernels: &Kernels,
    from: Layout,
    src: &[u8],
    room: usize,
) -> Option<(String, Lossy)> {
    let (bytes, made) =
        to_lossy_vec(src, room, |src, dst| kernels.convert_lossy(from, Layout::Utf8, src, dst))?;
    // SAFETY: this is the output of lossy conversions to UTF-8, concatenated.
    Some((unsafe { String::from_utf8_unchecked(bytes) }, made))
}

/// The same for all of a text of up to 256 bytes, also a truncated sequence at the end. `None` if
/// there are more, or if the layout is Latin-1, which is always well-formed.
///
/// ```
/// use utfall_simd::{Layout, dispatch, text};
/// let (text, made) =
///     text::to_string_of_few_lossy(dispatch::active(), Layout::Utf8, b"a\xFFb\xE2\x98").unwrap();
/// assert_eq!((&*text, made.read, made.replaced), ("a\u{FFFD}b\u{FFFD}", 5, 2));
/// ```
#[cfg(feature = "alloc")]
#[inline(always)]
#[must_use]
pub fn to_string_of_few_lossy(
    kernels: &Kernels,
    from: Layout,
    src: &[u8],
) -> Option<(String, Lossy)> {
    match from {
        _ if src.len() > FEW_LOSSY => None,
        Layout::Utf8 => Some(few_lossy::<Utf8>(kernels, from, src)),
        Layout::Utf16Le => Some(few_lossy::<Utf16<LITTLE>>(kernels, from, src)),
        Layout::Utf16Be => Some(few_lossy::<Utf16<BIG>>(kernels, from, src)),
        Layout::Utf32Le => Some(few_lossy::<Utf32<LITTLE>>(kernels, from, src)),
        Layout::Utf32Be => Some(few_lossy::<Utf32<BIG>>(kernels, from, src)),
        Layout::Latin1 => None,
    }
}

/// The length of text that [`to_string_of_few_lossy`] converts, in bytes.
#[cfg(feature = "alloc")]
const FEW_LOSSY: usize = 256;

#[cfg(feature = "alloc")]
#[inline(always)]
fn few_lossy<S: Source>(kernels: &Kernels, from: Layout, src: &[u8]) -> (String, Lossy) {
    // U+FFFD for every byte, and space for the vectors of kernels. Clearing a buffer takes time.
    match src.len() {
        0..=16 => few_lossy_by::<S, 64>(kernels, from, src),
        17..=64 => few_lossy_by::<S, 256>(kernels, from, src),
        _ => few_lossy_by::<S, { 3 * FEW_LOSSY + 64 }>(kernels, from, src),
    }
}

#[cfg(feature = "alloc")]
#[inline(always)]
fn few_lossy_by<S: Source, const N: usize>(
    kernels: &Kernels,
    from: Layout,
    src: &[u8],
) -> (String, Lossy) {
    let mut made = [0; N];
    let mut lossy = if src.len() <= 16 {
        scalar::lossy::<S, Utf8>(src, &mut made)
    } else {
        scalar::lossy_by::<S, Utf8>(src, &mut made, |src, dst| {
            kernels.convert(from, Layout::Utf8, src, dst)
        })
    };
    if lossy.read < src.len() {
        made[lossy.written..][..3].copy_from_slice("\u{FFFD}".as_bytes());
        lossy.read = src.len();
        lossy.written += 3;
        lossy.replaced += 1;
    }
    // SAFETY: this is the output of conversions to UTF-8, and U+FFFD, concatenated.
    let text = unsafe { core::str::from_utf8_unchecked(&made[..lossy.written]) };
    (text.into(), lossy)
}

/// The same for text in a single-byte charset, all of which is converted.
#[cfg(feature = "alloc")]
#[must_use]
pub fn to_string_from_table_lossy(
    kernels: &Kernels,
    from: &Table,
    src: &[u8],
    room: usize,
) -> (String, Lossy) {
    let made = to_lossy_vec(src, room, |src, dst| {
        kernels.convert_from_table_lossy(from, Layout::Utf8, src, dst)
    });
    let (bytes, made) = made.unwrap_or_default();
    // SAFETY: this is the output of lossy conversions to UTF-8, concatenated.
    (unsafe { String::from_utf8_unchecked(bytes) }, made)
}

/// Collects the output of lossy conversions to UTF-8 in a new vector. Also returns the numbers of
/// bytes read and written, and of replacements. `None` if `convert` returns `None`. `room` is an
/// estimate of the output, in bytes; any output fits.
///
/// ```
/// use utfall_simd::{Layout, dispatch, text};
/// let kernels = dispatch::active();
/// let convert = |src: &[u8], dst: &mut [u8]| {
///     kernels.convert_lossy(Layout::Utf8, Layout::Utf8, src, dst)
/// };
/// let (text, made) = text::to_lossy_vec(b"a\xFFb", 3, convert).unwrap();
/// assert_eq!((&*text, made.replaced), ("a\u{FFFD}b".as_bytes(), 1));
/// ```
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn to_lossy_vec(
    src: &[u8],
    room: usize,
    convert: impl Fn(&[u8], &mut [u8]) -> Option<Lossy>,
) -> Option<(Vec<u8>, Lossy)> {
    // U+FFFD for every byte would take at most this much, with space for one more.
    let most = LONGEST * (src.len() + 1);
    let mut made = Vec::with_capacity(room.min(most));
    let mut all = Lossy::default();
    loop {
        made.resize(most.min(all.written + PIECE), 0);
        let dst = &mut made[all.written..];
        let more = convert(&src[all.read..], dst)?;
        let is_full = dst.len() - more.written < LONGEST;
        all.read += more.read;
        all.written += more.written;
        all.replaced += more.replaced;
        if all.read == src.len() || !is_full {
            break;
        }
    }
    made.truncate(all.written);
    Some((made, all))
}

/// Converts all of a text of up to [`SHORT`] bytes into a new vector.
///
/// # Errors
/// The number of bytes read, if not everything can be converted.
///
/// ```
/// use utfall_simd::{Layout, dispatch, text};
/// let vec = |src| text::to_short_vec(dispatch::active(), Layout::Utf8, Layout::Utf16Be, src);
/// assert_eq!(vec("aé".as_bytes()), Ok(vec![0, 0x61, 0, 0xE9]));
/// assert_eq!(vec(b"a\xFF"), Err(1));
/// ```
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn to_short_vec(
    kernels: &Kernels,
    from: Layout,
    to: Layout,
    src: &[u8],
) -> Result<Vec<u8>, usize> {
    // No byte becomes more than four. The vector is made in one place, so that it stays in
    // registers.
    let (mut few, mut some, mut most);
    let dst: &mut [u8] = match src.len() {
        0..=16 => {
            few = [0; 64];
            &mut few
        }
        17..=32 => {
            some = [0; 128];
            &mut some
        }
        _ => {
            most = [0; 4 * SHORT];
            &mut most
        }
    };
    let (read, written) = kernels.convert(from, to, src, dst);
    if read == src.len() { Ok(dst[..written].to_vec()) } else { Err(read) }
}

/// Converts all of a text of up to [`FEW_AS_UTF16`] bytes from UTF-8 to UTF-16 in native byte
/// order.
///
/// # Errors
/// The length of the well-formed prefix, if the text is ill-formed.
///
/// ```
/// use utfall_simd::text;
/// assert_eq!(text::to_few_utf16("né".as_bytes()), Ok(vec![0x6E, 0xE9]));
/// assert_eq!(text::to_few_utf16(b"n\xFF"), Err(1));
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn to_few_utf16(src: &[u8]) -> Result<Vec<u16>, usize> {
    let mut made = [0; FEW_AS_UTF16];
    let (mut read, mut written) = (0, 0);
    while let Some((scalar, length)) = Utf8::next(&src[read..])
        && let Some(room) = made.get_mut(written..)
        && let Some(filled) = Utf16::<NATIVE>::put(units::bytes_mut(room), scalar)
    {
        read += length;
        written += filled / 2;
    }
    if read == src.len() { Ok(made[..written].to_vec()) } else { Err(read) }
}

/// The length of text that [`to_few_utf16`] converts, in bytes.
#[cfg(feature = "alloc")]
pub const FEW_AS_UTF16: usize = 12;

/// The byte order of this machine.
#[cfg(feature = "alloc")]
const NATIVE: bool = cfg!(target_endian = "little") == LITTLE;

/// Converts Latin-1 to UTF-16 or UTF-32, in a new vector. `None` for another layout.
///
/// ```
/// use utfall_simd::{Layout, text};
/// assert_eq!(text::widened(Layout::Utf16Be, b"a\xE9"), Some(vec![0, 0x61, 0, 0xE9]));
/// assert_eq!(text::widened(Layout::Utf8, b"a\xE9"), None);
/// ```
// The compiler makes vectors of these loops. A kernel would write to memory that has been cleared.
#[cfg(feature = "alloc")]
#[inline]
#[must_use]
pub fn widened(to: Layout, src: &[u8]) -> Option<Vec<u8>> {
    fn units<const N: usize>(src: &[u8], unit: impl Fn(u8) -> [u8; N]) -> Vec<u8> {
        src.iter().map(|byte| unit(*byte)).collect::<Vec<_>>().into_flattened()
    }
    match to {
        Layout::Utf16Le => Some(units(src, |byte| u16::from(byte).to_le_bytes())),
        Layout::Utf16Be => Some(units(src, |byte| u16::from(byte).to_be_bytes())),
        Layout::Utf32Le => Some(units(src, |byte| u32::from(byte).to_le_bytes())),
        Layout::Utf32Be => Some(units(src, |byte| u32::from(byte).to_be_bytes())),
        Layout::Utf8 | Layout::Latin1 => None,
    }
}

/// Converts a prefix into a new vector of at most `room` code units of the target. Returns the
/// vector and the number of bytes read.
///
/// ```
/// use utfall_simd::{Layout, dispatch, text, units};
/// let kernels = dispatch::active();
/// let made = text::to_vec(kernels, Layout::Latin1, units::NATIVE_UTF16, b"a\xE9", 2);
/// assert_eq!(made, (vec![0x61_u16, 0xE9], 2));
/// ```
#[cfg(feature = "alloc")]
#[inline(always)]
#[must_use]
pub fn to_vec<T: Unit + Default>(
    kernels: &Kernels,
    from: Layout,
    to: Layout,
    src: &[u8],
    room: usize,
) -> (Vec<T>, usize) {
    to_vec_by(src, room, |src, dst| kernels.convert(from, to, src, dst))
}

/// The same by a function that converts a prefix and returns the bytes read and written, as a
/// conversion of [`Kernels`] does.
///
/// ```
/// use utfall_simd::{dispatch, text};
/// let kernels = dispatch::active();
/// let made = text::to_vec_by(b"a\xE9", 4, |src, dst| kernels.latin1_to_utf16le(src, dst));
/// assert_eq!(made, (vec![b'a', 0, 0xE9, 0], 2));
/// ```
#[cfg(feature = "alloc")]
#[inline(always)]
#[must_use]
pub fn to_vec_by<T: Unit + Default>(
    src: &[u8],
    room: usize,
    convert: impl FnMut(&[u8], &mut [u8]) -> (usize, usize),
) -> (Vec<T>, usize) {
    // Kernels write whole registers where they have space for them.
    match room {
        ..=16 => by_stack::<T, 16>(src, convert),
        17..=64 => by_stack::<T, 64>(src, convert),
        _ => to_longer_vec(src, room, convert),
    }
}

/// The same for bytes. Short text that stays the same is borrowed.
///
/// ```
/// use std::borrow::Cow;
/// use utfall_simd::{dispatch, text};
/// let kernels = dispatch::active();
/// let made = text::to_cow_by(b"ab", 4, |src, dst| kernels.latin1_to_utf8(src, dst));
/// assert!(matches!(made, (Cow::Borrowed(b"ab"), 2)));
/// ```
#[cfg(feature = "alloc")]
#[inline(always)]
#[must_use]
pub fn to_cow_by(
    src: &[u8],
    room: usize,
    convert: impl FnMut(&[u8], &mut [u8]) -> (usize, usize),
) -> (Cow<'_, [u8]>, usize) {
    match room {
        ..=128 => cow_by_stack::<128>(src, convert),
        129..=256 => cow_by_stack::<256>(src, convert),
        _ => {
            let (made, read) = to_longer_vec(src, room, convert);
            (Cow::Owned(made), read)
        }
    }
}

/// Converts as [`to_cow_by`] does, through a buffer of `N` bytes on the stack. A larger buffer takes
/// longer to clear.
#[cfg(feature = "alloc")]
#[inline(always)]
fn cow_by_stack<const N: usize>(
    src: &[u8],
    mut convert: impl FnMut(&[u8], &mut [u8]) -> (usize, usize),
) -> (Cow<'_, [u8]>, usize) {
    let mut made = [0; N];
    let (read, written) = convert(src, &mut made);
    match &made[..written] {
        same if same == src => (Cow::Borrowed(src), read),
        made => (Cow::Owned(made.to_vec()), read),
    }
}

#[cfg(feature = "alloc")]
#[inline(never)]
fn to_longer_vec<T: Unit + Default>(
    src: &[u8],
    room: usize,
    mut convert: impl FnMut(&[u8], &mut [u8]) -> (usize, usize),
) -> (Vec<T>, usize) {
    // Clearing a buffer takes time, too.
    match room {
        ..=128 => return by_stack::<T, 128>(src, convert),
        129..=256 => return by_stack::<T, 256>(src, convert),
        _ => {}
    }
    let mut made = Vec::with_capacity(room);
    let (mut read, mut written) = (0, 0);
    loop {
        // Kernels need initialized memory. Zeroed piece by piece, it is still in the first-level
        // cache when it is written. Zeroed as a whole, it would go out to memory in between.
        made.resize(room.min(written / size_of::<T>() + PIECE), T::default());
        let dst = &mut units::bytes_mut(&mut made)[written..];
        let (bytes, filled) = convert(&src[read..], dst);
        let is_full = dst.len() - filled < LONGEST;
        read += bytes;
        written += filled;
        if read == src.len() || made.len() == room || !is_full {
            made.truncate(written / size_of::<T>());
            return (made, read);
        }
    }
}

/// The same through a buffer of `N` code units on the stack. The allocation then needs no zeroing
/// and has no surplus.
#[cfg(feature = "alloc")]
#[inline(always)]
fn by_stack<T: Unit + Default, const N: usize>(
    src: &[u8],
    mut convert: impl FnMut(&[u8], &mut [u8]) -> (usize, usize),
) -> (Vec<T>, usize) {
    let mut made = [T::default(); N];
    let (read, written) = convert(src, units::bytes_mut(&mut made));
    (made[..written / size_of::<T>()].to_vec(), read)
}

/// The most bytes that a code point takes.
#[cfg(feature = "alloc")]
const LONGEST: usize = 4;

/// Number of code units of a long vector that are converted at a time.
#[cfg(feature = "alloc")]
const PIECE: usize = 8 * 1024;
