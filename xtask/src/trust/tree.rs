//! `cargo xtask tree` makes a tree of text files in many encodings; `cargo xtask kill` converts
//! one again and again, often by two runs at once, kills them at random instants, and checks every
//! file.

use std::collections::BTreeMap;
use std::collections::hash_map::{DefaultHasher, RandomState};
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::steps::{self, cargo};
use crate::tools::target_dir;

const FILES: &str = "20000";
const KILLS: u32 = 200;
/// State directories.
const STATE: &str = "state";
const OTHER_STATE: &str = "other-state";

/// Makes the tree in a directory.
pub(crate) fn make(root: &Path, folder: &str, files: Option<&str>) -> Result<(), String> {
    let example = ["run", "--release", "--quiet", "--package", "utfall-tree", "--example"];
    // Relative to the caller's directory.
    let folder = env::current_dir().map_err(|error| error.to_string())?.join(folder);
    let mut command = cargo(root, &example);
    command.args(["make_tree", "--"]).arg(folder).arg(files.unwrap_or(FILES));
    steps::run(&mut command)
}

/// Converts a tree, kills that this many times, and undoes it.
pub(crate) fn kill(root: &Path, kills: Option<&str>, files: Option<&str>) -> Result<(), String> {
    let kills =
        kills.map_or(Some(KILLS), |kills| kills.parse().ok()).ok_or("invalid number of kills")?;
    let files = files.unwrap_or(FILES);
    let folder = target_dir(root).join("kill").join(files);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(at(&folder))?;
    }
    make(root, &folder.to_string_lossy(), Some(files))?;
    steps::run(&mut cargo(root, &["build", "--release", "--bin", "utfall"]))?;
    let program =
        target_dir(root).join("release").join(format!("utfall{}", env::consts::EXE_SUFFIX));
    let tree = Tree::new(&folder, &program)?;

    let (time, said) = tree.convert_all()?;
    tree.count()?.is_all(tree.new_files())?;
    println!("   converted in {:.2} s: {said}", time.as_secs_f64());
    let (again, said) = tree.convert_all()?;
    println!("   again in {:.2} s: {said}", again.as_secs_f64());
    if !said.contains(" 0 converted") {
        return Err("the second run changed something".into());
    }
    let began = Instant::now();
    tree.undo_all()?;
    println!("   undone in {:.2} s", began.elapsed().as_secs_f64());
    tree.count()?.is_all(0)?;

    let (mut seen, mut ends) = (Counts::default(), Ends::default());
    let mut removed = 0;
    for number in 0..kills {
        let of_round = |error| format!("round {number}: {error}");
        tree.round(number, time, &mut ends).map_err(of_round)?;
        let count = tree.count().map_err(of_round)?;
        seen.add(&count);
        if number % 4 == 3 {
            removed += count.left_behind;
            tree.convert_all()?;
            tree.count()?.is_all(tree.new_files())?;
        }
        tree.undo_all().map_err(of_round)?;
        let after = tree.count().map_err(of_round)?;
        if after.new > 0 {
            return Err(format!("round {number}: undone, and {} files are new", after.new));
        }
    }
    println!(
        "   {} runs in {kills} rounds: {} killed, {} ended, {} refused because of another run",
        ends.killed + ends.ended + ends.refused,
        ends.killed,
        ends.ended,
        ends.refused,
    );
    println!(
        "   {} files checked: {} old, {} new, 0 others",
        seen.old + seen.new + seen.same,
        seen.old + seen.same,
        seen.new,
    );
    println!(
        "   {} runs finished the work of one that was killed; {removed} unfinished files removed",
        kills / 4
    );
    println!("   {kills} times undone, all files old each time");
    Ok(())
}

/// A number from 0 to 1, from the seed of the standard library's hash maps.
fn random() -> f64 {
    let number = RandomState::new().build_hasher().finish();
    (number >> 11) as f64 / (1_u64 << 53) as f64
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> String {
    let path = path.to_path_buf();
    move |error| format!("{}: {error}", path.display())
}

/// The number of runs by how they ended.
#[derive(Default)]
struct Ends {
    killed: usize,
    ended: usize,
    /// Refused because another run was changing the same files.
    refused: usize,
}

impl Ends {
    fn add(&mut self, status: ExitStatus) -> Result<(), String> {
        match status.code() {
            None => self.killed += 1,
            // Status 1 reports damaged files.
            Some(0 | 1) => self.ended += 1,
            Some(4) => self.refused += 1,
            Some(_) => return Err(format!("a run ended with {status}")),
        }
        Ok(())
    }
}

/// A tree, and the contents of its files before and after.
struct Tree {
    folder: PathBuf,
    /// The directories in the tree.
    parts: Vec<String>,
    program: PathBuf,
    files: BTreeMap<PathBuf, (u64, u64)>,
}

/// The number of files by their state.
#[derive(Default)]
struct Counts {
    old: usize,
    new: usize,
    /// Files that are the same before and after.
    same: usize,
    /// Unfinished files.
    left_behind: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.old += other.old;
        self.new += other.new;
        self.same += other.same;
        self.left_behind += other.left_behind;
    }

    fn is_all(&self, new: usize) -> Result<(), String> {
        match (self.new, self.left_behind) {
            (count, 0) if count == new => Ok(()),
            (count, left) => Err(format!("{count} files are new, not {new}; {left} unfinished")),
        }
    }
}

impl Tree {
    fn new(folder: &Path, program: &Path) -> Result<Self, String> {
        let (mut old, mut want) = (BTreeMap::new(), BTreeMap::new());
        digests(&folder.join("old"), Path::new(""), &mut old)?;
        digests(&folder.join("want"), Path::new(""), &mut want)?;
        let both = |(path, old): (PathBuf, u64)| want.get(&path).map(|want| (path, (old, *want)));
        let files: BTreeMap<_, _> = old.into_iter().filter_map(both).collect();
        let first = |path: &PathBuf| Some(path.parent()?.iter().next()?.to_str()?.to_owned());
        let mut parts: Vec<_> = files.keys().filter_map(first).collect();
        parts.dedup();
        Ok(Self { folder: folder.into(), parts, program: program.into(), files })
    }

    fn new_files(&self) -> usize {
        self.files.values().filter(|(old, new)| old != new).count()
    }

    fn program(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(&self.folder);
        command.env("UTFALL_STATE_DIR", self.folder.join(STATE));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn convert(&self) -> Command {
        self.convert_part("tree")
    }

    fn convert_part(&self, part: &str) -> Command {
        self.program(&["convert", "-t", "UTF-8", "--in-place", "--manifest", "manifest.tsv", part])
    }

    /// One run, or two at once: of all files or one directory, of the same or another one, with
    /// the same state directory or another. Some of them are killed, at random instants.
    fn round(&self, number: u32, time: Duration, ends: &mut Ends) -> Result<(), String> {
        let part = |index: f64| {
            let index = (index * self.parts.len() as f64) as usize;
            format!("tree/{}", self.parts[index])
        };
        let (one, other) = match number % 8 {
            0 | 3 => ("tree".into(), None),
            1 | 7 => ("tree".into(), Some("tree".into())),
            2 => ("tree".into(), Some(part(random()))),
            4 => (part(random()), Some("tree".into())),
            5 => (part(random()), Some(part(random()))),
            _ => (part(0.0), Some(part(0.999))),
        };
        // With another state directory, a run that begins after the end of the first does not know
        // what that one has changed. So the first one has most to do, and continues until the
        // other has ended.
        let has_other_state = matches!(number % 16, 1 | 2 | 6 | 9 | 14);
        let mut runs = vec![self.start(self.convert_part(&one))?];
        if let Some(other) = other {
            thread::sleep(time.mul_f64(random() * 0.3));
            let mut command = self.convert_part(&other);
            if has_other_state {
                command.env("UTFALL_STATE_DIR", self.folder.join(OTHER_STATE));
            }
            runs.push(self.start(command)?);
        }
        // The other one is killed half of the time, and the first usually.
        for (index, mut run) in runs.into_iter().enumerate().rev() {
            if index == 0 && !number.is_multiple_of(5) || index == 1 && random() < 0.5 {
                thread::sleep(time.mul_f64(random() * 0.8));
                run.kill().map_err(at(&self.program))?;
            }
            ends.add(run.wait().map_err(at(&self.program))?)?;
        }
        Ok(())
    }

    fn start(&self, mut command: Command) -> Result<Child, String> {
        command.spawn().map_err(at(&self.program))
    }

    /// Converts everything, and returns the duration and the totals.
    fn convert_all(&self) -> Result<(Duration, String), String> {
        let began = Instant::now();
        let output = self.convert().stdout(Stdio::piped()).output().map_err(at(&self.program))?;
        let time = began.elapsed();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let total = said.lines().find(|line| line.starts_with("total:"));
        // Status 1 reports damaged files.
        match (total, output.status.code()) {
            (Some(total), Some(1)) => Ok((time, total.into())),
            _ => Err(format!("convert: {}: {said}", output.status)),
        }
    }

    /// Undoes all runs, the last one first.
    fn undo_all(&self) -> Result<(), String> {
        [STATE, OTHER_STATE].iter().try_for_each(|state| self.undo_all_of(state))
    }

    fn undo_all_of(&self, state: &str) -> Result<(), String> {
        let state = self.folder.join(state);
        let undo = |args: &[&str]| {
            let mut command = self.program(args);
            command.env("UTFALL_STATE_DIR", &state).stdout(Stdio::piped());
            command.output().map_err(at(&self.program))
        };
        loop {
            if undo(&["undo", "--list"])?.stdout.is_empty() {
                return Ok(());
            }
            let output = undo(&["undo"])?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stdout);
                return Err(format!("undo: {}: {said}", output.status));
            }
        }
    }

    /// Checks every file. It is an error if one is missing, or neither old nor new.
    fn count(&self) -> Result<Counts, String> {
        let (mut there, mut counts) = (BTreeMap::new(), Counts::default());
        digests(&self.folder.join("tree"), Path::new(""), &mut there)?;
        for (path, (old, new)) in &self.files {
            match there.remove(path) {
                Some(digest) if digest == *old && old == new => counts.same += 1,
                Some(digest) if digest == *old => counts.old += 1,
                Some(digest) if digest == *new => counts.new += 1,
                Some(_) => return Err(format!("{} is neither old nor new", path.display())),
                None => return Err(format!("{} is missing", path.display())),
            }
        }
        let is_unfinished = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".utfall-"))
        };
        counts.left_behind = there.keys().filter(|path| is_unfinished(path)).count();
        Ok(counts)
    }
}

/// The digests of the regular files below a directory.
fn digests(root: &Path, below: &Path, found: &mut BTreeMap<PathBuf, u64>) -> Result<(), String> {
    let folder = root.join(below);
    for entry in fs::read_dir(&folder).map_err(at(&folder))? {
        let entry = entry.map_err(at(&folder))?;
        let (path, kind) = (below.join(entry.file_name()), entry.file_type());
        match kind.map_err(at(&entry.path()))? {
            kind if kind.is_dir() => digests(root, &path, found)?,
            kind if kind.is_file() => {
                let bytes = fs::read(entry.path()).map_err(at(&entry.path()))?;
                let mut hasher = DefaultHasher::new();
                hasher.write(&bytes);
                found.insert(path, hasher.finish());
            }
            _ => {}
        }
    }
    Ok(())
}
