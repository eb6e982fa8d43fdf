//! Splits a short piece of text into its parts, byte by byte: well-formed sequences, and the
//! maximal subparts of ill-formed ones (Unicode §3.9).
//!
//! A set of bytes is 64 bits, so "the byte after one of these" is a shift. This is for the pieces
//! that blocks cannot process: the ends of text, and pieces with an ill-formed sequence in them,
//! which becomes U+FFFD at vector speed.
//!
//! ```text
//! second = continuation bytes after a lead, unless the two clash (E0 80, ED A0, F0 80, F4 90)
//! third  = continuation bytes after a second that is after a lead of three or four
//! fourth = continuation bytes after a third that is after the second of a lead of four
//! well-formed: ASCII; leads followed by all the bytes they need, and those bytes
//! ill-formed: the rest; a maximal subpart is a lead with its second and third, or one byte
//! ```

use super::BLOCK;
use super::utf8::{BEFORE, Validator, boundary, pad};
use crate::simd::{Bits, Simd, Vector};

/// A piece of up to a block, starting at a boundary, with the block that contains it and the three
/// bytes before that.
pub(crate) struct Piece<'a> {
    window: &'a Window,
    /// The offset of the piece in the block.
    skip: usize,
    length: usize,
}

/// Space for a piece.
pub(crate) type Window = [u8; BEFORE + BLOCK];

impl<'a> Piece<'a> {
    /// The piece at `read`, copied to `room` if there are too few bytes around it. `src` ends at a
    /// boundary.
    ///
    /// A piece leaves a sequence that may be cut off by its end to the next piece. A few bytes are
    /// enough to determine that, so the next piece can be loaded before this one has been parsed.
    #[inline(always)]
    pub(crate) fn new(src: &'a [u8], read: usize, room: &'a mut Window) -> Self {
        let rest = &src[read..];
        if let Some(block) = rest.first_chunk::<BLOCK>() {
            let length = boundary(block, BLOCK);
            if let Some(before) = read.checked_sub(BEFORE)
                && let Some(window) = src[before..].first_chunk()
            {
                return Self { window, skip: 0, length };
            }
            room[BEFORE..].copy_from_slice(block);
            return Self { window: room, skip: 0, length };
        }
        if let Some(window) = src.last_chunk() {
            return Self { window, skip: BLOCK - rest.len(), length: rest.len() };
        }
        pad(rest, room.last_chunk_mut().expect("a block in the window"));
        Self { window: room, skip: 0, length: rest.len() }
    }

    /// The block that contains the piece.
    #[inline(always)]
    pub(crate) fn block(&self) -> &'a [u8; BLOCK] {
        self.window.last_chunk().expect("a block in the window")
    }

    /// The block and the three bytes before it.
    #[inline(always)]
    pub(crate) fn window(&self) -> &'a Window {
        self.window
    }

    /// The bytes of the piece.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &'a [u8] {
        &self.block()[self.skip..][..self.length]
    }

    /// The positions of the piece in the block.
    #[inline(always)]
    pub(crate) fn within(&self) -> u64 {
        below(self.skip + self.length) & !below(self.skip)
    }
}

/// The parts of a piece that starts at a boundary.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    /// First bytes of maximal subparts of ill-formed sequences.
    pub(crate) ill: u64,
    /// Bytes of well-formed sequences.
    pub(crate) sound: u64,
    /// Last bytes of well-formed sequences.
    pub(crate) last: u64,
    /// Bytes at these positions in well-formed sequences.
    pub(crate) third_of_three: u64,
    pub(crate) third_of_four: u64,
    pub(crate) fourth: u64,
}

impl Parts {
    #[inline(always)]
    pub(crate) fn new<S: Simd>(
        simd: S,
        validator: &Validator<S::Vector>,
        piece: &Piece<'_>,
    ) -> Self {
        let window = piece.window;
        // All clashes except a lead without a continuation byte, or a continuation byte without a
        // lead.
        let clash = simd.splat(0x7C);
        let [mut high, mut trail, mut lead3] = [simd.bits(); 3];
        let [mut lead4, mut not_lead, mut clashes] = [simd.bits(); 3];
        for at in (0..BLOCK).step_by(S::Vector::BYTES) {
            let before1 = simd.load(&window[at + BEFORE - 1..]);
            let current = simd.load(&window[at + BEFORE..]);
            let pair = validator.pair(before1, current).and(clash).greater_signed(simd.zero());
            // C0 and C1, and F5 and above.
            let never = current
                .and(simd.splat(0xFE))
                .equal(simd.splat(0xC0))
                .or(current.sub_saturating(simd.splat(0xF5 - 0x80)));
            high.put(at, current);
            trail.put(at, simd.splat(0xC0).greater_signed(current));
            lead3.put(at, current.sub_saturating(simd.splat(0xE0 - 0x80)));
            lead4.put(at, current.sub_saturating(simd.splat(0xF0 - 0x80)));
            not_lead.put(at, never);
            clashes.put(at, pair);
        }
        let within = piece.within();
        let (high, trail) = (high.get() & within, trail.get() & within);
        let (lead3, lead4) = (lead3.get(), lead4.get());
        let (not_lead, clashes) = (not_lead.get(), clashes.get());
        let leads = high & !trail & !not_lead;
        let (lead2, lead3, lead4) = (leads & !lead3, leads & lead3 & !lead4, leads & lead4);

        let second = trail & leads << 1 & !clashes;
        let third = trail & second << 1 & (lead3 | lead4) << 2;
        let fourth = trail & third << 1 & lead4 << 3;
        let (whole2, whole3) = (lead2 & second >> 1, lead3 & third >> 2);
        let whole4 = lead4 & fourth >> 3;
        let broken = leads & !(whole2 | whole3 | whole4);
        let broken_second = second & broken << 1;
        let broken_third = third & broken_second << 1;

        let sound = !high
            | (whole2 | whole2 << 1)
            | (whole3 | whole3 << 1 | whole3 << 2)
            | (whole4 | whole4 << 1 | whole4 << 2 | whole4 << 3);
        Self {
            ill: within & !sound & !broken_second & !broken_third,
            sound: within & sound,
            last: within & (!high | whole2 << 1 | whole3 << 2 | whole4 << 3),
            third_of_three: whole3 << 2,
            third_of_four: whole4 << 2,
            fourth: whole4 << 3,
        }
    }

    /// The parts before the first ill-formed one.
    #[inline(always)]
    pub(crate) fn until_ill(self) -> Self {
        let within = below(self.ill.trailing_zeros() as usize);
        Self {
            ill: 0,
            sound: self.sound & within,
            last: self.last & within,
            third_of_four: self.third_of_four & within,
            ..self
        }
    }
}

/// The bytes before `length`, 0 to 64.
#[inline(always)]
fn below(length: usize) -> u64 {
    u64::MAX.unbounded_shr((BLOCK - length) as u32)
}

/// A vector with all bits set in the bytes of a set.
#[inline(always)]
pub(crate) fn spread<S: Simd>(simd: S, set: u64, at: usize) -> S::Vector {
    const FROM: [u8; 32] = {
        let mut from = [0; 32];
        let mut byte = 0;
        while byte < 32 {
            from[byte] = byte as u8 / 8;
            byte += 1;
        }
        from
    };
    let bit = simd.repeat([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    simd.load(&FROM).lookup(simd.splat32((set >> at) as u32)).and(bit).equal(bit)
}
