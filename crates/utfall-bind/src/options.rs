//! Options of conversions by name, with the words of `utfall convert`.

use utfall::{
    Bom, DoubleMappings, Escape, Granularity, Options, Policy, Substitute, Utf7Options,
    Utf7Tolerance,
};

/// The words of `--on-error`.
pub const POLICIES: [(&str, Policy); 7] = [
    ("strict", Policy::Strict),
    ("replace", Policy::Replace),
    ("skip", Policy::Skip),
    ("escape", Policy::Escape(Escape::Braces)),
    ("escape-xml", Policy::Escape(Escape::Xml)),
    ("escape-python", Policy::Escape(Escape::Python)),
    ("surrogateescape", Policy::SurrogateEscape),
];

/// The words of `--granularity`.
pub const GRANULARITIES: [(&str, Granularity); 4] = [
    ("maximal-subpart", Granularity::MaximalSubpart),
    ("per-byte", Granularity::PerByte),
    ("jdk", Granularity::Jdk),
    ("perl", Granularity::Perl),
];

/// The words of `--bom`.
pub const BOMS: [(&str, Bom); 4] =
    [("auto", Bom::Auto), ("keep", Bom::Keep), ("strip", Bom::Strip), ("add", Bom::Add)];

/// The words of `--double-mappings`.
pub const DOUBLE_MAPPINGS: [(&str, DoubleMappings); 5] = [
    ("table", DoubleMappings::Table),
    ("round-trip", DoubleMappings::RoundTrip),
    ("either", DoubleMappings::Either),
    ("jis", DoubleMappings::Jis),
    ("microsoft", DoubleMappings::Microsoft),
];

/// The words of `--jis-x-0212`.
pub const JIS_X_0212: [(&str, bool); 2] = [("read", false), ("write", true)];

/// The words of `--utf7`.
pub const UTF7_STYLES: [&str; 4] = ["direct", "header", "minimal", "explicit"];

/// Sets one option, by the name of the flag of `utfall convert` without its dashes: `on-error` sets
/// both policies, `on-invalid` and `on-unencodable` one of them; `granularity`, `bom`,
/// `replacement`, `substitute`, `double-mappings`, `jis-x-0212`, `utf7` and `utf7-allow`. The last
/// two take words separated by commas.
///
/// # Errors
/// Returns a message that lists the words that exist.
///
/// ```
/// use utfall::{Bom, Options, Policy};
/// use utfall_bind::options;
/// let options = options::set(Options::default(), "on-error", "replace").unwrap();
/// let options = options::set(options, "bom", "strip").unwrap();
/// assert_eq!((options.on_ill_formed, options.bom), (Policy::Replace, Bom::Strip));
/// assert_eq!(
///     options::set(options, "bom", "none").unwrap_err(),
///     r#"bom: unknown value "none"; expected auto, keep, strip or add"#
/// );
/// ```
pub fn set(options: Options, name: &str, value: &str) -> Result<Options, String> {
    Ok(match name {
        "on-error" => {
            let policy = find(name, &POLICIES, value)?;
            options.with_on_ill_formed(policy).with_on_unencodable(policy)
        }
        "on-invalid" => options.with_on_ill_formed(find(name, &POLICIES, value)?),
        "on-unencodable" => options.with_on_unencodable(find(name, &POLICIES, value)?),
        "granularity" => options.with_granularity(find(name, &GRANULARITIES, value)?),
        "bom" => options.with_bom(find(name, &BOMS, value)?),
        "replacement" => options.with_replacement(substitute(name, value)?),
        "substitute" => options.with_substitute(substitute(name, value)?),
        "double-mappings" => options.with_double_mappings(find(name, &DOUBLE_MAPPINGS, value)?),
        "jis-x-0212" => options.with_jis_x_0212(find(name, &JIS_X_0212, value)?),
        "utf7" => options.with_utf7(utf7(value)?),
        "utf7-allow" => options.with_utf7_tolerance(utf7_tolerance(value)?),
        _ => return Err(format!("unknown option \"{name}\"; expected {}", any(&NAMES))),
    })
}

const NAMES: [&str; 11] = [
    "on-error",
    "on-invalid",
    "on-unencodable",
    "granularity",
    "bom",
    "replacement",
    "substitute",
    "double-mappings",
    "jis-x-0212",
    "utf7",
    "utf7-allow",
];

fn find<T: Copy>(name: &str, all: &[(&str, T)], value: &str) -> Result<T, String> {
    let found = all.iter().find(|(word, _)| *word == value);
    found.map(|(_, it)| *it).ok_or_else(|| {
        let words: Vec<_> = all.iter().map(|(word, _)| *word).collect();
        unknown(name, value, &words)
    })
}

fn unknown(name: &str, value: &str, words: &[&str]) -> String {
    format!("{name}: unknown value \"{value}\"; expected {}", any(words))
}

/// `a, b or c`.
fn any(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).into(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn substitute(name: &str, text: &str) -> Result<Substitute, String> {
    let most = Substitute::MAX;
    Substitute::new(text).ok_or_else(|| format!("{name}: at most {most} characters (code points)"))
}

fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter(|word| !word.is_empty())
}

fn utf7(styles: &str) -> Result<Utf7Options, String> {
    let has = |style| words(styles).any(|word| word == style);
    if let Some(word) = words(styles).find(|word| !UTF7_STYLES.contains(word)) {
        return Err(unknown("utf7", word, &UTF7_STYLES));
    }
    if has("direct") && has("header") || has("minimal") && has("explicit") {
        return Err("utf7: `direct` or `header`, and `minimal` or `explicit`".into());
    }
    Ok(Utf7Options::new().with_shift_set_o(has("header")).with_explicit_close(has("explicit")))
}

fn utf7_tolerance(list: &str) -> Result<Utf7Tolerance, String> {
    let mut all = Utf7Tolerance::NONE;
    for word in words(list) {
        let names: Vec<_> = Utf7Tolerance::NAMED.iter().map(|(name, ..)| *name).collect();
        all |= Utf7Tolerance::from_name(word).ok_or_else(|| unknown("utf7-allow", word, &names))?;
    }
    match conflict(all) {
        Some(names) => Err(format!("utf7-allow: {names}")),
        None => Ok(all),
    }
}

/// Two deviations that exclude each other, as `a or b`.
///
/// ```
/// use utfall::Utf7Tolerance as T;
/// use utfall_bind::options::conflict;
/// assert_eq!(conflict(T::CONTROLS | T::END_SHIFT_KEPT), None);
/// let text = conflict(T::END_SHIFT_DROPPED | T::END_SHIFT_KEPT).unwrap();
/// assert_eq!(text, "end-shift-dropped or end-shift-kept");
/// ```
#[must_use]
pub fn conflict(tolerance: Utf7Tolerance) -> Option<String> {
    use Utf7Tolerance as T;
    let pairs =
        [T::END_SHIFT_DROPPED | T::END_SHIFT_KEPT, T::EMPTY_SHIFT_DROPPED | T::EMPTY_SHIFT_KEPT];
    let pair = pairs.into_iter().find(|pair| tolerance.contains(*pair))?;
    Some(pair.names().collect::<Vec<_>>().join(" or "))
}
