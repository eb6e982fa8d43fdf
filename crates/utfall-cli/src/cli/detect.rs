//! `utfall detect`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{HintArgs, INPUT, LabelArgs, OUTPUT, walk::WalkArgs};

const DETECT_HELP: &str = "\
Each FILE gets a line with its encoding and the confidence: the probability that reading the file in
this encoding gives the right text. Of the answers with 90 %, nine in ten are right, as docs/detect.md
measures. An encoding in parentheses is that of text inside the text: Base64, quoted-printable, or
UTF-8 that was encoded twice.

The answer is `unknown`, followed by the best guess, unless `convert -f detect` would use the guess: if
the confidence is at least 90 %, the guess is clearly ahead of the runner-up, and the file has no
hidden text. --min-confidence replaces the first two conditions.
It is `binary` if the bytes are not text in any encoding. --verbose adds the evidence and the
runners-up.

Of a file longer than 1 MiB the first 256 KiB and twelve blocks of 64 KiB are read, of standard input
1 MiB. With --all everything is read.

--brief prints one line for each file: the name of the encoding, `unknown` or `binary`.

`--format manifest` writes what `utfall convert --manifest` reads: a path, a tab and an encoding. All
of each file is read, and an encoding is written only if it is known. Other files are reported on
standard error, and the exit status is 1; binary files in directories are skipped. Paths are as given,
and `convert` reads them from the folder of the manifest.

`--format json` writes JSON Lines, one object for each file; docs/json.md lists the fields.

Exit status: 0 the encoding of every file is known, 1 some are unknown or binary, 2 usage, 4 a file
cannot be read.

Examples:
  utfall detect letter.txt
  utfall detect --verbose letter.txt
  utfall detect --min-confidence 0.5 docs
  utfall detect --language fr letter.txt
  utfall detect --expect windows-1252,macintosh letter.txt
  iconv -f \"$(utfall detect --brief letter.txt)\" -t UTF-8 letter.txt
  utfall detect --format manifest docs > encodings.tsv
  utfall detect --json letter.txt | jq -r '.candidates[0].encoding'";

/// Guess the encoding of files, with confidence and evidence
#[derive(Args)]
#[command(after_long_help = DETECT_HELP)]
pub(crate) struct DetectArgs {
    /// Read all of large files, not a sample
    ///
    /// Files of more than 1 MiB are sampled otherwise.
    #[arg(long, help_heading = INPUT)]
    pub(crate) all: bool,

    /// Show the evidence and the runners-up
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) verbose: bool,

    /// Print only the name of the encoding
    ///
    /// Or `unknown`, or `binary`.
    #[arg(short, long, conflicts_with_all = ["verbose", "format", "json", "candidates"],
          help_heading = OUTPUT)]
    pub(crate) brief: bool,

    /// Accept guesses of at least this probability, from 0 to 1
    ///
    /// By default 0.9; and a guess among single-byte charsets must be clearly ahead of the
    /// runner-up, which this replaces (see docs/detect.md).
    #[arg(long, value_name = "PROBABILITY", value_parser = probability, help_heading = OUTPUT,
          hide_short_help = true)]
    pub(crate) min_confidence: Option<f64>,

    #[command(flatten)]
    pub(crate) hints: HintArgs,

    #[command(flatten)]
    pub(crate) labels: LabelArgs,

    /// Show up to N encodings for each file
    ///
    /// By default 1, with --verbose 3.
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    pub(crate) candidates: Option<usize>,

    /// Output format
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"), help_heading = OUTPUT)]
    pub(crate) format: DetectFormat,

    /// Print JSON (short for `--format json`)
    #[arg(id = "json", long = "json", conflicts_with = "format", help_heading = OUTPUT)]
    _json: bool,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,

    /// Files and directories; standard input if none or `-`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DetectFormat {
    /// A line for each file
    Text,
    /// JSON Lines, for programs
    Json,
    /// The list that `utfall convert --manifest` reads
    Manifest,
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 1".into()),
    }
}
