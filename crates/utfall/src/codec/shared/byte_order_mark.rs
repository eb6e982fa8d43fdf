//! When an encoder writes a byte order mark of its own accord.

/// Whether a mark goes before the first character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codec) enum Mark {
    /// The encoding wants one.
    Always,
    /// The text begins with U+FEFF, which a decoder would take for a mark.
    IfTextHasOne,
    /// None, or it has been written.
    Never,
}

impl Mark {
    /// Whether one is to be written before `point`.
    pub(in crate::codec) fn precedes(self, point: u32) -> bool {
        match self {
            Self::Always => true,
            Self::IfTextHasOne => point == 0xFEFF,
            Self::Never => false,
        }
    }
}
