//! Heuristic for binary files.

use utfall::Encoding;

/// How many bytes at the start of a file [`is_binary`] examines, as Git does.
pub const LOOKED_AT: usize = 8000;

/// Whether a file that begins with these bytes looks binary: it has a NUL, and does not begin with
/// the BOM of UTF-16 or UTF-32.
///
/// ```
/// assert!(utfall_tree::is_binary(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"));
/// assert!(!utfall_tree::is_binary(b"\xFF\xFEa\0"));
/// assert!(!utfall_tree::is_binary("naïve".as_bytes()));
/// ```
#[must_use]
pub fn is_binary(first: &[u8]) -> bool {
    let first = &first[..first.len().min(LOOKED_AT)];
    let has_units = matches!(
        Encoding::for_bom(first),
        Some((encoding, _)) if encoding != Encoding::Utf8
    );
    !has_units && first.contains(&0)
}
