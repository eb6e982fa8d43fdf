//! What the terminal shows: ratios as tables, or every figure if there are few.

use crate::corpus::Group;
use crate::engine::NAMES;
use crate::record::{By, Record, subject_of};

/// Up to so many cells are shown with all their figures.
const FEW: usize = 12;

/// How often the subject is faster than a peer.
struct Ratio<'a> {
    record: &'a Record,
    value: f64,
}

/// Prints all there is for one table of kernels.
pub(crate) fn print(records: &[Record], isa: &str, subject: &str, by: By) {
    let records: Vec<Record> = records.iter().filter(|r| r.isa == isa).cloned().collect();
    let cells = records.iter().filter(|record| record.engine == subject).count();
    if cells <= FEW {
        return print_figures(&records, isa, subject, by);
    }
    for peer in NAMES.iter().filter(|&&peer| peer != subject) {
        let ratios: Vec<Ratio<'_>> = records
            .iter()
            .filter(|record| record.engine == *peer)
            .filter_map(|record| {
                let own = subject_of(&records, record, subject)?;
                Some(Ratio { record, value: record.time.by(by) / own.time.by(by) })
            })
            .collect();
        if ratios.is_empty() {
            continue;
        }
        let by = if by == By::Median { "medians" } else { "minima" };
        println!("\n{subject} ({isa}) / {peer}: how many times faster, by {by}; `<` below 1");
        for group in Group::ALL {
            print_group(&ratios, group);
        }
        let values: Vec<f64> = ratios.iter().map(|ratio| ratio.value).collect();
        let below = values.iter().filter(|&&value| value < 1.0).count();
        let worst = ratios.iter().min_by(|a, b| a.value.total_cmp(&b.value));
        print!("geometric mean {:.2}, {below} of {} cells below 1", mean(&values), values.len());
        if let Some(Ratio { record, value }) = worst {
            print!("; least {value:.2}: {} {}", record.op, record.corpus);
        }
        println!();
    }
}

/// A row for each operation, a column for each corpus of the group.
fn print_group(ratios: &[Ratio<'_>], group: Group) {
    let ratios: Vec<&Ratio<'_>> =
        ratios.iter().filter(|ratio| ratio.record.group == group.name()).collect();
    let ops = distinct(ratios.iter().map(|ratio| &*ratio.record.op));
    let corpora = distinct(ratios.iter().map(|ratio| &*ratio.record.corpus));
    if ops.is_empty() {
        return;
    }
    let width = |corpus: &str| corpus.len().max(5) + 1;
    print!("{:27}{:>7}", group.name(), "mean");
    for corpus in &corpora {
        print!(" {corpus:>0$}", width(corpus));
    }
    println!();
    for op in ops {
        let row: Vec<&&Ratio<'_>> = ratios.iter().filter(|ratio| ratio.record.op == op).collect();
        let values: Vec<f64> = row.iter().map(|ratio| ratio.value).collect();
        print!("{op:27}{:>7}", shown(mean(&values)));
        for corpus in &corpora {
            let cell = row.iter().find(|ratio| ratio.record.corpus == *corpus);
            print!(" {:>1$}", cell.map_or("·".into(), |cell| shown(cell.value)), width(corpus));
        }
        println!();
    }
}

/// Every engine of every cell, with its speed.
fn print_figures(records: &[Record], isa: &str, subject: &str, by: By) {
    println!(
        "{:26} {:14} {:12} {:>9} {:>9} {:>8}",
        format!("{isa}: operation"),
        "corpus",
        "engine",
        "GB/s med",
        "GB/s max",
        "ratio"
    );
    for record in records {
        let Record { engine, op, corpus, octets, time, .. } = record;
        let ratio = match subject_of(records, record, subject) {
            Some(own) if own.engine != *engine => shown(time.by(by) / own.time.by(by)),
            _ => String::new(),
        };
        let speed = |ns: f64| *octets as f64 / ns;
        println!(
            "{op:26} {corpus:14} {engine:12} {:9.2} {:9.2} {ratio:>8}",
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
pub(crate) fn mean(values: &[f64]) -> f64 {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (logarithms / values.len() as f64).exp()
}

/// Without repetition, in the order of first appearance.
pub(crate) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}
