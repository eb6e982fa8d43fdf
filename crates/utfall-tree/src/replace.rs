//! A file that takes the place of another, whole or not at all.
//!
//! It is written beside its target, under a name of its own, and renamed in the end. Whoever
//! opens the target finds the old text or the new one, and so does a machine that is cut short.
//! A rename is atomic on every local file system; that it survives a power cut takes
//! [`Keep::sync`].

use std::collections::BTreeSet;
use std::fs::{self, File, FileTimes, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::unfinished::Unfinished;

/// How many symbolic links are followed to a file that does not exist yet.
const MOST_LINKS: usize = 40;
/// What the name of a file that is not complete begins and ends with.
const AFFIXES: (&str, &str) = (".utfall-", ".tmp");
/// How many random letters and digits are between.
const RANDOM: usize = 6;
/// How often a new name is tried if another run took the file for one left behind.
const TRIES: usize = 8;
/// How many entries of a folder are looked at before a file is written there. To look at all of a
/// huge one for each file would take longer than to write it.
const MOST_ENTRIES: usize = 20_000;

/// Folders from which this process has removed what was left behind.
static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// What is done besides renaming.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Keep {
    /// The target keeps its times of last access and modification.
    pub times: bool,
    /// The text is on the disk before it takes the place of the old one, and its name after.
    pub sync: bool,
}

/// A file to become the target.
///
/// What was there lends it owner (where that is allowed), permissions and extended attributes,
/// among them access control lists. Other hard links to it keep the old text. Dropped instead of
/// [finished](Self::finish), it leaves the target alone and nothing behind.
///
/// ```
/// use std::io::Write;
/// use utfall_tree::{Keep, Replacement};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.txt");
/// std::fs::write(&path, "old")?;
/// let mut new = Replacement::of(&path)?;
/// new.file().write_all(b"new")?;
/// assert_eq!(std::fs::read(&path)?, b"old");
/// new.finish(Keep::default())?;
/// assert_eq!(std::fs::read(&path)?, b"new");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Replacement {
    file: Unfinished,
    target: PathBuf,
    existing: Option<Metadata>,
}

impl Replacement {
    /// Begins a file to become what is at `path`, whether there is something or not.
    ///
    /// A symbolic link stays one: what it leads to is the target. If this process has not written
    /// to the folder before, files that killed runs left there are removed first, as by
    /// [`remove_left_behind`], unless they are among very many.
    ///
    /// # Errors
    /// The target is a directory, or a device or a pipe, which cannot be replaced; it may not be
    /// written; or nothing can be written beside it.
    pub fn of(path: &Path) -> io::Result<Self> {
        let target = behind_links(path)?;
        let existing = match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => {
                return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
            }
            // A rename does not ask whether the file itself may be written.
            Ok(metadata) => OpenOptions::new().write(true).open(&target).map(|_| Some(metadata))?,
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        clean(folder(&target));
        let file = create(folder(&target), existing.is_some())?;
        if let Some(existing) = &existing {
            take_over(&file, &target, existing)?;
        }
        Ok(Self { file, target, existing })
    }

    /// The file, to be written.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Gives it the owner, permissions and extended attributes of another file.
    pub(crate) fn take_over(&mut self, of: &Path) -> io::Result<()> {
        take_over(&self.file, of, &fs::metadata(of)?)
    }

    /// What it becomes: a path behind all symbolic links.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Lets it take the target's place.
    ///
    /// # Errors
    /// It cannot be; then the target is as it was.
    pub fn finish(self, keep: Keep) -> io::Result<()> {
        self.finish_locked(keep).map(drop)
    }

    /// The same; the lock on the new file stays as long as it is open.
    pub(crate) fn finish_locked(self, keep: Keep) -> io::Result<File> {
        let Self { file, target, existing } = self;
        if let Some(existing) = existing.filter(|_| keep.times) {
            set_times(file.as_file(), &existing)?;
        }
        if keep.sync {
            file.as_file().sync_all()?;
        }
        tell_late_errors(file.as_file())?;
        let file = file.persist(&target)?;
        if keep.sync {
            sync_folder(folder(&target))?;
        }
        Ok(file)
    }
}

/// The file that is written if `path` is: a symbolic link stays, and what it leads to is meant,
/// whether that exists yet or not.
///
/// # Errors
/// There are too many links; they may form a circle.
pub fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(link) => target = folder(&target).join(link),
            // No link, or nothing there.
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// What a file was when it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    #[cfg(unix)]
    id: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
}

impl Seen {
    pub(crate) fn new(metadata: &Metadata) -> Self {
        Self {
            #[cfg(unix)]
            id: {
                use std::os::unix::fs::MetadataExt;
                (metadata.dev(), metadata.ino())
            },
            length: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }
}

/// Whether the file at `path`, which is no symbolic link, is the one that `before` is of, with the
/// same length and time of modification: to be asked before what was made of it takes its place.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.txt");
/// std::fs::write(&path, "text")?;
/// let before = std::fs::metadata(&path)?;
/// assert!(utfall_tree::is_as_it_was(&path, &before)?);
/// std::fs::write(&path, "longer text")?;
/// assert!(!utfall_tree::is_as_it_was(&path, &before)?);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The file is gone, or the system does not tell.
pub fn is_as_it_was(path: &Path, before: &Metadata) -> io::Result<bool> {
    let now = fs::symlink_metadata(path)?;
    Ok(now.is_file() && Seen::new(before) == Seen::new(&now))
}

/// Removes from a folder what runs left there that were cut short, and returns how many files
/// these were.
///
/// A run holds a lock on each of its files until it is complete, so nothing is removed that is
/// still being written, nor anything where locks cannot be had.
///
/// # Errors
/// The folder cannot be read.
pub fn remove_left_behind(folder: &Path) -> io::Result<u64> {
    remove_among(folder, usize::MAX)
}

/// Does so once for each folder. What cannot be removed is in nobody's way.
fn clean(folder: &Path) {
    let cleaned = CLEANED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = !cleaned.contains(folder);
    drop(cleaned);
    if is_new {
        _ = remove_among(folder, MOST_ENTRIES);
    }
}

fn remove_among(folder: &Path, most: usize) -> io::Result<u64> {
    CLEANED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.into());
    let mut removed = 0;
    for entry in fs::read_dir(folder)?.take(most) {
        let entry = entry?;
        let is_ours = entry.file_name().to_str().is_some_and(is_temporary);
        if is_ours && entry.file_type()?.is_file() {
            removed += u64::from(remove_if_left_behind(&entry.path()).is_ok());
        }
    }
    Ok(removed)
}

fn remove_if_left_behind(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    file.try_lock()?;
    fs::remove_file(path)
}

/// Whether a file of this name is one that is still being written, or was when it was cut short.
pub(crate) fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(AFFIXES.0).and_then(|name| name.strip_suffix(AFFIXES.1));
    random.is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|octet| octet.is_ascii_alphanumeric())
    })
}

/// The folder a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new file in a folder, and a lock on it; only for us until it gets the permissions of another.
pub(crate) fn create(folder: &Path, is_private: bool) -> io::Result<Unfinished> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(AFFIXES.0).rand_bytes(RANDOM).suffix(AFFIXES.1);
    #[cfg(unix)]
    if !is_private {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = is_private;
    for _ in 0..TRIES {
        let file = Unfinished::create(|| builder.tempfile_in(folder))?;
        // Whoever removes what was left behind may have had it before the lock was there.
        match file.as_file().try_lock() {
            Err(TryLockError::WouldBlock) => continue,
            // Without locks, nothing is removed either.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if file.path().exists() {
            return Ok(file);
        }
    }
    Err(io::Error::other("another process keeps removing the files being written"))
}

/// Some file systems, such as NFS and those with quotas, tell only when a file is closed that it
/// could not be written. This closes a copy, so that the lock on the file stays.
#[cfg(unix)]
pub(crate) fn tell_late_errors(file: &File) -> io::Result<()> {
    loop {
        match nix::unistd::close(file.try_clone()?) {
            // It is closed, but nobody knows what became of what was to be written.
            Err(nix::errno::Errno::EINTR) => {}
            closed => return Ok(closed?),
        }
    }
}

/// The standard library does not tell.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)] // Elsewhere it may fail.
pub(crate) fn tell_late_errors(_: &File) -> io::Result<()> {
    Ok(())
}

/// Gives a new file what belongs to the one it will replace.
pub(crate) fn take_over(file: &Unfinished, from: &Path, existing: &Metadata) -> io::Result<()> {
    let permissions = owned_as(file.as_file(), existing)?;
    file.as_file().set_permissions(permissions)?;
    copy_attributes(from, file.path());
    Ok(())
}

pub(crate) fn set_times(file: &File, as_of: &Metadata) -> io::Result<()> {
    let times = FileTimes::new().set_modified(as_of.modified()?);
    file.set_times(match as_of.accessed() {
        Ok(accessed) => times.set_accessed(accessed),
        Err(_) => times,
    })
}

/// Gives a file an owner and a group as far as that is allowed, and returns the permissions that
/// it may have then: only root can give files away; for others the file is theirs now, as with
/// an editor, and does not run as somebody else.
#[cfg(unix)]
fn owned_as(file: &File, existing: &Metadata) -> io::Result<fs::Permissions> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    const RUNS_AS_OWNER: u32 = 0o6000;
    let own = file.metadata()?;
    let mut is_kept = true;
    if own.gid() != existing.gid() {
        is_kept &= fchown(file, None, Some(existing.gid())).is_ok();
    }
    if own.uid() != existing.uid() {
        is_kept &= fchown(file, Some(existing.uid()), None).is_ok();
    }
    let mode = existing.mode() & 0o7777;
    Ok(PermissionsExt::from_mode(if is_kept { mode } else { mode & !RUNS_AS_OWNER }))
}

#[cfg(not(unix))]
fn owned_as(_: &File, existing: &Metadata) -> io::Result<fs::Permissions> {
    Ok(existing.permissions())
}

/// Those that may be set: not every file system has them, and some are the system's.
#[cfg(unix)]
fn copy_attributes(from: &Path, to: &Path) {
    let Ok(names) = xattr::list(from) else { return };
    for name in names {
        if let Ok(Some(value)) = xattr::get(from, &name) {
            _ = xattr::set(to, &name, &value);
        }
    }
}

#[cfg(not(unix))]
fn copy_attributes(_: &Path, _: &Path) {}

/// Where a directory can be opened, the names in it can be synced.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
