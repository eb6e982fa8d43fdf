//! From UTF-32.

use crate::arch::scalar::{BIG, LITTLE, Utf32};
use crate::generic::{to_utf8, utf32};

kernels! {
    le_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) = to_utf8::convert::<_, Utf32<LITTLE>>;
    be_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) = to_utf8::convert::<_, Utf32<BIG>>;
    le_to_be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf32::swap::<_, LITTLE>;
    le_to_utf16le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf32::to_utf16::<_, LITTLE, LITTLE>;
    le_to_utf16be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf32::to_utf16::<_, LITTLE, BIG>;
    le_to_latin1(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf32::to_latin1::<_, LITTLE>;
    le_prefix(src: &[u8]) -> usize = utf32::prefix::<_, LITTLE>;
    le_utf8_len(src: &[u8]) -> usize = utf32::utf8_len::<_, LITTLE>;
    le_utf16_len(src: &[u8]) -> usize = utf32::utf16_len::<_, LITTLE>;
    be_to_le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf32::swap::<_, BIG>;
    be_to_utf16le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf32::to_utf16::<_, BIG, LITTLE>;
    be_to_utf16be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf32::to_utf16::<_, BIG, BIG>;
    be_to_latin1(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf32::to_latin1::<_, BIG>;
    be_prefix(src: &[u8]) -> usize = utf32::prefix::<_, BIG>;
    be_utf8_len(src: &[u8]) -> usize = utf32::utf8_len::<_, BIG>;
    be_utf16_len(src: &[u8]) -> usize = utf32::utf16_len::<_, BIG>;
}
