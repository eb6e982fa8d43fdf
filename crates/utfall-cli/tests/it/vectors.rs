//! The conformance vectors of `testdata/vectors`, made by others, through the program.
//!
//! Bytes to code points is `convert -f ENCODING -t UTF-8/Perl`, and back the other way
//! round: that UTF-8 carries surrogates and 31 bits. A case that cannot be run so is counted
//! and its reason printed. A case that dissents from `docs/decisions.md` is listed, with its
//! section, in `testdata/dissents.tsv`; it fails the test if it stops dissenting.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::common::{self, program};
use utfall::{Decoder, Encoder, Encoding, Options, Status};
use utfall_oracle::step;
use utfall_oracle::vectors::{self, Account, Case, Outcome, bytes, points};

/// Processes at a time.
const WORKERS: usize = 2;

/// Code points in the UTF-8 that carries them all.
fn to_perl(points: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; 6 * points.len()];
    let mut encoder = Encoder::new(Encoding::Utf8Perl, Options::default());
    let progress = encoder.encode_code_points(points, &mut bytes, true);
    assert_eq!(progress.status, Status::InputEmpty, "{points:X?}");
    bytes.truncate(progress.written);
    bytes
}

fn from_perl(bytes: &[u8]) -> Vec<u32> {
    let mut points = vec![0; bytes.len()];
    let mut decoder = Decoder::new(Encoding::Utf8Perl, Options::default());
    let progress = decoder.decode_to_code_points(bytes, &mut points, true);
    assert_eq!(progress.status, Status::InputEmpty, "{bytes:02X?}");
    points.truncate(progress.written);
    points
}

/// The options for a case, or why there are none.
fn flags(case: &Case) -> Result<Vec<&'static str>, String> {
    let mut flags: Vec<&str> = match case.mode.as_str() {
        "strict" | "lax" | "dotnet" | "windows-cp65000" => vec![],
        "replace" => vec!["--on-error", "replace"],
        "ignore" => vec!["-c"],
        "surrogateescape" => vec!["--on-error", "surrogateescape"],
        "backslashreplace" | "escape-c" => vec!["--on-error", "escape-python"],
        "xmlcharrefreplace" => vec!["--on-error", "escape-xml"],
        mode => return Err(format!("mode {mode}: not offered")),
    };
    for name in case.leniences() {
        flags.extend(["--utf7-allow", name]);
    }
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
            ("fffd", "per-byte") => flags.extend(["--granularity", "per-byte"]),
            ("fffd", "kuhn" | "perl") => flags.extend(["--granularity", "perl"]),
            ("fffd", _) => return Err(format!("{option}: a count of U+FFFD that is not offered")),
            ("replacement", "U+FFFC") if replaces => flags.extend(["--replacement", "\u{FFFC}"]),
            ("set-o", "encoded") => flags.extend(["--utf7", "header"]),
            ("set-o", "direct" | "any") => {}
            ("unshift", "always-minus") => flags.extend(["--utf7", "explicit"]),
            ("unshift", "implicit" | "implicit-where-possible") => {}
            ("implementation", _) if !case.leniences().is_empty() => {}
            ("encoder-choice", _) => {}
            ("default", "be") => {}
            ("default", _) if Encoding::for_bom(&bytes(&case.input)).is_some() => {}
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
        direction => Err(format!("direction {direction}: not between bytes and code points")),
    };
    match outcome {
        Ok(Ok(())) => Outcome::Passed,
        Ok(Err(why)) => Outcome::Failed(why),
        Err(reason) => Outcome::NotRun(reason),
    }
}

/// `Err` is a reason to skip, `Ok(Err)` a failure.
type Checked = Result<Result<(), String>, String>;

fn decode(case: &Case) -> Checked {
    let (label, flags) = (label(case)?, flags(case)?);
    let input = bytes(&case.input);
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
                Err(format!("byte {}, not code point {at}", offset(&run.stderr)))
            }
            _ => Ok(()),
        },
        // An SCSU encoder may choose its bytes; they must mean the text.
        ("ok", 0) if case.encoding == "scsu" => {
            let meaning = |bytes: &[u8]| convert(label, "UTF-8/Perl", &[], bytes).stdout;
            let (ours, theirs) = (meaning(&run.stdout), meaning(&bytes(&case.expected)));
            if ours == theirs { Ok(()) } else { Err(format!("{run:?}")) }
        }
        ("ok", 0) if run.stdout == bytes(&case.expected) => Ok(()),
        _ => Err(format!("{run:?}")),
    })
}

fn transcode(case: &Case) -> Checked {
    let flags = flags(case)?;
    let label = |option| match case.option(option).unwrap_or(&case.encoding) {
        label if Encoding::for_label(label).is_some() => Ok(label),
        label => Err(format!("{label}: not in this build")),
    };
    let run = convert(label("from")?, label("to")?, &flags, &bytes(&case.input));
    Ok(match (case.result.as_str(), run.status) {
        ("error", 1 | 3) => Ok(()),
        ("ok", 0) if run.stdout == bytes(&case.expected) => Ok(()),
        _ => Err(format!("{run:?}")),
    })
}

fn convert(from: &str, to: &str, flags: &[&str], stdin: &[u8]) -> common::Run {
    common::run(program().args(["convert", "-f", from, "-t", to]).args(flags), stdin)
}

/// The offset that a message names.
fn offset(message: &str) -> usize {
    let digits = message.split("(byte ").nth(1).and_then(|rest| rest.split(')').next());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("{message}"))
}

#[test]
fn vectors() {
    let cases: Vec<_> = vectors::cases().into_iter().step_by(step(4)).collect();
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

    let mut account = Account::default();
    outcomes.into_iter().for_each(|(case, outcome)| account.add(case, outcome));
    account.close();
}
