//! Charsets of one and two bytes, and a few longer sequences: Shift_JIS, EUC-JP, GBK, GB 18030,
//! Big5 and EUC-KR.
//!
//! Bytes below 80 at the start of a sequence are US-ASCII in all of them. Pairs that are one code
//! unit are decoded in short loops, and [`Charset::find`] handles the rest, one sequence at a time.
//! Dense text is converted to and from UTF-8 [by way of UTF-16](by_utf16), other text straight.

use core::hint;

use utfall_simd::pairs::{Cells, FromCodes, FromPairs};
use utfall_simd::{Kernels, Layout, Lossy, units};

use super::by_utf16::{self, Step};
use super::form::{Form, NativeUtf16, Points, Utf8, Utf16, joined};
use super::{few, index, kernel};
use crate::ErrorKind;
use crate::charset::{self, Functions};
use crate::codec::{Decode, Decoded, Encode, Next, Put};
use crate::info::{Family, Info, Origin, SplitPoint};
use crate::repertoire::Repertoire;
use crate::route::Side;

/// The properties that all of them share.
pub(in crate::codec) const INFO: Info = Info {
    iana: true,
    // A line end is never a trail byte, and never part of an ill-formed sequence.
    split_point: SplitPoint::Line,
    repertoire: Repertoire::Table,
    shares_ascii: true,
    origin: Origin::Whatwg,
    clause: |kind| match kind {
        ErrorKind::Truncated => "WHATWG Encoding §10 to §13: a lead byte at the end of the input",
        ErrorKind::MissingTrail => {
            "WHATWG Encoding §10 to §13: no trail byte, or none with an entry in the index"
        }
        _ => "WHATWG Encoding §5: no entry in the index of this encoding",
    },
    ..Info::of(Family::MultiByte)
};

/// The tables of a [`Charset`]: the type and the static of its cells, with the function that looks up
/// a pair, and those of its codes.
macro_rules! tables {
    ($units:ty: $cells:path, $cell:path; $inverted:ty: $codes:path) => {
        type Units = $units;
        type Codes = $inverted;

        #[inline(always)]
        fn units() -> &'static $units {
            &$cells
        }

        #[inline(always)]
        fn codes() -> &'static $inverted {
            &$codes
        }

        #[inline(always)]
        fn cell_in(units: &$units, lead: u8, trail: u8) -> u16 {
            $cell(units, lead, trail)
        }

        #[inline(always)]
        fn code_in(codes: &$inverted, unit: u16) -> u16 {
            codes.get(unit)
        }
    };
}
pub(in crate::codec) use tables;

/// A charset: what a sequence is, and the bytes of a code point.
pub(in crate::codec) trait Charset: Clone {
    /// Its conversions, which are [`functions`] of it.
    const FUNCTIONS: &'static Functions;

    /// The bits of trail bytes of which one is set at least.
    const TRAIL_BITS: u8;

    /// Whether most code points have no [`code`](Self::code) but four bytes, as in GB 18030.
    const HAS_FOUR: bool = false;

    /// The tables. Loops get them once: in WebAssembly, they are unpacked at their first use, so each access
    /// has a check.
    type Units: 'static;
    type Codes: 'static;

    fn units() -> &'static Self::Units;
    fn codes() -> &'static Self::Codes;

    /// The code unit of a pair with a lead byte above 7F and a trail byte with some of
    /// [`TRAIL_BITS`](Self::TRAIL_BITS); of other pairs, any value.
    /// [Special](index::is_special) if [`find`](Self::find) has to decide.
    fn cell_in(units: &Self::Units, lead: u8, trail: u8) -> u16;

    /// The same for any pair with a lead byte above 7F.
    #[inline(always)]
    fn unit_in(units: &Self::Units, lead: u8, trail: u8) -> u16 {
        let cell = Self::cell_in(units, lead, trail);
        if trail & Self::TRAIL_BITS == 0 { index::HOLE } else { cell }
    }

    /// The same for a single pair.
    #[inline(always)]
    fn unit(lead: u8, trail: u8) -> u16 {
        Self::unit_in(Self::units(), lead, trail)
    }

    /// The cells, for kernels.
    fn cells() -> Cells<'static>;

    /// The sequence at the start of `src`, whose first byte is above 7F.
    fn find(src: &[u8]) -> Found;

    /// The bytes of a code unit: two if it is above FF. 0 if [`rare`](Self::rare) has to decide,
    /// and for U+0000.
    fn code_in(codes: &Self::Codes, unit: u16) -> u16;

    /// The same for a single unit.
    #[inline(always)]
    fn code(unit: u16) -> u16 {
        Self::code_in(Self::codes(), unit)
    }

    /// The bytes of another code point, the first one in the highest bits that are not zero. 0 if
    /// there are none.
    fn rare(point: u32) -> u32;
}

/// The sequence at the start of a text. Lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::codec) enum Found {
    Point {
        point: u32,
        length: usize,
    },
    /// Two bytes that are two code points.
    Two(u32, u32),
    Ill(ErrorKind, usize),
    /// All of the input is the start of a sequence.
    Incomplete,
}

impl Found {
    /// A pair without a code point. An ASCII byte is not part of it, since it may be markup.
    #[inline]
    pub(in crate::codec) fn undefined(trail: u8) -> Self {
        match trail {
            ..0x80 => Self::Ill(ErrorKind::MissingTrail, 1),
            _ => Self::Ill(ErrorKind::Undefined, 2),
        }
    }

    /// A byte that no sequence begins with.
    pub(in crate::codec) const INVALID: Self = Self::Ill(ErrorKind::Undefined, 1);
}

/// A run of US-ASCII that is long enough to leave it to a faster loop, in bytes.
const LONG_ASCII: usize = 64;

/// Decodes as much as possible to a form. With `is_lossy`, each ill-formed sequence becomes U+FFFD;
/// otherwise, the first one stops it. An incomplete sequence at the end always does, and so does
/// a long run of US-ASCII with `leaves_ascii`.
#[inline(always)]
fn decode_to<C: Charset, F: Form>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [u8],
    is_lossy: bool,
    leaves_ascii: bool,
) -> Lossy {
    let (mut read, mut written, mut replaced) = (0, 0, 0);
    let mut next_block = 0;
    loop {
        match src.get(read) {
            None => break,
            Some(..0x80) => {
                let end = if leaves_ascii { src.len().min(read + LONG_ASCII) } else { src.len() };
                let count = F::put_ascii::<false>(kernels, &src[read..end], &mut dst[written..]);
                read += count;
                written += F::WIDTH * count;
                if leaves_ascii && count == LONG_ASCII {
                    break;
                }
            }
            Some(_) => {}
        }
        let (end, length) = decode_pairs::<C, F>(src, read, &mut dst[written..], &mut next_block);
        read = end;
        written += length;

        // The loops stop at the end of the input or of the output, and at anything unusual, of which
        // there may be more.
        while let Some(0x80..) = src.get(read) {
            let Some(one) = decode_one::<C, F>(&src[read..], &mut dst[written..], is_lossy) else {
                return Lossy { read, written, replaced };
            };
            read += one.read;
            written += one.written;
            replaced += one.replaced;
            if let Some(&[lead, trail]) = src[read..].first_chunk()
                && lead >= 0x80
                && !index::is_special(C::unit(lead, trail))
            {
                break;
            }
        }
        if dst.len() - written < F::WIDTH {
            break;
        }
    }
    Lossy { read, written, replaced }
}

/// Decodes the sequence at the start of `src`, whose first byte is above 7F. `None` if it is
/// incomplete, or ill-formed unless `is_lossy`, or if its characters do not fit.
#[inline(always)]
fn decode_one<C: Charset, F: Form>(src: &[u8], dst: &mut [u8], is_lossy: bool) -> Option<Lossy> {
    let (read, written, replaced) = match C::find(src) {
        Found::Point { point, length } => (length, F::put_point(dst, point)?, 0),
        Found::Two(first, second) => {
            let length = F::put_point(dst, first)?;
            (2, length + F::put_point(&mut dst[length..], second)?, 0)
        }
        Found::Ill(_, length) if is_lossy => (length, F::put_point(dst, 0xFFFD)?, 1),
        Found::Ill(..) | Found::Incomplete => return None,
    };
    Some(Lossy { read, written, replaced })
}

/// Decodes text with errors that are close to each other, with U+FFFD for each. The loops of
/// [`decode_to`] would begin again after each of them.
#[inline(never)]
fn decode_damaged<C: Charset, F: Form>(
    src: &[u8],
    dst: &mut [u8],
    few: impl Fn(Cells<'_>, &[u8], &mut [u8]) -> (usize, usize),
) -> Lossy {
    let mut all = Lossy::default();
    loop {
        let (read, written) = few(C::cells(), &src[all.read..], &mut dst[all.written..]);
        all.read += read;
        all.written += written;
        let (src, dst) = (&src[all.read..], &mut dst[all.written..]);
        let one = match src.first() {
            None => return all,
            Some(byte @ ..0x80) if F::put_byte(dst, *byte) => {
                Some(Lossy { read: 1, written: F::WIDTH, replaced: 0 })
            }
            Some(..0x80) => None,
            Some(_) => decode_one::<C, F>(src, dst, true),
        };
        let Some(one) = one else { return all };
        all.read += one.read;
        all.written += one.written;
        all.replaced += one.replaced;
    }
}

/// Decodes pairs that are one code unit each, and single bytes of US-ASCII between them, as long as
/// there is space for any. Begins at byte `read`. Returns the byte at which it stopped, and the
/// number of bytes written. Blocks are only tried from the byte `next_block` on.
#[inline(always)]
fn decode_pairs<C: Charset, F: Form>(
    src: &[u8],
    mut read: usize,
    dst: &mut [u8],
    next_block: &mut usize,
) -> (usize, usize) {
    let mut written = 0;
    // Text that is all US-ASCII needs no table, which a small build would have to make.
    if IS_SMALL && read == src.len() {
        return (read, written);
    }
    let units = C::units();
    if let Some(&[lead, trail]) = src[read..].first_chunk()
        && lead >= 0x80
        && index::is_special(C::unit_in(units, lead, trail))
    {
        return (read, written);
    }
    loop {
        if F::WIDTH == 2 && read >= *next_block {
            match decode_block::<C, F>(units, &src[read..], &mut dst[written..]) {
                Some((more, length)) => {
                    read += more;
                    written += length;
                    continue;
                }
                None => *next_block = read + BLOCK,
            }
        }
        let (more, length) = decode_run::<C, F>(units, &src[read..], &mut dst[written..]);
        read += more;
        written += length;
        loop {
            let (Some(&[lead, trail]), Some(room)) =
                (src[read..].first_chunk(), dst[written..].first_chunk_mut())
            else {
                return (read, written);
            };
            if lead < 0x80 {
                if trail < 0x80 {
                    return (read, written);
                }
                written += F::put_any(room, u16::from(lead));
                read += 1;
                break;
            }
            let unit = C::unit_in(units, lead, trail);
            if index::is_special(unit) {
                return (read, written);
            }
            written += F::put_unit(room, unit);
            read += 2;
        }
    }
}

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// The number of runs of US-ASCII in a block that is too many to be predicted.
const MANY_RUNS: u32 = 5;

/// Decodes a block in which pairs and US-ASCII alternate often, if all of it is one code unit each,
/// and the units have two bytes. Returns bytes read and written.
#[inline(always)]
fn decode_block<C: Charset, F: Form>(
    table: &C::Units,
    src: &[u8],
    dst: &mut [u8],
) -> Option<(usize, usize)> {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    let block: &[u8; BLOCK] = src.first_chunk()?;
    let room: &mut [u8; 2 * BLOCK] = dst.first_chunk_mut()?;
    let high = bits::<0>(block);
    // A lead byte is one above 7F that does not follow a lead byte. In a run of such bytes, every
    // other one is, which a subtraction finds: its borrow stops at the end of the run.
    let leads_and_ends = ((high << 1 | ODD).wrapping_sub(high)) ^ ODD;
    let trails = leads_and_ends ^ high;
    let leads = leads_and_ends & high;
    let ascii = !(high | trails);
    if (ascii & !(ascii << 1)).count_ones() < MANY_RUNS {
        return None;
    }
    let can_be_trail = if C::TRAIL_BITS == 0x80 { high } else { high | bits::<1>(block) };
    if trails & !can_be_trail != 0 {
        return None;
    }
    // The trail byte of a lead byte at the end is in the next block.
    let cut = leads >> (BLOCK - 1);
    let mut starts = !trails & !(cut << (BLOCK - 1));
    let (mut units, mut count, mut any_special) = ([0; BLOCK], 0, false);
    while starts != 0 {
        let at = starts.trailing_zeros() as usize;
        starts &= starts - 1;
        let (lead, trail) = (block[at % BLOCK], block[(at + 1) % BLOCK]);
        let cell = C::cell_in(table, lead, trail);
        let unit = hint::select_unpredictable(lead >= 0x80, cell, u16::from(lead));
        units[count % BLOCK] = unit;
        count += 1;
        any_special |= IS_SMALL && index::is_special(unit);
    }
    // Vectors, unless the build is too small to have them.
    if !IS_SMALL {
        any_special = units.iter().fold(false, |any, unit| any | index::is_special(*unit));
    }
    if any_special {
        return None;
    }
    F::put_block(room, &units);
    Some((BLOCK - cut as usize, F::WIDTH * count))
}

/// A bit of each byte: the highest, or the one that is `SHIFT` below it.
#[inline(always)]
fn bits<const SHIFT: u32>(block: &[u8; BLOCK]) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Moves bit 7 of byte n to bit 56 + n.
    const GATHER: u64 = 0x0002_0408_1020_4081;
    let gathered = |word: &[u8; 8]| {
        let high = u64::from_le_bytes(*word) << SHIFT & HIGH;
        high.wrapping_mul(GATHER) >> 56
    };
    // Two words at a time, since loops are not unrolled where size matters, as in WebAssembly.
    let (pairs, _) = block.as_chunks::<16>();
    pairs.iter().enumerate().fold(0, |bits, (at, pair)| {
        let (first, last) = pair.split_at(8);
        let of = |word: &[u8]| word.first_chunk().map_or(0, gathered);
        bits | (of(first) | of(last) << 8) << (16 * at)
    })
}

/// Decodes pairs that are one code unit each, four at a time. Returns bytes read and written.
#[inline(always)]
fn decode_run<C: Charset, F: Form>(table: &C::Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    /// The high bit of each lead byte, and of each trail byte.
    const LEADS: u64 = 0x0080_0080_0080_0080;
    const TRAILS: u64 = LEADS << 8;
    let (mut read, mut written) = (0, 0);
    for chunk in src.as_chunks::<8>().0 {
        let Some(room) = dst[written..].first_chunk_mut() else { break };
        let word = u64::from_le_bytes(*chunk);
        // In trail bytes, bit 6 counts as bit 7.
        let bits = if C::TRAIL_BITS == 0x80 { word } else { word | word << 1 };
        if word & LEADS != LEADS || bits & TRAILS != TRAILS {
            break;
        }
        let cell =
            |at: u32| C::cell_in(table, (word >> (16 * at)) as u8, (word >> (16 * at + 8)) as u8);
        let units = [cell(0), cell(1), cell(2), cell(3)];
        let [first, second, third, fourth] = units;
        let any = index::is_special(first) | index::is_special(second);
        if any | index::is_special(third) | index::is_special(fourth) {
            break;
        }
        written += F::put_four(room, units);
        read += 8;
    }
    (read, written)
}

/// [`decode_to`], once for each charset and form.
#[cfg_attr(utfall_speed, optimize(speed))]
#[inline(never)]
fn straight<C: Charset, F: Form>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [u8],
    is_lossy: bool,
) -> Lossy {
    decode_to::<C, F>(kernels, src, dst, is_lossy, false)
}

/// [`decode_to`] for native UTF-16. A small build uses this loop for other forms too.
#[cfg_attr(utfall_speed, optimize(speed))]
#[inline(never)]
fn to_utf16<C: Charset>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [u8],
    is_lossy: bool,
    leaves_ascii: bool,
) -> Lossy {
    decode_to::<C, NativeUtf16>(kernels, src, dst, is_lossy, leaves_ascii)
}

/// Decodes to little-endian UTF-16, or big-endian if `IS_BIG`.
fn decode_utf16<C: Charset, const IS_BIG: bool>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [u8],
    is_lossy: bool,
) -> Lossy {
    if !IS_SMALL {
        return straight::<C, Utf16<IS_BIG>>(kernels, src, dst, is_lossy);
    }
    let made = to_utf16::<C>(kernels, src, dst, is_lossy, false);
    if IS_BIG != cfg!(target_endian = "big") {
        dst[..made.written].as_chunks_mut::<2>().0.iter_mut().for_each(|unit| unit.reverse());
    }
    made
}

/// Decodes to code points by way of UTF-16. Returns the bytes read and the code points written.
fn decode_points<C: Charset>(kernels: &Kernels, src: &[u8], dst: &mut [u32]) -> (usize, usize) {
    let mut buffer = [0_u16; by_utf16::PIECE];
    let room = dst.len().min(buffer.len());
    let units = units::bytes_mut(&mut buffer[..room]);
    let made = to_utf16::<C>(kernels, src, units, false, false);
    let text = &units[..made.written];
    let dst = units::bytes_mut(dst);
    let (_, length) = kernels.convert(units::NATIVE_UTF16, units::NATIVE_UTF32, text, dst);
    (made.read, length / 4)
}

/// Decodes to UTF-8.
fn decode_utf8<C: Charset>(kernels: &Kernels, src: &[u8], dst: &mut [u8], is_lossy: bool) -> Lossy {
    if src.len() < by_utf16::SHORTEST {
        return straight::<C, Utf8>(kernels, src, dst, is_lossy);
    }
    by_utf16::decode(
        kernels,
        src,
        dst,
        |src, dst| Utf8::put_ascii::<false>(kernels, src, dst),
        |step, src, dst| match step {
            Step::Utf8 => straight::<C, Utf8>(kernels, src, dst, is_lossy),
            Step::Utf16 if IS_SMALL => to_utf16::<C>(kernels, src, dst, is_lossy, true),
            Step::Utf16 => decode_to::<C, NativeUtf16>(kernels, src, dst, is_lossy, true),
        },
    )
}

/// The shortest text for which a kernel is faster than a loop, in bytes.
const SHORTEST: usize = 96;

/// The number of bytes that the loop decodes after a kernel has stopped. It grows while the kernel
/// stops soon, since starting the kernel takes time.
fn slow_run(before: usize, by_kernel: usize) -> usize {
    if by_kernel >= 512 { 16 } else { (2 * before).clamp(64, 16 << 10) }
}

/// The first such number in text that is known to have an error.
const FIRST_SLOW_RUN: usize = 1024;

/// Decodes by a kernel, and by a loop where that stops.
fn decode_by_kernel<C: Charset>(
    kernel: FromPairs,
    src: &[u8],
    dst: &mut [u8],
    is_lossy: bool,
    decode: impl Fn(&[u8], &mut [u8]) -> Lossy,
) -> Lossy {
    let cells = C::cells();
    let mut all = Lossy::default();
    // Text is only decoded with replacements after a strict conversion has found an error.
    let mut slow = if is_lossy { FIRST_SLOW_RUN } else { 0 };
    loop {
        if slow > 0 {
            let end = src.len().min(all.read + slow);
            let more = decode(&src[all.read..end], &mut dst[all.written..]);
            all.read += more.read;
            all.written += more.written;
            all.replaced += more.replaced;
            if more.read == 0 || all.read == src.len() {
                return all;
            }
        }
        let (read, written) = kernel(&cells, &src[all.read..], &mut dst[all.written..]);
        all.read += read;
        all.written += written;
        if all.read == src.len() {
            return all;
        }
        slow = slow_run(slow, read);
    }
}

#[derive(Clone)]
pub(crate) struct Decoder<C> {
    /// Four sequences of Big5 represent two code points. The first is returned with all bytes
    /// except the last; this is the second, for the last byte.
    second: Option<u32>,
    charset: core::marker::PhantomData<C>,
}

impl<C> Decoder<C> {
    pub(in crate::codec) fn new() -> Self {
        Self { second: None, charset: core::marker::PhantomData }
    }
}

impl<C: Charset> Decode for Decoder<C> {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if let Some(point) = self.second.take() {
            return Next::Point { point, length: 1 };
        }
        match src.first() {
            None => return Next::End,
            Some(byte @ ..0x80) => return Next::Point { point: u32::from(*byte), length: 1 },
            Some(_) => {}
        }
        match C::find(src) {
            Found::Point { point, length } => Next::Point { point, length },
            Found::Two(point, second) => {
                self.second = Some(second);
                Next::Point { point, length: 1 }
            }
            Found::Ill(kind, length) => Next::ill(kind, length),
            Found::Incomplete if last => Next::ill(ErrorKind::Truncated, src.len()),
            Found::Incomplete => Next::End,
        }
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        kernel::decode_with(self, src, dst, last, |this, src, dst| match this.second {
            Some(_) => (0, 0),
            None if IS_SMALL => decode_points::<C>(kernels, src, dst),
            None => {
                let dst = units::bytes_mut(dst);
                let made = decode_to::<C, Points>(kernels, src, dst, false, false);
                (made.read, made.written / 4)
            }
        })
    }

    fn side(&self) -> Side {
        match self.second {
            Some(_) => Side::CodePoints,
            None => side::<C>(),
        }
    }
}

/// Whether to leave out the loops for short or damaged text, for code points and for the other byte
/// order. Each charset would have its own copy, and WebAssembly modules are downloaded, so they must
/// be small.
pub(in crate::codec) const IS_SMALL: bool = cfg!(target_arch = "wasm32");

/// The charset, for whole texts and for the rest of a text after a character.
pub(in crate::codec) const fn side<C: Charset>() -> Side {
    Side::Charset(charset::Charset::MultiByte(C::FUNCTIONS))
}

/// The conversions of a charset.
pub(in crate::codec) const fn functions<C: Charset>() -> Functions {
    Functions {
        decode: decode::<C>,
        encode: encode::<C>,
        cells: C::cells,
        few_from_utf8: if IS_SMALL { few::none } else { few::encode_utf8::<C> },
        few_from_utf16: if IS_SMALL { few::none } else { few::encode_utf16::<C> },
    }
}

fn decode<C: Charset>(
    kernels: &Kernels,
    to: Layout,
    is_lossy: bool,
    src: &[u8],
    dst: &mut [u8],
) -> Lossy {
    if src.len() >= SHORTEST {
        return decode_long::<C>(kernels, to, is_lossy, src, dst);
    }
    match to {
        Layout::Utf8 => straight::<C, Utf8>(kernels, src, dst, is_lossy),
        Layout::Utf16Le => decode_utf16::<C, false>(kernels, src, dst, is_lossy),
        Layout::Utf16Be => decode_utf16::<C, true>(kernels, src, dst, is_lossy),
        _ => Lossy::default(),
    }
}

#[inline(never)]
fn decode_long<C: Charset>(
    kernels: &Kernels,
    to: Layout,
    is_lossy: bool,
    src: &[u8],
    dst: &mut [u8],
) -> Lossy {
    let decode = match to {
        Layout::Utf8 => decode_utf8::<C>,
        Layout::Utf16Le => decode_utf16::<C, false>,
        Layout::Utf16Be => decode_utf16::<C, true>,
        _ => return Lossy::default(),
    };
    let decode = |src: &[u8], dst: &mut [u8]| match to {
        Layout::Utf8 if is_lossy && !IS_SMALL => {
            decode_damaged::<C, Utf8>(src, dst, |cells, src, dst| cells.few_to_utf8(src, dst))
        }
        units::NATIVE_UTF16 if is_lossy && !IS_SMALL => {
            decode_damaged::<C, NativeUtf16>(src, dst, |cells, src, dst| {
                cells.few_to_utf16(src, dst)
            })
        }
        _ => decode(kernels, src, dst, is_lossy),
    };
    match kernels.from_pairs(to) {
        Some(kernel) => decode_by_kernel::<C>(kernel, src, dst, is_lossy, decode),
        None => decode(src, dst),
    }
}

fn encode<C: Charset>(
    kernels: &Kernels,
    from: Layout,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    match from {
        Layout::Utf8 => encode_utf8::<C>(kernels, src, dst),
        Layout::Utf16Le => encode_utf16::<C, false>(kernels, src, dst),
        Layout::Utf16Be => encode_utf16::<C, true>(kernels, src, dst),
        _ => (0, 0),
    }
}

/// The bytes of a code point, and their number; 0 if it has none.
#[inline]
fn bytes_of<C: Charset>(point: u32) -> ([u8; 4], usize) {
    let code = match u16::try_from(point) {
        Ok(0) => return ([0; 4], 1),
        Ok(unit) => u32::from(C::code(unit)),
        Err(_) => 0,
    };
    let code = if code == 0 { C::rare(point) } else { code };
    let length = 4 - code.leading_zeros() as usize / 8;
    // Shifting by all bits is not possible, but then the code is 0.
    ((code << (8 * (4 - length) as u32 % 32)).to_be_bytes(), length)
}

/// Writes the bytes of a code point.
#[inline]
fn put<C: Charset>(point: u32, dst: &mut [u8]) -> Put {
    let (bytes, length) = bytes_of::<C>(point);
    if length == 0 {
        return Put::Unencodable;
    }
    let Some(room) = dst.get_mut(..length) else { return Put::Full };
    room.copy_from_slice(&bytes[..length]);
    Put::Written(length)
}

/// Encodes as much as possible of UTF-8. Returns bytes read and written.
fn encode_utf8<C: Charset>(kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if src.len() < by_utf16::SHORTEST {
        return encode_straight::<C>(kernels, src, dst);
    }
    by_utf16::encode::<{ by_utf16::PIECE }>(
        kernels,
        src,
        dst,
        |src, dst| Utf8::put_ascii::<false>(kernels, src, dst),
        |step, src, dst| match step {
            Step::Utf8 => encode_straight::<C>(kernels, src, dst),
            Step::Utf16 => encode_utf16::<C, { cfg!(target_endian = "big") }>(kernels, src, dst),
        },
    )
}

/// The same for short text, and text with much US-ASCII.
#[cfg_attr(utfall_speed, optimize(speed))]
fn encode_straight<C: Charset>(kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        if let Some(..0x80) = src.get(read) {
            let count = Utf8::put_ascii::<false>(kernels, &src[read..], &mut dst[written..]);
            read += count;
            written += count;
        }
        let (more, length) = encode_pairs::<C>(&src[read..], &mut dst[written..]);
        read += more;
        written += length;
        if matches!(src.get(read), Some(..0x80)) && written < dst.len() {
            continue;
        }
        let Some((point, length)) = first_point(&src[read..]) else { break };
        let Put::Written(bytes) = put::<C>(point, &mut dst[written..]) else { break };
        written += bytes;
        read += length;
    }
    (read, written)
}

/// Encodes what takes two bytes in the charset and two or three in UTF-8, and single bytes of
/// US-ASCII in between. Returns bytes read and written.
#[inline(always)]
fn encode_pairs<C: Charset>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if IS_SMALL && src.is_empty() {
        return (read, written);
    }
    let codes = C::codes();
    while let (Some(chunk), Some(room)) =
        (src[read..].first_chunk::<4>(), dst[written..].first_chunk_mut())
    {
        let bytes = u32::from_le_bytes(*chunk);
        let (unit, least, length) = if bytes & 0x00C0_C0F0 == 0x0080_80E0 {
            let unit = (bytes & 0xF) << 12 | (bytes & 0x3F00) >> 2 | bytes >> 16 & 0x3F;
            (unit as u16, 0x800, 3)
        } else if bytes & 0x80 == 0 {
            if bytes & 0x8000 == 0 {
                break;
            }
            room[0] = bytes as u8;
            read += 1;
            written += 1;
            continue;
        } else if bytes & 0xC0E0 == 0x80C0 {
            (((bytes & 0x1F) << 6 | bytes >> 8 & 0x3F) as u16, 0x80, 2)
        } else {
            break;
        };
        let code = C::code_in(codes, unit);
        if unit < least || code < 0x100 {
            break;
        }
        *room = code.to_be_bytes();
        read += length;
        written += 2;
    }
    (read, written)
}

/// The code point at the start of UTF-8, and its length; none if it is ill-formed.
#[inline]
fn first_point(src: &[u8]) -> Option<(u32, usize)> {
    let tail = |byte: u8| (byte & 0xC0 == 0x80).then_some(u32::from(byte & 0x3F));
    match *src {
        [byte @ ..0x80, ..] => Some((u32::from(byte), 1)),
        [lead @ 0xC2..0xE0, second, ..] => Some((u32::from(lead & 0x1F) << 6 | tail(second)?, 2)),
        [lead @ 0xE0..0xF0, second, third, ..] => {
            let point = u32::from(lead & 0xF) << 12 | tail(second)? << 6 | tail(third)?;
            (point >= 0x800 && point & 0xF800 != 0xD800).then_some((point, 3))
        }
        [0xF0..=0xFF, ..] => {
            let text = core::str::from_utf8(src.get(..4)?).ok()?;
            text.chars().next().map(|scalar| (u32::from(scalar), 4))
        }
        _ => None,
    }
}

/// Characters of one kind after which a longer run of them is likely.
const LIKELY_RUN: usize = 8;

/// Encodes as much as possible of UTF-16. Returns bytes read and written.
#[inline(always)]
fn encode_utf16<C: Charset, const IS_BIG: bool>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    match kernels.from_codes() {
        // WebAssembly has no such kernel, so its modules need not contain the loop before it.
        Some(kernel) if !IS_SMALL && src.len() >= SHORTEST => {
            encode_by_kernel::<C, IS_BIG>(kernel, src, dst)
        }
        _ if IS_SMALL => encode_utf16_small::<C, IS_BIG>(src, dst),
        _ => encode_by_loop::<C, IS_BIG>(src, dst),
    }
}

/// The same with one loop for both byte orders.
#[cfg_attr(utfall_speed, optimize(speed))]
fn encode_utf16_small<C: Charset, const IS_BIG: bool>(
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    #[cfg_attr(utfall_speed, optimize(speed))]
    #[inline(never)]
    fn native<C: Charset>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        encode_by_loop::<C, { cfg!(target_endian = "big") }>(src, dst)
    }
    if IS_BIG == cfg!(target_endian = "big") {
        return native::<C>(src, dst);
    }
    let mut buffer = [[0; 2]; CODES];
    let (mut read, mut written) = (0, 0);
    loop {
        let units = src[read..].as_chunks::<2>().0;
        let units = &units[..units.len().min(buffer.len())];
        for (room, [first, second]) in buffer.iter_mut().zip(units) {
            *room = [*second, *first];
        }
        let buffer = buffer[..units.len()].as_flattened();
        let (more, length) = native::<C>(buffer, &mut dst[written..]);
        read += more;
        written += length;
        // A pair of surrogates may be split between two buffers.
        if more == 0 {
            return (read, written);
        }
    }
}

/// Code units that are looked up before a kernel writes their codes. Both stay in the first-level
/// cache.
const CODES: usize = 512;

/// The same at the start. An error there wastes the other lookups.
const FIRST_CODES: usize = 64;

/// Encodes UTF-16: a loop looks up codes, and a kernel writes them. No branch depends on whether a
/// code has one byte or two.
#[inline(never)]
fn encode_by_kernel<C: Charset, const IS_BIG: bool>(
    kernel: FromCodes,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (units, _) = src.as_chunks::<2>();
    let mut codes = [0; CODES];
    let (mut read, mut written, mut piece) = (0, 0, FIRST_CODES);
    while read < units.len() {
        let count = encode_ascii::<IS_BIG>(&units[read..], &mut dst[written..]);
        read += count;
        written += count;
        let end = units.len().min(read + piece);
        let codes = &mut codes[..end - read];
        look_up::<C, IS_BIG>(&units[read..end], codes);
        let first = read;
        while read < end {
            let (count, length) = kernel(&codes[read - first..], &mut dst[written..]);
            read += count;
            written += length;
            let stopped = read;
            if C::HAS_FOUR && codes.get(read - first) == Some(&0) {
                let (count, length) =
                    encode_fours::<C, IS_BIG>(&units[read..], &mut dst[written..]);
                read += count;
                written += length;
            }
            while codes.get(read - first) == Some(&0)
                && let Some((count, length)) =
                    encode_one::<C, IS_BIG>(&units[read..], &mut dst[written..])
            {
                read += count;
                written += length;
            }
            if read < end && read == stopped {
                return (2 * read, written);
            }
        }
        piece = CODES.min(2 * piece);
    }
    (2 * read, written)
}

/// The bits of four units that US-ASCII does not have.
const ABOVE_ASCII: u64 = 0xFF80_FF80_FF80_FF80;

/// Looks up the codes of as many units.
#[inline(always)]
fn look_up<C: Charset, const IS_BIG: bool>(units: &[[u8; 2]], codes: &mut [u16]) {
    let ((blocks, rest), (rooms, last)) = (units.as_chunks::<16>(), codes.as_chunks_mut::<16>());
    for (block, room) in blocks.iter().zip(rooms) {
        // Words take less time than 16 loads of a unit each.
        let words = block.as_flattened().as_chunks::<8>().0;
        let ordered = |bytes: &[u8; 8]| {
            if IS_BIG { u64::from_be_bytes(*bytes) } else { u64::from_le_bytes(*bytes) }
        };
        let is_ascii = words.iter().fold(0, |all, word| all | ordered(word)) & ABOVE_ASCII == 0;
        if is_ascii {
            *room = block.map(Utf16::<IS_BIG>::unit);
            continue;
        }
        for (codes, word) in room.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            let word = ordered(word);
            for (at, code) in codes.iter_mut().enumerate() {
                let at = if IS_BIG { 3 - at } else { at };
                *code = C::code((word >> (16 * at)) as u16);
            }
        }
    }
    for (code, bytes) in last.iter_mut().zip(rest) {
        *code = C::code(Utf16::<IS_BIG>::unit(*bytes));
    }
}

/// Encodes the code point at the start of UTF-16. Returns the units read and the bytes written.
/// `None` if the charset lacks it, or if it does not fit.
#[inline(always)]
fn encode_one<C: Charset, const IS_BIG: bool>(
    units: &[[u8; 2]],
    dst: &mut [u8],
) -> Option<(usize, usize)> {
    let unit_at = |at: usize| units.get(at).map(|bytes| Utf16::<IS_BIG>::unit(*bytes));
    let unit = unit_at(0)?;
    let (point, count) = match (unit, unit_at(1)) {
        (0xD800..0xDC00, Some(second @ 0xDC00..0xE000)) => {
            let bits = u32::from(unit & 0x3FF) << 10 | u32::from(second & 0x3FF);
            (0x1_0000 + bits, 2)
        }
        (0xD800..0xE000, _) => return None,
        _ => (u32::from(unit), 1),
    };
    let (bytes, length) = bytes_of::<C>(point);
    if length == 0 {
        return None;
    }
    // A copy of four bytes takes less time than one of some.
    if let Some(room) = dst.first_chunk_mut() {
        *room = bytes;
    } else {
        dst.get_mut(..length)?.copy_from_slice(&bytes[..length]);
    }
    Some((count, length))
}

/// Encodes characters of four bytes at the start of UTF-16, and short runs of US-ASCII between them.
/// Returns the units read and the bytes written.
#[inline(always)]
fn encode_fours<C: Charset, const IS_BIG: bool>(
    units: &[[u8; 2]],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written, mut ascii) = (0, 0, 0);
    if !C::HAS_FOUR {
        return (0, 0);
    }
    while let (Some(bytes), Some(room)) = (units.get(read), dst[written..].first_chunk_mut::<4>()) {
        let unit = Utf16::<IS_BIG>::unit(*bytes);
        let (point, count) = match unit {
            0xD800..0xDC00 => {
                let second = units.get(read + 1).map_or(0, |bytes| Utf16::<IS_BIG>::unit(*bytes));
                if !matches!(second, 0xDC00..0xE000) {
                    break;
                }
                let bits = u32::from(unit & 0x3FF) << 10 | u32::from(second & 0x3FF);
                (0x1_0000 + bits, 2)
            }
            0..0x80 if ascii < LIKELY_RUN => {
                room[0] = unit as u8;
                ascii += 1;
                read += 1;
                written += 1;
                continue;
            }
            0..0x80 => break,
            _ if C::code(unit) != 0 => break,
            _ => (u32::from(unit), 1),
        };
        ascii = 0;
        let code: u32 = C::rare(point);
        if code < 0x100_0000 {
            break;
        }
        *room = code.to_be_bytes();
        read += count;
        written += 4;
    }
    (read, written)
}

/// Encodes blocks of US-ASCII at the start of UTF-16. Returns their length.
#[inline(always)]
fn encode_ascii<const IS_BIG: bool>(units: &[[u8; 2]], dst: &mut [u8]) -> usize {
    if IS_SMALL && !IS_BIG {
        return encode_ascii_small(units, dst);
    }
    let mut length = 0;
    for (chunk, room) in units.as_chunks::<16>().0.iter().zip(dst.as_chunks_mut::<16>().0) {
        let chunk = chunk.map(Utf16::<IS_BIG>::unit);
        if chunk.iter().fold(0, |all, unit| all | unit) >= 0x80 {
            break;
        }
        *room = chunk.map(|unit| unit as u8);
        length += 16;
    }
    length
}

/// The same for little-endian UTF-16, by words.
#[cfg_attr(utfall_speed, optimize(speed))]
fn encode_ascii_small(units: &[[u8; 2]], dst: &mut [u8]) -> usize {
    let packed = |word: u64| {
        let pairs = word | word >> 8;
        (pairs & 0xFFFF) as u32 | (pairs >> 16) as u32 & 0xFFFF_0000
    };
    let mut length = 0;
    for (chunk, room) in units.as_chunks::<8>().0.iter().zip(dst.as_chunks_mut::<8>().0) {
        let (first, last) = chunk.as_flattened().split_at(8);
        let of = |word: &[u8]| word.first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        let (first, last) = (of(first), of(last));
        if (first | last) & ABOVE_ASCII != 0 {
            break;
        }
        *room = (u64::from(packed(first)) | u64::from(packed(last)) << 32).to_le_bytes();
        length += 8;
    }
    length
}

/// The same by a loop.
#[inline(always)]
fn encode_by_loop<C: Charset, const IS_BIG: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (units, _) = src.as_chunks::<2>();
    let table = C::codes();
    let (mut read, mut written) = (0, 0);
    loop {
        let count = encode_ascii::<IS_BIG>(&units[read..], &mut dst[written..]);
        read += count;
        written += count;
        // Pairs, four at a time.
        for (chunk, room) in
            units[read..].as_chunks::<4>().0.iter().zip(dst[written..].as_chunks_mut::<8>().0)
        {
            let [first, second, third, fourth] = *chunk;
            let code = |bytes| C::code_in(table, Utf16::<IS_BIG>::unit(bytes));
            let (first, second, third, fourth) =
                (code(first), code(second), code(third), code(fourth));
            if (first < 0x100) | (second < 0x100) | (third < 0x100) | (fourth < 0x100) {
                break;
            }
            *room = joined([
                first.to_be_bytes(),
                second.to_be_bytes(),
                third.to_be_bytes(),
                fourth.to_be_bytes(),
            ]);
            read += 4;
            written += 8;
        }
        // US-ASCII, four units at a time, before other characters or the end.
        while let (Some(chunk), Some(room)) =
            (units[read..].first_chunk::<4>(), dst[written..].first_chunk_mut::<4>())
        {
            let [first, second, third, fourth] = *chunk;
            let unit = Utf16::<IS_BIG>::unit;
            let (first, second, third, fourth) =
                (unit(first), unit(second), unit(third), unit(fourth));
            if first | second | third | fourth >= 0x80 {
                break;
            }
            *room = [first as u8, second as u8, third as u8, fourth as u8];
            read += 4;
            written += 4;
        }
        // Any of one or two bytes. Which it is cannot be predicted in some scripts, so no branch
        // depends on it.
        let (mut run, mut previous) = (0, false);
        for bytes in &units[read..] {
            let code = C::code_in(table, Utf16::<IS_BIG>::unit(*bytes));
            let Some(room) = dst[written..].first_chunk_mut() else { break };
            if code == 0 || run == LIKELY_RUN {
                break;
            }
            let has_two = code > 0xFF;
            *room = if has_two { code.to_be_bytes() } else { code.to_le_bytes() };
            written += 1 + usize::from(has_two);
            read += 1;
            run = if has_two == previous { run + 1 } else { 0 };
            previous = has_two;
        }
        if run == LIKELY_RUN {
            continue;
        }
        // The loop stops at the end, and at characters of four bytes, of which there may be more.
        let (count, length) = encode_fours::<C, IS_BIG>(&units[read..], &mut dst[written..]);
        read += count;
        written += length;
        if count > 0 {
            continue;
        }
        loop {
            let Some((count, length)) =
                encode_one::<C, IS_BIG>(&units[read..], &mut dst[written..])
            else {
                return (2 * read, written);
            };
            written += length;
            read += count;
            if length < 4 {
                break;
            }
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder<C>(core::marker::PhantomData<C>);

impl<C> Encoder<C> {
    pub(in crate::codec) fn new() -> Self {
        Self(core::marker::PhantomData)
    }
}

impl<C: Charset> Encode for Encoder<C> {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        put::<C>(point, dst)
    }

    fn side(&self) -> Side {
        side::<C>()
    }
}
