//! Whether two names, or a name and a standard stream, are one regular file.

pub(crate) use os::*;

#[cfg(unix)]
mod os {
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// Device and inode: the same through every link.
    pub(crate) type FileId = (u64, u64);

    pub(crate) fn id_of_path(path: &Path) -> Option<FileId> {
        id(fs::metadata(path).ok()?)
    }

    pub(crate) fn id_of_stdin() -> Option<FileId> {
        id_of_stream(&io::stdin())
    }

    pub(crate) fn id_of_stdout() -> Option<FileId> {
        id_of_stream(&io::stdout())
    }

    fn id_of_stream(stream: &impl AsFd) -> Option<FileId> {
        id(File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()?)
    }

    fn id(metadata: Metadata) -> Option<FileId> {
        metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
    }
}

/// Elsewhere the standard library tells less: hard links and redirected streams are not seen.
#[cfg(not(unix))]
mod os {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// The path behind all symbolic links.
    pub(crate) type FileId = PathBuf;

    pub(crate) fn id_of_path(path: &Path) -> Option<FileId> {
        fs::canonicalize(path).ok().filter(|path| path.is_file())
    }

    pub(crate) fn id_of_stdin() -> Option<FileId> {
        None
    }

    pub(crate) fn id_of_stdout() -> Option<FileId> {
        None
    }
}
