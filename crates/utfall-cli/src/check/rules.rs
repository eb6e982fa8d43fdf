//! Which rules are looked for, and how much they weigh.

use utfall::lint::Rule;

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
        Rule::IllFormed => Level::Error,
        Rule::BidiMark | Rule::FinalNewline => Level::Off,
        _ => Level::Warning,
    }
}

/// The level of each rule.
#[derive(Clone)]
pub(crate) struct Levels(Vec<(Rule, Level)>);

impl Levels {
    pub(crate) fn new(args: &CheckArgs) -> Self {
        let is_named = |names: &[String], rule: Rule| names.iter().any(|name| name == rule.name());
        let denies_warnings = args.deny.iter().any(|name| name == WARNINGS);
        let level = |rule: Rule| {
            let level = match args.rule.is_empty() {
                true => usual(rule),
                false if is_named(&args.rule, rule) => Level::Error,
                false => Level::Off,
            };
            if is_named(&args.allow, rule) {
                Level::Off
            } else if is_named(&args.deny, rule) || denies_warnings && level == Level::Warning {
                Level::Error
            } else {
                level
            }
        };
        Self(Rule::ALL.iter().map(|rule| (*rule, level(*rule))).collect())
    }

    pub(crate) fn of(&self, rule: Rule) -> Level {
        self.0.iter().find(|(other, _)| *other == rule).map_or(Level::Off, |(_, level)| *level)
    }

    /// Those that are told.
    pub(crate) fn told(&self) -> impl Iterator<Item = Rule> {
        self.0.iter().filter(|(_, level)| *level != Level::Off).map(|(rule, _)| *rule)
    }
}
