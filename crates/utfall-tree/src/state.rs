//! The state directory.

use std::env;
use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The environment variable that names the state directory.
pub const STATE_VARIABLE: &str = "UTFALL_STATE_DIR";

/// The state directory: the value of [`STATE_VARIABLE`], or `utfall` in the system's directory for
/// state, such as `~/.local/state`, or for data if there is none for state. `None` if there is no
/// home directory.
#[must_use]
pub fn state_folder() -> Option<PathBuf> {
    if let Some(folder) = env::var_os(STATE_VARIABLE).filter(|folder| !folder.is_empty()) {
        return Some(folder.into());
    }
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.state_dir().unwrap_or_else(|| strategy.data_dir()).join("utfall"))
}
