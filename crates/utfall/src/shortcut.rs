//! Direct conversion by kernels, and the length of its result.

use utfall_simd::{Kernels, Layout, Lossy};

#[cfg(feature = "alloc")]
use crate::charset::Charset;
use crate::codec::{Decode, Next};
use crate::direct::Direct;
use crate::info::Info;
use crate::repertoire::Repertoire;
use crate::route::Side;
use crate::{Granularity, Options, Policy};

/// Whether each ill-formed sequence simply becomes one U+FFFD.
pub(crate) fn only_replaces(target: &Info, options: &Options) -> bool {
    options.on_ill_formed == Policy::Replace
        && options.replacement.is_none()
        && options.granularity != Granularity::PerByte
        && target.repertoire.is_unicode()
}

/// Whether lossy kernels count ill-formed sequences as the decoder does.
pub(crate) fn is_lossy(source: &Info, options: &Options) -> bool {
    // Except for one U+FFFD for each byte, granularities mean the same in a charset.
    options.granularity == Granularity::MaximalSubpart
        && source.repertoire == Repertoire::ScalarValues
        || matches!(source.side, Side::Charset(_))
}

/// Converts with a kernel. With `is_lossy`, it continues after ill-formed sequences with U+FFFD, if
/// there is a kernel for that.
pub(crate) fn convert(
    kernels: &Kernels,
    direct: Direct,
    is_lossy: bool,
    src: &[u8],
    dst: &mut [u8],
) -> Lossy {
    let (read, written) = direct.convert(kernels, src, dst);
    let sound = Lossy { read, written, replaced: 0 };
    if !is_lossy || read == src.len() {
        return sound;
    }
    match direct.convert_lossy(kernels, &src[read..], &mut dst[written..]) {
        Some(more) => Lossy {
            read: read + more.read,
            written: written + more.written,
            replaced: more.replaced,
        },
        None => sound,
    }
}

/// The offset in `dst` of the last U+FFFD that a lossy conversion of all of `src` inserted. A
/// U+FFFD in `dst` may also come from `src`.
pub(crate) fn last_replaced(
    kernels: &Kernels,
    decoder: &impl Decode,
    direct: Direct,
    src: &[u8],
    dst: &[u8],
) -> usize {
    let (from, to) = match direct {
        Direct::Pair(from, to) => (from, to),
        Direct::Decode(_, to) => return last_replacement_character(to, dst),
        Direct::Encode(..) => return 0,
    };
    /// Length of the longest sequence.
    const LONGEST: usize = 4;
    // Usually there is one near the end.
    let mut size = 256;
    loop {
        let begin = src.len().saturating_sub(size) / LONGEST * LONGEST;
        let (mut at, mut end) = (begin, None);
        loop {
            at += kernels.prefix(from, &src[at..]);
            let Next::Ill(ill) = decoder.clone().next(&src[at..], true) else { break };
            // The window may begin inside a sequence.
            let is_whole = begin == 0 || at >= begin + LONGEST;
            at += ill.consumed;
            end = end.max(is_whole.then_some(at));
        }
        if let Some(end) = end {
            let sound = exact_len(kernels, from, to, &src[end..]).unwrap_or(0);
            let replacement = match to {
                Layout::Utf8 => 3,
                Layout::Utf16Le | Layout::Utf16Be => 2,
                _ => 4,
            };
            return dst.len().saturating_sub(sound + replacement);
        }
        if begin == 0 {
            return 0;
        }
        size *= 8;
    }
}

/// The offset of the last U+FFFD, which none of the single-byte charsets has.
fn last_replacement_character(layout: Layout, text: &[u8]) -> usize {
    let bytes: &[u8] = match layout {
        Layout::Utf8 => "\u{FFFD}".as_bytes(),
        Layout::Utf16Le => &[0xFD, 0xFF],
        Layout::Utf16Be => &[0xFF, 0xFD],
        Layout::Utf32Le => &[0xFD, 0xFF, 0, 0],
        Layout::Utf32Be => &[0, 0, 0xFF, 0xFD],
        Layout::Latin1 => return 0,
    };
    let step = if layout == Layout::Utf8 { 1 } else { bytes.len() };
    let last = text.len().checked_sub(bytes.len());
    let mut places = (0..=last.unwrap_or(0) / step).rev().map(|at| step * at);
    places.find(|at| text[*at..].starts_with(bytes)).unwrap_or(0)
}

/// An output size that is sufficient for a short text, and exact for a long well-formed one. In
/// bytes.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn room(kernels: &Kernels, direct: Direct, src: &[u8]) -> usize {
    use Layout::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    // Counting takes as long as converting this many bytes.
    const SHORT: usize = 128;
    let length = src.len();
    let (from, to) = match direct {
        Direct::Pair(from, to) => (from, to),
        // At most two more bytes for each byte above 7F.
        Direct::Decode(Charset::SingleByte(table), Utf8)
            if length > SHORT && table.keeps_ascii() =>
        {
            return 2 * kernels.utf8_len_from_latin1(src) - length;
        }
        Direct::Decode(Charset::SingleByte(_), Utf8) => return 3 * length,
        // Rarely more: two bytes become three.
        Direct::Decode(Charset::MultiByte(_), Utf8) | Direct::Encode(_, Charset::MultiByte(_)) => {
            return length + length / 2 + 8;
        }
        // No byte becomes more than one code unit.
        Direct::Decode(_, to) => (Latin1, to),
        Direct::Encode(Utf8, _) => return length,
        Direct::Encode(from, _) => (from, Latin1),
    };
    if length > SHORT
        && let Some(exact) = exact_len(kernels, from, to, src)
    {
        return exact;
    }
    match (from, to) {
        (Utf8 | Latin1, Utf16Le | Utf16Be) | (Latin1, Utf8) => 2 * length,
        (Utf8 | Latin1, Utf32Le | Utf32Be) => 4 * length,
        (Utf16Le | Utf16Be, Utf8) => length / 2 * 3,
        (Utf16Le | Utf16Be, Utf32Le | Utf32Be) => 2 * length,
        (Utf16Le | Utf16Be, Latin1) => length / 2,
        (Utf32Le | Utf32Be, Latin1) => length / 4,
        _ => length,
    }
}

/// The length of well-formed text after conversion to another form, if a kernel can count it.
pub(crate) fn exact_len(kernels: &Kernels, from: Layout, to: Layout, src: &[u8]) -> Option<usize> {
    use Layout::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    Some(match (from, to) {
        (Utf8, Utf16Le | Utf16Be) => kernels.utf16_len_from_utf8(src),
        (Utf8, Utf32Le | Utf32Be) => 4 * kernels.utf8_count(src),
        (Utf16Le, Utf8) => kernels.utf8_len_from_utf16le(src),
        (Utf16Be, Utf8) => kernels.utf8_len_from_utf16be(src),
        (Utf16Le, Utf32Le | Utf32Be) => 4 * kernels.utf16le_count(src),
        (Utf16Be, Utf32Le | Utf32Be) => 4 * kernels.utf16be_count(src),
        (Utf32Le, Utf8) => kernels.utf8_len_from_utf32le(src),
        (Utf32Be, Utf8) => kernels.utf8_len_from_utf32be(src),
        (Utf32Le, Utf16Le | Utf16Be) => kernels.utf16_len_from_utf32le(src),
        (Utf32Be, Utf16Le | Utf16Be) => kernels.utf16_len_from_utf32be(src),
        (Latin1, Utf8) => kernels.utf8_len_from_latin1(src),
        (Latin1, Utf16Le | Utf16Be) => 2 * src.len(),
        (Latin1, Utf32Le | Utf32Be) => 4 * src.len(),
        (Utf16Le | Utf16Be, Utf16Le | Utf16Be) | (Utf32Le | Utf32Be, Utf32Le | Utf32Be) => {
            src.len()
        }
        _ if from == to => src.len(),
        _ => return None,
    })
}

/// The length of a lossy conversion of any text, with one U+FFFD for a truncated sequence at the
/// end, if a kernel can count it.
pub(crate) fn lossy_len(kernels: &Kernels, from: Layout, to: Layout, src: &[u8]) -> Option<usize> {
    use Layout::{Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    match (from, to) {
        (Utf8, Utf16Le | Utf16Be) => Some(kernels.utf16_len_from_utf8_lossy(src)),
        (Utf8, Utf32Le | Utf32Be) => Some(4 * kernels.utf8_count_lossy(src)),
        _ => None,
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use std::string::String;
    use std::vec;
    use std::vec::Vec;

    use utfall_oracle::step;
    use utfall_simd::units;

    use super::*;
    use crate::codec::Encode;
    use crate::encoding::{AnyDecoder, AnyEncoder};
    use crate::engine::Engine;
    use crate::route::Side;
    use crate::{
        Bom, BufferError, Encoding, Error, Escape, Family, Status, transcode, transcode_into,
        transcoded_len,
    };

    const POLICIES: [Policy; 5] = [
        Policy::Strict,
        Policy::Replace,
        Policy::Escape(Escape::Braces),
        Policy::SurrogateEscape,
        Policy::Skip,
    ];

    /// The sides given for encodings match those of their decoders and encoders.
    #[test]
    fn sides_are_those_of_decoders_and_encoders() {
        for bom in [Bom::Auto, Bom::Keep] {
            let options = Options { bom, ..Options::default() };
            for encoding in Encoding::ALL.iter().copied() {
                let side = encoding.info().side;
                if side != Side::CodePoints {
                    assert_eq!(AnyDecoder::new(encoding, &options).side(), side);
                    assert_eq!(AnyEncoder::new(encoding, &options).side(), side);
                }
            }
        }
    }

    /// The result of the block: the output or error, and the number of ill-formed sequences and
    /// unencodable code points.
    fn by_block(
        (source, target, options): (Encoding, Encoding, Options),
        bytes: &[u8],
    ) -> (Result<Vec<u8>, Error>, u64) {
        let mut engine = Engine::new(source, target, options);
        engine.no_shortcuts = true;
        let mut out = vec![0; 16 * bytes.len() + 16];
        let progress = engine.run(bytes, &mut out, true);
        let counts = engine.counts().ill_formed + engine.counts().unencodable;
        match progress.status {
            Status::InputEmpty => {
                out.truncate(progress.written);
                (Ok(out), counts)
            }
            Status::Error(error) => (Err(error), counts),
            Status::OutputFull => panic!("the output has enough space"),
        }
    }

    /// Compares all one-call functions with the block.
    fn check(conversion: (Encoding, Encoding, Options), bytes: &[u8]) {
        let (source, target, options) = conversion;
        let (expected, counts) = by_block(conversion, bytes);
        let case = || std::format!("{source} to {target} {options:?}: {bytes:02X?}");

        let made = transcode(source, target, bytes, options).map(|made| made.into_owned());
        assert_eq!(made, expected, "{}", case());
        let length = transcoded_len(source, target, bytes, options);
        assert_eq!(length, expected.as_ref().map(|made| made.len()).map_err(|e| *e));

        let room = expected.as_ref().map_or(16 * bytes.len(), Vec::len);
        let mut buffer = vec![0; room];
        let written = transcode_into(source, target, bytes, &mut buffer, options);
        match &expected {
            Ok(made) => {
                assert_eq!(written, Ok(made.len()), "{}", case());
                assert_eq!(buffer, *made, "{}", case());
                if let Some(less) = room.checked_sub(1) {
                    let small = &mut buffer[..less];
                    let written = transcode_into(source, target, bytes, small, options);
                    assert_eq!(written, Err(BufferError::TooSmall { needed: room }), "{}", case());
                }
            }
            Err(error) => assert_eq!(written, Err(BufferError::Text(*error)), "{}", case()),
        }

        if target == Encoding::Utf8 {
            // A string cannot hold the bytes that surrogate escapes turn back.
            let (text, _) = by_block((source, target, options.into_text()), bytes);
            let text = text.map(|made| String::from_utf8(made).unwrap());
            let made = source.decode_with(bytes, options).map(|text| text.into_owned());
            assert_eq!(made, text, "{}", case());
            if options == Options::default() {
                assert_eq!(source.decode(bytes), source.decode_with(bytes, options));
                if !expected.as_ref().is_err_and(|error| error.is_unencodable()) {
                    let sound = expected.as_ref().map(|_| ()).map_err(|error| *error);
                    assert_eq!(source.validate(bytes), sound, "{}", case());
                }
                let mut buffer = vec![0; 3 * bytes.len()];
                let made = source.decode_into(bytes, &mut buffer).map(|text| text.as_bytes());
                let wanted = expected.as_deref().map_err(|error| BufferError::Text(*error));
                assert_eq!(made, wanted, "{}", case());
            }
            if options == Options::both(Policy::Replace) {
                let lossy = source.decode_lossy(bytes);
                assert_eq!(lossy.text.as_bytes(), expected.as_deref().unwrap(), "{}", case());
                assert_eq!(lossy.errors, counts, "{}", case());
            }
        }
        if options == Options::default() && target.info().side == Side::Plain(units::NATIVE_UTF16) {
            // Text in memory is called by another name in errors.
            let place = |error: Error| (error.offset, error.length, error.kind);
            let made = source.decode_to_utf16(bytes).map(|made| units::bytes(&made).to_vec());
            assert_eq!(made.map_err(place), expected.clone().map_err(place), "{}", case());
        }
        if let (Encoding::Utf8, Ok(text)) = (source, core::str::from_utf8(bytes)) {
            let made = target.encode_with(text, options).map(|made| made.into_owned());
            assert_eq!(made, expected, "{}", case());
            if options == Options::default() {
                let mut buffer = vec![0; room];
                let written = target.encode_into(text, &mut buffer);
                let wanted = expected.as_ref().map(Vec::len);
                assert_eq!(written, wanted.map_err(|error| BufferError::Text(*error)));
                let units: Vec<u16> = text.encode_utf16().collect();
                if let Ok(made) = &expected {
                    assert_eq!(target.encode_utf16(&units).as_ref(), Ok(made), "{}", case());
                }
            }
        }
    }

    fn encodings() -> impl Iterator<Item = Encoding> {
        let simple =
            Encoding::ALL.iter().copied().filter(|encoding| encoding.info().side.form().is_some());
        // Encodings that become plain only after a BOM, that are almost plain, or that have kernels
        // of their own.
        let chosen = [Encoding::Utf16, Encoding::Wtf8, Encoding::Ucs4Le, Encoding::Utf7];
        simple.chain(chosen).chain(charsets())
    }

    /// Single-byte charsets with and without a character for every byte, and half of those of East
    /// Asia, which share their loops.
    fn charsets() -> impl Iterator<Item = Encoding> {
        let of_east_asia = Encoding::ALL.iter().copied();
        let of_east_asia = of_east_asia.filter(|it| it.info().family == Family::MultiByte);
        let single_byte = ["windows-1252", "windows-1253"].into_iter();
        single_byte.filter_map(Encoding::for_label).chain(of_east_asia.step_by(2))
    }

    /// Sequences of every length, and runs of each.
    fn text() -> String {
        let mut text = String::from("abc é\u{0}\u{FF}x");
        for part in
            ["ASCII for a while, and then some; ", "één ñü", "日本語", "😀🎉", "ÿ\n", "\u{FFFD}"]
        {
            text += part;
            text += &part.repeat(3);
        }
        text
    }

    #[test]
    fn one_call_gives_what_the_block_gives() {
        let text = text();
        for source in encodings() {
            let whole = source.encode_with(&text, Options::both(Policy::Skip)).unwrap();
            let longest = whole.len().min(300);
            for target in encodings() {
                for length in (0..=longest).step_by(step(7)) {
                    // From the start, and up to the end, where the longest sequences are.
                    for bytes in [&whole[..length], &whole[whole.len() - length..]] {
                        for policy in [POLICIES[length % 5], Policy::Strict] {
                            check((source, target, Options::both(policy)), bytes);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn one_call_gives_what_the_block_gives_of_damaged_text() {
        let text = text();
        for source in encodings() {
            let whole = source.encode_with(&text, Options::both(Policy::Skip)).unwrap();
            for target in encodings() {
                for place in (0..whole.len()).step_by(step(7)) {
                    let mut bytes = whole.clone().into_owned();
                    bytes[place] = [0xFF, 0x80, 0xD8, 0xDC, 0xE2, b'a', 0xF1][place % 7];
                    let end = bytes.len().min(place + [0, 1, 3, 70, 200][place % 5]);
                    let options = Options::both(POLICIES[place % 5]);
                    check((source, target, options), &bytes);
                    check((source, target, options), &bytes[..end]);
                    let replace = Options {
                        granularity: [
                            Granularity::MaximalSubpart,
                            Granularity::PerByte,
                            Granularity::Jdk,
                            Granularity::Perl,
                        ][place % 4],
                        ..Options::both(Policy::Replace)
                    };
                    check((source, target, replace), &bytes);
                    // Consecutive errors.
                    bytes[place..].iter_mut().step_by(3).for_each(|byte| *byte ^= 0x55);
                    check((source, target, Options::both(Policy::Replace)), &bytes);
                }
            }
        }
    }
}
