//! UTF-7 (RFC 2152): the arguments that its kernels take besides bytes.
//!
//! Text is direct, or encoded in a run that starts with `+`: Base64 digits over big-endian UTF-16.
//! Between two code points of a run, up to four bits of the last digit are left over. No other
//! state is needed, so a text can be cut between any two code points.

pub(crate) mod places;

/// The state between two code points. The default is outside a run.
// Outside a run, the other fields are zero. In one, `bits` is less than `1 << count`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunState {
    /// Whether the position is inside a run.
    pub(crate) shifted: bool,
    /// Left-over bits, in the low end: of the last digit read, or not yet written.
    pub(crate) bits: u8,
    /// How many bits are left over: 0, 2 or 4.
    pub(crate) count: u8,
}

impl RunState {
    /// The state in a run with these left-over bits, in the low end: of the last digit read, or
    /// not yet written.
    ///
    /// ```
    /// use utfall_simd::{dispatch, utf7::RunState};
    /// // The digits of U+20AC are `IKw`; its last two bits are zero, and left over.
    /// let (mut state, mut utf8) = (RunState::default(), [0; 8]);
    /// dispatch::active().utf7_to_utf8(&mut state, b"+IKw", &mut utf8);
    /// assert_eq!(state, RunState::in_run(0b00, 2));
    /// ```
    ///
    /// # Panics
    /// If `count` is not 0, 2 or 4, or if `bits` has more bits than that.
    #[inline]
    #[must_use]
    pub const fn in_run(bits: u8, count: u8) -> Self {
        assert!(matches!(count, 0 | 2 | 4) && bits < 1 << count, "no state of a run");
        Self { shifted: true, bits, count }
    }

    /// Whether the position is inside a run.
    #[inline]
    #[must_use]
    pub const fn is_in_run(self) -> bool {
        self.shifted
    }

    /// The left-over bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.bits
    }

    /// How many bits are left over: 0, 2 or 4.
    #[inline]
    #[must_use]
    pub const fn count(self) -> u8 {
        self.count
    }
}

/// Options for writing UTF-7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Style {
    /// Encode set O in runs. Otherwise it is written directly, as set D is.
    pub shift_set_o: bool,
    /// End every run with `-`. Otherwise write it only before set B and before `-`.
    pub explicit_close: bool,
}

impl Style {
    /// Set O directly, and `-` only where it is needed.
    #[must_use]
    pub const fn new() -> Self {
        Self { shift_set_o: false, explicit_close: false }
    }

    /// Sets [`shift_set_o`](Self::shift_set_o).
    #[must_use]
    pub const fn with_shift_set_o(self, shift_set_o: bool) -> Self {
        Self { shift_set_o, ..self }
    }

    /// Sets [`explicit_close`](Self::explicit_close).
    #[must_use]
    pub const fn with_explicit_close(self, explicit_close: bool) -> Self {
        Self { explicit_close, ..self }
    }
}

/// A conversion from UTF-7: [`utf7_to_utf8`](crate::Kernels::utf7_to_utf8), or the same to another
/// layout.
pub type FromUtf7 = fn(&mut RunState, &[u8], &mut [u8]) -> (usize, usize);

/// A conversion to UTF-7: [`utf8_to_utf7`](crate::Kernels::utf8_to_utf7), or the same from another
/// layout.
pub type ToUtf7 = fn(Style, &mut RunState, &[u8], &mut [u8]) -> (usize, usize);

/// Set B: the Base64 alphabet without its `=`.
pub static SET_B: [u8; 64] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const SET_D: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'(),-./:?";
const SET_O: &[u8] = b"!\"#$%&*;<=>@[]^_`{|}";
/// Rule 3.
const WHITE_SPACE: &[u8] = b" \t\r\n";

/// In [`CLASSES`]: not a digit. Digits have six bits.
pub(crate) const NO_DIGIT: u8 = 0x80;
/// In [`CLASSES`]: not a digit, and never direct.
pub(crate) const NOT_DIRECT: u8 = 0x40;

/// The value of each digit of set B. Other bytes have [`NO_DIGIT`], together with [`NOT_DIRECT`]
/// if they are ill-formed everywhere.
pub(crate) static CLASSES: [u8; 256] = {
    let mut classes = [NO_DIGIT | NOT_DIRECT; 256];
    let mut value = 0;
    while value < 64 {
        classes[SET_B[value as usize] as usize] = value;
        value += 1;
    }
    let mut byte = 0;
    while byte < 128 {
        if DIRECT.0[0][byte] && classes[byte] >= NO_DIGIT {
            classes[byte] = NO_DIGIT;
        }
        byte += 1;
    }
    classes
};

/// The direct characters: sets D and O with white space, and set D with white space.
pub(crate) struct Direct(pub(crate) [[bool; 256]; 2]);

pub(crate) static DIRECT: Direct = {
    const fn mark(mut bytes: [bool; 256], set: &[u8]) -> [bool; 256] {
        let mut at = 0;
        while at < set.len() {
            bytes[set[at] as usize] = true;
            at += 1;
        }
        bytes
    }
    let set_d = mark(mark([false; 256], SET_D), WHITE_SPACE);
    Direct([mark(set_d, SET_O), set_d])
};

impl Style {
    /// The bytes that are written directly.
    #[inline]
    #[must_use]
    pub const fn direct(self) -> &'static [bool; 256] {
        &DIRECT.0[self.shift_set_o as usize]
    }

    /// Whether `-` is needed between a run and a direct character.
    #[inline]
    #[must_use]
    pub fn closes_before(self, byte: u8) -> bool {
        self.explicit_close || byte == b'-' || CLASSES[usize::from(byte)] < NO_DIGIT
    }
}
