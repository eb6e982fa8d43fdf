//! The width of the screen, for the layout of reports.

use std::env;

/// The width if the output is not a terminal and COLUMNS is not set.
const DEFAULT_WIDTH: usize = 80;
/// Narrower terminals wrap lines.
const LEAST_WIDTH: usize = 40;

/// The number of columns: `COLUMNS`, or the width of the terminal, or 80.
pub(crate) fn columns() -> usize {
    let named = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let width = named.or_else(|| {
        let (width, _) = terminal_size::terminal_size()?;
        Some(width.0.into())
    });
    width.unwrap_or(DEFAULT_WIDTH).max(LEAST_WIDTH)
}
