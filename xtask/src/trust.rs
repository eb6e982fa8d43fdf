//! The evidence that utfall can be trusted; `docs/trust.md` has the results.

pub(crate) mod api;
pub(crate) mod conformance;
pub(crate) mod coverage;
pub(crate) mod deny;
#[cfg(test)]
mod dependencies;
pub(crate) mod exhaustive;
pub(crate) mod fuzz;
pub(crate) mod limits;
pub(crate) mod mbox;
pub(crate) mod miri;
pub(crate) mod mutants;
pub(crate) mod newcomer;
pub(crate) mod platforms;
pub(crate) mod sanitizer;
pub(crate) mod tree;
pub(crate) mod windows;
