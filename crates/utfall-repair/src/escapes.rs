//! Escapes for characters in US-ASCII. Misread text may be written in them.

mod html;
mod json;
mod names;
mod percent;

pub use html::Entities;

use crate::chain::Step;
use crate::raw::Characters;

/// The kinds of escapes that represent characters in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forms {
    pub(crate) json: bool,
    pub(crate) html: bool,
    pub(crate) percent: bool,
}

impl Forms {
    /// The kind of a step.
    fn of_step(step: Step) -> Self {
        Self {
            json: matches!(step, Step::JsonEscapes { .. }),
            html: matches!(step, Step::HtmlEntities(_)),
            percent: matches!(step, Step::PercentEncoding { .. }),
        }
    }

    pub(crate) fn are_any(self) -> bool {
        self.json || self.html || self.percent
    }

    /// Whether an escape may begin with this byte.
    pub(crate) fn begin_with(self, byte: u8) -> bool {
        match byte {
            b'\\' => self.json,
            b'&' => self.html,
            b'%' => self.percent,
            _ => false,
        }
    }

    /// Whether a line may contain escapes.
    pub(crate) fn are_in(self, line: &[u8]) -> bool {
        self.are_any()
            && line.iter().enumerate().any(|(index, byte)| {
                self.begin_with(*byte) && (*byte != b'\\' || line.get(index + 1) == Some(&b'u'))
            })
    }

    /// The first token: its length in bytes, and its character if it is an escape. In JSON, a pair such as `\\` is a
    /// token too. Any other byte is one.
    fn token(self, bytes: &[u8]) -> (usize, Option<char>) {
        let found = match bytes {
            [b'\\', _, ..] if self.json => match json::character(bytes) {
                None => return (2, None),
                found => found,
            },
            [b'&', ..] if self.html => html::character(bytes),
            [b'%', ..] if self.percent => percent::character(bytes),
            _ => None,
        };
        found.map_or((1, None), |(character, length)| (length, Some(character)))
    }

    /// The length in bytes of the first token.
    pub(crate) fn length(self, bytes: &[u8]) -> usize {
        self.token(bytes).0
    }

    /// Replaces each escape in `characters` with the character it encodes.
    pub(crate) fn join(self, line: &[u8], characters: &mut Characters) {
        let (mut all, mut offsets) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < characters.all.len() {
            let offset = characters.offsets[at];
            // The bytes of a token are characters, too, except for the second one of a pair.
            let (count, escaped) = self.token(&line[offset..]);
            let end = (at + count).min(characters.all.len());
            match escaped {
                Some(escaped) => {
                    all.push(escaped);
                    offsets.push(offset);
                }
                None => {
                    all.extend_from_slice(&characters.all[at..end]);
                    offsets.extend_from_slice(&characters.offsets[at..end]);
                }
            }
            at = end;
        }
        offsets.push(line.len());
        (characters.all, characters.offsets) = (all, offsets);
    }

    /// The step that wrote a text in escapes of one of these kinds, if it has any.
    pub(crate) fn step(self, bytes: &[u8]) -> Option<Step> {
        let json = self.json.then(|| json::case(bytes)).flatten();
        let html = self.html.then(|| html::kind(bytes)).flatten();
        let percent = self.percent.then(|| percent::case(bytes)).flatten();
        let json = json.map(|upper| Step::JsonEscapes { upper });
        let percent = percent.map(|upper| Step::PercentEncoding { upper });
        json.or(html.map(Step::HtmlEntities)).or(percent)
    }
}

/// Decodes the escapes of a step, and copies everything else.
pub(crate) fn undone(bytes: &[u8], step: Step) -> Vec<u8> {
    let forms = Forms::of_step(step);
    let mut text = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let (length, escaped) = forms.token(rest);
        let (head, tail) = rest.split_at(length);
        match escaped {
            Some(escaped) => text.extend_from_slice(escaped.encode_utf8(&mut [0; 4]).as_bytes()),
            None => text.extend_from_slice(head),
        }
        rest = tail;
    }
    text
}

/// Escapes each non-ASCII character of a text, if the step is one of escapes.
pub(crate) fn escaped(text: &str, step: Option<Step>) -> Vec<u8> {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match step {
            _ if character.is_ascii() => out.push(character),
            Some(Step::JsonEscapes { upper }) => json::escape(character, upper, &mut out),
            Some(Step::HtmlEntities(kind)) => html::escape(character, kind, &mut out),
            Some(Step::PercentEncoding { upper }) => percent::escape(character, upper, &mut out),
            _ => out.push(character),
        }
    }
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_what_is_none() {
        let json = Step::JsonEscapes { upper: false };
        let html = Step::HtmlEntities(Entities::Named);
        let percent = Step::PercentEncoding { upper: true };
        for (step, bytes, text) in [
            (json, r"a\u00e9b", "aéb"),
            (json, r"\u00E9\u00e9", "éé"),
            (json, r"\ud83d\ude00", "\u{1F600}"),
            (json, r"\uD83D\uDE00\u0041", "\u{1F600}A"),
            // An escaped backslash, followed by an unescaped one.
            (json, r"\\u00e9", r"\\u00e9"),
            (json, r"\\\u00e9", r"\\é"),
            (json, r"\n\u00e9", r"\né"),
            // Lone surrogates, and missing digits.
            (json, r"\ud83d", r"\ud83d"),
            (json, r"\ude00\ud83d", r"\ude00\ud83d"),
            (json, r"\ud83d\u00e9", r"\ud83dé"),
            (json, r"\u00e", r"\u00e"),
            (json, r"\u00+9", r"\u00+9"),
            (json, r"\", r"\"),
            (html, "&eacute;&#233;&#xE9;&#Xe9;&nbsp;", "éééé\u{A0}"),
            // In the numbers of C1 controls, browsers read windows-1252.
            (html, "&#128;&#x9f;&#129;", "€Ÿ\u{81}"),
            (html, "&Scaron;&scaron;&rcaron;&#x1F600;", "Ššř\u{1F600}"),
            (
                html,
                "&amp;&lt;&#65;&eacute &foo; &#; &#x; &#+9; &#xD800; &",
                "&amp;&lt;&#65;&eacute &foo; &#; &#x; &#+9; &#xD800; &",
            ),
            (percent, "%C3%A9%c3%a9%F0%9F%98%80", "éé\u{1F600}"),
            (
                percent,
                "%E9 %C3 %C3%28 %41%20%ED%A0%80 %C3%8 %",
                "%E9 %C3 %C3%28 %41%20%ED%A0%80 %C3%8 %",
            ),
        ] {
            let undone = String::from_utf8(undone(bytes.as_bytes(), step)).unwrap();
            assert_eq!(undone, text, "{bytes}");
        }
    }

    #[test]
    fn escaped_again() {
        for (step, text) in [
            (Step::JsonEscapes { upper: false }, r"\u00e9\ud83d\ude00a"),
            (Step::JsonEscapes { upper: true }, r"\u00E9\uD83D\uDE00a"),
            (Step::HtmlEntities(Entities::Named), "&eacute;&#128512;a"),
            (Step::HtmlEntities(Entities::Decimal), "&#233;&#128512;a"),
            (Step::HtmlEntities(Entities::Hexadecimal), "&#xE9;&#x1F600;a"),
            (Step::HtmlEntities(Entities::Some), "é\u{1F600}a"),
            (Step::PercentEncoding { upper: true }, "%C3%A9%F0%9F%98%80a"),
            (Step::PercentEncoding { upper: false }, "%c3%a9%f0%9f%98%80a"),
        ] {
            let escaped = escaped("é\u{1F600}a", Some(step));
            assert_eq!(String::from_utf8(escaped).unwrap(), text);
        }
        assert_eq!(escaped("é", Some(Step::Controls)), "é".as_bytes());
    }

    #[test]
    fn kinds_of_a_place() {
        let forms = Forms { json: true, html: true, percent: true };
        for (bytes, step) in [
            ("é", None),
            (r"\\u00E9", None),
            (r"\u0080", Some(Step::JsonEscapes { upper: false })),
            (r"\u0080\u00E9", Some(Step::JsonEscapes { upper: true })),
            ("&Atilde;&#169;", Some(Step::HtmlEntities(Entities::Named))),
            ("&#195;&copy;", Some(Step::HtmlEntities(Entities::Named))),
            ("&#195;&#xA9;", Some(Step::HtmlEntities(Entities::Decimal))),
            ("&#xc3;&#xa9;", Some(Step::HtmlEntities(Entities::Hexadecimal))),
            ("Ã&nbsp;", Some(Step::HtmlEntities(Entities::Some))),
            ("%C3%83%C2%A9", Some(Step::PercentEncoding { upper: true })),
            ("%c3%83%c2%a9", Some(Step::PercentEncoding { upper: false })),
        ] {
            assert_eq!(forms.step(bytes.as_bytes()), step, "{bytes}");
        }
        assert_eq!(Forms { json: true, html: false, percent: false }.step(b"&Atilde;"), None);
    }

    #[test]
    fn names_are_in_order() {
        assert!(names::HTML_4.is_sorted() && names::HTML_5.is_sorted());
    }
}
