//! The rules of ignore files, for one directory that is walked.
//!
//! Ignore files come from strangers as often as the text does, so they are read here and not by
//! the `ignore` crate, which only gets the patterns: regular files only, and no more than
//! [`MAX_BYTES`] and [`MAX_PATTERNS`]. A file is examined after it has been opened, so it
//! cannot be swapped in between.

use std::collections::HashMap;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Trouble;
use super::git;

/// Bytes that an ignore file may have.
pub(super) const MAX_BYTES: u64 = 1 << 20;
/// Patterns that an ignore file may have.
pub(super) const MAX_PATTERNS: usize = 10_000;
/// Bytes that a pattern may have, as a path on Linux. Braces in braces are read recursively.
pub(crate) const MAX_PATTERN_BYTES: usize = 4096;
/// Patterns that may apply to one file: those of a directory, its parents and the user's own.
pub(super) const MAX_PATTERNS_IN_ALL: usize = 20_000;

/// In their order: the first kind with a matching pattern decides.
const FILES: [&str; 3] = [".utfallignore", ".ignore", ".gitignore"];
/// The index of `.gitignore` among the rules of a directory, and of `.git/info/exclude`.
const GITIGNORE: usize = 2;
const EXCLUDE: usize = 3;

/// Rules of the directories above those that are walked, by directory.
pub(super) type Parents = HashMap<PathBuf, Arc<Rules>>;

/// The rules of one directory.
pub(super) struct Rules {
    /// Those of [`FILES`], and of `.git/info/exclude`.
    kinds: [Gitignore; 4],
    directory: PathBuf,
    is_repository: bool,
    patterns: usize,
}

/// The rules that apply at one place of a walk.
pub(super) struct Ignored {
    /// The directory that is walked, without symbolic links.
    base: PathBuf,
    /// From the root of the file system to where the walk is, with the depth below `base`.
    levels: Vec<(Option<usize>, Arc<Rules>)>,
    /// The user's own, for all repositories.
    global: Gitignore,
}

impl Ignored {
    /// Reads the ignore files above a directory.
    pub(super) fn above(
        directory: &Path,
        parents: &mut Parents,
        troubles: &mut Vec<Trouble>,
    ) -> Result<Self, Trouble> {
        let base = fs::canonicalize(directory).map_err(trouble(directory))?;
        let mut ignored = Self { base, levels: Vec::new(), global: Gitignore::empty() };
        let mut above: Vec<_> = ignored.base.ancestors().skip(1).map(Path::to_path_buf).collect();
        above.reverse();
        for parent in above {
            let rules = match parents.get(&parent) {
                Some(rules) => rules.clone(),
                None => {
                    let mut reading = ignored.reading(troubles);
                    let rules = Arc::new(reading.rules(&parent, &parent)?);
                    parents.insert(parent, rules.clone());
                    rules
                }
            };
            ignored.push(None, rules);
        }
        Ok(ignored)
    }

    /// Reads the user's own ignore file. It counts only inside of repositories, but they may
    /// be below.
    pub(super) fn set_global(&mut self, troubles: &mut Vec<Trouble>) -> Result<(), Trouble> {
        let Some(path) = git::global_excludes()? else { return Ok(()) };
        // Matched against paths relative to the repository.
        (self.global, _) = self.reading(troubles).patterns(Path::new("."), &path, &path)?;
        Ok(())
    }

    /// Reads the ignore files of a directory that the walk has come to, shown as `shown`.
    pub(super) fn enter(
        &mut self,
        depth: usize,
        below: &Path,
        shown: &Path,
        troubles: &mut Vec<Trouble>,
    ) -> Result<(), Trouble> {
        self.leave(depth);
        let directory = self.base.join(below);
        let rules = self.reading(troubles).rules(&directory, shown)?;
        self.push(Some(depth), Arc::new(rules));
        Ok(())
    }

    /// Forgets the rules of directories that the walk has left.
    pub(super) fn leave(&mut self, depth: usize) {
        while self.levels.last().is_some_and(|(at, _)| at.is_some_and(|at| at >= depth)) {
            self.levels.pop();
        }
    }

    /// Most directories have no rules.
    fn push(&mut self, depth: Option<usize>, rules: Arc<Rules>) {
        if rules.patterns > 0 || rules.is_repository {
            self.levels.push((depth, rules));
        }
    }

    /// What the rules say of a path below the directory that is walked: whether it is ignored, or
    /// nothing.
    pub(super) fn says(&self, below: &Path, is_directory: bool) -> Option<bool> {
        if self.levels.is_empty() {
            return None;
        }
        let path = self.base.join(below);
        let mut found = [None; 4];
        let mut repository = None;
        for (_, rules) in self.levels.iter().rev() {
            for (kind, found) in found.iter_mut().enumerate() {
                let counts = kind < GITIGNORE || repository.is_none();
                if counts && found.is_none() {
                    *found = said(&rules.kinds[kind].matched(&path, is_directory));
                }
            }
            if rules.is_repository && repository.is_none() {
                repository = Some(&rules.directory);
            }
        }
        found.into_iter().flatten().next().or_else(|| {
            let in_repository = path.strip_prefix(repository?).ok()?;
            said(&self.global.matched(in_repository, is_directory))
        })
    }

    fn reading<'t>(&self, troubles: &'t mut Vec<Trouble>) -> Reading<'t> {
        let patterns = self.levels.iter().map(|(_, rules)| rules.patterns).sum::<usize>();
        let is_in_repository = self.levels.iter().any(|(_, rules)| rules.is_repository);
        let left = MAX_PATTERNS_IN_ALL.saturating_sub(patterns + self.global.len());
        Reading { troubles, is_in_repository, left }
    }
}

fn said<T>(matched: &Match<T>) -> Option<bool> {
    match matched {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}

/// Reading the ignore files of a directory.
struct Reading<'t> {
    /// Patterns that are none.
    troubles: &'t mut Vec<Trouble>,
    /// Whether a directory above is a repository: else `.gitignore` is any file.
    is_in_repository: bool,
    /// How many more patterns there may be.
    left: usize,
}

impl Reading<'_> {
    fn rules(&mut self, directory: &Path, shown: &Path) -> Result<Rules, Trouble> {
        let dot_git = shown.join(".git");
        // It cannot be looked for in a directory that is closed.
        let git = exists(&dot_git).map_err(trouble(shown))?;
        let is_repository = git.is_some() || directory.join(".jj").exists();
        let mut rules = Rules {
            kinds: [(); 4].map(|()| Gitignore::empty()),
            directory: directory.to_path_buf(),
            is_repository,
            patterns: 0,
        };
        for (kind, name) in FILES.iter().enumerate() {
            if kind == GITIGNORE && !is_repository && !self.is_in_repository {
                continue;
            }
            self.add(&mut rules, kind, &directory.join(name), &shown.join(name))?;
        }
        if let Some(metadata) = git
            && let Some(folder) = git::common_folder(&dot_git, &metadata)?
        {
            let path = folder.join("info").join("exclude");
            self.add(&mut rules, EXCLUDE, &path, &path)?;
        }
        Ok(rules)
    }

    fn add(
        &mut self,
        rules: &mut Rules,
        kind: usize,
        path: &Path,
        shown: &Path,
    ) -> Result<(), Trouble> {
        let (set, count) = self.patterns(&rules.directory, path, shown)?;
        rules.kinds[kind] = set;
        rules.patterns += count;
        Ok(())
    }

    /// The patterns of a file, and how many they are. Those that are none are told, and the others
    /// count.
    fn patterns(
        &mut self,
        root: &Path,
        path: &Path,
        shown: &Path,
    ) -> Result<(Gitignore, usize), Trouble> {
        let Some(text) = read(path).map_err(trouble(shown))? else {
            return Ok((Gitignore::empty(), 0));
        };
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
        let is_pattern = |line: &[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
        let lines = text.split(|byte| *byte == b'\n').enumerate();
        let lines = lines.filter(|(_, line)| is_pattern(line));
        let count = lines.clone().count();
        let most = MAX_PATTERNS.min(self.left);
        if count > most {
            let text = match most {
                MAX_PATTERNS => format!("more than {MAX_PATTERNS} patterns"),
                _ => format!("more than {MAX_PATTERNS_IN_ALL} patterns, with those of parents"),
            };
            return Err(trouble(shown)(io::Error::other(text)));
        }
        self.left -= count;
        if let Some((number, _)) = lines.clone().find(|(_, line)| line.len() > MAX_PATTERN_BYTES) {
            let text = format!("line {}: longer than {MAX_PATTERN_BYTES} bytes", number + 1);
            return Err(trouble(shown)(io::Error::other(text)));
        }
        let mut builder = GitignoreBuilder::new(root);
        for (number, line) in lines {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let wrong = match str::from_utf8(line) {
                Ok(line) => builder.add_line(None, line).err().map(|error| error.to_string()),
                Err(_) => Some("not UTF-8".into()),
            };
            if let Some(wrong) = wrong {
                let text = format!("line {}: {wrong}", number + 1);
                self.troubles.push(trouble(shown)(io::Error::other(text)));
            }
        }
        match builder.build() {
            Ok(set) => Ok((set, count)),
            Err(error) => Err(trouble(shown)(io::Error::other(error.to_string()))),
        }
    }
}

/// What is there, if anything is.
fn exists(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Reads a small file that says what is to be ignored, or where that is said. `None` if there is
/// none, or a directory of that name.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let wrong = |text: &str| Err(io::Error::new(ErrorKind::InvalidInput, text));
    // To open a device can do something already.
    let Some(metadata) = exists(path)? else { return Ok(None) };
    if metadata.is_dir() {
        return Ok(None);
    }
    if !metadata.is_file() {
        return if is_null(path) { Ok(Some(Vec::new())) } else { wrong("not a regular file") };
    }
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    // It may be another file by now.
    if !file.metadata()?.is_file() {
        return wrong("not a regular file");
    }
    let mut text = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return wrong(&format!("larger than {} MiB", MAX_BYTES >> 20));
    }
    Ok(Some(text))
}

/// Opens a file. A pipe does not keep it waiting.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(nix::libc::O_NONBLOCK | nix::libc::O_NOCTTY);
    }
    options.open(path)
}

/// Whether it is what stands for an empty file: `GIT_CONFIG_GLOBAL=/dev/null` is usual.
fn is_null(path: &Path) -> bool {
    fs::canonicalize(path).is_ok_and(|path| path == Path::new("/dev/null"))
}

pub(super) fn trouble(path: &Path) -> impl Fn(io::Error) -> Trouble {
    move |error| Trouble { path: Some(path.to_path_buf()), error }
}
