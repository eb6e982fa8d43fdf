//! The options. They only record the request.

mod check;
mod color;
mod config;
mod convert;
mod cost;
mod detect;
mod explain;
mod generate;
mod help;
mod hints;
mod iconv;
mod imap_name;
mod keep;
mod labels;
mod list;
mod mail;
mod parse;
mod repair;
mod tree;
mod undo;
mod walk;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use utfall::Utf7Tolerance;

pub(crate) use check::{CheckArgs, CheckFormat};
pub(crate) use color::ColorArgs;
pub(crate) use config::ConfigArgs;
pub(crate) use convert::{
    BomArg, ConvertArgs, DoubleMappingsArg, GranularityArg, JisX0212Arg, NewlineArg, OnError,
    Utf7Writer,
};
pub(crate) use cost::CostArgs;
pub(crate) use detect::{DetectArgs, DetectFormat};
pub(crate) use explain::{ExplainArgs, Only, Span};
pub(crate) use generate::{GenerateArgs, Generated};
use help::{BATCH, FILES, INPUT, OTHER, OUTPUT, RULES};
pub(crate) use help::{Block, blocks, command};
pub(crate) use hints::HintArgs;
pub(crate) use iconv::IconvArgs;
pub(crate) use imap_name::ImapNameArgs;
pub(crate) use keep::{KEEP_VARIABLE, KeepArgs, KeepFor};
pub(crate) use labels::{LabelArgs, LabelsArg};
pub(crate) use list::{ListArgs, ListFormat};
pub(crate) use mail::{BodyArg, MailArgs};
pub(crate) use parse::{parse, print, tell};
pub(crate) use repair::RepairArgs;
pub(crate) use tree::{OnlyIf, ProgressArg, TreeArgs};
pub(crate) use undo::UndoArgs;
pub(crate) use walk::WalkArgs;

/// Validate, convert, detect, explain and repair text in any Unicode encoding
#[derive(Parser)]
#[command(name = "utfall", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Convert(Box<ConvertArgs>),
    Check(CheckArgs),
    Detect(DetectArgs),
    Explain(ExplainArgs),
    Repair(RepairArgs),
    Undo(UndoArgs),
    Mail(MailArgs),
    ImapName(ImapNameArgs),
    Cost(CostArgs),
    List(ListArgs),
    Iconv(IconvArgs),
    Generate(GenerateArgs),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Lines for people
    Text,
    /// JSON Lines
    Json,
}

/// The files whose JSON escapes are read as characters.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JsonEscapes {
    /// In files named .json, .jsonl, .ndjson, .ipynb or .geojson
    Auto,
    /// In all files
    Always,
    /// In no file
    Never,
}

/// An option as it is typed, and the values that it takes: `None` if it takes none, an empty list if
/// they cannot be listed.
pub type Flag = (String, Option<Vec<String>>);

/// Every subcommand with its options, so that a test can try them all.
#[must_use]
pub fn subcommands() -> Vec<(String, Vec<Flag>)> {
    let of = |command: &clap::Command| {
        let flags = command.get_arguments().flat_map(|arg| {
            let takes_value = arg.get_action().takes_values();
            let values = arg.get_possible_values().into_iter().map(|v| v.get_name().to_owned());
            let values = takes_value.then(|| values.collect::<Vec<_>>());
            let long = arg.get_long().map(|long| format!("--{long}"));
            let short = arg.get_short().map(|short| format!("-{short}"));
            long.into_iter().chain(short).map(move |name| (name, values.clone()))
        });
        (command.get_name().to_owned(), flags.collect())
    };
    command().get_subcommands().map(of).collect()
}

/// The names of UTF-7 deviations, and their descriptions for `--help`.
fn leniences() -> impl TypedValueParser<Value = Utf7Tolerance> {
    let values =
        Utf7Tolerance::NAMED.iter().map(|(name, _, what)| PossibleValue::new(*name).help(*what));
    PossibleValuesParser::new(values)
        .map(|name| Utf7Tolerance::from_name(&name).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_consistent() {
        command().debug_assert();
    }
}
