//! From UTF-8.
//!
//! Validation is the three-table lookup of Keiser and Lemire ("Validating UTF-8 in less than one
//! instruction per byte", 2021). Two things differ: the bytes before each position come from
//! overlapping loads, since shuffles share one port with the lookups; nibbles come from
//! `gf2p8affineqb`, which uses the other port.
//!
//! Conversion, in short, for each position of the text:
//!
//! ```text
//! low  = continuation ? (byte before) << 6 | byte & 3F : byte
//! high = continuation ? (byte before) >> 2 & 0F : 0    | two before is E0.. ? that << 4 : 0
//! write low and high, unless byte >= C0 or the byte before >= E0
//! ```
//!
//! A sequence of four bytes writes its high surrogate at the third and its low surrogate at the
//! fourth; UTF-32 writes the code point there. Published algorithms (Clausecker and Lemire,
//! "Transcoding Unicode characters with AVX-512 instructions", 2023) gather the bytes of each
//! character. Here they are combined before anything moves, so that two bytes instead of three or
//! four are moved per code unit.
//!
//! For text of 129 to [`FEW`] bytes, the longest sequence in the text selects the conversion to
//! UTF-16. It branches only on blocks of ASCII. At 200 bytes on Zen 4, these branches make other
//! alphabets up to 8 % slower, and Italian, where most blocks are ASCII, a fifth faster. Two
//! alternatives were slower on that processor:
//!
//! - masked stores for the last two blocks, which need no branch on the space: Dutch takes 1.5 times
//!   as long;
//! - the same functions for text of two blocks: 65 bytes take 1.1 times as long.

mod pairs;
mod units;
mod validate;
mod window;

use core::arch::x86_64::*;

use super::blocks::convert as convert_blocks;
use super::memory::{
    self, BEFORE, bits, bytes, first, load, load_part, moved_where, splat, store, widen, widen_part,
};
use super::utf16::{put, put_part};
use crate::arch::scalar::{self, Latin1, Utf8, Utf16, Utf32};
use pairs::Pairs;
pub(super) use units::Units;
use validate::{LONG, sound};
pub(super) use validate::{ascii, prefix};
use window::asks;
pub(super) use window::{
    LARGE, OVERLONG_2, OVERLONG_3, OVERLONG_4, SURROGATE, Window, incomplete, with_three_before,
};

featured!(
    pub(super) fn to_utf16<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert::<false, LE>(src, dst)
    }

    pub(super) fn to_utf32<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert::<true, LE>(src, dst)
    }
);

/// Up to this length, [`convert`] tests for errors at the end only.
const FEW: usize = 1024;
/// Below this length, in bytes, ASCII is tried first, without the tables that other text needs.
const MANY: usize = 2048;

/// The start of a conversion.
const START: Progress = Progress { read: 0, written: 0 };

/// A conversion in progress: bytes read and written. The bytes read are well-formed except for a
/// sequence that may be incomplete. If that has four bytes, its high surrogate may have been
/// written.
#[derive(Clone, Copy)]
struct Progress {
    read: usize,
    written: usize,
}

featured!(
    #[inline]
    fn convert<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        match src.len() {
            // The most common short text, before there is a stack frame.
            0..=64 => {
                let byte = load_part(src);
                if _mm512_movepi8_mask(byte) == 0
                    && let Some(all) = widen_part::<WIDE, LE>(byte, src.len(), dst)
                {
                    return all;
                }
                one_block::<WIDE, LE>(src, dst)
            }
            65..=128 => two_blocks::<WIDE, LE>(src, dst),
            129..=FEW if !WIDE => few_blocks::<LE>(src, dst),
            _ if src.len() < MANY => many_blocks::<WIDE, LE>(src, dst),
            _ => by_blocks::<WIDE, LE>(src, dst),
        }
    }

    /// [`convert`] of some blocks. After blocks of ASCII, the longest sequence of the rest selects
    /// the method: in text of this length, branches on each block would be mispredicted.
    #[inline(never)]
    fn few_blocks<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let mut at = 0;
        for (block, dst) in src.as_chunks::<64>().0.iter().zip(dst.as_chunks_mut::<128>().0) {
            let block = load(block);
            if _mm512_movepi8_mask(block) != 0 {
                break;
            }
            widen::<false, LE>(block, dst.as_chunks_mut().0);
            at += 64;
        }
        let rest = src.len() - at;
        if rest <= 64
            && let Some(end) = src.last_chunk()
            && let Some(written) = last_ascii::<false, LE>(load(end), rest, dst, 2 * at)
        {
            return (src.len(), 2 * at + written);
        }
        // The rest is more than one block, with three bytes before the last.
        at -= if rest < 67 { 64 } else { 0 };
        let rest = &src[at..];
        let blocks = rest.as_chunks::<64>().0.iter().chain(rest.last_chunk());
        let most = blocks.fold(splat(0), |most, block| _mm512_max_epu8(most, load(block)));
        let all = if _mm512_cmpge_epu8_mask(most, splat(0xE0)) == 0 {
            few_blocks_of_pairs::<LE>(rest, &mut dst[2 * at..])
        } else {
            few_sound_blocks::<false, LE>(rest, &mut dst[2 * at..])
        };
        match all {
            Some(written) => (src.len(), 2 * at + written),
            None => by_blocks::<false, LE>(src, dst),
        }
    }

    /// Converts two overlapping blocks without bytes from E0 up, if they are well-formed and fit.
    /// Returns the bytes written.
    #[inline(never)]
    fn two_blocks_of_pairs<const LE: bool>(src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let start = Pairs::alone(load(src.first_chunk()?));
        let written = start.put::<LE>(u64::MAX, dst)?;
        let end = Pairs::new(src.last_chunk()?);
        let more = end.put::<LE>(last(src.len() - 64), dst.get_mut(written..)?)?;
        let errors = start.errors | end.errors;
        (errors == 0 && incomplete(src) == 0).then_some(written + more)
    }

    /// Converts more than one block without bytes from E0 up, if they are well-formed and fit.
    /// Returns the bytes written. Blocks of ASCII have a branch, because they save more time than
    /// its mispredictions lose.
    #[inline(never)]
    fn few_blocks_of_pairs<const LE: bool>(src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let (mut at, mut written, mut errors) = (0, 0, 0);
        while src.len() - at > 64
            && let Some(block) = src[at..].first_chunk()
        {
            let byte = load(block);
            let before = at.checked_sub(1);
            if _mm512_movepi8_mask(byte) == 0 {
                errors |= u64::from(before.is_some_and(|before| src[before] >= 0xC0));
                let room = dst.get_mut(written..)?.first_chunk_mut::<128>()?;
                widen::<false, LE>(byte, room.as_chunks_mut().0);
                written += 128;
            } else {
                let pairs = match before.and_then(|before| src[before..].first_chunk()) {
                    Some(block) => Pairs::new(block),
                    None => Pairs::alone(byte),
                };
                errors |= pairs.errors;
                let dst = dst.get_mut(written..)?;
                // This block and a whole one after it yield at least 64 code units, so there is space
                // for full registers. After the last whole block, only a part of one follows.
                written += if src.len() - at > 128 {
                    pairs.put_whole::<LE>(dst.first_chunk_mut()?)
                } else {
                    pairs.put_exactly::<LE>(dst)?
                };
            }
            at += 64;
        }
        let (rest, end) = (src.len() - at, src.last_chunk::<65>()?);
        if let Some(more) =
            last_ascii::<false, LE>(load(end.last_chunk().unwrap()), rest, dst, written)
        {
            errors |= u64::from(end[0] >= 0xC0);
            return (errors == 0).then_some(written + more);
        }
        let end = Pairs::new(end);
        errors |= end.errors;
        written += end.put::<LE>(last(rest), dst.get_mut(written..)?)?;
        (errors == 0 && incomplete(src) == 0).then_some(written)
    }

    /// Converts two overlapping blocks or more, if they are well-formed and fit. Returns the bytes
    /// written. No branch depends on the text, except for blocks of ASCII and sequences of four
    /// bytes.
    #[inline(never)]
    fn few_sound_blocks<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let (start, end) = (src.first_chunk()?, src.last_chunk::<67>()?);
        let window = Window::alone(load(start));
        let mut errors = window.errors();
        let mut written = Units::new::<WIDE>(window, 0).put::<WIDE, LE>(u64::MAX, dst)?;
        let mut at = 64;
        while src.len() - at > 64
            && let Some(block) = with_three_before::<67>(src, at)
        {
            at += 64;
            let byte = load(block.last_chunk().unwrap());
            if !WIDE && _mm512_movepi8_mask(byte) == 0 && !asks(*block.first_chunk().unwrap()) {
                let room = dst.get_mut(written..)?.first_chunk_mut::<128>()?;
                widen::<false, LE>(byte, room.as_chunks_mut().0);
                written += 128;
                continue;
            }
            let window = Window::new(block);
            errors = _mm512_or_si512(errors, window.errors());
            let units = Units::new::<WIDE>(window, block[0]);
            written += units.put::<WIDE, LE>(u64::MAX, dst.get_mut(written..)?)?;
        }
        let window = Window::new(end);
        errors = _mm512_or_si512(errors, window.errors());
        let units = Units::new::<WIDE>(window, end[0]);
        written += units.put::<WIDE, LE>(last(src.len() - at), dst.get_mut(written..)?)?;
        let is_sound = _mm512_test_epi8_mask(errors, errors) == 0 && incomplete(src) == 0;
        is_sound.then_some(written)
    }

    /// [`convert`] of at most one block that is not ASCII, or does not fit.
    #[inline(never)]
    fn one_block<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if src.len() < 12 {
            return by_sequence::<WIDE, LE>(src, dst);
        }
        let within = first(src.len());
        let byte = load_part(src);
        if !WIDE && _mm512_cmpge_epu8_mask(byte, splat(0xE0)) == 0 {
            let pairs = Pairs::alone(byte);
            if pairs.errors & within == 0
                && incomplete(src) == 0
                && let Some(written) = pairs.put::<LE>(within, dst)
            {
                return (src.len(), written);
            }
            return by_blocks::<WIDE, LE>(src, dst);
        }
        let window = Window::alone(byte);
        let errors = window.errors();
        if _mm512_test_epi8_mask(errors, errors) & within == 0
            && incomplete(src) == 0
            && let Some(written) = Units::new::<WIDE>(window, 0).put::<WIDE, LE>(within, dst)
        {
            return (src.len(), written);
        }
        by_blocks::<WIDE, LE>(src, dst)
    }

    /// [`convert`] of more than one block and at most two.
    #[inline(never)]
    fn two_blocks<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let all = match two_blocks_of_ascii::<WIDE, LE>(src, dst) {
            Some(written) => Some(written),
            None if !WIDE && is_of_pairs(src) => two_blocks_of_pairs::<LE>(src, dst),
            None => two_sound_blocks::<WIDE, LE>(src, dst),
        };
        match all {
            Some(written) => (src.len(), written),
            None => by_blocks::<WIDE, LE>(src, dst),
        }
    }

    /// Whether two overlapping blocks have no bytes from E0 up.
    #[inline]
    fn is_of_pairs(src: &[u8]) -> bool {
        let (Some(one), Some(two)) = (src.first_chunk(), src.last_chunk()) else { return false };
        let most = _mm512_max_epu8(load(one), load(two));
        _mm512_cmpge_epu8_mask(most, splat(0xE0)) == 0
    }

    /// Converts two overlapping blocks, if they are ASCII and fit. Returns the bytes written.
    #[inline]
    fn two_blocks_of_ascii<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let [one, two] = [src.first_chunk()?, src.last_chunk()?].map(|block| load(block));
        if _mm512_movepi8_mask(_mm512_or_si512(one, two)) != 0 {
            return None;
        }
        let times = if WIDE { 4 } else { 2 };
        let dst = dst.get_mut(..times * src.len())?;
        widen::<WIDE, LE>(one, dst.get_mut(..64 * times)?.as_chunks_mut().0);
        let last = dst.len() - 64 * times;
        widen::<WIDE, LE>(two, dst[last..].as_chunks_mut().0);
        Some(dst.len())
    }

    /// Converts two overlapping blocks, if they are well-formed and fit. Returns the bytes written.
    #[inline]
    fn two_sound_blocks<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let one = Window::alone(load(src.first_chunk()?));
        let (two, within, first_three) = Window::after_block(src);
        let errors = _mm512_or_si512(one.errors(), two.errors());
        if _mm512_test_epi8_mask(errors, errors) != 0 || incomplete(src) != 0 {
            return None;
        }
        let first = Units::new::<WIDE>(one, 0).put::<WIDE, LE>(u64::MAX, dst)?;
        let units = Units::new::<WIDE>(two, first_three);
        let more = units.put::<WIDE, LE>(within, dst.get_mut(first..)?)?;
        Some(first + more)
    }
);

/// A mask of the last `count` positions of a block; `count` is not 0.
#[inline(always)]
fn last(count: usize) -> __mmask64 {
    u64::MAX << (count.wrapping_neg() & 63)
}

featured!(
    /// [`convert`] of text that is not short.
    #[inline(never)]
    fn many_blocks<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let times = if WIDE { 4 } else { 2 };
        let mut blocks = 0;
        for (block, dst) in src.as_chunks::<64>().0.iter().zip(dst.chunks_exact_mut(64 * times)) {
            let block = load(block);
            if _mm512_movepi8_mask(block) != 0 {
                break;
            }
            widen::<WIDE, LE>(block, dst.as_chunks_mut().0);
            blocks += 1;
        }
        let at = Progress { read: 64 * blocks, written: 64 * times * blocks };
        let rest = src.len() - at.read;
        if rest < 64
            && at.read > 0
            && let Some(end) = src.last_chunk()
            && let Some(written) = last_ascii::<WIDE, LE>(load(end), rest, dst, at.written)
        {
            return (src.len(), at.written + written);
        }
        from_blocks::<WIDE, LE>(src, dst, at)
    }

    /// [`convert`] of any text.
    #[inline(never)]
    fn by_blocks<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let at = ascii_run::<WIDE, LE>(src, dst, START);
        from_blocks::<WIDE, LE>(src, dst, at)
    }

    /// [`convert`] of the text after some blocks of ASCII.
    #[inline(never)]
    fn from_blocks<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
        mut at: Progress,
    ) -> (usize, usize) {
        if at.read == 0
            && let Some(block) = src.first_chunk()
            && let Some(written) = first_block::<WIDE, LE>(block, dst)
        {
            at = Progress { read: 64, written };
        }
        while let Some(block) = with_three_before::<67>(src, at.read) {
            let byte = load(block.last_chunk().unwrap());
            if _mm512_movepi8_mask(byte) == 0 && !asks(*block.first_chunk().unwrap()) {
                let after = some_ascii::<WIDE, LE>(src, dst, at);
                if after.read == at.read {
                    break;
                }
                at = after;
                continue;
            }
            let written = if !WIDE && let Some(pairs) = Pairs::after(block) {
                if pairs.errors != 0 {
                    break;
                }
                pairs.put::<LE>(u64::MAX, &mut dst[at.written..])
            } else {
                let window = Window::new(block);
                let errors = window.errors();
                if _mm512_test_epi8_mask(errors, errors) != 0 {
                    break;
                }
                let units = Units::new::<WIDE>(window, block[0]);
                units.put::<WIDE, LE>(u64::MAX, &mut dst[at.written..])
            };
            let Some(written) = written else { break };
            at.written += written;
            at.read += 64;
        }
        // The remaining bytes are the end of a block that has no error before them.
        let rest = src.len() - at.read;
        if (1..64).contains(&rest)
            && at.read >= 64
            && let Some(block) = src.last_chunk::<67>()
            && let Some(written) = last_block::<WIDE, LE>(block, rest, dst, at.written)
        {
            at.read += rest;
            at.written += written;
        }
        // Back up to the last boundary.
        let begun = incomplete(&src[..at.read]);
        at.read -= begun;
        at.written -= if begun == 3 && !WIDE { 2 } else { 0 };
        while at.read < src.len() {
            let before = at.read;
            let end = short::<WIDE, LE>(src, dst, &mut at);
            if end != End::Whole || at.read == before {
                return finish::<WIDE, LE>(src, dst, at, end);
            }
        }
        (at.read, at.written)
    }

    /// Converts the first block of text, if it fits and is well-formed except for a sequence cut by
    /// its end. Returns the bytes written.
    #[inline]
    fn first_block<const WIDE: bool, const LE: bool>(
        src: &[u8; 64],
        dst: &mut [u8],
    ) -> Option<usize> {
        let window = Window::alone(load(src));
        let errors = window.errors();
        if _mm512_test_epi8_mask(errors, errors) != 0 {
            return None;
        }
        Units::new::<WIDE>(window, 0).put::<WIDE, LE>(u64::MAX, dst)
    }

    /// Converts the last `rest` bytes of a block, if they fit and the block is well-formed except
    /// for a sequence cut by its end. The output so far ends with the text before them. Returns the
    /// bytes written.
    #[inline]
    fn last_block<const WIDE: bool, const LE: bool>(
        src: &[u8; 67],
        rest: usize,
        dst: &mut [u8],
        written: usize,
    ) -> Option<usize> {
        let byte = load(src.last_chunk().unwrap());
        if let Some(written) = last_ascii::<WIDE, LE>(byte, rest, dst, written) {
            return Some(written);
        }
        let window = Window::new(src);
        let errors = window.errors();
        if _mm512_test_epi8_mask(errors, errors) != 0 {
            return None;
        }
        let units = Units::new::<WIDE>(window, src[0]);
        units.put::<WIDE, LE>(last(rest), dst.get_mut(written..)?)
    }

    /// The same, if the block is ASCII.
    #[inline]
    fn last_ascii<const WIDE: bool, const LE: bool>(
        src: __m512i,
        rest: usize,
        dst: &mut [u8],
        written: usize,
    ) -> Option<usize> {
        if _mm512_movepi8_mask(src) != 0 {
            return None;
        }
        // Some units are written again.
        let times = if WIDE { 4 } else { 2 };
        let end = written + times * rest;
        let room = dst.get_mut(end.checked_sub(64 * times)?..end)?;
        widen::<WIDE, LE>(src, room.as_chunks_mut().0);
        Some(times * rest)
    }

    /// Converts blocks of 64 bytes of ASCII up to the first other block. After [`LONG`] blocks, the
    /// dedicated loop takes over. The text before must be complete.
    #[inline]
    fn some_ascii<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
        mut at: Progress,
    ) -> Progress {
        let times = if WIDE { 4 } else { 2 };
        let begin = at.read;
        loop {
            let Some(block) = src[at.read..].first_chunk::<64>() else { return at };
            let Some(room) = dst[at.written..].get_mut(..64 * times) else { return at };
            let block = load(block);
            if _mm512_movepi8_mask(block) != 0 {
                return at;
            }
            widen::<WIDE, LE>(block, room.as_chunks_mut().0);
            at.read += 64;
            at.written += 64 * times;
            if at.read - begin == LONG * 64 && src.len() - at.read > MANY {
                return ascii_run::<WIDE, LE>(src, dst, at);
            }
        }
    }

    /// Converts whole blocks of 64 bytes of ASCII. The text before must be complete, or followed by
    /// ASCII.
    #[inline(never)]
    fn ascii_run<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
        at: Progress,
    ) -> Progress {
        let times = if WIDE { 4 } else { 2 };
        let (src, dst) = (&src[at.read..], &mut dst[at.written..]);
        let mut read = 0;
        // Part of the first block is written again, so that the rest is aligned to 64 bytes.
        let misplaced = if src.len() < 1024 { 0 } else { dst.as_ptr().addr() % 64 / times };
        while let Some(next) = src[read..].first_chunk::<64>()
            && let Some(room) = dst[times * read..].get_mut(..64 * times)
        {
            let bytes = load(next);
            if _mm512_movepi8_mask(bytes) != 0 {
                break;
            }
            widen::<WIDE, LE>(bytes, room.as_chunks_mut().0);
            read += if read == 0 { 64 - misplaced } else { 64 };
            // Two at a time, as long as possible.
            while let Some(next) = src[read..].first_chunk::<128>()
                && let Some(room) = dst[times * read..].get_mut(..128 * times)
            {
                let [a, b] = [0, 64].map(|at| load(next[at..].first_chunk().unwrap()));
                if _mm512_movepi8_mask(_mm512_or_si512(a, b)) != 0 {
                    break;
                }
                let (first, second) = room.split_at_mut(64 * times);
                widen::<WIDE, LE>(a, first.as_chunks_mut().0);
                widen::<WIDE, LE>(b, second.as_chunks_mut().0);
                read += 128;
            }
        }
        Progress { read: at.read + read, written: at.written + times * read }
    }
);

/// The outcome of a short conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The end of the bytes was reached, except for a sequence that may continue.
    Whole,
    IllFormed,
    NoRoom,
}

featured!(
    /// Converts at most 64 bytes, from a boundary to a boundary, using no more space than needed.
    #[inline]
    fn short<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
        at: &mut Progress,
    ) -> End {
        let src = &src[at.read..src.len().min(at.read + 64)];
        let dst = &mut dst[at.written..];
        let byte = load_part(src);
        if _mm512_movepi8_mask(byte) == 0 {
            let Some((read, written)) = widen_part::<WIDE, LE>(byte, src.len(), dst) else {
                return End::NoRoom;
            };
            at.read += read;
            at.written += written;
            return End::Whole;
        }
        let window = Window::alone(byte);
        let (count, sound) = sound(src, window);
        let units = Units::new::<WIDE>(window, 0);
        let Some(written) = units.put::<WIDE, LE>(first(count), dst) else { return End::NoRoom };
        at.read += count;
        at.written += written;
        if sound { End::Whole } else { End::IllFormed }
    }

    /// Returns the progress of `at`. If there was too little space for blocks, first converts more,
    /// one sequence at a time.
    #[inline]
    fn finish<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
        at: Progress,
        end: End,
    ) -> (usize, usize) {
        let Progress { mut read, mut written } = at;
        if end == End::NoRoom {
            let more = by_sequence::<WIDE, LE>(&src[read..], &mut dst[written..]);
            read += more.0;
            written += more.1;
        }
        (read, written)
    }
);

/// Converts one sequence at a time.
#[inline(always)]
fn by_sequence<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if WIDE {
        scalar::convert::<Utf8, Utf32<LE>>(src, dst)
    } else {
        scalar::convert::<Utf8, Utf16<LE>>(src, dst)
    }
}

/// Number of bytes at the end that are the lead byte of a code point in Latin-1.
fn incomplete_latin1(src: &[u8]) -> usize {
    usize::from(matches!(src, [.., 0xC2 | 0xC3]))
}

/// A block of UTF-8 as Latin-1: a byte for each position, and a mask of those that represent a
/// code point.
type InLatin1 = (__m512i, __mmask64);

featured!(
    /// Converts 64 bytes, given those before each, to Latin-1. `carry` is 1 if the byte before the
    /// first is the lead byte of a code point in Latin-1. Also returns a mask of the bytes that are
    /// invalid in their position, as far as the bytes up to there show.
    #[inline]
    fn latin1(byte: __m512i, before: __m512i, carry: u64) -> (InLatin1, __mmask64) {
        let beyond_ascii = _mm512_movepi8_mask(byte);
        let trail = _mm512_cmplt_epi8_mask(byte, splat(0xC0));
        let lead = _mm512_cmpeq_epi8_mask(_mm512_and_si512(byte, splat(0xFE)), splat(0xC2));
        let wrong = beyond_ascii ^ (lead | trail) | trail ^ (lead << 1 | carry);
        let carried = moved_where(trail, before, bits(0, 6, 2));
        ((_mm512_ternarylogic_epi32::<0xF8>(carried, byte, splat(0x7F)), !lead), wrong)
    }

    /// [`latin1`] of 64 bytes after the one before them, if all are valid.
    #[inline]
    fn block_in_latin1(src: &[u8; 65]) -> Option<InLatin1> {
        let byte = load(src.last_chunk().unwrap());
        let carry = incomplete_latin1(&src[..1]) as u64;
        if u64::from(_mm512_movepi8_mask(byte) != 0) | carry == 0 {
            return Some((byte, u64::MAX));
        }
        let (latin1, wrong) = latin1(byte, load(src.first_chunk().unwrap()), carry);
        (wrong == 0).then_some(latin1)
    }

    /// [`latin1`] of up to 64 bytes that begin on a boundary, and the length of the valid prefix,
    /// up to a boundary.
    #[inline]
    fn part_in_latin1(byte: __m512i, count: usize) -> (InLatin1, usize) {
        if _mm512_movepi8_mask(byte) == 0 {
            return ((byte, first(count)), count);
        }
        let before = _mm512_maskz_permutexvar_epi8(!1, bytes(&BEFORE[1]), byte);
        let ((bytes, mask), wrong) = latin1(byte, before, 0);
        let sound = memory::before(wrong, count);
        let within = first(sound);
        // A lead byte at the end is left to the text that follows.
        let begins = within & !(within >> 1) & !mask != 0;
        ((bytes, mask & within), if begins { sound - 1 } else { sound })
    }

    /// UTF-8 to Latin-1.
    pub(super) fn to_latin1(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert_blocks!(
            src,
            dst,
            unit 1, nul 1, context 1,
            |src| (incomplete_latin1(src), 0),
            |src: &[u8; 129], dst| {
                let dst = dst.first_chunk_mut::<128>()?;
                let [a, b] = [1, 65].map(|at| load(src[at..].first_chunk().unwrap()));
                let ascii = _mm512_movepi8_mask(_mm512_or_si512(a, b)) == 0;
                if ascii && incomplete_latin1(&src[..1]) == 0 {
                    let dst = dst.as_chunks_mut().0;
                    store(&mut dst[0], a);
                    store(&mut dst[1], b);
                    return Some(128);
                }
                let (bytes, mask) = block_in_latin1(src.first_chunk().unwrap())?;
                let first = put(bytes, mask, dst.first_chunk_mut().unwrap());
                let (bytes, mask) = block_in_latin1(src.last_chunk().unwrap())?;
                Some(first + put(bytes, mask, dst[first..].first_chunk_mut().unwrap()))
            },
            |bytes, count, dst| {
                let ((bytes, mask), read) = part_in_latin1(bytes, count);
                Some((read, put_part(bytes, mask, dst)?))
            },
            scalar::convert::<Utf8, Latin1>,
        )
    }

    /// Length in bytes of the longest well-formed prefix whose code points are in Latin-1.
    pub(super) fn latin1_prefix(src: &[u8]) -> usize {
        let (read, _) = convert_blocks!(
            src,
            &mut [],
            unit 1, nul 0, context 1,
            |src| (incomplete_latin1(src), 0),
            |src: &[u8; 129], _| {
                block_in_latin1(src.first_chunk().unwrap())?;
                block_in_latin1(src.last_chunk().unwrap()).map(|_| 0)
            },
            |bytes, count, _| Some((part_in_latin1(bytes, count).1, 0)),
            |_, _| (0, 0),
        );
        read
    }
);
