//! What the fuzz targets share.

pub mod check;
pub mod cut;
pub mod input;
pub mod room;
pub mod shifted;
pub mod stream;
#[cfg(unix)]
pub mod world;
