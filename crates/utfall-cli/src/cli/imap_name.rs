//! `utfall imap-name`.

use std::ffi::OsString;

use clap::Args;

use super::Format;

const IMAP_NAME_HELP: &str = "\
A mailbox name has one canonical spelling (RFC 3501 section 5.1.3): printable US-ASCII is written as it
is, other text as modified UTF-7 between `&` and `-`, and `&` as `&-`. Other spellings are decoded as they
are meant, and reported with the offset of the problem and the canonical spelling. Several spellings of
one name are a collision: one mailbox to some programs, several to others.

--decode writes the text of each name on a line, with control characters escaped, and reports problems
on standard error. --check writes a report on standard output instead. --encode writes the spelling
of each text.

`--format json` writes JSON Lines: an object of type `name`, `too_long` or, with --encode, `spelling` for each
name, then `collision` and `summary`. docs/json.md lists the fields.

Names of more than 64 KiB are reported and skipped. At most 16 problems of a name are reported, and the
others counted. Standard error explains at most 1,000 names; --check reports all of them.

Exit status:
  0  success
  1  a name is not canonical, collides or is too long, or a text is not UTF-8

Examples:
  utfall imap-name 'Entw&APw-rfe'
  utfall imap-name --encode Entwürfe
  utfall imap-name --check --format json <names.txt";

/// Decode, encode and check IMAP mailbox names
#[derive(Args)]
#[command(after_long_help = IMAP_NAME_HELP)]
pub(crate) struct ImapNameArgs {
    #[command(flatten)]
    pub(crate) mode: ImapNameMode,

    /// Output format
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"))]
    pub(crate) format: Format,

    /// Print JSON (short for `--format json`)
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,

    /// Names, or texts with --encode; else lines of stdin
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<OsString>,
}

#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct ImapNameMode {
    /// Decode spellings to text (default)
    #[arg(long)]
    pub(crate) decode: bool,

    /// Encode text
    #[arg(long)]
    pub(crate) encode: bool,

    /// Report problems of spellings
    #[arg(long)]
    pub(crate) check: bool,
}
