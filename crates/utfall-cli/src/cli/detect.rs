//! `utfall detect`.

use std::path::PathBuf;

use clap::Args;

use super::{Format, HintArgs, INPUT, OUTPUT, walk::WalkArgs};

const DETECT_HELP: &str = "\
Each FILE gets a line: `FILE: ENCODING (CONFIDENCE, why)`. The confidence says how probable it is that
reading the file in this encoding gives the right text: of what is said with 0.90, nine in ten are
right, as docs/detect.md measures. `inside:` tells what the text is in turn: Base64, quoted-printable,
UTF-8 that was made UTF-8 twice. A file of which nothing is as sure as --min-confidence is `unsure`,
followed by the likeliest; `no text` if nothing is likely at all.

Of a file longer than 1 MiB the first 256 KiB and twelve blocks of 64 KiB are read, of standard input
1 MiB; the line says so. With --all everything is read.

`--format json` writes JSON Lines, one object for each file; docs/detect.md says what is in it.

Exit status: 0 the encoding of every file is known, 1 unsure for some, 2 usage, 4 a file cannot be
read.

Examples:
  utfall detect *.txt
  utfall detect --min-confidence 0.9 --candidates 3 docs
  utfall detect --language fr letter.txt
  utfall detect --expect windows-1252,macintosh letter.txt
  utfall detect --format json a.txt | jq -r '.candidates[0].encoding'";

/// Guess the encoding of files, with confidence and evidence
#[derive(Args)]
#[command(after_long_help = DETECT_HELP)]
pub(crate) struct DetectArgs {
    /// Read all of large files, not a sample
    ///
    /// Files of more than 1 MiB are sampled otherwise.
    #[arg(long, help_heading = INPUT)]
    pub(crate) all: bool,

    /// Report less probable guesses as unsure, from 0 to 1
    #[arg(long, value_name = "PROBABILITY", default_value = "0.5", value_parser = probability,
          help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) min_confidence: f64,

    #[command(flatten)]
    pub(crate) hints: HintArgs,

    /// Name the N most probable encodings
    #[arg(long, value_name = "N", default_value = "1", help_heading = OUTPUT)]
    pub(crate) candidates: usize,

    /// Output format
    #[arg(long, default_value = "text", help_heading = OUTPUT)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,

    /// Files and directories; standard input if none or `-`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 1 is wanted".into()),
    }
}
