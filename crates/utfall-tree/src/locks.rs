//! Locks against concurrent runs, independent of their state directories.
//!
//! A run holds an exclusive lock on each directory that it was given, and a shared lock on each
//! parent directory. So two runs with overlapping directories exclude each other. A file given by
//! name is locked itself, and so is its replacement, until the run ends. All are advisory locks
//! (`flock`), which only utfall checks, and which end with the process.
//!
//! If directories cannot be locked, one safeguard remains: a file is not replaced if it has changed
//! since the run began.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The locks of a run, released when dropped.
#[derive(Default)]
pub struct Locks(os::Held);

impl fmt::Debug for Locks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Locks").finish_non_exhaustive()
    }
}

/// Why locks could not be acquired.
#[derive(Debug)]
#[non_exhaustive]
pub enum LockError {
    /// Another process holds a lock.
    Busy {
        /// The locked directory or file.
        path: PathBuf,
        /// The process that holds the lock, if the system reports it.
        holder: Option<Holder>,
    },
    /// This directory or file cannot be opened.
    Io(PathBuf, io::Error),
}

/// A process that holds a lock.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Holder {
    /// The process ID.
    pub process: u32,
    /// Its arguments, separated by spaces.
    pub command: Option<String>,
    /// Its working directory.
    pub folder: Option<PathBuf>,
}

impl Locks {
    /// Locks the directories and files to be changed. A directory's lock covers everything below
    /// it.
    ///
    /// Arguments that do not exist are skipped. The number of locked files is limited to half of
    /// the open files that the system allows.
    ///
    /// # Errors
    /// Returns an error if another process holds one of the locks, or if too many files are open.
    pub fn take(arguments: &[PathBuf]) -> Result<Self, LockError> {
        os::Held::take(arguments).map(Self)
    }

    /// Locks a file while it is being replaced. `None` if locks are not supported.
    pub(crate) fn file(&self, path: &Path) -> io::Result<Option<FileLock>> {
        self.0.file(path)
    }

    /// Transfers the lock on a file given by name to its replacement.
    pub(crate) fn hand_over(&self, lock: Option<FileLock>, new: File) {
        self.0.hand_over(lock, new);
    }
}

pub(crate) use os::FileLock;
pub(crate) use os::open_files;

#[cfg(unix)]
mod os {
    use std::collections::{BTreeSet, HashMap};
    use std::fs::{self, File, TryLockError};
    use std::io::{self, ErrorKind};
    use std::os::unix::fs::MetadataExt;
    use std::path::{Path, PathBuf};
    use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

    use nix::sys::resource::{Resource, getrlimit};

    use super::{Holder, LockError};
    use crate::same_file::FileId;

    /// How often a file is reopened after it was replaced.
    const TRIES: usize = 8;
    /// The number of entries at which those of released locks are removed.
    const NOTED: usize = 1024;

    #[derive(Default)]
    pub(super) struct Held {
        _folders: Vec<File>,
        files: Mutex<Files>,
    }

    #[derive(Default)]
    struct Files {
        /// Files given by name, and their replacements.
        named: HashMap<FileId, Arc<File>>,
        /// All locked files, so that a file with two names is locked once. For the system, two
        /// locks of the same process conflict.
        all: HashMap<FileId, Weak<File>>,
    }

    /// A locked file.
    pub(crate) struct FileLock {
        id: FileId,
        file: Arc<File>,
    }

    /// How many files may be open at once.
    pub(crate) fn open_files() -> usize {
        let limit = getrlimit(Resource::RLIMIT_NOFILE).map_or(256, |(soft, _)| soft);
        usize::try_from(limit).unwrap_or(usize::MAX)
    }

    impl Held {
        pub(super) fn take(arguments: &[PathBuf]) -> Result<Self, LockError> {
            let (mut whole, mut files) = (BTreeSet::new(), Vec::new());
            for argument in arguments {
                // The conversion reports arguments that do not exist.
                let Ok(path) = fs::canonicalize(argument) else { continue };
                match fs::metadata(&path) {
                    Ok(metadata) if metadata.is_dir() => _ = whole.insert(path),
                    Ok(metadata) if metadata.is_file() => files.push(path),
                    _ => {}
                }
            }
            let all = whole.clone();
            let is_within = |path: &Path| path.ancestors().skip(1).any(|path| all.contains(path));
            whole.retain(|path| !is_within(path));
            files.retain(|path| !is_within(path));
            let paths = whole.iter().chain(&files);
            let above: BTreeSet<_> = paths.flat_map(|path| path.ancestors().skip(1)).collect();

            let most = open_files() / 2;
            let mut folders = Vec::new();
            for path in above.into_iter().take(most) {
                folders.extend(lock(path, |file| file.try_lock_shared())?);
            }
            for path in &whole {
                folders.extend(lock(path, File::try_lock)?);
            }
            let most = most.saturating_sub(folders.len());
            let held = Self { _folders: folders, files: Mutex::default() };
            for path in files.into_iter().take(most) {
                match held.file(&path) {
                    Ok(Some(lock)) => _ = held.files().named.insert(lock.id, lock.file),
                    Ok(None) => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        let holder = File::open(&path).ok().and_then(|file| holder(&file));
                        return Err(LockError::Busy { path, holder });
                    }
                    Err(error) if is_too_many(&error) => return Err(LockError::Io(path, error)),
                    // The conversion reports the error.
                    Err(_) => {}
                }
            }
            Ok(held)
        }

        fn files(&self) -> MutexGuard<'_, Files> {
            self.files.lock().unwrap_or_else(PoisonError::into_inner)
        }

        pub(super) fn file(&self, path: &Path) -> io::Result<Option<FileLock>> {
            for _ in 0..TRIES {
                let file = File::open(path)?;
                let id = id(&file)?;
                let mut files = self.files();
                if let Some(file) = files.all.get(&id).and_then(Weak::upgrade) {
                    return Ok(Some(FileLock { id, file }));
                }
                match file.try_lock() {
                    Err(TryLockError::WouldBlock) => return Err(busy(&file)),
                    // Continue without locks if they are not supported.
                    Err(TryLockError::Error(_)) => return Ok(None),
                    Ok(()) => {}
                }
                // Another run may have replaced it before the lock was acquired.
                let now = fs::symlink_metadata(path)?;
                if (now.dev(), now.ino()) != id {
                    continue;
                }
                let file = Arc::new(file);
                if files.all.len() >= NOTED {
                    files.all.retain(|_, file| file.strong_count() > 0);
                }
                files.all.insert(id, Arc::downgrade(&file));
                return Ok(Some(FileLock { id, file }));
            }
            Err(io::Error::other("another process keeps replacing it"))
        }

        pub(super) fn hand_over(&self, lock: Option<FileLock>, new: File) {
            let Some(lock) = lock else { return };
            let mut files = self.files();
            if files.named.remove(&lock.id).is_none() {
                return;
            }
            if let Ok(id) = id(&new) {
                let new = Arc::new(new);
                files.all.insert(id, Arc::downgrade(&new));
                files.named.insert(id, new);
            }
        }
    }

    fn id(file: &File) -> io::Result<FileId> {
        let metadata = file.metadata()?;
        Ok((metadata.dev(), metadata.ino()))
    }

    fn is_too_many(error: &io::Error) -> bool {
        use nix::errno::Errno;
        [Errno::EMFILE, Errno::ENFILE].iter().any(|e| error.raw_os_error() == Some(*e as i32))
    }

    /// Locks a directory. `None` if locks are not supported.
    fn lock(
        path: &Path,
        lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Option<File>, LockError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if is_too_many(&error) => return Err(LockError::Io(path.into(), error)),
            Err(_) => return Ok(None),
        };
        match lock(&file) {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => {
                Err(LockError::Busy { path: path.into(), holder: holder(&file) })
            }
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }

    fn busy(file: &File) -> io::Error {
        let who = match holder(file) {
            Some(holder) => format!("process {} has locked it", holder.process),
            None => "another process has locked it".into(),
        };
        io::Error::new(ErrorKind::WouldBlock, who)
    }

    /// The process that holds a lock on a file, as reported by Linux.
    fn holder(file: &File) -> Option<Holder> {
        let (device, inode) = id(file).ok()?;
        let major = (device >> 8) & 0xFFF | (device >> 32) & !0xFFF;
        let minor = device & 0xFF | (device >> 12) & !0xFF;
        let exact = format!("{major:02x}:{minor:02x}:{inode}");
        // The kernel returns the list in pieces. If locks are released meanwhile, others may be
        // missing.
        let process = (0..TRIES).find_map(|_| {
            let locks = fs::read_to_string("/proc/locks").ok()?;
            process_in(&locks, &exact)
        })?;
        let about = PathBuf::from(format!("/proc/{process}"));
        let command = fs::read(about.join("cmdline")).ok().filter(|command| !command.is_empty());
        let command = command.map(|command| {
            let words = command.strip_suffix(b"\0").unwrap_or(&command);
            String::from_utf8_lossy(words).replace('\0', " ")
        });
        Some(Holder { process, command, folder: fs::read_link(about.join("cwd")).ok() })
    }

    /// Finds the process that holds a lock on a file, in a list such as
    /// `1: FLOCK  ADVISORY  WRITE 1234 fd:01:5678 0 EOF`.
    fn process_in(locks: &str, device_and_inode: &str) -> Option<u32> {
        let inode = &device_and_inode[device_and_inode.rfind(':')?..];
        let find = |is_it: &dyn Fn(&str) -> bool| {
            locks.lines().find_map(|line| {
                let words: Vec<_> = line.split_whitespace().collect();
                let [_, "FLOCK", _, _, process, place, ..] = words[..] else { return None };
                if is_it(place) { process.parse().ok() } else { None }
            })
        };
        // Some file systems list another device than that of their files.
        find(&|place| place == device_and_inode).or_else(|| find(&|place| place.ends_with(inode)))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn what_overlaps_excludes_each_other() {
            let folder = tempfile::tempdir().unwrap();
            let path = |name: &str| folder.path().join(name);
            fs::create_dir_all(path("t/a/b")).unwrap();
            fs::create_dir_all(path("u")).unwrap();
            for name in ["t/x", "t/a/y", "u/z"] {
                fs::write(path(name), name).unwrap();
            }
            fs::hard_link(path("u/z"), path("u/same")).unwrap();
            let take = |names: &[&str]| {
                Held::take(&names.iter().map(|name| path(name)).collect::<Vec<_>>())
            };
            for (one, other, is_free) in [
                (&["t"][..], &["t"][..], false),
                (&["t"], &["t/a"], false),
                (&["t/a/b"], &["t", "u"], false),
                (&["t/x"], &["t"], false),
                (&["t"], &["t/a/y"], false),
                (&["t/x"], &["t/x"], false),
                (&["u/z"], &["u/same"], false),
                (&["t/x"], &["t/a/y", "u"], true),
                (&["t/a"], &["t/x", "u/z"], true),
                (&["t", "t/a", "t/x", "t/../t"], &["u", "nothing"], true),
                (&["u/z", "u/same", "u/z"], &["t"], true),
            ] {
                let held = take(one).unwrap_or_else(|error| panic!("{one:?}: {error:?}"));
                match take(other) {
                    Ok(_) => assert!(is_free, "{one:?}, {other:?}"),
                    Err(LockError::Busy { holder, .. }) => {
                        assert!(!is_free, "{one:?}, {other:?}");
                        let process = holder.map(|holder| holder.process);
                        assert!(process.is_none_or(|id| id == std::process::id()), "{process:?}");
                    }
                    Err(error) => panic!("{error:?}"),
                }
                drop(held);
                assert!(take(other).is_ok());
            }
        }

        #[test]
        fn what_takes_the_place_of_a_named_file_is_locked() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a");
            fs::write(&path, "old").unwrap();
            let held = Held::take(std::slice::from_ref(&path)).unwrap();
            let lock = held.file(&path).unwrap();
            let new = crate::replace::create(folder.path(), false).unwrap();
            held.hand_over(lock, new.persist(&path).unwrap());
            assert!(matches!(Held::take(std::slice::from_ref(&path)), Err(LockError::Busy { .. })));
            assert!(held.file(&path).is_ok());
            drop(held);
            assert!(Held::take(&[path]).is_ok());
        }
    }
}

/// On other systems, a lock would prevent everyone from reading a file, and directories cannot be
/// locked.
#[cfg(not(unix))]
mod os {
    use std::fs::File;
    use std::io;
    use std::path::{Path, PathBuf};

    use super::LockError;

    #[derive(Default)]
    pub(super) struct Held;

    pub(crate) struct FileLock;

    pub(crate) fn open_files() -> usize {
        512
    }

    #[allow(clippy::unnecessary_wraps, clippy::unused_self)] // Can fail on Unix.
    impl Held {
        pub(super) fn take(_: &[PathBuf]) -> Result<Self, LockError> {
            Ok(Self)
        }

        pub(super) fn file(&self, _: &Path) -> io::Result<Option<FileLock>> {
            Ok(None)
        }

        pub(super) fn hand_over(&self, _: Option<FileLock>, _: File) {}
    }
}
