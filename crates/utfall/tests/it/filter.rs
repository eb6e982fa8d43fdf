//! A filter without changes must not affect output, errors or counts.

use std::io::Cursor;

use utfall::filter::{self, Filter, FilteredTranscoder, Rejection};
use utfall::parallel::{self, Conversion, Summary};
use utfall::{
    Bom, Encoding, Error, ErrorKind, Escape, Granularity, Options, Policy, Utf7Tolerance,
};
use utfall_oracle::step;

/// Changes nothing, and uses text after the last space only at the end.
struct Same;

impl Filter for Same {
    fn apply(&self, text: &[u8], last: bool, out: &mut Vec<u8>) -> Result<usize, Rejection> {
        let end = if last { None } else { text.iter().rposition(|byte| *byte == b' ') };
        let taken = if last { text.len() } else { end.unwrap_or(0) };
        out.extend_from_slice(&text[..taken]);
        Ok(taken)
    }

    fn piece(&self, text: &[u8]) -> usize {
        text.iter().skip(1).position(|byte| *byte == b' ').map_or(text.len(), |end| end + 1)
    }
}

/// The output, with an error, its line, column and bytes, or the counts.
type Outcome = (Vec<u8>, Result<Summary, (Error, u64, u64, Vec<u8>)>);

/// Only with a filter do bytes restored by surrogateescape count as unencodable.
fn counted(options: Options, done: Summary) -> Summary {
    let is_counted = options.on_unencodable != Policy::SurrogateEscape;
    let mut done = done;
    done.counts.unencodable *= u64::from(is_counted);
    done
}

fn outcome(
    options: Options,
    run: impl FnOnce(&mut Vec<u8>) -> Result<Summary, parallel::Error>,
) -> Outcome {
    let mut out = Vec::new();
    let result = run(&mut out).map(|done| counted(options, done)).map_err(|failed| match failed {
        parallel::Error::Text { error, position, bytes } => {
            (error, position.line, position.column, bytes)
        }
        failed => panic!("{failed:?}"),
    });
    (out, result)
}

fn check(pair: (Encoding, Encoding), options: Options, bytes: &[u8]) {
    let input = Cursor::new(bytes);
    let expected = outcome(options, |out| Conversion::new(pair.0, pair.1, options).run(input, out));
    for threads in [1, 2] {
        let input = Cursor::new(bytes);
        let found = outcome(options, |out| {
            let conversion = Conversion::new(pair.0, pair.1, options).threads(threads);
            conversion.filter(&Same).run(input, out)
        });
        let text = bytes.escape_ascii();
        assert_eq!(found, expected, "{pair:?} {options:?} on {threads} threads: {text}");
    }
    for cut in 0..=bytes.len() {
        let mut out = Vec::new();
        let mut transcoder = FilteredTranscoder::new(pair.0, pair.1, options, &Same);
        let (first, second) = bytes.split_at(cut);
        let result = transcoder.transcode(first, false, &mut out);
        let result = result.and_then(|()| transcoder.transcode(second, true, &mut out));
        let result =
            result.map(|()| counted(options, transcoder.done())).map_err(|stopped| match stopped {
                filter::Error::Text { error, bytes, index: 0, position } => {
                    (error, position.line, position.column, bytes)
                }
                stopped => panic!("{stopped:?}"),
            });
        let text = bytes.escape_ascii();
        assert_eq!((out, result), expected, "{pair:?} {options:?} cut at {cut}: {text}");
    }
}

fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    let policies = [
        Policy::Strict,
        Policy::Replace,
        Policy::Skip,
        Policy::Escape(Escape::Python),
        Policy::SurrogateEscape,
    ];
    for policy in policies {
        for bom in [Bom::Auto, Bom::Keep, Bom::Strip, Bom::Add] {
            all.push(Options::both(policy).with_bom(bom));
        }
    }
    let replace = Options::both(Policy::Replace);
    let substitute = utfall::Substitute::new;
    all.push(replace.with_granularity(Granularity::PerByte));
    all.push(replace.with_replacement(substitute("[\u{FFFD}é]")));
    all.push(replace.with_substitute(substitute("<€>")));
    all.push(Options::default().with_utf7_tolerance(Utf7Tolerance::LATIN1));
    all
}

/// A text in an encoding, without the characters that it lacks.
fn encoded(encoding: Encoding, text: &str) -> Vec<u8> {
    let options = Options::both(Policy::Skip);
    utfall::transcode(Encoding::Utf8, encoding, text.as_bytes(), options).unwrap().into_owned()
}

#[test]
fn every_encoding_to_some() {
    let targets = [
        Encoding::Utf8,
        Encoding::UsAscii,
        Encoding::Utf16,
        Encoding::Utf7,
        Encoding::Wtf8,
        Encoding::Scsu,
        Encoding::Unicode11,
    ];
    for source in Encoding::ALL.iter().step_by(step(3)) {
        let text = encoded(*source, "\u{FEFF}\u{FEFF}a é\n\u{AC00}€ 漢字 \u{1F600}e");
        for target in targets {
            for options in all_options() {
                check((*source, target), options, &text);
            }
        }
    }
}

#[test]
fn damaged_text() {
    let mut number = 1_u32;
    let mut random = |below: usize| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 16) as usize % below
    };
    for source in Encoding::ALL {
        let text = encoded(*source, "été\n漢字 \u{1F600} x\ny z");
        for options in all_options() {
            let mut bytes = text.clone();
            for _ in 0..bytes.len().min(2) {
                let at = random(bytes.len());
                bytes[at] = random(256) as u8;
            }
            check((*source, Encoding::Utf16Be), options, &bytes);
            check((*source, Encoding::Iso8859_1), options, &bytes);
        }
    }
}

#[test]
fn every_target() {
    let text = "\u{FEFF}a é 漢\n\u{AC00} \u{1F600}".as_bytes();
    for target in Encoding::ALL.iter().step_by(step(3)) {
        for options in all_options() {
            check((Encoding::Utf8, *target), options, text);
            check((Encoding::Utf8, *target), options, b"");
        }
    }
}

#[test]
fn surrogates_and_large_values_pass() {
    let bytes = b"a\xED\xA0\x80 \xF4\x90\x80\x80 \xED\xB0\x80\xFD\xBF\xBF\xBF\xBF\xBF b";
    for target in [Encoding::Ucs4, Encoding::Utf8Perl, Encoding::Utf16, Encoding::Wtf8] {
        check((Encoding::Utf8Perl, target), Options::default(), bytes);
        check((Encoding::Utf8Perl, target), Options::both(Policy::Escape(Escape::Xml)), bytes);
    }
}

/// é becomes e and U+0301; ff becomes one ﬀ.
struct Change;

impl Filter for Change {
    fn apply(&self, text: &[u8], last: bool, out: &mut Vec<u8>) -> Result<usize, Rejection> {
        let is_odd = text.iter().rev().take_while(|byte| **byte == b'f').count() % 2 == 1;
        let taken = text.len() - usize::from(!last && is_odd);
        let text = str::from_utf8(&text[..taken]).unwrap();
        let end = text.find('!').unwrap_or(taken);
        out.extend(text[..end].replace('é', "e\u{301}").replace("ff", "ﬀ").bytes());
        if end < taken { Err(Rejection::new(end, "no")) } else { Ok(taken) }
    }

    fn piece(&self, text: &[u8]) -> usize {
        let first = str::from_utf8(text).unwrap().chars().next().unwrap();
        if text.starts_with(b"ff") { 2 } else { first.len_utf8() }
    }
}

#[test]
fn what_a_filter_makes_is_placed_where_it_came_from() {
    let pair = (Encoding::Utf16Le, Encoding::Iso8859_1);
    for (text, expected) in [
        ("ab\ncé", (8, 2, 0x301, "\u{e9}")),
        ("ab\nc\u{301}é", (8, 2, 0x301, "\u{301}")),
        ("1ff", (2, 4, 0xFB00, "ff")),
        // The ligature itself is in the source.
        ("fﬀff", (2, 2, 0xFB00, "ﬀ")),
    ] {
        let bytes = pair.0.encode(text).unwrap().into_owned();
        for cut in 0..=bytes.len() {
            let mut out = Vec::new();
            let mut transcoder =
                FilteredTranscoder::new(pair.0, pair.1, Options::default(), &Change);
            let first = transcoder.transcode(&bytes[..cut], false, &mut out);
            let stopped = first
                .and_then(|()| transcoder.transcode(&bytes[cut..], true, &mut out))
                .unwrap_err();
            let filter::Error::Text { error, bytes, .. } = stopped else { panic!("{stopped:?}") };
            let (offset, length, point, bad) = expected;
            assert_eq!((error.offset(), error.length()), (offset, length), "{text} {cut}");
            assert_eq!(error.kind(), ErrorKind::Unencodable(point));
            assert_eq!(bytes, *pair.0.encode(bad).unwrap());
        }
    }
}

#[test]
fn errors_of_a_text_that_is_waited_for() {
    let pair = (Encoding::Utf8, Encoding::Iso8859_1);
    let mut out = Vec::new();
    let mut transcoder = FilteredTranscoder::new(pair.0, pair.1, Options::default(), &Change);
    transcoder.set_output_goes_on(true);
    transcoder.transcode(b"ab\nf", true, &mut out).unwrap();
    transcoder.next_text(Encoding::Utf16Be, Bom::Auto);
    transcoder.set_output_goes_on(false);
    let stopped = transcoder.transcode(b"\0f\0g", true, &mut out).unwrap_err();
    // The ligature begins in the first text; only that part is reported.
    let filter::Error::Text { error, bytes, index, position } = stopped else { panic!() };
    assert_eq!((index, position.line, position.column), (0, 2, 1));
    assert_eq!((error.offset(), error.length(), &bytes[..]), (3, 1, &b"f"[..]));
    assert_eq!(out, b"ab\n");
}

#[test]
fn a_filter_may_reject_text() {
    let pair = (Encoding::Utf16Le, Encoding::Utf8);
    let text = "one\n".repeat(400_000) + "é f! and more\n";
    let bytes = pair.0.encode(&text).unwrap();
    for threads in [1, 2] {
        let mut out = Vec::new();
        let input = Cursor::new(&bytes[..]);
        let failed = Conversion::new(pair.0, pair.1, Options::default())
            .threads(threads)
            .filter(&Change)
            .run(input, &mut out);
        let Err(parallel::Error::Rejected { offset, position, reason: "no" }) = failed else {
            panic!("{failed:?}")
        };
        assert_eq!((offset, position.line, position.column), (3_200_006, 400_001, 4));
        assert!(out.ends_with("one\ne\u{301} f".as_bytes()), "{}", out.len());
    }
}
