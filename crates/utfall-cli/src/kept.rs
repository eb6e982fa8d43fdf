//! Originals that runs keep for `utfall undo`: checks before work starts, and reports at the end.

use std::env;
use std::path::{Path, PathBuf};

use serde::Serialize;
use utfall_tree::{Expired, Expiry, Journal, Kept, LockError, Locks, Memory};

use crate::cli::{KEEP_VARIABLE, KeepArgs, KeepFor};
use crate::failure::Failure;
use crate::message;

/// Locks the files and directories to be changed.
pub(crate) fn lock(arguments: &[PathBuf]) -> Result<Locks, Failure> {
    Locks::take(arguments).map_err(|error| {
        let (path, holder) = match error {
            LockError::Io(path, error) => {
                return Failure::io(|| format!("cannot lock {}", message::path(&path)))(error);
            }
            LockError::Busy { path, holder } => (path, holder),
            _ => return Failure::Unreadable,
        };
        let mut text = format!("another run is changing files in {}", message::path(&path));
        if path.is_file() {
            text = format!("another run is changing {}", message::path(&path));
        }
        if let Some(holder) = holder {
            text += &format!(": process {}", holder.process);
            if let Some(command) = &holder.command {
                text += &format!(" (`{}`)", message::plain(command));
            }
            if let Some(folder) = &holder.folder {
                text += &format!(", started in {}", message::path(folder));
            }
        }
        message::error_with_help(&text, "try again when it has finished");
        Failure::Unreadable
    })
}

/// The journal for the originals of this run, and the expired originals of earlier runs.
pub(crate) struct Keeping {
    pub(crate) journal: Journal,
    pub(crate) expired: Vec<Expired>,
}

impl Keeping {
    /// Reports how many originals this run keeps, and which have expired.
    pub(crate) fn tell(&self) {
        let expired = self.expired.iter().map(expired_text);
        let kept = self.journal.kept().and_then(kept_text);
        expired.chain(kept).for_each(|text| message::note(&text));
    }
}

/// Ensures that originals can be saved, and deletes expired ones.
pub(crate) fn begin(to: &str, sync: bool, keep: &KeepArgs) -> Result<Keeping, Failure> {
    let elsewhere = format!(
        "to keep them elsewhere, set {}; to continue without undo: --no-undo",
        utfall_tree::STATE_VARIABLE
    );
    let days = match keep.keep {
        Some(keep) => keep,
        None => from_environment()?,
    };
    let Some(state) = utfall_tree::state_folder() else {
        return Err(Failure::UsageWithHelp {
            text: "cannot keep the original files: there is no home directory".into(),
            help: elsewhere,
        });
    };
    let journal = Journal::new(&state, to, sync);
    if let Err(error) = journal.prepare() {
        let (state, reason) = (message::path(&state), message::io_reason(&error));
        let text = format!("cannot keep the original files in {state}: {reason}");
        message::error_with_help(&text, &elsewhere);
        return Err(Failure::Unreadable);
    }
    let expired = match days {
        KeepFor::Days(days) => utfall_tree::expire(&state, days).map_err(Failure::io(|| {
            format!("cannot read the old runs in {}", message::path(&state))
        }))?,
        KeepFor::Ever => Vec::new(),
    };
    Ok(Keeping { journal, expired })
}

fn from_environment() -> Result<KeepFor, Failure> {
    match env::var_os(KEEP_VARIABLE).filter(|days| !days.is_empty()) {
        None => Ok(KeepFor::default()),
        Some(days) => days.to_string_lossy().parse().map_err(|why| {
            let days = message::plain(&days.to_string_lossy());
            Failure::Usage(format!("{KEEP_VARIABLE}={days}: {why}"))
        }),
    }
}

/// The results of earlier runs. A damaged journal is an error, unless it is to be ignored.
pub(crate) fn memory(state: &Path, ignore_damaged: bool) -> Result<Memory, Failure> {
    let memory = match Memory::read(state) {
        Err(_) if ignore_damaged => Memory::default(),
        memory => memory.map_err(Failure::io(|| {
            format!("cannot read the journals of earlier runs in {}", message::path(state))
        }))?,
    };
    match memory.damaged() {
        [(run, damage), ..] if !ignore_damaged => Err(Failure::UsageWithHelp {
            text: format!(
                "run {run} is damaged, so files that it converted might be converted again: {}",
                damage.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
            ),
            help: format!(
                "`utfall undo --recover {run}` restores what it can; to continue anyway: \
                 --ignore-damaged-runs"
            ),
        }),
        _ => Ok(memory),
    }
}

/// `run 7: 42 originals kept (1.3 MB); to revert: …`, if there are any.
pub(crate) fn kept_text(kept: Kept) -> Option<String> {
    let Kept { run, files, bytes, .. } = kept;
    let (originals, size) = (message::count(files, "original"), message::size(bytes));
    (files > 0).then(|| {
        format!(
            "run {run}: {originals} kept ({size}); to revert: utfall undo {run}; \
             to delete them: utfall undo --forget {run}"
        )
    })
}

pub(crate) fn expired_text(expired: &Expired) -> String {
    let Expired { run, originals, bytes, days, end, .. } = expired;
    let age = message::count(*days, "day");
    let originals = message::count(*originals, "original");
    let why = match end {
        Expiry::Removed => {
            let size = message::size(*bytes);
            return format!("run {run}: {originals} deleted ({size}), {age} old");
        }
        Expiry::Damaged => format!("it is damaged: utfall undo --recover {run}"),
        Expiry::Partial => {
            format!("it was interrupted or partly undone: utfall undo {run}, or --forget {run}")
        }
        Expiry::Failed(error) => message::io_reason(error),
        _ => String::new(),
    };
    format!("run {run}: {originals} not deleted, although {age} old: {why}")
}

/// An expired run in JSON.
#[derive(Serialize)]
pub(crate) struct ExpiredObject {
    run: u64,
    originals: u64,
    bytes: u64,
    age_days: u64,
    deleted: bool,
}

pub(crate) fn expired_objects(expired: &[Expired]) -> Vec<ExpiredObject> {
    let object = |expired: &Expired| ExpiredObject {
        run: expired.run,
        originals: expired.originals,
        bytes: expired.bytes,
        age_days: expired.days,
        deleted: matches!(expired.end, Expiry::Removed),
    };
    expired.iter().map(object).collect()
}
