//! The tests of this crate through its public API, in one binary, since each binary costs a link.

mod bounded;
mod found;
