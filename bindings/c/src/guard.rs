//! Panics stop here: they must not unwind into C.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body`. If it panics, the answer is `bug`.
#[inline]
pub(crate) fn guard<T>(bug: T, body: impl FnOnce() -> T) -> T {
    let body = || {
        #[cfg(test)]
        tests::panic_on_request();
        body()
    };
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
    use std::cell::Cell;
    use std::ffi::c_char;
    use std::fs;
    use std::path::Path;
    use std::ptr::{null, null_mut};

    use super::*;
    use crate::*;

    thread_local! {
        static IS_PANIC_REQUESTED: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) fn panic_on_request() {
        if IS_PANIC_REQUESTED.take() {
            panic!("a panic that the test expects");
        }
    }

    #[test]
    fn a_panic_is_answered() {
        assert_eq!(guard(7, || panic!("a panic that the test expects")), 7);
        assert_eq!(guard(7, || 8), 8);
    }

    /// These do nothing that could panic.
    const UNGUARDED: [&str; 5] = [
        "utfall_encoding_at",
        "utfall_kind_name",
        "utfall_options_init",
        "utfall_report_options_init",
        "utfall_version",
    ];

    /// What a function returns.
    trait Answer {
        /// Whether that means a bug.
        fn means_bug(self) -> bool;
    }

    impl Answer for utfall_status {
        fn means_bug(self) -> bool {
            self == UTFALL_BUG
        }
    }

    impl Answer for utfall_progress {
        fn means_bug(self) -> bool {
            self == utfall_progress::with_status(UTFALL_BUG)
        }
    }

    impl Answer for utfall_encoding {
        fn means_bug(self) -> bool {
            self == 0
        }
    }

    impl Answer for usize {
        fn means_bug(self) -> bool {
            self == 0
        }
    }

    impl Answer for *const c_char {
        fn means_bug(self) -> bool {
            self.is_null()
        }
    }

    impl Answer for *mut utfall_stream {
        fn means_bug(self) -> bool {
            self.is_null()
        }
    }

    impl Answer for () {
        fn means_bug(self) -> bool {
            true
        }
    }

    unsafe extern "C" fn accept(_: *mut std::ffi::c_void, _: *const c_char, _: usize) -> bool {
        true
    }

    /// The names of functions, and calls that would succeed if there were no panic.
    macro_rules! calls {
        ($($name:ident($($argument:expr),*);)*) => {
            [$((
                stringify!($name),
                // SAFETY: NULL has no length, and other pointers are to one element.
                (|| unsafe { $name($($argument),*).means_bug() }) as fn() -> bool,
            )),*]
        };
    }

    /// Each exported function, called while the library panics: the answer is that of a bug, and nothing unwinds,
    /// which would end the program.
    #[test]
    #[allow(unused_unsafe)]
    fn every_function_answers_a_panic() {
        let calls = calls! {
            utfall_alias(1, 0);
            utfall_character_name(0x41, null_mut(), 0);
            utfall_check_json(null(), 0, null(), None, null_mut(), null_mut());
            utfall_detect(c"a".as_ptr().cast(), 1, null(), null_mut());
            utfall_detect_json(null(), 0, null(), Some(accept), null_mut());
            utfall_error_clause(&utfall_error { kind: 4, encoding: 1, ..Default::default() }, null_mut(), 0);
            utfall_error_message(&utfall_error { kind: 4, encoding: 1, ..Default::default() }, null_mut(), 0);
            utfall_explain_json(null(), 0, null(), Some(accept), null_mut());
            utfall_explain_mail_json(null(), 0, null(), Some(accept), null_mut());
            utfall_for_bom(c"\xFF\xFE".as_ptr().cast(), 2, null_mut());
            utfall_for_label(c"utf8".as_ptr(), 4);
            utfall_for_label_in(c"utf8".as_ptr(), 4, 1);
            utfall_get_info(1, mem::MaybeUninit::<utfall_info>::uninit().as_mut_ptr());
            utfall_imap_decode(null(), 0, null_mut(), 0, &mut 0, null_mut());
            utfall_imap_encode(null(), 0, null_mut(), 0, &mut 0, null_mut());
            utfall_label_message(c"utf9".as_ptr(), 4, null_mut(), 0);
            utfall_latin1_to_utf16(null(), 0, null_mut(), 0);
            utfall_latin1_to_utf16_length(null(), 0, &mut 0, null_mut());
            utfall_latin1_to_utf32(null(), 0, null_mut(), 0);
            utfall_latin1_to_utf32_length(null(), 0, &mut 0, null_mut());
            utfall_latin1_to_utf8(null(), 0, null_mut(), 0);
            utfall_latin1_to_utf8_length(null(), 0, &mut 0, null_mut());
            utfall_name(1);
            utfall_options_set(null_mut(), null(), 0, null(), 0, null_mut(), 0);
            utfall_repair(null(), 0, null(), None, null_mut(), None, null_mut(), null_mut());
            utfall_stream_counts(null(), null_mut());
            utfall_stream_finish(null_mut(), null(), 0, null_mut(), 0);
            utfall_stream_fork(null());
            utfall_stream_free(null_mut());
            utfall_stream_new(1, 1, null());
            utfall_stream_push(null_mut(), null(), 0, null_mut(), 0);
            utfall_stream_reset(null_mut());
            utfall_transcode(1, 1, null(), null(), 0, null_mut(), 0);
            utfall_transcoded_length(1, 1, null(), null(), 0, &mut 0, null_mut());
            utfall_utf16_to_latin1(null(), 0, null_mut(), 0);
            utfall_utf16_to_latin1_length(null(), 0, &mut 0, null_mut());
            utfall_utf16_to_utf32(null(), 0, null_mut(), 0);
            utfall_utf16_to_utf32_length(null(), 0, &mut 0, null_mut());
            utfall_utf16_to_utf8(null(), 0, null_mut(), 0);
            utfall_utf16_to_utf8_length(null(), 0, &mut 0, null_mut());
            utfall_utf16_validate(null(), 0, null_mut());
            utfall_utf32_to_latin1(null(), 0, null_mut(), 0);
            utfall_utf32_to_latin1_length(null(), 0, &mut 0, null_mut());
            utfall_utf32_to_utf16(null(), 0, null_mut(), 0);
            utfall_utf32_to_utf16_length(null(), 0, &mut 0, null_mut());
            utfall_utf32_to_utf8(null(), 0, null_mut(), 0);
            utfall_utf32_to_utf8_length(null(), 0, &mut 0, null_mut());
            utfall_utf32_validate(null(), 0, null_mut());
            utfall_utf8_to_latin1(null(), 0, null_mut(), 0);
            utfall_utf8_to_latin1_length(null(), 0, &mut 0, null_mut());
            utfall_utf8_to_utf16(null(), 0, null_mut(), 0);
            utfall_utf8_to_utf16_length(null(), 0, &mut 0, null_mut());
            utfall_utf8_to_utf32(null(), 0, null_mut(), 0);
            utfall_utf8_to_utf32_length(null(), 0, &mut 0, null_mut());
            utfall_utf8_validate(null(), 0, null_mut());
            utfall_validate(1, null(), 0, null_mut());
        };
        for (name, means_bug) in calls {
            IS_PANIC_REQUESTED.set(true);
            assert!(means_bug(), "{name}");
            assert!(!IS_PANIC_REQUESTED.get(), "{name} is not guarded");
        }
        let mut listed: Vec<_> = calls.map(|(name, _)| name).into();
        listed.extend(UNGUARDED);
        listed.sort_unstable();
        assert_eq!(listed, exported());
    }

    /// The names of all exported functions.
    fn exported() -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            let functions = text.split(concat!("#[unsafe", "(no_mangle)]")).skip(1);
            names.extend(functions.map(|part| {
                let (_, name) = part.split_once("fn ").unwrap();
                name.split('(').next().unwrap().to_owned()
            }));
        }
        names.sort_unstable();
        names
    }
}
