//! Validate, convert and explain text in any Unicode encoding, from UTF-8 to UTF-7, SCSU and
//! UTF-EBCDIC, and, with the feature `legacy`, in the legacy charsets of the web.
//!
//! ```
//! use utfall::Encoding;
//! // The example of RFC 2152: "A", NOT IDENTICAL TO, ALPHA, ".".
//! assert_eq!(Encoding::Utf7.decode(b"A+ImIDkQ.")?, "A\u{2262}\u{391}.");
//! assert_eq!(&*Encoding::Utf7.encode("Hi Mom \u{263A}!")?, b"Hi Mom +Jjo!");
//! # Ok::<(), utfall::Error>(())
//! ```
//!
//! # Which function do I want?
//!
//! Text that is in memory:
//!
//! | Task | Function |
//! |---|---|
//! | Validate bytes | [`Encoding::validate`] |
//! | Decode to a [`str`] | [`Encoding::decode`]; with a [`Policy`] for errors: [`Encoding::decode_with`] |
//! | Decode to UTF-16 code units | [`Encoding::decode_to_utf16`] |
//! | Decode to code points | [`Decoder::decode_to_code_points`] |
//! | Decode with U+FFFD for errors, and count them | [`Encoding::decode_lossy`] |
//! | Decode with U+FFFD for errors, and see each one | [`Encoding::decode_lossy_reporting`] |
//! | Decode by the BOM, as the web does | [`Encoding::decode_by_bom_lossy`]; with an error: [`Encoding::decode_by_bom`] |
//! | Encode a [`str`] | [`Encoding::encode`]; with a [`Policy`]: [`Encoding::encode_with`] |
//! | Encode UTF-16 code units or code points | [`Encoding::encode_utf16`], [`Encoder::encode_code_points`] |
//! | Convert bytes from one encoding to another | [`transcode()`] |
//! | Know the exact length of the result | [`transcoded_len`] |
//! | Write into a buffer, without allocation | [`transcode_into`], [`Encoding::decode_into`], [`Encoding::encode_into`] |
//! | Replace, escape or skip errors | [`Policy`] in [`Options`] |
//! | Treat U+301C and U+FF5E as one character in East Asian charsets | [`DoubleMappings`] in [`Options`] |
//! | Decide about each error | [`Transcoder::on_error`] |
//!
//! Text that comes in chunks, or is long:
//!
//! | Task | Function |
//! |---|---|
//! | Convert a stream, chunk by chunk | [`Transcoder`]; to or from text: [`Decoder`], [`Encoder`] |
//! | Convert while reading or writing | [`io::Reader`], [`io::Writer`] |
//! | Convert on several threads | [`parallel::convert`] |
//! | Change the text between decoding and encoding | [`filter::Filter`] with [`parallel::Conversion`] |
//! | Get the line and column of an error | [`Transcoder::track_position`] |
//! | Count errors | [`Transcoder::counts`] |
//!
//! Questions about text:
//!
//! | Task | Function |
//! |---|---|
//! | Find the encoding of a label, such as `latin1` | [`Encoding::for_label`]; as the web does: [`Encoding::for_whatwg_label`] |
//! | Find the encoding of a BOM | [`Encoding::for_bom`] |
//! | List encodings and their properties | [`Encoding::ALL`], [`Encoding::info`] |
//! | Find boundaries between characters, and search | [`Encoding::boundaries`], [`Boundaries::find`] |
//! | Cut off an incomplete character at the end | [`Encoding::trim_incomplete`] |
//! | Compare two texts in any two encodings | [`compare()`]; where bytes have that order: [`Info::code_point_order`] |
//! | Explain each byte: bits, code point, error | [`explain::Explainer`] |
//! | Lint: BOMs, mixed line ends, bidirectional controls | [`lint::check`]; of a stream: [`lint::Linter`] |
//! | Find text hidden by the way it is encoded | [`hidden::find`]; in a stream: [`hidden::Finder`] |
//! | Split at line ends | [`lines::LineEnd`] |
//! | Decode and encode IMAP mailbox names | [`imap_name::decode`], [`imap_name::encode`] |
//! | Recognize the Hangul of Unicode 1.1 | [`unicode11::evidence`] |
//!
//! An [`Error`] reports what is wrong, where, and which clause of which specification is violated.
//!
//! Other crates guess encodings (`utfall-detect`), fix mojibake (`utfall-repair`), read mail
//! (`utfall-mime`), normalize text (`utfall-normalize`), replace `iconv` (`utfall-iconv`), and convert
//! trees of files (`utfall-tree`).
//!
//! # The path of a byte
//!
//! bytes → decoder → block of code points (`u32`) → encoder → bytes.
//!
//! Between UTF-8, UTF-16, UTF-32 and Latin-1, a kernel of `utfall-simd` converts bytes to bytes
//! directly. The block defines the result; tests check that both paths agree.
//!
//! # Features
//!
//! `std` (default): I/O adapters and run-time selection of kernels. `alloc`: owned results.
//! `legacy`: the WHATWG encodings. `glibc`: also charsets of glibc and Apple, and charsets of mail
//! that the web lacks. `confusables`: the rules of the linter for words and
//! domains that look like others. `cns`: EUC-TW, ISO-2022-CN and ISO-2022-CN-EXT. `jisx0213`:
//! EUC-JISX0213, SHIFT_JISX0213 and ISO-2022-JP-3. Without any feature, the crate needs only `core`.
#![cfg_attr(utfall_speed, feature(optimize_attribute))]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod boundaries;
mod characters;
mod charset;
mod codec;
mod compare;
mod counts;
mod direct;
mod encoding;
mod engine;
mod error;
pub mod explain;
#[cfg(feature = "alloc")]
pub mod hidden;
#[cfg(feature = "alloc")]
pub mod imap_name;
mod info;
pub mod lines;
#[cfg(feature = "alloc")]
pub mod lint;
mod oneshot;
mod options;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub mod packed;
mod progress;
mod repertoire;
mod route;
mod shortcut;
mod stream;
mod tolerance;
pub mod unicode11;

pub use boundaries::Boundaries;
#[doc(hidden)]
pub use characters::{Character, Characters};
pub use compare::compare;
pub use counts::Counts;
pub use encoding::{Encoding, Labels, UnknownEncoding};
pub use error::{Error, ErrorKind};
pub use info::{ByteOrder, Family, Info, Origin, SplitPoint};
pub use oneshot::{BufferError, transcode_into, transcoded_len};
#[cfg(feature = "alloc")]
pub use oneshot::{Lossy, transcode};
pub use options::{
    Action, Bom, DoubleMappings, Escape, Granularity, Options, Policy, Substitute, Transliterate,
    Utf7Options,
};
pub use progress::{Progress, Status};
pub use repertoire::Repertoire;
pub use stream::{Decoder, Encoder, Transcoder};
#[cfg(feature = "std")]
pub use stream::{filter, io, parallel};
pub use tolerance::Utf7Tolerance;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
