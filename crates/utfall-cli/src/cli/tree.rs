//! Flags of `utfall convert` for many files, each converted by itself.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::{Format, KeepArgs, WalkArgs};

const HEADING: &str = "Many files, each by itself";

#[derive(Args)]
#[command(group = ArgGroup::new("many").args(["in_place", "output_dir", "dry_run", "check"]).multiple(true))]
pub(crate) struct TreeArgs {
    /// Convert each FILE, and the files in each directory, where they are; old texts stay under
    /// their name with SUFFIX, or else `utfall undo` puts them back
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true,
          conflicts_with = "output", help_heading = HEADING)]
    pub(crate) in_place: Option<Option<OsString>>,

    /// Write each FILE to DIR under its name, and the files in each directory with their paths
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "in_place"],
          help_heading = HEADING)]
    pub(crate) output_dir: Option<PathBuf>,

    /// Write nothing; say of each file what would be done, and why
    #[arg(short = 'n', long, conflicts_with = "output", help_heading = HEADING)]
    pub(crate) dry_run: bool,

    /// Write nothing; list the files that would change, and exit with status 1 if there are any
    ///
    /// For scripts and CI. Other problems are reported as without it, with the same status.
    #[arg(long, conflicts_with = "output", help_heading = HEADING)]
    pub(crate) check: bool,

    /// Convert from FROM also files in directories whose bytes say that they are in another encoding
    ///
    /// Without it, a file that is well-formed UTF-8 with characters beyond ASCII, or that begins with
    /// the BOM of another encoding, is reported and skipped. A file named as FILE or in MANIFEST is
    /// always converted.
    #[arg(long, requires = "many", requires = "from", help_heading = HEADING)]
    pub(crate) force: bool,

    /// Which file is in which encoding: lines of a path, a tab and a label
    ///
    /// Paths begin at the manifest's folder. Of files that it does not name, -f says the encoding,
    /// or a byte order mark, or that they are well-formed UTF-8. Without any FILE, its files are
    /// converted.
    #[arg(long, value_name = "MANIFEST", requires = "many", help_heading = HEADING)]
    pub(crate) manifest: Option<PathBuf>,

    /// Leave files alone that do not need it, or would lose text
    #[arg(long, value_name = "WHAT,…", value_delimiter = ',', requires = "many",
          help_heading = HEADING)]
    pub(crate) only_if: Vec<OnlyIf>,

    /// Keep the times of last access and modification
    #[arg(long, requires = "many", help_heading = HEADING)]
    pub(crate) keep_times: bool,

    /// Wait for the disk before each file is replaced, so that a power cut costs nothing
    #[arg(long, requires = "many", help_heading = HEADING)]
    pub(crate) sync: bool,

    /// Replace files without keeping the originals
    #[arg(long, requires = "in_place", help_heading = HEADING)]
    pub(crate) no_undo: bool,

    #[command(flatten, next_help_heading = HEADING)]
    pub(crate) keep: KeepArgs,

    /// Go on although the journal of an earlier run is damaged; what that run converted may be
    /// converted again
    #[arg(long, requires = "many", help_heading = HEADING)]
    pub(crate) ignore_damaged_runs: bool,

    /// Also convert what an earlier run has made, which -f or MANIFEST describes as it was before
    #[arg(long, requires = "many", help_heading = HEADING)]
    pub(crate) again: bool,

    /// List every file, not only those with problems
    #[arg(short, long, requires = "many", help_heading = HEADING)]
    pub(crate) verbose: bool,

    /// How to write the report; `json` is JSON Lines
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"), requires = "many", help_heading = HEADING)]
    pub(crate) format: Format,

    /// Short for `--format json`
    #[arg(id = "json", long = "json", conflicts_with = "format", requires = "many",
          help_heading = HEADING)]
    _json: bool,

    /// How to show progress, on standard error
    ///
    /// Without --in-place and the like, `auto` is a bar for files from 64 MiB on.
    #[arg(long, value_name = "HOW", default_value = "auto", help_heading = HEADING)]
    pub(crate) progress: ProgressArg,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,
}

impl TreeArgs {
    /// Whether each file is converted by itself.
    pub(crate) fn is_on(&self) -> bool {
        self.in_place.is_some() || self.output_dir.is_some() || self.writes_nothing()
    }

    /// Whether this is only about what would be done.
    pub(crate) fn writes_nothing(&self) -> bool {
        self.dry_run || self.check
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnlyIf {
    /// Not what seems to be in TO already, whatever -f says: well-formed UTF-8 with characters
    /// beyond US-ASCII, or what begins with TO's byte order mark
    Needed,
    /// Not what --on-error would replace, escape or leave out (`strict` never does): such a file
    /// is a problem
    Lossless,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressArg {
    /// A bar on a terminal, nothing elsewhere
    Auto,
    /// A line of JSON each second
    Json,
    /// Nothing
    None,
}
