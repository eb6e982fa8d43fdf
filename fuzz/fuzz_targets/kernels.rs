//! Every function of every table of kernels: compared with the oracle, or with the scalar table
//! where there is none, from and to any address, into buffers from empty to more than large
//! enough.
#![no_main]

#[path = "../../crates/utfall-simd/tests/it/support/text.rs"]
mod text;

use libfuzzer_sys::fuzz_target;
use text::{Text, encodable, width};
use utfall_fuzz::input::Input;
use utfall_fuzz::room::Room;
use utfall_simd::utf7::{RunState, Style};
use utfall_simd::{Kernels, Layout, Lossy, dispatch};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let form = Layout::ALL.get(usize::from(input.byte() % 7));
    let place = Place { src: input.byte() & 63, dst: input.byte() & 63 };
    let room = usize::from(u16::from_le_bytes([input.byte(), input.byte()]));
    let filler = input.one_of(&["a", "é", "漢", "😀", "a\0", "\0\0\0a", "\u{DF}", "~"]);
    let ahead = usize::from(input.byte());
    let state = input.byte();
    let bytes = [filler.repeat(ahead).into_bytes(), input.text()].concat();
    match form {
        Some(form) => {
            let copy = place.copy(&bytes);
            let text = Text::new(*form, &copy[usize::from(place.src)..]);
            Case { text, place }.check(room);
        }
        None => utf7(&bytes, place, room, state),
    }
});

/// By how many bytes input and output are moved.
#[derive(Clone, Copy)]
struct Place {
    src: u8,
    dst: u8,
}

impl Place {
    /// A copy of `bytes` that ends at the end of an allocation, so that AddressSanitizer detects
    /// reads beyond it.
    fn copy(self, bytes: &[u8]) -> Vec<u8> {
        [&vec![0x80; usize::from(self.src)][..], bytes].concat()
    }

    fn room(self, length: usize) -> Room<u8> {
        Room::new(length, usize::from(self.dst))
    }
}

/// A text, and the addresses of it and of the output.
struct Case<'a> {
    text: Text<'a>,
    place: Place,
}

impl Case<'_> {
    fn check(&self, room: usize) {
        self.lengths();
        if self.text.replaced.is_empty() {
            self.counts();
        }
        for to in Layout::ALL {
            // Exactly enough is the most interesting size: every second time.
            let all: usize = self.text.points.iter().map(|point| width(to, *point)).sum();
            let room = if room.is_multiple_of(2) { all } else { room % (all + 70) };
            self.strict(to, room);
            self.lossy(to, room);
        }
    }

    fn strict(&self, to: Layout, room: usize) {
        let count = self.text.fitting(to, self.text.sound(), room);
        self.compare(to, count, room, |kernels, dst| {
            let (read, written) = kernels.convert(self.text.form, to, self.text.bytes, dst);
            Some(Lossy { read, written, replaced: 0 })
        });
    }

    fn lossy(&self, to: Layout, room: usize) {
        let count = self.text.fitting(
            to,
            self.text.points.len() - usize::from(self.text.is_truncated),
            room,
        );
        self.compare(to, count, room, |kernels, dst| {
            kernels.convert_lossy(self.text.form, to, self.text.bytes, dst)
        });
    }

    /// Compares all tables that have the conversion with the expected conversion of this many code
    /// points.
    fn compare(
        &self,
        to: Layout,
        count: usize,
        room: usize,
        run: impl Fn(&Kernels, &mut [u8]) -> Option<Lossy>,
    ) {
        let (expected, lossy) = self.text.expected(to, count);
        for kernels in dispatch::available() {
            let mut room = self.place.room(room);
            let (written, done) = room.fill(|room| {
                let done = run(kernels, room);
                (done.map_or(0, |done| done.written), done)
            });
            let Some(done) = done else { return };
            assert_eq!(done, lossy, "{kernels:?} {:?} to {to:?}", self.text.form);
            assert_eq!(written, expected, "{kernels:?} {:?} to {to:?}", self.text.form);
        }
    }

    /// Checks prefixes, and lengths of lossy conversions.
    fn lengths(&self) {
        let sound = &self.text.points[..self.text.sound()];
        let latin1 = self.text.end(encodable(Layout::Latin1, sound));
        let bytes = self.text.bytes;
        let ascii = bytes.iter().take_while(|byte| byte.is_ascii()).count();
        let sum = |form| self.text.points.iter().map(|point| width(form, *point)).sum();
        let scalar = dispatch::scalar();
        for kernels in dispatch::available() {
            let same = |name: &str, found: usize, expected: usize| {
                assert_eq!(found, expected, "{kernels:?} {:?}: {name}", self.text.form);
            };
            same("ASCII", kernels.ascii_prefix(bytes), ascii);
            let unremarkable = scalar.utf8_unremarkable_prefix(bytes);
            same("unremarkable", kernels.utf8_unremarkable_prefix(bytes), unremarkable);
            same("prefix", kernels.prefix(self.text.form, bytes), self.text.end(sound.len()));
            match self.text.form {
                Layout::Utf8 => {
                    same("in Latin-1", kernels.utf8_latin1_prefix(bytes), latin1);
                    same("lossy count", kernels.utf8_count_lossy(bytes), self.text.points.len());
                    let utf16 = kernels.utf16_len_from_utf8_lossy(bytes);
                    same("lossy length", utf16, sum(Layout::Utf16Le));
                }
                Layout::Utf16Le => same("in Latin-1", kernels.utf16le_latin1_prefix(bytes), latin1),
                Layout::Utf16Be => same("in Latin-1", kernels.utf16be_latin1_prefix(bytes), latin1),
                _ => {}
            }
        }
    }

    /// Checks counts and lengths of well-formed text.
    fn counts(&self) {
        let bytes = self.text.bytes;
        let sum = |form| self.text.points.iter().map(|point| width(form, *point)).sum::<usize>();
        let (count, utf8, utf16) =
            (self.text.points.len(), sum(Layout::Utf8), sum(Layout::Utf16Le));
        for kernels in dispatch::available() {
            let found = match self.text.form {
                Layout::Utf8 => [
                    (kernels.utf8_count(bytes), count),
                    (kernels.utf16_len_from_utf8(bytes), utf16),
                ],
                Layout::Utf16Le => [
                    (kernels.utf16le_count(bytes), count),
                    (kernels.utf8_len_from_utf16le(bytes), utf8),
                ],
                Layout::Utf16Be => [
                    (kernels.utf16be_count(bytes), count),
                    (kernels.utf8_len_from_utf16be(bytes), utf8),
                ],
                Layout::Utf32Le => [
                    (kernels.utf8_len_from_utf32le(bytes), utf8),
                    (kernels.utf16_len_from_utf32le(bytes), utf16),
                ],
                Layout::Utf32Be => [
                    (kernels.utf8_len_from_utf32be(bytes), utf8),
                    (kernels.utf16_len_from_utf32be(bytes), utf16),
                ],
                Layout::Latin1 => [(kernels.utf8_len_from_latin1(bytes), utf8); 2],
            };
            for (found, expected) in found {
                assert_eq!(found, expected, "{kernels:?} {:?}", self.text.form);
            }
        }
    }
}

/// UTF-7, from any state: all tables give the result of the scalar one, which the target `utf7`
/// compares with the oracle.
fn utf7(bytes: &[u8], place: Place, room: usize, state: u8) {
    let count = [0, 2, 4, 4][usize::from(state & 3)];
    let shift = match state >> 2 & 1 == 1 {
        true => RunState::in_run(state >> 4 & ((1 << count) - 1), count),
        false => RunState::default(),
    };
    let style =
        Style::new().with_shift_set_o(state >> 3 & 1 == 1).with_explicit_close(state >> 4 & 1 == 1);
    let copy = place.copy(bytes);
    let bytes = &copy[usize::from(place.src)..];

    let room = room % (3 * bytes.len() + 70);
    same(place, room, |kernels, dst| {
        let mut shift = shift;
        let (read, written) = kernels.utf7_to_utf8(&mut shift, bytes, dst);
        (written, (read, shift))
    });
    same(place, room, |kernels, dst| {
        let mut shift = shift;
        let convert = kernels.from_utf7(Layout::Utf16Le).unwrap();
        let (read, written) = convert(&mut shift, bytes, dst);
        (written, (read, shift))
    });
    same(place, room, |kernels, dst| {
        let mut shift = shift;
        let (read, written) = kernels.utf8_to_utf7(style, &mut shift, bytes, dst);
        (written, (read, shift))
    });
    same(place, room, |kernels, dst| {
        let mut shift = shift;
        let convert = kernels.to_utf7(Layout::Utf16Le).unwrap();
        let (read, written) = convert(style, &mut shift, bytes, dst);
        (written, (read, shift))
    });
    let sound = place.copy(&bytes[..dispatch::scalar().utf8_prefix(bytes)]);
    let sound = &sound[usize::from(place.src)..];
    let length = |kernels: &Kernels| {
        let mut after = shift;
        (kernels.utf7_len_from_utf8(style, &mut after, sound), after)
    };
    let expected = length(dispatch::scalar());
    for kernels in dispatch::available() {
        assert_eq!(length(kernels), expected, "{kernels:?}");
    }
    // Space of exactly that length is enough.
    same(place, expected.0, |kernels, dst| {
        let mut after = shift;
        let done = kernels.utf8_to_utf7(style, &mut after, sound, dst);
        assert_eq!((done, after), ((sound.len(), expected.0), expected.1), "{kernels:?}");
        (done.1, ())
    });
}

/// Asserts that all tables write the same and return the same.
fn same<R: PartialEq + std::fmt::Debug>(
    place: Place,
    room: usize,
    run: impl Fn(&Kernels, &mut [u8]) -> (usize, R),
) {
    let of = |kernels| {
        let mut room = place.room(room);
        let (written, result) = room.fill(|room| run(kernels, room));
        (written.to_vec(), result)
    };
    let expected = of(dispatch::scalar());
    for kernels in dispatch::available() {
        assert_eq!(of(kernels), expected, "{kernels:?}");
    }
}
