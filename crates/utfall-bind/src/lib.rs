//! The common part of utfall's command and its bindings (C, Python, JavaScript): encodings and options by
//! name, the wording of errors, the names of characters, and reports as JSON.
//!
//! The reports have the form that [docs/json.md](https://github.com/utfall/utfall/blob/main/docs/json.md)
//! describes: JSON Lines, each with `version` and `type`.
//!
//! ```
//! use utfall_bind::{character_name, label, options, show};
//!
//! let latin1 = label::find(b"latin1").unwrap();
//! let options = options::set(utfall::Options::default(), "on-error", "replace").unwrap();
//! assert_eq!(&*latin1.encode_with("10 €", options).unwrap(), b"10 ?");
//!
//! let error = latin1.encode("10 €").unwrap_err();
//! assert_eq!(show::problem(&error), "U+20AC \"€\" cannot be encoded in ISO-8859-1");
//! assert_eq!(error.kind().name(), "unencodable");
//! assert_eq!(character_name(0x20AC), "EURO SIGN");
//! ```
//!
//! - Reports: [`explain::explain`], [`detect::detect`], [`repair::repair`], [`check::check`]. They write to
//!   any [`std::io::Write`], or to a function with [`Sink`].
//! - Names: [`label::find`], [`options::set`], [`character_name`].
//! - Without the feature `reports`, only names of encodings and options, and messages remain; without
//!   `charsets`, only the encodings of Unicode.
//! - Messages: [`show::problem`], with [`utfall::ErrorKind::name`] and [`utfall::Error::clause`].
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "reports")]
pub mod check;
#[cfg(feature = "reports")]
pub mod detect;
#[cfg(feature = "reports")]
pub mod explain;
#[cfg(feature = "reports")]
pub mod file_name;
#[cfg(feature = "reports")]
pub mod generation;
#[cfg(feature = "reports")]
pub mod guess;
#[cfg(feature = "reports")]
pub mod json;
pub mod label;
#[cfg(feature = "reports")]
pub mod likely;
#[cfg(feature = "reports")]
mod name;
pub mod options;
#[cfg(feature = "reports")]
pub mod repair;
pub mod screen;
pub mod show;
#[cfg(feature = "reports")]
mod sink;

#[cfg(feature = "reports")]
pub use file_name::FileName;
#[cfg(feature = "reports")]
pub use name::character_name;
#[cfg(feature = "reports")]
pub use sink::Sink;

/// The name of a text in reports if the caller gives none.
pub const MEMORY: &str = "(memory)";

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
