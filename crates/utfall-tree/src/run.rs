//! All files of a plan, on several threads, and what has become of them, in order.

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
use crate::convert::{self, Step, Task};
use crate::journal::Journal;
use crate::locks::{self, Locks};
use crate::memory::Memory;
use crate::plan::{Item, Plan};
use crate::replace::remove_left_behind;
use crate::settle::{self, Ready};

/// How often who runs it hears how far it is.
const TICK: Duration = Duration::from_millis(100);
/// More threads are of no use, and not every system gives so many.
const MOST_THREADS: usize = 256;
/// So many files are replaced together, which waits for the disk once.
const MOST_READY: usize = 128;
/// Fewer if they have so many bytes: until then, the disk holds both old and new.
const MOST_READY_OCTETS: u64 = 16 * 1024 * 1024;

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Files that are done.
    pub files: u64,
    /// Octets that have been read.
    pub octets: u64,
}

/// What happens in a run.
#[derive(Debug)]
pub enum Event<'p> {
    /// This has become of a file. They come in the order of the plan.
    File(&'p Item, Outcome),
    /// Time has passed.
    Tick(Progress),
}

/// What a run takes besides its plan.
pub struct Runner<'r> {
    /// What to do with each file.
    pub conversion: &'r Conversion,
    /// Which encoding it is in.
    pub choose: &'r dyn Choose,
    /// What earlier runs have made.
    pub memory: &'r Memory,
    /// Where what is replaced is kept, if it is to be.
    pub journal: Option<&'r Journal>,
    /// What keeps other runs from these files.
    pub locks: &'r Locks,
    /// On how many threads, at least one, if so many can be started; no more
    /// than 256.
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
    /// Removes what runs left in the folders of the plan that were cut short, and returns how many
    /// files these were.
    #[must_use]
    pub fn clean(&self, plan: &Plan) -> u64 {
        let remove = |folder: &Path| remove_left_behind(folder).unwrap_or(0);
        match self.conversion.dry_run {
            true => 0,
            false => plan.folders().into_iter().map(remove).sum(),
        }
    }

    /// Converts all files of a plan. `tell` is called on this thread.
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
            octets: AtomicU64::new(0),
            threads,
        };
        thread::scope(|scope| {
            for lacking in (1..=threads).rev() {
                let (shared, sender) = (&shared, sender.clone());
                let here = sender.clone();
                let work = move || shared.work(&sender);
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    // The system has no more of them. This one works in place of those that are
                    // lacking, and tells when it has.
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
                    let octets = shared.octets.load(Ordering::Relaxed);
                    tell(Event::Tick(Progress { files: done, octets }));
                }
            }
        });
    }
}

/// What the threads share.
struct Shared<'r> {
    task: Task<'r>,
    /// How many files a thread replaces together.
    batch: usize,
    items: &'r [Item],
    next: AtomicUsize,
    running: AtomicUsize,
    /// Those for which all threads are needed, when there is nothing else left to do.
    large: Mutex<Vec<usize>>,
    octets: AtomicU64,
    threads: usize,
}

/// Files that are complete, and are replaced together.
#[derive(Default)]
struct Batch {
    indices: Vec<usize>,
    ready: Vec<Ready>,
    octets: u64,
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
        // The last one that has nothing to do.
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
        let saw = |octets| _ = self.octets.fetch_add(octets, Ordering::Relaxed);
        match convert::convert(&self.task, &self.items[index], threads, &saw) {
            Step::ForSeveralThreads => {
                self.large.lock().unwrap_or_else(PoisonError::into_inner).push(index);
            }
            // Nobody hears it if the run has been given up.
            Step::Outcome(outcome) => _ = sender.send((index, outcome)),
            Step::Ready(ready) => {
                batch.octets += ready.length();
                batch.indices.push(index);
                batch.ready.push(*ready);
                if batch.ready.len() >= self.batch || batch.octets >= MOST_READY_OCTETS {
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
