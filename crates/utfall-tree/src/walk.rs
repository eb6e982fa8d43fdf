//! The files that arguments stand for: a file for itself, a directory for what is in it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{error, fmt, fs, io};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use crate::replace::is_temporary;

/// What version control keeps for itself. Nothing in there is text to be touched.
const VERSION_CONTROL: [&str; 6] = [".git", ".hg", ".svn", ".bzr", ".jj", "CVS"];
/// The ignore file of our own, besides `.gitignore` and `.ignore`.
const IGNORE_FILE: &str = ".utfallignore";
/// The files that name what is not to be taken.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", IGNORE_FILE];

/// Which files of a directory are taken.
///
/// The default takes all but what ignore files name, and hidden ones.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WalkOptions {
    /// Also hidden files, and those in hidden directories; never `.git` and the like.
    pub hidden: bool,
    /// Also what `.gitignore`, in a Git repository, `.ignore` and `.utfallignore` name.
    pub no_ignore: bool,
    /// Also what symbolic links lead to.
    pub follow: bool,
    /// Globs as in `.gitignore`, from the directory given: only files that match one are taken,
    /// ignored ones too; none that matches one with a `!` before it. The last that matches counts.
    pub globs: Vec<String>,
    /// Directories that are left out: where a program keeps what it must find as it was.
    pub apart: Vec<PathBuf>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// Where it is: the argument, or a path that begins with it.
    pub path: PathBuf,
    /// Whether it was named itself, instead of being found in a directory.
    pub is_named: bool,
}

/// Why a file or directory is left out that should not be.
#[derive(Debug)]
pub struct Trouble {
    /// Which, if that is known.
    pub path: Option<PathBuf>,
    /// What is wrong: [`io::ErrorKind::Other`] if it is no error of the system.
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

/// The files that `arguments` stand for, in their order, those of a directory sorted by name.
///
/// Of a directory, these are the regular files in it and below. What is no directory is taken
/// as it is, whatever its name and whether it exists or not.
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
/// # Errors
/// A glob that is none, with what is wrong with it.
pub fn walk(arguments: &[PathBuf], options: &WalkOptions) -> Result<Walk, String> {
    overrides(Path::new("."), &options.globs).map_err(|error| error.to_string())?;
    let mut arguments = arguments.to_vec();
    arguments.reverse();
    let (options, unreadable) = (options.clone(), Unreadable::default());
    Ok(Walk { arguments, options, directory: None, troubles: Vec::new(), unreadable })
}

/// The files, one after the other. Made by [`walk`].
pub struct Walk {
    /// Those that are left, the next one last.
    arguments: Vec<PathBuf>,
    options: WalkOptions,
    /// The one that is being walked.
    directory: Option<ignore::Walk>,
    /// What has been found wrong besides, the next one last.
    troubles: Vec<Trouble>,
    /// Ignore files that cannot be read: nobody knows what they name.
    unreadable: Unreadable,
}

type Unreadable = Arc<Mutex<Vec<Trouble>>>;

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
            self.troubles.append(&mut lock(&self.unreadable));
            if !self.troubles.is_empty() {
                continue;
            }
            let Some(directory) = &mut self.directory else {
                let argument = self.arguments.pop()?;
                if !argument.is_dir() {
                    return Some(Ok(Found { path: argument, is_named: true }));
                }
                if !self.options.no_ignore && !can_read_ignore_files(&argument, &self.unreadable) {
                    continue;
                }
                match directory(&argument, &self.options, &self.unreadable) {
                    Ok(directory) => self.directory = Some(directory),
                    Err(error) => self.troubles = troubles(error),
                }
                continue;
            };
            match directory.next() {
                None => self.directory = None,
                Some(Err(error)) => self.troubles = troubles(error),
                Some(Ok(entry)) => {
                    if let Some(error) = entry.error() {
                        self.troubles = troubles(error.clone());
                    }
                    if entry.file_type().is_some_and(|kind| kind.is_file()) {
                        return Some(Ok(Found { path: entry.into_path(), is_named: false }));
                    }
                }
            }
        }
    }
}

fn directory(
    path: &Path,
    options: &WalkOptions,
    unreadable: &Unreadable,
) -> Result<ignore::Walk, ignore::Error> {
    // Those that are not there need not be left out.
    let apart: Vec<_> =
        options.apart.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
    let mut builder = WalkBuilder::new(path);
    builder
        .standard_filters(!options.no_ignore)
        .hidden(!options.hidden)
        .follow_links(options.follow)
        .overrides(overrides(path, &options.globs)?)
        .sort_by_file_name(|a, b| a.cmp(b))
        .filter_entry({
            let (unreadable, no_ignore) = (unreadable.clone(), options.no_ignore);
            move |entry| {
                let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
                is_for_us(entry, &apart)
                    && (no_ignore
                        || !is_directory
                        || can_read_ignore_files(entry.path(), &unreadable))
            }
        });
    if !options.no_ignore {
        builder.add_custom_ignore_filename(IGNORE_FILE);
    }
    Ok(builder.build())
}

fn overrides(root: &Path, globs: &[String]) -> Result<Override, ignore::Error> {
    let mut builder = OverrideBuilder::new(root);
    for glob in globs {
        builder.add(glob)?;
    }
    builder.build()
}

/// Whether it is neither version control's, nor one of `apart`, nor a file of our own that is not
/// complete.
fn is_for_us(entry: &DirEntry, apart: &[PathBuf]) -> bool {
    let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
    let mut apart = apart.iter().filter(|path| path.file_name() == Some(entry.file_name()));
    if is_directory && apart.any(|path| fs::canonicalize(entry.path()).is_ok_and(|at| at == *path))
    {
        return false;
    }
    let Some(name) = entry.file_name().to_str() else { return true };
    match is_directory {
        true => !VERSION_CONTROL.contains(&name),
        false => !is_temporary(name),
    }
}

/// Whether what the ignore files of a directory name can be known. Files are not to be touched that
/// somebody wanted to be left alone.
fn can_read_ignore_files(directory: &Path, unreadable: &Unreadable) -> bool {
    let mut can_read = true;
    for name in IGNORE_FILES {
        let path = directory.join(name);
        match read_unless_pipe(&path) {
            Err(error)
                if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::IsADirectory) =>
            {
                can_read = false;
                lock(unreadable).push(Trouble { path: Some(path), error });
            }
            _ => {}
        }
    }
    can_read
}

/// A pipe would keep whoever reads it waiting.
fn read_unless_pipe(path: &Path) -> io::Result<Vec<u8>> {
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_fifo(&fs::metadata(path)?.file_type()) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    fs::read(path)
}

fn lock(unreadable: &Unreadable) -> std::sync::MutexGuard<'_, Vec<Trouble>> {
    unreadable.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Each trouble by itself, the first one last.
fn troubles(error: ignore::Error) -> Vec<Trouble> {
    let mut found = Vec::new();
    collect(error, None, &mut found);
    found.reverse();
    found
}

fn collect(error: ignore::Error, path: Option<PathBuf>, found: &mut Vec<Trouble>) {
    use ignore::Error as E;
    let error = match error {
        E::Partial(errors) => {
            errors.into_iter().for_each(|error| collect(error, path.clone(), found));
            return;
        }
        E::WithPath { path, err } => return collect(*err, Some(path), found),
        E::WithDepth { err, .. } => return collect(*err, path, found),
        E::Loop { ancestor, child } => {
            let text = format!("a symbolic link to {}, which it is in", ancestor.display());
            return found.push(Trouble { path: Some(child), error: io::Error::other(text) });
        }
        // Its text begins with the path, which we have; the system's is behind it.
        E::Io(error) => match error.get_ref().and_then(|inner| inner.source()) {
            Some(source) => match source.downcast_ref::<io::Error>().map(io::Error::raw_os_error) {
                Some(Some(code)) => io::Error::from_raw_os_error(code),
                _ => io::Error::new(error.kind(), source.to_string()),
            },
            None => error,
        },
        other => io::Error::other(other.to_string()),
    };
    found.push(Trouble { path, error });
}
