//! Every table of this machine against the oracle, under the contract of `kernels.rs`: conversions
//! are correct, end on a boundary, go as far as possible, and write nothing outside the output.

use crate::support::text::{Text, encodable, encoded, width};
use crate::support::{Output, Random};
use utfall_oracle::{rounds, step};
use utfall_simd::{Kernels, Layout, Lossy, dispatch};

impl Text<'_> {
    /// Compares all tables with the expected conversion of this many code points, including the
    /// number of replacements.
    fn check(
        &self,
        to: Layout,
        count: usize,
        room: usize,
        run: impl Fn(&Kernels, &mut [u8]) -> Lossy,
    ) {
        let (expected, lossy) = self.expected(to, count);
        let mut output = Output::new(room);
        for kernels in dispatch::available() {
            let done = run(kernels, output.room(room, 0));
            let right = done == lossy && output.written(done.written) == expected;
            assert!(
                right && output.is_untouched(),
                "{kernels:?} {:?} to {to:?} into {room}: {done:?} and not {lossy:?} for {:02X?}",
                self.form,
                self.bytes
            );
        }
    }

    /// Checks a strict conversion.
    fn check_strict(&self, to: Layout, room: usize) {
        self.check(to, self.fitting(to, self.sound(), room), room, |kernels, dst| {
            let (read, written) = kernels.convert(self.form, to, self.bytes, dst);
            Lossy { read, written, replaced: 0 }
        });
    }

    /// Checks a lossy conversion.
    fn check_lossy(&self, to: Layout, room: usize) {
        let count = self.points.len() - usize::from(self.is_truncated);
        self.check(to, self.fitting(to, count, room), room, |kernels, dst| {
            kernels.convert_lossy(self.form, to, self.bytes, dst).unwrap()
        });
    }

    /// Checks prefixes, and lengths of lossy conversions.
    fn check_lengths(&self) {
        let sound = &self.points[..self.sound()];
        let latin1 = self.end(encodable(Layout::Latin1, sound));
        let sum = |form| self.points.iter().map(|point| width(form, *point)).sum();
        for kernels in dispatch::available() {
            let bytes = self.bytes;
            let same = |name: &str, got: usize, expected: usize| {
                assert_eq!(got, expected, "{kernels:?} {:?} {name}: {bytes:02X?}", self.form);
            };
            same("prefix", kernels.prefix(self.form, bytes), self.end(sound.len()));
            match self.form {
                Layout::Utf8 => {
                    same("in Latin-1", kernels.utf8_latin1_prefix(bytes), latin1);
                    same("count", kernels.utf8_count_lossy(bytes), self.points.len());
                    let utf16 = kernels.utf16_len_from_utf8_lossy(bytes);
                    same("in UTF-16", utf16, sum(Layout::Utf16Le));
                }
                Layout::Utf16Le => same("in Latin-1", kernels.utf16le_latin1_prefix(bytes), latin1),
                Layout::Utf16Be => same("in Latin-1", kernels.utf16be_latin1_prefix(bytes), latin1),
                _ => {}
            }
        }
    }
}

/// One input through all tables, into every form, with `room` bytes of space.
fn check_all(from: Layout, bytes: &[u8], room: usize) {
    let text = Text::new(from, bytes);
    text.check_lengths();
    for to in Layout::ALL {
        text.check_strict(to, room);
        if from == Layout::Utf8 && to != Layout::Latin1 {
            text.check_lossy(to, room);
        }
    }
}

#[test]
fn every_sequence_of_up_to_two_bytes() {
    for form in [Layout::Utf8, Layout::Utf16Le, Layout::Latin1] {
        for a in (0..=255).step_by(step(1)) {
            check_all(form, &[a], 64);
        }
        for pair in (0..=u16::MAX).step_by(step(1)) {
            check_all(form, &pair.to_be_bytes(), 64);
        }
    }
}

#[test]
fn edges_after_leads_of_two_and_three_bytes() {
    edges_after_two_bytes(&(0xC2..=0xEF).collect::<Vec<_>>());
}

#[test]
fn edges_after_other_bytes() {
    // Most ASCII bytes behave alike.
    let others = (0x80..=0xC1).chain(0xF0..=0xFF).chain([0x00, 0x7F]);
    edges_after_two_bytes(&others.collect::<Vec<_>>());
}

fn edges_after_two_bytes(first: &[u8]) {
    let edges = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF];
    // Of four bytes, and of three: one index means no fourth. In steps of a prime, so that the
    // values at each position alternate.
    let count = first.len() * 256 * edges.len() * (edges.len() + 1);
    for number in (0..count).step_by(step(97)) {
        let (rest, fourth) = (number / (edges.len() + 1), number % (edges.len() + 1));
        let (rest, third) = (rest / edges.len(), rest % edges.len());
        let bytes = [first[rest / 256], (rest % 256) as u8, edges[third]];
        match edges.get(fourth) {
            None => check_all(Layout::Utf8, &bytes, 64),
            Some(fourth) => check_all(Layout::Utf8, &[&bytes[..], &[*fourth]].concat(), 64),
        }
    }
}

#[test]
fn every_unit_of_utf16_and_pairs_at_the_edges() {
    let edges = [
        0, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000,
        0xFFFF_u16,
    ];
    for unit in (0..=u16::MAX).step_by(step(1)) {
        check_all(Layout::Utf16Le, &unit.to_le_bytes(), 64);
        check_all(Layout::Utf16Be, &unit.to_be_bytes(), 64);
    }
    for high in edges {
        for low in edges.into_iter().step_by(step(1)) {
            let pair = [high, low];
            let bytes: Vec<u8> = pair.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            check_all(Layout::Utf16Le, &bytes, 64);
            let bytes: Vec<u8> = pair.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            check_all(Layout::Utf16Be, &bytes, 64);
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
        check_all(Layout::Utf32Le, &value.to_le_bytes(), 64);
        check_all(Layout::Utf32Be, &value.to_be_bytes(), 64);
    }
}

/// Text of every kind after 0 to 64 ASCII characters, well-formed and damaged, cut off, and into
/// outputs that are too small.
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
    for form in Layout::ALL {
        for text in texts {
            for ahead in (0..=64).step_by(step(1)) {
                let points: Vec<u32> = std::iter::repeat_n(0x61, ahead)
                    .chain(text.chars().map(u32::from))
                    .chain(std::iter::repeat_n(0x62, 20))
                    .collect();
                if encodable(form, &points) < points.len() {
                    continue;
                }
                let bytes = encoded(form, &points);
                check_all(form, &bytes, 4 * points.len());
                check_all(form, &bytes, 4 * points.len() - 1);
                check_all(form, &bytes, ahead + 3);
                check_all(form, &bytes[..bytes.len() - 1], 512);
                let mut damaged = bytes.clone();
                let at = ahead * bytes.len() / points.len();
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
    let utf16le = encoded(Layout::Utf16Le, &points);
    let utf16be = encoded(Layout::Utf16Be, &points);
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
            let mut bytes = vec![b'a'; 70];
            bytes[length] = 0x80;
            assert_eq!(kernels.ascii_prefix(&bytes), length, "{kernels:?}");
        }
    }
}

/// UTF-16 with every mixture of units, well-formed or not, long enough for several blocks: lossy
/// conversions against the oracle, into outputs that are large enough and too small; and strict
/// ones.
#[test]
fn mixtures_of_units() {
    let units = [0x61, 0x7A, 0xE9, 0x7FF, 0x800, 0x65E5, 0xFFFD, 0xD83D, 0xDE00, 0xDBFF, 0xDFFF];
    let mut random = random();
    for round in 0..rounds(3000, 8) {
        let mut text: Vec<u16> = Vec::new();
        let length = random(150);
        // From one class only to all of them, with pairs mostly well-formed or not.
        let (lowest, classes) = (random(7), 1 + random(11));
        let sound = round % 3 != 0;
        while text.len() < length {
            let unit = units[(lowest + random(classes)) % units.len()];
            match unit {
                0xD800..=0xDFFF if sound => text.extend([0xD83D, 0xDE00 + random(64) as u16]),
                _ => text.push(unit),
            }
        }
        for form in [Layout::Utf16Le, Layout::Utf16Be] {
            let mut bytes: Vec<u8> = text
                .iter()
                .flat_map(|unit| match form {
                    Layout::Utf16Le => unit.to_le_bytes(),
                    _ => unit.to_be_bytes(),
                })
                .collect();
            bytes.extend(std::iter::repeat_n(0x61, usize::from(random(9) == 0)));
            check_all(form, &bytes, 3 * text.len());
            check_all(form, &bytes, random(3 * text.len() + 1));
            let text = Text::new(form, &bytes);
            for to in [Layout::Utf8, form] {
                let whole = text.points.iter().map(|point| width(to, *point)).sum();
                text.check_lossy(to, whole);
                text.check_lossy(to, whole + 70);
                text.check_lossy(to, random(whole + 1));
            }
        }
    }
}

/// Random numbers below the argument.
fn random() -> impl FnMut(usize) -> usize {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    move |below| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 33) as usize % below
    }
}

/// The same for UTF-32 and Latin-1; and lengths and counts of every well-formed mixture.
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
    for _ in 0..rounds(2000, 8) {
        let length = random(300);
        let classes = [1, 2, 4, 6, 11, 11, 11, 11, 15][random(9)];
        let lowest = random(classes);
        let text: Vec<u32> =
            (0..length).map(|_| values[(lowest + random(classes)) % classes]).collect();
        for form in [Layout::Utf32Le, Layout::Utf32Be] {
            let mut bytes: Vec<u8> = text
                .iter()
                .flat_map(|value| match form {
                    Layout::Utf32Le => value.to_le_bytes(),
                    _ => value.to_be_bytes(),
                })
                .collect();
            bytes.extend(std::iter::repeat_n(0, [0, 0, 0, 1, 2, 3][random(6)]));
            check_all(form, &bytes, 4 * text.len());
            check_all(form, &bytes, random(4 * text.len() + 1));
        }
        if classes <= 4 {
            let bytes: Vec<u8> = text.iter().map(|value| *value as u8).collect();
            check_all(Layout::Latin1, &bytes, 4 * text.len());
            check_all(Layout::Latin1, &bytes, random(4 * text.len() + 1));
        }
        if classes <= 11 {
            for kernels in dispatch::available() {
                check_lengths(kernels, &text);
            }
        }
        for form in [Layout::Utf16Le, Layout::Utf16Be] {
            let text: Vec<u32> =
                text.iter().copied().filter(|v| char::from_u32(*v).is_some()).collect();
            let count = text.iter().take_while(|value| **value <= 0xFF).count();
            for kernels in dispatch::available() {
                let prefix = match form {
                    Layout::Utf16Le => kernels.utf16le_latin1_prefix(&encoded(form, &text)),
                    _ => kernels.utf16be_latin1_prefix(&encoded(form, &text)),
                };
                assert_eq!(prefix, 2 * count, "{kernels:?} {text:X?}");
            }
        }
    }
    // If counters overflow, they do so after many blocks.
    for point in [0x61, 0xE9, 0x65E5, 0x1_F600] {
        for kernels in dispatch::available() {
            check_lengths(kernels, &vec![point; (1 << 20) / step(1)]);
        }
    }
}

/// Every length and count of well-formed text that is not in UTF-8.
fn check_lengths(kernels: &Kernels, points: &[u32]) {
    let utf8 = encoded(Layout::Utf8, points).len();
    let [le16, be16, le32, be32] =
        [Layout::Utf16Le, Layout::Utf16Be, Layout::Utf32Le, Layout::Utf32Be]
            .map(|f| encoded(f, points));
    assert_eq!(kernels.utf16le_count(&le16), points.len(), "{kernels:?}");
    assert_eq!(kernels.utf16be_count(&be16), points.len(), "{kernels:?}");
    assert_eq!(kernels.utf8_len_from_utf16le(&le16), utf8, "{kernels:?}");
    assert_eq!(kernels.utf8_len_from_utf16be(&be16), utf8, "{kernels:?}");
    assert_eq!(kernels.utf8_len_from_utf32le(&le32), utf8, "{kernels:?}");
    assert_eq!(kernels.utf8_len_from_utf32be(&be32), utf8, "{kernels:?}");
    assert_eq!(kernels.utf16_len_from_utf32le(&le32), le16.len(), "{kernels:?}");
    assert_eq!(kernels.utf16_len_from_utf32be(&be32), le16.len(), "{kernels:?}");
    if encodable(Layout::Latin1, points) == points.len() {
        let latin1 = encoded(Layout::Latin1, points);
        assert_eq!(kernels.utf8_len_from_latin1(&latin1), utf8, "{kernels:?}");
    }
}

/// Regression: the block of ASCII was converted without a check of the unit before it, and the
/// first half of a pair before it was kept.
#[test]
fn a_high_surrogate_before_a_block_of_ascii() {
    for ahead in (0..=130).step_by(step(1)) {
        for after in [1, 64, 200] {
            let units = [vec![0x61; ahead], vec![0xD800], vec![0x62; after]].concat();
            let bytes: Vec<u8> = units.iter().flat_map(|unit: &u16| unit.to_le_bytes()).collect();
            check_all(Layout::Utf16Le, &bytes, 2 * bytes.len());
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

/// Where the build decides, it must have the table to be tested.
#[test]
fn the_table_of_the_build_is_there() {
    let best = dispatch::available().next().unwrap().name();
    if cfg!(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")) {
        assert_eq!(best, "neon");
    }
    if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
        assert_eq!(best, "simd128");
    }
    if cfg!(target_arch = "x86_64") {
        if cfg!(all(target_feature = "avx512vbmi2", target_feature = "gfni")) {
            assert_eq!(best, "avx512");
        } else if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) {
            assert!(["avx512", "avx2"].contains(&best));
        }
    }
    // Visible with `--nocapture`: the tables that all tests ran with.
    println!("tables: {}", dispatch::available().map(Kernels::name).collect::<Vec<_>>().join(", "));
}

/// Longer text of mixed kinds, well-formed, then with some bytes changed, with and without enough
/// space.
#[test]
fn mixed_text() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..rounds(4000, 8) {
        let length = random.below(400);
        let mut points = random.text(length);
        if round % 4 == 0 {
            points.iter_mut().for_each(|point| *point &= 0xFF);
        }
        for form in Layout::ALL {
            let mut bytes = encoded(form, &points[..encodable(form, &points)]);
            let damage = [0, 1, 2, 20][random.below(4)];
            for _ in 0..damage {
                let at = random.below(bytes.len() + 1);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte =
                        [0, 0x41, 0x80, 0xBF, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xFF][random.below(10)];
                }
            }
            let room = random.below(4 * length + 20) + [0, 4 * length][random.below(2)];
            check_all(form, &bytes, room);
        }
    }
}

/// Letters beside those of another script.
#[test]
fn remarkable_neighbours() {
    for kernels in dispatch::available() {
        for before in (0..70).step_by(step(1)) {
            for (word, is_found) in [
                ("p\u{430}", true),
                ("\u{430}p", true),
                ("\u{3BF}o", true),
                ("o\u{3BF}", true),
                ("Z\u{52F}", true),
                ("a\u{585}", true),
                ("\u{585}z", true),
                ("\u{430} p", false),
                ("p \u{430}", false),
                ("4\u{430}5", false),
                ("caf\u{E9}s", false),
                ("z\u{142}oty", false),
                ("ph\u{1B0}\u{1A1}ng", false),
                ("a\u{301}a", false),
                ("a\u{5D5}", true),
                ("\u{5D5}a", true),
                ("p\u{251}", true),
                ("\u{261}o", true),
                ("\u{1C0}a", false),
                ("a\u{13AA}", true),
                ("\u{13AA}a", true),
                ("a\u{AB81}", true),
                ("\u{1D04}a", true),
                ("a\u{2C9F}", true),
                ("\u{2C9F}a", true),
                ("a\u{2113}", true),
                ("\u{217C}a", true),
                ("\u{2D54}a", true),
                ("a\u{A4E0}", true),
                ("\u{A731}a", true),
                ("a\u{FF11}", true),
                ("\u{FF41}a", true),
                ("\u{1D41A}", true),
                ("a\u{10415}a", false),
                ("\u{1D100}", false),
                ("xn--", true),
                ("Xna", true),
                ("xN", true),
                ("x-n", false),
                ("nx", false),
                ("\u{13AA} a", false),
                ("a \u{13AA}", false),
                ("4\u{2C9F}4", false),
                ("\u{FF41}\u{FF42} \u{FF11}", false),
                ("\u{251}\u{261}", false),
                ("az\u{259}rbaycan", false),
                ("it\u{2019}s", false),
                ("vi\u{1EC7}t", false),
                ("\u{20AC} \u{1F600}a", false),
                ("a\u{627}a", false),
                ("a\u{4E00}a", false),
            ] {
                let text = [".".repeat(before).as_str(), word, &".".repeat(70)].concat();
                let length = if is_found { before } else { text.len() };
                let found = kernels.utf8_unremarkable_prefix(text.as_bytes());
                assert_eq!(found, length, "{}: {text:?}", kernels.name());
            }
        }
    }
}

/// Each class that a linter looks at, and its neighbours, at each offset of a block and at the
/// end.
#[test]
fn remarkable_bytes() {
    let sequences: [&[u8]; 60] = [
        b"\x00",
        b"\x08",
        b"\x0B",
        b"\r",
        b"\x1F",
        b"\x7F",
        b"\xC2\x80",
        b"\xC2\x9F",
        b"\xC3\xA9\xC2\xA0",
        b"\xC3\x83\xE2\x82\xAC",
        b"\xC3\xA9\xC5\x92",
        b"\xD8\x9C",
        b"\xE2\x80\x8E",
        b"\xE2\x80\x8F",
        b"\xE2\x80\xA9",
        b"\xE2\x80\xAE",
        b"\xE2\x81\xA6",
        b"\xE2\x81\xA9",
        b"\xEF\xB7\x90",
        b"\xEF\xBB\xBF",
        b"\xEF\xBF\xBD",
        b"\xF0\x9F\xBF\xBE",
        b"\xF4\x8F\xBF\xBF",
        b"\xC2\xAD",
        b"\xCD\x8F",
        b"\xE1\x85\x9F",
        b"\xE1\x85\xA0",
        b"\xE1\x9E\xB4",
        b"\xE1\x9E\xB5",
        b"\xE1\xA0\x8B",
        b"\xE1\xA0\x8F",
        b"\xE2\x80\x8B",
        b"\xE2\x81\xA0",
        b"\xE2\x81\xAF",
        b"\xE2\xA0\x80",
        b"\xE3\x85\xA4",
        b"\xEF\xB8\x80",
        b"\xEF\xB8\x8F",
        b"\xEF\xBE\xA0",
        b"\xEF\xBF\xB0",
        b"\xF0\x9B\xB2\xA0",
        b"\xF0\x9D\x85\xB3",
        b"\xF3\xA0\x80\x81",
        b"\xF3\xA0\x87\xAF",
        // Ordinary.
        b"\t",
        b"\n",
        b"\x0C",
        b"!",
        b"\xC2\xA0",
        b"\xC3\xA9",
        b"\xD8\x9D",
        b"\xE2\x80\x99",
        b"\xE2\x80\xA6",
        b"\xEF\xBC\x8C",
        b"\xF0\x9F\x98\x80",
        b"\xC2\xAB",
        b"\xCC\x81",
        b"\xE1\x9E\x80",
        b"\xE2\x80\xAF",
        b"\xE3\x83\xA4",
    ];
    for kernels in dispatch::available() {
        for (number, sequence) in sequences.iter().enumerate() {
            for filler in [&b"4"[..], "\u{434} ".as_bytes()] {
                for before in (0..70).step_by(step(1)) {
                    for after in [0, 1, 2, 70] {
                        let text =
                            [&filler.repeat(before), *sequence, &filler.repeat(after)].concat();
                        let is_found = number < 44;
                        let length = if is_found { before * filler.len() } else { text.len() };
                        let found = kernels.utf8_unremarkable_prefix(&text);
                        assert_eq!(found, length, "{}: {text:02X?}", kernels.name());
                    }
                }
            }
        }
    }
}
