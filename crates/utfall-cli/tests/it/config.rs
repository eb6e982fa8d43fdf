//! `utfall.toml`, and known problems.

use std::fs;

use crate::common::{self, Folder, Run, program, repository};

const MOJIBAKE: &str = "caf\u{C3}\u{A9}\n";

fn folder(config: &str) -> Folder {
    let folder = Folder::new();
    for directory in [".git", "sub/deep", "data"] {
        fs::create_dir_all(folder.path(directory)).unwrap();
    }
    for (name, bytes) in [
        ("utfall.toml", config.as_bytes()),
        ("sub/latin.txt", b"caf\xE9\n"),
        ("sub/deep/twice.txt", MOJIBAKE.as_bytes()),
        ("data/bad", b"\xFF\n"),
        ("fine", b"fine\n"),
    ] {
        fs::write(folder.path(name), bytes).unwrap();
    }
    folder
}

fn total(run: &Run) -> &str {
    run.text().lines().last().unwrap()
}

/// In `sub`, below the file.
fn below(folder: &Folder, args: &str) -> Run {
    common::run(folder.command().current_dir(folder.path("sub")).args(args.split(' ')), "")
}

#[test]
fn rules_encodings_and_exclusions() {
    let folder = folder(
        "exclude = [\"/data\"]\n\
         [check]\ndeny = [\"warnings\"]\n\
         [[files]]\nglob = \"latin.*\"\nencoding = \"windows-1252\"\n\
         [[files]]\nglob = \"/sub/deep\"\nallow = [\"double-encoding\"]\n",
    );
    let run = folder.utfall("check --all .", "");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(total(&run), "total: 4 files, 0 ill-formed, 0 problems");
    // The same from below, and for files that are named.
    assert_eq!(below(&folder, "check .").status, 0);
    let run = below(&folder, "check latin.txt deep/twice.txt ../fine");
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.text().contains("latin.txt: well-formed windows-1252\n"), "{run:?}");
    // A file in an excluded directory that is named is checked.
    assert_eq!(folder.utfall("check data/bad", "").status, 1);
    // Without it, all are found.
    let run = folder.utfall("check --no-config .", "");
    assert_eq!(total(&run), "total: 5 files, 2 ill-formed, 2 problems, 1 warning");
    // Flags count more.
    for args in [
        "check -f UTF-8 sub/latin.txt",
        "check --deny double-encoding .",
        "check --rule double-encoding .",
        "check -g data -g bad .",
    ] {
        assert_eq!(folder.utfall(args, "").status, 1, "{args}");
    }
    fs::write(folder.path("marked"), "\u{FEFF}a\n").unwrap();
    assert_eq!(folder.utfall("check marked", "").status, 1);
    assert_eq!(folder.utfall("check --allow bom marked", "").status, 0);
    // Another file.
    fs::write(folder.path("other.toml"), "[check]\nallow = [\"bom\"]\nconcealed = true\n").unwrap();
    let run = folder.utfall("check --config other.toml marked", "");
    assert!(run.text().contains("; no concealed text;"), "{run:?}");
    assert!(!run.text().contains("[warning"), "{run:?}");
    folder.utfall("check --config missing.toml fine", "").fails(2, &["missing.toml"]);
}

#[test]
fn convert_by_glob() {
    let config = "exclude = [\"/data\"]\n\
                  [[files]]\nglob = \"*.txt\"\nencoding = \"windows-1252\"\n\
                  [[files]]\nglob = \"twice.txt\"\nencoding = \"UTF-8\"\n";
    let folder = folder(config);
    let run = folder.utfall("convert -t UTF-8 sub/latin.txt", "");
    run.gives("caf\u{E9}\n");
    folder.utfall("convert -t UTF-8 -f ISO-8859-7 sub/latin.txt", "").gives("caf\u{3B9}\n");
    folder.utfall("convert -t UTF-8 --no-config sub/latin.txt", "").fails(1, &["latin.txt"]);
    let run = folder.utfall("convert -t UTF-8 --in-place --no-undo .", "");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(folder.read("sub/latin.txt"), "caf\u{E9}\n".as_bytes());
    assert_eq!(folder.read("sub/deep/twice.txt"), MOJIBAKE.as_bytes());
    assert_eq!(folder.read("data/bad"), b"\xFF\n");
}

/// A folder that was converted already, on another machine.
#[test]
fn what_the_bytes_contradict_is_not_converted() {
    let folder = Folder::with([
        ("utfall.toml", b"[[files]]\nglob = \"*.txt\"\nencoding = \"windows-1252\"\n"),
        ("new.txt", b"caf\xE9\n"),
        ("old.txt", "café\n".as_bytes()),
    ]);
    let run = folder.utfall("convert -t UTF-8 --in-place --no-undo .", "");
    run.fails(1, &[]);
    let said = "skipped: already UTF-8; to convert it from windows-1252 anyway: --force";
    assert!(run.text().contains(said), "{run:?}");
    for name in ["new.txt", "old.txt"] {
        assert_eq!(folder.read(name), "café\n".as_bytes(), "{name}");
    }
    let run = folder.utfall("convert -t UTF-8 --in-place --no-undo --force old.txt", "");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(folder.read("old.txt"), "cafÃ©\n".as_bytes());
}

#[test]
fn mistakes_have_a_line() {
    for (config, line, what) in [
        ("[check]\nallow = []\nalow = []\n", 3, "unknown field `alow`"),
        ("exclude = [\n  \"a\",\n  \"b{\"\n]\n", 3, "b{"),
        ("[check]\ndeny = [\"bom\",\n \"boom\"]\n", 3, "unknown rule \"boom\""),
        ("[[files]]\nglob = \"x\"\nencoding = \"utf-88\"\n", 3, "unknown encoding \"utf-88\""),
        ("\n\n[[files]]\nallow = [\"bom\"]\n", 3, "missing field `glob`"),
        ("a\n", 1, ""),
    ] {
        let folder = folder(config);
        for args in ["check fine", "convert -t UTF-8 -n fine", "convert -t UTF-8 fine"] {
            let run = folder.utfall(args, "");
            run.fails(2, &[&format!("utfall.toml:{line}: "), what]);
        }
        assert_eq!(folder.utfall("check --no-config fine", "").status, 0);
    }
}

/// Outside a repository, files in parents are ignored; a hostile one neither hangs the program nor
/// fills memory.
#[cfg(target_os = "linux")]
#[test]
fn files_of_strangers() {
    let above = folder("[check]\ndeny = [\"warnings\"]\n");
    assert_eq!(below(&above, "check deep").status, 1);
    fs::remove_dir(above.path(".git")).unwrap();
    assert_eq!(below(&above, "check deep").status, 0);
    let folder = folder("");
    fs::remove_file(folder.path("utfall.toml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path("utfall.toml")).unwrap();
    folder.utfall("check fine", "").fails(4, &["utfall.toml: not a regular file"]);
    fs::remove_file(folder.path("utfall.toml")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path("utfall.toml")).status();
    assert!(made.unwrap().success());
    folder.utfall("check fine", "").fails(4, &["utfall.toml: not a regular file"]);
    let deep = format!("exclude = [\"{}\"]", "{".repeat(100_000));
    fs::write(folder.path("deep.toml"), deep).unwrap();
    let run = folder.utfall("check --config deep.toml fine", "");
    run.fails(2, &["deep.toml:1: longer than 4096 bytes"]);
}

#[test]
fn known_problems() {
    let folder = Folder::new();
    fs::create_dir(folder.path("tree")).unwrap();
    let text = format!("one\n{MOJIBAKE}\u{202E}x\n");
    fs::write(folder.path("tree/a b"), &text).unwrap();
    fs::write(folder.path("tree/bad"), b"\xFF\nfine\n\xFF\n\xFE\n").unwrap();
    let run = folder.utfall("check --write-baseline known.jsonl tree", "");
    assert_eq!((run.status, run.stderr.contains("5 problems written to known.jsonl")), (0, true));
    assert_eq!(total(&run), "total: 2 files, 1 ill-formed, 0 problems, 5 known");
    let again = |args: &str| {
        folder.utfall(&format!("check --deny warnings --baseline known.jsonl {args} tree"), "")
    };
    for args in ["", "--all", "-j1", "--concealed"] {
        let run = again(args);
        assert_eq!((run.status, run.text().lines().count()), (0, 1), "{args}: {run:?}");
    }
    again("-q").quietly_gives("");
    assert_eq!(folder.utfall("check --deny warnings tree", "").status, 1);
    // From another place.
    let run = common::run(
        folder.command().current_dir(folder.path("tree")).args([
            "check",
            "--baseline",
            "../known.jsonl",
            ".",
        ]),
        "",
    );
    assert_eq!(run.status, 0, "{run:?}");
    // Lines move.
    fs::write(folder.path("tree/a b"), format!("new\n\nnew\n{text}")).unwrap();
    assert_eq!(again("").status, 0);
    // The same problem twice is a new one, and so is one in a line that has changed.
    fs::write(folder.path("tree/a b"), format!("{text}{text}")).unwrap();
    let run = again("");
    assert_eq!(run.status, 1);
    assert!(run.text().contains("a b: line 5, column 4 (byte "), "{run:?}");
    assert!(total(&run).ends_with("2 problems, 5 known"), "{run:?}");
    fs::write(folder.path("tree/a b"), text.replace("caf", "Caf")).unwrap();
    let run = again("--format json");
    assert_eq!(run.status, 1);
    assert!(run.text().contains("\"known_problems\":4"), "{run:?}");
    fs::write(folder.path("tree/a b"), &text).unwrap();
    // In the configuration.
    fs::write(folder.path("utfall.toml"), "[check]\nbaseline = \"known.jsonl\"\n").unwrap();
    assert_eq!(folder.utfall("check tree", "").status, 0);
    // Errors.
    fs::write(folder.path("wrong"), "\n{\"file\":\"x\"}\n").unwrap();
    folder.utfall("check --baseline wrong tree", "").fails(2, &["wrong:2: missing field"]);
    folder.utfall("check --baseline missing tree", "").fails(4, &["cannot read missing"]);
    folder.utfall("check --baseline wrong --write-baseline x tree", "").fails(2, &["--baseline"]);
    let bad = folder.read("tree/bad");
    let run = folder.utfall("check --write-baseline tree/bad tree/bad", "");
    assert_eq!((run.status, folder.read("tree/bad")), (2, bad));
}

/// Nothing is in this repository that is not meant to be.
#[test]
fn this_repository() {
    let mut command = program();
    command.current_dir(repository("")).args(["check", "--all", "--deny", "warnings", "."]);
    let run = common::run(&mut command, "");
    assert_eq!(run.status, 0, "{}", run.text());
    let mut command = program();
    command.current_dir(repository("")).args(["repair", "--dry-run", "."]);
    common::run(&mut command, "").gives("0 changes in 0 files\n");
}

#[test]
fn repair_leaves_alone_what_is_meant() {
    let folder = folder(
        "exclude = [\"/data\"]\n\
         [[files]]\nglob = \"/sub/deep\"\nallow = [\"double-encoding\"]\n\
         [[files]]\nglob = \"*.old\"\nencoding = \"windows-1252\"\n",
    );
    for name in ["data/twice", "twice.old", "sub/twice"] {
        fs::write(folder.path(name), MOJIBAKE).unwrap();
    }
    let found = |args: &str| {
        let run = folder.utfall(&format!("repair {args}"), "");
        assert_eq!(run.status, 1, "{run:?}");
        let names = ["data/twice", "twice.old", "sub/twice", "sub/deep/twice.txt"];
        names.map(|name| common::slashes(run.text()).contains(name))
    };
    assert_eq!(found("--dry-run ."), [false, false, true, false]);
    assert_eq!(found("--diff ."), [false, false, true, false]);
    assert_eq!(found("--dry-run --no-config ."), [true; 4]);
    assert_eq!(found("--dry-run sub/deep/twice.txt twice.old"), [false, true, false, true]);
    let run = folder.utfall("repair --in-place --no-undo .", "");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(folder.read("sub/twice"), "caf\u{E9}\n".as_bytes());
    assert_eq!(folder.read("sub/deep/twice.txt"), MOJIBAKE.as_bytes());
    // What is wrong with the file is an error here, too.
    fs::write(folder.path("utfall.toml"), "exclud = []\n").unwrap();
    folder.utfall("repair --dry-run .", "").fails(2, &["utfall.toml:1: "]);
}
