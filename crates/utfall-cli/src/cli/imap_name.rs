//! `utfall imap-name`.

use std::ffi::OsString;

use clap::Args;

use super::Format;

const IMAP_NAME_HELP: &str = "\
A mailbox name has one spelling (RFC 3501 section 5.1.3): printable US-ASCII stands for itself,
all else is modified UTF-7 between `&` and `-`, and `&` is `&-`. Other spellings are read as
they are meant, and said to be wrong: at which octet, and what the right one is. Names in
several spellings are a collision: one mailbox to some programs, several to others.

--decode writes the text of each name on a line, control characters escaped, and what is wrong
on standard error. --check writes a report on standard output instead. --encode writes the
spelling of each text.

`--format json` writes JSON Lines: an object of type `name`, `too_long` or, with --encode, `spelling` for each
name, then `collision` and `summary`. docs/json.md lists the fields.

A name of more than 64 KiB is reported and not read. At most 16 problems of a name are reported, and
the others counted. Standard error explains at most 1,000 names; --check reports all of them.

Exit status: 0 fine, 1 some name is not canonical, collides or is too long, or some text is not UTF-8.

Examples:
  utfall imap-name 'Entw&APw-rfe'
  utfall imap-name --encode Entwürfe
  utfall imap-name --check --format json <names.txt";

/// Decode, encode and check IMAP mailbox names
#[derive(Args)]
#[command(after_long_help = IMAP_NAME_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct ImapNameArgs {
    #[command(flatten)]
    pub(crate) mode: ImapNameMode,

    /// How to write the result; `json` is JSON Lines
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"))]
    pub(crate) format: Format,

    /// Short for `--format json`
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,

    /// The names, or with --encode the texts; if there are none, each line of standard input
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<OsString>,
}

#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct ImapNameMode {
    /// From a spelling to text: this is the default
    #[arg(long)]
    pub(crate) decode: bool,

    /// From text to its spelling
    #[arg(long)]
    pub(crate) encode: bool,

    /// Report what is wrong with spellings
    #[arg(long)]
    pub(crate) check: bool,
}
