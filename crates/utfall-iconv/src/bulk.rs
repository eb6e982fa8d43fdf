//! Direct conversion of the simple characters of a charset to and from UTF-8 by kernels. Most of a text
//! is simple characters. A [`Table`](crate::table::Table) handles errors, characters that glibc replaces,
//! and longer sequences.

use utfall::Encoding;
use utfall_simd::{Layout, dispatch};

use crate::names::{Charset, Kind};
use crate::simple::Simple;

/// Bytes of text to convert before building the tables for kernels, which takes up to half a millisecond.
const WORTH: usize = 32 * 1024;

/// A conversion between UTF-8 and another charset.
#[derive(Clone, Copy)]
pub(crate) enum Bulk {
    FromLatin1,
    ToLatin1,
    From(&'static Simple),
    To(&'static Simple),
}

/// Kernels that are prepared only for long text.
#[derive(Clone, Copy)]
pub(crate) enum Late {
    /// The bytes so far.
    Waiting(usize),
    Ready(Option<Bulk>),
}

impl Late {
    /// The kernels for a text that is `more` bytes longer.
    pub(crate) fn get(&mut self, from: Charset, to: Charset, more: usize) -> Option<Bulk> {
        if let Self::Waiting(length) = self {
            *length += more;
            if *length >= WORTH {
                *self = Self::Ready(Bulk::new(from, to));
            }
        }
        match self {
            Self::Waiting(_) => None,
            Self::Ready(bulk) => *bulk,
        }
    }
}

impl Bulk {
    /// `None` if neither charset is UTF-8, or if the other one is not simple.
    pub(crate) fn new(from: Charset, to: Charset) -> Option<Self> {
        // WebAssembly modules have no such kernels: they are downloaded, so they must be small.
        if cfg!(target_arch = "wasm32") {
            return None;
        }
        let is_utf8 = |charset: Charset| matches!(charset.kind(), Kind::Plain(Encoding::Utf8));
        match (from.kind(), to.kind()) {
            (Kind::Plain(Encoding::Iso8859_1), _) if is_utf8(to) => Some(Self::FromLatin1),
            (_, Kind::Plain(Encoding::Iso8859_1)) if is_utf8(from) => Some(Self::ToLatin1),
            _ if is_utf8(to) => from.simple().map(Self::From),
            _ if is_utf8(from) => to.simple().map(Self::To),
            _ => None,
        }
    }

    /// Whether the input is UTF-8; otherwise, the output is.
    pub(crate) fn is_from_utf8(self) -> bool {
        matches!(self, Self::ToLatin1 | Self::To(_))
    }

    /// Converts a prefix of `src`, which begins with a character. May overwrite all of `dst`. Returns the
    /// bytes read and written.
    pub(crate) fn run(self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let kernels = dispatch::active();
        match self {
            Self::FromLatin1 => kernels.convert(Layout::Latin1, Layout::Utf8, src, dst),
            Self::ToLatin1 => kernels.convert(Layout::Utf8, Layout::Latin1, src, dst),
            Self::From(Simple::Single(table)) => {
                kernels.convert_from_table(table, Layout::Utf8, src, dst)
            }
            Self::To(Simple::Single(table)) => {
                kernels.convert_to_table(Layout::Utf8, table, src, dst)
            }
            Self::From(Simple::Double(double)) => double.decode(kernels, src, dst),
            Self::To(Simple::Double(double)) => double.encode(kernels, src, dst),
        }
    }
}

/// Whether UTF-8 ends with a whole character.
pub(crate) fn is_whole(text: &[u8]) -> bool {
    let back = text.iter().rev().take(4).position(|byte| byte & 0xC0 != 0x80);
    match back {
        None => text.is_empty(),
        Some(back) => match text[text.len() - 1 - back] {
            ..0x80 => back == 0,
            _ => std::str::from_utf8(&text[text.len() - 1 - back..]).is_ok(),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::table::{Next, Table};
    use crate::{Code, Converter, Descriptor, Rules};

    /// The charsets that kernels convert.
    fn charsets() -> impl Iterator<Item = Charset> {
        let utf8 = Charset::for_name("UTF-8").unwrap();
        Charset::all().filter(move |charset| Bulk::new(*charset, utf8).is_some())
    }

    /// Every character of one or two bytes, in lines.
    fn all_of(charset: Charset) -> Vec<u8> {
        let table = match charset.kind() {
            Kind::Plain(encoding) => &Table::of(encoding),
            _ => charset.table().unwrap(),
        };
        let is_character = |sequence: &[u8]| matches!(table.next(sequence), Next::Point(_, length) if length == sequence.len());
        let mut text = Vec::new();
        for first in 1..=0xFF {
            if is_character(&[first]) {
                text.extend([first, b'a']);
                continue;
            }
            for second in 1..=0xFF {
                if is_character(&[first, second]) {
                    text.extend([first, second]);
                }
            }
            text.extend(b"abc\n");
        }
        text
    }

    /// The output, and what the conversion says about it.
    fn convert(names: [&str; 2], text: &[u8], chunk: usize, rules: &Rules, bulk: bool) -> String {
        let [from, to] = names.map(|name| Charset::for_name(name).unwrap());
        let mut converter = Converter::new(from, to, rules.clone()).unwrap();
        converter.use_kernels(bulk);
        let (mut out, mut shown) = (Vec::new(), String::new());
        let mut chunks = text.chunks(chunk).peekable();
        while let Some(part) = chunks.next() {
            if let Err(error) = converter.convert(part, chunks.peek().is_none(), &mut out) {
                _ = write!(shown, "{error}, {} bytes", error.length);
                break;
            }
        }
        format!("{out:X?} {} {shown}", converter.skipped())
    }

    fn compare(names: [&str; 2], text: &[u8], rules: &Rules) {
        for chunk in [97, 1000, usize::MAX] {
            let [ours, expected] =
                [true, false].map(|bulk| convert(names, text, chunk, rules, bulk));
            assert!(ours == expected, "{names:?}, pieces of {chunk}, {rules:?}");
        }
    }

    fn damaged(text: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        text.iter_mut().skip(150).step_by(331).for_each(|byte| *byte = 0xFF);
        text
    }

    #[test]
    fn kernels_change_nothing() {
        let skip = Rules::default().with_skip(true);
        let strict = Rules::default();
        let unicode: String = ('\u{1}'..='\u{11000}').collect();
        // Emulators are slow.
        let every = std::env::var("UTFALL_TEST_SHORT").map_or(1, |text| text.parse().unwrap());
        for charset in charsets().step_by(every) {
            let (to, from) = ([charset.name(), "UTF-8"], ["UTF-8", charset.name()]);
            let text = all_of(charset);
            assert!(text.len() > 200, "{}", charset.name());
            let mut decoded = Vec::new();
            let mut converter =
                Converter::new(charset, Charset::for_name("UTF-8").unwrap(), strict.clone())
                    .unwrap();
            converter.convert(&text, true, &mut decoded).unwrap();
            compare(to, &text, &strict);
            compare(to, &damaged(&text), &skip);
            compare(to, &damaged(&text), &strict);
            compare(from, &decoded, &strict);
            compare(from, &damaged(&decoded), &skip);
            compare(from, &damaged(&decoded), &strict);
            compare(from, unicode.as_bytes(), &skip);
        }
    }

    #[test]
    fn kernels_change_nothing_between_buffers() {
        for name in ["CP1252", "KOI8-R", "CP932", "EUC-JP", "GBK", "GB18030", "BIG5", "UHC"] {
            let charset = Charset::for_name(name).unwrap();
            let text = all_of(charset);
            let mut utf8 = Vec::new();
            let mut converter =
                Converter::new(charset, Charset::for_name("UTF-8").unwrap(), Rules::default())
                    .unwrap();
            converter.convert(&text, true, &mut utf8).unwrap();
            for (from, to, text) in [(name, "UTF-8", &text), ("UTF-8", name, &utf8)] {
                for (text, rules) in [
                    (text.clone(), Rules::default()),
                    (damaged(text), Rules::default()),
                    (damaged(text), Rules::default().with_skip(true)),
                ] {
                    for room in [1000, 4096, 1 << 20] {
                        let [ours, expected] = [true, false].map(|bulk| {
                            let code = |name| Code::parse(name, "").unwrap();
                            let mut made =
                                Descriptor::new(code(from), code(to), rules.clone()).unwrap();
                            made.use_kernels(bulk);
                            let (mut steps, mut read) = (Vec::new(), 0);
                            for _ in 0..text.len() / 100 {
                                let mut out = vec![0; room];
                                let step = made.step(&text[read..], &mut out);
                                read += step.read;
                                out.truncate(step.written);
                                steps.push((step, out));
                                if step.read == 0 {
                                    break;
                                }
                            }
                            steps
                        });
                        assert!(ours == expected, "{from}, {to}, {room}, {rules:?}");
                    }
                }
            }
        }
    }
}
