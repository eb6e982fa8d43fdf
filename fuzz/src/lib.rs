//! Code shared by the fuzz targets.

pub mod check;
pub mod cut;
pub mod input;
pub mod room;
pub mod shifted;
pub mod stream;
#[cfg(unix)]
pub mod world;
