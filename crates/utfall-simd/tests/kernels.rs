//! Every table of this machine against the oracle, under the contract of `kernels.rs`: what
//! a kernel converts is right, ends on a boundary, goes as far as can be, and nothing is
//! written outside of the output.

use utfall_oracle::Item;
use utfall_simd::{Form, Kernels, dispatch};

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

/// The well-formed prefix of some octets: its length, and its code points.
struct Prefix {
    length: usize,
    points: Vec<u32>,
}

fn prefix(form: Form, octets: &[u8]) -> Prefix {
    let mut items = Vec::new();
    utfall_oracle::decode(name(form), octets, &mut items);
    let mut points = Vec::new();
    for item in items {
        match item {
            Item::Point(point) => points.push(point),
            Item::Ill { offset, .. } => return Prefix { length: offset, points },
        }
    }
    Prefix { length: octets.len(), points }
}

fn encoded(form: Form, points: &[u32]) -> Vec<u8> {
    let mut octets = Vec::new();
    utfall_oracle::encode(name(form), points, &mut octets).unwrap();
    octets
}

/// How many of the points the form has, from the start.
fn encodable(form: Form, points: &[u32]) -> usize {
    match form {
        Form::Latin1 => points.iter().take_while(|point| **point <= 0xFF).count(),
        _ => points.len(),
    }
}

const CANARY: u8 = 0xA5;

/// One input through one table, into every form, with room for `room` octets.
fn check(kernels: &Kernels, from: Form, octets: &[u8], expected: &Prefix, room: usize) {
    let length = kernels.prefix(from, octets);
    assert_eq!(length, expected.length, "{kernels:?} {from:?} {octets:02X?}");

    let latin1 = encoded(from, &expected.points[..encodable(Form::Latin1, &expected.points)]);
    let length = match from {
        Form::Utf8 => kernels.utf8_latin1_prefix(octets),
        Form::Utf16Le => kernels.utf16le_latin1_prefix(octets),
        Form::Utf16Be => kernels.utf16be_latin1_prefix(octets),
        _ => latin1.len(),
    };
    assert_eq!(length, latin1.len(), "Latin-1: {kernels:?} {from:?} {octets:02X?}");

    let mut buffer = vec![CANARY; room + 64];
    for to in Form::ALL {
        buffer.fill(CANARY);
        let (read, written) = kernels.convert(from, to, octets, &mut buffer[..room]);
        let context = || format!("{kernels:?} {from:?} to {to:?} into {room}: {octets:02X?}");
        assert!(buffer[room..].iter().all(|octet| *octet == CANARY), "{}", context());
        let part = prefix(from, &octets[..read]);
        assert_eq!(part.length, read, "not on a boundary: {}", context());
        assert_eq!(buffer[..written], encoded(to, &part.points), "{}", context());
        let count = encodable(to, &expected.points);
        let whole = encoded(to, &expected.points[..count]).len();
        if whole <= room {
            assert_eq!(part.points.len(), count, "stopped early: {}", context());
        } else {
            let next = &expected.points[..part.points.len() + 1];
            assert!(encoded(to, next).len() > room, "stopped early: {}", context());
        }
    }
}

fn check_all(from: Form, octets: &[u8], room: usize) {
    let expected = prefix(from, octets);
    for kernels in dispatch::available() {
        check(kernels, from, octets, &expected, room);
    }
    if from == Form::Utf8 {
        check_utf8_lossy(octets, room);
    }
}

fn check_utf8_lossy(octets: &[u8], room: usize) {
    for to in Form::ALL {
        if to != Form::Latin1 {
            check_lossy(Form::Utf8, to, octets, room);
        }
    }
    let mut items = Vec::new();
    utfall_oracle::decode(name(Form::Utf8), octets, &mut items);
    let point = |item: &Item| if let Item::Point(point) = item { *point } else { 0xFFFD };
    let points: Vec<u32> = items.iter().map(point).collect();
    let length = encoded(Form::Utf16Le, &points).len();
    for kernels in dispatch::available() {
        assert_eq!(kernels.utf8_count_lossy(octets), points.len(), "{kernels:?} {octets:02X?}");
        assert_eq!(kernels.utf16_len_from_utf8_lossy(octets), length, "{kernels:?} {octets:02X?}");
    }
}

#[test]
fn every_sequence_of_up_to_two_octets_and_edges_of_longer_ones() {
    for form in [Form::Utf8, Form::Utf16Le, Form::Latin1] {
        for a in 0..=255 {
            check_all(form, &[a], 64);
            for b in 0..=255 {
                check_all(form, &[a, b], 64);
            }
        }
    }
    let edges = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF];
    for a in 0..=255 {
        for b in 0..=255 {
            for c in edges {
                check_all(Form::Utf8, &[a, b, c], 64);
                for d in edges {
                    check_all(Form::Utf8, &[a, b, c, d], 64);
                }
            }
        }
    }
}

#[test]
fn every_unit_of_utf16_and_pairs_at_the_edges() {
    let edges = [
        0, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000,
        0xFFFF_u16,
    ];
    for unit in 0..=u16::MAX {
        check_all(Form::Utf16Le, &unit.to_le_bytes(), 64);
        check_all(Form::Utf16Be, &unit.to_be_bytes(), 64);
    }
    for high in edges {
        for low in edges {
            let pair = [high, low];
            let octets: Vec<u8> = pair.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            check_all(Form::Utf16Le, &octets, 64);
            let octets: Vec<u8> = pair.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            check_all(Form::Utf16Be, &octets, 64);
        }
    }
}

#[test]
fn values_of_utf32_at_the_edges() {
    for value in [
        0,
        0x7F,
        0x80,
        0xFF,
        0x100,
        0x7FF,
        0x800,
        0xD7FF,
        0xD800,
        0xDFFF,
        0xE000,
        0xFFFF,
        0x1_0000,
        0x10_FFFF,
        0x11_0000,
        0x7FFF_FFFF,
        u32::MAX,
    ] {
        check_all(Form::Utf32Le, &value.to_le_bytes(), 64);
        check_all(Form::Utf32Be, &value.to_be_bytes(), 64);
    }
}

/// Text of every kind behind 0 to 64 ASCII characters, sound and damaged, cut short, and
/// into outputs that are too small.
#[test]
fn text_at_every_alignment() {
    let texts = [
        "x",
        "é",
        "€",
        "😀",
        "aé€😀",
        "日本語日本語",
        "ééééééééé",
        "😀😀😀😀😀",
        "abc 日本 é😀 xyz",
    ];
    for form in Form::ALL {
        for text in texts {
            for ahead in 0..=64 {
                let points: Vec<u32> = std::iter::repeat_n(0x61, ahead)
                    .chain(text.chars().map(u32::from))
                    .chain(std::iter::repeat_n(0x62, 20))
                    .collect();
                if encodable(form, &points) < points.len() {
                    continue;
                }
                let octets = encoded(form, &points);
                check_all(form, &octets, 4 * points.len());
                check_all(form, &octets, 4 * points.len() - 1);
                check_all(form, &octets, ahead + 3);
                check_all(form, &octets[..octets.len() - 1], 512);
                let mut damaged = octets.clone();
                let at = ahead * octets.len() / points.len();
                damaged[at] ^= 0xC8;
                check_all(form, &damaged, 512);
            }
        }
    }
}

#[test]
fn counts_and_lengths() {
    let text = "abc é€ 日本語 😀😀 \u{FFFF}\u{10000}\u{10FFFF} xyz".repeat(9);
    let points: Vec<u32> = text.chars().map(u32::from).collect();
    let utf16le = encoded(Form::Utf16Le, &points);
    let utf16be = encoded(Form::Utf16Be, &points);
    for kernels in dispatch::available() {
        assert_eq!(kernels.utf8_count(text.as_bytes()), points.len());
        assert_eq!(kernels.utf16le_count(&utf16le), points.len());
        assert_eq!(kernels.utf16be_count(&utf16be), points.len());
        assert_eq!(kernels.utf16_len_from_utf8(text.as_bytes()), utf16le.len());
        assert_eq!(kernels.utf8_len_from_utf16le(&utf16le), text.len());
        assert_eq!(kernels.utf8_len_from_utf16be(&utf16be), text.len());
        let latin1: Vec<u8> = (0..=255).collect();
        assert_eq!(kernels.utf8_len_from_latin1(&latin1), 128 + 2 * 128);
        for length in 0..70 {
            let mut octets = vec![b'a'; 70];
            octets[length] = 0x80;
            assert_eq!(kernels.ascii_prefix(&octets), length, "{kernels:?}");
        }
    }
}

/// UTF-16 with every mixture of units, sound or not, long enough for several blocks: lossy
/// conversions against the oracle, into outputs that suffice and that do not; and strict ones.
#[test]
fn mixtures_of_units() {
    let units = [0x61, 0x7A, 0xE9, 0x7FF, 0x800, 0x65E5, 0xFFFD, 0xD83D, 0xDE00, 0xDBFF, 0xDFFF];
    let mut random = random();
    for round in 0..3000 {
        let mut text: Vec<u16> = Vec::new();
        let length = random(150);
        // From one class only to all of them, and pairs mostly sound or not.
        let (lowest, classes) = (random(7), 1 + random(11));
        let sound = round % 3 != 0;
        while text.len() < length {
            let unit = units[(lowest + random(classes)) % units.len()];
            match unit {
                0xD800..=0xDFFF if sound => text.extend([0xD83D, 0xDE00 + random(64) as u16]),
                _ => text.push(unit),
            }
        }
        for form in [Form::Utf16Le, Form::Utf16Be] {
            let mut octets: Vec<u8> = text
                .iter()
                .flat_map(|unit| match form {
                    Form::Utf16Le => unit.to_le_bytes(),
                    _ => unit.to_be_bytes(),
                })
                .collect();
            octets.extend(std::iter::repeat_n(0x61, usize::from(random(9) == 0)));
            check_all(form, &octets, 3 * text.len());
            check_all(form, &octets, random(3 * text.len() + 1));
            for to in [Form::Utf8, form] {
                let whole = lossy(form, to, &octets, usize::MAX);
                check_lossy(form, to, &octets, whole.1.len());
                check_lossy(form, to, &octets, whole.1.len() + 70);
                check_lossy(form, to, &octets, random(whole.1.len() + 1));
            }
        }
    }
}

/// Numbers below what is asked for.
fn random() -> impl FnMut(usize) -> usize {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    move |below| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 33) as usize % below
    }
}

/// The same of UTF-32 and Latin-1; and lengths and counts of every mixture that is sound.
#[test]
fn mixtures_of_scalar_values() {
    let values = [
        0x61,
        0x7A,
        0xE9,
        0xFF,
        0x7FF,
        0x800,
        0x65E5,
        0xFFFF,
        0x1_0000,
        0x1_F600,
        0x10_FFFF,
        0xD800,
        0xDFFF,
        0x11_0000,
        0x8000_0061,
    ];
    let mut random = random();
    for _ in 0..2000 {
        let length = random(300);
        let classes = [1, 2, 4, 6, 11, 11, 11, 11, 15][random(9)];
        let lowest = random(classes);
        let text: Vec<u32> =
            (0..length).map(|_| values[(lowest + random(classes)) % classes]).collect();
        for form in [Form::Utf32Le, Form::Utf32Be] {
            let mut octets: Vec<u8> = text
                .iter()
                .flat_map(|value| match form {
                    Form::Utf32Le => value.to_le_bytes(),
                    _ => value.to_be_bytes(),
                })
                .collect();
            octets.extend(std::iter::repeat_n(0, [0, 0, 0, 1, 2, 3][random(6)]));
            check_all(form, &octets, 4 * text.len());
            check_all(form, &octets, random(4 * text.len() + 1));
        }
        if classes <= 4 {
            let octets: Vec<u8> = text.iter().map(|value| *value as u8).collect();
            check_all(Form::Latin1, &octets, 4 * text.len());
            check_all(Form::Latin1, &octets, random(4 * text.len() + 1));
        }
        if classes <= 11 {
            for kernels in dispatch::available() {
                check_lengths(kernels, &text);
            }
        }
        for form in [Form::Utf16Le, Form::Utf16Be] {
            let text: Vec<u32> =
                text.iter().copied().filter(|v| char::from_u32(*v).is_some()).collect();
            let count = text.iter().take_while(|value| **value <= 0xFF).count();
            for kernels in dispatch::available() {
                let prefix = match form {
                    Form::Utf16Le => kernels.utf16le_latin1_prefix(&encoded(form, &text)),
                    _ => kernels.utf16be_latin1_prefix(&encoded(form, &text)),
                };
                assert_eq!(prefix, 2 * count, "{kernels:?} {text:X?}");
            }
        }
    }
    // Counters wrap, if they do, after many blocks.
    for point in [0x61, 0xE9, 0x65E5, 0x1_F600] {
        for kernels in dispatch::available() {
            check_lengths(kernels, &vec![point; 1 << 20]);
        }
    }
}

/// Every length and count of sound text that is not in UTF-8.
fn check_lengths(kernels: &Kernels, points: &[u32]) {
    let utf8 = encoded(Form::Utf8, points).len();
    let [le16, be16, le32, be32] =
        [Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be].map(|f| encoded(f, points));
    assert_eq!(kernels.utf16le_count(&le16), points.len(), "{kernels:?}");
    assert_eq!(kernels.utf16be_count(&be16), points.len(), "{kernels:?}");
    assert_eq!(kernels.utf8_len_from_utf16le(&le16), utf8, "{kernels:?}");
    assert_eq!(kernels.utf8_len_from_utf16be(&be16), utf8, "{kernels:?}");
    assert_eq!(kernels.utf8_len_from_utf32le(&le32), utf8, "{kernels:?}");
    assert_eq!(kernels.utf8_len_from_utf32be(&be32), utf8, "{kernels:?}");
    assert_eq!(kernels.utf16_len_from_utf32le(&le32), le16.len(), "{kernels:?}");
    assert_eq!(kernels.utf16_len_from_utf32be(&be32), le16.len(), "{kernels:?}");
    if encodable(Form::Latin1, points) == points.len() {
        let latin1 = encoded(Form::Latin1, points);
        assert_eq!(kernels.utf8_len_from_latin1(&latin1), utf8, "{kernels:?}");
    }
}

/// What the lossy conversion into `room` octets reads, writes and replaces.
fn lossy(from: Form, to: Form, octets: &[u8], room: usize) -> (usize, Vec<u8>, usize) {
    let mut items = Vec::new();
    utfall_oracle::decode(name(from), octets, &mut items);
    let (mut read, mut written, mut replaced) = (0, Vec::new(), 0);
    for item in items {
        let (next, length, ill) = match item {
            Item::Point(point) => (encoded(to, &[point]), encoded(from, &[point]).len(), 0),
            Item::Ill { offset, .. } if is_truncated(from, &octets[offset..]) => break,
            Item::Ill { length, .. } => (encoded(to, &[0xFFFD]), length, 1),
        };
        if written.len() + next.len() > room {
            break;
        }
        written.extend(next);
        read += length;
        replaced += ill;
    }
    (read, written, replaced)
}

/// Whether text ends inside of what begins here.
fn is_truncated(form: Form, octets: &[u8]) -> bool {
    if form == Form::Utf8 {
        return std::str::from_utf8(octets).is_err_and(|error| error.error_len().is_none());
    }
    let high = octets.get(usize::from(form == Form::Utf16Le));
    octets.len() < 2 || octets.len() < 4 && high.is_some_and(|octet| octet & 0xFC == 0xD8)
}

fn check_lossy(from: Form, to: Form, octets: &[u8], room: usize) {
    let expected = lossy(from, to, octets, room);
    for kernels in dispatch::available() {
        let mut buffer = vec![CANARY; room + 64];
        let done = kernels.convert_lossy(from, to, octets, &mut buffer[..room]).unwrap();
        let context = || format!("{kernels:?} {from:?} to {to:?} into {room}: {octets:02X?}");
        assert!(buffer[room..].iter().all(|octet| *octet == CANARY), "{}", context());
        buffer.truncate(done.written);
        assert_eq!((done.read, buffer, done.replaced), expected, "{}", context());
    }
}

/// The block of ASCII was converted without a look at what it begins with, and the first half
/// of a pair before it was kept.
#[test]
fn a_high_surrogate_before_a_block_of_ascii() {
    for ahead in 0..=130 {
        for behind in [1, 64, 200] {
            let units = [vec![0x61; ahead], vec![0xD800], vec![0x62; behind]].concat();
            let octets: Vec<u8> = units.iter().flat_map(|unit: &u16| unit.to_le_bytes()).collect();
            check_all(Form::Utf16Le, &octets, 2 * octets.len());
        }
    }
}

#[test]
fn a_table_can_be_named() {
    for kernels in dispatch::available() {
        assert_eq!(dispatch::by_name(kernels.name()).unwrap().name(), kernels.name());
    }
    assert_eq!(dispatch::scalar().name(), "scalar");
    assert!(dispatch::by_name("").is_none());
}

/// A small generator of numbers, the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % limit
    }

    /// Runs of code points of one size, of several lengths.
    fn text(&mut self, length: usize) -> Vec<u32> {
        let mut points = Vec::new();
        while points.len() < length {
            let (first, count) = [
                (0, 0x80),
                (0x80, 0x80),
                (0x80, 0x780),
                (0x800, 0xD000),
                (0xE000, 0x2000),
                (0x1_0000, 0x10_0000),
            ][self.below(6)];
            let longest = [1, 4, 40, 200][self.below(4)];
            for _ in 0..=self.below(longest) {
                points.push((first + self.below(count)) as u32);
            }
        }
        points.truncate(length);
        points
    }
}

/// Longer text of mixed kinds, sound, then with some octets changed, with room enough and
/// without.
#[test]
fn mixed_text() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..4000 {
        let length = random.below(400);
        let mut points = random.text(length);
        if round % 4 == 0 {
            points.iter_mut().for_each(|point| *point &= 0xFF);
        }
        for form in Form::ALL {
            let mut octets = encoded(form, &points[..encodable(form, &points)]);
            let damage = [0, 1, 2, 20][random.below(4)];
            for _ in 0..damage {
                let at = random.below(octets.len() + 1);
                if let Some(octet) = octets.get_mut(at) {
                    *octet =
                        [0, 0x41, 0x80, 0xBF, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xFF][random.below(10)];
                }
            }
            let room = random.below(4 * length + 20) + [0, 4 * length][random.below(2)];
            check_all(form, &octets, room);
        }
    }
}
