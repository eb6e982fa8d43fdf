//! The levels of rules.

use utfall::hidden::Kind;
use utfall::lint::{Rule, Rules};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Ignored.
    Off,
    /// Reported.
    Warning,
    /// Reported, with exit status 1.
    Error,
}

impl Level {
    /// The name, also in SARIF and GitHub.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "none",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The default level of a rule; `docs/check.md` gives the reason.
#[must_use]
pub fn usual(rule: Rule) -> Level {
    match rule {
        Rule::IllFormed | Rule::BidiUnbalanced => Level::Error,
        Rule::TagCharacter | Rule::VariationPayload | Rule::Utf7Markup => Level::Error,
        Rule::BidiMark | Rule::FinalNewline => Level::Off,
        _ => Level::Warning,
    }
}

/// The clause of Unicode that a rule follows; empty if the message says enough.
#[must_use]
pub fn clause(rule: Rule) -> &'static str {
    match rule {
        Rule::TagCharacter => "Unicode 23.9: tag characters are for flags (UTS #51, ED-14a)",
        Rule::VariationPayload => "Unicode 23.4: a character has at most one variation selector",
        Rule::VariationSelector => "Unicode 23.4: only characters with variants have a selector",
        Rule::ZeroWidth => "Unicode 23.2: joiners and line break controls belong to some scripts",
        Rule::Ignorable => "Unicode 5.21: programs that do not know it display nothing",
        Rule::BlankLetter => "Unicode 18.6: fillers are for Hangul; 21.1: U+2800 is for Braille",
        Rule::SoftHyphen => "UAX #31, 2.3: identifiers have no default-ignorable characters",
        Rule::Utf7Markup => "RFC 2152, rule 2: readers that guess UTF-7 decode it",
        Rule::MixedScript => "UTS #39, 5.1 and 4: mixed scripts, confusable characters",
        Rule::LookalikeLetter => "UTS #39, 3.1 and 4: identifiers do not have these letters",
        Rule::LookalikeDomain => "UTS #39, 4: confusable characters",
        _ => "",
    }
}

/// The level of each rule, and of each kind of concealed text, of which none is searched by default.
///
/// ```
/// use utfall_bind::check::{Level, Levels};
/// let mut levels = Levels::default();
/// assert_eq!(levels.of("control"), Level::Warning);
/// levels.set("control", Level::Error).unwrap();
/// assert_eq!(levels.of("control"), Level::Error);
/// assert!(levels.set("contrl", Level::Error).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels(Vec<(&'static str, Level)>);

impl Default for Levels {
    fn default() -> Self {
        let lint = Rule::ALL.iter().map(|rule| (rule.name(), usual(*rule)));
        let concealed = Kind::ALL.iter().map(|kind| (kind.name(), Level::Off));
        Self(lint.chain(concealed).collect())
    }
}

impl Levels {
    /// Sets the level of a rule or a kind of concealed text.
    ///
    /// # Errors
    /// Returns a message if there is none with this name.
    pub fn set(&mut self, rule: &str, level: Level) -> Result<(), String> {
        let found = self.0.iter_mut().find(|(name, _)| *name == rule);
        let (_, place) = found.ok_or_else(|| format!("unknown rule \"{rule}\""))?;
        *place = level;
        Ok(())
    }

    /// Searches for all kinds of concealed text, as `--concealed` does.
    pub fn search_concealed(&mut self) {
        for (name, level) in &mut self.0 {
            if Kind::ALL.iter().any(|kind| kind.name() == *name) {
                *level = Level::Error;
            }
        }
    }

    /// The level of a rule.
    #[must_use]
    pub fn of(&self, rule: &str) -> Level {
        self.0.iter().find(|(name, _)| *name == rule).map_or(Level::Off, |(_, level)| *level)
    }

    /// The rules to apply. Whether a text is well-formed is always determined.
    pub(super) fn rules(&self) -> Rules {
        let is_on = |rule: &Rule| self.of(rule.name()) != Level::Off;
        Rule::ALL.iter().copied().filter(is_on).collect::<Rules>().with(Rule::IllFormed)
    }

    /// Whether to search for concealed text.
    pub(super) fn are_concealed_sought(&self) -> bool {
        Kind::ALL.iter().any(|kind| self.of(kind.name()) != Level::Off)
    }
}
