//! Many sequences in one text: through the lossy kernels, and through the strict ones if all are
//! well-formed.

use utfall_simd::{Kernels, Layout, Lossy};

use super::plain::{Items, encoded};
use super::window::measures;

/// Text between sequences, so that a sequence does not continue into the next. It has characters
/// of all classes, and lengths that move the sequences through the offsets of a block.
const BETWEEN: [&str; 8] = ["a", "é", "ab", "日", "abc", "😀", "aé日", "abcdefg"];

/// Longer than any text or conversion.
const LENGTH: usize = 8192;

/// A buffer with spare bytes at the end, so that every addition is a copy of fixed length.
struct Line {
    bytes: Vec<u8>,
    length: usize,
}

impl Line {
    fn new() -> Self {
        Self { bytes: vec![0; LENGTH], length: 0 }
    }

    /// Adds the first `length` of some bytes.
    #[inline(always)]
    fn push<const N: usize>(&mut self, (bytes, length): ([u8; N], usize)) {
        self.bytes[self.length..][..N].copy_from_slice(&bytes);
        self.length += length;
    }

    fn get(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// The target forms of every text.
const FORMS: [Layout; 3] = [Layout::Utf8, Layout::Utf16Le, Layout::Utf32Le];

/// A code unit of UTF-16, little-endian, that is a code point, and its conversions to `FORMS`.
pub(crate) struct Unit {
    src: ([u8; 4], usize),
    converted: [([u8; 4], usize); FORMS.len()],
}

impl Unit {
    #[inline(always)]
    pub(crate) fn new(unit: u16) -> Self {
        let of = |form| encoded(form, unit.into()).unwrap();
        Self { src: of(Layout::Utf16Le), converted: FORMS.map(of) }
    }
}

/// A text of one form, and its conversions.
pub(crate) struct Batch {
    form: Layout,
    /// The form before it was swapped.
    first_form: Layout,
    src: Line,
    /// The expected conversions, by form. The last is Latin-1, which is empty.
    converted: [Line; Layout::ALL.len()],
    between: [Between; BETWEEN.len()],
    next: usize,
    replaced: usize,
    dst: Vec<u8>,
}

/// Text between sequences in the form of the source, and in `FORMS`.
struct Between {
    src: ([u8; 32], usize),
    converted: [([u8; 32], usize); FORMS.len()],
}

impl Between {
    fn new(form: Layout, text: &str) -> Self {
        let of = |form| {
            let mut line = Line::new();
            text.chars().for_each(|char| line.push(encoded(form, char.into()).unwrap()));
            (*line.bytes.first_chunk().unwrap(), line.length)
        };
        Self { src: of(form), converted: FORMS.map(of) }
    }
}

impl Batch {
    /// For sequences of UTF-8, or of UTF-16 or UTF-32 in little-endian order.
    pub(crate) fn new(form: Layout) -> Self {
        Self {
            form,
            first_form: form,
            src: Line::new(),
            converted: Layout::ALL.map(|_| Line::new()),
            between: BETWEEN.map(|text| Between::new(form, text)),
            next: 0,
            replaced: 0,
            dst: vec![0; LENGTH],
        }
    }

    /// Starts again, with `letters` letters.
    pub(crate) fn begin(&mut self, letters: usize) {
        self.form = self.first_form;
        self.src.length = 0;
        self.converted.iter_mut().for_each(|line| line.length = 0);
        self.replaced = 0;
        self.next = letters;
        (0..letters).for_each(|_| self.put_between(0));
    }

    /// Adds four bytes, which are these items.
    #[inline(always)]
    pub(crate) fn push(&mut self, bytes: [u8; 4], items: &Items) {
        self.src.push((bytes, 4));
        for item in items.all() {
            self.replaced += usize::from(item.point.is_none());
            let point = item.point.unwrap_or(0xFFFD);
            for form in FORMS {
                self.converted[form as usize].push(encoded(form, point).unwrap());
            }
        }
        self.push_between();
    }

    /// Adds a code unit of UTF-16.
    #[inline(always)]
    pub(crate) fn push_unit(&mut self, unit: &Unit) {
        self.src.push(unit.src);
        for (form, bytes) in FORMS.into_iter().zip(unit.converted) {
            self.converted[form as usize].push(bytes);
        }
    }

    /// Adds the text between two sequences.
    #[inline(always)]
    pub(crate) fn push_between(&mut self) {
        self.next += 1;
        self.put_between(self.next % BETWEEN.len());
    }

    #[inline(always)]
    fn put_between(&mut self, index: usize) {
        let Between { src, converted } = &self.between[index];
        self.src.push(*src);
        for (form, bytes) in FORMS.into_iter().zip(converted) {
            self.converted[form as usize].push(*bytes);
        }
    }

    /// Swaps the expected conversions to the other byte orders.
    pub(crate) fn swap_converted(&mut self) {
        for (from, to, unit) in
            [(Layout::Utf16Le, Layout::Utf16Be, 2), (Layout::Utf32Le, Layout::Utf32Be, 4)]
        {
            let [from, to] = self.converted.get_disjoint_mut([from as usize, to as usize]).unwrap();
            to.length = from.length;
            to.bytes[..from.length].copy_from_slice(from.get());
            swap(&mut to.bytes[..from.length], unit);
        }
    }

    /// Swaps the text itself to the other byte order.
    pub(crate) fn swap(&mut self) {
        let unit;
        (self.form, unit) = match self.form {
            Layout::Utf16Le => (Layout::Utf16Be, 2),
            Layout::Utf16Be => (Layout::Utf16Le, 2),
            Layout::Utf32Le => (Layout::Utf32Be, 4),
            Layout::Utf32Be => (Layout::Utf32Le, 4),
            form => (form, 1),
        };
        swap(&mut self.src.bytes[..self.src.length], unit);
    }

    /// Checks the lossy conversions.
    pub(crate) fn lossy(&mut self, kernels: &Kernels, forms: &[Layout]) {
        let (form, src) = (self.form, self.src.get());
        for &to in forms {
            let expected = self.converted[to as usize].get();
            let done = kernels.convert_lossy(form, to, src, &mut self.dst);
            let (read, written, replaced) = (src.len(), expected.len(), self.replaced);
            let right = done == Some(Lossy { read, written, replaced });
            assert!(
                right && self.dst[..written] == *expected,
                "{kernels:?} {form:?} to {to:?}, lossy: {done:?} for {src:02X?}"
            );
        }
        if form == Layout::Utf8 {
            let right = kernels.utf8_count_lossy(src)
                == self.converted[Layout::Utf32Le as usize].length / 4
                && kernels.utf16_len_from_utf8_lossy(src)
                    == self.converted[Layout::Utf16Le as usize].length;
            assert!(right, "{kernels:?} lossy lengths for {src:02X?}");
        }
    }

    /// Checks the prefix, the strict conversions, and the measures. All sequences must be
    /// well-formed.
    pub(crate) fn strict(&mut self, kernels: &Kernels, forms: &[Layout]) {
        let (form, src) = (self.form, self.src.get());
        let prefix = kernels.prefix(form, src);
        assert!(prefix == src.len(), "{kernels:?} {form:?} prefix: {prefix} for {src:02X?}");
        for &to in forms {
            let expected = self.converted[to as usize].get();
            let done = kernels.convert(form, to, src, &mut self.dst);
            let right = done == (src.len(), expected.len());
            assert!(
                right && self.dst[..expected.len()] == *expected,
                "{kernels:?} {form:?} to {to:?}: {done:?} for {src:02X?}"
            );
        }
        for (index, (measure, to, unit)) in measures(form).iter().enumerate() {
            let right = unit * measure(kernels, src) == self.converted[*to as usize].length;
            assert!(right, "{kernels:?} {form:?} measure {index} of {src:02X?}");
        }
    }
}

fn swap(bytes: &mut [u8], unit: usize) {
    match unit {
        2 => bytes.as_chunks_mut::<2>().0.iter_mut().for_each(|unit| unit.reverse()),
        4 => bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|unit| unit.reverse()),
        _ => {}
    }
}
