//! Replacements for characters that the target lacks: text that looks or reads alike.
//!
//! glibc transliterates 1656 characters in the C locale. `any_ascii` has the same text for 1358 of
//! them, `deunicode` for 1351, `unidecode` for 455. Of the 3122 in C.UTF-8, they have 2527, 2409
//! and 1536. Symbols have the texts of glibc, since those of `any_ascii` may change the meaning.

mod symbols;
#[cfg(any(test, all(target_arch = "wasm32", target_os = "unknown")))]
mod texts;

/// The text for a code point, if there is one.
pub(crate) fn text(point: u32) -> Option<&'static str> {
    if let Some(text) = symbols::text(point) {
        return Some(text).filter(|text| !text.is_empty());
    }
    let text = any_ascii(char::from_u32(point)?);
    // Combining marks and BOMs are omitted; everything else without a text is unknown.
    let is_mark = matches!(point, 0x300..=0x36F | 0x1AB0..=0x1AFF | 0x20D0..=0x20FF | 0xFEFF);
    (!text.is_empty() || is_mark).then_some(text)
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
fn any_ascii(scalar: char) -> &'static str {
    any_ascii::any_ascii_char(scalar)
}

/// The same from packed texts.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
fn any_ascii(scalar: char) -> &'static str {
    use std::sync::LazyLock;
    use texts::{Part, Texts};

    /// ISC license; `LICENSE-any_ascii.txt` has it.
    static COMMON: LazyLock<Texts> =
        LazyLock::new(|| Texts::unpacked(include_bytes!("translit/common.bin"), Part::Common));
    static IDEOGRAPHS: LazyLock<Texts> = LazyLock::new(|| {
        Texts::unpacked(include_bytes!("translit/ideographs.bin"), Part::Ideographs)
    });
    static REST: LazyLock<Texts> =
        LazyLock::new(|| Texts::unpacked(include_bytes!("translit/rest.bin"), Part::Rest));
    static HANGUL: LazyLock<Texts> = LazyLock::new(Texts::hangul);

    let point = u32::from(scalar);
    let texts = match Part::of(point) {
        Part::UsAscii => return US_ASCII.get(point as usize..=point as usize).unwrap_or_default(),
        Part::Common => &COMMON,
        Part::Ideographs => &IDEOGRAPHS,
        Part::Hangul => &HANGUL,
        Part::Rest => &REST,
    };
    texts.get(point)
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
static US_ASCII: &str = {
    const BYTES: [u8; 0x80] = {
        let mut bytes = [0; 0x80];
        let mut byte = 0;
        while byte < bytes.len() {
            bytes[byte] = byte as u8;
            byte += 1;
        }
        bytes
    };
    match std::str::from_utf8(&BYTES) {
        Ok(text) => text,
        Err(_) => "",
    }
};

#[cfg(test)]
mod tests {
    use utfall::packed::Coder;

    use super::texts::{Part, Texts};
    use super::*;

    #[test]
    fn texts() {
        let of = |scalar: char| text(u32::from(scalar));
        assert_eq!(of('€'), Some("EUR"));
        assert_eq!(of('ß'), Some("ss"));
        assert_eq!(of('\u{301}'), Some(""));
        assert_eq!(of('\u{FEFF}'), Some(""));
        assert_eq!(of('\u{E000}'), None);
        assert_eq!((of('½'), of('≠'), of('→')), (Some(" 1/2 "), Some("!="), Some("->")));
        // Not the text of `∈`.
        assert_eq!(of('∉'), None);
        assert_eq!(text(0xD800), None);
    }

    /// `cargo xtask pages texts` writes the packed texts, which are those of `any_ascii`.
    #[test]
    fn texts_are_packed() {
        for (name, part) in [
            ("common", Part::Common),
            ("ideographs", Part::Ideographs),
            ("rest", Part::Rest),
            ("", Part::Hangul),
        ] {
            let mut texts = Texts::default();
            let scalars = ('\0'..=char::MAX).filter(|scalar| Part::of(u32::from(*scalar)) == part);
            for scalar in scalars.filter(|scalar| !any_ascii(*scalar).is_empty()) {
                texts.push(u32::from(scalar), any_ascii(scalar));
            }
            if part == Part::Hangul {
                assert!(texts == Texts::hangul());
                continue;
            }
            let mut packer = Coder::packer();
            texts.code(&mut packer, part);
            let packed = packer.finish();
            let path = format!("crates/utfall-iconv/src/translit/{name}.bin");
            utfall_page::compare_bytes(&path, &packed);
            let unpacked = Texts::default().code(&mut Coder::unpacker(&packed), part);
            assert!(texts == unpacked, "{name}");
        }
        assert!(('\0'..'\u{80}').all(|scalar| any_ascii(scalar) == scalar.to_string()));
    }
}
