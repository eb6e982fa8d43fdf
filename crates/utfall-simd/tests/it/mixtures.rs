//! Every table against the scalar one, which `kernels.rs` checks against the oracle: text of
//! random mixtures with random damage, and each kind of damage at each offset of a block.

use crate::support::{Measure, Output, Random, measures};
use utfall_oracle::{rounds, step};
use utfall_simd::{Kernels, Layout, dispatch};

/// The longest text, in bytes.
const MOST: usize = 2000;

/// The tables to be checked: all except the scalar one.
fn tables() -> impl Iterator<Item = &'static Kernels> {
    dispatch::available().filter(|kernels| kernels.name() != dispatch::scalar().name())
}

/// A buffer to read from, and two to write to: for the table that is checked, and for the scalar
/// one.
struct Places {
    input: Vec<u8>,
    judged: Output,
    judge: Output,
}

impl Places {
    fn new() -> Self {
        // A byte of Latin-1 takes four in UTF-32.
        let [judged, judge] = [0, 1].map(|_| Output::new(4 * MOST + 256));
        Self { input: vec![0; MOST + 64], judged, judge }
    }
}

/// Everything that a table does with a text, into `room` bytes, with input and output at shifted
/// addresses.
fn check(form: Layout, text: &[u8], room: usize, shift: usize, places: &mut Places) {
    let scalar = dispatch::scalar();
    let Places { input, judged, judge } = places;
    let input = &mut input[shift / 64 % 64..][..text.len()];
    input.copy_from_slice(text);
    let text = &*input;
    for to in Layout::ALL {
        let expected = scalar.convert(form, to, text, judge.room(room, shift));
        for kernels in tables() {
            let got = kernels.convert(form, to, text, judged.room(room, shift));
            let right = got == expected
                && judged.written(got.1) == judge.written(got.1)
                && judged.is_untouched();
            assert!(
                right,
                "{kernels:?} {form:?} to {to:?} into {room}: {got:?} and not {expected:?}\n\
                 {:02X?}\nand not\n{:02X?}\nfor\n{text:02X?}",
                judged.written(got.1),
                judge.written(expected.1),
            );
        }
        let expected = scalar.convert_lossy(form, to, text, judge.room(room, shift));
        let Some(expected) = expected else { continue };
        for kernels in tables() {
            let got = kernels.convert_lossy(form, to, text, judged.room(room, shift)).unwrap();
            let right = got == expected
                && judged.written(got.written) == judge.written(got.written)
                && judged.is_untouched();
            assert!(
                right,
                "{kernels:?} {form:?} to {to:?}, lossy, into {room}: {got:?} and not \
                 {expected:?}\n{:02X?}\nand not\n{:02X?}\nfor\n{text:02X?}",
                judged.written(got.written),
                judge.written(expected.written),
            );
        }
    }
    let sound = scalar.prefix(form, text) == text.len();
    for Measure { name, of, any_text } in measures(form) {
        let expected = of(scalar, text);
        for kernels in tables() {
            let got = of(kernels, text);
            assert!(
                got == expected || !(sound || *any_text),
                "{kernels:?} {name}: {got} and not {expected} for\n{text:02X?}"
            );
        }
    }
}

/// The text in a form, as far as the form has its code points.
fn encoded(form: Layout, points: &[u32]) -> Vec<u8> {
    let bytes: Vec<u8> = points.iter().flat_map(|point| point.to_le_bytes()).collect();
    let mut text = vec![0; 4 * points.len()];
    let (_, written) = dispatch::scalar().convert(Layout::Utf32Le, form, &bytes, &mut text);
    text.truncate(written);
    text
}

/// Damages, or only changes, a random position.
fn damage(form: Layout, text: &mut Vec<u8>, random: &mut Random) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    let unit = match form {
        Layout::Utf8 | Layout::Latin1 => 1,
        Layout::Utf16Le | Layout::Utf16Be => 2,
        Layout::Utf32Le | Layout::Utf32Be => 4,
    };
    let bytes =
        [0x00, 0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xF8, 0xFF];
    match random.below(6) {
        0 => text[at] = random.one_of(&bytes),
        1 => text[at] ^= 1 << random.below(8),
        2 => drop(text.drain(at / unit * unit..(at / unit * unit + unit).min(text.len()))),
        3 => text.insert(at, random.one_of(&bytes)),
        // The start of some sequence, cut off.
        4 => {
            let point = random.text(1);
            let sequence = encoded(form, &point);
            let part = random.below(sequence.len() + 1);
            text.splice(at..at, sequence[..part].iter().copied());
        }
        // A surrogate, or beyond the last code point; in UTF-8 too.
        _ => {
            let value = random.one_of(&[0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x11_0000, u32::MAX]);
            let bytes = match form {
                Layout::Utf8 if value < 0x1_0000 => {
                    vec![0xED, 0x80 | (value >> 6 & 0x3F) as u8, 0x80 | (value & 0x3F) as u8]
                }
                Layout::Utf8 | Layout::Latin1 => vec![0xF4, 0x90, 0x80, 0x80],
                Layout::Utf16Le => (value as u16).to_le_bytes().to_vec(),
                Layout::Utf16Be => (value as u16).to_be_bytes().to_vec(),
                Layout::Utf32Le => value.to_le_bytes().to_vec(),
                Layout::Utf32Be => value.to_be_bytes().to_vec(),
            };
            let at = at / unit * unit;
            text.splice(at..at, bytes);
        }
    }
}

/// Text of random mixtures and lengths: well-formed, with one error, and with many; into enough
/// space, just enough or not enough, and a random size.
fn random_text(form: Layout, seed: u64, all: usize) {
    let mut random = Random(seed);
    let mut places = Places::new();
    for _ in 0..rounds(all, 8) {
        // Most blocks, and most errors, are near an end of the text.
        let length = random.one_of(&[20, 100, 300, 2000]);
        let length = random.below(length);
        let mut points = random.text(length);
        if random.below(4) == 0 {
            points.iter_mut().for_each(|point| *point &= 0xFF);
        }
        let mut text = encoded(form, &points);
        for _ in 0..random.one_of(&[0, 1, 1, 1, 2, 8, 40]) {
            damage(form, &mut text, &mut random);
        }
        text.truncate(MOST);
        let room = match random.below(3) {
            0 => 4 * text.len() + 128,
            1 => {
                let to = random.one_of(&Layout::ALL);
                let all = places.judge.room(4 * text.len(), 0);
                let (_, written) = dispatch::scalar().convert(form, to, &text, all);
                (written + random.below(5)).saturating_sub(random.below(5))
            }
            _ => random.below(4 * text.len() + 1),
        };
        check(form, &text, room, random.below(64 * 64), &mut places);
    }
}

#[test]
fn random_utf8() {
    random_text(Layout::Utf8, 0x9E37_79B9_7F4A_7C15, 30_000);
}

#[test]
fn random_utf16() {
    random_text(Layout::Utf16Le, 0xD1B5_4A32_D192_ED03, 15_000);
    random_text(Layout::Utf16Be, 0xABC9_8388_FB8F_AC03, 15_000);
}

#[test]
fn random_utf32_and_latin1() {
    random_text(Layout::Utf32Le, 0x8CB9_2BA7_2F3D_8DD7, 8_000);
    random_text(Layout::Utf32Be, 0xBEA2_25F9_EB34_556D, 8_000);
    random_text(Layout::Latin1, 0x1234_5678_9ABC_DEF1, 8_000);
}

/// Text around `middle`: `ahead` bytes of the same character before it, and the same after it.
fn around(form: Layout, filler: u32, ahead: usize, middle: &[u8], after: usize) -> Vec<u8> {
    let filler = encoded(form, &[filler]);
    let ascii = encoded(form, &[0x61]);
    let mut text = Vec::new();
    while text.len() + filler.len() <= ahead {
        text.extend(&filler);
    }
    while text.len() + ascii.len() <= ahead {
        text.extend(&ascii);
    }
    text.extend(middle);
    while text.len() < ahead + middle.len() + after {
        text.extend(&filler);
    }
    text
}

/// Damage, and well-formed sequences, at each offset of a block and of the next one, in text of
/// each class, with and without blocks after it.
#[test]
fn each_place_of_a_block() {
    let middles: [&[u8]; 26] = [
        b"a",
        b"\x80",
        b"\xBF\xBF",
        b"\xC0\x80",
        b"\xC2",
        b"\xC3\xA9",
        b"\xC3\xA9\xA9",
        b"\xDF\xC2\xA9",
        b"\xE0\x9F\xBF",
        b"\xE0\xA0\x80",
        b"\xE2\x82",
        b"\xE2\x82\xAC",
        b"\xE2\x82\xAC\x80",
        b"\xED\x9F\xBF",
        b"\xED\xA0\x80",
        b"\xEE",
        b"\xF0\x8F\xBF\xBF",
        b"\xF0\x90\x80\x80",
        b"\xF0\x9F\x98",
        b"\xF0\x9F\x98\x80",
        b"\xF0\x9F\x98\x80\x80",
        b"\xF4\x8F\xBF\xBF",
        b"\xF4\x90\x80\x80",
        b"\xF5\x80\x80\x80",
        b"\xFF",
        b"\xF1\x80\x41\x80",
    ];
    let mut places = Places::new();
    for filler in [0x61, 0xE9, 0x65E5, 0x1_F600] {
        for ahead in (0..=196).step_by(step(1)) {
            for middle in middles {
                for after in [0, 1, 67, 200] {
                    let text = around(Layout::Utf8, filler, ahead, middle, after);
                    let room = if after == 67 { ahead + middle.len() } else { 4 * text.len() };
                    check(Layout::Utf8, &text, room, ahead + after, &mut places);
                }
            }
        }
    }
}

/// The same for UTF-16 and UTF-32.
#[test]
fn each_place_of_a_block_of_units() {
    let mut places = Places::new();
    let units16: [&[u16]; 7] = [
        &[0x61],
        &[0xD800],
        &[0xDFFF],
        &[0xDC00, 0xDBFF],
        &[0xD83D, 0xDE00],
        &[0xD83D, 0xD83D, 0xDE00],
        &[0xFF],
    ];
    let units32 = [0x61, 0xFF, 0xD800, 0xDFFF, 0xFFFF, 0x10_FFFF, 0x11_0000, 0x8000_0061, u32::MAX];
    for filler in [0x61, 0xE9, 0x3B1, 0x65E5, 0x1_F600] {
        for ahead in (0..=200).step_by(2 * step(1)) {
            for after in [0, 2, 66, 260] {
                for units in units16 {
                    for (form, bytes) in [
                        (Layout::Utf16Le, u16::to_le_bytes as fn(u16) -> [u8; 2]),
                        (Layout::Utf16Be, u16::to_be_bytes),
                    ] {
                        let middle: Vec<u8> = units.iter().flat_map(|unit| bytes(*unit)).collect();
                        let text = around(form, filler, ahead, &middle, after);
                        check(form, &text, 2 * text.len(), ahead + after, &mut places);
                        check(form, &text, ahead + middle.len(), ahead + after, &mut places);
                        let odd = &text[..text.len() - 1];
                        check(form, odd, 2 * text.len(), ahead + after, &mut places);
                    }
                }
                for value in units32 {
                    for (form, middle) in [
                        (Layout::Utf32Le, value.to_le_bytes()),
                        (Layout::Utf32Be, value.to_be_bytes()),
                    ] {
                        let text = around(form, filler, ahead, &middle, after);
                        check(form, &text, text.len(), ahead + after, &mut places);
                        let odd = &text[..text.len() - 1 - ahead % 3];
                        check(form, odd, ahead, ahead + after, &mut places);
                    }
                }
            }
        }
    }
}
