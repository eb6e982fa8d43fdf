//! `utfall list`.

use clap::Args;

use clap::ValueEnum;

const LIST_HELP: &str = "\
Labels are compared without case, without anything that is not a letter or digit, and without
zeros that lead a number: `utf8`, `UTF_8` and `utf-08` are UTF-8.

Properties:
  self-synchronising  character boundaries can be found from anywhere in the text
  ASCII-transparent   octets 00 to 7F are US-ASCII, wherever they stand
  7-bit               no byte above 7F
  stateful            what an octet means depends on octets before its character
  cut                 where a text may be cut into parts that can be decoded apart

Examples:
  utfall list
  utfall list utf-16
  utfall list --format table latin
  utfall list --json | jq -r '.encodings[].name'";

/// List the encodings and their names
#[derive(Args)]
#[command(after_long_help = LIST_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct ListArgs {
    /// How to write the list
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"))]
    pub(crate) format: ListFormat,

    /// Short for `--format json`
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,

    /// List only encodings whose name, label or specification contains FILTER
    #[arg(value_name = "FILTER")]
    pub(crate) filter: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// A paragraph for each encoding
    Text,
    /// A line for each encoding
    Table,
    /// One array, for programs
    Json,
}
