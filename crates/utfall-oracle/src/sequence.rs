//! Sequences of a lead byte and continuation bytes, as in UTF-8, its relatives and UTF-EBCDIC.
//!
//! The rule of §1 is applied literally: bytes are read as long as they are the beginning of some
//! well-formed sequence. That is determined from the least and the greatest value that the missing
//! bytes could still produce.

/// The rules for well-formed sequences of a format.
pub(crate) struct Scheme {
    /// The value of the lead byte's own bits, and the number of continuation bytes that it
    /// announces; None for a byte that is not a lead.
    pub(crate) lead: fn(u8) -> Option<(u32, u32)>,
    /// The value of a continuation byte's bits; None for any other byte.
    pub(crate) trail: fn(u8) -> Option<u32>,
    /// Number of bits in a continuation byte.
    pub(crate) bits: u32,
    /// The least value by number of continuation bytes: the shortest form rule.
    pub(crate) least: [u32; 6],
    /// The greatest value.
    pub(crate) greatest: u32,
    /// First and last of a range of values that are rejected.
    pub(crate) refused: Option<(u32, u32)>,
}

/// The sequence at the start of some bytes, and its length.
pub(crate) enum Found {
    Point(u32, usize),
    Ill(usize),
}

/// Reads one sequence; `byte(0)` is its first byte and must exist.
pub(crate) fn read(scheme: &Scheme, byte: impl Fn(usize) -> Option<u8>) -> Found {
    let first = byte(0).expect("at least one byte");
    let Some((lead, trailing)) = (scheme.lead)(first) else {
        return Found::Ill(1);
    };
    let mut value = lead;
    let mut taken = 0;
    loop {
        // All remaining bytes with every bit clear, and with every bit set.
        let missing = scheme.bits * (trailing - taken);
        let low = value << missing;
        let high = low | ((1 << missing) - 1);
        if !scheme.reaches(low, high, trailing) {
            // The last byte read cannot be completed. It is not part of the sequence, unless it is
            // the lead byte itself.
            return Found::Ill(taken.max(1) as usize);
        }
        if taken == trailing {
            return Found::Point(value, taken as usize + 1);
        }
        match byte(taken as usize + 1).and_then(scheme.trail) {
            Some(payload) => value = value << scheme.bits | payload,
            None => return Found::Ill(taken as usize + 1),
        }
        taken += 1;
    }
}

impl Scheme {
    /// Whether any of the values `low..=high` is well-formed with that many continuation bytes.
    fn reaches(&self, low: u32, high: u32, trailing: u32) -> bool {
        let low = low.max(self.least[trailing as usize]);
        let high = high.min(self.greatest);
        let all_refused = match self.refused {
            Some((first, last)) => first <= low && high <= last,
            None => false,
        };
        low <= high && !all_refused
    }
}
