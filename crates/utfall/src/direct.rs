//! Conversion by one call of a kernel.

use utfall_simd::{Kernels, Layout, Lossy, dispatch};

use crate::charset::Charset;

/// A conversion in one step.
#[derive(Clone, Copy)]
pub(crate) enum Direct {
    /// Between two layouts of plain text.
    Pair(Layout, Layout),
    /// From a charset.
    Decode(Charset, Layout),
    /// To a charset.
    Encode(Layout, Charset),
}

/// Text of up to this many bytes may be converted without a kernel: finding the kernel would take
/// longer.
const TINY: usize = 16;

impl Direct {
    /// Converts a prefix of `src` with the best kernel. Returns the bytes read and written.
    #[inline(always)]
    pub(crate) fn run(self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if let Self::Decode(from, to) = self
            && src.len() <= TINY
            && let Some(made) = from.decode_few(to, src, dst)
        {
            return made;
        }
        self.convert(dispatch::active(), src, dst)
    }

    /// Converts a prefix of `src`. Returns the bytes read and written.
    #[inline(always)]
    pub(crate) fn convert(self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        match self {
            Self::Pair(from, to) => kernels.convert(from, to, src, dst),
            Self::Decode(from, to) => from.decode(kernels, to, src, dst),
            Self::Encode(from, to) => to.encode(kernels, from, src, dst),
        }
    }

    /// The same with U+FFFD for ill-formed sequences, if there is a kernel for it.
    pub(crate) fn convert_lossy(
        self,
        kernels: &Kernels,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<Lossy> {
        match self {
            Self::Pair(from, to) => kernels.convert_lossy(from, to, src, dst),
            Self::Decode(from, to) => from.decode_lossy(kernels, to, src, dst),
            Self::Encode(..) => None,
        }
    }

    /// The layout of the text that is read and of the text that is written, for a count of its
    /// lines and columns. A charset has none.
    pub(crate) const fn layouts(self) -> (Option<Layout>, Option<Layout>) {
        match self {
            Self::Pair(from, to) => (Some(from), Some(to)),
            Self::Decode(_, to) => (None, Some(to)),
            Self::Encode(from, _) => (Some(from), None),
        }
    }
}
