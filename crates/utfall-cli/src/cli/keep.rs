//! The option for the lifetime of originals.

use std::str::FromStr;

use clap::Args;

/// The environment variable with the default of --keep.
pub(crate) const KEEP_VARIABLE: &str = "UTFALL_KEEP";

#[derive(Args)]
pub(crate) struct KeepArgs {
    /// Delete originals of earlier runs after DAYS days, or keep them `forever` [default: 30] [env:
    /// UTFALL_KEEP]
    #[arg(
        long,
        value_name = "DAYS",
        requires = "in_place",
        conflicts_with = "no_undo",
        hide_short_help = true
    )]
    pub(crate) keep: Option<KeepFor>,
}

/// A number of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeepFor {
    Days(u64),
    Ever,
}

impl Default for KeepFor {
    fn default() -> Self {
        Self::Days(30)
    }
}

impl FromStr for KeepFor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "forever" => Ok(Self::Ever),
            _ => {
                text.parse().map(Self::Days).map_err(|_| "expected a number of days, or `forever`")
            }
        }
    }
}
