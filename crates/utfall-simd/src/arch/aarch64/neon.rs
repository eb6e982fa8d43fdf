//! NEON: 128-bit registers.

instruction_set!($ "neon");

macro_rules! token {
    () => {
        $crate::arch::aarch64::neon::Neon::new()
    };
}

#[allow(unsafe_code, reason = "loads, stores, and methods of traits, which cannot have features")]
mod vector;

use vector::Neon;

table!("neon");
