//! Guess the encoding of text, with a calibrated confidence and the evidence.
//!
//! ```
//! use utfall::Encoding;
//! use utfall_detect::detect;
//! let candidates = detect("Μήνιν ἄειδε, θεά".as_bytes());
//! assert_eq!(candidates[0].encoding, Encoding::Utf8);
//! assert!(candidates[0].confidence > 0.99);
//! ```
//!
//! - A text in memory: [`detect`]. A stream in chunks: [`Detector`].
//! - A file, of which only a sample is read if that is enough: [`detect_file`]. A pipe:
//!   [`detect_reader`].
//! - Known facts, such as the language or a list of expected encodings: [`Hints`] with
//!   [`detect_with`].
//! - Only the BOM or other signature at the start: [`signature`].
//! - Reasons of an answer: [`Candidate::evidence`].
//!
//! # How it works
//!
//! The same sample of the bytes is decoded in every encoding that they allow. A simple model of
//! text gives each result a cost in bits. Letters of one script cost little. A capital inside a
//! word, a change of script, a control character or an ill-formed sequence costs a lot. The reading
//! with the lowest cost is the likeliest, and its lead over the others determines the confidence.
//! Signatures count, and so does what the text declares about its encoding. For single-byte charsets
//! the letter pairs of 53 languages decide.
//! [The page about detection](https://github.com/utfall/utfall/blob/main/docs/detect.md) has figures.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod candidate;
mod confidence;
mod cost;
mod counts;
mod declared;
mod detector;
mod evidence;
mod facts;
mod file;
mod frequent;
mod hints;
mod language;
mod layers;
mod model;
mod possible;
mod rank;
mod reading;
mod reasons;
mod repetition;
mod sample;
mod signature;
mod utf8;

pub use candidate::{Candidate, Inside, Layer};
pub use detector::{Detector, detect, detect_with};
pub use evidence::Evidence;
pub use file::{
    Detection, Extent, detect_file, detect_file_with, detect_reader, detect_reader_with,
};
pub use hints::{Hints, Language};
pub use language::language_name;
pub use signature::signature;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
