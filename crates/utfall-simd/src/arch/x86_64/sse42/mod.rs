//! SSE4.2: 128-bit registers.

use crate::Kernels;

pub(crate) const KERNELS: Kernels = Kernels { name: "sse42", ..crate::arch::scalar::KERNELS };

pub(crate) fn supported() -> bool {
    super::has!("sse4.2", "ssse3", "popcnt")
}
