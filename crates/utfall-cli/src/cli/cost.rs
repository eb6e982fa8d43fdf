//! `utfall cost`.

use std::path::PathBuf;

use clap::Args;

use super::Format;

const COST_HELP: &str = "\
Each FILE is encoded in every charset of mail that has all its characters, and gets a table of
octets for each character (code point). A text is measured as it would travel: line ends are CR LF,
two characters, and a byte order mark is no part of it.

In a body:
  7bit              as it is, if that is US-ASCII in lines of at most 998 octets
  8bit              as it is, in lines of at most 998 octets
  quoted-printable  with its soft line breaks
  base64            in lines of 76 digits
In a header field, each line of the text being the value of a Subject:
  plain             as it is, if that is printable US-ASCII without `=?`
  Q, B              all of it in encoded words of at most 75 octets, folded between them

`-` is what cannot carry the text, `*` what takes the fewest octets for bodies on a 7-bit transport,
on an 8-bit one, and for header fields. SCSU, BOCU-1, ISO-10646-UTF-1 and CESU-8, which readers of
mail do not know, are never the best. `UTF-7 (set D)` is UTF-7 with set O shifted, as header fields
need it. Fields that name the charset are not counted. Charsets that are alike in a body are one row.

`--format json` writes JSON Lines: an object of type `cost` for each charset and form, and `file` at the
end of each FILE. docs/json.md lists the fields.

Exit status: 0 success, 1 invalid input or an encoding that cannot be determined, 2 usage, 4 I/O. The first problem ends the command.

Examples:
  utfall cost letter.txt
  utfall cost -f ISO-8859-1 old.txt
  cat *.txt | utfall cost
  utfall cost --json letter.txt | jq -c 'select(.best_for[0])'";

/// Compare the size of text in every mail charset and encoding
#[derive(Args)]
#[command(after_long_help = COST_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct CostArgs {
    /// The encoding; by default what a BOM says, else UTF-8 if the text is valid UTF-8
    #[arg(short = 'f', long, alias = "from-code", value_name = "ENC")]
    pub(crate) from: Option<String>,

    /// How to write the result; `json` is JSON Lines
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"))]
    pub(crate) format: Format,

    /// Short for `--format json`
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,

    /// The files to read; `-`, or none, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}
