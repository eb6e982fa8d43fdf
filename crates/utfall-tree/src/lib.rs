//! Text files in trees of directories.
//!
//! - [`walk`](mod@walk): the files that arguments stand for.
//! - [`is_binary`]: whether a file looks as if it were no text.
#![forbid(unsafe_code)]

mod binary;
pub mod walk;

pub use binary::{LOOKED_AT, is_binary};
pub use walk::{Found, Trouble, Walk, WalkOptions, walk};
