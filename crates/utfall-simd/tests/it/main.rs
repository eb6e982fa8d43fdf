//! The tests of this crate through its public API, in one binary, since each binary costs a link.

mod bounds;
mod exhaustive;
mod guard;
mod kernels;
mod mixtures;
mod pairs;
mod single_byte;
mod support;
mod utf7;
