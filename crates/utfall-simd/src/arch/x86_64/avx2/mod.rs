//! AVX2: 256-bit registers.

macro_rules! featured {
    ($function:item) => {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        $function
    };
}

macro_rules! token {
    () => {
        $crate::arch::x86_64::avx2::Avx2::new()
    };
}

mod vector;

pub(crate) use vector::{Avx2, V256};

table!("avx2");

pub(crate) fn supported() -> bool {
    super::has!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt")
}
