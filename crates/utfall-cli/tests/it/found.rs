//! What the fuzzer has found in the command: each test has the arguments it made, or fewer with the same
//! fault.

use crate::common::{Folder, run};

/// Room for twice so many tasks was more than there can be, and the system has no more than some
/// thousand threads to give: both were panics.
#[test]
fn more_threads_than_there_can_be() {
    let text = "caf\u{E9}\n".as_bytes();
    let folder = Folder::with([("a.txt", text), ("b.txt", text), ("c.txt", text)]);
    for threads in ["1000000", &usize::MAX.to_string()] {
        for args in ["check --threads", "convert --dry-run -t UTF-16 --threads"] {
            let mut command = folder.command();
            command.args(args.split(' ')).args([threads, "a.txt", "b.txt", "c.txt"]);
            let ran = run(&mut command, "");
            assert_eq!(ran.status, 0, "{args} {threads}: {ran:?}");
        }
    }
}

/// Large files are read in parts that begin after line feeds. One inside a broken sequence of BOCU-1
/// does not end a line, but columns after it were counted from there.
#[test]
fn a_line_feed_in_a_broken_sequence() {
    let mut bytes = vec![0x90; (16 << 20) + 1];
    for at in [(8 << 20) + 100, (8 << 20) + 200] {
        bytes[at..at + 2].copy_from_slice(b"\x3D\x0A");
    }
    let folder = Folder::with([("a.txt", &bytes)]);
    let args = "check -f BOCU-1 --all --format github";
    let ran = |name: &str, stdin: &[u8]| {
        let mut command = folder.command();
        command.args(args.split(' ')).arg(name);
        let ran = run(&mut command, stdin);
        assert_eq!(ran.status, 1);
        // The name is of no matter.
        let places = ran.text().lines().filter_map(|line| line.split_once("line="));
        places.map(|(_, place)| place.to_owned()).collect::<Vec<_>>()
    };
    let places = ran("-", &bytes);
    assert!(places.len() >= 2, "{places:?}");
    assert_eq!(ran("a.txt", b""), places);
}
