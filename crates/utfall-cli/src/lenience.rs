//! What may pass in UTF-7, and what has.

use utfall::Utf7Leniences;

use crate::failure::Failure;
use crate::message;

/// All that `--utf7-allow` names.
pub(crate) fn allowed(flags: &[Utf7Leniences]) -> Result<Utf7Leniences, Failure> {
    use Utf7Leniences as L;
    let all = flags.iter().fold(L::NONE, |all, flag| all | *flag);
    for (one, other) in
        [(L::END_SHIFT_DROPPED, L::END_SHIFT_KEPT), (L::EMPTY_SHIFT_DROPPED, L::EMPTY_SHIFT_KEPT)]
    {
        if all.contains(one | other) {
            let names: Vec<_> = (one | other).names().collect();
            return Err(Failure::Usage(format!("--utf7-allow: {}", names.join(" or "))));
        }
    }
    Ok(all)
}

/// `3 ill-formed sequences passed (controls, latin1)`.
pub(crate) fn passed(count: u64, by: Utf7Leniences) -> String {
    let names: Vec<_> = by.names().collect();
    let count = message::count(count, "ill-formed sequence");
    format!("{count} passed ({})", names.join(", "))
}
