//! Comparison of texts in any encoding.

use core::cmp::Ordering;

use utfall_simd::{dispatch, text};

use crate::{Decoder, Encoding, Error, Options, Status};

/// The number of code points compared at once.
const BLOCK: usize = 256;

/// Compares two texts by their code points, whatever encodings they are in.
///
/// This is the order of the bytes of UTF-8 and UTF-32BE (RFC 3629 §1). The bytes and the code units
/// of UTF-16 have another order: there, characters above U+FFFF come before U+E000.
///
/// # Errors
/// The first ill-formed sequence of either text that is found before they differ.
///
/// ```
/// use std::cmp::Ordering;
/// use utfall::{Encoding, compare};
/// let (low, high) = ("\u{FF5E}", "\u{1F600}");
/// let utf16 = |text| Encoding::Utf16Be.encode(text).unwrap();
/// assert_eq!(utf16(low).cmp(&utf16(high)), Ordering::Greater);
/// let order = compare(Encoding::Utf16Be, &utf16(low), Encoding::Utf8, high.as_bytes())?;
/// assert_eq!(order, Ordering::Less);
/// # Ok::<(), utfall::Error>(())
/// ```
pub fn compare(
    left: Encoding,
    left_bytes: &[u8],
    right: Encoding,
    right_bytes: &[u8],
) -> Result<Ordering, Error> {
    if left == Encoding::Utf8 && right == Encoding::Utf8 {
        return by_bytes(left_bytes, right_bytes);
    }
    by_points(left, left_bytes, right, right_bytes)
}

/// The same for UTF-8, whose order by bytes is that by code points as far as it is valid.
fn by_bytes(left_bytes: &[u8], right_bytes: &[u8]) -> Result<Ordering, Error> {
    let left_valid = text::utf8_prefix(dispatch::active, left_bytes);
    let right_valid = text::utf8_prefix(dispatch::active, right_bytes);
    let length = left_valid.min(right_valid);
    let order = left_bytes[..length].cmp(&right_bytes[..length]);
    if order == Ordering::Equal {
        // Both are equal so far. One that ends here is the lesser; one with an error is reported.
        for (bytes, valid) in [(left_bytes, left_valid), (right_bytes, right_valid)] {
            if valid == length && valid < bytes.len() {
                Encoding::Utf8.find_error(bytes, valid)?;
            }
        }
    }
    Ok(order.then(left_valid.cmp(&right_valid)))
}

/// The same by code points.
#[inline(never)]
fn by_points(
    left: Encoding,
    left_bytes: &[u8],
    right: Encoding,
    right_bytes: &[u8],
) -> Result<Ordering, Error> {
    let mut left = Side::new(left, left_bytes);
    let mut right = Side::new(right, right_bytes);
    loop {
        let (one, other) = (left.points()?, right.points()?);
        let length = one.len().min(other.len());
        match one[..length].cmp(&other[..length]) {
            // One of them is at its end.
            Ordering::Equal if length == 0 => return Ok(one.len().cmp(&other.len())),
            Ordering::Equal => {
                left.at += length;
                right.at += length;
            }
            order => return Ok(order),
        }
    }
}

/// One of the texts.
struct Side<'a> {
    decoder: Decoder<'static>,
    /// The bytes not decoded yet.
    bytes: &'a [u8],
    block: [u32; BLOCK],
    /// The part of the block that has been compared, and the part that has been decoded.
    at: usize,
    end: usize,
    error: Option<Error>,
    is_over: bool,
}

impl<'a> Side<'a> {
    fn new(encoding: Encoding, bytes: &'a [u8]) -> Self {
        let decoder = Decoder::new(encoding, Options::default());
        Self { decoder, bytes, block: [0; BLOCK], at: 0, end: 0, error: None, is_over: false }
    }

    /// The next code points; empty at the end.
    fn points(&mut self) -> Result<&[u32], Error> {
        while self.at == self.end && !self.is_over {
            if let Some(error) = self.error {
                return Err(error);
            }
            let progress = self.decoder.decode_to_code_points(self.bytes, &mut self.block, true);
            self.bytes = &self.bytes[progress.read..];
            (self.at, self.end) = (0, progress.written);
            match progress.status {
                Status::InputEmpty => self.is_over = true,
                Status::OutputFull => {}
                Status::Error(error) => self.error = Some(error),
            }
        }
        Ok(&self.block[self.at..self.end])
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    extern crate std;

    use std::vec;
    use std::vec::Vec;

    use super::*;

    /// Ill-formed and incomplete texts, too.
    #[test]
    fn bytes_are_compared_as_code_points_are() {
        let mut texts = vec![Vec::new()];
        for length in 0..4 {
            let shorter: Vec<Vec<u8>> =
                texts.iter().filter(|text| text.len() == length).cloned().collect();
            for text in shorter {
                texts.extend([0x61, 0xA9, 0xC3, 0xFF].map(|byte| [&text[..], &[byte]].concat()));
            }
        }
        for left in &texts {
            for right in &texts {
                let by_points = by_points(Encoding::Utf8, left, Encoding::Utf8, right);
                assert_eq!(by_bytes(left, right), by_points, "{left:X?} {right:X?}");
            }
        }
    }
}
