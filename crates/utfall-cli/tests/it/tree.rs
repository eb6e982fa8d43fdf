//! `utfall convert` on many files, each converted separately.

use std::fs;
use std::path::Path;

use crate::common::{self, Folder, Run, slashes};

/// A folder with files in several encodings.
fn tree() -> Folder {
    let folder = Folder::with([
        ("ascii", b"plain\n"),
        ("latin", b"caf\xE9\n"),
        ("marked", b"\xEF\xBB\xBFna\xC3\xAFve\n"),
        ("utf16", b"\xFF\xFEn\0a\0\xEF\0v\0e\0\n\0"),
        ("utf8", "naïve\n".as_bytes()),
        ("picture", b"\x89PNG\0\0\0\r"),
        (".hidden", b"\xFF\xFEa\0"),
    ]);
    fs::create_dir_all(folder.path("sub/deep")).unwrap();
    fs::write(folder.path("sub/deep/utf16"), b"\xFE\xFF\0a\0\n").unwrap();
    fs::write(folder.path("sub/ignored"), b"\xFF\xFEa\0").unwrap();
    fs::write(folder.path("sub/.ignore"), "ignored\n").unwrap();
    folder
}

fn convert(folder: &Folder, args: &str) -> Run {
    folder.utfall(&format!("convert -t UTF-8 {args}"), "")
}

/// The last line but that about undo.
fn total(run: &Run) -> &str {
    run.text().lines().find(|line| line.starts_with("total:")).unwrap()
}

#[track_caller]
fn has(folder: &Folder, name: &str, bytes: &[u8]) {
    let there = folder.read(name);
    assert_eq!(
        there,
        bytes,
        "{name}: {} instead of {}",
        there.escape_ascii(),
        bytes.escape_ascii()
    );
}

#[test]
fn in_place() {
    let folder = tree();
    let run = convert(&folder, "--in-place .");
    let expected = "./latin: skipped: cannot tell the encoding; best guess: windows-1252 (95 %), or windows-1251; try -f detect, --manifest or `-f windows-1252`
total: 7 files, 3 converted, 2 unchanged, 1 binary, 1 of unknown encoding
run 1: 3 originals kept (30 bytes); to revert: utfall undo 1; to delete them: utfall undo --forget 1
";
    assert_eq!((run.status, &*slashes(run.text()), &*run.stderr), (1, expected, ""));
    for (name, bytes) in [
        ("ascii", &b"plain\n"[..]),
        ("latin", b"caf\xE9\n"),
        ("marked", "naïve\n".as_bytes()),
        ("utf16", "naïve\n".as_bytes()),
        ("utf8", "naïve\n".as_bytes()),
        ("picture", b"\x89PNG\0\0\0\r"),
        (".hidden", b"\xFF\xFEa\0"),
        ("sub/deep/utf16", b"a\n"),
        ("sub/ignored", b"\xFF\xFEa\0"),
    ] {
        has(&folder, name, bytes);
    }
    // Again, nothing is written, not even the same.
    let modified = |name: &str| fs::metadata(folder.path(name)).unwrap().modified().unwrap();
    let before = modified("utf16");
    let run = convert(&folder, "--in-place .");
    assert_eq!(
        total(&run),
        "total: 7 files, 0 converted, 5 unchanged, 1 binary, 1 of unknown encoding"
    );
    assert!(!run.text().contains("undo"));
    assert_eq!(modified("utf16"), before);
    assert!(!folder.path(".state/undo/2").exists());
}

#[test]
fn text_in_the_target_encoding_is_changed_by_named_options() {
    let folder = Folder::with([("windows", b"a\r\n"), ("utf16", b"\xFF\xFEa\0\r\0\n\0")]);
    let run = convert(&folder, "--newline lf --nfc --check .");
    run.fails(1, &[]);
    for line in [
        "./utf16: would be converted: UTF-16LE to UTF-8 (by its BOM)",
        "./windows: would be converted: UTF-8, with --newline lf --nfc (valid)",
    ] {
        assert!(run.text().lines().any(|it| it == line), "{}", run.text());
    }
}

#[test]
fn text_in_none_of_the_expected_encodings_is_not_binary() {
    let folder = Folder::with([("german", b"Stra\xDFe \x93K\xF6ln\x94, f\xFCr 5 \x80\n")]);
    let run = convert(&folder, "-f detect --expect ISO-8859-1 --check .");
    run.fails(1, &[]);
    assert!(run.text().contains("./german: skipped: cannot tell the encoding"), "{run:?}");
}

#[test]
fn lists_may_be_written_on_windows() {
    let folder = Folder::with([
        ("latin", b"caf\xE9\n"),
        ("list", b"\xEF\xBB\xBFlatin\r\n"),
        ("manifest", b"\xEF\xBB\xBFlatin\twindows-1252\r\n"),
    ]);
    let run = convert(&folder, "-f latin1 --files-from list --check");
    assert!(run.text().starts_with("latin: would be converted"), "{run:?}");
    let run = convert(&folder, "--manifest manifest --check");
    assert!(run.text().starts_with("latin: would be converted"), "{run:?}");
}

#[test]
fn a_charset_gets_no_bom() {
    let folder = Folder::with([("marked", b"\xEF\xBB\xBFhi\n")]);
    folder.utfall("convert -t latin1 --bom add marked", "").gives("hi\n");
}

#[test]
fn dry_run_says_what_a_run_does_and_writes_nothing() {
    let folder = tree();
    let run = convert(&folder, "--dry-run .");
    let expected = "./ascii: unchanged: UTF-8 (valid)
./latin: skipped: cannot tell the encoding; best guess: windows-1252 (95 %), or windows-1251; try -f detect, --manifest or `-f windows-1252`
./marked: would be converted: UTF-8 to UTF-8 (by its BOM)
./picture: skipped: binary
./sub/deep/utf16: would be converted: UTF-16BE to UTF-8 (by its BOM)
./utf16: would be converted: UTF-16LE to UTF-8 (by its BOM)
./utf8: unchanged: UTF-8 (valid)
total: 7 files, 3 to be converted, 2 unchanged, 1 binary, 1 of unknown encoding
";
    assert_eq!((run.status, &*slashes(run.text())), (1, expected));
    let run = convert(&folder, "--dry-run --in-place=.old .");
    assert_eq!(slashes(run.text()), expected);
    has(&folder, "utf16", b"\xFF\xFEn\0a\0\xEF\0v\0e\0\n\0");
    assert!(!folder.path(".state").exists() && !folder.path("utf16.old").exists());
}

#[test]
fn every_problem_is_reported_and_the_worst_counts() {
    let folder =
        Folder::with([("bad", b"a\nb\xFF"), ("euro", "5 €".as_bytes()), ("good", "é".as_bytes())]);
    let convert = |args: &str| folder.utfall(&format!("convert -f UTF-8 -t latin1 {args}"), "");
    let run = convert("--in-place bad euro good");
    let expected =
        "bad: skipped: line 2, column 2 (byte 3): FF: byte that never appears in UTF-8 (RFC 3629 §1: C0, C1 and F5 to FF never appear)
euro: skipped: line 1, column 3 (byte 2): E2 82 AC: U+20AC \"€\" cannot be encoded in ISO-8859-1 (ISO/IEC 8859-1: 256 characters, 00 to FF)
total: 3 files, 1 converted, 0 unchanged, 1 invalid, 1 not encodable
run 1: 1 original kept (2 bytes); to revert: utfall undo 1; to delete them: utfall undo --forget 1
";
    assert_eq!((run.status, run.text()), (1, expected));
    has(&folder, "bad", b"a\nb\xFF");
    has(&folder, "euro", "5 €".as_bytes());
    has(&folder, "good", b"\xE9");
    assert_eq!(convert("--dry-run euro").status, 3);
    let run = convert("--dry-run bad euro nothing");
    assert_eq!(run.status, 4);
    let reason = format!("nothing: cannot read: {}", common::no_such_file());
    assert!(run.text().starts_with(&reason), "{run:?}");
}

#[test]
fn policies_and_only_if_lossless() {
    let folder = Folder::with([("bad", b"b\xFF"), ("euro", "5 €".as_bytes())]);
    let convert = |args: &str| {
        let args = format!("convert -f UTF-8 -t latin1 --on-error replace {args} bad euro");
        folder.utfall(&args, "")
    };
    let run = convert("--in-place --only-if lossless");
    let expected = "bad: skipped: 1 invalid sequence would be lost
euro: skipped: 1 character not in ISO-8859-1 would be lost
total: 2 files, 0 converted, 0 unchanged, 2 lossy
";
    assert_eq!((run.status, run.text()), (3, expected));
    let run = convert("--in-place");
    assert_eq!(run.status, 0);
    assert!(
        run.text().contains("euro: converted: UTF-8 to ISO-8859-1; replaced: 1 character not in")
    );
    has(&folder, "euro", b"5 ?");
}

#[test]
fn only_if_needed() {
    let folder = Folder::with([("old", b"caf\xE9"), ("new", "café".as_bytes())]);
    let run = convert(&folder, "-f latin1 --in-place --no-undo --only-if needed -v old new");
    assert!(run.text().contains("new: unchanged: already UTF-8, it seems\n"), "{run:?}");
    for _ in 0..2 {
        has(&folder, "old", "café".as_bytes());
        has(&folder, "new", "café".as_bytes());
        convert(&folder, "-f latin1 --in-place --no-undo --only-if needed old new");
    }
    let run = convert(&folder, "-f latin1 --in-place --no-undo new");
    assert!(run.text().contains("new: skipped: already UTF-8; "), "{run:?}");
    has(&folder, "new", "café".as_bytes());
    convert(&folder, "-f latin1 --in-place --no-undo --force new");
    has(&folder, "new", "cafÃ©".as_bytes());
}

#[test]
fn manifests() {
    let folder = tree();
    fs::create_dir(folder.path("lists")).unwrap();
    let list = folder.path("lists/m");
    fs::write(&list, "../latin\tlatin1\r\n\n../utf16\tUTF-16\n../sub/deep/utf16\tutf-16\n")
        .unwrap();
    let run = convert(&folder, "--in-place --manifest lists/m -v");
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.text().contains("latin: converted: ISO-8859-1 to UTF-8 (from the manifest)"));
    has(&folder, "latin", "café\n".as_bytes());
    // The result of a run is no longer in the encoding that the manifest gives.
    let run = convert(&folder, "--in-place --manifest lists/m -v");
    assert!(run.text().contains("latin: unchanged: converted by run 1"), "{run:?}");
    has(&folder, "latin", "café\n".as_bytes());
    let run = convert(&folder, "--in-place --manifest lists/m .");
    assert_eq!(total(&run), "total: 8 files, 1 converted, 6 unchanged, 1 binary");
    fs::write(folder.path("latin"), "garçon\n").unwrap();
    convert(&folder, "--in-place --manifest lists/m latin");
    has(&folder, "latin", "garÃ§on\n".as_bytes());
    convert(&folder, "--in-place --manifest lists/m --again latin");
    assert_ne!(folder.read("latin"), "garÃ§on\n".as_bytes());

    for (text, said) in [
        ("a latin1\n", "lists/m:1: expected PATH, a tab and ENCODING"),
        ("\na\tklingon\n", "lists/m:2: unknown encoding \"klingon\""),
        ("../latin\tutf-8\n../sub/../latin\tlatin1", "lists/m:2: an earlier line says UTF-8"),
    ] {
        fs::write(&list, text).unwrap();
        convert(&folder, "--dry-run --manifest lists/m").fails(2, &[said]);
    }
    convert(&folder, "--dry-run --manifest lists/nothing").fails(4, &["cannot read lists/nothing"]);
}

/// Also to encodings that do not show.
#[test]
fn a_second_run_changes_nothing() {
    for to in ["UTF-8", "UTF-16", "UTF-16LE", "UTF-32", "UTF-7", "UTF-7-IMAP", "GB18030", "SCSU"] {
        let folder = Folder::with([
            ("marked", b"\xFF\xFEa\0+\0\xE9\0"),
            ("plain", b"1 + 1 & more\n"),
            ("utf8", "naïve + ☺\n".as_bytes()),
        ]);
        let convert =
            || folder.utfall(&format!("convert -t {to} --in-place marked plain utf8"), "");
        let read = || ["marked", "plain", "utf8"].map(|name| folder.read(name));
        assert_eq!(convert().status, 0, "{to}");
        let first = read();
        let again = convert();
        assert!(again.text().contains(" 0 converted, 3 unchanged"), "{to}: {again:?}");
        assert_eq!(read(), first, "{to}");
    }
}

#[test]
fn backups() {
    let folder = tree();
    let run = convert(&folder, "--in-place=.old utf16 marked");
    run.gives("total: 2 files, 2 converted, 0 unchanged\n");
    has(&folder, "utf16.old", b"\xFF\xFEn\0a\0\xEF\0v\0e\0\n\0");
    assert!(!folder.path(".state").exists());
    // One that is there is not written over, and none is converted with its directory.
    fs::write(folder.path("utf16"), b"\xFF\xFEb\0").unwrap();
    let run = convert(&folder, "--in-place=.old .");
    let said = slashes(run.text());
    assert!(
        said.contains("./utf16: cannot keep the original: ")
            && said.contains("utf16.old exists already"),
        "{said}"
    );
    assert_eq!((run.status, folder.read("utf16")), (4, b"\xFF\xFEb\0".to_vec()));
    has(&folder, "utf16.old", b"\xFF\xFEn\0a\0\xEF\0v\0e\0\n\0");
    for suffix in ["/x", "a/b"] {
        convert(&folder, &format!("--in-place={suffix} utf16")).fails(2, &["SUFFIX"]);
    }
}

#[test]
fn to_another_tree() {
    let folder = tree();
    let run = convert(&folder, "--output-dir out/new . -g !latin");
    let all = "total: 6 files, 5 converted, 0 unchanged, 1 binary\n";
    assert_eq!(slashes(run.text()), format!("./picture: skipped: binary, not copied\n{all}"));
    has(&folder, "out/new/utf16", "naïve\n".as_bytes());
    has(&folder, "out/new/sub/deep/utf16", b"a\n");
    has(&folder, "out/new/utf8", "naïve\n".as_bytes());
    has(&folder, "utf16", b"\xFF\xFEn\0a\0\xEF\0v\0e\0\n\0");
    assert!(!folder.path("out/new/picture").exists() && !folder.path(".state").exists());
    // Its own output is not an input, and needs no conversion.
    let run = convert(&folder, "--output-dir out/new . -g !latin");
    assert_eq!(total(&run), "total: 6 files, 0 converted, 5 unchanged, 1 binary");
    let run = convert(&folder, "--output-dir out utf16 sub/deep");
    assert_eq!(run.status, 2);
    let said = slashes(&run.stderr);
    assert!(said.contains("utf16 and sub/deep/utf16 would become one file"), "{run:?}");
    convert(&folder, "--output-dir out -f UTF-16 sub/deep/utf16")
        .gives("total: 1 file, 1 converted, 0 unchanged\n");
    has(&folder, "out/utf16", b"a\n");
}

#[test]
fn json() {
    let folder = Folder::with([("bad", b"\xFE"), ("good", b"\xFF\xFEa\0"), ("utf8", b"x")]);
    let run = convert(&folder, "--in-place --format json bad good utf8 --progress json");
    let lines: Vec<serde_json::Value> =
        run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [bad, good, same, summary] = &lines[..] else { panic!("{run:?}") };
    assert_eq!(
        (&bad["type"], &bad["action"], &bad["file"]),
        (&"file".into(), &"unknown".into(), &"bad".into())
    );
    assert_eq!(
        (&good["action"], &good["from"], &good["basis"]),
        (&"converted".into(), &"UTF-16LE".into(), &"bom".into())
    );
    assert_eq!((&good["bytes_read"], &good["bytes_written"]), (&4.into(), &1.into()));
    assert_eq!((&same["action"], &same["basis"]), (&"unchanged".into(), &"valid".into()));
    assert_eq!(
        (&summary["type"], &summary["exit_status"], &summary["run"]),
        (&"summary".into(), &1.into(), &1.into())
    );
    let progress: serde_json::Value =
        serde_json::from_str(run.stderr.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&progress["type"], &progress["files"], &progress["bytes"]),
        (&"progress".into(), &3.into(), &6.into())
    );

    let run = folder.utfall("convert -f UTF-8 -t UTF-8 --dry-run --format json bad", "");
    let line: serde_json::Value = serde_json::from_str(run.text().lines().next().unwrap()).unwrap();
    assert_eq!(
        (&line["action"], &line["offset"], &line["hex"]),
        (&"invalid".into(), &0.into(), &"FE".into())
    );
}

#[test]
fn flags_that_do_not_go_together() {
    let folder = tree();
    convert(&folder, "--in-place -o x utf8").fails(2, &["cannot be used with"]);
    convert(&folder, "--in-place --output-dir x utf8").fails(2, &["cannot be used with"]);
    convert(&folder, "--only-if needed utf8").fails(2, &["--in-place"]);
    convert(&folder, "--in-place").fails(2, &["no FILE given"]);
    convert(&folder, "--in-place -").fails(2, &["standard input"]);
    convert(&folder, "--in-place -g a{ .").fails(2, &["--glob"]);
    folder.utfall("convert -t klingon --in-place .", "").fails(2, &["klingon"]);
}

/// The same on one thread and on several, also inside one large file.
#[test]
fn threads_do_not_matter() {
    let text = "naïve ☺ text\n".repeat(700_000);
    assert!(text.len() > 8 << 20);
    let large = utfall::Encoding::Utf7.encode(&text).unwrap();
    for threads in [1, 3] {
        let folder = tree();
        fs::write(folder.path("large"), &large).unwrap();
        fs::write(folder.path("same"), &text).unwrap();
        fs::write(folder.path("m"), "large\tUTF-7\nlatin\tlatin1\n").unwrap();
        let run = convert(&folder, &format!("--in-place --manifest m --threads {threads} -v ."));
        assert_eq!(run.status, 0, "{run:?}");
        assert_eq!(total(&run), "total: 10 files, 5 converted, 4 unchanged, 1 binary");
        assert!(folder.read("large") == text.as_bytes() && folder.read("same") == text.as_bytes());
        let order: Vec<_> = run.text().lines().filter_map(|line| line.split(':').next()).collect();
        assert!(order[..10].is_sorted(), "{order:?}");
        folder.utfall("undo", "").gives("run 1: 5 files restored\n");
        assert!(folder.read("large") == *large);
    }
}

#[cfg(unix)]
#[test]
fn links() {
    use std::os::unix::fs::{MetadataExt, symlink};
    let folder = tree();
    symlink("utf16", folder.path("link")).unwrap();
    symlink("../utf8", folder.path("sub/link")).unwrap();
    fs::hard_link(folder.path("sub/deep/utf16"), folder.path("sub/deep/other")).unwrap();
    // Two names of one file are one, and the link stays.
    let run = convert(&folder, "--in-place link utf16 link");
    assert_eq!(total(&run), "total: 1 file, 1 converted, 0 unchanged");
    assert!(folder.path("link").is_symlink());
    has(&folder, "utf16", "naïve\n".as_bytes());
    let run = convert(&folder, "--in-place sub/deep/utf16");
    assert!(run.text().contains("; 1 other hard link to the original\n"), "{run:?}");
    has(&folder, "sub/deep/other", b"\xFE\xFF\0a\0\n");
    // Links in directories are not followed unless that is wanted.
    let run = convert(&folder, "--dry-run --follow sub");
    assert!(run.text().contains("sub/link: "), "{run:?}");
    assert!(!convert(&folder, "--dry-run sub").text().contains("sub/link"));
    let run = convert(&folder, "--in-place sub/deep/other");
    assert_eq!(total(&run), "total: 1 file, 1 converted, 0 unchanged");
    assert_eq!(fs::metadata(folder.path("sub/deep/other")).unwrap().nlink(), 1);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_opened() {
    let folder = tree();
    let pipe = folder.path("pipe");
    match std::process::Command::new("mkfifo").arg(&pipe).status() {
        Ok(status) if status.success() => {}
        _ => return println!("skipped: no mkfifo"),
    }
    let run = convert(&folder, "--in-place pipe");
    assert_eq!(
        (run.status, run.text().lines().next()),
        (4, Some("pipe: cannot read: not a regular file"))
    );
    assert_eq!(convert(&folder, "--in-place .").status, 1);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let path = folder.path("").join(OsStr::from_bytes(b"caf\xE9"));
    fs::write(&path, b"\xE9").unwrap();
    fs::write(folder.path("m"), b"caf\xE9\tlatin1\n").unwrap();
    convert(&folder, "--in-place --manifest m -q").quietly_gives("");
    assert_eq!(fs::read(&path).unwrap(), "é".as_bytes());
    assert!(convert(&folder, "--in-place --manifest m -v").text().contains("converted by run 1"));
    folder.utfall("undo", "").gives("run 1: 1 file restored\n");
    assert_eq!(fs::read(&path).unwrap(), b"\xE9");
}

#[test]
fn permissions_and_times() {
    let folder = tree();
    let path = folder.path("utf16");
    let modified = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    let then = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(777_000_000);
    fs::File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
    let permissions = fs::metadata(&path).unwrap().permissions();
    convert(&folder, "--in-place --keep-times --sync utf16").gives(
        "total: 1 file, 1 converted, 0 unchanged\nrun 1: 1 original kept (14 bytes); to revert: utfall undo 1; to delete them: utfall undo --forget 1\n",
    );
    assert_eq!(modified(&path), then);
    assert_eq!(fs::metadata(&path).unwrap().permissions(), permissions);
    folder.utfall("undo", "").gives("run 1: 1 file restored\n");
    convert(&folder, "--in-place --no-undo utf16")
        .gives("total: 1 file, 1 converted, 0 unchanged\n");
    assert!(modified(&path) > then);
}
