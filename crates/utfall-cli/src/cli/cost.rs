//! `utfall cost`.

use std::path::PathBuf;

use clap::Args;

use super::{Format, LabelArgs};

const COST_HELP: &str = "\
For each FILE, a table shows how many bytes per character (code point) every charset of mail takes
that has all its characters. Text is measured as mail transports it: each line end is CR LF, two
characters, and a BOM is not counted.

Columns for a body:
  7bit              unchanged, if it is US-ASCII in lines of at most 998 bytes
  8bit              unchanged, in lines of at most 998 bytes
  quoted-printable  with its soft line breaks
  base64            in lines of 76 digits

Columns for a header field, with each line of the text as the value of a Subject:
  plain  unchanged, if it is printable US-ASCII without `=?`
  Q, B   encoded words of at most 75 bytes, with folding between them

`-` marks a form that cannot carry the text. `*` marks the shortest form for bodies on a 7-bit
transport, for bodies on an 8-bit transport, and for header fields. SCSU, BOCU-1, ISO-10646-UTF-1 and
CESU-8, which mail readers do not know, never get one. `UTF-7 (set D)` is UTF-7 with set O shifted, as
header fields require. Fields that name the charset are not counted. Charsets with the same
costs in a body share a row.

`--format json` writes JSON Lines: an object of type `cost` for each charset and form, and `file` at the
end of each FILE. docs/json.md lists the fields.

Exit status:
  0  success
  1  invalid input, or an encoding that cannot be determined
  2  usage error
  4  a file cannot be read
The first problem ends the command.

Examples:
  echo 'naïve €5' | utfall cost
  utfall cost letter.txt
  utfall cost -f ISO-8859-1 old.txt
  utfall cost --json letter.txt | jq -c 'select(.best_for[0])'";

/// Compare the size of text in every mail charset and encoding
#[derive(Args)]
#[command(after_long_help = COST_HELP)]
pub(crate) struct CostArgs {
    /// Encoding; by default that of the BOM, else UTF-8
    #[arg(short = 'f', long, alias = "from-code", value_name = "ENCODING")]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) labels: LabelArgs,

    /// Output format
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"))]
    pub(crate) format: Format,

    /// Print JSON (short for `--format json`)
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,

    /// Files to read; standard input if none or `-`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}
