//! English names of languages.

/// The English name of a language that [`Candidate::language`](crate::Candidate::language) reports, such as
/// `Czech` for `cs`. `None` for other tags.
///
/// ```
/// assert_eq!(utfall_detect::language_name("cs"), Some("Czech"));
/// assert_eq!(utfall_detect::language_name("tlh"), None);
/// ```
#[must_use]
pub fn language_name(tag: &str) -> Option<&'static str> {
    let at = NAMES.binary_search_by_key(&tag, |(tag, _)| tag).ok()?;
    Some(NAMES[at].1)
}

/// Sorted by tag.
const NAMES: &[(&str, &str)] = &[
    ("ar", "Arabic"),
    ("az", "Azerbaijani"),
    ("be", "Belarusian"),
    ("bg", "Bulgarian"),
    ("br", "Breton"),
    ("bs", "Bosnian"),
    ("ca", "Catalan"),
    ("cs", "Czech"),
    ("cy", "Welsh"),
    ("da", "Danish"),
    ("de", "German"),
    ("el", "Greek"),
    ("en", "English"),
    ("eo", "Esperanto"),
    ("es", "Spanish"),
    ("et", "Estonian"),
    ("eu", "Basque"),
    ("fa", "Persian"),
    ("fi", "Finnish"),
    ("fr", "French"),
    ("ga", "Irish"),
    ("gd", "Scottish Gaelic"),
    ("gl", "Galician"),
    ("he", "Hebrew"),
    ("hr", "Croatian"),
    ("hu", "Hungarian"),
    ("is", "Icelandic"),
    ("it", "Italian"),
    ("ja", "Japanese"),
    ("kk", "Kazakh"),
    ("ko", "Korean"),
    ("lt", "Lithuanian"),
    ("lv", "Latvian"),
    ("mk", "Macedonian"),
    ("mt", "Maltese"),
    ("nl", "Dutch"),
    ("nn", "Norwegian Nynorsk"),
    ("no", "Norwegian"),
    ("oc", "Occitan"),
    ("pl", "Polish"),
    ("pt", "Portuguese"),
    ("ro", "Romanian"),
    ("ru", "Russian"),
    ("se", "Northern Sami"),
    ("sk", "Slovak"),
    ("sl", "Slovenian"),
    ("sq", "Albanian"),
    ("sr", "Serbian"),
    ("sr-latn", "Serbian (Latin)"),
    ("sv", "Swedish"),
    ("tg", "Tajik"),
    ("th", "Thai"),
    ("tr", "Turkish"),
    ("uk", "Ukrainian"),
    ("vi", "Vietnamese"),
    ("zh-hans", "Chinese (simplified)"),
    ("zh-hant", "Chinese (traditional)"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::TABLES;

    #[test]
    fn every_language_has_a_name() {
        assert!(NAMES.is_sorted_by(|before, after| before.0 < after.0));
        for table in TABLES {
            assert!(language_name(table.language).is_some(), "{}", table.language);
        }
    }
}
