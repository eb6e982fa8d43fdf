//! `utfall list`.

use clap::Args;

use clap::ValueEnum;

const LIST_HELP: &str = "\
Labels are compared by their letters and digits only, without case and leading zeros of numbers: `utf8`,
`UTF_8` and `utf-08` are UTF-8.

Some labels have another meaning on the web, in IANA's registry or in glibc. `--format labels` lists these, with
the encoding in each vocabulary; the option --labels of the other subcommands chooses one.

Properties:
  self-synchronizing  character boundaries can be found from anywhere in the text
  ASCII-transparent   bytes 00 to 7F always mean US-ASCII
  7-bit               no byte is above 7F
  stateful            the meaning of a byte depends on earlier characters
  cut                 where text may be cut into parts that can be decoded separately

Examples:
  utfall list
  utfall list utf-16
  utfall list --format table latin
  utfall list --format labels 8859
  utfall list --json | jq -r '.encodings[].name'";

/// List the encodings and their names
#[derive(Args)]
#[command(after_long_help = LIST_HELP)]
pub(crate) struct ListArgs {
    /// Output format
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"))]
    pub(crate) format: ListFormat,

    /// Print JSON (short for `--format json`)
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,

    /// Show only encodings that match FILTER
    ///
    /// It is a part of the name, a label or the specification.
    #[arg(value_name = "FILTER")]
    pub(crate) filter: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// One paragraph per encoding
    Text,
    /// One line per encoding
    Table,
    /// One line per label that vocabularies define differently, with its meaning in each
    Labels,
    /// One JSON array
    Json,
}
