//! `utfall repair`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::{ConfigArgs, Format, JsonEscapes, KeepArgs, WalkArgs};

const REPAIR_HELP: &str = "\
UTF-8 that was read in another charset and written as UTF-8 again (`Ã©` for `é`), once, twice or three
times, is restored wherever in a text it stands; so are lost octets where nothing else can have
been there, surrogates of CESU-8, overlong forms, lines of UTF-16, and byte order marks at the start
of later lines; in JSON, also in escapes such as \\u00c3\\u00a9. What cannot be justified stays.
docs/repair.md says how it is decided, and how much of what is restored.

Each FILE is a file, if there is one of that name, or else the text to repair, with a line feed at its
end. What looks like the name of a file that is missing is an error: it has a path separator, or is
US-ASCII without white space. --text says that it is a text.

The result is written to standard output, or OUT, several files as one text. With --dry-run and --diff
nothing is written but the report, on standard output; with --in-place each file is replaced whole or
not at all, FILE may be a directory, and `utfall undo` puts back what was there. A file that changes
while it is repaired is left alone. OUT and REPORT may be /dev/stdout or another open descriptor,
which is written to directly.

In directories, files are skipped that utfall.toml excludes, that it gives an encoding other than UTF-8, or in
which it allows double-encoding: what looks misread there is meant. Files named as FILE are always
taken. docs/config.md has its keys.

--diff writes a unified diff without context, which `patch` can apply and take back. Lines of more
than 16 KiB are shown in parts, and then it cannot. On a terminal, characters that act on it are
escaped; in a pipe or a file the diff is exact.

`--format json` writes JSON Lines. The field `type` tells them apart:
  change  file, line (from 1), offset (octets from 0), offset_after (the same in the repaired text),
          before, after (octets in hexadecimal), text_before, text_after (U+FFFD for what is no
          UTF-8), steps (what happened, the first first: step, and charset, loss or octets),
          confidence (from 0 to 1)
  file    file, action (repaired, to_repair, same, failed), changes, octets, octets_after, digest,
          digest_after (XXH3 of 128 bits in hexadecimal), message: after its changes
A name that is not Unicode is in the field file_octets too, in hexadecimal. With --in-place, REPORT has
these lines before the file is replaced; if that fails, a line with `failed` follows them.
From it, `--undo REPORT` restores the original, byte for byte. It writes nothing unless REPORT is whole
and in order, the text is the one that it is about, and the result is the original, by length and digest.

Exit status: 0 fine, whether anything was repaired or not; 1 with --dry-run or --diff, there is
something to repair, or with --undo, REPORT is not whole, or the text is not what it is about; 2 usage;
4 I/O.

Examples:
  utfall repair 'Les Ã©lÃ¨ves'
  utfall repair letter.txt >mended.txt
  utfall repair --diff letter.txt
  utfall repair --dry-run --format json -g '*.md' docs
  utfall repair --in-place --min-confidence 0.99 docs
  utfall repair -o mended.txt --report changes.json letter.txt
  utfall repair --undo changes.json mended.txt >letter.txt";

/// Fix mojibake (text decoded with the wrong encoding)
#[derive(Args)]
#[command(after_long_help = REPAIR_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct RepairArgs {
    /// Write nothing; say what would be changed, and why
    #[arg(short = 'n', long, conflicts_with_all = ["output", "in_place"])]
    pub(crate) dry_run: bool,

    /// Write what is changed as a diff instead of the text
    #[arg(long, conflicts_with_all = ["output", "undo", "in_place"])]
    pub(crate) diff: bool,

    /// Replace each FILE, and the files in each directory; old texts stay under their name with
    /// SUFFIX, or else `utfall undo` puts them back
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true,
          conflicts_with = "output")]
    pub(crate) in_place: Option<Option<OsString>>,

    /// Replace files without keeping the originals
    #[arg(long, requires = "in_place")]
    pub(crate) no_undo: bool,

    #[command(flatten)]
    pub(crate) keep: KeepArgs,

    /// The file to write, whole or not at all; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Let OUT be one of the files that are read
    #[arg(long, requires = "output")]
    pub(crate) overwrite_input: bool,

    /// Make no change that is less sure than this, from 0.5 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.9, value_parser = confidence)]
    pub(crate) min_confidence: f64,

    /// Repair escapes such as `\u00c3\u00a9` too; what is escaped stays so
    #[arg(long, value_name = "WHEN", default_value = "auto", default_missing_value = "always",
          num_args = 0..=1, require_equals = true)]
    pub(crate) json_escapes: JsonEscapes,

    /// How to write the report of --dry-run and --in-place; `json` is JSON Lines
    #[arg(long, default_value = "text", conflicts_with = "diff")]
    pub(crate) format: Format,

    /// Write the report to REPORT too, as JSON Lines
    #[arg(long, value_name = "REPORT", conflicts_with = "undo")]
    pub(crate) report: Option<PathBuf>,

    /// Put a repaired FILE back as it was, from a report in JSON; `-` is standard input
    #[arg(long, value_name = "REPORT", conflicts_with_all = ["dry_run", "in_place"])]
    pub(crate) undo: Option<PathBuf>,

    /// Each FILE is the text itself, even if a file has that name
    #[arg(long, conflicts_with_all = ["in_place", "undo"])]
    pub(crate) text: bool,

    /// Do not say on standard error how much was changed
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    /// Files, or texts; `-`, or none, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

fn confidence(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.5..=1.0).contains(&number) => Ok(number),
        _ => Err("a number from 0.5 to 1".into()),
    }
}
