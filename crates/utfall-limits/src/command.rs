//! Surfaces of the command: the program itself, run on growing files and directories.
//!
//! Callgrind counts the whole process. Every count includes the start of the program, which
//! cancels out in the differences. Memory is measured by the system.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use crate::measured::{Measured, Sample, instructions};
use crate::surface::{COMMAND, Memory, noise, numbered, repeated};

/// Makes files of a size in a directory, and returns how many bytes the program reads.
type Prepare = fn(&Path, usize) -> io::Result<u64>;

/// A run of the program in a directory.
struct Run {
    /// The arguments of the program; the file `in` is its standard input.
    args: &'static str,
    /// A description of the directory's contents.
    input: &'static str,
    prepare: Prepare,
    /// The factor for the smallest size.
    unit: usize,
    memory: Memory,
    /// Whether CI skips it.
    is_slow: bool,
}

/// On top of the memory that the program needs to list the encodings: buffers, blocks, tables.
const STREAM: Memory = Memory::Constant(COMMAND);

fn file(folder: &Path, bytes: &[u8]) -> io::Result<u64> {
    fs::write(folder.join("in"), bytes)?;
    Ok(bytes.len() as u64)
}

fn noise_file(folder: &Path, size: usize) -> io::Result<u64> {
    file(folder, &noise(size))
}

fn line(folder: &Path, size: usize) -> io::Result<u64> {
    file(folder, &repeated("é\" ")(size))
}

fn marks(folder: &Path, size: usize) -> io::Result<u64> {
    // A letter now and then: a sequence of more than 128 KiB is rejected.
    let text = format!("a{}", "\u{301}\u{316}".repeat(500));
    file(folder, &repeated(text)(size))
}

fn wrong(folder: &Path, size: usize) -> io::Result<u64> {
    file(folder, &repeated("lâ€™Ã©tÃ© d\u{fffd}\n")(size))
}

fn runs(folder: &Path, size: usize) -> io::Result<u64> {
    file(folder, &repeated("+AGE-\n")(size))
}

fn mbox(folder: &Path, size: usize) -> io::Result<u64> {
    let message = "From a Sat Nov 21 2026\nSubject: =?UTF-8?Q?=61=C3=A9?=\nTo: =?UTF-8?Q?a=40b?=\n\
         Content-Type: text/plain; charset=UTF-7\n\n+AGE- \u{e9}\n\n";
    file(folder, &repeated(message)(size))
}

fn fields(folder: &Path, size: usize) -> io::Result<u64> {
    let field = |number| format!("Subject: =?UTF-8?Q?a{number}=61?= =?UTF-7?Q?+AGE-?=\n");
    file(folder, &[&numbered(field)(size), &b"\n"[..]].concat())
}

fn parts(folder: &Path, size: usize) -> io::Result<u64> {
    let head = b"Content-Type: multipart/mixed; boundary=b\n\n";
    file(
        folder,
        &[head, &repeated("--b\nContent-Type: text/html\n\n+AGE- \u{e9}\n")(size)[..]].concat(),
    )
}

/// A field of addresses, each of which would become an encoded word.
fn long_field(folder: &Path, size: usize) -> io::Result<u64> {
    file(folder, &[&b"From: "[..], &repeated(*b"\xE9,")(size), b"\n\nx\n"].concat())
}

/// A text that is three times as long in UTF-8, which is then Base64-encoded.
fn body(folder: &Path, size: usize) -> io::Result<u64> {
    let head = b"Content-Type: text/plain; charset=windows-1252\n\n";
    file(folder, &[&head[..], &repeated(*b"\x80")(size)].concat())
}

fn letters(folder: &Path, size: usize) -> io::Result<u64> {
    file(folder, &repeated("a\nb\n")(size))
}

fn zeros(folder: &Path, size: usize) -> io::Result<u64> {
    file(folder, &vec![0; size])
}

fn names(folder: &Path, size: usize) -> io::Result<u64> {
    file(folder, &numbered(|number| format!("a&AGE{number}-&AA/\n"))(size))
}

fn labels(folder: &Path, size: usize) -> io::Result<u64> {
    file(folder, &repeated("㌀Ǆ\u{FDFA}½é")(size))
}

/// Files of one line, in directories of a hundred.
fn tree(folder: &Path, size: usize) -> io::Result<u64> {
    tree_of("caf\u{e9}".as_bytes(), folder, size)
}

/// The same in ISO-8859-1.
fn old_tree(folder: &Path, size: usize) -> io::Result<u64> {
    tree_of(b"caf\xE9", folder, size)
}

fn tree_of(text: &[u8], folder: &Path, size: usize) -> io::Result<u64> {
    for number in 0..size {
        let parent = folder.join(format!("tree/{}", number / 100));
        fs::create_dir_all(&parent)?;
        let line = [text, format!(" {number}\n").as_bytes()].concat();
        fs::write(parent.join(number.to_string()), line)?;
    }
    Ok(size as u64)
}

/// Nested directories, each with a file; as deep as paths can be.
fn deep(folder: &Path, size: usize) -> io::Result<u64> {
    let mut parent = folder.join("tree");
    for _ in 0..size {
        parent.push("d");
        fs::create_dir_all(&parent)?;
        fs::write(parent.join("f"), "caf\u{e9}\n")?;
    }
    Ok(size as u64)
}

fn ignored(folder: &Path, size: usize) -> io::Result<u64> {
    tree(folder, 10)?;
    let patterns = numbered(|number| format!("**/a{number}*/?/[b-d]*\n"))(size);
    fs::write(folder.join("tree/.ignore"), &patterns)?;
    Ok(patterns.len() as u64)
}

fn manifest(folder: &Path, size: usize) -> io::Result<u64> {
    tree(folder, 10)?;
    let line = |number| format!("tree/x/{number}\tISO-8859-1\n");
    let lines: String = (0..size).map(line).collect();
    fs::write(folder.join("manifest"), lines)?;
    Ok(size as u64)
}

/// A run that can be undone, with this many files.
fn journal(folder: &Path, size: usize) -> io::Result<u64> {
    old_tree(folder, size)?;
    Ok(size as u64)
}

fn all() -> Vec<Run> {
    let run = |args, input, prepare, unit| Run {
        args,
        input,
        prepare,
        unit,
        memory: STREAM,
        is_slow: false,
    };
    let slow = |run| Run { is_slow: true, ..run };
    let per_byte = |most, run| Run { memory: Memory::OfCommand(most), ..run };
    vec![
        slow(run(
            "convert -f UTF-8 -t UTF-16 --on-error replace -",
            "noise",
            noise_file as Prepare,
            64 << 10,
        )),
        slow(run("convert -f UTF-8 -t UTF-7 --newline crlf -", "one line", line, 64 << 10)),
        slow(run("convert -f UTF-8 -t UTF-8 --nfc -", "combining marks", marks, 64 << 10)),
        slow(run("convert -f UTF-7 -t UTF-8 --on-error escape -", "noise", noise_file, 64 << 10)),
        run("check --all -", "noise", noise_file, 8 << 10),
        run("check --all --format json -", "noise", noise_file, 8 << 10),
        run("check --all --format sarif -", "noise", noise_file, 8 << 10),
        slow(run("check --all --format github -", "noise", noise_file, 8 << 10)),
        slow(run("check --all -", "one line", line, 64 << 10)),
        slow(run("check -f UTF-7 --concealed --format sarif -", "runs of ASCII", runs, 8 << 10)),
        run("check --concealed --mail --format json -", "fields", fields, 8 << 10),
        slow(run("check --concealed --mail -", "an mbox", mbox, 8 << 10)),
        slow(run("check --concealed --mail -", "parts", parts, 8 << 10)),
        run("explain --format json in", "noise", noise_file, 2 << 10),
        run("explain in", "noise", noise_file, 2 << 10),
        slow(run("explain --only problems in", "one line", line, 64 << 10)),
        slow(run("explain --mail in", "fields", fields, 2 << 10)),
        slow(run("explain --mail --format json in", "an mbox", mbox, 2 << 10)),
        slow(run("detect -", "noise", noise_file, 16 << 10)),
        slow(run("detect --format json -", "encoded words", fields, 32 << 10)),
        run("repair --dry-run in", "wrong decodings", wrong, 4 << 10),
        slow(run("repair --diff in", "wrong decodings", wrong, 4 << 10)),
        slow(run("repair --dry-run --format json in", "wrong decodings", wrong, 4 << 10)),
        slow(run("cost in", "one line", line, 2 << 10)),
        run("mail --to UTF-8 -", "an mbox", mbox, 8 << 10),
        slow(run("mail --extract -", "an mbox", mbox, 8 << 10)),
        // The whole message and its conversion are in memory: see SECURITY.md.
        slow(per_byte(9, run("mail --to UTF-7 -", "parts", parts, 8 << 10))),
        slow(per_byte(9, run("mail --to UTF-7 -", "fields", fields, 8 << 10))),
        per_byte(9, run("mail --to UTF-8 -", "a field that is too long", long_field, 512 << 10)),
        slow(per_byte(9, run("mail --to UTF-8 -", "a body", body, 128 << 10))),
        slow(per_byte(9, run("mail --extract -", "a body", body, 128 << 10))),
        slow(per_byte(
            9,
            run("mail --extract -", "a field that is too long", long_field, 512 << 10),
        )),
        slow(per_byte(
            9,
            run("check --concealed --mail -", "a field that is too long", long_field, 512 << 10),
        )),
        slow(per_byte(
            9,
            run("explain --mail in", "a field that is too long", long_field, 512 << 10),
        )),
        // Names are saved to be compared with all others.
        slow(per_byte(24, run("imap-name --check --format json", "names", names, 4 << 10))),
        slow(per_byte(24, run("imap-name --check", "names of one letter", letters, 32 << 10))),
        slow(per_byte(24, run("imap-name", "noise", noise_file, 4 << 10))),
        slow(per_byte(24, run("imap-name", "a name that is too long", zeros, 128 << 10))),
        slow(run("iconv -c -t ASCII//TRANSLIT -", "ligatures", labels, 16 << 10)),
        // For each file: its path, many times.
        run("convert -f ISO-8859-1 -t UTF-8 --in-place tree", "files", old_tree, 50),
        slow(run("convert -f ISO-8859-1 -t UTF-8 --output-dir out tree", "files", old_tree, 50)),
        slow(run(
            "convert -t UTF-16 --in-place --dry-run --manifest manifest tree",
            "a manifest",
            manifest,
            200,
        )),
        slow(run("check tree", "files", tree, 50)),
        slow(run("check tree", "nested folders", deep, 25)),
        slow(per_byte(4096, run("check tree", "patterns of files to leave out", ignored, 8 << 10))),
        slow(run("undo", "a run", journal, 50)),
    ]
}

/// The costs of the program at sizes of this many units; with `short`, of some runs only.
pub(crate) fn measure(
    program: &Path,
    sizes: &[usize],
    filter: &str,
    short: bool,
    folder: &Path,
) -> Result<Vec<Measured>, String> {
    let title = |run: &Run| format!("utfall {}: {}", run.args, run.input);
    let wanted: Vec<_> = all()
        .into_iter()
        .filter(|run| title(run).contains(filter) && !(short && run.is_slow))
        .collect();
    let start = peak_of(program, "list", folder).map_err(|error| error.to_string())?;
    let measure_one = |(number, run): (usize, &Run)| {
        let measured = sizes.iter().map(|size| {
            let folder = folder.join(format!("run-{number}-{size}"));
            fs::create_dir(&folder).map_err(|error| error.to_string())?;
            let sample = run.sample(program, start, run.unit * size, &folder);
            sample.map_err(|error| format!("{}: {error}", title(run)))
        });
        let samples = measured.collect::<Result<Vec<_>, String>>()?;
        let name = format!("utfall {}", run.args);
        Ok(Measured { name, input: run.input.to_owned(), memory: run.memory, samples })
    };
    // Two at a time: most of the time is valgrind's start.
    let half = wanted.len().div_ceil(2).max(1);
    thread::scope(|scope| {
        let threads: Vec<_> = wanted
            .chunks(half)
            .enumerate()
            .map(|(part, runs)| {
                let numbered =
                    runs.iter().enumerate().map(move |(at, run)| (part * half + at, run));
                scope.spawn(move || numbered.map(measure_one).collect::<Result<Vec<_>, String>>())
            })
            .collect();
        let mut all = Vec::new();
        for thread in threads {
            all.extend(thread.join().map_err(|_| "a thread panicked")??);
        }
        Ok(all)
    })
}

impl Run {
    fn sample(&self, program: &Path, start: u64, size: usize, folder: &Path) -> io::Result<Sample> {
        let once = |name: &str| {
            let folder = folder.join(name);
            fs::create_dir(&folder)?;
            let length = (self.prepare)(&folder, size)?;
            if self.args == "undo" {
                let args = "convert -f ISO-8859-1 -t UTF-8 --in-place tree";
                run(command(program, args, &folder))?;
            }
            Ok::<_, io::Error>((folder, length))
        };
        let (plain, length) = once("plain")?;
        let peak = peak_of(program, self.args, &plain)?.saturating_sub(start);
        let (counted, _) = once("counted")?;
        let counts = folder.join("counts");
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--dump-line=no", "-q"]);
        valgrind.arg(format!("--callgrind-out-file={}", counts.display()));
        valgrind.arg(program).args(words(self.args));
        run(inside(valgrind, &counted))?;
        let instructions = instructions(&fs::read(&counts)?, "Program termination");
        let [instructions] = instructions[..] else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        Ok(Sample { length, instructions, peak })
    }
}

/// The peak memory of the program, in bytes.
fn peak_of(program: &Path, args: &str, folder: &Path) -> io::Result<u64> {
    let mut peak = Command::new(std::env::current_exe()?);
    peak.arg("peak").arg(program).args(words(args));
    let output = inside(peak, folder).stderr(Stdio::piped()).output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    let told = told.lines().rev().find_map(|line| line.strip_prefix("peak "));
    told.and_then(|bytes| bytes.parse().ok()).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Runs a program and reports its peak memory as the last line on standard error.
#[cfg(unix)]
pub(crate) fn peak(program: &str, args: &[&str]) -> Result<(), String> {
    use nix::sys::resource::{UsageWho, getrusage};
    Command::new(program).args(args).status().map_err(|error| error.to_string())?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    // Kibibytes on Linux, where valgrind runs.
    eprintln!("\npeak {}", usage.max_rss() as u64 * 1024);
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn peak(_: &str, _: &[&str]) -> Result<(), String> {
    Err("memory can only be measured on Unix".to_owned())
}

fn words(args: &str) -> impl Iterator<Item = OsString> + '_ {
    args.split(' ').map(OsString::from)
}

fn command(program: &Path, args: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(words(args));
    inside(command, folder)
}

/// Runs in a directory, with the file `in` there as its input; its output is discarded.
fn inside(mut command: Command, folder: &Path) -> Command {
    command.current_dir(folder).env("UTFALL_ISA", "scalar").env("UTFALL_THREADS", "1");
    command
        .env("UTFALL_STATE_DIR", folder.join("state"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    match File::open(folder.join("in")) {
        Ok(file) => command.stdin(file),
        Err(_) => command.stdin(Stdio::null()),
    };
    command
}

/// Exit statuses report findings; only a program that is killed has none.
fn run(mut command: Command) -> io::Result<()> {
    let status = command.status()?;
    match status.code() {
        Some(0 | 1 | 3) => Ok(()),
        _ => Err(io::Error::other(format!("{:?}: {status}", command.get_program()))),
    }
}
