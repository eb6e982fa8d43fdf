//! The names of code points.

mod table;

/// The name of a code point. Code points without a name have a label in angle brackets, as in the
/// Unicode Standard §4.8.
///
/// ```
/// use utfall_bind::character_name;
/// assert_eq!(character_name(0x20AC), "EURO SIGN");
/// assert_eq!(character_name(0x0A), "<control> LINE FEED");
/// assert_eq!(character_name(0xD800), "<surrogate-D800>");
/// ```
#[must_use]
pub fn character_name(point: u32) -> String {
    if let Some(control) = control(point) {
        return format!("<control> {control}");
    }
    let kind = match point {
        0xD800..=0xDFFF => "surrogate",
        0x11_0000.. => return "<beyond Unicode>".into(),
        0xFDD0..=0xFDEF => "noncharacter",
        _ if point & 0xFFFE == 0xFFFE => "noncharacter",
        0xE000..=0xF8FF | 0xF_0000.. => "private-use",
        _ => match table::name(point) {
            Some(name) => return name,
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

#[cfg(test)]
mod tests {
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
            assert_eq!(character_name(point), wanted);
        }
    }
}
