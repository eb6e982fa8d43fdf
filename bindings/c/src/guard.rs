//! Panics stop here: they must not unwind into C.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body`. If it panics, the answer is `bug`.
pub(crate) fn guard<T>(bug: T, body: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result,
        Err(payload) => {
            // Dropping it could panic again.
            mem::forget(payload);
            bug
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_answered() {
        assert_eq!(guard(7, || panic!("a panic that the test expects")), 7);
        assert_eq!(guard(7, || 8), 8);
    }
}
