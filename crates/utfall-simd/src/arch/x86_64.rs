//! x86-64: SSE4.2 (128 bits), AVX2 (256 bits), AVX-512 with VBMI2 and GFNI (512 bits).

pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod sse42;
