//! Facts about mail that several subcommands need.

pub(crate) use utfall_bind::explain::mail::{FROM, LONGEST};
