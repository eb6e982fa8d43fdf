//! `utfall repair`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::{ConfigArgs, Format, INPUT, JsonEscapes, KeepArgs, OUTPUT, WalkArgs};

const REPAIR_HELP: &str = "\
Repairs UTF-8 that was read in another charset and written as UTF-8 again (`Ã©` for `é`), up to three
times, anywhere in a text; lost bytes where only one text is possible; surrogates of CESU-8; overlong
forms; lines of UTF-16; BOMs at the start of later lines; and in JSON, all of these in
escapes such as \\u00c3\\u00a9. --html-entities and --percent-encoding do the same for HTML and URLs. A change that cannot be justified is not made. docs/repair.md describes
the decisions and measures the results. Text that seems to show mojibake on purpose, such as a quoted
example, is skipped; the report says where and why, and --force repairs it too.

FILE is the name of a file if that file exists, and otherwise the text to repair, which is printed with a
newline. A FILE that looks like the name of a missing file is an error: it has a path separator, or is
US-ASCII without white space. --text repairs it as text, and so does `-e TEXT`.

The result goes to standard output, or to OUT; several files become one text. --dry-run and --diff
write only a report, on standard output. With --in-place, each file is replaced whole or not
at all, FILE may be a directory, and `utfall undo` restores the originals. A file that changes during
the repair is skipped. OUT and REPORT may be /dev/stdout or another open descriptor, which is written
directly.

In directories, files that utfall.toml excludes, gives an encoding other than UTF-8, or allows
double-encoding in are skipped. Files named as FILE are always repaired. docs/config.md lists the keys.

--diff writes a unified diff without context, which `patch` can apply and revert, unless it has lines of
more than 16 KiB: these are shown in parts. On a terminal, control characters are escaped;
in a pipe or a file, the diff is exact.

`--format json` writes JSON Lines: an object of type `change` for each change, and `file` after those of each
file. docs/json.md lists the fields. With --in-place, REPORT has these lines before the file is
replaced; if that fails, a line with `failed` follows. `--undo REPORT` restores the original from them,
byte for byte. It writes nothing unless REPORT is complete and in order, the text matches it, and the
result has the length and digest of the original.

Exit status:
  0  success, with or without repairs
  1  with --dry-run or --diff, there is something to repair; with --undo, REPORT is incomplete or does
     not match the text
  2  usage error
  4  a file cannot be read or written

Examples:
  utfall repair 'Les Ã©lÃ¨ves'
  utfall repair letter.txt >fixed.txt
  utfall repair --diff letter.txt
  utfall repair --dry-run --format json -g '*.md' docs
  utfall repair --in-place --min-confidence 0.99 docs
  utfall repair -o fixed.txt --report changes.json letter.txt
  utfall repair --undo changes.json fixed.txt >letter.txt";

/// Fix mojibake (text decoded with the wrong encoding)
#[derive(Args)]
#[command(after_long_help = REPAIR_HELP)]
pub(crate) struct RepairArgs {
    /// Report the changes, and write nothing
    #[arg(short = 'n', long, conflicts_with_all = ["output", "in_place"], help_heading = OUTPUT)]
    pub(crate) dry_run: bool,

    /// Print the changes as a diff instead of the text
    #[arg(long, conflicts_with_all = ["output", "undo", "in_place"], help_heading = OUTPUT)]
    pub(crate) diff: bool,

    /// Replace files; `utfall undo` restores them
    ///
    /// With SUFFIX, the originals stay beside the files, under their names with SUFFIX, and there is no undo.
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true,
          conflicts_with = "output", help_heading = OUTPUT)]
    pub(crate) in_place: Option<Option<OsString>>,

    /// Replace files without keeping the originals
    #[arg(long, requires = "in_place", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) no_undo: bool,

    #[command(flatten, next_help_heading = OUTPUT)]
    pub(crate) keep: KeepArgs,

    /// Write to OUT, whole or not at all
    ///
    /// `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Allow OUT to be one of the input files
    #[arg(long, requires = "output", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) overwrite_input: bool,

    /// Make only changes of at least this confidence, from 0.5 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.9, value_parser = confidence,
          hide_short_help = true)]
    pub(crate) min_confidence: f64,

    /// Repair escapes in JSON such as `\u00c3\u00a9` too, to other escapes
    ///
    /// Without WHEN, in all files.
    #[arg(long, value_name = "WHEN", default_value = "auto", default_missing_value = "always",
          num_args = 0..=1, require_equals = true, help_heading = INPUT, hide_short_help = true)]
    pub(crate) json_escapes: JsonEscapes,

    /// Repair HTML and XML entities such as `&Atilde;&copy;` too, to other entities
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub(crate) html_entities: bool,

    /// Repair percent-encoding such as `%C3%83%C2%A9` too, to `%C3%A9`
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub(crate) percent_encoding: bool,

    /// Repair quoted examples and text about mojibake too
    ///
    /// Without it, they are skipped, and the report says where and why.
    #[arg(long, hide_short_help = true)]
    pub(crate) force: bool,

    /// Format of the report of --dry-run and --in-place
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"),
          conflicts_with = "diff", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) format: Format,

    /// Print JSON (short for `--format json`)
    #[arg(id = "json", long = "json", conflicts_with_all = ["format", "diff"],
          help_heading = OUTPUT, hide_short_help = true)]
    _json: bool,

    /// Write the report to REPORT too, as JSON Lines
    #[arg(long, value_name = "REPORT", conflicts_with = "undo", help_heading = OUTPUT)]
    pub(crate) report: Option<PathBuf>,

    /// Restore the original of FILE from a JSON report
    ///
    /// `-` is standard input.
    #[arg(long, value_name = "REPORT", conflicts_with_all = ["dry_run", "in_place"],
          help_heading = INPUT)]
    pub(crate) undo: Option<PathBuf>,

    /// Treat FILE as text, even if a file has that name
    #[arg(long, conflicts_with_all = ["in_place", "undo"], help_heading = INPUT)]
    pub(crate) text: bool,

    /// Repair TEXT, even if a file has that name
    ///
    /// It may begin with a hyphen. May be repeated.
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true,
          conflicts_with_all = ["in_place", "undo"], help_heading = INPUT)]
    pub(crate) given: Vec<OsString>,

    /// Print only errors, no summary
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    /// Files or texts; standard input if none or `-`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

fn confidence(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.5..=1.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0.5 to 1".into()),
    }
}
