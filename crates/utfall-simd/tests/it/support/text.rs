//! The oracle's result for a text, for the tests of kernels and the fuzz target of that name.

use utfall_oracle::Item;
use utfall_simd::{Layout, Lossy};

/// The oracle's name for a form.
pub(crate) fn name(form: Layout) -> &'static str {
    match form {
        Layout::Utf8 => "UTF-8",
        Layout::Utf16Le => "UTF-16LE",
        Layout::Utf16Be => "UTF-16BE",
        Layout::Utf32Le => "UTF-32LE",
        Layout::Utf32Be => "UTF-32BE",
        Layout::Latin1 => "ISO-8859-1",
    }
}

pub(crate) fn encoded(form: Layout, points: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    utfall_oracle::encode(name(form), points, &mut bytes).unwrap();
    bytes
}

/// How many of the code points the form has, from the start.
pub(crate) fn encodable(form: Layout, points: &[u32]) -> usize {
    match form {
        Layout::Latin1 => points.iter().take_while(|point| **point <= 0xFF).count(),
        _ => points.len(),
    }
}

/// Bytes of a code point in a form; [`encoded`] is compared with it.
pub(crate) fn width(form: Layout, point: u32) -> usize {
    match form {
        Layout::Utf8 => {
            [0x80, 0x800, 0x1_0000].iter().fold(1, |n, from| n + usize::from(point >= *from))
        }
        Layout::Utf16Le | Layout::Utf16Be => {
            if point > 0xFFFF {
                4
            } else {
                2
            }
        }
        Layout::Utf32Le | Layout::Utf32Be => 4,
        Layout::Latin1 => 1,
    }
}

/// Whether more bytes could change the meaning of the sequence that begins here.
pub(crate) fn begins_truncated(form: Layout, bytes: &[u8]) -> bool {
    match form {
        Layout::Utf8 => std::str::from_utf8(bytes)
            .is_err_and(|error| error.error_len().is_none() && error.valid_up_to() == 0),
        Layout::Utf16Le | Layout::Utf16Be => {
            let high = bytes.get(usize::from(form == Layout::Utf16Le));
            bytes.len() < 2 || bytes.len() < 4 && high.is_some_and(|byte| byte & 0xFC == 0xD8)
        }
        _ => bytes.len() < 4,
    }
}

/// The oracle's result for a text, computed once for all tables.
pub(crate) struct Text<'a> {
    pub(crate) form: Layout,
    pub(crate) bytes: &'a [u8],
    /// Code points, with U+FFFD for ill-formed sequences, and the offset at which each ends.
    pub(crate) points: Vec<u32>,
    pub(crate) ends: Vec<usize>,
    /// The indices of those that replace ill-formed sequences.
    pub(crate) replaced: Vec<usize>,
    /// Whether more bytes could complete the last.
    pub(crate) is_truncated: bool,
}

impl<'a> Text<'a> {
    pub(crate) fn new(form: Layout, bytes: &'a [u8]) -> Self {
        let mut items = Vec::new();
        assert!(utfall_oracle::decode(name(form), bytes, &mut items));
        let (mut points, mut ends, mut replaced) = (Vec::new(), Vec::new(), Vec::new());
        let (mut end, mut is_truncated) = (0, false);
        for item in items {
            end += match item {
                Item::Point(point) => {
                    points.push(point);
                    width(form, point)
                }
                Item::Ill { offset, length } => {
                    is_truncated = is_truncated || begins_truncated(form, &bytes[offset..]);
                    replaced.push(points.len());
                    points.push(0xFFFD);
                    length
                }
            };
            ends.push(end);
        }
        assert_eq!(end, bytes.len());
        Self { form, bytes, points, ends, replaced, is_truncated }
    }

    /// The number of code points before the first ill-formed sequence.
    pub(crate) fn sound(&self) -> usize {
        self.replaced.first().copied().unwrap_or(self.points.len())
    }

    /// The offset at which this many code points end.
    pub(crate) fn end(&self, points: usize) -> usize {
        points.checked_sub(1).map_or(0, |last| self.ends[last])
    }

    /// How many of the first `count` code points are in `to` and fit into `room` bytes.
    pub(crate) fn fitting(&self, to: Layout, count: usize, room: usize) -> usize {
        let points = &self.points[..count];
        let mut written = 0;
        points[..encodable(to, points)]
            .iter()
            .take_while(|point| {
                written += width(to, **point);
                written <= room
            })
            .count()
    }

    /// The expected conversion of this many code points: its bytes, and the result of a kernel.
    pub(crate) fn expected(&self, to: Layout, count: usize) -> (Vec<u8>, Lossy) {
        let points = &self.points[..count];
        let bytes = encoded(to, points);
        assert_eq!(bytes.len(), points.iter().map(|point| width(to, *point)).sum::<usize>());
        let replaced = self.replaced.partition_point(|index| *index < count);
        let said = Lossy { read: self.end(count), written: bytes.len(), replaced };
        (bytes, said)
    }
}
