//! x86-64: SSE4.2 (128 bits), AVX2 (256 bits), AVX-512 with VBMI2 and GFNI (512 bits).

pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod sse42;

/// Whether this processor has all of these features: detected at run time with `std`, decided by
/// the build target without.
macro_rules! has {
    ($($feature:tt),*) => {{
        #[cfg(feature = "std")]
        {
            true $( && std::is_x86_feature_detected!($feature) )*
        }
        #[cfg(not(feature = "std"))]
        {
            true $( && cfg!(target_feature = $feature) )*
        }
    }};
}
use has;
