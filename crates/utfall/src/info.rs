//! What is known about an encoding besides how to read and write it.

use core::fmt;

use utfall_simd::Form;

use crate::ErrorKind;
use crate::repertoire::Repertoire;

/// What is known about an encoding.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Info {
    /// The preferred name: IANA's where it has one.
    pub name: &'static str,
    /// Whether [`name`](Self::name) is registered with IANA.
    pub iana: bool,
    /// Other labels. They, and the name, are compared as UTS #22 §1.4 describes.
    pub aliases: &'static [&'static str],
    /// The specification.
    pub specification: &'static str,
    /// A boundary between characters can be found from any octet of the text.
    pub self_synchronising: bool,
    /// Octets 00–7F are US-ASCII, and nothing else, wherever they stand.
    pub ascii_transparent: bool,
    /// No octet has its highest bit set.
    pub seven_bit: bool,
    /// What an octet means depends on octets before the character it belongs to.
    pub stateful: bool,
    /// Where a text may be cut so that its parts can be decoded apart.
    pub cut: Cut,
    /// The code points it can carry.
    pub repertoire: Repertoire,
    /// The byte order mark or signature, in octets; empty if there is none.
    pub signature: &'static [u8],
    /// What kernels call it, if that is the form of any text from its first octet on.
    pub(crate) form: Option<Form>,
    /// Kind of error → clause of the specification.
    pub(crate) clause: fn(ErrorKind) -> &'static str,
}

impl Info {
    /// A row to start from: an 8-bit, stateless encoding of all scalar values. Codecs
    /// change what differs.
    pub(crate) const BASE: Self = Self {
        name: "",
        iana: false,
        aliases: &[],
        specification: "",
        self_synchronising: false,
        ascii_transparent: false,
        seven_bit: false,
        stateful: false,
        cut: Cut::Nowhere,
        repertoire: Repertoire::ScalarValues,
        signature: &[],
        form: None,
        clause: |_| "",
    };
}

/// Where a text may be cut so that its parts can be decoded apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cut {
    /// Before any character.
    Character,
    /// After a line end.
    Line,
    /// Nowhere.
    Nowhere,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Character => "character",
            Self::Line => "line",
            Self::Nowhere => "nowhere",
        })
    }
}
