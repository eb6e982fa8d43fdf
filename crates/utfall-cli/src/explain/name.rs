//! The name of a code point, and its glyph in a column.

use unicode_width::UnicodeWidthChar;

/// The maximum width of a [`glyph`] in columns.
pub(super) const GLYPH_WIDTH: usize = 2;

/// The name of a code point. Code points without a name have a label in angle brackets, as in the
/// Unicode Standard §4.8.
pub(super) fn name(point: u32) -> String {
    if let Some(control) = control(point) {
        return format!("<control> {control}");
    }
    let kind = match point {
        0xD800..=0xDFFF => "surrogate",
        0x11_0000.. => return "<beyond Unicode>".into(),
        0xFDD0..=0xFDEF => "noncharacter",
        _ if point & 0xFFFE == 0xFFFE => "noncharacter",
        0xE000..=0xF8FF | 0xF_0000.. => "private-use",
        _ => match char::from_u32(point).and_then(unicode_names2::name) {
            Some(name) => return name.to_string(),
            None => "reserved",
        },
    };
    format!("<{kind}-{point:04X}>")
}

/// Controls have no names in Unicode; these are the names of ISO/IEC 6429.
fn control(point: u32) -> Option<&'static str> {
    const C0: [&str; 32] = [
        "NULL",
        "START OF HEADING",
        "START OF TEXT",
        "END OF TEXT",
        "END OF TRANSMISSION",
        "ENQUIRY",
        "ACKNOWLEDGE",
        "BELL",
        "BACKSPACE",
        "CHARACTER TABULATION",
        "LINE FEED",
        "LINE TABULATION",
        "FORM FEED",
        "CARRIAGE RETURN",
        "SHIFT OUT",
        "SHIFT IN",
        "DATA LINK ESCAPE",
        "DEVICE CONTROL ONE",
        "DEVICE CONTROL TWO",
        "DEVICE CONTROL THREE",
        "DEVICE CONTROL FOUR",
        "NEGATIVE ACKNOWLEDGE",
        "SYNCHRONOUS IDLE",
        "END OF TRANSMISSION BLOCK",
        "CANCEL",
        "END OF MEDIUM",
        "SUBSTITUTE",
        "ESCAPE",
        "INFORMATION SEPARATOR FOUR",
        "INFORMATION SEPARATOR THREE",
        "INFORMATION SEPARATOR TWO",
        "INFORMATION SEPARATOR ONE",
    ];
    const C1: [&str; 32] = [
        "PADDING CHARACTER",
        "HIGH OCTET PRESET",
        "BREAK PERMITTED HERE",
        "NO BREAK HERE",
        "INDEX",
        "NEXT LINE",
        "START OF SELECTED AREA",
        "END OF SELECTED AREA",
        "CHARACTER TABULATION SET",
        "CHARACTER TABULATION WITH JUSTIFICATION",
        "LINE TABULATION SET",
        "PARTIAL LINE FORWARD",
        "PARTIAL LINE BACKWARD",
        "REVERSE LINE FEED",
        "SINGLE SHIFT TWO",
        "SINGLE SHIFT THREE",
        "DEVICE CONTROL STRING",
        "PRIVATE USE ONE",
        "PRIVATE USE TWO",
        "SET TRANSMIT STATE",
        "CANCEL CHARACTER",
        "MESSAGE WAITING",
        "START OF GUARDED AREA",
        "END OF GUARDED AREA",
        "START OF STRING",
        "SINGLE GRAPHIC CHARACTER INTRODUCER",
        "SINGLE CHARACTER INTRODUCER",
        "CONTROL SEQUENCE INTRODUCER",
        "STRING TERMINATOR",
        "OPERATING SYSTEM COMMAND",
        "PRIVACY MESSAGE",
        "APPLICATION PROGRAM COMMAND",
    ];
    match point {
        0..=0x1F => Some(C0[point as usize]),
        0x7F => Some("DELETE"),
        0x80..=0x9F => Some(C1[point as usize - 0x80]),
        _ => None,
    }
}

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

    #[test]
    fn names_and_labels() {
        let names: [(u32, &str); 12] = [
            (0x41, "LATIN CAPITAL LETTER A"),
            (0x0A, "<control> LINE FEED"),
            (0x9F, "<control> APPLICATION PROGRAM COMMAND"),
            (0x65E5, "CJK UNIFIED IDEOGRAPH-65E5"),
            (0xD55C, "HANGUL SYLLABLE HAN"),
            (0xD800, "<surrogate-D800>"),
            (0xE000, "<private-use-E000>"),
            (0xFFFE, "<noncharacter-FFFE>"),
            (0xFDD0, "<noncharacter-FDD0>"),
            (0x378, "<reserved-0378>"),
            (0x10_FFFD, "<private-use-10FFFD>"),
            (0x7FFF_FFFF, "<beyond Unicode>"),
        ];
        for (point, wanted) in names {
            assert_eq!(name(point), wanted);
        }
    }

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
