//! How much of a text is well-formed.

use core::arch::x86_64::*;

use super::super::memory::{self, first, load, load_part};
use super::window::{Window, asks, incomplete, with_three_before};

featured!(
    /// Length in bytes of the longest well-formed prefix.
    pub(in super::super) fn prefix(src: &[u8]) -> usize {
        match src.len() {
            // An empty slice may point to a page that is not mapped. A masked load from there takes
            // fifty nanoseconds, even if it loads nothing.
            0 => return 0,
            1..=64 => return short_prefix(src).0,
            65..=66 => {
                if let Some(prefix) = block_and_more(src) {
                    return prefix;
                }
            }
            67..=256 => {
                if let Some(prefix) = few_blocks(src) {
                    return prefix;
                }
            }
            _ => {}
        }
        let mut read = ascii(src);
        while let Some(block) = src[read..].first_chunk()
            && _mm512_movepi8_mask(load(block)) == 0
        {
            read += 64;
        }
        if read > 0
            && src.len() - read < 64
            && let Some(last) = src.last_chunk()
            && _mm512_movepi8_mask(load(last)) == 0
        {
            return src.len();
        }
        if read == 0
            && let Some(first) = src.first_chunk()
        {
            let (sound, is_sound) = sound(first, Window::alone(load(first)));
            if !is_sound {
                return sound;
            }
            read = 64;
        }
        let mut plain = 0;
        while let Some(block) = with_three_before::<131>(src, read) {
            let (one, two) =
                (block.first_chunk::<67>().unwrap(), block.last_chunk::<67>().unwrap());
            let (low, high) = (load(one.last_chunk().unwrap()), load(two.last_chunk().unwrap()));
            if _mm512_movepi8_mask(_mm512_or_si512(low, high)) == 0 {
                if asks(*block.first_chunk().unwrap()) {
                    break;
                }
                read += 128;
                plain += 1;
                if plain == LONG {
                    read += ascii(&src[read..]);
                    plain = 0;
                }
            } else {
                let errors = _mm512_or_si512(Window::new(one).errors(), Window::new(two).errors());
                if _mm512_test_epi8_mask(errors, errors) != 0 {
                    break;
                }
                read += 128;
                plain = 0;
            }
        }
        while src.len() - read > 64
            && let Some(block) = with_three_before::<67>(src, read)
        {
            let errors = Window::new(block).errors();
            let errors = _mm512_test_epi8_mask(errors, errors);
            if errors != 0 {
                return up_to(src, read, errors);
            }
            read += 64;
        }
        // The remaining bytes are the end of a block that has no error before them.
        if let Some(last) = src.last_chunk() {
            let errors = Window::new(last).errors();
            if _mm512_test_epi8_mask(errors, errors) == 0 {
                return src.len() - incomplete(src);
            }
        }
        let errors = Window::part(src, read).errors();
        up_to(src, read, _mm512_test_epi8_mask(errors, errors))
    }
);

/// Length in bytes of the well-formed prefix before the first error at or after `at`, given the
/// mask of errors.
#[inline(always)]
fn up_to(src: &[u8], at: usize, errors: __mmask64) -> usize {
    let sound = at + memory::before(errors, src.len() - at);
    sound - incomplete(&src[..sound])
}

featured!(
    /// [`few_blocks`] of a block and one or two bytes.
    #[inline]
    fn block_and_more(src: &[u8]) -> Option<usize> {
        let one = load(src.first_chunk()?);
        if _mm512_movepi8_mask(one) == 0 && src[64..].is_ascii() {
            return Some(src.len());
        }
        let (two, ..) = Window::after_block(src);
        let errors = _mm512_or_si512(Window::alone(one).errors(), two.errors());
        (_mm512_test_epi8_mask(errors, errors) == 0).then(|| src.len() - incomplete(src))
    }

    /// Length in bytes of the well-formed prefix of a few blocks, if they have no error. There is
    /// no branch on the data before the end, where the last block overlaps the one before.
    #[inline]
    fn few_blocks(src: &[u8]) -> Option<usize> {
        let (start, end) = (src.first_chunk()?, src.last_chunk::<67>()?);
        let byte = load(start);
        let mut all = _mm512_or_si512(byte, load(end.last_chunk().unwrap()));
        let mut rest = &src[61..];
        while rest.len() > 67
            && let Some(block) = rest.first_chunk::<67>()
        {
            all = _mm512_or_si512(all, load(block.last_chunk().unwrap()));
            rest = &rest[64..];
        }
        if _mm512_movepi8_mask(all) == 0 {
            return Some(src.len());
        }
        let mut errors = _mm512_or_si512(Window::alone(byte).errors(), Window::new(end).errors());
        let mut rest = &src[61..];
        while rest.len() > 67
            && let Some(block) = rest.first_chunk::<67>()
        {
            errors = _mm512_or_si512(errors, Window::new(block).errors());
            rest = &rest[64..];
        }
        (_mm512_test_epi8_mask(errors, errors) == 0).then(|| src.len() - incomplete(src))
    }
);

/// After this many consecutive blocks of ASCII, more is expected, and a dedicated loop is worth
/// the mispredicted branch at its end.
pub(super) const LONG: usize = 8;

featured!(
    /// Number of bytes in whole blocks of 256 that are ASCII.
    #[inline]
    pub(in super::super) fn ascii(src: &[u8]) -> usize {
        let mut read = 0;
        while let Some(block) = src[read..].first_chunk::<256>() {
            let [a, b, c, d] = [0, 64, 128, 192].map(|at| load(block[at..].first_chunk().unwrap()));
            let abc = _mm512_ternarylogic_epi32::<0xFE>(a, b, c);
            if _mm512_movepi8_mask(_mm512_or_si512(abc, d)) != 0 {
                break;
            }
            read += 256;
        }
        read
    }

    /// Length in bytes of the longest well-formed prefix of up to 64 bytes, and whether the rest
    /// could be completed by more bytes.
    #[inline]
    fn short_prefix(src: &[u8]) -> (usize, bool) {
        let byte = load_part(src);
        if _mm512_movepi8_mask(byte) == 0 {
            return (src.len(), true);
        }
        sound(src, Window::alone(byte))
    }

    /// [`short_prefix`] of a window.
    #[inline]
    pub(super) fn sound(src: &[u8], window: Window) -> (usize, bool) {
        let errors = window.errors();
        match _mm512_test_epi8_mask(errors, errors) & first(src.len()) {
            // A sequence cut off at the end is not an error yet.
            0 => (src.len() - incomplete(src), true),
            wrong => {
                let sound = wrong.trailing_zeros() as usize;
                (sound - incomplete(&src[..sound]), false)
            }
        }
    }
);
