//! Compares the tables with the system's iconv, if that is glibc's. To generate `tables.txt`, and for
//! the charsets of the library `glibc.txt` and `glibc-multi-byte.txt` in `testdata/charsets`, run
//! `UTFALL_ICONV=write cargo test -p utfall-iconv --lib tables`. `UTFALL_ICONV=all` and `cargo xtask iconv`
//! check all charsets.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs, thread};

use utfall::Family;

use super::*;
use crate::names::{Charset, HAVE_LESS, Kind};

/// For other charsets, the charset of the web that differs least. The files in `testdata` have the
/// differences.
const BASES: &[(&str, &str)] = &[
    ("IBM866", "IBM866"),
    ("ISO-8859-11", "windows-874"),
    ("TIS-620", "windows-874"),
    ("IBM874", "windows-874"),
    ("IBM1162", "windows-874"),
    ("ISO-8859-9", "windows-1254"),
    ("ISO-8859-9E", "windows-1254"),
    ("KOI8-R", "KOI8-R"),
    ("KOI8-U", "KOI8-U"),
    ("KOI8-RU", "KOI8-U"),
    ("KOI8-T", "KOI8-R"),
    ("MACINTOSH", "macintosh"),
    ("CP10007", "x-mac-cyrillic"),
    ("MAC-UK", "x-mac-cyrillic"),
    ("GB18030", "gb18030"),
    ("GBK", "GBK"),
    ("EUC-CN", "GBK"),
    ("BIG5", "Big5"),
    ("BIG5HKSCS", "Big5"),
    ("EUC-JP", "EUC-JP"),
    ("EUC-JP-MS", "EUC-JP"),
    ("SJIS", "Shift_JIS"),
    ("CP932", "Shift_JIS"),
    ("EUC-KR", "EUC-KR"),
    ("UHC", "EUC-KR"),
];

/// Charsets whose decoders compose two characters to one.
const COMPOSING: &[&str] = &["CP1255", "CP1258", "TCVN5712-1"];

/// Charsets that are always checked.
const COMMON: &[&str] = &["CP1252", "CP1258", "GBK", "BIG5HKSCS", "EUC-JP", "SJIS", "CP932", "UHC"];

/// How a table decodes a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Points(Vec<u32>),
    /// This many ill-formed bytes.
    Ill(usize),
}

/// A charset according to glibc.
#[derive(Default)]
struct Glibc {
    outcomes: BTreeMap<Vec<u8>, Outcome>,
    /// Prefixes that need more bytes.
    leads: BTreeSet<Vec<u8>>,
    encoded: BTreeMap<u32, Vec<u8>>,
    composed: Vec<([u32; 2], u32)>,
}

#[test]
fn tables_are_those_of_glibc() {
    let version = Command::new("iconv").arg("--version").output();
    if !version.is_ok_and(|version| version.stdout.windows(5).any(|part| part == b"GLIBC")) {
        println!("skipped: the system has no iconv of glibc");
        return;
    }
    let write = env::var_os("UTFALL_ICONV").is_some_and(|what| what == "write");
    let all = write || env::var_os("UTFALL_ICONV").is_some_and(|what| what == "all");
    let charsets: Vec<Charset> = Charset::all()
        .filter(|charset| charset.is_of_glibc())
        .filter(|charset| {
            matches!(charset.kind(), Kind::Table(_)) || single_byte(*charset).is_some()
        })
        .enumerate()
        // The others take long; `UTFALL_ICONV=all` includes them.
        .filter(|(at, charset)| all || at % 8 == 0 || COMMON.contains(&charset.name()))
        .map(|(_, charset)| charset)
        .collect();
    let (first, second) = charsets.split_at(charsets.len() / 2);
    let sections = |charsets: &[Charset]| -> Vec<(Charset, Section)> {
        charsets.iter().map(|charset| (*charset, section(*charset, all))).collect()
    };
    let sections: Vec<(Charset, Section)> = thread::scope(|scope| {
        let first = scope.spawn(|| sections(first));
        let second = sections(second);
        first.join().unwrap().into_iter().chain(second).collect()
    });
    if !write {
        let missing: String =
            sections.iter().map(|(_, section)| section.missing.as_str()).collect();
        assert_eq!(missing, "", "the tables differ from this system's iconv");
        return;
    }
    write_files(&sections);
}

fn write_files(sections: &[(Charset, Section)]) {
    let of_iconv = sections.iter().map(|(_, section)| section.of_iconv.as_str()).collect();
    let of_library = |wanted| -> String {
        let sections = sections.iter().filter(|(charset, _)| group(*charset) == Some(wanted));
        sections.map(|(_, section)| section.of_library.as_str()).collect()
    };
    let files: [(&str, String); 3] = [
        ("src/tables.txt", of_iconv),
        ("../../testdata/charsets/glibc.txt", of_library(Group::SingleByte)),
        ("../../testdata/charsets/glibc-multi-byte.txt", of_library(Group::MultiByte)),
    ];
    for (name, text) in files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let old = fs::read_to_string(&path).unwrap();
        let head = old.split("\n[").next().unwrap();
        fs::write(path, format!("{head}{text}")).unwrap();
    }
}

/// The file in `testdata` that has the characters of a charset.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    SingleByte,
    MultiByte,
}

fn group(charset: Charset) -> Option<Group> {
    let (Kind::Plain(encoding) | Kind::Table(encoding)) = charset.kind() else { return None };
    match encoding.info().family {
        Family::SingleByte if encoding as u16 >= 200 => Some(Group::SingleByte),
        Family::MultiByte if encoding as u16 >= 200 && encoding.name() != EUC_TW => {
            Some(Group::MultiByte)
        }
        _ => None,
    }
}

/// The single-byte charset of the library that implements this one.
fn single_byte(charset: Charset) -> Option<utfall::Encoding> {
    let ours = [utfall::Encoding::UsAscii, utfall::Encoding::Iso8859_1];
    match charset.kind() {
        Kind::Plain(encoding)
            if encoding.info().family == Family::SingleByte && !ours.contains(&encoding) =>
        {
            Some(encoding)
        }
        _ => None,
    }
}

/// `tables.txt` changes the characters of few charsets, and adds none except in GB 18030.
#[test]
fn charsets_have_the_characters_of_the_library() {
    for section in DATA.split("\n[").skip(1) {
        let (name, lines) = section.split_once("]\n").unwrap();
        let defined = lines.lines().filter(|line| line.starts_with('D'));
        let (less, more): (Vec<_>, Vec<_>) =
            defined.partition(|line| line.split(' ').skip(2).all(|word| word == "-"));
        // After 8F, glibc looks at the second byte alone.
        assert!(less.is_empty() || HAVE_LESS.contains(&name) || name == "EUC-JP", "{name}");
        assert!(more.is_empty() || name == "GB18030", "{name}");
    }
}

/// In the vocabulary of glibc, the library knows every name here.
#[test]
fn the_library_has_these_names() {
    for charset in Charset::all().filter(|charset| charset.is_of_glibc()) {
        let name = charset.name();
        let found = Encoding::for_label_in(name, utfall::Labels::Glibc);
        let found = found.unwrap_or_else(|| panic!("{name} is unknown"));
        for alias in charset.other_names() {
            let same = Encoding::for_label_in(alias, utfall::Labels::Glibc);
            assert_eq!(same, Some(found), "{alias} of {name}");
        }
        match charset.kind() {
            Kind::Plain(encoding) | Kind::Shifting(encoding) | Kind::Table(encoding) => {
                assert_eq!(found, encoding, "{name}");
            }
            // The library has no encoding whose default is the order of the machine.
            Kind::Marked { .. } | Kind::Iso2022Jp => {}
            Kind::Missing => panic!("{name} is missing"),
        }
    }
}

/// The table of a charset.
fn table_of(charset: Charset) -> Table {
    match charset.kind() {
        Kind::Table(encoding) => Table::read(charset.name(), encoding).unwrap(),
        _ => Table::of(single_byte(charset).unwrap()),
    }
}

/// A charset of glibc, in the forms of the files.
#[derive(Default)]
struct Section {
    /// The lines that the table lacks.
    missing: String,
    /// For `tables.txt`.
    of_iconv: String,
    /// For the files in `testdata`.
    of_library: String,
}

fn section(charset: Charset, all: bool) -> Section {
    let name = charset.name();
    if !Command::new("iconv")
        .args(["-f", name, "-t", name])
        .stdin(Stdio::null())
        .output()
        .unwrap()
        .status
        .success()
    {
        println!("skipped: this iconv has no {name}");
        return Section::default();
    }
    let table = table_of(charset);
    let glibc = Glibc::read(name, (!all).then_some(&table));
    let mut missing = differences(&table, &glibc);
    if table.composed != glibc.composed {
        missing += "compositions\n";
    }
    if !missing.is_empty() {
        missing = format!("[{name}]\n{missing}");
    }
    Section { missing, of_iconv: of_iconv(charset, &glibc), of_library: of_library(name, &glibc) }
}

/// The section in `tables.txt`.
fn of_iconv(charset: Charset, glibc: &Glibc) -> String {
    let name = charset.name();
    let Kind::Table(encoding) = charset.kind() else { return String::new() };
    let lines = differences(&Table::of(encoding), glibc);
    let mut compositions = String::new();
    for ([first, second], one) in &glibc.composed {
        _ = writeln!(compositions, "C {first:X} {second:X} {one:X}");
    }
    // Different encodings only show once decoding is right.
    let decoding: String =
        lines.lines().filter(|l| !l.starts_with('E')).map(|l| format!("{l}\n")).collect();
    let encoding = differences(&Table::new(encoding, &decoding).unwrap(), glibc);
    match decoding + &compositions + &encoding {
        lines if lines.is_empty() => lines,
        lines => format!("\n[{name}]\n{lines}"),
    }
}

/// The section in a file of `testdata`: the characters, and how they are encoded if not by the first of the
/// shortest sequences. Sequences that decode to other characters are left out.
fn of_library(name: &str, glibc: &Glibc) -> String {
    let known = BASES.iter().find(|(known, _)| *known == name).map(|(_, base)| *base);
    let base = known.or_else(|| Encoding::for_whatwg_label(name).map(|_| name));
    let encoding = base.map_or(Some(Encoding::UsAscii), Encoding::for_whatwg_label).unwrap();
    let mut text = match base {
        Some(base) => format!("\n[{name} {base}]\n"),
        None => format!("\n[{name}]\n"),
    };
    let lines = differences(&Table::of(encoding), glibc);
    // The web decodes GBK as GB 18030, which has sequences of four bytes after a digit.
    let is_four = |line: &str| {
        encoding == Encoding::Gbk && line.get(4..5) == Some("3") && line.ends_with(" -")
    };
    for line in lines.lines().filter(|line| line.starts_with('D') && !is_four(line)) {
        _ = writeln!(text, "{line}");
    }
    let has = |bytes: &[u8], point: u32| matches!(glibc.outcomes.get(bytes), Some(Outcome::Points(points)) if *points == [point]);
    let mut first: BTreeMap<u32, &[u8]> = BTreeMap::new();
    for length in 1..=3 {
        for (bytes, outcome) in glibc.outcomes.iter().filter(|(bytes, _)| bytes.len() == length) {
            if let Outcome::Points(points) = outcome
                && let [point] = points[..]
            {
                first.entry(point).or_insert(bytes);
            }
        }
    }
    for (point, bytes) in &first {
        match glibc.encoded.get(point) {
            None => _ = writeln!(text, "E {point:X} -"),
            Some(other) if other != bytes && has(other, *point) => {
                _ = writeln!(text, "E {point:X} {}", hex(other));
            }
            Some(_) => {}
        }
    }
    text
}

impl Glibc {
    /// Queries iconv. `known` provides the prefixes, which take long to determine.
    fn read(name: &str, known: Option<&Table>) -> Self {
        let mut this = Self::default();
        let separator = run(&["-f", "UCS-4BE", "-t", name], b"\0\0\0\n").0;
        let tail = run(&["-f", "UCS-4BE", "-t", name], b"\0\0\0A\0\0\0A").0;
        let probe = Probe { name, separator: separator[0], tail };
        let all = (0..=0xFF).map(|byte| vec![byte]).collect();
        this.level(&probe, all, known);
        let leads: Vec<_> = this.leads.iter().cloned().collect();
        this.level(&probe, continued(&leads), known);
        let leads: Vec<_> = this.leads.iter().filter(|lead| lead.len() == 2).cloned().collect();
        this.level(&probe, continued(&leads), known);
        this.encode(&probe);
        if COMPOSING.contains(&name) {
            this.compose(&probe);
        }
        this
    }

    /// Determines sequences of one length.
    fn level(&mut self, probe: &Probe<'_>, mut sequences: Vec<Vec<u8>>, known: Option<&Table>) {
        // Four-byte sequences are tested elsewhere.
        let is_four = |bytes: &[u8]| match probe.name {
            "GB18030" => matches!(bytes, [_, b'0'..=b'9']),
            "EUC-TW" => bytes.len() > 2,
            _ => false,
        };
        sequences.retain(|bytes| !is_four(bytes));
        let results = probe.decode(&sequences, &probe.tail);
        let mut open = Vec::new();
        for (sequence, result) in sequences.into_iter().zip(results) {
            let tail: &[u32] = if probe.tail.is_empty() { &[] } else { &[0x41, 0x41] };
            let body = result.strip_suffix(tail);
            if sequence.len() == 1 && sequence[0] == probe.separator {
                self.outcomes.insert(sequence, Outcome::Points(vec![0x0A]));
            } else if self.is_lead(probe, &sequence, body, known) {
                self.leads.insert(sequence);
            } else if sequence.last() == Some(&probe.separator) {
                self.outcomes.insert(sequence, Outcome::Ill(1));
            } else {
                match body {
                    Some(points) if sequence.len() == 1 && !points.is_empty() => {
                        self.outcomes.insert(sequence, Outcome::Points(points.to_vec()));
                    }
                    // Without -c this is an error.
                    Some([0xFFFD]) => {
                        let count = sequence.len();
                        self.outcomes.insert(sequence, Outcome::Ill(count));
                    }
                    Some(points) if !points.is_empty() && self.reread(&sequence) != points => {
                        self.outcomes.insert(sequence, Outcome::Points(points.to_vec()));
                    }
                    _ => open.push((sequence, result)),
                }
            }
        }
        // First the sequences whose last byte is not a lead byte; these help to determine the
        // others.
        open.sort_by_key(|(sequence, _)| self.leads.contains(&sequence[sequence.len() - 1..]));
        // The number of ill-formed bytes shows in the bytes that are decoded again.
        let longer: Vec<Vec<u8>> =
            open.iter().map(|(sequence, _)| self.continued(sequence)).collect();
        let results = probe.decode(&longer, &probe.tail);
        for (((sequence, result), longer), result2) in open.into_iter().zip(longer).zip(results) {
            let fits = |count: &usize| {
                let mut rest = sequence[*count..].to_vec();
                rest.extend(&probe.tail);
                let mut rest2 = longer[*count..].to_vec();
                rest2.extend(&probe.tail);
                self.simulate(&rest) == result && self.simulate(&rest2) == result2
            };
            let counts: Vec<usize> = (1..=sequence.len()).filter(fits).collect();
            let count = match (&counts[..], known.map(|table| table.next(&sequence))) {
                // glibc skips more than it has examined.
                ([], _) => sequence.len(),
                ([count], _) => *count,
                (_, Some(Next::Ill(count))) if counts.contains(&count) => count,
                // Sequences that are ambiguous inside a text may be distinguishable at its end.
                _ if self.leads.contains(&sequence[sequence.len() - 1..])
                    && run(&["-c", "-f", probe.name, "-t", "UCS-4BE"], &sequence)
                        .1
                        .contains("incomplete") =>
                {
                    sequence.len() - 1
                }
                (counts, _) => counts[counts.len() - 1],
            };
            self.outcomes.insert(sequence, Outcome::Ill(count));
        }
    }

    fn is_lead(
        &self,
        probe: &Probe<'_>,
        sequence: &[u8],
        body: Option<&[u32]>,
        known: Option<&Table>,
    ) -> bool {
        match known {
            Some(table) => table.next(sequence) == Next::Incomplete,
            _ if sequence.len() > 2 => false,
            _ if sequence.len() == 2
                && !(sequence[0] == 0x8F && probe.name.starts_with("EUC-JP"))
                && !(sequence[0] == 0x8E && probe.name == "EUC-TW") =>
            {
                false
            }
            _ if body.is_some_and(|points| !points.is_empty()) => false,
            _ => run(&["-f", probe.name, "-t", "UCS-4BE"], sequence).1.contains("incomplete"),
        }
    }

    /// The result for a sequence if only its first byte is ill-formed.
    fn reread(&self, sequence: &[u8]) -> Vec<u32> {
        self.simulate(&sequence[1..])
    }

    /// Appends a byte that completes a character with the last byte, if that is a lead byte.
    fn continued(&self, sequence: &[u8]) -> Vec<u8> {
        let last = &sequence[sequence.len() - 1..];
        let next = self.outcomes.iter().find(|(known, outcome)| {
            known.len() == 2 && known[0] == last[0] && matches!(outcome, Outcome::Points(_))
        });
        let mut longer = sequence.to_vec();
        longer.extend(next.filter(|_| self.leads.contains(last)).map(|(known, _)| known[1]));
        longer
    }

    /// Decodes with the results so far.
    fn simulate(&self, mut bytes: &[u8]) -> Vec<u32> {
        let mut points = Vec::new();
        while !bytes.is_empty() {
            let known =
                (1..=bytes.len().min(3)).find_map(|n| Some((n, self.outcomes.get(&bytes[..n])?)));
            bytes = match known {
                Some((length, Outcome::Points(of))) => {
                    points.extend(of);
                    &bytes[length..]
                }
                Some((_, Outcome::Ill(length))) => &bytes[*length..],
                None => &bytes[1..],
            };
        }
        points
    }

    fn encode(&mut self, probe: &Probe<'_>) {
        let points: Vec<u32> = (0..0x3_0000)
            .chain(0xF_0000..0xF_FFFE)
            .filter(|point| char::from_u32(*point).is_some() && *point != 0x0A)
            .collect();
        // One of them may be encoded as a line feed.
        let input: Vec<u8> = points
            .iter()
            .flat_map(|point| [*point, 0x0A, 0x41, 0x0A])
            .flat_map(u32::to_be_bytes)
            .collect();
        let output = run(&["-c", "-f", "UCS-4BE", "-t", probe.name], &input).0;
        // Some charsets have no Latin letters.
        let letter = probe.tail.first().copied();
        let separator = [probe.separator];
        let mark: Vec<u8> = separator.into_iter().chain(letter).chain(separator).collect();
        let (mut encoded, mut rest) = (Vec::new(), &output[..]);
        while let Some(at) = rest.windows(mark.len()).position(|bytes| bytes == mark) {
            encoded.push(&rest[..at]);
            rest = &rest[at + mark.len()..];
        }
        assert_eq!(encoded.len(), points.len(), "{}", probe.name);
        let some = points.iter().zip(encoded).filter(|(_, bytes)| matches!(bytes.len(), 1..=3));
        self.encoded = some.map(|(point, bytes)| (*point, bytes.to_vec())).collect();
        self.encoded.insert(0x0A, vec![probe.separator]);
    }

    fn compose(&mut self, probe: &Probe<'_>) {
        let singles: HashMap<u8, u32> = self
            .outcomes
            .iter()
            .filter_map(|(bytes, outcome)| match outcome {
                Outcome::Points(points) if bytes[0] > 0x20 => Some((bytes[0], points[0])),
                _ => None,
            })
            .collect();
        let mut begun: Vec<(Vec<u8>, u32)> = singles.iter().map(|(o, p)| (vec![*o], *p)).collect();
        while !begun.is_empty() {
            let next: Vec<(Vec<u8>, [u32; 2])> = begun
                .iter()
                .flat_map(|(bytes, point)| {
                    singles.iter().map(move |(byte, second)| {
                        ([bytes.as_slice(), &[*byte]].concat(), [*point, *second])
                    })
                })
                .collect();
            let sequences: Vec<_> = next.iter().map(|(bytes, _)| bytes.clone()).collect();
            let results = probe.decode(&sequences, &[]);
            begun = Vec::new();
            for ((bytes, points), result) in next.into_iter().zip(results) {
                if let [one] = result[..] {
                    self.composed.push((points, one));
                    begun.push((bytes, one));
                }
            }
        }
        self.composed.sort_unstable();
        self.composed.dedup();
    }
}

/// How to query iconv about a charset.
struct Probe<'a> {
    name: &'a str,
    separator: u8,
    /// Follows each sequence, to complete an incomplete one or make it ill-formed.
    tail: Vec<u8>,
}

impl Probe<'_> {
    /// Decodes each sequence followed by `tail`, without ill-formed bytes.
    fn decode(&self, sequences: &[Vec<u8>], tail: &[u8]) -> Vec<Vec<u32>> {
        let mut input = Vec::new();
        for sequence in sequences {
            // A separator inside a sequence would split it.
            if !sequence.contains(&self.separator) {
                input.extend(sequence);
                input.extend(tail);
            }
            input.push(self.separator);
        }
        let output = run(&["-c", "-f", self.name, "-t", "UCS-4BE"], &input).0;
        let points: Vec<u32> =
            output.as_chunks().0.iter().map(|bytes| u32::from_be_bytes(*bytes)).collect();
        let mut results: Vec<Vec<u32>> =
            points.split(|p| *p == 0x0A).map(<[u32]>::to_vec).collect();
        results.pop();
        assert_eq!(results.len(), sequences.len(), "{}", self.name);
        results
    }
}

fn continued(leads: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for lead in leads {
        all.extend((0..=0xFF).map(|byte| [lead.as_slice(), &[byte]].concat()));
    }
    all
}

/// The lines that turn `table` into glibc's.
fn differences(table: &Table, glibc: &Glibc) -> String {
    let mut lines = String::new();
    // Runs of bytes that map to something else.
    let mut run: Option<(Vec<u8>, Vec<String>)> = None;
    let mut skips: BTreeMap<Vec<u8>, [Skip; 256]> = BTreeMap::new();
    for (bytes, outcome) in &glibc.outcomes {
        let ours = match table.next(bytes) {
            Next::Point(point, length) if length == bytes.len() => Outcome::Points(vec![point]),
            Next::Pair(points, length) if length == bytes.len() => Outcome::Points(points.into()),
            Next::Ill(count) => Outcome::Ill(count),
            // Bytes that begin a sequence in only one of the two.
            _ => Outcome::Ill(0),
        };
        let text = match outcome {
            Outcome::Points(points) => {
                points.iter().map(|point| format!("{point:X}")).collect::<Vec<_>>().join("+")
            }
            Outcome::Ill(_) => "-".into(),
        };
        let (last, prefix) = bytes.split_last().unwrap();
        let differs = match (outcome, &ours) {
            (Outcome::Ill(_), Outcome::Ill(count)) => *count == 0,
            _ => *outcome != ours,
        };
        let goes_on = run.as_ref().is_some_and(|(start, texts)| {
            let (first, begin) = start.split_last().unwrap();
            begin == prefix && usize::from(*first) + texts.len() == usize::from(*last)
        });
        if differs {
            match &mut run {
                Some((_, texts)) if goes_on => texts.push(text),
                _ => {
                    define(&mut lines, run.take());
                    run = Some((bytes.clone(), vec![text]));
                }
            }
        }
        if let Outcome::Ill(count) = outcome
            && !prefix.is_empty()
        {
            let is_known = ours == *outcome;
            let row = skips.entry(prefix.to_vec()).or_insert([Skip::Any; 256]);
            row[usize::from(*last)] = if is_known { Skip::Is(*count) } else { Skip::Set(*count) };
        }
    }
    define(&mut lines, run);
    // A prefix without any sequence is still incomplete at the end of a text.
    for lead in glibc.leads.iter().filter(|lead| table.next(lead) != Next::Incomplete) {
        _ = writeln!(lines, "S {0}-{0} 00-00 1", hex(lead));
    }
    let rows = skips.into_iter().map(|(prefix, row)| (prefix, ranges(&row)));
    let mut skips = rows.filter(|(_, rows)| !rows.is_empty()).peekable();
    while let Some((first, rows)) = skips.next() {
        let mut end = first.clone();
        while let Some((next, _)) = skips.next_if(|(next, other)| {
            let mut following = end.clone();
            let last = following.last_mut().unwrap();
            *last = last.wrapping_add(1);
            *next == following && *other == rows
        }) {
            end = next;
        }
        for (from, to, count) in rows {
            _ = writeln!(lines, "S {}-{} {from:02X}-{to:02X} {count}", hex(&first), hex(&end));
        }
    }
    let points = (0..0x3_0000).chain(0xF_0000..0xF_FFFE);
    for point in points.filter(|point| char::from_u32(*point).is_some()) {
        let ours = table.encode(point).map(|(bytes, length)| bytes[4 - length..].to_vec());
        match (glibc.encoded.get(&point), ours) {
            (None, Some(_)) => _ = writeln!(lines, "E {point:X} -"),
            (Some(bytes), ours) if ours.as_ref() != Some(bytes) => {
                _ = writeln!(lines, "E {point:X} {}", hex(bytes));
            }
            _ => {}
        }
    }
    lines
}

/// How many bytes an undefined sequence is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skip {
    /// It is not undefined, so that a line may include it.
    Any,
    /// As the table has it.
    Is(usize),
    /// Otherwise.
    Set(usize),
}

/// The ranges of last bytes to set, with the number.
fn ranges(row: &[Skip; 256]) -> Vec<(u8, u8, usize)> {
    let mut ranges = Vec::new();
    for count in 1..=4 {
        let may_be_in =
            |byte: &usize| [Skip::Any, Skip::Is(count), Skip::Set(count)].contains(&row[*byte]);
        let mut from = 0;
        while from < row.len() {
            let length = (from..row.len()).take_while(may_be_in).count();
            if row[from..from + length].contains(&Skip::Set(count)) {
                ranges.push((from as u8, (from + length - 1) as u8, count));
            }
            from += length + 1;
        }
    }
    ranges
}

fn define(lines: &mut String, run: Option<(Vec<u8>, Vec<String>)>) {
    if let Some((start, texts)) = run {
        _ = writeln!(lines, "D {} {}", hex(&start), texts.join(" "));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Runs iconv. Returns its standard output and standard error.
fn run(args: &[&str], input: &[u8]) -> (Vec<u8>, String) {
    let mut child = Command::new("iconv")
        .args(args)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let output = thread::scope(|scope| {
        scope.spawn(move || _ = pipe.write_all(input));
        child.wait_with_output().unwrap()
    });
    (output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
}
