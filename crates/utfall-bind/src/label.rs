//! Encodings by the labels that users give.

use utfall::Encoding;

use crate::screen;

/// The number of labels suggested.
const SUGGESTIONS: usize = 3;
/// The length in bytes above which a label resembles no other.
const LONGEST: usize = 64;

/// The encoding with this label: a name or an alias, in any case. The label may contain any bytes.
///
/// # Errors
/// Returns a message that suggests similar labels.
///
/// ```
/// use utfall::Encoding;
/// use utfall_bind::label;
/// assert_eq!(label::find(b"latin1"), Ok(Encoding::Iso8859_1));
/// assert_eq!(
///     label::find(b"utf-9").unwrap_err(),
///     r#"unknown encoding "utf-9"; did you mean "UTF-8" or "utf-2" or "UTF-7"?"#
/// );
/// ```
pub fn find(label: &[u8]) -> Result<Encoding, String> {
    Encoding::for_label(label).ok_or_else(|| {
        let label = String::from_utf8_lossy(label);
        let near: Vec<_> = nearest(&label).iter().map(|near| format!("\"{near}\"")).collect();
        let text = format!("unknown encoding \"{}\"", screen::plain(&label));
        match near.is_empty() {
            true => text,
            false => format!("{text}; did you mean {}?", near.join(" or ")),
        }
    })
}

/// The labels nearest to `label`, nearest first, one for each encoding. A label of more than 64 bytes
/// has none.
#[must_use]
pub fn nearest(label: &str) -> Vec<&'static str> {
    if label.len() > LONGEST {
        return Vec::new();
    }
    let wanted = folded(label);
    let most = (wanted.len() / 3).max(1);
    let mut found: Vec<(usize, &'static str)> = Vec::new();
    for encoding in Encoding::ALL {
        let info = encoding.info();
        let labels = std::iter::once(info.name).chain(info.aliases.iter().copied());
        let nearest = labels
            .map(|known| (distance(&wanted, &folded(known)), known))
            .min_by_key(|(distance, _)| *distance);
        let Some((distance, label)) = nearest.filter(|(distance, _)| *distance <= most) else {
            continue;
        };
        // Among equally near labels, the first in the registry wins. Sorting would need more code.
        let at = found.iter().take_while(|(other, _)| *other <= distance).count();
        found.insert(at, (distance, label));
        found.truncate(SUGGESTIONS);
    }
    found.into_iter().map(|(_, label)| label).collect()
}

/// The significant part of a label: letters of US-ASCII, without case, digits, and everything beyond US-ASCII,
/// which no label has.
#[must_use]
pub fn folded(label: &str) -> Vec<char> {
    let is_significant = |c: &char| c.is_ascii_alphanumeric() || !c.is_ascii();
    label.chars().filter(is_significant).map(|c| c.to_ascii_lowercase()).collect()
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
        assert!(nearest(&"utf-8".repeat(100_000)).is_empty());
    }
}
