//! Replaces a file atomically.
//!
//! The new file is written next to its target, under a temporary name, and finally renamed. Anyone
//! who opens the target finds either the original or the new text, even after a crash. A rename is
//! atomic on every local file system; to survive a power cut, it requires [`Keep::sync`].

use std::collections::BTreeSet;
use std::fs::{self, File, FileTimes, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::unfinished::Unfinished;

/// How many symbolic links are followed to a file that does not exist yet.
const MOST_LINKS: usize = 40;
/// The prefix and suffix of temporary names.
const AFFIXES: (&str, &str) = (".utfall-", ".tmp");
/// The number of random letters and digits between them.
const RANDOM: usize = 6;
/// How often a new name is tried if another run removed the file as a leftover.
const TRIES: usize = 8;
/// How many entries of a directory are examined before writing a file there. Examining a huge
/// directory completely for each file would take longer than writing the file.
const MOST_ENTRIES: usize = 20_000;

/// Directories that this process has already cleaned up.
static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Options for replacing a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Keep {
    /// Preserve the target's access and modification times.
    pub times: bool,
    /// Sync the new file before the rename, and its directory afterwards.
    pub sync: bool,
}

/// A new file that will replace the target.
///
/// It inherits the owner (where permitted), permissions and extended attributes of the target,
/// including access control lists. Other hard links keep the original text. If it is dropped
/// instead of [finished](Self::finish), the target is unchanged and nothing remains.
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
    /// Begins a replacement for `path`, which need not exist.
    ///
    /// A symbolic link is preserved, and its destination becomes the target. The first time this
    /// process writes to a directory, it removes the leftover files of killed runs there, as
    /// [`remove_left_behind`] does, unless the directory is very large.
    ///
    /// # Errors
    /// Returns an error if the target is a directory, a device or a pipe, if it is not writable, or
    /// if its directory is not writable.
    pub fn of(path: &Path) -> io::Result<Self> {
        let target = resolved_links(path)?;
        let existing = match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => {
                return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
            }
            // A rename does not check whether the file itself is writable.
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

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Copies the owner, permissions and extended attributes of another file.
    pub(crate) fn take_over(&mut self, of: &Path) -> io::Result<()> {
        take_over(&self.file, of, &fs::metadata(of)?)
    }

    /// The path of the target, with all symbolic links resolved.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Replaces the target.
    ///
    /// # Errors
    /// Returns an error if that fails; the target is then unchanged.
    pub fn finish(self, keep: Keep) -> io::Result<()> {
        self.finish_locked(keep).map(drop)
    }

    /// Like [`finish`](Self::finish). The lock on the new file remains as long as the file is open.
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

/// Resolves the symbolic links of `path` to the file that would be written, which need not exist.
///
/// # Errors
/// Returns an error if there are too many links, which may form a cycle.
pub fn resolved_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(link) => target = folder(&target).join(link),
            // Not a link, or does not exist.
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The identity and state of a file when it was found.
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

/// Whether the file at `path`, which must not be a symbolic link, still is the file described by
/// `before`, with the same length and modification time. Call it before replacing a file with
/// something derived from it.
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
/// Returns an error if the file no longer exists, or if its metadata cannot be read.
pub fn is_as_it_was(path: &Path, before: &Metadata) -> io::Result<bool> {
    let now = fs::symlink_metadata(path)?;
    Ok(now.is_file() && Seen::new(before) == Seen::new(&now))
}

/// Removes the temporary files of interrupted runs from a directory, and returns their number.
///
/// A run holds a lock on each of its files until it is complete, so files that are still being
/// written are never removed. Where locks are not supported, nothing is removed.
///
/// # Errors
/// Returns an error if the directory cannot be read.
pub fn remove_left_behind(folder: &Path) -> io::Result<u64> {
    remove_among(folder, usize::MAX)
}

/// Cleans each directory once. Files that cannot be removed do no harm.
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

/// Whether this is the name of a temporary file.
pub(crate) fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(AFFIXES.0).and_then(|name| name.strip_suffix(AFFIXES.1));
    random.is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// The directory of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates and locks a new file in a directory. If it `is_private`, only the user may access it
/// until its permissions are set.
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
        // A cleaning process may have opened it before it was locked.
        match file.as_file().try_lock() {
            Err(TryLockError::WouldBlock) => continue,
            // Where locks are not supported, nothing is removed either.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if file.path().exists() {
            return Ok(file);
        }
    }
    Err(io::Error::other("another process keeps removing the files being written"))
}

/// Some file systems, such as NFS and those with quotas, report write errors only on close. This
/// closes a duplicate, so that the file stays locked.
#[cfg(unix)]
pub(crate) fn tell_late_errors(file: &File) -> io::Result<()> {
    loop {
        match nix::unistd::close(file.try_clone()?) {
            // It is closed, but the result of the pending writes is unknown.
            Err(nix::errno::Errno::EINTR) => {}
            closed => return Ok(closed?),
        }
    }
}

/// The standard library does not report these errors.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)] // Can fail on Unix.
pub(crate) fn tell_late_errors(_: &File) -> io::Result<()> {
    Ok(())
}

/// Copies the attributes of the file that a new file will replace.
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

/// Changes owner and group as far as permitted, and returns the permissions that are safe then.
/// Only root can give files away. For other users the file becomes their own, as with an editor,
/// and loses its set-user-ID and set-group-ID bits.
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

/// Copies what can be set: not every file system supports attributes, and some are reserved for the
/// system.
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

/// Syncs the names in a directory, where directories can be opened.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
