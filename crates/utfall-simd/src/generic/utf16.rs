//! UTF-16 in either byte order: validation, lengths, and conversion to everything except UTF-8.
//!
//! Text without surrogates is like UCS-2, and most text is. Where there are surrogates, each unit
//! is compared with the one before: it must be a low surrogate exactly if that is a high one. Both
//! are loaded from memory, the second two bytes before the first, so no vector waits for the one
//! before.

use super::compress::{LANES, NONE, compress};
use super::map::{Map, finish, map_any};
use crate::arch::scalar::{self, Latin1, Source, Target, Utf16, Utf32};
use crate::kernels::Lossy;
use crate::simd::{Bits, Simd, Vector};

/// A vector of units from the start of `src`.
#[inline(always)]
pub(super) fn load<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> S::Vector {
    let units = simd.load(src);
    if LE { units } else { units.swap16() }
}

/// Whether this is a high surrogate.
#[inline(always)]
pub(super) fn is_high<const LE: bool>(unit: &[u8; 2]) -> bool {
    unit[usize::from(LE)] & 0xFC == 0xD8
}

/// Whether this is a low surrogate.
#[inline(always)]
fn is_low<const LE: bool>(unit: &[u8; 2]) -> bool {
    unit[usize::from(LE)] & 0xFC == 0xDC
}

/// Sixteen bits for each unit, in the byte order of the text.
#[inline(always)]
fn bits<S: Simd, const LE: bool>(simd: S, bits: u16) -> S::Vector {
    simd.splat16(if LE { bits } else { bits.swap_bytes() })
}

/// The units that are surrogates, in the byte order of the text.
#[inline(always)]
fn surrogates<S: Simd, const LE: bool>(simd: S, units: S::Vector) -> S::Vector {
    units.and(bits::<S, LE>(simd, 0xF800)).equal16(bits::<S, LE>(simd, 0xD800))
}

/// The units that begin with the six bits of `half`, in the byte order of the text.
#[inline(always)]
fn halves<S: Simd, const LE: bool>(simd: S, units: S::Vector, half: u16) -> S::Vector {
    units.and(bits::<S, LE>(simd, 0xFC00)).equal16(bits::<S, LE>(simd, half))
}

/// The units from `at` on that may not follow the unit before them.
#[inline(always)]
fn unpaired<S: Simd, const LE: bool>(simd: S, src: &[u8], at: usize) -> S::Vector {
    let before = halves::<S, LE>(simd, simd.load(&src[at - 2..]), 0xD800);
    before.xor(halves::<S, LE>(simd, simd.load(&src[at..]), 0xDC00))
}

/// The length of the well-formed prefix.
#[inline(always)]
pub(crate) fn prefix<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> usize {
    if src.len() < HALF + 2 {
        return scalar::prefix_call::<Utf16<LE>>(src);
    }
    let at = if src.len() < S::Vector::BYTES + 2 {
        paired::<_, LE>(simd.half(), src)
    } else {
        paired::<S, LE>(simd, src)
    };
    if at == src.len() { at } else { at + scalar::prefix_call::<Utf16<LE>>(&src[at..]) }
}

/// Number of blocks with surrogates after which to test again for blocks without.
const PAIRS: u32 = 32;

/// The length of a prefix without surrogates, in blocks.
#[inline(always)]
fn without_surrogates<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> usize {
    let bytes = S::Vector::BYTES;
    let mut at = 0;
    while let Some(block) = src.get(at..at + 8 * bytes) {
        let a = surrogates::<S, LE>(simd, simd.load(block));
        let b = surrogates::<S, LE>(simd, simd.load(&block[bytes..]));
        let c = surrogates::<S, LE>(simd, simd.load(&block[2 * bytes..]));
        let d = surrogates::<S, LE>(simd, simd.load(&block[3 * bytes..]));
        let e = surrogates::<S, LE>(simd, simd.load(&block[4 * bytes..]));
        let f = surrogates::<S, LE>(simd, simd.load(&block[5 * bytes..]));
        let g = surrogates::<S, LE>(simd, simd.load(&block[6 * bytes..]));
        let h = surrogates::<S, LE>(simd, simd.load(&block[7 * bytes..]));
        if a.or(b).or(c.or(d)).or(e.or(f).or(g.or(h))).any_high() {
            break;
        }
        at += 8 * bytes;
    }
    at
}

/// The length of a well-formed prefix of at least a vector and a unit. It ends close to the end,
/// or before an ill-formed unit.
#[inline(always)]
fn paired<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> usize {
    let bytes = S::Vector::BYTES;
    let mut at = 0;
    loop {
        at += without_surrogates::<S, LE>(simd, &src[at..]);
        if at == 0 {
            // No unit precedes the first.
            if src.first_chunk().is_some_and(is_low::<LE>) {
                return 0;
            }
            at = 2;
        }
        let mut pairs = 0;
        while (pairs < PAIRS || is_high::<LE>(&[src[at - 2], src[at - 1]]))
            && let Some(block) = src.get(at - 2..at + 4 * bytes)
        {
            let wrong = unpaired::<S, LE>(simd, block, 2)
                .or(unpaired::<S, LE>(simd, block, 2 + bytes))
                .or(unpaired::<S, LE>(simd, block, 2 + 2 * bytes))
                .or(unpaired::<S, LE>(simd, block, 2 + 3 * bytes));
            if wrong.any_high() {
                break;
            }
            pairs += 1;
            at += 4 * bytes;
        }
        if pairs < PAIRS {
            break;
        }
    }
    let mut wrong = 0;
    while at + bytes <= src.len() {
        wrong = unpaired::<S, LE>(simd, src, at).mask();
        if wrong != 0 {
            at += wrong.trailing_zeros() as usize;
            break;
        }
        at += bytes;
    }
    if wrong == 0 && at > bytes {
        // The last units together with some before them.
        let end = src.len() & !1;
        wrong = unpaired::<S, LE>(simd, src, end - bytes).mask();
        at = if wrong == 0 { end } else { end - bytes + wrong.trailing_zeros() as usize };
    }
    at - 2 * usize::from(is_high::<LE>(&[src[at - 2], src[at - 1]]))
}

/// Number of bytes that are validated and then converted while they are in the cache.
pub(super) const CHUNK: usize = 8192;

/// UTF-16 in the other byte order.
#[inline(always)]
pub(crate) fn swap<S: Simd, const LE: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut at = 0;
    loop {
        let room = (src.len() - at).min(dst.len() - at).min(CHUNK);
        let length = prefix::<S, LE>(simd, &src[at..at + room]);
        if length == 0 {
            return (at, at);
        }
        let (from, to) = (&src[at..at + length], &mut dst[at..at + length]);
        let (read, written, _) = map_any::<S, Swap>(simd, from, to);
        for (to, from) in to[written..].as_chunks_mut().0.iter_mut().zip(from[read..].as_chunks().0)
        {
            let [a, b] = *from;
            *to = [b, a];
        }
        at += length;
    }
}

/// Units in the other byte order.
struct Swap;

impl<S: Simd> Map<S> for Swap {
    const UNIT: usize = 2;
    const READ: usize = S::Vector::BYTES;
    const WRITTEN: usize = S::Vector::BYTES;

    #[inline(always)]
    fn step(simd: S, src: &[u8], dst: &mut [u8]) -> (S::Vector, S::Vector) {
        simd.load(src).swap16().store(dst);
        (simd.zero(), simd.zero())
    }

    #[inline(always)]
    fn stops(_: S, _: (S::Vector, S::Vector)) -> bool {
        false
    }
}

/// UTF-16 made well-formed, with U+FFFD for unpaired surrogates.
///
/// Whether a unit is unpaired depends on its two neighbours, so each vector is compared with the
/// units before and after. In well-formed text one of the two comparisons is enough: a low
/// surrogate follows each high one, and no other unit.
#[inline(always)]
pub(crate) fn to_well_formed<S: Simd, const LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Lossy {
    let all = src;
    let src = &src[..complete::<LE>(src, dst.len())];
    let Some(first) = src.first_chunk::<HALF>() else {
        return to_well_formed_short::<LE>(all, dst);
    };
    let (bytes, half) = (S::Vector::BYTES, simd.half());
    let [before, after] = [neighbours(-1), neighbours(1)].map(|order| half.repeat(order));
    let units = half.load(first);
    let next =
        if let Some(next) = src.get(2..2 + HALF) { half.load(next) } else { after.lookup(units) };
    let mut replaced = put_well_formed::<_, LE>(half, [before.lookup(units), units, next], dst)
        .mask()
        .count_ones();
    // From here on, everything before `at` is well-formed. The unit at `at` may be an unpaired low
    // surrogate.
    let mut at = HALF;
    while src.len() - at >= 4 * bytes {
        at += copy_without_surrogates::<S, LE>(simd, &src[at..], &mut dst[at..]);
        if !is_low_alone::<LE>(src, at) && copy_pairs::<S, LE>(simd, src, &mut at, dst) {
            continue;
        }
        replaced += copy_replaced::<S, LE>(simd, src, &mut at, dst);
    }
    let (rest, out) = (&src[at..], &mut dst[at..src.len()]);
    if rest.len() >= bytes && !copy_all::<S, LE>(simd, rest, out).any_high() {
        at = src.len();
    }
    replaced += copy_replaced::<S, LE>(simd, src, &mut at, dst);
    while let Some(window) = src.get(at - 2..at + HALF + 2) {
        let vectors = [half.load(window), half.load(&window[2..]), half.load(&window[4..])];
        replaced += put_well_formed::<_, LE>(half, vectors, &mut dst[at..]).mask().count_ones();
        at += HALF;
    }
    // The last units together with some before them.
    if at < src.len() {
        let last = src.len() - HALF;
        let units = half.load(&src[last..]);
        let before = if last >= 2 { half.load(&src[last - 2..]) } else { before.lookup(units) };
        let vectors = [before, units, after.lookup(units)];
        let mask = put_well_formed::<_, LE>(half, vectors, &mut dst[last..]).mask();
        replaced += (mask >> (at - last)).count_ones();
    }
    Lossy { read: src.len(), written: src.len(), replaced: replaced as usize / 2 }
}

/// Bytes of a vector of 128 bits.
pub(crate) const HALF: usize = 16;

/// The order that replaces each unit of half a vector by the one before or after it.
const fn neighbours(offset: i32) -> [u8; HALF] {
    let mut order = [NONE; HALF];
    let mut byte = 0;
    while byte < HALF as i32 {
        let from = byte + 2 * offset;
        if from >= 0 && from < HALF as i32 {
            order[byte as usize] = from as u8;
        }
        byte += 1;
    }
    order
}

/// The same for short text.
#[inline(never)]
pub(crate) fn to_well_formed_short<const LE: bool>(src: &[u8], dst: &mut [u8]) -> Lossy {
    let length = complete::<LE>(src, dst.len());
    let (units, _) = src[..length].as_chunks();
    let mut replaced = 0;
    for (number, (unit, out)) in units.iter().zip(dst.as_chunks_mut().0).enumerate() {
        *out = *unit;
        if unit[usize::from(LE)] & 0xF8 == 0xD8 {
            let before = number.checked_sub(1).map_or([0; 2], |number| units[number]);
            let after = units.get(number + 1).copied().unwrap_or([0; 2]);
            if is_unpaired::<LE>(&before, unit, &after) {
                *out = replacement::<LE>();
                replaced += 1;
            }
        }
    }
    Lossy { read: length, written: length, replaced }
}

/// Number of bytes that are copied before they are checked.
const COPIED: usize = 256;

/// The same for eight bytes and more, but not many, without surrogates. With surrogates, the
/// output is unusable.
#[inline(always)]
pub(crate) fn copy_short<S: Simd, const LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Option<Lossy> {
    let length = src.len();
    let out = dst.get_mut(..length)?;
    let half = simd.half();
    if length > COPIED || !length.is_multiple_of(2) {
        return None;
    }
    let found = if length >= S::Vector::BYTES {
        copy_all::<S, LE>(simd, src, out).any_high()
    } else if length >= HALF {
        copy_all::<_, LE>(half, src, out).any_high()
    } else {
        let (first, last) = (src.first_chunk::<8>()?, src.last_chunk::<8>()?);
        *out.first_chunk_mut()? = *first;
        *out.last_chunk_mut()? = *last;
        let (first, last) = (half.load_units_widened32(first), half.load_units_widened32(last));
        surrogates::<_, LE>(half, first).or(surrogates::<_, LE>(half, last)).any_high()
    };
    (!found).then_some(Lossy { read: length, written: length, replaced: 0 })
}

/// Copies a vector or more, and returns the units that were surrogates.
#[inline(always)]
fn copy_all<S: Simd, const LE: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> S::Vector {
    let bytes = S::Vector::BYTES;
    let last = src.len() - bytes;
    let units = simd.load(&src[last..]);
    let mut found = surrogates::<S, LE>(simd, units);
    units.store(&mut dst[last..]);
    for at in (0..last).step_by(bytes) {
        let units = simd.load(&src[at..]);
        units.store(&mut dst[at..]);
        found = found.or(surrogates::<S, LE>(simd, units));
    }
    found
}

/// The length of `src` that fits into `room`, without cutting a pair. A high surrogate at the end
/// of `src` is left out as well: it is incomplete rather than unpaired.
#[inline(always)]
fn complete<const LE: bool>(src: &[u8], room: usize) -> usize {
    let whole = src.len() & !1;
    let length = whole.min(room & !1);
    let ends_high = src[..length].last_chunk().is_some_and(is_high::<LE>);
    let cut = length == whole || src[length..].first_chunk().is_some_and(is_low::<LE>);
    if ends_high && cut { length - 2 } else { length }
}

/// Copies blocks of four vectors without surrogates. Returns the number of bytes.
#[inline(always)]
fn copy_without_surrogates<S: Simd, const LE: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> usize {
    let bytes = S::Vector::BYTES;
    let mut at = 0;
    while let Some(block) = src.get(at..at + 4 * bytes)
        && let Some(out) = dst.get_mut(at..at + 4 * bytes)
    {
        let a = simd.load(block);
        let b = simd.load(&block[bytes..]);
        let c = simd.load(&block[2 * bytes..]);
        let d = simd.load(&block[3 * bytes..]);
        a.store(out);
        b.store(&mut out[bytes..]);
        c.store(&mut out[2 * bytes..]);
        d.store(&mut out[3 * bytes..]);
        let ab = surrogates::<S, LE>(simd, a).or(surrogates::<S, LE>(simd, b));
        let cd = surrogates::<S, LE>(simd, c).or(surrogates::<S, LE>(simd, d));
        if ab.or(cd).any_high() {
            break;
        }
        at += 4 * bytes;
    }
    at
}

/// Whether the unit at `at` is an unpaired low surrogate.
#[inline(always)]
fn is_low_alone<const LE: bool>(src: &[u8], at: usize) -> bool {
    matches!(src[at - 2..].as_chunks().0, [before, unit, ..]
        if is_low::<LE>(unit) && !is_high::<LE>(before))
}

/// Copies up to [`PAIRS`] blocks of four vectors from `at` on in which each high surrogate is
/// followed by a low one, and no other unit is. Returns whether that many were copied.
#[inline(always)]
fn copy_pairs<S: Simd, const LE: bool>(
    simd: S,
    src: &[u8],
    at: &mut usize,
    dst: &mut [u8],
) -> bool {
    let bytes = S::Vector::BYTES;
    for _ in 0..PAIRS {
        let Some(block) = src.get(*at..*at + 4 * bytes + 2) else { return false };
        let Some(out) = dst.get_mut(*at..*at + 4 * bytes) else { return false };
        let mut wrong = simd.zero();
        for at in [0, bytes, 2 * bytes, 3 * bytes] {
            simd.load(&block[at..]).store(&mut out[at..]);
            wrong = wrong.or(unpaired::<S, LE>(simd, block, 2 + at));
        }
        if wrong.any_high() {
            return false;
        }
        *at += 4 * bytes;
    }
    true
}

/// Number of pairs of vectors without unpaired surrogates after which no more are expected.
const SOUND: u32 = 4;

/// Copies vectors from `at` on, with U+FFFD for unpaired surrogates. Stops when no more of these
/// are expected or less than two vectors and a unit are left. Returns the number of bytes that
/// were unpaired.
#[inline(always)]
fn copy_replaced<S: Simd, const LE: bool>(
    simd: S,
    src: &[u8],
    at: &mut usize,
    dst: &mut [u8],
) -> u32 {
    let bytes = S::Vector::BYTES;
    let (mut replaced, mut sound) = (0, 0);
    while sound < SOUND
        && let Some(window) = src.get(*at - 2..*at + 2 * bytes + 2)
        && let Some(out) = dst.get_mut(*at..*at + 2 * bytes)
    {
        let mut unpaired = simd.bits();
        for at in [0, bytes] {
            let units = &window[at..];
            let vectors = [simd.load(units), simd.load(&units[2..]), simd.load(&units[4..])];
            unpaired.put(at, put_well_formed::<S, LE>(simd, vectors, &mut out[at..]));
        }
        let unpaired = unpaired.get();
        sound = if unpaired == 0 { sound + 1 } else { 0 };
        replaced += unpaired.count_ones();
        *at += 2 * bytes;
    }
    replaced
}

/// Writes a vector of units, made well-formed, given the units before, the units and the units
/// after. Returns those that were unpaired.
#[inline(always)]
fn put_well_formed<S: Simd, const LE: bool>(
    simd: S,
    [before, units, after]: [S::Vector; 3],
    dst: &mut [u8],
) -> S::Vector {
    let high = halves::<S, LE>(simd, units, 0xD800);
    let low = halves::<S, LE>(simd, units, 0xDC00);
    let unpaired =
        high.and_not(halves::<S, LE>(simd, after, 0xDC00))
            .or(low.and_not(halves::<S, LE>(simd, before, 0xD800)));
    bits::<S, LE>(simd, 0xFFFD).select(units, unpaired).store(dst);
    unpaired
}

/// U+FFFD.
#[inline(always)]
fn replacement<const LE: bool>() -> [u8; 2] {
    if LE { [0xFD, 0xFF] } else { [0xFF, 0xFD] }
}

/// Whether a unit is an unpaired surrogate.
#[inline(always)]
fn is_unpaired<const LE: bool>(before: &[u8; 2], unit: &[u8; 2], after: &[u8; 2]) -> bool {
    is_high::<LE>(unit) && !is_low::<LE>(after) || is_low::<LE>(unit) && !is_high::<LE>(before)
}

/// UTF-16 to Latin-1.
#[inline(always)]
pub(crate) fn to_latin1<S: Simd, const LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (read, written, _) = map_any::<S, ToLatin1<LE>>(simd, src, dst);
    finish::<Utf16<LE>, Latin1>(src, dst, read, written)
}

/// Units that are in Latin-1.
struct ToLatin1<const LE: bool>;

impl<S: Simd, const LE: bool> Map<S> for ToLatin1<LE> {
    const UNIT: usize = 2;
    const READ: usize = 2 * S::Vector::BYTES;
    const WRITTEN: usize = S::Vector::BYTES;

    #[inline(always)]
    fn step(simd: S, src: &[u8], dst: &mut [u8]) -> (S::Vector, S::Vector) {
        let a = load::<S, LE>(simd, src);
        let b = load::<S, LE>(simd, &src[S::Vector::BYTES..]);
        a.narrow16(b).store(dst);
        (a, b)
    }

    #[inline(always)]
    fn stops(simd: S, joined: (S::Vector, S::Vector)) -> bool {
        joined.0.or(joined.1).and(simd.splat16(0xFF00)).any()
    }
}

/// The length of the prefix that is in Latin-1.
#[inline(always)]
pub(crate) fn latin1_prefix<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> usize {
    let bytes = S::Vector::BYTES;
    let mut at = 0;
    while let Some(block) = src.get(at..at + 4 * bytes) {
        let joined = simd
            .load(block)
            .or(simd.load(&block[bytes..]))
            .or(simd.load(&block[2 * bytes..]).or(simd.load(&block[3 * bytes..])));
        if joined.and(bits::<S, LE>(simd, 0xFF00)).any() {
            break;
        }
        at += 4 * bytes;
    }
    while let Some(block) = src.get(at..at + bytes)
        && !simd.load(block).and(bits::<S, LE>(simd, 0xFF00)).any()
    {
        at += bytes;
    }
    at + scalar::latin1_prefix::<Utf16<LE>>(&src[at..])
}

/// UTF-16 to UTF-32.
#[inline(always)]
pub(crate) fn to_utf32<S: Simd, const LE: bool, const TO_LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let (from, to) = (&src[read..], &mut dst[written..]);
        let (bytes, filled, all) = map_any::<S, ToUtf32<LE, TO_LE>>(simd, from, to);
        read += bytes;
        written += filled;
        if all {
            return (read, written);
        }
        if read == 0 {
            // Pairs are compared with the unit before.
            if let Some((scalar, bytes)) = Utf16::<LE>::next(src)
                && let Some(filled) = Utf32::<TO_LE>::put(dst, scalar)
            {
                (read, written) = (bytes, filled);
            }
        }
        let (bytes, filled) = pairs_to_utf32::<S, LE, TO_LE>(simd, src, read, &mut dst[written..]);
        read += bytes;
        written += filled;
        if bytes == 0 {
            break;
        }
    }
    // Nothing was written for a high surrogate whose low surrogate was not read.
    if let Some(high) = read.checked_sub(2)
        && is_high::<LE>(&[src[high], src[high + 1]])
    {
        read = high;
    }
    finish::<Utf16<LE>, Utf32<TO_LE>>(src, dst, read, written)
}

/// Units that are not surrogates.
struct ToUtf32<const LE: bool, const TO_LE: bool>;

impl<S: Simd, const LE: bool, const TO_LE: bool> Map<S> for ToUtf32<LE, TO_LE> {
    const UNIT: usize = 2;
    const READ: usize = S::Vector::BYTES;
    const WRITTEN: usize = 2 * S::Vector::BYTES;

    #[inline(always)]
    fn step(simd: S, src: &[u8], dst: &mut [u8]) -> (S::Vector, S::Vector) {
        let bytes = S::Vector::BYTES;
        let units = simd.load(src);
        let [low, high] = units.widen16();
        widened::<S, LE, TO_LE>(low).store(dst);
        widened::<S, LE, TO_LE>(high).store(&mut dst[bytes..]);
        (surrogates::<S, LE>(simd, units), simd.zero())
    }

    #[inline(always)]
    fn stops(_: S, joined: (S::Vector, S::Vector)) -> bool {
        joined.0.any_high()
    }
}

/// Lanes of 32 bits with a unit in the lower half, in the byte order of the target.
#[inline(always)]
fn widened<S: Simd, const LE: bool, const TO_LE: bool>(lanes: S::Vector) -> S::Vector {
    match (LE, TO_LE) {
        (true, true) => lanes,
        (true, false) => lanes.swap32(),
        (false, true) => lanes.swap16(),
        (false, false) => lanes.shl32::<16>(),
    }
}

/// Number of steps without surrogates after which no more are expected.
const CLEAN: u32 = 48;

/// Steps like those of `ToUtf32`, as long as there are surrogates nearby.
#[inline(always)]
fn pairs_to_utf32<S: Simd, const LE: bool, const TO_LE: bool>(
    simd: S,
    src: &[u8],
    start: usize,
    dst: &mut [u8],
) -> (usize, usize) {
    let bytes = S::Vector::BYTES;
    let (mut at, mut written, mut clean) = (start, 0, 0);
    while at >= 2
        && clean < CLEAN
        && let Some(window) = src.get(at - 2..at + bytes + 2)
        && let Some(out) = dst[written..].get_mut(..2 * bytes)
    {
        if !surrogates::<S, LE>(simd, simd.load(&window[2..])).any_high()
            && !is_high::<LE>(&[window[0], window[1]])
        {
            clean += 1;
            ToUtf32::<LE, TO_LE>::step(simd, &window[2..], out);
            at += bytes;
            written += 2 * bytes;
            continue;
        }
        clean = 0;
        let mut filled = 0;
        let wrong = half_to_utf32::<S, LE, TO_LE>(simd, window, out, &mut filled)
            .or(half_to_utf32::<S, LE, TO_LE>(simd, &window[bytes / 2..], out, &mut filled));
        if wrong.any_high() {
            break;
        }
        at += bytes;
        written += filled;
    }
    (at - start, written)
}

/// Converts the units of half a vector, from the second of `window` on. Returns those that are
/// unpaired.
#[inline(always)]
fn half_to_utf32<S: Simd, const LE: bool, const TO_LE: bool>(
    simd: S,
    window: &[u8],
    out: &mut [u8],
    filled: &mut usize,
) -> S::Vector {
    let before = widened::<S, LE, true>(simd.load_units_widened32(window));
    let units = widened::<S, LE, true>(simd.load_units_widened32(&window[2..]));
    let after = widened::<S, LE, true>(simd.load_units_widened32(&window[4..]));
    let high = half_of_pair(simd, units, 0xD800);
    let low = half_of_pair(simd, units, 0xDC00);
    // The scalar value goes to the lane of the low surrogate, nothing to that of the high one.
    let offset = simd.splat32(0x1_0000_u32.wrapping_sub((0xD800 << 10) + 0xDC00));
    let pair = before.shl32::<10>().add32(units).add32(offset);
    let scalars = pair.select(units, low);
    let scalars = if TO_LE { scalars } else { scalars.swap32() };
    let kept = !high.mask32();
    let index = |half: usize| (kept >> (4 * half) & 0xF) as usize;
    let scalars = compress(simd, scalars, &LANES, index);
    for half in 0..S::Vector::HALVES {
        scalars.half(half).store(&mut out[*filled..]);
        *filled += 4 * index(half).count_ones() as usize;
    }
    let wrong = half_of_pair(simd, before, 0xD800).xor(low);
    wrong.or(half_of_pair(simd, after, 0xDC00).xor(high))
}

/// The lanes of 32 bits with a surrogate that begins with these six bits.
#[inline(always)]
fn half_of_pair<S: Simd>(simd: S, units: S::Vector, half: u16) -> S::Vector {
    units.and(simd.splat32(0xFC00)).equal32(simd.splat32(half.into()))
}

/// Code points of well-formed text.
#[inline(always)]
pub(crate) fn count<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> usize {
    let bytes = S::Vector::BYTES;
    let (blocks, units) = (src.len() / (4 * bytes), src.len() / 2);
    let (src, end) = src.split_at(blocks * 4 * bytes);
    let mut low = end.as_chunks().0.iter().filter(|unit| is_low::<LE>(unit)).count();
    // Separate counts for the four vectors of a block, so that none waits for another. Together
    // they add up to four per block.
    for part in src.chunks(4 * bytes * (u16::MAX as usize / 4)) {
        let mut counts = [simd.zero(); 4];
        for block in part.chunks_exact(4 * bytes) {
            for (number, count) in counts.iter_mut().enumerate() {
                let units = simd.load(&block[number * bytes..]);
                *count = count.sub16(halves::<S, LE>(simd, units, 0xDC00));
            }
        }
        let [a, b, c, d] = counts;
        let counts = a.add16(b).add16(c.add16(d));
        let sum = counts.and(simd.splat16(0xFF)).sum() + (counts.shr16::<8>().sum() << 8);
        low += sum as usize;
    }
    units - low
}

/// Bytes of well-formed text in UTF-8: three for each unit; one less if it is below U+0800 or a
/// surrogate; one less again if it is ASCII.
#[inline(always)]
pub(crate) fn utf8_len<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> usize {
    let bytes = S::Vector::BYTES;
    let units = src.len() / 2;
    let (src, end) = src.split_at(src.len() - src.len() % (2 * bytes));
    let mut less = 0;
    for unit in end.as_chunks().0 {
        let unit = if LE { u16::from_le_bytes(*unit) } else { u16::from_be_bytes(*unit) };
        let two = unit < 0x800 || unit & 0xF800 == 0xD800;
        less += usize::from(unit < 0x80) + usize::from(two);
    }
    // Lanes of 8 bits count two per block.
    for part in src.chunks(2 * bytes * 127) {
        let mut counts = simd.zero();
        for block in part.chunks_exact(2 * bytes) {
            let a = load::<S, LE>(simd, block);
            let b = load::<S, LE>(simd, &block[bytes..]);
            let upper = a.shr16::<8>().pack16(b.shr16::<8>());
            // Saturated, so that the highest bit is clear only for units below U+0080 and for
            // those that count as negative.
            let lower = a.pack16(b).or(upper);
            let class = upper.and(simd.splat(0xF8));
            let two = class.equal(simd.zero()).or(class.equal(simd.splat(0xD8)));
            let one = lower.greater_signed(simd.splat(0xFF));
            counts = counts.sub(two).sub(one);
        }
        less += counts.sum() as usize;
    }
    3 * units - less
}
