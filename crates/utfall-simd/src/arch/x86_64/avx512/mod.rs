//! AVX-512 with VBMI2 and GFNI: 512-bit registers, masks, compression.
//!
//! Everything here works by position. A block is 64 octets wherever it begins; for each of
//! its positions the octets before it are at hand too, by loads that overlap the previous
//! block, so each position knows by itself what ends there. What ends nowhere is compressed
//! away. So blocks have a fixed stride, and no block waits for another but to know where its
//! output goes.

mod memory;
mod utf8;

use crate::Kernels;

pub(crate) const KERNELS: Kernels = Kernels {
    name: "avx512",
    utf8_to_utf16le: utf8::to_utf16::<true>,
    utf8_to_utf16be: utf8::to_utf16::<false>,
    utf8_to_utf32le: utf8::to_utf32::<true>,
    utf8_to_utf32be: utf8::to_utf32::<false>,
    utf8_prefix: utf8::prefix,
    ..super::avx2::KERNELS
};

pub(crate) fn supported() -> bool {
    super::has!(
        "avx512f",
        "avx512bw",
        "avx512cd",
        "avx512dq",
        "avx512vl",
        "avx512vbmi",
        "avx512vbmi2",
        "gfni",
        "bmi1",
        "bmi2",
        "lzcnt",
        "popcnt"
    )
}
