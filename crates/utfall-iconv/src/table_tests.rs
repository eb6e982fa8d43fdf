//! Compares the tables with the system's iconv, if that is glibc's. To generate `tables.txt`, and
//! `testdata/charsets/glibc.txt` for the single-byte charsets of the library, run
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
use crate::names::{Charset, HAS_MORE, Kind};

/// For other charsets, the charset of the web that differs least.
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
        .filter(|charset| charset.kind() == Kind::Table || single_byte(*charset).is_some())
        .enumerate()
        // The others take long; `UTFALL_ICONV=all` includes them.
        .filter(|(at, charset)| all || at % 8 == 0 || COMMON.contains(&charset.name()))
        .map(|(_, charset)| charset)
        .collect();
    let (first, second) = charsets.split_at(charsets.len() / 2);
    let sections = |charsets: &[Charset]| -> Vec<(Charset, String)> {
        charsets.iter().map(|charset| (*charset, section(*charset, write, all))).collect()
    };
    let texts = thread::scope(|scope| {
        let first = scope.spawn(|| sections(first));
        let second = sections(second);
        [first.join().unwrap(), second].concat()
    });
    let text_of = |is_wanted: &dyn Fn(Charset) -> bool| -> String {
        texts.iter().filter(|(charset, _)| is_wanted(*charset)).map(|(_, text)| &**text).collect()
    };
    if !write {
        assert_eq!(text_of(&|_| true), "", "the tables differ from this system's iconv");
        return;
    }
    let is_in_library =
        |charset| single_byte(charset).is_some_and(|encoding| encoding as u16 >= 200);
    // The library has them without the characters that are only encoded.
    let less: String = texts
        .iter()
        .filter(|(charset, _)| single_byte(*charset).is_none())
        .filter_map(|(charset, text)| Some((twin(charset.name())?, text)))
        .map(|(encoding, text)| {
            let is_decoded = |line: &&str| match line.split(' ').collect::<Vec<_>>()[..] {
                ["E", point, byte] => {
                    let text =
                        encoding.decode(&bytes(byte).unwrap()).unwrap_or_default().into_owned();
                    text.chars().map(u32::from).eq(number(point))
                }
                ["C", ..] => false,
                _ => true,
            };
            text.split_inclusive('\n')
                .filter(|line| is_decoded(&line.trim_end()))
                .collect::<String>()
        })
        .collect();
    let files = [
        ("src/tables.txt", text_of(&|charset| single_byte(charset).is_none())),
        ("../../testdata/charsets/glibc.txt", text_of(&is_in_library) + &less),
    ];
    for (name, text) in files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let old = fs::read_to_string(&path).unwrap();
        let head = old.split("\n[").next().unwrap();
        fs::write(path, format!("{head}{text}")).unwrap();
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

/// The charset of the library that decodes as this one, which has a table of its own.
fn twin(name: &str) -> Option<utfall::Encoding> {
    let encoding = utfall::Encoding::for_label(name)?;
    (encoding.info().family == Family::SingleByte && encoding as u16 >= 200).then_some(encoding)
}

#[test]
fn charsets_with_a_table_of_their_own_decode_as_those_of_the_library() {
    let mut count = 0;
    for charset in Charset::all().filter(|charset| charset.kind() == Kind::Table) {
        let Some(encoding) = twin(charset.name()) else { continue };
        let table = Table::read(charset.name()).unwrap();
        for byte in 0..=0xFF {
            let point = encoding.decode(&[byte]).ok().and_then(|text| text.chars().next());
            let expected = point.map_or(Next::Ill(1), |point| Next::Point(u32::from(point), 1));
            assert_eq!(table.next(&[byte]), expected, "{}: {byte:02X}", charset.name());
        }
        count += 1;
    }
    assert_eq!(count, HAS_MORE.len() - 2);
}

/// Charsets for whose names the library has another table, by its name and by how many sequences of one
/// and two bytes have other characters.
const OTHERS: [(&str, &str, usize); 4] = [
    // These two compose, and have no controls from 80 on.
    ("CP1255", "windows-1255", 13),
    ("CP1258", "windows-1258", 9),
    // The euro sign 80, and characters beyond U+FFFF.
    ("GB18030", "GB18030", 8),
    ("ISO-2022-JP", "ISO-2022-JP", 0),
];

/// In the vocabulary of glibc, the library knows every name here, with the same table.
#[test]
fn the_library_has_these_names() {
    for charset in Charset::all() {
        let name = charset.name();
        let found = utfall::Encoding::for_label_in(name, utfall::Labels::Glibc);
        let found = found.unwrap_or_else(|| panic!("{name} is unknown"));
        for alias in charset.other_names() {
            let same = utfall::Encoding::for_label_in(alias, utfall::Labels::Glibc);
            assert_eq!(same, Some(found), "{alias} of {name}");
        }
        if let Some((_, other, _)) = OTHERS.iter().find(|(known, ..)| *known == name) {
            assert_eq!(found.name(), *other, "{name}");
        }
        match charset.kind() {
            Kind::Plain(encoding) => assert_eq!(found, encoding, "{name}"),
            // The library has no encoding whose default is the order of the machine.
            Kind::Marked { .. } | Kind::Iso2022Jp => {}
            Kind::Table => {
                let allowed = OTHERS.iter().find(|(known, ..)| *known == name);
                let different = different(&Table::read(name).unwrap(), found);
                assert_eq!(different, allowed.map_or(0, |(.., count)| *count), "{name}");
            }
        }
    }
}

/// How many sequences of one and two bytes the library decodes otherwise. GB 18030 has longer ones too.
fn different(table: &Table, encoding: utfall::Encoding) -> usize {
    let sequences = (0..0x1_0000_u32).map(|number| match number {
        ..0x100 => vec![number as u8],
        _ => (number as u16).to_be_bytes().to_vec(),
    });
    let differs = |sequence: &Vec<u8>| {
        let ours = encoding.decode(sequence).ok();
        let ours: Option<Vec<u32>> = ours.map(|text| text.chars().map(u32::from).collect());
        let theirs = match table.next(sequence) {
            Next::Point(point, length) if length == sequence.len() => Some(vec![point]),
            Next::Pair(points, length) if length == sequence.len() => Some(points.to_vec()),
            _ => None,
        };
        // Two characters of one byte each.
        let is_whole = theirs.is_some() || ours.as_ref().is_some_and(|points| points.len() == 1);
        is_whole && ours != theirs
    };
    sequences.filter(differs).count()
}

/// The table of a charset.
fn table_of(charset: Charset) -> Table {
    let Some(encoding) = single_byte(charset) else { return Table::read(charset.name()).unwrap() };
    let mut table = Table::empty();
    for byte in 0..=0xFF {
        if let Ok(text) = encoding.decode(&[byte]) {
            table.nodes[0][usize::from(byte)] = POINT | u32::from(text.chars().next().unwrap());
        }
    }
    for scalar in '\0'..='\u{FFFF}' {
        if let Ok(bytes) = encoding.encode(scalar.encode_utf8(&mut [0; 4])) {
            *table.slot(u32::from(scalar)) = packed(&bytes);
        }
    }
    table
}

/// The section of a charset in `tables.txt`; when checking, the lines missing from it.
fn section(charset: Charset, write: bool, all: bool) -> String {
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
        return String::new();
    }
    let glibc = Glibc::read(name, (!all).then(|| table_of(charset)).as_ref());
    if !write {
        let table = table_of(charset);
        let lines = differences(&table, &glibc);
        assert_eq!(table.composed, glibc.composed, "{name}");
        return if lines.is_empty() { lines } else { format!("[{name}]\n{lines}") };
    }
    let same = Encoding::for_label(name.as_bytes()).map(|base| (name, base.name()));
    let base = BASES.iter().copied().find(|(known, _)| *known == name).or(same);
    let base = base.map(|(_, base)| base);
    let lines = differences(&Table::parse(base, "").unwrap(), &glibc);
    let mut compositions = String::new();
    for ([first, second], one) in &glibc.composed {
        _ = writeln!(compositions, "C {first:X} {second:X} {one:X}");
    }
    // Different encodings only show once decoding is right.
    let decoding: String =
        lines.lines().filter(|l| !l.starts_with('E')).map(|l| format!("{l}\n")).collect();
    let encoding = differences(&Table::parse(base, &decoding).unwrap(), &glibc);
    let label = base.map(|base| format!(" {base}")).unwrap_or_default();
    format!("\n[{name}{label}]\n{decoding}{compositions}{encoding}")
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
        let is_four = |bytes: &[u8]| matches!(bytes, [_, b'0'..=b'9']);
        sequences.retain(|bytes| probe.name != "GB18030" || !is_four(bytes));
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
                && !(sequence[0] == 0x8F && probe.name.starts_with("EUC-JP")) =>
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
    let mut skips: BTreeMap<Vec<u8>, Vec<(u8, u8, usize)>> = BTreeMap::new();
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
        let skip = match outcome {
            Outcome::Ill(count) if bytes.len() > 1 && *count > 1 => *count,
            _ => continue,
        };
        if ours == *outcome {
            continue;
        }
        let rows = skips.entry(prefix.to_vec()).or_default();
        match rows.last_mut() {
            Some((_, end, count)) if end.checked_add(1) == Some(*last) && *count == skip => {
                *end = *last
            }
            _ => rows.push((*last, *last, skip)),
        }
    }
    define(&mut lines, run);
    // A prefix without any sequence is still incomplete at the end of a text.
    for lead in glibc.leads.iter().filter(|lead| table.next(lead) != Next::Incomplete) {
        _ = writeln!(lines, "S {0}-{0} 00-00 1", hex(lead));
    }
    let mut skips = skips.into_iter().peekable();
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
