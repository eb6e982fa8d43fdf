//! Code shared by several formats.

pub(super) mod byte_order;
pub(super) mod kernel;
pub(super) mod shifted_run;
pub(super) mod utf8_form;
