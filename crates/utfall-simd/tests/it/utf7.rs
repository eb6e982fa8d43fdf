//! UTF-7: the scalar table against the oracle, and every other table against the scalar one.

use crate::support::{Output, Random};
use utfall_oracle::{Item, rounds, step};
use utfall_simd::utf7::{RunState, Style};
use utfall_simd::{Kernels, Layout, dispatch};

const STYLES: [Style; 4] = {
    const fn style(shift_set_o: bool, explicit_close: bool) -> Style {
        Style::new().with_shift_set_o(shift_set_o).with_explicit_close(explicit_close)
    }
    [style(false, false), style(false, true), style(true, false), style(true, true)]
};

/// States in which a text may be cut.
fn states() -> [RunState; 4] {
    let in_run = RunState::in_run;
    [RunState::default(), in_run(0, 0), in_run(2, 2), in_run(9, 4)]
}

fn scalar() -> &'static Kernels {
    dispatch::available().last().unwrap()
}

/// Text with runs of all lengths, in scripts of all widths, and with all characters that UTF-7 has
/// rules for.
fn text(random: &mut Random, length: usize) -> String {
    let mut text = String::new();
    while text.len() < length {
        let count = random.one_of(&[1, 1, 2, 3, 5, 20, 90]);
        let kinds: [&[char]; 8] = [
            &['a', 'B', '9', '/', ' ', '.', '\n', '-'],
            &['+'],
            &['+', '-', 'é', 'a'],
            &['!', '@', '&', '=', '}'],
            &['~', '\\', '\0', '\u{7F}'],
            &['é', 'ж', '\u{80}', '\u{7FF}'],
            &['\u{800}', '日', '\u{FFFD}', '\u{E000}', '\u{FFFF}', '\u{2003}'],
            &['😀', '\u{10000}', '\u{10FFFF}', '\u{1F400}'],
        ];
        let kind = random.one_of(&kinds);
        text.extend((0..count).map(|_| random.one_of(kind)));
    }
    text
}

/// Runs a conversion with all tables; returns the result of the scalar one.
fn same(
    what: impl Fn() -> String,
    (before, room): (RunState, usize),
    run: impl Fn(&Kernels, &mut RunState, &mut [u8]) -> (usize, usize),
) -> (usize, Vec<u8>, RunState) {
    let mut output = Output::new(room);
    let mut shift = before;
    let (read, written) = run(scalar(), &mut shift, output.room(room, 0));
    let expected = (read, output.written(written).to_vec(), shift);
    for kernels in dispatch::available() {
        let mut shift = before;
        let (read, written) = run(kernels, &mut shift, output.room(room, written));
        let got = (read, output.written(written).to_vec(), shift);
        assert_eq!(got, expected, "{kernels:?} from {before:?} into {room}: {}", what());
        assert!(output.is_untouched(), "{kernels:?} from {before:?} into {room}: {}", what());
    }
    expected
}

fn read(src: &[u8], shift: RunState, room: usize) -> (usize, Vec<u8>, RunState) {
    let what = || String::from_utf8_lossy(src).into_owned();
    for &(to, unit) in FORMS {
        let run = |kernels: &Kernels, shift: &mut RunState, dst: &mut [u8]| {
            read_to(to, kernels, shift, src, dst)
        };
        same(what, (shift, room), run);
        // With space for everything, the text is the same.
        let (bytes, utf16, after) = same(what, (shift, 2 * src.len() + 8), run);
        let (mut state, mut utf8) = (shift, vec![0; 2 * src.len() + 8]);
        let (read, written) = scalar().utf7_to_utf8(&mut state, src, &mut utf8);
        let text = std::str::from_utf8(&utf8[..written]).unwrap();
        let expected: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
        assert_eq!((bytes, utf16, after), (read, expected, state), "{to:?} {}", what());
    }
    same(what, (shift, room), |kernels, shift, dst| kernels.utf7_to_utf8(shift, src, dst))
}

/// UTF-16, and the bytes of a code unit.
type Form = (Layout, fn(u16) -> [u8; 2]);

/// Those that have kernels.
pub(crate) const FORMS: &[Form] = match cfg!(target_arch = "wasm32") {
    true => &[],
    false => &[(Layout::Utf16Le, u16::to_le_bytes), (Layout::Utf16Be, u16::to_be_bytes)],
};

/// UTF-8 or UTF-16 to UTF-7.
pub(crate) fn write_from(
    from: Layout,
    kernels: &Kernels,
    style: Style,
    shift: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    kernels.to_utf7(from).unwrap()(style, shift, src, dst)
}

/// UTF-7 to UTF-8 or UTF-16.
pub(crate) fn read_to(
    to: Layout,
    kernels: &Kernels,
    shift: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    kernels.from_utf7(to).unwrap()(shift, src, dst)
}

fn write(style: Style, src: &[u8], shift: RunState, room: usize) -> (usize, Vec<u8>, RunState) {
    let what = || format!("{style:?} {}", String::from_utf8_lossy(src));
    for &(from, unit) in FORMS {
        let sound = &src[..scalar().utf8_prefix(src)];
        let units = std::str::from_utf8(sound).unwrap().encode_utf16().flat_map(unit);
        // An unpaired surrogate instead of an error.
        let more = (sound.len() < src.len()).then(|| unit([0xD83D, 0xDE00][src.len() % 2]));
        let text: Vec<u8> = units.chain(more.into_iter().flatten()).collect();
        let run = |kernels: &Kernels, shift: &mut RunState, dst: &mut [u8]| {
            write_from(from, kernels, style, shift, &text, dst)
        };
        same(what, (shift, room), run);
        // With space for everything, the result is the same.
        let most = 7 * src.len() + 8;
        let (read, utf7, after) = same(what, (shift, most), run);
        assert_eq!(read, text.len() - 2 * usize::from(more.is_some()), "{from:?} {}", what());
        let (mut state, mut expected) = (shift, vec![0; most]);
        let (_, written) = scalar().utf8_to_utf7(style, &mut state, sound, &mut expected);
        expected.truncate(written);
        assert_eq!((utf7, after), (expected, state), "{from:?} {}", what());
    }
    same(what, (shift, room), |kernels, shift, dst| kernels.utf8_to_utf7(style, shift, src, dst))
}

/// The end of a text that ends in a run.
fn end(shift: RunState) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit =
        (shift.count() > 0).then(|| DIGITS[usize::from(shift.bits() << (6 - shift.count()))]);
    digit.into_iter().chain(shift.is_in_run().then_some(b'-')).collect()
}

/// The text that the oracle reads, up to the first error.
fn oracle(bytes: &[u8]) -> (String, bool) {
    let mut items = Vec::new();
    utfall_oracle::decode("UTF-7", bytes, &mut items);
    let points: Vec<_> = items
        .iter()
        .map_while(|item| match item {
            Item::Point(point) => char::from_u32(*point),
            Item::Ill { .. } => None,
        })
        .collect();
    let whole = points.len() == items.len();
    (points.into_iter().collect(), whole)
}

#[test]
fn what_is_written_is_read_again() {
    let mut random = Random(0x5EED_0007);
    for round in 0..rounds(2000, 20) {
        let length = random.one_of(&[1, 3, 10, 40, 64, 100, 130, 200, 700]);
        let text = text(&mut random, length);
        let style = STYLES[round % 4];
        let room = 5 * text.len() + 300;
        let (bytes, mut utf7, shift) = write(style, text.as_bytes(), RunState::default(), room);
        assert_eq!(bytes, text.len());
        for kernels in dispatch::available() {
            let mut after = RunState::default();
            let length = kernels.utf7_len_from_utf8(style, &mut after, text.as_bytes());
            assert_eq!((length, after), (utf7.len(), shift), "{kernels:?} {text:?}");
        }
        let open = utf7.len();
        utf7.extend(end(shift));
        assert_eq!(oracle(&utf7), (text.clone(), true), "{}", utf7.escape_ascii());

        let (bytes, utf8, after) = read(&utf7, RunState::default(), text.len() + 300);
        assert_eq!((bytes, &*utf8, after), (utf7.len(), text.as_bytes(), RunState::default()));
        // Exactly enough space, or less.
        for less in 0..4.min(text.len()) {
            read(&utf7, RunState::default(), text.len() - less);
            write(style, text.as_bytes(), RunState::default(), open - less.min(open));
        }
    }
}

#[test]
fn a_text_cut_anywhere_gives_the_same() {
    let mut random = Random(0x5EED_0077);
    for round in 0..rounds(100, 10) {
        let text = text(&mut random, 300);
        let style = STYLES[round % 4];
        let (_, utf7, open) = write(style, text.as_bytes(), RunState::default(), 2000);
        let cuts = (0..text.len()).filter(|cut| text.is_char_boundary(*cut));
        for cut in cuts.step_by(step(1)) {
            let (before, after) = text.as_bytes().split_at(cut);
            let (_, mut parts, shift) = write(style, before, RunState::default(), 2000);
            let (_, more, shift) = write(style, after, shift, 2000);
            parts.extend(more);
            assert_eq!((&parts, shift), (&utf7, open), "{text:?} cut at {cut}");
        }
        let whole = [utf7, end(open)].concat();
        for cut in (0..whole.len()).step_by(step(1)) {
            let (bytes, mut parts, shift) = read(&whole[..cut], RunState::default(), 1000);
            assert!(cut - bytes <= 7, "{} bytes left", cut - bytes);
            parts.extend(read(&whole[bytes..], shift, 1000).1);
            assert_eq!(parts, text.as_bytes(), "{text:?} cut at {cut}");
        }
    }
}

#[test]
fn damaged_text_is_read_up_to_the_damage() {
    let mut random = Random(0x5EED_0777);
    for round in 0..rounds(20_000, 50) {
        let length = random.one_of(&[3, 20, 70, 150, 400]);
        let text = text(&mut random, length);
        let (_, utf7, shift) = write(STYLES[round % 4], text.as_bytes(), RunState::default(), 4000);
        let mut bytes = [utf7, end(shift)].concat();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            let other = random.one_of(b"+-A/9!~\\\0\x80\xFFIKQ=wgD\n");
            match random.below(4) {
                0 => bytes[at] = other,
                1 => bytes.insert(at, other),
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => bytes.truncate(at + 1),
            }
        }
        let (expected, _) = oracle(&bytes);
        let (count, utf8, _) = read(&bytes, RunState::default(), 2000);
        // The caller checks an unfinished run at the end.
        assert!(expected.as_bytes().starts_with(&utf8), "{}", bytes.escape_ascii());
        let left = expected.len() - utf8.len();
        assert!(left == 0 || count + 8 > bytes.len(), "{}", bytes.escape_ascii());
    }
}

#[test]
fn bytes_of_the_alphabet_that_matters() {
    // Blocks of them, at every offset of a run.
    let mut random = Random(0x5EED_7777);
    for _ in 0..rounds(100_000, 100) {
        let alphabet: &[u8] = random.one_of(&[
            &b"+A"[..],
            b"+-AB",
            b"+-2D0egA",
            b"AAAAAAA-+.",
            b"IKwAOk-+ a",
            b"+2D3cAA-",
        ]);
        let length = random.one_of(&[70, 128, 131, 200, 500]);
        let bytes: Vec<u8> = (0..length).map(|_| random.one_of(alphabet)).collect();
        read(&bytes, random.one_of(&states()), 700);
    }
}

#[test]
fn runs_of_one_unit_stand_anywhere_among_letters() {
    let sound = ["+AOk", "+AOk-", "+ZeU", "+ZeU-", "+AH4", "+AH4-", "+-", "+AOkA6Q", "+AAA-"];
    // A surrogate, padding that is not zero, digits left over, not a digit.
    let ill_formed = ["+2D0-", "+AOl", "+AO-", "+AOkA", "+.", "\\", "\u{E9}"];
    let mut random = Random(0x5EED_0007_0001);
    for round in 0..rounds(20_000, 50) {
        let mut bytes = Vec::new();
        let distance = random.one_of(&[1, 3, 12, 40]);
        let length = random.one_of(&[260, 500]);
        while bytes.len() < length {
            let letters = random.below(distance) + 1;
            bytes.extend((0..letters).map(|_| random.one_of(b"aZ9/ .-\n")));
            bytes.extend(random.one_of(&sound).bytes());
            // The run ends here, whatever follows.
            bytes.push(random.one_of(b" ,-"));
            if round % 4 == 0 && random.below(30) == 0 {
                bytes.extend(random.one_of(&ill_formed).bytes());
            }
        }
        bytes.truncate(length - random.below(70));
        let (_, utf8, _) = read(&bytes, RunState::default(), 1300);
        let (expected, _) = oracle(&bytes);
        assert!(expected.as_bytes().starts_with(&utf8), "{}", bytes.escape_ascii());
        assert!(expected.len() - utf8.len() <= 3, "{}", bytes.escape_ascii());
    }
}

#[test]
fn short_runs_stand_anywhere_among_letters() {
    let kinds: [&[char]; 6] = [
        &['é'],
        &['ж', '\u{80}', '\u{7FF}'],
        &['đ', 'ư', 'ợ', '\u{1EBF}'],
        &['\u{800}', '日', '\u{D7FF}', '\u{E000}', '\u{FFFF}'],
        &['é', '\u{2019}', '😀'],
        &['é', 'ж', '~', '\u{7F}'],
    ];
    let mut random = Random(0x5EED_0007_0002);
    for round in 0..rounds(5_000, 50) {
        let kind = random.one_of(&kinds);
        let (distance, longest) = (random.one_of(&[2, 6, 40]), random.one_of(&[1, 3, 6, 20]));
        let (mut text, length) = (String::new(), random.one_of(&[330, 700, 1500]));
        while text.len() < length {
            let letters = random.below(distance) + 1;
            text.extend((0..letters).map(|_| random.one_of(&['a', 'Z', '9', '/', ' ', '.', '-'])));
            let units = random.below(longest) + 1;
            text.extend((0..units).map(|_| random.one_of(kind)));
        }
        let (_, mut utf7, shift) =
            write(STYLES[round % 4], text.as_bytes(), RunState::default(), 4 * text.len() + 300);
        utf7.extend(end(shift));
        let (bytes, utf8, _) = read(&utf7, RunState::default(), text.len() + 300);
        assert_eq!((bytes, &*utf8), (utf7.len(), text.as_bytes()));
        read(&utf7, RunState::default(), text.len() - random.below(100));
        // The rest of it, from any state, and with a byte that does not belong there.
        let at = random.below(utf7.len());
        utf7[at] = random.one_of(b"+-A/9!~\\\0\x80\xFFIKQ=wgD\n");
        read(&utf7[random.below(40)..], random.one_of(&states()), text.len() + 300);
        read(&utf7, RunState::default(), text.len() + 300);
    }
}

#[test]
fn ill_formed_utf8_is_written_up_to_there() {
    let mut random = Random(0x5EED_0708);
    for round in 0..rounds(5_000, 50) {
        let mut bytes = text(&mut random, 200).into_bytes();
        let at = random.below(bytes.len());
        bytes[at] = random.one_of(b"\x80\xFF\xC3\xE2\xF0\xEDa+");
        let sound = std::str::from_utf8(&bytes).map_or_else(|e| e.valid_up_to(), str::len);
        let (count, ..) = write(STYLES[round % 4], &bytes, random.one_of(&states()), 2000);
        assert_eq!(count, sound);
    }
}

#[test]
fn surrogates_are_paired_within_a_run_only() {
    // An emoji in one run, in two; a high surrogate alone, before another, at the end.
    for pair in ["+2D3cAA-", "+2D0-+3AA-", "+2D0.+3AA-", "+2D0-a", "+2D3YPQ-", "+2D0"] {
        for before in (0..200).step_by(step(1)) {
            for filling in ["a", "+AOk-", "+ZeVnLIqe"] {
                let bytes = [&filling.repeat(before / filling.len() + 1)[..before], pair].concat();
                let after = "and so on, for another block of text to follow".repeat(8);
                read(&[bytes.as_bytes(), after.as_bytes()].concat(), RunState::default(), 700);
            }
        }
    }
}

/// A kernel relies on the state that it is given.
#[test]
#[should_panic(expected = "no state of a run")]
fn digits_leave_an_even_number_of_bits() {
    let _ = RunState::in_run(0, 3);
}

#[test]
#[should_panic(expected = "no state of a run")]
fn left_over_bits_are_no_more_than_their_number() {
    let _ = RunState::in_run(0b100, 2);
}
