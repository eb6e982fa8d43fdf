//! Boundaries between characters, and what follows from them: cutting text, and searching in it.

#[cfg(feature = "alloc")]
use alloc::vec;

use crate::codec::{Decode, Next};
use crate::encoding::AnyDecoder;
use crate::info::BoundaryRule;
use crate::{ByteOrder, Decoder, Encoding, Options, Policy, Status};

/// The longest character, in bytes: six in the first UTF-8, and a surrogate pair in CESU-8.
const LONGEST: usize = 6;

/// Finds boundaries between characters, in an encoding where the bytes around an index determine
/// them.
///
/// A character is a code point, in UTF-16 and CESU-8 a surrogate pair too. All indices are in bytes
/// from the start of the text. UTF-8 is designed for this: "Character boundaries are easily found
/// from anywhere in an octet stream" (RFC 3629 §1). [`clause`](Self::clause) gives the clause of
/// each encoding.
///
/// In ill-formed text, a boundary is where a character could begin; a boundary is never more than
/// six bytes away.
///
/// ```
/// use utfall::Encoding;
/// let boundaries = Encoding::Utf8.boundaries().unwrap();
/// let text = "a€b".as_bytes();
/// assert!(!boundaries.is_boundary(text, 2));
/// assert_eq!((boundaries.floor(text, 2), boundaries.ceil(text, 2)), (1, 4));
/// assert!(Encoding::Utf7.boundaries().is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Boundaries {
    /// For its code units, in which [`Self::find`] compares.
    #[cfg(feature = "alloc")]
    encoding: Encoding,
    rule: BoundaryRule,
}

impl Encoding {
    /// The boundaries between characters, or `None` if they cannot be found from any byte: in
    /// UTF-7, SCSU, BOCU-1, UTF-1 and the multi-byte charsets of East Asia.
    #[inline]
    #[must_use]
    pub fn boundaries(self) -> Option<Boundaries> {
        let rule = self.info().boundaries?;
        Some(Boundaries {
            #[cfg(feature = "alloc")]
            encoding: self,
            rule,
        })
    }

    /// The text without an incomplete sequence at its end, such as a read of a fixed size leaves.
    /// The rest may be ill-formed.
    ///
    /// `bytes` is a text from its start, or, if the encoding has [boundaries](Self::boundaries),
    /// from any boundary. UTF-16 and UTF-32 that may have a BOM are an exception: it determines the
    /// byte order, so the text has to begin with it. With boundaries the time is constant,
    /// otherwise and for these it is linear.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert_eq!(Encoding::Utf8.trim_incomplete(b"5 \xE2\x82"), b"5 ");
    /// assert_eq!(Encoding::Utf16Le.trim_incomplete(b"a\0\x3D\xD8"), b"a\0");
    /// assert_eq!(Encoding::Utf7.trim_incomplete(b"a+2D3cu"), b"a+");
    /// ```
    #[must_use]
    pub fn trim_incomplete(self, bytes: &[u8]) -> &[u8] {
        // UTF-16 and UTF-32 may have a BOM, which determines the byte order.
        if let Some(boundaries) = self.boundaries()
            && self.info().byte_order != Some(ByteOrder::Marked)
        {
            // In UTF-8, every lead byte begins a character, whatever precedes it.
            let back = if self == Self::Utf8 { 1 } else { 2 * LONGEST };
            let mut end = boundaries.floor(bytes, bytes.len().saturating_sub(back));
            let mut decoder = AnyDecoder::new(self, &Options::strict());
            loop {
                end += match decoder.next(&bytes[end..], false) {
                    Next::Point { length, .. } | Next::Skip { length } => length,
                    Next::Ill(ill) => ill.consumed,
                    Next::End => return &bytes[..end],
                };
            }
        }
        let mut decoder = Decoder::new(self, Options::both(Policy::Skip));
        let progress = decoder.validate(bytes, false);
        debug_assert!(matches!(progress.status, Status::InputEmpty));
        let end = decoder.offset() as usize;
        &bytes[..end.min(bytes.len())]
    }
}

impl Boundaries {
    /// The clause of the specification by which boundaries are found from any byte. It also makes a
    /// search of bytes ([`find`](Self::find)) exact.
    ///
    /// ```
    /// use utfall::Encoding;
    /// let boundaries = Encoding::Utf8.boundaries().unwrap();
    /// let clause = "RFC 3629 §1: boundaries of characters are found from anywhere in the text";
    /// assert_eq!(boundaries.clause(), clause);
    /// ```
    #[must_use]
    pub const fn clause(self) -> &'static str {
        self.rule.clause
    }

    /// Whether a character begins or the text ends at `index`. False beyond the end.
    #[inline]
    #[must_use]
    pub fn is_boundary(self, bytes: &[u8], index: usize) -> bool {
        if index < bytes.len() {
            index == 0 || (self.rule.is_boundary)(bytes, index)
        } else {
            index == bytes.len()
        }
    }

    /// The last boundary that is not after `index`. Beyond the end, the length of the text.
    #[inline]
    #[must_use]
    pub fn floor(self, bytes: &[u8], index: usize) -> usize {
        let index = index.min(bytes.len());
        let first = index.saturating_sub(LONGEST);
        (first..=index).rev().find(|at| self.is_boundary(bytes, *at)).unwrap_or(index)
    }

    /// The first boundary that is not before `index`. Beyond the end, the length of the text.
    #[inline]
    #[must_use]
    pub fn ceil(self, bytes: &[u8], index: usize) -> usize {
        let index = index.min(bytes.len());
        let last = bytes.len().min(index + LONGEST);
        (index..=last).find(|at| self.is_boundary(bytes, *at)).unwrap_or(index)
    }

    /// The index of the first occurrence of `needle`, a text in the same encoding, between two
    /// boundaries of `haystack`.
    ///
    /// No character is part of another one, so a search compares bytes; RFC 3629 §1 names that among
    /// the properties of UTF-8. In UTF-16 and UTF-32 it compares code units.
    ///
    /// Takes time and memory in proportion to the length of both, also in the worst case.
    ///
    /// ```
    /// use utfall::Encoding;
    /// let boundaries = Encoding::Utf16Be.boundaries().unwrap();
    /// let text = Encoding::Utf16Be.encode("Āā").unwrap(); // 01 00 01 01
    /// assert_eq!(boundaries.find(&text, b"\x00\x01"), None);
    /// assert_eq!(boundaries.find(&text, b"\x01\x01"), Some(2));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn find(self, haystack: &[u8], needle: &[u8]) -> Option<usize> {
        if needle.is_empty() {
            return Some(0);
        }
        let unit = self.encoding.info().code_unit;
        // A needle that ends with part of a code unit occurs nowhere.
        if !needle.len().is_multiple_of(unit) {
            return None;
        }
        let fits = |at: usize| {
            at.is_multiple_of(unit)
                && self.is_boundary(haystack, at)
                && self.is_boundary(haystack, at + needle.len())
        };
        find_quickly(haystack, needle, fits).unwrap_or_else(|at| {
            let at = at / unit * unit;
            let rest = &haystack[at..];
            let fits = |index| fits(at + index);
            let found = match unit {
                1 => occurrences::<1>(rest, needle, fits),
                2 => occurrences::<2>(rest, needle, fits),
                _ => occurrences::<4>(rest, needle, fits),
            };
            found.map(|index| at + index)
        })
    }
}

/// The first occurrence of the needle that fits. Compares two bytes of it at eight positions at once,
/// and all of it where both are equal. Repetitive text would take quadratic time, so the comparisons in
/// vain are limited. An error is the position where the limit was reached.
#[cfg(feature = "alloc")]
#[inline]
fn find_quickly(
    haystack: &[u8],
    needle: &[u8],
    fits: impl Fn(usize) -> bool,
) -> Result<Option<usize>, usize> {
    const LANES: usize = size_of::<u64>();
    const ONES: u64 = u64::from_ne_bytes([1; LANES]);
    let Some(last) = haystack.len().checked_sub(needle.len()) else { return Ok(None) };
    let occurs = |at: usize| haystack[at..].starts_with(needle) && fits(at);
    if last < LANES {
        let mut windows = haystack.windows(needle.len()).enumerate();
        let found = windows.find(|(at, text)| text[0] == needle[0] && *text == needle && fits(*at));
        return Ok(found.map(|(at, _)| at));
    }
    let rarest = rarest(needle);
    let bytes = rarest.map(|at| needle[at]);
    let [one, two] = rarest.map(|at| (&haystack[at..], ONES * u64::from(needle[at])));
    // How many bytes may be compared in vain.
    let mut budget = haystack.len().saturating_mul(8);
    let mut at = 0;
    while at <= last {
        // Usually none is equal.
        while at + 2 * LANES <= last + 1
            && let Some(one) = one.0[at..].first_chunk::<{ 2 * LANES }>()
            && let Some(two) = two.0[at..].first_chunk::<{ 2 * LANES }>()
        {
            let pairs = one.iter().zip(two);
            if pairs.fold(false, |any, (a, b)| any | ((*a == bytes[0]) & (*b == bytes[1]))) {
                break;
            }
            at += 2 * LANES;
        }
        if at > last {
            break;
        }
        // The last ones may overlap those before.
        at = at.min(last + 1 - LANES);
        let differences = [one, two].map(|(text, byte)| {
            text[at..].first_chunk().map_or(u64::MAX, |text| u64::from_le_bytes(*text) ^ byte)
        });
        let differences = differences[0] | differences[1];
        // The upper bit of each lane that is zero, and perhaps of lanes after one.
        let mut equal = differences.wrapping_sub(ONES) & !differences & (ONES << 7);
        while equal != 0 {
            let at = at + equal.trailing_zeros() as usize / 8;
            if occurs(at) {
                return Ok(Some(at));
            }
            budget = budget.checked_sub(needle.len()).ok_or(at)?;
            equal &= equal - 1;
        }
        at += LANES;
    }
    Ok(None)
}

/// The positions of two bytes of a needle that are likely to be rare, among the first and the last
/// four. In a script, the first bytes of most characters are the same.
#[cfg(feature = "alloc")]
fn rarest(needle: &[u8]) -> [usize; 2] {
    let is_rare = |at: &usize| !matches!(needle[*at], 0..=b' ' | b'a' | b'e' | b'i' | b'n' | b'o' | b'r' | b't' | 0xC0..);
    let last = needle.len() - 1;
    let one = (0..=last.min(3)).find(is_rare).unwrap_or(0);
    let mut ends = (last.saturating_sub(3)..=last).rev().filter(|at| *at != one);
    [one, ends.find(is_rare).unwrap_or(if one == last { 0 } else { last })]
}

/// The occurrences of the needle, by code units of `N` bytes. Uses the Knuth–Morris–Pratt
/// algorithm, which takes linear time for any text.
#[cfg(feature = "alloc")]
fn occurrences<const N: usize>(
    haystack: &[u8],
    needle: &[u8],
    fits: impl Fn(usize) -> bool,
) -> Option<usize> {
    let (needle, []) = needle.as_chunks::<N>() else { return None };
    let (units, _) = haystack.as_chunks::<N>();
    // For each prefix of the needle, the length of its longest proper prefix that also ends it.
    let mut borders = vec![0; needle.len()];
    let mut length = 0;
    for at in 1..needle.len() {
        while length > 0 && needle[at] != needle[length] {
            length = borders[length - 1];
        }
        length += usize::from(needle[at] == needle[length]);
        borders[at] = length;
    }
    let mut matched = 0;
    for (at, unit) in units.iter().enumerate() {
        while matched > 0 && *unit != needle[matched] {
            matched = borders[matched - 1];
        }
        matched += usize::from(*unit == needle[matched]);
        if matched == needle.len() {
            let start = (at + 1 - needle.len()) * N;
            if fits(start) {
                return Some(start);
            }
            matched = borders[matched - 1];
        }
    }
    None
}
