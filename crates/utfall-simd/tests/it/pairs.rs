//! Charsets of pairs: every kernel against a loop.

use utfall_oracle::{rounds, step};
use utfall_simd::pairs::{Cells, HOLE};
use utfall_simd::{Kernels, Layout, dispatch};

use crate::support::{Output, Random};

const FORMS: [Layout; 3] = [Layout::Utf8, Layout::Utf16Le, Layout::Utf16Be];

/// A table of made-up characters of two and three bytes of UTF-8, with holes and other surrogates.
pub(crate) struct Table {
    cells: Vec<u16>,
    width: u8,
    trail_mask: u8,
    trail_bits: u8,
}

impl Table {
    /// The shape of the tables of Shift_JIS, GBK, Big5 and EUC-KR.
    pub(crate) fn wide(hole_each: usize) -> Self {
        Self::new(0xC0, 0xFF, 0xC0, hole_each)
    }

    /// The shape of the table of EUC-JP.
    pub(crate) fn narrow(hole_each: usize) -> Self {
        Self::new(0x80, 0x7F, 0x80, hole_each)
    }

    fn new(width: u8, trail_mask: u8, trail_bits: u8, hole_each: usize) -> Self {
        let pairs = 0x7F * usize::from(width) + usize::from(trail_mask) + 1;
        let unit = |at: usize| match at % hole_each {
            0 => HOLE + (at % 0x800) as u16,
            _ if at % 64 < 8 => 0x80 + (at % 0x780) as u16,
            _ => 0x800 + (at % 0xD000) as u16,
        };
        let mut cells: Vec<u16> = (0..pairs - 1).map(unit).collect();
        cells.push(HOLE);
        cells.extend(0..0x80);
        Self { cells, width, trail_mask, trail_bits }
    }

    fn cells(&self) -> Cells<'_> {
        Cells::new(&self.cells, self.width, self.trail_mask, self.trail_bits)
    }

    /// The code unit at the start of a text, and its length in bytes.
    fn first(&self, src: &[u8]) -> Option<(u16, usize)> {
        match *src {
            [byte @ ..0x80, ..] => Some((u16::from(byte), 1)),
            [lead, trail, ..] if trail & self.trail_bits != 0 => {
                let row = usize::from(lead & 0x7F) * usize::from(self.width);
                let unit = self.cells[row + usize::from(trail & self.trail_mask)];
                (unit & 0xF800 != HOLE).then_some((unit, 2))
            }
            _ => None,
        }
    }

    /// By a loop: the bytes read and written.
    fn by_loop(&self, to: Layout, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let Some((unit, length)) = self.first(&src[read..]) {
            let mut bytes = [0; 4];
            let bytes = match to {
                Layout::Utf8 => {
                    char::from_u32(unit.into()).unwrap().encode_utf8(&mut bytes).as_bytes()
                }
                Layout::Utf16Le => &unit.to_le_bytes(),
                _ => &unit.to_be_bytes(),
            };
            let Some(room) = dst[written..].get_mut(..bytes.len()) else { break };
            room.copy_from_slice(bytes);
            read += length;
            written += bytes.len();
        }
        (read, written)
    }

    /// By the kernel of a table, or by the loop if it has none.
    pub(crate) fn decode(
        &self,
        kernels: &Kernels,
        to: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        match kernels.from_pairs(to) {
            Some(kernel) => kernel(&self.cells(), src, dst),
            None => self.by_loop(to, src, dst),
        }
    }

    /// US-ASCII, pairs and damage.
    pub(crate) fn text(&self, length: usize, random: &mut Random) -> Vec<u8> {
        let (longest, bad) = (random.one_of(&[1, 3, 300]), random.one_of(&[1, 100, 10_000]));
        let mut text = Vec::new();
        while text.len() < length {
            let is_ascii = random.below(2) == 0;
            for _ in 0..random.below(longest) + 1 {
                match is_ascii {
                    _ if random.below(bad) == 0 => text.push(random.below(0x100) as u8),
                    true => text.push(random.below(0x80) as u8),
                    false => {
                        let pair = [0x80 | random.below(0x80) as u8, random.below(0x100) as u8];
                        text.extend_from_slice(self.first(&pair).map_or(b"", |_| &pair));
                    }
                }
            }
        }
        text.truncate(length);
        text
    }

    #[track_caller]
    fn compare(&self, text: &[u8], room: usize, output: &mut Output, shift: usize) {
        for to in FORMS {
            let mut expected = vec![0; room];
            let done = self.by_loop(to, text, &mut expected);
            for kernels in dispatch::available() {
                let got = self.decode(kernels, to, text, output.room(room, shift));
                assert_eq!(got, done, "{kernels:?} to {to:?} for {text:02X?}");
                assert_eq!(output.written(got.1), &expected[..got.1], "{kernels:?} {text:02X?}");
                assert!(output.is_untouched());
            }
        }
    }
}

#[test]
fn texts_are_decoded_into_every_room() {
    let mut random = Random(0x5EED);
    let mut output = Output::new(20_000);
    for hole_each in [7, 5000] {
        for table in [Table::wide(hole_each), Table::narrow(hole_each)] {
            for _ in 0..rounds(100_000, 100) {
                let longest = random.one_of(&[8, 80, 400, 5000]);
                let length = random.below(longest);
                let text = table.text(length, &mut random);
                let most = 3 * text.len();
                let less = random.below(most + 1);
                let room = random.one_of(&[most, most, less]);
                table.compare(&text, room, &mut output, random.below(64));
            }
        }
    }
}

/// Every pair of bytes, where blocks begin and end.
#[test]
fn every_pair_is_decoded_everywhere() {
    let mut output = Output::new(2000);
    for table in [Table::wide(7), Table::narrow(7)] {
        for lead in 0x80..=0xFF_u8 {
            for trail in (0..=0xFF_u8).step_by(step(5)) {
                for (before, after) in [(0, 0), (0, 80), (62, 0), (63, 1), (64, 70), (127, 200)] {
                    let mut text = vec![b'a'; before];
                    text.extend([lead, trail]);
                    text.resize(text.len() + after, b'b');
                    table.compare(&text, 3 * text.len(), &mut output, usize::from(trail));
                }
            }
        }
    }
}

/// Codes of one and two bytes, and zeros between them.
pub(crate) fn codes(length: usize, random: &mut Random) -> Vec<u16> {
    let (longest, zero) = (random.one_of(&[1, 3, 50, 300]), random.one_of(&[5, 100, 10_000]));
    let mut codes = Vec::new();
    while codes.len() < length {
        let most = random.one_of(&[0x80, 0x100, 0x1_0000]);
        for _ in 0..random.below(longest) + 1 {
            let is_zero = random.below(zero) == 0;
            codes.push(if is_zero { 0 } else { random.below(most) as u16 });
        }
    }
    codes.truncate(length);
    codes
}

/// Codes by a loop.
fn write_codes_by_loop(codes: &[u16], dst: &mut [u8]) -> (usize, usize) {
    let mut written = 0;
    for (read, code) in codes.iter().enumerate() {
        let bytes = code.to_be_bytes();
        let bytes = if *code < 0x100 { &bytes[1..] } else { &bytes[..] };
        match dst[written..].get_mut(..bytes.len()) {
            Some(room) if *code != 0 => room.copy_from_slice(bytes),
            _ => return (read, written),
        }
        written += bytes.len();
    }
    (codes.len(), written)
}

/// Codes by the kernel of a table, or by the loop if it has none.
pub(crate) fn write_codes(kernels: &Kernels, codes: &[u16], dst: &mut [u8]) -> (usize, usize) {
    kernels.from_codes().unwrap_or(write_codes_by_loop)(codes, dst)
}

#[test]
fn codes_are_written_into_every_room() {
    let mut random = Random(0xC0DE);
    let mut output = Output::new(2000);
    for _ in 0..rounds(200_000, 100) {
        let longest = random.one_of(&[8, 40, 400]);
        let length = random.below(longest);
        let codes = codes(length, &mut random);
        let most = 2 * codes.len();
        let less = random.below(most + 1);
        let room = random.one_of(&[most, most + 70, less]);
        let mut expected = vec![0; room];
        let done = write_codes_by_loop(&codes, &mut expected);
        for kernels in dispatch::available() {
            let shift = random.below(64);
            let got = write_codes(kernels, &codes, output.room(room, shift));
            assert_eq!(got, done, "{kernels:?} {codes:X?} into {room}");
            assert_eq!(output.written(got.1), &expected[..got.1], "{kernels:?} {codes:X?}");
            assert!(output.is_untouched());
        }
    }
}

#[test]
#[should_panic(expected = "assertion failed")]
fn a_table_without_a_hole_at_the_end_is_rejected() {
    let mut cells = Table::wide(7).cells;
    let last = cells.len() - 0x81;
    cells[last] = 0x4E00;
    let _ = Cells::new(&cells, 0xC0, 0xFF, 0xC0);
}
