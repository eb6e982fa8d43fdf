//! Finds an encoding by the name that the user gave, and suggests others if there is none.

use utfall::Encoding;
use utfall_iconv::Charset;

use crate::failure::Failure;
use crate::message;

/// The number of labels suggested.
const SUGGESTIONS: usize = 3;

/// The purpose of an encoding.
#[derive(Clone, Copy)]
pub(crate) enum Use<'a> {
    /// To read text: `-f`.
    From,
    /// To write text that was read in this encoding, if `-f` gives one.
    To(Option<&'a str>),
}

/// The encoding with this label.
pub(crate) fn find(label: &str) -> Result<Encoding, Failure> {
    Encoding::for_label(label).ok_or_else(|| unknown(label))
}

/// The encoding with this label, or an error that names the subcommand that supports it.
pub(crate) fn find_for(label: &str, purpose: Use<'_>) -> Result<Encoding, Failure> {
    let found = Encoding::for_label(label);
    found.ok_or_else(|| match in_iconv(label, purpose) {
        Some(help) => Failure::UsageWithHelp { text: unknown_text(label), help },
        None => unknown(label),
    })
}

/// The encoding of the input, if `-f` names it.
pub(crate) fn find_from(label: Option<&str>) -> Result<Option<Encoding>, Failure> {
    label.map(|label| find_for(label, Use::From)).transpose()
}

/// The error for an unknown label.
pub(crate) fn unknown(label: &str) -> Failure {
    Failure::UsageWithHelp { text: unknown_text(label), help: help(label) }
}

fn unknown_text(label: &str) -> String {
    format!("unknown encoding \"{}\"", message::plain(label))
}

/// ``try `utfall iconv -f CP437 -t UTF-8` ``, if only `utfall iconv` knows the name.
fn in_iconv(label: &str, purpose: Use<'_>) -> Option<String> {
    let has = |name: &str| Charset::for_name(name).is_some();
    if !has(label) {
        return None;
    }
    let (from, to) = match purpose {
        Use::From => (label, "UTF-8"),
        Use::To(from) => (from.filter(|from| has(from)).unwrap_or("UTF-8"), label),
    };
    let (from, to) = (message::shell_word(from), message::shell_word(to));
    Some(format!("only `utfall iconv` has it: try `utfall iconv -f {from} -t {to}`"))
}

/// The encodings whose name, labels or specification contain this text.
pub(crate) fn matching(text: &str) -> Vec<Encoding> {
    let (wanted, lower) = (folded(text), text.to_lowercase());
    let has = |label: &&str| {
        let label = folded(label);
        !wanted.is_empty() && label.windows(wanted.len()).any(|part| part == wanted)
    };
    let matches = |encoding: &&Encoding| {
        let info = encoding.info();
        text.is_empty()
            || has(&info.name)
            || info.aliases.iter().any(has)
            || info.specification.to_lowercase().contains(&lower)
    };
    Encoding::ALL.iter().filter(matches).copied().collect()
}

/// A suggestion for this unknown label.
fn help(label: &str) -> String {
    // In iconv, the name includes the treatment of errors.
    if let Some((name, suffix)) = label.split_once("//") {
        let instead = match suffix.to_ascii_uppercase().as_str() {
            "IGNORE" => "-c",
            "TRANSLIT" => "--transliterate",
            _ => "--on-error",
        };
        return format!("give \"{}\", and {instead}", message::plain(name));
    }
    let mut text = String::new();
    let near = nearest(label);
    if !near.is_empty() {
        let quoted: Vec<_> = near.iter().map(|label| format!("\"{label}\"")).collect();
        text = format!("did you mean {}? ", quoted.join(" or "));
    }
    text + "`utfall list` shows all encodings and their labels"
}

/// The labels nearest to `label`, nearest first, one for each encoding.
fn nearest(label: &str) -> Vec<&'static str> {
    let wanted = folded(label);
    let most = (wanted.len() / 3).max(1);
    let mut found: Vec<(usize, &'static str)> = Encoding::ALL
        .iter()
        .filter_map(|encoding| {
            let info = encoding.info();
            std::iter::once(info.name)
                .chain(info.aliases.iter().copied())
                .map(|known| (distance(&wanted, &folded(known)), known))
                .min_by_key(|(distance, _)| *distance)
        })
        .filter(|(distance, _)| *distance <= most)
        .collect();
    // Among equally near labels, the first in the registry wins.
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().take(SUGGESTIONS).map(|(_, label)| label).collect()
}

/// The significant part of a label: letters, without case, and digits.
fn folded(label: &str) -> Vec<char> {
    label.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

/// The edit distance from `a` to `b`, in characters.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let distance = |a: &str, b: &str| distance(&folded(a), &folded(b));
        assert_eq!(distance("utf-8", "UTF8"), 0);
        assert_eq!(distance("utf-88", "utf-8"), 1);
        assert_eq!(distance("", "utf8"), 4);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn suggestions() {
        assert_eq!(nearest("utf-9").first(), Some(&"UTF-8"));
        assert!(nearest("asci")[0].eq_ignore_ascii_case("ascii"));
        assert!(nearest("klingon-1").is_empty());
    }
}
