//! Which `utfall.toml` counts: options of `check`, `convert` and `repair`.

use std::path::PathBuf;

use clap::Args;

const HEADING: &str = "Configuration";

#[derive(Args)]
pub(crate) struct ConfigArgs {
    /// Read FILE instead of the nearest utfall.toml
    ///
    /// utfall.toml is looked for in the current directory and, in a repository, its parents up to
    /// the root of the repository.
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub(crate) config: Option<PathBuf>,

    /// Do not read utfall.toml
    #[arg(long, conflicts_with = "config", help_heading = HEADING)]
    pub(crate) no_config: bool,
}
