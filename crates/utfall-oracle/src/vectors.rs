//! Reads the conformance vectors of `testdata/vectors`, and keeps the results of a test that runs
//! them. `testdata/vectors/README.md` explains the columns.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// The files for encodings; the others are for mail, detection and labels.
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

/// The files for mail.
const MAIL_FILES: &[&str] = &["rfc2047.tsv", "rfc2231.tsv", "base64.tsv", "quoted-printable.tsv"];

/// The files for detection.
const DETECT_FILES: &[&str] = &["detect.tsv"];

/// One row.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // The names are those of the columns.
pub struct Case {
    pub file: &'static str,
    pub id: String,
    pub source: String,
    pub encoding: String,
    pub direction: String,
    pub input: String,
    pub mode: String,
    pub options: String,
    pub result: String,
    pub kind: String,
    pub expected: String,
    pub error_offset: Option<usize>,
    pub error_length: Option<usize>,
}

impl Case {
    /// The value of `name=value` in the options.
    ///
    /// ```
    /// let cases = utfall_oracle::vectors::cases();
    /// let cut = cases.iter().find(|case| case.option("chunks").is_some()).unwrap();
    /// assert!(cut.options.contains(&format!("chunks={}", cut.option("chunks").unwrap())));
    /// ```
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.split(';').find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
    }

    /// The relaxed rules of the UTF-7 reader that the vector comes from, by their names in the
    /// library.
    ///
    /// ```
    /// let cases = utfall_oracle::vectors::cases();
    /// let windows = cases.iter().find(|case| case.mode == "windows-cp65000").unwrap();
    /// assert!(windows.leniences().contains(&"dangling-digits"));
    /// ```
    #[must_use]
    pub fn leniences(&self) -> &'static [&'static str] {
        let from = |source| self.source.contains(source);
        match (self.encoding.as_str(), self.mode.as_str()) {
            ("utf-7", "dotnet") => &[
                "end-shift-dropped",
                "empty-shift-dropped",
                "non-zero-padding",
                "dangling-digits",
                "lone-surrogates",
                "controls",
                "backslash-tilde",
                "latin1",
            ],
            ("utf-7", "windows-cp65000") => {
                &["non-zero-padding", "dangling-digits", "lone-surrogates"]
            }
            ("utf-7", "strict") if from("CPython") => &["lone-surrogates"],
            ("utf-7-imap", "lax") => &["null-shift"],
            ("utf-7-imap", _) if from("iconv-lite") => &["slash-digit"],
            _ => &[],
        }
    }
}

/// Every case of every encoding.
///
/// ```
/// assert!(utfall_oracle::vectors::cases().len() > 6000);
/// ```
#[must_use]
pub fn cases() -> Vec<Case> {
    read_cases(FILES)
}

/// Every case of encoded words, parameters and transfer encodings.
///
/// ```
/// assert!(utfall_oracle::vectors::mail_cases().len() > 900);
/// ```
#[must_use]
pub fn mail_cases() -> Vec<Case> {
    read_cases(MAIL_FILES)
}

/// Every case of signatures and guesses.
///
/// ```
/// assert!(utfall_oracle::vectors::detect_cases().len() > 50);
/// ```
#[must_use]
pub fn detect_cases() -> Vec<Case> {
    read_cases(DETECT_FILES)
}

fn read_cases(files: &[&'static str]) -> Vec<Case> {
    let mut cases = Vec::new();
    for file in files {
        for line in read(&format!("vectors/{file}")).lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let field = |index: usize| fields[index].to_owned();
            cases.push(Case {
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
                error_length: fields[11].parse().ok(),
            });
        }
    }
    cases
}

/// Parses hexadecimal bytes.
///
/// ```
/// assert_eq!(utfall_oracle::vectors::bytes("c3a9"), [0xC3, 0xA9]);
/// ```
#[must_use]
pub fn bytes(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal bytes");
    (0..text.len()).step_by(2).map(byte).collect()
}

/// Parses hexadecimal code points.
///
/// ```
/// assert_eq!(utfall_oracle::vectors::points("0041 10FFFF"), [0x41, 0x10FFFF]);
/// ```
#[must_use]
pub fn points(text: &str) -> Vec<u32> {
    let point = |digits| u32::from_str_radix(digits, 16).expect("hexadecimal code points");
    text.split_whitespace().map(point).collect()
}

/// The result of a case.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// As its source expects.
    Passed,
    /// Otherwise, with the difference.
    Failed(String),
    /// It could not be run, with the reason.
    NotRun(String),
}

/// Counts outcomes, and checks failures against `testdata/dissents.tsv`.
#[derive(Debug)]
pub struct Account {
    /// Id of a vector that utfall does not follow → section of `docs/decisions.md` and reason.
    dissents: BTreeMap<String, String>,
    passed: usize,
    dissented: BTreeMap<String, usize>,
    not_run: BTreeMap<String, usize>,
    failures: Vec<String>,
}

impl Default for Account {
    fn default() -> Self {
        let text = read("dissents.tsv");
        let dissents = text.lines().skip(1).filter_map(|line| {
            let (id, reason) = line.split_once('\t')?;
            Some((id.into(), reason.replace('\t', " ")))
        });
        Self {
            dissents: dissents.collect(),
            passed: 0,
            dissented: BTreeMap::new(),
            not_run: BTreeMap::new(),
            failures: Vec::new(),
        }
    }
}

impl Account {
    /// Records an outcome.
    pub fn add(&mut self, case: &Case, outcome: Outcome) {
        match (outcome, self.dissents.get(&case.id)) {
            (Outcome::Passed, None) => self.passed += 1,
            (Outcome::NotRun(reason), _) => {
                *self.not_run.entry(format!("{}: {reason}", case.file)).or_default() += 1;
            }
            (Outcome::Failed(_), Some(reason)) => {
                *self.dissented.entry(reason.clone()).or_default() += 1;
            }
            (Outcome::Failed(why), None) => self.failures.push(format!("{case:?}: {why}")),
            (Outcome::Passed, Some(_)) => {
                self.failures.push(format!("{} dissents no longer", case.id));
            }
        }
    }

    /// Prints the counts.
    ///
    /// # Panics
    /// If a failure is not a known dissent, or the other way round.
    pub fn close(self) {
        let print = |what: &str, counts: &BTreeMap<String, usize>| {
            println!("{} {what}:", counts.values().sum::<usize>());
            counts.iter().for_each(|(reason, count)| println!("  {count:4} {reason}"));
        };
        print("not run", &self.not_run);
        print("dissent", &self.dissented);
        println!("{} passed", self.passed);
        let failures = self.failures;
        assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
    }
}

/// A file of the repository's `testdata`.
fn read(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
