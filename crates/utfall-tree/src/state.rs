//! Where a program keeps what it must not forget.

use std::env;
use std::path::PathBuf;

use etcetera::BaseStrategy;

/// What names the folder of state, in the environment.
pub const STATE_VARIABLE: &str = "UTFALL_STATE_DIR";

/// The folder of state: what the environment names with [`STATE_VARIABLE`], else `utfall` in the
/// system's place for state, such as `~/.local/state`, or for data if it has none. `None` if
/// there is no home.
#[must_use]
pub fn state_folder() -> Option<PathBuf> {
    if let Some(folder) = env::var_os(STATE_VARIABLE).filter(|folder| !folder.is_empty()) {
        return Some(folder.into());
    }
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.state_dir().unwrap_or_else(|| strategy.data_dir()).join("utfall"))
}
