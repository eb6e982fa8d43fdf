//! Running the program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fmt, fs, io, thread};

use tempfile::TempDir;
use utfall::Encoding;

/// The result of a run.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (status, stdout) = (self.status, self.stdout.escape_ascii());
        write!(f, "status {status}, stdout \"{stdout}\", stderr:\n{}", self.stderr)
    }
}

impl Run {
    /// Standard output as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// What a report of `check` says: titles and summaries, without the text it shows and notes.
    pub(crate) fn titles(&self) -> Vec<&str> {
        let is_text = |line: &&str| {
            line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit())
                .starts_with(['|', '='])
        };
        self.text().lines().filter(|line| !line.is_empty() && !is_text(line)).collect()
    }

    /// Checks the status, and that standard error has all of this.
    #[track_caller]
    pub(crate) fn fails(&self, status: i32, with: &[&str]) {
        assert_eq!(self.status, status, "{self:?}");
        for part in with {
            assert!(self.stderr.contains(part), "{part:?} is not in {self:?}");
        }
    }

    /// Checks that the run succeeded, and its output.
    #[track_caller]
    pub(crate) fn gives(&self, stdout: impl AsRef<[u8]>) {
        assert_eq!(self.status, 0, "{self:?}");
        let stdout = stdout.as_ref();
        assert_eq!(self.stdout, stdout, "{self:?} instead of {}", stdout.escape_ascii());
    }

    /// Checks that all went well and nothing was said about it.
    #[track_caller]
    pub(crate) fn quietly_gives(&self, stdout: impl AsRef<[u8]>) {
        self.gives(stdout);
        assert_eq!(self.stderr, "");
    }
}

/// The program, or one for another processor that `UTFALL_TEST_PROGRAM` runs here.
pub(crate) fn program() -> Command {
    let emulated = env::var_os("UTFALL_TEST_PROGRAM");
    let mut command = Command::new(emulated.unwrap_or_else(|| env!("CARGO_BIN_EXE_utfall").into()));
    command.env_remove("UTFALL_ISA");
    command
}

/// Runs the program in the folder of the tests. `args` are separated by spaces.
pub(crate) fn utfall(args: &str, stdin: impl AsRef<[u8]>) -> Run {
    run(program().args(args.split_whitespace()), stdin)
}

/// The names of the subcommands, and of those below them, as `check` or `generate man`.
pub(crate) fn commands(above: &str) -> Vec<String> {
    let help = utfall(&format!("{above} --help"), "");
    let Some((_, list)) = help.text().split_once("\nUsage:") else { return Vec::new() };
    let takes_command = list.lines().next().is_some_and(|usage| usage.contains("<COMMAND>"));
    let Some((list, _)) = list.split_once("\nOptions:").filter(|_| takes_command) else {
        return Vec::new();
    };
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && *name != "help");
    let full = names.map(|name| format!("{above} {name}").trim_start().to_owned());
    full.flat_map(|name| [vec![name.clone()], commands(&name)].concat()).collect()
}

pub(crate) fn run(command: &mut Command, stdin: impl AsRef<[u8]>) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // On a busy machine, wine sometimes answers that it had an internal error.
    let tries = if cfg!(windows) { 4 } else { 0 };
    let spawned = (0..tries).map(|_| command.spawn()).find(|spawned| spawned.is_ok());
    let mut child = spawned.unwrap_or_else(|| command.spawn()).unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.as_ref();
    let output = thread::scope(|scope| {
        // The program may end before it has read everything.
        scope.spawn(move || _ = pipe.write_all(stdin).and_then(|()| pipe.flush()));
        child.wait_with_output().unwrap()
    });
    Run {
        status: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The system's message for a missing file.
pub(crate) fn no_such_file() -> String {
    reason(&fs::File::open("nothing").unwrap_err())
}

/// And of one in a folder that is not there.
pub(crate) fn no_such_folder() -> String {
    reason(&fs::File::create("nothing/nothing").unwrap_err())
}

fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap().to_owned()
}

/// With `/` in paths on Windows, too.
pub(crate) fn slashes(text: &str) -> String {
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

/// A folder that goes away, in which the program runs.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With these files.
    pub(crate) fn with<const N: usize>(files: [(&str, &[u8]); N]) -> Self {
        let folder = Self::new();
        for (name, bytes) in files {
            fs::write(folder.path(name), bytes).unwrap();
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = program();
        command.current_dir(self.0.path());
        // Not in the state directory of the person who runs the tests.
        command.env("UTFALL_STATE_DIR", self.path(".state"));
        command
    }

    pub(crate) fn utfall(&self, args: &str, stdin: impl AsRef<[u8]>) -> Run {
        run(self.command().args(args.split_whitespace()), stdin)
    }
}

/// Whether this build has the encoding. Says that the test is skipped if it has not.
pub(crate) fn has_encoding(label: &str) -> bool {
    let has = Encoding::for_label(label).is_some();
    if !has {
        println!("skipped: this build has no {label}");
    }
    has
}

/// A file of the repository.
pub(crate) fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Damages the journal of a run: it names another file in the same folder.
pub(crate) fn misname(journal: &Path, old: &str, new: &str) {
    let text = fs::read_to_string(journal).unwrap();
    // On Windows the separator is a backslash, escaped in JSON.
    let named = |separator: char, name: &str| format!("{separator}{name}\"");
    let text = text.replace(&named('/', old), &named('/', new));
    fs::write(journal, text.replace(&named('\\', old), &named('\\', new))).unwrap();
}
