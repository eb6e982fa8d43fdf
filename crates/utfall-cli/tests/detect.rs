//! `utfall detect`.

mod common;

use common::{Folder, repository, utfall};
use serde_json::Value;
use utfall::Encoding;

#[test]
fn files_are_named_with_encoding_confidence_and_reason() {
    let folder = Folder::with([
        ("a.txt", b"plain"),
        ("b.txt", "na\u{ef}ve, d\u{e9}j\u{e0} vu".as_bytes()),
        ("c.txt", b"\xFE\xFF\x26\x3A"),
        ("d.txt", b"Hi Mom +Jjo-!"),
        ("e.txt", b""),
    ]);
    let run = folder.utfall("detect a.txt b.txt c.txt d.txt e.txt", "");
    assert_eq!((run.status, &*run.stderr), (0, ""), "{run:?}");
    let lines: Vec<_> = run.text().lines().collect();
    assert_eq!(lines[0].split(" (").next(), Some("a.txt: US-ASCII"), "{run:?}");
    assert!(lines[1].starts_with("b.txt: UTF-8 (0.9"), "{run:?}");
    assert!(
        lines[1].contains("3 well-formed sequences from octet 2, by chance once in 6"),
        "{run:?}"
    );
    assert!(lines[2].starts_with("c.txt: UTF-16BE ("), "{run:?}");
    assert!(lines[2].contains("signature of 2 octets at octet 0"), "{run:?}");
    assert!(lines[3].starts_with("d.txt: UTF-7 ("), "{run:?}");
    assert!(lines[3].contains("1 run of Base64 from octet 7"), "{run:?}");
    assert!(lines[4].starts_with("e.txt: US-ASCII ("), "{run:?}");
}

#[test]
fn what_is_not_sure_is_said_and_gives_status_1() {
    let run = utfall("detect --min-confidence 0.9", b"caf\xE9");
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.text().starts_with("(standard input): unsure, perhaps "), "{run:?}");
    let run = utfall("detect --min-confidence 0", b"caf\xE9");
    assert_eq!(run.status, 0, "{run:?}");
    let run = utfall("detect --min-confidence 1", b"plain text");
    assert_eq!(run.status, 1, "{run:?}");
    let noise: Vec<u8> =
        (0..4000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let run = utfall("detect", noise);
    assert_eq!((run.status, run.text()), (1, "(standard input): no text\n"));
    utfall("detect --min-confidence 2", "").fails(2, &["a number from 0 to 1"]);
}

#[test]
fn several_candidates_are_ranked() {
    let run = utfall("detect --candidates 3 --min-confidence 0", b"r\xE9sum\xE9");
    let lines: Vec<_> = run.text().lines().collect();
    assert!(lines.len() > 1 && lines.len() <= 3, "{run:?}");
    assert!(lines[1..].iter().all(|line| line.starts_with("  or ")), "{run:?}");
}

#[test]
fn json_is_as_documented() {
    let folder = Folder::with([("a.txt", b"caf=C3=A9 et th=C3=A9, d=C3=A9j=C3=A0 vu\n")]);
    let run = folder.utfall("detect --format json --candidates 2 a.txt", "");
    let object: Value = serde_json::from_str(run.text()).unwrap();
    assert_eq!(object["file"], "a.txt");
    assert_eq!(object["sure"], true);
    assert_eq!((&object["read"], &object["length"]), (&41.into(), &41.into()));
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
        (&multi["kind"], &multi["count"], &multi["first"]),
        (&"multi-octet".into(), &4.into(), &3.into())
    );
    // Every kind is in the page.
    let page = std::fs::read_to_string(repository("docs/detect.md")).unwrap();
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
    assert!(run.text().starts_with("a.txt: US-ASCII"), "{run:?}");
}

#[test]
fn only_a_sample_of_long_files_is_read() {
    let text = "Gr\u{f6}\u{df}e und Ma\u{df}\n".repeat(150_000);
    let length = text.len();
    let folder = Folder::with([("long.txt", text.as_bytes())]);
    let run = folder.utfall("detect long.txt", "");
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.text().contains(&format!("; 1048576 of {length} octets read\n")), "{run:?}");
    let run = folder.utfall("detect", &text);
    assert!(run.text().ends_with("; 1048576 octets read\n"), "{run:?}");
    for run in [folder.utfall("detect --all long.txt", ""), folder.utfall("detect --all", &text)] {
        assert!(!run.text().contains("octets read"), "{run:?}");
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
    assert!(run.stderr.contains("a.txt is taken for KOI8-U (guessed, 0.9"), "{run:?}");
    assert!(run.stderr.contains("b.txt is taken for UTF-16LE (guessed, 0.9"), "{run:?}");
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
    run.fails(2, &["is not known: unsure, perhaps windows-1252 (0.", "--min-confidence"]);
    utfall("convert -q -f detect --min-confidence 0.2 -t UTF-8", b"r\xE9sum\xE9")
        .quietly_gives("résumé");
    // Smuggled text stays as it is.
    let run =
        utfall("convert -f detect --min-confidence 0 -t UTF-8", b"Hi +ADw-script+AD4-alert(1)");
    run.fails(2, &["text is hidden in it: UTF-7 ("]);
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
    for (name, encoding) in [("a.txt", "KOI8-U"), ("b.txt", "UTF-32BE")] {
        let line = about(name);
        assert_eq!((&line["action"], &line["from"]), (&"converted".into(), &encoding.into()));
        assert_eq!(line["basis"], "guessed");
        assert!(line["evidence"].as_str().unwrap().starts_with("0.9"), "{line}");
        assert_eq!(folder.read(name), RUSSIAN.as_bytes());
    }
    assert_eq!(about("c.txt")["basis"], "well_formed");
    assert_eq!(about("d.txt")["action"], "unknown");
    assert!(about("d.txt")["message"].as_str().unwrap().contains("windows-1252 (0."));
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
            "\nwould be converted from:\n  windows-1251  2 files\n  windows-1252  1 file\ntotal:"
        ),
        "{run:?}"
    );
    let run = convert("--in-place --no-undo --format json .");
    let last: Value = serde_json::from_str(run.text().lines().last().unwrap()).unwrap();
    assert_eq!(last["converted_from"]["windows-1251"], 2, "{run:?}");
    assert_eq!(last["converted_from"]["windows-1252"], 1, "{run:?}");
    let folder = of_three_languages();
    let run = folder.utfall("convert -f detect -t UTF-8 --in-place --no-undo .", "");
    assert!(run.text().contains("converted from:\n  windows-1251  2 files\n"), "{run:?}");
    let run = folder.utfall("convert -q -f detect -t UTF-8 --dry-run .", "");
    assert!(!run.text().contains("converted from"), "{run:?}");
}

/// Hungarian in windows-1250 became `õ` and `û`, and Russian of a Macintosh lost its `я`.
#[test]
fn a_guess_that_is_not_clearly_ahead_is_not_used_for_writing() {
    let folder = of_three_languages();
    let before = ["hu.txt", "ru-mac.txt"].map(|name| folder.read(name));
    let run = folder.utfall("convert -f detect -t UTF-8 --in-place --no-undo .", "");
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(["hu.txt", "ru-mac.txt"].map(|name| folder.read(name)), before, "{run:?}");
    let line = |name: &str| run.text().lines().find(|line| line.contains(name)).unwrap();
    for (name, one, other) in [
        ("hu.txt", "windows-1252", "windows-1250"),
        ("ru-mac.txt", "windows-1251", "x-mac-cyrillic"),
    ] {
        let line = line(name);
        assert!(line.contains(&format!("unsure, perhaps {one} (0.9")), "{line}");
        assert!(line.contains(&format!("; or {other}; ")), "{line}");
        assert!(line.contains("--expect, --language, -f or --manifest"), "{line}");
    }
    // The same for a stream, with a limit given by the user.
    let run = folder.utfall("convert -f detect -t UTF-8 hu.txt", "");
    run.fails(2, &["or windows-1250", "--expect or --language"]);
    assert_eq!(
        folder.utfall("convert -f detect --min-confidence 0.9 -t UTF-8 hu.txt", "").status,
        0
    );
    // JSON of `detect` says so.
    let run = folder.utfall("detect --format json hu.txt fr.txt", "");
    let doubt = |line: &str| -> Value {
        serde_json::from_str::<Value>(line).unwrap()["candidates"][0]["doubt"].clone()
    };
    let doubts: Vec<_> = run.text().lines().map(doubt).collect();
    assert_eq!(doubts, [Value::from("windows-1250"), Value::Null], "{run:?}");
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
    assert!(run.status == 2 || run.text().contains("őszibarackot"), "{run:?}");
    let named = |args: &str, input: &[u8]| {
        let run = utfall(&format!("detect --min-confidence 0 {args}"), input);
        run.text().trim_start_matches("(standard input): ").split(" (").next().unwrap().to_owned()
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
