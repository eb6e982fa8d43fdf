//! Says which encoding octets most likely are in: with a confidence that has been measured, and
//! with the evidence.
//!
//! ```
//! use utfall::Encoding;
//! use utfall_detect::detect;
//! let candidates = detect("Μήνιν ἄειδε, θεά".as_bytes());
//! assert_eq!(candidates[0].encoding, Encoding::Utf8);
//! assert!(candidates[0].confidence > 0.99);
//! ```
//!
//! - All of a text in memory: [`detect`]. A stream in pieces: [`Detector`].
//! - A file, of which no more is read than is needed: [`detect_file`].
//! - What is known beforehand, such as the language: [`Hints`].
//! - The signature a text begins with, alone: [`signature`].
//!
//! # How
//!
//! The same sample of the octets is read in every encoding they allow. What comes of each reading
//! is weighed by how many bits it takes in a plain model of text: letters of one script take few,
//! a capital inside a word, a script inside another, a control character or an ill-formed sequence
//! takes many. The reading that takes the fewest bits is the likeliest, and how many fewer it
//! takes than the others is its confidence. Signatures count, and so does what `chardetng` says of
//! the charsets before Unicode. `docs/detect.md` has the figures.
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
