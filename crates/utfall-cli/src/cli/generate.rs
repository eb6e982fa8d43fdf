//! `utfall generate`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::Shell;

const GENERATE_HELP: &str = "\
Manual pages and completions are generated from the options of this program, so they always match it.

Exit status:
  0  success
  2  usage error
  4  a file cannot be written

Examples:
  utfall generate man ~/.local/share/man/man1
  utfall generate completions fish >~/.config/fish/completions/utfall.fish
  utfall generate completions bash >>~/.bash_completion";

/// Generate manual pages and shell completions
#[derive(Args)]
#[command(after_long_help = GENERATE_HELP)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) what: Generated,
}

#[derive(Subcommand)]
pub(crate) enum Generated {
    /// Write a manual page for each subcommand
    #[command(after_long_help = "Example:\n  utfall generate man ~/.local/share/man/man1")]
    Man {
        /// Directory for the pages
        ///
        /// It is created if missing. Existing pages are replaced.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Print completions for a shell
    #[command(after_long_help = "Example:\n  source <(utfall generate completions bash)")]
    Completions {
        /// Shell that will read the completions
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
}
