//! Text that needs no conversion.

use utfall_simd::{dispatch, text};

use crate::{Bom, Encoding};

/// The text that has the same bytes in an encoding as in UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shared {
    Nothing,
    Ascii,
    All,
}

impl Encoding {
    /// The text that has the same bytes in this encoding as in UTF-8.
    #[inline]
    pub(super) fn shared(self, bom: Bom) -> Shared {
        match self {
            Self::Utf8 if matches!(bom, Bom::Auto | Bom::Keep) => Shared::All,
            Self::Utf8 => Shared::Nothing,
            _ if bom == Bom::Add => Shared::Nothing,
            _ if self.info().shares_ascii => Shared::Ascii,
            _ => Shared::Nothing,
        }
    }
}

impl Shared {
    /// `bytes` as a string, if they are such text.
    #[inline]
    pub(super) fn as_str(self, bytes: &[u8]) -> Option<&str> {
        match self {
            Self::Nothing => None,
            Self::Ascii => text::as_ascii(dispatch::active(), bytes).ok(),
            Self::All => text::as_str(dispatch::active(), bytes).ok(),
        }
    }

    /// Whether `text` is such text.
    #[inline]
    pub(super) fn covers(self, text: &str) -> bool {
        self == Self::All || self.as_str(text.as_bytes()).is_some()
    }
}
