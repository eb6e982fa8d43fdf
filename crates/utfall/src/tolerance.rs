//! Relaxed rules: ill-formed input that UTF-7 readers accept although a specification forbids it.

use core::fmt;
use core::ops::{BitOr, BitOrAssign};

/// A set of relaxed rules for reading UTF-7 and IMAP mailbox names, for
/// [`Options::utf7_tolerance`](crate::Options::utf7_tolerance). The empty set accepts nothing ill-formed.
///
/// Each rule is the default behaviour of some reader; `docs/decisions.md` lists which. Accepted
/// input is not an error, but it is counted ([`Counts::tolerated`](crate::Counts::tolerated)), and
/// the rules that were used are recorded.
///
/// ```
/// use utfall::{Encoding, Options, Utf7Tolerance};
///
/// let utf7_tolerance = Utf7Tolerance::NON_ZERO_PADDING | Utf7Tolerance::BACKSLASH_TILDE;
/// let options = Options::default().with_utf7_tolerance(utf7_tolerance);
/// assert_eq!(Encoding::Utf7.decode_with(b"~+IKx-", options)?, "~€");
/// assert!(Encoding::Utf7.decode(b"~+IKx-").is_err());
/// # Ok::<(), utfall::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Utf7Tolerance(u16);

macro_rules! tolerances {
    ($( $constant:ident = $bit:literal, $name:literal, $what:literal; )*) => {
        impl Utf7Tolerance {
            $(
                #[doc = $what]
                pub const $constant: Self = Self(1 << $bit);
            )*

            /// Every single rule: its name, the set with only this rule, its effect.
            ///
            /// ```
            /// use utfall::Utf7Tolerance;
            /// let (name, lenience, what) = Utf7Tolerance::NAMED[0];
            /// assert_eq!(name, "end-shift-dropped");
            /// assert_eq!(lenience, Utf7Tolerance::END_SHIFT_DROPPED);
            /// assert!(what.contains("at the end"));
            /// ```
            pub const NAMED: &[(&str, Self, &str)] =
                &[ $( ($name, Self::$constant, $what), )* ];
        }
    };
}

tolerances! {
    END_SHIFT_DROPPED = 0, "end-shift-dropped",
        "Drop a shift character at the end of the text";
    END_SHIFT_KEPT = 1, "end-shift-kept",
        "Keep a shift character at the end of the text (overrides end-shift-dropped)";
    EMPTY_SHIFT_DROPPED = 2, "empty-shift-dropped",
        "Drop a shift character not followed by Base64 or `-`";
    EMPTY_SHIFT_KEPT = 3, "empty-shift-kept",
        "Keep a shift character not followed by Base64 or `-` (overrides empty-shift-dropped)";
    NON_ZERO_PADDING = 4, "non-zero-padding",
        "Accept non-zero padding bits at the end of a run";
    DANGLING_DIGITS = 5, "dangling-digits",
        "Drop six or more zero bits left over at the end of a run";
    LONE_SURROGATES = 6, "lone-surrogates",
        "Accept unpaired surrogates, also when writing UTF-7";
    SPLIT_PAIRS = 7, "split-pairs",
        "Join a surrogate pair split between two runs, with `-` and a shift character between";
    CONTROLS = 8, "controls",
        "Accept the control characters 00 to 1F and 7F outside runs";
    BACKSLASH_TILDE = 9, "backslash-tilde",
        "Accept `\\` and `~` outside runs";
    LATIN1 = 10, "latin1",
        "Read bytes 80 to FF as ISO 8859-1";
    ENCODED_ASCII = 11, "encoded-ascii",
        "IMAP: accept printable US-ASCII in a run";
    NULL_SHIFT = 12, "null-shift",
        "IMAP: accept a run directly after another";
    SLASH_DIGIT = 13, "slash-digit",
        "IMAP: read `/` as the digit `,`, as in UTF-7";
    UNTERMINATED = 14, "unterminated",
        "IMAP: accept a run not closed by `-`";
}

impl Utf7Tolerance {
    /// The empty set: strict.
    pub const NONE: Self = Self(0);

    /// The union of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is in this set.
    ///
    /// ```
    /// use utfall::Utf7Tolerance;
    /// let both = Utf7Tolerance::LATIN1 | Utf7Tolerance::CONTROLS;
    /// assert!(both.contains(Utf7Tolerance::LATIN1) && !Utf7Tolerance::LATIN1.contains(both));
    /// ```
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rule with this name.
    ///
    /// ```
    /// use utfall::Utf7Tolerance;
    /// assert_eq!(Utf7Tolerance::from_name("latin1"), Some(Utf7Tolerance::LATIN1));
    /// assert_eq!(Utf7Tolerance::from_name("latin-9"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, ..)| *known == name).map(|(_, lenience, _)| *lenience)
    }

    /// The names of all rules in the set.
    ///
    /// ```
    /// use utfall::Utf7Tolerance;
    /// let both = Utf7Tolerance::LATIN1 | Utf7Tolerance::CONTROLS;
    /// assert!(both.names().eq(["controls", "latin1"]));
    /// ```
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMED
            .iter()
            .filter(move |(_, lenience, _)| self.contains(*lenience))
            .map(|(name, ..)| *name)
    }
}

impl BitOr for Utf7Tolerance {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl BitOrAssign for Utf7Tolerance {
    fn bitor_assign(&mut self, other: Self) {
        *self = self.union(other);
    }
}

impl fmt::Debug for Utf7Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
