//! From UTF-16.

use crate::arch::scalar::{BIG, LITTLE};
use crate::generic::utf16;
use crate::kernels::Lossy;

kernels! {
    le_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::to_utf8::<_, LITTLE>;
    be_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::to_utf8::<_, BIG>;
    le_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Lossy = utf16::to_utf8_lossy::<_, LITTLE>;
    be_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Lossy = utf16::to_utf8_lossy::<_, BIG>;
}
