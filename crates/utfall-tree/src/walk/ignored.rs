//! The rules of ignore files for a directory being walked.
//!
//! Ignore files are as untrusted as the text, so they are read here. The `ignore` crate only gets
//! the patterns, up to [`MAX_PATTERNS`] of a file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Trouble;
use super::git;
use crate::settings::{MAX_PATTERN_BYTES, exists, read_settings};

/// The maximum number of patterns in an ignore file.
pub(super) const MAX_PATTERNS: usize = 10_000;
/// The maximum number of patterns that apply to one file: those of its directory, of the parent
/// directories, and the user's own.
pub(super) const MAX_PATTERNS_IN_ALL: usize = 20_000;

/// In order of precedence: the first kind with a matching pattern decides.
const FILES: [&str; 3] = [".utfallignore", ".ignore", ".gitignore"];
/// The indices of `.gitignore` and of `.git/info/exclude` among the rules of a directory.
const GITIGNORE: usize = 2;
const EXCLUDE: usize = 3;

/// Rules of the directories above those being walked, by directory.
pub(super) type Parents = HashMap<PathBuf, Arc<Rules>>;

/// The rules of a directory.
pub(super) struct Rules {
    /// From each of [`FILES`], and from `.git/info/exclude`.
    kinds: [Gitignore; 4],
    directory: PathBuf,
    is_repository: bool,
    patterns: usize,
}

/// The rules that apply at the current position of a walk.
pub(super) struct Ignored {
    /// The real path of the directory being walked.
    base: PathBuf,
    /// From the root of the file system to the current position, with the depth below `base`.
    levels: Vec<(Option<usize>, Arc<Rules>)>,
    /// The user's own rules for all repositories.
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

    /// Reads the user's own ignore file. It applies only inside repositories, but these may be
    /// below.
    pub(super) fn set_global(&mut self, troubles: &mut Vec<Trouble>) -> Result<(), Trouble> {
        let Some(path) = git::global_excludes()? else { return Ok(()) };
        // Matched against paths relative to the repository.
        (self.global, _) = self.reading(troubles).patterns(Path::new("."), &path, &path)?;
        Ok(())
    }

    /// Reads the ignore files of a directory that the walk enters. Errors show its path as `shown`.
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

    /// Drops the rules of directories that the walk has left.
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

    /// Whether the rules ignore a path below the directory being walked; `None` if no rule matches.
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

/// Reads the ignore files of a directory.
struct Reading<'t> {
    /// Collects errors for invalid patterns.
    troubles: &'t mut Vec<Trouble>,
    /// Whether a directory above is a repository; otherwise `.gitignore` has no effect.
    is_in_repository: bool,
    /// How many more patterns are allowed.
    left: usize,
}

impl Reading<'_> {
    fn rules(&mut self, directory: &Path, shown: &Path) -> Result<Rules, Trouble> {
        let dot_git = shown.join(".git");
        // The search fails in a directory without access.
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

    /// Reads the patterns of a file and counts them. Reports invalid patterns and uses the others.
    fn patterns(
        &mut self,
        root: &Path,
        path: &Path,
        shown: &Path,
    ) -> Result<(Gitignore, usize), Trouble> {
        let Some(text) = read_settings(path).map_err(trouble(shown))? else {
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

pub(super) fn trouble(path: &Path) -> impl Fn(io::Error) -> Trouble {
    move |error| Trouble { path: Some(path.to_path_buf()), error }
}
