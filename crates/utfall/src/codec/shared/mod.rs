//! What two formats share.

pub(super) mod kernel;
pub(super) mod utf8_form;
