//! `utfall check`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use utfall::Utf7Tolerance;
use utfall::lint::Rule;

use super::config::ConfigArgs;
use super::walk::WalkArgs;
use super::{FILES, INPUT, JsonEscapes, LabelArgs, OUTPUT, RULES, leniences};
use crate::check::{WARNINGS, concealed_kinds};

const CHECK_HELP: &str = "\
Each problem has a title, the line of the text with the place marked, and notes:

  LEVEL[RULE]: FILE: line LINE, column COLUMN (byte OFFSET):
      BYTES: problem

LINE and COLUMN count from 1, COLUMN in code points; an invalid sequence is one column wide, a BOM has no
width. OFFSET counts bytes from 0. --format short writes one line per problem, for editors and grep:

  FILE:LINE:COLUMN: LEVEL: MESSAGE [RULE]

For UTF-7, the title also names the first invalid bit of a run. Bits count from 0 in groups of eight Base64
digits (48 bits, three code units), so bit 16 is bit 4 of the third digit, which is the one shown. For
UTF-8, BYTES is the whole sequence as an older RFC would read it, and a note names the RFCs that accept
it: RFC 2044 (1996), its draft revision of 1997, RFC 2279 (1998), RFC 3629 (2003, today's UTF-8). A
summary of each file follows, with the RFCs that it satisfies, or the encoding that an invalid file looks
like, and a total. In directories, files without problems are not listed, and binary files are skipped.

Rules. Each finds a kind of invalid or suspicious text. Rules are warnings unless marked otherwise;
docs/check.md gives the reasons.
  ill-formed             a sequence that the encoding does not allow (error)
  bom                    a BOM at the start, except in UTF-16 and UTF-32
  bom-inside             U+FEFF after the start
  mixed-newlines         LF, CR LF and CR in one file; reported at the first of the rarest kind
  noncharacter           U+FDD0 to U+FDEF, U+nFFFE and U+nFFFF
  bidi-control           U+202A to U+202E and U+2066 to U+2069, closed in the same line
  bidi-unbalanced        the same, not closed in the same line (error)
  bidi-mark              U+200E, U+200F, U+061C (off)
  replacement-character  U+FFFD, the trace of an earlier loss
  double-encoding        UTF-8 that was read as windows-1252 or ISO-8859-1, with the original text;
                         in JSON (see --json-escapes) also in escapes such as \\u00c3
  control                C0 and C1 controls, except TAB, LF, FF, CR and U+0085
  tag-character          U+E0000 to U+E007F, except in flags and tags of languages (error)
  variation-payload      three or more variation selectors in a row (error)
  variation-selector     a variation selector after a character without variants
  zero-width             U+200B to U+200D and U+2060 where no script and no emoji needs them
  default-ignorable      other characters that display nothing, outside their script
  blank-letter           U+115F, U+1160, U+3164, U+FFA0 and U+2800, outside Hangul and Braille
  soft-hyphen            U+00AD in an identifier, or between all letters of a word
  utf7-markup            UTF-7 that encodes `<` or `>`, in UTF-8 that starts like HTML (error)
  mixed-script           letters of two scripts in a word that looks like one of one script
  lookalike-letter       phonetic, fullwidth, mathematical and other letters that look like ASCII ones
  lookalike-domain       the same in the domain of a mail address, or in Punycode (`xn--`)
  final-newline          no newline at the end of the last line (off)

`--format json` writes JSON Lines: an object of type `problem` for each problem, `file` for each file, and
`summary` at the end. docs/json.md lists the fields. `--format sarif` writes SARIF 2.1.0 for code scanning,
`--format github` workflow commands that GitHub Actions shows as annotations. Both list all problems, as
with --all.

--concealed also finds text that reads differently than it looks: US-ASCII encoded without need in
UTF-7, IMAP mailbox names and encoded words, overlong forms, split, lone or encoded
surrogates, a BOM after the start, encoded words in addresses, two charsets, and duplicate fields. Each kind is a rule that --rule, --deny and --allow accept, and an error:

  error[KIND]: FILE: line LINE, column COLUMN (byte OFFSET):
      method: \"decoded text\"

Without -f, a FILE is searched as mail, part by part, if it begins with `From `, or with fields that
include From, To, Subject, Date, Received, Return-Path, Message-ID, MIME-Version or
Content-Type. Any other FILE is searched as text. Messages of more than 64 MiB are reported and
skipped.

--write-baseline FILE lists the present problems, and --baseline FILE does not report them again.
A problem is known by its file, its rule and a digest of its line, so lines added above do not matter. The
total counts known problems. utfall.toml, in the current directory or above it in the repository, can set
rules, exclude files, and allow rules in some files; docs/config.md lists its keys. Options
override it.

An empty check, because a directory is empty, globs match nothing or everything is ignored, is an
error unless --allow-empty is given. With --quiet, the text and github formats print nothing if there
are no problems.

Exit status:
  0  no errors (there may be warnings)
  1  errors
  2  usage error, or no file to check
  4  a file cannot be read

Examples:
  utfall check .
  utfall check --all *.txt
  utfall check --deny warnings --allow bom src docs
  utfall check --rule bidi-control,bidi-unbalanced --exclude vendor .
  utfall check --format sarif --deny warnings . > utfall.sarif
  utfall check --write-baseline known.jsonl .
  utfall check --concealed letter.eml
  utfall check -f UTF-7 letter.utf7
  utfall check --json --all page.html | jq .offset
  printf '/\\xC0\\xAE./' | utfall check";

/// Check files for invalid or suspicious text
#[derive(Args)]
#[command(after_long_help = CHECK_HELP)]
pub(crate) struct CheckArgs {
    /// Encoding; by default that of the BOM, else UTF-8
    #[arg(short = 'f', long, alias = "from-code", value_name = "ENCODING", help_heading = INPUT)]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) labels: LabelArgs,

    /// Output format
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"), help_heading = OUTPUT)]
    pub(crate) format: CheckFormat,

    /// Print JSON (short for `--format json`)
    #[arg(id = "json", long = "json", conflicts_with = "format", help_heading = OUTPUT, hide_short_help = true)]
    _json: bool,

    /// Report all problems, not one per rule and file
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) all: bool,

    /// Print only files with problems
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) quiet: bool,

    /// Show at most N problems in all, and count the others
    #[arg(long, value_name = "N", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) max: Option<u64>,

    /// Apply only these rules, as errors (comma-separated)
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = RULES)]
    #[arg(value_parser = rules(false), hide_possible_values = true)]
    pub(crate) rule: Vec<String>,

    /// Treat rules as errors; `warnings` means all warnings
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = RULES)]
    #[arg(value_parser = rules(true), hide_possible_values = true)]
    pub(crate) deny: Vec<String>,

    /// Ignore these rules
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = RULES)]
    #[arg(value_parser = rules(false), hide_possible_values = true)]
    pub(crate) allow: Vec<String>,

    /// Find double encoding in JSON escapes such as `\u00c3\u00a9` too
    ///
    /// Without WHEN, in all files.
    #[arg(long, value_name = "WHEN", default_value = "auto", default_missing_value = "always",
          num_args = 0..=1, require_equals = true, help_heading = RULES, hide_short_help = true)]
    pub(crate) json_escapes: JsonEscapes,

    /// Find text encoded to evade readers and filters too
    #[arg(long, help_heading = RULES)]
    pub(crate) concealed: bool,

    /// Treat each FILE as a message or an mbox (with --concealed)
    #[arg(long, requires = "concealed", conflicts_with = "from", help_heading = INPUT,
          hide_short_help = true)]
    pub(crate) mail: bool,

    /// Accept these deviations in UTF-7 and IMAP mailbox names (comma-separated)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = leniences(),
          help_heading = INPUT, hide_short_help = true)]
    pub(crate) utf7_allow: Vec<Utf7Tolerance>,

    /// Use N threads; by default one per processor
    #[arg(
        short = 'j',
        long,
        value_name = "N",
        env = "UTFALL_THREADS",
        hide_env_values = true,
        hide_short_help = true
    )]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Ignore the problems that FILE lists
    ///
    /// --write-baseline makes such a list.
    #[arg(long, value_name = "FILE", help_heading = RULES)]
    pub(crate) baseline: Option<PathBuf>,

    /// Write all problems to FILE as known instead of reporting them
    #[arg(long, value_name = "FILE", conflicts_with = "baseline", help_heading = RULES,
          hide_short_help = true)]
    pub(crate) write_baseline: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,

    /// Succeed if there is nothing to check; otherwise that is an error
    #[arg(long, help_heading = FILES, hide_short_help = true)]
    pub(crate) allow_empty: bool,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    /// Files and directories; standard input if none or `-`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// A message for each problem, with its line
    Text,
    /// One line per problem, for editors: FILE:LINE:COLUMN: LEVEL: MESSAGE [RULE]
    Short,
    /// JSON Lines
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

/// The names of rules.
fn rules(with_warnings: bool) -> PossibleValuesParser {
    let names = Rule::ALL.iter().map(|rule| rule.name());
    let names = names.chain(concealed_kinds());
    PossibleValuesParser::new(names.chain(with_warnings.then_some(WARNINGS)))
}
