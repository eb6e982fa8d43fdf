//! Byte order marks and other signatures.

use std::cmp::Reverse;

use utfall::{ByteOrder, Encoding};

/// Signatures in addition to those of the registry, which are the ones that encoders write.
const MORE: [(&[u8], Encoding); 5] = [
    // The last digit also holds bits of the next character of the run, if any.
    (b"+/v8", Encoding::Utf7),
    (b"+/v9", Encoding::Utf7),
    (b"+/v+", Encoding::Utf7),
    (b"+/v/", Encoding::Utf7),
    (b"\x84\x31\x95\x33", Encoding::Gb18030),
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
    let registered = Encoding::ALL
        .iter()
        .map(|encoding| (encoding.info(), *encoding))
        // Report the byte order that the signature shows.
        .filter(|(info, _)| info.byte_order != Some(ByteOrder::Marked))
        .map(|(info, encoding)| (info.signature, encoding))
        .filter(|(bytes, _)| !bytes.is_empty());
    registered
        .chain(MORE)
        .filter(|(bytes, _)| head.starts_with(bytes))
        // The longest: that of UTF-32LE begins with that of UTF-16LE. Of equal ones, the first:
        // UTF-8 comes before its variants.
        .min_by_key(|(bytes, _)| Reverse(bytes.len()))
        .map(|(bytes, encoding)| (encoding, bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_belong_to_the_most_common_encoding() {
        let expected = [
            (&b"\xEF\xBB\xBF"[..], Encoding::Utf8),
            (b"\xFF\xFE\0\0", Encoding::Utf32Le),
            (b"\0\0\xFE\xFF", Encoding::Utf32Be),
            (b"\xFF\xFE", Encoding::Utf16Le),
            (b"\xFE\xFF", Encoding::Utf16Be),
            (b"+/v8-", Encoding::Utf7),
            (b"+/v9", Encoding::Utf7),
            (b"\xDD\x73\x66\x73", Encoding::UtfEbcdic),
            (b"\x84\x31\x95\x33", Encoding::Gb18030),
            (b"\x0E\xFE\xFF", Encoding::Scsu),
            (b"\xFB\xEE\x28", Encoding::Bocu1),
            (b"\xF7\x64\x4C", Encoding::Utf1),
        ];
        for (bytes, encoding) in expected {
            assert_eq!(signature(bytes), Some((encoding, bytes.len())));
            let cut = signature(&bytes[..bytes.len() - 1]);
            assert!(cut.is_none_or(|(_, length)| length < bytes.len()), "{encoding}");
        }
    }
}
