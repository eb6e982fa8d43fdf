//! `utfall convert` and `utfall check` on files: OUT appears whole or not at all, inputs are
//! not written over, and what cannot be read or written is said.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::Stdio;

use crate::common::{self, Folder, program, run, utfall};

#[test]
fn out_is_written_whole() {
    let folder = Folder::with([("in", "é".as_bytes())]);
    folder.utfall("convert -f UTF-8 -t UTF-16LE -o out in", "").quietly_gives("");
    assert_eq!(folder.read("out"), b"\xE9\0");
    // A shorter text leaves nothing of the longer one.
    folder.utfall("convert -f UTF-8 -t ISO-8859-1 -o out in", "").quietly_gives("");
    assert_eq!(folder.read("out"), b"\xE9");
    folder.utfall("convert -f UTF-8 -t UTF-8 -o out", "").quietly_gives("");
    assert_eq!(folder.read("out"), b"");
    assert_eq!(folder.names(), ["in", "out"]);
    folder.utfall("convert -f UTF-8 -t UTF-8 -o - in", "").quietly_gives("é");
    assert_eq!(folder.names(), ["in", "out"]);
}

#[test]
fn out_keeps_its_content_if_the_conversion_fails() {
    let folder = Folder::with([("bad", b"abc\xFF"), ("euro", "5 €".as_bytes()), ("out", b"old")]);
    for (args, status) in [
        ("-f UTF-8 -t UTF-16 -o out bad", 1),
        ("-f UTF-8 -t ISO-8859-1 -o out euro", 3),
        ("-f UTF-8 -t UTF-16 -o out euro nothing", 4),
        ("-f UTF-8 -t klingon -o out euro", 2),
        ("-t UTF-8 -o out bad", 1),
    ] {
        folder.utfall(&format!("convert {args}"), "").fails(status, &[]);
        assert_eq!(folder.read("out"), b"old", "{args}");
        assert_eq!(folder.names(), ["bad", "euro", "out"], "{args}");
    }
}

/// Regression: a pipe was opened twice. Its writer might be gone by then, or its text.
#[cfg(unix)]
#[test]
fn a_pipe_with_a_name_is_opened_once() {
    let folder = Folder::new();
    match std::process::Command::new("mkfifo").arg(folder.path("pipe")).status() {
        Ok(status) if status.success() => {}
        _ => return println!("skipped: no mkfifo"),
    }
    for _ in 0..10 {
        let mut writer = std::process::Command::new("sh");
        let writer = writer.args(["-c", "printf 'été' >\"$0\""]).arg(folder.path("pipe"));
        let mut writer = writer.spawn().unwrap();
        folder.utfall("convert -f UTF-8 -t ISO-8859-1 pipe", "").quietly_gives(b"\xE9t\xE9");
        assert!(writer.wait().unwrap().success());
    }
}

#[test]
fn out_is_not_there_before_the_end() {
    let folder = Folder::with([("out", b"old")]);
    let mut child = folder
        .command()
        .args(["convert", "-f", "UTF-8", "-t", "UTF-8", "-o", "out"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&[b'a'; 400_000]).unwrap();
    assert_eq!(folder.read("out"), b"old");
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(folder.read("out"), [b'a'; 400_000]);
}

#[test]
fn inputs_are_not_written_over() {
    let folder = Folder::with([("in", "é".as_bytes()), ("other", b"x")]);
    let convert = |args: &str| folder.utfall(&format!("convert -f UTF-8 -t UTF-16LE {args}"), "");
    convert("-o in in").fails(2, &["in is the input in; --overwrite-input writes over it"]);
    convert("-o ./in other in").fails(2, &["./in is the input in"]);
    convert("-o in -- other ./in").fails(2, &["in is the input ./in"]);
    assert_eq!(folder.read("in"), "é".as_bytes());
    assert_eq!(folder.names(), ["in", "other"]);

    convert("--overwrite-input -o in other in").quietly_gives("");
    assert_eq!(folder.read("in"), b"x\0\xE9\0");
    // Not even when asked does a failure cost the input.
    convert("--overwrite-input -o in in").fails(1, &["byte 2"]);
    assert_eq!(folder.read("in"), b"x\0\xE9\0");
}

#[cfg(unix)]
#[test]
fn inputs_are_not_written_over_through_links() {
    use std::os::unix::fs::symlink;
    let folder = Folder::with([("in", "é".as_bytes())]);
    symlink("in", folder.path("symbolic")).unwrap();
    symlink("symbolic", folder.path("twice")).unwrap();
    fs::hard_link(folder.path("in"), folder.path("hard")).unwrap();
    let convert = |args: &str| folder.utfall(&format!("convert -f UTF-8 -t UTF-16LE {args}"), "");
    for args in ["-o symbolic in", "-o in twice", "-o twice symbolic", "-o hard in", "-o in hard"] {
        convert(args).fails(2, &["is the input", "--overwrite-input"]);
        assert_eq!(folder.read("in"), "é".as_bytes(), "{args}");
    }
    // Standard input and standard output may be files too.
    let stdin = File::open(folder.path("hard")).unwrap();
    let mut command = folder.command();
    let args = ["convert", "-f", "UTF-8", "-t", "UTF-16LE"];
    let output = command.args(args).args(["-o", "in"]).stdin(stdin).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stdout = File::options().append(true).open(folder.path("in")).unwrap();
    let output = folder.command().args(args).arg("symbolic").stdout(stdout).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("both input and standard output"));
    assert_eq!(folder.read("in"), "é".as_bytes());

    // The link stays a link, and its target is replaced.
    convert("--overwrite-input -o twice in").quietly_gives("");
    assert!(folder.path("twice").is_symlink() && folder.path("symbolic").is_symlink());
    assert_eq!(folder.read("in"), b"\xE9\0");
    assert_eq!(folder.read("hard"), "é".as_bytes());
}

#[cfg(unix)]
#[test]
fn links_to_nothing_and_to_devices() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = Folder::with([("in", b"a")]);
    symlink("new", folder.path("dangling")).unwrap();
    symlink("circle", folder.path("circle")).unwrap();
    let convert = |args: &str| folder.utfall(&format!("convert -f UTF-8 -t UTF-8 {args}"), "");
    convert("-o dangling in").quietly_gives("");
    assert!(folder.path("dangling").is_symlink());
    assert_eq!(folder.read("new"), b"a");
    convert("-o circle in").fails(4, &["cannot write circle"]);
    convert("-o /dev/null in").quietly_gives("");
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[cfg(unix)]
#[test]
fn out_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with([("in", b"a"), ("private", b"p"), ("script", b"s")]);
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    for (name, bits) in [("private", 0o600), ("script", 0o755)] {
        fs::set_permissions(folder.path(name), PermissionsExt::from_mode(bits)).unwrap();
        let run = folder.utfall(&format!("convert -f UTF-8 -t UTF-8 -o {name} in"), "");
        run.quietly_gives("");
        assert_eq!(mode(name), bits, "{name}");
        assert_eq!(folder.read(name), b"a");
    }
    // A new file has those of any new file.
    folder.utfall("convert -f UTF-8 -t UTF-8 -o new in", "").quietly_gives("");
    assert_eq!(mode("new"), mode("in"));
}

#[test]
fn what_cannot_be_read() {
    let folder = Folder::with([("in", b"a")]);
    fs::create_dir(folder.path("folder")).unwrap();
    let utfall = |args: &str| folder.utfall(args, "");
    utfall("convert -f UTF-8 -t UTF-8 nothing")
        .fails(4, &[&format!("cannot open nothing: {}", common::no_such_file())]);
    utfall("convert -f UTF-8 -t UTF-8 folder").fails(2, &["folder is a directory", "--in-place"]);
    utfall("convert -t UTF-8 in folder").fails(2, &["folder is a directory", "--in-place"]);
    utfall("check nothing")
        .fails(4, &[&format!("cannot open nothing: {}", common::no_such_file())]);
    // A directory means the files in it.
    assert_eq!(utfall("check folder in").status, 0);
}

#[test]
fn what_cannot_be_written() {
    let folder = Folder::with([("in", b"a")]);
    fs::create_dir(folder.path("folder")).unwrap();
    let convert = |out: &str| folder.utfall(&format!("convert -f UTF-8 -t UTF-8 -o {out} in"), "");
    convert("nothing/out")
        .fails(4, &[&format!("cannot write nothing/out: {}", common::no_such_folder())]);
    convert("in/out").fails(4, &["cannot write in/out"]);
    convert("folder").fails(4, &["cannot write folder"]);
    convert("folder/").fails(4, &["cannot write folder/"]);
    convert("..").fails(4, &["cannot write .."]);
    if cfg!(target_os = "linux") {
        convert("/proc/out").fails(4, &["cannot write /proc/out"]);
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = folder.command();
        let args = ["convert", "-f", "UTF-8", "-t", "UTF-8", "in"];
        let output = command.args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(4));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("cannot write (standard output): No space left"), "{said}");
    }
    assert_eq!(folder.names(), ["folder", "in"]);
}

#[cfg(unix)]
#[test]
fn folder_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with([("in", b"a"), ("fixed", b"old")]);
    let closed = folder.path("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, PermissionsExt::from_mode(0o555)).unwrap();
    fs::set_permissions(folder.path("fixed"), PermissionsExt::from_mode(0o444)).unwrap();
    if File::create(closed.join("probe")).is_ok() {
        println!("skipped: root may write everywhere");
        return;
    }
    let convert = |out: &str| folder.utfall(&format!("convert -f UTF-8 -t UTF-8 -o {out} in"), "");
    convert("closed/out").fails(4, &["cannot write closed/out: Permission denied"]);
    convert("fixed").fails(4, &["cannot write fixed: Permission denied"]);
    assert_eq!(folder.read("fixed"), b"old");
}

/// The reader reads one byte and exits.
#[test]
fn broken_pipe_is_quiet() {
    let folder = Folder::new();
    fs::write(folder.path("big"), "é".repeat(1 << 20)).unwrap();
    fs::write(folder.path("bad"), b"\xFF\n".repeat(1 << 16)).unwrap();
    for args in
        ["convert -f UTF-8 -t UTF-16LE big", "check --all bad", "check --all --format json bad"]
    {
        let mut child = folder
            .command()
            .args(args.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args}");
        assert_eq!(output.status.code(), Some(0), "{args}");
    }
}

#[test]
fn no_input_at_all() {
    for args in ["convert -f UTF-8 -t UTF-8", "check"] {
        let output = program().args(args.split(' ')).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args}");
        assert!(output.stderr.is_empty());
    }
    // Closed, not empty: the standard library opens /dev/null in its place.
    if cfg!(unix) {
        let script = r#""$0" convert -f UTF-8 -t UTF-16 <&- && "$0" check <&-"#;
        let mut shell = std::process::Command::new("sh");
        let run = run(shell.args(["-c", script]).arg(program().get_program()), "");
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn file_names_that_are_not_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let name = OsStr::from_bytes(b"n\xFFme\n");
    fs::write(folder.path("").join(name), b"\xFF").unwrap();
    let shown = "n\u{FFFD}me\\n";
    let check = run(folder.command().arg("check").arg(name), "");
    assert_eq!(check.status, 1);
    let place = format!("{shown}: line 1, column 1 (byte 0): FF: ");
    assert!(check.text().starts_with(&format!("error[ill-formed]: {place}")), "{check:?}");
    let json = run(folder.command().args(["check", "--format", "json"]).arg(name), "");
    let first: serde_json::Value =
        serde_json::from_str(json.text().lines().next().unwrap()).unwrap();
    assert_eq!(first["file"], shown);
    let args = ["convert", "-f", "UTF-8", "-t", "UTF-8"];
    run(folder.command().args(args).arg(name), "").fails(1, &[shown]);
    let out = OsStr::from_bytes(b"out\xFE");
    run(folder.command().args(args).arg("-o").arg(out), "a").quietly_gives("");
    assert_eq!(fs::read(folder.path("").join(out)).unwrap(), b"a");
}

#[test]
fn dash_is_standard_input() {
    let folder = Folder::with([("-", b"file")]);
    folder.utfall("convert -f UTF-8 -t UTF-8 -", "pipe").quietly_gives("pipe");
    folder.utfall("convert -f UTF-8 -t UTF-8 ./-", "pipe").quietly_gives("file");
    utfall("check -", "pipe").gives(
        "(standard input): well-formed UTF-8; valid by RFC 3629, RFC 2279 and RFC 2044\n\
         total: 1 file, 0 ill-formed, 0 problems\n",
    );
}

#[test]
fn a_large_file_is_the_same_from_several_threads() {
    let text = "nothing but lines: été, 子曰, 😀\n".repeat(240_000);
    let folder = Folder::with([("text", text.as_bytes())]);
    for (from, to, file, out) in [("UTF-8", "UTF-7", "text", "o"), ("UTF-7", "UTF-8", "o1", "p")] {
        for threads in [1, 2, 5] {
            let args = format!("-q --threads {threads} -f {from} -t {to} -o {out}{threads} {file}");
            folder.utfall(&format!("convert {args}"), "").quietly_gives("");
            assert!(folder.read(&format!("{out}{threads}")) == folder.read(&format!("{out}1")));
        }
    }
    assert!(folder.read("p1") == text.as_bytes());

    let mut damaged = folder.read("o1");
    let at = damaged.len() - 100;
    damaged[at] = 0xFF;
    fs::write(folder.path("bad"), damaged).unwrap();
    let errors: Vec<_> = [1, 2, 5]
        .map(|threads| {
            let args = format!("convert --threads {threads} -f UTF-7 -t UTF-8 -o out bad");
            let output = folder.command().args(args.split(' ')).output().unwrap();
            assert_eq!(output.status.code(), Some(1));
            String::from_utf8(output.stderr).unwrap()
        })
        .into();
    assert!(errors[0].contains("line 2399"), "{}", errors[0]);
    assert_eq!((&errors[1], &errors[2]), (&errors[0], &errors[0]));
}

/// As a shell runs `command >>file`.
#[cfg(unix)]
fn appending(folder: &Folder, args: &str, file: &str) -> common::Run {
    let mut command = folder.command();
    let stdout = File::options().append(true).create(true).open(folder.path(file)).unwrap();
    let output =
        command.args(args.split(' ')).stdin(Stdio::null()).stdout(stdout).output().unwrap();
    common::Run {
        status: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// They were replaced, or could not be written.
#[cfg(unix)]
#[test]
fn out_may_be_standard_output() {
    let mojibake = "Les Ã©lÃ¨ves".as_bytes();
    let folder = Folder::with([("in", "é".as_bytes()), ("m", mojibake), ("mail", b"a: b\n\nc")]);
    std::os::unix::fs::symlink("/dev/stdout", folder.path("link")).unwrap();
    for (args, added) in [
        ("convert -f UTF-8 -t ISO-8859-1 -o OUT in", &b"\xE9"[..]),
        ("convert -f UTF-8 -t UTF-16LE --nfd --overwrite-input -o OUT in", b"e\0\x01\x03"),
        ("iconv -f UTF-8 -t ISO-8859-1 -o OUT in", b"\xE9"),
        ("mail -q --extract -o OUT mail", b"a: b\n\nc\n"),
        ("repair -q -o OUT m", "Les élèves".as_bytes()),
    ] {
        for out in ["/dev/stdout", "/dev/fd/1", "link", "-"] {
            let args = args.replace("OUT", out);
            fs::write(folder.path("file"), "before\n").unwrap();
            let run = appending(&folder, &args, "file");
            assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{args}");
            assert_eq!(folder.read("file"), [b"before\n", added].concat(), "{args}");
            // A pipe, too.
            folder.utfall(&args, "").quietly_gives(added);
        }
    }
    assert!(folder.path("link").is_symlink());
    // The report as well, but not together with the text.
    let run = appending(&folder, "repair -q --in-place --report /dev/stdout m", "file");
    assert_eq!(run.status, 0, "{run:?}");
    let report = String::from_utf8(folder.read("file")).unwrap();
    assert!(report.starts_with("before\nLes élèves{\"version\":2,\"type\":\"change\""), "{report}");
    folder.utfall("repair --report /dev/stdout in", "").fails(2, &["is both OUT and REPORT"]);
    assert_eq!(folder.names(), [".state", "file", "in", "link", "m", "mail"]);
}

#[cfg(unix)]
#[test]
fn out_may_be_standard_error() {
    let folder = Folder::with([("in", "é".as_bytes())]);
    let run = folder.utfall("convert -f UTF-8 -t UTF-8 -o /dev/stderr in", "");
    assert_eq!((run.status, run.stderr.as_str(), run.text()), (0, "é", ""));
}

/// As those that a shell passes for `>(cmd)` and `3>file`.
#[cfg(unix)]
#[test]
fn out_may_be_any_descriptor() {
    let folder = Folder::with([("in", "é\n".as_bytes()), ("file", b"old\n")]);
    let shell = |script: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", script]).arg(program().get_program()).current_dir(folder.path(""));
        run(&mut shell, "")
    };
    let convert = r#""$0" convert -f UTF-8 -t UTF-8 -o"#;
    shell(&format!("{convert} /dev/fd/5 in 5>&1 >/dev/null | cat")).quietly_gives("é\n");
    // Each writer goes on where the last one has ended.
    let script = format!("{{ echo a >&5; {convert} /dev/fd/5 in; echo b >&5; }} 5>>file");
    shell(&script).quietly_gives("");
    assert_eq!(folder.read("file"), "old\na\né\nb\n".as_bytes());
    shell(&script.replace(">>file", ">file")).quietly_gives("");
    assert_eq!(folder.read("file"), "a\né\nb\n".as_bytes());
    shell(&format!("{convert} /dev/fd/5 in 5>>in")).fails(2, &["in is both input and /dev/fd/5"]);
    shell(&format!("{convert} /dev/fd/9 in 9>&-")).fails(4, &["cannot write /dev/fd/9"]);
    assert_eq!(folder.names(), ["file", "in"]);
    assert_eq!(folder.read("in"), "é\n".as_bytes());
}

/// `explain f >>f` went on until the disk was full.
#[cfg(unix)]
#[test]
fn output_that_is_input_is_refused() {
    let text = "From: a\n\nLes Ã©lÃ¨ves\n".as_bytes();
    let folder = Folder::with([("in", text), ("other", b"x\n")]);
    for args in [
        "explain in",
        "explain --mail --format json other in",
        "check --all in",
        "check --format sarif other in",
        "check --concealed in",
        "detect in",
        "detect other in",
        "cost other in",
        "mail in",
        "mail --extract in",
        "repair in",
        "repair --diff in",
        "repair --dry-run other in",
        "repair --in-place in",
        "convert -f UTF-8 -t UTF-16 in",
        "convert -f UTF-8 -t UTF-16 --in-place in",
        "convert -f UTF-8 -t UTF-16 --output-dir made in",
        "convert -t UTF-8 --dry-run in",
    ] {
        let run = appending(&folder, args, "in");
        run.fails(2, &["error: in is both input and standard output"]);
        assert!(folder.read("in") == text, "{args}");
    }
    appending(&folder, "iconv -f UTF-8 -t UTF-16 in", "in").fails(1, &["both input and standard"]);
    // Standard input is an input as well.
    let shell = |script: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", script]).arg(program().get_program()).current_dir(folder.path(""));
        run(&mut shell, "")
    };
    for args in ["explain", "check", "check --concealed", "detect", "cost", "mail", "repair --diff"]
    {
        let run = shell(&format!("\"$0\" {args} <in >>in"));
        run.fails(2, &["(standard input) is both input and standard output"]);
    }
    shell(r#""$0" imap-name <in >>in"#).fails(2, &["both input and standard output"]);
    let run = shell(r#""$0" imap-name --check <in 2>>in"#);
    assert_eq!(run.status, 2, "{run:?}");
    let said = folder.read("in").split_off(text.len());
    assert_eq!(said, b"error: (standard input) is both input and standard error\n");
    assert_eq!(folder.names(), ["in", "other"]);
}

/// `check . >report.txt` reported on its own report.
#[cfg(unix)]
#[test]
fn the_report_in_a_tree_is_skipped() {
    for args in [
        "check tree",
        "check --concealed tree",
        "detect tree",
        "repair --dry-run tree",
        "repair --in-place tree",
        "convert -f UTF-8 -t UTF-16 --dry-run tree",
        "convert -f UTF-8 -t UTF-16 --in-place tree",
        "convert -f UTF-8 -t UTF-16 --output-dir made tree",
    ] {
        let folder = Folder::new();
        fs::create_dir(folder.path("tree")).unwrap();
        fs::write(folder.path("tree/text"), "Les Ã©lÃ¨ves\n").unwrap();
        fs::write(folder.path("tree/report"), "Ã©\n").unwrap();
        let run = appending(&folder, args, "tree/report");
        let warning = "warning: skipped tree/report: it is also standard output\n";
        assert!(run.stderr.contains(warning), "{args}: {run:?}");
        let report = String::from_utf8(folder.read("tree/report")).unwrap();
        assert!(report.starts_with("Ã©\n") && !report.contains("tree/report"), "{args}: {report}");
    }
}
