//! The differences from glibc 2.36 that docs/iconv.md gives reasons for.

use crate::beside_glibc::Difference;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// With `//IGNORE`, glibc forgets that it has dropped something.
    Forgotten,
    /// Ill-formed UTF-7 is reported at another byte, and `//IGNORE` drops more of it.
    Utf7,
    /// glibc rejects tag characters in ISO-2022-JP.
    Tags,
    /// glibc has a module for these two charsets.
    Direct,
    /// glibc's UTF-8 has characters above U+10FFFF.
    Above10FFFF,
    /// glibc holds back a letter that may be part of a character of BIG5HKSCS.
    Held,
    /// glibc writes transliterations in ISO-2022-JP without an escape sequence.
    Unescaped,
    /// With `//IGNORE`, glibc returns to the wrong byte when the output is full.
    Rewound,
}

const DIRECT: [[&str; 2]; 2] = [["EUC-CN", "GBK"], ["BIG5", "EUC-CN"]];

/// The reason for a difference, if it has one.
pub(crate) fn reason(difference: &Difference<'_>) -> Option<Reason> {
    let Difference { from, to, text, theirs, ours, .. } = difference;
    let same_bytes = theirs.read == ours.read && theirs.output == ours.output;
    let fails = Err("EILSEQ");
    if to.contains("//IGNORE") && same_bytes && theirs.result.is_ok() && ours.result == fails {
        return Some(Reason::Forgotten);
    }
    if from.starts_with("UTF-7") && (theirs.result == fails || ours.result == fails) {
        return Some(Reason::Utf7);
    }
    let is_tag = |unit: &[u8]| matches!(unit, [0xDB, 0x40, 0xDC, _]);
    if to.starts_with("ISO-2022-JP") && text.windows(4).any(is_tag) {
        return Some(Reason::Tags);
    }
    let stops = [Err("E2BIG"), fails];
    if to.contains("//IGNORE") && theirs.output == ours.output && stops.contains(&theirs.result) {
        return Some(Reason::Rewound);
    }
    let transliterates = to.contains("//TRANSLIT");
    let to = to.split("//").next().unwrap_or_default();
    let has_large = |name: &str| name.starts_with("UCS-4") || name == "WCHAR_T";
    if has_large(from) && to == "UTF-8" || *from == "UTF-8" && has_large(to) {
        return Some(Reason::Above10FFFF);
    }
    if to == "BIG5HKSCS" && (ours.output.contains(&0x88) || theirs.output.contains(&0x88)) {
        return Some(Reason::Held);
    }
    if to == "ISO-2022-JP" && transliterates && ours.output.starts_with(b"\x1B(B") {
        return Some(Reason::Unescaped);
    }
    if DIRECT.iter().any(|pair| pair.contains(from) && pair.contains(&to) && *from != to) {
        return Some(Reason::Direct);
    }
    None
}
