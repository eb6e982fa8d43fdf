//! The texts that are measured: real ones from `testdata/corpora`, and generated ones.
//!
//! The generator has a fixed seed, so that every run on every machine has the same texts.

use std::iter::repeat_n;
use std::path::{Path, PathBuf};
use std::{fs, io};

use utfall_simd::Layout;

use crate::op::{Kind, Op, encode};

/// Groups of table columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Files.
    Real,
    /// Generated texts of some 64 KiB.
    Made,
    /// Text with errors.
    Errors,
    /// Strings of 0 to 256 bytes of UTF-8.
    Short,
    /// 1 MiB and more.
    Large,
    /// The files of `--texts`.
    Texts,
    /// Strings of one length, from random places of each of these files: too many for a processor to
    /// learn where each has which characters.
    Slices,
    /// Strings and lines of all texts, mixed.
    Mixed,
}

impl Group {
    pub(crate) const ALL: [Self; 8] = [
        Self::Real,
        Self::Made,
        Self::Errors,
        Self::Short,
        Self::Large,
        Self::Texts,
        Self::Slices,
        Self::Mixed,
    ];

    /// The name that `--corpus` accepts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Made => "made",
            Self::Errors => "errors",
            Self::Short => "short",
            Self::Large => "large",
            Self::Texts => "texts",
            Self::Slices => "slices",
            Self::Mixed => "mixed",
        }
    }
}

/// A text, not yet in any form.
pub(crate) struct Corpus {
    pub(crate) name: String,
    pub(crate) group: Group,
    /// The pieces that each run converts one by one; a single piece unless the strings are short.
    pieces: Vec<String>,
    errors: Errors,
}

/// Positions at which a text is made ill-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    None,
    /// Once in this many bytes.
    Every(usize),
    /// Once, at 15/16 of the text.
    Late,
}

/// How much of the corpora a run uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The first few hundred bytes of each: to check that everything runs.
    Test,
    Quick,
    Full,
}

const SCRIPTS: [&str; 9] =
    ["Latin", "Russian", "Arabic", "Hebrew", "Hindi", "Chinese", "Japanese", "Korean", "Emoji"];
const MADE_BYTES: usize = 64 << 10;
/// How much of a file of `--texts` is converted at once.
const TEXT_BYTES: usize = 128 << 10;
/// How many strings are cut from a text.
const SLICES: usize = 2000;
/// Lines in random order: more than a processor can learn.
const LINES_BYTES: usize = 8 << 20;

/// Every corpus whose name or group `wanted` accepts. `texts` is the folder of `--texts`: files of
/// UTF-8, named after their language.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn corpora(
    extent: Extent,
    texts: Option<&Path>,
    wanted: impl Fn(&str, Group) -> bool,
) -> io::Result<Vec<Corpus>> {
    let french = file("wiki-french")?;
    let english = file("wiki-english")?;
    let scripts: Vec<String> = SCRIPTS
        .iter()
        .map(|script| file(&format!("{script}-Lipsum")))
        .collect::<io::Result<_>>()?;
    let chinese = &scripts[5];

    let mut all = Vec::new();
    let mut add = |name: String, group, errors, pieces: &dyn Fn() -> Vec<String>| {
        if wanted(&name, group) {
            let mut pieces = pieces();
            if extent == Extent::Test {
                pieces.truncate(4);
                for piece in &mut pieces {
                    piece.truncate(piece.floor_char_boundary(1500));
                }
            }
            all.push(Corpus { name, group, errors, pieces });
        }
    };

    for (name, text) in SCRIPTS.iter().zip(&scripts) {
        add((*name).into(), Group::Real, Errors::None, &|| vec![text.clone()]);
    }
    add("wiki-english".into(), Group::Real, Errors::None, &|| vec![english.clone()]);
    add("wiki-french".into(), Group::Real, Errors::None, &|| vec![french.clone()]);

    // The percentages of code points with one, two, three and four bytes.
    for (name, shares) in [
        ("mix-1-2", [50, 50, 0, 0]),
        ("mix-1-3", [50, 0, 50, 0]),
        ("mix-2-3", [0, 50, 50, 0]),
        ("mix-1-4", [50, 0, 0, 50]),
        ("mix-90", [90, 6, 3, 1]),
        ("mix-60", [60, 20, 15, 5]),
        ("mix-even", [25, 25, 25, 25]),
        ("mix-asian", [5, 5, 85, 5]),
    ] {
        add(name.into(), Group::Made, Errors::None, &|| vec![mixture(shares)]);
    }
    for distance in [16, 64, 256] {
        add(format!("one-in-{distance}"), Group::Made, Errors::None, &|| vec![sparse(distance)]);
    }
    add("json".into(), Group::Made, Errors::None, &|| vec![json(&scripts)]);
    add("html".into(), Group::Made, Errors::None, &|| vec![html(&scripts)]);

    let medley =
        |bytes| medley(&[&scripts[..], &[french.clone(), english.clone()]].concat(), bytes);
    for distance in [64, 1024] {
        let errors = Errors::Every(distance);
        add(format!("bad-{distance}"), Group::Errors, errors, &|| vec![medley(MADE_BYTES)]);
        add(format!("bad-{distance}-ascii"), Group::Errors, errors, &|| vec![scripts[0].clone()]);
    }
    add("bad-late".into(), Group::Errors, Errors::Late, &|| vec![medley(MADE_BYTES)]);

    let lengths: &[usize] = match extent {
        Extent::Test => &[0, 1, 17],
        Extent::Quick => &[0, 1, 4, 8, 16, 32, 64, 128, 256],
        Extent::Full => {
            &[0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 31, 32, 33, 48, 63, 64, 65, 96, 128, 192, 256]
        }
    };
    // A Chinese string of two bytes would be empty.
    for (name, text, least) in
        [("english", &english, 0), ("french", &french, 1), ("chinese", chinese, 3)]
    {
        for &length in lengths.iter().filter(|&&length| length >= least) {
            add(format!("{name}-{length}"), Group::Short, Errors::None, &|| cut(text, length));
        }
    }

    add("1MiB".into(), Group::Large, Errors::None, &|| vec![medley(1 << 20)]);
    if extent == Extent::Full {
        add("64MiB".into(), Group::Large, Errors::None, &|| vec![medley(64 << 20)]);
    }

    let texts = match texts {
        Some(folder) => texts_of(folder)?,
        None => Vec::new(),
    };
    for (name, text) in &texts {
        let whole = &text[..text.floor_char_boundary(TEXT_BYTES)];
        add(name.clone(), Group::Texts, Errors::None, &|| vec![whole.to_owned()]);
    }
    for (name, text) in &texts {
        for length in [64, 200, 1000] {
            let slices = || slices(text, || length);
            add(format!("{name}-{length}"), Group::Slices, Errors::None, &|| slices());
        }
    }
    let every = match texts.is_empty() {
        true => [&scripts[..], &[french, english]].concat(),
        false => texts.into_iter().map(|(_, text)| text).collect(),
    };
    add("columns".into(), Group::Mixed, Errors::None, &|| columns(&every));
    add("lines".into(), Group::Mixed, Errors::None, &|| vec![lines(&every)]);
    Ok(all)
}

/// The files of a folder, with their names before the first dot.
fn texts_of(folder: &Path) -> io::Result<Vec<(String, String)>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() {
            let text = fs::read_to_string(&path).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            })?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            texts.push((name.split('.').next().unwrap_or_default().to_owned(), text));
        }
    }
    texts.sort();
    Ok(texts)
}

/// Strings from random places of a text, each of about the next length in bytes.
fn slices(text: &str, mut length: impl FnMut() -> usize) -> Vec<String> {
    let mut random = Random(0x5EED);
    (0..SLICES)
        .map(|_| {
            let length = length().min(text.len() / 2);
            let start = random.below((text.len() - length) as u32) as usize;
            let start = text.floor_char_boundary(start);
            text[start..text.floor_char_boundary(start + length)].to_owned()
        })
        .collect()
}

/// Strings of 8 to 512 bytes of all texts, as the columns of a table have them: each doubling of the
/// length is as common as the one before.
fn columns(texts: &[String]) -> Vec<String> {
    let mut random = Random(0xC01);
    let mut all: Vec<String> = texts
        .iter()
        .flat_map(|text| {
            slices(text, || {
                let doubled = 8 << random.below(6);
                doubled + random.below(doubled as u32) as usize
            })
        })
        .collect();
    random.shuffle(&mut all);
    all.truncate(4 * SLICES);
    all
}

/// The lines of all texts, in random order, as often as needed.
fn lines(texts: &[String]) -> String {
    let mut all: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let mut random = Random(0x11E5);
    let mut text = String::with_capacity(LINES_BYTES + 4096);
    while text.len() < LINES_BYTES && !all.is_empty() {
        random.shuffle(&mut all);
        for line in &all {
            if text.len() >= LINES_BYTES {
                break;
            }
            text += &line[..line.floor_char_boundary(4096)];
            text.push('\n');
        }
    }
    text
}

/// One piece of a corpus, as the input of an operation.
pub(crate) struct Source {
    pub(crate) bytes: Vec<u8>,
    /// The same text, if it is well-formed.
    pub(crate) text: String,
}

impl Corpus {
    /// The pieces as the input of `op`, or `None` if they are unsuitable for it.
    pub(crate) fn sources(&self, op: Op) -> Option<Vec<Source>> {
        let applies = match self.group {
            Group::Errors => op.takes_errors(),
            Group::Short | Group::Slices => op.takes_short(),
            Group::Mixed if self.pieces.len() > 1 => op.takes_short(),
            // Operations without kernels take seconds for larger texts, and so do the peers.
            Group::Large | Group::Mixed
                if matches!(op.kind, Kind::Transcode(..) | Kind::TranscodeLength(..)) =>
            {
                self.pieces.iter().all(|piece| piece.len() <= 1 << 20)
            }
            _ => true,
        };
        let texts: Vec<String> = self.pieces.iter().map(|text| limited(text, op)).collect();
        let bytes = |texts: &[String]| texts.iter().map(String::len).sum::<usize>();
        // The remaining text has to be more or less the same.
        let is_most = bytes(&texts) * 10 >= bytes(&self.pieces) * 8;
        (applies && is_most).then(|| texts.into_iter().map(|text| self.source(op, text)).collect())
    }

    fn source(&self, op: Op, text: String) -> Source {
        match self.errors {
            Errors::None => Source { bytes: op.input(&text), text },
            Errors::Every(distance) => Source {
                bytes: ill_formed(op.from, &text, distance, distance),
                text: String::new(),
            },
            Errors::Late => {
                let (before, after) = text.split_at(text.floor_char_boundary(text.len() / 16 * 15));
                let mut bytes = encode(op.from, before);
                bytes.extend(ill_formed(op.from, after, 0, usize::MAX));
                Source { bytes, text: String::new() }
            }
        }
    }
}

/// `text` without the code points that `op` does not support.
fn limited(text: &str, op: Op) -> String {
    text.chars().filter(|&c| op.takes(c)).collect()
}

/// `text` in `form`, with an ill-formed sequence after `first` bytes, and then one after every
/// `distance` bytes.
fn ill_formed(form: Layout, text: &str, first: usize, distance: usize) -> Vec<u8> {
    const UTF8: [&[u8]; 6] =
        [b"\xFF", b"\x80", b"\xE2\x82", b"\xED\xA0\x80", b"\xC0\xAF", b"\xF0\x9F\x98"];
    const UTF16: [u16; 3] = [0xDC00, 0xD800, 0xDFFF];
    const UTF32: [u32; 3] = [0xD800, 0x11_0000, 0xFFFF_FFFF];
    let mut bytes = Vec::new();
    let mut next = first;
    let mut count = 0;
    for c in text.chars() {
        if bytes.len() >= next {
            match form {
                Layout::Utf8 => bytes.extend(UTF8[count % UTF8.len()]),
                Layout::Utf16Le => bytes.extend(UTF16[count % UTF16.len()].to_le_bytes()),
                Layout::Utf16Be => bytes.extend(UTF16[count % UTF16.len()].to_be_bytes()),
                Layout::Utf32Le => bytes.extend(UTF32[count % UTF32.len()].to_le_bytes()),
                Layout::Utf32Be => bytes.extend(UTF32[count % UTF32.len()].to_be_bytes()),
                Layout::Latin1 => {}
            }
            next = bytes.len().saturating_add(distance);
            count += 1;
        }
        bytes.extend(encode(form, c.encode_utf8(&mut [0; 4])));
    }
    bytes
}

fn file(name: &str) -> io::Result<String> {
    let path = root().join(format!("testdata/corpora/{name}.utf8.txt"));
    fs::read_to_string(&path)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// The workspace directory, as it was when this program was built.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Code points of one to four bytes, with the given percentage of each, in random order.
fn mixture(shares: [u32; 4]) -> String {
    let mut random = Random(0x5EED);
    let mut text = String::new();
    while text.len() < MADE_BYTES {
        let mut at = random.below(100);
        let mut bytes = 0;
        while at >= shares[bytes] {
            at -= shares[bytes];
            bytes += 1;
        }
        text.push(random.char(bytes + 1));
    }
    text
}

/// ASCII with one other code point every `distance` bytes.
fn sparse(distance: usize) -> String {
    let mut random = Random(0x5EED);
    let mut text = String::new();
    while text.len() < MADE_BYTES {
        for _ in 1..distance {
            text.push(random.char(1));
        }
        // Latin-1 only, so that those operations can use it too.
        text.push(char::from(0xC0 + random.below(64) as u8));
    }
    text
}

/// Records like those of a web service, with names in many scripts.
fn json(scripts: &[String]) -> String {
    let mut random = Random(0x5EED);
    let mut text = String::from("[\n");
    for id in 10_000.. {
        if text.len() >= MADE_BYTES {
            break;
        }
        let name = random.words(scripts, 2);
        let note = random.words(scripts, 6);
        let price = random.below(10_000);
        text += &format!(
            "  {{\"id\": {id}, \"name\": \"{name}\", \"price\": {}.{:02}, \"tags\": [\"new\", \
             \"{}\"],\n   \"note\": \"{note}\", \"url\": \"https://example.com/items/{id}?ref=list\", \
             \"available\": {}}},\n",
            price / 100,
            price % 100,
            random.words(scripts, 1),
            price.is_multiple_of(2),
        );
    }
    text + "]\n"
}

/// A page with a lot of markup, and running text in many scripts.
fn html(scripts: &[String]) -> String {
    let mut random = Random(0x5EED);
    let mut text = String::from("<!DOCTYPE html>\n<html lang=\"mul\">\n<body class=\"page\">\n");
    for id in 1.. {
        if text.len() >= MADE_BYTES {
            break;
        }
        text += &format!(
            "<section id=\"s{id}\" class=\"article article--wide\">\n  <h2><a href=\"#s{id}\">{}</a></h2>\n  \
             <p>{}&nbsp;<em>{}</em> {}</p>\n</section>\n",
            random.words(scripts, 4),
            random.words(scripts, 25),
            random.words(scripts, 2),
            random.words(scripts, 12),
        );
    }
    text + "</body>\n</html>\n"
}

/// Parts of all texts in random order, each of a few hundred bytes.
fn medley(texts: &[String], bytes: usize) -> String {
    let mut random = Random(0x5EED);
    let mut medley = String::with_capacity(bytes + 4);
    while medley.len() < bytes {
        let text = random.pick(texts);
        let start = text.floor_char_boundary(random.below(text.len() as u32) as usize);
        let length = 100 + random.below(900) as usize;
        medley += &text[start..text.floor_char_boundary((start + length).min(text.len()))];
    }
    medley.truncate(medley.floor_char_boundary(bytes));
    medley
}

/// 64 strings of `length` bytes from all over the text. If a string would end inside a code point, it ends in `.` instead.
fn cut(text: &str, length: usize) -> Vec<String> {
    let mut random = Random(0x5EED);
    (0..64)
        .map(|_| {
            let start = text.floor_char_boundary(random.below((text.len() - 300) as u32) as usize);
            let end = text.floor_char_boundary(start + length);
            let mut piece = text[start..end].to_owned();
            piece.extend(repeat_n('.', length - piece.len()));
            piece
        })
        .collect()
}

/// SplitMix64 (Steele, Lea and Flood 2014): small, and good enough.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    fn below(&mut self, limit: u32) -> u32 {
        (((self.next() >> 32) * u64::from(limit)) >> 32) as u32
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at as u32 + 1) as usize);
        }
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u32) as usize]
    }

    /// Any code point with this many bytes in UTF-8; of those with one byte, only printable ones.
    fn char(&mut self, bytes: usize) -> char {
        let (first, last) =
            [(0x20, 0x7E), (0x80, 0x7FF), (0x800, 0xFFFF), (0x1_0000, 0x10_FFFF)][bytes - 1];
        loop {
            // A surrogate is not a `char`; try again.
            if let Some(c) = char::from_u32(first + self.below(last - first + 1)) {
                return c;
            }
        }
    }

    /// Some consecutive words of one of the texts.
    fn words(&mut self, texts: &[String], count: usize) -> String {
        let text = self.pick(texts);
        let start = text.floor_char_boundary(self.below(text.len() as u32 / 2) as usize);
        let words = text[start..].split_whitespace().skip(1).take(count);
        // Chinese has no spaces, so a sentence serves as a word.
        let words: String =
            words.map(|word| word.chars().take(12).collect::<String>() + " ").collect();
        words.trim_end().replace(['"', '<', '&'], "")
    }
}
