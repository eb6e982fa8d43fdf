//! Every kernel on every input of a few symbols, into every size of output.
//!
//! A scalar kernel is one loop (`src/arch/scalar`, without `unsafe`). Each iteration looks at the
//! input after the bytes read, at one sequence or eight ASCII characters, and at the space after
//! the bytes written. It keeps no other state except, in UTF-7, a [`RunState`]. It classifies bytes,
//! units and values by ranges. The alphabets below have a symbol of each range, so these inputs
//! make an iteration do everything that it can do: with each sequence complete, cut off by each
//! other symbol and by the end of the input, and with space for none of it, some of it, all of it
//! and more. Longer inputs are more iterations. `exhaustive` covers the edges of the ranges.
//!
//! The output is between canaries, and has every size from zero to two bytes more than needed. The
//! test compares read, written, replaced and every byte with `utfall-oracle`. The scalar table
//! runs all inputs up to a length, the others those that are one symbol shorter.

use crate::support::text::{begins_truncated, name, width};
use crate::support::{self, Output};
use crate::utf7::{FORMS, read_to, write_from};
use utfall_oracle::{Item, step};
use utfall_simd::utf7::{RunState, Style};
use utfall_simd::{Kernels, Layout, Lossy, dispatch};

/// A representative of each range of bytes or units that a kernel distinguishes.
fn alphabet(form: Layout) -> Vec<Vec<u8>> {
    match form {
        // `match lead` and `legal` of `utf8.rs`: ASCII; continuation bytes below 90, below A0, and
        // above; leads of two bytes in Latin-1 and beyond; of three and four, including the first
        // and the last of each, whose second byte is restricted; bytes that cannot be leads.
        Layout::Utf8 => {
            let bytes = b"\x41\x80\x90\xA0\xC2\xC4\xE0\xE1\xED\xF0\xF1\xF4\xFF";
            bytes.iter().map(|byte| vec![*byte]).collect()
        }
        // `next` of `utf16.rs`, and the lengths of `put`.
        Layout::Utf16Le | Layout::Utf16Be => {
            let units = [0x0041_u16, 0x00E9, 0x0100, 0x0800, 0xD800, 0xDC00];
            let order = if form == Layout::Utf16Le { u16::to_le_bytes } else { u16::to_be_bytes };
            units.iter().map(|unit| order(*unit).to_vec()).collect()
        }
        Layout::Utf32Le | Layout::Utf32Be => {
            let values = [0x41_u32, 0xE9, 0x100, 0x800, 0xD800, 0x1_0000, 0x11_0000, u32::MAX];
            let order = if form == Layout::Utf32Le { u32::to_le_bytes } else { u32::to_be_bytes };
            values.iter().map(|value| order(*value).to_vec()).collect()
        }
        Layout::Latin1 => vec![vec![0x41], vec![0xE9]],
    }
}

/// Incomplete units at the end of an input.
fn remnants(form: Layout) -> &'static [&'static [u8]] {
    match form {
        Layout::Utf8 | Layout::Latin1 => &[b""],
        Layout::Utf16Le | Layout::Utf16Be => &[b"", b"\xD8", b"\0"],
        Layout::Utf32Le | Layout::Utf32Be => &[b"", b"A", b"\0\0", b"\0\0\0"],
    }
}

/// Calls `check` with every sequence of up to `longest` symbols.
fn every(alphabet: &[Vec<u8>], longest: usize, mut check: impl FnMut(&[u8])) {
    for length in 0..=longest {
        let mut row = vec![0; length];
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            row.iter().for_each(|symbol: &usize| bytes.extend_from_slice(&alphabet[*symbol]));
            check(&bytes);
            let Some(at) = row.iter().rposition(|symbol| symbol + 1 < alphabet.len()) else {
                break;
            };
            row[at] += 1;
            row[at + 1..].fill(0);
        }
    }
}

/// A conversion by the oracle, with its state after each code point.
struct Expected {
    states: Vec<Lossy>,
    bytes: Vec<u8>,
}

impl Expected {
    fn new(from: Layout, to: Layout, src: &[u8], items: &[Item], is_lossy: bool) -> Self {
        let mut state = Lossy::default();
        let (mut states, mut bytes) = (vec![state], Vec::new());
        let ends = items.iter().scan(0, |end, item| {
            *end += match item {
                Item::Point(point) => width(from, *point),
                Item::Ill { length, .. } => *length,
            };
            Some(*end)
        });
        for (item, end) in items.iter().zip(ends) {
            let point = match item {
                Item::Point(point) => *point,
                Item::Ill { offset, .. } => {
                    if !is_lossy || begins_truncated(from, &src[*offset..]) {
                        break;
                    }
                    state.replaced += 1;
                    0xFFFD
                }
            };
            if utfall_oracle::encode(name(to), &[point], &mut bytes).is_err() {
                break;
            }
            state = Lossy { read: end, written: bytes.len(), ..state };
            states.push(state);
        }
        Self { states, bytes }
    }

    fn check(
        &self,
        what: impl Fn() -> String,
        output: &mut Output,
        mut run: impl FnMut(&mut [u8]) -> Lossy,
    ) -> u64 {
        let most = self.bytes.len() + 2;
        for room in 0..=most {
            let fitting = self.states.partition_point(|state| state.written <= room);
            let expected = self.states[fitting - 1];
            let done = run(output.room(room, room));
            let right = done == expected
                && output.written(done.written) == &self.bytes[..done.written]
                && output.is_untouched();
            assert!(right, "{} into {room}: {done:?} and not {expected:?}", what());
        }
        most as u64 + 1
    }
}

/// One input through one table: every conversion into every size of output, and every measure.
/// Returns the number of conversions.
fn check(
    kernels: &Kernels,
    from: Layout,
    src: &[u8],
    items: &mut Vec<Item>,
    output: &mut Output,
) -> u64 {
    let mut conversions = 0;
    items.clear();
    utfall_oracle::decode(name(from), src, items);
    let mut sound = 0;
    for to in Layout::ALL {
        let what = || format!("{kernels:?} {from:?} to {to:?} of {src:02X?}");
        let strict = Expected::new(from, to, src, items, false);
        if to != from {
            conversions += strict.check(what, output, |dst| {
                let (read, written) = kernels.convert(from, to, src, dst);
                Lossy { read, written, replaced: 0 }
            });
        }
        if to == Layout::Utf32Le {
            sound = strict.states.last().map_or(0, |state| state.read);
        }
        if kernels.convert_lossy(from, to, &[], &mut []).is_some() {
            let lossy = Expected::new(from, to, src, items, true);
            conversions += lossy.check(what, output, |dst| {
                kernels.convert_lossy(from, to, src, dst).unwrap_or_default()
            });
        }
    }
    assert_eq!(kernels.prefix(from, src), sound, "{kernels:?} {from:?} prefix of {src:02X?}");
    // They are exact for well-formed text, and terminate for any other.
    for measure in support::measures(from) {
        let scalar = (measure.of)(dispatch::scalar(), src);
        let got = (measure.of)(kernels, src);
        let same = got == scalar || !measure.any_text && sound < src.len();
        assert!(same, "{kernels:?} {} of {src:02X?}: {got}, {scalar}", measure.name);
    }
    conversions
}

/// Tables, and by how many symbols their inputs are shorter than those of the scalar one.
fn tables() -> impl Iterator<Item = (&'static Kernels, usize)> {
    dispatch::available().map(|kernels| (kernels, usize::from(kernels.name() != "scalar")))
}

/// How many symbols shorter an input is where tests should be shorter, or as short as possible.
fn less() -> usize {
    match step(2) {
        1 => 0,
        2..=20 => 1,
        _ => 3,
    }
}

/// All sequences of up to `longest` symbols.
fn rows(form: Layout, longest: usize) {
    let less = less();
    let (mut items, mut output) = (Vec::new(), Output::new(256));
    let mut bytes = Vec::new();
    for (kernels, fewer) in tables() {
        let (mut inputs, mut conversions) = (0, 0);
        every(&alphabet(form), longest.saturating_sub(fewer + less), |row| {
            for remnant in remnants(form) {
                bytes.clear();
                bytes.extend_from_slice(row);
                bytes.extend_from_slice(remnant);
                inputs += 1;
                conversions += check(kernels, form, &bytes, &mut items, &mut output);
            }
        });
        println!("{} {form:?}: {inputs} inputs, {conversions} conversions", kernels.name());
    }
}

#[test]
fn rows_of_utf8() {
    rows(Layout::Utf8, 5);
}

#[test]
fn rows_of_utf16() {
    rows(Layout::Utf16Le, 6);
    rows(Layout::Utf16Be, 5);
}

#[test]
fn rows_of_utf32() {
    rows(Layout::Utf32Le, 5);
    rows(Layout::Utf32Be, 4);
}

#[test]
fn rows_of_latin1() {
    rows(Layout::Latin1, 12);
}

#[test]
#[ignore = "takes minutes: `cargo xtask exhaustive`"]
fn longer_rows() {
    rows(Layout::Utf8, 6);
    rows(Layout::Utf16Le, 7);
    rows(Layout::Utf16Be, 7);
    rows(Layout::Utf32Le, 6);
    rows(Layout::Utf32Be, 6);
    rows(Layout::Latin1, 16);
}

/// Eight ASCII characters are processed at once: up to seventeen of them, with up to two symbols
/// before and after.
#[test]
fn rows_around_ascii() {
    let (mut items, mut output) = (Vec::new(), Output::new(512));
    for form in Layout::ALL {
        let symbols = alphabet(form);
        let mut before = Vec::new();
        every(&symbols, if symbols.len() > 8 { 1 } else { 2 }, |row| before.push(row.to_vec()));
        for (kernels, fewer) in tables() {
            for count in (7..=17).step_by(step(5)) {
                let ascii = symbols[0].repeat(count);
                for before in &before {
                    every(&symbols, 2 - fewer, |after| {
                        let bytes = [before, &ascii, after].concat();
                        check(kernels, form, &bytes, &mut items, &mut output);
                    });
                }
            }
        }
    }
}

/// States in which a text of UTF-7 may be cut.
fn states() -> [RunState; 4] {
    let in_run = RunState::in_run;
    [RunState::default(), in_run(0, 0), in_run(2, 2), in_run(9, 4)]
}

/// A conversion with a state, from `shift` on: into all the space it needs, then into each smaller
/// space, and continued from there. Returns the bytes read, the output, and the state.
fn every_room(
    what: impl Fn() -> String,
    shift: RunState,
    src: &[u8],
    output: &mut Output,
    run: impl Fn(&mut RunState, &[u8], &mut [u8]) -> (usize, usize),
) -> (usize, Vec<u8>, RunState) {
    let most = 7 * src.len() + 8;
    let mut after = shift;
    let (read, written) = run(&mut after, src, output.room(most, 0));
    assert!(output.is_untouched(), "{}", what());
    let all = output.written(written).to_vec();
    for room in 0..=(written + 2).min(most) {
        let mut state = shift;
        let (some, first) = run(&mut state, src, output.room(room, room));
        let same = output.written(first) == &all[..first] && output.is_untouched();
        // Again without space: nothing changes.
        let again = run(&mut state, &src[some..], &mut []);
        let rest = output.room(most, room);
        let (more, second) = run(&mut state, &src[some + again.0..], rest);
        let ends = some + again.0 + more == read && first + second == written && state == after;
        let is_rest = ends && output.written(second) == &all[first..];
        assert!(same && is_rest && again.1 == 0, "{} from {shift:?} into {room}", what());
    }
    (read, all, after)
}

/// The text that the oracle reads up to the first error, and whether there is none.
fn read_by_oracle(bytes: &[u8], items: &mut Vec<Item>) -> (String, bool) {
    items.clear();
    utfall_oracle::decode("UTF-7", bytes, items);
    let points = items.iter().map_while(|item| match item {
        Item::Point(point) => char::from_u32(*point),
        Item::Ill { .. } => None,
    });
    let text: String = points.collect();
    let whole = text.chars().count() == items.len();
    (text, whole)
}

/// `+` and `-`; digits that can make surrogates (`2D` begins D8, `3` DC), and with all bits clear
/// or set; direct and illegal characters. Alone, and after digits that fill most of a group of
/// eight.
#[test]
fn rows_of_utf7() {
    let symbols: Vec<Vec<u8>> =
        ["+", "-", ".", "~", "A", "2", "3", "D", "/"].map(|s| s.into()).to_vec();
    let (mut items, mut output) = (Vec::new(), Output::new(512));
    let less = less();
    for (kernels, fewer) in tables() {
        for (before, longest) in
            [("", 5), ("+", 5), ("+AOkAOk", 4), ("a+ZeVnLIqe", 3), ("+2D3eAA", 4)]
        {
            every(&symbols, usize::saturating_sub(longest, fewer + less), |row| {
                let src = [before.as_bytes(), row].concat();
                let what = || format!("{kernels:?} {}", src.escape_ascii());
                let run = |shift: &mut RunState, src: &[u8], dst: &mut [u8]| {
                    kernels.utf7_to_utf8(shift, src, dst)
                };
                let (read, utf8, after) =
                    every_room(what, RunState::default(), &src, &mut output, run);
                let (text, whole) = read_by_oracle(&src, &mut items);
                assert_eq!(
                    utf8.escape_ascii().to_string(),
                    text.as_bytes().escape_ascii().to_string(),
                    "{}",
                    what()
                );
                // If there is no error, everything is read except what only the end of the text
                // can decide.
                let left = src.len() - read;
                assert!(!whole || left <= 3, "{}: {left} left, {after:?}", what());
                for shift in states() {
                    every_room(what, shift, row, &mut output, run);
                }
                let units: Vec<u16> = text.encode_utf16().collect();
                for &(to, unit) in FORMS {
                    let run = |shift: &mut RunState, src: &[u8], dst: &mut [u8]| {
                        read_to(to, kernels, shift, src, dst)
                    };
                    let made = every_room(what, RunState::default(), &src, &mut output, run);
                    let expected: Vec<u8> = units.iter().copied().flat_map(unit).collect();
                    assert_eq!(made, (read, expected, after), "{to:?} {}", what());
                    for shift in states() {
                        every_room(what, shift, row, &mut output, run);
                    }
                }
            });
        }
    }
}

#[test]
fn rows_to_utf7() {
    let symbols: Vec<Vec<u8>> =
        ["a", ".", "-", "+", "=", "~", "é", "日", "😀"].map(|s| s.into()).to_vec();
    let (mut items, mut output) = (Vec::new(), Output::new(512));
    let less = less();
    for (kernels, fewer) in tables() {
        for (shift_set_o, explicit_close) in
            [(false, false), (false, true), (true, false), (true, true)]
        {
            let style =
                Style::new().with_shift_set_o(shift_set_o).with_explicit_close(explicit_close);
            every(&symbols, 4_usize.saturating_sub(fewer + less), |src| {
                let what = || format!("{kernels:?} {style:?} {}", src.escape_ascii());
                for shift in states() {
                    let run = |shift: &mut RunState, src: &[u8], dst: &mut [u8]| {
                        kernels.utf8_to_utf7(style, shift, src, dst)
                    };
                    let (read, utf7, after) = every_room(what, shift, src, &mut output, run);
                    let mut same = shift;
                    let length = kernels.utf7_len_from_utf8(style, &mut same, src);
                    let expected = (src.len(), utf7.len(), after);
                    assert_eq!((read, length, same), expected, "{} from {shift:?}", what());
                    for &(from, unit) in FORMS {
                        let text = str::from_utf8(src).unwrap().encode_utf16().flat_map(unit);
                        let text: Vec<u8> = text.collect();
                        let run = |shift: &mut RunState, src: &[u8], dst: &mut [u8]| {
                            write_from(from, kernels, style, shift, src, dst)
                        };
                        let made = every_room(what, shift, &text, &mut output, run);
                        let same = made == (text.len(), utf7.clone(), after);
                        assert!(same, "{from:?} {} from {shift:?}", what());
                    }
                    if shift == RunState::default() {
                        let bytes = [utf7, end(after)].concat();
                        let (text, whole) = read_by_oracle(&bytes, &mut items);
                        let right = whole && text.as_bytes() == src;
                        assert!(right, "{}: {}", what(), bytes.escape_ascii());
                    }
                }
            });
        }
    }
}

/// The end of a run.
fn end(shift: RunState) -> Vec<u8> {
    let digit = utfall_simd::utf7::SET_B[usize::from(shift.bits() << (6 - shift.count()) & 0x3F)];
    let digit = (shift.count() > 0).then_some(digit);
    digit.into_iter().chain(shift.is_in_run().then_some(b'-')).collect()
}
