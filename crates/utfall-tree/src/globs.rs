//! Globs of a settings file, relative to its directory.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::settings::MAX_PATTERN_BYTES;

/// Globs as in `.gitignore`, below a directory.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// use utfall_tree::{Globs, real_path};
/// let globs = Globs::new(folder.path(), ["/data", "*.old", "!new.old"]).unwrap();
/// let matches = |name: &str| globs.matches(&real_path(&folder.path().join(name)), false);
/// assert!(matches("data/deep/a.txt") && matches("sub/a.old"));
/// assert!(!matches("sub/data") && !matches("new.old"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Globs {
    root: PathBuf,
    set: Gitignore,
}

impl Globs {
    /// Parses globs relative to a directory. The last glob that matches decides; a leading `!`
    /// negates it.
    ///
    /// # Errors
    /// Returns the index of the first invalid glob, and the reason.
    pub fn new<'g>(
        root: &Path,
        globs: impl IntoIterator<Item = &'g str>,
    ) -> Result<Self, (usize, String)> {
        // Paths are matched without the root.
        let mut builder = GitignoreBuilder::new(".");
        for (index, glob) in globs.into_iter().enumerate() {
            if glob.len() > MAX_PATTERN_BYTES {
                return Err((index, format!("longer than {MAX_PATTERN_BYTES} bytes")));
            }
            builder.add_line(None, glob).map_err(|error| (index, error.to_string()))?;
        }
        let set = builder.build().map_err(|error| (0, error.to_string()))?;
        Ok(Self { root: fs::canonicalize(root).unwrap_or_else(|_| root.into()), set })
    }

    /// Whether a path, as returned by [`real_path`], or one of its parent directories matches.
    #[must_use]
    pub fn matches(&self, path: &Path, is_directory: bool) -> bool {
        let Ok(below) = path.strip_prefix(&self.root) else { return false };
        !below.as_os_str().is_empty()
            && self.set.matched_path_or_any_parents(below, is_directory).is_ignore()
    }
}

/// Resolves the symbolic links in the directory of a path, but not in its last component.
#[must_use]
pub fn real_path(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => fs::canonicalize(path).unwrap_or_else(|_| path.into()),
    }
}
