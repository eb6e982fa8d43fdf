//! Chooses the table of kernels.
//!
//! The list is ordered best first. [`active`] is the first table that this processor can run, or
//! the one named by the environment variable `UTFALL_ISA`. It is determined once per process.
//! Without the feature `std`, the build target decides.

use crate::{Kernels, arch};

/// Every table of this build, best first: a function that returns it if this processor can run it.
/// The scalar table is last and always works.
static TABLES: &[fn() -> Option<&'static Kernels>] = &[
    #[cfg(target_arch = "x86_64")]
    arch::x86_64::avx512::kernels,
    #[cfg(target_arch = "x86_64")]
    arch::x86_64::avx2::kernels,
    #[cfg(target_arch = "x86_64")]
    arch::x86_64::sse42::kernels,
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    arch::aarch64::neon::kernels,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    arch::wasm32::simd128::kernels,
    // new instruction sets go above this line
    || Some(scalar()),
];

/// The tables this processor can run, best first. Tests go through all of them.
///
/// ```
/// assert_eq!(utfall_simd::dispatch::available().last().unwrap().name(), "scalar");
/// ```
pub fn available() -> impl Iterator<Item = &'static Kernels> {
    TABLES.iter().filter_map(|table| table())
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
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
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
    // There are no environment variables, and a module without other tables is smaller.
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    {
        #[cfg(target_feature = "simd128")]
        let found = arch::wasm32::simd128::kernels().unwrap_or(scalar());
        #[cfg(not(target_feature = "simd128"))]
        let found = scalar();
        found
    }
    #[cfg(all(feature = "std", not(all(target_arch = "wasm32", target_os = "unknown"))))]
    {
        static ACTIVE: std::sync::OnceLock<&'static Kernels> = std::sync::OnceLock::new();
        ACTIVE.get_or_init(|| forced().ok().flatten().unwrap_or_else(best))
    }
    #[cfg(all(not(feature = "std"), not(all(target_arch = "wasm32", target_os = "unknown"))))]
    {
        best()
    }
}

impl Kernels {
    /// The only table of a module of `bindings/js`. The compiler then knows every call, and
    /// leaves out other kernels.
    #[inline(always)]
    pub(crate) fn own(&self) -> &Self {
        if cfg!(utfall_js) { active() } else { self }
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
