//! `utfall check`.

use std::path::PathBuf;

use clap::Args;
use utfall::Utf7Leniences;

use super::{Format, leniences};

const CHECK_HELP: &str = "\
Each problem is a line on standard output:

  FILE:LINE:COLUMN: octet OFFSET: OCTETS: what is wrong (clause of the specification)

OFFSET counts octets from 0, LINE and COLUMN count from 1, COLUMN in code points; an ill-formed
sequence is one column wide, a byte order mark none. For UTF-7, the line also says from which
bit on a run is wrong: bits count from 0 in groups of eight Base64 digits, 48 bits, three code
units, so bit 16 is bit 4 of the third digit, the one shown. For UTF-8, OCTETS are the whole
sequence as an older memo would have read it, and the line also says which memos accept it:
RFC 2044 (1996), its draft revision of 1997, RFC 2279 (1998), RFC 3629 (2003, today's UTF-8).
Then follows a summary of each file, with the memos it satisfies, and a total.

`--format json` writes JSON Lines, one object on each line. The field `type` tells them apart:
  problem  file, line, column, offset, length (octets), octets (hexadecimal), kind, message,
           clause; for UTF-7 also run_bit; for UTF-8 also accepted_by (memos) and, if it stands for one, code_point
  file     file, encoding, octets (how many), problems, well_formed; with --utf7-allow also
           passed (how many problems it let pass) and leniences (names); for UTF-8 also valid
           (memos) and generation (text); error instead if the file cannot be read
  summary  files, problems, ill_formed_files, unreadable_files, exit_status: the last line

--hidden finds what reads otherwise than it looks: US-ASCII that did not need encoding in UTF-7,
IMAP mailbox names and encoded words, overlong forms, surrogates that are split, alone or encoded,
byte order marks inside, encoded words in addresses, two charsets, and fields that are there twice:

  FILE:LINE:COLUMN: octet OFFSET: LENGTH: how it is hidden: \"what it reads\" (why it is needless)

Every place is listed. Without -f, a FILE that begins with `From `, or with fields of which one is
From, To, Subject, Date, Received, Return-Path, Message-ID, MIME-Version or Content-Type, is mail,
and looked into part by part; any other is text. In JSON the types are:
  hidden   file, line, column, offset, length (octets), kind, message, text, reason
  file     file, read_as (an encoding, or `mail`), octets, hidden (places); too_long, if there are
           messages of more than 64 MiB, which are not looked into; error instead as above
  summary  files, hidden (places), hidden_files, unreadable_files, exit_status: the last line

Exit status: 0 all well-formed, 1 ill-formed input, 2 usage, 4 some file could not be read; with
--hidden: 1 something is hidden, even if some file could not be read, 0 nothing.

Examples:
  utfall check --all *.txt
  utfall check --hidden letter.eml
  utfall check --hidden -f UTF-7 page.html
  utfall check -f UTF-7 letter.utf7
  utfall check --format json --all page.html | jq .offset
  printf '/\\xC0\\xAE./' | utfall check";

/// Find what is ill-formed in files, and which UTF-8 they are, or text that is hidden in them
#[derive(Args)]
#[command(after_long_help = CHECK_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct CheckArgs {
    /// The encoding; by default what a byte order mark says, else UTF-8
    #[arg(short = 'f', long, alias = "from-code", value_name = "ENC")]
    pub(crate) from: Option<String>,

    /// How to write the result; `json` is JSON Lines
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,

    /// Every problem, not only the first of each file
    #[arg(short, long)]
    pub(crate) all: bool,

    /// Find text that is hidden from whoever looks at the octets, instead
    #[arg(long, conflicts_with_all = ["all", "utf7_allow"])]
    pub(crate) hidden: bool,

    /// With --hidden: FILE is a message or an mbox, however it begins
    #[arg(long, requires = "hidden", conflicts_with = "from")]
    pub(crate) mail: bool,

    /// In UTF-7 and IMAP mailbox names: what is ill-formed and passes all the same
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = leniences())]
    pub(crate) utf7_allow: Vec<Utf7Leniences>,

    /// The files to read; `-`, or none, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}
