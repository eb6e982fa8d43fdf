//! Which files of a directory are taken: flags of every subcommand that takes directories.

use clap::Args;
use utfall_tree::WalkOptions;

const HEADING: &str = "Directories";

#[derive(Args)]
pub(crate) struct WalkArgs {
    /// Only files that match GLOB, or with `!` before it, none that does; may be repeated
    ///
    /// As in .gitignore, from the directory given. The last that matches counts, and counts more
    /// than ignore files.
    #[arg(short, long, value_name = "GLOB", help_heading = HEADING)]
    glob: Vec<String>,

    /// Also files that .gitignore, .ignore or .utfallignore names
    #[arg(long, help_heading = HEADING)]
    no_ignore: bool,

    /// Also hidden files and directories; never .git and the like
    #[arg(long, help_heading = HEADING)]
    hidden_files: bool,

    /// Also what symbolic links in directories lead to
    #[arg(long, help_heading = HEADING)]
    follow: bool,
}

impl WalkArgs {
    pub(crate) fn options(&self) -> WalkOptions {
        let mut options = WalkOptions::default();
        options.globs.clone_from(&self.glob);
        options.no_ignore = self.no_ignore;
        options.hidden = self.hidden_files;
        options.follow = self.follow;
        // Old texts stay old.
        options.apart.extend(utfall_tree::state_folder());
        options
    }
}
