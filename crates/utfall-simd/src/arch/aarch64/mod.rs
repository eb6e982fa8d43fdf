//! AArch64: NEON (128 bits), which every build has that is not for software floating point.

pub(crate) mod neon;
