//! Where `convert` writes: standard output, or a file that appears whole or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::input::{self, Source};
use crate::message;
use crate::same_file::{self, FileId};

/// How many symbolic links are followed to a file that does not exist yet.
const MOST_LINKS: usize = 40;

pub(crate) struct Output {
    /// How messages name it.
    name: String,
    writer: Writer,
}

enum Writer {
    Stdout(io::StdoutLock<'static>),
    /// A device or a pipe: nothing to rename.
    Direct(File),
    /// Written beside `target`, which it replaces in the end.
    Beside {
        file: NamedTempFile,
        target: PathBuf,
    },
}

impl Output {
    /// Opens OUT, or standard output, after making sure that it is no input.
    pub(crate) fn open(
        out: Option<&Path>,
        inputs: &[Source],
        overwrite_input: bool,
    ) -> Result<Self, Failure> {
        let Some(path) = out.filter(|path| *path != Path::new("-")) else {
            if let Some(source) = input_that_is(same_file::id_of_stdout(), inputs) {
                let name = input::name(source);
                return Err(Failure::Usage(format!("{name} is both input and standard output")));
            }
            let name = "(standard output)".into();
            return Ok(Self { name, writer: Writer::Stdout(io::stdout().lock()) });
        };
        let name = message::path(path);
        let failed = || format!("cannot write {name}");

        let target = behind_links(path).map_err(Failure::io(failed))?;
        let existing = match fs::metadata(&target) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(Failure::io(failed)(error)),
        };
        let overwritten = input_that_is(same_file::id_of_path(&target), inputs);
        if let Some(source) = overwritten.filter(|_| !overwrite_input) {
            return Err(Failure::Usage(format!(
                "{name} is the input {}; --overwrite-input writes over it",
                input::name(source),
            )));
        }
        let writer = match existing {
            Some(metadata) if metadata.is_dir() => {
                return Err(Failure::io(failed)(ErrorKind::IsADirectory.into()));
            }
            Some(metadata) if !metadata.is_file() => {
                let file = OpenOptions::new().write(true).open(&target);
                Writer::Direct(file.map_err(Failure::io(failed))?)
            }
            existing => {
                let file = create_beside(&target, existing.as_ref());
                Writer::Beside { file: file.map_err(Failure::io(failed))?, target }
            }
        };
        Ok(Self { name, writer })
    }

    /// Whether it is a file that will stay.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.writer, Writer::Beside { .. })
    }

    pub(crate) fn write(&mut self, octets: &[u8]) -> Result<(), Failure> {
        self.writer().write_all(octets).map_err(|error| self.failure(error))
    }

    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        match &mut self.writer {
            Writer::Stdout(stdout) => stdout,
            Writer::Direct(file) => file,
            Writer::Beside { file, .. } => file.as_file_mut(),
        }
    }

    /// What it means that it cannot be written.
    pub(crate) fn failure(&self, error: io::Error) -> Failure {
        Failure::io(|| format!("cannot write {}", self.name))(error)
    }

    /// Writes what is still held back. An OUT that is a file is as it was before.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.writer {
            Writer::Stdout(stdout) => {
                stdout.flush().map_err(Failure::io(|| format!("cannot write {}", self.name)))
            }
            Writer::Direct(_) | Writer::Beside { .. } => Ok(()),
        }
    }

    /// Ends the output: OUT is there from now on.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        if let Writer::Beside { file, target } = self.writer {
            // Not synced: this is about a conversion that fails, not about a power cut.
            let renamed = file.persist(target).map_err(|failed| failed.error);
            renamed.map_err(Failure::io(|| format!("cannot write {}", self.name)))?;
        }
        Ok(())
    }
}

/// The file to write if OUT is `path`: a symbolic link stays, and what it points to is
/// written, whether that exists yet or not.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
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

/// The folder a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file to become `target`, with the owner and permissions of the one that is there.
fn create_beside(target: &Path, existing: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".utfall-").suffix(".tmp");
    let Some(metadata) = existing else {
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        return builder.tempfile_in(folder(target));
    };
    // A rename does not ask whether the file itself may be written.
    OpenOptions::new().write(true).open(target)?;
    let file = builder.tempfile_in(folder(target))?;
    keep_owner(file.as_file(), metadata);
    file.as_file().set_permissions(metadata.permissions())?;
    Ok(file)
}

/// Only root can give files away; for others the file is theirs now, as with an editor.
#[cfg(unix)]
fn keep_owner(file: &File, existing: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata().is_ok_and(|m| (m.uid(), m.gid()) == (existing.uid(), existing.gid()));
    if !own {
        _ = fchown(file, Some(existing.uid()), Some(existing.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// The input with this id.
fn input_that_is(id: Option<FileId>, inputs: &[Source]) -> Option<&Source> {
    let id = id?;
    inputs.iter().find(|source| {
        let input = match source {
            Some(path) => same_file::id_of_path(path),
            None => same_file::id_of_stdin(),
        };
        input.as_ref() == Some(&id)
    })
}
