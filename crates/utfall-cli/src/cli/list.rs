//! `utfall list`.

use clap::Args;

use super::Format;

const LIST_HELP: &str = "\
Labels are compared without case, without anything that is not a letter or digit, and without
zeros that lead a number: `utf8`, `UTF_8` and `utf-08` are UTF-8.

Properties:
  self-synchronising  character boundaries can be found from anywhere in the text
  ASCII-transparent   octets 00 to 7F are US-ASCII, wherever they stand
  7-bit               no octet above 7F
  stateful            what an octet means depends on octets before its character
  cut                 where a text may be cut into parts that can be decoded apart

Examples:
  utfall list
  utfall list --format json | jq -r '.[].name'";

/// List the encodings
#[derive(Args)]
#[command(after_long_help = LIST_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct ListArgs {
    /// How to write the list; `json` is one array
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,
}
