//! One folder per instruction set; each overrides what it does better than the one below.

pub(crate) mod scalar;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;
