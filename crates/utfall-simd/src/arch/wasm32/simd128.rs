//! simd128: 128-bit registers.

// The build has the features, so no attribute is needed.
macro_rules! featured {
    ($function:item) => {
        $function
    };
}

macro_rules! token {
    () => {
        $crate::arch::wasm32::simd128::Simd128::new()
    };
}

#[allow(unsafe_code, reason = "loads and stores")]
mod vector;

use vector::Simd128;

table!("simd128");

/// The build decides: without the feature, this module is left out.
pub(crate) fn kernels() -> Option<&'static crate::Kernels> {
    Some(table())
}
