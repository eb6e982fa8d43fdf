//! Charsets that are converted by tables, without a state.

use utfall_simd::pairs::Cells;
use utfall_simd::single_byte::Table;
use utfall_simd::{Kernels, Layout, Lossy, units};

/// A charset, by what converts it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "legacy"), expect(dead_code))]
pub(crate) enum Charset {
    /// One byte for each character: the kernels that all of these share take its table.
    SingleByte(&'static Table),
    /// One or more bytes for each character: functions that know its tables.
    MultiByte(&'static Functions),
}

/// Conversions of a prefix to and from [some forms](Charset::has).
#[derive(Debug)]
pub(crate) struct Functions {
    pub(crate) decode: Decode,
    pub(crate) encode: Encode,
    /// The tables that decode a few characters, without a kernel.
    pub(crate) cells: fn() -> Cells<'static>,
    /// Encode a few characters, and may stop early.
    pub(crate) few_from_utf8: Convert,
    /// UTF-16 has native byte order.
    pub(crate) few_from_utf16: Convert,
}

/// With `true`, each ill-formed sequence becomes U+FFFD.
type Decode = fn(&Kernels, Layout, bool, &[u8], &mut [u8]) -> Lossy;

/// Returns the bytes read and written.
type Convert = fn(&[u8], &mut [u8]) -> (usize, usize);

/// Returns the bytes read and written.
type Encode = fn(&Kernels, Layout, &[u8], &mut [u8]) -> (usize, usize);

/// Whether there are any. Otherwise nothing makes one, which the compiler cannot find out: without these
/// hints, a build for Unicode alone would have all kernels for tables.
const EXISTS: bool = cfg!(feature = "legacy");

impl Charset {
    /// Whether it is converted straight to and from this form.
    pub(crate) const fn has(self, form: Layout) -> bool {
        match self {
            Self::SingleByte(_) => true,
            Self::MultiByte(_) => {
                matches!(form, Layout::Utf8 | Layout::Utf16Le | Layout::Utf16Be)
            }
        }
    }

    /// Converts a prefix of `src` to a form it [has](Self::has). Returns the bytes read and written.
    #[inline(always)]
    pub(crate) fn decode(
        self,
        kernels: &Kernels,
        to: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if !EXISTS {
            return (0, 0);
        }
        match self {
            Self::SingleByte(table) => kernels.convert_from_table(table, to, src, dst),
            Self::MultiByte(functions) => {
                let made = (functions.decode)(kernels, to, false, src, dst);
                (made.read, made.written)
            }
        }
    }

    /// The same with U+FFFD for ill-formed sequences.
    #[inline(always)]
    pub(crate) fn decode_lossy(
        self,
        kernels: &Kernels,
        to: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<Lossy> {
        if !EXISTS {
            return None;
        }
        match self {
            Self::SingleByte(table) => kernels.convert_from_table_lossy(table, to, src, dst),
            Self::MultiByte(functions) => Some((functions.decode)(kernels, to, true, src, dst)),
        }
    }

    /// Converts a prefix of `src` from a form it [has](Self::has). Returns the bytes read and
    /// written.
    #[inline(always)]
    pub(crate) fn encode(
        self,
        kernels: &Kernels,
        from: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if !EXISTS {
            return (0, 0);
        }
        match self {
            Self::SingleByte(table) => kernels.convert_to_table(from, table, src, dst),
            Self::MultiByte(functions) => (functions.encode)(kernels, from, src, dst),
        }
    }

    /// The length in bytes up to which text is decoded to this form faster without a kernel.
    #[inline(always)]
    pub(crate) const fn few_decoded(self, to: Layout) -> usize {
        match (self, to) {
            (Self::SingleByte(_), _) => 16,
            (Self::MultiByte(_), Layout::Utf8) => 48,
            (Self::MultiByte(_), _) => 64,
        }
    }

    /// The same for text in this form, which is encoded.
    #[inline(always)]
    pub(crate) const fn few_encoded(self, from: Layout) -> usize {
        match (self, from) {
            (Self::MultiByte(_), Layout::Utf8) => 64,
            (Self::SingleByte(_), Layout::Utf8) => 16,
            _ => 32,
        }
    }

    /// Converts a prefix of a few bytes without a kernel, which would take longer to find.
    #[inline(always)]
    pub(crate) fn decode_few(
        self,
        to: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        if !EXISTS {
            return None;
        }
        match (self, to) {
            (Self::SingleByte(table), Layout::Utf8) => Some(table.few_to_utf8(src, dst)),
            (Self::SingleByte(table), units::NATIVE_UTF16) => Some(table.few_to_utf16(src, dst)),
            (Self::MultiByte(functions), Layout::Utf8) => {
                Some((functions.cells)().few_to_utf8(src, dst))
            }
            (Self::MultiByte(functions), units::NATIVE_UTF16) => {
                Some((functions.cells)().few_to_utf16(src, dst))
            }
            _ => None,
        }
    }

    /// The same in the other direction.
    #[inline(always)]
    pub(crate) fn encode_few(
        self,
        from: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        if !EXISTS {
            return None;
        }
        match (self, from) {
            (Self::SingleByte(table), Layout::Utf8) => Some(table.few_from_utf8(src, dst)),
            (Self::SingleByte(table), units::NATIVE_UTF16) => Some(table.few_from_utf16(src, dst)),
            (Self::MultiByte(functions), Layout::Utf8) => Some((functions.few_from_utf8)(src, dst)),
            (Self::MultiByte(functions), units::NATIVE_UTF16) => {
                Some((functions.few_from_utf16)(src, dst))
            }
            _ => None,
        }
    }

    /// The length in bytes of a prefix that is well-formed. `scratch` is overwritten.
    pub(crate) fn prefix(self, kernels: &Kernels, src: &[u8], scratch: &mut [u8]) -> usize {
        if !EXISTS {
            return 0;
        }
        if let Self::SingleByte(table) = self {
            return kernels.table_prefix(table, src);
        }
        let mut at = 0;
        loop {
            let (read, _) = self.decode(kernels, units::NATIVE_UTF16, &src[at..], scratch);
            at += read;
            if read == 0 || at == src.len() {
                return at;
            }
        }
    }
}

impl PartialEq for Charset {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::SingleByte(a), Self::SingleByte(b)) => core::ptr::eq(*a, *b),
            (Self::MultiByte(a), Self::MultiByte(b)) => core::ptr::eq(*a, *b),
            _ => false,
        }
    }
}

impl Eq for Charset {}
