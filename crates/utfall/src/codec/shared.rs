//! Code shared by several formats.

#[cfg(feature = "legacy")]
pub(super) mod by_utf16;
pub(super) mod byte_order;
#[cfg(feature = "cns")]
pub(super) mod cns;
#[cfg(feature = "legacy")]
pub(super) mod double_byte;
#[cfg(feature = "legacy")]
pub(super) mod few;
#[cfg(feature = "legacy")]
pub(super) mod form;
#[cfg(feature = "legacy")]
pub(super) mod index;
#[cfg(feature = "cns")]
pub(super) mod iso_ir_165;
#[cfg(feature = "legacy")]
pub(super) mod jis;
#[cfg(feature = "jisx0213")]
pub(super) mod jis_x_0213;
pub(super) mod kernel;
#[cfg(any(feature = "cns", feature = "jisx0213"))]
pub(super) mod planes;
#[cfg(feature = "glibc")]
pub(super) mod seven_bit;
pub(super) mod shifted_run;
pub(super) mod utf8_form;
