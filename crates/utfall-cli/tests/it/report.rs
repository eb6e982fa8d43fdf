//! `utfall repair --undo`: a report that does not lead back to the original is refused, and nothing is
//! written.

use std::fs;

use crate::common::{Folder, Run};

const BROKEN: &str = "plain\nLes Ã©lÃ¨ves dâ€™abord\nРџСЂРёРІРµС‚ ÃƒÂ©tÃƒÂ©\n";

/// `new`, repaired from `old`, and the report.
fn repaired() -> Folder {
    let folder = Folder::with([("old", BROKEN.as_bytes())]);
    folder.utfall("repair -q -o new --report report old", "").quietly_gives("");
    folder.utfall("repair --undo report new", "").quietly_gives(BROKEN);
    folder
}

/// The report with other lines, to standard output and to OUT.
#[track_caller]
fn is_refused(folder: &Folder, report: &[u8], why: &str) {
    fs::write(folder.path("other"), report).unwrap();
    let before = folder.names();
    let check = |run: Run| {
        run.fails(1, &[why]);
        assert_eq!(run.stdout, b"", "{run:?}");
    };
    check(folder.utfall("repair --undo other new", ""));
    check(folder.utfall("repair --undo other", folder.read("new")));
    check(folder.utfall("repair --undo other -o out new", ""));
    assert_eq!(folder.names(), before);
}

/// A report without its end lost the changes after it, with status 0.
#[test]
fn a_truncated_report_is_refused_at_every_byte() {
    let folder = repaired();
    let report = folder.read("report");
    for length in 0..report.len() {
        // Some lengths in each line.
        if length % 37 != 0 && report[length] != b'\n' && report[length.saturating_sub(1)] != b'\n'
        {
            continue;
        }
        fs::write(folder.path("cut"), &report[..length]).unwrap();
        let run = folder.utfall("repair --undo cut new", "");
        run.fails(1, &["cut"]);
        assert_eq!(run.stdout, b"", "{length}: {run:?}");
    }
    is_refused(&folder, b"", "the report is empty");
    let lines = report.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>();
    is_refused(&folder, &lines[..lines.len() - 1].concat(), "incomplete");
    is_refused(&folder, &report[..report.len() - 1], "incomplete");
}

#[test]
fn lines_in_another_order_are_refused() {
    let folder = repaired();
    let report = String::from_utf8(folder.read("report")).unwrap();
    let lines: Vec<_> = report.split_inclusive('\n').collect();
    let mut swapped = lines.clone();
    swapped.swap(0, 1);
    is_refused(&folder, swapped.concat().as_bytes(), "out of order");
    let mut backwards = lines.clone();
    backwards.reverse();
    is_refused(&folder, backwards.concat().as_bytes(), "6 changes of old, but 0");
    is_refused(&folder, lines[1..].concat().as_bytes(), "6 changes of old, but 5");
    let doubled = [&lines[..1], &lines[..]].concat().concat();
    is_refused(&folder, doubled.as_bytes(), "6 changes of old, but 7");
}

#[test]
fn an_altered_report_is_refused() {
    let folder = repaired();
    let report = String::from_utf8(folder.read("report")).unwrap();
    let other = |from: &str, to: &str| {
        assert!(report.contains(from), "{from}");
        report.replacen(from, to, 1).into_bytes()
    };
    // The text before a change: only the digest of the original can verify it.
    is_refused(&folder, &other("C383C2A9", "C383C2A8"), "does not lead to the original");
    is_refused(
        &folder,
        &other("\"after_hex\":\"C3A9\"", "\"after_hex\":\"C3A8\""),
        "from byte 10 on",
    );
    is_refused(&folder, &other("C383C2A9", "C383C2"), "out of order");
    is_refused(&folder, &other("C383C2A9", "+383C2A9"), "not hexadecimal");
    is_refused(&folder, &other("C383C2A9", "C383C2A"), "not hexadecimal");
    is_refused(&folder, &other("\"offset\":10", "\"offset\":9"), "out of order");
    is_refused(&folder, &other("\"offset_after\":10", "\"offset_after\":11"), "out of order");
    is_refused(&folder, &other("\"offset\":10", "\"offset\":18446744073709551615"), "out of order");
    is_refused(&folder, &other("\"bytes\":", "\"bytes\":1"), "do not fit the lengths");
    is_refused(&folder, &other("\"digest\":\"", "\"digest\":\"x"), "not a digest");
    is_refused(&folder, &other("\"digest_after\"", "\"no_digest\""), "no digests");
    is_refused(&folder, &other("{", "["), "report");
    // Of another version, or of the first one, which did not say so.
    let why = "has version 3 of the report, and this utfall reads version 2";
    is_refused(&folder, &other("\"version\":2", "\"version\":3"), why);
    is_refused(&folder, &other("\"version\":2,", ""), "has version 1 of the report");
    is_refused(
        &folder,
        &[report.as_bytes(), b"\xFF\n"].concat(),
        "other:8: not a line of a report",
    );
}

/// A text with the same bytes at the places of all changes, but other text between them, was
/// accepted.
#[test]
fn another_text_is_refused() {
    let folder = repaired();
    let new = String::from_utf8(folder.read("new")).unwrap();
    for (text, why) in [
        (new.replace("plain", "PLAIN"), "its digest differs"),
        (new.clone() + "more", "bytes, not"),
        (BROKEN.into(), "from byte 10 on"),
        (String::new(), "from byte 10 on"),
    ] {
        let run = folder.utfall("repair --undo report", &text);
        run.fails(1, &["does not match the report", why]);
        assert_eq!(run.stdout, b"", "{run:?}");
    }
}

/// A file that the report does not know came out as it was, with status 0.
#[test]
fn several_files_are_put_back_by_name() {
    let folder =
        Folder::with([("a", BROKEN.as_bytes()), ("b", "cafÃ©".as_bytes()), ("c", b"plain")]);
    let run = folder.utfall("repair -q --in-place --report report a b c", "");
    assert_eq!(run.status, 0, "{run:?}");
    folder.utfall("repair --undo report a b c", "").quietly_gives(format!("{BROKEN}cafÃ©plain"));
    folder.utfall("repair --undo report b", "").quietly_gives("cafÃ©");
    fs::rename(folder.path("b"), folder.path("d")).unwrap();
    let run = folder.utfall("repair --undo report a d", "");
    run.fails(1, &["report does not mention d"]);
    assert_eq!(run.stdout, b"", "{run:?}");
    // One that fits and then one that does not: the first is not written either.
    fs::write(folder.path("c"), "other").unwrap();
    let run = folder.utfall("repair --undo report a c", "");
    run.fails(1, &["c does not match the report"]);
    assert_eq!(run.stdout, b"", "{run:?}");
}

/// Larger than the part held in memory until it is verified.
#[test]
fn a_large_text_is_put_back() {
    let text = "Les Ã©lÃ¨ves\n".to_owned() + &"plain text, and more of it\n".repeat(400_000);
    let folder = Folder::with([("old", text.as_bytes())]);
    folder.utfall("repair -q -o new --report report old", "").quietly_gives("");
    assert!(folder.utfall("repair --undo report new", "").stdout == text.as_bytes());
}
