//! IMAP mailbox names (RFC 3501 §5.1.3; §4).

use crate::utf7::{Run, end_of_digits, read_run};
use crate::{Encoded, Item, is_scalar};

pub(crate) fn decode(octets: &[u8], items: &mut Vec<Item>) {
    // Where the octet after the `-` of the last closed run is.
    let mut after_run = None;
    let mut offset = 0;
    while offset < octets.len() {
        let octet = octets[offset];
        if octet != b'&' {
            items.push(if is_printable(octet.into()) {
                Item::Point(octet.into())
            } else {
                Item::Ill { offset, length: 1 }
            });
            offset += 1;
            continue;
        }
        let start = offset + 1;
        let end = end_of_digits(COMMA, octets, start);
        let closed = octets.get(end) == Some(&b'-');
        if start < end {
            if after_run == Some(offset) {
                items.push(Item::Ill { offset, length: 1 });
            }
            let ill_end = read_run(COMMA, |unit| !is_printable(unit), octets, start, end, items);
            if closed {
                after_run = Some(end + 1);
            } else if !ill_end {
                items.push(Item::Ill { offset: end - 1, length: 1 });
            }
        } else if closed {
            items.push(Item::Point(b'&'.into()));
        } else {
            items.push(Item::Ill { offset, length: 1 });
        }
        offset = if closed { end + 1 } else { end };
    }
}

pub(crate) fn encode(points: &[u32], octets: &mut Vec<u8>) -> Encoded {
    let mut run: Option<Run> = None;
    for (index, &point) in points.iter().enumerate() {
        if !is_scalar(point) {
            return Err(index);
        }
        if is_printable(point) {
            close(run.take(), octets);
            octets.push(point as u8);
            if point == u32::from(b'&') {
                octets.push(b'-');
            }
        } else {
            if run.is_none() {
                octets.push(b'&');
            }
            run.get_or_insert_default().write(COMMA, point, octets);
        }
    }
    close(run, octets);
    Ok(())
}

/// The digit for 63, in the place of `/`.
const COMMA: u8 = b',';

/// What stands for itself, `&` included, which stands for itself as `&-`.
fn is_printable(point: u32) -> bool {
    (0x20..=0x7E).contains(&point)
}

fn close(run: Option<Run>, octets: &mut Vec<u8>) {
    if let Some(run) = run {
        run.finish(COMMA, octets);
        octets.push(b'-');
    }
}
