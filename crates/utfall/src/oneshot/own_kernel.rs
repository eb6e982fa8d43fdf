//! Conversion of short text by the kernel of a format that keeps a state: UTF-7 and ISO-2022-JP.
//! A stream takes longer to begin than to convert some hundred bytes.

use utfall_simd::{Layout, dispatch};

use crate::codec::{Decode, Encode, Next};
use crate::encoding::{AnyDecoder, AnyEncoder};
use crate::route::Route;
use crate::{Encoding, Options};

/// Text from this length on goes to a stream, which needs no estimate of the length of its output.
const LONG: usize = 1024;

/// Text up to this length is converted by way of UTF-8 in a buffer, in bytes.
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
        Route::ToUtf8 => decode(AnyDecoder::new(source, options), bytes, buffer),
        Route::FromUtf8 => encode(AnyEncoder::new(target, options), bytes, buffer),
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
            let length = decode(AnyDecoder::new(source, options), bytes, &mut text)?;
            convert_all(Layout::Utf8, to, &text[..length], buffer)
        }
        Route::FromUtf8After(from) => {
            let length = convert_all(from, Layout::Utf8, bytes, &mut text)?;
            encode(AnyEncoder::new(target, options), &text[..length], buffer)
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
) -> Option<alloc::vec::Vec<u8>> {
    // Eight digits of UTF-7 are up to nine bytes of UTF-8. A character of two bytes is up to five of
    // UTF-7, and kernels need some space after the text.
    let room = match route {
        Route::ToUtf8 => bytes.len() + bytes.len() / 8,
        Route::FromUtf8 => bytes.len() * 5 / 2,
        _ => return None,
    };
    let mut made = alloc::vec![0; room + 48];
    let written = convert_into(route, encodings, bytes, &mut made, options)?;
    made.truncate(written);
    Some(made)
}

#[inline(never)]
fn decode(mut decoder: AnyDecoder, bytes: &[u8], buffer: &mut [u8]) -> Option<usize> {
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
fn encode(mut encoder: AnyEncoder, bytes: &[u8], buffer: &mut [u8]) -> Option<usize> {
    let (read, written) = encoder.encode_utf8(dispatch::active(), bytes, buffer);
    if read < bytes.len() {
        return None;
    }
    Some(written + encoder.finish(&mut buffer[written..])?)
}
