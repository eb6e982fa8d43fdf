//! The table: surfaces with the same name share a row, with the worst of their figures.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::measured::Measured;
use crate::surface::Memory;

const BEGIN: &str = "<!-- cargo xtask limits --write -->";
const END: &str = "<!-- end of limits -->";

/// Surfaces with the same name.
pub(crate) struct Row {
    name: String,
    inputs: usize,
    /// The smallest and the largest input, in bytes.
    sizes: (u64, u64),
    /// The most instructions for one more byte, and the input that takes them.
    dearest: (f64, String),
    growth: f64,
    peak: u64,
    memory: Memory,
}

pub(crate) fn rows(all: &[Measured]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for measured in all {
        let lengths = measured.samples.iter().map(|sample| sample.length);
        let sizes = (lengths.clone().min().unwrap_or(0), lengths.max().unwrap_or(0));
        let dearest = (measured.per_byte(), measured.input.clone());
        let (growth, peak) = (measured.growth(), measured.peak());
        match rows.iter_mut().find(|row| row.name == measured.name) {
            None => rows.push(Row {
                name: measured.name.clone(),
                inputs: 1,
                sizes,
                dearest,
                growth,
                peak,
                memory: measured.memory,
            }),
            Some(row) => {
                row.inputs += 1;
                row.sizes = (row.sizes.0.min(sizes.0), row.sizes.1.max(sizes.1));
                row.growth = row.growth.max(growth);
                row.peak = row.peak.max(peak);
                if dearest.0 > row.dearest.0 {
                    row.dearest = dearest;
                }
            }
        }
    }
    rows
}

pub(crate) fn text(rows: &[Row]) -> String {
    let mut text = String::from(
        "| surface | inputs | sizes | instructions per byte | of | growth | memory | limit |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let (least, most) = row.sizes;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {least} to {most} | {:.0} | {} | {:.2} | {} | {} |",
            row.name, row.inputs, row.dearest.0, row.dearest.1, row.growth, row.peak, row.memory,
        );
    }
    text
}

/// Writes the table between the markers of a page.
pub(crate) fn write(path: &Path, rows: &[Row]) -> Result<(), String> {
    let error = |error: std::io::Error| format!("{}: {error}", path.display());
    let page = fs::read_to_string(path).map_err(error)?;
    let (head, rest) =
        page.split_once(BEGIN).ok_or("the page has no start marker for the table")?;
    let (_, tail) = rest.split_once(END).ok_or("the page has no end marker for the table")?;
    fs::write(path, format!("{head}{BEGIN}\n\n{}\n{END}{tail}", text(rows))).map_err(error)
}
