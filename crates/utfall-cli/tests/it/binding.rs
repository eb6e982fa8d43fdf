//! The reports of `utfall-bind`, which bindings pass on, are those of the command.

use std::ffi::OsStr;

use serde_json::Value;
use utfall::lint::Rule;
use utfall::{Encoding, Utf7Tolerance};
use utfall_bind::check::{self, Level, Levels};
use utfall_bind::file_name::STANDARD_INPUT;
use utfall_bind::{detect, explain, options, repair};
use utfall_detect::{Extent, Hints, Language};

use crate::common::{Folder, run, utfall};

/// Texts with everything that a report can say of them.
fn texts() -> Vec<Vec<u8>> {
    let french = "Les élèves français étaient déjà à l'école où ils préféraient être.\n";
    let latin1 = Encoding::Iso8859_1.encode(french).unwrap().repeat(3);
    let late = [&b"line\n".repeat(3000)[..], &latin1].concat();
    let mut texts = vec![
        b"".to_vec(),
        b"plain\n".to_vec(),
        b"no line end".to_vec(),
        french.into(),
        b"a\xC0\xAE./\xED\xA0\x80\xF4\x90\x80\x80\xFF\xE2\x98".to_vec(),
        b"\xF8\x88\x80\x80\x80 \xFC\x84\x80\x80\x80\x80\n\xE2\x98".to_vec(),
        "\u{FEFF}BOM\u{FEFF}\r\n\u{202E}bidi\u{200B}\u{7}\u{FFFE}\u{FFFD} nel\u{85}\n\r".into(),
        "dÃ©jÃ\u{A0} vu, LÃ¢Â€Â™Ã©tÃ©, \"\\u00c3\\u00a9\"\n".into(),
        b"A+2D3eAA-+ZeU- +AGE-~\\ +-+ZeV".to_vec(),
        b"=?UTF-8?Q?caf=C3=A9?= ##[group]::x\n".to_vec(),
        late,
    ];
    texts.push(Encoding::Utf16.encode("UTF-16 😀 é\n").unwrap().into_owned());
    texts.push(Encoding::ShiftJis.encode("日本語の文章です。\n").unwrap().into_owned());
    texts.push(latin1);
    texts
}

const ENCODINGS: [Option<Encoding>; 5] = [
    None,
    Some(Encoding::Utf7),
    Some(Encoding::Utf16Le),
    Some(Encoding::UsAscii),
    Some(Encoding::Windows1252),
];

fn from(encoding: Option<Encoding>) -> String {
    encoding.map_or(String::new(), |encoding| format!("-f {encoding}"))
}

#[track_caller]
fn assert_same(args: &str, text: &[u8], expected: &[u8], actual: &[u8]) {
    let lines = |text: &[u8]| -> Vec<_> {
        text.split(|byte| *byte == b'\n').map(|line| line.escape_ascii().to_string()).collect()
    };
    let (expected, actual) = (lines(expected), lines(actual));
    let shown = text[..text.len().min(100)].escape_ascii();
    for (expected, actual) in expected.iter().zip(&actual) {
        assert_eq!(expected, actual, "utfall {args} of {shown}");
    }
    assert_eq!(expected.len(), actual.len(), "lines of utfall {args} of {shown}");
}

/// A report without the likely encoding of invalid text. The command detects it from the bytes that it has at
/// hand, which depends on how it reads them.
fn without_likelihood(report: &[u8]) -> String {
    let lines = std::str::from_utf8(report).unwrap().lines().map(|line| {
        let parts = line.split_once(r#""likely":{"#).and_then(|(head, tail)| {
            let (_, tail) = tail.split_once('}')?;
            Some(format!("{}{tail}\n", head.trim_end_matches(',')))
        });
        parts.unwrap_or_else(|| format!("{line}\n"))
    });
    lines.collect()
}

#[track_caller]
fn assert_same_but_for_likelihood(args: &str, text: &[u8], expected: &[u8], actual: &[u8]) {
    let (expected, actual) = (without_likelihood(expected), without_likelihood(actual));
    assert_same(args, text, expected.as_bytes(), actual.as_bytes());
}

#[test]
fn explains_as_the_command_does() {
    for text in texts().iter().filter(|text| text.len() < 1000) {
        for encoding in ENCODINGS {
            for (flags, only_problems, range) in [
                ("", false, 0..u64::MAX),
                ("--only problems", true, 0..u64::MAX),
                ("--range 3..9", false, 3..9),
            ] {
                let args = format!("explain --json --hex {} {flags} --", from(encoding));
                let hex: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
                let folder = Folder::new();
                let mut command = folder.command();
                command.args(args.split_whitespace()).arg(OsStr::new(&hex));
                let expected = run(&mut command, "").stdout;
                let first = expected.split(|byte| *byte == b'\n').next().unwrap();
                let first: Value = serde_json::from_slice(first).unwrap();
                let name = first["input"].as_str().unwrap();
                let request = explain::Request::default()
                    .with_encoding(encoding)
                    .with_name(name)
                    .with_range(range)
                    .with_only_problems(only_problems);
                let mut actual = Vec::new();
                explain::explain(text, &request, &mut actual).unwrap();
                assert_same_but_for_likelihood(&args, text, &expected, &actual);
            }
        }
    }
}

#[test]
fn detects_as_the_command_does() {
    for text in texts() {
        let hints = Hints::default().with_language(Language::for_tag("ja"));
        for (flags, hints, most, extent) in [
            ("", Hints::default(), 1, Extent::Sample),
            ("--candidates 4 --all", Hints::default(), 4, Extent::All),
            ("--language ja --candidates 0", hints, 0, Extent::Sample),
        ] {
            let folder = Folder::with([("text", &text)]);
            let args = format!("detect --json {flags} text");
            let expected = folder.utfall(&args, "");
            let request = detect::Request::default()
                .with_hints(hints)
                .with_extent(extent)
                .with_name("text")
                .with_most(most)
                .with_min_confidence(None);
            let mut actual = Vec::new();
            let best = detect::detect(&text, &request, &mut actual).unwrap();
            assert_same(&args, &text, &expected.stdout, &actual);
            assert_eq!(best.is_some(), expected.status == 0, "{args}");
        }
    }
}

#[test]
fn repairs_as_the_command_does() {
    for text in texts() {
        let usual = utfall_repair::Options::default();
        for (flags, options) in [
            ("", usual),
            ("--json-escapes=always", usual.with_json_escapes(true)),
            ("--html-entities", usual.with_html_entities(true)),
            ("--percent-encoding", usual.with_percent_encoding(true)),
            ("--force", usual.with_force(true)),
        ] {
            let args = format!("repair --dry-run --json {flags}");
            let expected = utfall(&args, &text);
            let mut actual = Vec::new();
            let summary = repair::repair(&text, options, STANDARD_INPUT, None, &mut actual);
            assert_same_but_for_likelihood(&args, &text, &expected.stdout, &actual);
            assert_eq!(summary.unwrap().changes == 0, expected.status == 0, "{args}");

            let expected = utfall(&format!("repair --quiet {flags}"), &text).stdout;
            let (mut repaired, mut report) = (Vec::new(), Vec::new());
            repair::repair(&text, options, STANDARD_INPUT, Some(&mut repaired), &mut report)
                .unwrap();
            assert_same(flags, &text, &expected, &repaired);
        }
    }
}

#[test]
fn checks_as_the_command_does() {
    let concealed = || {
        let mut levels = Levels::default();
        levels.search_concealed();
        levels
    };
    let strict = || {
        let mut levels = Levels::default();
        for rule in Rule::ALL {
            levels.set(rule.name(), Level::Error).unwrap();
        }
        levels.set("control", Level::Off).unwrap();
        levels
    };
    let all: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    let strict_flags = format!("--all --deny {} --allow control", all.join(","));
    let usual = check::Request::default().with_name(STANDARD_INPUT);
    let utf7_tolerance = Utf7Tolerance::CONTROLS | Utf7Tolerance::BACKSLASH_TILDE;
    let cases = [
        ("", usual.clone()),
        ("--all", usual.clone().with_all(true)),
        ("--all --concealed", usual.clone().with_all(true).with_levels(concealed())),
        (&strict_flags, usual.clone().with_all(true).with_levels(strict())),
        ("--json-escapes=always", usual.clone().with_json_escapes(true)),
        (
            "--utf7-allow controls,backslash-tilde",
            usual.clone().with_utf7_tolerance(utf7_tolerance),
        ),
        ("--allow ill-formed", {
            let mut levels = Levels::default();
            levels.set("ill-formed", Level::Off).unwrap();
            usual.clone().with_levels(levels)
        }),
    ];
    for text in texts() {
        for encoding in ENCODINGS {
            for (flags, request) in &cases {
                let args = format!("check --json {} {flags}", from(encoding));
                let expected = utfall(&args, &text);
                let mut actual = Vec::new();
                let request = request.clone().with_encoding(encoding);
                let counts = check::check(&text, &request, &mut actual);
                match counts {
                    Ok(counts) => {
                        assert_same(&args, &text, &expected.stdout, &actual);
                        assert_eq!(i32::from(counts.errors > 0), expected.status, "{args}");
                    }
                    Err(error) => expected.fails(2, &[&error.to_string()]),
                }
            }
        }
    }
}

/// `options::set` has the words of the flags, and they do the same.
#[test]
fn options_have_the_words_of_the_command() {
    let text = b"a\xC0\xAE\xED\xA0\x80\xE2\x82 \xEF\xBB\xBF\xE2\x82\xAC<\xFF\xE3\x80\x9C\xC2\xA5\xE4\xB8\x82"
        .as_slice();
    let policies = options::POLICIES.map(|(word, _)| ("on-error", word));
    let granularities = options::GRANULARITIES.map(|(word, _)| ("granularity", word));
    let boms = options::BOMS.map(|(word, _)| ("bom", word));
    let mappings = options::DOUBLE_MAPPINGS.map(|(word, _)| ("double-mappings", word));
    let uses = options::JIS_X_0212.map(|(word, _)| ("jis-x-0212", word));
    let styles = options::UTF7_STYLES.map(|word| ("utf7", word));
    let others = [("replacement", "<!>"), ("substitute", "<?>"), ("utf7", "header,explicit")];
    let all = [&policies[..], &granularities, &boms, &mappings, &uses, &styles, &others].concat();
    for (name, word) in all {
        for target in ["UTF-7", "UTF-16", "US-ASCII", "EUC-JP"] {
            let is_policy = name == "on-error";
            let usual = if is_policy { "" } else { "--on-error replace" };
            let args = format!("convert -q -f UTF-8 -t {target} {usual} --{name} {word}");
            let expected = utfall(&args, text);
            let lossy = utfall::Options::default();
            let lossy = options::set(lossy, "on-error", "replace").unwrap();
            let options = options::set(lossy, name, word).unwrap();
            let to = Encoding::for_label(target).unwrap();
            match utfall::transcode(Encoding::Utf8, to, text, options) {
                Ok(actual) => expected.gives(&actual),
                Err(error) => {
                    let status = if error.is_unencodable() { 3 } else { 1 };
                    expected.fails(status, &[&utfall_bind::show::problem(&error)]);
                }
            }
        }
    }
    let help = utfall("convert --help", "");
    let listed = |flag: &str| -> Vec<_> {
        let (_, text) = help.text().split_once(&format!("--{flag} <")).unwrap();
        let lines = text.lines().skip(1).take_while(|line| !line.starts_with("      -"));
        let lines = lines.filter_map(|line| line.strip_prefix("            "));
        let words = lines.filter(|line| !line.starts_with(' '));
        words.filter_map(|line| line.split(' ').next()).collect()
    };
    assert_eq!(listed("on-error"), options::POLICIES.map(|(word, _)| word));
    assert_eq!(listed("granularity"), options::GRANULARITIES.map(|(word, _)| word));
    assert_eq!(listed("bom"), options::BOMS.map(|(word, _)| word));
    assert_eq!(listed("utf7"), options::UTF7_STYLES);
    assert_eq!(listed("double-mappings"), options::DOUBLE_MAPPINGS.map(|(word, _)| word));
    assert_eq!(listed("jis-x-0212"), options::JIS_X_0212.map(|(word, _)| word));
}
