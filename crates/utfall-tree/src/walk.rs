//! Finds the files selected by arguments: a file itself, or the files in a directory.

mod git;
mod ignored;

use std::path::{Path, PathBuf};
use std::{error, fmt, fs, io};

use ignore::Match;
use ignore::overrides::{Override, OverrideBuilder};
use walkdir::{DirEntry, WalkDir};

use crate::globs::{Globs, real_path};
use crate::replace::is_temporary;
use ignored::{Ignored, Parents};

/// Directories of version control systems. They contain nothing to convert.
const VERSION_CONTROL: [&str; 6] = [".git", ".hg", ".svn", ".bzr", ".jj", "CVS"];

/// Selects files of a directory.
///
/// The default includes all files except hidden ones and those in ignore files.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WalkOptions {
    /// Include hidden files, and files in hidden directories, but never `.git` and the like.
    pub hidden: bool,
    /// Include files listed in `.gitignore` (in a Git repository), `.ignore` and `.utfallignore`.
    pub no_ignore: bool,
    /// Follow symbolic links.
    pub follow: bool,
    /// Globs as in `.gitignore`, relative to the given directory. Only files that match one are
    /// included, even if ignored. A leading `!` excludes files instead. The last glob that matches
    /// decides.
    pub globs: Vec<String>,
    /// Directories to omit, such as those in which a program keeps its state.
    pub apart: Vec<PathBuf>,
    /// Files and directories to omit, unless `globs` selects them.
    pub excluded: Option<Globs>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// Its path: the argument, or a path that begins with it.
    pub path: PathBuf,
    /// Whether it was given by name, and not found in a directory.
    pub is_named: bool,
}

/// Why a file or directory had to be omitted.
#[derive(Debug)]
#[non_exhaustive]
pub struct Trouble {
    /// Its path, if known.
    pub path: Option<PathBuf>,
    /// The error: [`io::ErrorKind::Other`] if it does not come from the system.
    pub error: io::Error,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{}: {}", path.display(), self.error),
            None => self.error.fmt(f),
        }
    }
}

impl error::Error for Trouble {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Finds the files selected by `arguments`, in their order. Files of a directory are sorted by
/// name.
///
/// A directory selects the regular files in it and below. Anything else is included as it is,
/// whatever its name, even if it does not exist.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let at = |name: &str| folder.path().join(name);
/// std::fs::write(at("b.txt"), "")?;
/// std::fs::write(at("a.txt"), "")?;
/// std::fs::write(at(".hidden"), "")?;
/// let arguments = [folder.path().into(), at(".hidden")];
/// let files = utfall_tree::walk(&arguments, &Default::default()).unwrap();
/// let paths: Vec<_> = files.map(|file| file.unwrap().path).collect();
/// assert_eq!(paths, [at("a.txt"), at("b.txt"), at(".hidden")]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Ignore files may come from untrusted sources. A directory is omitted and reported if its ignore
/// file, or one of a parent directory, cannot be read, is not a regular file, or exceeds a limit.
/// The limits are 1 MiB, 10,000 patterns (20,000 including those of parent directories), and 4096
/// bytes per pattern.
///
/// # Errors
/// Returns an error if a glob is invalid.
pub fn walk(arguments: &[PathBuf], options: &WalkOptions) -> Result<Walk, String> {
    let globs = overrides(&options.globs).map_err(|error| error.to_string())?;
    let mut arguments = arguments.to_vec();
    arguments.reverse();
    // Directories that do not exist need not be omitted.
    let apart = options.apart.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
    Ok(Walk {
        arguments,
        options: options.clone(),
        globs,
        apart,
        directory: None,
        parents: Parents::new(),
        troubles: Vec::new(),
    })
}

/// Iterator over the files. Created by [`walk`].
pub struct Walk {
    /// The remaining arguments, in reverse order.
    arguments: Vec<PathBuf>,
    options: WalkOptions,
    globs: Override,
    apart: Vec<PathBuf>,
    /// The directory being walked.
    directory: Option<Directory>,
    /// Ignore files above the directories walked so far.
    parents: Parents,
    /// Pending errors, in reverse order.
    troubles: Vec<Trouble>,
}

/// A directory being walked.
struct Directory {
    entries: walkdir::IntoIter,
    /// The path as given.
    root: PathBuf,
    /// The real path, if required.
    real: PathBuf,
    /// The rules of ignore files, if enabled.
    ignored: Option<Ignored>,
}

impl fmt::Debug for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk")
            .field("arguments", &self.arguments)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Iterator for Walk {
    type Item = Result<Found, Trouble>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(trouble) = self.troubles.pop() {
                return Some(Err(trouble));
            }
            let Some(mut directory) = self.directory.take() else {
                let argument = self.arguments.pop()?;
                if !argument.is_dir() {
                    return Some(Ok(Found { path: argument, is_named: true }));
                }
                self.begin(argument);
                continue;
            };
            let next = directory.entries.next();
            let found = match next {
                None => continue,
                Some(Err(error)) => Some(Err(of_entry(error))),
                Some(Ok(entry)) => self.entry(entry, &mut directory).map(Ok),
            };
            self.directory = Some(directory);
            if found.is_some() {
                return found;
            }
        }
    }
}

impl Walk {
    fn begin(&mut self, root: PathBuf) {
        let ignored = match self.options.no_ignore {
            true => None,
            false => match self.ignored(&root) {
                Ok(ignored) => Some(ignored),
                Err(trouble) => return self.tell(vec![trouble]),
            },
        };
        let entries = WalkDir::new(&root).follow_links(self.options.follow).sort_by_file_name();
        let real = match self.options.excluded {
            Some(_) => fs::canonicalize(&root).unwrap_or_else(|_| real_path(&root)),
            None => PathBuf::new(),
        };
        self.directory = Some(Directory { entries: entries.into_iter(), root, real, ignored });
    }

    /// Reads the ignore files outside of a directory.
    fn ignored(&mut self, root: &Path) -> Result<Ignored, Trouble> {
        let mut troubles = Vec::new();
        let mut ignored = Ignored::above(root, &mut self.parents, &mut troubles)?;
        ignored.set_global(&mut troubles)?;
        self.tell(troubles);
        Ok(ignored)
    }

    /// Returns the file of an entry, if it is included. Descends only into included directories.
    fn entry(&mut self, entry: DirEntry, directory: &mut Directory) -> Option<Found> {
        let depth = entry.depth();
        // A directory given by name may be a symbolic link.
        let is_directory = depth == 0 || entry.file_type().is_dir();
        if depth > 0 && !self.takes(&entry, directory) {
            if is_directory {
                directory.entries.skip_current_dir();
            }
            return None;
        }
        if !is_directory {
            let is_file = entry.file_type().is_file();
            return is_file.then(|| Found { path: entry.into_path(), is_named: false });
        }
        if let Some(ignored) = &mut directory.ignored {
            let mut troubles = Vec::new();
            let below = below(entry.path(), &directory.root);
            if let Err(trouble) = ignored.enter(depth, below, entry.path(), &mut troubles) {
                troubles.push(trouble);
                directory.entries.skip_current_dir();
            }
            self.tell(troubles);
        }
        None
    }

    fn takes(&self, entry: &DirEntry, directory: &mut Directory) -> bool {
        if !is_for_us(entry, &self.apart) {
            return false;
        }
        let is_directory = entry.file_type().is_dir();
        let below = below(entry.path(), &directory.root);
        match self.globs.matched(below, is_directory) {
            Match::None => {}
            matched => return matched.is_whitelist(),
        }
        if let Some(excluded) = &self.options.excluded
            && excluded.matches(&directory.real.join(below), is_directory)
        {
            return false;
        }
        let said = directory.ignored.as_mut().and_then(|ignored| {
            ignored.leave(entry.depth());
            ignored.says(below, is_directory)
        });
        match said {
            Some(is_ignored) => !is_ignored,
            None => self.options.hidden || !is_hidden(entry),
        }
    }

    fn tell(&mut self, mut troubles: Vec<Trouble>) {
        troubles.reverse();
        self.troubles.append(&mut troubles);
    }
}

/// The part of a path that the walk has added to its argument.
fn below<'p>(path: &'p Path, root: &Path) -> &'p Path {
    path.strip_prefix(root).unwrap_or(path)
}

fn overrides(globs: &[String]) -> Result<Override, ignore::Error> {
    // Paths are matched without the argument.
    let mut builder = OverrideBuilder::new(".");
    for glob in globs {
        builder.add(glob)?;
    }
    builder.build()
}

fn is_hidden(entry: &DirEntry) -> bool {
    #[cfg(windows)]
    {
        use std::os::windows::fs::MetadataExt;
        const HIDDEN: u32 = 2;
        if entry.metadata().is_ok_and(|metadata| metadata.file_attributes() & HIDDEN != 0) {
            return true;
        }
    }
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Whether it is not a version control directory, not one of `apart`, and not one of our temporary
/// files.
fn is_for_us(entry: &DirEntry, apart: &[PathBuf]) -> bool {
    let is_directory = entry.file_type().is_dir();
    let mut apart = apart.iter().filter(|path| path.file_name() == Some(entry.file_name()));
    if is_directory && apart.any(|path| fs::canonicalize(entry.path()).is_ok_and(|at| at == *path))
    {
        return false;
    }
    let Some(name) = entry.file_name().to_str() else { return true };
    if is_directory { !VERSION_CONTROL.contains(&name) } else { !is_temporary(name) }
}

fn of_entry(error: walkdir::Error) -> Trouble {
    let path = error.path().map(Path::to_path_buf);
    let text = match error.loop_ancestor() {
        Some(above) => format!("a symbolic link to its parent directory {}", above.display()),
        None => error.to_string(),
    };
    let error = error.into_io_error().unwrap_or_else(|| io::Error::other(text));
    Trouble { path, error }
}
