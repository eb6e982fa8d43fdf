//! Which code points an encoding can carry, and the step between decoder and encoder that
//! renumbers them where a charset needs it.

pub(crate) mod hangul;
mod hangul_table;

/// The code points an encoding can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repertoire {
    /// The scalar values: 0–10FFFF without surrogates.
    ScalarValues,
    /// 0–10FFFF, with unpaired surrogates.
    WithSurrogates,
    /// 0–7FFFFFFF without surrogates, as ISO 10646 had it until 2006.
    Ucs4,
    /// 0–7FFFFFFF, with surrogates.
    Ucs4WithSurrogates,
    /// The first plane without surrogates: 0–FFFF.
    Bmp,
    /// 0–10FFFF as Unicode 1.1 numbered them: Hangul at 3400–4DFF.
    Unicode11,
    /// 0–FF.
    Latin1,
    /// 0–7F.
    Ascii,
    /// A selection: what a legacy charset has.
    Table,
}

impl Repertoire {
    /// Whether code points have other numbers in it than in the Unicode of today.
    pub(crate) const fn renumbers(self) -> bool {
        matches!(self, Self::Unicode11)
    }

    /// Whether it has U+FFFD, as all do that are Unicode.
    pub(crate) const fn is_unicode(self) -> bool {
        !matches!(self, Self::Latin1 | Self::Ascii | Self::Table)
    }

    /// Whether `point` may be in it. A `Table` is asked by encoding.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert!(!Encoding::Ucs2.info().repertoire.contains(0x1F600));
    /// ```
    #[must_use]
    pub const fn contains(self, point: u32) -> bool {
        let surrogate = matches!(point, 0xD800..=0xDFFF);
        match self {
            Self::ScalarValues => point <= 0x10_FFFF && !surrogate,
            Self::WithSurrogates => point <= 0x10_FFFF,
            Self::Ucs4 => point <= 0x7FFF_FFFF && !surrogate,
            Self::Ucs4WithSurrogates => point <= 0x7FFF_FFFF,
            Self::Bmp => point <= 0xFFFF && !surrogate,
            Self::Unicode11 => point <= 0x10_FFFF && !surrogate && hangul::to_1_1(point).is_some(),
            Self::Latin1 => point <= 0xFF,
            Self::Ascii => point <= 0x7F,
            Self::Table => true,
        }
    }
}
