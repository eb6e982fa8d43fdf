//! The charsets of the web beside `encoding_rs` and glibc's `iconv`, in one process and in turns.
//! `cargo run --release -p utfall-bench --bin charsets` prints a table: for each charset and text,
//! how many times as fast as `encoding_rs` utfall is, and its speed in MB/s of the charset's bytes;
//! then how many times as fast as `iconv`. `UTFALL_ISA` selects a table of kernels. Arguments
//! select the charsets, texts and operations that have all of them in their names.
//!
//! `--features fast-legacy-encode` gives `encoding_rs` its larger tables for encoding. The last
//! line has the lowest ratio of each operation.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod iconv;
mod texts;

use std::env;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use encoding_rs::{DecoderResult, EncoderResult};
use utfall::{Encoding, Escape, Options, Policy, transcode_into};
use utfall_simd::{dispatch, units};

use texts::{Text, texts};

/// Samples of each engine, which alternate. The shortest counts: other load only adds to it.
const SAMPLES: usize = 40;
/// The shortest sample, in nanoseconds.
const SAMPLE: u128 = 300_000;

const CHARSETS: [Encoding; 17] = [
    Encoding::Windows1252,
    Encoding::Iso8859_2,
    Encoding::Koi8R,
    Encoding::Windows1251,
    Encoding::Iso8859_7,
    Encoding::Windows1253,
    Encoding::Windows1255,
    Encoding::Windows1256,
    Encoding::Windows874,
    Encoding::Ibm866,
    Encoding::ShiftJis,
    Encoding::EucJp,
    Encoding::Gb18030,
    Encoding::Gbk,
    Encoding::Big5,
    Encoding::EucKr,
    Encoding::Iso2022Jp,
];

type Run<'a> = Box<dyn FnMut() + 'a>;

/// The shortest time of each of some alternating engines, in nanoseconds.
fn compare<const N: usize>(mut engines: [Run<'_>; N]) -> [f64; N] {
    let mut times = [f64::MAX; N];
    let mut loops = [1_u32; N];
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
                    black_box(done.unwrap());
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
                    black_box(done.unwrap());
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
                    let done = transcode_into(charset, utf16, black_box(piece), ours, lossy);
                    black_box(done.unwrap());
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
                        black_box(charset.encode_into(black_box(piece), ours).unwrap());
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
                        let done = transcode_into(utf16, charset, bytes, ours, options);
                        black_box(done.unwrap());
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

/// glibc's `iconv` on a text, if it reads all of it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn by_iconv<'a>(charset: Encoding, text: &Text, op: &str) -> Option<Run<'a>> {
    let decoded = |piece: &Vec<u8>| charset.decode(piece).unwrap().into_owned().into_bytes();
    let (from, to, pieces): (_, _, Vec<Vec<u8>>) = match op {
        "to-utf8" => (charset.name(), "UTF-8", text.pieces.clone()),
        "from-utf8" => ("UTF-8", charset.name(), text.pieces.iter().map(decoded).collect()),
        _ => return None,
    };
    let converter = iconv::Converter::new(from, to)?;
    let mut room = vec![0; 64 << 10];
    if !pieces.iter().all(|piece| converter.convert(piece, &mut room)) {
        return None;
    }
    Some(Box::new(move || {
        for piece in &pieces {
            black_box(converter.convert(black_box(piece), &mut room));
        }
    }))
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn by_iconv<'a>(_: Encoding, _: &Text, _: &str) -> Option<Run<'a>> {
    None
}

const OPERATIONS: [&str; 7] =
    ["to-utf8", "to-utf8-lossy", "decode", "to-utf16-lossy", "from-utf8", "from-utf16", "to-xml"];

/// The time of a lookup of a label by utfall and by `encoding_rs`, over the names of WHATWG's
/// encodings.
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

/// The time of each peer, divided by the time of utfall.
struct Ratios {
    shown: String,
    encoding_rs: f64,
}

fn measure(charset: Encoding, text: &Text, room: &mut [Vec<u8>; 2], op: &str) -> Option<Ratios> {
    let [engine, peer] = operations(charset, text, room, op)?;
    let (ours, theirs, iconv) = match by_iconv(charset, text, op) {
        Some(iconv) => {
            let [ours, theirs, iconv] = compare([engine, peer, iconv]);
            (ours, theirs, Some(iconv))
        }
        None => {
            let [ours, theirs] = compare([engine, peer]);
            (ours, theirs, None)
        }
    };
    let bytes: usize = text.pieces.iter().map(Vec::len).sum();
    let speed = if text.name.starts_with("short") {
        format!("{:.0} ns", ours / text.pieces.len() as f64)
    } else {
        format!("{:.0} MB/s", bytes as f64 / ours * 1000.0)
    };
    let encoding_rs = theirs / ours;
    let mut shown = format!("{encoding_rs:.2} ({speed})");
    if let Some(iconv) = iconv {
        _ = write!(shown, " iconv {:.1}", iconv / ours);
    }
    Some(Ratios { shown, encoding_rs })
}

fn main() {
    let wanted: Vec<String> = env::args().skip(1).collect();
    println!("kernels: {}", dispatch::active().name());
    let [ours, theirs] = labels();
    println!("a label: {ours:.0} ns, by encoding_rs {theirs:.0} ns");
    let mut room = [vec![0; 64 << 10], vec![0; 64 << 10]];
    let mut lowest = OPERATIONS.map(|_| (f64::MAX, String::new()));
    for charset in CHARSETS {
        for text in texts(charset) {
            let name = format!("{:11} {:14}", charset.name(), text.name);
            let mut line = name.clone();
            for (op, lowest) in OPERATIONS.into_iter().zip(&mut lowest) {
                let searched = format!("{} {} {op}", charset.name(), text.name);
                if !wanted.iter().all(|part| searched.contains(part)) {
                    continue;
                }
                let Some(ratios) = measure(charset, &text, &mut room, op) else { continue };
                _ = write!(line, " {op} {}", ratios.shown);
                if ratios.encoding_rs < lowest.0 {
                    *lowest = (ratios.encoding_rs, name.trim_end().into());
                }
            }
            if line != name {
                println!("{line}");
            }
        }
    }
    for (op, (ratio, name)) in OPERATIONS.into_iter().zip(lowest) {
        if ratio < f64::MAX {
            println!("lowest {op}: {ratio:.2} {name}");
        }
    }
}
