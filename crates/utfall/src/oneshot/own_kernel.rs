//! Conversion of short text by the kernel of a format that keeps a state: UTF-7 and ISO-2022-JP.
//! A stream takes longer to begin than to convert some hundred bytes.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

#[cfg(feature = "alloc")]
use utfall_simd::text;
use utfall_simd::{Layout, dispatch};

#[cfg(feature = "legacy")]
use crate::codec::iso_2022_jp::Iso2022Jp;
use crate::codec::utf7::Utf7;
use crate::codec::{Codec, Decode, Encode, Next};
use crate::encoding::{AnyDecoder, AnyEncoder};
use crate::route::Route;
use crate::{Encoding, Options};

/// Text from this length on goes to a stream, which needs no estimate of the length of its output.
const LONG: usize = 1024;

/// Text up to this length, in bytes, is converted through UTF-8 in a buffer.
const SHORT: usize = 256;

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
        Route::ToUtf8Then(_) | Route::FromUtf8After(_) if bytes.len() <= SHORT => {
            by_utf8(route, (source, target), bytes, buffer, options)
        }
        _ => None,
    }
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

/// Decodes a whole text in UTF-7 as [`convert`] does, with less time to begin.
#[cfg(feature = "alloc")]
#[inline]
pub(super) fn decoded(route: Route, source: Encoding, bytes: &[u8]) -> Option<Cow<'_, str>> {
    if source != Encoding::Utf7 || bytes.len() >= LONG || !matches!(route, Route::ToUtf8) {
        return None;
    }
    text::str_from_utf7(dispatch::active(), bytes, room_for_utf8(bytes))
}

/// Encodes a whole text to UTF-7 as [`convert`] does, with less time to begin.
#[cfg(feature = "alloc")]
#[inline]
pub(super) fn encoded<'a>(
    route: Route,
    target: Encoding,
    text: &'a str,
    options: &Options,
) -> Option<Cow<'a, [u8]>> {
    let src = text.as_bytes();
    if target != Encoding::Utf7 || src.len() >= LONG || !matches!(route, Route::FromUtf8) {
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
fn decode(mut decoder: impl Decode, bytes: &[u8], buffer: &mut [u8]) -> Option<usize> {
    let kernels = dispatch::active();
    let (mut read, mut written) = (0, 0);
    loop {
        let more = decoder.decode_to_utf8(kernels, &bytes[read..], &mut buffer[written..]);
        read += more.0;
        written += more.1;
        match decoder.next(&bytes[read..], true) {
            Next::End if read == bytes.len() => return Some(written),
            Next::Skip { length } => read += length,
            Next::Point { point, length } => {
                let scalar = char::from_u32(point)?;
                let room = buffer[written..].get_mut(..scalar.len_utf8())?;
                written += scalar.encode_utf8(room).len();
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
