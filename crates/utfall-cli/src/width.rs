//! The width of the screen that reports are laid out for.

use std::env;

/// Where the output is not a terminal, and the environment does not say either.
const DEFAULT_WIDTH: usize = 80;
/// Narrower screens wrap by themselves.
const LEAST_WIDTH: usize = 40;

/// Columns: `COLUMNS`, or what the terminal says, or 80.
pub(crate) fn columns() -> usize {
    let named = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let width = named.or_else(|| {
        let (width, _) = terminal_size::terminal_size()?;
        Some(width.0.into())
    });
    width.unwrap_or(DEFAULT_WIDTH).max(LEAST_WIDTH)
}
