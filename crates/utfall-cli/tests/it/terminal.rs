//! A terminal that text is typed in, or that shows how far a command is.

#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Folder, Run};
use crate::pty;
use rustix::termios::{LocalModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize};

/// The note about a terminal as standard input.
const NOTE: &str = "note: reading standard input from the terminal; end with Ctrl-D\n";

/// How long a command may take with a line of text.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a command in whose terminal a line is typed, and then Ctrl-D.
fn typed(folder: &Folder, args: &str) -> Option<Run> {
    let (mut master, slave) = pty::open(None)?;
    let mut modes = tcgetattr(&slave).unwrap();
    modes.local_modes.insert(LocalModes::ICANON);
    tcsetattr(&slave, OptionalActions::Now, &modes).unwrap();
    master.write_all(b"a line of text\n\x04").unwrap();
    let mut command = folder.command();
    command.args(args.split_whitespace()).stdin(slave);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // One that wants a second Ctrl-D would wait for ever.
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    Some(Run {
        status: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    })
}

#[test]
fn reading_from_a_terminal_is_said_once() {
    let folder = Folder::new();
    for args in [
        "convert -f UTF-8 -t UTF-16",
        "convert -f UTF-8 -t UTF-16 --newline crlf",
        "check",
        "cost",
        "detect",
        "explain",
        "repair",
        "repair --dry-run",
        "mail",
        "imap-name",
        "iconv -f UTF-8 -t UTF-16",
    ] {
        let Some(run) = typed(&folder, args) else { return };
        assert_eq!(run.stderr.matches(NOTE).count(), 1, "{args}: {run:?}");
        assert!(!run.stdout.is_empty(), "{args}: {run:?}");
        // A dash asks for it. To imap-name it is a name.
        let Some(run) = typed(&folder, &format!("{args} -")) else { return };
        assert!(!run.stderr.contains("terminal"), "{args} -: {run:?}");
        // A pipe is none.
        let run = folder.utfall(args, "a line of text\n");
        assert!(!run.stderr.contains("terminal"), "{args}: {run:?}");
    }
    for args in ["convert -q -f UTF-8 -t UTF-16", "repair -q", "mail -q"] {
        let Some(run) = typed(&folder, args) else { return };
        assert!(!run.stderr.contains("terminal"), "{args}: {run:?}");
    }
    // Nothing is read if the arguments are wrong, or are the text.
    for args in
        ["convert -f klingon -t UTF-8", "explain -e text", "repair -e text", "detect missing"]
    {
        let Some(run) = typed(&folder, args) else { return };
        assert!(!run.stderr.contains("terminal"), "{args}: {run:?}");
    }
}

/// Runs a command whose standard error is a terminal of 80 columns, and its standard output too or
/// nothing. Returns the status and what the terminal got.
fn shown(command: &mut Command, stdout_too: bool) -> Option<(i32, String)> {
    let (master, slave) = pty::open(None)?;
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&slave, size).unwrap();
    let stdout = if stdout_too { slave.try_clone().unwrap().into() } else { Stdio::null() };
    command.env("TERM", "xterm").stdin(Stdio::null()).stdout(stdout).stderr(slave);
    let mut child = command.spawn().unwrap();
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let reader = thread::spawn(move || read(master));
    let status = child.wait().unwrap().code().unwrap_or(-1);
    Some((status, reader.join().unwrap()))
}

fn read(mut master: File) -> String {
    let mut bytes = Vec::new();
    // Linux ends it with EIO.
    _ = master.read_to_end(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

/// Whether a bar was shown, and has gone at the end.
fn has_bar(shown: &str) -> bool {
    let is_there = shown.contains("/65.00 MiB") && shown.contains("MiB/s");
    let (_, rest) = shown.rsplit_once("\x1B[2K").unwrap_or_default();
    assert!(!is_there || !rest.contains("MiB"), "the bar stays: {shown:?}");
    is_there
}

#[test]
fn a_large_file_has_a_bar_that_goes_away() {
    let folder = Folder::new();
    let line = "na\u{ef}ve: a line of 32 bytes, or so\n";
    let mut text = line.repeat((65 << 20) / line.len() + 1).into_bytes();
    text.truncate(65 << 20);
    let end = text.len();
    text[end - 1] = b'\n';
    std::fs::write(folder.path("large"), &text).unwrap();
    std::fs::write(folder.path("small"), line).unwrap();
    text[40 << 20] = 0xFF;
    std::fs::write(folder.path("broken"), &text).unwrap();
    let show = |args: &str, stdout_too: bool| {
        shown(folder.command().args(args.split_whitespace()), stdout_too)
    };
    for args in [
        "convert -f UTF-8 -t UTF-16LE -o out large",
        "convert -f UTF-8 -t UTF-16LE -j 1 -o out large",
        "convert -f UTF-8 -t UTF-16LE --newline crlf -j 1 -o out large",
        "check large",
        "check -f UTF-8 -j 1 large",
    ] {
        let Some((status, text)) = show(args, false) else { return };
        assert_eq!(status, 0, "{args}: {text}");
        assert!(has_bar(&text), "{args}: {text:?}");
        for quiet in ["-q", "--progress none"] {
            if quiet == "--progress none" && args.starts_with("check") {
                continue;
            }
            let Some((_, text)) = show(&format!("{args} {quiet}"), false) else { return };
            assert_eq!(text, "", "{args} {quiet}");
        }
        let run = folder.utfall(args, "");
        assert_eq!((run.status, &*run.stderr), (0, ""), "{args}");
        let Some((_, text)) = show(&args.replace("large", "small"), false) else { return };
        assert_eq!(text, "", "{args} of a small file");
    }
    // What is reported is not written into the bar.
    let Some((status, text)) = show("check broken", true) else { return };
    assert!(status == 1 && has_bar(&text), "{text:?}");
    assert!(text.contains("\x1B[2Kbroken:") || text.contains("\rbroken:"), "{text:?}");
    let Some((status, text)) = show("convert -f UTF-8 -t UTF-16LE -o out broken", true) else {
        return;
    };
    let (_, last) = text.rsplit_once("\x1B[2K").unwrap();
    assert!(status == 1 && last.contains(": broken: line"), "{text:?}");
    // A text on a terminal has no bar in it.
    let Some((_, text)) = show("convert -f UTF-8 -t UTF-8 --progress auto large", true) else {
        return;
    };
    assert!(!text.contains("MiB/s"));
    folder.utfall("convert -f UTF-8 -t UTF-16 --progress json large", "").fails(2, &["--in-place"]);
}

/// The second file is a pipe whose writer takes two seconds.
#[test]
fn a_check_of_several_files_shows_what_it_has_read() {
    let folder = Folder::with([("broken", b"caf\xE9\n")]);
    let pipe = folder.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: no mkfifo");
        return;
    }
    for (args, has_bytes) in [("check broken pipe broken", true), ("check -q broken pipe", false)] {
        let pipe = pipe.clone();
        let writer = thread::spawn(move || {
            let mut pipe = File::options().write(true).open(pipe).unwrap();
            for _ in 0..2 {
                thread::sleep(Duration::from_secs(1));
                pipe.write_all(&[b'a'; 65_536]).unwrap();
            }
        });
        let shown = shown(folder.command().args(args.split_whitespace()), true);
        writer.join().unwrap();
        let Some((status, text)) = shown else { return };
        assert_eq!(status, 1, "{text:?}");
        assert_eq!(text.contains("KiB/s"), has_bytes, "{text:?}");
        // It is gone when the summary is written.
        let (_, last) = text.rsplit_once("\x1B[2K").unwrap_or(("", &text));
        assert!(!last.contains("KiB"), "{text:?}");
    }
}
