//! The encoding that a text declares about itself.

use utfall::Encoding;

use crate::hints::covers;

/// How far into the text a declaration is searched, in bytes.
const SEARCHED: usize = 2048;
/// Lines in which a comment for editors may be.
const LINES: usize = 2;

/// A declaration whose label is that of a known encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) encoding: Encoding,
    /// The position of the label in the text.
    pub(crate) offset: usize,
}

impl Declared {
    /// Whether the declaration allows this encoding. Browsers and programs for Windows use the label
    /// ISO-8859-1 for windows-1252.
    pub(crate) fn allows(self, encoding: Encoding) -> bool {
        let is_latin = self.encoding == Encoding::Iso8859_1;
        covers(self.encoding, encoding) || is_latin && encoding == Encoding::Windows1252
    }
}

/// The first declaration at the start of a text whose US-ASCII is that of most encodings: XML, HTML,
/// CSS, JSP, headers of mail and of gettext, comments for editors, TeX, SQL, and hunspell.
pub(crate) fn find(head: &[u8]) -> Option<Declared> {
    let head = &head[..head.len().min(SEARCHED)];
    let mut offset = 0;
    for (number, line) in head.split(|byte| *byte == b'\n').enumerate() {
        let small = line.to_ascii_lowercase();
        let is_start = number == 0;
        let after = |start: &[u8], name: &[u8]| -> Option<usize> {
            let at = position(&small, start)?;
            Some(at + start.len() + position(&small[at + start.len()..], name)? + name.len())
        };
        let found = after(b"<?xml", b"encoding=")
            .filter(|_| is_start)
            .or_else(|| after(b"<meta", b"charset="))
            .or_else(|| after(b"content-type:", b"charset="))
            .or_else(|| after(b"@charset", b" ").filter(|_| small.starts_with(b"@charset")))
            .or_else(|| after(b"<%@", b"pageencoding="))
            .or_else(|| after(b"set names ", b"").filter(|_| small.starts_with(b"set names ")))
            .or_else(|| after(b"set ", b"").filter(|_| line.starts_with(b"SET ")))
            .or_else(|| {
                let is_tex = small.starts_with(b"\\usepackage[");
                let options = b"\\usepackage[".len();
                let is_found = is_tex && position(&small, b"]{inputenc}").is_some();
                is_found.then_some(options)
            })
            .or_else(|| {
                let is_modeline = number < LINES && after(b"vim:", b"").is_some();
                let coding = after(b"vim:", b"encoding=").or_else(|| after(b"vim:", b"fenc="));
                coding.filter(|_| is_modeline)
            })
            .or_else(|| {
                let is_comment = number < LINES && line.starts_with(b"#");
                let is_for_editors = is_comment || position(&small, b"-*-").is_some();
                let coding = after(b"coding:", b"").or_else(|| after(b"coding=", b""));
                coding.filter(|_| is_for_editors)
            });
        if let Some(declared) = found.and_then(|at| label(line, at)) {
            return Some(Declared { offset: offset + declared.offset, ..declared });
        }
        offset += line.len() + 1;
    }
    None
}

fn position(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|window| window == part)
}

/// The label at this place of the line, after spaces and a quotation mark.
fn label(line: &[u8], at: usize) -> Option<Declared> {
    let is_before = |byte: &u8| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b'\\');
    let start = at + line[at..].iter().take_while(|byte| is_before(byte)).count();
    let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.+".contains(byte);
    let length = line[start..].iter().take_while(|byte| is_label(byte)).count();
    let label = str::from_utf8(&line[start..start + length]).ok()?;
    let longer = match label {
        // TeX has these.
        "ansinew" => "windows-1252".to_owned(),
        "applemac" => "macintosh".to_owned(),
        // Hunspell writes ISO8859-2 and microsoft-cp1251.
        _ => label.replace("ISO8859", "ISO-8859").replace("microsoft-cp", "windows-"),
    };
    let encoding = Encoding::for_label(label).or_else(|| Encoding::for_label(&longer))?;
    Some(Declared { encoding, offset: start })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An encoding, and the position of its label.
    type Found = (Encoding, usize);

    #[test]
    fn declarations_are_found() {
        let cases: [(&[u8], Option<Found>); 20] = [
            (b"\\usepackage[latin2]{inputenc}", Some((Encoding::Iso8859_2, 12))),
            (b"\\usepackage[T1]{fontenc}", None),
            (b"% x\n\\usepackage[applemac]{inputenc}\n", Some((Encoding::Macintosh, 16))),
            (b"SET NAMES 'cp1251';\n", Some((Encoding::Windows1251, 11))),
            (b"// vim: set fileencoding=koi8-r :\n", Some((Encoding::Koi8R, 25))),
            (b"/* vim:fenc=cp1250 */\n", Some((Encoding::Windows1250, 12))),
            (b"<%@ page pageEncoding=\"big5\" %>", Some((Encoding::Big5, 23))),
            (b"<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?>\n", Some((Encoding::Iso8859_2, 30))),
            (b"<html><meta charset=koi8-r>", Some((Encoding::Koi8R, 20))),
            (b"<meta content='text/html; charset=big5'>", Some((Encoding::Big5, 34))),
            (
                b"To: a\nContent-Type: text/plain; charset=\"windows-1251\"\n",
                Some((Encoding::Windows1251, 41)),
            ),
            (b"#!/bin/sh\n# -*- coding: latin1 -*-\n", Some((Encoding::Windows1252, 24))),
            (b"\n\n# -*- coding: koi8-r -*-\n", Some((Encoding::Koi8R, 16))),
            (b"@charset \"euc-jp\";", Some((Encoding::EucJp, 10))),
            (
                b"msgid \"\"\n\"Content-Type: text/plain; charset=ISO-8859-15\\n\"",
                Some((Encoding::Iso8859_15, 44)),
            ),
            (b"SET ISO8859-2\nTRY a", Some((Encoding::Iso8859_2, 4))),
            (b"SET microsoft-cp1251\n", Some((Encoding::Windows1251, 4))),
            (b"# coding: klingon\n", None),
            (b"the coding: latin1 of text", None),
            (b"set utf-8", None),
        ];
        for (text, expected) in cases {
            let found = find(text).map(|found| (found.encoding, found.offset));
            let shown = text.escape_ascii();
            // US-ASCII and ISO 8859-1 are labels of windows-1252 on the web, not here.
            match (found, expected) {
                (Some((Encoding::Iso8859_1, at)), Some((Encoding::Windows1252, other))) => {
                    assert_eq!(at, other, "{shown}");
                }
                _ => assert_eq!(found, expected, "{shown}"),
            }
        }
    }
}
