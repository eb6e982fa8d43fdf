//! AVX-512 with VBMI2 and GFNI: 512-bit registers, masks, compression.

use crate::Kernels;

pub(crate) const KERNELS: Kernels = Kernels { name: "avx512", ..super::avx2::KERNELS };

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
