//! The single-byte charsets beside `encoding_rs`, in one process and in turns.
//! `cargo run --release -p utfall-bench --bin charsets` prints a table: for each charset and text, how
//! many times as fast utfall is, and its speed in MB/s of the charset's bytes. `UTFALL_ISA` selects a
//! table of kernels. An argument selects charsets, texts or operations with it in their names.
//!
//! Each text is cut into pieces of 4 KiB, in random order, so that the branch predictor does not
//! learn it. Short strings are of 1 to 64 bytes.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;
use std::{env, fs};

use encoding_rs::{DecoderResult, EncoderResult};
use utfall::{Encoding, Escape, Options, Policy, transcode_into};
use utfall_simd::{dispatch, units};

/// Samples of each engine, which alternate. The shortest counts: other load only adds to it.
const SAMPLES: usize = 60;
/// The shortest sample, in nanoseconds.
const SAMPLE: u128 = 300_000;

const CHARSETS: [Encoding; 9] = [
    Encoding::Windows1252,
    Encoding::Iso8859_2,
    Encoding::Koi8R,
    Encoding::Windows1251,
    Encoding::Iso8859_7,
    Encoding::Windows1253,
    Encoding::Windows1255,
    Encoding::Windows1256,
    Encoding::Windows874,
];

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

/// A text in a charset, as pieces.
struct Text {
    name: String,
    pieces: Vec<Vec<u8>>,
}

/// Words of the letters that a charset has above US-ASCII: letters in `dense` of 100 are those.
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

/// A corpus in the charset, without the characters that it lacks; `None` if those are many.
fn corpus(charset: Encoding, name: &str) -> Option<Vec<u8>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/corpora");
    let text = fs::read_to_string(format!("{path}/{name}.utf8.txt")).ok()?;
    let has = |c: &char| charset.encode(c.encode_utf8(&mut [0; 4])).is_ok();
    let kept: String = text.chars().filter(has).collect();
    (kept.len() * 10 >= text.len() * 8).then(|| charset.encode(&kept).unwrap().into_owned())
}

fn texts(charset: Encoding) -> Vec<Text> {
    let mut random = Random(0x5EED);
    let mut texts = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>, length: usize, random: &mut Random| {
        let mut pieces: Vec<Vec<u8>> = bytes.chunks(length).map(<[u8]>::to_vec).collect();
        for at in (1..pieces.len()).rev() {
            pieces.swap(at, random.below(at + 1));
        }
        texts.push(Text { name: name.into(), pieces });
    };
    for name in ["wiki-english", "wiki-french", "Russian-Lipsum", "Arabic-Lipsum", "Hebrew-Lipsum"]
    {
        if let Some(bytes) = corpus(charset, name) {
            add(name, bytes, 4096, &mut random);
        }
    }
    for (name, dense) in [("letters-4%", 4), ("letters-15%", 15), ("letters-all", 100)] {
        let bytes = words(charset, &mut random, 64 << 10, dense);
        add(name, bytes.clone(), 4096, &mut random);
        if dense == 100 {
            for length in [4, 16, 64] {
                add(&format!("short-{length}"), bytes[..8192].to_vec(), length, &mut random);
            }
            let mut bad = bytes;
            let hole = (0x80..=0xFF).find(|byte| charset.decode(&[*byte]).is_err());
            if let Some(hole) = hole {
                bad.iter_mut().skip(63).step_by(64).for_each(|byte| *byte = hole);
                add("bad-64", bad, 4096, &mut random);
            }
        }
    }
    let noise = (0..64 << 10).map(|_| random.below(256) as u8).collect();
    add("noise", noise, 4096, &mut random);
    texts
}

type Run<'a> = Box<dyn FnMut() + 'a>;

/// The shortest time of each of two alternating engines, in nanoseconds.
fn compare(mut engines: [Run<'_>; 2]) -> [f64; 2] {
    let mut times = [f64::MAX; 2];
    let mut loops = [1_u32; 2];
    for (engine, loops) in engines.iter_mut().zip(&mut loops) {
        loop {
            let start = Instant::now();
            (0..*loops).for_each(|_| engine());
            if start.elapsed().as_nanos() >= SAMPLE {
                break;
            }
            *loops *= 2;
        }
    }
    for _ in 0..SAMPLES {
        for ((engine, loops), time) in engines.iter_mut().zip(loops).zip(&mut times) {
            let start = Instant::now();
            (0..loops).for_each(|_| engine());
            *time = time.min(start.elapsed().as_nanos() as f64 / f64::from(loops));
        }
    }
    times
}

/// The operations on a text, each with the engines of utfall and `encoding_rs`.
fn operations<'a>(
    charset: Encoding,
    text: &'a Text,
    room: &'a mut [Vec<u8>; 2],
    op: &str,
) -> Option<[Run<'a>; 2]> {
    let peer = encoding_rs::Encoding::for_label(charset.name().as_bytes()).unwrap();
    let utf16 = if units::NATIVE_UTF16 == utfall_simd::Layout::Utf16Le {
        Encoding::Utf16Le
    } else {
        Encoding::Utf16Be
    };
    let is_sound = text.pieces.iter().all(|piece| charset.validate(piece).is_ok());
    let [ours, theirs] = room;
    let lossy = Options::both(Policy::Replace);
    match op {
        "to-utf8" if is_sound => Some([
            Box::new(move || {
                for piece in &text.pieces {
                    let options = Options::default();
                    let done =
                        transcode_into(charset, Encoding::Utf8, black_box(piece), ours, options);
                    black_box(done).unwrap();
                }
            }),
            Box::new(move || {
                for piece in &text.pieces {
                    let mut decoder = peer.new_decoder_without_bom_handling();
                    let (result, ..) =
                        decoder.decode_to_utf8_without_replacement(black_box(piece), theirs, true);
                    assert!(black_box(result) == DecoderResult::InputEmpty);
                }
            }),
        ]),
        "to-utf8-lossy" => Some([
            Box::new(move || {
                for piece in &text.pieces {
                    let done =
                        transcode_into(charset, Encoding::Utf8, black_box(piece), ours, lossy);
                    black_box(done).unwrap();
                }
            }),
            Box::new(move || {
                for piece in &text.pieces {
                    let mut decoder = peer.new_decoder_without_bom_handling();
                    _ = black_box(decoder.decode_to_utf8(black_box(piece), theirs, true));
                }
            }),
        ]),
        "decode" => Some([
            Box::new(move || {
                for piece in &text.pieces {
                    black_box(charset.decode_lossy(black_box(piece)));
                }
            }),
            Box::new(move || {
                for piece in &text.pieces {
                    black_box(peer.decode_without_bom_handling(black_box(piece)));
                }
            }),
        ]),
        "to-utf16-lossy" => Some([
            Box::new(move || {
                for piece in &text.pieces {
                    black_box(transcode_into(charset, utf16, black_box(piece), ours, lossy))
                        .unwrap();
                }
            }),
            Box::new(move || {
                for piece in &text.pieces {
                    let mut decoder = peer.new_decoder_without_bom_handling();
                    let room: &mut [u16] = bytemuck::cast_slice_mut(theirs);
                    _ = black_box(decoder.decode_to_utf16(black_box(piece), room, true));
                }
            }),
        ]),
        "from-utf8" if is_sound => {
            let pieces: Vec<String> = text
                .pieces
                .iter()
                .map(|piece| charset.decode(piece).unwrap().into_owned())
                .collect();
            let same = pieces.clone();
            Some([
                Box::new(move || {
                    for piece in &pieces {
                        black_box(charset.encode_into(black_box(piece), ours)).unwrap();
                    }
                }),
                Box::new(move || {
                    for piece in &same {
                        let mut encoder = peer.new_encoder();
                        let (result, ..) = encoder.encode_from_utf8_without_replacement(
                            black_box(piece),
                            theirs,
                            true,
                        );
                        assert!(black_box(result) == EncoderResult::InputEmpty);
                    }
                }),
            ])
        }
        "to-xml" if is_sound => {
            // A character that no charset has, after each 64.
            let snowy = |text: &str| -> String {
                let chars: Vec<char> = text.chars().collect();
                chars.chunks(64).flat_map(|part| part.iter().copied().chain(['\u{2603}'])).collect()
            };
            let pieces: Vec<String> =
                text.pieces.iter().map(|piece| snowy(&charset.decode(piece).unwrap())).collect();
            let same = pieces.clone();
            Some([
                Box::new(move || {
                    for piece in &pieces {
                        let options = Options::both(Policy::Escape(Escape::Xml));
                        black_box(charset.encode_with(black_box(piece), options)).unwrap();
                    }
                }),
                Box::new(move || {
                    for piece in &same {
                        black_box(peer.encode(black_box(piece)));
                    }
                }),
            ])
        }
        "from-utf16" if is_sound => {
            let pieces: Vec<Vec<u16>> =
                text.pieces.iter().map(|piece| charset.decode_to_utf16(piece).unwrap()).collect();
            let same = pieces.clone();
            Some([
                Box::new(move || {
                    for piece in &pieces {
                        let bytes = bytemuck::cast_slice(black_box(piece));
                        let options = Options::default();
                        black_box(transcode_into(utf16, charset, bytes, ours, options)).unwrap();
                    }
                }),
                Box::new(move || {
                    for piece in &same {
                        let mut encoder = peer.new_encoder();
                        let (result, ..) = encoder.encode_from_utf16_without_replacement(
                            black_box(piece),
                            theirs,
                            true,
                        );
                        assert!(black_box(result) == EncoderResult::InputEmpty);
                    }
                }),
            ])
        }
        _ => None,
    }
}

const OPERATIONS: [&str; 7] =
    ["to-utf8", "to-utf8-lossy", "decode", "to-utf16-lossy", "from-utf8", "from-utf16", "to-xml"];

/// The time of a lookup of a label by utfall and by `encoding_rs`, over the names of WHATWG's encodings.
fn labels() -> [f64; 2] {
    let is_known = |name: &&str| encoding_rs::Encoding::for_label(name.as_bytes()).is_some();
    let names = || Encoding::ALL.iter().map(|encoding| encoding.name()).filter(is_known);
    let ours: Run<'_> = Box::new(|| {
        names().for_each(|name| _ = black_box(Encoding::for_label(black_box(name))));
    });
    let theirs: Run<'_> = Box::new(|| {
        names().for_each(|name| {
            _ = black_box(encoding_rs::Encoding::for_label(black_box(name).as_bytes()));
        });
    });
    let filter: Run<'_> = Box::new(|| names().for_each(|name| _ = black_box(name)));
    let none: Run<'_> = Box::new(|| names().for_each(|name| _ = black_box(name)));
    let count = names().count() as f64;
    let [found, [filtering, _]] = [compare([ours, theirs]), compare([filter, none])];
    found.map(|time| (time - filtering) / count)
}

fn main() {
    let wanted: Vec<String> = env::args().skip(1).collect();
    println!("kernels: {}", dispatch::active().name());
    let [ours, theirs] = labels();
    println!("a label: {ours:.0} ns, by encoding_rs {theirs:.0} ns");
    let mut room = [vec![0; 64 << 10], vec![0; 64 << 10]];
    for charset in CHARSETS {
        for text in texts(charset) {
            let bytes: usize = text.pieces.iter().map(Vec::len).sum();
            let mut line = format!("{:13} {:15}", charset.name(), text.name);
            let mut any = false;
            for op in OPERATIONS {
                let name = format!("{} {} {op}", charset.name(), text.name);
                if !wanted.iter().all(|part| name.contains(part)) {
                    continue;
                }
                match operations(charset, &text, &mut room, op) {
                    Some(engines) => {
                        let [ours, theirs] = compare(engines);
                        let speed = bytes as f64 / ours * 1000.0;
                        let each = ours / text.pieces.len() as f64;
                        let shown = if text.name.starts_with("short") {
                            format!("{each:.0} ns")
                        } else {
                            format!("{speed:.0} MB/s")
                        };
                        _ = write!(line, " {op} {:5.2} ({shown})", theirs / ours);
                        any = true;
                    }
                    None => _ = write!(line, " {op} -"),
                }
            }
            if any {
                println!("{line}");
            }
        }
    }
}
