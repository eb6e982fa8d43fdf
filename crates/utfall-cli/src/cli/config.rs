//! The options of `check`, `convert` and `repair` that select `utfall.toml`.

use std::path::PathBuf;

use clap::Args;

use super::OTHER;

#[derive(Args)]
pub(crate) struct ConfigArgs {
    /// Read FILE instead of the nearest utfall.toml
    ///
    /// The nearest utfall.toml is in the current directory or, in a repository, in one of its parents up
    /// to the root of the repository.
    #[arg(long, value_name = "FILE", help_heading = OTHER, hide_short_help = true)]
    pub(crate) config: Option<PathBuf>,

    /// Do not read utfall.toml
    #[arg(long, conflicts_with = "config", help_heading = OTHER, hide_short_help = true)]
    pub(crate) no_config: bool,
}
