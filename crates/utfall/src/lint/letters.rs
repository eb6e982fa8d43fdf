//! Scripts and kinds of letters, by their blocks.

/// Scripts with letters that join, or with conjuncts: Arabic and its relatives, those of India,
/// Mongolian, Tifinagh and others (Unicode 23.2).
pub(super) fn joins(point: u32) -> bool {
    matches!(
        point,
        0x0600..=0x08FF | 0x0900..=0x0DFF | 0x0F00..=0x109F | 0x1700..=0x18AF | 0x1900..=0x1CFF
            | 0x2D30..=0x2D7F | 0xA800..=0xA8FF | 0xA930..=0xA9FF | 0xAA00..=0xABFF
            | 0xFB50..=0xFDCF | 0xFDF0..=0xFDFF | 0xFE70..=0xFEFC | 0x10A00..=0x10BAF
            | 0x10D00..=0x10FFF | 0x11000..=0x11FFF | 0x1E900..=0x1E95F
    )
}

/// Scripts without spaces between words, where U+200B permits a line break.
pub(super) fn is_spaceless(point: u32) -> bool {
    matches!(
        point,
        0x0E00..=0x109F | 0x1700..=0x17FF | 0x1950..=0x1AAF | 0x1B00..=0x1C4F | 0xA900..=0xA9FF
            | 0xAA00..=0xAADF | 0xABC0..=0xABFF
    )
}

/// Hangul, kana, ideographs, Yi, and the symbols among them; halfwidth forms of these.
pub(super) fn is_east_asian(point: u32) -> bool {
    matches!(
        point,
        0x1100..=0x11FF | 0x2E80..=0xA4CF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF
            | 0xFF61..=0xFFDC | 0x1B000..=0x1B16F | 0x20000..=0x3FFFF
    )
}

/// Scripts from right to left: Hebrew, Arabic and others.
pub(super) fn is_right_to_left(point: u32) -> bool {
    matches!(
        point,
        0x0591..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFC | 0x10800..=0x10FFF
            | 0x1E800..=0x1EFFF
    )
}

pub(super) fn is_ascii_letter(point: u32) -> bool {
    matches!(point, 0x41..=0x5A | 0x61..=0x7A)
}

/// Scripts with lookalikes of Latin letters: Greek, Cyrillic, Armenian, Hebrew, Cherokee, Coptic,
/// Tifinagh, Lisu. Letters without one are included.
pub(super) fn is_foreign(point: u32) -> bool {
    is_frequent_script(point)
        || is_hebrew(point)
        || matches!(
            point,
            0x13A0..=0x13FF | 0x1C80..=0x1C8F | 0x2C80..=0x2CFF | 0x2D30..=0x2D7F
                | 0xA4D0..=0xA4FF | 0xAB70..=0xABBF
        )
}

/// Greek, Cyrillic and Armenian, which real words mix with Latin letters.
pub(super) fn is_frequent_script(point: u32) -> bool {
    matches!(point, 0x0380..=0x058F)
}

pub(super) fn is_hebrew(point: u32) -> bool {
    matches!(point, 0x05D0..=0x05F2)
}

/// Letters that look like ASCII ones, but are phonetic, technical or compatibility characters, so
/// that identifiers do not have them (UTS #39, 3.1). Letters of orthographies, such as `ı`, `ɛ` and
/// `ɩ`, are not among them, nor are clicks such as `ǀ` and the long s of old prints.
pub(super) fn is_variant(point: u32) -> bool {
    is_phonetic(point) || is_letterlike(point) || is_fullwidth(point) || is_mathematical(point)
}

/// Letters of phonetic transcriptions, small capitals, and medieval letters.
pub(super) fn is_phonetic(point: u32) -> bool {
    matches!(
        point,
        0x0251 | 0x0261 | 0x026A | 0x028F | 0x1D00..=0x1D2B | 0x1D83 | 0x1D8C
            | 0xA730..=0xA7FF | 0xAB30..=0xAB6F
    )
}

/// Letterlike symbols and Roman numerals.
pub(super) fn is_letterlike(point: u32) -> bool {
    matches!(point, 0x2102..=0x2149 | 0x2160..=0x217F)
}

pub(super) fn is_fullwidth(point: u32) -> bool {
    matches!(point, 0xFF10..=0xFF19 | 0xFF21..=0xFF3A | 0xFF41..=0xFF5A)
}

/// Letters and digits of formulas.
pub(super) fn is_mathematical(point: u32) -> bool {
    matches!(point, 0x1D400..=0x1D7FF)
}
