//! The vectors of `testdata/vectors`, which come from other projects, against the oracle. Vectors
//! that expect something other than `docs/decisions.md` says are listed here with the section that
//! decides it.

use utfall_oracle::vectors::{self, Case};
use utfall_oracle::{Item, decode, encode};

/// Vectors that decisions.md contradicts, and the section.
const DISSENT: &[(&str, &str)] = &[
    // Perl: one for the whole sequence that the lead byte announces.
    ("utf8-4769994a4", "§1, maximal subpart"),
    ("utf8-d2754e82b", "§1, maximal subpart"),
    // Perl, older: U+FFFF rejected.
    ("utf8-c2dff7b6d", "§1, table: only surrogates and above 10FFFF refused"),
    // .NET: two for a high surrogate and a last odd byte.
    ("utf16-2aa9cea08", "§2, one of 3 octets"),
    ("utf16-473c5073f", "§2, one of 3 octets"),
    // CPython: a stream without a byte order mark rejected.
    ("utf16-cee496e86", "§2, big-endian without a mark"),
    // iconv-lite: the mark kept.
    ("utf16-b2dc25467", "§2, the mark is not text"),
    ("utf32-c80b89b0b", "§2, the mark is not text"),
    // CPython: lone surrogates pass.
    ("utf7-51691d6c8", "§3, surrogates"),
    ("utf7-ffd691f13", "§3, surrogates"),
    ("utf7-91a66be40", "§3, surrogates"),
    ("utf7-9b8f3e15e", "§3, surrogates"),
    ("utf7-af63026d4", "§3, surrogates"),
    ("utf7-4b7b5ff90", "§3, surrogates"),
    ("utf7-21cf4ef1e", "§3, surrogates"),
    // CPython: the byte that ends an ill-formed run is part of it.
    ("utf7-6ab84940e", "§3, the end of a run"),
    ("utf7-970d34de6", "§3, the end of a run"),
    ("utf7-2d81e66e4", "§3, the end of a run"),
    ("utf7-cc2a27581", "§3, the end of a run"),
    ("utf7-63ad60ea1", "§3, the end of a run"),
    ("utf7-2f2427fc1", "§3, the end of a run"),
    ("utf7-00cf9616c", "§3, `+` alone is ill-formed"),
    // stalwart: `+` before a space is `+`.
    ("utf7-b02987bbe", "§3, `+` alone is ill-formed"),
    // iconv-lite: one for a whole run with six left-over bits.
    ("utf7-cffe28be5", "§3, leftover bits"),
    // ICU: the byte that ends an ill-formed run is part of it.
    ("utf7imap-20f90e671", "§4, the end of a run"),
    // iconv-lite: `/` is a digit.
    ("utf7imap-8e1d4dea1", "§4, digits"),
    // ICU: stops without an error.
    ("scsu-e4a669491", "§7, reserved window offset"),
    // ICU: surrogates pass.
    ("bocu1-c9848b5c6", "§8, a difference that leads to a surrogate"),
    ("bocu1-7fd433ed2", "§8, a difference that leads to a surrogate"),
];

#[test]
fn decoding_strictly() {
    let mut tally = Tally::default();
    for vector in vectors::cases() {
        let stops = vector.mode == "strict" || vector.encoding == "utf-8-perl";
        if vector.direction != "decode" || !stops || vector.result == "partial" {
            continue;
        }
        for name in vector.names() {
            tally.count(&vector, name, vector.check_decoding(name));
        }
    }
    tally.finish(2600);
}

/// U+FFFD for each ill-formed sequence: the test of their number.
#[test]
fn decoding_with_replacements() {
    let mut tally = Tally::default();
    for vector in vectors::cases() {
        let comparable = vector.options.split(';').all(|option| {
            let plain = ["-", "bom=", "chunks=", "outs=", "default=be", "source=icu72"];
            option == "fffd=maximal-subpart" || plain.iter().any(|start| option.starts_with(start))
        });
        let replaced = vector.mode == "replace" && vector.result == "ok";
        if vector.direction != "decode" || !replaced || !comparable {
            continue;
        }
        for name in vector.names() {
            tally.count(&vector, name, vector.check_replacing(name));
        }
    }
    tally.finish(700);
}

#[test]
fn encoding_strictly() {
    let mut tally = Tally::default();
    for vector in vectors::cases() {
        let strict = vector.direction == "encode" && vector.mode == "strict";
        if !strict || vector.options != "-" && !vector.options.starts_with("lf=") {
            continue;
        }
        for name in vector.names() {
            tally.count(&vector, name, vector.check_encoding(name));
        }
    }
    tally.finish(900);
}

/// Checks of the oracle against a vector.
trait Checks {
    fn names(&self) -> &'static [&'static str];
    fn check_decoding(&self, name: &str) -> Result<(), String>;
    fn check_replacing(&self, name: &str) -> Result<(), String>;
    fn check_encoding(&self, name: &str) -> Result<(), String>;
    fn decoded(&self, name: &str) -> Vec<Item>;
    fn marks_errors(&self) -> bool;
}

impl Checks for Case {
    /// The oracle's names for the vector's encoding.
    fn names(&self) -> &'static [&'static str] {
        match self.encoding.as_str() {
            "utf-8" => &["UTF-8"],
            "utf-8-rfc2279" if self.result == "ok" => {
                &["UTF-8/RFC2279", "UTF-8/RFC2044", "UTF-8/Perl"]
            }
            "utf-8-rfc2279" => &["UTF-8/RFC2279"],
            "utf-8-perl" => &["UTF-8/Perl"],
            "utf-7" => &["UTF-7", "UTF-7/RFC1642"],
            "utf-7-imap" => &["UTF-7-IMAP"],
            "utf-16" if self.direction == "decode" => &["UTF-16", "UNICODE-2-0"],
            "utf-16" => &["UTF-16"],
            "utf-16le" => &["UTF-16LE"],
            "utf-16be" => &["UTF-16BE"],
            "utf-32" if self.direction == "decode" => &["UTF-32"],
            "utf-32" => &["UTF-32"],
            "utf-32le" => &["UTF-32LE"],
            "utf-32be" => &["UTF-32BE"],
            "ucs-2be" if self.source.starts_with("RFC 1641") => {
                &["UCS-2BE", "ISO-10646-UCS-2", "UNICODE-1-1", "UNICODE-2-0"]
            }
            "ucs-2be" => &["UCS-2BE", "ISO-10646-UCS-2"],
            "ucs-2le" => &["UCS-2LE"],
            "ucs-4be" => &["UCS-4BE", "ISO-10646-UCS-4"],
            "ucs-4le" => &["UCS-4LE"],
            "cesu-8" => &["CESU-8"],
            "mutf-8" => &["MUTF-8"],
            "wtf-8" => &["WTF-8"],
            "utf-1" => &["ISO-10646-UTF-1"],
            "utf-ebcdic" if self.options == "lf=15" => &["UTF-EBCDIC"],
            "utf-ebcdic" if self.options == "lf=25" => &["UTF-EBCDIC/CDRA"],
            "utf-ebcdic" => &["UTF-EBCDIC"],
            "scsu" => &["SCSU"],
            "bocu-1" => &["BOCU-1"],
            other => panic!("{}: no encoding {other}", self.id),
        }
    }

    fn check_decoding(&self, name: &str) -> Result<(), String> {
        let items = self.decoded(name);
        let ill = items.iter().position(|item| matches!(item, Item::Ill { .. }));
        let before = points(&items[..ill.unwrap_or(items.len())]);
        match (self.result.as_str(), ill) {
            ("ok", Some(_)) => return Err(format!("{items:X?}")),
            ("error", None) => return Err(format!("no error, {before:X?}")),
            _ => {}
        }
        if self.kind == "cp" && before != vectors::points(&self.expected) {
            return Err(format!("{before:X?}, not {}", self.expected));
        }
        if let Some(Item::Ill { offset, length }) = ill.map(|index| items[index])
            && self.marks_errors()
        {
            let stated = (self.error_offset, self.error_length);
            if stated.0.is_some_and(|stated| stated != offset)
                || stated.1.is_some_and(|stated| stated != length)
            {
                return Err(format!("ill-formed at {:?}, not {stated:?}", (offset, length)));
            }
        }
        Ok(())
    }

    fn check_replacing(&self, name: &str) -> Result<(), String> {
        let replaced = |item: &Item| match *item {
            Item::Point(point) => point,
            Item::Ill { .. } => 0xFFFD,
        };
        let found: Vec<u32> = self.decoded(name).iter().map(replaced).collect();
        if found != vectors::points(&self.expected) {
            return Err(format!("{found:X?}, not {}", self.expected));
        }
        Ok(())
    }

    fn check_encoding(&self, name: &str) -> Result<(), String> {
        let mut bytes = Vec::new();
        let outcome = encode(name, &vectors::points(&self.input), &mut bytes);
        match (self.result.as_str(), outcome) {
            ("ok", Ok(())) if bytes == vectors::bytes(&self.expected) => Ok(()),
            ("error", Err(Some(index))) => match self.error_offset {
                Some(stated) if index != stated => Err(format!("error at {index}, not {stated}")),
                _ => Ok(()),
            },
            _ => Err(format!("{outcome:?} {bytes:02x?}, not {}", self.expected)),
        }
    }

    fn decoded(&self, name: &str) -> Vec<Item> {
        let mut items = Vec::new();
        assert!(decode(name, &vectors::bytes(&self.input), &mut items), "{name}");
        // Most encodings keep a signature; a vector may be about dropping it.
        let drops = self.options.contains("bom=strip");
        let read_mark = ["utf-16", "utf-32"].contains(&self.encoding.as_str());
        if drops && !read_mark && items.first() == Some(&Item::Point(0xFEFF)) {
            items.remove(0);
        }
        items
    }

    /// Whether the source says where the ill-formed sequence is. CPython counts from the `+` of a
    /// run. kyo counts from there or reports how far it had read.
    fn marks_errors(&self) -> bool {
        let counts_runs = self.encoding.starts_with("utf-7") && self.source.starts_with("CPython");
        !counts_runs && !self.source.starts_with("kyo")
    }
}

/// Compares failures with the known dissents.
#[derive(Default)]
struct Tally {
    checks: usize,
    surprises: Vec<String>,
}

impl Tally {
    fn count(&mut self, vector: &Case, name: &str, outcome: Result<(), String>) {
        self.checks += 1;
        let known = DISSENT.iter().any(|&(id, _)| id == vector.id);
        match outcome {
            Err(difference) if !known => self.surprises.push(format!(
                "{} {name} {} ({}): {difference}",
                vector.id, vector.input, vector.source
            )),
            Ok(()) if known => self.surprises.push(format!("{} does not dissent", vector.id)),
            _ => {}
        }
    }

    fn finish(self, at_least: usize) {
        assert!(self.surprises.is_empty(), "\n{}\n", self.surprises.join("\n"));
        assert!(self.checks >= at_least, "only {} checks", self.checks);
    }
}

fn points(items: &[Item]) -> Vec<u32> {
    let point = |item: &Item| match *item {
        Item::Point(point) => Some(point),
        Item::Ill { .. } => None,
    };
    items.iter().filter_map(point).collect()
}
