//! The differences from glibc 2.36 that docs/iconv.md gives reasons for.

use crate::beside_glibc::{Both, Difference};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// With `//IGNORE`, glibc forgets that it has dropped something.
    Forgotten,
    /// glibc rejects tag characters in ISO-2022-JP.
    Tags,
    /// glibc has a module for these two charsets.
    Direct,
    /// glibc's UTF-8 has characters above U+10FFFF.
    Above10FFFF,
    /// glibc reports some ill-formed UTF-8 only when the sequence is complete.
    Late,
    /// glibc writes transliterations in ISO-2022-JP without an escape sequence.
    Unescaped,
    /// glibc skips a character of UTF-32 or UNICODE when the output is full and `//IGNORE` dropped
    /// bytes.
    Skipped,
    /// glibc drops more of ill-formed EUC-KR and GB 18030.
    Dropped,
    /// glibc converts unpaired surrogates between UTF-7 and UCS-4.
    Surrogates,
}

const DIRECT: [[&str; 2]; 2] = [["EUC-CN", "GBK"], ["BIG5", "EUC-CN"]];

const FAILS: Result<usize, &str> = Err("EILSEQ");

/// Whether a difference has a reason.
type Condition = fn(&Difference<'_>) -> bool;

/// The reason for a difference, if it has one.
pub(crate) fn reason(difference: &Difference<'_>) -> Option<Reason> {
    let reasons: [(Reason, Condition); 9] = [
        (Reason::Forgotten, is_forgotten),
        (Reason::Tags, is_tag),
        (Reason::Skipped, is_skipped),
        (Reason::Dropped, is_dropped),
        (Reason::Late, is_late),
        (Reason::Above10FFFF, is_above),
        (Reason::Surrogates, is_surrogate),
        (Reason::Unescaped, is_unescaped),
        (Reason::Direct, is_direct),
    ];
    reasons.into_iter().find(|(_, is_so)| is_so(difference)).map(|(reason, _)| reason)
}

impl Difference<'_> {
    fn ignores(&self) -> bool {
        self.to.contains("//IGNORE")
    }

    /// The target without suffixes.
    fn target(&self) -> &str {
        self.to.split("//").next().unwrap_or_default()
    }

    /// The input of the call.
    fn input(&self) -> &[u8] {
        &self.text[self.at..self.at + self.window]
    }

    fn has_same_bytes(&self) -> bool {
        self.theirs.read == self.ours.read && self.theirs.output == self.ours.output
    }

    /// The code points of the input, and of the text up to its end, as glibc decodes them. A text that was
    /// split elsewhere may have others.
    fn points(&self) -> Vec<u32> {
        let text = &self.text[..self.at + self.window];
        let of = |text| Both::of_glibc(self.from, "UCS-4LE//IGNORE", text).output;
        let skipping = Both::of_glibc_skipping(self.from, "UCS-4LE", text);
        let bytes = [of(self.input()), of(text), skipping].concat();
        bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
    }
}

fn has_large(name: &str) -> bool {
    name.starts_with("UCS-4") || name == "WCHAR_T"
}

fn is_forgotten(it: &Difference<'_>) -> bool {
    it.ignores() && it.has_same_bytes() && it.theirs.result.is_ok() && it.ours.result == FAILS
}

fn is_tag(it: &Difference<'_>) -> bool {
    let is_later =
        it.theirs.read < it.ours.read || it.has_same_bytes() && it.to.contains("//IGNORE");
    let is_tag = |point: &u32| (0xE_0000..0xE_0080).contains(point);
    it.target() == "ISO-2022-JP"
        && it.theirs.result == FAILS
        && is_later
        && it.points().iter().any(is_tag)
}

fn is_skipped(it: &Difference<'_>) -> bool {
    ["UTF-32", "UNICODE"].iter().any(|name| it.from.starts_with(name))
        && it.ignores()
        && it.theirs.output.starts_with(&it.ours.output)
        && it.theirs.read > it.ours.read
        && it.ours.result == Err("E2BIG")
}

/// utfall writes the same if the bytes that glibc drops are not there.
fn is_dropped(it: &Difference<'_>) -> bool {
    ["EUC-KR", "UHC", "GB18030"].contains(&it.from)
        && it.ignores()
        && is_explained_by_dropping(it, it.input().to_vec(), false)
}

fn is_explained_by_dropping(it: &Difference<'_>, input: Vec<u8>, has_dropped: bool) -> bool {
    let strict = Both::of_utfall(it.from, "UCS-4LE", &input);
    if strict.result != FAILS {
        let rest = Both::of_utfall(it.from, it.to, &input).output;
        // A new text begins with a BOM.
        let mark = match it.target() {
            "UTF-16" | "UNICODE" => 2,
            "UTF-32" => 4,
            _ => 0,
        };
        let is_so = |rest: &[u8]| rest.starts_with(&it.theirs.output);
        return has_dropped && (is_so(&rest) || rest.get(mark..).is_some_and(is_so));
    }
    let (before, invalid) = input.split_at(strict.read);
    (1..=4).any(|count| {
        let after = invalid.get(count..).unwrap_or_default();
        is_explained_by_dropping(it, [before, after].concat(), has_dropped || count > 1)
    })
}

/// The first bytes of a sequence whose second byte makes it invalid.
fn is_late(it: &Difference<'_>) -> bool {
    let is_rest = matches!(
        &it.input()[it.theirs.read..],
        [0xE0, 0x80..0xA0]
            | [0xED, 0xA0..0xC0]
            | [0xF0, 0x80..0x90]
            | [0xF0, 0x80..0x90, 0x80..0xC0]
    );
    it.from == "UTF-8" && it.theirs.result == Err("EINVAL") && it.ours.result == FAILS && is_rest
}

fn is_above(it: &Difference<'_>) -> bool {
    if it.from == "UTF-8" {
        let mut pairs = it.input().windows(2);
        return matches!(it.input(), [.., 0xF5..0xFE])
            || pairs.any(|pair| matches!(pair, [0xF4, 0x90..0xC0] | [0xF5..0xFE, 0x80..0xC0]));
    }
    let is_above = |bytes: &[u8; 4]| {
        let order = if it.from == "UCS-4" { u32::from_be_bytes } else { u32::from_le_bytes };
        order(*bytes) > 0x10_FFFF
    };
    has_large(it.from) && it.input().as_chunks().0.iter().any(is_above)
}

fn is_surrogate(it: &Difference<'_>) -> bool {
    let has_them = |name: &str| has_large(name) || name.starts_with("UTF-7");
    let is_surrogate = |point: &u32| (0xD800..0xE000).contains(point);
    has_them(it.from)
        && has_them(it.target())
        && [it.from, it.target()].iter().any(|name| name.starts_with("UTF-7"))
        && it.points().iter().any(is_surrogate)
}

/// Without escape sequences, one output is the beginning of the other.
fn is_unescaped(it: &Difference<'_>) -> bool {
    let plain = |bytes: &[u8]| {
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        text.replace("\x1B(B", "").replace("\x1B(J", "").replace("\x1B$B", "")
    };
    let (theirs, ours) = (plain(&it.theirs.output), plain(&it.ours.output));
    it.to.starts_with("ISO-2022-JP//TRANSLIT")
        && (theirs.starts_with(&ours) || ours.starts_with(&theirs))
}

/// In two steps, through Unicode, glibc writes what utfall writes.
fn is_direct(it: &Difference<'_>) -> bool {
    let pair = [it.from, it.target()];
    if !DIRECT.iter().any(|[a, b]| [[*a, *b], [*b, *a]].contains(&pair)) {
        return false;
    }
    let suffix = if it.ignores() { "//IGNORE" } else { "" };
    let first = Both::of_glibc(it.from, &format!("UCS-4LE{suffix}"), &it.input()[..it.ours.read]);
    let second = Both::of_glibc("UCS-4LE", it.to, &first.output);
    second.output == it.ours.output
}
