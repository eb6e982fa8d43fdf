//! Detection, repair, explanation and check.

use utfall::{Encoding, Utf7Tolerance};
use utfall_bind::check::{self, Level, Levels};
use utfall_bind::{detect, explain, repair};
use utfall_detect::{Extent, Hints, Language};

use super::case::{Case, Hex, Report, ReportOptions};

const FRENCH: &str = "Les élèves français étaient déjà à l'école où ils préféraient être.\n";
const JAPANESE: &str = "日本語の文章です。これは文字コードを推定するための例です。\n";
const QUOTED: &str =
    "cafÃ©\nthe signs “Ã©” mean a wrong charset\nThe sign \"Ã¼\" was on the door.\n";
const ESCAPED: &str =
    "caf&Atilde;&copy; d&#195;&#169;j&#xC3;&#xA0; &amp; /caf%C3%83%C2%A9/%C3%A9\n";
const MOJIBAKE: &str = "dÃ©jÃ\u{A0} vu, LÃ¢Â€Â™Ã©tÃ©, \"\\u00c3\\u00a9\"\n";

pub(super) fn cases() -> Vec<Case> {
    [detections(), repairs(), explanations(), mails(), checks()].concat()
}

/// The lines of a report.
fn lines(report: &[u8]) -> Report {
    let lines = std::str::from_utf8(report).unwrap().lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn encoded(encoding: Encoding, text: &str) -> Vec<u8> {
    encoding.encode(text).unwrap().into_owned()
}

fn detections() -> Vec<Case> {
    let usual = ReportOptions::default;
    let latin1 = encoded(Encoding::Iso8859_1, &FRENCH.repeat(3));
    let late = [&b"line\n".repeat(4000)[..], &latin1].concat();
    let cases = [
        (b"".to_vec(), usual()),
        (b"plain\n".to_vec(), usual()),
        (FRENCH.into(), usual()),
        (b"\xEF\xBB\xBFa".to_vec(), usual()),
        (encoded(Encoding::Utf16, "UTF-16 😀 é\n"), usual()),
        (encoded(Encoding::Utf16Le, JAPANESE), usual()),
        (encoded(Encoding::ShiftJis, JAPANESE), usual()),
        (encoded(Encoding::ShiftJis, JAPANESE), ReportOptions { language: Some("ja"), ..usual() }),
        (encoded(Encoding::Utf7, JAPANESE), ReportOptions { candidates: Some(3), ..usual() }),
        (latin1.clone(), ReportOptions { candidates: Some(5), name: Some("é.txt"), ..usual() }),
        (latin1[..20].to_vec(), usual()),
        (latin1[..20].to_vec(), ReportOptions { min_confidence: Some(0.1), ..usual() }),
        (late.clone(), usual()),
        (late, ReportOptions { all: true, ..usual() }),
        ((0..=255).collect(), usual()),
    ];
    cases.into_iter().map(|(input, options)| detection(input, options)).collect()
}

fn detection(input: Vec<u8>, options: ReportOptions) -> Case {
    let language = options.language.map(|tag| Language::for_tag(tag).unwrap());
    let request = detect::Request::default()
        .with_hints(Hints::default().with_language(language))
        .with_extent(if options.all { Extent::All } else { Extent::Sample })
        .with_name(options.name())
        .with_most(options.candidates.unwrap_or(1) as usize)
        .with_min_confidence(options.min_confidence);
    let mut report = Vec::new();
    let found = detect::detect(&input, &request, &mut report).unwrap();
    Case::Detect {
        input: Hex(input),
        options,
        encoding: found.map(|encoding| encoding.name()),
        report: lines(&report),
    }
}

fn repairs() -> Vec<Case> {
    let usual = ReportOptions::default;
    let cases = [
        ("plain\n", usual()),
        (FRENCH, usual()),
        (MOJIBAKE, usual()),
        (MOJIBAKE, ReportOptions { json_escapes: true, name: Some("a.json"), ..usual() }),
        ("cafÃ© and Ã", ReportOptions { min_confidence: Some(0.999), ..usual() }),
        ("cafÃ© and Ã", usual()),
        (QUOTED, usual()),
        (QUOTED, ReportOptions { force: true, ..usual() }),
        (ESCAPED, usual()),
        (ESCAPED, ReportOptions { html_entities: true, ..usual() }),
        (ESCAPED, ReportOptions { percent_encoding: true, ..usual() }),
    ];
    cases.into_iter().map(|(input, options)| repaired(input.as_bytes(), options)).collect()
}

fn repaired(input: &[u8], options: ReportOptions) -> Case {
    let initial = utfall_repair::Options::default();
    let how = utfall_repair::Options::new()
        .with_min_confidence(options.min_confidence.unwrap_or(initial.min_confidence))
        .with_json_escapes(options.json_escapes)
        .with_html_entities(options.html_entities)
        .with_percent_encoding(options.percent_encoding)
        .with_force(options.force);
    let (mut output, mut report) = (Vec::new(), Vec::new());
    let summary =
        repair::repair(input, how, options.name(), Some(&mut output), &mut report).unwrap();
    Case::Repair {
        input: Hex(input.to_vec()),
        options,
        output: Hex(output),
        changes: summary.changes,
        report: lines(&report),
    }
}

fn explanations() -> Vec<Case> {
    let usual = ReportOptions::default;
    let in_encoding = |name| ReportOptions { encoding: Some(name), ..usual() };
    let cases: [(&[u8], ReportOptions); 9] = [
        (b"", usual()),
        ("aé€😀\n".as_bytes(), usual()),
        (b"a\xC0\xAEb\xE2\x82", usual()),
        (b"a\xC0\xAEb\xE2\x82", ReportOptions { only_problems: true, ..usual() }),
        (b"abcdef", ReportOptions { begin: Some(2), end: Some(4), ..usual() }),
        (b"\xFE\xFF\xD8\x3D\xDE\x00", usual()),
        (b"A+2D3eAA-&", in_encoding("UTF-7")),
        (b"\x12\x9C\xBE", in_encoding("SCSU")),
        (b"\x82\xA0\x81", in_encoding("Shift_JIS")),
    ];
    cases.into_iter().map(|(input, options)| explained(input, options)).collect()
}

fn explained(input: &[u8], options: ReportOptions) -> Case {
    let mut report = Vec::new();
    explain::explain(input, &request(&options), &mut report).unwrap();
    Case::Explain { input: Hex(input.to_vec()), options, report: lines(&report) }
}

fn request(options: &ReportOptions) -> explain::Request<'_> {
    explain::Request::default()
        .with_encoding(options.encoding())
        .with_name(options.name())
        .with_range(options.begin.unwrap_or(0)..options.end.unwrap_or(u64::MAX))
        .with_only_problems(options.only_problems)
        .with_only_layers(options.only_layers)
}

/// Every layer that mail has.
const LAYERED: &[u8] = b"From: =?ISO-8859-1?Q?Andr=E9?= <andre@example.org>\r\n\
    Subject: =?x-klingon?B?4pi6?= caf\xC3\xA9\r\n\
    Content-Type: multipart/mixed; boundary=b; name*=utf-8''%E2%98%BA.txt\r\n\r\n\
    --b\r\nContent-Type: text/plain; charset=UTF-8\r\n\
    Content-Transfer-Encoding: quoted-printable\r\n\r\n=E2=98=BA=\r\n=C0=AE\r\n\
    --b\r\nContent-Type: text/plain; charset=UTF-7\r\n\
    Content-Transfer-Encoding: base64\r\n\r\nK0pqcC0=\r\n\
    --b\r\nContent-Transfer-Encoding: x-uue\r\n\r\nM\r\n--b--\r\n";

fn mails() -> Vec<Case> {
    let usual = ReportOptions::default;
    let mbox = b"From a@b Thu Jan  1 00:00:00 1970\n\nfirst\n\nFrom c@d Thu Jan  1 00:00:00 1970\n\n\xFF\n";
    let cases: [(&[u8], ReportOptions); 8] = [
        (b"", usual()),
        (LAYERED, usual()),
        (LAYERED, ReportOptions { only_problems: true, ..usual() }),
        (LAYERED, ReportOptions { only_layers: true, ..usual() }),
        (b"=?UTF-8?Q?caf=C3=A9?=\n", usual()),
        (LAYERED, ReportOptions { begin: Some(10), end: Some(40), ..usual() }),
        (mbox, usual()),
        (b"Subject: hi\n\nplain\n", ReportOptions { name: Some("hi.eml"), ..usual() }),
    ];
    cases.into_iter().map(|(input, options)| mail(input, options)).collect()
}

fn mail(input: &[u8], options: ReportOptions) -> Case {
    let mut report = Vec::new();
    explain::mail::explain(input, &request(&options), &mut report).unwrap();
    Case::ExplainMail { input: Hex(input.to_vec()), options, report: lines(&report) }
}

fn checks() -> Vec<Case> {
    let usual = ReportOptions::default;
    let levels = |levels| ReportOptions { levels: Some(levels), ..usual() };
    let odd = "\u{FEFF}BOM\u{FEFF}\r\n\u{202E}bidi\u{200B}\u{7}\u{FFFE}\u{FFFD}\n\r".as_bytes();
    let cases: [(&[u8], ReportOptions); 11] = [
        (b"", usual()),
        (b"plain\n", usual()),
        (b"a\xC0\xAE\xFF\xFF\n", usual()),
        (b"a\xC0\xAE\xFF\xFF\n", ReportOptions { all: true, ..usual() }),
        (b"a\xC0\xAE\xFF\xFF\n", levels("ill-formed=warning")),
        (odd, usual()),
        (odd, levels("control=error,bom=off,bidi-unbalanced=off")),
        (
            MOJIBAKE.as_bytes(),
            ReportOptions { json_escapes: true, name: Some("a.json"), ..usual() },
        ),
        (
            b"+ADw-script+AD4-",
            ReportOptions { concealed: true, encoding: Some("UTF-7"), ..usual() },
        ),
        (b"~+IKx-", ReportOptions { encoding: Some("UTF-7"), ..usual() }),
        (
            b"~+IKx-",
            ReportOptions {
                encoding: Some("UTF-7"),
                utf7_allow: Some("backslash-tilde,non-zero-padding"),
                ..usual()
            },
        ),
    ];
    cases.into_iter().map(|(input, options)| checked(input, options)).collect()
}

fn checked(input: &[u8], options: ReportOptions) -> Case {
    let mut levels = Levels::default();
    if options.concealed {
        levels.search_concealed();
    }
    for (rule, level) in options.levels.iter().flat_map(|all| all.split(',')).map(|word| {
        let (rule, level) = word.split_once('=').unwrap();
        let level = [("off", Level::Off), ("warning", Level::Warning), ("error", Level::Error)]
            .into_iter()
            .find(|(name, _)| *name == level);
        (rule, level.unwrap().1)
    }) {
        levels.set(rule, level).unwrap();
    }
    let words = options.utf7_allow.unwrap_or_default().split(',').filter(|word| !word.is_empty());
    let utf7_tolerance = words
        .map(|word| Utf7Tolerance::from_name(word).unwrap())
        .fold(Utf7Tolerance::NONE, |all, one| all | one);
    let request = check::Request::default()
        .with_encoding(options.encoding())
        .with_name(options.name())
        .with_levels(levels)
        .with_utf7_tolerance(utf7_tolerance)
        .with_json_escapes(options.json_escapes)
        .with_all(options.all);
    let mut report = Vec::new();
    let counts = check::check(input, &request, &mut report).unwrap();
    Case::Check {
        input: Hex(input.to_vec()),
        options,
        errors: counts.errors,
        warnings: counts.warnings,
        valid: counts.is_valid,
        report: lines(&report),
    }
}
