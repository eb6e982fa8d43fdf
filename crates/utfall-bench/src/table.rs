//! Output on the terminal: ratios as tables, or every figure if there are few.

use std::collections::BTreeMap;

use crate::corpus::Group;
use crate::engine::{API, NAMES, UTFALL};
use crate::record::{By, Record, Records};

/// Up to this many cells are shown with all their figures.
const FEW: usize = 12;

/// How many times faster the subject is than a peer.
pub(crate) struct Ratio<'a> {
    pub(crate) record: &'a Record,
    pub(crate) value: f64,
}

/// The ratios of one table of kernels to one peer.
pub(crate) fn ratios<'a>(
    records: &'a Records,
    isa: &str,
    subject: &str,
    peer: &str,
    by: By,
) -> Vec<Ratio<'a>> {
    let of_peer = records.iter().filter(|record| record.isa == isa && record.engine == peer);
    of_peer
        .filter_map(|record| {
            let own = records.of_engine(record, subject)?;
            Some(Ratio { record, value: record.time.by(by) / own.time.by(by) })
        })
        .collect()
}

/// Prints all results for one table of kernels.
pub(crate) fn print(records: &Records, isa: &str, subject: &str, by: By) {
    let of_isa: Vec<&Record> = records.iter().filter(|record| record.isa == isa).collect();
    if of_isa.iter().filter(|record| record.engine == subject).count() <= FEW {
        return print_figures(records, &of_isa, isa, subject, by);
    }
    for peer in NAMES.iter().filter(|&&peer| peer != subject) {
        let ratios = ratios(records, isa, subject, peer, by);
        if ratios.is_empty() {
            continue;
        }
        let (by, _) = by.names();
        println!("\n{subject} ({isa}) / {peer}: how many times faster, by {by}; `<` below 1");
        print_matrix(&ratios, shown, Some(mean));
    }

    // Operations that no peer has do not have a ratio.
    let alone: Vec<Ratio<'_>> = of_isa
        .iter()
        .filter(|record| record.engine == API && records.is_alone(record))
        .map(|record| Ratio { record, value: record.bytes as f64 / record.time.by(by) })
        .collect();
    if !alone.is_empty() {
        println!("\n{API} ({isa}): {} of input", by.names().1);
        print_matrix(&alone, |speed| format!("{speed:.2} "), None);
    }
}

/// One line for each table and peer: the kernels first, then the public API.
pub(crate) fn print_summary(records: &Records, isas: &[&str], by: By) {
    println!(
        "\n{:10} {:8} {:12} {:>6} {:>6} {:>8} {:>6}",
        "engine", "table", "peer", "mean", "cells", "below 1", "least"
    );
    for subject in [UTFALL, API] {
        for isa in isas {
            for peer in NAMES.iter().filter(|&&peer| ![UTFALL, API].contains(&peer)) {
                let ratios = ratios(records, isa, subject, peer, by);
                let Some(least) = ratios.iter().min_by(|a, b| a.value.total_cmp(&b.value)) else {
                    continue;
                };
                let below = ratios.iter().filter(|ratio| ratio.value < 1.0).count();
                println!(
                    "{subject:10} {isa:8} {peer:12} {:6.2} {:6} {below:8} {:6.2} {} {}",
                    mean(ratios.iter().map(|ratio| ratio.value)),
                    ratios.len(),
                    least.value,
                    least.record.op,
                    least.record.corpus,
                );
            }
        }
    }
}

/// For each group of corpora, prints a row for each operation and a column for each corpus. Short
/// strings are too many for one line, so each script has its own.
fn print_matrix(
    ratios: &[Ratio<'_>],
    shown: fn(f64) -> String,
    mean: Option<fn(std::vec::IntoIter<f64>) -> f64>,
) {
    for group in Group::ALL {
        let ratios: Vec<&Ratio<'_>> =
            ratios.iter().filter(|ratio| ratio.record.group == group.name()).collect();
        let corpora = corpora(ratios.iter().map(|ratio| ratio.record));
        let of_one_line = |a: &&str, b: &&str| group != Group::Short || kind(a) == kind(b);
        for corpora in corpora.chunk_by(of_one_line) {
            print_lines(group, &ratios, corpora, shown, mean);
        }
    }
}

/// The rows of these corpora.
fn print_lines(
    group: Group,
    ratios: &[&Ratio<'_>],
    corpora: &[&str],
    shown: fn(f64) -> String,
    mean: Option<fn(std::vec::IntoIter<f64>) -> f64>,
) {
    let is_here = |ratio: &&&Ratio<'_>| corpora.contains(&&*ratio.record.corpus);
    let ratios: Vec<&&Ratio<'_>> = ratios.iter().filter(is_here).collect();
    let width = |corpus: &str| corpus.len().max(5) + 1;
    print!("{:27}{:>7}", group.name(), if mean.is_some() { "mean" } else { "" });
    for corpus in corpora {
        print!(" {corpus:>0$}", width(corpus));
    }
    println!();
    for op in distinct(ratios.iter().map(|ratio| &*ratio.record.op)) {
        let row: Vec<&&&Ratio<'_>> = ratios.iter().filter(|ratio| ratio.record.op == op).collect();
        let values: Vec<f64> = row.iter().map(|ratio| ratio.value).collect();
        let mean = mean.map_or_else(String::new, |mean| shown(mean(values.into_iter())));
        print!("{op:27}{mean:>7}");
        for corpus in corpora {
            let cell = row.iter().find(|ratio| ratio.record.corpus == *corpus);
            let cell = cell.map_or_else(|| "· ".into(), |cell| shown(cell.value));
            print!(" {cell:>0$}", width(corpus));
        }
        println!();
    }
}

/// Every engine of every cell, with its speed.
fn print_figures(records: &Records, of_isa: &[&Record], isa: &str, subject: &str, by: By) {
    let (_, unit) = by.names();
    println!(
        "\n{:26} {:14} {:12} {:>13} {:>13} {:>8}",
        format!("{isa}: operation"),
        "corpus",
        "engine",
        format!("{unit} med"),
        format!("{unit} max"),
        "ratio"
    );
    for record in of_isa {
        let Record { engine, op, corpus, bytes, time, .. } = record;
        let ratio = match records.of_engine(record, subject) {
            Some(own) if own.engine != *engine => shown(time.by(by) / own.time.by(by)),
            _ => String::new(),
        };
        let speed = |ns: f64| *bytes as f64 / ns;
        println!(
            "{op:26} {corpus:14} {engine:12} {:13.2} {:13.2} {ratio:>8}",
            speed(time.median_ns),
            speed(time.min_ns),
        );
    }
}

/// A ratio, marked if it is below 1.
fn shown(ratio: f64) -> String {
    let mark = if ratio < 1.0 { "<" } else { " " };
    if ratio < 99.5 { format!("{ratio:.2}{mark}") } else { format!("{ratio:.0}{mark}") }
}

/// The geometric mean.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut logarithms, mut count) = (0.0, 0.0);
    for value in values {
        logarithms += value.ln();
        count += 1.0;
    }
    f64::exp(logarithms / count)
}

/// The corpora of these records, in order of their index: not every operation has the first.
pub(crate) fn corpora<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<&'a str> {
    let columns: BTreeMap<usize, &str> =
        records.map(|record| (record.column, &*record.corpus)).collect();
    columns.into_values().collect()
}

/// The common part of names of corpora that differ only in a number: `french` of `french-32`.
pub(crate) fn kind(corpus: &str) -> &str {
    corpus.split('-').next().unwrap_or(corpus)
}

/// Removes repetitions; keeps the order of first appearance.
pub(crate) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}
