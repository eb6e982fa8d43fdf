//! The tests of this crate through its public API, in one binary, since each binary costs a link.

mod cases;
mod detect;
mod east;
mod found;
mod page;
