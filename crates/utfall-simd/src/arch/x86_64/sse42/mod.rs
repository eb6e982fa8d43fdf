//! SSE4.2: 128-bit registers.

macro_rules! featured {
    ($function:item) => {
        #[target_feature(enable = "sse4.2,ssse3,popcnt")]
        $function
    };
}

macro_rules! token {
    () => {
        $crate::arch::x86_64::sse42::Sse42::new()
    };
}

mod vector;

pub(crate) use vector::{Sse42, V128};

table!("sse42");

pub(crate) fn supported() -> bool {
    super::has!("sse4.2", "ssse3", "popcnt")
}
