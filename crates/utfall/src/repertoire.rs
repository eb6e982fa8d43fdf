//! The code points an encoding can carry, and the other numbers they had in Unicode 1.1.

pub(crate) mod hangul;
mod hangul_table;

/// The code points an encoding can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repertoire {
    /// The scalar values: 0–10FFFF without surrogates.
    ScalarValues,
    /// 0–10FFFF, including unpaired surrogates.
    WithSurrogates,
    /// 0–7FFFFFFF without surrogates, as ISO 10646 had it until 2006.
    Ucs4,
    /// 0–7FFFFFFF, including surrogates.
    Ucs4WithSurrogates,
    /// The Basic Multilingual Plane without surrogates: 0–FFFF.
    Bmp,
    /// 0–10FFFF as Unicode 1.1 numbered them: Hangul at 3400–4DFF.
    Unicode11,
    /// 0–FF.
    Latin1,
    /// 0–7F.
    Ascii,
    /// The selection of a legacy charset.
    Table,
}

impl Repertoire {
    /// Whether it includes U+FFFD, as all Unicode repertoires do.
    pub(crate) const fn is_unicode(self) -> bool {
        !matches!(self, Self::Latin1 | Self::Ascii | Self::Table)
    }

    /// Whether `point` may be part of it. For a `Table`, this depends on the encoding and is always
    /// true here.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert!(!Encoding::Ucs2.info().repertoire.contains(0x1F600));
    /// ```
    #[must_use]
    pub const fn contains(self, point: u32) -> bool {
        self.is_in_range(point) && (!matches!(self, Self::Unicode11) || hangul::is_in_1_1(point))
    }

    /// The same at run time. Modules of WebAssembly have a smaller table for it.
    #[inline(always)]
    pub(crate) fn has(self, point: u32) -> bool {
        /// Kept out of the encoders: most of them never call it.
        #[inline(never)]
        fn is_in_1_1(point: u32) -> bool {
            hangul::to_1_1(point).is_some()
        }
        self.is_in_range(point) && (self != Self::Unicode11 || is_in_1_1(point))
    }

    #[inline(always)]
    const fn is_in_range(self, point: u32) -> bool {
        let surrogate = matches!(point, 0xD800..=0xDFFF);
        match self {
            Self::ScalarValues | Self::Unicode11 => point <= 0x10_FFFF && !surrogate,
            Self::WithSurrogates => point <= 0x10_FFFF,
            Self::Ucs4 => point <= 0x7FFF_FFFF && !surrogate,
            Self::Ucs4WithSurrogates => point <= 0x7FFF_FFFF,
            Self::Bmp => point <= 0xFFFF && !surrogate,
            Self::Latin1 => point <= 0xFF,
            Self::Ascii => point <= 0x7F,
            Self::Table => true,
        }
    }
}
