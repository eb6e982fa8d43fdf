//! `utfall iconv`, and the program under the name `iconv`.

use std::process::Command;

use crate::common::{Folder, program, repository, run, utfall};

#[test]
fn converts_between_charsets() {
    utfall("iconv -f CP437 -t UTF-8", b"caf\x82\n").quietly_gives("café\n");
    utfall("iconv -f utf8 -t ISO-8859-9", "ışık").quietly_gives(b"\xFD\xFE\xFDk");
    utfall("iconv --from-code=UTF-8 --to-code=EUC-KR", "한국").quietly_gives(b"\xC7\xD1\xB1\xB9");
    // Abbreviated, as getopt_long lets it be.
    utfall("iconv --from UTF-8 --to SJIS", "日本").quietly_gives(b"\x93\xFA\x96\x7B");
    // Two bytes for one character, and back.
    utfall("iconv -f CP1258 -t UTF-8", b"e\xEC").quietly_gives("é");
    utfall("iconv -f UTF-8 -t CP1258", "ấ").quietly_gives(b"\xE2\xEC");
    utfall("iconv -f UTF-8 -t ISO-2022-JP", "a日¥b\n").quietly_gives(b"a\x1B$BF|\x1B(J\\b\x1B(B\n");
    utfall("iconv -f ISO-2022-JP -t UTF-8", b"a\x1B$@F|\x1B(J\\b").quietly_gives("a日¥b");
    utfall("iconv -f BIG5-HKSCS -t UTF-8", b"\x88\x62\xA4\xA4").quietly_gives("Ê\u{304}中");
}

#[test]
fn marks_are_glibc_s() {
    let little = cfg!(target_endian = "little");
    let marked: &[u8] = if little { b"\xFF\xFEa\0" } else { b"\xFE\xFF\0a" };
    for to in ["UTF-16", "UNICODE", "csUnicode"] {
        utfall(&format!("iconv -f UTF-8 -t {to}"), "a").quietly_gives(marked);
    }
    utfall("iconv -f UTF-8 -t UCS-4", "a").quietly_gives(b"\0\0\0a");
    utfall("iconv -f UTF-8 -t UTF-16", "").quietly_gives(b"");
    utfall("iconv -f UTF-16 -t UTF-8", b"\xFE\xFF\0a").quietly_gives("a");
    utfall("iconv -f UTF-16LE -t UTF-8", b"\xFF\xFEa\0").quietly_gives("\u{FEFF}a");
    utfall("iconv -f UTF-8 -t UTF-8", "\u{FEFF}a").quietly_gives("\u{FEFF}a");
    // Each file has its own mark, read and written.
    let folder = Folder::with([("a", b"\xFF\xFEa\0"), ("b", b"\xFE\xFF\0b")]);
    folder.utfall("iconv -f UTF-16 -t UTF-8 a b", "").quietly_gives("ab");
    folder.utfall("iconv -f UTF-16 -t UTF-16BE a b", "").quietly_gives(b"\0a\0b");
    let twice = folder.utfall("iconv -f UTF-16 -t UTF-16 a b", "");
    assert_eq!(twice.stdout.len(), 8, "{twice:?}");
}

#[test]
fn stops_at_the_first_error() {
    let run = utfall("iconv -f UTF-8 -t UTF-16LE", b"ab\nc\xFFd");
    run.fails(1, &["iconv: (standard input):2:2: at byte 4: FF: ", "RFC 3629"]);
    assert_eq!(run.stdout, b"a\0b\0\n\0c\0");
    let run = utfall("iconv -f UTF-8 -t ASCII", "ab€c");
    run.fails(1, &[":1:3: at byte 2: E2 82 AC: U+20AC \"€\" is not in ASCII"]);
    assert_eq!(run.stdout, b"ab");
    utfall("iconv -f CP1252 -t UTF-8", b"a\x81")
        .fails(1, &[":1:2: at byte 1: 81: no character of CP1252"]);
    utfall("iconv -f EUC-JP -t UTF-8", b"a\xA4").fails(1, &["at byte 1: A4: incomplete"]);
    assert_eq!(utfall("iconv -s -f UTF-8 -t ASCII", "é").stderr, "");
}

#[test]
fn the_place_is_right_in_long_and_stateful_text() {
    let mut text = "aé\n".repeat(100_000);
    text.push('€');
    utfall("iconv -f UTF-8 -t ISO-8859-1", &text)
        .fails(1, &[":100001:1: at byte 400000: E2 82 AC: U+20AC"]);
    let utf7 = format!("{}+AOkgrA-", "ab\n".repeat(50_000));
    utfall("iconv -f UTF-7 -t ISO-8859-1", &utf7).fails(1, &[":50001:2: at byte 150"]);
    let korean = "\u{AC00}".repeat(99_999);
    let euc = utfall("iconv -f UTF-8 -t EUC-KR", &korean).stdout;
    utfall("iconv -f EUC-KR -t ISO-8859-1", &euc).fails(1, &[":1:1: at byte 0: B0 A1: U+AC00"]);
}

#[test]
fn leaves_out_what_is_asked() {
    utfall("iconv -c -f UTF-8 -t ASCII", b"a\xFFb\xC3\xA9c").quietly_gives("abc");
    let run = utfall("iconv -f UTF-8 -t ASCII//IGNORE", b"a\xFFb\xC3\xA9c");
    run.fails(1, &["dropped: 2 places"]);
    assert_eq!(run.stdout, b"abc");
    // An incomplete character at the end is an error nevertheless.
    utfall("iconv -c -f UTF-8 -t ASCII", b"a\xE2\x82").fails(1, &["incomplete"]);
    let run = utfall("iconv -f UTF-8 -t ASCII//NON_IDENTICAL_DISCARD", "aéb");
    run.quietly_gives("ab");
    utfall("iconv -f UTF-8 -t ASCII//NON_IDENTICAL_DISCARD", b"a\xFF").fails(1, &["FF"]);
}

#[test]
fn transliterates() {
    utfall("iconv -f UTF-8 -t ASCII//TRANSLIT", "“Straße” – 5 €, e\u{301}")
        .quietly_gives("\"Strasse\" - 5 EUR, e");
    utfall("iconv -f UTF-8 -t ISO-8859-1//TRANSLIT", "é…").quietly_gives(b"\xE9...");
    utfall("iconv -f UTF-8 -t ASCII//TRANSLIT", "\u{E000}").quietly_gives("?");
    utfall("iconv -f UTF-8 -t ASCII//TRANSLIT//IGNORE", b"\xC3\xA9").quietly_gives("e");
    utfall("iconv -f UTF-8 -t ASCII//TRANSLIT", b"\xFF").fails(1, &["FF"]);
    utfall("iconv -f UTF-8//IGNORE -t ASCII", b"\xFF").fails(1, &["FF"]);
}

#[test]
fn substitutes() {
    let mut command = program();
    command.args(["iconv", "-f", "UTF-8", "-t", "ASCII", "--byte-subst=<0x%02x>"]);
    run(command.arg("--unicode-subst=<U+%04X>"), b"a\xFF\xE2\x82\xAC\xC0")
        .quietly_gives("a<0xff><U+20AC><0xc0>");
    // The target lacks the substitute: nothing is lost in silence.
    let lacking = "iconv -f UTF-8 -t ASCII --byte-subst=é%02x";
    utfall(lacking, b"a\xFFb").fails(1, &["FF"]);
    // A substitute does not move the column of later errors.
    utfall("iconv -f UTF-8 -t ASCII --byte-subst=<%02x>", b"a\xFF\xC3\xA9").fails(1, &["1:3"]);
    utfall("iconv -f UTF-8 -t ASCII --unicode-subst=%s", "").fails(1, &["\"%s\""]);
    // Transliteration first.
    utfall("iconv -f UTF-8 -t ASCII//TRANSLIT --unicode-subst=[%u]", "é\u{E000}")
        .quietly_gives("e[57344]");
}

#[test]
fn files_and_outputs() {
    let folder = Folder::with([("a", "é".as_bytes()), ("b", b"b\xFF"), ("c", b"c")]);
    let latin1 = "iconv -f UTF-8 -t ISO-8859-1";
    // One that is not there does not keep the others from being converted.
    let run = folder.utfall(&format!("{latin1} a missing c"), "");
    run.fails(1, &["iconv: cannot open missing"]);
    assert_eq!(run.stdout, b"\xE9c");
    // One that is ill-formed does.
    let run = folder.utfall(&format!("{latin1} a b c"), "");
    run.fails(1, &["iconv: b:1:2: at byte 1: FF"]);
    assert_eq!(run.stdout, b"\xE9b");
    folder.utfall(&format!("{latin1} - c"), "é").quietly_gives(b"\xE9c");
    let run = folder.utfall(&format!("{latin1} --verbose a"), "");
    assert_eq!((run.status, run.stderr.as_str()), (0, "a:\n"));

    folder.utfall(&format!("{latin1} -o out b"), "").fails(1, &["b:1:2"]);
    assert!(!folder.names().contains(&"out".into()));
    // The input may be the output.
    folder.utfall(&format!("{latin1} -o a a"), "").quietly_gives("");
    assert_eq!(folder.read("a"), b"\xE9");
}

#[test]
fn names_and_usage() {
    utfall("iconv -f UTF-8 -t KLINGON", "").fails(1, &["conversion to \"KLINGON\""]);
    utfall("iconv -f KLINGON -t UTF-8", "").fails(1, &["conversion from \"KLINGON\""]);
    utfall("iconv --klingon", "").fails(64, &["--klingon"]);
    utfall("iconv -f", "").fails(64, &["-f"]);
    let list = utfall("iconv -l", "");
    assert_eq!(list.status, 0);
    for name in ["UTF-8//", "CP437//", "LATIN1//", "ISO-10646/UTF8/", "EUC-TW//", "x-mac-greek//"] {
        assert!(list.text().lines().any(|line| line == name), "{name}");
    }
    let version = utfall("iconv --version", "");
    assert!(version.text().contains(env!("CARGO_PKG_VERSION")), "{version:?}");
    // Without a name it is the locale's charset.
    let mut command = program();
    command.args(["iconv", "-f", "", "-t", "ISO-8859-1"]).env("LC_ALL", "de_DE.UTF-8");
    run(&mut command, "é").quietly_gives(b"\xE9");
    let mut command = program();
    command.args(["iconv", "-f", "ISO-8859-1", "-t", "//TRANSLIT"]).env("LC_ALL", "de_DE.UTF-8");
    run(&mut command, b"\xE9").quietly_gives("é");
}

#[test]
fn a_link_named_iconv_is_iconv() {
    let folder = Folder::new();
    let name = format!("iconv{}", std::env::consts::EXE_SUFFIX);
    // A copy could not be started while another test begins a process, which inherits it open for
    // writing. Windows has no such trouble, and links not for everybody.
    #[cfg(unix)]
    std::os::unix::fs::symlink(program().get_program(), folder.path(&name)).unwrap();
    #[cfg(not(unix))]
    std::fs::copy(program().get_program(), folder.path(&name)).unwrap();
    let mut command = Command::new(folder.path(&name));
    run(command.args(["-f", "KOI8-R", "-t", "UTF-8"]), b"\xC1\xC2").quietly_gives("аб");
    run(Command::new(folder.path(&name)).arg("-x"), "").fails(64, &["-x"]);
}

/// A small cut of `cargo xtask iconv`.
#[test]
fn does_what_glibc_does() {
    if !has_glibc() {
        return;
    }
    let russian = std::fs::read(repository("testdata/corpora/Russian-Lipsum.utf8.txt")).unwrap();
    let japanese = std::fs::read(repository("testdata/corpora/Japanese-Lipsum.utf8.txt")).unwrap();
    for (text, charsets) in [
        (&russian, ["KOI8-R", "CP1251", "ISO-8859-5", "IBM855", "UTF-16", "UCS-2", "UTF-7"]),
        (&japanese, ["EUC-JP", "SJIS", "CP932", "UTF-32BE", "UNICODE", "UTF-16BE", "UTF-8"]),
    ] {
        for from in charsets {
            let system = |args: &[&str], input: &[u8]| {
                run(Command::new("iconv").args(args).env("LC_ALL", "C"), input)
            };
            let clean = system(&["-c", "-f", "UTF-8", "-t", from], text).stdout;
            let mut damaged = clean.clone();
            damaged.insert(clean.len() / 4 * 2, 0xFF);
            for to in charsets {
                for (input, skip) in [(&clean, false), (&damaged, false), (&damaged, true)] {
                    // The continuation of UTF-7 after an error is another matter: see
                    // docs/iconv.md.
                    if skip && from == "UTF-7" {
                        continue;
                    }
                    let args: Vec<&str> =
                        ["-f", from, "-t", to].into_iter().chain(skip.then_some("-c")).collect();
                    let theirs = system(&args, input);
                    let ours = run(program().arg("iconv").args(&args), input);
                    assert_eq!(ours.status, theirs.status, "{args:?}: {}", ours.stderr);
                    assert!(ours.stdout == theirs.stdout, "{args:?}: {}", ours.stderr);
                }
            }
        }
    }
}

/// Whether `iconv` is glibc's. Says that the test is skipped if it is not.
fn has_glibc() -> bool {
    let version = Command::new("iconv").arg("--version").output();
    let has =
        version.is_ok_and(|version| String::from_utf8_lossy(&version.stdout).contains("GLIBC"));
    if !has {
        println!("skipped: the system has no iconv of glibc");
    }
    has
}

/// Spaces and other characters that no name contains are ignored, and ISO-IR-193 is UTF-8.
#[test]
fn names_are_read_as_glibc_reads_them() {
    let text = "caf €";
    let to = |name: &str| {
        let mut command = program();
        run(command.args(["iconv", "-f", "UTF-8", "-t", name]).env("LC_ALL", "C.UTF-8"), text)
    };
    for name in ["ISO-IR-193", "osf05010001", "UTF-8 ", " UTF-8", "UTF 8!", "UTF-8,", "UTF-8//,"] {
        to(name).quietly_gives(text);
    }
    for name in
        ["ASCII//TRANSLIT ", "ASCII //TRANSLIT", "ASCII//X//TRANSLIT,/ ", "CP437///TRANSLIT"]
    {
        assert_eq!(to(name).status, 0, "{name}");
    }
    to("ISO-10646/UTF8/TRANSLIT").quietly_gives(text);
    to("ASCII// TRANSLIT").fails(1, &["U+20AC"]);
    to("UTF-8/x").fails(1, &["\"UTF-8/x\" is not supported"]);
    if !has_glibc() {
        return;
    }
    for name in [
        "ISO-IR-193",
        "osf05010001",
        "UTF-8 ",
        " UTF-8",
        "UTF 8!",
        "UTF-8,",
        "UTF-8//,",
        "UTF-8/x",
        "",
        " ",
        "!",
        ",",
        "/",
        "//",
        "///",
        "  //TRANSLIT",
        "a/b/c",
        "ISO-10646/UTF8/TRANSLIT",
        "ISO-10646/UTF8/x",
        "/UTF-8",
        "é",
        "ASCIIé",
        "ASCII//TRANSLIT  ,/",
        "ASCII// TRANSLIT",
        "ASCII//TRANSLIT IGNORE",
        "ASCII//TRANSLIT,x",
        "ASCII//IGNORE",
        "ASCII/TRANSLIT",
        "ASCII,TRANSLIT",
        "ASCII//\tTRANSLIT",
        "ASCII\n//TRANSLIT\n",
        "UTF_8",
        "ISO 8859-1",
    ] {
        let mut system = Command::new("iconv");
        let theirs = run(system.args(["-f", "UTF-8", "-t", name]).env("LC_ALL", "C.UTF-8"), text);
        let ours = to(name);
        assert_eq!((ours.status, &ours.stdout), (theirs.status, &theirs.stdout), "{name:?}");
    }
}

/// Files, options and statuses where docs/iconv.md names no difference.
#[test]
fn ends_as_glibc_does() {
    if !has_glibc() {
        return;
    }
    let cases = "
        -f UTF-8 -t ASCII bad
        -f UTF-8 -t ASCII//TRANSLIT bad
        -f UTF-8 -t ASCII//IGNORE bad
        -f UTF-8 -t ASCII//IGNORE good
        -f UTF-8 -t ASCII//TRANSLIT//IGNORE good
        -c -f UTF-8 -t ASCII bad
        -c -f UTF-8 -t ASCII//TRANSLIT//IGNORE bad
        -c -s -f UTF-8 -t ASCII bad
        -s -f UTF-8 -t ASCII bad
        -s -f UTF-8 -t ASCII//IGNORE bad
        -f UTF-8 -t UTF-16LE//TRANSLIT//IGNORE bad
        -f UTF-8//IGNORE -t ASCII bad
        -f UTF-8//TRANSLIT -t ASCII good
        -c -f UTF-8 -t ASCII cut
        -f UTF-8 -t ASCII//TRANSLIT//IGNORE cut
        -f UTF-8 -t UTF-16 empty
        -f UTF-8 -t ISO-2022-JP empty
        -f UTF-8 -t UTF-8 -o new missing
        -f UTF-8 -t UTF-8 -o old missing
        -f UTF-8 -t UTF-8 -o new missing good
        -f UTF-8 -t UTF-8 -o old good missing
        -f UTF-8 -t UTF-8 good missing good
        -f UTF-8 -t UTF-8 folder good
        -f UTF-8 -t UTF-8 good bad good
        -c -f UTF-8 -t UTF-8 good bad good
        -f UTF-8 -t UTF-8//IGNORE good bad good
        -f UTF-8 -t UTF-8//TRANSLIT//IGNORE good bad good
        -c -f UTF-8 -t ASCII -o new bad
        -f UTF-8 -t ASCII//IGNORE -o new bad
        -f UTF-8 -t ASCII//IGNORE -o old bad
        -f UTF-8 -t UTF-8 -o folder good
        -f UTF-8 -t UTF-8 -o nowhere/new good
        -f UTF-8 -t UTF-8 -o /dev/stdout good
        -f UTF-8 -t UTF-16 good good
        -f UTF-8 -t KLINGON -o old good
        -f UTF-16 -t UTF-8 empty
        -f UTF-16 -t UTF-8//IGNORE bad
        -l extra";
    let seen = |mut command: Command, args: &str| {
        let folder = Folder::with([
            ("bad", b"a\xFFb\xE2\x82\xACc"),
            ("good", "caf €\n".as_bytes()),
            ("empty", b""),
            ("cut", b"ab\xE2\x82"),
            ("old", b"old"),
        ]);
        std::fs::create_dir(folder.path("folder")).unwrap();
        command.args(args.split_whitespace()).current_dir(folder.path("")).env("LC_ALL", "C");
        let run = run(&mut command, "");
        let new = std::fs::read(folder.path("new")).ok();
        let stdout = if args.starts_with("-l") { Vec::new() } else { run.stdout };
        (run.status, stdout, new, folder.read("old"))
    };
    for args in cases.lines().map(str::trim).filter(|args| !args.is_empty()) {
        let mut ours = program();
        ours.arg("iconv");
        assert_eq!(seen(ours, args), seen(Command::new("iconv"), args), "{args}");
    }
}

/// What glibc 2.36 forgets: see docs/iconv.md.
#[test]
fn ignoring_always_shows_in_the_status() {
    let mut text = b"a\xFFb\xC3\xA9".to_vec();
    for _ in 0..2 {
        for to in ["ASCII//TRANSLIT//IGNORE", "UTF-16LE//IGNORE"] {
            utfall(&format!("iconv -f UTF-8 -t {to}"), &text).fails(1, &["dropped: 1 place"]);
        }
        text.resize(100_000, b'x');
    }
}

/// glibc keeps the original there.
#[test]
fn out_of_an_empty_text_is_empty() {
    let folder = Folder::with([("out", b"old"), ("empty", b"")]);
    folder.utfall("iconv -f UTF-8 -t UTF-16 -o out empty", "").quietly_gives("");
    assert_eq!(folder.read("out"), b"");
    folder.utfall("iconv -f UTF-8 -t UTF-16 -o new", "").quietly_gives("");
    assert_eq!(folder.read("new"), b"");
}

/// As with glibc's.
#[test]
fn out_stays_if_nothing_can_be_read() {
    let folder = Folder::with([("out", b"old"), ("a", b"a")]);
    folder.utfall("iconv -f UTF-8 -t UTF-8 -o out nothing nowhere", "").fails(1, &["nothing"]);
    assert_eq!(folder.read("out"), b"old");
    folder.utfall("iconv -f UTF-8 -t UTF-8 -o out nothing a", "").fails(1, &["nothing"]);
    assert_eq!(folder.read("out"), b"a");
}
