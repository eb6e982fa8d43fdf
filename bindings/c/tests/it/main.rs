//! The tests of the C interface. `cargo xtask bindings c` runs C programs with the installed library.

mod calls;
mod cases;
mod header;
mod vectors;
