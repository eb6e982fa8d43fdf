//! `cargo xtask iconv`: compares `utfall iconv` with the system's `iconv`, if that is glibc's.
//!
//! Every pair of charsets that both have, every corpus, clean and damaged, with `-c` and without:
//! the bytes and the exit status must be equal, or the difference must belong to a class that
//! `docs/iconv.md` gives a reason for.

mod classes;
mod texts;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::steps::{self, cargo};
use classes::Class;
use texts::{DAMAGES, Damage};

const USAGE: &str = "usage: cargo xtask iconv [--every <N>] [--only <CHARSET>] [--show] [--write]

  --every <N>       make one in N of all comparisons (default: 131, about one for each pair)
  --only <CHARSET>  compare only conversions from or to this charset
  --show            show every difference, not only the number in each class
  --write           update the table in docs/iconv.md";

/// A prime: with any number of corpora and damages, every pair is covered.
const EVERY: usize = 131;

/// The result of one conversion.
#[derive(PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) output: Vec<u8>,
    pub(crate) message: String,
}

/// A comparison.
pub(crate) struct Case<'a> {
    pub(crate) from: &'a str,
    pub(crate) to: &'a str,
    pub(crate) damage: Damage,
    pub(crate) skip: bool,
    pub(crate) corpus: &'a str,
    pub(crate) input: &'a [u8],
}

struct Asked {
    every: usize,
    only: Option<String>,
    show: bool,
    write: bool,
}

pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    let asked = asked(args)?;
    let version = Command::new("iconv").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let Some(version) = version.ok().filter(|version| version.contains("GLIBC")) else {
        println!("skipped: there is no iconv, or it is not glibc's");
        return Ok(());
    };
    let version = version.lines().next().unwrap_or_default().to_owned();
    steps::run(&mut cargo(root, &["build", "--quiet", "--release", "--bin", "utfall"]))?;
    let program = program(root);

    let charsets = charsets(root)?;
    let corpora = texts::corpora(root)?;
    let cases = charsets.len() * charsets.len() * corpora.len() * DAMAGES.len() * 2;
    let tally = Mutex::new(Tally::default());
    let next = AtomicUsize::new(0);
    let cache = Mutex::new(HashMap::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed) * asked.every;
                    if number >= cases {
                        return;
                    }
                    let mut number = number;
                    let mut choose = |count: usize| {
                        let choice = number % count;
                        number /= count;
                        choice
                    };
                    let (from, to) = (choose(charsets.len()), choose(charsets.len()));
                    let (damage, skip) = (DAMAGES[choose(DAMAGES.len())], choose(2) == 1);
                    let corpus = choose(corpora.len());
                    let (from, to) = (charsets[from].as_str(), charsets[to].as_str());
                    if asked.only.as_deref().is_some_and(|only| only != from && only != to) {
                        continue;
                    }
                    let clean = texts::in_charset(&cache, &corpora[corpus], corpus, from);
                    let seed = from.len() * 31 + to.len() * 17 + corpus;
                    let input = damage.apply(&clean, from, seed);
                    let case =
                        Case { from, to, damage, skip, corpus: &corpora[corpus].0, input: &input };
                    compare(&program, &case, &tally, asked.show);
                }
            });
        }
    });
    let tally = tally.into_inner().map_err(|error| error.to_string())?;
    let page = tally.table(&version, charsets.len(), corpora.len(), asked.every);
    println!("{page}");
    if asked.write {
        let path = root.join("docs/iconv.md");
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let text = between(&text, "comparison", &page)?;
        fs::write(&path, text).map_err(|error| error.to_string())?;
    }
    match tally.classes.get(&Class::Unexplained) {
        Some(count) => Err(format!("{count} differences without a reason")),
        None => Ok(()),
    }
}

fn asked(args: &[&str]) -> Result<Asked, String> {
    let mut asked = Asked { every: EVERY, only: None, show: false, write: false };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match *arg {
            "--show" => asked.show = true,
            "--write" => asked.write = true,
            "--only" => asked.only = Some(args.next().ok_or(USAGE)?.to_string()),
            "--every" => {
                let number = args.next().and_then(|number| number.parse().ok());
                asked.every = number.filter(|number| *number > 0).ok_or(USAGE)?;
            }
            _ => return Err(USAGE.into()),
        }
    }
    Ok(asked)
}

fn program(root: &Path) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    target.join("release").join(format!("utfall{}", std::env::consts::EXE_SUFFIX))
}

/// The charsets that both have, by glibc's names.
fn charsets(root: &Path) -> Result<Vec<String>, String> {
    let names = fs::read_to_string(root.join("crates/utfall-iconv/src/names.txt"));
    let names = names.map_err(|error| error.to_string())?;
    let has = |name: &&str| {
        let run = Command::new("iconv")
            .args(["-f", name, "-t", "UTF-8"])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .status();
        run.is_ok_and(|status| status.success())
    };
    let first = names.lines().filter_map(|line| line.split(' ').next());
    Ok(first.filter(has).map(str::to_owned).collect())
}

fn compare(program: &Path, case: &Case<'_>, tally: &Mutex<Tally>, show: bool) {
    let mut args = vec!["-f", case.from, "-t", case.to];
    if case.skip {
        args.push("-c");
    }
    let theirs = convert(Command::new("iconv").args(&args), case.input);
    let ours = convert(Command::new(program).arg("iconv").args(&args), case.input);
    let class = classes::of(case, &ours, &theirs);
    if let Ok(mut tally) = tally.lock() {
        tally.compared += 1;
        tally.clean += usize::from(case.damage == Damage::None);
        if let Some(class) = class {
            *tally.classes.entry(class).or_default() += 1;
            if class == Class::Unexplained || show {
                tell(&args, case, (&ours, &theirs), class, tally.compared);
            }
        }
    }
}

/// Prints a difference, and saves its input.
fn tell(args: &[&str], case: &Case<'_>, (ours, theirs): (&Run, &Run), class: Class, number: usize) {
    let at = ours.output.iter().zip(&theirs.output).take_while(|(a, b)| a == b).count();
    let around = |bytes: &[u8]| {
        let begin = at.saturating_sub(4).min(bytes.len());
        let bytes = &bytes[begin..bytes.len().min(at + 8)];
        bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
    };
    let path = std::env::temp_dir().join(format!("utfall-iconv-{number}"));
    _ = fs::write(&path, case.input);
    println!(
        "{class:?}: iconv {} {} # {}, {:?}\n  status {:?} {:?}, lengths {} {}, from {at}:\n  ours   {}\n  theirs {}\n  {}  {}",
        args.join(" "),
        path.display(),
        case.corpus,
        case.damage,
        ours.status,
        theirs.status,
        ours.output.len(),
        theirs.output.len(),
        around(&ours.output),
        around(&theirs.output),
        ours.message.trim(),
        theirs.message.trim(),
    );
}

fn convert(command: &mut Command, input: &[u8]) -> Run {
    let command = command.env("LC_ALL", "C").stdin(Stdio::piped());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let output = child.and_then(|mut child| {
        let mut pipe = child.stdin.take();
        thread::scope(|scope| {
            scope.spawn(move || {
                if let Some(pipe) = &mut pipe {
                    // It may end before it has read everything.
                    _ = pipe.write_all(input);
                }
                drop(pipe);
            });
            child.wait_with_output()
        })
    });
    match output {
        Ok(output) => Run {
            status: output.status.code(),
            output: output.stdout,
            message: String::from_utf8_lossy(&output.stderr).into_owned(),
        },
        Err(error) => Run { status: None, output: Vec::new(), message: error.to_string() },
    }
}

#[derive(Default)]
struct Tally {
    compared: usize,
    clean: usize,
    classes: BTreeMap<Class, usize>,
}

impl Tally {
    fn table(&self, version: &str, charsets: usize, corpora: usize, every: usize) -> String {
        let different: usize = self.classes.values().sum();
        let mut page = format!(
            "{charsets} charsets that both have, {corpora} corpora, {} kinds of damage, with `-c` and \
             without: one in {every}\nof all combinations compared with `{version}`.\n\n\
             | | comparisons |\n|---|---|\n| all | {} |\n| of clean text | {} |\n\
             | equal bytes and status | {} |\n",
            DAMAGES.len() - 1,
            self.compared,
            self.clean,
            self.compared - different,
        );
        for (class, count) in &self.classes {
            page += &format!("| {} | {count} |\n", class.title());
        }
        page
    }
}

/// Replaces the text between the markers of a generated part by `new`.
fn between(text: &str, name: &str, new: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (head, rest) = text.split_once(&begin).ok_or("docs/iconv.md has no start marker")?;
    let (_, tail) = rest.split_once(&end).ok_or("docs/iconv.md has no end marker")?;
    Ok(format!("{head}{begin}\n{new}\n{end}{tail}"))
}
