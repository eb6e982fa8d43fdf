//! Files and directories that cannot be read or written, that are none, or whose names are odd;
//! and what else a program finds where it is run.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use crate::common::{Folder, Run, program, run};

const UTF16: &[u8] = b"\xFF\xFEc\0a\0f\0\xE9\0\n\0";
const BROKEN: &[u8] = "Les Ã©lÃ¨ves\n".as_bytes();

fn mode(folder: &Folder, name: &str, mode: u32) {
    fs::set_permissions(folder.path(name), PermissionsExt::from_mode(mode)).unwrap();
}

/// The program as somebody for whom permissions count. `None`, with the reason printed, if there
/// is nobody.
fn as_nobody(folder: &Folder) -> Option<Command> {
    let mut command = folder.command();
    let probe = folder.path("probe");
    fs::write(&probe, "").unwrap();
    fs::set_permissions(&probe, PermissionsExt::from_mode(0o0)).unwrap();
    let counts = File::open(&probe).is_err();
    fs::remove_file(&probe).unwrap();
    if counts {
        return Some(command);
    }
    // Where everybody can get at it.
    let copy = folder.path(".utfall-program");
    if !copy.exists() {
        // By another process: if this one had it open for writing, one that another test starts could
        // inherit it, and it could not be run.
        let copied = Command::new("cp").arg(program().get_program()).arg(&copy).status();
        assert!(copied.unwrap().success());
        mode(folder, ".utfall-program", 0o755);
        mode(folder, "", 0o777);
    }
    let ids = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let mut setpriv = Command::new("setpriv");
    let can = setpriv.args(ids).arg(&copy).arg("--version").output();
    if !can.is_ok_and(|output| output.status.success()) {
        println!("skipped: root may read everything, and there is no setpriv to be somebody else");
        return None;
    }
    command = Command::new("setpriv");
    command.args(ids).arg(copy).current_dir(folder.path(""));
    command.env("UTFALL_STATE_DIR", folder.path("state"));
    Some(command)
}

fn nobody(folder: &Folder, args: &str) -> Option<Run> {
    Some(run(as_nobody(folder)?.args(args.split_whitespace()), ""))
}

#[test]
fn what_may_not_be_read() {
    let folder = Folder::with([("a", UTF16), ("closed", UTF16)]);
    fs::create_dir_all(folder.path("tree/closed")).unwrap();
    fs::write(folder.path("tree/closed/x.txt"), UTF16).unwrap();
    fs::write(folder.path("tree/y.txt"), UTF16).unwrap();
    for name in ["tree", "tree/y.txt", "a"] {
        mode(&folder, name, 0o777);
    }
    mode(&folder, "closed", 0o0);
    mode(&folder, "tree/closed", 0o0);
    for args in [
        "convert -f UTF-16 -t UTF-8 closed",
        "convert -f UTF-16 -t UTF-8 -o out closed",
        "convert -f detect -t UTF-8 closed",
        "convert -t UTF-8 --in-place closed",
        "convert -t UTF-8 --dry-run tree",
        "check closed",
        "check tree",
        "check --format json tree",
        "check --concealed closed",
        "repair closed",
        "repair --in-place closed",
        "repair --dry-run tree",
        "repair --undo closed a",
        "explain closed",
        "detect closed",
        "detect tree",
        "mail closed",
        "cost closed",
        "iconv -f UTF-16 -t UTF-8 closed",
        "convert -t UTF-8 --in-place --manifest closed",
    ] {
        let Some(run) = nobody(&folder, args) else { return };
        assert_eq!(run.status, if args.starts_with("iconv") { 1 } else { 4 }, "{args}: {run:?}");
        let said = format!("{}{}", run.stderr, run.text());
        assert!(said.contains("closed") && said.contains("Permission denied"), "{args}: {run:?}");
        assert!(!folder.path("out").exists(), "{args}");
    }
    // The rest of a tree is not left out for that.
    let run = nobody(&folder, "convert -t UTF-8 --in-place tree").unwrap();
    assert_eq!(run.status, 4, "{run:?}");
    assert_eq!(folder.read("tree/y.txt"), "café\n".as_bytes());
    mode(&folder, "tree/closed", 0o755);
    assert_eq!(folder.read("tree/closed/x.txt"), UTF16);
}

#[test]
fn what_may_not_be_written() {
    let folder = Folder::with([("a", BROKEN), ("fixed", BROKEN)]);
    fs::create_dir(folder.path("closed")).unwrap();
    fs::write(folder.path("closed/x"), BROKEN).unwrap();
    mode(&folder, "fixed", 0o444);
    mode(&folder, "closed", 0o555);
    for args in [
        "convert -f UTF-8 -t UTF-16 -o fixed a",
        "convert -f UTF-8 -t UTF-16 -o closed/out a",
        "convert -t UTF-16 --in-place fixed",
        "convert -t UTF-16 --in-place --no-undo closed",
        "convert -t UTF-16 --output-dir closed/new a",
        "repair -o closed/out a",
        "repair --report closed/report a",
        "repair --in-place fixed",
        "repair --in-place=.old closed",
        "mail -o closed/out a",
        "iconv -f UTF-8 -t UTF-16 -o closed/out a",
        "generate man closed/man",
    ] {
        let Some(run) = nobody(&folder, args) else { return };
        assert_eq!(run.status, if args.starts_with("iconv") { 1 } else { 4 }, "{args}: {run:?}");
        let said = format!("{}{}", run.stderr, run.text());
        assert!(said.contains("Permission denied"), "{args}: {run:?}");
        let is_named = said.contains("closed") || said.contains("fixed");
        assert!(is_named, "{args}: {run:?}");
        let leftovers = fs::read_dir(folder.path("closed")).unwrap().count();
        assert_eq!(
            (leftovers, folder.read("fixed"), folder.read("closed/x")),
            (1, BROKEN.into(), BROKEN.into())
        );
    }
    // Nor may originals be kept.
    fs::create_dir(folder.path("state")).unwrap();
    mode(&folder, "state", 0o555);
    mode(&folder, "a", 0o666);
    for args in ["convert -t UTF-16 --in-place a", "repair --in-place a"] {
        let run = nobody(&folder, args).unwrap();
        assert_eq!((run.status, folder.read("a")), (4, BROKEN.to_vec()), "{args}: {run:?}");
        let said = format!("{}{}", run.stderr, run.text());
        assert!(said.contains("Permission denied") && said.contains("keep"), "{args}: {run:?}");
    }
}

#[test]
fn a_read_only_file_system() {
    let folder = Folder::with([]);
    fs::create_dir(folder.path("fixed")).unwrap();
    let mount = |args: &[&str]| {
        let mut mount = Command::new("mount");
        let mount = mount.args(args).arg(folder.path("fixed"));
        mount.stderr(std::process::Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if !mount(&["-t", "tmpfs", "tmpfs"]) {
        println!("skipped: no file system may be mounted here");
        return;
    }
    fs::write(folder.path("fixed/a"), BROKEN).unwrap();
    let is_fixed = mount(&["-o", "remount,ro"]);
    let mut wrong = Vec::new();
    for args in [
        "convert -f UTF-8 -t UTF-16 -o fixed/out fixed/a",
        "convert -f UTF-8 -t UTF-16 --overwrite-input -o fixed/a fixed/a",
        "convert -t UTF-16 --in-place fixed",
        "convert -t UTF-16 --output-dir fixed/new fixed/a",
        "repair --in-place fixed/a",
        "repair -q --report fixed/report fixed/a",
        "mail -o fixed/out fixed/a",
        "generate man fixed",
    ] {
        let run = folder.utfall(args, "");
        let said = format!("{}{}", run.stderr, run.text());
        if run.status != 4 || !said.contains("Read-only file system") || !said.contains("fixed/") {
            wrong.push(format!("{args}: {run:?}"));
        }
    }
    let reads = folder.utfall("check fixed", "").status;
    _ = Command::new("umount").arg(folder.path("fixed")).status();
    assert!(is_fixed && wrong.is_empty() && reads == 0, "{}", wrong.join("\n"));
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Pipes, sockets and devices among the files of a tree are none of them; nobody waits for one.
#[test]
fn what_is_no_file() {
    let folder = Folder::with([]);
    fs::create_dir(folder.path("tree")).unwrap();
    fs::write(folder.path("tree/a.txt"), BROKEN).unwrap();
    pipe(&folder.path("tree/pipe"));
    let _socket = UnixListener::bind(folder.path("tree/socket")).unwrap();
    symlink("/dev/zero", folder.path("tree/zero")).unwrap();
    symlink("pipe", folder.path("tree/link")).unwrap();
    symlink("nothing", folder.path("tree/dangling")).unwrap();
    for args in [
        "check tree",
        "check --follow -q tree",
        "detect --min-confidence 0 tree",
        "repair --dry-run tree",
        "repair --in-place=.old --follow tree",
        "convert -t UTF-8 --in-place --follow tree",
        "convert -t UTF-16 --output-dir made tree",
    ] {
        let run = folder.utfall(args, "");
        let dangles = args.contains("--follow");
        assert!(run.status == 4 && dangles || run.status < 2, "{args}: {run:?}");
        let said = format!("{}{}", run.stderr, run.text());
        assert!(!dangles || said.contains("dangling"), "{args}: {run:?}");
        for name in ["pipe", "socket", "zero"] {
            assert!(!said.contains(&format!("tree/{name}")), "{args}: {run:?}");
        }
    }
    // Named files are not replaced.
    for name in ["tree/pipe", "tree/link", "tree/socket", "tree/zero", "/dev/null"] {
        for args in ["convert -t UTF-8 --in-place", "repair --in-place", "repair --in-place=.old"] {
            let run = folder.utfall(&format!("{args} {name}"), "");
            let said = format!("{}{}", run.stderr, run.text());
            assert_eq!(run.status, 4, "{args} {name}: {run:?}");
            assert!(said.contains("not a regular file"), "{args} {name}: {run:?}");
        }
    }
    folder.utfall("check tree/socket", "").fails(4, &["cannot open tree/socket"]);
    // A pipe would be waited for; a directory is none.
    pipe(&folder.path("tree/.ignore"));
    let run = folder.utfall("check tree", "");
    run.fails(4, &["tree/.ignore", "not a regular file"]);
    fs::remove_file(folder.path("tree/.ignore")).unwrap();
    fs::create_dir(folder.path("tree/.ignore")).unwrap();
    assert_eq!(folder.utfall("check tree", "").status, 0);
}

#[test]
fn a_directory_in_the_place_of_a_file() {
    let folder = Folder::with([("a", BROKEN)]);
    fs::create_dir(folder.path("d")).unwrap();
    for (args, status) in [
        ("convert -f UTF-8 -t UTF-16 d", 2),
        ("convert -f UTF-8 -t UTF-16 -o d a", 4),
        ("convert -t UTF-8 --in-place --manifest d", 4),
        ("repair d", 4),
        ("repair -o d a", 4),
        ("repair --report d a", 4),
        ("repair --undo d a", 4),
        ("explain d", 4),
        ("mail d", 4),
        ("mail -o d a", 4),
        ("cost d", 4),
        ("check --concealed --mail d", 2),
        ("iconv -f UTF-8 -t UTF-16 d", 1),
        ("iconv -f UTF-8 -t UTF-16 -o d a", 1),
        ("generate man a", 4),
    ] {
        let run = folder.utfall(args, "");
        assert_eq!(run.status, status, "{args}: {run:?}");
        let said = format!("{}{}", run.stderr, run.text());
        assert!(
            args.starts_with("check")
                || said.contains(" d")
                || said.contains(" a")
                || said.contains("a:"),
            "{args}: {run:?}"
        );
        assert_eq!(
            (folder.names(), folder.read("a")),
            (vec!["a".into(), "d".into()], BROKEN.to_vec()),
            "{args}"
        );
    }
}

/// An ignore file that cannot be read might name any file beside it, so none of them is touched.
#[test]
fn ignore_files_that_cannot_be_read() {
    for name in [".gitignore", ".ignore", ".utfallignore"] {
        for at in ["tree", "tree/below"] {
            let folder = Folder::with([]);
            fs::create_dir_all(folder.path("tree/below")).unwrap();
            // Elsewhere `.gitignore` means nothing.
            fs::create_dir(folder.path(".git")).unwrap();
            for file in ["tree/a.txt", "tree/below/b.txt"] {
                fs::write(folder.path(file), UTF16).unwrap();
            }
            // Root cannot read it either.
            symlink(name, folder.path(at).join(name)).unwrap();
            let run = folder.utfall("convert -t UTF-8 --in-place tree", "");
            run.fails(4, &[]);
            let said = format!("{at}/{name}: cannot read: ");
            assert!(run.text().contains(&said), "{run:?}");
            let below = if at == "tree" { UTF16 } else { "café\n".as_bytes() };
            assert_eq!(
                (&*folder.read("tree/a.txt"), &*folder.read("tree/below/b.txt")),
                (below, UTF16)
            );
            folder.utfall("check tree", "").fails(4, &[&format!("{at}/{name}")]);
            let run = folder.utfall("convert -t UTF-8 --in-place --no-ignore tree", "");
            assert_eq!((run.status, &*folder.read("tree/below/b.txt")), (0, "café\n".as_bytes()));
        }
    }
}

#[test]
fn links_in_circles() {
    let folder = Folder::with([("a", BROKEN)]);
    fs::create_dir(folder.path("tree")).unwrap();
    fs::write(folder.path("tree/a.txt"), UTF16).unwrap();
    symlink("../tree", folder.path("tree/again")).unwrap();
    symlink("circle", folder.path("circle")).unwrap();
    for args in [
        "convert -t UTF-8 --in-place --follow tree",
        "check --follow tree",
        "repair --dry-run --follow tree",
        "detect --follow tree",
    ] {
        let run = folder.utfall(args, "");
        let said = format!("{}{}", run.stderr, run.text());
        assert!(run.status == 4 && said.contains("tree/again"), "{args}: {run:?}");
    }
    assert_eq!(folder.read("tree/a.txt"), "café\n".as_bytes());
    for args in [
        "convert -f UTF-8 -t UTF-16 circle",
        "convert -f UTF-8 -t UTF-16 -o circle a",
        "convert -t UTF-16 --in-place circle",
        "check circle",
        "repair --in-place circle",
        "repair --report circle a",
        "explain circle",
        "detect circle",
        "mail circle",
        "cost circle",
        "convert -t UTF-16 --in-place --manifest circle",
    ] {
        let run = folder.utfall(args, "");
        let said = format!("{}{}", run.stderr, run.text());
        assert!(run.status == 4 && said.contains("circle"), "{args}: {run:?}");
    }
    assert_eq!(folder.read("a"), BROKEN);
}

/// As long as file systems allow, and longer.
#[test]
fn long_names() {
    let (long, longest, deep) = ("n".repeat(240), "n".repeat(255), "d/".repeat(3000));
    let folder = Folder::with([(&long, UTF16), (&longest, UTF16)]);
    let utfall = |args: &str| folder.utfall(args, "");
    utfall(&format!("convert -f UTF-16 -t UTF-8 -o {longest} {long}")).quietly_gives("");
    assert_eq!(folder.read(&longest), "café\n".as_bytes());
    assert_eq!(utfall(&format!("convert -t UTF-8 --in-place {long}")).status, 0);
    assert_eq!(utfall("undo").status, 0);
    let suffix = ".a-suffix-that-is-long";
    for name in [&longest, &long] {
        fs::write(folder.path(name), UTF16).unwrap();
        let run = utfall(&format!("convert -t UTF-8 --in-place={suffix} {name}"));
        assert_eq!((run.status, &*folder.read(name)), (4, UTF16), "{run:?}");
        assert!(run.text().contains("cannot keep the original: File name too long"), "{run:?}");
    }
    for args in ["check", "detect", "cost", "mail", "repair", "repair --in-place"] {
        for name in [&format!("{longest}n"), &deep] {
            let run = utfall(&format!("{args} {name}"));
            run.fails(4, &["File name too long"]);
        }
    }
    utfall(&format!("convert -f UTF-16 -t UTF-8 -o {longest}n {long}")).fails(4, &["too long"]);
    assert_eq!(folder.names().len(), 3, "{:?}", folder.names());
}

/// A path that is longer than the system takes at once is walked to all the same, or said to be too
/// long.
#[test]
fn a_deep_tree() {
    let folder = Folder::with([]);
    let name = "d".repeat(200);
    let mut shell = Command::new("sh");
    let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
        mkdir \"$0\" && cd -P \"$0\" && printf 'caf\\303\\251\\n' >a.txt || exit 1; done";
    let made = shell.args(["-c", script, &name]).current_dir(folder.path("")).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: this shell makes no tree so deep");
        return;
    }
    for args in
        ["check", "detect --min-confidence 0", "repair --dry-run", "convert -t UTF-16 --in-place"]
    {
        let run = folder.utfall(&format!("{args} {name}"), "");
        let said = format!("{}{}", run.stderr, run.text());
        assert!(run.status == 4 && said.contains("File name too long"), "{args}: {}", run.status);
    }
    // What removes the folder does so from within.
    _ = Command::new("rm").arg("-rf").arg(folder.path(&name)).status();
}

/// No home directory, no temporary directory, a wrong clock.
#[test]
fn odd_surroundings() {
    let folder = Folder::with([("a", BROKEN)]);
    let mut command = folder.command();
    let state = folder.path(".state");
    command.env_clear().env("UTFALL_STATE_DIR", &state).env("TMPDIR", "/nowhere");
    let run_in = |command: &mut Command| {
        let run = run(command, "");
        assert_eq!(run.status, 0, "{run:?}");
    };
    run_in(command.args(["convert", "-t", "UTF-16", "--in-place", "a"]));
    let mut command = folder.command();
    run_in(command.env_clear().env("UTFALL_STATE_DIR", &state).arg("undo"));
    assert_eq!(folder.read("a"), BROKEN);
    for seconds in ["-5", "0", "4102444800", "999999999999", "9223372036854775807"] {
        let mut command = folder.command();
        let Some(command) = super::shim::load(&mut command) else { return };
        command.env("FAULTS_CLOCK", seconds);
        run_in(command.args(["convert", "-t", "UTF-16", "--in-place", "a"]));
        let list = folder.utfall("undo --list", "");
        assert!(list.status == 0 && list.text().contains("Z  to UTF-16  1 file"), "{list:?}");
        assert_eq!(folder.utfall("undo", "").status, 0);
        assert_eq!(folder.read("a"), BROKEN);
    }
}

/// A journal that says what no run wrote, although its checks are right.
#[test]
fn journals_that_are_wrong() {
    for (line, shown, status) in [
        (
            r#"{"type":"run","version":1,"time":18446744073709551615,"folder":"/x","to":"UTF-8""#,
            "9999-12-31T23:59:59Z",
            0,
        ),
        (
            r#"{"type":"run","version":1,"time":0,"folder":"/\u001b[31mx","to":"\u001b[31m""#,
            r"\u{1b}[31m",
            0,
        ),
        (r#"{"type":"run","version":1,"time":-1,"folder":"/x","to":"UTF-8""#, "1970-01-01", 4),
        ("\u{0}\u{0}\u{0}", "1970-01-01", 4),
    ] {
        let folder = Folder::with([]);
        fs::create_dir_all(folder.path(".state/undo/1")).unwrap();
        let check = twox_hash::XxHash3_128::oneshot_with_seed(1, line.as_bytes());
        let line = format!("{line},\"check\":\"{check:032x}\"}}\n");
        fs::write(folder.path(".state/undo/1/journal.jsonl"), &line).unwrap();
        for args in ["undo --list", "undo --list --format json"] {
            let run = folder.utfall(args, "");
            assert_eq!((run.status, run.text().contains('\u{1b}')), (0, false), "{args}: {run:?}");
            assert!(args.contains("json") || run.text().contains(shown), "{line}: {run:?}");
        }
        assert_eq!(folder.utfall("undo", "").status, status, "{line}");
        assert_eq!(folder.path(".state/undo/1").exists(), status > 0, "{line}");
    }
}
