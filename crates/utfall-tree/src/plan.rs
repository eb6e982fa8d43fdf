//! Which files a run is about: each once, with the place of what it becomes.

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
    /// As it was found.
    pub found: Found,
    /// The file itself, behind all symbolic links.
    pub source: PathBuf,
    /// What is written: `source`, or a file in another tree.
    pub target: PathBuf,
    /// Its length in octets.
    pub length: u64,
    /// What it was when it was found.
    pub(crate) seen: Seen,
}

/// The files of a run.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// In the order in which they were found.
    pub items: Vec<Item>,
    /// What cannot be part of it.
    pub troubles: Vec<Trouble>,
}

impl Plan {
    /// The files among `found`, each to be written in its place. A file that is found twice, by
    /// two names or through a symbolic link, is one; hard links are several.
    ///
    /// What ends in `leave_out`, and was not named, is left out: a backup of an earlier run.
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

    /// The files that `arguments` stand for, each to be written to another tree: a file of a
    /// directory with its path in there, a file that is named with its name. What lies in that
    /// tree is not taken, if it was not named. A file with two names gets a copy for each.
    ///
    /// # Errors
    /// Two files would become one, or an argument lies in the other tree.
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

    /// How many octets all files have.
    #[must_use]
    pub fn octets(&self) -> u64 {
        self.items.iter().map(|item| item.length).sum()
    }

    /// The folders in which files are written.
    pub(crate) fn folders(&self) -> HashSet<&Path> {
        self.items.iter().map(|item| folder(&item.target)).collect()
    }
}

/// Why files cannot be written to another tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clash {
    /// These two would become one file.
    OneOutput(PathBuf, PathBuf),
    /// This argument is in the tree that is to be written.
    InOutput(PathBuf),
}

#[derive(Default)]
struct Builder {
    plan: Plan,
    /// Files, each with what it becomes.
    seen: HashSet<(PathBuf, PathBuf)>,
    /// Folders, and what they are behind all symbolic links.
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

    /// Where a file really is, and what is known of it.
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
