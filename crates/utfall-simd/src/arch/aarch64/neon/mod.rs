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

/// The build has decided, or this module would not be here.
pub(crate) fn supported() -> bool {
    true
}
