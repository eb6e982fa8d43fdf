//! Which rules are looked for, and how much they weigh.

use utfall::lint::Rule;
use utfall_mime::hidden::Kind;

use crate::cli::CheckArgs;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// It is not told.
    Off,
    /// It is told.
    Warning,
    /// It is told, and the exit status is 1.
    Error,
}

impl Level {
    /// As SARIF and GitHub call it too.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Off => "none",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What `--deny` calls all rules that are warnings.
pub(crate) const WARNINGS: &str = "warnings";

/// How much a rule weighs where nobody has said so. `docs/check.md` says why.
fn usual(rule: Rule) -> Level {
    match rule {
        Rule::IllFormed | Rule::BidiUnbalanced => Level::Error,
        Rule::BidiMark | Rule::FinalNewline => Level::Off,
        _ => Level::Warning,
    }
}

/// The names of the kinds of concealed text.
pub(crate) fn concealed() -> impl Iterator<Item = &'static str> {
    Kind::all().map(Kind::name)
}

/// The level of each rule, and of each kind of concealed text.
#[derive(Clone)]
pub(crate) struct Levels(Vec<(&'static str, Level)>);

impl Levels {
    pub(crate) fn new(args: &CheckArgs) -> Self {
        let is_named = |names: &[String], rule: &str| names.iter().any(|name| name == rule);
        let denies_warnings = args.deny.iter().any(|name| name == WARNINGS);
        let names_concealed =
            |names: &[String]| names.iter().any(|name| concealed().any(|kind| kind == name));
        let lint = Rule::ALL.iter().map(|rule| {
            let level = match args.rule.is_empty() {
                true => usual(*rule),
                false => Level::Off,
            };
            (rule.name(), level)
        });
        // It is looked for in addition to whatever the rules are, unless some kinds of it are named.
        let concealed_level = match args.concealed && !names_concealed(&args.rule) {
            true => Level::Error,
            false => Level::Off,
        };
        let concealed = concealed().map(|kind| (kind, concealed_level));
        let levels = lint.chain(concealed).map(|(rule, level)| {
            let is_denied =
                is_named(&args.deny, rule) || denies_warnings && level == Level::Warning;
            let level = if is_named(&args.allow, rule) {
                Level::Off
            } else if is_denied || is_named(&args.rule, rule) {
                Level::Error
            } else {
                level
            };
            (rule, level)
        });
        Self(levels.collect())
    }

    pub(crate) fn of(&self, rule: &str) -> Level {
        self.0.iter().find(|(other, _)| *other == rule).map_or(Level::Off, |(_, level)| *level)
    }

    /// The rules that are told.
    pub(crate) fn told(&self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(|rule| self.of(rule.name()) != Level::Off)
    }

    /// The kinds of concealed text that are told.
    pub(crate) fn told_concealed(&self) -> impl Iterator<Item = Kind> {
        Kind::all().filter(|kind| self.of(kind.name()) != Level::Off)
    }
}
