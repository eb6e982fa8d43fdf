//! SSE4.2: 128-bit registers.

macro_rules! featured {
    ($function:item) => {
        #[target_feature(enable = "sse4.2,ssse3,popcnt")]
        $function
    };
}

macro_rules! token {
    () => {
        $crate::arch::x86_64::sse42::Sse42::new()
    };
}

mod ascii;
mod latin1;
mod utf16;
mod utf32;
mod utf8;
mod vector;

use crate::Kernels;
pub(crate) use vector::{Sse42, V128};

pub(crate) const KERNELS: Kernels = Kernels {
    name: "sse42",
    ascii_prefix: ascii::prefix,
    utf8_count: utf8::count,
    utf16_len_from_utf8: utf8::utf16_len,
    utf8_latin1_prefix: utf8::latin1_prefix,
    utf8_to_latin1: utf8::to_latin1,
    utf8_prefix: utf8::prefix,
    utf8_count_lossy: utf8::count_lossy,
    utf16_len_from_utf8_lossy: utf8::utf16_len_lossy,
    utf8_to_utf8_lossy: utf8::repair,
    utf8_to_utf16le_lossy: utf8::to_utf16le_lossy,
    utf8_to_utf16be_lossy: utf8::to_utf16be_lossy,
    utf8_to_utf32le_lossy: utf8::to_utf32le_lossy,
    utf8_to_utf32be_lossy: utf8::to_utf32be_lossy,
    utf8_to_utf16le: utf8::to_utf16le,
    utf8_to_utf16be: utf8::to_utf16be,
    utf8_to_utf32le: utf8::to_utf32le,
    utf8_to_utf32be: utf8::to_utf32be,
    utf16le_to_utf8: utf16::le_to_utf8,
    utf16le_to_utf8_lossy: utf16::le_to_utf8_lossy,
    utf16le_to_utf16le_lossy: utf16::le_to_le_lossy,
    utf16be_to_utf16be_lossy: utf16::be_to_be_lossy,
    utf16le_to_utf16be: utf16::le_to_be,
    utf16le_to_utf32le: utf16::le_to_utf32le,
    utf16le_to_utf32be: utf16::le_to_utf32be,
    utf16le_to_latin1: utf16::le_to_latin1,
    utf16le_latin1_prefix: utf16::le_latin1_prefix,
    utf16le_prefix: utf16::le_prefix,
    utf16le_count: utf16::le_count,
    utf8_len_from_utf16le: utf16::le_utf8_len,
    utf16be_to_utf8: utf16::be_to_utf8,
    utf16be_to_utf8_lossy: utf16::be_to_utf8_lossy,
    utf16be_to_utf16le: utf16::be_to_le,
    utf16be_to_utf32le: utf16::be_to_utf32le,
    utf16be_to_utf32be: utf16::be_to_utf32be,
    utf16be_to_latin1: utf16::be_to_latin1,
    utf16be_latin1_prefix: utf16::be_latin1_prefix,
    utf16be_prefix: utf16::be_prefix,
    utf16be_count: utf16::be_count,
    utf8_len_from_utf16be: utf16::be_utf8_len,
    utf32le_to_utf8: utf32::le_to_utf8,
    utf32be_to_utf8: utf32::be_to_utf8,
    latin1_to_utf8: latin1::to_utf8,
    utf32le_to_utf32be: utf32::le_to_be,
    utf32le_to_utf16le: utf32::le_to_utf16le,
    utf32le_to_utf16be: utf32::le_to_utf16be,
    utf32le_to_latin1: utf32::le_to_latin1,
    utf32le_prefix: utf32::le_prefix,
    utf8_len_from_utf32le: utf32::le_utf8_len,
    utf16_len_from_utf32le: utf32::le_utf16_len,
    utf32be_to_utf32le: utf32::be_to_le,
    utf32be_to_utf16le: utf32::be_to_utf16le,
    utf32be_to_utf16be: utf32::be_to_utf16be,
    utf32be_to_latin1: utf32::be_to_latin1,
    utf32be_prefix: utf32::be_prefix,
    utf8_len_from_utf32be: utf32::be_utf8_len,
    utf16_len_from_utf32be: utf32::be_utf16_len,
    latin1_to_utf16le: latin1::to_utf16le,
    latin1_to_utf32le: latin1::to_utf32le,
    latin1_to_utf16be: latin1::to_utf16be,
    latin1_to_utf32be: latin1::to_utf32be,
    utf8_len_from_latin1: latin1::utf8_len,
};

pub(crate) fn supported() -> bool {
    super::has!("sse4.2", "ssse3", "popcnt")
}
