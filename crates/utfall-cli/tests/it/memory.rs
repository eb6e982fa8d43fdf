//! Memory does not grow with the input.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;

use crate::common::{self, Folder, program};
use utfall_oracle::step;

/// The size of the text: twice the bound, or more.
#[track_caller]
fn input() -> usize {
    (64 << 20) / step(2).min(2)
}

/// The promised bound is 32 MiB.
const MOST: usize = 16 << 20;

/// The peak memory of a process so far, in bytes.
fn peak(pid: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}

/// Sends so much text through the program, and returns its peak, asked before it ends, and
/// how much it wrote.
fn run(args: &str, text: &[u8]) -> (usize, usize) {
    run_with(args, text, input())
}

fn run_with(args: &str, text: &[u8], input: usize) -> (usize, usize) {
    let mut child = program()
        .args(args.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let reader = thread::spawn(move || {
        let (mut total, mut buffer) = (0, vec![0; 1 << 16]);
        loop {
            match stdout.read(&mut buffer).unwrap() {
                0 => return total,
                count => total += count,
            }
        }
    });
    let piece = text.repeat((1 << 20) / text.len());
    for _ in 0..input >> 20 {
        stdin.write_all(&piece).unwrap();
    }
    let peak = peak(child.id());
    drop(stdin);
    child.wait().unwrap();
    (peak, reader.join().unwrap())
}

#[test]
fn memory_is_bounded() {
    let text = "Fu\u{df} und \u{4E2D}\u{6587} \u{1F600}, without any line end. ";
    let lines = "line \u{263A}\n";
    let errors = [&b"all is well but for the last\n".repeat(40)[..], b"\xFF"].concat();
    let overlong = [&errors[..errors.len() - 1], b"\xC0\xAF"].concat();
    let input = input();
    for (args, text, least) in [
        ("convert -f UTF-8 -t UTF-16LE", text.as_bytes(), input),
        ("convert -f UTF-8 -t UTF-7", lines.as_bytes(), input / 2),
        // One problem for each byte, each of them reported.
        ("convert -q -f UTF-8 -t UTF-8 --on-error replace", b"\xFF", input),
        (
            "convert -f UTF-8 -t UTF-8 --nfc",
            "no end e\u{301} \u{1100}\u{1161}".as_bytes(),
            input / 2,
        ),
        ("convert -q -f UTF-8 -t UTF-8 --nfd --newline crlf --on-error replace", b"\xFF\r", input),
        ("check", lines.as_bytes(), 1),
        ("check --all", &errors, 1 << 20),
        ("check --concealed --all", &overlong, 1 << 20),
        // A run without an end.
        ("check --concealed -f UTF-7", b"+", 1),
        ("explain --only problems", lines.as_bytes(), 1),
        ("explain --only problems", &overlong, 1 << 20),
    ] {
        let (peak, written) = run(args, text);
        println!("{args}: peak {} KiB, {} MiB written", peak >> 10, written >> 20);
        assert!(peak < MOST, "{args}: {} KiB", peak >> 10);
        assert!(written >= least, "{args}: {written} bytes written");
    }
}

/// Costs of a text in one line, little larger than the bound, since that takes seconds. By default, the
/// text exceeds the bound together with the 11 MiB that the command needs for any text.
#[test]
fn memory_is_bounded_for_costs() {
    let input = (18 << 20) / step(3);
    let (peak, written) = run_with("cost", b"no line end, = and \\, ", input);
    assert!(peak < MOST && written > 1000, "{} KiB, {written} bytes written", peak >> 10);
}

/// Text of which every character is a line that is much longer: a run without an end, marks on
/// one letter, and one line.
#[test]
fn memory_is_bounded_for_explanations() {
    for (args, text) in [
        ("explain -f UTF-7", &b"+AAA"[..]),
        ("explain", "\u{301}".as_bytes()),
        ("explain --format json", "日".as_bytes()),
    ] {
        let (peak, written) = run_with(args, text, 1 << 20);
        println!("{args}: peak {} KiB, {} MiB written", peak >> 10, written >> 20);
        assert!(peak < MOST && written > 2 * MOST, "{args}: {} KiB, {written}", peak >> 10);
    }
}

/// A broken text in one line, little larger than the bound, too.
#[test]
fn memory_is_bounded_for_repairs() {
    let text = format!("Les Ã©lÃ¨ves, ÃƒÂ©tÃƒÂ©. {}", "not one broken word ".repeat(40));
    let (peak, written) = run_with("repair -q", text.as_bytes(), 18 << 20);
    assert!(peak < MOST && written > 16 << 20, "{} KiB, {written} bytes written", peak >> 10);
}

/// An mbox of the examples of the UTF-7 RFC: memory as for one message.
#[test]
fn memory_is_bounded_for_an_mbox() {
    let mut mbox = Vec::new();
    for file in fs::read_dir(common::repository("examples/mail")).unwrap() {
        mbox.extend(b"From goldsmith@apple.com Tue Mar 11 00:00:00 1997\n");
        mbox.extend(fs::read(file.unwrap().path()).unwrap());
        mbox.extend(b"\n\n");
    }
    for args in ["mail --body 8bit", "mail --extract", "mail --to UTF-7"] {
        let (peak, written) = run(args, &mbox);
        println!("{args}: peak {} KiB, {} MiB written", peak >> 10, written >> 20);
        assert!(peak < MOST, "{args}: {} KiB", peak >> 10);
        assert!(written >= input() / 2, "{args}: {written} bytes written");
    }
}

/// The resources of a run on a file: its peak, and the size of standard output and standard error.
struct Taken {
    peak: usize,
    stdout: usize,
    stderr: usize,
}

/// Runs the program on a file. The peak is asked for while it waits for a reader of what it writes, so
/// it must write more than a pipe holds once it has done its work.
fn run_on(args: &str, folder: &Folder, input: &[u8]) -> Taken {
    fs::write(folder.path("in"), input).unwrap();
    let mut child = program()
        .args(args.split(' '))
        .stdin(File::open(folder.path("in")).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id();
    let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let errors = thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()).unwrap());
    let (mut total, mut highest, mut buffer) = (0, 0, vec![0; 1 << 16]);
    loop {
        match stdout.read(&mut buffer).unwrap() {
            0 => break,
            count => total += count,
        }
        if total < 1 << 19 {
            highest = peak(id);
        }
    }
    child.wait().unwrap();
    Taken { peak: highest, stdout: total, stderr: errors.join().unwrap() as usize }
}

/// What `SECURITY.md` promises of a message, whatever is in it. A field of addresses took 66 bytes of
/// memory for each of its own and wrote eleven, parameters in parts took 116.
#[test]
fn memory_is_bounded_for_hostile_messages() {
    const SIZE: usize = 4 << 20;
    let rest = "x\n".repeat(1 << 19);
    let field = |begin: &str, text: &[u8]| {
        [begin.as_bytes(), &text.repeat(SIZE / text.len()), b"\n\n", rest.as_bytes()].concat()
    };
    let part = format!("--b\nContent-Type:a/b{}\n\n\n", ";a".repeat(1000));
    let multipart = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n";
    let parts = format!("{multipart}{rest}{}", part.repeat(SIZE / part.len()));
    let text = "Content-Type: text/plain; charset=windows-1252\n\n";
    let folder = Folder::new();
    let (mut runs, every) = (0, step(4));
    for (what, message, growth) in [
        ("addresses", field("From: ", b"\xE9,"), 1),
        ("comments", field("From: ", b"(\xE9"), 1),
        ("words", field("Subject: ", b"\xE9 a "), 1),
        ("encoded words", field("Subject: ", b"=?utf-7?q?+AOk-?= x "), 1),
        ("a parameter", field("Content-Type: text/plain; name=\"", b"\xE9"), 1),
        ("a field of controls", field("Subject: ", b"\x01"), 1),
        ("fields", field("S: x\n", b"S:\xE9\n"), 2),
        ("parameters in parts", parts.into_bytes(), 1),
        ("a body", field(text, b"\x80").repeat(4), 6),
        ("a body in lines", field(text, b"\x80\r\n").repeat(4), 6),
    ] {
        for args in ["mail --to UTF-8", "mail --to UTF-7", "mail --extract"] {
            runs += 1;
            if runs % every != 0 {
                continue;
            }
            let Taken { peak, stdout, stderr } = run_on(args, &folder, &message);
            println!("{args}: {what}: {} MiB, {} MiB written", peak >> 20, stdout >> 20);
            assert!(peak <= 9 * message.len() + (32 << 20), "{args}: {what}: {} MiB", peak >> 20);
            let most = growth * message.len() + (17 << 20);
            assert!(stdout <= most, "{args}: {what}: {} MiB written", stdout >> 20);
            assert!(stderr < 1 << 10, "{args}: {what}");
        }
    }
}
