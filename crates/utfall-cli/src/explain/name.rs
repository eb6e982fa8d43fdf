//! The glyph of a code point in a column.

use unicode_width::UnicodeWidthChar;

/// The maximum width of a [`glyph`] in columns.
pub(super) const GLYPH_WIDTH: usize = 2;

/// A printable form of the character, and its width in columns. Controls are shown as control
/// pictures, combining characters on a dotted circle. Characters that are invisible or would move
/// others have none.
pub(super) fn glyph(point: u32) -> (String, usize) {
    let picture = match point {
        0..=0x20 => char::from_u32(0x2400 + point),
        0x7F => Some('\u{2421}'),
        _ => None,
    };
    let Some(scalar) = picture.or(char::from_u32(point)) else { return (String::new(), 0) };
    if is_invisible(scalar) {
        return (String::new(), 0);
    }
    match scalar.width() {
        None => (String::new(), 0),
        Some(0) => (format!("\u{25CC}{scalar}"), 1),
        // Escaped characters with a width are unassigned, private, or spaces.
        Some(_) if scalar.escape_debug().len() > 1 && !matches!(scalar, '"' | '\'' | '\\') => {
            (String::new(), 0)
        }
        Some(width) => (scalar.into(), width.min(GLYPH_WIDTH)),
    }
}

/// Format characters: bidirectional controls and other invisible characters.
fn is_invisible(scalar: char) -> bool {
    matches!(
        u32::from(scalar),
        0xAD | 0x34F
            | 0x600..=0x605
            | 0x61C
            | 0x6DD
            | 0x70F
            | 0x890..=0x891
            | 0x8E2
            | 0x115F..=0x1160
            | 0x17B4..=0x17B5
            | 0x180B..=0x180F
            | 0x200B..=0x200F
            | 0x2028..=0x202E
            | 0x2060..=0x206F
            | 0x3164
            | 0xFE00..=0xFE0F
            | 0xFEFF
            | 0xFFA0
            | 0xFFF0..=0xFFFB
            | 0x110BD
            | 0x110CD
            | 0x13430..=0x1343F
            | 0x1BCA0..=0x1BCA3
            | 0x1D173..=0x1D17A
            | 0xE0000..=0xE0FFF
    )
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    /// Every code point, alone in its column, has the width that is claimed.
    #[test]
    fn glyphs_are_as_wide_as_is_said() {
        for point in 0..0x11_0000 {
            let (glyph, width) = glyph(point);
            assert!(width <= GLYPH_WIDTH);
            if width < GLYPH_WIDTH {
                assert_eq!(glyph.width(), width, "U+{point:04X}");
            }
            assert!(!glyph.chars().any(char::is_control), "U+{point:04X}");
        }
        assert_eq!(glyph(0x301), ("\u{25CC}\u{301}".into(), 1));
        assert_eq!(glyph(0x65E5), ("日".into(), 2));
        assert_eq!(glyph(0x0A), ("\u{240A}".into(), 1));
        assert_eq!(glyph(0x202E), (String::new(), 0));
    }
}
