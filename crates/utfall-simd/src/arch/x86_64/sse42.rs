//! SSE4.2: 128-bit registers.

instruction_set!($ "sse4.2", "ssse3", "popcnt");

macro_rules! token {
    () => {
        $crate::arch::x86_64::sse42::Sse42::new()
    };
}

#[allow(unsafe_code, reason = "loads, stores, and methods of traits, which cannot have features")]
mod vector;

pub(crate) use vector::{Sse42, V128};

table!("sse42");
