//! Whether two names, or a name and a standard stream, refer to the same regular file.

pub use os::*;

#[cfg(unix)]
mod os {
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// Device and inode: the same through every link.
    pub type FileId = (u64, u64);

    /// The ID of the file at a path, if it is a regular file.
    pub fn id_of_path(path: &Path) -> Option<FileId> {
        id(fs::metadata(path).ok()?)
    }

    /// The ID of an open file, if it is a regular file.
    pub fn id_of_file(file: &File) -> Option<FileId> {
        id(file.metadata().ok()?)
    }

    /// The ID of standard input, if it is a regular file.
    pub fn id_of_stdin() -> Option<FileId> {
        id_of_stream(&io::stdin())
    }

    /// The ID of standard output, if it is a regular file.
    pub fn id_of_stdout() -> Option<FileId> {
        id_of_stream(&io::stdout())
    }

    /// The ID of standard error, if it is a regular file.
    pub fn id_of_stderr() -> Option<FileId> {
        id_of_stream(&io::stderr())
    }

    fn id_of_stream(stream: &impl AsFd) -> Option<FileId> {
        id_of_file(&File::from(stream.as_fd().try_clone_to_owned().ok()?))
    }

    fn id(metadata: Metadata) -> Option<FileId> {
        metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
    }
}

/// On other systems, the standard library does not reveal hard links and redirected streams.
#[cfg(not(unix))]
mod os {
    use std::fs::{self, File};
    use std::path::{Path, PathBuf};

    /// The path with all symbolic links resolved.
    pub type FileId = PathBuf;

    /// The ID of the file at a path, if it is a regular file.
    pub fn id_of_path(path: &Path) -> Option<FileId> {
        fs::canonicalize(path).ok().filter(|path| path.is_file())
    }

    /// Always `None` on this system.
    pub fn id_of_file(_: &File) -> Option<FileId> {
        None
    }

    /// Always `None` on this system.
    pub fn id_of_stdin() -> Option<FileId> {
        None
    }

    /// Always `None` on this system.
    pub fn id_of_stdout() -> Option<FileId> {
        None
    }

    /// Always `None` on this system.
    pub fn id_of_stderr() -> Option<FileId> {
        None
    }
}
