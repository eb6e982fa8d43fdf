//! Verifies `docs/detect.md`: how often the detector is right, measured on held-out text. The test
//! rebuilds the tables and compares them; `cargo xtask pages detect` writes them.

use std::fmt::Write as _;

use crate::cases::{self, Case, Family, LENGTHS, Part};
use utfall::Encoding;
use utfall_detect::{Hints, detect_with};

const BEGIN: &str = "<!-- measured -->\n";
const END: &str = "<!-- end of what is measured -->\n";
/// The encodings that are expected for texts in one of the first four.
const RARE: [Encoding; 6] = [
    Encoding::UtfEbcdic,
    Encoding::Utf1,
    Encoding::Scsu,
    Encoding::Bocu1,
    Encoding::Utf8,
    Encoding::Windows1252,
];
/// The command calls a file binary if the confidence is lower.
const SHOWN: f64 = 0.005;
/// Lower bounds of the confidence ranges.
const RANGES: [f64; 9] = [0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.998];

/// A case and its result.
struct Result {
    case: Case,
    said: Option<Encoding>,
    confidence: f64,
    /// Whether a file would be converted on this result.
    is_used: bool,
    is_right: bool,
}

fn results() -> Vec<Result> {
    let mut cases = cases::of_languages(Part::HeldOut, 2, 100_000);
    cases.extend(cases::of_no_language(Part::HeldOut, 4, 20_000));
    let result = |case: Case| {
        // Nobody writes these without a signature, so they are considered only if they are expected.
        let is_rare = case.family == Family::Rare;
        let hints = Hints::default();
        let hints = if is_rare { hints.with_expected(RARE) } else { hints };
        let best = detect_with(&case.bytes, &hints).into_iter().next();
        let best = best.filter(|best| best.confidence >= SHOWN);
        let (said, confidence) = match &best {
            Some(best) => (Some(best.encoding), best.confidence),
            None => (None, 0.0),
        };
        let is_right = said.is_some_and(|encoding| case.is_read_by(encoding));
        let is_clear = best.as_ref().is_some_and(|best| best.doubt.is_none());
        let is_used = is_clear && confidence >= 0.9;
        Result { case, said, confidence, is_used, is_right }
    };
    cases.into_iter().map(result).collect()
}

#[test]
fn page_is_true() {
    let results = results();
    promises(&results);
    if !cfg!(feature = "cns") {
        println!("skipped: the page has the results with the feature `cns`");
        return;
    }
    let measured =
        format!("{}\n{}\n{}", of_lengths(&results), of_confidences(&results), of_writing(&results));
    utfall_page::compare_part("docs/detect.md", (BEGIN, END), &measured);
}

/// Guarantees that hold whatever the tables contain.
fn promises(results: &[Result]) {
    let utf_forms = [Family::Ascii, Family::Utf8, Family::Utf16, Family::Utf32, Family::Utf7];
    for family in utf_forms {
        let of_family =
            |result: &&Result| result.case.family == family && result.case.length >= 200;
        let all: Vec<_> = results.iter().filter(of_family).collect();
        let right = all.iter().filter(|result| result.is_right).count();
        assert!(all.len() > 30, "{family:?}: {}", all.len());
        assert!(right * 100 >= all.len() * 99, "{family:?}: {right} of {}", all.len());
    }
    for result in results.iter().filter(|result| result.case.family != Family::Utf7) {
        let is_utf_7 = matches!(result.said, Some(Encoding::Utf7 | Encoding::Utf7Imap));
        let name = &result.case.name;
        assert!(!is_utf_7, "{name} is no UTF-7: {}", result.case.bytes.escape_ascii());
    }
    // Converting on a guess requires that 99 of 100 single-byte guesses are right.
    let is_used = |r: &&Result| r.case.family == Family::SingleByte && r.is_used;
    let used: Vec<_> = results.iter().filter(is_used).collect();
    let right = used.iter().filter(|result| result.is_right).count();
    assert!(used.len() >= 300, "{}", used.len());
    assert!(right * 100 >= used.len() * 99, "{right} of {}", used.len());
    // Over all encodings together, the confidence matches the rate of right answers.
    for (from, to) in ranges() {
        let said: Vec<_> = results.iter().filter(|r| (from..to).contains(&r.confidence)).collect();
        let right = said.iter().filter(|result| result.is_right).count() as f64;
        let mean = said.iter().map(|result| result.confidence).sum::<f64>();
        let count = said.len() as f64;
        if count >= 50.0 && from >= 0.5 {
            assert!(
                right / count > mean / count - 0.1,
                "{from}: {} said, {} right",
                mean / count,
                right / count
            );
        }
    }
}

/// Percentage of cases whose first candidate is right, by family and length.
fn of_lengths(results: &[Result]) -> String {
    let mut table = String::from("| percent right, by bytes |");
    LENGTHS.iter().for_each(|length| write!(table, " {length} |").unwrap());
    table += &format!(" cases |\n|---|{}---|\n", "---|".repeat(LENGTHS.len()));
    for (family, name) in Family::ALL {
        write!(table, "| {name} |").unwrap();
        for length in LENGTHS {
            let is_here = |r: &&Result| r.case.family == family && r.case.length == length;
            let all = results.iter().filter(is_here);
            // Non-text is right if no candidate is likelier than not.
            let is_right =
                |r: &Result| r.is_right || (r.case.truth.is_none() && r.confidence < 0.5);
            let (right, count) = all.fold((0, 0), |(right, count), result| {
                (right + u32::from(is_right(result)), count + 1)
            });
            match count {
                0 => table += " |",
                _ => {
                    write!(table, " {:.0} |", f64::from(right) * 100.0 / f64::from(count)).unwrap()
                }
            }
        }
        let count = results.iter().filter(|result| result.case.family == family).count();
        writeln!(table, " {count} |").unwrap();
    }
    table
}

/// How often a single-byte guess would be used for conversion, and how often that is right.
fn of_writing(results: &[Result]) -> String {
    let mut table = String::from("| single-byte charsets, by bytes |");
    LENGTHS.iter().for_each(|length| write!(table, " {length} |").unwrap());
    table += &format!(" all |\n|---|{}---|\n", "---|".repeat(LENGTHS.len()));
    let is_here = |r: &&Result| r.case.family == Family::SingleByte;
    let lengths = || LENGTHS.into_iter().map(Some).chain([None]);
    let of = |length: Option<usize>| -> Vec<&Result> {
        let is_of = |r: &&Result| length.is_none_or(|length| r.case.length == length);
        results.iter().filter(is_here).filter(is_of).collect()
    };
    let percent = |part: usize, all: usize| match all {
        0 => " |".to_owned(),
        _ => format!(" {:.1} |", part as f64 * 100.0 / all as f64),
    };
    table += "| percent used |";
    for length in lengths() {
        let all = of(length);
        table += &percent(all.iter().filter(|r| r.is_used).count(), all.len());
    }
    table += "\n| of these, percent right |";
    for length in lengths() {
        let used: Vec<_> = of(length).into_iter().filter(|r| r.is_used).collect();
        table += &percent(used.iter().filter(|r| r.is_right).count(), used.len());
    }
    table.push('\n');
    table
}

/// Percentage of right answers, by confidence.
fn of_confidences(results: &[Result]) -> String {
    let is_charset =
        |result: &Result| matches!(result.case.family, Family::SingleByte | Family::MultiByte);
    let columns: [&dyn Fn(&Result) -> bool; 3] = [&|r| !is_charset(r), &is_charset, &|_| true];
    let mut table = String::from(
        "| confidence | Unicode: cases | average | right | charsets: cases | average | right \
         | all: cases | average | right |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (from, to) in ranges() {
        write!(table, "| {from} to {} |", to.min(1.0)).unwrap();
        for column in columns {
            let is_here = |r: &&Result| column(r) && (from..to).contains(&r.confidence);
            let all: Vec<_> = results.iter().filter(is_here).collect();
            let count = all.len().max(1) as f64;
            let said = all.iter().map(|r| r.confidence).sum::<f64>() * 100.0 / count;
            let right = all.iter().filter(|r| r.is_right).count() as f64 * 100.0 / count;
            match all.len() {
                0 => table += " 0 | | |",
                length => write!(table, " {length} | {said:.0} | {right:.0} |").unwrap(),
            }
        }
        table.push('\n');
    }
    table
}

fn ranges() -> impl Iterator<Item = (f64, f64)> {
    let ends = RANGES.into_iter().skip(1).chain([f64::INFINITY]);
    RANGES.into_iter().zip(ends)
}
