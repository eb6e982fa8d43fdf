//! The measurements: one [`Record`] per table, operation, corpus and engine.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::SystemTime;
use std::{fs, io};

use crate::corpus::root;
use crate::engine::NAMES;
use crate::measure::Time;

/// The time of one engine for one run over one corpus.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The table of kernels that the engine was compared with.
    pub(crate) isa: String,
    pub(crate) engine: String,
    pub(crate) op: String,
    pub(crate) corpus: String,
    /// The index of the corpus.
    pub(crate) column: usize,
    /// The group of the corpus.
    pub(crate) group: String,
    pub(crate) bytes: usize,
    pub(crate) time: Time,
}

/// The statistic that represents a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum By {
    /// Half of the samples were faster.
    Median,
    /// The fastest sample: the speed of the machine without other load.
    Min,
    /// The number of instructions instead of a time.
    #[value(skip)]
    Instructions,
}

impl By {
    /// The name of the compared quantity, and the unit of the speed.
    pub(crate) const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Median => ("medians", "GB/s"),
            Self::Min => ("minima", "GB/s"),
            Self::Instructions => ("instructions", "bytes/in"),
        }
    }
}

impl Time {
    pub(crate) fn by(self, by: By) -> f64 {
        match by {
            By::Median => self.median_ns,
            By::Min | By::Instructions => self.min_ns,
        }
    }
}

/// Transfers a record between processes, as a line.
impl Record {
    pub(crate) fn to_line(&self) -> String {
        let Record { isa, engine, op, corpus, column, group, bytes, time } = self;
        let Time { min_ns, median_ns } = time;
        format!(
            "{isa}\t{engine}\t{op}\t{corpus}\t{column}\t{group}\t{bytes}\t{min_ns}\t{median_ns}"
        )
    }

    pub(crate) fn from_line(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let mut next = || fields.next();
        Some(Self {
            isa: next()?.into(),
            engine: next()?.into(),
            op: next()?.into(),
            corpus: next()?.into(),
            column: next()?.parse().ok()?,
            group: next()?.into(),
            bytes: next()?.parse().ok()?,
            time: Time { min_ns: next()?.parse().ok()?, median_ns: next()?.parse().ok()? },
        })
    }
}

/// All records of a run, indexed by cell and engine.
#[derive(Default)]
pub(crate) struct Records {
    all: Vec<Record>,
    /// Table, engine, operation and corpus.
    index: HashMap<[String; 4], usize>,
}

impl Records {
    pub(crate) fn push(&mut self, record: Record) {
        let Record { isa, engine, op, corpus, .. } = record.clone();
        self.index.insert([isa, engine, op, corpus], self.all.len());
        self.all.push(record);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Record> {
        self.all.iter()
    }

    /// The record of the same cell for another engine.
    pub(crate) fn of_engine(&self, record: &Record, engine: &str) -> Option<&Record> {
        let Record { isa, op, corpus, .. } = record.clone();
        self.index.get(&[isa, engine.to_owned(), op, corpus]).map(|&at| &self.all[at])
    }

    /// Whether no other engine was measured in this cell.
    pub(crate) fn is_alone(&self, record: &Record) -> bool {
        let others = NAMES.iter().filter(|&&name| name != record.engine);
        others.filter_map(|name| self.of_engine(record, name)).next().is_none()
    }
}

/// Writes all records to `bench/record/`, named by date and processor, and returns the path. Numbers of
/// instructions go to `bench/instructions/`, in the columns of nanoseconds.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write_csv(records: &Records, subject: &str, by: By) -> io::Result<PathBuf> {
    let (processor, folder) = match by {
        By::Instructions => (std::env::consts::ARCH.to_owned(), "bench/instructions"),
        _ => (processor(), "bench/record"),
    };
    let date = date();
    let folder = root().join(folder);
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{date}-{}.csv", slug(&processor)));
    let mut csv = String::from("cpu,table,peer,op,corpus,octets,min_ns,median_ns,ratio\n");
    for record in records.iter() {
        let Record { isa, engine, op, corpus, bytes, time, .. } = record;
        let ratio = records
            .of_engine(record, subject)
            .map_or(String::new(), |own| format!("{:.3}", time.median_ns / own.time.median_ns));
        let _ = writeln!(
            csv,
            "{processor},{isa},{engine},{op},{corpus},{bytes},{:.1},{:.1},{ratio}",
            time.min_ns, time.median_ns,
        );
    }
    fs::write(&path, csv)?;
    Ok(path)
}

/// The processor's name, as far as the system reports it.
pub(crate) fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find(|line| line.starts_with("model name"));
    let name = name.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim());
    let name = name.unwrap_or(std::env::consts::ARCH);
    name.replace("(R)", "").replace("(TM)", "").replace(',', " ")
}

/// Lower-case words with hyphens between them.
fn slug(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("-")
}

/// Today in UTC, as `2026-01-31`.
pub(crate) fn date() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mut day = now.as_secs() / 86_400;
    let mut year = 1970;
    let is_leap = |year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = |year| if is_leap(year) { 366 } else { 365 };
    while day >= length(year) {
        day -= length(year);
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}
