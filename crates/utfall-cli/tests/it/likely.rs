//! What is said of text that is not valid: the encoding that it looks like, before anything that
//! loses text; and which subcommand has an encoding that another one lacks.

use crate::common::{Folder, Run, utfall};
use serde_json::Value;
use utfall::Encoding;

const FRENCH: &str = "Les élèves français étaient déjà à l'école où ils préféraient être.\n";
const RUSSIAN: &str =
    "Когда мы подъехали к деревне, уже стемнело, и только в одном окне горел свет.\n";
/// Two lines of one text: `-f windows-1252` is advised for each of them.
const TRY: &str = "try `-f windows-1252`";

fn folder() -> Folder {
    let latin = Encoding::Windows1252.encode(FRENCH).unwrap();
    let koi8 = Encoding::Koi8R.encode(RUSSIAN).unwrap();
    let broken = [FRENCH.repeat(3).as_bytes(), b"\xFF\n"].concat();
    Folder::with([
        ("latin", &latin),
        ("koi8", &koi8),
        ("utf8", FRENCH.as_bytes()),
        ("broken", &broken),
        ("mark", &[b"\xFF\xFE", &*Encoding::Utf16Le.encode(FRENCH).unwrap()].concat()),
    ])
}

/// Where some text first is in what was said.
#[track_caller]
fn at(text: &str, part: &str) -> usize {
    text.find(part).unwrap_or_else(|| panic!("{part:?} is not in {text}"))
}

fn objects(run: &Run) -> Vec<Value> {
    run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn convert_names_the_likely_encoding_before_it_offers_to_lose_text() {
    let (folder, latin) = (folder(), folder().read("latin"));
    for args in [
        "convert -f UTF-8 -t UTF-16 -o out",
        "convert -f UTF-8 -t UTF-16 --newline crlf -o out",
        "convert -f UTF-8 -t UTF-16 --threads 2 -o out",
    ] {
        for (file, stdin) in [("latin", &b""[..]), ("", &latin)] {
            let run = folder.utfall(&format!("{args} {file}"), stdin);
            run.fails(1, &["= help: this looks like windows-1252 (", TRY, "--on-error replace"]);
            assert!(at(&run.stderr, TRY) < at(&run.stderr, "--on-error"), "{run:?}");
            assert!(at(&run.stderr, "utfall check") < at(&run.stderr, "--on-error"), "{run:?}");
        }
    }
    // Another encoding that was asked for, and one that is right but for one byte.
    let run = folder.utfall("convert -f US-ASCII -t UTF-8 -o out utf8", "");
    run.fails(1, &["this looks like UTF-8 (99 %): try `-f UTF-8`"]);
    let run = folder.utfall("convert -f UTF-8 -t UTF-16 -o out broken", "");
    assert!(run.status == 1 && !run.stderr.contains("looks like"), "{run:?}");
    // A character that the target lacks is not an error of the input.
    let run = folder.utfall("convert -f UTF-8 -t US-ASCII -o out utf8", "");
    assert!(run.status == 3 && !run.stderr.contains("looks like"), "{run:?}");
}

/// The sample is taken around the error, wherever in a large file that is, in any number of threads.
#[test]
fn large_files_are_looked_at_around_the_error() {
    let latin = Encoding::Windows1252.encode(FRENCH).unwrap();
    let text = ["plain\n".repeat(3 << 20).as_bytes(), &latin.repeat(2000)].concat();
    let folder = Folder::with([("large", &text)]);
    for args in ["convert -f UTF-8 -t UTF-16 -o out -j 4", "convert -f UTF-8 -t UTF-16 -o out -j 1"]
    {
        folder.utfall(&format!("{args} large"), "").fails(1, &["windows-1252 (", TRY]);
    }
    for threads in ["1", "4"] {
        let run = folder.utfall(&format!("check -j {threads} large"), "");
        assert_eq!(run.text().matches(TRY).count(), 1, "{run:?}");
    }
    let run = folder.utfall("explain --only problems large", "");
    assert_eq!(run.text().matches(TRY).count(), 1);
    let run = folder.utfall("repair --dry-run large", "");
    assert!(run.stderr.contains("this looks like windows-1252 ("), "{run:?}");
}

#[test]
fn check_and_explain_say_it_once_for_each_file() {
    let folder = folder();
    for args in ["check --all latin koi8 utf8 broken", "explain latin koi8 utf8 broken"] {
        let run = folder.utfall(args, "");
        assert_eq!(run.status, 1, "{run:?}");
        let help: Vec<_> = run.text().lines().filter(|line| line.contains("help: ")).collect();
        assert_eq!(help.len(), 2, "{help:?}");
        assert!(help[0].starts_with("  help: this looks like windows-1252 ("), "{help:?}");
        assert!(help[0].ends_with(TRY) && help[1].ends_with("try `-f KOI8-R`"), "{help:?}");
    }
    for args in ["check --format json latin utf8", "explain --format json latin utf8"] {
        let run = folder.utfall(args, "");
        let objects = objects(&run);
        let likely: Vec<_> = objects.iter().filter(|line| !line["likely"].is_null()).collect();
        assert_eq!(likely.len(), 1, "{run:?}");
        assert_eq!(likely[0]["file"], "latin");
        assert_eq!(likely[0]["likely"]["encoding"], "windows-1252");
        assert!(likely[0]["likely"]["confidence"].as_f64().is_some_and(|number| number > 0.5));
    }
    // From a pipe, too; and what is advised can be typed.
    let latin = folder.read("latin");
    assert!(folder.utfall("check", &latin).text().contains(TRY));
    assert!(folder.utfall("explain", &latin).text().contains(TRY));
    assert_eq!(folder.utfall("check -f windows-1252 latin", "").status, 0);
    // Nothing conceals text there, which would be an error.
    let run = folder.utfall("check --concealed latin", "");
    assert!(run.text().contains("try `-f windows-1252` without --concealed"), "{run:?}");
}

#[test]
fn what_is_known_to_be_invalid_needs_no_advice() {
    let folder = folder();
    folder.utfall("check --write-baseline known latin", "");
    for args in ["check --baseline known latin", "check --allow ill-formed latin"] {
        let run = folder.utfall(args, "");
        assert!(!run.text().contains("looks like") || args.contains("--allow"), "{run:?}");
    }
}

#[test]
fn repair_says_that_it_reads_utf_8() {
    let folder = folder();
    let command = "try `utfall convert -f windows-1252 -t UTF-8";
    for args in ["repair latin", "repair --dry-run latin", "repair --diff latin"] {
        let run = folder.utfall(args, "");
        assert_eq!(run.status, 0, "{run:?}");
        let says =
            format!("warning: latin: this looks like windows-1252 (99 %): {command} latin`\n");
        assert_eq!(run.stderr, says, "{args}");
        assert_eq!(folder.utfall(&format!("{args} --quiet"), "").stderr, "");
    }
    assert_eq!(folder.utfall("repair latin", "").stdout, folder.read("latin"));
    let run = folder.utfall("repair", folder.read("latin"));
    assert!(run.stderr.contains(&format!("{command}`")), "{run:?}");
    let run = folder.utfall("repair --dry-run --format json latin utf8", "");
    let objects = objects(&run);
    assert_eq!(objects[0]["likely"]["encoding"], "windows-1252", "{run:?}");
    assert!(objects[1]["likely"].is_null(), "{run:?}");
    let run = folder.utfall("repair --in-place latin", "");
    assert!(run.status == 0 && run.stderr.contains(command), "{run:?}");
    // Neither repaired text nor a single byte is a reason to warn.
    for args in ["repair utf8", "repair broken"] {
        assert_eq!(folder.utfall(args, "").stderr, "");
    }
    let run = utfall("repair", b"a \xED\xA0\xBD\xED\xB8\x80\n");
    assert_eq!(run.stderr, "note: 1 change; --dry-run and --diff show them\n");
}

#[test]
fn utfall_toml_and_manifests_are_to_be_corrected() {
    let folder = folder();
    let toml = "[[files]]\nglob = \"latin\"\nencoding = \"UTF-8\"\n";
    std::fs::write(folder.path("utfall.toml"), toml).unwrap();
    std::fs::write(folder.path("list.tsv"), "latin\tUTF-8\n").unwrap();
    let correct = format!("{TRY}, or correct utfall.toml, which says UTF-8");
    folder.utfall("convert -t UTF-16 -o out latin", "").fails(1, &[&correct]);
    folder.utfall("convert -t UTF-16 --nfc -o out latin", "").fails(1, &[&correct]);
    for args in ["check latin", "convert -t UTF-16 --dry-run latin"] {
        let run = folder.utfall(args, "");
        assert!(run.text().contains(&correct), "{run:?}");
    }
    let run = folder.utfall("check -f UTF-8 latin", "");
    assert!(run.text().contains(TRY) && !run.text().contains("utfall.toml"), "{run:?}");
    let run = folder.utfall("convert -t UTF-16 --dry-run --manifest list.tsv", "");
    assert!(
        run.text().ends_with(
            "%): correct the manifest, which says UTF-8\n\
         total: 1 file, 0 to be converted, 0 unchanged, 1 invalid\n"
        ),
        "{run:?}"
    );
    // Where it came from is said of files that are valid, too.
    std::fs::write(folder.path("latin"), "é").unwrap();
    let run = folder.utfall("convert -t UTF-16 --dry-run --verbose latin", "");
    assert!(run.text().contains("UTF-8 to UTF-16 (from utfall.toml)\n"), "{run:?}");
    let run = folder.utfall("convert -t UTF-16 --dry-run --format json latin", "");
    assert_eq!(objects(&run)[0]["basis"], "configured", "{run:?}");
}

#[test]
fn trees_name_the_likely_encoding_of_each_file() {
    let folder = folder();
    let run = folder.utfall("convert -f UTF-8 -t UTF-16 --in-place --no-undo latin koi8", "");
    assert_eq!(run.status, 1, "{run:?}");
    let lines: Vec<_> = run.text().lines().collect();
    assert!(lines[0].starts_with("latin: ") && lines[0].ends_with(TRY), "{run:?}");
    assert!(lines[1].starts_with("koi8: ") && lines[1].ends_with("try `-f KOI8-R`"), "{run:?}");
    let run = folder.utfall("convert -f UTF-8 -t UTF-16 --dry-run --format json latin utf8", "");
    let objects = objects(&run);
    assert_eq!(objects[0]["likely"]["encoding"], "windows-1252", "{run:?}");
    assert!(objects[1]["likely"].is_null(), "{run:?}");
}

/// A BOM, else valid UTF-8, else an error with the best guess: for one file as for many.
#[test]
fn without_f_one_rule_holds_for_every_file() {
    let folder = folder();
    let wanted = [b"\xFF\xFE", &*Encoding::Utf16Le.encode(FRENCH).unwrap()].concat();
    for (name, is_known) in [("utf8", true), ("mark", true), ("latin", false), ("broken", false)] {
        let stdin = folder.read(name);
        for (args, stdin) in [
            (format!("convert -t UTF-16LE --bom add {name} -o out"), &b""[..]),
            ("convert -t UTF-16LE --bom add -o out".into(), &stdin),
            (format!("convert -t UTF-16LE --bom add --newline lf {name} -o out"), b""),
            (format!("convert -t UTF-16LE --bom add --output-dir dir {name}"), b""),
        ] {
            let run = folder.utfall(&args, stdin);
            assert_eq!(run.status, i32::from(!is_known), "{args}: {run:?}");
            let out = if args.contains("dir") { format!("dir/{name}") } else { "out".into() };
            if is_known {
                assert_eq!(folder.read(&out), wanted, "{args}");
                std::fs::remove_file(folder.path(&out)).unwrap();
            } else {
                let said = format!("{}{}", run.stderr, run.text());
                assert!(said.contains("cannot tell the encoding"), "{args}: {run:?}");
                let guess = if name == "latin" { "windows-1252 (" } else { "UTF-8 (" };
                assert!(said.contains(&format!("; best guess: {guess}")), "{args}: {run:?}");
                assert!(!folder.path(&out).exists(), "{args}");
            }
        }
    }
    let run = folder.utfall("convert -t UTF-16 latin", "");
    assert_eq!(
        run.stderr,
        "error: cannot tell the encoding of latin; best guess: windows-1252 (99 %)\n\
         help: try `-f windows-1252`; without -f, text must have a BOM or be valid UTF-8\n"
    );
    assert_eq!((run.status, run.stdout), (1, Vec::new()));
    // A policy for errors is not a reason to read it as UTF-8.
    folder.utfall("convert -t UTF-16 --on-error replace latin", "").fails(1, &["best guess"]);
    folder.utfall("convert -t UTF-16 --on-error replace", folder.read("latin")).fails(1, &["best"]);
    let run = folder.utfall("convert -t UTF-16 broken", "");
    run.fails(1, &["best guess: UTF-8 (", "`utfall check --all broken` shows what is invalid"]);
    // The same for `cost`; what it is when it is said, is to be believed.
    folder.utfall("cost latin", "").fails(1, &["cannot tell the encoding of latin; best guess"]);
    folder
        .utfall("cost", folder.read("latin"))
        .fails(1, &["(standard input); best guess: windows"]);
    folder.utfall("cost -f UTF-8 latin", "").fails(1, &["line 1, column 5", TRY]);
    // Beside others of one text.
    folder
        .utfall("convert -t UTF-8 utf8 mark latin -o out", "")
        .fails(1, &["of latin; best guess"]);
    folder.utfall("convert -t UTF-8 utf8 mark", "").quietly_gives([FRENCH, FRENCH].concat());
}

/// Invalid bytes far from the start are found while the text is read, wherever a pipe is split.
#[test]
fn a_long_pipe_is_validated_on_the_way() {
    let long = [FRENCH.repeat(20_000).as_bytes(), b"\xE9t\xE9 \xE9t\xE9\n"].concat();
    let folder = Folder::new();
    let run = folder.utfall("convert -t UTF-16 -o out", &long);
    run.fails(1, &["cannot tell the encoding of (standard input); best guess: "]);
    assert!(folder.names().is_empty());
    let cut = &long[..long.len() - 9];
    let run = folder.utfall("convert -t UTF-8", [cut, b"\xC3"].concat());
    run.fails(1, &["cannot tell the encoding"]);
    folder.utfall("convert -t UTF-8", cut).quietly_gives(cut);
}

#[test]
fn convert_and_iconv_point_to_each_other() {
    let folder = folder();
    for (args, command) in [
        ("convert -f WCHAR_T -t UTF-8 utf8", "utfall iconv -f WCHAR_T -t UTF-8"),
        ("convert -f WCHAR_T -t UTF-8 --dry-run utf8", "utfall iconv -f WCHAR_T -t UTF-8"),
        ("convert -f latin1 -t WCHAR_T utf8", "utfall iconv -f latin1 -t WCHAR_T"),
        ("convert -f latin1 -t WCHAR_T --dry-run utf8", "utfall iconv -f latin1 -t WCHAR_T"),
        ("convert -f SCSU -t WCHAR_T utf8", "utfall iconv -f SCSU -t WCHAR_T"),
        ("check -f wchar_t utf8", "utfall iconv -f wchar_t -t UTF-8"),
        ("explain -f wchar_t utf8", "utfall iconv -f wchar_t -t UTF-8"),
        ("cost -f wchar_t utf8", "utfall iconv -f wchar_t -t UTF-8"),
    ] {
        let help = format!("help: only `utfall iconv` has it: try `{command}`");
        folder.utfall(args, "").fails(2, &["unknown encoding \"", &help]);
        // It does.
        let run =
            folder.utfall(&format!("{} -c utf8", command.strip_prefix("utfall ").unwrap()), "");
        assert!(!run.stderr.contains("not supported"), "{command}: {run:?}");
    }
    for (args, command) in [
        ("iconv -f Latin-1 -t latin1//TRANSLIT utf8", "utfall convert -f Latin-1 -t latin1"),
        ("iconv -f Latin-1 -t WCHAR_T utf8", "utfall convert -f Latin-1 -t UTF-8"),
        ("iconv -f UTF-8 -t BOCU_1 utf8", "utfall convert -f UTF-8 -t BOCU_1"),
        ("iconv -t CESU_8 utf8", "utfall convert -f UTF-8 -t CESU_8"),
    ] {
        folder
            .utfall(args, "")
            .fails(1, &[&format!("is not supported; `{command}` supports it\n")]);
    }
    // Nobody has these.
    let run = folder.utfall("convert -f klingon -t UTF-8 utf8", "");
    assert!(run.status == 2 && !run.stderr.contains("iconv"), "{run:?}");
    let run = folder.utfall("iconv -f klingon -t UTF-8 utf8", "");
    assert!(run.status == 1 && !run.stderr.contains("utfall convert"), "{run:?}");
}
