//! How long originals are kept.

use std::str::FromStr;

use clap::Args;

/// What --keep is where it is not given, in the environment.
pub(crate) const KEEP_VARIABLE: &str = "UTFALL_KEEP";

#[derive(Args)]
pub(crate) struct KeepArgs {
    /// Delete originals that earlier runs kept for `utfall undo` more than DAYS days ago, or
    /// `forever` to keep them [default: 30, or UTFALL_KEEP]
    #[arg(long, value_name = "DAYS", requires = "in_place", conflicts_with = "no_undo")]
    pub(crate) keep: Option<KeepFor>,
}

/// How many days.
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
