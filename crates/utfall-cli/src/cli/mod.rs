//! The flags. They only record what was asked for.

mod check;
mod config;
mod convert;
mod cost;
mod detect;
mod explain;
mod generate;
mod iconv;
mod imap_name;
mod list;
mod mail;
mod parse;
mod repair;
mod tree;
mod undo;
mod walk;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use utfall::Utf7Leniences;

pub(crate) use check::{CheckArgs, CheckFormat};
pub(crate) use config::ConfigArgs;
pub(crate) use convert::{BomArg, ConvertArgs, GranularityArg, NewlineArg, OnError, Utf7Writer};
pub(crate) use cost::CostArgs;
pub(crate) use detect::DetectArgs;
pub(crate) use explain::{ExplainArgs, Only, Span};
pub(crate) use generate::{GenerateArgs, Generated};
pub(crate) use iconv::IconvArgs;
pub(crate) use imap_name::ImapNameArgs;
pub(crate) use list::ListArgs;
pub(crate) use mail::{BodyArg, MailArgs};
pub(crate) use parse::{parse, print, tell};
pub(crate) use repair::RepairArgs;
pub(crate) use tree::{OnlyIf, ProgressArg, TreeArgs};
pub(crate) use undo::UndoArgs;
pub(crate) use walk::WalkArgs;

/// Columns of help, at most.
const MAX_WIDTH: usize = 100;

const AFTER_HELP: &str = "\
Exit status:
  0  fine
  1  ill-formed input, or text that is hidden, denied or to be repaired
  2  a wrong flag, label or name
  3  a character that the target encoding lacks
  4  a file that cannot be read or written
A reader that closes the pipe early (`| head`) is no error.

Examples:
  utfall convert -f UTF-7 -t UTF-8 letter.utf7
  utfall convert -t UTF-8 --in-place docs src
  utfall check --all *.txt
  utfall mail --extract letter.eml
  utfall explain '+ZeVnLIqe-' -f UTF-7
  utfall repair --diff letter.txt
  utfall list

Environment:
  UTFALL_THREADS    what --threads is where it is not given
  UTFALL_STATE_DIR  where old texts are kept for `utfall undo`
  UTFALL_ISA        the kernels to use, such as `scalar`, instead of the processor's best
  NO_COLOR          set to anything, it turns colours off
  CLICOLOR_FORCE    set to anything, it turns them on where the output is no terminal
  COLUMNS           how wide help is
  LC_ALL            or else LC_CTYPE, or LANG: the charset of `utfall iconv` where none is given
  PAGER             what shows long output on a terminal, instead of `less`";

/// Convert and check text in every Unicode transformation format
///
/// That is UTF-8, today's and that of the older memos, UTF-7, UTF-16, UTF-32 and their
/// relatives, and the charsets that came before them.
#[derive(Parser)]
#[command(name = "utfall", version, after_help = AFTER_HELP, max_term_width = MAX_WIDTH)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Convert(Box<ConvertArgs>),
    Undo(UndoArgs),
    Check(CheckArgs),
    List(ListArgs),
    ImapName(ImapNameArgs),
    Mail(MailArgs),
    Cost(CostArgs),
    Detect(DetectArgs),
    Explain(ExplainArgs),
    Repair(RepairArgs),
    Generate(GenerateArgs),
    Iconv(IconvArgs),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// A flag as it is written, and whether it takes a value: then those that there are, if any can be
/// named.
pub type Flag = (String, Option<Vec<String>>);

/// Every subcommand with its flags, for whoever wants to try them all.
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
    Cli::command().get_subcommands().map(of).collect()
}

/// The names of leniences, with what they mean for `--help`.
fn leniences() -> impl TypedValueParser<Value = Utf7Leniences> {
    let values =
        Utf7Leniences::NAMED.iter().map(|(name, _, what)| PossibleValue::new(*name).help(*what));
    PossibleValuesParser::new(values)
        .map(|name| Utf7Leniences::from_name(&name).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_consistent() {
        Cli::command().debug_assert();
    }
}
