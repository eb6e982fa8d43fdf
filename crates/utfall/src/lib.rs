//! Validate, convert and explain text in every Unicode encoding form and scheme.
//!
//! From UTF-8 to UTF-7, SCSU and UTF-EBCDIC, and, with a feature, the legacy charsets of the web.
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
//! - Streams of any length in bounded memory: [`Transcoder`], [`Decoder`], [`Encoder`], and, with
//!   feature `std`, the [`Read`](std::io::Read) and [`Write`](std::io::Write) adapters in [`io`].
//! - One long text on several threads: [`parallel`]. Filters between decoding and encoding:
//!   [`filter`].
//! - IMAP mailbox names, in any spelling: [`imap_name`].
//! - Text hidden by the way it is encoded: [`hidden`].
//! - The meaning of each byte of a text: [`explain`].
//! - Suspicious text, well-formed or not: [`lint`].
//! - Detecting the Hangul of Unicode 1.1 in unlabelled text: [`unicode11`].
//! - Errors report what is wrong, where, and which clause of which specification is violated:
//!   [`Error`]. A [`Policy`] decides how to handle them.
//!
//! # The path of a byte
//!
//! bytes → decoder → block of code points (`u32`) → \[repertoire map\] → encoder → bytes.
//!
//! Between UTF-8, UTF-16, UTF-32 and Latin-1, a kernel of `utfall-simd` converts bytes to bytes
//! directly. The block defines the result; tests check that both paths agree.
//!
//! # Features
//!
//! `std` (default): I/O adapters and run-time selection of kernels. `alloc`: owned results.
//! `legacy`: the WHATWG encodings, through `encoding_rs`. Without any feature, the crate needs only
//! `core`.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod boundaries;
mod codec;
mod compare;
mod counts;
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

pub use boundaries::Boundaries;
pub use compare::compare;
pub use counts::Counts;
pub use encoding::{Encoding, UnknownEncoding};
pub use error::{Error, ErrorKind};
pub use info::{Cut, Family, Info};
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
