//! Finds an encoding by the name that the user gave, and suggests others if there is none.

use utfall::{Encoding, Labels};
use utfall_bind::label::{folded, nearest};
use utfall_iconv::Charset;

use crate::failure::Failure;
use crate::message;

/// The purpose of an encoding.
#[derive(Clone, Copy)]
pub(crate) enum Use<'a> {
    /// To read text: `-f`.
    From,
    /// To write text that was read in this encoding, if `-f` gives one.
    To(Option<&'a str>),
}

/// The encoding with this label in a vocabulary.
pub(crate) fn find(label: &str, labels: Option<Labels>) -> Result<Encoding, Failure> {
    meaning(label, labels).ok_or_else(|| unknown(label))
}

fn meaning(label: &str, labels: Option<Labels>) -> Option<Encoding> {
    match labels {
        Some(labels) => Encoding::for_label_in(label, labels),
        None => Encoding::for_label(label),
    }
}

/// The encoding with this label, or an error that names the subcommand that supports it.
pub(crate) fn find_for(
    label: &str,
    labels: Option<Labels>,
    purpose: Use<'_>,
) -> Result<Encoding, Failure> {
    meaning(label, labels).ok_or_else(|| match in_iconv(label, purpose) {
        Some(help) => Failure::UsageWithHelp { text: unknown_text(label), help },
        None => unknown(label),
    })
}

/// The encoding of the input, if `-f` names it.
pub(crate) fn find_from(
    label: Option<&str>,
    labels: Option<Labels>,
) -> Result<Option<Encoding>, Failure> {
    label.map(|label| find_for(label, labels, Use::From)).transpose()
}

/// The error for an unknown label.
pub(crate) fn unknown(label: &str) -> Failure {
    Failure::UsageWithHelp { text: unknown_text(label), help: help(label) }
}

fn unknown_text(label: &str) -> String {
    format!("unknown encoding \"{}\"", message::plain(label))
}

/// ``try `utfall iconv -f JOHAB -t UTF-8` ``, if only `utfall iconv` knows the name.
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
