//! The classes of differences, each with its reason in `docs/iconv.md`.

use super::texts::Damage;
use super::{Case, Run};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// `-c`, and nothing was written after the last character left out.
    LeftOutLast,
    /// Ill-formed UTF-7 and mailbox names.
    Utf7,
    /// Ill-formed EUC-KR and UHC: glibc leaves out too much.
    Korean,
    /// U+FFFD for codes of EUC-JP-MS without a character.
    Replaced,
    /// A line feed after a lead byte of GB 18030.
    LineFeed,
    /// Code points above 10FFFF in UTF-8.
    BeyondUnicode,
    /// Surrogates in UTF-7.
    SurrogatesWritten,
    /// Between two charsets with a module of their own.
    DirectModule,
    /// Designations in ISO-2022-CN and -CN-EXT, and ill-formed ISO-2022-KR and both.
    Iso2022,
    /// Ill-formed ISO-2022-JP-3, and pairs of JIS X 0213 with a character left out between them.
    JisX0213,
    /// Designations and controls in ISO-2022-JP-2, and a tilde after JIS X 0212.
    Iso2022Jp2,
    /// A character that could have been combined with the next one is lost before an error.
    Held,
    /// glibc does not convert `WCHAR_T` to itself.
    Refused,
    /// A difference without a reason.
    Unexplained,
}

impl Class {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::LeftOutLast => "[status of `-c`](#status-of--c-and-ignore)",
            Self::Utf7 => "[ill-formed UTF-7](#ill-formed-utf-7)",
            Self::Korean => "[ill-formed EUC-KR](#ill-formed-euc-kr)",
            Self::Replaced => "[U+FFFD from EUC-JP-MS](#ufffd-from-euc-jp-ms)",
            Self::LineFeed => "[a line feed in GB 18030](#a-line-feed-in-gb-18030)",
            Self::BeyondUnicode => "[above U+10FFFF](#above-u10ffff)",
            Self::SurrogatesWritten => "[surrogates in UTF-7](#surrogates-in-utf-7)",
            Self::DirectModule => "[direct modules](#direct-modules)",
            Self::Iso2022 => "[ISO-2022-KR and ISO-2022-CN](#iso-2022-kr-and-iso-2022-cn)",
            Self::JisX0213 => "[JIS X 0213](#jis-x-0213)",
            Self::Iso2022Jp2 => "[ISO-2022-JP-2](#iso-2022-jp-2)",
            Self::Held => "[characters held back](#characters-held-back)",
            Self::Refused => "`WCHAR_T` to itself, which glibc refuses",
            Self::Unexplained => "without a reason",
        }
    }
}

/// The class of the difference, if there is one.
pub(crate) fn of(case: &Case<'_>, ours: &Run, theirs: &Run) -> Option<Class> {
    if ours.status == theirs.status && ours.output == theirs.output {
        return None;
    }
    let is = |names: &[&str]| names.contains(&case.from);
    let to = |names: &[&str]| names.contains(&case.to);
    let damaged = case.damage != Damage::None;
    let more_shifts = shifts(&theirs.output) > shifts(&ours.output);
    let chinese = ["ISO-2022-CN", "ISO-2022-CN-EXT"];
    let ucs4 = ["UCS-4", "UCS-4LE", "WCHAR_T"];
    let both_ways =
        |first: &[&str], second: &[&str]| is(first) && to(second) || is(second) && to(first);

    Some(if both_ways(&["EUC-CN"], &["GBK", "BIG5"]) || both_ways(&["IBM1008"], &["IBM420"]) {
        Class::DirectModule
    } else if case.skip
        && ours.output == theirs.output
        && (ours.status, theirs.status) == (Some(0), Some(1))
        && theirs.message.is_empty()
    {
        Class::LeftOutLast
    } else if (is(&["ISO-2022-KR"]) || is(&chinese)) && damaged
        || is(&chinese) && designations(case.input) > 1
        || to(&chinese)
            && (has(&ours.output, b"\x1BN")
                || has(&ours.output, b"\x1BO")
                || ours.output.len() > BUFFER)
        || (to(&["ISO-2022-KR"]) || to(&chinese)) && damaged && more_shifts
    {
        Class::Iso2022
    } else if is(&["ISO-2022-JP-3"]) && damaged
        || to(&["ISO-2022-JP-3"]) && damaged && more_shifts
        || to(&["EUC-JISX0213", "SHIFT_JISX0213", "ISO-2022-JP-3"]) && case.skip
    {
        Class::JisX0213
    } else if is(&["ISO-2022-JP-2"]) && damaged
        || to(&["ISO-2022-JP-2"]) && damaged && more_shifts
        || to(&["ISO-2022-JP-2"])
            && (has(&ours.output, b"\x1B(B~")
                || has(&theirs.output, b"\x1BN") && theirs.output.len() > ours.output.len())
    {
        Class::Iso2022Jp2
    } else if is(&["UTF-7", "UTF-7-IMAP"]) && damaged {
        Class::Utf7
    } else if is(&["EUC-KR", "UHC"]) && damaged && case.skip {
        Class::Korean
    } else if is(&["EUC-JP-MS"]) && damaged && case.skip && case.input.contains(&0x8E) {
        Class::Replaced
    } else if is(&["GB18030"]) && damaged && case.skip && leads_to_line_feed(case.input) {
        Class::LineFeed
    } else if is(&ucs4) && to(&["UTF-7", "UTF-7-IMAP"]) && damaged {
        Class::SurrogatesWritten
    } else if (is(&ucs4) || is(&["UTF-8"])) && (to(&ucs4) || to(&["UTF-8"])) && damaged
        || is(&["WCHAR_T"]) && damaged
        || is(&["UTF-8"]) && case.skip && case.input.iter().any(|o| (0xF4..=0xFD).contains(o))
    {
        Class::BeyondUnicode
    } else if is(&["CP1255", "CP1258", "TCVN5712-1"])
        && (damaged && case.skip
            || theirs.status == Some(1) && ours.output.starts_with(&theirs.output))
    {
        Class::Held
    } else if is(&["WCHAR_T"]) && to(&["WCHAR_T"]) {
        Class::Refused
    } else {
        Class::Unexplained
    })
}

/// The size of glibc's buffers, at whose end it may repeat designations.
const BUFFER: usize = 8 << 10;

/// The number of sets for SO that a text in ISO-2022-CN or -CN-EXT designates.
fn designations(text: &[u8]) -> usize {
    [b"\x1B$)A", b"\x1B$)E", b"\x1B$)G"].into_iter().filter(|set| has(text, *set)).count()
}

/// The number of SO, SI and ESC, which glibc also writes as control characters.
fn shifts(text: &[u8]) -> usize {
    text.iter().filter(|byte| matches!(byte, 0x0E | 0x0F | 0x1B)).count()
}

fn has(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|bytes| bytes == part)
}

/// Whether a line feed follows a byte that begins a character.
fn leads_to_line_feed(text: &[u8]) -> bool {
    text.windows(2).any(|bytes| matches!(bytes, [0x81..=0xFE, b'\n']))
}
