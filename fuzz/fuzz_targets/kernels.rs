//! Every function of every table of kernels: beside the oracle, or beside the scalar table where there
//! is none, from and to any address, into rooms from none to more than enough.
#![no_main]

use libfuzzer_sys::fuzz_target;
use utfall_fuzz::input::Input;
use utfall_fuzz::room::Room;
use utfall_oracle::Item;
use utfall_simd::utf7::{Shift, Style};
use utfall_simd::{Form, Kernels, Lossy, dispatch};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let form = Form::ALL.get(usize::from(input.octet() % 7));
    let place = Place { src: input.octet() & 63, dst: input.octet() & 63 };
    let room = usize::from(u16::from_le_bytes([input.octet(), input.octet()]));
    let filler = input.one_of(&["a", "é", "漢", "😀", "a\0", "\0\0\0a", "\u{DF}", "~"]);
    let ahead = usize::from(input.octet());
    let state = input.octet();
    let octets = [filler.repeat(ahead).into_bytes(), input.text()].concat();
    match form {
        Some(form) => Text::new(*form, &octets, place).check(room),
        None => utf7(&octets, place, room, state),
    }
});

/// How many octets further on than they might be input and output stand.
#[derive(Clone, Copy)]
struct Place {
    src: u8,
    dst: u8,
}

impl Place {
    /// A copy of `octets` whose end is the end of an allocation, as AddressSanitizer likes it.
    fn copy(self, octets: &[u8]) -> Vec<u8> {
        [&vec![0x80; usize::from(self.src)][..], octets].concat()
    }

    fn room(self, length: usize) -> Room<u8> {
        Room::new(length, usize::from(self.dst))
    }
}

/// What the oracle finds in a text.
struct Text {
    form: Form,
    octets: Vec<u8>,
    place: Place,
    /// Code points, U+FFFD for what is ill-formed, and where in the text each ends.
    points: Vec<u32>,
    ends: Vec<usize>,
    /// Which of them are not in the text.
    replaced: Vec<usize>,
    /// Whether more octets could complete the last.
    is_truncated: bool,
}

impl Text {
    fn new(form: Form, octets: &[u8], place: Place) -> Self {
        let mut items = Vec::new();
        assert!(utfall_oracle::decode(name(form), octets, &mut items));
        let mut text = Self {
            form,
            octets: place.copy(octets),
            place,
            points: Vec::new(),
            ends: Vec::new(),
            replaced: Vec::new(),
            is_truncated: false,
        };
        let mut end = 0;
        for item in items {
            end += match item {
                Item::Point(point) => {
                    text.points.push(point);
                    width(form, point)
                }
                Item::Ill { offset, length } => {
                    text.is_truncated |= is_begun(form, &octets[offset..]);
                    text.replaced.push(text.points.len());
                    text.points.push(0xFFFD);
                    length
                }
            };
            text.ends.push(end);
        }
        assert_eq!(end, octets.len());
        text
    }

    fn octets(&self) -> &[u8] {
        &self.octets[usize::from(self.place.src)..]
    }

    fn check(&self, room: usize) {
        self.lengths();
        if self.replaced.is_empty() {
            self.counts();
        }
        for to in Form::ALL {
            // As much as needed is the most interesting: every second time.
            let all: usize = self.points.iter().map(|point| width(to, *point)).sum();
            let room = if room.is_multiple_of(2) { all } else { room % (all + 70) };
            self.strict(to, room);
            self.lossy(to, room);
        }
    }

    /// How many code points stand before the first thing ill-formed.
    fn sound(&self) -> usize {
        self.replaced.first().copied().unwrap_or(self.points.len())
    }

    /// Where so many code points end.
    fn end(&self, points: usize) -> usize {
        points.checked_sub(1).map_or(0, |last| self.ends[last])
    }

    /// How many of the first `count` code points `to` has and `room` octets hold.
    fn fitting(&self, to: Form, count: usize, room: usize) -> usize {
        let points = &self.points[..count];
        let mut written = 0;
        points[..encodable(to, points)]
            .iter()
            .take_while(|point| {
                written += width(to, **point);
                written <= room
            })
            .count()
    }

    fn strict(&self, to: Form, room: usize) {
        let count = self.fitting(to, self.sound(), room);
        self.compare(to, count, room, |kernels, dst| {
            let (read, written) = kernels.convert(self.form, to, self.octets(), dst);
            Some(Lossy { read, written, replaced: 0 })
        });
    }

    fn lossy(&self, to: Form, room: usize) {
        let count = self.fitting(to, self.points.len() - usize::from(self.is_truncated), room);
        self.compare(to, count, room, |kernels, dst| {
            kernels.convert_lossy(self.form, to, self.octets(), dst)
        });
    }

    /// All tables, if they have the conversion, beside what is to come of so many code points.
    fn compare(
        &self,
        to: Form,
        count: usize,
        room: usize,
        run: impl Fn(&Kernels, &mut [u8]) -> Option<Lossy>,
    ) {
        let mut expected = Vec::new();
        utfall_oracle::encode(name(to), &self.points[..count], &mut expected).expect("it has them");
        let replaced = self.replaced.partition_point(|index| *index < count);
        let lossy = Lossy { read: self.end(count), written: expected.len(), replaced };
        for kernels in dispatch::available() {
            let mut room = self.place.room(room);
            let (written, done) = room.fill(|room| {
                let done = run(kernels, room);
                (done.map_or(0, |done| done.written), done)
            });
            let Some(done) = done else { return };
            assert_eq!(done, lossy, "{kernels:?} {:?} to {to:?}", self.form);
            assert_eq!(written, expected, "{kernels:?} {:?} to {to:?}", self.form);
        }
    }

    /// Prefixes, and lengths of lossy conversions.
    fn lengths(&self) {
        let sound = &self.points[..self.sound()];
        let latin1 = self.end(encodable(Form::Latin1, sound));
        let octets = self.octets();
        let ascii = octets.iter().take_while(|octet| octet.is_ascii()).count();
        let sum = |form| self.points.iter().map(|point| width(form, *point)).sum();
        let scalar = dispatch::scalar();
        for kernels in dispatch::available() {
            let same = |name: &str, found: usize, expected: usize| {
                assert_eq!(found, expected, "{kernels:?} {:?}: {name}", self.form);
            };
            same("ASCII", kernels.ascii_prefix(octets), ascii);
            let unremarkable = scalar.utf8_unremarkable_prefix(octets);
            same("unremarkable", kernels.utf8_unremarkable_prefix(octets), unremarkable);
            same("prefix", kernels.prefix(self.form, octets), self.end(sound.len()));
            match self.form {
                Form::Utf8 => {
                    same("in Latin-1", kernels.utf8_latin1_prefix(octets), latin1);
                    same("lossy count", kernels.utf8_count_lossy(octets), self.points.len());
                    let utf16 = kernels.utf16_len_from_utf8_lossy(octets);
                    same("lossy length", utf16, sum(Form::Utf16Le));
                }
                Form::Utf16Le => same("in Latin-1", kernels.utf16le_latin1_prefix(octets), latin1),
                Form::Utf16Be => same("in Latin-1", kernels.utf16be_latin1_prefix(octets), latin1),
                _ => {}
            }
        }
    }

    /// Counts and lengths of what is well-formed.
    fn counts(&self) {
        let octets = self.octets();
        let sum = |form| self.points.iter().map(|point| width(form, *point)).sum::<usize>();
        let (count, utf8, utf16) = (self.points.len(), sum(Form::Utf8), sum(Form::Utf16Le));
        for kernels in dispatch::available() {
            let found = match self.form {
                Form::Utf8 => [
                    (kernels.utf8_count(octets), count),
                    (kernels.utf16_len_from_utf8(octets), utf16),
                ],
                Form::Utf16Le => [
                    (kernels.utf16le_count(octets), count),
                    (kernels.utf8_len_from_utf16le(octets), utf8),
                ],
                Form::Utf16Be => [
                    (kernels.utf16be_count(octets), count),
                    (kernels.utf8_len_from_utf16be(octets), utf8),
                ],
                Form::Utf32Le => [
                    (kernels.utf8_len_from_utf32le(octets), utf8),
                    (kernels.utf16_len_from_utf32le(octets), utf16),
                ],
                Form::Utf32Be => [
                    (kernels.utf8_len_from_utf32be(octets), utf8),
                    (kernels.utf16_len_from_utf32be(octets), utf16),
                ],
                Form::Latin1 => [(kernels.utf8_len_from_latin1(octets), utf8); 2],
            };
            for (found, expected) in found {
                assert_eq!(found, expected, "{kernels:?} {:?}", self.form);
            }
        }
    }
}

/// UTF-7, from any state: all tables give what the scalar one does. That one stands beside the oracle
/// in the target `utf7`.
fn utf7(octets: &[u8], place: Place, room: usize, state: u8) {
    let count = [0, 2, 4, 4][usize::from(state & 3)];
    let shift = match state >> 2 & 1 == 1 {
        true => Shift { shifted: true, bits: state >> 4 & ((1 << count) - 1), count },
        false => Shift::default(),
    };
    let style = Style { shift_set_o: state >> 3 & 1 == 1, explicit_close: state >> 4 & 1 == 1 };
    let copy = place.copy(octets);
    let octets = &copy[usize::from(place.src)..];

    let room = room % (3 * octets.len() + 70);
    same(place, room, |kernels, dst| {
        let mut shift = shift;
        let (read, written) = kernels.utf7_to_utf8(&mut shift, octets, dst);
        (written, (read, shift))
    });
    same(place, room, |kernels, dst| {
        let mut shift = shift;
        let (read, written) = kernels.utf8_to_utf7(style, &mut shift, octets, dst);
        (written, (read, shift))
    });
    let sound = place.copy(&octets[..dispatch::scalar().utf8_prefix(octets)]);
    let sound = &sound[usize::from(place.src)..];
    let length = |kernels: &Kernels| {
        let mut after = shift;
        (kernels.utf7_len_from_utf8(style, &mut after, sound), after)
    };
    let expected = length(dispatch::scalar());
    for kernels in dispatch::available() {
        assert_eq!(length(kernels), expected, "{kernels:?}");
    }
    // Room of just that length is enough.
    same(place, expected.0, |kernels, dst| {
        let mut after = shift;
        let done = kernels.utf8_to_utf7(style, &mut after, sound, dst);
        assert_eq!((done, after), ((sound.len(), expected.0), expected.1), "{kernels:?}");
        (done.1, ())
    });
}

/// What a table writes, and says of it, every table does.
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

/// The oracle's name for a form.
fn name(form: Form) -> &'static str {
    match form {
        Form::Utf8 => "UTF-8",
        Form::Utf16Le => "UTF-16LE",
        Form::Utf16Be => "UTF-16BE",
        Form::Utf32Le => "UTF-32LE",
        Form::Utf32Be => "UTF-32BE",
        Form::Latin1 => "ISO-8859-1",
    }
}

/// How many of the points a form has, from the start.
fn encodable(form: Form, points: &[u32]) -> usize {
    match form {
        Form::Latin1 => points.iter().take_while(|point| **point <= 0xFF).count(),
        _ => points.len(),
    }
}

/// Octets of a code point in a form.
fn width(form: Form, point: u32) -> usize {
    match form {
        Form::Utf8 => char::from_u32(point).map_or(3, char::len_utf8),
        Form::Utf16Le | Form::Utf16Be => 2 + 2 * usize::from(point > 0xFFFF),
        Form::Utf32Le | Form::Utf32Be => 4,
        Form::Latin1 => 1,
    }
}

/// Whether the text ends inside of what begins here.
fn is_begun(form: Form, octets: &[u8]) -> bool {
    match form {
        Form::Utf8 => std::str::from_utf8(octets)
            .is_err_and(|error| error.error_len().is_none() && error.valid_up_to() == 0),
        Form::Utf16Le | Form::Utf16Be => {
            let high = octets.get(usize::from(form == Form::Utf16Le));
            octets.len() < 2 || octets.len() < 4 && high.is_some_and(|octet| octet & 0xFC == 0xD8)
        }
        _ => octets.len() < 4,
    }
}
