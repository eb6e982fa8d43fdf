//! Texts of known encoding, cut at random: `tests/texts` in every encoding used for their
//! languages, and data in no language.

use std::path::{Path, PathBuf};
use std::{fs, iter};

use utfall::{Bom, Encoding, Options, Policy};

/// Lengths of the cut texts, in bytes.
pub(crate) const LENGTHS: [usize; 9] = [8, 16, 32, 64, 200, 1_000, 5_000, 20_000, 100_000];

/// Which paragraph of the texts: the first ones are for tuning, the second ones are held out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    #[expect(dead_code, reason = "for choosing the constants of a model, by hand")]
    Tuning = 0,
    HeldOut = 1,
}

/// The family of a case's encoding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Family {
    Ascii,
    Utf8,
    Utf16,
    Utf32,
    Utf7,
    Relatives,
    Rare,
    Japanese,
    MultiByte,
    SingleByte,
    NotText,
}

impl Family {
    pub(crate) const ALL: [(Self, &'static str); 11] = [
        (Self::Ascii, "US-ASCII: prose, source code, JSON, CSV, diffs, URLs, maths"),
        (Self::Utf8, "UTF-8"),
        (Self::Utf16, "UTF-16, both orders, no BOM"),
        (Self::Utf32, "UTF-32, both orders, no BOM"),
        (Self::Utf7, "UTF-7, IMAP mailbox names"),
        (Self::Relatives, "CESU-8, MUTF-8, UNICODE-1-1-UTF-8"),
        (Self::Rare, "UTF-EBCDIC, UTF-1, SCSU, BOCU-1, no signature, expected"),
        (Self::Japanese, "ISO-2022-JP"),
        (Self::MultiByte, "GBK, Big5, Shift_JIS, EUC-JP, EUC-KR"),
        (Self::SingleByte, "single-byte charsets"),
        (Self::NotText, "binary: random bytes, tables of numbers"),
    ];
}

/// Bytes and their true encoding.
pub(crate) struct Case {
    pub(crate) family: Family,
    pub(crate) name: String,
    /// The intended length.
    pub(crate) length: usize,
    /// `None` for non-text.
    pub(crate) truth: Option<Encoding>,
    pub(crate) bytes: Vec<u8>,
}

impl Case {
    /// Whether this encoding decodes it correctly.
    pub(crate) fn is_read_by(&self, encoding: Encoding) -> bool {
        let Some(truth) = self.truth else { return false };
        let text = |encoding: Encoding| encoding.decode_lossy(&self.bytes).text;
        truth == encoding || text(truth) == text(encoding)
    }
}

/// The charsets in which a language was written.
fn charsets(language: &str) -> &'static [Encoding] {
    use Encoding as E;
    match language {
        "de" | "fr" | "es" | "pt" | "it" | "sv" | "da" | "fi" | "is" => {
            &[E::Windows1252, E::Iso8859_1, E::Iso8859_15, E::Macintosh]
        }
        "pl" | "cs" | "hu" | "hr" => &[E::Windows1250, E::Iso8859_2],
        "ro" => &[E::Windows1250, E::Iso8859_2, E::Iso8859_16],
        "tr" => &[E::Windows1254],
        "lt" | "lv" | "et" => &[E::Windows1257, E::Iso8859_13, E::Iso8859_4],
        "el" => &[E::Windows1253, E::Iso8859_7],
        "ru" | "bg" => &[E::Windows1251, E::Koi8R, E::Ibm866, E::Iso8859_5, E::MacCyrillic],
        "uk" => &[E::Windows1251, E::Koi8U, E::Iso8859_5],
        "he" => &[E::Windows1255, E::Iso8859_8],
        "ar" => &[E::Windows1256, E::Iso8859_6],
        "fa" => &[E::Windows1256],
        "th" => &[E::Windows874],
        "zh-hans" => &[E::Gbk],
        "zh-hant" => &[E::Big5],
        "ja" => &[E::ShiftJis, E::EucJp, E::Iso2022Jp],
        "ko" => &[E::EucKr],
        _ => &[],
    }
}

fn family(encoding: Encoding) -> Family {
    use Encoding as E;
    match encoding {
        E::UsAscii => Family::Ascii,
        E::Utf8 => Family::Utf8,
        E::Utf16Le | E::Utf16Be => Family::Utf16,
        E::Utf32Le | E::Utf32Be => Family::Utf32,
        E::Utf7 | E::Utf7Imap => Family::Utf7,
        E::Cesu8 | E::Mutf8 | E::Wtf8 | E::Utf8Rfc2279 | E::Utf8Rfc2044 | E::Unicode11Utf8 => {
            Family::Relatives
        }
        E::UtfEbcdic | E::Utf1 | E::Scsu | E::Bocu1 => Family::Rare,
        E::Iso2022Jp => Family::Japanese,
        E::Gbk | E::Big5 | E::ShiftJis | E::EucJp | E::EucKr => Family::MultiByte,
        _ => Family::SingleByte,
    }
}

/// A random number generator with the same results on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts")
}

/// A paragraph of each language, with the language's name, in order.
pub(crate) fn texts(part: Part) -> Vec<(String, String)> {
    let mut names: Vec<_> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let text = |path: &PathBuf| {
        let both = fs::read_to_string(path).unwrap().replace('\r', "");
        both.split("\n\n").nth(part as usize).unwrap().trim().to_owned()
    };
    let language = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    names.iter().map(|path| (language(path), text(path))).collect()
}

/// At least `least` bytes of UTF-8: from a random place to the end, then sentences in random order.
fn prose(random: &mut Random, text: &str, least: usize) -> String {
    let sentences: Vec<&str> = text.split_inclusive(['.', '。', '।', '?', '!', '։']).collect();
    let start = random.below(text.len());
    let start = (start..).find(|at| text.is_char_boundary(*at)).unwrap();
    let mut made = text[start..].to_owned();
    while made.len() < least {
        // Line breaks as in editors and mail.
        made.push(if random.below(3) == 0 { '\n' } else { ' ' });
        made.push_str(sentences[random.below(sentences.len())].trim());
    }
    made
}

fn encode(encoding: Encoding, text: &str) -> Vec<u8> {
    let options = Options::both(Policy::Skip).with_bom(Bom::Strip);
    encoding.encode_with(text, options).unwrap().into_owned()
}

/// Replaces letters that older charsets have in another form.
fn older(text: &str) -> String {
    text.replace('ș', "ş").replace('ț', "ţ").replace('Ș', "Ş").replace('Ț', "Ţ")
}

/// The cases of all languages, `times` per length and encoding.
pub(crate) fn of_languages(part: Part, times: usize, longest: usize) -> Vec<Case> {
    use Encoding as E;
    let unicode = [
        E::Utf8,
        E::Utf8,
        E::Utf8,
        E::Utf8,
        E::Utf16Le,
        E::Utf16Be,
        E::Utf32Le,
        E::Utf32Be,
        E::Utf7,
    ];
    let rare = [E::UtfEbcdic, E::Utf1, E::Scsu, E::Bocu1];
    let mut random = Random(part as u64 + 7);
    let mut cases = Vec::new();
    for (language, text) in texts(part) {
        let relatives: &[E] = match &*language {
            "chat" => &[E::Cesu8, E::Mutf8, E::Cesu8, E::Mutf8],
            "ko" => &[E::Unicode11Utf8],
            _ => &[],
        };
        let names: &[E] = if language == "en" { &[] } else { &[E::Utf7Imap] };
        let all = unicode.iter().chain(relatives).chain(names).chain(&rare);
        for encoding in all.chain(charsets(&language)).copied() {
            // Only the most common encodings get the longest texts.
            let longest = if unicode.contains(&encoding) { longest } else { longest.min(20_000) };
            for length in LENGTHS.into_iter().filter(|length| *length <= longest) {
                // Long ones are much alike.
                let times = if length < 20_000 { times } else { 1 };
                for _ in 0..times {
                    let prose = prose(&mut random, &text, length * 2);
                    let text =
                        if family(encoding) == Family::SingleByte { older(&prose) } else { prose };
                    // A mailbox name is short and has no line ends.
                    let (text, most) = match encoding {
                        E::Utf7Imap => (text.replace('\n', " "), 64),
                        _ => (text, usize::MAX),
                    };
                    let mut bytes = encode(encoding, &text);
                    if encoding == E::Utf7Imap && length > most {
                        continue;
                    }
                    bytes.truncate(length);
                    let is_ascii = bytes.is_ascii() && encoding.info().ascii_transparent;
                    cases.push(Case {
                        family: if is_ascii { Family::Ascii } else { family(encoding) },
                        name: format!("{language} {encoding} {length}"),
                        length,
                        truth: Some(encoding),
                        bytes,
                    });
                }
            }
        }
    }
    cases
}

/// Generated source code and data, and non-text, cut at random.
pub(crate) fn of_no_language(part: Part, times: usize, longest: usize) -> Vec<Case> {
    let mut random = Random(part as u64 + 99);
    let mut cases = Vec::new();
    for (name, bytes) in made(&mut random) {
        for length in LENGTHS.into_iter().filter(|length| *length <= longest.min(bytes.len())) {
            for _ in 0..times {
                let start = random.below(bytes.len() - length + 1);
                let bytes = bytes[start..start + length].to_vec();
                let (name, truth) = (format!("{name} {length}"), Some(Encoding::UsAscii));
                cases.push(Case { family: Family::Ascii, name, length, truth, bytes });
            }
        }
    }
    for length in LENGTHS.into_iter().filter(|length| (16..=longest).contains(length)) {
        for (name, byte) in no_text() {
            for _ in 0..times {
                let bytes = (0..length).map(|at| byte(at, &mut random)).collect();
                let name = format!("{name} {length}");
                cases.push(Case { family: Family::NotText, name, length, truth: None, bytes });
            }
        }
    }
    cases
}

/// Text that uses the shift characters of 7-bit encodings literally.
fn made(random: &mut Random) -> Vec<(String, Vec<u8>)> {
    const LINES: usize = 1500;
    let mut line = |make: fn(&mut Random) -> String| -> Vec<u8> {
        let lines: Vec<String> = iter::repeat_with(|| make(random)).take(LINES).collect();
        lines.join("\n").into_bytes()
    };
    let cplusplus = |random: &mut Random| {
        let name = ["i", "count", "p", "it", "node"][random.below(5)];
        match random.below(5) {
            0 => format!("for (int {name}=0; {name}<n; {name}++) sum+=a[{name}]+b[{name}-1];"),
            1 => format!(
                "    // C++{} and g++-{}: a+b- is no run",
                random.below(30),
                random.below(20)
            ),
            2 => {
                format!("    if (x&mask-1 && y&-{}) return p+{name}->next-base;", random.below(64))
            }
            3 => format!("    s = \"a+\"+{name}+\"&b=\"+url+\"&amp;-\"; ++{name};"),
            _ => format!("    {name}+=1+2*{}-(x+y)/z;", random.below(900)),
        }
    };
    let diff = |random: &mut Random| {
        let word = ["use", "let", "return", "fn", "pub", "Some", "the", "and", "abc", "mail"];
        let text: Vec<&str> = (0..random.below(7) + 1).map(|_| word[random.below(10)]).collect();
        format!("{}{}", ["+", "-", " ", "+", "+++ b/"][random.below(5)], text.join(" "))
    };
    let phones = |random: &mut Random| {
        let number: String =
            (0..7 + random.below(5)).map(|_| char::from(b'0' + random.below(10) as u8)).collect();
        format!(
            "{},+{}{number},\"{}+{}@example.org\"",
            random.below(9999),
            random.below(90) + 10,
            ["anna", "bob", "carla"][random.below(3)],
            ["news", "list", "work"][random.below(3)]
        )
    };
    let maths = |random: &mut Random| {
        let v = ["x", "y", "ab", "sin", "n", "k2", "AB", "dx"];
        let terms: Vec<&str> = (0..2 + random.below(6)).map(|_| v[random.below(8)]).collect();
        format!("{} = {}", terms.join("+"), random.below(100))
    };
    let urls = |random: &mut Random| {
        let word = ["id", "page", "q", "lang", "sort", "Utm", "ref"];
        let (a, b) = (word[random.below(7)], word[random.below(7)]);
        format!(
            "https://example.org/{a}?{a}={}&{b}=a+b+C{}&{a}=%C3%A9&{b}-x",
            random.below(99),
            random.below(9)
        )
    };
    let base64 = |random: &mut Random| {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        (0..76).map(|_| char::from(DIGITS[random.below(64)])).collect()
    };
    let csv = |random: &mut Random| {
        let (a, b, c) = (random.below(10000), random.below(100), random.below(100));
        format!(
            "{a};{b}.{c};+{c};-{b}.5;OK&A;2026-0{}-1{}T08:00:00+0{}:00",
            b % 9 + 1,
            c % 10,
            c % 6
        )
    };
    let json = |random: &mut Random| {
        format!(
            "{{\"id\": {}, \"tags\": [\"a+b\", \"c&d-e\"], \"ok\": {}, \"v\": \"+{}\"}},",
            random.below(10000),
            random.below(2) == 0,
            random.below(1000)
        )
    };
    [
        ("made C++", cplusplus as fn(&mut Random) -> String),
        ("made diff", diff),
        ("made phones", phones),
        ("made maths", maths),
        ("made URLs", urls),
        ("made Base64", base64),
        ("made CSV", csv),
        ("made JSON", json),
    ]
    .map(|(name, make)| (name.to_owned(), line(make)))
    .into()
}

type Byte = fn(usize, &mut Random) -> u8;

fn no_text() -> [(&'static str, Byte); 4] {
    [
        ("random bytes", |_, random| random.below(256) as u8),
        ("numbers of 16 bits", |at, random| match at % 2 {
            0 => random.below(256) as u8,
            _ => random.below(4) as u8,
        }),
        ("numbers of 32 bits", |at, random| match at % 4 {
            0 => random.below(256) as u8,
            1 => random.below(200) as u8,
            _ => 0,
        }),
        ("records", |at, random| match at % 16 {
            0..4 => random.below(256) as u8,
            4..8 => 0,
            8..12 => b'A' + random.below(26) as u8,
            _ => [0xFF, 0, 0x80, 1][random.below(4)],
        }),
    ]
}
