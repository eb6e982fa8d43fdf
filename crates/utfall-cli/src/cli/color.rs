//! Whether output is colored: an option of every subcommand.

use clap::{Args, ValueEnum};

#[derive(Args)]
pub(crate) struct ColorArgs {
    /// When to color messages, help and reports
    ///
    /// `auto` colors output to a terminal, unless NO_COLOR is set, and all output if CLICOLOR_FORCE
    /// is set. `always` and `never` override both variables.
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    #[arg(hide_short_help = true, display_order = 1000)]
    color: When,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// On a terminal
    Auto,
    /// In pipes and files too
    Always,
    /// Nowhere
    Never,
}

impl ColorArgs {
    /// Makes it true of everything that is written from now on.
    pub(crate) fn apply(&self) {
        let choice = match self.color {
            When::Auto => anstream::ColorChoice::Auto,
            When::Always => anstream::ColorChoice::Always,
            When::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}
