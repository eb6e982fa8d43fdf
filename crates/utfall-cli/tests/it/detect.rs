//! `utfall detect`.

use std::path::MAIN_SEPARATOR;

use crate::common::{Folder, repository, utfall};
use serde_json::Value;
use utfall::Encoding;

#[test]
fn a_file_gets_one_line_with_encoding_and_confidence() {
    let folder = Folder::with([
        ("a.txt", b"plain"),
        ("resume-1996.txt", "na\u{ef}ve, d\u{e9}j\u{e0} vu".as_bytes()),
        ("c.txt", b"\xFE\xFF\x26\x3A"),
        ("qp.txt", b"caf=C3=A9 et th=C3=A9, d=C3=A9j=C3=A0 vu\n"),
    ]);
    folder.utfall("detect resume-1996.txt", "").quietly_gives("resume-1996.txt: UTF-8  99 %\n");
    // Several are aligned, within 80 columns.
    folder.utfall("detect a.txt resume-1996.txt c.txt qp.txt", "").quietly_gives(
        "a.txt:           US-ASCII         99 %\n\
         resume-1996.txt: UTF-8            99 %\n\
         c.txt:           UTF-16BE         99 %\n\
         qp.txt:          US-ASCII         99 %  (quoted-printable of UTF-8)\n",
    );
    // A name that is too long moves its own line only.
    let long = "n".repeat(70);
    std::fs::write(folder.path(&long), "plain").unwrap();
    let run = folder.utfall(&format!("detect a.txt {long}"), "");
    run.quietly_gives(format!("a.txt: US-ASCII         99 %\n{long}: US-ASCII         99 %\n"));
}

#[test]
fn verbose_adds_evidence_and_runners_up() {
    let folder = Folder::with([
        ("a.txt", "na\u{ef}ve, d\u{e9}j\u{e0} vu".as_bytes()),
        ("b.txt", b"\xFE\xFF\x26\x3A"),
        ("c.txt", b"Hi Mom +Jjo-!"),
        ("d.txt", b""),
        ("e.txt", b"r\xE9sum\xE9"),
    ]);
    let run =
        folder.utfall("detect --verbose --min-confidence 0.5 a.txt b.txt c.txt d.txt e.txt", "");
    assert_eq!((run.status, &*run.stderr), (0, ""), "{run:?}");
    let (text, mut of_file) = (run.text(), Vec::new());
    for line in text.lines() {
        match line.starts_with(' ') {
            true => of_file.last_mut().map(|of: &mut Vec<_>| of.push(line)).unwrap(),
            false => of_file.push(vec![line]),
        }
    }
    assert_eq!(of_file.len(), 5, "{run:?}");
    let has = |file: usize, part: &str| {
        assert!(of_file[file][1..].iter().any(|line| line.contains(part)), "{part}: {run:?}");
    };
    has(0, "3 well-formed sequences from ");
    has(1, "signature of 2 ");
    has(2, "1 run of Base64 from ");
    // Candidates that are hardly possible are not shown.
    let runners_up = of_file[4].iter().filter(|line| line.starts_with("  or ")).count();
    assert!((1..=2).contains(&runners_up), "{run:?}");
    // Without --verbose, there is one line.
    assert_eq!(folder.utfall("detect e.txt", "").text().lines().count(), 1);
}

#[test]
fn what_is_not_sure_is_said_and_gives_status_1() {
    let run = utfall("detect --min-confidence 0.9", b"caf\xE9");
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.text().starts_with("(standard input): unknown  best guess: "), "{run:?}");
    let run = utfall("detect --min-confidence 0", b"caf\xE9");
    assert_eq!(run.status, 0, "{run:?}");
    let run = utfall("detect --min-confidence 1", b"plain text");
    assert_eq!(
        (run.status, run.text()),
        (1, "(standard input): unknown  best guess: US-ASCII (99 %)\n")
    );
    let run = utfall("detect", noise());
    assert_eq!((run.status, run.text()), (1, "(standard input): binary\n"));
    utfall("detect --min-confidence 2", "").fails(2, &["a number from 0 to 1"]);
}

/// Nothing makes text of it.
fn noise() -> Vec<u8> {
    (0..4000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

/// The same rule, the same words, the same exit status.
#[test]
fn detect_and_convert_refuse_alike() {
    let folder = of_three_languages();
    std::fs::write(folder.path("resume"), b"r\xE9sum\xE9").unwrap();
    std::fs::write(folder.path("noise"), noise()).unwrap();
    std::fs::write(folder.path("hidden"), "Hi +ADw-script+AD4-alert(1)").unwrap();
    let (mut refused, mut used) = (0, 0);
    for name in ["fr.txt", "hu.txt", "ru-1.txt", "ru-mac.txt", "resume", "noise", "hidden"] {
        for args in ["", "--min-confidence 0.95", "--min-confidence 0.2", "--language hu"] {
            let detect = folder.utfall(&format!("detect --all {args} {name}"), "");
            let convert = format!("convert -f detect {args} -t UTF-16 -o out {name}");
            let convert = folder.utfall(&convert, "");
            assert_eq!(detect.status, convert.status, "{detect:?} {convert:?}");
            if detect.status == 0 {
                used += 1;
                continue;
            }
            refused += 1;
            let guess = match detect.text().trim_end().split_once(": unknown  ") {
                Some((_, guess)) => format!("; {guess}"),
                None => ": it is binary".into(),
            };
            let error = format!("error: cannot tell the encoding of {name}{guess}\nhelp: ");
            assert!(convert.stderr.starts_with(&error), "{detect:?} {convert:?}");
            // In a manifest, too.
            let manifest = format!("detect --format manifest {args} {name}");
            let manifest = folder.utfall(&manifest, "");
            assert!(manifest.stderr.starts_with(error.trim_end_matches("help: ")), "{manifest:?}");
        }
    }
    assert!(refused > 8 && used > 4, "{refused} {used}");
}

#[test]
fn brief_prints_the_name_alone() {
    let folder = Folder::with([
        ("a.txt", b"plain"),
        ("b.txt", "na\u{ef}ve, d\u{e9}j\u{e0} vu".as_bytes()),
        ("c.txt", &noise()),
        ("d.txt", b"r\xE9sum\xE9"),
    ]);
    folder.utfall("detect --brief b.txt", "").quietly_gives("UTF-8\n");
    folder.utfall("detect -b a.txt b.txt", "").quietly_gives("US-ASCII\nUTF-8\n");
    let run = folder.utfall("detect --brief --min-confidence 0.9 a.txt b.txt c.txt d.txt", "");
    assert_eq!((run.status, run.text()), (1, "US-ASCII\nUTF-8\nbinary\nunknown\n"), "{run:?}");
    let run = folder.utfall("detect --brief missing", "");
    run.fails(4, &["cannot read missing"]);
    assert_eq!(run.text(), "");
    for other in ["--verbose", "--json", "--format manifest", "--candidates 2"] {
        folder.utfall(&format!("detect --brief {other} a.txt"), "").fails(2, &["--brief"]);
    }
}

#[test]
fn several_candidates_are_ranked() {
    let run = utfall("detect --candidates 3 --min-confidence 0", b"r\xE9sum\xE9");
    let lines: Vec<_> = run.text().lines().collect();
    assert!(lines.len() > 1 && lines.len() <= 3, "{run:?}");
    assert!(lines[1..].iter().all(|line| line.starts_with("  or ") && line.ends_with(" %")));
}

/// `detect` and then `convert --manifest` reads each file as `convert -f detect` does.
#[test]
fn a_manifest_is_what_convert_reads() {
    // Windows allows no tab in a name.
    let odd = if cfg!(windows) { "two  spaces.txt" } else { "tab\tin name.txt" };
    let utf16 =
        [&[0xFF, 0xFE][..], &Encoding::Utf16Le.encode("naïve, and so on").unwrap()].concat();
    let folder = Folder::with([
        ("a.txt", &*Encoding::Koi8R.encode(RUSSIAN).unwrap()),
        (odd, RUSSIAN.as_bytes()),
        ("mark.txt", &utf16),
        ("doubtful.txt", b"r\xE9sum\xE9"),
        ("logo.png", b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0"),
    ]);
    let run = folder.utfall("detect --format manifest .", "");
    let doubtful = format!("cannot tell the encoding of .{MAIN_SEPARATOR}doubtful.txt");
    run.fails(1, &[&format!("{doubtful}; best guess: windows-1252 (")]);
    assert!(run.stderr.contains("1 file left out of the manifest"), "{run:?}");
    assert!(!run.stderr.contains("logo.png"), "{run:?}");
    assert_eq!(
        run.text().replace('\\', "/"),
        format!("./a.txt\tKOI8-R\n./mark.txt\tUTF-16\n./{odd}\tUTF-8\n"),
        "{run:?}"
    );
    std::fs::write(folder.path("encodings.tsv"), &run.stdout).unwrap();
    let run = folder.utfall("convert -t UTF-8 --manifest encodings.tsv --output-dir out", "");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(folder.read("out/a.txt"), RUSSIAN.as_bytes());
    // The byte order mark is not part of the text.
    assert_eq!(folder.read("out/mark.txt"), "naïve, and so on".as_bytes());
    let run = folder.utfall("convert -t UTF-8 --manifest encodings.tsv --in-place", "");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(folder.read("a.txt"), RUSSIAN.as_bytes());
    assert_eq!(folder.read(odd), RUSSIAN.as_bytes());
    assert_eq!(folder.read("doubtful.txt"), b"r\xE9sum\xE9");
    // Whoever names a confidence decides.
    let run = folder.utfall("detect --format manifest --min-confidence 0.5 doubtful.txt", "");
    run.quietly_gives("doubtful.txt\twindows-1252\n");
}

#[cfg(unix)]
#[test]
fn a_manifest_has_exact_names_or_none() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    for name in [&b"caf\xE9.txt"[..], b"two\nlines.txt", b"\x1B[2J.txt"] {
        std::fs::write(folder.path(".").join(OsStr::from_bytes(name)), "plain").unwrap();
    }
    let run = folder.utfall("detect --format manifest .", "");
    run.fails(1, &["a manifest cannot list ./two\\nlines.txt"]);
    assert_eq!(run.stdout, b"./\x1B[2J.txt\tUS-ASCII\n./caf\xE9.txt\tUS-ASCII\n", "{run:?}");
    // A binary file that is named is not left out silently.
    std::fs::write(folder.path("noise"), noise()).unwrap();
    folder.utfall("detect --format manifest noise", "").fails(1, &["of noise: it is binary"]);
    folder
        .utfall("detect --format manifest -", "")
        .fails(2, &["standard input, which has no name"]);
    folder.utfall("detect --format manifest", "").fails(2, &["standard input, which has no name"]);
}

#[test]
fn json_is_as_documented() {
    let folder = Folder::with([("a.txt", b"caf=C3=A9 et th=C3=A9, d=C3=A9j=C3=A0 vu\n")]);
    let run = folder.utfall("detect --format json --candidates 2 a.txt", "");
    let object: Value = serde_json::from_str(run.text()).unwrap();
    assert_eq!(object["file"], "a.txt");
    assert_eq!(object["sure"], true);
    assert_eq!((&object["bytes_read"], &object["bytes"]), (&41.into(), &41.into()));
    let best = &object["candidates"][0];
    assert_eq!(best["encoding"], "US-ASCII");
    assert!(best["confidence"].as_f64().is_some_and(|confidence| confidence > 0.9), "{run:?}");
    assert_eq!(best["evidence"][0]["kind"], "ascii");
    assert_eq!(best["evidence"][0]["count"], 41);
    assert_eq!(best["inside"]["layer"], "quoted-printable");
    assert_eq!(best["inside"]["candidate"]["encoding"], "UTF-8");
    // Its offsets are those of the inner text.
    let multi = &best["inside"]["candidate"]["evidence"][0];
    assert_eq!(
        (&multi["kind"], &multi["count"], &multi["first_offset"]),
        (&"multi-byte".into(), &4.into(), &3.into())
    );
    // Every kind is in the page.
    let page = std::fs::read_to_string(repository("docs/json.md")).unwrap();
    for evidence in best["evidence"].as_array().unwrap() {
        assert!(page.contains(&format!("`{}`", evidence["kind"].as_str().unwrap())));
    }
}

#[test]
fn directories_are_walked() {
    let folder = Folder::with([(".hidden", b"x"), ("a.txt", b"x"), ("b.md", b"y")]);
    let run = folder.utfall("detect .", "");
    assert_eq!(run.text().lines().count(), 2, "{run:?}");
    let run = folder.utfall("detect --glob *.md .", "");
    assert_eq!(run.text().lines().count(), 1, "{run:?}");
}

#[test]
fn a_file_that_is_missing_gives_status_4_and_does_not_stop_the_others() {
    let folder = Folder::with([("a.txt", b"plain")]);
    let run = folder.utfall("detect missing.txt a.txt", "");
    run.fails(4, &["cannot read missing.txt"]);
    assert!(run.text().starts_with("a.txt:       US-ASCII"), "{run:?}");
}

#[test]
fn only_a_sample_of_long_files_is_read() {
    let text = "Gr\u{f6}\u{df}e und Ma\u{df}\n".repeat(150_000);
    let length = text.len();
    let folder = Folder::with([("long.txt", text.as_bytes())]);
    let run = folder.utfall("detect -v long.txt", "");
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.text().contains(&format!("\n  1048576 of {length} bytes read\n")), "{run:?}");
    let run = folder.utfall("detect -v", &text);
    assert!(run.text().ends_with("\n  1048576 bytes read\n"), "{run:?}");
    for run in
        [folder.utfall("detect -v --all long.txt", ""), folder.utfall("detect -v --all", &text)]
    {
        assert!(!run.text().contains("bytes read"), "{run:?}");
        assert!(run.text().contains("450000 well-formed sequences"), "{run:?}");
    }
}

/// Long enough to be sure of.
const RUSSIAN: &str =
    "Когда мы подъехали к деревне, уже стемнело, и только в одном окне горел свет.\n";

#[test]
fn convert_tells_what_it_takes_files_for() {
    let koi8: Vec<u8> = Encoding::Koi8R.encode(RUSSIAN).unwrap().into_owned();
    let utf16: Vec<u8> = Encoding::Utf16Le.encode("naïve, and so on").unwrap().into_owned();
    let folder = Folder::with([("a.txt", &koi8), ("b.txt", &utf16)]);
    let both = [RUSSIAN, "naïve, and so on"].concat();
    let run = folder.utfall("convert -f detect -t UTF-8 a.txt b.txt", "");
    run.gives(&both);
    assert!(run.stderr.contains("reading a.txt as KOI8-R (guessed, 0.9"), "{run:?}");
    assert!(run.stderr.contains("reading b.txt as UTF-16LE (guessed, 0.9"), "{run:?}");
    folder.utfall("convert -q -f detect -t UTF-8 a.txt b.txt", "").quietly_gives(&both);
    // Standard input cannot be read twice.
    folder.utfall("convert -q -f detect -t UTF-8", &koi8).quietly_gives(RUSSIAN);
    folder
        .utfall("convert -q -f detect -t UTF-8 --newline crlf a.txt", "")
        .quietly_gives(RUSSIAN.replace('\n', "\r\n"));
    // A BOM that decides the byte order is not text.
    folder.utfall("convert -q -f detect -t UTF-8", b"\xFE\xFF\x26\x3A").quietly_gives("☺");
    folder.utfall("convert -q -f detect -t UTF-8", "").quietly_gives("");
}

#[test]
fn convert_refuses_what_is_not_sure() {
    let run = utfall("convert -f detect -t UTF-8", b"r\xE9sum\xE9");
    let guess = "error: cannot tell the encoding of (standard input); best guess: windows-1252 (";
    run.fails(1, &[guess, "try `-f windows-1252`", "--min-confidence"]);
    utfall("convert -q -f detect --min-confidence 0.2 -t UTF-8", b"r\xE9sum\xE9")
        .quietly_gives("résumé");
    // Smuggled text stays as it is.
    let run =
        utfall("convert -f detect --min-confidence 0 -t UTF-8", b"Hi +ADw-script+AD4-alert(1)");
    run.fails(1, &["it has hidden text if it is UTF-7 (", "-f UTF-8 keeps it as it is"]);
    utfall("convert --min-confidence 0.2 -f UTF-8 -t UTF-16", "").fails(2, &["needs -f detect"]);
}

#[test]
fn trees_are_converted_by_guesses_that_are_reported() {
    let koi8 = Encoding::Koi8R.encode(RUSSIAN).unwrap();
    let utf32 = Encoding::Utf32Be.encode(RUSSIAN).unwrap();
    let folder = Folder::with([
        ("a.txt", &koi8),
        ("b.txt", &utf32),
        ("c.txt", RUSSIAN.as_bytes()),
        ("d.txt", b"r\xE9sum\xE9"),
        ("e.bin", b"\x7FELF\x02\x01\0\0\0\0\xD0\x03\0\0\0\x90\x11"),
    ]);
    let run = folder.utfall("convert -f detect -t UTF-8 --in-place --no-undo --format json .", "");
    assert_eq!(run.status, 1, "{run:?}");
    let lines: Vec<Value> =
        run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let about = |name: &str| {
        let is_it = |line: &&Value| line["file"].as_str().is_some_and(|file| file.ends_with(name));
        lines.iter().find(is_it).unwrap_or_else(|| panic!("{name}: {run:?}"))
    };
    for (name, encoding) in [("a.txt", "KOI8-R"), ("b.txt", "UTF-32BE")] {
        let line = about(name);
        assert_eq!((&line["action"], &line["from"]), (&"converted".into(), &encoding.into()));
        assert_eq!(line["basis"], "guessed");
        assert!(line["evidence"].as_str().unwrap().starts_with("0.9"), "{line}");
        assert_eq!(folder.read(name), RUSSIAN.as_bytes());
    }
    assert_eq!(about("c.txt")["basis"], "valid");
    assert_eq!(about("d.txt")["action"], "unknown");
    assert!(about("d.txt")["message"].as_str().unwrap().contains("best guess: windows-1252 ("));
    assert_eq!(about("e.bin")["action"], "binary");
    // Once more changes nothing.
    let before = folder.read("a.txt");
    folder.utfall("convert -f detect -t UTF-8 --in-place --no-undo .", "");
    assert_eq!(folder.read("a.txt"), before);
}

/// Russian, Hungarian and French as editors of their time saved them.
fn of_three_languages() -> Folder {
    let text = |language: &str| {
        let path = repository("crates/utfall-detect/tests/texts").join(format!("{language}.txt"));
        std::fs::read_to_string(path).unwrap().replace('\r', "")
    };
    let encoded = |encoding: Encoding, language: &str| {
        let options = utfall::Options::both(utfall::Policy::Skip);
        encoding.encode_with(&text(language), options).unwrap().into_owned()
    };
    Folder::with([
        ("fr.txt", &*encoded(Encoding::Windows1252, "fr")),
        ("hu.txt", &encoded(Encoding::Windows1250, "hu")),
        ("ru-1.txt", &encoded(Encoding::Windows1251, "ru")),
        ("ru-2.txt", &encoded(Encoding::Windows1251, "ru")),
        ("ru-mac.txt", &encoded(Encoding::MacCyrillic, "ru")),
    ])
}

#[test]
fn a_run_ends_with_how_many_files_were_converted_from_what() {
    let folder = of_three_languages();
    let convert = |args: &str| folder.utfall(&format!("convert -f detect -t UTF-8 {args}"), "");
    let run = convert("--dry-run .");
    assert!(
        run.text().contains(
            "\nwould be converted from:\n  windows-1251    2 files\n  windows-1250    1 file\n  windows-1252    1 file\n  x-mac-cyrillic  1 file\ntotal:"
        ),
        "{run:?}"
    );
    let run = convert("--in-place --no-undo --format json .");
    let last: Value = serde_json::from_str(run.text().lines().last().unwrap()).unwrap();
    assert_eq!(last["converted_from"]["windows-1251"], 2, "{run:?}");
    assert_eq!(last["converted_from"]["windows-1252"], 1, "{run:?}");
    let folder = of_three_languages();
    let run = folder.utfall("convert -f detect -t UTF-8 --in-place --no-undo .", "");
    assert!(run.text().contains("converted from:\n  windows-1251    2 files\n"), "{run:?}");
    let run = folder.utfall("convert -q -f detect -t UTF-8 --dry-run .", "");
    assert!(!run.text().contains("converted from"), "{run:?}");
}

/// Hungarian in windows-1250 became `õ` and `û`, and Russian of a Macintosh lost its `я`.
#[test]
fn a_guess_that_is_not_clearly_ahead_is_not_used_for_writing() {
    let folder = of_three_languages();
    for (name, bytes) in [("hu.txt", 80), ("ru-mac.txt", 40)] {
        let text = folder.read(name);
        std::fs::write(folder.path(name), &text[..bytes]).unwrap();
    }
    let before = ["hu.txt", "ru-mac.txt"].map(|name| folder.read(name));
    let run = folder.utfall("convert -f detect -t UTF-8 --in-place --no-undo .", "");
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(["hu.txt", "ru-mac.txt"].map(|name| folder.read(name)), before, "{run:?}");
    let line = |name: &str| run.text().lines().find(|line| line.contains(name)).unwrap();
    for (name, one, other) in [
        ("hu.txt", "windows-1250", "windows-1252"),
        ("ru-mac.txt", "x-mac-cyrillic", "windows-1251"),
    ] {
        let line = line(name);
        assert!(line.contains(&format!("best guess: {one} (")), "{line}");
        assert!(line.contains(&format!(" %), or {other}; ")), "{line}");
        assert!(line.contains("--expect, --language, -f or --manifest"), "{line}");
    }
    // The same for a stream, with a limit given by the user.
    let run = folder.utfall("convert -f detect -t UTF-8 hu.txt", "");
    run.fails(1, &["or windows-1252", "--expect or --language"]);
    assert_eq!(
        folder.utfall("convert -f detect --min-confidence 0.5 -t UTF-8 hu.txt", "").status,
        0
    );
    // JSON of `detect` says so.
    let run = folder.utfall("detect --format json hu.txt fr.txt", "");
    let doubt = |line: &str| -> Value {
        serde_json::from_str::<Value>(line).unwrap()["candidates"][0]["rival"].clone()
    };
    let doubts: Vec<_> = run.text().lines().map(doubt).collect();
    assert_eq!(doubts, [Value::from("windows-1252"), Value::Null], "{run:?}");
}

#[test]
fn language_and_expect_narrow_the_candidates() {
    let folder = of_three_languages();
    let run = folder.utfall("convert -q -f detect --language hu -t UTF-8 hu.txt", "");
    assert!(run.text().contains("őszibarackot") && run.status == 0, "{run:?}");
    let run = folder.utfall("convert -q -f detect --expect x-mac-cyrillic -t UTF-8 ru-mac.txt", "");
    assert!(run.text().contains("выдаются") && run.status == 0, "{run:?}");
    let run =
        folder.utfall("convert -q -f detect --expect windows-1250,latin1 -t UTF-8 hu.txt", "");
    assert!(run.status == 1 || run.text().contains("őszibarackot"), "{run:?}");
    let named = |args: &str, input: &[u8]| {
        let run = utfall(&format!("detect --brief --min-confidence 0 {args}"), input);
        run.text().trim_end().to_owned()
    };
    for (args, input, encoding) in [
        ("--expect macintosh,windows-1252", &b"d\x8Ej\x88 vu"[..], "macintosh"),
        ("--expect koi8-r,ibm866", b"\xF0\xD2\xC9\xD7\xC5\xD4", "KOI8-R"),
        ("--language ru", b"\xCF\xF0\xE8\xE2\xE5\xF2", "windows-1251"),
        ("--language el-GR", b"\xCA\xE1\xEB\xE7\xEC\xDD\xF1\xE1", "windows-1253"),
        ("--language zh-TW", b"\xA4\xA4\xA4\xE5", "Big5"),
        ("--language JA", b"\x93\xFA\x96\x7B", "Shift_JIS"),
        ("--expect UTF-16", b"\x11\x04\x30\x04", "UTF-16LE"),
        // An encoding that is evident is not guessed.
        ("--expect koi8-r", "naïve, déjà vu".as_bytes(), "UTF-8"),
        ("--language ru", b"\xFE\xFF\x26\x3A", "UTF-16BE"),
        ("--expect koi8-r", b"plain", "US-ASCII"),
    ] {
        assert_eq!(named(args, input), encoding, "{args} {}", input.escape_ascii());
    }
    utfall("detect --language tlh", "").fails(2, &["unknown language", "BCP 47"]);
    utfall("detect --expect klingon", "").fails(2, &["unknown encoding \"klingon\""]);
    utfall("convert -f latin1 --language fr -t UTF-8", "").fails(2, &["need -f detect"]);
}

/// The page has every language and its charsets.
#[test]
fn languages_are_documented() {
    let page = std::fs::read_to_string(repository("docs/detect.md")).unwrap();
    for (tags, charsets) in utfall_detect::Language::known() {
        let tags: Vec<_> = tags.iter().map(|tag| format!("`{tag}`")).collect();
        let charsets: Vec<_> = charsets.iter().map(|charset| charset.name()).collect();
        let row = format!("| {} | {} |", tags.join(" "), charsets.join(", "));
        assert!(page.contains(&row), "docs/detect.md lacks: {row}");
    }
}
