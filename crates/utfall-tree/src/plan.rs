//! The files of a run: each once, with its target.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::replace::{Seen, folder};
use crate::walk::{Found, Trouble};

/// A file of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Item {
    /// The file as found.
    pub found: Found,
    /// The path of the file itself, with all symbolic links resolved.
    pub source: PathBuf,
    /// The path to write: `source`, or a file in another tree.
    pub target: PathBuf,
    /// Its length in bytes.
    pub length: u64,
    /// Its identity and state when it was found.
    pub(crate) seen: Seen,
}

/// The files of a run.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The files, in the order in which they were found.
    pub items: Vec<Item>,
    /// Errors for files that cannot be part of the run.
    pub troubles: Vec<Trouble>,
}

impl Plan {
    /// Plans to convert the files in `found` in place. A file found twice, by two names or through
    /// a symbolic link, is included once; hard links are separate files.
    ///
    /// Omits files that end in `leave_out` and were not given by name: backups of an earlier run.
    #[must_use]
    pub fn in_place(
        found: impl IntoIterator<Item = Result<Found, Trouble>>,
        leave_out: Option<&OsStr>,
    ) -> Self {
        let mut builder = Builder::default();
        for found in found {
            let is_backup = |found: &Found| {
                let suffix = leave_out.filter(|_| !found.is_named).map(OsStr::as_encoded_bytes);
                let name = found.path.as_os_str().as_encoded_bytes();
                suffix.is_some_and(|suffix| name.ends_with(suffix))
            };
            match found {
                Ok(found) if is_backup(&found) => {}
                Ok(found) => builder.add(found, |source| source.into()),
                Err(trouble) => builder.plan.troubles.push(trouble),
            }
        }
        builder.plan
    }

    /// Plans to write the files selected by `arguments` to another tree. A file of a directory
    /// keeps its path in that directory; a file given by name keeps its name. Files that are inside
    /// the other tree are omitted, unless given by name. A file with two names gets a copy for
    /// each.
    ///
    /// # Errors
    /// Returns an error if two files would have the same target, or if an argument is inside the
    /// other tree.
    pub fn into_folder(
        arguments: &[PathBuf],
        mut find: impl FnMut(&PathBuf) -> Vec<Result<Found, Trouble>>,
        into: &Path,
    ) -> Result<Self, Clash> {
        let own = fs::canonicalize(into).ok();
        let is_own = |path: &Path| own.as_ref().is_some_and(|own| path.starts_with(own));
        let (mut builder, mut sources) = (Builder::default(), HashMap::new());
        for argument in arguments {
            if fs::canonicalize(argument).is_ok_and(|path| is_own(&path)) {
                return Err(Clash::InOutput(argument.clone()));
            }
            for found in find(argument) {
                let found = match found {
                    Ok(found) => found,
                    Err(trouble) => {
                        builder.plan.troubles.push(trouble);
                        continue;
                    }
                };
                let below = match found.is_named {
                    true => found.path.file_name().map(PathBuf::from).unwrap_or_default(),
                    false => found.path.strip_prefix(argument).unwrap_or(&found.path).into(),
                };
                let (count, path) = (builder.plan.items.len(), found.path.clone());
                builder.add(found, |_| into.join(&below));
                let Some(item) = builder.plan.items.get(count) else { continue };
                if is_own(&item.source) {
                    builder.plan.items.pop();
                } else if let Some(other) = sources.insert(below, path.clone()) {
                    return Err(Clash::OneOutput(other, path));
                }
            }
        }
        Ok(builder.plan)
    }

    /// The total size of all files in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.items.iter().map(|item| item.length).sum()
    }

    /// The directories in which files are written.
    pub(crate) fn folders(&self) -> HashSet<&Path> {
        self.items.iter().map(|item| folder(&item.target)).collect()
    }
}

/// Why files cannot be written to another tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clash {
    /// These two files would have the same target.
    OneOutput(PathBuf, PathBuf),
    /// This argument is inside the target tree.
    InOutput(PathBuf),
}

#[derive(Default)]
struct Builder {
    plan: Plan,
    /// Files with their targets.
    seen: HashSet<(PathBuf, PathBuf)>,
    /// Directories with their real paths.
    folders: HashMap<PathBuf, PathBuf>,
}

impl Builder {
    fn add(&mut self, found: Found, target: impl FnOnce(&Path) -> PathBuf) {
        match self.locate(&found.path) {
            Ok((source, metadata)) => {
                let target = target(&source);
                if self.seen.insert((source.clone(), target.clone())) {
                    let (length, seen) = (metadata.len(), Seen::new(&metadata));
                    self.plan.items.push(Item { found, source, target, length, seen });
                }
            }
            Err(error) => {
                self.plan.troubles.push(Trouble { path: Some(found.path), error });
            }
        }
    }

    /// The real path of a file, with its metadata.
    fn locate(&mut self, path: &Path) -> io::Result<(PathBuf, Metadata)> {
        let metadata = fs::symlink_metadata(path)?;
        let (source, metadata) = match path.file_name() {
            Some(name) if !metadata.is_symlink() => {
                let folder = folder(path);
                let folder = match self.folders.get(folder) {
                    Some(real) => real,
                    None => {
                        let real = fs::canonicalize(folder)?;
                        self.folders.entry(folder.into()).or_insert(real)
                    }
                };
                (folder.join(name), metadata)
            }
            _ => {
                let source = fs::canonicalize(path)?;
                let metadata = fs::metadata(&source)?;
                (source, metadata)
            }
        };
        match metadata.is_file() {
            true => Ok((source, metadata)),
            false if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
            false => Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file")),
        }
    }
}
