//! The selected rules and their levels.

use utfall::lint::Rule;
pub(crate) use utfall_bind::check::Level;
use utfall_bind::check::usual;
use utfall_mime::hidden::Kind;

use crate::cli::CheckArgs;
use crate::config::Config;

/// The name of all warnings in `--deny`.
pub(crate) const WARNINGS: &str = "warnings";

/// The names of the kinds of concealed text.
pub(crate) fn concealed() -> impl Iterator<Item = &'static str> {
    Kind::all().map(Kind::name)
}

/// Whether this is the name of a rule or of a kind of concealed text.
pub(crate) fn is_rule(name: &str) -> bool {
    Rule::ALL.iter().any(|rule| rule.name() == name) || concealed().any(|kind| kind == name)
}

/// The level of each rule, and of each kind of concealed text.
#[derive(Clone)]
pub(crate) struct Levels(Vec<(&'static str, Level)>);

impl Levels {
    pub(crate) fn new(args: &CheckArgs, config: &Config) -> Self {
        let is_named = |names: &[String], rule: &str| names.iter().any(|name| name == rule);
        let is_denied = |names: &[String], rule: &str, level| {
            is_named(names, rule) || level == Level::Warning && is_named(names, WARNINGS)
        };
        let names_concealed =
            |names: &[String]| names.iter().any(|name| concealed().any(|kind| kind == name));
        let lint = Rule::ALL.iter().map(|rule| {
            let level = match args.rule.is_empty() {
                true => usual(*rule),
                false => Level::Off,
            };
            (rule.name(), level)
        });
        // --concealed adds all kinds to the selected rules, unless some kinds are named.
        let is_sought = args.concealed || config.check.concealed;
        let concealed_level = match is_sought && !names_concealed(&args.rule) {
            true => Level::Error,
            false => Level::Off,
        };
        let concealed = concealed().map(|kind| (kind, concealed_level));
        let levels = lint.chain(concealed).map(|(rule, level)| {
            // Options override the file.
            let level = match args.rule.is_empty() {
                true if is_named(&config.check.allow, rule) => Level::Off,
                true if is_denied(&config.check.deny, rule, level) => Level::Error,
                _ => level,
            };
            let level = if is_named(&args.allow, rule) {
                Level::Off
            } else if is_denied(&args.deny, rule, level) || is_named(&args.rule, rule) {
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

    /// The rules that are reported.
    pub(crate) fn told(&self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(|rule| self.of(rule.name()) != Level::Off)
    }

    /// The kinds of concealed text that are reported.
    pub(crate) fn told_concealed(&self) -> impl Iterator<Item = Kind> {
        Kind::all().filter(|kind| self.of(kind.name()) != Level::Off)
    }
}
