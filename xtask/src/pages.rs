//! Pages of `docs` that are generated.

pub(crate) mod costs;
pub(crate) mod detect_table;
pub(crate) mod iconv;
pub(crate) mod repair_table;
pub(crate) mod sessions;
