//! Chooses the table of kernels.
//!
//! The list is ordered best first. [`active`] is the first table that this processor can run, or
//! the one named by the environment variable `UTFALL_ISA`. It is determined once per process.
//! Without the feature `std`, the build target decides.

use crate::{Kernels, arch};

/// One row: a table and whether this processor can run it.
struct Candidate {
    kernels: &'static Kernels,
    supported: fn() -> bool,
}

/// Every table of this build, best first. The scalar table is last and always works.
static CANDIDATES: &[Candidate] = &[
    #[cfg(target_arch = "x86_64")]
    Candidate {
        kernels: &arch::x86_64::avx512::KERNELS,
        supported: arch::x86_64::avx512::supported,
    },
    #[cfg(target_arch = "x86_64")]
    Candidate { kernels: &arch::x86_64::avx2::KERNELS, supported: arch::x86_64::avx2::supported },
    #[cfg(target_arch = "x86_64")]
    Candidate { kernels: &arch::x86_64::sse42::KERNELS, supported: arch::x86_64::sse42::supported },
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Candidate { kernels: &arch::aarch64::neon::KERNELS, supported: arch::aarch64::neon::supported },
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Candidate {
        kernels: &arch::wasm32::simd128::KERNELS,
        supported: arch::wasm32::simd128::supported,
    },
    // new instruction sets go above this line
    Candidate { kernels: &arch::scalar::KERNELS, supported: || true },
];

/// The tables this processor can run, best first. Tests go through all of them.
///
/// ```
/// assert_eq!(utfall_simd::dispatch::available().last().unwrap().name(), "scalar");
/// ```
pub fn available() -> impl Iterator<Item = &'static Kernels> {
    CANDIDATES.iter().filter(|c| (c.supported)()).map(|c| c.kernels)
}

/// The table with this name, if this processor can run it.
///
/// ```
/// use utfall_simd::dispatch;
/// assert!(dispatch::by_name("scalar").is_some());
/// assert!(dispatch::by_name("abacus").is_none());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Kernels> {
    available().find(|kernels| kernels.name() == name)
}

/// The table that needs no special instructions.
#[must_use]
pub fn scalar() -> &'static Kernels {
    &arch::scalar::KERNELS
}

/// The best table this processor can run.
fn best() -> &'static Kernels {
    available().next().unwrap_or(scalar())
}

/// The table this process uses: the one named by `UTFALL_ISA` if it can run here, otherwise the
/// best.
///
/// ```
/// println!("{}", utfall_simd::dispatch::active().name());
/// ```
#[must_use]
pub fn active() -> &'static Kernels {
    #[cfg(feature = "std")]
    {
        static ACTIVE: std::sync::OnceLock<&'static Kernels> = std::sync::OnceLock::new();
        ACTIVE.get_or_init(|| forced().ok().flatten().unwrap_or_else(best))
    }
    #[cfg(not(feature = "std"))]
    {
        best()
    }
}

/// The table that `UTFALL_ISA` names, or `Ok(None)` if the variable is not set.
///
/// A library falls back to the best table when the name is wrong. A program that wants to report a
/// wrong name calls this first.
///
/// # Errors
/// The value, if no table of that name can run here.
#[cfg(feature = "std")]
pub fn forced() -> Result<Option<&'static Kernels>, std::ffi::OsString> {
    match std::env::var_os("UTFALL_ISA") {
        None => Ok(None),
        Some(name) => match name.to_str().and_then(by_name) {
            Some(kernels) => Ok(Some(kernels)),
            None => Err(name),
        },
    }
}
