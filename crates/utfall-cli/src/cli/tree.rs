//! Options of `utfall convert` for batches: many files, each converted separately.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::{BATCH, Format, KeepArgs, WalkArgs};

#[derive(Args)]
#[command(group = ArgGroup::new("many").args(["in_place", "output_dir", "dry_run", "check"]).multiple(true))]
pub(crate) struct TreeArgs {
    /// Replace files; `utfall undo` restores them
    ///
    /// With SUFFIX, the originals stay beside the files, under their names with SUFFIX, and there is no undo.
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true,
          conflicts_with = "output", help_heading = BATCH)]
    pub(crate) in_place: Option<Option<OsString>>,

    /// Write files to DIR under their relative paths
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "in_place"],
          help_heading = BATCH)]
    pub(crate) output_dir: Option<PathBuf>,

    /// Report what would be done, and write nothing
    #[arg(short = 'n', long, conflicts_with = "output", help_heading = BATCH)]
    pub(crate) dry_run: bool,

    /// List files that would change, and exit with 1 if any
    ///
    /// For scripts and CI; nothing is written. Other problems have their usual report and status.
    #[arg(long, conflicts_with = "output", help_heading = BATCH, hide_short_help = true)]
    pub(crate) check: bool,

    /// Convert files even if their bytes contradict --from or utfall.toml
    ///
    /// Without it, a file that is valid UTF-8 with characters beyond ASCII, or that begins with the
    /// BOM of another encoding, is reported and skipped. A file listed in MANIFEST is always converted.
    #[arg(long, requires = "many", help_heading = BATCH, hide_short_help = true)]
    pub(crate) force: bool,

    /// Read the encodings of files from MANIFEST: lines of PATH, a tab and ENCODING
    ///
    /// Paths are relative to the directory of MANIFEST. For files that it does not name, -f, a BOM or valid
    /// UTF-8 determines the encoding. Without FILE, the files of MANIFEST are converted.
    #[arg(long, value_name = "MANIFEST", requires = "many", help_heading = BATCH,
          hide_short_help = true)]
    pub(crate) manifest: Option<PathBuf>,

    /// Convert only files that meet these conditions (comma-separated)
    #[arg(long, value_name = "CONDITIONS", value_delimiter = ',', requires = "many",
          help_heading = BATCH, hide_short_help = true)]
    pub(crate) only_if: Vec<OnlyIf>,

    /// Keep the times of last access and modification
    #[arg(long, requires = "many", help_heading = BATCH, hide_short_help = true)]
    pub(crate) keep_times: bool,

    /// Flush each file to disk before replacing the original, in case of a power failure
    #[arg(long, requires = "many", help_heading = BATCH, hide_short_help = true)]
    pub(crate) sync: bool,

    /// Replace files without keeping the originals
    #[arg(long, requires = "in_place", help_heading = BATCH, hide_short_help = true)]
    pub(crate) no_undo: bool,

    #[command(flatten, next_help_heading = BATCH)]
    pub(crate) keep: KeepArgs,

    /// Continue although the journal of an earlier run is damaged
    ///
    /// Files that the damaged run converted may be converted again.
    #[arg(long, requires = "many", help_heading = BATCH, hide_short_help = true)]
    pub(crate) ignore_damaged_runs: bool,

    /// Convert files again that an earlier run has already converted
    ///
    /// Otherwise they are skipped if -f or MANIFEST names the encoding that they had before.
    #[arg(long, requires = "many", help_heading = BATCH, hide_short_help = true)]
    pub(crate) again: bool,

    /// List every file, not only those with problems
    #[arg(short, long, requires = "many", help_heading = BATCH, hide_short_help = true)]
    pub(crate) verbose: bool,

    /// Format of the report
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"), requires = "many",
          help_heading = BATCH, hide_short_help = true)]
    pub(crate) format: Format,

    /// Print JSON (short for `--format json`)
    #[arg(id = "json", long = "json", conflicts_with = "format", requires = "many",
          help_heading = BATCH, hide_short_help = true)]
    _json: bool,

    /// Progress on standard error
    ///
    /// Outside batches, `auto` shows a bar for files of 64 MiB and more.
    #[arg(long, value_name = "STYLE", default_value = "auto", help_heading = BATCH,
          hide_short_help = true)]
    pub(crate) progress: ProgressArg,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,
}

impl TreeArgs {
    /// Whether each file is converted separately.
    pub(crate) fn is_on(&self) -> bool {
        self.in_place.is_some() || self.output_dir.is_some() || self.writes_nothing()
    }

    /// Whether the run only reports.
    pub(crate) fn writes_nothing(&self) -> bool {
        self.dry_run || self.check
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnlyIf {
    /// The file does not seem to be in the target encoding already, whatever -f says: it is not valid UTF-8
    /// with characters beyond ASCII, and does not begin with the BOM of the target
    Needed,
    /// --on-error would not replace, escape or drop anything (`strict` never does); otherwise the file is
    /// reported as a problem
    Lossless,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressArg {
    /// A bar on a terminal, nothing otherwise
    Auto,
    /// A JSON object each second
    Json,
    /// No progress
    None,
}
