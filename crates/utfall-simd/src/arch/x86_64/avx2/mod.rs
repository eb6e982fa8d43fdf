//! AVX2: 256-bit registers.

use crate::Kernels;

pub(crate) const KERNELS: Kernels = Kernels { name: "avx2", ..super::sse42::KERNELS };

pub(crate) fn supported() -> bool {
    super::has!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt")
}
