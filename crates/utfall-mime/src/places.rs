//! Maps each decoded byte to its place in the encoded text.

use std::ops::Range;

use memchr::memchr;

use crate::encoded_word::Scheme;
use crate::header;
use crate::quoted_printable::trim_end;
use crate::transfer::TransferEncoding;

/// The places of the bytes decoded by [`TransferEncoding::decode`], in order.
pub(crate) fn of_body<'a>(
    transfer: TransferEncoding,
    body: &'a [u8],
) -> Box<dyn Iterator<Item = Range<usize>> + 'a> {
    match transfer {
        TransferEncoding::QuotedPrintable => Box::new(quoted_printable(body)),
        TransferEncoding::Base64 => Box::new(base64(body)),
        _ => Box::new((0..body.len()).map(|at| at..at + 1)),
    }
}

/// The places of the bytes of an encoded word in its payload.
pub(crate) fn of_word<'a>(
    scheme: Scheme,
    payload: &'a [u8],
) -> Box<dyn Iterator<Item = Range<usize>> + 'a> {
    match scheme {
        Scheme::B => Box::new(base64(payload)),
        Scheme::Q => {
            let mut at = 0;
            Box::new(std::iter::from_fn(move || {
                let begin = at;
                at += if *payload.get(at)? == b'=' { 3 } else { 1 };
                Some(begin..at)
            }))
        }
    }
}

/// A byte begins in each digit of a group except the last, and ends in the next digit.
fn base64(src: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut group = 0;
    let mut last = 0;
    src.iter().enumerate().filter_map(move |(at, byte)| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => {}
            b'=' => {
                group = 0;
                return None;
            }
            _ => return None,
        }
        let place = (group > 0).then_some(last..at + 1);
        (group, last) = ((group + 1) % 4, at);
        place
    })
}

fn quoted_printable(src: &[u8]) -> impl Iterator<Item = Range<usize>> {
    // Of a line: the end of its text, the start of its line end, and the start of the next line.
    let (mut at, mut text, mut end, mut next) = (0, 0, 0, 0);
    std::iter::from_fn(move || {
        loop {
            let begin = at;
            if at < text {
                at += match &src[at..text] {
                    [b'='] => {
                        // A soft line break.
                        (at, text) = (next, next);
                        continue;
                    }
                    [b'=', high, low, ..]
                        if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
                    {
                        3
                    }
                    [b'=', b'=', ..] => 2,
                    _ => 1,
                };
                return Some(begin..at);
            }
            if at < next {
                at = at.max(end) + 1;
                return (at <= next).then_some(at - 1..at);
            }
            if at == src.len() {
                return None;
            }
            next = memchr(b'\n', &src[at..]).map_or(src.len(), |end| at + end + 1);
            let line = header::trim_line_end(&src[at..next]);
            // Without a line feed, a CR is text.
            end = if src[next - 1] == b'\n' { at + line.len() } else { next };
            text = at + trim_end(&src[at..end]).len();
            if end == next && text < end {
                // White space at the very end.
                next = text;
                if at == text {
                    return None;
                }
            }
        }
    })
}

/// Looks up places by index, in ascending order.
pub(crate) struct Places<I> {
    places: I,
    /// Index of the next place.
    next: u64,
    current: Range<usize>,
}

impl<I: Iterator<Item = Range<usize>>> Places<I> {
    pub(crate) fn new(places: I) -> Self {
        Self { places, next: 0, current: 0..0 }
    }

    /// The place of `length` bytes starting at `offset`.
    pub(crate) fn range(&mut self, offset: u64, length: u64) -> Range<usize> {
        let begin = self.at(offset).start;
        begin..self.at(offset + length.saturating_sub(1)).end
    }

    fn at(&mut self, number: u64) -> Range<usize> {
        while self.next <= number {
            let Some(place) = self.places.next() else { break };
            self.current = place;
            self.next += 1;
        }
        self.current.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places and bytes agree, even for malformed encodings.
    #[test]
    fn places_of_random_bodies() {
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 33) as usize % below
        };
        let mut decoded = 0;
        for _ in 0..20_000 {
            let body: Vec<u8> = (0..random(24)).map(|_| b"a4C= \t\r\n*="[random(10)]).collect();
            for transfer in [TransferEncoding::QuotedPrintable, TransferEncoding::Base64] {
                let (bytes, _) = transfer.decode(&body);
                let places: Vec<_> = of_body(transfer, &body).collect();
                assert_eq!(places.len(), bytes.len(), "{transfer} {}", body.escape_ascii());
                assert!(places.is_sorted_by_key(|place| place.start));
                if transfer == TransferEncoding::QuotedPrintable {
                    for (place, byte) in places.iter().zip(&*bytes) {
                        assert!(
                            place.len() > 1 || body[place.start] == *byte,
                            "{}",
                            body.escape_ascii()
                        );
                    }
                }
                decoded += bytes.len();
            }
        }
        assert!(decoded > 100_000);
    }
}
