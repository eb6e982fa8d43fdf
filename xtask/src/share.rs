//! How much of their long loops tests run. `utfall_oracle::step` decides for each loop.

use std::process::Command;

pub(crate) const FULL: &str = "UTFALL_TEST_FULL";
const SHORT: &str = "UTFALL_TEST_SHORT";

/// A share, whatever the environment of this program asks for.
#[derive(Clone, Copy)]
pub(crate) enum Share {
    /// All of every loop.
    Full,
    /// What `cargo test` runs by default.
    Usual,
    /// So many times less than usual, with a report of each loop.
    Short(u32),
}

impl Share {
    /// Asks the tests that `command` runs for this share.
    pub(crate) fn set(self, command: &mut Command) -> &mut Command {
        command.env_remove(FULL).env_remove(SHORT);
        match self {
            Self::Full => command.env(FULL, "1"),
            Self::Usual => command,
            Self::Short(times) => command.env(SHORT, times.to_string()),
        }
    }
}
