//! One sequence at a given offset of a text, through the strict kernels.

use utfall_simd::{Kernels, Layout};

use super::plain::{Item, Items, encoded};

/// Bytes of a block, or of half a block: offsets are counted from 0 to this.
pub(crate) const BLOCK: usize = 64;
/// The number of positions, in blocks before the one with the sequence. Kernels may treat the
/// first block specially, and process two at a time from then on.
pub(crate) const DEPTHS: usize = 3;
/// The characters around a sequence: text of one class, since kernels choose by class.
pub(crate) const FILLERS: [u32; 4] = [0x61, 0xE9, 0x65E5, 0x1_F600];
/// Number of these that are in Latin-1.
const LATIN1_FILLERS: usize = 2;
/// Bytes that follow: more than two blocks.
const BEHIND: usize = 2 * BLOCK + 16;

/// The position of a sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Bytes before it.
    pub(crate) ahead: usize,
    /// Index of [`FILLERS`].
    pub(crate) filler: usize,
    /// Whether all the output before it is compared, or only the end of that.
    is_whole: bool,
}

/// A text with a hole of four bytes.
struct Text {
    src: Vec<u8>,
    /// The offset of the hole.
    hole: usize,
    /// By form.
    sides: Vec<Sides>,
}

/// The text around the hole, in another form.
struct Sides {
    before: Vec<u8>,
    after: Vec<u8>,
    /// Lengths in this form of the last bytes of the text before the hole, by their number.
    lengths: Vec<usize>,
}

impl Text {
    /// Fillers, letters, the hole, fillers.
    fn new(form: Layout, filler: u32, letters: usize) -> Self {
        let of = |form, point, count| match encoded(form, point) {
            Some((bytes, length)) => bytes[..length].repeat(count),
            None => Vec::new(),
        };
        let (letter, length) = (of(form, 0x61, 1).len(), of(form, filler, 1).len());
        let counts = [DEPTHS * BLOCK / length + 1, BEHIND.div_ceil(length)];
        let sides = |to| Sides {
            before: [of(to, filler, counts[0]), of(to, 0x61, letters)].concat(),
            after: of(to, filler, counts[1]),
            lengths: (0..DEPTHS * BLOCK)
                .map(|ahead| {
                    let fillers = ahead.saturating_sub(letters * letter) / length;
                    of(to, filler, fillers).len() + of(to, 0x61, letters).len()
                })
                .collect(),
        };
        let Sides { before, after, .. } = sides(form);
        Self {
            hole: before.len(),
            src: [before, vec![0; 4], after].concat(),
            sides: Layout::ALL.map(sides).into(),
        }
    }

    /// The conversion of `ahead` bytes before the hole, and of everything after it.
    fn sides(&self, to: Layout, ahead: usize) -> [&[u8]; 2] {
        let Sides { before, after, lengths } = &self.sides[to as usize];
        [&before[before.len() - lengths[ahead]..], after]
    }
}

/// The texts with one filler, which differ in the number of letters before the hole.
struct Texts {
    texts: Vec<Text>,
    /// For each number of bytes before the hole, the text that has whole fillers there.
    which: Vec<usize>,
}

impl Texts {
    fn new(form: Layout, filler: u32) -> Self {
        let bytes = |point| encoded(form, point).map_or(0, |(_, length)| length);
        let (letter, length) = (bytes(0x61), bytes(filler));
        let count = length / letter;
        Self {
            texts: (0..count).map(|letters| Text::new(form, filler, letters)).collect(),
            which: (0..DEPTHS * BLOCK).map(|ahead| ahead / letter % count).collect(),
        }
    }
}

/// A measure of well-formed text: the length of its conversion to a form, in units of this many
/// bytes.
pub(crate) type Measure = (fn(&Kernels, &[u8]) -> usize, Layout, usize);

/// The texts of a form, and a buffer for output.
pub(crate) struct Window {
    form: Layout,
    /// False for the scalar table.
    has_blocks: bool,
    /// For each filler.
    texts: Vec<Texts>,
    measures: &'static [Measure],
    latin1_prefix: Option<fn(&Kernels, &[u8]) -> usize>,
    dst: Vec<u8>,
}

impl Window {
    /// For a table.
    pub(crate) fn new(form: Layout, kernels: &Kernels) -> Self {
        Self {
            form,
            has_blocks: kernels.name() != "scalar",
            texts: FILLERS.map(|filler| Texts::new(form, filler)).into(),
            measures: measures(form),
            latin1_prefix: match form {
                Layout::Utf8 => Some(Kernels::utf8_latin1_prefix),
                Layout::Utf16Le => Some(Kernels::utf16le_latin1_prefix),
                Layout::Utf16Be => Some(Kernels::utf16be_latin1_prefix),
                _ => None,
            },
            dst: vec![0; 4 * ((DEPTHS + 3) * BLOCK + BEHIND)],
        }
    }

    /// The place at `offset` in a block (modulo the length of the block). The hash of `number`
    /// selects the block and the filler.
    pub(crate) fn place(&self, number: u32, offset: usize) -> Place {
        let hash = number.wrapping_mul(0x9E37_79B1);
        // Half of them near the start and among ASCII, to save time.
        let depth = [0, 0, 0, 0, 1, 1, 2, 0][(hash >> 29) as usize];
        Place {
            ahead: if self.has_blocks { depth * BLOCK } else { 0 } + offset % BLOCK,
            filler: [0, 0, 0, 0, 1, 2, 3, 0][(hash >> 26) as usize % 8],
            is_whole: hash >> 20 & 0xF == 0,
        }
    }

    /// Puts four bytes, which are these items, in their place. Runs the prefix, the conversions
    /// into `forms`, and the measures if the text is well-formed.
    pub(crate) fn check(
        &mut self,
        kernels: &Kernels,
        bytes: [u8; 4],
        items: &Items,
        place: Place,
        forms: &[Layout],
    ) {
        let (sound, points) = items.sound();
        let (text, src) = text_at(&mut self.texts, bytes, place);
        let expected = if sound == 4 { src.len() } else { place.ahead + sound };
        let failed = |what: &str| -> ! {
            panic!("{kernels:?} {:?} {what}: {bytes:02X?} at {place:?}", self.form)
        };
        if kernels.prefix(self.form, src) != expected {
            failed("prefix");
        }
        if sound == 4 {
            for (index, (measure, to, unit)) in self.measures.iter().enumerate() {
                let length: usize =
                    points.iter().filter_map(|item| Some(encoded(*to, item.point?)?.1)).sum();
                let [before, after] = text.sides(*to, place.ahead);
                if unit * measure(kernels, src) != before.len() + length + after.len() {
                    failed(&format!("measure {index}"));
                }
            }
        }
        for &to in forms {
            let mut place = place;
            if to == Layout::Latin1 {
                place.filler %= LATIN1_FILLERS;
            }
            let (text, src) = text_at(&mut self.texts, bytes, place);
            let done = kernels.convert(self.form, to, src, &mut self.dst);
            if !is_right(text.sides(to, place.ahead), to, place, points, src, done, &self.dst) {
                failed(&format!("to {to:?}"));
            }
            if let (Layout::Latin1, Some(prefix)) = (to, self.latin1_prefix)
                && prefix(kernels, src) != done.0
            {
                failed("Latin-1 prefix");
            }
        }
    }
}

pub(crate) fn measures(form: Layout) -> &'static [Measure] {
    use Layout::{Utf8, Utf16Le, Utf32Le};
    match form {
        Layout::Utf8 => {
            &[(Kernels::utf8_count, Utf32Le, 4), (Kernels::utf16_len_from_utf8, Utf16Le, 1)]
        }
        Layout::Utf16Le => {
            &[(Kernels::utf16le_count, Utf32Le, 4), (Kernels::utf8_len_from_utf16le, Utf8, 1)]
        }
        Layout::Utf16Be => {
            &[(Kernels::utf16be_count, Utf32Le, 4), (Kernels::utf8_len_from_utf16be, Utf8, 1)]
        }
        Layout::Utf32Le => &[
            (Kernels::utf8_len_from_utf32le, Utf8, 1),
            (Kernels::utf16_len_from_utf32le, Utf16Le, 1),
        ],
        Layout::Utf32Be => &[
            (Kernels::utf8_len_from_utf32be, Utf8, 1),
            (Kernels::utf16_len_from_utf32be, Utf16Le, 1),
        ],
        Layout::Latin1 => &[(Kernels::utf8_len_from_latin1, Utf8, 1)],
    }
}

/// The text with these bytes in its hole, and the part of it that is run.
#[inline(always)]
fn text_at(texts: &mut [Texts], bytes: [u8; 4], place: Place) -> (&Text, &[u8]) {
    let Texts { texts, which } = &mut texts[place.filler];
    let text = &mut texts[which[place.ahead]];
    // Written only if necessary: a store delays the loads that overlap it.
    if text.src[text.hole..][..4] != bytes {
        text.src[text.hole..][..4].copy_from_slice(&bytes);
    }
    (text, &text.src[text.hole - place.ahead..])
}

/// Whether the conversion of `src`, which has these items at its place, is as expected.
fn is_right(
    [before, after]: [&[u8]; 2],
    to: Layout,
    place: Place,
    points: &[Item],
    src: &[u8],
    (read, written): (usize, usize),
    dst: &[u8],
) -> bool {
    let mut converted = [0; 16];
    let (mut length, mut end) = (0, place.ahead);
    for item in points {
        let Some((bytes, count)) = item.point.and_then(|point| encoded(to, point)) else { break };
        converted[length..][..4].copy_from_slice(&bytes);
        length += count;
        end += item.length;
    }
    let mut after = after;
    if end == place.ahead + 4 {
        end = src.len();
    } else {
        after = &[];
    }
    let from = if place.is_whole { 0 } else { before.len().saturating_sub(16) };
    read == end
        && written == before.len() + length + after.len()
        && dst[from..before.len()] == before[from..]
        && dst[before.len()..][..length] == converted[..length]
        && dst[before.len() + length..written] == *after
}
