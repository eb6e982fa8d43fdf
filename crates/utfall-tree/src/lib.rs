//! Text files in trees of directories.
//!
//! - [`walk`](mod@walk): the files that arguments stand for.
//! - [`Replacement`]: a file that takes the place of another, whole or not at all.
//! - [`back_up`]: the old text under another name.
//! - [`same_file`]: whether two names are one file.
//! - [`is_binary`]: whether a file looks as if it were no text.
#![forbid(unsafe_code)]

mod backup;
mod binary;
mod replace;
pub mod same_file;
pub mod walk;

pub use backup::back_up;
pub use binary::{LOOKED_AT, is_binary};
pub use replace::{Keep, Replacement, behind_links, remove_left_behind};
pub use walk::{Found, Trouble, Walk, WalkOptions, walk};
