//! WebAssembly: simd128 (128 bits), in builds with this feature, since a module with an
//! instruction that the machine lacks does not load.

pub(crate) mod simd128;
