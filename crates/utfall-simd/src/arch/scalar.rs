//! The table that runs everywhere and fills every field.
//!
//! A conversion is one loop over a source and a target, [`convert`], which the compiler
//! instantiates once per pair. Runs of ASCII are processed eight bytes or units at a time.

pub(crate) mod ascii;
mod latin1;
pub(crate) mod single_byte;
mod utf16;
mod utf32;
pub(crate) mod utf7;
mod utf8;

use crate::Kernels;
use crate::kernels::{self, Lossy};
pub(crate) use latin1::Latin1;
pub(crate) use utf8::Utf8;
pub(crate) use utf16::Utf16;
pub(crate) use utf32::Utf32;

/// A form of text that can be read.
pub(crate) trait Source {
    /// The code point at the start of `src` and its length in bytes. `None` if the sequence there
    /// is ill-formed or incomplete.
    fn next(src: &[u8]) -> Option<(u32, usize)>;
    /// The length of the maximal subpart at the start of `src`, where [`next`](Self::next) returns
    /// `None`. `None` if more bytes could complete the sequence.
    fn ill_formed(src: &[u8]) -> Option<usize>;
    /// Eight ASCII characters at the start of `src`, and their length in bytes.
    fn next_ascii(src: &[u8]) -> Option<([u8; 8], usize)>;
}

/// A form of text that can be written.
pub(crate) trait Target {
    /// Writes a scalar value to the start of `dst`. `None` if it does not fit, or if the form
    /// lacks it.
    fn put(dst: &mut [u8], scalar: u32) -> Option<usize>;
    /// Writes eight ASCII characters to the start of `dst`.
    fn put_ascii(dst: &mut [u8], ascii: [u8; 8]) -> Option<usize>;
}

/// Byte order of UTF-16 and UTF-32.
pub(crate) const LITTLE: bool = true;
pub(crate) const BIG: bool = false;

type Utf16Le = Utf16<LITTLE>;
type Utf16Be = Utf16<BIG>;
type Utf32Le = Utf32<LITTLE>;
type Utf32Be = Utf32<BIG>;

/// How many ASCII characters in a row make it worthwhile to look for eight at once. A space
/// between two words in another script does not.
const ASCII_AGAIN: u32 = 3;

/// A conversion.
#[inline(always)]
pub(crate) fn convert<S: Source, T: Target>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        while let Some((ascii, length)) = S::next_ascii(&src[read..]) {
            let Some(room) = T::put_ascii(&mut dst[written..], ascii) else { break };
            read += length;
            written += room;
        }
        let mut ascii = 0;
        while ascii < ASCII_AGAIN {
            let Some((scalar, length)) = S::next(&src[read..]) else { return (read, written) };
            let Some(room) = T::put(&mut dst[written..], scalar) else { return (read, written) };
            read += length;
            written += room;
            ascii = if scalar < 0x80 { ascii + 1 } else { 0 };
        }
    }
}

/// [`convert`] without inlining, so that vector code that rarely needs it stays short.
#[inline(never)]
pub(crate) fn convert_call<S: Source, T: Target>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    convert::<S, T>(src, dst)
}

/// How many sequences in a row make it worthwhile to call a strict conversion after an error.
const SOUND_AGAIN: u32 = 8;

/// A lossy conversion on top of the strict one of any table.
#[inline(always)]
pub(crate) fn lossy_by<S: Source, T: Target>(
    src: &[u8],
    dst: &mut [u8],
    mut strict: impl FnMut(&[u8], &mut [u8]) -> (usize, usize),
) -> Lossy {
    let Lossy { mut read, mut written, mut replaced } = Lossy::default();
    loop {
        let (bytes, filled) = strict(&src[read..], &mut dst[written..]);
        read += bytes;
        written += filled;
        // Errors often come close together.
        let mut sound = 0;
        while sound < SOUND_AGAIN {
            let next = S::next(&src[read..]);
            let ill = || S::ill_formed(&src[read..]).map(|length| (0xFFFD, length));
            let Some((scalar, length)) = next.or_else(ill) else {
                return Lossy { read, written, replaced };
            };
            let Some(room) = T::put(&mut dst[written..], scalar) else {
                return Lossy { read, written, replaced };
            };
            read += length;
            written += room;
            replaced += usize::from(next.is_none());
            sound = if next.is_none() { 0 } else { sound + 1 };
        }
    }
}

pub(crate) fn lossy<S: Source, T: Target>(src: &[u8], dst: &mut [u8]) -> Lossy {
    if cfg!(utfall_js) {
        return lossy_by::<S, T>(src, dst, convert_call::<S, T>);
    }
    lossy_by::<S, T>(src, dst, convert::<S, T>)
}

/// Measures the output of a lossy conversion: the sum of `length` over its code points, with one
/// U+FFFD for a truncated sequence at the end.
#[inline(always)]
pub(crate) fn sum_lossy<S: Source>(src: &[u8], length: impl Fn(u32) -> usize) -> usize {
    let (mut read, mut total) = (0, 0);
    while read < src.len() {
        let (scalar, bytes) = S::next(&src[read..])
            .unwrap_or_else(|| (0xFFFD, S::ill_formed(&src[read..]).unwrap_or(src.len() - read)));
        read += bytes;
        total += length(scalar);
    }
    total
}

/// The length of a prefix whose code points are in Latin-1.
#[inline(always)]
pub(crate) fn latin1_prefix<S: Source>(src: &[u8]) -> usize {
    let mut read = 0;
    while let Some((0..=0xFF, bytes)) = S::next(&src[read..]) {
        read += bytes;
    }
    read
}

/// The length of the prefix that `S` can read.
#[inline(always)]
pub(crate) fn prefix<S: Source>(src: &[u8]) -> usize {
    let mut read = 0;
    loop {
        while let Some((_, length)) = S::next_ascii(&src[read..]) {
            read += length;
        }
        let mut ascii = 0;
        while ascii < ASCII_AGAIN {
            let Some((scalar, length)) = S::next(&src[read..]) else { return read };
            read += length;
            ascii = if scalar < 0x80 { ascii + 1 } else { 0 };
        }
    }
}

/// [`prefix`] that is not inlined.
#[inline(never)]
pub(crate) fn prefix_call<S: Source>(src: &[u8]) -> usize {
    prefix::<S>(src)
}

/// Sums `length` over the code points of well-formed text.
#[inline(always)]
fn sum<S: Source>(src: &[u8], length: impl Fn(u32) -> usize) -> usize {
    let (mut read, mut total) = (0, 0);
    while let Some((scalar, bytes)) = S::next(&src[read..]) {
        read += bytes;
        total += length(scalar);
    }
    total
}

/// The table: every conversion from the list, and the given functions.
macro_rules! table {
    (
        { $($function:tt)* }
        convert { $( $(#[$_doc_c:meta])* $convert:ident ($from:ident, $to:ident), )* }
        lossy { $( $(#[$_doc_l:meta])* $lossy:ident ($lossy_from:ident, $lossy_to:ident), )* }
        measure { $($_measure:tt)* }
    ) => {
        Kernels {
            name: "scalar",
            // The modules of `bindings/js` share one copy with the lossy conversion.
            $( $convert: if cfg!(utfall_js) {
                convert_call::<$from, $to>
            } else {
                convert::<$from, $to>
            }, )*
            $( $lossy: lossy::<$lossy_from, $lossy_to>, )*
            $($function)*
        }
    };
}

pub(crate) static KERNELS: Kernels = kernels::list!(table! {
    ascii_prefix: ascii::prefix,
    utf8_latin1_prefix: latin1_prefix::<Utf8>,
    utf16le_latin1_prefix: latin1_prefix::<Utf16Le>,
    utf16be_latin1_prefix: latin1_prefix::<Utf16Be>,
    utf8_prefix: prefix::<Utf8>,
    utf16le_prefix: prefix::<Utf16Le>,
    utf16be_prefix: prefix::<Utf16Be>,
    utf32le_prefix: prefix::<Utf32Le>,
    utf32be_prefix: prefix::<Utf32Be>,
    utf8_unremarkable_prefix: crate::remarkable::prefix,
    utf8_count: utf8::count,
    utf16le_count: |src| sum::<Utf16Le>(src, |_| 1),
    utf16be_count: |src| sum::<Utf16Be>(src, |_| 1),
    utf16_len_from_utf8: utf8::utf16_len,
    utf8_len_from_utf16le: |src| sum::<Utf16Le>(src, utf8::len),
    utf8_len_from_utf16be: |src| sum::<Utf16Be>(src, utf8::len),
    utf8_len_from_utf32le: |src| sum::<Utf32Le>(src, utf8::len),
    utf8_len_from_utf32be: |src| sum::<Utf32Be>(src, utf8::len),
    utf16_len_from_utf32le: |src| sum::<Utf32Le>(src, utf16::len),
    utf16_len_from_utf32be: |src| sum::<Utf32Be>(src, utf16::len),
    utf8_len_from_latin1: latin1::utf8_len,
    utf8_count_lossy: |src| sum_lossy::<Utf8>(src, |_| 1),
    utf16_len_from_utf8_lossy: |src| sum_lossy::<Utf8>(src, utf16::len),
    utf7_to_utf8: utf7::to_utf8,
    utf7_to_utf16le: kernels::unless_small!(utf7::to_utf16::<LITTLE>),
    utf7_to_utf16be: kernels::unless_small!(utf7::to_utf16::<BIG>),
    utf8_to_utf7: utf7::from_utf8,
    utf16le_to_utf7: kernels::unless_small!(utf7::from_utf16::<LITTLE>),
    utf16be_to_utf7: kernels::unless_small!(utf7::from_utf16::<BIG>),
    utf7_len_from_utf8: utf7::len_from_utf8,
    utf8_from_table: single_byte::decode_strict::<Utf8>,
    utf16le_from_table: single_byte::decode_strict::<Utf16Le>,
    utf16be_from_table: single_byte::decode_strict::<Utf16Be>,
    utf8_from_table_lossy: single_byte::decode::<Utf8, true>,
    utf16le_from_table_lossy: single_byte::decode::<Utf16Le, true>,
    utf16be_from_table_lossy: single_byte::decode::<Utf16Be, true>,
    table_from_utf8: single_byte::encode::<Utf8>,
    table_from_utf16le: single_byte::encode::<Utf16Le>,
    table_from_utf16be: single_byte::encode::<Utf16Be>,
    utf8_from_pairs: None,
    utf16le_from_pairs: None,
    utf16be_from_pairs: None,
    bytes_from_codes: None,
});
