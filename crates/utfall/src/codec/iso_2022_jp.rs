//! ISO-2022-JP according to WHATWG Encoding §12.2: escape sequences of three bytes switch between
//! US-ASCII, the two halves of JIS X 0201, and JIS X 0208.
//!
//! The bytes of JIS X 0208 are those of EUC-JP without the high bit, so both use the same tables.

use utfall_simd::{Kernels, Layout, Lossy, units};

use super::shared::by_utf16::{self, PIECE, Step};
use super::shared::double_byte::IS_SMALL;
use super::shared::few::{self, WORD};
use super::shared::form::{Form, NativeUtf16, Points, Utf8, Utf16, is_shift, joined};
use super::shared::index::{self, HOLE};
use super::shared::{jis, kernel};
use super::{Codec, Decode, Decoded, Encode, Ill, Next, Put};
use crate::info::{Family, Info, Origin};
use crate::repertoire::Repertoire;
use crate::route::Side;
use crate::{ErrorKind, Options};

pub(crate) struct Iso2022Jp;

impl Codec for Iso2022Jp {
    const INFO: Info = Info {
        name: "ISO-2022-JP",
        iana: true,
        aliases: &["csiso2022jp"],
        specification: "WHATWG Encoding §12.2",
        origin: Origin::Whatwg,
        seven_bit: true,
        stateful: true,
        repertoire: Repertoire::Table,
        side: Side::OwnKernel,
        clause: |kind| match kind {
            ErrorKind::InvalidByte => "WHATWG Encoding §12.2.1: not a byte of the active set",
            ErrorKind::NullShift => {
                "WHATWG Encoding §12.2.1: two escape sequences with nothing between"
            }
            ErrorKind::MissingTrail | ErrorKind::Truncated => {
                "WHATWG Encoding §12.2.1: incomplete sequence"
            }
            ErrorKind::Unencodable(_) => {
                "WHATWG Encoding §12.2.2: no pointer in index jis0208, or 0E, 0F, 1B"
            }
            _ => "WHATWG Encoding §12.2.1: unknown escape sequence, or no entry in index jis0208",
        },
        ..Info::of(Family::MultiByte)
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder::new()
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { set: Set::Ascii }
    }
}

const ESC: u8 = 0x1B;

/// The active set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Ascii,
    /// JIS X 0201, its lower half.
    Roman,
    /// JIS X 0201, its upper half, without the high bit. Only decoded.
    Katakana,
    /// Two bytes.
    Jis0208,
}

impl Set {
    /// The set selected by an escape sequence, given its bytes after `ESC`.
    fn chosen_by(bytes: [u8; 2]) -> Option<Self> {
        match &bytes {
            b"(B" => Some(Self::Ascii),
            b"(J" => Some(Self::Roman),
            b"(I" => Some(Self::Katakana),
            b"$@" | b"$B" => Some(Self::Jis0208),
            _ => None,
        }
    }

    /// The code point of a single byte.
    fn point(self, byte: u8) -> Option<u32> {
        match (self, byte) {
            (Self::Katakana, 0x21..=0x5F) => Some(0xFF61 - 0x21 + u32::from(byte)),
            (Self::Katakana | Self::Jis0208, _) | (_, 0x80..) => None,
            _ if is_shift(byte) => None,
            (Self::Roman, 0x5C) => Some(0xA5),
            (Self::Roman, 0x7E) => Some(0x203E),
            (Self::Ascii | Self::Roman, _) => Some(u32::from(byte)),
        }
    }
}

/// The code unit of a pair of JIS X 0208, or a hole.
#[inline(always)]
fn jis_x_0208(lead: u8, trail: u8) -> u16 {
    // EUC-JP has more than JIS X 0208 in one row.
    if (lead | trail) & 0x80 != 0 || lead | 0x80 == jis::KATAKANA {
        return HOLE;
    }
    jis::jis_x_0208(lead | 0x80, trail | 0x80)
}

#[derive(Clone)]
pub(crate) struct Decoder {
    set: Set,
    /// The last thing read was an escape sequence.
    escaped: bool,
}

impl Decoder {
    fn new() -> Self {
        Self { set: Set::Ascii, escaped: false }
    }

    /// Decodes all of a text to a form. Returns the number of bytes written.
    #[inline(always)]
    fn all<F: Form>(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let (mut read, mut written) = (0, 0);
        loop {
            let (rest, room) = (&src[read..], &mut dst[written..]);
            let (bytes, length) = match self.set {
                Set::Jis0208 => decode_pairs::<F>(rest, room),
                Set::Ascii => decode_text::<F>(rest, room),
                set => decode_single::<F>(set, rest, room),
            };
            read += bytes;
            written += length;
            self.escaped &= bytes == 0;
            match src[read..] {
                [] => return Some(written),
                [ESC, a, b, ..] if !self.escaped => {
                    self.set = Set::chosen_by([a, b])?;
                    self.escaped = true;
                    read += 3;
                }
                _ => return None,
            }
        }
    }

    /// Interprets `ESC` and the bytes after it.
    fn escape(&mut self, after: &[u8], last: bool) -> Next {
        let cut = matches!(after, [] | [b'(' | b'$']);
        if cut && !last {
            return Next::End;
        }
        let Some(set) = after.first_chunk().and_then(|bytes| Set::chosen_by(*bytes)) else {
            self.escaped = false;
            return Next::ill(if cut { ErrorKind::Truncated } else { ErrorKind::Undefined }, 1);
        };
        self.set = set;
        if core::mem::replace(&mut self.escaped, true) {
            // The previous escape sequence had no effect.
            Next::Ill(Ill { back: 6, ..Ill::new(ErrorKind::NullShift, 3) })
        } else {
            Next::Skip { length: 3 }
        }
    }

    /// Decodes text and well-formed escape sequences to a form. Returns bytes read and written.
    #[inline(always)]
    fn prefix<F: Form>(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let (rest, room) = (&src[read..], &mut dst[written..]);
            let (bytes, length) = match self.set {
                Set::Jis0208 => decode_pairs::<F>(rest, room),
                Set::Ascii => {
                    let count = F::put_ascii::<true>(kernels, rest, room);
                    (count, F::WIDTH * count)
                }
                set => decode_single::<F>(set, rest, room),
            };
            self.escaped &= bytes == 0;
            read += bytes;
            written += length;
            match src[read..] {
                [ESC, a, b, ..] if !self.escaped && Set::chosen_by([a, b]).is_some() => {
                    self.escape(&[a, b], false);
                    read += 3;
                }
                _ => return (read, written),
            }
        }
    }
}

/// Whether a text is US-ASCII without escape sequences, which has the same bytes in UTF-8.
#[cfg(feature = "alloc")]
pub(crate) fn is_plain(text: &[u8]) -> bool {
    let (words, rest) = text.as_chunks();
    words.iter().all(|word| few::are_text(*word))
        && rest.iter().all(|byte| *byte < 0x80 && !is_shift(*byte))
}

/// Decodes all of a text to UTF-8 without kernels, which short text does not need. Returns the number
/// of bytes written. `None` if it has an error, or does not fit.
#[inline]
pub(crate) fn decode_all(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    Decoder::new().all::<Utf8>(src, dst)
}

/// The same to UTF-16 of this byte order.
#[inline]
pub(crate) fn decode_all_to_utf16(to: Layout, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    match to {
        units::NATIVE_UTF16 if !IS_SMALL => Decoder::new().all::<NativeUtf16>(src, dst),
        _ => None,
    }
}

/// Encodes all of a text in UTF-8. Returns the number of bytes written. `None` if it has a character that
/// the charset lacks, or does not fit.
#[inline]
pub(crate) fn encode_all(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let mut encoder = Encoder { set: Set::Ascii };
    let (read, written) = encoder.prefix_of_utf8(src, dst);
    if read == src.len() { Some(written + encoder.finish(&mut dst[written..])?) } else { None }
}

/// The same for UTF-16 of this byte order.
#[inline]
pub(crate) fn encode_all_utf16(from: Layout, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    if from != units::NATIVE_UTF16 || IS_SMALL {
        return None;
    }
    let mut encoder = Encoder { set: Set::Ascii };
    let (read, written) = encoder.prefix_of_utf16::<{ cfg!(target_endian = "big") }>(src, dst);
    if read == src.len() { Some(written + encoder.finish(&mut dst[written..])?) } else { None }
}

/// Decodes pairs of JIS X 0208. Returns bytes read and written.
#[inline(always)]
fn decode_pairs<F: Form>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    for &[lead, trail] in src.as_chunks().0 {
        let unit = jis_x_0208(lead, trail);
        if index::is_special(unit) {
            break;
        }
        let room = &mut dst[written..];
        let length = match room.first_chunk_mut() {
            Some(room) => F::put_unit(room, unit),
            None => match F::put_point(room, u32::from(unit)) {
                Some(length) => length,
                None => break,
            },
        };
        written += length;
        read += 2;
    }
    (read, written)
}

/// Decodes US-ASCII. Returns bytes read and written.
#[inline(always)]
fn decode_text<F: Form>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut count = 0;
    while let (Some(word), Some(room)) = (
        src[count..].first_chunk::<WORD>(),
        dst.get_mut(F::WIDTH * count..F::WIDTH * (count + WORD)),
    ) && few::are_text(*word)
    {
        for (byte, room) in word.iter().zip(room.chunks_exact_mut(F::WIDTH)) {
            F::put_byte(room, *byte);
        }
        count += WORD;
    }
    for byte in &src[count..] {
        if *byte >= 0x80 || is_shift(*byte) || !F::put_byte(&mut dst[F::WIDTH * count..], *byte) {
            break;
        }
        count += 1;
    }
    (count, F::WIDTH * count)
}

/// Decodes bytes of a set with single bytes. Returns bytes read and written.
fn decode_single<F: Form>(set: Set, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    for byte in src {
        let point = set.point(*byte);
        let Some(length) = point.and_then(|point| F::put_point(&mut dst[written..], point)) else {
            break;
        };
        read += 1;
        written += length;
    }
    (read, written)
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let next = match *src {
            [] => return Next::End,
            [ESC, ref after @ ..] => return self.escape(after, last),
            [0x21..=0x7E] if self.set == Set::Jis0208 && !last => return Next::End,
            [0x21..=0x7E] if self.set == Set::Jis0208 => Next::ill(ErrorKind::Truncated, 1),
            [0x21..=0x7E, ESC, ..] if self.set == Set::Jis0208 => {
                Next::ill(ErrorKind::MissingTrail, 1)
            }
            [lead @ 0x21..=0x7E, trail, ..] if self.set == Set::Jis0208 => {
                match jis_x_0208(lead, trail) {
                    HOLE => Next::ill(ErrorKind::Undefined, 2),
                    unit => Next::Point { point: u32::from(unit), length: 2 },
                }
            }
            [byte, ..] => match self.set.point(byte) {
                Some(point) => Next::Point { point, length: 1 },
                None => Next::ill(ErrorKind::InvalidByte, 1),
            },
        };
        self.escaped = false;
        next
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        kernel::decode_with(self, src, dst, last, |this, src, dst| {
            let (read, written) = this.prefix::<Points>(kernels, src, units::bytes_mut(dst));
            (read, written / 4)
        })
    }

    fn side(&self) -> Side {
        Side::OwnKernel
    }

    #[cfg_attr(utfall_speed, optimize(speed))]
    fn decode_to_utf8(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if src.len() < by_utf16::SHORTEST {
            return self.prefix::<Utf8>(kernels, src, dst);
        }
        let made = by_utf16::decode(
            kernels,
            src,
            dst,
            |_, _| 0,
            |step, src, dst| {
                let (read, written) = match step {
                    Step::Utf8 => self.prefix::<Utf8>(kernels, src, dst),
                    Step::Utf16 => self.prefix::<NativeUtf16>(kernels, src, dst),
                };
                Lossy { read, written, replaced: 0 }
            },
        );
        (made.read, made.written)
    }

    fn decode_to_utf16(
        &mut self,
        kernels: &Kernels,
        to: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        match to {
            _ if IS_SMALL => None,
            Layout::Utf16Le => Some(self.prefix::<Utf16<false>>(kernels, src, dst)),
            Layout::Utf16Be => Some(self.prefix::<Utf16<true>>(kernels, src, dst)),
            _ => None,
        }
    }
}

/// The pairs of U+FF61 to U+FF9F, which have fullwidth forms in JIS X 0208 (index ISO-2022-JP
/// katakana), as text.
const FULLWIDTH: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜";

/// The first byte of a character of [`jis::CODES`] in the katakana of JIS X 0201.
const KATAKANA: u16 = 0x8E;

/// The set of a code point above 7F, and its code there, in the higher byte for a set of single
/// bytes.
#[inline(always)]
fn find(point: u32) -> Option<(Set, u16)> {
    let code = jis::CODES.get(u16::try_from(point).ok()?);
    match code {
        0 => None,
        1..0x100 => Some((Set::Roman, code << 8)),
        _ if code >> 8 == KATAKANA => {
            let at = usize::from(code & 0xFF) - 0xA1;
            let (unit, _) = few::unit_of_utf8(FULLWIDTH.as_bytes().get(3 * at..)?)?;
            Some((Set::Jis0208, jis::CODES.get(unit) & 0x7F7F))
        }
        _ => Some((Set::Jis0208, code & 0x7F7F)),
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    set: Set,
}

/// A character, after the escape sequence that it needs.
struct Escaped {
    /// The first byte is the lowest.
    bytes: u64,
    length: usize,
    /// The active set after it.
    set: Set,
}

impl Encoder {
    /// The bytes of a code point; `None` if the charset lacks it.
    #[inline(always)]
    fn escaped(&self, point: u32) -> Option<Escaped> {
        let (set, code) = match u8::try_from(point) {
            Ok(byte @ ..0x80) if is_shift(byte) => return None,
            Ok(byte @ ..0x80) => (Set::Ascii, u16::from(byte) << 8),
            _ => find(point)?,
        };
        let text = u64::from(code.swap_bytes());
        let length = if set == Set::Jis0208 { 2 } else { 1 };
        let in_roman = set == Set::Ascii && !matches!(point, 0x5C | 0x7E);
        if set == self.set || (self.set == Set::Roman && in_roman) {
            return Some(Escaped { bytes: text, length, set: self.set });
        }
        let escape = match set {
            Set::Jis0208 => *b"\x1B$B\0",
            Set::Roman => *b"\x1B(J\0",
            _ => *b"\x1B(B\0",
        };
        let bytes = u64::from(u32::from_le_bytes(escape)) | text << 24;
        Some(Escaped { bytes, length: 3 + length, set })
    }

    /// Writes a code point, and returns the number of bytes. `None` if the charset lacks it, or if it
    /// does not fit.
    #[inline(always)]
    fn write(&mut self, point: u32, dst: &mut [u8]) -> Option<usize> {
        let Escaped { bytes, length, set } = self.escaped(point)?;
        let bytes = bytes.to_le_bytes();
        // Copying a fixed eight bytes is faster than copying `length` bytes.
        if let Some(room) = dst.first_chunk_mut() {
            *room = bytes;
        } else {
            dst.get_mut(..length)?.copy_from_slice(&bytes[..length]);
        }
        self.set = set;
        Some(length)
    }

    /// Encodes as much as possible of UTF-8. Returns bytes read and written.
    #[cfg_attr(utfall_speed, optimize(speed))]
    fn prefix_of_utf8(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let codes: &jis::Inverted0208 = &jis::CODES;
        let (mut read, mut written) = (0, 0);
        while let Some(first) = src.get(read) {
            let (point, bytes) = if *first < 0x80 {
                if self.set == Set::Ascii
                    && let (Some(word), Some(room)) =
                        (src[read..].first_chunk::<WORD>(), dst[written..].first_chunk_mut())
                    && few::are_text(*word)
                {
                    *room = *word;
                    read += WORD;
                    written += WORD;
                    continue;
                }
                (u32::from(*first), 1)
            } else {
                // All characters of the charset have at most three bytes.
                let Some((unit, bytes)) = few::unit_of_utf8(&src[read..]) else { break };
                if self.set == Set::Jis0208
                    && let code @ 0xA100.. = codes.get(unit)
                    && let Some(room) = dst[written..].first_chunk_mut()
                {
                    *room = (code & 0x7F7F).to_be_bytes();
                    read += bytes;
                    written += 2;
                    continue;
                }
                (u32::from(unit), bytes)
            };
            let Some(length) = self.write(point, &mut dst[written..]) else { break };
            read += bytes;
            written += length;
        }
        (read, written)
    }

    /// The same for UTF-16.
    #[cfg_attr(utfall_speed, optimize(speed))]
    fn prefix_of_utf16<const IS_BIG: bool>(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        let (units, _) = src.as_chunks::<2>();
        let codes: &jis::Inverted0208 = &jis::CODES;
        let (mut read, mut written) = (0, 0);
        loop {
            let rest = &units[read..];
            match self.set {
                Set::Jis0208 => {
                    let rooms = dst[written..].as_chunks_mut::<8>().0;
                    for (four, room) in rest.as_chunks::<4>().0.iter().zip(rooms) {
                        let [first, second, third, fourth] = *four;
                        let code = |bytes| codes.get(Utf16::<IS_BIG>::unit(bytes));
                        let (first, second, third, fourth) =
                            (code(first), code(second), code(third), code(fourth));
                        if (first < 0xA100)
                            | (second < 0xA100)
                            | (third < 0xA100)
                            | (fourth < 0xA100)
                        {
                            break;
                        }
                        let bytes = |code: u16| (code & 0x7F7F).to_be_bytes();
                        *room = joined([bytes(first), bytes(second), bytes(third), bytes(fourth)]);
                        read += 4;
                        written += 8;
                    }
                    let rest = &units[read..];
                    for (bytes, room) in rest.iter().zip(dst[written..].as_chunks_mut().0) {
                        let code = codes.get(Utf16::<IS_BIG>::unit(*bytes));
                        if code < 0xA100 {
                            break;
                        }
                        *room = (code & 0x7F7F).to_be_bytes();
                        read += 1;
                        written += 2;
                    }
                }
                Set::Ascii => {
                    let rooms = dst[written..].as_chunks_mut::<WORD>().0;
                    for (word, room) in rest.as_chunks::<WORD>().0.iter().zip(rooms) {
                        let word = word.map(Utf16::<IS_BIG>::unit);
                        let bytes = word.map(|unit| unit as u8);
                        if word.iter().fold(0, |all, unit| all | unit) >= 0x80
                            || !few::are_text(bytes)
                        {
                            break;
                        }
                        *room = bytes;
                        read += WORD;
                        written += WORD;
                    }
                }
                _ => {}
            }
            let Some(bytes) = units.get(read) else { break };
            let unit = Utf16::<IS_BIG>::unit(*bytes);
            let Some(length) = self.write(u32::from(unit), &mut dst[written..]) else { break };
            read += 1;
            written += length;
        }
        (2 * read, written)
    }
}

/// The longest text that is encoded straight from UTF-8, in bytes.
const SHORT: usize = 256;

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let Some(Escaped { bytes, length, set }) = self.escaped(point) else {
            return Put::Unencodable;
        };
        let Some(room) = dst.get_mut(..length) else { return Put::Full };
        room.copy_from_slice(&bytes.to_le_bytes()[..length]);
        self.set = set;
        Put::Written(length)
    }

    fn side(&self) -> Side {
        Side::OwnKernel
    }

    fn encode_utf8(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if src.len() <= SHORT {
            return self.prefix_of_utf8(src, dst);
        }
        by_utf16::encode::<PIECE>(
            kernels,
            src,
            dst,
            |_, _| 0,
            |step, src, dst| match step {
                Step::Utf8 => self.prefix_of_utf8(src, dst),
                Step::Utf16 => self.prefix_of_utf16::<{ cfg!(target_endian = "big") }>(src, dst),
            },
        )
    }

    fn encode_utf16(
        &mut self,
        _: &Kernels,
        from: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        match from {
            _ if IS_SMALL => None,
            Layout::Utf16Le => Some(self.prefix_of_utf16::<false>(src, dst)),
            Layout::Utf16Be => Some(self.prefix_of_utf16::<true>(src, dst)),
            _ => None,
        }
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        if self.set == Set::Ascii {
            return Some(0);
        }
        dst.first_chunk_mut().map(|room| {
            *room = *b"\x1B(B";
            self.set = Set::Ascii;
            room.len()
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use utfall_oracle::{rounds, step};

    use crate::Encoding::{self, Iso2022Jp};
    use crate::codec::testing::{
        Item, Random, check_decoding, check_encoding, decode, decode_by_encoding_rs, encode,
        encode_by_encoding_rs,
    };
    use crate::codec::{Codec, Encode, Put};
    use crate::{ErrorKind, Escape, Options, Policy, Status, Transcoder, transcode_into};

    #[test]
    fn worked_examples() {
        let text = [0x41, 0x65E5, 0x672C, 0xA5, 0x42, 0x5C, 0x8A9E];
        let bytes = b"A\x1B$BF|K\\\x1B(J\x5CB\x1B(B\x5C\x1B$B8l\x1B(B";
        check_encoding(Iso2022Jp, &text, Ok(bytes));
        check_decoding(Iso2022Jp, bytes, &text.map(Item::Point));
        check_decoding(Iso2022Jp, b"\x1B(I1\x1B(B1", &[Item::Point(0xFF71), Item::Point(0x31)]);
        // Text must not contain escape sequences of its own.
        check_encoding(Iso2022Jp, &[0x41, 0x1B], Err(1));
        check_encoding(Iso2022Jp, &[0x65E5, 0x1F600], Err(1));
    }

    /// The whole output of a stream.
    fn by_stream(from: Encoding, to: Encoding, text: &[u8], options: Options) -> Vec<u8> {
        let mut stream = Transcoder::new(from, to, options);
        let mut out = std::vec![0; 16 * text.len() + 64];
        let progress = stream.transcode(text, &mut out, true);
        assert_eq!((progress.read, progress.status), (text.len(), Status::InputEmpty));
        out.truncate(progress.written);
        out
    }

    /// Up to `most` of some pieces.
    fn some<'p, T: ?Sized>(pieces: &[&'p T], most: usize, random: &mut Random) -> Vec<&'p T> {
        let count = random.below(most + 1);
        (0..count).map(|_| pieces[random.below(pieces.len())]).collect()
    }

    #[test]
    fn whole_texts_are_encoded_as_streams_are() {
        let pieces = [
            "a",
            "\\",
            "~",
            "text ",
            "\n",
            "\u{1B}",
            "\u{E}",
            "日",
            "漢字かな",
            "、",
            "ｱ",
            "ﾟ",
            "¥",
            "‾",
            "é",
            "\u{2603}",
            "😀",
        ];
        let mut random = Random(0x2022);
        for _ in 0..rounds(20_000, 100) {
            let most = [3, 20, 600][random.below(3)];
            let text = some(&pieces[..], most, &mut random).concat();
            for policy in
                [Policy::Replace, Policy::Escape(Escape::Xml), Policy::Escape(Escape::Braces)]
            {
                let options = Options::both(policy);
                let expected = by_stream(Encoding::Utf8, Iso2022Jp, text.as_bytes(), options);
                assert_eq!(*Iso2022Jp.encode_with(&text, options).unwrap(), expected, "{text:?}");
            }
            let options = Options::both(Policy::Replace);
            let (expected, units): (_, Vec<u8>) = (
                by_stream(Encoding::Utf8, Iso2022Jp, text.as_bytes(), options),
                text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            );
            let mut out = std::vec![0; 16 * text.len() + 64];
            let length =
                transcode_into(Encoding::Utf16Le, Iso2022Jp, &units, &mut out, options).unwrap();
            assert_eq!(out[..length], expected, "{text:?}");
        }
    }

    #[test]
    fn whole_texts_are_decoded_as_streams_are() {
        let pieces: [&[u8]; 16] = [
            b"\x1B$B",
            b"\x1B$@",
            b"\x1B(B",
            b"\x1B(J",
            b"\x1B(I",
            b"\x1B$B",
            b"\x1B",
            b"F|",
            b"4A;z",
            b"$+$J",
            b"a",
            b"some text",
            b"\n",
            b"\\~",
            b"\x0E",
            b"\xFF",
        ];
        let mut random = Random(0x2023);
        let options = Options::both(Policy::Replace);
        for _ in 0..rounds(20_000, 100) {
            let most = [3, 12, 200][random.below(3)];
            let text = some(&pieces[..], most, &mut random).concat();
            for to in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be] {
                let expected = by_stream(Iso2022Jp, to, &text, options);
                let mut out = std::vec![0; 16 * text.len() + 64];
                let length = transcode_into(Iso2022Jp, to, &text, &mut out, options).unwrap();
                assert_eq!(out[..length], expected, "{text:X?}");
                if to == Encoding::Utf8 {
                    let decoded = Iso2022Jp.decode_lossy(&text).text;
                    assert_eq!(decoded.as_bytes(), expected, "{text:X?}");
                }
            }
        }
    }

    #[test]
    fn an_escape_sequence_directly_after_another() {
        check_decoding(Iso2022Jp, b"\x1B(J\x1B$B8l", &[Item::Ill(0, 3), Item::Point(0x8A9E)]);
        check_decoding(
            Iso2022Jp,
            b"a\x1B$B\x1B(B\x1B(Bb",
            &[Item::Point(0x61), Item::Ill(1, 3), Item::Ill(4, 3), Item::Point(0x62)],
        );
        let error = Iso2022Jp.validate(b"\x1B(J\x1B$B8l").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NullShift);
    }

    #[test]
    fn half_a_character() {
        let bytes = b"\x1B$B8\x1B(Bb";
        check_decoding(Iso2022Jp, bytes, &[Item::Ill(3, 1), Item::Point(0x62)]);
        assert_eq!(Iso2022Jp.validate(bytes).unwrap_err().kind(), ErrorKind::MissingTrail);
        assert_eq!(Iso2022Jp.validate(b"\x1B$B8").unwrap_err().kind(), ErrorKind::Truncated);
    }

    #[test]
    fn a_full_output_changes_nothing() {
        let mut encoder = super::Iso2022Jp::encoder(&Options::default());
        let mut room = [0; 8];
        assert_eq!(encoder.put(0x65E5, &mut room[..4]), Put::Full);
        assert_eq!(encoder.put(0x41, &mut room), Put::Written(1));
        assert_eq!(encoder.put(0x65E5, &mut room), Put::Written(5));
        assert_eq!(encoder.finish(&mut room[..2]), None);
        assert_eq!(encoder.finish(&mut room), Some(3));
        assert_eq!(encoder.finish(&mut room), Some(0));
    }

    /// All orders of escape sequences, text in each set, and errors in each.
    #[test]
    fn every_sequence_of_five_pieces_decodes_as_by_encoding_rs() {
        let pieces: [&[u8]; 14] = [
            b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B", b"!!", b"!", b"\x1B", b"(",
            b"$", b"\x5C", b"\x7E", b"\x80", b"\n",
        ];
        let mut bytes = Vec::new();
        for number in (0..14_usize.pow(5)).step_by(step(97)) {
            bytes.clear();
            let mut rest = number;
            for _ in 0..5 {
                bytes.extend_from_slice(pieces[rest % 14]);
                rest /= 14;
            }
            let found = decode(Iso2022Jp, &[&bytes], 64);
            let expected = decode_by_encoding_rs(encoding_rs::ISO_2022_JP, &bytes);
            assert_eq!(found, expected, "{bytes:02X?}");
            if number % 89 == 0 {
                check_decoding(Iso2022Jp, &bytes, &expected);
            }
        }
    }

    #[test]
    fn every_pair_of_every_set() {
        for escape in [b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B"] {
            for pair in (0..=0xFFFF_u16).step_by(step(97)) {
                let bytes = [&escape[..], &pair.to_be_bytes()].concat();
                let found = decode(Iso2022Jp, &[&bytes], 8);
                let expected = decode_by_encoding_rs(encoding_rs::ISO_2022_JP, &bytes);
                assert_eq!(found, expected, "{bytes:02X?}");
            }
        }
    }

    #[test]
    fn random_text_is_encoded_as_by_encoding_rs() {
        let mut random = Random(0x5EED_0004);
        let some: Vec<char> = "AB\\~\n¥‾日本語かなカナｶﾅ−、€😀\u{1B}".chars().collect();
        for _ in 0..rounds(50_000, 40) {
            // The last two cannot be encoded, so use them rarely.
            let end = some.len() - if random.below(8) == 0 { 0 } else { 3 };
            let text: Vec<char> =
                (0..1 + random.below(12)).map(|_| some[random.below(end)]).collect();
            let points: Vec<u32> = text.iter().copied().map(u32::from).collect();
            let expected = encode_by_encoding_rs(encoding_rs::ISO_2022_JP, &text);
            for (step, room) in [(64, 4096), (1, 16), (5, 9)] {
                assert_eq!(encode(Iso2022Jp, &points, step, room), expected, "{text:?}");
            }
        }
    }
}
