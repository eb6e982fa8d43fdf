//! UTF-7 (RFC 2152): what its kernels are given beside octets.
//!
//! Text stands for itself, or is in a run, behind `+`, as Base64 digits over big-endian
//! UTF-16. Between two code points of a run up to four bits of the last digit are left over.
//! Nothing else has to be known of what stands before, so a text can be cut between any two
//! code points.

/// Where a text stands between two code points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shift {
    /// Whether it is in a run.
    pub shifted: bool,
    /// Bits left over, in the low end: of the last digit read, or not yet written.
    pub bits: u8,
    /// How many: 0, 2 or 4.
    pub count: u8,
}

/// What a writer may choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Set O goes into runs. Else it stands for itself, as set D does.
    pub shift_set_o: bool,
    /// `-` ends every run. Else only those before set B and before `-`.
    pub explicit_close: bool,
}

/// Set B: the Base64 alphabet without its `=`.
pub static SET_B: [u8; 64] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const SET_D: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'(),-./:?";
const SET_O: &[u8] = b"!\"#$%&*;<=>@[]^_`{|}";
/// Rule 3.
const WHITE_SPACE: &[u8] = b" \t\r\n";

/// In [`CLASSES`]: no digit. Digits have six bits.
pub(crate) const NO_DIGIT: u8 = 0x80;
/// In [`CLASSES`]: no digit, and never stands for itself.
pub(crate) const NOT_DIRECT: u8 = 0x40;

/// The value of each digit of set B; for other octets [`NO_DIGIT`], with [`NOT_DIRECT`] for
/// those that are ill-formed wherever they stand.
pub(crate) static CLASSES: [u8; 256] = {
    let mut classes = [NO_DIGIT | NOT_DIRECT; 256];
    let mut value = 0;
    while value < 64 {
        classes[SET_B[value as usize] as usize] = value;
        value += 1;
    }
    let mut octet = 0;
    while octet < 128 {
        if DIRECT.0[0][octet] && classes[octet] >= NO_DIGIT {
            classes[octet] = NO_DIGIT;
        }
        octet += 1;
    }
    classes
};

/// Which octets stand for themselves: sets D and O with white space, and set D with white space.
pub(crate) struct Direct(pub(crate) [[bool; 256]; 2]);

pub(crate) static DIRECT: Direct = {
    const fn mark(mut octets: [bool; 256], set: &[u8]) -> [bool; 256] {
        let mut at = 0;
        while at < set.len() {
            octets[set[at] as usize] = true;
            at += 1;
        }
        octets
    }
    let set_d = mark(mark([false; 256], SET_D), WHITE_SPACE);
    Direct([mark(set_d, SET_O), set_d])
};

impl Style {
    /// Which octets stand for themselves.
    #[inline]
    #[must_use]
    pub const fn direct(self) -> &'static [bool; 256] {
        &DIRECT.0[self.shift_set_o as usize]
    }

    /// Whether `-` stands between a run and an octet that stands for itself.
    #[inline]
    #[must_use]
    pub fn closes_before(self, octet: u8) -> bool {
        self.explicit_close || octet == b'-' || CLASSES[usize::from(octet)] < NO_DIGIT
    }
}
