//! Text in every Unicode transformation format: validated, converted, explained.
//!
//! ```
//! use utfall::Encoding;
//! // The example of RFC 2152: "A", NOT IDENTICAL TO, ALPHA, ".".
//! assert_eq!(Encoding::Utf7.decode(b"A+ImIDkQ.")?, "A\u{2262}\u{391}.");
//! assert_eq!(&*Encoding::Utf7.encode("Hi Mom \u{263A}!")?, b"Hi Mom +Jjo!");
//! # Ok::<(), utfall::Error>(())
//! ```
//!
//! - One call: the methods of [`Encoding`] and [`transcode`].
//! - Streams of any length in bounded memory: [`Transcoder`], [`Decoder`], [`Encoder`], and
//!   with feature `std` the [`Read`](std::io::Read) and [`Write`](std::io::Write) adapters
//!   in [`io`].
//! - One long text on several threads: [`parallel`]; text changed on its way: [`filter`].
//! - IMAP mailbox names in any spelling: [`imap_name`].
//! - Text that is hidden by how it is encoded: [`hidden`].
//! - What each octet of a text is: [`explain`].
//! - What is suspicious in text, well-formed or not: [`lint`].
//! - Whether unlabelled text has the Hangul of Unicode 1.1: [`unicode11`].
//! - Errors say what is wrong, where, and which clause of which specification says so:
//!   [`Error`]. What to do about them is a [`Policy`].
//!
//! # The path of an octet
//!
//! octets → decoder → block of code points (`u32`) → \[repertoire map\] → encoder → octets.
//! Between UTF-8, UTF-16, UTF-32 and Latin-1 a kernel of `utfall-simd` goes straight from
//! octets to octets; the block defines the answer, and tests hold both ways to it.
//!
//! # Features
//!
//! `std` (default): I/O adapters, run-time choice of kernels. `alloc`: owned results.
//! `legacy`: the WHATWG encodings through `encoding_rs`. Without any, the crate needs only
//! `core`.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod codec;
mod encoding;
mod error;
pub mod explain;
#[cfg(feature = "alloc")]
pub mod hidden;
#[cfg(feature = "alloc")]
pub mod imap_name;
mod info;
mod leniences;
pub mod lines;
#[cfg(feature = "alloc")]
pub mod lint;
mod oneshot;
mod options;
mod pivot;
mod progress;
mod repertoire;
mod shortcut;
mod stream;
pub mod unicode11;

pub use encoding::Encoding;
pub use error::{Error, ErrorKind};
pub use info::{Cut, Info};
pub use leniences::Utf7Leniences;
pub use oneshot::{BufferError, transcode_into, transcoded_len};
#[cfg(feature = "alloc")]
pub use oneshot::{Lossy, transcode};
pub use options::{
    Action, Bom, Escape, Granularity, Options, Policy, Substitute, Transliterate, Utf7Options,
};
pub use progress::{Progress, Status};
pub use repertoire::Repertoire;
pub use stream::{Decoder, Encoder, Transcoder};
#[cfg(feature = "std")]
pub use stream::{filter, io, parallel};
