//! Sequences of a lead octet and trailing octets: what UTF-8, its relatives and
//! UTF-EBCDIC have in common.
//!
//! The rule of §1 is applied as it is worded: octets are taken while they are
//! the beginning of some well-formed sequence. Whether they are is seen from the
//! least and the greatest value that the missing octets could still make of them.

/// What a format calls well-formed.
pub(crate) struct Scheme {
    /// The value of the lead octet's own bits, and how many trailing octets it
    /// announces; None for an octet that leads nothing.
    pub(crate) lead: fn(u8) -> Option<(u32, u32)>,
    /// The value of a trailing octet's bits; None for any other octet.
    pub(crate) trail: fn(u8) -> Option<u32>,
    /// How many bits a trailing octet carries.
    pub(crate) bits: u32,
    /// The least value by number of trailing octets: the shortest form rule.
    pub(crate) least: [u32; 6],
    /// The greatest value.
    pub(crate) greatest: u32,
    /// First and last of a range of values that are refused.
    pub(crate) refused: Option<(u32, u32)>,
}

/// What stands at the start of some octets, and how many of them it takes.
pub(crate) enum Found {
    Point(u32, usize),
    Ill(usize),
}

/// Reads one sequence; `octet(0)` is its first octet and must be there.
pub(crate) fn read(scheme: &Scheme, octet: impl Fn(usize) -> Option<u8>) -> Found {
    let first = octet(0).expect("at least one octet");
    let Some((lead, trailing)) = (scheme.lead)(first) else {
        return Found::Ill(1);
    };
    let mut value = lead;
    let mut taken = 0;
    loop {
        // All octets to come with every bit clear, and with every bit set.
        let missing = scheme.bits * (trailing - taken);
        let low = value << missing;
        let high = low | ((1 << missing) - 1);
        if !scheme.reaches(low, high, trailing) {
            // The octet taken last leads nowhere. It is not part of the
            // sequence, unless it is the lead octet itself.
            return Found::Ill(taken.max(1) as usize);
        }
        if taken == trailing {
            return Found::Point(value, taken as usize + 1);
        }
        match octet(taken as usize + 1).and_then(scheme.trail) {
            Some(payload) => value = value << scheme.bits | payload,
            None => return Found::Ill(taken as usize + 1),
        }
        taken += 1;
    }
}

impl Scheme {
    /// Whether any of the values `low..=high` is well-formed with that many
    /// trailing octets.
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
