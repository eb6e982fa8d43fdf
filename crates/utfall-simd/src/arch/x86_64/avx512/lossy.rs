//! Conversions that write U+FFFD for ill-formed sequences.
//!
//! The strict kernels convert as far as they can. Where they stop, the code here, which accepts
//! anything, processes a window of 64 bytes of UTF-8 or a chunk of 512 bytes of UTF-16. It also
//! processes the next ones, until one has no error.

use core::arch::x86_64::*;

use super::memory::{first, load, load_part, splat, store, store_part};
use super::utf8::{LARGE, OVERLONG_2, OVERLONG_3, OVERLONG_4, SURROGATE, Units, Window};
use super::{count, utf8, utf16};
use crate::Lossy;
use crate::arch::scalar::{self, Utf8, Utf16, Utf32};

/// The sequences in a window of UTF-8 that begins on a boundary, a bit for each byte.
///
/// In short, for each byte: is it the lead byte of a sequence, or the second, third or fourth byte
/// of one that is well-formed so far? A sequence ends where the next byte does not belong to it.
/// If it is incomplete then, it is a maximal subpart. So is a byte that is none of these.
pub(super) struct Sequences {
    /// Number of bytes in complete sequences and maximal subparts. A sequence that begins after
    /// them may continue.
    length: usize,
    /// Second, third and fourth bytes, including those of sequences that end too early.
    pub(super) member: __mmask64,
    /// Third and fourth bytes.
    pub(super) third: __mmask64,
    pub(super) fourth: __mmask64,
    /// Last bytes, and those of them that end a maximal subpart.
    pub(super) ends: __mmask64,
    pub(super) ill_formed: __mmask64,
}

impl Sequences {
    featured!(
        /// The sequences in the first `count` bytes; `count` is not 0.
        #[inline]
        fn new(window: Window, count: usize) -> Self {
            let byte = window.byte;
            let from = |least| _mm512_cmpge_epu8_mask(byte, splat(least));
            let (from_80, from_c0, from_f5) = (from(0x80), from(0xC0), from(0xF5));
            let trail = from_80 & !from_c0;
            let lead = from(0xC2) & !from_f5;
            let (lead_3_or_4, lead_4) = (from(0xE0) & !from_f5, from(0xF0) & !from_f5);

            let wrong = OVERLONG_2 | OVERLONG_3 | OVERLONG_4 | SURROGATE | LARGE;
            let wrong = _mm512_test_epi8_mask(window.pair_errors(), splat(wrong));
            let second = lead << 1 & trail & !wrong;
            let second_of_more = second & lead_3_or_4 << 1;
            let third = second_of_more << 1 & trail;
            let third_of_more = third & lead_4 << 2;
            let fourth = third_of_more << 1 & trail;
            let member = second | third | fourth;
            let whole = !from_80 | second & !second_of_more | third & !third_of_more | fourth;

            let last = |mask: __mmask64| mask >> (count - 1) & 1 == 1;
            let open = match () {
                () if last(lead) => 1,
                () if last(second_of_more) => 2,
                () if last(third_of_more) => 3,
                () => 0,
            };
            let length = count - open;
            let within = first(length);
            // The last byte within ends its sequence, whatever follows.
            let ends = (!(member >> 1) | within ^ within >> 1) & within;
            Self { length, member, third, fourth: fourth & within, ends, ill_formed: ends & !whole }
        }

        /// The sequences in the next bytes, with their window. `None` if only the start of a
        /// sequence is left.
        #[inline]
        fn next(src: &[u8]) -> Option<(Self, Window)> {
            if src.is_empty() {
                return None;
            }
            let src = &src[..src.len().min(64)];
            let window = Window::alone(load_part(src));
            let sequences = Self::new(window, src.len());
            (sequences.length > 0).then_some((sequences, window))
        }
    );
}

featured!(
    /// UTF-8 to UTF-16.
    pub(super) fn utf8_to_utf16<const LE: bool>(src: &[u8], dst: &mut [u8]) -> Lossy {
        from_utf8::<false, LE>(src, dst)
    }

    /// UTF-8 to UTF-32.
    pub(super) fn utf8_to_utf32<const LE: bool>(src: &[u8], dst: &mut [u8]) -> Lossy {
        from_utf8::<true, LE>(src, dst)
    }

    #[inline]
    fn from_utf8<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> Lossy {
        let Lossy { mut read, mut written, mut replaced } = Lossy::default();
        let mut strict = true;
        loop {
            if strict {
                let (src, dst) = (&src[read..], &mut dst[written..]);
                let (more_read, more_written) = if WIDE {
                    utf8::to_utf32::<LE>(src, dst)
                } else {
                    utf8::to_utf16::<LE>(src, dst)
                };
                read += more_read;
                written += more_written;
            }
            let Some((sequences, window)) = Sequences::next(&src[read..]) else { break };
            let units = Units::lossy::<WIDE>(window, &sequences);
            let Some(bytes) = units.put::<WIDE, LE>(u64::MAX, &mut dst[written..]) else {
                let (src, dst) = (&src[read..], &mut dst[written..]);
                let rest = if WIDE {
                    scalar::lossy::<Utf8, Utf32<LE>>(src, dst)
                } else {
                    scalar::lossy::<Utf8, Utf16<LE>>(src, dst)
                };
                return sum(Lossy { read, written, replaced }, rest);
            };
            read += sequences.length;
            written += bytes;
            replaced += sequences.ill_formed.count_ones() as usize;
            strict = sequences.ill_formed == 0;
        }
        Lossy { read, written, replaced }
    }
);

fn sum(a: Lossy, b: Lossy) -> Lossy {
    Lossy {
        read: a.read + b.read,
        written: a.written + b.written,
        replaced: a.replaced + b.replaced,
    }
}

/// Number of bytes of UTF-8 that are made well-formed at a time, via UTF-16.
const CHUNK: usize = 256;

featured!(
    /// UTF-8 made well-formed.
    pub(super) fn utf8_to_utf8(src: &[u8], dst: &mut [u8]) -> Lossy {
        let mut done = Lossy::default();
        let mut strict = true;
        loop {
            let (src, dst) = (&src[done.read..], &mut dst[done.written..]);
            if strict {
                let length = utf8::prefix(&src[..src.len().min(dst.len())]);
                dst[..length].copy_from_slice(&src[..length]);
                done.read += length;
                done.written += length;
                strict = false;
                continue;
            }
            let mut utf16 = [0; 2 * CHUNK];
            let chunk = utf8_to_utf16::<true>(&src[..src.len().min(CHUNK)], &mut utf16);
            if chunk.read == 0 {
                return done;
            }
            let (taken, written) = utf16::to_utf8::<true>(&utf16[..chunk.written], dst);
            if taken < chunk.written {
                return sum(done, scalar::lossy::<Utf8, Utf8>(src, dst));
            }
            done = sum(done, Lossy { written, ..chunk });
            strict = chunk.replaced == 0;
        }
    }

    /// Code points of UTF-8, with U+FFFD for ill-formed sequences.
    pub(super) fn utf8_count(src: &[u8]) -> usize {
        units_of_utf8(src, |src| count::utf8(src), 0)
    }

    /// Bytes of UTF-16 for UTF-8, with U+FFFD for ill-formed sequences.
    pub(super) fn utf16_from_utf8(src: &[u8]) -> usize {
        2 * units_of_utf8(src, |src| count::utf16_from_utf8(src) / 2, u64::MAX)
    }

    /// Sums the units of well-formed text, by `strict`, and those of the rest: one for each
    /// sequence, and one more for each fourth byte under the mask.
    #[inline]
    fn units_of_utf8(src: &[u8], strict: impl Fn(&[u8]) -> usize, fourths: __mmask64) -> usize {
        let (mut read, mut units) = (0, 0);
        let mut sound = true;
        loop {
            if sound {
                let length = utf8::prefix(&src[read..]);
                units += strict(&src[read..read + length]);
                read += length;
            }
            let Some((sequences, _)) = Sequences::next(&src[read..]) else {
                return units + usize::from(read < src.len());
            };
            units += sequences.ends.count_ones() as usize;
            units += (sequences.fourth & fourths).count_ones() as usize;
            read += sequences.length;
            sound = sequences.ill_formed == 0;
        }
    }

    /// UTF-16 made well-formed. A high surrogate at the end of a register is written before its
    /// partner has been seen, and corrected when the next register is processed.
    pub(super) fn utf16_to_utf16<const LE: bool>(src: &[u8], dst: &mut [u8]) -> Lossy {
        // The most common short text, before there is a stack frame.
        if src.len() <= 512 && copied::<LE>(src, dst) {
            return Lossy { read: src.len(), written: src.len(), replaced: 0 };
        }
        mend_more::<LE>(src, dst)
    }

    /// Copies UTF-16, if it is complete units without surrogates and fits.
    #[inline]
    fn copied<const LE: bool>(src: &[u8], dst: &mut [u8]) -> bool {
        if !src.len().is_multiple_of(2) {
            return false;
        }
        let Some(dst) = dst.get_mut(..src.len()) else { return false };
        if let Some(last) = src.last_chunk() {
            for (units, room) in src.as_chunks().0.iter().zip(dst.as_chunks_mut().0) {
                let units = load(units);
                if utf16::any_surrogate::<LE, 1>([units]) {
                    return false;
                }
                store(room, units);
            }
            // The rest is the end of a register that overlaps the one before.
            let last = load(last);
            if let Some(room) = dst.last_chunk_mut() {
                store(room, last);
            }
            return !utf16::any_surrogate::<LE, 1>([last]);
        }
        let units = load_part(src);
        store_part(dst, units);
        !utf16::any_surrogate::<LE, 1>([units])
    }

    /// [`utf16_to_utf16`] of text that is not short, has surrogates, or does not fit.
    #[inline(never)]
    fn mend_more<const LE: bool>(src: &[u8], dst: &mut [u8]) -> Lossy {
        let order = |unit: u16| if LE { unit } else { unit.swap_bytes() };
        let is = |unit: Option<&[u8; 2]>, kind: u16| {
            unit.is_some_and(|unit| u16::from_le_bytes(*unit) & order(0xFC00) == order(kind))
        };
        let mut length = src.len().min(dst.len()) & !1;
        if is(src[..length].last_chunk(), 0xD800) {
            // A pair is not split, and a high surrogate at the end may still get its low surrogate.
            let after = src[length..].first_chunk();
            if after.is_none() || is(after, 0xDC00) {
                length -= 2;
            }
        }
        // Aligns whole registers to 64 bytes in the output.
        let lead = if length < 1024 { 0 } else { dst.as_ptr().addr().wrapping_neg() % 64 / 2 * 2 };
        let (mut read, mut replaced) = (0, 0);
        while read < length {
            while read >= lead.max(2)
                && let Some(around) = src[read - 2..length].first_chunk::<66>()
                && let Some(room) = dst[read..length].first_chunk_mut()
            {
                let units = load(around.last_chunk().unwrap());
                let mended = Mended::new::<LE>(units, load(around.first_chunk().unwrap()), 32);
                store(room, mended.units);
                if mended.before {
                    replace::<LE>(&mut dst[read - 2..read]);
                }
                replaced += mended.replaced;
                read += 64;
            }
            let count = (length - read).min(if read < lead { lead } else { 64 });
            let units = load_part(&src[read..read + count]);
            let before = match read {
                0 => _mm512_maskz_expand_epi16(!1, units),
                _ => load_part(&src[read - 2..read - 2 + count]),
            };
            let mended = Mended::new::<LE>(units, before, count / 2);
            store_part(&mut dst[read..read + count], mended.units);
            if mended.before {
                replace::<LE>(&mut dst[read - 2..read]);
            }
            replaced += mended.replaced;
            read += count;
        }
        if is(src[..length].last_chunk(), 0xD800) {
            replace::<LE>(&mut dst[length - 2..length]);
            replaced += 1;
        }
        Lossy { read, written: read, replaced }
    }
);

/// A register of UTF-16 without unpaired surrogates, except for a high one at its end.
struct Mended {
    units: __m512i,
    /// How many units are replaced, in this register and before.
    replaced: usize,
    /// Whether the unit before is one of them.
    before: bool,
}

impl Mended {
    featured!(
        /// Repairs the first `count` units; `before` has the unit before each of them.
        #[inline]
        fn new<const LE: bool>(units: __m512i, before: __m512i, count: usize) -> Self {
            let splat = |unit: u16| utf16::splat(if LE { unit } else { unit.swap_bytes() });
            let kinds = |units| _mm512_and_si512(units, splat(0xFC00));
            let low = _mm512_cmpeq_epi16_mask(kinds(units), splat(0xDC00));
            let expected = _mm512_cmpeq_epi16_mask(kinds(before), splat(0xD800));
            // Between well-formed registers nothing waits for a mask, and no branch depends on
            // which have pairs.
            if low == expected {
                return Self { units, replaced: 0, before: false };
            }
            let wrong = (expected ^ low) & first(count) as u32;
            let unpaired = low & wrong | (expected & wrong) >> 1;
            Self {
                units: _mm512_mask_mov_epi16(units, unpaired, splat(0xFFFD)),
                replaced: wrong.count_ones() as usize,
                before: expected & wrong & 1 == 1,
            }
        }
    );
}

/// Replaces a unit by U+FFFD.
#[cold]
fn replace<const LE: bool>(unit: &mut [u8]) {
    unit.copy_from_slice(&if LE { [0xFD, 0xFF] } else { [0xFF, 0xFD] });
}

featured!(
    /// UTF-16 to UTF-8.
    pub(super) fn utf16_to_utf8<const LE: bool>(src: &[u8], dst: &mut [u8]) -> Lossy {
        let mut done = Lossy::default();
        let mut strict = true;
        loop {
            let (src, dst) = (&src[done.read..], &mut dst[done.written..]);
            if strict {
                let (read, written) = utf16::to_utf8::<LE>(src, dst);
                done.read += read;
                done.written += written;
                strict = false;
                continue;
            }
            let mut sound = [0; 2 * CHUNK];
            let context = &src[..src.len().min(2 * CHUNK + 2)];
            let chunk = utf16_to_utf16::<LE>(context, &mut sound);
            if chunk.read == 0 {
                return done;
            }
            let (taken, written) = utf16::to_utf8::<LE>(&sound[..chunk.written], dst);
            if taken < chunk.written {
                return sum(done, scalar::lossy::<Utf16<LE>, Utf8>(src, dst));
            }
            done = sum(done, Lossy { written, ..chunk });
            strict = chunk.replaced == 0;
        }
    }
);
