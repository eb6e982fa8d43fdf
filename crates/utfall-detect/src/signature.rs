//! Byte order marks and other signatures.

use utfall::Encoding;

/// Sorted so that a signature comes before its own prefixes.
const SIGNATURES: [(&[u8], Encoding); 15] = [
    (b"\xEF\xBB\xBF", Encoding::Utf8),
    (b"\xFF\xFE\0\0", Encoding::Utf32Le),
    (b"\0\0\xFE\xFF", Encoding::Utf32Be),
    (b"\xFF\xFE", Encoding::Utf16Le),
    (b"\xFE\xFF", Encoding::Utf16Be),
    // U+FEFF in UTF-7. The last digit also holds bits of the next character of the run, if any.
    (b"+/v8-", Encoding::Utf7),
    (b"+/v8", Encoding::Utf7),
    (b"+/v9", Encoding::Utf7),
    (b"+/v+", Encoding::Utf7),
    (b"+/v/", Encoding::Utf7),
    (b"\xDD\x73\x66\x73", Encoding::UtfEbcdic),
    (b"\x84\x31\x95\x33", Encoding::Gb18030),
    (b"\x0E\xFE\xFF", Encoding::Scsu),
    (b"\xFB\xEE\x28", Encoding::Bocu1),
    (b"\xF7\x64\x4C", Encoding::Utf1),
];

/// The encoding whose signature `head` begins with, and the length of the signature in bytes.
///
/// Unlike [`Encoding::for_bom`], this also knows the signatures of UTF-7, UTF-EBCDIC, SCSU, BOCU-1,
/// ISO-10646-UTF-1 and GB 18030 (Unicode FAQ on UTF-8, UTF-16, UTF-32 & BOM; UTS #6; UTN #6).
///
/// ```
/// use utfall::Encoding;
/// use utfall_detect::signature;
/// assert_eq!(signature(b"+/v8-Hi"), Some((Encoding::Utf7, 5)));
/// assert_eq!(signature(b"\xFF\xFE\0\0"), Some((Encoding::Utf32Le, 4)));
/// assert_eq!(signature(b"Hi"), None);
/// ```
#[must_use]
pub fn signature(head: &[u8]) -> Option<(Encoding, usize)> {
    SIGNATURES
        .into_iter()
        .find(|(octets, _)| head.starts_with(octets))
        .map(|(octets, encoding)| (encoding, octets.len()))
}
