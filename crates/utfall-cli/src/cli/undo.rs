//! `utfall undo`.

use std::path::PathBuf;

use clap::Args;

use super::Format;

const UNDO_HELP: &str = "\
Every run of `utfall convert --in-place` or `utfall repair --in-place` that replaced files keeps the
originals in the state directory, unless --no-undo or SUFFIX was given. They are hard links, or copies
if that directory is on another file system. Restoring is a rename, so permissions, owner and times come
back too. A file that changed since the run is skipped, and the report gives the path of its original;
if a later run changed it, the report names the run to undo first. When every file is restored, the run is
removed. Without RUN, the last run is undone, and the report mentions other runs.

If the journal of a run is damaged, the files that it still names are restored, the run stays, and the
exit status is 4. --recover then lists every remaining original with its number, its size and, where
known, its path. With --to, originals that cannot be restored are copied to DIR as NUMBER-NAME, or
NUMBER. Nothing is overwritten. A run without remaining originals is removed.

Originals are deleted by --forget, or by a later run when they are older than its --keep (by default
30 days). A later run still recognizes the converted files then, and does not convert them again.

`--format json` writes JSON Lines: an object of type `file` for each file, and `summary` at the end; `run`
with --list, `original` with --recover. docs/json.md lists the fields.

Exit status:
  0  success
  1  a file was skipped
  2  usage error, or no such run
  4  a file cannot be restored, or the run is damaged

Environment:
  UTFALL_STATE_DIR  state directory; by default utfall in $XDG_STATE_HOME, ~/.local/state or the like of
                    other systems

Examples:
  utfall undo --list
  utfall undo
  utfall undo --dry-run 7
  utfall undo --recover 7 --to rescued
  utfall undo --forget --all";

/// Restore the files that `--in-place` replaced
#[derive(Args)]
#[command(after_long_help = UNDO_HELP)]
pub(crate) struct UndoArgs {
    /// Number of the run; by default the last
    #[arg(value_name = "RUN", conflicts_with_all = ["list", "all"], value_parser = number)]
    pub(crate) run: Option<u64>,

    /// List the runs that can be undone
    #[arg(short, long)]
    pub(crate) list: bool,

    /// Report what would be done, and change nothing
    #[arg(short = 'n', long, conflicts_with_all = ["list", "forget"])]
    pub(crate) dry_run: bool,

    /// Delete the originals of RUN, not restore them
    #[arg(long, conflicts_with = "list")]
    pub(crate) forget: bool,

    /// Delete those of all undamaged runs (with --forget)
    #[arg(long, requires = "forget")]
    pub(crate) all: bool,

    /// List and restore the originals of a damaged run
    ///
    /// Originals of unknown files are only listed.
    #[arg(long, conflicts_with_all = ["list", "forget"])]
    pub(crate) recover: bool,

    /// Copy the other originals to DIR (with --recover)
    #[arg(long, value_name = "DIR", requires = "recover")]
    pub(crate) to: Option<PathBuf>,

    /// List every file, not only those with problems
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Output format
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"))]
    pub(crate) format: Format,

    /// Print JSON (short for `--format json`)
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,
}

/// A number of a run, which has no sign and no leading zeros.
fn number(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number: &u64| number.to_string() == text);
    number.ok_or_else(|| "expected the number of a run: see `utfall undo --list`".into())
}
