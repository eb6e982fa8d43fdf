//! `bench/plot.svg`: the ratios of one table to one peer as a map of operations and corpora.
//!
//! The SVG is written directly: it has only rectangles and text, and every plotting library
//! considered has more dependencies than the rest of the bench.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{fs, io};

use crate::corpus::{Group, root};
use crate::record::{date, processor};
use crate::table::{Ratio, corpora, distinct, kind, mean};

const CELL: (usize, usize) = (35, 18);
const LEFT: usize = 165;
const TOP: usize = 122;
const MARGIN: usize = 14;

/// Writes the plot of these ratios and returns its path.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(ratios: &[Ratio<'_>], title: &str) -> io::Result<PathBuf> {
    let folder = root().join("bench");
    fs::create_dir_all(&folder)?;
    let path = folder.join("plot.svg");
    fs::write(&path, svg(ratios, title))?;
    Ok(path)
}

/// A column: its name, and its ratios.
struct Column<'a> {
    name: String,
    ratios: Vec<&'a Ratio<'a>>,
}

/// Corpora of one kind (`mix-90`, `mix-60`, …) share a column, with the mean of their ratios:
/// there are too many for a picture.
fn columns<'a>(ratios: &'a [Ratio<'a>]) -> Vec<Column<'a>> {
    let mut columns = vec![Column { name: "mean".into(), ratios: ratios.iter().collect() }];
    for group in Group::ALL {
        let ratios = || ratios.iter().filter(|ratio| ratio.record.group == group.name());
        let column = |corpus: &'a str| match group {
            Group::Real | Group::Large => corpus,
            _ => kind(corpus),
        };
        let corpora = corpora(ratios().map(|ratio| ratio.record));
        for these in distinct(corpora.iter().map(|corpus| column(corpus))) {
            let ratios = ratios().filter(|ratio| column(&ratio.record.corpus) == these);
            let mark = if corpora.contains(&these) { "" } else { "-…" };
            let name = format!("{these}{mark}");
            columns.push(Column { name, ratios: ratios.collect() });
        }
    }
    columns
}

fn svg(ratios: &[Ratio<'_>], title: &str) -> String {
    let columns = columns(ratios);
    let ops = distinct(ratios.iter().map(|ratio| &*ratio.record.op));
    let width = LEFT + columns.len() * CELL.0 + 3 * MARGIN;
    let height = TOP + ops.len() * CELL.1 + 2 * MARGIN;

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{title}</text>\n\
         <text x=\"{MARGIN}\" y=\"42\" fill=\"#555\">how many times faster, by median; “…” is the mean of several corpora; {}, {}</text>\n",
        processor(),
        date(),
    );
    for (at, column) in columns.iter().enumerate() {
        let x = LEFT + at * CELL.0 + CELL.0 / 2;
        let y = TOP - 6;
        let name = &column.name;
        let _ = writeln!(
            svg,
            "<text transform=\"translate({x},{y}) rotate(-45)\" fill=\"#222\">{name}</text>"
        );
    }
    for (row, op) in ops.iter().enumerate() {
        let y = TOP + row * CELL.1;
        let baseline = y + CELL.1 - 5;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\" fill=\"#222\">{op}</text>",
            LEFT - 8
        );
        for (at, column) in columns.iter().enumerate() {
            let mut values = column.ratios.iter().filter(|ratio| ratio.record.op == *op).peekable();
            if values.peek().is_none() {
                continue;
            }
            let value = mean(values.map(|ratio| ratio.value));
            let x = LEFT + at * CELL.0;
            let digits = if value < 9.95 { 2 } else { 0 };
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\
                 <text x=\"{}\" y=\"{baseline}\" text-anchor=\"middle\">{value:.digits$}</text>",
                CELL.0 - 1,
                CELL.1 - 1,
                colour(value),
                x + CELL.0 / 2,
            );
        }
    }
    svg + "</svg>\n"
}

/// White at 1, red below, blue above; full at a half and at four times.
fn colour(ratio: f64) -> String {
    let logarithm = ratio.log2();
    let ((red, green, blue), share) = if logarithm < 0.0 {
        ((232.0, 96.0, 82.0), (-logarithm).min(1.0))
    } else {
        ((92.0, 164.0, 222.0), (logarithm / 2.0).min(1.0))
    };
    let mix = |full: f64| (255.0 + (full - 255.0) * share).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(red), mix(green), mix(blue))
}
