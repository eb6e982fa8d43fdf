//! Regression tests for fuzzer findings: each has the input found, or a shorter one with the same
//! fault.

use utfall::Encoding;
use utfall_detect::detect;

/// The confidence cap of single-byte charsets ranked them after less likely candidates, or before
/// them with less confidence.
#[test]
fn the_likeliest_is_first() {
    for text in ["\u{FFFD}", "\u{E9}", "\u{3042}", "\u{434}\u{430}"] {
        for encoding in Encoding::ALL {
            let Ok(bytes) = encoding.encode(text) else { continue };
            let candidates = detect(&bytes);
            let all: Vec<_> = candidates.iter().map(|one| (one.encoding, one.confidence)).collect();
            assert!(all.is_sorted_by(|one, other| one.1 >= other.1), "{encoding} {text}: {all:?}");
        }
    }
}
