//! Text that was decoded wrongly, made whole: which chain of wrong decodings explains it, and how
//! sure that is. Octet for octet reversible; what cannot be justified stays.
//!
//! ```
//! let repaired = utfall_repair::repair("Les Ã©lÃ¨ves dâ€™abord".as_bytes());
//! assert_eq!(repaired.octets, "Les élèves d’abord".as_bytes());
//! assert_eq!(repaired.changes[0].chain.to_string(), "UTF-8 read as windows-1252");
//!
//! // Odd, and right.
//! assert!(utfall_repair::repair("IRMÃ, É© and ©".as_bytes()).changes.is_empty());
//! ```
//!
//! - [`repair`]: one call. [`Repairer`]: a text of any length, in bounded memory.
//! - [`Change`]: where, octets before and after, the [`Chain`] of [`Step`]s, the confidence.
//! - [`Chain::apply`] does the damage again, and gives exactly what was there.
//!
//! A line is looked at by itself. Whatever the octets are, it takes linear time and does not fail.
#![forbid(unsafe_code)]

mod chain;
mod charset;
mod cost;
mod escapes;
mod guard;
mod line;
mod raw;
mod row;
mod search;
mod sequence;
mod stream;

pub use chain::{Chain, Loss, Step};
pub use charset::Charset;
pub use stream::{Change, Options, Piece, Repaired, Repairer, repair, repair_with};
