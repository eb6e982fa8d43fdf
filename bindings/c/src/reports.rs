//! Detection, repair, and the reports of the command as JSON.

use std::ffi::{c_char, c_void};
use std::io::{self, Write};
use std::ptr;

use utfall::Encoding;
use utfall_bind::check::{self, Level, Levels};
use utfall_bind::guess::Verdict;
use utfall_bind::{MEMORY, Sink, detect, explain, repair};
use utfall_detect::{Extent, Hints, Language, detect_with};

use crate::arguments::{bytes, store};
use crate::encodings::{find, utfall_encoding};
use crate::errors::{
    UTFALL_BUG, UTFALL_INVALID_ARGUMENT, UTFALL_OK, UTFALL_STOPPED, utfall_status,
};
use crate::guard::guard;
use crate::options::{sized, tolerance};

/// Receives output. `bytes` is valid during the call only, and does not end with NUL. A line of JSON is passed whole,
/// with its line end.
///
/// @param context what the caller passed beside the writer.
/// @return whether to go on; false ends the function with UTFALL_STOPPED.
pub type utfall_writer =
    Option<unsafe extern "C" fn(context: *mut c_void, bytes: *const c_char, length: usize) -> bool>;

/// The options of `utfall_detect`, `utfall_repair` and the functions that write JSON. Begin with
/// `utfall_report_options_init`; all zeros except `size` are the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct utfall_report_options {
    /// `sizeof(utfall_report_options)`, so that later versions can add fields.
    pub size: u32,
    /// explain, check: the encoding of the text; 0 for that of its BOM, else UTF-8.
    pub encoding: utfall_encoding,
    /// check: report every problem, not only the first of each rule. detect: read all of the text, not samples.
    pub all: u8,
    /// explain: report only errors.
    pub only_problems: u8,
    /// check, repair: decode escapes such as `\u00e9`.
    pub json_escapes: u8,
    /// check: search for concealed text.
    pub concealed: u8,
    /// repair: also repair what seems to show mojibake on purpose, such as quoted examples.
    pub force: u8,
    /// repair: decode HTML and XML entities such as `&Atilde;`.
    pub html_entities: u8,
    /// detect: the most candidates in the report; 0 for one.
    pub candidates: u32,
    /// check: deviations in UTF-7 to accept, UTFALL_UTF7_ values combined.
    pub utf7: u32,
    /// repair: decode percent-encoding such as `%C3%83`.
    pub percent_encoding: u8,
    /// explain_mail: omit the characters of each text.
    pub only_layers: u8,
    /// Zero.
    pub reserved: [u8; 2],
    /// explain: the first byte to explain.
    pub begin: u64,
    /// explain: the byte to stop before; 0 for the end of the text.
    pub end: u64,
    /// detect: the probability that is enough to be sure, from 0 to 1; repair: the probability that a change must
    /// have. 0 for the default.
    pub min_confidence: f64,
    /// detect: the language of the text as a BCP 47 tag, such as `ja`; NULL if it is not known.
    pub language: *const c_char,
    /// Its length in bytes.
    pub language_length: usize,
    /// check: levels of rules, such as `control=error,bom=off`; the levels are `off`, `warning` and `error`.
    pub levels: *const c_char,
    /// Its length in bytes.
    pub levels_length: usize,
    /// The name of the text in the report, in UTF-8; NULL for `(memory)`.
    pub name: *const c_char,
    /// Its length in bytes.
    pub name_length: usize,
}

const DEFAULT: utfall_report_options = utfall_report_options {
    size: size_of::<utfall_report_options>() as u32,
    encoding: 0,
    all: 0,
    only_problems: 0,
    json_escapes: 0,
    concealed: 0,
    force: 0,
    html_entities: 0,
    candidates: 0,
    utf7: 0,
    percent_encoding: 0,
    only_layers: 0,
    reserved: [0; 2],
    begin: 0,
    end: 0,
    min_confidence: 0.0,
    language: ptr::null(),
    language_length: 0,
    levels: ptr::null(),
    levels_length: 0,
    name: ptr::null(),
    name_length: 0,
};

/// The options with the texts that they point to.
struct Parsed {
    options: utfall_report_options,
    encoding: Option<Encoding>,
    hints: Hints,
    levels: Levels,
    name: String,
}

impl Parsed {
    fn request(&self) -> explain::Request<'_> {
        let utfall_report_options { begin, end, only_problems, only_layers, .. } = self.options;
        explain::Request::default()
            .with_encoding(self.encoding)
            .with_name(&self.name)
            .with_range(begin..if end == 0 { u64::MAX } else { end })
            .with_only_problems(only_problems == 1)
            .with_only_layers(only_layers == 1)
    }
}

/// # Safety
/// `options` must be NULL or point to options, whose texts have their lengths.
unsafe fn parse(options: *const utfall_report_options) -> Option<Parsed> {
    // SAFETY: the same contract.
    let options = unsafe { sized(options, DEFAULT) }?;
    let flags = [
        options.all,
        options.only_problems,
        options.only_layers,
        options.json_escapes,
        options.concealed,
        options.force,
        options.html_entities,
        options.percent_encoding,
    ];
    let is_probable = (0.0..=1.0).contains(&options.min_confidence);
    if flags.iter().any(|flag| *flag > 1) || options.reserved != [0; 2] || !is_probable {
        return None;
    }
    let string = |text: *const c_char, length: usize| {
        // SAFETY: the same contract.
        let text = unsafe { crate::arguments::text(text, length) }?;
        Some(String::from_utf8_lossy(text).into_owned())
    };
    let language = string(options.language, options.language_length)?;
    let language = match &*language {
        "" => None,
        tag => Some(Language::for_tag(tag)?),
    };
    let encoding = match options.encoding {
        0 => None,
        number => Some(find(number)?),
    };
    let mut levels = Levels::default();
    if options.concealed == 1 {
        levels.search_concealed();
    }
    let words = string(options.levels, options.levels_length)?;
    for word in words.split(',').filter(|word| !word.is_empty()) {
        let (rule, level) = word.split_once('=')?;
        let level = match level {
            "off" => Level::Off,
            "warning" => Level::Warning,
            "error" => Level::Error,
            _ => return None,
        };
        levels.set(rule, level).ok()?;
    }
    let name = match options.name.is_null() {
        true => MEMORY.into(),
        false => string(options.name, options.name_length)?,
    };
    let hints = Hints::default().with_language(language);
    Some(Parsed { options, encoding, hints, levels, name })
}

/// A writer of the caller.
///
/// # Safety
/// `writer` must be a function of this kind, and accept `context`.
unsafe fn sink(writer: utfall_writer, context: *mut c_void) -> impl Write {
    Sink(move |bytes: &[u8]| match writer {
        // SAFETY: the same contract; the bytes are valid during the call.
        Some(writer) => unsafe { writer(context, bytes.as_ptr().cast(), bytes.len()) },
        None => true,
    })
}

fn status<T>(result: io::Result<T>) -> utfall_status {
    match result {
        Ok(_) => UTFALL_OK,
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => UTFALL_INVALID_ARGUMENT,
        Err(_) => UTFALL_STOPPED,
    }
}

/// Sets all options to their defaults.
///
/// @param options receives them; NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_report_options_init(options: *mut utfall_report_options) {
    // SAFETY: the caller passes NULL or a place for the options.
    unsafe { store(options, DEFAULT) };
}

/// Guesses the encoding of a text.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param options the options; NULL for the defaults.
/// @param confidence receives the probability of the best guess, from 0 to 1, even if it is not good enough to be
///   returned; 0 if there is none. May be NULL.
/// @return the encoding, if the guess is good enough to act on (docs/detect.md); otherwise 0, as for invalid
///   arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_detect(
    text: *const c_void,
    length: usize,
    options: *const utfall_report_options,
    confidence: *mut f64,
) -> utfall_encoding {
    guard(0, || {
        // SAFETY: the caller passes a text of this length, and NULL or options.
        let (text, parsed) = unsafe { (bytes(text, length), parse(options)) };
        let (Some(text), Some(parsed)) = (text, parsed) else { return 0 };
        let candidates = detect_with(text, &parsed.hints);
        let best = candidates.first().map_or(0.0, |best| best.confidence);
        // SAFETY: the caller passes NULL or a place for the confidence.
        unsafe { store(confidence, best) };
        match Verdict::on(&candidates, least(&parsed.options)) {
            Verdict::Sure(best) => best.encoding as utfall_encoding,
            _ => 0,
        }
    })
}

fn least(options: &utfall_report_options) -> Option<f64> {
    (options.min_confidence > 0.0).then_some(options.min_confidence)
}

/// Guesses the encoding of a text, and writes what `utfall detect --json` reports of it: one line.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param options the options; NULL for the defaults.
/// @param writer receives the report; must not be NULL.
/// @param context is passed to the writer.
/// @return UTFALL_OK, UTFALL_STOPPED, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_detect_json(
    text: *const c_void,
    length: usize,
    options: *const utfall_report_options,
    writer: utfall_writer,
    context: *mut c_void,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes a text of this length, and NULL or options.
        let (text, parsed) = unsafe { (bytes(text, length), parse(options)) };
        let (Some(text), Some(parsed), true) = (text, parsed, writer.is_some()) else {
            return UTFALL_INVALID_ARGUMENT;
        };
        let request = detect::Request::default()
            .with_hints(parsed.hints)
            .with_extent(if parsed.options.all == 1 { Extent::All } else { Extent::Sample })
            .with_name(&parsed.name)
            .with_most(parsed.options.candidates as usize)
            .with_min_confidence(least(&parsed.options));
        // SAFETY: the caller passes a writer that accepts the context.
        let mut out = unsafe { sink(writer, context) };
        status(detect::detect(text, &request, &mut out))
    })
}

/// Explains a text byte by byte: writes what `utfall explain --json` reports of it, a line for each character and
/// each error, and one before and after.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param options the options; NULL for the defaults.
/// @param writer receives the report; must not be NULL.
/// @param context is passed to the writer.
/// @return UTFALL_OK, also for invalid text; UTFALL_STOPPED, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_explain_json(
    text: *const c_void,
    length: usize,
    options: *const utfall_report_options,
    writer: utfall_writer,
    context: *mut c_void,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe {
        explain_by(text, length, options, writer, context, |text, request, mut out| {
            explain::explain(text, request, &mut out)
        })
    }
}

/// Explains a message, an mbox or encoded words: writes the report of `utfall explain --mail
/// --json`. Each part of a message has a line. Each text, such as a body or an encoded word, has a
/// line with its transfer encoding, its charset and the decoded text, then one for each character
/// and each error. Messages of more than 64 MiB are skipped.
///
/// @param text the mail; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param options the options; their encoding is ignored. NULL for the defaults.
/// @param writer receives the report; must not be NULL.
/// @param context is passed to the writer.
/// @return UTFALL_OK, also for invalid text; UTFALL_STOPPED, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_explain_mail_json(
    text: *const c_void,
    length: usize,
    options: *const utfall_report_options,
    writer: utfall_writer,
    context: *mut c_void,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe {
        explain_by(text, length, options, writer, context, |text, request, mut out| {
            explain::mail::explain(text, request, &mut out)
        })
    }
}

/// # Safety
/// `text` has `length` bytes or is NULL; `options` are valid or NULL; `writer` accepts `context`.
unsafe fn explain_by<T>(
    text: *const c_void,
    length: usize,
    options: *const utfall_report_options,
    writer: utfall_writer,
    context: *mut c_void,
    explain: impl FnOnce(&[u8], &explain::Request<'_>, &mut dyn Write) -> io::Result<T>,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the same contract.
        let (text, parsed) = unsafe { (bytes(text, length), parse(options)) };
        let (Some(text), Some(parsed), true) = (text, parsed, writer.is_some()) else {
            return UTFALL_INVALID_ARGUMENT;
        };
        // SAFETY: the same contract.
        let mut out = unsafe { sink(writer, context) };
        status(explain(text, &parsed.request(), &mut out))
    })
}

/// The result of `utfall_check_json`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct utfall_check_counts {
    /// Problems with the level `error`.
    pub errors: u64,
    /// Problems with the level `warning`.
    pub warnings: u64,
    /// 1 if the text is valid in its encoding, else 0.
    pub valid: u8,
}

/// Checks a text for invalid or suspicious parts: writes what `utfall check --json` reports of it, a line for each
/// problem, and two at the end.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param options the options; NULL for the defaults.
/// @param writer receives the report; NULL to get only the counts.
/// @param context is passed to the writer.
/// @param counts receives the number of problems; may be NULL.
/// @return UTFALL_OK, also for text with problems; UTFALL_STOPPED, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_check_json(
    text: *const c_void,
    length: usize,
    options: *const utfall_report_options,
    writer: utfall_writer,
    context: *mut c_void,
    counts: *mut utfall_check_counts,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes a text of this length, and NULL or options.
        let (text, parsed) = unsafe { (bytes(text, length), parse(options)) };
        let (Some(text), Some(parsed)) = (text, parsed) else { return UTFALL_INVALID_ARGUMENT };
        let Some(utf7_tolerance) = tolerance(parsed.options.utf7) else {
            return UTFALL_INVALID_ARGUMENT;
        };
        let request = check::Request::default()
            .with_encoding(parsed.encoding)
            .with_name(&parsed.name)
            .with_levels(parsed.levels)
            .with_utf7_tolerance(utf7_tolerance)
            .with_json_escapes(parsed.options.json_escapes == 1)
            .with_all(parsed.options.all == 1);
        // SAFETY: the caller passes a writer that accepts the context.
        let mut out = unsafe { sink(writer, context) };
        let found = check::check(text, &request, &mut out);
        if let Ok(check::Counts { errors, warnings, is_valid, .. }) = &found {
            let valid = u8::from(*is_valid);
            let found = utfall_check_counts { errors: *errors, warnings: *warnings, valid };
            // SAFETY: the caller passes NULL or a place for the counts.
            unsafe { store(counts, found) };
        }
        status(found)
    })
}

/// Fixes mojibake: text that was decoded with the wrong encoding. Other text stays as it is.
///
/// @param text the text, UTF-8 except where it is damaged; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param options the options; NULL for the defaults.
/// @param writer receives the repaired text, in pieces; may be NULL.
/// @param context is passed to `writer`.
/// @param report receives what `utfall repair --json` reports: a line for each change and each
///   skipped place, and one at the end; may be NULL.
/// @param report_context is passed to `report`.
/// @param changes receives the number of changes; may be NULL.
/// @return UTFALL_OK, UTFALL_STOPPED, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_repair(
    text: *const c_void,
    length: usize,
    options: *const utfall_report_options,
    writer: utfall_writer,
    context: *mut c_void,
    report: utfall_writer,
    report_context: *mut c_void,
    changes: *mut u64,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes a text of this length, and NULL or options.
        let (text, parsed) = unsafe { (bytes(text, length), parse(options)) };
        let (Some(text), Some(parsed)) = (text, parsed) else { return UTFALL_INVALID_ARGUMENT };
        let usual = utfall_repair::Options::default();
        let options = utfall_repair::Options::new()
            .with_min_confidence(least(&parsed.options).unwrap_or(usual.min_confidence))
            .with_json_escapes(parsed.options.json_escapes == 1)
            .with_html_entities(parsed.options.html_entities == 1)
            .with_percent_encoding(parsed.options.percent_encoding == 1)
            .with_force(parsed.options.force == 1);
        // SAFETY: the caller passes writers that accept their contexts.
        let (mut out, mut report) =
            unsafe { (sink(writer, context), sink(report, report_context)) };
        let out = writer.is_some().then_some(&mut out as &mut dyn Write);
        let found = repair::repair(text, options, &parsed.name, out, &mut report);
        if let Ok(summary) = &found {
            // SAFETY: the caller passes NULL or a place for the count.
            unsafe { store(changes, summary.changes) };
        }
        status(found)
    })
}

/// The name of a character, or a label in angle brackets: `EURO SIGN`, `<control> LINE FEED`.
///
/// @param code_point the code point; may be any number.
/// @param name space of the caller for the name and a NUL after it, cut if it is too short; may be NULL if
///   `capacity` is 0.
/// @param capacity the size of that space in bytes.
/// @return the length of the whole name in bytes, without the NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_character_name(
    code_point: u32,
    name: *mut c_char,
    capacity: usize,
) -> usize {
    guard(0, || {
        let text = utfall_bind::character_name(code_point);
        // SAFETY: the caller passes space for `capacity` bytes.
        unsafe { crate::arguments::copy_text(&text, name, capacity) }
    })
}
