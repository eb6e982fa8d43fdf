//! AVX2: 256-bit registers.

instruction_set!($ "avx2", "bmi1", "bmi2", "lzcnt", "popcnt");

macro_rules! token {
    () => {
        $crate::arch::x86_64::avx2::Avx2::new()
    };
}

#[allow(unsafe_code, reason = "loads, stores, and methods of traits, which cannot have features")]
mod vector;

pub(crate) use vector::{Avx2, V256};

table!("avx2");
