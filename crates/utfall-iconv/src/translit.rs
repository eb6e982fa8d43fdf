//! Replacements for characters that the target lacks: text that looks or reads alike.
//!
//! glibc transliterates 1656 characters in the C locale. `any_ascii` has the same text for 1358 of
//! them, `deunicode` for 1351, `unidecode` for 455. Of the 3122 in C.UTF-8, they have 2527, 2409
//! and 1536.

/// The text for a code point, if there is one.
pub(crate) fn text(point: u32) -> Option<&'static str> {
    let text = any_ascii::any_ascii_char(char::from_u32(point)?);
    // Combining marks and BOMs are omitted; everything else without a text is unknown.
    let is_mark = matches!(point, 0x300..=0x36F | 0x1AB0..=0x1AFF | 0x20D0..=0x20FF | 0xFEFF);
    (!text.is_empty() || is_mark).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let of = |scalar: char| text(u32::from(scalar));
        assert_eq!(of('€'), Some("EUR"));
        assert_eq!(of('ß'), Some("ss"));
        assert_eq!(of('\u{301}'), Some(""));
        assert_eq!(of('\u{FEFF}'), Some(""));
        assert_eq!(of('\u{E000}'), None);
        assert_eq!(text(0xD800), None);
    }
}
