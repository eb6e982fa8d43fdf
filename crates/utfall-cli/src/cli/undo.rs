//! `utfall undo`.

use clap::Args;

use super::Format;

const UNDO_HELP: &str = "\
Every run of `utfall convert --in-place` that replaced files, unless it was told --no-undo or a
SUFFIX, has kept the old ones: by a second name in the folder of state, which costs the room of the
old texts, or as copies if that is on another file system. Putting one back is a rename, so it has its
permissions, owner and times again. A file that is not what the run wrote, because it was changed
since, is left alone, and where its old text is is said; a run is forgotten when nothing is left.

`--format json` writes JSON Lines. The field `type` tells them apart:
  run      run, time, folder, to, files, octets (of the old texts): with --list
  file     file, file_octets (hexadecimal, where that is not the very name), action (restored,
           as_before, changed, gone, failed), old (where the old text is), error
  summary  run, restored, as_before, changed, gone, failed, exit_status: the last line

Exit status: 0 fine, 1 some file was left alone, 2 usage, or no such run, 4 some file could not be
put back.

Examples:
  utfall undo
  utfall undo --list
  utfall undo --dry-run 7
  utfall undo --forget --all

Environment:
  UTFALL_STATE_DIR  the folder of state; else utfall in $XDG_STATE_HOME, ~/.local/state or the
                    like of other systems";

/// Restore the files that `convert --in-place` replaced
#[derive(Args)]
#[command(after_long_help = UNDO_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct UndoArgs {
    /// Which run; by default the last
    #[arg(value_name = "RUN", conflicts_with_all = ["list", "all"])]
    pub(crate) run: Option<u64>,

    /// List the runs that can be undone
    #[arg(short, long)]
    pub(crate) list: bool,

    /// Change nothing; say of each file what would be done
    #[arg(short = 'n', long, conflicts_with_all = ["list", "forget"])]
    pub(crate) dry_run: bool,

    /// Remove the old texts of RUN instead, so that it cannot be undone any more
    #[arg(long, conflicts_with = "list")]
    pub(crate) forget: bool,

    /// With --forget: of all runs
    #[arg(long, requires = "forget")]
    pub(crate) all: bool,

    /// List every file, not only those with problems
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// How to write the result; `json` is JSON Lines
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,
}
