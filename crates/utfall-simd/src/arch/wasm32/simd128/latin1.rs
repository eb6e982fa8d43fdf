//! From Latin-1.

use crate::arch::scalar::{BIG, LITTLE, Latin1};
use crate::generic::{latin1, to_utf8};

kernels! {
    to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) = to_utf8::convert::<_, Latin1>;
    to_utf16le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = latin1::to_utf16::<_, LITTLE>;
    to_utf32le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = latin1::to_utf32::<_, LITTLE>;
    to_utf16be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = latin1::to_utf16::<_, BIG>;
    to_utf32be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = latin1::to_utf32::<_, BIG>;
    utf8_len(src: &[u8]) -> usize = latin1::utf8_len;
}
