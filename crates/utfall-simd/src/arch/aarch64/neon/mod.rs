//! NEON: 128-bit registers.

macro_rules! featured {
    ($function:item) => {
        #[target_feature(enable = "neon")]
        $function
    };
}

macro_rules! token {
    () => {
        $crate::arch::aarch64::neon::Neon::new()
    };
}

mod vector;

use vector::Neon;

table!("neon");

/// The build decides: without the feature, this module is left out.
pub(crate) fn supported() -> bool {
    true
}
