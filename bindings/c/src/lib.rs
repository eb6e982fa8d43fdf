//! The C interface of utfall. `include/utfall.h` is generated from this crate, with these comments.
//!
//! Every function checks its arguments, and answers a panic with [`UTFALL_BUG`] or an empty result.
//! It never unwinds into the caller.
#![deny(unsafe_op_in_unsafe_fn)]
// The names are those of C. What a caller of C must ensure is the same for every function; the header says
// it once at its beginning.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]

mod arguments;
mod convert;
mod encodings;
mod errors;
mod guard;
mod imap;
mod options;
#[cfg(feature = "reports")]
mod reports;
mod stream;
#[cfg(feature = "units")]
mod units;
mod version;

pub use convert::*;
pub use encodings::*;
pub use errors::*;
pub use imap::*;
pub use options::*;
#[cfg(feature = "reports")]
pub use reports::*;
pub use stream::*;
#[cfg(feature = "units")]
pub use units::*;
pub use version::*;
