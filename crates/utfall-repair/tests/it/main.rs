//! The tests of this crate through its public API, in one binary, since each binary costs a link.

mod common;
mod corpora;
mod forms;
mod halved;
mod negative;
mod seen;
mod tables;
