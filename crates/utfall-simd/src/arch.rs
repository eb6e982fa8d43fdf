//! One folder per instruction set; each overrides what it does better than the one below.

pub(crate) mod scalar;
