//! Runs tasks on threads and returns their results in the order of the tasks.

use std::collections::VecDeque;
use std::iter;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::scan::{Enough, Event, Scan, Task};
use crate::failure::Failure;

/// Events per batch.
const BATCH: usize = 64;
/// Batches waiting for their turn. A task with more batches waits, so memory is bounded.
const WAITING: usize = 16;
/// More threads do not help, and not every system provides them.
const MOST_THREADS: usize = 256;

/// Runs all tasks on this many threads, and passes their events to `take`, in the order of the
/// tasks.
pub(crate) fn run(
    scan: Scan,
    tasks: impl Iterator<Item = Task>,
    threads: usize,
    mut take: impl FnMut(&Task, Event) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut tasks = tasks.peekable();
    let Some(first) = tasks.next() else { return Ok(()) };
    let is_only = tasks.peek().is_none();
    let tasks = iter::once(first).chain(tasks);
    if threads <= 1 || is_only {
        return tasks.into_iter().try_for_each(|task| run_here(scan, &task, &mut take));
    }
    let threads = threads.min(MOST_THREADS);
    let most = 2 * threads;
    let (queue, inbox) = sync_channel(most);
    let inbox = Mutex::new(inbox);
    thread::scope(|scope| {
        // Drops the queue at the end of this scope, so that the threads end.
        let queue = queue;
        let work = || work(scan, &inbox);
        let start = || thread::Builder::new().spawn_scoped(scope, work).is_ok();
        if (0..threads).take_while(|_| start()).count() == 0 {
            // The system provides no threads.
            return tasks.into_iter().try_for_each(|task| run_here(scan, &task, &mut take));
        }
        let mut finish = |(task, events): Given| {
            events.into_iter().flatten().try_for_each(|event| take(&task, event))
        };
        let mut given = VecDeque::new();
        for task in tasks {
            if given.len() == most
                && let Some(first) = given.pop_front()
            {
                finish(first)?;
            }
            let (outbox, events) = sync_channel(WAITING);
            queue.send((task.clone(), outbox)).expect("there are threads until the queue ends");
            given.push_back((task, events));
        }
        given.into_iter().try_for_each(finish)
    })
}

/// A task given to a thread, and its events.
type Given = (Task, Receiver<Vec<Event>>);
/// A task, and the channel for its events.
type Job = (Task, SyncSender<Vec<Event>>);

fn run_here(
    scan: Scan,
    task: &Task,
    take: &mut impl FnMut(&Task, Event) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut result = Ok(());
    let ended = scan.run(task, &mut |event| {
        result = take(task, event);
        if result.is_ok() { Ok(()) } else { Err(Enough) }
    });
    debug_assert_eq!(ended.is_ok(), result.is_ok());
    result
}

/// Runs tasks until none are left.
fn work(scan: Scan, inbox: &Mutex<Receiver<Job>>) {
    loop {
        let job = inbox.lock().map(|inbox| inbox.recv());
        let Ok(Ok((task, outbox))) = job else { return };
        let mut batch = Vec::new();
        let ended = scan.run(&task, &mut |event| {
            batch.push(event);
            match batch.len() {
                BATCH => outbox.send(std::mem::take(&mut batch)).map_err(|_| Enough),
                _ => Ok(()),
            }
        });
        if ended.is_err() || outbox.send(batch).is_err() {
            return;
        }
    }
}
