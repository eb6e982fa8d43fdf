//! The tests of this crate through its public API, in one binary, since each binary costs a link.

mod boundaries;
mod common;
mod double_encoding;
mod exhaustive;
mod explain;
mod filter;
mod found;
mod hidden;
mod imap_name;
#[cfg(feature = "legacy")]
mod indexes;
mod labels;
mod lint;
mod memos;
mod messages;
mod oracle;
mod pairs;
mod parallel;
mod properties;
mod streams;
mod utf7;
mod vectors;
mod wpt;
