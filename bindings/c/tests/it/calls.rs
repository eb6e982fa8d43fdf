//! The functions, called as C calls them.

use std::ffi::{CStr, c_char, c_void};
use std::{mem, ptr};

use utfall::Encoding;
use utfall_c::*;

use crate::vectors::initial;

const UTF8: u16 = Encoding::Utf8 as u16;
const UTF16LE: u16 = Encoding::Utf16Le as u16;

/// A writer that collects everything in a `Vec`, and stops after a number of calls.
struct Collected {
    text: Vec<u8>,
    calls: usize,
    most: usize,
}

impl Collected {
    fn new(most: usize) -> Self {
        Self { text: Vec::new(), calls: 0, most }
    }

    fn context(&mut self) -> *mut c_void {
        ptr::from_mut(self).cast()
    }
}

unsafe extern "C" fn collect(context: *mut c_void, bytes: *const c_char, length: usize) -> bool {
    // SAFETY: the tests pass a `Collected`, and the library a text of this length.
    let (collected, bytes) = unsafe {
        (&mut *context.cast::<Collected>(), std::slice::from_raw_parts(bytes.cast::<u8>(), length))
    };
    collected.text.extend_from_slice(bytes);
    collected.calls += 1;
    collected.calls < collected.most
}

fn text(text: *const c_char) -> &'static str {
    assert!(!text.is_null());
    // SAFETY: a constant string that ends with NUL.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap()
}

#[test]
fn encodings() {
    assert_eq!(text(utfall_version()), env!("CARGO_PKG_VERSION"));
    // SAFETY: lengths of the labels; NULL has none.
    unsafe {
        assert_eq!(utfall_for_label(c"Latin1".as_ptr(), 6), Encoding::Iso8859_1 as u16);
        assert_eq!(utfall_for_label(c"klingon".as_ptr(), 7), 0);
        assert_eq!(utfall_for_label(ptr::null(), 0), 0);
        assert_eq!(utfall_for_label(ptr::null(), 3), 0);
        let latin5 = |labels| utfall_for_label_in(c"ISO-8859-9".as_ptr(), 10, labels);
        let numbers = [
            Encoding::Windows1254,
            Encoding::Windows1254,
            Encoding::Iso8859_9Glibc,
            Encoding::Iso8859_9Glibc,
        ];
        assert_eq!([0, 1, 2, 3].map(latin5), numbers.map(|encoding| encoding as u16));
        assert_eq!((latin5(4), utfall_for_label_in(ptr::null(), 3, 1)), (0, 0));
        let mut length = 9;
        let mark = b"\xFF\xFEa\0";
        assert_eq!(utfall_for_bom(mark.as_ptr().cast(), 4, &mut length), Encoding::Utf16Le as u16);
        assert_eq!(length, 2);
        assert_eq!(utfall_for_bom(ptr::null(), 0, ptr::null_mut()), 0);
    }
    for (index, encoding) in Encoding::ALL.iter().enumerate() {
        let number = utfall_encoding_at(index);
        assert_eq!(number, *encoding as u16);
        assert_eq!(text(utfall_name(number)), encoding.name());
        let info = encoding.info();
        for (at, alias) in info.aliases.iter().enumerate() {
            assert_eq!(text(utfall_alias(number, at)), *alias);
        }
        assert!(utfall_alias(number, info.aliases.len()).is_null());
        let mut found = mem::MaybeUninit::uninit();
        // SAFETY: the function initializes all of it.
        let found = unsafe {
            assert_eq!(utfall_get_info(number, found.as_mut_ptr()), UTFALL_OK);
            found.assume_init()
        };
        assert_eq!(text(found.specification), info.specification);
        assert_eq!(
            (usize::from(found.code_unit), found.bom_length),
            (info.code_unit, info.signature.len())
        );
        let flag = |flag| found.flags & flag != 0;
        assert_eq!(flag(UTFALL_INFO_STATEFUL), info.stateful);
        assert_eq!(flag(UTFALL_INFO_SELF_SYNCHRONIZING), info.is_self_synchronizing());
        // The typed functions have the byte order of the machine.
        assert!(!(flag(UTFALL_INFO_BIG_ENDIAN) && flag(UTFALL_INFO_LITTLE_ENDIAN)));
    }
    assert_eq!(utfall_encoding_at(Encoding::ALL.len()), 0);
    assert!(utfall_name(0).is_null() && utfall_name(u16::MAX).is_null());
    // SAFETY: NULL is answered.
    assert_eq!(unsafe { utfall_get_info(UTF8, ptr::null_mut()) }, UTFALL_INVALID_ARGUMENT);
}

#[test]
fn errors_have_their_place() {
    let input = "é\nab\u{20AC}".as_bytes();
    let bad = [input, b"\xFF\xFF"].concat();
    let mut error = utfall_error::default();
    // SAFETY: pointers and lengths of slices.
    unsafe {
        let status = utfall_validate(UTF8, bad.as_ptr().cast(), bad.len(), &mut error);
        assert_eq!(status, UTFALL_INVALID_TEXT);
        assert_eq!((error.offset, error.length, error.line, error.column), (8, 1, 2, 4));
        assert_eq!((error.kind, error.encoding), (UTFALL_KIND_INVALID_BYTE, UTF8));
        assert_eq!(utfall_validate(UTF8, input.as_ptr().cast(), 8, &mut error), UTFALL_OK);
        assert_eq!(error, utfall_error::default());

        let latin1 = Encoding::Iso8859_1 as u16;
        let mut out = [0_u8; 16];
        let progress = utfall_transcode(
            UTF8,
            latin1,
            ptr::null(),
            input.as_ptr().cast(),
            8,
            out.as_mut_ptr().cast(),
            16,
        );
        assert_eq!(progress.status, UTFALL_INVALID_TEXT);
        assert_eq!((progress.read, progress.written, &out[..4]), (8, 4, &b"\xE9\nab"[..]));
        let error = progress.error;
        assert_eq!((error.kind, error.code_point), (UTFALL_KIND_UNENCODABLE, 0x20AC));
        assert_eq!((error.line, error.column, error.encoding), (2, 3, latin1));
        let mut message = [0x7F_u8; 10];
        let place = message.as_mut_ptr().cast();
        assert_eq!(utfall_error_message(&error, place, 10), 44);
        assert_eq!(&message, b"U+20AC \"\0\x7F");
        assert_eq!(utfall_error_message(&error, ptr::null_mut(), 0), 44);
        assert_eq!(utfall_error_message(ptr::null(), place, 10), 0);
        let unknown = utfall_error { kind: 99, ..error };
        assert_eq!(utfall_error_clause(&unknown, place, 10), 0);
    }
}

#[test]
fn wrong_arguments_are_answered() {
    let mut out = [0_u8; 4];
    let place: *mut c_void = out.as_mut_ptr().cast();
    let input: *const c_void = b"ab".as_ptr().cast();
    // SAFETY: lengths of the arrays, or NULL.
    unsafe {
        let call = |from, to, options: *const utfall_options, input, length, place, capacity| {
            utfall_transcode(from, to, options, input, length, place, capacity).status
        };
        assert_eq!(call(UTF8, UTF16LE, ptr::null(), input, 2, place, 4), UTFALL_OK);
        assert_eq!(call(UTF8, UTF16LE, ptr::null(), input, 2, place, 3), UTFALL_OUTPUT_FULL);
        assert_eq!(call(UTF8, UTF16LE, ptr::null(), ptr::null(), 0, ptr::null_mut(), 0), UTFALL_OK);
        let wrong = UTFALL_INVALID_ARGUMENT;
        assert_eq!(call(0, UTF16LE, ptr::null(), input, 2, place, 4), wrong);
        assert_eq!(call(UTF8, 9, ptr::null(), input, 2, place, 4), wrong);
        assert_eq!(call(UTF8, UTF16LE, ptr::null(), ptr::null(), 2, place, 4), wrong);
        assert_eq!(call(UTF8, UTF16LE, ptr::null(), input, 2, ptr::null_mut(), 4), wrong);
        assert_eq!(call(UTF8, UTF16LE, ptr::null(), input, usize::MAX, place, 4), wrong);
        let changes: [fn(&mut utfall_options); 10] = [
            |it| it.size = 0,
            |it| it.on_invalid = 7,
            |it| it.on_unencodable = 255,
            |it| it.granularity = 4,
            |it| it.bom = 4,
            |it| it.utf7 = 1 << 20,
            |it| it.transliterate = 2,
            |it| it.double_mappings = 5,
            |it| it.jis_x_0212 = 2,
            |it| it.replacement_length = 1,
        ];
        for (index, change) in changes.iter().enumerate() {
            let mut options = initial();
            change(&mut options);
            assert_eq!(call(UTF8, UTF16LE, &options, input, 2, place, 4), wrong, "{index}");
            assert!(utfall_stream_new(UTF8, UTF16LE, &options).is_null(), "{index}");
        }
        assert_eq!(utfall_validate(UTF8, ptr::null(), 1, ptr::null_mut()), wrong);
        let no_length = ptr::null_mut();
        let status = utfall_transcoded_length(
            UTF8,
            UTF16LE,
            ptr::null(),
            input,
            2,
            no_length,
            ptr::null_mut(),
        );
        assert_eq!(status, wrong);
        assert_eq!(utfall_stream_push(ptr::null_mut(), input, 2, place, 4).status, wrong);
        assert!(utfall_stream_fork(ptr::null()).is_null());
        utfall_stream_reset(ptr::null_mut());
        utfall_stream_free(ptr::null_mut());
        utfall_options_init(ptr::null_mut());
        utfall_report_options_init(ptr::null_mut());
        assert_eq!(utfall_explain_json(input, 2, ptr::null(), None, ptr::null_mut()), wrong);
        assert_eq!(utfall_explain_mail_json(input, 2, ptr::null(), None, ptr::null_mut()), wrong);
        assert_eq!(
            utfall_imap_encode(
                c"a".as_ptr(),
                1,
                ptr::null_mut(),
                0,
                ptr::null_mut(),
                ptr::null_mut()
            ),
            wrong
        );
        assert_eq!(utfall_utf16_validate(ptr::null(), 1, ptr::null_mut()), wrong);
        // An address that is not aligned.
        let odd = out.as_ptr().cast::<u8>().wrapping_add(1 - out.as_ptr() as usize % 2).cast();
        assert_eq!(utfall_utf16_validate(odd, 1, ptr::null_mut()), wrong);
    }
}

#[test]
fn policies_apply() {
    let mut options = initial();
    let mut message = [0_u8; 100];
    let input = "a€b\u{FEFF}".as_bytes();
    let mut out = [0_u8; 32];
    let mut convert = |options: &utfall_options| {
        let (place, to) = (out.as_mut_ptr().cast(), Encoding::UsAscii as u16);
        // SAFETY: pointers and lengths of slices.
        let progress = unsafe {
            utfall_transcode(UTF8, to, options, input.as_ptr().cast(), 5, place, out.len())
        };
        assert_eq!(progress.status, UTFALL_OK);
        String::from_utf8(out[..progress.written].to_vec()).unwrap()
    };
    options.on_unencodable = UTFALL_REPLACE;
    assert_eq!(convert(&options), "a?b");
    options.on_unencodable = UTFALL_ESCAPE_XML;
    assert_eq!(convert(&options), "a&#8364;b");
    options.transliterate = 1;
    assert_eq!(convert(&options), "aEURb");
    options.transliterate = 0;
    let mut set = |name: &str, value: &'static str, options: &mut utfall_options| {
        // SAFETY: pointers and lengths of slices.
        unsafe {
            utfall_options_set(
                options,
                name.as_ptr().cast(),
                name.len(),
                value.as_ptr().cast(),
                value.len(),
                message.as_mut_ptr().cast(),
                message.len(),
            )
        }
    };
    assert_eq!(set("on-error", "replace", &mut options), UTFALL_OK);
    assert_eq!(set("substitute", "<euro>", &mut options), UTFALL_OK);
    assert_eq!(convert(&options), "a<euro>b");
    assert_eq!(set("utf7", "header,explicit", &mut options), UTFALL_OK);
    assert_eq!(options.utf7, UTFALL_UTF7_SHIFT_SET_O | UTFALL_UTF7_EXPLICIT_CLOSE);
    assert_eq!(set("bom", "none", &mut options), UTFALL_INVALID_ARGUMENT);
    let message = CStr::from_bytes_until_nul(&message).unwrap().to_str().unwrap();
    assert_eq!(message, "bom: unknown value \"none\"; expected auto, keep, strip or add");
}

#[test]
fn units_are_counted_in_units() {
    let text: Vec<u16> = "a😀é".encode_utf16().collect();
    let mut points = [0_u32; 4];
    let mut length = 0;
    // SAFETY: pointers and lengths of slices.
    unsafe {
        let progress = utfall_utf16_to_utf32(text.as_ptr(), text.len(), points.as_mut_ptr(), 4);
        assert_eq!((progress.status, progress.read, progress.written), (UTFALL_OK, 4, 3));
        assert_eq!(points, [0x61, 0x1F600, 0xE9, 0]);
        let status = utfall_utf32_to_utf8_length(points.as_ptr(), 3, &mut length, ptr::null_mut());
        assert_eq!((status, length), (UTFALL_OK, 7));
        let mut out = [0_u8; 7];
        let progress = utfall_utf32_to_utf8(points.as_ptr(), 3, out.as_mut_ptr().cast(), 7);
        assert_eq!((progress.written, &out[..]), (7, "a😀é".as_bytes()));
        let mut units = [0_u16; 3];
        let progress = utfall_utf8_to_utf16(out.as_ptr().cast(), 7, units.as_mut_ptr(), 2);
        assert_eq!((progress.status, progress.read, progress.written), (UTFALL_OUTPUT_FULL, 1, 1));

        let mut error = utfall_error::default();
        let lone = [0x61, 0xD800, 0x62];
        assert_eq!(utfall_utf16_validate(lone.as_ptr(), 3, &mut error), UTFALL_INVALID_TEXT);
        assert_eq!((error.offset, error.length, error.line, error.column), (1, 1, 1, 2));
        let high = [0x61, 0x11_0000_u32];
        assert_eq!(utfall_utf32_validate(high.as_ptr(), 2, &mut error), UTFALL_INVALID_TEXT);
        assert_eq!((error.offset, error.length), (1, 1));
        let progress = utfall_utf16_to_latin1(text.as_ptr(), 4, out.as_mut_ptr().cast(), 7);
        assert_eq!((progress.status, progress.error.offset), (UTFALL_INVALID_TEXT, 1));
        assert_eq!(progress.error.code_point, 0x1F600);
    }
}

#[test]
fn streams_can_be_reset() {
    // SAFETY: pointers and lengths of slices, and a stream that is freed once.
    unsafe {
        let stream = utfall_stream_new(UTF8, UTF16LE, ptr::null());
        let mut out = [0_u8; 8];
        let place = out.as_mut_ptr().cast();
        let progress = utfall_stream_push(stream, b"\xE2\x82".as_ptr().cast(), 2, place, 8);
        assert_eq!((progress.status, progress.read, progress.written), (UTFALL_OK, 2, 0));
        let progress = utfall_stream_finish(stream, ptr::null(), 0, place, 8);
        assert_eq!(progress.status, UTFALL_INVALID_TEXT);
        let mut counts = utfall_counts::default();
        assert_eq!(utfall_stream_counts(stream, &mut counts), UTFALL_OK);
        assert_eq!(counts.ill_formed, 1);
        utfall_stream_reset(stream);
        let progress = utfall_stream_finish(stream, b"ab".as_ptr().cast(), 2, place, 8);
        assert_eq!((progress.status, progress.written), (UTFALL_OK, 4));
        utfall_stream_free(stream);
    }
}

#[test]
fn reports_are_those_of_the_command() {
    let input = b"a\xC0\xAE\n";
    let mut expected = Vec::new();
    utfall_bind::explain::explain(input, &Default::default(), &mut expected).unwrap();
    let mut found = Collected::new(usize::MAX);
    let start = input.as_ptr().cast();
    // SAFETY: pointers and lengths of slices, and a writer that accepts the context.
    unsafe {
        let status = utfall_explain_json(start, 4, ptr::null(), Some(collect), found.context());
        assert_eq!((status, &found.text), (UTFALL_OK, &expected));
        assert_eq!(found.calls, expected.iter().filter(|byte| **byte == b'\n').count());
        let mut first = Collected::new(1);
        let status = utfall_explain_json(start, 4, ptr::null(), Some(collect), first.context());
        assert_eq!((status, first.calls), (UTFALL_STOPPED, 1));

        let mut options = mem::MaybeUninit::uninit();
        utfall_report_options_init(options.as_mut_ptr());
        let mut options = options.assume_init();
        (options.levels, options.levels_length) = (c"ill-formed=warning".as_ptr(), 18);
        let (mut found, mut counts) = (Collected::new(usize::MAX), utfall_check_counts::default());
        let status =
            utfall_check_json(start, 4, &options, Some(collect), found.context(), &mut counts);
        assert_eq!((status, counts.errors, counts.warnings, counts.valid), (UTFALL_OK, 0, 1, 0));
        assert!(String::from_utf8(found.text).unwrap().contains(r#""level":"warning""#));
        (options.levels, options.levels_length) = (c"ill=warning".as_ptr(), 11);
        let status = utfall_check_json(start, 4, &options, None, ptr::null_mut(), ptr::null_mut());
        assert_eq!(status, UTFALL_INVALID_ARGUMENT);

        let mojibake = "d\u{C3}\u{A9}j\u{C3}\u{A0} vu";
        let (mut text, mut report) = (Collected::new(usize::MAX), Collected::new(usize::MAX));
        let mut changes = 0;
        let status = utfall_repair(
            mojibake.as_ptr().cast(),
            mojibake.len(),
            ptr::null(),
            Some(collect),
            text.context(),
            Some(collect),
            report.context(),
            &mut changes,
        );
        assert_eq!((status, changes, &text.text[..]), (UTFALL_OK, 2, "déjà vu".as_bytes()));
        assert!(String::from_utf8(report.text).unwrap().contains(r#""action":"repaired""#));

        let greek = "Μήνιν ἄειδε, θεά";
        let mut confidence = 0.0;
        let best = utfall_detect(greek.as_ptr().cast(), greek.len(), ptr::null(), &mut confidence);
        assert!(best == UTF8 && confidence > 0.99);
        let mut found = Collected::new(usize::MAX);
        let (start, length) = (greek.as_ptr().cast(), greek.len());
        let status = utfall_detect_json(start, length, ptr::null(), Some(collect), found.context());
        assert_eq!(status, UTFALL_OK);
        assert!(String::from_utf8(found.text).unwrap().contains(r#""encoding":"UTF-8""#));

        let mut name = [0_u8; 32];
        assert_eq!(utfall_character_name(0x20AC, name.as_mut_ptr().cast(), 32), 9);
        assert_eq!(&name[..10], b"EURO SIGN\0");
    }
}

#[test]
fn mailbox_names() {
    let mut out = [0_u8; 32];
    let place: *mut c_char = out.as_mut_ptr().cast();
    let (mut length, mut error) = (0, utfall_error::default());
    let name = "Entwürfe & co";
    // SAFETY: pointers and lengths of slices.
    unsafe {
        let (start, size) = (name.as_ptr().cast(), name.len());
        let status = utfall_imap_encode(start, size, place, 32, &mut length, &mut error);
        assert_eq!(status, UTFALL_OK);
        assert_eq!(&out[..length], b"Entw&APw-rfe &- co");
        let status = utfall_imap_encode(start, size, place, length - 1, &mut length, &mut error);
        assert_eq!((status, length), (UTFALL_OUTPUT_FULL, 18));
        let encoded = out;
        let start = encoded.as_ptr().cast();
        let status = utfall_imap_decode(start, 18, place, 32, &mut length, &mut error);
        assert_eq!((status, &out[..length]), (UTFALL_OK, name.as_bytes()));
        let bad = b"a&b";
        let status = utfall_imap_decode(bad.as_ptr().cast(), 3, place, 32, &mut length, &mut error);
        assert_eq!((status, error.offset), (UTFALL_INVALID_TEXT, 1));
        let status = utfall_imap_encode(c"\xFF".as_ptr(), 1, place, 32, &mut length, &mut error);
        assert_eq!((status, error.kind), (UTFALL_INVALID_TEXT, UTFALL_KIND_INVALID_BYTE));
    }
}
