//! The forms of Unicode that charsets are converted to and from directly: UTF-8, UTF-16 and code
//! points.

use utfall_simd::{Kernels, Layout, units};

/// The longest run of US-ASCII that is not worth a call of a kernel, in bytes.
const SHORT_RUN: usize = 256;

/// A form.
pub(in crate::codec) trait Form {
    /// Bytes that the text of one byte of US-ASCII takes.
    const WIDTH: usize;

    /// Converts US-ASCII at the start of `src`, and returns how many bytes; with `SHIFTS`, without
    /// those that [shift](is_shift). It may overwrite all of `dst`.
    fn put_ascii<const SHIFTS: bool>(kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> usize;

    /// Writes a code point up to U+FFFF, and returns its length.
    fn put_any(dst: &mut [u8; 4], unit: u16) -> usize;

    /// Writes a code point from U+0080 to U+FFFF, and returns its length.
    fn put_unit(dst: &mut [u8; 4], unit: u16) -> usize {
        Self::put_any(dst, unit)
    }

    /// Writes four of them, and returns their length.
    fn put_four(dst: &mut [u8; 16], units: [u16; 4]) -> usize;

    /// Writes units if they have two bytes.
    fn put_block(dst: &mut [u8; 128], units: &[u16; 64]) {
        let _ = (dst, units);
    }

    /// Writes a byte of US-ASCII, which takes [`WIDTH`](Self::WIDTH) bytes, if there is space for
    /// it.
    fn put_byte(dst: &mut [u8], byte: u8) -> bool;

    /// Writes a code point and returns its length, if there is space for it.
    fn put_point(dst: &mut [u8], point: u32) -> Option<usize>;
}

/// Whether a byte switches between sets in charsets of ISO 2022, so that it is never text.
pub(in crate::codec) const fn is_shift(byte: u8) -> bool {
    matches!(byte, 0x0E | 0x0F | 0x1B)
}

/// The number of bytes of US-ASCII at the start of a chunk.
#[inline(always)]
fn ascii_of<const SHIFTS: bool>(chunk: [u8; 16]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let stops = |word: u64| {
        // Exact up to the first byte that is zero.
        let zeros = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes;
        let mut stops = word;
        if SHIFTS {
            stops |= zeros(word ^ (0x1B * ONES)) | zeros((word & (0xFE * ONES)) ^ (0x0E * ONES));
        }
        stops & (0x80 * ONES)
    };
    let word = u128::from_le_bytes(chunk);
    let (first, last) = (stops(word as u64), stops((word >> 64) as u64));
    match (first, last) {
        (0, 0) => 16,
        (0, _) => 8 + last.trailing_zeros() as usize / 8,
        _ => first.trailing_zeros() as usize / 8,
    }
}

/// Four pairs of bytes as one word, since loops are not unrolled where size matters, as in WebAssembly.
#[inline(always)]
pub(in crate::codec) const fn joined(pairs: [[u8; 2]; 4]) -> [u8; 8] {
    let [first, second, third, fourth] = pairs;
    let first = u16::from_le_bytes(first) as u64 | (u16::from_le_bytes(second) as u64) << 16;
    let last = u16::from_le_bytes(third) as u64 | (u16::from_le_bytes(fourth) as u64) << 16;
    (first | last << 32).to_le_bytes()
}

/// Converts a run of US-ASCII in chunks of 16 bytes, and with `long` if it goes on.
#[inline(always)]
fn run<F: Form, const SHIFTS: bool>(
    src: &[u8],
    dst: &mut [u8],
    store: impl Fn([u8; 16], &mut [u8]),
    long: impl FnOnce(&[u8], &mut [u8]) -> usize,
) -> usize {
    let mut at = 0;
    while let (Some(chunk), Some(room)) =
        (src[at..].first_chunk::<16>(), dst.get_mut(F::WIDTH * at..F::WIDTH * (at + 16)))
    {
        store(*chunk, room);
        let count = ascii_of::<SHIFTS>(*chunk);
        at += count;
        if count < 16 {
            return at;
        }
        if at == SHORT_RUN && !SHIFTS {
            at += long(&src[at..], &mut dst[F::WIDTH * at..]);
            break;
        }
    }
    for byte in &src[at..] {
        if *byte >= 0x80
            || (SHIFTS && is_shift(*byte))
            || !F::put_byte(&mut dst[F::WIDTH * at..], *byte)
        {
            break;
        }
        at += 1;
    }
    at
}

/// UTF-8.
pub(in crate::codec) struct Utf8;

impl Form for Utf8 {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn put_byte(dst: &mut [u8], byte: u8) -> bool {
        let Some(room) = dst.first_mut() else { return false };
        *room = byte;
        true
    }

    #[inline(always)]
    fn put_ascii<const SHIFTS: bool>(kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> usize {
        run::<Self, SHIFTS>(
            src,
            dst,
            |chunk, room| room.copy_from_slice(&chunk),
            |src, dst| {
                let src = &src[..src.len().min(dst.len())];
                let count = kernels.ascii_prefix(src);
                dst[..count].copy_from_slice(&src[..count]);
                count
            },
        )
    }

    #[inline(always)]
    fn put_any(dst: &mut [u8; 4], unit: u16) -> usize {
        if unit < 0x80 {
            dst[0] = unit as u8;
            return 1;
        }
        Self::put_unit(dst, unit)
    }

    #[inline(always)]
    fn put_unit(dst: &mut [u8; 4], unit: u16) -> usize {
        let unit = u32::from(unit);
        let tail = 0x80 | unit & 0x3F;
        if unit < 0x800 {
            *dst = (0xC0 | unit >> 6 | tail << 8).to_le_bytes();
            2
        } else {
            let middle = 0x80 | unit >> 6 & 0x3F;
            *dst = (0xE0 | unit >> 12 | middle << 8 | tail << 16).to_le_bytes();
            3
        }
    }

    #[inline(always)]
    fn put_four(dst: &mut [u8; 16], units: [u16; 4]) -> usize {
        let mut at = 0;
        for unit in units {
            // `at` is at most 9.
            let Some(room) = dst[at..].first_chunk_mut() else { break };
            at += Self::put_unit(room, unit);
        }
        at
    }

    #[inline]
    fn put_point(dst: &mut [u8], point: u32) -> Option<usize> {
        let mut bytes = [0; 4];
        let bytes = char::from_u32(point)?.encode_utf8(&mut bytes).as_bytes();
        dst.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(bytes.len())
    }
}

/// UTF-16, big-endian or little-endian.
pub(in crate::codec) struct Utf16<const IS_BIG: bool>;

impl<const IS_BIG: bool> Utf16<IS_BIG> {
    #[inline(always)]
    pub(in crate::codec) fn bytes(unit: u16) -> [u8; 2] {
        if IS_BIG { unit.to_be_bytes() } else { unit.to_le_bytes() }
    }

    #[inline(always)]
    pub(in crate::codec) fn unit(bytes: [u8; 2]) -> u16 {
        if IS_BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
    }
}

impl<const IS_BIG: bool> Form for Utf16<IS_BIG> {
    const WIDTH: usize = 2;

    #[inline(always)]
    fn put_block(dst: &mut [u8; 128], units: &[u16; 64]) {
        for (room, unit) in dst.as_chunks_mut().0.iter_mut().zip(units) {
            *room = Self::bytes(*unit);
        }
    }

    #[inline(always)]
    fn put_byte(dst: &mut [u8], byte: u8) -> bool {
        let Some(room) = dst.first_chunk_mut() else { return false };
        *room = Self::bytes(u16::from(byte));
        true
    }

    #[inline(always)]
    fn put_ascii<const SHIFTS: bool>(kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> usize {
        run::<Self, SHIFTS>(
            src,
            dst,
            |chunk, room| {
                let units = chunk.map(|byte| Self::bytes(u16::from(byte)));
                room.copy_from_slice(units.as_flattened());
            },
            |src, dst| {
                let count = kernels.ascii_prefix(&src[..src.len().min(dst.len() / 2)]);
                let layout = if IS_BIG { Layout::Utf16Be } else { Layout::Utf16Le };
                kernels.convert(Layout::Latin1, layout, &src[..count], dst).0
            },
        )
    }

    #[inline(always)]
    fn put_any(dst: &mut [u8; 4], unit: u16) -> usize {
        let [a, b] = Self::bytes(unit);
        (dst[0], dst[1]) = (a, b);
        2
    }

    #[inline(always)]
    fn put_four(dst: &mut [u8; 16], units: [u16; 4]) -> usize {
        let [first, second, third, fourth] = units;
        if let Some(room) = dst.first_chunk_mut() {
            let of = |unit| Self::bytes(unit);
            *room = joined([of(first), of(second), of(third), of(fourth)]);
        }
        8
    }

    #[inline]
    fn put_point(dst: &mut [u8], point: u32) -> Option<usize> {
        let Ok(unit) = u16::try_from(point) else {
            let (high, low) = (0xD7C0 + (point >> 10), 0xDC00 | point & 0x3FF);
            let [a, b] = Self::bytes(high as u16);
            let [c, d] = Self::bytes(low as u16);
            *dst.first_chunk_mut()? = [a, b, c, d];
            return Some(4);
        };
        *dst.first_chunk_mut()? = Self::bytes(unit);
        Some(2)
    }
}

/// UTF-16 in native byte order.
pub(in crate::codec) type NativeUtf16 = Utf16<{ cfg!(target_endian = "big") }>;

/// Code points, in native byte order.
pub(in crate::codec) struct Points;

impl Form for Points {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn put_byte(dst: &mut [u8], byte: u8) -> bool {
        let Some(room) = dst.first_chunk_mut() else { return false };
        *room = u32::from(byte).to_ne_bytes();
        true
    }

    #[inline(always)]
    fn put_ascii<const SHIFTS: bool>(kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> usize {
        run::<Self, SHIFTS>(
            src,
            dst,
            |chunk, room| {
                let points = chunk.map(|byte| u32::from(byte).to_ne_bytes());
                room.copy_from_slice(points.as_flattened());
            },
            |src, dst| {
                let count = kernels.ascii_prefix(&src[..src.len().min(dst.len() / 4)]);
                kernels.convert(Layout::Latin1, units::NATIVE_UTF32, &src[..count], dst).0
            },
        )
    }

    #[inline(always)]
    fn put_any(dst: &mut [u8; 4], unit: u16) -> usize {
        *dst = u32::from(unit).to_ne_bytes();
        4
    }

    #[inline(always)]
    fn put_four(dst: &mut [u8; 16], units: [u16; 4]) -> usize {
        for (room, unit) in dst.as_chunks_mut().0.iter_mut().zip(units) {
            *room = u32::from(unit).to_ne_bytes();
        }
        16
    }

    #[inline]
    fn put_point(dst: &mut [u8], point: u32) -> Option<usize> {
        *dst.first_chunk_mut()? = point.to_ne_bytes();
        Some(4)
    }
}
