//! Any bytes as the report that `repair --undo` reads. It restores the original or nothing: a
//! report that was altered in any way never gives another text. Only OUT is written, which appears
//! completely or not at all.
#![no_main]

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use utfall_fuzz::world::{self, World};

#[derive(Arbitrary, Debug)]
struct Input<'s> {
    to_out: bool,
    by_stdin: bool,
    report: Report<'s>,
    /// The text that is repaired first.
    text: &'s [u8],
}

#[derive(Arbitrary, Debug)]
enum Report<'s> {
    Any(&'s [u8]),
    /// The right report, altered.
    Altered(Vec<Alteration<'s>>),
    /// The right report, for another text.
    Other(&'s [u8]),
}

#[derive(Arbitrary, Debug)]
enum Alteration<'s> {
    Cut(u16),
    Without(u8),
    Swapped(u8, u8),
    Twice(u8),
    Put(u16, &'s [u8]),
    Byte(u16, u8),
}

impl Alteration<'_> {
    fn apply(&self, report: &mut Vec<u8>) {
        let place = |at: u16| usize::from(at) % (report.len() + 1);
        let mut lines: Vec<Vec<u8>> =
            report.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let count = lines.len().max(1);
        let number = |line: u8| usize::from(line) % count;
        match *self {
            Self::Cut(at) => return report.truncate(place(at)),
            Self::Put(at, bytes) => {
                let at = place(at);
                report.splice(at..at, bytes.iter().copied());
                return;
            }
            Self::Byte(at, byte) => {
                let at = place(at);
                return report.iter_mut().skip(at).take(1).for_each(|there| *there = byte);
            }
            _ if lines.is_empty() => return,
            Self::Without(line) => _ = lines.remove(number(line)),
            Self::Swapped(one, other) => lines.swap(number(one), number(other)),
            Self::Twice(line) => lines.push(lines[number(line)].clone()),
        }
        *report = lines.concat();
    }
}

fn args(all: &[&str]) -> Vec<OsString> {
    all.iter().map(OsString::from).collect()
}

/// A report about these bytes under the name `a.txt`, and the output.
fn made(world: &World, bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    world.write("a.txt", bytes);
    let ran = world.run(&args(&["utfall", "repair", "-q", "--report", "report.json", "a.txt"]));
    assert_eq!(ran.status, 0);
    (world.read("report.json"), ran.stdout)
}

fuzz_target!(init: world::begin(), |input: Input<'_>| {
    let world = World::new(&[b"", b"kept", b"kept", b""], b"");
    let (mut report, repaired) = made(&world, input.text);
    match &input.report {
        Report::Any(bytes) => report = bytes.to_vec(),
        Report::Other(bytes) => report = made(&world, bytes).0,
        Report::Altered(all) => all.iter().for_each(|one| one.apply(&mut report)),
    }
    world.write("a.txt", &repaired);
    world.write("report.json", &report);
    let before = world.look();
    let mut undo = args(&["utfall", "repair", "--undo"]);
    undo.push(match input.by_stdin {
        true => "-".into(),
        false => OsString::from_vec(b"report.json".to_vec()),
    });
    if input.by_stdin {
        world.set_stdin(&report);
    }
    if input.to_out {
        undo.extend(args(&["-o", "new"]));
    }
    undo.extend(args(&["a.txt"]));
    let ran = world.run(&undo);
    assert!(matches!(ran.status, 0 | 1), "status {}", ran.status);
    let mut after = world.look();
    let given = match input.to_out {
        true => after.remove(Path::new("new").as_os_str()),
        false => Some(ran.stdout).filter(|text| !text.is_empty() || ran.status == 0),
    };
    assert_eq!(after, before, "nothing else is written");
    assert_eq!(given.is_some(), ran.status == 0, "the original, or nothing");
    // A report that is entirely made up gives what it says; an altered one does not.
    let is_made_up = matches!(input.report, Report::Any(_));
    if let Some(given) = given.filter(|_| !is_made_up) {
        let is_of_other = matches!(&input.report, Report::Other(text) if given == *text);
        assert!(given == input.text || is_of_other, "{}", given.escape_ascii());
    }
});
