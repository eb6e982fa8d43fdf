//! The tests of this crate through its public API, in one binary, since each binary costs a link.

mod cost;
mod costs_page;
mod found;
mod hidden;
mod layers;
mod mbox;
mod rewrite;
mod structure;
mod twice;
mod vectors;
