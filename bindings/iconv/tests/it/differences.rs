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
    /// glibc reports some ill-formed UTF-8 only when the sequence is complete.
    Late,
    /// glibc holds back a letter that may be part of a character of BIG5HKSCS.
    Held,
    /// glibc writes transliterations in ISO-2022-JP without an escape sequence.
    Unescaped,
    /// glibc skips a character of UTF-32 when the output is full and `//IGNORE` dropped bytes.
    Skipped,
    /// glibc drops more of ill-formed EUC-KR and GB 18030.
    Dropped,
    /// glibc writes unpaired surrogates to UTF-7.
    Surrogates,
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
    let is_damaged = difference.has_failed || theirs.result == fails || ours.result == fails;
    let is_lenient = to.contains("//IGNORE") || to.starts_with("WCHAR_T");
    let is_later = theirs.read < ours.read || same_bytes && to.contains("//IGNORE");
    if to.starts_with("ISO-2022-JP") && theirs.result == fails && is_later {
        return Some(Reason::Tags);
    }
    let has_skipped = theirs.output == ours.output && theirs.read > ours.read;
    if from.starts_with("UTF-32") && to.contains("//IGNORE") && has_skipped {
        return Some(Reason::Skipped);
    }
    let transliterates = to.contains("//TRANSLIT");
    let to = to.split("//").next().unwrap_or_default();
    let has_large = |name: &str| name.starts_with("UCS-4") || name == "WCHAR_T";
    let Difference { at, window, .. } = difference;
    let is_late = theirs.result == Err("EINVAL") && ours.result == fails;
    if *from == "UTF-8" && is_late {
        return Some(Reason::Late);
    }
    let is_long = |byte: &u8| (0xF4..0xFE).contains(byte);
    if *from == "UTF-8" && text[*at..at + window].iter().any(is_long) {
        return Some(Reason::Above10FFFF);
    }
    let is_full_for_one = theirs.result == Err("E2BIG") && ours.result == fails;
    if has_large(from) && (to == "UTF-8" || has_large(to) || is_full_for_one && same_bytes) {
        return Some(Reason::Above10FFFF);
    }
    if (has_large(from) || from.starts_with("UTF-16")) && to.starts_with("UTF-7") {
        return Some(Reason::Surrogates);
    }
    if to == "ISO-2022-JP" && transliterates {
        return Some(Reason::Unescaped);
    }
    if DIRECT.iter().any(|pair| pair.contains(from) && pair.contains(&to) && *from != to) {
        return Some(Reason::Direct);
    }
    None
}
