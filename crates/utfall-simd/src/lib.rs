//! SIMD kernels: the fast, block-wise part of utfall, and the only part with `unsafe` code.
//!
//! Most programs want the crate `utfall` instead, which uses these kernels and reports errors.
//!
//! ```
//! let kernels = utfall_simd::dispatch::active();
//! let mut utf16 = [0; 16];
//! let (read, written) = kernels.utf8_to_utf16le("né".as_bytes(), &mut utf16);
//! assert_eq!((read, &utf16[..written]), (3, &[b'n', 0, 0xE9, 0][..]));
//! ```
//!
//! - The best kernels for this processor: [`dispatch::active`]; all that run on it:
//!   [`dispatch::available`].
//! - Length of the valid part of a text: [`Kernels::prefix`].
//! - Conversion of bytes into a buffer: the other methods of [`Kernels`].
//! - Conversion to owned strings and vectors: [`text`].
//! - UTF-16 and UTF-32 code units as bytes: [`units`].
//! - State of UTF-7 between two calls: [`utf7`].
//! - Tables of single-byte charsets: [`single_byte`].
//!
//! A kernel reads bytes and writes bytes. It converts a prefix of its input and returns how much it
//! read and wrote; it never reports an error. The caller finds out why it stopped: at an ill-formed
//! sequence, an incomplete one, or a full output. [`kernels`] has the full contract.
//!
//! One [`Kernels`] table exists per instruction set; [`dispatch`] chooses. Adding an instruction set
//! takes one folder under `arch/` and one row in `dispatch.rs`.
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        all(target_arch = "wasm32", target_feature = "simd128"),
    )),
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        reason = "used by the tables of vectors only, of which this target has none"
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod arch;
mod by_table;
pub mod dispatch;
mod generic;
pub mod kernels;
pub mod pairs;
mod remarkable;
mod simd;
pub mod single_byte;
#[allow(unsafe_code, reason = "strings without a second validation")]
pub mod text;
#[allow(unsafe_code, reason = "code units as bytes")]
pub mod units;
pub mod utf7;

pub use kernels::{Kernels, Layout, Lossy};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
