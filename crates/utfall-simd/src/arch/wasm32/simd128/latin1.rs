//! From Latin-1.

use crate::arch::scalar::{BIG, LITTLE};
use crate::generic::latin1;

kernels! {
    to_utf16le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = latin1::to_utf16::<_, LITTLE>;
    to_utf32le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = latin1::to_utf32::<_, LITTLE>;
    to_utf16be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = latin1::to_utf16::<_, BIG>;
    to_utf32be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = latin1::to_utf32::<_, BIG>;
    utf8_len(src: &[u8]) -> usize = latin1::utf8_len;
}
