//! The conformance vectors of `testdata/vectors`, made by others, through the program.
//!
//! Octets to code points is `convert -f ENCODING -t UTF-8/Perl`, and back the other way
//! round: that UTF-8 carries surrogates and 31 bits. A case that cannot be run so is counted
//! and its reason printed. A case that dissents from `docs/decisions.md` is listed, with its
//! section, in `testdata/dissents.tsv`; it fails the test if it stops dissenting.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use common::{program, repository};
use utfall::{Decoder, Encoder, Encoding, Options, Status};

/// The files with encodings; the rest belongs to mail and to detection.
const FILES: &[&str] = &[
    "utf-8.tsv",
    "utf-8-legacy.tsv",
    "utf-7.tsv",
    "utf-7-imap.tsv",
    "utf-16.tsv",
    "utf-32.tsv",
    "ucs-2.tsv",
    "ucs-4.tsv",
    "cesu-8.tsv",
    "mutf-8.tsv",
    "wtf-8.tsv",
    "utf-1.tsv",
    "utf-ebcdic.tsv",
    "scsu.tsv",
    "bocu-1.tsv",
];

/// Processes at a time.
const WORKERS: usize = 2;

struct Case {
    file: &'static str,
    id: String,
    source: String,
    encoding: String,
    direction: String,
    input: String,
    mode: String,
    options: String,
    result: String,
    kind: String,
    expected: String,
    error_offset: Option<usize>,
}

impl Case {
    fn new(file: &'static str, line: &str) -> Self {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |index: usize| fields[index].to_owned();
        Self {
            file,
            id: field(0),
            source: field(1),
            encoding: field(2),
            direction: field(3),
            input: field(4),
            mode: field(5),
            options: field(6),
            result: field(7),
            kind: field(8),
            expected: field(9),
            error_offset: fields[10].parse().ok(),
        }
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.options.split(';').find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
    }
}

enum Outcome {
    Passed,
    Failed(String),
    /// The reason.
    Skipped(String),
}

fn octets(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn points(list: &str) -> Vec<u32> {
    list.split_whitespace().map(|hex| u32::from_str_radix(hex, 16).unwrap()).collect()
}

/// Code points in the UTF-8 that carries them all.
fn to_perl(points: &[u32]) -> Vec<u8> {
    let mut octets = vec![0; 6 * points.len()];
    let mut encoder = Encoder::new(Encoding::Utf8Perl, Options::default());
    let progress = encoder.encode_points(points, &mut octets, true);
    assert_eq!(progress.status, Status::InputEmpty, "{points:X?}");
    octets.truncate(progress.written);
    octets
}

fn from_perl(octets: &[u8]) -> Vec<u32> {
    let mut points = vec![0; octets.len()];
    let mut decoder = Decoder::new(Encoding::Utf8Perl, Options::default());
    let progress = decoder.decode_to_points(octets, &mut points, true);
    assert_eq!(progress.status, Status::InputEmpty, "{octets:02X?}");
    points.truncate(progress.written);
    points
}

/// The flags for what a case asks, or why there are none.
fn flags(case: &Case) -> Result<Vec<&'static str>, String> {
    let mut flags: Vec<&str> = match case.mode.as_str() {
        "strict" | "lax" => vec![],
        "replace" => vec!["--on-error", "replace"],
        "ignore" => vec!["-c"],
        "surrogateescape" => vec!["--on-error", "surrogateescape"],
        "backslashreplace" | "escape-c" => vec!["--on-error", "escape-python"],
        "xmlcharrefreplace" => vec!["--on-error", "escape-xml"],
        mode => return Err(format!("mode {mode}: not offered")),
    };
    let replaces = case.mode == "replace";
    if replaces && case.direction == "encode" && case.source.contains("CPython") {
        flags.extend(["--substitute", "?"]);
    }
    for option in case.options.split(';').filter(|option| *option != "-") {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        match (name, value) {
            ("bom", "strip" | "none") => flags.extend(["--bom", "strip"]),
            ("bom", "keep") => flags.extend(["--bom", "keep"]),
            ("bom", "write") => flags.extend(["--bom", "add"]),
            ("bom", "optional")
            | ("had-errors" | "source-skips" | "source" | "endian" | "lf", _) => {}
            ("fffd", "maximal-subpart" | "one-per-ill-formed-run") => {}
            ("fffd", "per-byte") => flags.extend(["--granularity", "per-octet"]),
            ("fffd", "kuhn" | "perl") => flags.extend(["--granularity", "perl"]),
            ("fffd", _) => return Err(format!("{option}: a count of U+FFFD that is not offered")),
            ("replacement", "U+FFFC") if replaces => flags.extend(["--replacement", "\u{FFFC}"]),
            ("set-o", "encoded") => flags.push("--utf7-shift-set-o"),
            ("set-o", "direct" | "any") => {}
            ("unshift", "always-minus") => flags.push("--utf7-explicit-close"),
            ("unshift", "implicit" | "implicit-where-possible") => {}
            ("encoder-choice", _) => {}
            ("default", "be") => {}
            ("default", _) if Encoding::for_bom(&octets(&case.input)).is_some() => {}
            ("default", _) => return Err(format!("{option}: decisions §2")),
            ("final", "no") => return Err("final=no: a file has an end".into()),
            // A program reads as it likes.
            ("chunks" | "outs" | "from" | "to", _) => {}
            ("u16chunks" | "capacity" | "status" | "read_u16", _) => {
                return Err(format!("{name}: about buffers, which a program hides"));
            }
            ("input", "utf-16-units") => return Err(format!("{option}: units in memory")),
            _ => return Err(format!("{option}: no such option")),
        }
    }
    Ok(flags)
}

fn label(case: &Case) -> Result<&str, String> {
    let label = match (case.encoding.as_str(), case.option("lf"), case.option("endian")) {
        (_, Some("25"), _) => "UTF-EBCDIC/CDRA",
        ("utf-16", _, Some("le")) => "utf-16le",
        ("utf-32", _, Some("le")) => "utf-32le",
        (label, ..) => label,
    };
    let known = Encoding::for_label(label).map(|_| label);
    known.ok_or_else(|| format!("{label}: not in this build"))
}

fn run(case: &Case) -> Outcome {
    let outcome = match case.direction.as_str() {
        "decode" => decode(case),
        "encode" => encode(case),
        "transcode" => transcode(case),
        direction => Err(format!("direction {direction}: not between octets and code points")),
    };
    match outcome {
        Ok(Ok(())) => Outcome::Passed,
        Ok(Err(why)) => Outcome::Failed(why),
        Err(reason) => Outcome::Skipped(reason),
    }
}

/// `Err` is a reason to skip, `Ok(Err)` a failure.
type Checked = Result<Result<(), String>, String>;

fn decode(case: &Case) -> Checked {
    let (label, flags) = (label(case)?, flags(case)?);
    if case.encoding == "utf-7-imap" && case.mode == "lax" {
        return Err("a lenient reader of mailbox names: not offered".into());
    }
    let input = octets(&case.input);
    let run = convert(label, "UTF-8/Perl", &flags, &input);
    Ok(match (case.result.as_str(), run.status) {
        ("error", 1) => match (case.error_offset, offset(&run.stderr)) {
            (Some(expected), found) if found != expected => {
                Err(format!("offset {found} instead of {expected}"))
            }
            _ => Ok(()),
        },
        ("ok", 0) if case.kind == "cp" => {
            let (found, expected) = (from_perl(&run.stdout), points(&case.expected));
            let tells = case.mode == "strict" || case.mode == "lax" || !run.stderr.is_empty();
            let same = found == expected
                || case.mode == "escape-c" && in_lower_case(&found) == in_lower_case(&expected);
            match same {
                _ if case.options.contains("had-errors") && !tells => {
                    Err("said nothing of errors".into())
                }
                true => Ok(()),
                false => Err(format!("{found:X?}")),
            }
        }
        ("ok", 0) => Ok(()),
        _ => Err(format!("{run:?}")),
    })
}

fn in_lower_case(points: &[u32]) -> String {
    points.iter().filter_map(|point| char::from_u32(*point)).collect::<String>().to_lowercase()
}

fn encode(case: &Case) -> Checked {
    let (label, flags) = (label(case)?, flags(case)?);
    let input = points(&case.input);
    if input.first() == Some(&0xFEFF) && matches!(label, "utf-16" | "utf-32") {
        return Err("U+FEFF at the start: in a file it is the mark, and not written twice".into());
    }
    let run = convert("UTF-8/Perl", label, &flags, &to_perl(&input));
    Ok(match (case.result.as_str(), run.status) {
        ("error", 3) => match case.error_offset {
            Some(at) if to_perl(&input[..at]).len() != offset(&run.stderr) => {
                Err(format!("octet {}, not code point {at}", offset(&run.stderr)))
            }
            _ => Ok(()),
        },
        // An SCSU encoder may choose its octets; they must mean the text.
        ("ok", 0) if case.encoding == "scsu" => {
            let meaning = |octets: &[u8]| convert(label, "UTF-8/Perl", &[], octets).stdout;
            let (ours, theirs) = (meaning(&run.stdout), meaning(&octets(&case.expected)));
            if ours == theirs { Ok(()) } else { Err(format!("{run:?}")) }
        }
        ("ok", 0) if run.stdout == octets(&case.expected) => Ok(()),
        _ => Err(format!("{run:?}")),
    })
}

fn transcode(case: &Case) -> Checked {
    let flags = flags(case)?;
    let label = |option| match case.option(option).unwrap_or(&case.encoding) {
        label if Encoding::for_label(label).is_some() => Ok(label),
        label => Err(format!("{label}: not in this build")),
    };
    let run = convert(label("from")?, label("to")?, &flags, &octets(&case.input));
    Ok(match (case.result.as_str(), run.status) {
        ("error", 1 | 3) => Ok(()),
        ("ok", 0) if run.stdout == octets(&case.expected) => Ok(()),
        _ => Err(format!("{run:?}")),
    })
}

fn convert(from: &str, to: &str, flags: &[&str], stdin: &[u8]) -> common::Run {
    common::run(program().args(["convert", "-f", from, "-t", to]).args(flags), stdin)
}

/// The offset that a message names.
fn offset(message: &str) -> usize {
    let digits = message.split("(octet ").nth(1).and_then(|rest| rest.split(')').next());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("{message}"))
}

/// Id of a vector that utfall does not follow → section of `docs/decisions.md` and why.
fn dissents() -> BTreeMap<String, String> {
    let text = fs::read_to_string(repository("testdata/dissents.tsv")).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let (id, reason) = line.split_once('\t').unwrap();
        (id.into(), reason.replace('\t', " "))
    });
    rows.collect()
}

#[test]
fn vectors() {
    let mut cases = Vec::new();
    for file in FILES {
        let text = fs::read_to_string(repository("testdata/vectors").join(file)).unwrap();
        cases.extend(text.lines().skip(1).map(|line| Case::new(file, line)));
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            outcomes.push((case, run(case)));
        }
        outcomes
    };
    let outcomes: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });

    let dissents = dissents();
    let (mut passed, mut failures) = (0, Vec::new());
    let (mut skipped, mut dissented) = (BTreeMap::new(), BTreeMap::new());
    for (case, outcome) in outcomes {
        match (outcome, dissents.get(&case.id)) {
            (Outcome::Passed, None) => passed += 1,
            (Outcome::Skipped(reason), _) => {
                *skipped.entry(format!("{}: {reason}", case.file)).or_insert(0) += 1;
            }
            (Outcome::Failed(_), Some(reason)) => {
                *dissented.entry(reason.clone()).or_insert(0) += 1
            }
            (Outcome::Failed(why), None) => failures.push(format!(
                "{}: {}: {} {} {} {} [{}] -> {} {}: {why}",
                case.id,
                case.source,
                case.encoding,
                case.direction,
                case.input,
                case.mode,
                case.options,
                case.result,
                case.expected,
            )),
            (Outcome::Passed, Some(_)) => failures.push(format!("{} dissents no longer", case.id)),
        }
    }
    print("dissent", &dissented);
    print("not run", &skipped);
    println!("{passed} passed");
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

fn print(what: &str, counts: &BTreeMap<String, usize>) {
    println!("{} {what}:", counts.values().sum::<usize>());
    for (reason, count) in counts {
        println!("  {count:4} {reason}");
    }
}
