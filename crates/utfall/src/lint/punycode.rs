//! Labels of internationalized domain names in US-ASCII: `xn--`, then Punycode (RFC 3492).

use alloc::string::String;
use alloc::vec::Vec;

/// The prefix of such labels (RFC 5890 §2.3.2.5).
const PREFIX: &str = "xn--";
/// Bytes of the longest label (RFC 1035 §2.3.4).
const LONGEST: usize = 63;

/// The parameters of RFC 3492 §5.
const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 0x80;

/// The text of a label, or `None` if it has no prefix or is not valid Punycode.
pub(super) fn decode(label: &str) -> Option<String> {
    let (prefix, code) = label.split_at_checked(PREFIX.len())?;
    if !prefix.eq_ignore_ascii_case(PREFIX) || label.len() > LONGEST {
        return None;
    }
    let (basic, deltas) = code.rsplit_once('-').unwrap_or(("", code));
    let mut points: Vec<char> = basic.chars().filter(char::is_ascii).collect();
    let (mut n, mut place, mut bias) = (INITIAL_N, 0_u32, INITIAL_BIAS);
    let mut digits = deltas.bytes();
    while digits.len() > 0 {
        // A number in digits of variable weight, which grows until one is below its threshold.
        let (before, mut weight) = (place, 1_u32);
        for shift in (BASE..).step_by(BASE as usize) {
            let digit = digit(digits.next()?)?;
            place = place.checked_add(digit.checked_mul(weight)?)?;
            let threshold = shift.saturating_sub(bias).clamp(T_MIN, T_MAX);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
        }
        let count = points.len() as u32 + 1;
        bias = adapted(place - before, count, before == 0);
        n = n.checked_add(place / count)?;
        place %= count;
        points.insert(place as usize, char::from_u32(n)?);
        place += 1;
    }
    Some(points.into_iter().collect())
}

fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'a'..=b'z' => byte - b'a',
        b'A'..=b'Z' => byte - b'A',
        b'0'..=b'9' => byte - b'0' + 26,
        _ => return None,
    }))
}

/// The bias after a difference (RFC 3492 §6.1).
fn adapted(delta: u32, count: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / DAMP } else { delta / 2 };
    delta += delta / count;
    let mut bias = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        bias += BASE;
    }
    bias + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3492 §7.1, with the prefix, and names that are registered.
    #[test]
    fn examples() {
        for (code, text) in [
            ("egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"),
            ("ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"),
            ("Proprostnemluvesky-uyb24dma41a", "Pročprostěnemluvíčesky"),
            ("b1abfaaepdrnnbgefbaDotcwatmq2g4l", "почемужеонинеговорятпорусски"),
            (
                "PorqunopuedensimplementehablarenEspaol-fmd56a",
                "PorquénopuedensimplementehablarenEspañol",
            ),
            ("3B-ww4c5e180e575a65lsy2b", "3年B組金八先生"),
            ("MajiKoi5-783gue6qz075azm5e", "MajiでKoiする5秒前"),
            ("d9juau41awczczp", "そのスピードで"),
            ("mnchen-3ya", "münchen"),
            ("80ak6aa92e", "аррӏе"),
            ("", ""),
        ] {
            let label = ["xn--", code].concat();
            assert_eq!(decode(&label).as_deref(), Some(text), "{code}");
        }
        assert_eq!(decode("XN--MNCHEN-3YA").as_deref(), Some("MüNCHEN"));
    }

    #[test]
    fn not_punycode() {
        for label in ["", "xn-", "example", "xn--é", "xn--a-b_", "xn--99999999", "xn--mnchen-3"] {
            assert_eq!(decode(label), None, "{label}");
        }
        assert_eq!(decode(&["xn--", &"a".repeat(60)].concat()), None);
    }
}
