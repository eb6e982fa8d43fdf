//! The text that `utfall check` shows around problems, colors, and one line per problem.

use std::fmt::Write as _;

use crate::common::{Folder, Run, run, utfall};

const OVERLONG: &[u8] = b"one\ntwo \xC0\xAE three\n";

/// Line, marks.
fn shown(run: &Run) -> Vec<(String, String)> {
    let lines: Vec<_> = run.text().lines().collect();
    let is_text = |line: &str| line.starts_with(|c: char| c.is_ascii_digit());
    let pairs = lines.windows(2).filter(|pair| is_text(pair[0]));
    pairs.map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect()
}

#[test]
fn a_problem_is_shown_in_its_line_as_convert_shows_it() {
    let folder = Folder::with([("a.txt", OVERLONG)]);
    let check = folder.utfall("check a.txt", "");
    let expected = "\
error[ill-formed]: a.txt: line 2, column 5 (byte 8): C0 AE: overlong form of U+002E \".\"
  |
2 | two <C0 AE> three
  |     ^^^^^^^
  |
  = note: RFC 3629 §3: there is only one valid way to encode a character
  = note: accepted by RFC 2044 (1996) and its 1997 draft revision

a.txt: not well-formed UTF-8: 1 problem; ";
    assert!(check.text().starts_with(expected), "{check:?}");
    assert_eq!((check.status, &*check.stderr), (1, ""));
    // A byte by itself is the same sequence to both.
    let text = b"one\ntwo \xFF three\n";
    let check = utfall("check", text);
    let convert = utfall("convert -f UTF-8 -t UTF-16", text);
    let place = |text: &str, note| {
        let begin = text.find(": line ").unwrap();
        let end = text.find(" (byte 8): FF: ").unwrap();
        let excerpt = &text[text.find("  |\n").unwrap()..text.find(note).unwrap()];
        (text[begin..end].to_owned(), excerpt.to_owned())
    };
    assert_eq!(place(check.text(), "= note"), place(&convert.stderr, "= note"));
}

/// What is said once of a kind of problem is not said again.
#[test]
fn many_problems_stay_readable() {
    let run = utfall("check --all", b"a\xFF\nb\xFF\nc\xC0\xAE\n");
    assert_eq!(run.text().matches("= note: RFC 3629 §1").count(), 1, "{run:?}");
    assert_eq!(run.text().matches("= note: RFC 3629 §3").count(), 1, "{run:?}");
    assert_eq!(run.text().matches("error[ill-formed]").count(), 3, "{run:?}");
    // Each file is complete.
    let folder = Folder::with([("a", b"\xFF\n"), ("b", b"\xFF\n")]);
    let run = folder.utfall("check a b", "");
    assert_eq!(run.text().matches("= note: RFC 3629 §1").count(), 2, "{run:?}");
    let run = utfall("check", b"\xFF\n".repeat(1000));
    assert_eq!(shown(&run).len(), 1, "the first of each rule");
}

#[test]
fn each_kind_of_place_is_marked() {
    for (args, text, line, marks) in [
        ("", "caf\u{C3}\u{A9}!\n".as_bytes(), "1 | caf\u{C3}\u{A9}!", "  |    ^^"),
        ("", b"\xEF\xBB\xBFa\n", "1 | <U+FEFF>a", "  | ^^^^^^^^"),
        ("", b"ab\xE2\x80\xAE\n", "1 | ab<U+202E>", "  |   ^^^^^^^^"),
        ("--rule final-newline", b"a\nbc", "2 | bc", "  |   ^"),
        (
            "--rule mixed-newlines",
            b"a\nb\nc\r\nd\n",
            "3 | c<U+000D><U+000A>",
            "  |  ^^^^^^^^^^^^^^^^",
        ),
        // Wide, combining, and a tab.
        (
            "",
            "日本\tx\u{301}\u{FFFD}\n".as_bytes(),
            "1 | 日本    x\u{301}\u{FFFD}",
            "  |          ^",
        ),
        ("-f UTF-16LE", b"a\0\x00\xDCb\0", "1 | a<00 DC>b", "  |  ^^^^^^^"),
        ("-f UTF-16BE", b"\0a\0\n\0b\xFF\xFD\n\0", "2 | b\u{FFFD}<U+0A00>", "  |  ^"),
        ("-f UTF-7", b"1 +IKwA- x", "1 | 1 +IKwA- x", "  |      ^^"),
    ] {
        let run = utfall(&format!("check {args}"), text);
        let all = shown(&run);
        assert!(!all.is_empty(), "{args} {text:?}: {run:?}");
        let (first, second) = &all[0];
        assert_eq!((first.as_str(), second.as_str()), (line, marks), "{args}: {run:?}");
    }
}

/// A line longer than the screen is cut on both sides of the place.
#[test]
fn long_lines_are_cut_around_the_place() {
    use unicode_width::UnicodeWidthStr;
    let long = [&b"x".repeat(5000)[..], b"\xFF", &"日".repeat(2000).into_bytes()].concat();
    let folder = Folder::with([("a", &long[..])]);
    for (columns, width) in [(None, 80), (Some("60"), 60), (Some("200"), 200)] {
        let mut command = folder.command();
        command.args(["check", "a"]).env_remove("COLUMNS");
        if let Some(columns) = columns {
            command.env("COLUMNS", columns);
        }
        let checked = run(&mut command, "");
        let (line, marks) = shown(&checked).remove(0);
        assert!((width - 2..=width).contains(&line.width()), "{width}: {line}");
        assert!(line.contains("x<FF>日") && line.ends_with('…'), "{line}");
        assert!(line.starts_with("1 | …x"), "{line}");
        let before = line[..line.find("<FF>").unwrap()].chars().count();
        assert_eq!(marks.find("^^^^"), Some(before), "{checked:?}");
    }
    // A place that is long itself.
    let twice = format!("a{}\n", "\u{C3}\u{A9}".repeat(500));
    let (line, _) = shown(&utfall("check", twice)).remove(0);
    assert!(line.width() <= 80 && line.contains('…'), "{line}");
}

/// A place at the end of what is read at a time, from a file and from a pipe, and far away from where
/// it is known to be a problem.
#[test]
fn text_is_shown_wherever_the_place_is() {
    for before in [65_530, 65_536, 262_100, 262_140, 262_144, 524_280] {
        let mut text = "0123456789abcde\n".repeat(before / 16).into_bytes();
        text.resize(before, b'-');
        text.extend(b"\xFFrest\n");
        text.extend(b"more\n".repeat(1000));
        let folder = Folder::with([("a", &text[..])]);
        for run in [folder.utfall("check a", ""), folder.utfall("check", &text)] {
            let dashes = "-".repeat(before % 16);
            let (line, _) = shown(&run).remove(0);
            assert!(line.ends_with(&format!("| {dashes}<FF>rest")), "{before}: {line}");
        }
    }
    // Known at the end of its line, and at the end of the file.
    let mut text = b"a\r\n\xE2\x80\xAEbegin".to_vec();
    text.extend(b"x".repeat(1 << 20));
    text.extend(b"\nb\n");
    let folder = Folder::with([("a", &text[..])]);
    let lines = shown(&folder.utfall("check a", ""));
    assert!(lines[0].0.starts_with("2 | <U+202E>beginxxx"), "{lines:?}");
    assert_eq!(lines[1].0, "1 | a<U+000D><U+000A>");
    // It is gone in a pipe, and what is wrong is still said.
    let run = folder.utfall("check", &text);
    assert_eq!(run.titles().len(), 4, "{run:?}");
}

/// All findings of a large file that is checked in parts are shown in their lines.
#[test]
fn parts_of_large_files_show_the_same() {
    let mut text = String::new();
    for number in 0..1_400_000 {
        _ = writeln!(text, "line {number}");
    }
    let mut bytes = text.into_bytes();
    for at in (9..bytes.len()).step_by(1_000_003) {
        if bytes[at] != b'\n' {
            bytes[at] = 0xFF;
        }
    }
    let folder = Folder::with([("large", &bytes[..])]);
    let parts = folder.utfall("check --all -j 4 large", "");
    let whole = folder.utfall("check --all", &bytes);
    assert!(shown(&parts).len() > 10, "{parts:?}");
    assert_eq!(shown(&parts), shown(&whole));
}

#[test]
fn colors_are_a_choice() {
    let folder = Folder::with([("a", OVERLONG), ("twice", "caf\u{C3}\u{A9}\n".as_bytes())]);
    let colored = |args: &str, variables: &[(&str, &str)]| {
        let mut command = folder.command();
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command.args(args.split(' ')).envs(variables.iter().copied());
        let run = run(&mut command, "");
        run.stdout.contains(&0x1B) || run.stderr.contains('\u{1B}')
    };
    let (force, no) = (("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1"));
    for args in [
        "check a",
        "convert -f UTF-8 -t UTF-16 a",
        "explain --no-pager a",
        "repair --diff twice",
        "detect missing",
        "check -h",
        "list --help",
        "explain --no-such-option",
    ] {
        // A pipe.
        assert!(!colored(args, &[]), "{args}");
        assert!(!colored(&format!("{args} --color auto"), &[]), "{args}");
        assert!(colored(&format!("{args} --color always"), &[]), "{args}");
        assert!(colored(args, &[force]), "{args}");
        assert!(!colored(args, &[no, force]), "{args}");
        // The option counts more than variables.
        assert!(colored(&format!("{args} --color=always"), &[no]), "{args}");
        assert!(!colored(&format!("{args} --color=never"), &[force]), "{args}");
    }
    // Before the subcommand, too; and not where programs read it.
    assert!(colored("--color always check a", &[]));
    assert!(!colored("check --color always --format json a", &[]));
    assert!(!colored("check --color always --format short a", &[]));
    folder.utfall("check --color sometimes a", "").fails(2, &["auto, always, never"]);
}

/// As compilers write them: `%f:%l:%c: %m` of Vim, and what Emacs knows as GNU.
#[test]
fn short_is_one_line_per_problem() {
    let text = b"caf\xC3\x83\xC2\xA9 \xE6\x97\xA5\xFF\nx\xFF\xEF\xBF\xBD\n";
    let folder = Folder::with([("a.txt", &text[..]), ("fine", b"fine\n")]);
    let run = folder.utfall("check --format short a.txt fine", "");
    assert_eq!(run.status, 1);
    let expected = "\
a.txt:1:4: warning: \"\u{C3}\u{A9}\" looks like a double-encoded \"\u{E9}\" (UTF-8 read as windows-1252) [double-encoding]
a.txt:1:8: error: FF: byte that never appears [ill-formed]
a.txt:2:2: error: FF: byte that never appears [ill-formed]
a.txt:2:3: warning: replacement character U+FFFD [replacement-character]
total: 2 files, 1 ill-formed, 2 problems, 2 warnings
";
    assert_eq!(run.text(), expected);
    for line in expected.lines().take(4) {
        let [file, row, column, level, ..] = line.split(':').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        assert_eq!((file, [" error", " warning"].contains(&level)), ("a.txt", true));
        assert!(row.parse::<u64>().is_ok() && column.parse::<u64>().is_ok(), "{line}");
    }
    // Places are those of JSON, which has bytes too.
    let json = folder.utfall("check --all --format json a.txt", "");
    let object: serde_json::Value =
        serde_json::from_str(json.text().lines().nth(1).unwrap()).unwrap();
    assert_eq!((&object["column"], &object["offset"]), (&8.into(), &11.into()));
    // Nothing, if nothing is wrong.
    folder.utfall("check --quiet --format short fine", "").quietly_gives("");
}
