//! Repairs text that was decoded wrongly (mojibake). For each change it gives the chain of wrong
//! decodings that explains the text, and a confidence. Every change can be reversed byte for byte,
//! and text without a convincing explanation stays unchanged.
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
//! - [`repair`]: one call. [`Repairer`]: text of any length, in bounded memory.
//! - [`Change`]: position, bytes before and after, the [`Chain`] of [`Step`]s, the confidence.
//! - [`Chain::apply`] repeats the damage, and reproduces the original bytes.
//!
//! Each line is repaired independently. Repair takes linear time and never fails, whatever the
//! input.
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
