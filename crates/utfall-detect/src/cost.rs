//! The unit of costs.

/// Bits in sixteenths; integers make sums the same on every machine.
pub(crate) type Bits = i64;

/// Converts whole bits to sixteenths.
pub(crate) const fn bits(whole: Bits) -> Bits {
    whole * 16
}
