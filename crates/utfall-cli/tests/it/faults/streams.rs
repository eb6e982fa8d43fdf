//! Standard streams that are closed, full, not ready, or that nobody reads any more.

use std::fs;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use super::shim::{self, EAGAIN, Fault, With};
use crate::common::{Folder, program, run};

/// The empty line makes a message of it.
const TEXT: &[u8] = "\nLes Ã©lÃ¨ves, un café\n".as_bytes();
/// Every subcommand that writes to standard output, with the status that it has.
const WRITING: &[(&str, i32)] = &[
    ("convert -f UTF-8 -t UTF-16 a", 0),
    ("convert -f UTF-8 -t UTF-16 --newline crlf a", 0),
    ("convert -t UTF-16 --dry-run a", 0),
    ("check a", 0),
    ("check --format json a", 0),
    ("check --format sarif a", 0),
    ("check --concealed a", 0),
    ("repair -q a", 0),
    ("repair --dry-run a", 1),
    ("repair --diff a", 1),
    ("explain a", 0),
    ("detect --min-confidence 0 a", 0),
    ("mail -q a", 0),
    ("mail -q --extract a", 0),
    ("cost a", 0),
    ("iconv -f UTF-8 -t UTF-16 a", 0),
    ("iconv -l", 0),
    ("imap-name a", 0),
    ("list", 0),
    ("list --format json", 0),
    ("generate completions bash", 0),
    ("--help", 0),
    ("convert -h", 0),
    ("--version", 0),
];

fn folder() -> Folder {
    Folder::with([("a", TEXT)])
}

/// The program in a shell, which redirects its streams.
fn redirected(folder: &Folder, args: &str, redirections: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec \"$0\" {args} {redirections}")]);
    shell.arg(program().get_program()).current_dir(folder.path(""));
    shell.env("UTFALL_STATE_DIR", folder.path(".state"));
    shell
}

#[test]
fn nobody_has_room() {
    if !cfg!(target_os = "linux") {
        println!("skipped: there is no /dev/full");
        return;
    }
    for (args, _) in WRITING {
        let run = run(&mut redirected(&folder(), args, ">/dev/full"), "");
        let status = if args.starts_with("iconv") { 1 } else { 4 };
        run.fails(status, &["cannot write (standard output): No space left"]);
        assert_eq!(run.stderr.matches("No space left").count(), 1, "{args}: {run:?}");
    }
    // Nor does it matter that nothing can be said about it.
    for (args, _) in WRITING {
        let run = run(&mut redirected(&folder(), args, ">/dev/full 2>/dev/full"), "");
        assert_eq!(run.status, if args.starts_with("iconv") { 1 } else { 4 }, "{args}");
    }
}

/// If the results for the files cannot be written, the status reports them.
#[test]
fn nobody_can_be_told() {
    if !cfg!(target_os = "linux") {
        println!("skipped: there is no /dev/full");
        return;
    }
    for (args, bad, status) in [
        ("convert -t UTF-16 --in-place --verbose a bad", b"caf\xE9".as_slice(), 1),
        ("convert -t UTF-16 --in-place --verbose a", b"", 4),
        ("repair --in-place a", b"", 4),
    ] {
        let folder = folder();
        fs::write(folder.path("bad"), bad).unwrap();
        let run = run(&mut redirected(&folder, args, ">/dev/full"), "");
        run.fails(status, &["cannot write (standard output): No space left"]);
    }
}

/// A stream that is closed is one that leads nowhere: the runtime opens /dev/null in its place, and
/// no file that is opened later takes its number.
#[test]
fn closed() {
    for (args, status) in WRITING {
        for redirections in [">&-", "2>&-", "<&-", "<&- >&- 2>&-"] {
            let folder = folder();
            let run = run(&mut redirected(&folder, args, redirections), "");
            assert_eq!(run.status, *status, "{args} {redirections}: {run:?}");
            assert_eq!((folder.names(), folder.read("a")), (vec!["a".into()], TEXT.to_vec()));
        }
    }
    for args in [
        "convert -f UTF-8 -t UTF-8 -o out a",
        "convert -f UTF-8 -t UTF-16 --in-place a",
        "mail -o out a",
        "iconv -f UTF-8 -t UTF-16 -o out a",
        "repair --in-place a",
    ] {
        let (open, closed) = (folder(), folder());
        assert_eq!(open.utfall(args, "").status, 0, "{args}");
        let run = run(&mut redirected(&closed, args, "<&- >&- 2>&-"), "");
        assert_eq!((run.status, closed.names()), (0, open.names()), "{args}: {run:?}");
        let file = if args.contains("out") { "out" } else { "a" };
        assert_eq!(closed.read(file), open.read(file), "{args}");
    }
}

/// The reader reads one byte and exits.
#[test]
fn nobody_reads_on() {
    let folder = Folder::with([("a", &TEXT.repeat(20_000)), ("bad", &b"\xFF\n".repeat(1 << 16))]);
    for (args, _) in WRITING {
        let args = match args.starts_with("check") && !args.contains("--concealed") {
            true => args.replace(" a", " --all bad"),
            false => args.to_string(),
        };
        let args = if args.starts_with("repair") { args.replace(" -q", "") } else { args };
        let mut command = folder.command();
        command.args(args.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let is_short = output.status.code() == Some(1) && args.starts_with("check")
            || output.status.code() == Some(0);
        assert!(is_short && !said.contains("error"), "{args}: {:?}, {said}", output.status);
    }
}

/// Whoever shares a stream with the program may have made it one that does not wait: then the
/// program waits.
#[test]
fn not_ready() {
    let large = "Les Ã©lÃ¨ves, un café: 日本語\n".repeat(60_000);
    let folder = Folder::with([("a", large.as_bytes())]);
    for args in [
        "convert -f UTF-8 -t UTF-16 a",
        "convert -f UTF-8 -t UTF-16 --nfc a",
        "check --all --warn all a",
        "repair -q a",
        "repair --dry-run --format json a",
        "explain --only problems --format json a",
        "mail -q a",
        "iconv -f UTF-8 -t UTF-16 a",
        "list",
        "generate completions bash",
        "convert --help",
    ] {
        let waiting = run(folder.command().args(args.split(' ')), "");
        let (ours, theirs) = UnixStream::pair().unwrap();
        theirs.set_nonblocking(true).unwrap();
        let mut command = folder.command();
        command.args(args.split(' ')).stdout(OwnedFd::from(theirs)).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Its copies of the stream would keep it open.
        drop(command);
        let mut read = Vec::new();
        (&ours).read_to_end(&mut read).unwrap();
        let output = child.wait().unwrap();
        assert_eq!(output.code(), Some(waiting.status), "{args}");
        assert!(read == waiting.stdout, "{args}: {} of {} bytes", read.len(), waiting.stdout.len());
    }
    let small = "Les Ã©lÃ¨ves\n";
    for args in [
        "convert -f UTF-8 -t UTF-16",
        "check",
        "check --concealed",
        "repair -q",
        "explain",
        "detect --min-confidence 0",
        "mail -q",
        "cost",
        "iconv -f UTF-8 -t UTF-16",
        "imap-name",
    ] {
        let waiting = run(program().args(args.split(' ')), small);
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        theirs.set_nonblocking(true).unwrap();
        let mut command = program();
        command.args(args.split(' ')).stdin(OwnedFd::from(theirs)).stdout(Stdio::piped());
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        drop(command);
        for byte in small.bytes() {
            ours.write_all(&[byte]).unwrap();
        }
        drop(ours);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(waiting.status), "{args}: {said}");
        assert!(output.stdout == waiting.stdout, "{args}: {said}");
    }
}

/// The same with every other call, whatever the scheduler does.
#[test]
fn never_ready_at_once() {
    for (args, status) in WRITING {
        let folder = folder();
        let expected = run(folder.command().args(args.split(' ')), "");
        for call in ["write", "read"] {
            let with = With::Error(EAGAIN);
            let fault = Fault { call: call.into(), at: "odd".into(), with };
            let mut command = folder.command();
            command.args(args.split(' ')).env("FAULTS_NAME", "pipe:");
            let Some(command) = shim::inject(&mut command, &fault) else { return };
            let run = run(command, "");
            assert_eq!((run.status, &run.stdout), (*status, &expected.stdout), "{args}: {run:?}");
        }
    }
}
