//! simd128: 128-bit registers.

// The build has them.
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

mod vector;

use vector::Simd128;

table!("simd128");

/// The build has decided, or this module would not be here.
pub(crate) fn supported() -> bool {
    true
}
