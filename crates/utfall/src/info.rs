//! The properties of an encoding, apart from how to read and write it.

use core::fmt;

use crate::ErrorKind;
use crate::repertoire::Repertoire;
use crate::route::Side;

/// The properties of an encoding.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Info {
    /// The preferred name: that of IANA if registered.
    pub name: &'static str,
    /// Whether [`name`](Self::name) is registered with IANA.
    pub iana: bool,
    /// Other labels. Labels and the name are compared as described in UTS #22 §1.4.
    pub aliases: &'static [&'static str],
    /// How many of the first aliases are labels of the web too, if the encoding is one of the web.
    #[cfg_attr(not(feature = "legacy"), expect(dead_code))]
    pub(crate) of_web: usize,
    /// A description in one sentence of Markdown.
    pub description: &'static str,
    /// How it represents code points.
    pub family: Family,
    /// The length of a code unit in bytes: 1, 2 or 4.
    pub code_unit: usize,
    /// The order of the bytes of a code unit; `None` if a code unit is one byte.
    pub byte_order: Option<ByteOrder>,
    /// The specification.
    pub specification: &'static str,
    /// Whose rules and tables it follows, where they differ for a name.
    pub origin: Origin,
    /// Whether bytes 00–7F always are US-ASCII, wherever they appear.
    pub ascii_transparent: bool,
    /// Whether no byte has its highest bit set.
    pub seven_bit: bool,
    /// Whether the meaning of a byte depends on bytes before the character it belongs to.
    pub stateful: bool,
    /// Whether an encoder may hold a code point back until the next one comes, since the two may be one
    /// character. An [`Encoder`](crate::Encoder) writes it at the end of the text.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert!(!Encoding::ShiftJis.info().holds_back);
    /// # #[cfg(feature = "jisx0213")]
    /// assert!(Encoding::EucJisX0213.info().holds_back);
    /// ```
    pub holds_back: bool,
    /// Where a text may be split so that its parts can be decoded independently.
    pub split_point: SplitPoint,
    /// The code points it can encode.
    pub repertoire: Repertoire,
    /// The clause by which texts have the order of their code points when their bytes are compared.
    /// `None` if they do not, or if the specification does not say so, as for charsets with tables.
    /// [`compare`](crate::compare()) compares texts in any encoding.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert!(Encoding::Utf8.info().code_point_order.unwrap().starts_with("RFC 3629 §1"));
    /// assert_eq!(Encoding::Utf16Be.info().code_point_order, None);
    /// ```
    pub code_point_order: Option<&'static str>,
    /// The byte order mark or signature, in bytes; empty if it has none.
    pub signature: &'static [u8],
    /// How boundaries between characters are found. `None` if the bytes around an index do not
    /// determine whether one is there.
    pub(crate) boundaries: Option<BoundaryRule>,
    /// Whether an RFC defines it as UTF-8.
    pub(crate) is_utf8: bool,
    /// Whether text in US-ASCII has the same bytes, bytes 00–7F are always US-ASCII, and text may be
    /// split before any character.
    pub(crate) shares_ascii: bool,
    /// The kernels for every text, from its first byte.
    pub(crate) side: Side,
    /// Maps each kind of error to a clause of the specification.
    pub(crate) clause: fn(ErrorKind) -> &'static str,
}

/// How boundaries between characters are found, and the clause that says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundaryRule {
    pub(crate) clause: &'static str,
    /// Whether no character of well-formed text extends across an index inside the text. Arguments:
    /// the text, and an index less than its length, in bytes.
    pub(crate) is_boundary: fn(&[u8], usize) -> bool,
}

impl Info {
    /// Whether a boundary between characters can be found from any byte of the text; see
    /// [`Encoding::boundaries`](crate::Encoding::boundaries).
    #[must_use]
    pub const fn is_self_synchronizing(&self) -> bool {
        self.boundaries.is_some()
    }

    /// Whether two code units may be one character: in UTF-16, but not in UCS-2.
    pub(crate) fn has_surrogate_pairs(&self) -> bool {
        self.family == Family::Utf16 && self.repertoire != Repertoire::Bmp
    }

    /// Adds properties that follow from others. For the npm package, removes texts that its modules do
    /// not use.
    pub(crate) const fn kept(mut self) -> Self {
        self.shares_ascii |=
            self.ascii_transparent && matches!(self.split_point, SplitPoint::Character);
        if cfg!(utfall_js) {
            self.description = "";
            self.code_point_order = None;
            if let Some(rule) = &mut self.boundaries {
                rule.clause = "";
            }
        }
        self
    }

    /// Base for the rows of codecs: an 8-bit, stateless encoding of all scalar values. The family
    /// is an argument, so that no row can inherit another one by mistake.
    pub(crate) const fn of(family: Family) -> Self {
        Self {
            name: "",
            iana: false,
            aliases: &[],
            of_web: usize::MAX,
            description: "",
            family,
            code_unit: 1,
            byte_order: None,
            specification: "",
            origin: Origin::Standard,
            ascii_transparent: false,
            seven_bit: false,
            stateful: false,
            holds_back: false,
            split_point: SplitPoint::Nowhere,
            repertoire: Repertoire::ScalarValues,
            signature: &[],
            code_point_order: None,
            boundaries: None,
            is_utf8: false,
            shares_ascii: false,
            side: Side::CodePoints,
            clause: |_| "",
        }
    }
}

/// How an encoding represents code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// UTF-8 in all its versions, CESU-8, Java's modified UTF-8, and WTF-8.
    Utf8,
    /// UTF-16 and UCS-2.
    Utf16,
    /// UTF-32 and UCS-4.
    Utf32,
    /// UTF-7 and the encoding of IMAP's mailbox names.
    Utf7,
    /// UTF-1.
    Utf1,
    /// UTF-EBCDIC.
    Ebcdic,
    /// SCSU and BOCU-1.
    Compression,
    /// One byte for each character.
    SingleByte,
    /// One or more bytes for each character of a table.
    MultiByte,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16 => "UTF-16",
            Self::Utf32 => "UTF-32",
            Self::Utf7 => "UTF-7",
            Self::Utf1 => "UTF-1",
            Self::Ebcdic => "EBCDIC",
            Self::Compression => "compression",
            Self::SingleByte => "single-byte",
            Self::MultiByte => "multi-byte",
        })
    }
}

/// Whose rules and tables an encoding follows. For the same name, they may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// The standard that defines the encoding: Unicode's, an RFC, ISO's.
    Standard,
    /// The Encoding Standard of WHATWG, for the web.
    Whatwg,
    /// The GNU C Library, whose `iconv` has many charsets that the web lacks.
    Glibc,
    /// Another source, which [`Info::specification`] names: Apple's tables, an earlier edition.
    Other,
}

/// The order of the bytes of a code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The lowest byte first.
    Little,
    /// The highest byte first.
    Big,
    /// The order of the BOM, which is part of the encoding; big-endian without a BOM.
    Marked,
}

/// Where a text may be split so that its parts can be decoded independently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SplitPoint {
    /// Before any character.
    Character,
    /// After a line end.
    Line,
    /// Nowhere.
    Nowhere,
}

impl fmt::Display for SplitPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Character => "character",
            Self::Line => "line",
            Self::Nowhere => "nowhere",
        })
    }
}
