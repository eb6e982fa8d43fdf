//! IMAP mailbox names (RFC 3501 §5.1.3; §4).

use crate::shifted::{Reading, Rule, byte, not_direct, shift_alone};
use crate::utf7::{Run, end_of_digits, read_run};
use crate::{Encoded, is_scalar};

pub(crate) fn read(bytes: &[u8]) -> Vec<Reading> {
    let mut readings = Vec::new();
    // The offset of the byte after the `-` of the last closed run.
    let mut after_run = None;
    let mut offset = 0;
    while offset < bytes.len() {
        let first = bytes[offset];
        if first != b'&' {
            // `\` and `~` are printable.
            readings.push(if is_printable(first.into()) {
                Reading::Point(first.into())
            } else {
                not_direct(bytes, offset)
            });
            offset += 1;
            continue;
        }
        let start = offset + 1;
        let end = end_of_digits(COMMA, bytes, start);
        let closed = bytes.get(end) == Some(&b'-');
        if start < end {
            if after_run == Some(offset) {
                readings.push(byte(Rule::NullShift, offset));
            }
            let allowed = |unit| !is_printable(unit);
            let ill_end = read_run(COMMA, allowed, bytes, start, end, &mut readings);
            let slash = bytes.get(end) == Some(&b'/');
            if closed {
                after_run = Some(end + 1);
            } else if !ill_end {
                let rule = if slash { Rule::SlashDigit } else { Rule::Unterminated };
                readings.push(byte(rule, end - 1));
            } else if let Some(Reading::Fault(fault)) = readings.last_mut() {
                fault.unclosed = true;
                if slash {
                    fault.rule = Rule::SlashDigit;
                }
            }
        } else if closed {
            readings.push(Reading::Point(b'&'.into()));
        } else {
            readings.push(shift_alone(bytes, offset));
        }
        offset = if closed { end + 1 } else { end };
    }
    readings
}

pub(crate) fn encode(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    let mut run: Option<Run> = None;
    for (index, &point) in points.iter().enumerate() {
        if !is_scalar(point) {
            return Err(index);
        }
        if is_printable(point) {
            close(run.take(), bytes);
            bytes.push(point as u8);
            if point == u32::from(b'&') {
                bytes.push(b'-');
            }
        } else {
            if run.is_none() {
                bytes.push(b'&');
            }
            run.get_or_insert_default().write(COMMA, point, bytes);
        }
    }
    close(run, bytes);
    Ok(())
}

/// The digit for 63, instead of `/`.
const COMMA: u8 = b',';

/// Characters that represent themselves, including `&`, which is written as `&-`.
fn is_printable(point: u32) -> bool {
    (0x20..=0x7E).contains(&point)
}

fn close(run: Option<Run>, bytes: &mut Vec<u8>) {
    if let Some(run) = run {
        run.finish(COMMA, bytes);
        bytes.push(b'-');
    }
}
