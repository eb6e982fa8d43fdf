//! AArch64: NEON (128 bits), which every build has except those for software floating point.

pub(crate) mod neon;
