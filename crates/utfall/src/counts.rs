//! The counts of errors that every stream keeps.

use core::ops::AddAssign;

use crate::Utf7Tolerance;

/// How many errors a stream has met so far, and what became of them.
///
/// ```
/// use utfall::{Encoding, Options, Policy, Transcoder};
/// let options = Options::both(Policy::Skip);
/// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::UsAscii, options);
/// transcoder.transcode("a\u{E9}b".as_bytes(), &mut [0; 8], true);
/// assert_eq!(transcoder.counts().unencodable, 1);
/// assert_eq!(transcoder.counts().skipped, 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Ill-formed sequences in the input, without those tolerated.
    pub ill_formed: u64,
    /// Code points that the output encoding lacks.
    pub unencodable: u64,
    /// Ill-formed sequences and unencodable code points that were left out.
    pub skipped: u64,
    /// Ill-formed sequences that were accepted because of
    /// [`Options::utf7_tolerance`](crate::Options::utf7_tolerance). They are in no other count.
    pub tolerated: u64,
    /// The deviations that were tolerated.
    pub tolerance: Utf7Tolerance,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.ill_formed += other.ill_formed;
        self.unencodable += other.unencodable;
        self.skipped += other.skipped;
        self.tolerated += other.tolerated;
        self.tolerance |= other.tolerance;
    }
}
