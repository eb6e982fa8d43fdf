//! WebAssembly: simd128 (128 bits). It is part of builds with this feature only, since a module
//! with an instruction that the machine lacks does not load.

pub(crate) mod simd128;
