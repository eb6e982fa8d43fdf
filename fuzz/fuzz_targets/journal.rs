//! Journals for `undo` that are damaged, or have any contents: no original is lost, and nothing is
//! written except originals that replace files made by the run, the target of `--to`, and the
//! state directory.
#![no_main]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use twox_hash::XxHash3_128;
use utfall_fuzz::cut::one_of;
use utfall_fuzz::world::{self, World};

#[derive(Arbitrary, Debug)]
struct Input<'s> {
    /// Replaces the run's journal.
    journal: Option<&'s [u8]>,
    edits: Vec<Edit<'s>>,
    /// The fate of the original with this number.
    originals: [Fate; 3],
    /// The commands to run, one after the other.
    commands: [u8; 3],
}

#[derive(Arbitrary, Debug)]
enum Edit<'s> {
    Cut(u16),
    Set {
        at: u16,
        byte: u8,
    },
    Insert {
        at: u16,
        bytes: &'s [u8],
    },
    Remove {
        at: u16,
        length: u8,
    },
    /// Moves a line to the end.
    Move(u8),
    /// A line with the right check, about a file that no run has written.
    Line {
        number: u8,
        path: u8,
        made: u8,
    },
    /// Any text with the right check.
    Checked(&'s [u8]),
    /// A first line.
    About {
        version: u8,
    },
}

#[derive(Arbitrary, Debug, PartialEq, Eq)]
enum Fate {
    Stays,
    Gone,
    /// It has another name.
    Renamed(u8),
}

const FILES: [&str; 3] = ["a.txt", "b.txt", "d/c.eml"];
const OLD: [&[u8]; 3] = [b"\xFF\xFEx\0", b"\xFE\xFF\0x", b"\xFF\xFEy\0y\0"];
const NEW: [&[u8]; 3] = [b"x", b"x", b"yy"];
const COMMANDS: [&[&str]; 7] = [
    &["undo"],
    &["undo", "1"],
    &["undo", "--recover"],
    &["undo", "--recover", "1", "--to", "out"],
    &["undo", "--list", "--format", "json"],
    &["undo", "--dry-run", "1", "--format=json"],
    &["undo", "--forget", "--all"],
];
const NUMBERS: [&str; 6] = ["+1", "01", "0", "18446744073709551615", "lock", "x"];

/// The journal of a run that has converted the files. The directory is the same each time.
fn journal(world: &World) -> &'static [u8] {
    static JOURNAL: OnceLock<Vec<u8>> = OnceLock::new();
    JOURNAL.get_or_init(|| {
        let mut args = vec!["utfall", "convert", "-t", "UTF-8", "--in-place", "--threads", "1"];
        args.extend(FILES);
        let args: Vec<_> = args.into_iter().map(OsString::from).collect();
        assert_eq!(world.run(&args).status, 0);
        for (name, new) in FILES.iter().zip(NEW) {
            assert_eq!(fs::read(world.path(name)).expect("a file"), new);
        }
        fs::read(world.state().join("undo/1/journal.jsonl")).expect("a journal")
    })
}

fn checked(text: &[u8]) -> Vec<u8> {
    let text = text.strip_suffix(b"}").unwrap_or(text);
    let check = XxHash3_128::oneshot_with_seed(1, text);
    [text, format!(",\"check\":\"{check:032x}\"}}\n").as_bytes()].concat()
}

impl Edit<'_> {
    fn apply(&self, journal: &mut Vec<u8>, world: &World) {
        let within = |at: &u16| usize::from(*at) % (journal.len() + 1);
        match self {
            Self::Cut(length) => journal.truncate(within(length)),
            Self::Set { at, byte } => {
                let at = within(at);
                if let Some(there) = journal.get_mut(at) {
                    *there = *byte;
                }
            }
            Self::Insert { at, bytes } => {
                let at = within(at);
                _ = journal.splice(at..at, bytes.iter().copied());
            }
            Self::Remove { at, length } => {
                let at = within(at);
                let end = (at + usize::from(*length)).min(journal.len());
                _ = journal.drain(at..end);
            }
            Self::Move(index) => {
                let lines: Vec<_> = journal.split_inclusive(|byte| *byte == b'\n').collect();
                let index = usize::from(*index) % lines.len().max(1);
                let (before, rest) = lines.split_at(index.min(lines.len()));
                let line = rest.first().copied().unwrap_or_default();
                let after = rest.get(1..).unwrap_or_default().concat();
                *journal = [before.concat(), after, line.to_vec()].concat();
            }
            Self::Line { number, path, made } => {
                let inside = world.state().join("undo/1/2");
                let path = match path % 8 {
                    0 => inside,
                    1 => world.path("report.json"),
                    2 => world.path("d/../a.txt"),
                    3 => "a.txt".into(),
                    path => world.path(FILES[usize::from(path) % 3]),
                };
                let made: &[u8] = one_of(&[NEW[0], NEW[2], b"", b"mine"], *made);
                let hash = XxHash3_128::oneshot(made);
                let line = serde_json::json!({
                    "type": "file", "number": number % 5, "path": path, "length": made.len(),
                    "digest": format!("{hash:032x}"), "from": "UTF-16LE",
                });
                journal.extend(checked(line.to_string().as_bytes()));
            }
            Self::Checked(text) => journal.extend(checked(text)),
            Self::About { version } => {
                let line = format!(
                    "{{\"type\":\"run\",\"version\":{version},\"time\":1,\"folder\":\"/\",\"to\":\"UTF-8\"}}"
                );
                let line = checked(line.as_bytes());
                let end = journal.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
                _ = journal.splice(..end, line);
            }
        }
    }
}

/// All texts below a directory.
fn texts(folder: &Path, found: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type().expect("a kind") {
            kind if kind.is_dir() => texts(&entry.path(), found),
            kind if kind.is_file() => found.push(fs::read(entry.path()).expect("a file")),
            _ => {}
        }
    }
}

fuzz_target!(init: world::begin(), |input: Input<'_>| {
    let world = World::new(&[OLD[0], OLD[1], OLD[2], b"mine"], b"");
    let mut journal = match input.journal {
        Some(journal) => journal.to_vec(),
        None => journal(&world).to_vec(),
    };
    let is_crafted = input.journal.is_some() || !input.edits.is_empty();
    for edit in &input.edits {
        edit.apply(&mut journal, &world);
    }
    let run = world.state().join("undo/1");
    _ = fs::remove_dir_all(world.state());
    fs::create_dir_all(&run).expect("a folder");
    fs::write(run.join("journal.jsonl"), &journal).expect("a file");
    for (index, (name, new)) in FILES.iter().zip(NEW).enumerate() {
        fs::write(world.path(name), new).expect("a file");
        let number = match input.originals[index] {
            Fate::Stays => (index + 1).to_string(),
            Fate::Gone => continue,
            Fate::Renamed(number) => one_of(&NUMBERS, number).to_owned(),
        };
        fs::write(run.join(number), OLD[index]).expect("a file");
    }
    let all_stay = input.originals.iter().all(|fate| *fate == Fate::Stays);
    let mut before = Vec::new();
    texts(&run, &mut before);
    let look = |world: &World| -> BTreeMap<_, _> {
        let files = world.look().into_iter();
        files.filter(|(name, _)| !FILES.iter().any(|file| name == file)).collect()
    };
    let around = look(&world);
    for command in input.commands {
        let command = one_of(&COMMANDS, command);
        let args: Vec<_> =
            ["utfall"].iter().chain(command.iter()).map(OsString::from).collect();
        let ran = world.run(&args);
        let said = || format!("{args:?}: {}", ran.stdout.escape_ascii());
        assert!(ran.status <= 4, "status {}, {}", ran.status, said());
        // Only originals, and output of the run.
        for name in FILES {
            let there = fs::read(world.path(name)).expect("a file");
            assert!(OLD.contains(&&*there) || NEW.contains(&&*there), "{name}, {}", said());
        }
        let is_copy = |name: &OsString| Path::new(name).starts_with("out");
        let now: BTreeMap<_, _> =
            look(&world).into_iter().filter(|(name, _)| !is_copy(name)).collect();
        assert_eq!(now, around, "{}", said());
        let mut after = Vec::new();
        texts(&world.state(), &mut after);
        texts(&world.path("."), &mut after);
        for old in OLD.iter().filter(|old| before.iter().any(|text| text == *old)) {
            // A run that looks complete can be forgotten.
            let is_gone = command.contains(&"--forget") && !run.join("journal.jsonl").exists();
            let is_there = after.iter().any(|text| text == old);
            assert!(is_there || is_gone, "{} is lost: {}", old.escape_ascii(), said());
        }
        if command.contains(&"--forget") {
            return;
        }
        if command.contains(&"--to") && all_stay && ran.status == 0 {
            let mut safe = Vec::new();
            texts(&world.path("."), &mut safe);
            let is_safe = |old: &&[u8]| safe.iter().any(|text| text == old);
            assert!(OLD.iter().all(is_safe), "{}", said());
        }
        if !is_crafted && all_stay && command[..] == ["undo"] {
            let is_old = |(name, old): (&&str, &[u8])| fs::read(world.path(name)).is_ok_and(|o| o == old);
            assert!(FILES.iter().zip(OLD).all(is_old), "{}", said());
        }
    }
});
