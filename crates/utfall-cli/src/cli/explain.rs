//! `utfall explain`.

use std::ffi::OsString;
use std::str::FromStr;

use clap::Args;

use super::Format;
use crate::message;

const EXPLAIN_HELP: &str = "\
Each INPUT is a file, if there is one of that name, or else the text to explain. What looks like the
name of a file that is missing is an error: it has a path separator, or is US-ASCII without white space
and with an extension. --text says that each INPUT is a text, `-e TEXT` names one. Without -f, an INPUT that is nothing but encoded
words is decoded as with --mail, and one that is a shifted run such as `+ZeVnLIqe-` as UTF-7.

Each unit of the text is a line: the offset of its first octet, the octets, their bits, the code units where those
are not octets, the code point, the character and its name. Of the bits those in front of `|`, or
dim on a terminal, only say what the others are; the others are the code point, or the code unit.

In a shifted run of UTF-7 each octet is a Base64 digit of six bits; there `|` stands where a code
unit begins, and `(10)` are the bits of the digit before that belong to this one. In UTF-EBCDIC the
bits are those of the octets of I8. BOCU-1 says from where the code point is how far away; SCSU which
window it is seen through.

What is ill-formed is marked `!`, with what is wrong, the clause that says so, and for UTF-8 which of
the memos accept it: RFC 2044 (1996), its draft revision of 1997, RFC 2279 (1998), RFC 3629 (2003).

--mail takes the layers of a message off: for each encoded word, each parameter that is encoded, each
header field in 8 bits and each body that is text it says where it stands, its transfer encoding and its
charset. Offsets are those of the message, and the column behind them is how the message has the octets.

--only problems passes over what is well-formed as quickly as `utfall check`.

`--format json` writes JSON Lines; docs/json.md lists the fields, and docs/explain.schema.json is the
schema.

Exit status: 0 all that was shown is well-formed, 1 something is not, 2 usage, 4 a file cannot be
read.

On a terminal the text goes through $PAGER, or `less`. NO_COLOR turns colours off.

Examples:
  utfall explain '+ZeVnLIqe-' -f UTF-7
  utfall explain --hex '2F C0 AE 2E 2F'
  utfall explain --around 1234 page.html
  utfall explain --only problems -f UTF-16LE notes.txt
  utfall explain --mail letter.eml";

/// Explain text byte by byte: bits, code points, names, errors
#[derive(Args)]
#[command(after_long_help = EXPLAIN_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct ExplainArgs {
    /// The encoding; by default what a byte order mark says, else UTF-8
    #[arg(short = 'f', long, alias = "from-code", value_name = "ENC")]
    pub(crate) from: Option<String>,

    /// Each INPUT is the text itself, even if a file has that name
    #[arg(long)]
    pub(crate) text: bool,

    /// Explain TEXT, even if a file has that name or it begins with a hyphen; may be repeated
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "hex")]
    pub(crate) given: Vec<OsString>,

    /// Each INPUT is the octets of the text in hexadecimal: `2F C0 AE`
    #[arg(long, conflicts_with = "text")]
    pub(crate) hex: bool,

    /// Each INPUT is a message or an mbox: take transfer encodings and encoded words off
    #[arg(long, conflicts_with = "from")]
    pub(crate) mail: bool,

    /// Only units with octets in A..B; either may be left out
    #[arg(long, value_name = "A..B")]
    pub(crate) range: Option<Span>,

    /// Only units near this octet
    #[arg(long, value_name = "OFFSET", value_parser = offset, conflicts_with = "range")]
    pub(crate) around: Option<u64>,

    /// With --around: how many octets on either side
    #[arg(long, value_name = "OCTETS", default_value = "16", requires = "around")]
    pub(crate) context: u64,

    /// Only some of the units
    #[arg(long, value_name = "WHAT")]
    pub(crate) only: Option<Only>,

    /// How to write it; `json` is JSON Lines
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"))]
    pub(crate) format: Format,

    /// Short for `--format json`
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,

    /// Write to the terminal directly
    #[arg(long)]
    pub(crate) no_pager: bool,

    /// Files, or texts; `-`, or none and no -e, is standard input
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Only {
    /// What is ill-formed
    Problems,
}

/// From an octet to before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (begin, end) = text.split_once("..").ok_or("no `..` in it")?;
        let begin = if begin.is_empty() { 0 } else { offset(begin)? };
        let end = if end.is_empty() { u64::MAX } else { offset(end)? };
        match begin <= end {
            true => Ok(Self { begin, end }),
            false => Err("it ends before it begins".into()),
        }
    }
}

/// A number of octets, decimal or `0x…`.
fn offset(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|error| format!("{}: {error}", message::plain(text)))
}
