//! From UTF-16.

use crate::arch::scalar::{BIG, LITTLE, Utf16};
use crate::generic::{to_utf8, utf16};
use crate::kernels::Lossy;

kernels! {
    le_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) = to_utf8::convert::<_, Utf16<LITTLE>>;
    le_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Lossy = to_utf8::lossy::<_, LITTLE>;
    le_to_be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::swap::<_, LITTLE>;
    le_to_utf32le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::to_utf32::<_, LITTLE, LITTLE>;
    le_to_utf32be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::to_utf32::<_, LITTLE, BIG>;
    le_to_latin1(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::to_latin1::<_, LITTLE>;
    le_latin1_prefix(src: &[u8]) -> usize = utf16::latin1_prefix::<_, LITTLE>;
    le_prefix(src: &[u8]) -> usize = utf16::prefix::<_, LITTLE>;
    le_count(src: &[u8]) -> usize = utf16::count::<_, LITTLE>;
    le_utf8_len(src: &[u8]) -> usize = utf16::utf8_len::<_, LITTLE>;
    be_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) = to_utf8::convert::<_, Utf16<BIG>>;
    be_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Lossy = to_utf8::lossy::<_, BIG>;
    be_to_le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::swap::<_, BIG>;
    be_to_utf32le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::to_utf32::<_, BIG, LITTLE>;
    be_to_utf32be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::to_utf32::<_, BIG, BIG>;
    be_to_latin1(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::to_latin1::<_, BIG>;
    be_latin1_prefix(src: &[u8]) -> usize = utf16::latin1_prefix::<_, BIG>;
    be_prefix(src: &[u8]) -> usize = utf16::prefix::<_, BIG>;
    be_count(src: &[u8]) -> usize = utf16::count::<_, BIG>;
    be_utf8_len(src: &[u8]) -> usize = utf16::utf8_len::<_, BIG>;
}
