//! What the fuzzers found.

use utfall::{BufferError, Encoding};

/// U+FEFF at the start of a text was counted as a BOM, and so left out of the length.
#[test]
fn the_length_of_a_text_includes_its_first_zero_width_no_break_space() {
    let text = "\u{FEFF}text";
    for encoding in Encoding::ALL {
        let Ok(encoded) = encoding.encode(text) else { continue };
        let mut buffer = vec![0; encoded.len() - 1];
        let result = encoding.encode_into(text, &mut buffer);
        assert_eq!(result, Err(BufferError::TooSmall { needed: encoded.len() }), "{encoding}");
    }
}
