//! Detection, repair, explanation and check.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use serde_json::Value;
use utfall_bind::guess::rounded;
use utfall_c::*;

use super::{Case, number_of};
use crate::vectors::initial;

/// A writer that collects everything in a `Vec`.
unsafe extern "C" fn collect(context: *mut c_void, bytes: *const c_char, length: usize) -> bool {
    // SAFETY: the tests pass a vector, and the library a text of this length.
    let (all, bytes) = unsafe {
        (&mut *context.cast::<Vec<u8>>(), std::slice::from_raw_parts(bytes.cast::<u8>(), length))
    };
    all.extend_from_slice(bytes);
    true
}

/// The options of a case. They point into it.
fn options(case: Case<'_>) -> utfall_report_options {
    let mut options = MaybeUninit::uninit();
    // SAFETY: the function initializes all of it.
    let mut options = unsafe {
        utfall_report_options_init(options.as_mut_ptr());
        options.assume_init()
    };
    for (name, value) in case.object("options") {
        let flag = || u8::from(value.as_bool().unwrap());
        let number = || value.as_u64().unwrap();
        let text = || (value.as_str().unwrap().as_ptr().cast(), value.as_str().unwrap().len());
        match name.as_str() {
            "encoding" => options.encoding = number_of(value.as_str().unwrap()),
            "all" => options.all = flag(),
            "only_problems" => options.only_problems = flag(),
            "only_layers" => options.only_layers = flag(),
            "json_escapes" => options.json_escapes = flag(),
            "html_entities" => options.html_entities = flag(),
            "percent_encoding" => options.percent_encoding = flag(),
            "force" => options.force = flag(),
            "concealed" => options.concealed = flag(),
            "candidates" => options.candidates = number() as u32,
            "utf7_allow" => options.utf7 = flags(value.as_str().unwrap()),
            "begin" => options.begin = number(),
            "end" => options.end = number(),
            "min_confidence" => options.min_confidence = value.as_f64().unwrap(),
            "language" => (options.language, options.language_length) = text(),
            "levels" => (options.levels, options.levels_length) = text(),
            "name" => (options.name, options.name_length) = text(),
            other => panic!("no test for the option {other}"),
        }
    }
    options
}

/// UTFALL_UTF7_ values by their words.
fn flags(words: &str) -> u32 {
    let (mut options, name) = (initial(), "utf7-allow");
    // SAFETY: pointers and lengths of texts.
    let status = unsafe {
        utfall_options_set(
            &mut options,
            name.as_ptr().cast(),
            name.len(),
            words.as_ptr().cast(),
            words.len(),
            ptr::null_mut(),
            0,
        )
    };
    assert_eq!(status, UTFALL_OK);
    options.utf7
}

#[track_caller]
fn compare_report(case: Case<'_>, report: &[u8]) {
    let lines = std::str::from_utf8(report).unwrap().lines();
    let lines = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    case.compare(&Value::Array(lines), case.get("report"));
}

pub(super) fn detect(case: Case<'_>) {
    let (input, options) = (case.bytes("input"), options(case));
    let (start, mut report) = (input.as_ptr().cast(), Vec::<u8>::new());
    let mut confidence = 99.0;
    // SAFETY: pointers and lengths of slices, and a writer that accepts the context.
    unsafe {
        let context = ptr::from_mut(&mut report).cast();
        let status = utfall_detect_json(start, input.len(), &options, Some(collect), context);
        case.compare(status, UTFALL_OK);
        let found = utfall_detect(start, input.len(), &options, &mut confidence);
        case.compare(found, case.encoding("encoding"));
    }
    compare_report(case, &report);
    let candidates = Case(&case.get("report")[0]).list("candidates");
    let best = candidates.map(|it| it.get("confidence").as_f64().unwrap()).next();
    if let Some(best) = best {
        case.compare(rounded(confidence), best);
    }
}

pub(super) fn repair(case: Case<'_>) {
    let (input, options) = (case.bytes("input"), options(case));
    let (mut output, mut report, mut changes) = (Vec::<u8>::new(), Vec::<u8>::new(), 99);
    // SAFETY: pointers and lengths of slices, and writers that accept their contexts.
    let status = unsafe {
        utfall_repair(
            input.as_ptr().cast(),
            input.len(),
            &options,
            Some(collect),
            ptr::from_mut(&mut output).cast(),
            Some(collect),
            ptr::from_mut(&mut report).cast(),
            &mut changes,
        )
    };
    case.compare((status, changes), (UTFALL_OK, case.number("changes")));
    case.compare(output, case.bytes("output"));
    compare_report(case, &report);
}

/// A function that explains a text.
type Explain = unsafe extern "C" fn(
    *const c_void,
    usize,
    *const utfall_report_options,
    utfall_writer,
    *mut c_void,
) -> utfall_status;

pub(super) fn explain(case: Case<'_>, function: Explain) {
    let (input, options, mut report) = (case.bytes("input"), options(case), Vec::<u8>::new());
    let context = ptr::from_mut(&mut report).cast();
    // SAFETY: pointers and lengths of slices, and a writer that accepts the context.
    let status = unsafe {
        let start = input.as_ptr().cast();
        function(start, input.len(), &options, Some(collect), context)
    };
    case.compare(status, UTFALL_OK);
    compare_report(case, &report);
}

pub(super) fn check(case: Case<'_>) {
    let (input, options, mut report) = (case.bytes("input"), options(case), Vec::<u8>::new());
    let (context, mut counts) = (ptr::from_mut(&mut report).cast(), utfall_check_counts::default());
    // SAFETY: pointers and lengths of slices, and a writer that accepts the context.
    let status = unsafe {
        let start = input.as_ptr().cast();
        utfall_check_json(start, input.len(), &options, Some(collect), context, &mut counts)
    };
    case.compare(status, UTFALL_OK);
    case.compare(counts.errors, case.number("errors"));
    case.compare(counts.warnings, case.number("warnings"));
    case.compare(Some(counts.valid == 1), case.get("valid").as_bool());
    compare_report(case, &report);
}
