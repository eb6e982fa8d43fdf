//! The language of a file, from its path.

/// Word lists are named after languages in English.
const WORDS: [(&str, &str); 18] = [
    ("wbulgarian", "bg"),
    ("wbrazilian", "pt"),
    ("wdanish", "da"),
    ("wdutch", "nl"),
    ("wogerman", "de"),
    ("wngerman", "de"),
    ("wirish", "ga"),
    ("wpolish", "pl"),
    ("wukrainian", "uk"),
    ("wportuguese", "pt"),
    ("wnorwegian", "no"),
    ("wcatalan", "ca"),
    ("wswedish", "sv"),
    ("wfrench", "fr"),
    ("witalian", "it"),
    ("wspanish", "es"),
    ("wfaroese", "fo"),
    ("wamerican", "en"),
];

/// Folders whose name is followed by that of a language.
const BEFORE: [&str; 6] = ["locale", "resource", "man", "help", "C", "doc"];

/// The language of a file in a package: two or three letters, or `other`.
pub(crate) fn of(package: &str, path: &str) -> String {
    if let Some((_, language)) = WORDS.iter().find(|(name, _)| *name == package) {
        return (*language).to_owned();
    }
    let parts: Vec<&str> = path.split('/').collect();
    let after = parts.windows(2).find(|pair| BEFORE.contains(&pair[0]) && is_code(pair[1]));
    let stem = || {
        let name = path.rsplit('/').next().unwrap_or_default();
        path.contains("/cldr/").then(|| name.split(['_', '.']).next().unwrap_or_default())
    };
    let suffix = || {
        let prefixes =
            ["hunspell-", "fortunes-", "libreoffice-l10n-", "manpages-", "aptitude-doc-"];
        prefixes.iter().find_map(|prefix| package.strip_prefix(prefix))
    };
    let found =
        after.map(|pair| pair[1]).or_else(stem).or_else(suffix).filter(|code| is_code(code));
    found.map_or("other".to_owned(), base)
}

/// Norwegian is also Bokmål; the variants of a language are one.
fn base(code: &str) -> String {
    let base = code.split(['_', '-', '@', '.']).next().unwrap_or(code);
    let is_latin = code.contains("atin") || code.contains("Latn");
    match base {
        "nb" => "no".into(),
        "sr" | "uz" | "az" | "be" if is_latin => format!("{base}-latin"),
        "zh" if ["TW", "HK", "tw", "Hant"].iter().any(|place| code.contains(place)) => {
            "zh-tw".into()
        }
        base => base.to_owned(),
    }
}

fn is_code(text: &str) -> bool {
    let base = text.split(['_', '-', '@', '.']).next().unwrap_or_default();
    (2..=3).contains(&base.len()) && base.bytes().all(|byte| byte.is_ascii_lowercase())
}
