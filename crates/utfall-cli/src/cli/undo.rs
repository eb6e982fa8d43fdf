//! `utfall undo`.

use std::path::PathBuf;

use clap::Args;

use super::Format;

const UNDO_HELP: &str = "\
Every run of `utfall convert --in-place` or `utfall repair --in-place` that replaced files, unless it
had --no-undo or a SUFFIX, has kept the originals in the state directory: as hard links, or as copies
if that is on another file system. Putting one back is a rename, so permissions, owner and times come
back too. A file that is not what the run wrote is left alone, and the report says where its original
is; if a later run changed it, the report says which run to undo first. When everything is as it was,
the run is removed. Without RUN, the last run is undone, and the report says so if there are others.

If the journal of a run is damaged, the files that it still names are put back, the run stays, and the
exit status is 4. --recover then lists every original that is there, with its number, its size and
its path where that is known. With --to, those that cannot be put back are copied to DIR as NUMBER-NAME,
or NUMBER. Nothing is overwritten. A run of which no original is left is removed.

Originals are deleted by --forget, or by a later run when they are older than its --keep (30 days
unless you say otherwise). What was converted is still known then, so that it is not converted twice.

`--format json` writes JSON Lines: an object of type `file` for each file, and `summary` at the end; `run`
with --list, `original` with --recover. docs/json.md lists the fields.

Exit status: 0 fine, 1 some file was left alone, 2 usage, or no such run, 4 some file could not be
put back, or the run is damaged.

Examples:
  utfall undo
  utfall undo --list
  utfall undo --dry-run 7
  utfall undo --recover 7 --to rescued
  utfall undo --forget --all

Environment:
  UTFALL_STATE_DIR  the state directory; else utfall in $XDG_STATE_HOME, ~/.local/state or the
                    like of other systems";

/// Restore the files that `--in-place` replaced
#[derive(Args)]
#[command(after_long_help = UNDO_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct UndoArgs {
    /// The number of the run; by default the last
    #[arg(value_name = "RUN", conflicts_with_all = ["list", "all"], value_parser = number)]
    pub(crate) run: Option<u64>,

    /// List the runs that can be undone
    #[arg(short, long)]
    pub(crate) list: bool,

    /// Change nothing; report what would be done with each file
    #[arg(short = 'n', long, conflicts_with_all = ["list", "forget"])]
    pub(crate) dry_run: bool,

    /// Delete the originals of RUN instead, so that it cannot be undone any more
    #[arg(long, conflicts_with = "list")]
    pub(crate) forget: bool,

    /// With --forget: of all runs that are not damaged
    #[arg(long, requires = "forget")]
    pub(crate) all: bool,

    /// List the originals of a damaged run, and put back those whose files are known
    #[arg(long, conflicts_with_all = ["list", "forget"])]
    pub(crate) recover: bool,

    /// With --recover: copy all other originals to DIR
    #[arg(long, value_name = "DIR", requires = "recover")]
    pub(crate) to: Option<PathBuf>,

    /// List every file, not only those with problems
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// How to write the result; `json` is JSON Lines
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"))]
    pub(crate) format: Format,

    /// Short for `--format json`
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,
}

/// As runs are named: without a sign, and without zeros before it.
fn number(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number: &u64| number.to_string() == text);
    number.ok_or_else(|| "expected the number of a run: see `utfall undo --list`".into())
}
