//! The same calls to glibc's iconv(3) and to ours: the result, `errno`, both pointers, and the bytes must be
//! equal, or the difference must be one that docs/iconv.md gives a reason for.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::{fmt, io, ptr};

use utfall_iconv::Descriptor;
use utfall_iconv_c::{Status, utfall_iconv_close, utfall_iconv_convert, utfall_iconv_open};

use crate::differences::{Reason, reason};

pub(crate) const CHARSETS: [&str; 50] = [
    "UTF-8",
    "UTF-16",
    "UTF-16LE",
    "UTF-16BE",
    "UTF-32",
    "UTF-32BE",
    "UNICODE",
    "UCS-2",
    "UCS-4",
    "UCS-4LE",
    "WCHAR_T",
    "UTF-7",
    "UTF-7-IMAP",
    "ASCII",
    "ISO-8859-1",
    "ISO-8859-2",
    "ISO-8859-7",
    "ISO-8859-15",
    "CP1250",
    "CP1251",
    "CP1252",
    "CP1255",
    "CP1256",
    "CP1258",
    "TCVN5712-1",
    "KOI8-R",
    "KOI8-U",
    "MACINTOSH",
    "VISCII",
    "TIS-620",
    "ARMSCII-8",
    "GEORGIAN-PS",
    "IBM037",
    "IBM437",
    "IBM850",
    "T.61-8BIT",
    "ISO_6937",
    "EUC-JP",
    "SJIS",
    "CP932",
    "ISO-2022-JP",
    "EUC-KR",
    "UHC",
    "JOHAB",
    "EUC-CN",
    "GBK",
    "GB18030",
    "BIG5",
    "BIG5HKSCS",
    "EUC-TW",
];

const SUFFIXES: [&str; 4] = ["", "//TRANSLIT", "//IGNORE", "//TRANSLIT//IGNORE"];

/// Characters of many charsets, and some of few.
const SAMPLES: [&str; 12] = [
    "Ein süßes Café\r\n",
    "\u{FEFF}a~\\`+-b&",
    "Ελληνικά\t",
    "Привет, мир",
    "שָׁלוֹם",
    "Tiếng Việt \u{1EA4}",
    "日本語ｶﾅ¥‾",
    "한국어",
    "简体繁體",
    "“5 € – ½”",
    "𝒳😀\u{E0041}\u{E000}",
    "ÊÌÊ̄ế \u{FFFD}",
];

/// Characters that may have the same transliteration in both.
const ALIKE: &str = "€ßæœÆŒﬁﬂ…–‘’“”„™©®«»←→≤≥№ǄﬀЖ日";

mod glibc {
    use super::{c_char, c_int, c_void};
    unsafe extern "C" {
        pub(super) fn iconv_open(to: *const c_char, from: *const c_char) -> *mut c_void;
        pub(super) fn iconv_close(descriptor: *mut c_void) -> c_int;
        pub(super) fn iconv(
            descriptor: *mut c_void,
            input: *mut *mut c_char,
            input_left: *mut usize,
            output: *mut *mut c_char,
            output_left: *mut usize,
        ) -> usize;
        pub(super) fn gnu_get_libc_version() -> *const c_char;
    }
}

/// The outcome of one call.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The result, or the name of the error.
    pub(crate) result: Result<usize, &'static str>,
    pub(crate) read: usize,
    pub(crate) output: Vec<u8>,
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, read {}, wrote {:02X?}", self.result, self.read, self.output)
    }
}

/// What a descriptor is asked to do.
#[derive(Clone, Copy)]
enum Ask<'i> {
    Convert(&'i [u8], usize),
    Finish(usize),
    Reset,
}

fn ask(
    ask: Ask<'_>,
    call: impl FnOnce(
        *mut *mut c_char,
        *mut usize,
        *mut *mut c_char,
        *mut usize,
    ) -> Result<usize, &'static str>,
) -> Outcome {
    let (input, room) = match ask {
        Ask::Convert(input, room) => (Some(input), Some(room)),
        Ask::Finish(room) => (None, Some(room)),
        Ask::Reset => (None, None),
    };
    // More space than is told, to see whether anything is written there.
    let mut output = vec![0xA5; room.unwrap_or(0) + 8];
    let mut from = input.map_or(ptr::null_mut(), |input| input.as_ptr().cast_mut().cast());
    let mut to: *mut c_char = room.map_or(ptr::null_mut(), |_| output.as_mut_ptr().cast());
    let (mut from_left, mut to_left) = (input.map_or(0, <[u8]>::len), room.unwrap_or(0));
    let result = call(&mut from, &mut from_left, &mut to, &mut to_left);
    let read = input.map_or(0, |input| from.addr() - input.as_ptr().addr());
    let written = room.map_or(0, |_| to.addr() - output.as_ptr().addr());
    assert_eq!(read + from_left, input.map_or(0, <[u8]>::len), "the length fits the pointer");
    assert_eq!(written + to_left, room.unwrap_or(0), "the length fits the pointer");
    assert!(output[room.unwrap_or(0)..].iter().all(|byte| *byte == 0xA5), "out of bounds");
    output.truncate(written);
    Outcome { result, read, output }
}

/// A descriptor of each.
pub(crate) struct Both {
    pub(crate) from: String,
    pub(crate) to: String,
    theirs: *mut c_void,
    ours: *mut Descriptor,
}

impl Both {
    pub(crate) fn open(from: &str, to: &str) -> Self {
        let (c_from, c_to) = (CString::new(from).unwrap(), CString::new(to).unwrap());
        // SAFETY: both are strings.
        let (theirs, ours) = unsafe {
            (
                glibc::iconv_open(c_to.as_ptr(), c_from.as_ptr()),
                utfall_iconv_open(c_to.as_ptr(), c_from.as_ptr(), c"ANSI_X3.4-1968".as_ptr()),
            )
        };
        assert_ne!(theirs.addr(), usize::MAX, "glibc lacks {from} or {to}");
        assert!(!ours.is_null(), "utfall lacks {from} or {to}");
        Self { from: from.to_owned(), to: to.to_owned(), theirs, ours }
    }

    /// What a new descriptor of glibc makes of a text.
    pub(crate) fn of_glibc(from: &str, to: &str, text: &[u8]) -> Outcome {
        Self::open(from, to).theirs(Ask::Convert(text, 8 * text.len() + 16))
    }

    /// The output of glibc, from which each byte is withheld that it rejects.
    pub(crate) fn of_glibc_skipping(from: &str, to: &str, text: &[u8]) -> Vec<u8> {
        let both = Self::open(from, to);
        let (mut output, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let outcome = both.theirs(Ask::Convert(&text[at..], 8 * text.len()));
            output.extend(outcome.output);
            if outcome.result != Err("EILSEQ") {
                break;
            }
            at += outcome.read + 1;
        }
        output
    }

    /// What a new descriptor of utfall makes of a text.
    pub(crate) fn of_utfall(from: &str, to: &str, text: &[u8]) -> Outcome {
        Self::open(from, to).ours(Ask::Convert(text, 8 * text.len() + 16))
    }

    fn theirs(&self, what: Ask<'_>) -> Outcome {
        ask(what, |from, from_left, to, to_left| {
            // SAFETY: the descriptor is open, the buffers have these lengths.
            match unsafe { glibc::iconv(self.theirs, from, from_left, to, to_left) } {
                usize::MAX => Err(match io::Error::last_os_error().raw_os_error() {
                    Some(7) => "E2BIG",
                    Some(22) => "EINVAL",
                    Some(84) => "EILSEQ",
                    _ => "another error",
                }),
                count => Ok(count),
            }
        })
    }

    fn ours(&self, what: Ask<'_>) -> Outcome {
        ask(what, |from, from_left, to, to_left| {
            let mut count = 0;
            // SAFETY: as above.
            let status = unsafe {
                utfall_iconv_convert(self.ours, from, from_left, to, to_left, &raw mut count)
            };
            match status {
                Status::Done => Ok(count),
                Status::OutputFull => Err("E2BIG"),
                Status::Incomplete => Err("EINVAL"),
                Status::IllFormed | Status::Ignored => Err("EILSEQ"),
            }
        })
    }
}

impl Drop for Both {
    fn drop(&mut self) {
        // SAFETY: both are open.
        unsafe {
            glibc::iconv_close(self.theirs);
            utfall_iconv_close(self.ours);
        }
    }
}

/// Calls with different outcomes.
pub(crate) struct Difference<'t> {
    pub(crate) from: &'t str,
    pub(crate) to: &'t str,
    /// The text, and where the call began to read. Nothing is read when a text ends.
    pub(crate) text: &'t [u8],
    pub(crate) at: usize,
    pub(crate) window: usize,
    pub(crate) room: usize,
    pub(crate) theirs: Outcome,
    pub(crate) ours: Outcome,
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, text, at, window, room, theirs, ours, .. } = self;
        write!(
            f,
            "{from} to {to}: {:02X?} | {:02X?} to {room} bytes\n   glibc:  {theirs:?}\n   utfall: {ours:?}",
            &text[..*at],
            &text[*at..at + window]
        )
    }
}

/// Converts a text in calls with the given sizes of both buffers, which must not be 0 forever.
/// Returns the number of calls, and the first difference.
fn convert<'t>(
    both: &'t Both,
    text: &'t [u8],
    mut sizes: impl FnMut() -> (usize, usize),
) -> (usize, Option<Difference<'t>>) {
    let (mut calls, mut at, mut larger) = (0, 0, 0);
    let compare = |at, window, room, what| {
        let (theirs, ours) = (both.theirs(what), both.ours(what));
        let Both { from, to, .. } = both;
        let equal = theirs == ours;
        let difference = (!equal).then(|| Difference {
            from,
            to,
            text,
            at,
            window,
            room,
            theirs: theirs.clone(),
            ours,
        });
        (theirs, difference)
    };
    let stopped = loop {
        let (window, room) = sizes();
        // A call that makes no progress is repeated with more.
        let (window, room) = ((window + larger).min(text.len() - at), room + larger);
        let (outcome, difference) =
            compare(at, window, room, Ask::Convert(&text[at..at + window], room));
        calls += 1;
        if difference.is_some() {
            break difference;
        }
        assert!(calls < 5000, "{} to {}: no end of {text:02X?}, {at}", both.from, both.to);
        at += outcome.read;
        let stuck = outcome.read == 0 && outcome.output.is_empty();
        larger = if stuck { larger + 1 } else { 0 };
        match outcome.result {
            // What programs do: they skip a byte.
            Err("EILSEQ") if at < text.len() && stuck => {
                at += 1;
                larger = 0;
            }
            // The text ends within a character.
            Err("EINVAL") if window == text.len() - at && stuck => break None,
            _ => {}
        }
        if at == text.len() {
            break None;
        }
    };
    if stopped.is_some() {
        compare(0, 0, 0, Ask::Reset);
        return (calls, stopped);
    }
    for room in 0.. {
        let (outcome, difference) = compare(text.len(), 0, room, Ask::Finish(room));
        calls += 1;
        if difference.is_some() || outcome.result.is_ok() || room == 40 {
            compare(0, 0, 0, Ask::Reset);
            return (calls, difference);
        }
    }
    unreachable!()
}

/// Numbers that look random.
pub(crate) struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn of_slices<'t>(&mut self, all: &'t [Vec<u8>]) -> &'t [u8] {
        &all[self.below(all.len())]
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A text in a charset, with some damage.
fn text(random: &mut Random, samples: &[Vec<u8>]) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.below(4) + 1 {
        let sample = &samples[random.below(samples.len())];
        let start = random.below(sample.len() + 1);
        let start = if random.below(2) == 0 { 0 } else { start };
        text.extend_from_slice(&sample[start..]);
        match random.below(8) {
            0 => text.push(random.below(256) as u8),
            1 => text.truncate(text.len().saturating_sub(1 + random.below(3))),
            2 if !text.is_empty() => {
                let at = random.below(text.len());
                text[at] = random.below(256) as u8;
            }
            _ => {}
        }
    }
    text.truncate(48);
    text
}

/// The samples in a charset, as glibc writes them, without what the charset lacks.
fn samples(charset: &str) -> Vec<Vec<u8>> {
    let both = Both::open("UTF-8", &format!("{charset}//IGNORE"));
    let samples = SAMPLES.iter().map(|sample| {
        let mut bytes = both.theirs(Ask::Convert(sample.as_bytes(), 400)).output;
        bytes.extend(both.theirs(Ask::Finish(40)).output);
        bytes
    });
    samples.filter(|sample| !sample.is_empty()).collect()
}

/// Texts in a charset whose characters have the same transliteration in both.
fn samples_to_transliterate(charset: &str) -> Vec<Vec<u8>> {
    let both = Both::open("UTF-8", "ASCII//TRANSLIT");
    let is_alike = |scalar: &char| {
        let text = scalar.to_string();
        let ask = Ask::Convert(text.as_bytes(), 40);
        both.theirs(ask) == both.ours(ask)
    };
    let alike: Vec<char> = ALIKE.chars().filter(is_alike).collect();
    assert!(alike.len() > 10, "{alike:?}");
    let to = Both::open("UTF-8", &format!("{charset}//IGNORE"));
    let samples = alike.chunks(3).map(|scalars| {
        let text: String = ['a'].iter().chain(scalars).collect();
        let mut bytes = to.theirs(Ask::Convert(text.as_bytes(), 100)).output;
        bytes.extend(to.theirs(Ask::Finish(40)).output);
        bytes
    });
    samples.collect()
}

/// Texts in each charset.
struct Texts {
    plain: Vec<Vec<Vec<u8>>>,
    alike: Vec<Vec<Vec<u8>>>,
}

impl Texts {
    fn new() -> Self {
        let plain = CHARSETS.iter().map(|charset| samples(charset)).collect();
        let alike = CHARSETS.iter().map(|charset| samples_to_transliterate(charset)).collect();
        Self { plain, alike }
    }

    /// A text in the charset with this number. With `//TRANSLIT`, it has no damage, which would
    /// make characters with another transliteration.
    fn any(&self, from: usize, suffix: &str, random: &mut Random) -> Vec<u8> {
        match suffix.contains("TRANSLIT") {
            true => (0..4).flat_map(|_| random.of_slices(&self.alike[from])).copied().collect(),
            false => text(random, &self.plain[from]),
        }
    }
}

/// Descriptors for a number of texts.
struct Descriptors {
    from: &'static str,
    to: String,
    both: Both,
}

impl Descriptors {
    fn open(from: &'static str, to: &str, suffix: &str) -> Self {
        let to = format!("{to}{suffix}");
        Self { from, both: Both::open(from, &to), to }
    }

    /// Those for the next text: new ones if the text has a BOM, since glibc's keep the byte order.
    fn next(&mut self) -> &Both {
        if ["UTF-16", "UTF-32", "UNICODE"].contains(&self.from) {
            self.both = Both::open(self.from, &self.to);
        }
        &self.both
    }
}

/// The number of calls, and of differences with each reason.
#[derive(Default)]
struct Tally {
    calls: usize,
    reasons: BTreeMap<Reason, usize>,
    unexplained: Vec<String>,
}

impl Tally {
    fn add(&mut self, (calls, difference): (usize, Option<Difference<'_>>)) {
        self.calls += calls;
        let Some(difference) = difference else { return };
        match reason(&difference) {
            Some(reason) => *self.reasons.entry(reason).or_default() += 1,
            None => self.unexplained.push(difference.to_string()),
        }
    }

    fn check(&self) {
        println!("{} calls; texts with a difference, by reason: {:?}", self.calls, self.reasons);
        let shown: Vec<&str> = self.unexplained.iter().map(String::as_str).take(40).collect();
        let count = self.unexplained.len();
        assert!(count == 0, "{count} differences without a reason:\n{}", shown.join("\n"));
    }
}

fn glibc_is_known() -> bool {
    // SAFETY: it returns a string that lives forever.
    let version = unsafe { std::ffi::CStr::from_ptr(glibc::gnu_get_libc_version()) };
    let known = version.to_str().is_ok_and(|version| version == "2.36");
    if !known {
        println!(
            "skipped: the differences from glibc {version:?} are not known, only those from 2.36"
        );
    }
    known
}

#[test]
fn every_size_of_both_buffers() {
    if !glibc_is_known() {
        return;
    }
    let texts = Texts::new();
    let mut tally = Tally::default();
    let mut random = Random(0x1DEA);
    let pairs = CHARSETS.len() * CHARSETS.len();
    for pair in (0..pairs).step_by(utfall_oracle::step(7)) {
        let (from, to) = (pair / CHARSETS.len(), pair % CHARSETS.len());
        let suffix = random.of(&SUFFIXES);
        // glibc has no conversion between these.
        if [CHARSETS[from], CHARSETS[to]] == ["WCHAR_T"; 2] {
            continue;
        }
        let mut descriptors = Descriptors::open(CHARSETS[from], CHARSETS[to], suffix);
        for sizes in 0..256 {
            let sizes = (sizes / 16 + 1, sizes % 16 + 1);
            let text = texts.any(from, suffix, &mut random);
            tally.add(convert(descriptors.next(), &text, || sizes));
        }
    }
    tally.check();
}

#[test]
fn a_million_random_calls() {
    if !glibc_is_known() {
        return;
    }
    let texts = Texts::new();
    let mut tally = Tally::default();
    let mut random = Random(0xCA11);
    let wanted = utfall_oracle::rounds(1_000_000, 20);
    while tally.calls < wanted {
        let (from, to) = (random.below(CHARSETS.len()), random.below(CHARSETS.len()));
        let suffix = random.of(&SUFFIXES);
        // glibc has no conversion between these.
        if [CHARSETS[from], CHARSETS[to]] == ["WCHAR_T"; 2] {
            continue;
        }
        let mut descriptors = Descriptors::open(CHARSETS[from], CHARSETS[to], suffix);
        for _ in 0..20 {
            let text = texts.any(from, suffix, &mut random);
            let mut sizes = Random(random.0 | 1);
            tally.add(convert(descriptors.next(), &text, || (sizes.below(24), sizes.below(24))));
        }
    }
    tally.check();
}
