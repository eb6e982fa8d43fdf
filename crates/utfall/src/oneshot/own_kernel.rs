//! Conversion of short text by the kernel of a format that keeps a state: UTF-7 and ISO-2022-JP.
//! A stream takes longer to begin than to convert some hundred bytes.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

#[cfg(feature = "alloc")]
use utfall_simd::text;
use utfall_simd::{Layout, dispatch};

#[cfg(feature = "legacy")]
use crate::codec::iso_2022_jp::{self, Iso2022Jp};
use crate::codec::utf7::Utf7;
use crate::codec::{Codec, Decode, Encode, Next};
use crate::encoding::{AnyDecoder, AnyEncoder};
#[cfg(all(feature = "alloc", feature = "legacy"))]
use crate::engine::append_escape;
use crate::route::Route;
use crate::{Encoding, Options};
#[cfg(all(feature = "alloc", feature = "legacy"))]
use crate::{Escape, Policy};

/// Whether to leave out code that only speeds up short ISO-2022-JP: WebAssembly modules are downloaded,
/// so they must be small.
#[cfg(feature = "legacy")]
const IS_SMALL: bool = cfg!(target_arch = "wasm32");

/// Text from this length on goes to a stream, which needs no estimate of the length of its output.
const LONG: usize = 1024;

/// Whether kernels of UTF-7 and ISO-2022-JP read and write UTF-16.
const HAS_UTF16: bool = cfg!(not(target_arch = "wasm32"));

/// Text up to this length, in bytes, is converted through UTF-8 in a buffer.
const SHORT: usize = 256;

/// The longest piece of a text with escapes that is encoded at once, in bytes.
#[cfg(all(feature = "alloc", feature = "legacy"))]
const LONGEST_PIECE: usize = 4096;

/// The size of that buffer. Few texts need more.
const UTF8_ROOM: usize = 3 * SHORT / 2 + 48;

/// Converts a whole text, which has a route for one of these kernels. Returns the number of bytes
/// written. `None` if that is not possible: the text is long, has an error, or does not fit. A stream
/// then begins again.
#[inline]
pub(super) fn convert_into(
    route: Route,
    (source, target): (Encoding, Encoding),
    bytes: &[u8],
    buffer: &mut [u8],
    options: &Options,
) -> Option<usize> {
    match route {
        _ if bytes.len() >= LONG => None,
        Route::ToUtf8 => decode_from(source, bytes, buffer, options),
        Route::FromUtf8 => encode_to(target, bytes, buffer, options),
        Route::ToUtf8Then(to @ (Layout::Utf16Le | Layout::Utf16Be))
            if HAS_UTF16 && source == Encoding::Utf7 =>
        {
            decode_to_utf16(Utf7::decoder(options), to, bytes, buffer)
        }
        Route::FromUtf8After(from @ (Layout::Utf16Le | Layout::Utf16Be))
            if HAS_UTF16 && target == Encoding::Utf7 =>
        {
            encode_utf16(Utf7::encoder(options), from, bytes, buffer)
        }
        #[cfg(feature = "legacy")]
        Route::ToUtf8Then(to @ (Layout::Utf16Le | Layout::Utf16Be))
            if HAS_UTF16 && source == Encoding::Iso2022Jp =>
        {
            decode_to_utf16(Iso2022Jp::decoder(options), to, bytes, buffer)
        }
        #[cfg(feature = "legacy")]
        Route::FromUtf8After(from @ (Layout::Utf16Le | Layout::Utf16Be))
            if HAS_UTF16 && target == Encoding::Iso2022Jp =>
        {
            encode_utf16(Iso2022Jp::encoder(options), from, bytes, buffer)
        }
        Route::ToUtf8Then(_) | Route::FromUtf8After(_) if bytes.len() <= SHORT => {
            by_utf8(route, (source, target), bytes, buffer, options)
        }
        _ => None,
    }
}

/// Converts all of a short text to or from ISO-2022-JP, in the fewest steps. Once the
/// encodings have determined the route, no option affects the result.
#[inline(always)]
pub(super) fn iso_2022_jp(
    route: Route,
    (source, target): (Encoding, Encoding),
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    #[cfg(feature = "legacy")]
    match route {
        _ if IS_SMALL => {}
        Route::ToUtf8 if source == Encoding::Iso2022Jp => {
            return iso_2022_jp::decode_all(src, dst);
        }
        Route::FromUtf8 if target == Encoding::Iso2022Jp => {
            return iso_2022_jp::encode_all(src, dst);
        }
        Route::ToUtf8Then(to) if source == Encoding::Iso2022Jp => {
            return iso_2022_jp::decode_all_to_utf16(to, src, dst);
        }
        Route::FromUtf8After(from) if target == Encoding::Iso2022Jp => {
            return iso_2022_jp::encode_all_utf16(from, src, dst);
        }
        _ => {}
    }
    _ = (route, source, target, src, dst);
    None
}

/// Decodes all of a short text in ISO-2022-JP to a string.
#[cfg(feature = "alloc")]
#[inline]
fn decode_iso_2022_jp(source: Encoding, bytes: &[u8]) -> Option<Cow<'_, str>> {
    #[cfg(feature = "legacy")]
    if !IS_SMALL && source == Encoding::Iso2022Jp {
        /// Text up to this length, in bytes, is decoded to the stack.
        const FEW: usize = 128;
        let mut room = [0; 3 * FEW];
        if bytes.len() > FEW {
            return None;
        }
        if iso_2022_jp::is_plain(bytes) {
            return core::str::from_utf8(bytes).ok().map(Cow::Borrowed);
        }
        let length = iso_2022_jp::decode_all(bytes, &mut room)?;
        let text = text::as_str(dispatch::active(), &room[..length]).ok()?;
        return Some(Cow::Owned(text.into()));
    }
    _ = (source, bytes);
    None
}

/// Encodes a whole text to ISO-2022-JP, with an escape for each character that it lacks.
#[cfg(feature = "alloc")]
pub(super) fn escaping(
    route: Route,
    target: Encoding,
    text: &str,
    options: &Options,
) -> Option<Vec<u8>> {
    #[cfg(feature = "legacy")]
    if !IS_SMALL
        && target == Encoding::Iso2022Jp
        && let (Route::FromUtf8, Policy::Escape(style)) = (route, options.on_unencodable)
        && options.transliterate.is_none()
        && !options.jis_x_0212
    {
        return encode_escaping(Iso2022Jp::encoder(options), text, style);
    }
    _ = (route, target, text, options);
    None
}

#[cfg(all(feature = "alloc", feature = "legacy"))]
fn encode_escaping(mut encoder: impl Encode, text: &str, style: Escape) -> Option<Vec<u8>> {
    /// An upper limit for the bytes of a character and its escape sequence.
    const MOST: usize = 8;
    /// An upper limit for the bytes of the escape of a missing character, or of the end of a text.
    const ESCAPE: usize = 32;
    let kernels = dispatch::active();
    let (mut read, mut written) = (0, 0);
    let mut made = alloc::vec![0; text.len() + text.len() / 2 + ESCAPE + MOST];
    let (mut escape, mut piece) = (Vec::new(), SHORT);
    loop {
        let rest = text.get(read..)?;
        // A short piece wastes less work if the charset lacks one of the next characters.
        let part = &rest[..rest.floor_char_boundary(piece)];
        let (bytes, length) = encoder.encode_utf8(kernels, part.as_bytes(), &mut made[written..]);
        read += bytes;
        written += length;
        if made.len() - written < ESCAPE + MOST {
            // The encoder may have stopped for lack of space.
            made.resize(made.len() + rest.len() + ESCAPE + MOST, 0);
            continue;
        }
        let Some(missing) = part[bytes..].chars().next() else {
            if read == text.len() {
                break;
            }
            piece = LONGEST_PIECE.min(2 * piece);
            continue;
        };
        escape.clear();
        append_escape(style, u32::from(missing), &mut escape);
        let (bytes, length) = encoder.encode_utf8(kernels, &escape, &mut made[written..]);
        if bytes < escape.len() {
            return None;
        }
        written += length;
        read += missing.len_utf8();
        piece = SHORT;
    }
    written += encoder.finish(&mut made[written..])?;
    made.truncate(written);
    Some(made)
}

/// Converts between such a format and a form other than UTF-8.
#[inline(never)]
fn by_utf8(
    route: Route,
    (source, target): (Encoding, Encoding),
    bytes: &[u8],
    buffer: &mut [u8],
    options: &Options,
) -> Option<usize> {
    let mut text = [0; UTF8_ROOM];
    match route {
        Route::ToUtf8Then(to) => {
            let length = decode_from(source, bytes, &mut text, options)?;
            convert_all(Layout::Utf8, to, &text[..length], buffer)
        }
        Route::FromUtf8After(from) => {
            let length = convert_all(from, Layout::Utf8, bytes, &mut text)?;
            encode_to(target, &text[..length], buffer, options)
        }
        _ => None,
    }
}

/// Converts all of a text, and returns the number of bytes written, if that is possible.
fn convert_all(from: Layout, to: Layout, text: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (read, written) = dispatch::active().convert(from, to, text, dst);
    (read == text.len()).then_some(written)
}

/// The same, into a vector.
#[cfg(feature = "alloc")]
#[inline]
pub(super) fn convert(
    route: Route,
    encodings: (Encoding, Encoding),
    bytes: &[u8],
    options: &Options,
) -> Option<Vec<u8>> {
    let room = match route {
        Route::ToUtf8 => room_for_utf8(bytes),
        Route::FromUtf8 => room_for_utf7(bytes),
        _ => return None,
    };
    let mut is_done = false;
    let (made, _) = text::to_vec_by(bytes, room, |_, buffer| {
        let written = convert_into(route, encodings, bytes, buffer, options);
        is_done = written.is_some();
        (bytes.len(), written.unwrap_or_default())
    });
    is_done.then_some(made)
}

/// Decodes a whole text in UTF-7, or a short one in ISO-2022-JP, like [`convert`], but starts faster. A
/// BOM is ordinary text.
#[cfg(feature = "alloc")]
#[inline]
pub(super) fn decoded(source: Encoding, bytes: &[u8]) -> Option<Cow<'_, str>> {
    if source != Encoding::Utf7 || bytes.len() >= LONG {
        return decode_iso_2022_jp(source, bytes);
    }
    text::str_from_utf7(dispatch::active(), bytes, room_for_utf8(bytes))
}

/// Encodes a whole text to UTF-7 like [`convert`], but starts faster. A BOM is ordinary text.
#[cfg(feature = "alloc")]
#[inline]
pub(super) fn encoded<'a>(
    target: Encoding,
    text: &'a str,
    options: &Options,
) -> Option<Cow<'a, [u8]>> {
    let src = text.as_bytes();
    if target != Encoding::Utf7 || src.len() >= LONG {
        return None;
    }
    let kernels = dispatch::active();
    let mut encoder = Utf7::encoder(options);
    let (made, read) = text::to_cow_by(src, room_for_utf7(src), |src, buffer| {
        let (read, written) = encoder.encode_utf8(kernels, src, buffer);
        match encoder.finish(&mut buffer[written..]) {
            Some(end) if read == src.len() => (read, written + end),
            _ => (0, 0),
        }
    });
    (read == src.len()).then_some(made)
}

/// A character of two bytes is up to five of UTF-7.
#[cfg(feature = "alloc")]
fn room_for_utf7(bytes: &[u8]) -> usize {
    bytes.len() * 5 / 2 + SPACE
}

/// Eight digits of UTF-7 are up to nine bytes of UTF-8.
#[cfg(feature = "alloc")]
fn room_for_utf8(bytes: &[u8]) -> usize {
    bytes.len() + bytes.len() / 8 + SPACE
}

/// The space, in bytes, that kernels need after the text.
#[cfg(feature = "alloc")]
const SPACE: usize = 48;

/// Decodes a whole text. Creating a codec of any encoding takes longer than converting a word.
#[inline]
fn decode_from(
    source: Encoding,
    bytes: &[u8],
    buffer: &mut [u8],
    options: &Options,
) -> Option<usize> {
    match source {
        Encoding::Utf7 => decode(Utf7::decoder(options), bytes, buffer),
        #[cfg(feature = "legacy")]
        Encoding::Iso2022Jp => decode(Iso2022Jp::decoder(options), bytes, buffer),
        _ => decode(AnyDecoder::new(source, options), bytes, buffer),
    }
}

/// The same for encoding.
#[inline]
fn encode_to(
    target: Encoding,
    bytes: &[u8],
    buffer: &mut [u8],
    options: &Options,
) -> Option<usize> {
    match target {
        Encoding::Utf7 => encode(Utf7::encoder(options), bytes, buffer),
        #[cfg(feature = "legacy")]
        Encoding::Iso2022Jp => encode(Iso2022Jp::encoder(options), bytes, buffer),
        _ => encode(AnyEncoder::new(target, options), bytes, buffer),
    }
}

#[inline(never)]
fn decode(decoder: impl Decode, bytes: &[u8], buffer: &mut [u8]) -> Option<usize> {
    let kernels = dispatch::active();
    let convert = |decoder: &mut _, src: &[u8], dst: &mut [u8]| {
        Some(Decode::decode_to_utf8(decoder, kernels, src, dst))
    };
    decode_by(decoder, bytes, buffer, convert, |scalar, dst| {
        let room = dst.get_mut(..scalar.len_utf8())?;
        Some(scalar.encode_utf8(room).len())
    })
}

/// The same to UTF-16 of this byte order.
#[inline(never)]
fn decode_to_utf16(
    decoder: impl Decode,
    to: Layout,
    bytes: &[u8],
    buffer: &mut [u8],
) -> Option<usize> {
    let kernels = dispatch::active();
    let convert = |decoder: &mut _, src: &[u8], dst: &mut [u8]| {
        Decode::decode_to_utf16(decoder, kernels, to, src, dst)
    };
    decode_by(decoder, bytes, buffer, convert, |scalar, dst| {
        let mut units = [0; 2];
        let units = scalar.encode_utf16(&mut units);
        for (unit, room) in units.iter().zip(dst.get_mut(..2 * units.len())?.as_chunks_mut().0) {
            *room = match to {
                Layout::Utf16Le => unit.to_le_bytes(),
                _ => unit.to_be_bytes(),
            };
        }
        Some(2 * units.len())
    })
}

/// Decodes with a kernel, and writes single characters where it stops.
#[inline(always)]
fn decode_by<D: Decode>(
    mut decoder: D,
    bytes: &[u8],
    buffer: &mut [u8],
    convert: impl Fn(&mut D, &[u8], &mut [u8]) -> Option<(usize, usize)>,
    put: impl Fn(char, &mut [u8]) -> Option<usize>,
) -> Option<usize> {
    let (mut read, mut written) = (0, 0);
    loop {
        let more = convert(&mut decoder, &bytes[read..], &mut buffer[written..])?;
        read += more.0;
        written += more.1;
        match decoder.next(&bytes[read..], true) {
            Next::End if read == bytes.len() => return Some(written),
            Next::Skip { length } => read += length,
            Next::Point { point, length } => {
                written += put(char::from_u32(point)?, &mut buffer[written..])?;
                read += length;
            }
            Next::End | Next::Ill(_) => return None,
        }
    }
}

#[inline(never)]
fn encode(mut encoder: impl Encode, bytes: &[u8], buffer: &mut [u8]) -> Option<usize> {
    let (read, written) = encoder.encode_utf8(dispatch::active(), bytes, buffer);
    if read < bytes.len() {
        return None;
    }
    Some(written + encoder.finish(&mut buffer[written..])?)
}

/// The same from UTF-16 of this byte order.
#[inline(never)]
fn encode_utf16(
    mut encoder: impl Encode,
    from: Layout,
    bytes: &[u8],
    buffer: &mut [u8],
) -> Option<usize> {
    let (read, written) = encoder.encode_utf16(dispatch::active(), from, bytes, buffer)?;
    if read < bytes.len() {
        return None;
    }
    Some(written + encoder.finish(&mut buffer[written..])?)
}
