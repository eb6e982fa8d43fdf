//! Paths that name an open descriptor of this process: `/dev/stdout`, `/dev/fd/3`, and the paths
//! that a shell passes for `>(cmd)`. Opening such a path again would truncate or replace the file,
//! and lose the position in it that other programs share.

use std::fs::File;
use std::io;
use std::path::Path;

pub(crate) enum Descriptor {
    Stdout,
    /// A duplicate, which shares the position in the file.
    Other(File),
}

/// The descriptor that a path names, if any. If that cannot be determined, nothing may be written,
/// since a file could be replaced.
pub(crate) fn named_by(path: &Path) -> io::Result<Option<Descriptor>> {
    Ok(match os::number(path)? {
        None => None,
        Some(1) => Some(Descriptor::Stdout),
        Some(number) => Some(Descriptor::Other(os::duplicate(number, path)?)),
    })
}

/// Whether a path names standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    matches!(os::number(path), Ok(Some(1)))
}

#[cfg(unix)]
mod os {
    use std::fs::{self, File};
    use std::io::{self, ErrorKind};
    use std::os::fd::{AsFd, RawFd};
    use std::path::{Path, PathBuf};

    /// The maximum number of symbolic links on the way to a descriptor.
    const MOST_LINKS: usize = 40;
    /// Directories where descriptors of this process have names: their numbers.
    const FOLDERS: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"];

    pub(super) fn number(path: &Path) -> io::Result<Option<RawFd>> {
        let mut path = PathBuf::from(path);
        for _ in 0..MOST_LINKS {
            if let Some(number) = number_in_name(&path)
                && is_of_descriptors(folder(&path))?
            {
                return Ok(Some(number));
            }
            match fs::read_link(&path) {
                Ok(link) => path = folder(&path).join(link),
                // Not a link.
                Err(error) if error.kind() == ErrorKind::InvalidInput => return Ok(None),
                Err(error) => return unless_missing(error).map(|()| None),
            }
        }
        Ok(None)
    }

    fn number_in_name(path: &Path) -> Option<RawFd> {
        let name = path.file_name()?.to_str()?;
        name.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse().ok())?
    }

    fn is_of_descriptors(folder: &Path) -> io::Result<bool> {
        let real = |path: &Path| match fs::canonicalize(path) {
            Ok(path) => Ok(Some(path)),
            Err(error) => unless_missing(error).map(|()| None),
        };
        let Some(folder) = real(folder)? else { return Ok(false) };
        for of_descriptors in FOLDERS {
            if real(Path::new(of_descriptors))?.is_some_and(|path| path == folder) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn unless_missing(error: io::Error) -> io::Result<()> {
        match error.kind() {
            ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        }
    }

    fn folder(path: &Path) -> &Path {
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    pub(super) fn duplicate(number: RawFd, path: &Path) -> io::Result<File> {
        Ok(match number {
            0 => io::stdin().as_fd().try_clone_to_owned()?.into(),
            2 => io::stderr().as_fd().try_clone_to_owned()?.into(),
            _ => duplicate_other(number, path)?,
        })
    }

    /// By its number alone, which needs the help of the system to be safe.
    #[cfg(target_os = "linux")]
    fn duplicate_other(number: RawFd, path: &Path) -> io::Result<File> {
        use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
        let duplicate = pidfd_open(getpid(), PidfdFlags::empty())
            .and_then(|process| pidfd_getfd(process, number, PidfdGetfdFlags::empty()));
        match duplicate {
            Ok(duplicate) => Ok(duplicate.into()),
            // Old kernels and some containers cannot help. A pipe or a device can be opened again;
            // with a file, the position would be lost.
            Err(error) => match fs::metadata(path) {
                Ok(metadata) if !metadata.is_file() => File::options().write(true).open(path),
                _ => Err(error.into()),
            },
        }
    }

    /// Elsewhere, opening the path does that.
    #[cfg(not(target_os = "linux"))]
    fn duplicate_other(_: RawFd, path: &Path) -> io::Result<File> {
        File::options().write(true).open(path)
    }
}

/// Elsewhere, no path names a descriptor.
#[cfg(not(unix))]
mod os {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    #[allow(clippy::unnecessary_wraps)] // Elsewhere it may fail.
    pub(super) fn number(_: &Path) -> io::Result<Option<i32>> {
        Ok(None)
    }

    pub(super) fn duplicate(_: i32, path: &Path) -> io::Result<File> {
        File::options().write(true).open(path)
    }
}
