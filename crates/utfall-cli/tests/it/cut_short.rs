//! Runs over many files that are killed or run out of space: every file is either old or new.

#![cfg(unix)]

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use crate::common::{Folder, program};
use utfall_oracle::rounds;

const FILES: usize = 300;
/// Runs that are killed.
const KILLS: usize = 15;

/// The content of a file before and after.
fn texts(number: usize) -> (Vec<u8>, Vec<u8>) {
    let line = format!("naïve file {number} ☺\n");
    let new = line.repeat(40 + number * 7 % 500);
    let old = new.encode_utf16().flat_map(u16::to_le_bytes);
    ([0xFF, 0xFE].into_iter().chain(old).collect(), new.into_bytes())
}

fn path(folder: &Folder, number: usize) -> std::path::PathBuf {
    folder.path(&format!("tree/{}/{number}.txt", number % 7))
}

fn tree() -> Folder {
    let folder = Folder::new();
    for number in 0..FILES {
        let path = path(&folder, number);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, texts(number).0).unwrap();
    }
    folder
}

/// Makes sure that every file is old or new, and says how many are new.
#[track_caller]
fn new_files(folder: &Folder) -> usize {
    let is_new = |number: &usize| {
        let there = fs::read(path(folder, *number)).unwrap();
        let (old, new) = texts(*number);
        assert!(there == old || there == new, "file {number} has {} bytes", there.len());
        there == new
    };
    (0..FILES).filter(is_new).count()
}

/// Files in the tree that are none of it.
fn left_behind(folder: &Folder) -> usize {
    let folders = fs::read_dir(folder.path("tree")).unwrap();
    let all: usize = folders.map(|at| fs::read_dir(at.unwrap().path()).unwrap().count()).sum();
    all - FILES
}

fn convert(folder: &Folder) -> Command {
    let mut command = folder.command();
    command.args(["convert", "-t", "UTF-8", "--in-place", "tree"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn killed_at_any_instant() {
    let folder = tree();
    let mut random = 1_u64;
    for round in 0..rounds(KILLS, 3) {
        let mut child = convert(&folder).spawn().unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Where it is then does not matter for what must be true.
        thread::sleep(Duration::from_micros((random >> 33) % 40_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let converted = new_files(&folder);
        println!("round {round}: {converted} of {FILES} new, {} left over", left_behind(&folder));
        if round % 3 == 0 {
            assert!(convert(&folder).status().unwrap().success());
            assert_eq!((new_files(&folder), left_behind(&folder)), (FILES, 0));
        }
        // Undo the runs one by one, the last one first.
        while folder.utfall("undo --list", "").text().lines().next().is_some() {
            let run = folder.utfall("undo", "");
            assert_eq!(run.status, 0, "{run:?}");
        }
        assert_eq!(new_files(&folder), 0);
    }
}

/// Sends a signal by its name.
fn send(signal: &str, child: &Child) {
    let status =
        Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
    assert!(status.unwrap().success());
}

/// Whether this process ignores a signal, as one that `nohup` or `sh -c '… &'` started does. What it
/// starts ignores it too.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// A run that has begun to write `out`, and waits for more to read.
fn in_the_middle(folder: &Folder, args: &str) -> Child {
    let mut command = folder.command();
    if is_ignored(1) || is_ignored(2) || is_ignored(15) {
        let mut env = Command::new("env");
        env.args(["--default-signal=HUP,INT,TERM", "--"]).arg(command.get_program());
        env.current_dir(folder.path(""))
            .envs(command.get_envs().filter_map(|(k, v)| Some((k, v?))));
        command = env;
    }
    command
        .args(args.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    wait_for_unfinished(folder, command.spawn().unwrap())
}

fn wait_for_unfinished(folder: &Folder, mut child: Child) -> Child {
    child.stdin.as_mut().unwrap().write_all(b"From: a\n\ntext\n").unwrap();
    while !folder.names().iter().any(|name| name.ends_with(".tmp")) {
        assert_eq!(child.try_wait().unwrap(), None);
        thread::sleep(Duration::from_millis(1));
    }
    child
}

const WRITERS: [&str; 5] = [
    "convert -f UTF-8 -t UTF-16 -o out",
    "convert -f UTF-8 -t UTF-16 --nfc --newline crlf -o out",
    "iconv -f UTF-8 -t UTF-16 -o out",
    "mail -o out",
    "repair -o out --report report",
];

/// Signals that end a run leave no temporary file in the folder of its output.
#[test]
fn a_signal_removes_unfinished_output() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        if signal == "HUP" && !cfg!(target_os = "linux") {
            println!("skipped: here nobody knows whether HUP is ignored, so it ends a run at once");
            continue;
        }
        for args in WRITERS {
            let folder = Folder::with([("out", b"old")]);
            let mut child = in_the_middle(&folder, args);
            // The end of the input would end the run as well.
            let stdin = child.stdin.take();
            send(signal, &child);
            let output = child.wait_with_output().unwrap();
            drop(stdin);
            // As the shell sees it.
            assert_eq!(output.status.signal(), Some(number), "{signal}, {args}: {output:?}");
            assert_eq!(folder.names(), ["out"], "{signal}, {args}");
            assert_eq!(folder.read("out"), b"old", "{signal}, {args}");
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{signal}, {args}");
        }
    }
}

/// As `nohup` does, and a shell with INT in the background.
#[test]
fn an_ignored_signal_stays_ignored() {
    if !cfg!(target_os = "linux") {
        println!("skipped: what is ignored is known on Linux only");
        return;
    }
    for signal in ["INT", "TERM", "HUP"] {
        let folder = Folder::new();
        let mut shell = Command::new("sh");
        let script = format!("trap '' {signal}; exec \"$0\" convert -f UTF-8 -t UTF-8 -o out");
        shell.args(["-c", &script]).arg(program().get_program()).current_dir(folder.path(""));
        let child = shell.stdin(Stdio::piped()).spawn().unwrap();
        let mut child = wait_for_unfinished(&folder, child);
        send(signal, &child);
        thread::sleep(Duration::from_millis(50));
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success(), "{signal}");
        assert_eq!(folder.names(), ["out"], "{signal}");
    }
}

/// Only tree runs removed it.
#[test]
fn the_next_run_removes_what_a_kill_leaves() {
    for next in WRITERS.iter().chain(&["repair --in-place text", "generate man ."]) {
        let folder = Folder::with([("text", "Les Ã©lÃ¨ves\n".as_bytes())]);
        let mut child = in_the_middle(&folder, "convert -f UTF-8 -t UTF-16 -o other");
        child.kill().unwrap();
        child.wait().unwrap();
        let left =
            |folder: &Folder| folder.names().iter().filter(|name| name.ends_with(".tmp")).count();
        assert_eq!(left(&folder), 1);
        let run = folder.utfall(next, "From: a\n\nb\n");
        assert_eq!((run.status, left(&folder)), (0, 0), "{next}: {run:?}");

        // Files still being written stay.
        let mut live = in_the_middle(&folder, "convert -f UTF-8 -t UTF-8 -o live");
        fs::write(folder.path("text"), "Les Ã©lÃ¨ves\n").unwrap();
        let run = folder.utfall(next, "From: a\n\nb\n");
        assert_eq!((run.status, left(&folder)), (0, 1), "{next}: {run:?}");
        drop(live.stdin.take());
        assert!(live.wait().unwrap().success(), "{next}");
        assert_eq!(folder.read("live"), b"From: a\n\ntext\n", "{next}");
        assert_eq!(left(&folder), 0);
    }
}

#[test]
fn interrupted_at_any_instant() {
    let folder = tree();
    let (mut random, mut interrupted) = (7_u64, 0);
    for round in 0..rounds(KILLS, 3) {
        let child = convert(&folder).spawn().unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        thread::sleep(Duration::from_micros((random >> 33) % 40_000));
        send(["INT", "TERM"][round % 2], &child);
        let status = child.wait_with_output().unwrap().status;
        assert!(status.success() || matches!(status.signal(), Some(2 | 15)), "{status}");
        interrupted += usize::from(status.signal().is_some());
        let converted = new_files(&folder);
        println!("round {round}: {converted} of {FILES} new, {status}");
        assert_eq!(left_behind(&folder), 0, "round {round}");
        while folder.utfall("undo --list", "").text().lines().next().is_some() {
            let run = folder.utfall("undo", "");
            assert_eq!(run.status, 0, "{run:?}");
        }
        assert_eq!(new_files(&folder), 0);
    }
    assert!(interrupted > 0);
}

/// `ulimit -f` simulates a full disk: no file may be longer than this many blocks.
fn limited(folder: &Folder) -> Option<Command> {
    let mut shell = Command::new("sh");
    let script = "ulimit -f 16 || exit 99; exec \"$0\" convert -t UTF-8 --in-place tree";
    shell.args(["-c", script]).arg(program().get_program()).current_dir(folder.path(""));
    shell.env("UTFALL_STATE_DIR", folder.path(".state")).stderr(Stdio::null());
    match Command::new("sh").args(["-c", "ulimit -f 16"]).status() {
        Ok(status) if status.success() => Some(shell),
        _ => {
            println!("skipped: `sh` has no `ulimit -f`");
            None
        }
    }
}

#[test]
fn files_that_get_too_long() {
    let folder = tree();
    let Some(mut shell) = limited(&folder) else { return };
    let output = shell.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{said}");
    let converted = new_files(&folder);
    assert!(said.contains(": cannot write: File too large\n"), "{said}");
    assert!(said.contains(&format!("total: {FILES} files, {converted} converted")), "{said}");
    assert!(converted > 0 && converted < FILES && left_behind(&folder) == 0, "{converted}");
    assert!(folder.utfall("undo", "").text().contains(&format!("{converted} files restored")));
    assert_eq!(new_files(&folder), 0);
}

/// A file system of this many bytes in memory.
struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    fn new(at: &'a Path, size: u64) -> Option<Self> {
        fs::create_dir_all(at).unwrap();
        let size = format!("size={size}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).stderr(Stdio::null());
        match mount.status() {
            Ok(status) if status.success() => Some(Self(at)),
            _ => {
                println!("skipped: no file system may be mounted here");
                None
            }
        }
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn full_file_system() {
    let (small, source) = (Folder::new(), tree());
    let at = small.path("");
    let bytes: usize = (0..FILES).map(|number| texts(number).0.len()).sum();
    // The originals fit, with the state beside them, and about half of the results.
    let Some(_mounted) = Mounted::new(&at, bytes as u64 * 3 / 2) else { return };
    for number in 0..FILES {
        fs::create_dir_all(path(&small, number).parent().unwrap()).unwrap();
        fs::copy(path(&source, number), path(&small, number)).unwrap();
    }
    let run = small.utfall("convert -t UTF-8 --in-place tree", "");
    let converted = new_files(&small);
    assert_eq!(run.status, 4, "{converted}: {run:?}");
    assert!(run.text().contains("No space left"), "{run:?}");
    assert!(converted > 0 && converted < FILES && left_behind(&small) == 0, "{converted}");
    let run = small.utfall("undo", "");
    assert_eq!((run.status, new_files(&small)), (0, 0), "{run:?}");
}

#[test]
fn no_room_for_old_texts() {
    let folder = tree();
    let state = folder.path(".state");
    // Copies, since it is another file system.
    let Some(_mounted) = Mounted::new(&state, 1 << 20) else { return };
    let run = folder.utfall("convert -t UTF-8 --in-place tree", "");
    let converted = new_files(&folder);
    assert_eq!((run.status, left_behind(&folder)), (4, 0), "{run:?}");
    assert!(run.text().contains("cannot keep the original for undo: No space left"), "{run:?}");
    assert!(converted > 0 && converted < FILES, "{converted}");
    let run = folder.utfall("undo", "");
    assert_eq!((run.status, new_files(&folder)), (0, 0), "{run:?}");
    assert!(run.text().contains(&format!("{converted} files restored")), "{run:?}");
}
