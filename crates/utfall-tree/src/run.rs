//! Converts all files of a plan on several threads, and reports the outcomes in order.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::choose::Choose;
use crate::conversion::{Conversion, Outcome};
use crate::convert;
use crate::journal::Journal;
use crate::locks::{self, Locks};
use crate::memory::Memory;
use crate::plan::{Item, Plan};
use crate::replace::remove_left_behind;
use crate::settle::{self, Ready, Step};
use crate::task::Task;

/// The interval of progress reports.
const TICK: Duration = Duration::from_millis(100);
/// More threads are useless, and not every system allows so many.
const MOST_THREADS: usize = 256;
/// The most files that are replaced together, with a single sync.
const MOST_READY: usize = 128;
/// The most bytes that are replaced together: until then, the disk holds both old and new files.
const MOST_READY_BYTES: u64 = 16 * 1024 * 1024;

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Number of files finished.
    pub files: u64,
    /// Number of bytes read.
    pub bytes: u64,
}

/// An event of a run.
#[derive(Debug)]
pub enum Event<'p> {
    /// The outcome of a file. Outcomes arrive in the order of the plan.
    File(&'p Item, Outcome),
    /// A periodic progress report.
    Tick(Progress),
}

/// The settings of a run, besides its plan.
pub struct Runner<'r> {
    /// The conversion to apply to each file.
    pub conversion: &'r Conversion,
    /// How to determine the encoding of each file.
    pub choose: &'r dyn Choose,
    /// The files written by earlier runs.
    pub memory: &'r Memory,
    /// The journal that saves originals, if any.
    pub journal: Option<&'r Journal>,
    /// The locks against other runs.
    pub locks: &'r Locks,
    /// The number of threads: at least 1 and at most 256, or fewer if the system does not allow so
    /// many.
    pub threads: usize,
}

impl fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("conversion", &self.conversion)
            .field("memory", &self.memory)
            .field("journal", &self.journal)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl Runner<'_> {
    /// Removes the temporary files of interrupted runs from the directories of the plan, and
    /// returns their number.
    #[must_use]
    pub fn clean(&self, plan: &Plan) -> u64 {
        let remove = |folder: &Path| remove_left_behind(folder).unwrap_or(0);
        if self.conversion.dry_run { 0 } else { plan.folders().into_iter().map(remove).sum() }
    }

    /// Converts all files of a plan. Calls `tell` on this thread.
    pub fn run<'p>(&self, plan: &'p Plan, mut tell: impl FnMut(Event<'p>)) {
        let threads = self.threads.clamp(1, MOST_THREADS);
        let (sender, receiver) = channel();
        let shared = Shared {
            task: Task {
                conversion: self.conversion,
                choose: self.choose,
                memory: self.memory,
                journal: self.journal,
                locks: self.locks,
            },
            batch: (locks::open_files() / 8 / threads).clamp(1, MOST_READY.div_ceil(threads)),
            items: &plan.items,
            next: AtomicUsize::new(0),
            running: AtomicUsize::new(threads),
            large: Mutex::new(Vec::new()),
            bytes: AtomicU64::new(0),
            threads,
        };
        thread::scope(|scope| {
            for lacking in (1..=threads).rev() {
                let (shared, sender) = (&shared, sender.clone());
                let here = sender.clone();
                let work = move || shared.work(&sender);
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    // The system allows no more threads. This thread does the work of the missing
                    // ones and reports afterwards.
                    shared.running.fetch_sub(lacking - 1, Ordering::AcqRel);
                    shared.work(&here);
                    break;
                }
            }
            drop(sender);
            let (mut waiting, mut told, mut done) = (BTreeMap::new(), 0, 0);
            let mut ticked = Instant::now();
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok((index, outcome)) => {
                        done += 1;
                        waiting.insert(index, outcome);
                        while let Some(outcome) = waiting.remove(&told) {
                            tell(Event::File(&plan.items[told], outcome));
                            told += 1;
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if ticked.elapsed() >= TICK {
                    ticked = Instant::now();
                    let bytes = shared.bytes.load(Ordering::Relaxed);
                    tell(Event::Tick(Progress { files: done, bytes }));
                }
            }
        });
    }
}

/// State shared by the threads.
struct Shared<'r> {
    task: Task<'r>,
    /// How many files a thread replaces together.
    batch: usize,
    items: &'r [Item],
    next: AtomicUsize,
    running: AtomicUsize,
    /// Files that need all threads, once nothing else is left to do.
    large: Mutex<Vec<usize>>,
    bytes: AtomicU64,
    threads: usize,
}

/// Complete files that are replaced together.
#[derive(Default)]
struct Batch {
    indices: Vec<usize>,
    ready: Vec<Ready>,
    bytes: u64,
}

impl Shared<'_> {
    fn work(&self, sender: &Sender<(usize, Outcome)>) {
        let threads = (self.threads == 1).then_some(1);
        let mut batch = Batch::default();
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.items.len() {
                break;
            }
            self.convert(index, threads, &mut batch, sender);
        }
        self.replace(&mut batch, sender);
        if self.running.fetch_sub(1, Ordering::AcqRel) > 1 {
            return;
        }
        // This is the last thread to run out of work.
        let mut large =
            std::mem::take(&mut *self.large.lock().unwrap_or_else(PoisonError::into_inner));
        large.sort_unstable();
        for index in large {
            self.convert(index, Some(self.threads), &mut batch, sender);
            self.replace(&mut batch, sender);
        }
    }

    fn convert(
        &self,
        index: usize,
        threads: Option<usize>,
        batch: &mut Batch,
        sender: &Sender<(usize, Outcome)>,
    ) {
        let saw = |bytes| _ = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        match convert::convert(&self.task, &self.items[index], threads, &saw) {
            Step::ForSeveralThreads => {
                self.large.lock().unwrap_or_else(PoisonError::into_inner).push(index);
            }
            // The receiver may be gone if the run was aborted.
            Step::Outcome(outcome) => _ = sender.send((index, outcome)),
            Step::Ready(ready) => {
                batch.bytes += ready.length();
                batch.indices.push(index);
                batch.ready.push(*ready);
                if batch.ready.len() >= self.batch || batch.bytes >= MOST_READY_BYTES {
                    self.replace(batch, sender);
                }
            }
        }
    }

    fn replace(&self, batch: &mut Batch, sender: &Sender<(usize, Outcome)>) {
        let Batch { indices, ready, .. } = std::mem::take(batch);
        let outcomes = settle::replace_all(&self.task, ready);
        for (index, outcome) in indices.into_iter().zip(outcomes) {
            _ = sender.send((index, outcome));
        }
    }
}
