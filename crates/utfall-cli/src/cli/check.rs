//! `utfall check`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use utfall::Utf7Leniences;
use utfall::lint::Rule;

use super::config::ConfigArgs;
use super::walk::WalkArgs;
use super::{JsonEscapes, leniences};
use crate::check::{WARNINGS, concealed_kinds};

const CHECK_HELP: &str = "\
Each problem has a title, the line of the text with the place marked, and notes:

  LEVEL[RULE]: FILE: line LINE, column COLUMN (byte OFFSET): BYTES: what is wrong

LINE and COLUMN count from 1, COLUMN in code points; an ill-formed sequence is one column wide, a byte
order mark none. OFFSET counts bytes from 0. --format short writes one line per problem, for editors
and grep, and shows all of them: FILE:LINE:COLUMN: LEVEL: MESSAGE [RULE]

For UTF-7, the title also says from which
bit on a run is wrong: bits count from 0 in groups of eight Base64 digits, 48 bits, three code
units, so bit 16 is bit 4 of the third digit, the one shown. For UTF-8, BYTES are the whole
sequence as an older memo would have read it, and a note says which memos accept it:
RFC 2044 (1996), its draft revision of 1997, RFC 2279 (1998), RFC 3629 (2003, today's UTF-8).
Then follows a summary of each file, with the memos it satisfies, and a total. Of a directory,
those files are listed that something is wrong with; files that are no text are skipped.

Besides what is ill-formed, what is suspicious is told, in one of these rules. All are warnings but
those marked; docs/check.md says why each is there.
  ill-formed             a sequence that the encoding does not allow (error)
  bom                    a byte order mark at the start, but of UTF-16 and UTF-32
  bom-inside             U+FEFF behind the start
  mixed-newlines         LF, CR LF and CR in one file; at the first of the rarest kind
  noncharacter           U+FDD0 to U+FDEF, U+nFFFE and U+nFFFF
  bidi-control           U+202A to U+202E, U+2066 to U+2069, ended in their line
  bidi-unbalanced        the same, not ended in their line (error)
  bidi-mark              U+200E, U+200F, U+061C (off)
  replacement-character  U+FFFD: something has been lost before
  double-encoding        UTF-8 that was read as windows-1252 or ISO-8859-1: what it was; in JSON
                         (see --json-escapes) also in escapes such as \\u00c3
  control                C0 and C1 controls, but for TAB, LF, FF, CR and U+0085
  final-newline          a last line that does not end (off)

`--format json` writes JSON Lines, one object on each line. The field `type` tells them apart:
  problem  file, line, column, offset, length (octets), kind, message, rule, level (error or
           warning); if ill-formed also octets (hexadecimal) and clause, for UTF-7 run_bit, for UTF-8
           accepted_by (memos) and, if it stands for one, code_point; of other rules code_point, and
           reads (what double encoding stands for)
  file     file, encoding, octets (how many), problems (errors), warnings if there are any,
           well_formed; with --utf7-allow also passed (how many problems it let pass) and leniences
           (names); for UTF-8 also valid (memos) and generation (text); error instead if the file
           cannot be read
  summary  files, problems, ill_formed_files, unreadable_files, exit_status: the last line; if there
           are any, warnings, skipped_files (no text), not_shown (because of --max), known (by --baseline)
A name that is not Unicode is in the field file_octets too, in hexadecimal.

`--format sarif` writes SARIF 2.1.0, for code scanning; `--format github` writes workflow commands of
GitHub Actions, which become annotations. Both list all problems, as with --all.

--concealed also finds text that reads otherwise than it looks, in addition to the rules above: US-ASCII
that did not need encoding in UTF-7, IMAP mailbox names and encoded words, overlong forms, surrogates
that are split, alone or encoded, byte order marks inside, encoded words in addresses, two charsets,
and duplicate fields. Each kind is a rule, named in the title, and an error; --rule,
--deny and --allow take these names too:

  error[KIND]: FILE: line LINE, column COLUMN (byte OFFSET): how it is concealed: \"what it reads\"

Without -f, a FILE that begins with `From `, or with fields of which one is From, To, Subject, Date,
Received, Return-Path, Message-ID, MIME-Version or Content-Type, is mail, and searched part by part; any
other is text. In JSON, such a problem has text and reason; a file has concealed (places), read_as (mail)
and too_long, if there are messages of more than 64 MiB, which are not searched; the summary has
concealing_files.

--write-baseline FILE lists the problems that are there, and --baseline FILE does not report these again: by
file, rule and a digest of the line, so that they stay known when lines are added above. The total
counts them as known. utfall.toml, in the current directory or above it in the repository, can set rules, exclude
files, and allow rules in some files; docs/config.md has its keys. Flags count more.

A check without any file, because a directory is empty, globs match nothing or everything is ignored,
is an error unless --allow-empty is given. With --quiet, text and github formats are empty if
nothing is wrong.

Exit status: 0 no errors (there may be warnings), 1 errors, 2 usage, or no file to check, 4 some file could
not be read.

Examples:
  utfall check --all *.txt
  utfall check --deny warnings --allow bom src docs
  utfall check --rule bidi-control,bidi-unbalanced --exclude vendor .
  utfall check --format sarif --deny warnings . > utfall.sarif
  utfall check --write-baseline known.jsonl . && utfall check --baseline known.jsonl .
  utfall check --concealed letter.eml
  utfall check --concealed -f UTF-7 page.html
  utfall check -f UTF-7 letter.utf7
  utfall check --format json --all page.html | jq .offset
  printf '/\\xC0\\xAE./' | utfall check";

/// Check files for invalid or suspicious text
#[derive(Args)]
#[command(after_long_help = CHECK_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct CheckArgs {
    /// The encoding; by default what a byte order mark says, else UTF-8
    #[arg(short = 'f', long, alias = "from-code", value_name = "ENC")]
    pub(crate) from: Option<String>,

    /// How to write the result
    #[arg(long, default_value = "text")]
    pub(crate) format: CheckFormat,

    /// Every problem, not only the first of each rule in each file
    #[arg(short, long)]
    pub(crate) all: bool,

    /// Print only files with problems, and nothing if there are none
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Show no more than N problems of all files; the others are counted
    #[arg(long, value_name = "N")]
    pub(crate) max: Option<u64>,

    /// Only these rules, each as an error
    #[arg(long, value_name = "RULE,…", value_delimiter = ',', help_heading = RULES)]
    #[arg(value_parser = rules(false), hide_possible_values = true)]
    pub(crate) rule: Vec<String>,

    /// These rules as errors; `warnings` are all that are warnings
    #[arg(long, value_name = "RULE,…", value_delimiter = ',', help_heading = RULES)]
    #[arg(value_parser = rules(true), hide_possible_values = true)]
    pub(crate) deny: Vec<String>,

    /// Not these rules
    #[arg(long, value_name = "RULE,…", value_delimiter = ',', help_heading = RULES)]
    #[arg(value_parser = rules(false), hide_possible_values = true)]
    pub(crate) allow: Vec<String>,

    /// Look for double encoding in escapes such as `\u00c3\u00a9` too
    #[arg(long, value_name = "WHEN", default_value = "auto", default_missing_value = "always",
          num_args = 0..=1, require_equals = true)]
    pub(crate) json_escapes: JsonEscapes,

    /// Also find concealed text: encoded to be missed by readers and filters
    #[arg(long)]
    pub(crate) concealed: bool,

    /// With --concealed: treat each FILE as a message or an mbox
    #[arg(long, requires = "concealed", conflicts_with = "from")]
    pub(crate) mail: bool,

    /// In UTF-7 and IMAP mailbox names: what is ill-formed and passes all the same
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = leniences())]
    pub(crate) utf7_allow: Vec<Utf7Leniences>,

    /// How many threads check files, and parts of large ones; by default, one for each processor
    #[arg(short = 'j', long, value_name = "N", env = "UTFALL_THREADS", hide_env_values = true)]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Do not report the problems listed in FILE, which --write-baseline has written
    #[arg(long, value_name = "FILE", help_heading = RULES)]
    pub(crate) baseline: Option<PathBuf>,

    /// Write all problems to FILE as known, instead of reporting them
    #[arg(long, value_name = "FILE", conflicts_with = "baseline", help_heading = RULES)]
    pub(crate) write_baseline: Option<PathBuf>,

    /// Accept that there is nothing to check; otherwise that is an error
    #[arg(long)]
    pub(crate) allow_empty: bool,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    /// The files to read, and directories; `-`, or none, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

const RULES: &str = "Rules";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people: each problem with its line and an explanation
    Text,
    /// One line per problem, for editors: FILE:LINE:COLUMN: LEVEL: MESSAGE [RULE]
    Short,
    /// JSON Lines, for programs
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

/// The names of rules.
fn rules(with_warnings: bool) -> PossibleValuesParser {
    let names = Rule::ALL.iter().map(|rule| rule.name());
    let names = names.chain(concealed_kinds());
    PossibleValuesParser::new(names.chain(with_warnings.then_some(WARNINGS)))
}
