//! The texts. Each is cut into pieces of 4 KiB, in random order, so that the branch predictor does
//! not learn it.

use std::fs;

use utfall::Encoding;

/// A text in a charset, as pieces.
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) pieces: Vec<Vec<u8>>,
}

/// Bytes of a piece of long text.
const PIECE: usize = 4096;

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 32) as usize * limit) >> 32
    }
}

pub(crate) fn texts(charset: Encoding) -> Vec<Text> {
    match east_asian(charset) {
        Some(name) => east_asian_texts(charset, name),
        None => single_byte_texts(charset),
    }
}

/// The corpus of an East Asian charset.
fn east_asian(charset: Encoding) -> Option<&'static str> {
    Some(match charset {
        Encoding::ShiftJis | Encoding::EucJp | Encoding::Iso2022Jp => "Japanese-Lipsum",
        Encoding::Gb18030 | Encoding::Gbk | Encoding::Big5 => "Chinese-Lipsum",
        Encoding::EucKr => "Korean-Lipsum",
        _ => return None,
    })
}

fn read(name: &str) -> Option<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/corpora");
    fs::read_to_string(format!("{path}/{name}.utf8.txt")).ok()
}

/// A corpus without the characters that a charset lacks; `None` if it lacks many of them.
fn corpus(charset: Encoding, name: &str) -> Option<String> {
    let text = read(name)?;
    let has = |c: &char| charset.encode(c.encode_utf8(&mut [0; 4])).is_ok();
    let kept: String = text.chars().filter(has).collect();
    (kept.len() * 10 >= text.len() * 8).then_some(kept)
}

fn shuffle(pieces: &mut [Vec<u8>], random: &mut Random) {
    for at in (1..pieces.len()).rev() {
        pieces.swap(at, random.below(at + 1));
    }
}

fn noise(random: &mut Random) -> Text {
    let noise: Vec<u8> = (0..64 << 10).map(|_| random.below(256) as u8).collect();
    Text { name: "noise".into(), pieces: noise.chunks(PIECE).map(<[u8]>::to_vec).collect() }
}

/// Damages one byte in 64.
fn bad_text(name: &str, mut bytes: Vec<u8>, bad: u8) -> Text {
    bytes.iter_mut().skip(63).step_by(64).for_each(|byte| *byte = bad);
    let pieces = bytes.chunks(PIECE).map(<[u8]>::to_vec).collect();
    Text { name: format!("bad-64{name}"), pieces }
}

/// Text in which each run of US-ASCII has one character.
fn dense(text: &str) -> String {
    let mut previous = false;
    let keeps = |c: &char| !(core::mem::replace(&mut previous, c.is_ascii()) && c.is_ascii());
    text.chars().filter(keeps).collect()
}

/// Text with a few words of English after every few characters.
fn mixed(text: &str, random: &mut Random) -> String {
    let english = read("wiki-english").unwrap();
    let mut words = english.split_ascii_whitespace().filter(|word| word.is_ascii()).cycle();
    let (mut made, mut left) = (String::new(), 0);
    for c in text.chars() {
        if left == 0 {
            left = 1 + random.below(24);
            for _ in 0..random.below(4) {
                made.extend(words.next().into_iter().chain([" "]));
            }
        }
        made.push(c);
        left -= 1;
    }
    made
}

/// Text that is mostly markup, with a few characters between tags.
fn html(text: &str, random: &mut Random) -> String {
    const TAGS: [&str; 8] = [
        "</p>\n<p>",
        "<br>",
        "<a href=\"/wiki/index.php?title=%E6%97%A5\" title=\"",
        "\">",
        "</a>",
        "<span class=\"mw-headline\" id=\"cite_ref-12\">",
        "</span><sup>[1]</sup>",
        "</li>\n<li class=\"interlanguage-link interwiki-en\">",
    ];
    let (mut made, mut left) = (String::new(), 0);
    for c in text.chars() {
        if left == 0 {
            left = 2 + random.below(30);
            (0..1 + random.below(3)).for_each(|_| made.push_str(TAGS[random.below(TAGS.len())]));
        }
        made.push(c);
        left -= 1;
    }
    made
}

/// Cuts a text between characters into pieces of at least this many bytes.
fn cut(charset: Encoding, name: String, text: &str, length: usize) -> Text {
    let mut pieces = Vec::new();
    let (mut piece, mut bytes) = (String::new(), 0);
    for c in text.chars() {
        piece.push(c);
        bytes += charset.encode(c.encode_utf8(&mut [0; 4])).unwrap().len().min(4);
        if bytes >= length {
            pieces.push(charset.encode(&piece).unwrap().into_owned());
            (piece, bytes) = (String::new(), 0);
        }
    }
    Text { name, pieces }
}

/// Phrases of a text in random order, until there are enough characters. A processor would learn
/// the branches of a shorter text.
fn phrases(text: &str, chars: usize, random: &mut Random) -> String {
    let ends = |c: char| c == ' ' || matches!(c, '。' | '、' | '，' | '\n');
    let phrases: Vec<&str> = text.split_inclusive(ends).collect();
    let (mut made, mut count) = (String::new(), 0);
    while count < chars {
        let phrase = phrases[random.below(phrases.len())];
        made.push_str(phrase);
        count += phrase.chars().count();
    }
    made
}

fn east_asian_texts(charset: Encoding, name: &str) -> Vec<Text> {
    let mut random = Random(0x5EED);
    let dense = phrases(&dense(&corpus(charset, name).unwrap()), 128 << 10, &mut random);
    let few = phrases(&dense, 32 << 10, &mut random);
    let [mixed, html] = [mixed(&dense, &mut random), html(&few, &mut random)];
    let mut texts = Vec::new();
    for (name, text) in [("html", &html), ("mixed", &mixed), ("dense", &dense)] {
        let mut long = cut(charset, name.into(), text, PIECE);
        shuffle(&mut long.pieces, &mut random);
        texts.push(long);
        for length in [4, 16, 64, 200] {
            let some: String = text.chars().take(16 << 10).collect();
            texts.push(cut(charset, format!("short-{length} {name}"), &some, length));
        }
        let bytes = charset.encode(text).unwrap().into_owned();
        texts.push(bad_text(&format!(" {name}"), bytes, 0xFF));
    }
    let more = match charset {
        // Characters of four bytes.
        Encoding::Gb18030 => corpus(charset, "Korean-Lipsum"),
        Encoding::ShiftJis | Encoding::EucJp => {
            let katakana = |n| char::from_u32(0xFF71 + n as u32).unwrap();
            Some((0..16 << 10).map(|_| katakana(random.below(45))).collect())
        }
        _ => None,
    };
    if let Some(more) = more {
        texts.push(cut(charset, "rare".into(), &more, PIECE));
    }
    texts.push(noise(&mut random));
    texts
}

/// Words in which `dense` of 100 letters are not US-ASCII, drawn from the letters of a charset.
fn words(charset: Encoding, random: &mut Random, bytes: usize, dense: usize) -> Vec<u8> {
    let letters: Vec<u8> = (0x80..=0xFF)
        .filter(|byte| {
            let text = charset.decode(std::slice::from_ref(byte)).unwrap_or_default();
            text.chars().all(char::is_alphabetic) && !text.is_empty()
        })
        .collect();
    let mut text = Vec::new();
    while text.len() < bytes {
        for _ in 0..2 + random.below(9) {
            text.push(match random.below(100) < dense {
                true => letters[random.below(letters.len())],
                false => b'a' + random.below(26) as u8,
            });
        }
        text.push(if random.below(9) == 0 { b'\n' } else { b' ' });
    }
    text.truncate(bytes);
    text
}

fn single_byte_texts(charset: Encoding) -> Vec<Text> {
    let mut random = Random(0x5EED);
    let mut texts = Vec::new();
    let mut add = |name: &str, bytes: &[u8], length: usize, random: &mut Random| {
        let mut pieces: Vec<Vec<u8>> = bytes.chunks(length).map(<[u8]>::to_vec).collect();
        shuffle(&mut pieces, random);
        texts.push(Text { name: name.into(), pieces });
    };
    for name in ["wiki-english", "wiki-french", "Russian-Lipsum", "Arabic-Lipsum", "Hebrew-Lipsum"]
    {
        if let Some(text) = corpus(charset, name) {
            add(name, &charset.encode(&text).unwrap(), PIECE, &mut random);
        }
    }
    let mut all = Vec::new();
    for (name, dense) in [("letters-4%", 4), ("letters-15%", 15), ("letters-all", 100)] {
        all = words(charset, &mut random, 64 << 10, dense);
        add(name, &all, PIECE, &mut random);
    }
    for length in [4, 16, 64] {
        add(&format!("short-{length}"), &all[..8192], length, &mut random);
    }
    if let Some(hole) = (0x80..=0xFF).find(|byte| charset.decode(&[*byte]).is_err()) {
        texts.push(bad_text("", all, hole));
    }
    texts.push(noise(&mut random));
    texts
}
