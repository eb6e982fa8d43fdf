//! UTF-7 (RFC 2152; RFC 1642 has the same bytes; §3), and the runs of Base64 that IMAP mailbox
//! names share with it.

use crate::shifted::{Fault, Reading, Rule, not_direct, shift_alone};
use crate::{Encoded, is_high, is_low, is_scalar, join, split};

pub(crate) fn read(bytes: &[u8]) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut offset = 0;
    while offset < bytes.len() {
        let byte = bytes[offset];
        if byte != b'+' {
            readings.push(if is_direct(byte.into()) {
                Reading::Point(byte.into())
            } else {
                not_direct(bytes, offset)
            });
            offset += 1;
            continue;
        }
        let start = offset + 1;
        let end = end_of_digits(SLASH, bytes, start);
        let absorbed = bytes.get(end) == Some(&b'-');
        if start < end {
            read_run(SLASH, |_| true, bytes, start, end, &mut readings);
        } else if absorbed {
            readings.push(Reading::Point(b'+'.into()));
        } else {
            readings.push(shift_alone(bytes, offset));
        }
        offset = if absorbed { end + 1 } else { end };
    }
    readings
}

pub(crate) fn encode(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    let mut run: Option<Run> = None;
    for (index, &point) in points.iter().enumerate() {
        if !is_scalar(point) {
            return Err(index);
        }
        if is_direct(point) {
            let byte = point as u8;
            if let Some(run) = run.take() {
                run.finish(SLASH, bytes);
                if byte == b'-' || digit(SLASH, byte).is_some() {
                    bytes.push(b'-');
                }
            }
            bytes.push(byte);
        } else if point == u32::from(b'+') && run.is_none() {
            bytes.extend(b"+-");
        } else {
            if run.is_none() {
                bytes.push(b'+');
            }
            run.get_or_insert_default().write(SLASH, point, bytes);
        }
    }
    if let Some(run) = run {
        run.finish(SLASH, bytes);
        bytes.push(b'-');
    }
    Ok(())
}

/// Set D, set O, and the characters of rule 3.
fn is_direct(point: u32) -> bool {
    let Ok(byte) = u8::try_from(point) else {
        return false;
    };
    byte.is_ascii_alphanumeric()
        || b"'(),-./:?".contains(&byte)
        || b"!\"#$%&*;<=>@[]^_`{|}".contains(&byte)
        || b" \t\r\n".contains(&byte)
}

/// The last digit of the alphabet, set B, which IMAP changed.
pub(crate) const SLASH: u8 = b'/';

/// The value of a Base64 digit, `last` being the digit for 63.
pub(crate) fn digit(last: u8, byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ if byte == last => 63,
        _ => return None,
    };
    Some(value.into())
}

/// The end of the digits that begin at `start`.
pub(crate) fn end_of_digits(last: u8, bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while end < bytes.len() && digit(last, bytes[end]).is_some() {
        end += 1;
    }
    end
}

/// Reads the run whose digits are `bytes[start..end]`. A unit that is `allowed` and not a
/// surrogate is a code point. Returns whether the end of the run was ill-formed.
pub(crate) fn read_run(
    last: u8,
    allowed: fn(u32) -> bool,
    bytes: &[u8],
    start: usize,
    end: usize,
    readings: &mut Vec<Reading>,
) -> bool {
    let bits = 6 * (end - start);
    let bit = |number: usize| {
        let value = digit(last, bytes[start + number / 6]).expect("a digit");
        value >> (5 - number % 6) & 1
    };
    let unit = |k: usize| (16 * k..16 * k + 16).fold(0, |value, number| value << 1 | bit(number));
    // The digit with the first bit of a unit, and the one with its last.
    let first_digit = |k: usize| start + 16 * k / 6;
    let last_digit = |k: usize| start + (16 * k + 15) / 6;
    // A fault from the beginning of unit `k` to the digit at `last`.
    let fault = |rule: Rule, k: usize, last: usize, unit: Option<u32>| {
        let offset = first_digit(k);
        let bit = Some(16 * (k % 3));
        let length = last + 1 - offset;
        let (also, non_zero, unclosed) = (None, false, false);
        Fault { offset, length, rule, bit, unit, also, non_zero, unclosed }
    };

    let complete = bits / 16;
    let mut k = 0;
    let mut pending = false;
    while k < complete {
        let value = unit(k);
        if is_high(value) && k + 1 == complete {
            pending = true;
            break;
        }
        if is_high(value) && is_low(unit(k + 1)) {
            readings.push(Reading::Point(join(value, unit(k + 1))));
            k += 2;
        } else {
            let rule = match value {
                _ if is_high(value) => Some(Rule::HighSurrogate),
                _ if is_low(value) => Some(Rule::LowSurrogate),
                _ if !allowed(value) => Some(Rule::EncodedAscii),
                _ => None,
            };
            readings.push(match rule {
                Some(rule) => Reading::Fault(fault(rule, k, last_digit(k), Some(value))),
                None => Reading::Point(value),
            });
            k += 1;
        }
    }

    let leftover = 16 * complete..bits;
    let non_zero = leftover.clone().any(|number| bit(number) != 0);
    let padding = if leftover.len() >= 8 {
        Some(Rule::OddBytes)
    } else if leftover.len() >= 6 {
        Some(Rule::DanglingDigit)
    } else if non_zero {
        Some(Rule::NonZeroPadding)
    } else {
        None
    };
    if pending {
        let fault = fault(Rule::HighSurrogate, k, end - 1, Some(unit(k)));
        readings.push(Reading::Fault(Fault { also: padding, non_zero, ..fault }));
    } else if let Some(rule) = padding {
        readings.push(Reading::Fault(Fault { non_zero, ..fault(rule, k, end - 1, None) }));
    }
    pending || padding.is_some()
}

/// A run that is being written: the bits that are not a complete digit yet.
#[derive(Default)]
pub(crate) struct Run {
    bits: u32,
    count: u32,
}

impl Run {
    /// Adds a code point, as two units if it is above FFFF.
    pub(crate) fn write(&mut self, last: u8, point: u32, bytes: &mut Vec<u8>) {
        if point > 0xFFFF {
            let (high, low) = split(point);
            self.write_unit(last, high, bytes);
            self.write_unit(last, low, bytes);
        } else {
            self.write_unit(last, point, bytes);
        }
    }

    /// Fills the last digit with zeros.
    pub(crate) fn finish(mut self, last: u8, bytes: &mut Vec<u8>) {
        while !self.count.is_multiple_of(6) {
            self.bits <<= 1;
            self.count += 1;
        }
        self.write_digits(last, bytes);
    }

    fn write_unit(&mut self, last: u8, unit: u32, bytes: &mut Vec<u8>) {
        self.bits = self.bits << 16 | unit;
        self.count += 16;
        self.write_digits(last, bytes);
    }

    fn write_digits(&mut self, last: u8, bytes: &mut Vec<u8>) {
        while self.count >= 6 {
            self.count -= 6;
            let value = self.bits >> self.count & 0x3F;
            bytes.push(match value as u8 {
                value @ 0..26 => b'A' + value,
                value @ 26..52 => b'a' + (value - 26),
                value @ 52..62 => b'0' + (value - 52),
                62 => b'+',
                _ => last,
            });
        }
        self.bits &= (1 << self.count) - 1;
    }
}
