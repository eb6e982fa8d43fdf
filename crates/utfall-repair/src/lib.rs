//! Fix mojibake: text that was decoded with the wrong encoding, once or several times.
//!
//! ```
//! let repaired = utfall_repair::repair("Les Ã©lÃ¨ves dâ€™abord".as_bytes());
//! assert_eq!(repaired.bytes, "Les élèves d’abord".as_bytes());
//! assert_eq!(repaired.changes[0].chain.to_string(), "UTF-8 read as windows-1252");
//!
//! // Unusual text that is right stays as it is.
//! assert!(utfall_repair::repair("IRMÃ, É© and ©".as_bytes()).changes.is_empty());
//! ```
//!
//! - A text in memory: [`repair`]; with a minimum confidence, or in escapes of JSON, HTML or
//!   URLs: [`repair_with`].
//! - A text of any length, in bounded memory: [`Repairer`].
//! - Report of a change: [`Change`] has its place, the bytes before and after, the confidence, and
//!   the [`Chain`] of wrong decodings that explains it.
//! - Text that seems to show misread text on purpose stays: [`Skipped`] says where and why, and
//!   [`Options::force`] repairs it.
//! - The way back: [`Chain::apply`] repeats the damage and gives exactly the original bytes.
//!
//! Each line is repaired alone. Text whose change cannot be justified stays as it is. Repair takes
//! linear time and does not fail, whatever the bytes are.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod chain;
mod charset;
mod context;
mod controls;
mod cost;
mod escapes;
mod guard;
mod halved;
mod line;
mod raw;
mod row;
mod search;
mod sequence;
mod spelling;
mod stream;
mod table;
mod uniform;
mod unite;
mod whole;

pub use chain::{Chain, Loss, Step};
pub use charset::Charset;
pub use escapes::Entities;
pub use guard::Reason;
pub use stream::{Change, Options, Piece, Repaired, Repairer, Skipped, repair, repair_with};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
