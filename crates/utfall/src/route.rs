//! Which kernels convert between two encodings.
//!
//! A route is an optimization: the block of code points in `engine.rs` defines the result, and
//! tests require the same bytes, errors and offsets both ways.

use utfall_simd::Layout;

use crate::charset::Charset;
use crate::direct::Direct;
use crate::{Bom, DoubleMappings, Options};

/// The text on one side of a conversion, as far as kernels know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Plain text in a form that all kernels know.
    Plain(Layout),
    /// Text in a charset that is converted by tables, without a state.
    #[cfg_attr(not(feature = "legacy"), expect(dead_code))]
    Charset(Charset),
    /// Text of a codec that has its own kernel, to or from UTF-8, and keeps a state.
    OwnKernel,
    /// Text without a kernel.
    CodePoints,
    /// Output only: everything is accepted, and nothing is written.
    Discarded,
    /// Output only: the same, but it must see code points, or bytes of a form.
    #[cfg_attr(not(feature = "alloc"), expect(dead_code))]
    Inspected,
}

impl Side {
    /// The form, if it is plain text.
    pub(crate) const fn form(self) -> Option<Layout> {
        match self {
            Self::Plain(form) => Some(form),
            _ => None,
        }
    }
}

impl From<Option<Layout>> for Side {
    fn from(form: Option<Layout>) -> Self {
        form.map_or(Self::CodePoints, Self::Plain)
    }
}

/// The way from input to output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// A kernel converts from one form to another.
    Pair(Layout, Layout),
    /// A kernel checks text of this form. Nothing is written.
    Check(Layout),
    /// Text in a charset is converted to a form.
    Decode(Charset, Layout),
    /// Text in a form is converted to a charset.
    Encode(Layout, Charset),
    /// Text in a charset is converted to UTF-8, and that to another charset.
    Between(Charset, Charset),
    /// Text in a charset is checked. Nothing is written.
    CheckCharset(Charset),
    /// The decoder's kernel writes UTF-8, which is the output.
    ToUtf8,
    /// The decoder's kernel writes UTF-8, which is discarded.
    CheckAsUtf8,
    /// The decoder's kernel writes UTF-8, and a kernel converts that to this form. Some decoders have
    /// a kernel that writes UTF-16.
    ToUtf8Then(Layout),
    /// The encoder's kernel reads UTF-8, which is the input.
    FromUtf8,
    /// A kernel converts from this form to UTF-8, which the encoder's kernel reads. Some encoders
    /// have a kernel that reads UTF-16.
    FromUtf8After(Layout),
    /// The decoder fills blocks of code points, which the encoder empties.
    CodePoints,
}

impl Route {
    /// The route between these two.
    #[inline]
    pub(crate) const fn new(source: Side, target: Side) -> Self {
        use Layout::{Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
        use Side::{Charset, Discarded, Inspected, OwnKernel, Plain};
        match (source, target) {
            (Plain(from), Plain(to)) => Self::Pair(from, to),
            (Plain(form), Discarded | Inspected) => Self::Check(form),
            (Charset(from), Plain(to)) if from.has(to) => Self::Decode(from, to),
            (Plain(from), Charset(to)) if to.has(from) => Self::Encode(from, to),
            (Charset(from), Charset(to)) => Self::Between(from, to),
            (Charset(charset), Discarded) => Self::CheckCharset(charset),
            (OwnKernel, Plain(Utf8)) => Self::ToUtf8,
            (OwnKernel, Discarded) => Self::CheckAsUtf8,
            (OwnKernel, Plain(to @ (Utf16Le | Utf16Be | Utf32Le | Utf32Be))) => {
                Self::ToUtf8Then(to)
            }
            (Plain(Utf8), OwnKernel) => Self::FromUtf8,
            (Plain(from), OwnKernel) => Self::FromUtf8After(from),
            _ => Self::CodePoints,
        }
    }

    /// The route from the start of a text, as far as the names of the encodings determine it. A BOM
    /// is ordinary text then. If it has to be added or removed, or if mappings depend on options,
    /// the route begins with code points.
    #[inline]
    pub(crate) const fn at_start(source: Side, target: Side, options: &Options) -> Self {
        if Self::is_by_names(options) { Self::new(source, target) } else { Self::CodePoints }
    }

    /// Whether the names of the encodings determine the route from the start of a text.
    #[inline]
    pub(crate) const fn is_by_names(options: &Options) -> bool {
        matches!(
            (options.bom, options.double_mappings),
            (Bom::Auto | Bom::Keep, DoubleMappings::Table)
        )
    }

    /// Whether one kernel does everything, and neither side has a state.
    pub(crate) const fn is_stateless(self) -> bool {
        match self {
            Self::Pair(..) | Self::Check(_) | Self::Decode(..) | Self::Encode(..) => true,
            Self::Between(..) | Self::CheckCharset(_) => true,
            Self::ToUtf8 | Self::CheckAsUtf8 | Self::ToUtf8Then(_) => false,
            Self::FromUtf8 | Self::FromUtf8After(_) | Self::CodePoints => false,
        }
    }

    /// The conversion, if it is one step.
    #[inline(always)]
    pub(crate) fn direct(self) -> Option<Direct> {
        match self {
            Self::Pair(from, to) => Some(Direct::Pair(from, to)),
            Self::Decode(from, to) => Some(Direct::Decode(from, to)),
            Self::Encode(from, to) => Some(Direct::Encode(from, to)),
            _ => None,
        }
    }
}
