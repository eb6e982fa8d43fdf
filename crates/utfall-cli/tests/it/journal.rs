//! `utfall undo` when the journal of a run is damaged: no original is lost, and the damage is
//! reported.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use crate::common::{Folder, Run, misname};
use utfall_oracle::step;

const NAMES: [&str; 3] = ["a", "b", "c"];

/// The content of a file before and after. The results are alike, so that only the path tells them
/// apart.
fn old(name: &str) -> Vec<u8> {
    let mark: &[u8] = if name == "b" { b"\xFE\xFF" } else { b"\xFF\xFE" };
    let text = match name {
        "b" => b"\0x\0\n".to_vec(),
        _ => b"x\0\n\0".to_vec(),
    };
    let end: &[u8] = if name == "c" { b"\xFF\xFE" } else { b"" };
    [mark, &text, end].concat()
}

/// A run that has converted three files, to be had again and again.
struct Kept {
    folder: Folder,
    journal: Vec<u8>,
    new: Vec<Vec<u8>>,
    numbers: Vec<String>,
}

impl Kept {
    fn new() -> Self {
        let folder = Folder::new();
        for name in NAMES {
            fs::write(folder.path(name), old(name)).unwrap();
        }
        let run = folder.utfall("convert -t UTF-8 --in-place --threads 1 a b c", "");
        assert_eq!(run.status, 0, "{run:?}");
        let journal = folder.read(".state/undo/1/journal.jsonl");
        let new = NAMES.iter().map(|name| folder.read(name)).collect();
        let numbers = NAMES.iter().map(|name| {
            let is_it =
                |number: &&&str| folder.read(&format!(".state/undo/1/{number}")) == old(name);
            ["1", "2", "3"].iter().find(is_it).unwrap().to_string()
        });
        let numbers = numbers.collect();
        Self { folder, journal, new, numbers }
    }

    fn run(&self) -> PathBuf {
        self.folder.path(".state/undo/1")
    }

    fn journal(&self) -> PathBuf {
        self.run().join("journal.jsonl")
    }

    /// Everything as after the run, with another journal.
    fn again(&self, journal: Option<&[u8]>) {
        _ = fs::remove_dir_all(self.folder.path("out"));
        _ = fs::remove_dir_all(self.folder.path(".state"));
        fs::create_dir_all(self.run()).unwrap();
        for ((name, new), number) in NAMES.iter().zip(&self.new).zip(&self.numbers) {
            fs::write(self.folder.path(name), new).unwrap();
            fs::write(self.run().join(number), old(name)).unwrap();
        }
        if let Some(journal) = journal {
            fs::write(self.journal(), journal).unwrap();
        }
    }

    fn utfall(&self, args: &str) -> Run {
        self.folder.utfall(args, "")
    }

    /// Each file is old, or it is new and its original is kept. Says how many are old.
    #[track_caller]
    fn nothing_is_lost(&self, what: &str, out: &Path) -> usize {
        let mut count = 0;
        for ((name, new), number) in NAMES.iter().zip(&self.new).zip(&self.numbers) {
            let there = self.folder.read(name);
            if there == old(name) {
                count += 1;
                continue;
            }
            assert_eq!(&there, new, "{what}: {name}");
            let file = name;
            // The name of a copy may be from a line that is damaged.
            let is_it = |path: &Path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let is_named = name == *number || name.starts_with(&format!("{number}-"));
                is_named && fs::read(path).is_ok_and(|bytes| bytes == old(file))
            };
            let copies = fs::read_dir(out).into_iter().flatten().flatten();
            let is_kept = copies.map(|entry| entry.path()).any(|path| is_it(&path));
            assert!(is_kept, "{what}: the original of {name} is lost");
        }
        count
    }

    /// What `undo` and `undo --recover` make of a journal.
    #[track_caller]
    fn check(&self, what: &str, journal: &[u8]) -> bool {
        self.again(Some(journal));
        let run = self.utfall("undo 1");
        let restored = self.nothing_is_lost(&format!("{what}, undo: {run:?}"), &self.run());
        let is_gone = !self.run().exists();
        assert_eq!(run.status == 0, is_gone, "{what}: {run:?}");
        assert!(restored == 3 || !is_gone, "{what}: {run:?}");
        if is_gone {
            return true;
        }
        assert!(run.status == 4 && run.text().contains("run 1 stays"), "{what}: {run:?}");
        let run = self.utfall("undo --recover --to out");
        self.nothing_is_lost(&format!("{what}, --recover: {run:?}"), &self.folder.path("out"));
        assert_eq!(run.status, 0, "{what}: {run:?}");
        false
    }
}

/// One byte in so many, unless all are asked for. Wine takes a minute for a hundred programs.
const SHARE: usize = if cfg!(windows) { 61 } else { 7 };

#[test]
fn cut_short_at_every_byte() {
    let kept = Kept::new();
    let last = kept.journal.len() - 1;
    for length in (0..last).step_by(step(SHARE)).chain([last]) {
        let is_whole = kept.check(&format!("{length} bytes"), &kept.journal[..length]);
        // The last line tells that it is whole without its end, too.
        assert_eq!(is_whole, length == last, "{length} bytes");
    }
    assert!(kept.check("all", &kept.journal));
    // The rest of a line names the file that it may have been about.
    kept.again(Some(&kept.journal[..kept.journal.len() - 30]));
    assert_eq!(kept.utfall("undo").status, 4);
    let run = kept.utfall("undo --recover 1 --to out");
    assert!(run.text().contains("unknown file, perhaps "), "{run:?}");
    let copied = format!("; copied to out{MAIN_SEPARATOR}");
    assert_eq!(run.text().matches(&copied).count(), 1, "{run:?}");
    assert!(
        NAMES.iter().any(|name| fs::read(kept.folder.path(&format!("out/3-{name}")))
            .is_ok_and(|o| o == old(name))),
        "{run:?}"
    );
}

#[test]
fn every_byte_garbled() {
    let kept = Kept::new();
    for at in (0..kept.journal.len()).step_by(step(SHARE)) {
        let mut journal = kept.journal.clone();
        journal[at] = match at % 5 {
            0 => journal[at] ^ 1,
            1 => journal[at] ^ 0x80,
            2 => b'\n' ^ u8::from(journal[at] == b'\n'),
            3 => 0,
            _ => journal[at].wrapping_add(1),
        };
        assert!(!kept.check(&format!("byte {at} as {:02X}", journal[at]), &journal));
    }
}

#[test]
fn lines_that_are_lost_swapped_or_garbage() {
    let kept = Kept::new();
    let lines: Vec<_> = kept.journal.split_inclusive(|byte| *byte == b'\n').collect();
    let [about, one, two, three] = lines[..] else { panic!("{} lines", lines.len()) };
    for (what, lines, is_whole) in [
        ("another order", &[about, three, one, two][..], true),
        ("a line twice", &[about, one, two, two, three], true),
        ("without the first", &[one, two, three], false),
        ("the first as the last", &[one, two, three, about], false),
        ("one is lost", &[about, one, three], false),
        ("garbage between", &[about, one, b"{}\n", two, three], false),
        ("binary garbage at the end", &[about, one, two, three, &[0xA5; 5000], b"\n"], false),
        ("an empty line", &[about, one, b"\n", two, three], false),
        ("zeros after a power cut", &[about, one, &[0; 4096]], false),
        ("zeros after the last", &[about, one, two, three, &[0; 4096]], true),
        ("a line of megabytes", &[about, one, two, three, &[b'x'; 5 << 20], b"\n"], false),
        ("another journal", &[about, one, about, two, three], false),
    ] {
        assert_eq!(kept.check(what, &lines.concat()), is_whole, "{what}");
    }
}

#[test]
fn journals_that_are_none() {
    let kept = Kept::new();
    type Make = fn(&Path);
    let cases: Vec<(&str, Make, &str)> = vec![
        ("nothing", |_| {}, "its journal is missing"),
        ("an empty file", |path| fs::write(path, "").unwrap(), "its journal is empty"),
        ("a directory", |path| fs::create_dir(path).unwrap(), "its journal is not a regular file"),
        #[cfg(unix)]
        (
            "a pipe",
            |path| {
                let made = std::process::Command::new("mkfifo").arg(path).status();
                assert!(made.unwrap().success());
            },
            "its journal is not a regular file",
        ),
        #[cfg(unix)]
        (
            "a link",
            |path| std::os::unix::fs::symlink("/dev/zero", path).unwrap(),
            "its journal is not a regular file",
        ),
    ];
    for (what, make, says) in cases {
        kept.again(None);
        make(&kept.journal());
        let run = kept.utfall("undo");
        assert!(run.status == 4 && run.text().contains(says), "{what}: {run:?}");
        assert_eq!(kept.nothing_is_lost(what, &kept.run()), 0);
        assert!(kept.utfall("undo --list").text().contains(says), "{what}");
        let run = kept.utfall("undo --recover 1");
        assert_eq!(run.status, 1, "{what}: {run:?}");
        assert!(run.text().contains("1  6 bytes  unknown file\n"), "{what}: {run:?}");
        let run = kept.utfall("undo --recover 1 --to out");
        assert_eq!(run.status, 0, "{what}: {run:?}");
        kept.nothing_is_lost(what, &kept.folder.path("out"));
        assert!(kept.run().exists(), "{what}");
        // No run begins that might convert the files again.
        let run = kept.utfall("convert -f UTF-16LE -t UTF-8 --in-place a");
        run.fails(2, &["run 1 is damaged", says, "utfall undo --recover 1"]);
        // Nobody but who names it makes it go away.
        kept.utfall("undo --forget --all").fails(4, &["run 1 is damaged and stays"]);
        kept.utfall("undo --forget").fails(2, &["utfall undo --forget 1"]);
        kept.utfall("undo --forget 1").quietly_gives("");
        assert!(!kept.run().exists(), "{what}");
    }
}

#[test]
fn journals_of_newer_versions() {
    let kept = Kept::new();
    // As this version writes a first line of the next one; the check is its own.
    let about = "{\"type\":\"run\",\"version\":2,\"time\":1,\"folder\":\"/x\",\"to\":\"UTF-8\"";
    let check = twox_hash::XxHash3_128::oneshot_with_seed(1, about.as_bytes());
    let about = format!("{about},\"check\":\"{check:032x}\"}}\n");
    let end = kept.journal.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    kept.again(Some(&[about.as_bytes(), &kept.journal[end..]].concat()));
    kept.utfall("undo").fails(4, &["a newer utfall wrote its journal (version 2"]);
    kept.utfall("convert -t UTF-8 --in-place a").fails(2, &["newer utfall"]);
    assert_eq!(kept.nothing_is_lost("a newer version", &kept.run()), 0);
    assert_eq!(kept.utfall("undo --recover --to out").status, 0);
    assert_eq!(kept.nothing_is_lost("a newer version", &kept.folder.path("out")), 0);
    assert!(kept.run().exists());
}

#[test]
fn what_runs_made_is_known_in_spite_of_damage_elsewhere() {
    let folder = Folder::with([("a", b"caf\xE9\n"), ("b", b"caf\xE9\n")]);
    let convert = |args: &str| {
        folder.utfall(&format!("convert -f ISO-8859-1 -t UTF-8 --in-place {args}"), "")
    };
    assert_eq!(convert("a").status, 0);
    assert_eq!(convert("b").status, 0);
    let journal = folder.path(".state/undo/2/journal.jsonl");
    misname(&journal, "b", "x");
    let run = convert("a b");
    run.fails(
        2,
        &["run 2 is damaged", "line 2 of its journal is damaged", "--ignore-damaged-runs"],
    );
    let run = convert("--ignore-damaged-runs --verbose a");
    assert!(run.text().contains("a: unchanged: converted by run 1"), "{run:?}");
    assert_eq!([folder.read("a"), folder.read("b")], ["café\n".as_bytes(); 2]);
    // The line says which file it may be about, and nothing is written there.
    let run = folder.utfall("undo --recover", "");
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.text().contains("1  5 bytes  unknown file, perhaps "), "{run:?}");
    assert!(!folder.path("x").exists());
    let run = folder.utfall("undo --recover --to out --format json", "");
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.text().contains("\"action\":\"unknown\""), "{run:?}");
    assert_eq!(folder.read("out/1-x"), b"caf\xE9\n");
    // A copy is not written over either.
    fs::write(folder.path("out/1-x"), "mine").unwrap();
    let run = folder.utfall("undo --recover 2 --to out", "");
    assert_eq!((run.status, folder.read("out/1-x")), (4, b"mine".to_vec()), "{run:?}");
}

#[test]
fn names_of_runs_and_originals_that_no_run_writes() {
    let kept = Kept::new();
    let runs = kept.folder.path(".state/undo");
    // Windows drops a space at the end of a name.
    let spaced = if cfg!(windows) { "5 5" } else { "5 " };
    for name in ["+5", "007", "0", "18446744073709551615", "-1", spaced, "x"] {
        kept.again(Some(&kept.journal));
        fs::rename(kept.run(), runs.join(name)).unwrap();
        let run = kept.utfall("undo");
        run.fails(2, &["no run to undo", "is not a run"]);
        assert_eq!(kept.nothing_is_lost(name, &runs.join(name)), 0);
        let run = kept.utfall(&format!("undo -- {}", name.trim()));
        assert_eq!(run.status, 2, "{name}: {run:?}");
        assert_eq!(kept.nothing_is_lost(name, &runs.join(name)), 0);
        // And runs go on to be numbered.
        fs::write(kept.folder.path("d"), old("a")).unwrap();
        let run = kept.utfall("convert -t UTF-8 --in-place d");
        assert!(run.status == 0 && run.text().contains("run 1: "), "{name}: {run:?}");
    }
    kept.again(Some(&kept.journal));
    fs::rename(kept.run(), runs.join("18446744073709551614")).unwrap();
    let run = kept.utfall("convert -t UTF-8 --in-place d");
    run.fails(4, &["no run numbers are left"]);
    // Something else among the originals.
    for name in ["+1", "01", "note.txt", "4/x", "lock"] {
        kept.again(Some(&kept.journal));
        fs::create_dir_all(kept.run().join(name).parent().unwrap()).unwrap();
        fs::write(kept.run().join(name), "mine").unwrap();
        let run = kept.utfall("undo");
        assert_eq!((run.status, kept.nothing_is_lost(name, &kept.run())), (4, 3), "{run:?}");
        assert_eq!(fs::read(kept.run().join(name)).unwrap(), b"mine");
        assert!(run.text().contains("that no run writes: "), "{run:?}");
    }
}

/// Anyone who can write there could do more; but links to other places are not followed.
#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let kept = Kept::new();
    let outside = kept.folder.path("outside");
    for name in ["lock", &kept.numbers[0]] {
        kept.again(Some(&kept.journal));
        fs::write(&outside, "mine").unwrap();
        _ = fs::remove_file(kept.run().join(name));
        symlink(&outside, kept.run().join(name)).unwrap();
        let run = kept.utfall("undo");
        assert!(run.status == 4 && kept.run().exists(), "{name}: {run:?}");
        assert_eq!(fs::read(&outside).unwrap(), b"mine", "{name}");
        assert!(!kept.folder.path("a").is_symlink());
    }
    kept.again(Some(&kept.journal));
    fs::remove_file(&outside).unwrap();
    symlink(&outside, kept.run().join("lock")).unwrap();
    assert_eq!(kept.utfall("undo").status, 4);
    assert!(!outside.exists());
    // A run in another place.
    kept.again(Some(&kept.journal));
    fs::rename(kept.run(), &outside).unwrap();
    symlink(&outside, kept.run()).unwrap();
    kept.utfall("undo").fails(2, &["no run to undo", "is not a run"]);
}
