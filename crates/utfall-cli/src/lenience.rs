//! Deviations in UTF-7 that `--utf7-allow` accepts, and reports of accepted ones.

use utfall::{ErrorKind, Family, Utf7Tolerance};

use crate::failure::Failure;
use crate::message;

/// All deviations that `--utf7-allow` names.
pub(crate) fn allowed(flags: &[Utf7Tolerance]) -> Result<Utf7Tolerance, Failure> {
    let all = flags.iter().fold(Utf7Tolerance::NONE, |all, flag| all | *flag);
    match utfall_bind::options::conflict(all) {
        Some(names) => Err(Failure::Usage(format!("--utf7-allow: {names}"))),
        None => Ok(all),
    }
}

/// `3 invalid sequences accepted (controls, latin1)`.
pub(crate) fn passed(count: u64, by: Utf7Tolerance) -> String {
    let names: Vec<_> = by.names().collect();
    let count = message::count(count, "invalid sequence");
    format!("{count} accepted ({})", names.join(", "))
}

/// The deviation that would accept this error of UTF-7 and little else.
pub(crate) fn that_passes(error: &utfall::Error) -> Option<&'static str> {
    use ErrorKind as K;
    if error.encoding().info().family != Family::Utf7 {
        return None;
    }
    let lenience = match error.kind() {
        K::Truncated => Utf7Tolerance::END_SHIFT_KEPT,
        K::EmptyShift => Utf7Tolerance::EMPTY_SHIFT_KEPT,
        K::NonZeroPadding => Utf7Tolerance::NON_ZERO_PADDING,
        K::Control => Utf7Tolerance::CONTROLS,
        K::NotDirect => Utf7Tolerance::BACKSLASH_TILDE,
        K::EightBit => Utf7Tolerance::LATIN1,
        K::EncodedAscii => Utf7Tolerance::ENCODED_ASCII,
        K::NullShift => Utf7Tolerance::NULL_SHIFT,
        K::Unterminated => Utf7Tolerance::UNTERMINATED,
        _ => return None,
    };
    lenience.names().next()
}
