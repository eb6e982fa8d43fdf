//! `cargo xtask bench`: compares the speed of utfall with other libraries.
//!
//! One process measures one table of kernels. `simdutf` decides once per process which of its
//! tables to use, so this program runs itself again for each of ours, with simdutf's table for the
//! same instructions: AVX2 is compared with AVX2. In that process the engines take turns (A B C A
//! B C …), so that any other load on the machine affects all of them.
#![deny(unsafe_code)]

mod corpus;
mod engine;
mod instructions;
mod measure;
mod op;
mod plot;
mod record;
mod table;

use std::env;
use std::error::Error;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Parser;
use utfall_simd::{Kernels, dispatch};

use corpus::{Extent, Group};
use engine::{API, NAMES, SIMDUTF, UTFALL};
use instructions::Counter;
use op::{Kind, OPS, Op};
use record::{By, Record, Records};

/// The environment variable that gives `simdutf` the name of a table.
const SIMDUTF_TABLE: &str = "SIMDUTF_FORCE_IMPLEMENTATION";

/// Compare the speed of utfall with other libraries, after checking that all give the same
/// results.
///
/// A filter accepts names and parts of names, separated by commas. Without filters and `--quick`,
/// the results are also written to bench/record/ and bench/plot.svg.
#[derive(Parser)]
#[command(name = "cargo xtask bench")]
struct Args {
    /// Use fewer corpora and shorter measurements: some minutes for everything.
    #[arg(long)]
    quick: bool,
    /// Run everything once on a short text, and only check the results.
    #[arg(long)]
    test: bool,
    /// Measure only these operations.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    op: Vec<String>,
    /// Measure the texts in this folder, too: files of UTF-8 that are named after their language, such as
    /// those that `cargo xtask detect-quality` makes in `target`.
    #[arg(long, value_name = "DIR")]
    texts: Option<PathBuf>,
    /// Measure only these corpora or groups of them: real, made, errors, short, large, texts, slices,
    /// mixed.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    corpus: Vec<String>,
    /// Measure only these tables of kernels.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    isa: Vec<String>,
    /// Compare only with these peers. By default, tables other than the best are compared with
    /// simdutf only.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    peer: Vec<String>,
    /// The statistic that represents a cell.
    #[arg(long, value_enum, default_value_t = By::Median)]
    by: By,
    /// Compare the public API with the peers, instead of the kernels.
    #[arg(long)]
    api: bool,
    /// Write bench/record/ and bench/plot.svg despite filters or `--quick`.
    #[arg(long)]
    record: bool,
    /// Count the instructions of AArch64 in QEMU instead of measuring times. Only `cargo xtask bench`
    /// does that.
    #[arg(long)]
    instructions: bool,
    /// Print the names that filters accept.
    #[arg(long)]
    list: bool,
    /// Measure this table in this process.
    #[arg(long, value_name = "NAME", hide = true)]
    measure: Option<String>,
    /// Count instructions in this process; a plugin of QEMU writes the counts to this file.
    #[arg(long, value_name = "PATH", hide = true)]
    counts: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let result = match (&args.measure, &args.counts) {
        (Some(isa), _) => measure_and_print(&args, isa),
        _ if args.list => list(&args),
        _ if args.instructions => Err("run `cargo xtask bench --instructions`".into()),
        (_, Some(counts)) => compare_instructions(&args, counts),
        _ => compare(&args),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::from(2)
        }
    }
}

impl Args {
    fn extent(&self) -> Extent {
        match (self.test, self.quick) {
            (true, _) => Extent::Test,
            (_, true) => Extent::Quick,
            _ => Extent::Full,
        }
    }

    fn ops(&self) -> Result<Vec<Op>, String> {
        let names: Vec<&str> = OPS.iter().map(|op| op.name).collect();
        let wanted = chosen("--op", &self.op, &names)?;
        Ok(OPS.iter().filter(|op| wanted.contains(&op.name)).copied().collect())
    }

    fn peers(&self) -> Result<Vec<&'static str>, String> {
        chosen("--peer", &self.peer, &NAMES)
    }

    fn isas(&self) -> Result<Vec<&'static str>, String> {
        let names: Vec<&str> = dispatch::available().map(Kernels::name).collect();
        chosen("--isa", &self.isa, &names)
    }

    /// Names of corpora and of whole groups.
    fn corpora<'a>(&self, names: &'a [(String, Group)]) -> Result<Vec<&'a str>, String> {
        let groups = Group::ALL.map(Group::name);
        let all: Vec<&str> = names.iter().map(|(name, _)| &**name).chain(groups).collect();
        chosen("--corpus", &self.corpus, &all)
    }

    /// Whether the results are written to a file.
    fn is_recorded(&self) -> bool {
        self.record || !(self.is_filtered() || self.quick)
    }

    fn is_filtered(&self) -> bool {
        [&self.op, &self.corpus, &self.isa, &self.peer].iter().any(|filter| !filter.is_empty())
    }
}

/// The names that a filter selects: exact matches, or partial ones if there are none.
fn chosen<'a>(option: &str, filter: &[String], names: &[&'a str]) -> Result<Vec<&'a str>, String> {
    if filter.is_empty() {
        return Ok(names.to_vec());
    }
    let mut wanted = Vec::new();
    for part in filter {
        let part = part.to_ascii_lowercase();
        let whole: Vec<&str> =
            names.iter().copied().filter(|name| name.eq_ignore_ascii_case(&part)).collect();
        let holds = |name: &&&str| name.to_ascii_lowercase().contains(&part);
        let parts = || names.iter().filter(holds).copied().collect();
        let found: Vec<&str> = if whole.is_empty() { parts() } else { whole };
        if found.is_empty() {
            return Err(format!("{option}: no name contains {part}; see --list"));
        }
        wanted.extend(found);
    }
    Ok(names.iter().copied().filter(|name| wanted.contains(name)).collect())
}

/// The corpora that `--corpus` accepts, each with its group.
fn corpus_names(args: &Args) -> io::Result<Vec<(String, Group)>> {
    let names = std::cell::RefCell::new(Vec::new());
    corpus::corpora(args.extent(), args.texts.as_deref(), |name, group| {
        names.borrow_mut().push((name.to_owned(), group));
        false
    })?;
    Ok(names.into_inner())
}

fn list(args: &Args) -> Result<bool, Box<dyn Error>> {
    let mut list = String::from("--isa\n");
    for isa in args.isas()? {
        list += &format!("  {isa:7} (simdutf's {})\n", simdutf_table(isa));
    }
    list += &format!("--peer\n  {}\n--corpus\n", NAMES.join(" "));
    let corpora = corpus_names(args)?;
    for group in Group::ALL {
        let names = corpora.iter().filter(|(_, of)| *of == group).map(|(name, _)| &**name);
        list += &format!("  {:7} {}\n", group.name(), names.collect::<Vec<_>>().join(" "));
    }
    list += "--op\n";
    for op in OPS {
        list += &format!("  {}\n", op.name);
    }
    // The reader may have closed the pipe.
    let _ = io::stdout().write_all(list.as_bytes());
    Ok(true)
}

/// The table of simdutf that has the same instructions.
fn simdutf_table(isa: &str) -> &'static str {
    match isa {
        "avx512" => "icelake",
        "avx2" => "haswell",
        "sse42" => "westmere",
        "neon" => "arm64",
        _ => "fallback",
    }
}

/// Measures each table in a separate process, and prints the results.
fn compare(args: &Args) -> Result<bool, Box<dyn Error>> {
    // Report wrong names before any process is started.
    args.ops()?;
    args.peers()?;
    args.corpora(&corpus_names(args)?)?;
    if !cfg!(feature = "simdutf") {
        println!("skipping simdutf: it was not built (cargo feature `simdutf`)");
    }
    if let Some(reason) = engine::cpython::missing() {
        println!("skipping CPython: {reason}");
    }
    let mut records = Records::default();
    let mut right = true;
    let isas = args.isas()?;
    for isa in &isas {
        let mut child = Command::new(env::current_exe()?)
            .args(env::args_os().skip(1))
            .args(["--measure", isa])
            .env(SIMDUTF_TABLE, simdutf_table(isa))
            .env("UTFALL_ISA", isa)
            .stdout(Stdio::piped())
            .spawn()?;
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        for line in lines {
            let line = line?;
            match line.split_once('\t') {
                Some(("record", record)) => {
                    records.push(Record::from_line(record).ok_or("malformed record")?);
                }
                _ => println!("{line}"),
            }
        }
        right &= child.wait()?.success();
    }
    if args.test {
        return Ok(right);
    }

    let subject = print(args, &records, &isas, args.by)?;
    if args.is_recorded() {
        let isa = isas[0];
        let ratios = table::ratios(&records, isa, subject, SIMDUTF, By::Median);
        if !ratios.is_empty() {
            let title = format!("{subject} ({isa}) / simdutf ({})", simdutf_table(isa));
            println!("written: {}", plot::write(&ratios, &title)?.display());
        }
    }
    Ok(right)
}

/// Counts the instructions of the best table in this process, or of chosen ones, and prints the
/// results.
fn compare_instructions(args: &Args, counts: &Path) -> Result<bool, Box<dyn Error>> {
    let mut counter = Counter::open(counts)?;
    let mut records = Records::default();
    let mut right = true;
    let mut isas = args.isas()?;
    if args.isa.is_empty() {
        // In this process simdutf uses its best table.
        isas.truncate(1);
    }
    for isa in &isas {
        right &= measure_all(args, isa, Some(&mut counter), |record| records.push(record))?;
    }
    print(args, &records, &isas, By::Instructions)?;
    Ok(right)
}

/// Prints the results, and writes them to a file if they are complete. Returns the name of the engine
/// that is compared with the others.
fn print(
    args: &Args,
    records: &Records,
    isas: &[&str],
    by: By,
) -> Result<&'static str, Box<dyn Error>> {
    let subject = if args.api { API } else { UTFALL };
    for isa in isas {
        table::print(records, isa, subject, by);
    }
    if !args.is_filtered() {
        table::print_summary(records, isas, by);
    }
    if args.is_recorded() {
        println!("\nwritten: {}", record::write_csv(records, subject, by)?.display());
    }
    Ok(subject)
}

/// Measures one table in this process, and prints a line for each record.
fn measure_and_print(args: &Args, isa: &str) -> Result<bool, Box<dyn Error>> {
    measure_all(args, isa, None, |record| println!("record\t{}", record.to_line()))
}

/// Measures one table in this process: times, or instructions if there is a counter for them.
fn measure_all(
    args: &Args,
    isa: &str,
    mut counter: Option<&mut Counter>,
    mut report: impl FnMut(Record),
) -> Result<bool, Box<dyn Error>> {
    let kernels = dispatch::by_name(isa).ok_or("no such table")?;
    let is_best = dispatch::available().next().is_some_and(|best| best.name() == isa);
    let peers = args.peers()?;
    let counts = counter.is_some();
    let wanted = |name: &str| match name {
        UTFALL => !args.api,
        API if args.api => true,
        // It is another process, which the plugin does not count.
        engine::cpython::NAME if counts => false,
        SIMDUTF => peers.contains(&name),
        _ => peers.contains(&name) && (is_best || !args.peer.is_empty() || args.test),
    };

    let extent = args.extent();
    let names = corpus_names(args)?;
    let chosen = args.corpora(&names)?;
    let corpora = corpus::corpora(extent, args.texts.as_deref(), |name, group| {
        chosen.contains(&name) || chosen.contains(&group.name())
    })?;

    let mut right = true;
    let mut cells = 0;
    let ops = args.ops()?;
    for (done, op) in ops.iter().enumerate() {
        if io::stderr().is_terminal() {
            eprint!("\r{isa}: {} of {}, {:27}", done + 1, ops.len(), op.name);
        }
        let engines = engine::engines(*op, kernels, wanted);
        let is_alone = engines.len() < 2
            && !matches!(op.kind, Kind::Transcode(..) | Kind::TranscodeLength(..));
        if engines.is_empty() || is_alone && !args.test {
            continue;
        }
        for corpus in &corpora {
            let counter = counter.as_deref_mut();
            let Some(cell) = measure::cell(*op, corpus, &engines, extent, counter) else {
                continue;
            };
            cells += 1;
            for ((engine, time), wrong) in engines.iter().zip(cell.times).zip(cell.wrong) {
                if let Some(wrong) = wrong {
                    println!("WRONG {isa} {} {} {}: {wrong}", engine.name, op.name, corpus.name);
                    right = false;
                }
                let Some(time) = time else { continue };
                let record = Record {
                    isa: isa.into(),
                    engine: engine.name.into(),
                    op: op.name.into(),
                    corpus: corpus.name.clone(),
                    column: names.iter().position(|(name, _)| *name == corpus.name).unwrap_or(0),
                    group: corpus.group.name().into(),
                    bytes: cell.bytes,
                    time,
                };
                report(record);
            }
        }
        io::stdout().flush()?;
    }
    if io::stderr().is_terminal() {
        eprint!("\r{:60}\r", "");
    }
    if args.test {
        println!("{isa}: {} operations, {cells} cells", ops.len());
    }
    Ok(right)
}
