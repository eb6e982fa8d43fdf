//! UTF-7 to UTF-8 in blocks. The number and length of runs in a block need no branch: the bytes of
//! a code unit replace its digits, and the others are compressed away. The third unit of eight
//! digits does not fit if it takes three bytes. Such blocks are left to the caller, and so are
//! blocks with surrogates, ASCII in a run, or `+-`.

use super::{DIGITS, Vectors, are_in, values};
use crate::arch::scalar::utf7::Parts;
use crate::generic::compress::push_kept;
use crate::simd::{Simd, Vector};
use crate::utf7::places::{Before, Places, STRIDE};
use crate::utf7::{RunState, Style};

/// How many bytes must have been read before a block.
pub(super) const BEFORE: usize = 4;
/// The bytes of a block, and those before it.
const BLOCK: usize = BEFORE + STRIDE;
/// The bytes that a block may overwrite.
const ROOM: usize = 64 + 16;
/// The most blocks that are converted without trying [`single_units`] again, after it has failed at
/// once. They are twice as many each time.
const PAUSE: usize = 32;
/// Bytes of a vector, and the vectors of a block.
const BYTES: usize = 32;
const COUNT: usize = 2;

/// An expression for both vectors, by the number of the vector. Closures would not have the
/// features of a kernel.
macro_rules! both {
    ($at:ident => $vector:expr) => {
        [
            {
                let $at = 0;
                $vector
            },
            {
                let $at = 1;
                $vector
            },
        ]
    };
}

/// Converts whole blocks of `src` from `read` on, and adds to `read` and `written`.
#[inline(always)]
pub(super) fn to_utf8<S: Simd>(
    simd: S,
    state: &mut RunState,
    (src, read): (&[u8], &mut usize),
    (dst, written): (&mut [u8], &mut usize),
) {
    let (mut before, mut last) = (Before::new(*state), None);
    let (mut pause, mut next_pause) = (0, 1);
    loop {
        if before.shifted == 0 && pause == 0 && *read > 0 {
            let (bytes, filled) = single_units(simd, &src[*read - 1..], &mut dst[*written..]);
            if bytes > 0 {
                *read += bytes;
                *written += filled;
                *state = RunState::default();
                (last, next_pause) = (None, 1);
            } else {
                (pause, next_pause) = (next_pause, PAUSE.min(2 * next_pause));
            }
        } else {
            pause = usize::saturating_sub(pause, 1);
        }
        let Some(start) = read.checked_sub(BEFORE) else { break };
        let Some(bytes) = src[start..].first_chunk::<BLOCK>() else { break };
        let Some(room) = dst[*written..].first_chunk_mut::<ROOM>() else { break };
        let block = Block::<S::Vector>::new(simd, bytes);
        let mut after = before;
        let masks = [block.digits, block.plus, block.minus, block.ill_formed];
        let odd_bits = [block.odd_bits[0] >> 3, block.odd_bits[1] >> 3];
        let Some(places) = Places::new(&mut after, masks, odd_bits) else { break };
        let Some(filled) = block.put(simd, &places, room) else { break };
        *read += STRIDE;
        *written += filled;
        (before, last) = (after, Some(places));
    }
    if let Some(places) = last {
        *read -= STRIDE;
        let (bytes, after) = places.last_point(false, &src[*read..]);
        *read += bytes;
        *state = after;
    }
}

/// Masks of a block of UTF-8 whose bytes are at the positions of digits.
struct InPlace {
    direct: u64,
    /// All bytes of code units.
    units: u64,
    first_of_two: u64,
    first_of_three: u64,
}

impl InPlace {
    /// Writes the direct characters of `bytes`, and units by six bits for each byte. Returns how
    /// many bytes.
    #[inline(always)]
    fn put<S: Simd>(
        &self,
        simd: S,
        bytes: [S::Vector; COUNT],
        sixes: [S::Vector; COUNT],
        room: &mut [u8; ROOM],
    ) -> usize {
        let out = both!(at => {
            let of_two = lanes(simd, self.first_of_two, at);
            let tagged = sixes[at].or(simd.splat(0x80)).or(simd.splat(0x40).and(of_two));
            let of_three = sixes[at].and(simd.splat(0x0F)).or(simd.splat(0xE0));
            let of_unit = of_three.select(tagged, lanes(simd, self.first_of_three, at));
            bytes[at].select(of_unit, lanes(simd, self.direct, at))
        });
        let kept = self.direct | self.units;
        let filled = push_kept(simd, out[0], kept, room);
        filled + push_kept(simd, out[1], kept >> BYTES, &mut room[filled..])
    }
}

/// Converts direct text and runs of one code unit, as in most Western languages, after the first
/// byte of `src`: blocks of 64 bytes, as long as all runs of a block are of that kind. A run cut by
/// the end of a block is left to the next one. Returns the bytes read and written.
#[inline(always)]
fn single_units<S: Simd>(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(block) = src[read..].first_chunk::<65>()
        && let Some(room) = dst[written..].first_chunk_mut::<ROOM>()
    {
        let bytes = both!(at => simd.load(&block[1 + BYTES * at..]));
        let plus = mask(both!(at => bytes[at].equal(simd.splat(b'+'))));
        let ill_formed = are_not_in(simd, 0, bytes) & !plus;
        if plus | ill_formed == 0 {
            bytes[0].store(room);
            bytes[1].store(&mut room[BYTES..]);
            let vectors = Vectors { simd, style: Style::new() };
            let more = vectors.copy(&src[read + 65..], &mut dst[written + 64..]);
            read += 64 + more;
            written += 64 + more;
            continue;
        }
        let set_b = !are_not_in(simd, DIGITS, bytes);
        let minus = mask(both!(at => bytes[at].equal(simd.splat(b'-'))));
        // A run that begins later may continue in the next block.
        let open = plus & (u64::MAX >> 4);
        let length = 60 + (plus >> 60 | 1 << 4).trailing_zeros() as usize;
        let present = u64::MAX >> (64 - length);
        let [one, two, three, after] = [open << 1, open << 2, open << 3, open << 4];
        let digits = one | two | three;

        let value = both!(at => values(simd, bytes[at]));
        let odd_bits = !mask(both!(at => value[at].and(simd.splat(3)).equal(simd.zero())));
        let sixes = both!(at => {
            let previous = values(simd, simd.load(&block[BYTES * at..]));
            let upper = value[at].shr16::<2>().and(simd.splat(0x0F));
            upper.or(previous.shl16::<4>().and(simd.splat(0x30)))
        });
        let fours = both!(at => sixes[at].and(simd.splat(0x0F)));
        let has_four = !mask(both!(at => fours[at].equal(simd.zero())));
        let has_sixth = mask(both!(at => sixes[at].shl16::<2>())) >> 1;
        let wide = one & (has_four | has_sixth);
        let first_of_two = two & !(wide << 1);
        let upper = both!(at => sixes[at].and(simd.splat(0x3E)).equal(simd.zero()));
        let ascii = first_of_two & mask(upper);
        let is_13 = mask(both!(at => fours[at].equal(simd.splat(0x0D))));
        let surrogates = wide & is_13 & has_sixth;
        let others = digits & !set_b | digits & open | after & set_b | three & odd_bits;
        if others | ill_formed & present | ascii | surrogates != 0 {
            break;
        }
        let direct = !(open | digits | after & minus) & present;
        let masks =
            InPlace { direct, units: two | three | wide, first_of_two, first_of_three: wide };
        written += masks.put(simd, bytes, sixes, room);
        read += length;
    }
    (read, written)
}

/// A block, and what its bytes are. Masks begin with the first byte of the block, but vectors and
/// `odd_bits` three bytes before it.
struct Block<V> {
    bytes: [V; COUNT],
    values: [V; COUNT],
    /// The values of the digits before.
    previous: [V; COUNT],
    digits: u64,
    plus: u64,
    minus: u64,
    ill_formed: u64,
    /// Digits with one of the two, or four, lowest bits set.
    odd_bits: [u64; 2],
}

/// The mask of two vectors.
#[inline(always)]
fn mask<V: Vector>([first, second]: [V; COUNT]) -> u64 {
    u64::from(first.mask()) | u64::from(second.mask()) << BYTES
}

/// The part of a mask for the vector `at`, in its lanes.
#[inline(always)]
fn lanes<S: Simd>(simd: S, mask: u64, at: usize) -> S::Vector {
    let bits = simd.repeat([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    let bytes = simd.splat32((mask >> (BYTES * at)) as u32);
    simd.load(&BYTE_OF).lookup(bytes).and(bits).equal(bits)
}

/// By the lane: the byte of a mask that has its bit.
static BYTE_OF: [u8; BYTES] = {
    let mut bytes = [0; BYTES];
    let mut lane = 0;
    while lane < BYTES {
        bytes[lane] = (lane / 8) as u8;
        lane += 1;
    }
    bytes
};

/// All bits of the bytes that are not in the set of a table of [`LOW`].
#[inline(always)]
fn are_not_in<S: Simd>(simd: S, set: usize, bytes: [S::Vector; COUNT]) -> u64 {
    mask(both!(at => are_in(simd, set, bytes[at]).equal(simd.zero())))
}

impl<V: Vector> Block<V> {
    #[inline(always)]
    fn new(simd: V::Simd, block: &[u8; BLOCK]) -> Self {
        let bytes = both!(at => simd.load(&block[1 + BYTES * at..]));
        let values = both!(at => values(simd, bytes[at]));
        let plus = mask(both!(at => bytes[at].equal(simd.splat(b'+'))));
        let none_of_two = both!(at => values[at].and(simd.splat(3)).equal(simd.zero()));
        let none_of_four = both!(at => values[at].and(simd.splat(15)).equal(simd.zero()));
        Self {
            bytes,
            values,
            previous: both!(at => super::values(simd, simd.load(&block[BYTES * at..]))),
            digits: !are_not_in(simd, DIGITS, bytes) >> 3,
            plus: plus >> 3,
            minus: mask(both!(at => bytes[at].equal(simd.splat(b'-')))) >> 3,
            ill_formed: (are_not_in(simd, 0, bytes) & !plus) >> 3,
            odd_bits: [!mask(none_of_two), !mask(none_of_four)],
        }
    }

    /// Writes the block as UTF-8, and returns how many bytes.
    #[inline(always)]
    fn put(&self, simd: V::Simd, places: &Places, room: &mut [u8; ROOM]) -> Option<usize> {
        let direct = places.direct << 3;
        let [end_0, end_1, end_2] = places.ends;
        let ends = [end_0 << 3, end_1 << 3, end_2 << 3];
        let all = ends[0] | ends[1] | ends[2];
        let first = ends[0] | ends[0] >> 1 | ends[0] >> 2;
        let second = ends[1] | ends[1] >> 1 | ends[1] >> 2;
        // Six bits of the unit at the position of each byte: from the upper end of the digit and
        // the lower end of the digit before it.
        let sixes = both!(at => {
            let (value, previous) = (self.values[at], self.previous[at]);
            let upper = value.shr16::<2>().and(simd.splat(0x0F));
            let of_first = upper.or(previous.shl16::<4>().and(simd.splat(0x30)));
            let upper = value.shr16::<4>().and(simd.splat(0x03));
            let of_second = upper.or(previous.shl16::<2>().and(simd.splat(0x3C)));
            let rest = of_second.select(value, lanes(simd, second, at));
            of_first.select(rest, lanes(simd, first, at))
        });
        let fours = both!(at => sixes[at].and(simd.splat(0x0F)));
        let has_four = !mask(both!(at => fours[at].equal(simd.zero())));
        let has_sixth = mask(both!(at => sixes[at].shl16::<2>()));
        let wide = (ends[0] | ends[1]) & (has_four << 2 | has_sixth << 1);
        let too_wide = ends[2] & (self.odd_bits[1] << 2 | has_sixth << 1);
        let first_of_two = (all & !wide) >> 1;
        let upper = both!(at => sixes[at].and(simd.splat(0x3E)).equal(simd.zero()));
        let ascii = first_of_two & mask(upper);
        let is_13 = mask(both!(at => fours[at].equal(simd.splat(0x0D))));
        let surrogates = wide & is_13 << 2 & has_sixth << 1;
        if too_wide | ascii | surrogates | places.plus != 0 {
            return None;
        }
        let first_of_three = wide >> 2;
        let units = all | all >> 1 | first_of_three;
        let masks = InPlace { direct, units, first_of_two, first_of_three };
        Some(masks.put(simd, self.bytes, sixes, room))
    }
}
