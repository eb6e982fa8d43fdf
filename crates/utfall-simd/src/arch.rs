//! One folder per instruction set. Each overrides the kernels it can improve on.

/// Declares an instruction set by the features it needs, which are listed nowhere else:
/// `featured!` gives them to functions, and `kernels` returns the `table` of such functions if
/// the processor has them. The first argument is `$`, which a macro cannot write.
///
/// A file of such functions has them in `featured!( … );`, with parentheses: rustfmt does not
/// format braces.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! instruction_set {
    ($d:tt $($feature:tt),+) => {
        macro_rules! featured {
            ($d($d function:item)+) => { $d(
                #[target_feature($(enable = $feature),+)]
                $d function
            )+ };
        }

        /// The table, if this processor has the features.
        #[allow(unsafe_code, reason = "only here it is known what the processor has")]
        pub(crate) fn kernels() -> Option<&'static $crate::Kernels> {
            if has!($($feature),+) {
                // SAFETY: `has` found every feature that `featured` gives to `table`.
                Some(unsafe { table() })
            } else {
                None
            }
        }
    };
}

/// Whether the processor has all of these features: detected at run time on x86-64 with `std`,
/// decided by the build target otherwise.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! has {
    ($($feature:tt),+) => {{
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        {
            true $( && std::is_x86_feature_detected!($feature) )+
        }
        #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
        {
            true $( && cfg!(target_feature = $feature) )+
        }
    }};
}

#[macro_use]
mod table;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[macro_use]
mod vector;

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(crate) mod aarch64;
pub(crate) mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod wasm32;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;
