//! `utfall generate`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::Shell;

const GENERATE_HELP: &str = "\
Manual pages and completions are made of the flags of this very program, so they are always right.

Exit status: 0 fine, 2 usage, 4 I/O.

Examples:
  utfall generate man ~/.local/share/man/man1
  utfall generate completions bash >~/.local/share/bash-completion/completions/utfall
  utfall generate completions fish >~/.config/fish/completions/utfall.fish";

/// Generate manual pages and shell completions
#[derive(Args)]
#[command(after_long_help = GENERATE_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) what: Generated,
}

#[derive(Subcommand)]
pub(crate) enum Generated {
    /// Write a manual page for each subcommand into a folder, in place of those there
    #[command(after_help = "Example:\n  utfall generate man ~/.local/share/man/man1")]
    Man {
        /// The folder, which is made if need be
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Print the completions for a shell
    #[command(after_help = "Example:\n  source <(utfall generate completions bash)")]
    Completions {
        /// The shell
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
}
