//! `utfall explain`.

use std::ffi::OsString;
use std::num::IntErrorKind;
use std::str::FromStr;

use clap::Args;

use super::{Format, INPUT, LabelArgs, OUTPUT};
use crate::message;

const EXPLAIN_HELP: &str = "\
INPUT is the name of a file if that file exists, and otherwise the text to explain. An INPUT that looks
like the name of a missing file is an error: it has a path separator, or is US-ASCII without white
space and with an extension. --text explains it as text, and so does `-e TEXT`. Without -f, an INPUT that consists of encoded
words is decoded as with --mail, and one that is a shifted run such as `+ZeVnLIqe-` as UTF-7.

Each character has a line: the offset of its first byte, its bytes, their bits, its code units
where these are not bytes, its code point, the character, and its name. Bits before `|` (dim on a
terminal) are the marker bits of the encoding; the others are the code point or the code unit.

In a shifted run of UTF-7, each byte is a Base64 digit of six bits. There, `|` marks the start of a code
unit, and `(10)` are bits of the previous digit that belong to it. In UTF-EBCDIC, the bits are those of
the I8 bytes. BOCU-1 shows the difference to the previous code point, SCSU the window.

Lines marked `!` are invalid. They give the reason and the clause of the specification, and for UTF-8
the RFCs that accept them: RFC 2044 (1996), its draft revision of 1997, RFC 2279 (1998), RFC 3629 (2003).

--mail decodes the layers of a message. For each encoded word, encoded parameter, 8-bit header field and
text body, it shows the place, the transfer encoding and the charset. Offsets are those of
the message, and the next column shows the bytes of the message.

--only problems skips valid text as fast as `utfall check`.

`--format json` writes JSON Lines; docs/json.md lists the fields, and docs/explain.schema.json is their
schema. On a terminal, the output goes through $PAGER, or `less`. NO_COLOR disables colors.

Exit status:
  0  all text shown is valid
  1  some is invalid
  2  usage error
  4  a file cannot be read

Examples:
  utfall explain 'naïve €5'
  utfall explain '+ZeVnLIqe-' -f UTF-7
  utfall explain --hex '2F C0 AE 2E 2F'
  utfall explain --around 1234 page.html
  utfall explain --only problems -f UTF-16LE notes.txt
  utfall explain --mail letter.eml";

/// Explain text byte by byte: bits, code points, names, errors
#[derive(Args)]
#[command(after_long_help = EXPLAIN_HELP)]
pub(crate) struct ExplainArgs {
    /// Encoding; by default that of the BOM, else UTF-8
    #[arg(short = 'f', long, alias = "from-code", value_name = "ENCODING", help_heading = INPUT)]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) labels: LabelArgs,

    /// Treat INPUT as text, even if a file has that name
    #[arg(long, help_heading = INPUT)]
    pub(crate) text: bool,

    /// Explain TEXT, even if a file has that name
    ///
    /// It may begin with a hyphen. May be repeated.
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "hex",
          help_heading = INPUT)]
    pub(crate) given: Vec<OsString>,

    /// Treat INPUT as bytes in hexadecimal: `2F C0 AE`
    #[arg(long, conflicts_with = "text", help_heading = INPUT)]
    pub(crate) hex: bool,

    /// Decode INPUT as a message or an mbox
    #[arg(long, conflicts_with = "from", help_heading = INPUT)]
    pub(crate) mail: bool,

    /// Show only bytes from A to before B
    ///
    /// `A..` has no end, and `..B` begins at 0.
    #[arg(long, value_name = "A..B", help_heading = OUTPUT)]
    pub(crate) range: Option<Span>,

    /// Show only the text near this byte
    #[arg(long, value_name = "OFFSET", value_parser = offset, conflicts_with = "range",
          help_heading = OUTPUT)]
    pub(crate) around: Option<u64>,

    /// Show N bytes either side of --around
    #[arg(long, value_name = "N", default_value = "16", requires = "around", help_heading = OUTPUT)]
    pub(crate) context: u64,

    /// Show only part of the text
    #[arg(long, value_name = "PART", requires_if("layers", "mail"), help_heading = OUTPUT)]
    pub(crate) only: Option<Only>,

    /// Output format
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"), help_heading = OUTPUT)]
    pub(crate) format: Format,

    /// Print JSON (short for `--format json`)
    #[arg(id = "json", long = "json", conflicts_with = "format", help_heading = OUTPUT)]
    _json: bool,

    /// Write to the terminal without a pager
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_pager: bool,

    /// Files or texts; standard input if none or `-`
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Only {
    /// Invalid text
    Problems,
    /// With --mail, the place, transfer encoding and charset of each text
    Layers,
}

/// A range of bytes, the last exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (begin, end) = text.split_once("..").ok_or("expected A..B")?;
        let begin = if begin.is_empty() { 0 } else { offset(begin)? };
        let end = if end.is_empty() { u64::MAX } else { offset(end)? };
        match begin <= end {
            true => Ok(Self { begin, end }),
            false => Err("the end is before the start".into()),
        }
    }
}

/// A number of bytes, decimal or `0x…`.
fn offset(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|error| {
        let why = match error.kind() {
            IntErrorKind::PosOverflow => "too large",
            _ => "not a number, decimal or 0x…",
        };
        format!("{}: {why}", message::plain(text))
    })
}
