//! Kernels: the fast, block-wise part of utfall, and the only place where it uses `unsafe`.
//!
//! A kernel reads bytes and writes bytes. It converts a prefix of its input and returns how much
//! it read and wrote; it never reports an error. The caller finds out why it stopped: an
//! ill-formed sequence, a truncated one, or a full output. [`kernels`] has the full contract.
//!
//! There is one [`Kernels`] table per instruction set; [`dispatch`] chooses. To add an instruction
//! set, add one folder under `arch/` and one row to `dispatch.rs`.
//!
//! ```
//! let kernels = utfall_simd::dispatch::active();
//! let mut utf16 = [0; 16];
//! let (read, written) = kernels.utf8_to_utf16le("né".as_bytes(), &mut utf16);
//! assert_eq!((read, &utf16[..written]), (3, &[b'n', 0, 0xE9, 0][..]));
//! ```
#![no_std]
#![cfg_attr(
    not(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        all(target_arch = "wasm32", target_feature = "simd128"),
    )),
    allow(
        dead_code,
        unused_macros,
        reason = "used by the tables of vectors only, of which this target has none"
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod arch;
pub mod dispatch;
mod generic;
pub mod kernels;
mod remarkable;
mod simd;
pub mod text;
pub mod units;
pub mod utf7;

pub use kernels::{Form, Kernels, Lossy};
