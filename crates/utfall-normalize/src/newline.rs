//! Conversion of line ends.

use std::ops::Range;

use memchr::{memchr, memchr2};

/// The line ends to write. In the input, LF (U+000A), CR LF, and CR (U+000D) alone are line ends,
/// in any mixture. NEL (U+0085), LINE SEPARATOR (U+2028) and PARAGRAPH SEPARATOR (U+2029) are not
/// treated as line ends, and are copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Newline {
    /// Preserve line ends.
    #[default]
    Keep,
    /// LF, as on Unix.
    Lf,
    /// CR LF, as on Windows and in mail.
    Crlf,
    /// CR, as on the classic Mac OS.
    Cr,
}

impl Newline {
    /// The length of the prefix of `text` that can be converted whatever follows: all except a CR
    /// at the end.
    pub(crate) fn settled(self, text: &[u8]) -> usize {
        match self {
            Self::Keep => text.len(),
            Self::Lf | Self::Crlf | Self::Cr => text.len() - usize::from(text.ends_with(b"\r")),
        }
    }

    /// Appends the converted line ends of `text`. Calls `append` with the range of each piece of
    /// text between them.
    pub(crate) fn apply(
        self,
        text: &[u8],
        out: &mut Vec<u8>,
        append: impl Fn(Range<usize>, &mut Vec<u8>),
    ) {
        match self {
            Self::Keep => append(0..text.len(), out),
            // Lines with the right line end are appended together.
            Self::Lf => Self::replace(text, out, b"\n", append, |text| memchr(b'\r', text)),
            Self::Crlf => Self::replace(text, out, b"\r\n", append, wrong_for_crlf),
            Self::Cr => Self::replace(text, out, b"\r", append, wrong_for_cr),
        }
    }

    /// Appends `line_end` for each line end that `find` finds. Calls `append` for the text between
    /// them.
    fn replace(
        text: &[u8],
        out: &mut Vec<u8>,
        line_end: &[u8],
        append: impl Fn(Range<usize>, &mut Vec<u8>),
        find: impl Fn(&[u8]) -> Option<usize>,
    ) {
        let mut begin = 0;
        while let Some(length) = find(&text[begin..]) {
            let end = begin + length;
            append(begin..end, out);
            out.extend_from_slice(line_end);
            begin = end + if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
        }
        append(begin..text.len(), out);
    }
}

/// The first line end of `text` other than CR alone.
fn wrong_for_cr(text: &[u8]) -> Option<usize> {
    let at = memchr(b'\n', text)?;
    Some(if text[..at].ends_with(b"\r") { at - 1 } else { at })
}

/// The first line end of `text` other than CR LF.
fn wrong_for_crlf(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr2(b'\r', b'\n', &text[from..])?;
        if !text[at..].starts_with(b"\r\n") {
            return Some(at);
        }
        from = at + 2;
    }
}
