//! Whether output is colored: an option of every subcommand.

use std::ffi::OsString;

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
    /// Finds the option in arguments that could not be parsed, or that ask for help.
    pub(crate) fn in_args(args: &[OsString]) -> Option<Self> {
        let mut args = args.iter().map_while(|arg| arg.to_str().filter(|arg| *arg != "--"));
        let value = args.find_map(|arg| match arg.strip_prefix("--color")? {
            "" => Some(None),
            value => value.strip_prefix('=').map(Some),
        })?;
        let value = value.or_else(|| args.next())?;
        When::from_str(value, false).ok().map(|color| Self { color })
    }

    /// Applies the choice to all output from now on.
    pub(crate) fn apply(&self) {
        let choice = match self.color {
            When::Auto => anstream::ColorChoice::Auto,
            When::Always => anstream::ColorChoice::Always,
            When::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}
