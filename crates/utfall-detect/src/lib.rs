//! Detects the encoding of text, with a calibrated confidence and with evidence.
//!
//! ```
//! use utfall::Encoding;
//! use utfall_detect::detect;
//! let candidates = detect("Μήνιν ἄειδε, θεά".as_bytes());
//! assert_eq!(candidates[0].encoding, Encoding::Utf8);
//! assert!(candidates[0].confidence > 0.99);
//! ```
//!
//! - Complete text in memory: [`detect`]. Stream in chunks: [`Detector`].
//! - File, read only as far as needed: [`detect_file`].
//! - Prior knowledge, such as the language: [`Hints`].
//! - Signature (BOM) only: [`signature`].
//!
//! # How it works
//!
//! The same sample of the bytes is decoded in every encoding that they allow. A simple model of
//! text gives each result a cost in bits. Letters of one script cost little. A capital inside a
//! word, a change of script, a control character or an ill-formed sequence costs a lot. The reading
//! with the lowest cost is the likeliest, and its lead over the others determines the confidence.
//! Signatures count, and for pre-Unicode charsets so does the guess of `chardetng`.
//! `docs/detect.md` has the figures.
#![forbid(unsafe_code)]

mod alphabets;
mod candidate;
mod confidence;
mod detector;
mod evidence;
mod file;
mod hints;
mod layers;
mod legacy;
mod model;
mod rank;
mod reading;
mod reasons;
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
pub use signature::signature;
