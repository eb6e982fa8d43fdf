//! A directory with files, and the results of running the command in it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::OnceLock;
use std::{env, panic};

use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::{
    dup2_stderr, dup2_stdin, dup2_stdout, stderr as raw_stderr, stdout as raw_stdout,
};

/// Names for arguments; some do not exist.
pub const NAMES: [&str; 12] = [
    "a.txt",
    "b.txt",
    "d",
    "d/c.eml",
    "d/none",
    MANIFEST,
    "report.json",
    "link",
    "dangling",
    "-",
    "new",
    ".",
];
/// Names of encodings for files: the only file read as a manifest.
pub const MANIFEST: &str = "list.tsv";

/// Set in the process that does the work, to its directory.
const FOLDER: &str = "UTFALL_FUZZ_FOLDER";

static STDERR: OnceLock<OwnedFd> = OnceLock::new();

/// Starts this program again with a directory, and state directories in it, and removes them at
/// the end. The environment of a running process cannot be changed safely.
pub fn begin() {
    if env::var_os(FOLDER).is_some() {
        let stderr = fcntl_dupfd_cloexec(raw_stderr(), 3).expect("there is a standard error");
        STDERR.get_or_init(|| stderr);
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            show_stderr();
            hook(info);
        }));
        return;
    }
    let folder = env::temp_dir().join(format!("utfall-fuzz-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(env::args_os().skip(1)).env(FOLDER, &folder);
    command.env("UTFALL_STATE_DIR", folder.join("state")).env("HOME", &folder);
    command.env("LC_ALL", "C.UTF-8").env("NO_COLOR", "1").env_remove("UTFALL_THREADS");
    let status = command.status().expect("this program can be started");
    _ = fs::remove_dir_all(&folder);
    process::exit(status.code().unwrap_or(1));
}

fn show_stderr() {
    if let Some(stderr) = STDERR.get() {
        _ = dup2_stderr(stderr);
    }
}

/// The result of a run.
pub struct Ran {
    pub status: u8,
    pub stdout: Vec<u8>,
}

pub struct World {
    work: PathBuf,
    stdin: File,
    stdout: File,
    nothing: File,
    was_stdin: OwnedFd,
    was_stdout: OwnedFd,
    was_in: PathBuf,
}

fn anew(path: &Path) -> File {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(true).open(path).expect("a file")
}

impl World {
    /// A directory with these texts as files, and no previous runs.
    pub fn new(files: &[&[u8]; 4], stdin: &[u8]) -> Self {
        let folder = PathBuf::from(env::var_os(FOLDER).expect("it is set"));
        // Deep enough that `..` does not lead out of it.
        let work = folder.join("work/of/this/run");
        _ = fs::remove_dir_all(folder.join("work"));
        _ = fs::remove_dir_all(folder.join("state"));
        fs::create_dir_all(work.join("d/empty")).expect("a folder");
        let write = |name: &str, bytes: &[u8]| fs::write(work.join(name), bytes).expect("a file");
        write("a.txt", files[0]);
        write("b.txt", files[1]);
        write("d/c.eml", files[2]);
        write("report.json", files[3]);
        let encoding = ["UTF-8", "UTF-16LE", "ISO-8859-1", "UTF-7"][files[3].len() % 4];
        write(MANIFEST, format!("a.txt\t{encoding}\nd/c.eml\tUTF-8\n").as_bytes());
        symlink("b.txt", work.join("link")).expect("a link");
        symlink("nothing", work.join("dangling")).expect("a link");
        let mut input = anew(&folder.join("stdin"));
        input.write_all(stdin).and_then(|()| input.rewind()).expect("a file");
        Self {
            work,
            stdin: input,
            stdout: anew(&folder.join("stdout")),
            nothing: anew(Path::new("/dev/null")),
            was_stdin: fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3).expect("a standard input"),
            was_stdout: fcntl_dupfd_cloexec(raw_stdout(), 3).expect("a standard output"),
            was_in: env::current_dir().expect("a folder"),
        }
    }

    /// Replaces a file.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.work.join(name), bytes).expect("a file");
    }

    /// The contents of a file.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.work.join(name)).expect("a file")
    }

    /// Replaces standard input.
    pub fn set_stdin(&self, bytes: &[u8]) {
        let mut stdin = &self.stdin;
        let emptied = stdin.rewind().and_then(|()| stdin.set_len(0));
        emptied.and_then(|()| stdin.write_all(bytes)).expect("a file");
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.work.join(name)
    }

    /// The state directory.
    pub fn state(&self) -> PathBuf {
        PathBuf::from(env::var_os(FOLDER).expect("it is set")).join("state")
    }

    /// Every file, directory and link, with its contents.
    pub fn look(&self) -> BTreeMap<OsString, Vec<u8>> {
        let mut all = BTreeMap::new();
        let mut folders = vec![self.work.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder").flatten() {
                let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
                let name =
                    path.strip_prefix(&self.work).expect("it is in it").as_os_str().to_owned();
                let bytes = match () {
                    () if kind.is_symlink() => {
                        fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes()
                    }
                    () if kind.is_dir() => {
                        folders.push(path);
                        b"folder".to_vec()
                    }
                    () => fs::read(&path).expect("a file"),
                };
                all.insert(name, bytes);
            }
        }
        all
    }

    /// Runs the command.
    pub fn run(&self, args: &[OsString]) -> Ran {
        _ = (&self.stdin).rewind();
        _ = (&self.stdout).rewind().and_then(|()| self.stdout.set_len(0));
        dup2_stdin(&self.stdin).expect("standard input");
        dup2_stdout(&self.stdout).expect("standard output");
        dup2_stderr(&self.nothing).expect("standard error");
        env::set_current_dir(&self.work).expect("it is there");
        let status = utfall_cli::run(args.iter().cloned());
        // As at the end of a program. Unread input must not reach the next run.
        _ = io::stdout().flush();
        let mut stdin = io::stdin().lock();
        while let Ok(length @ 1..) = stdin.fill_buf().map(<[u8]>::len) {
            stdin.consume(length);
        }
        env::set_current_dir(&self.was_in).expect("it was there");
        show_stderr();
        _ = dup2_stdout(&self.was_stdout);
        _ = dup2_stdin(&self.was_stdin);
        let mut stdout = Vec::new();
        (&self.stdout).rewind().expect("a file");
        (&self.stdout).read_to_end(&mut stdout).expect("a file");
        Ran { status, stdout }
    }
}
