//! Conversion on several threads has the same result as on one thread.

use std::fmt::Write as _;
use std::io::{self, Cursor};

use utfall::parallel::{self, Conversion};
use utfall::{Bom, Encoding, Escape, Options, Policy, Status, Transcoder};
use utfall_oracle::step;

/// A few megabytes of short and long lines in several scripts.
fn text() -> String {
    let mut text = String::from("\u{FEFF}the first line\n");
    let mut number = 0_u32;
    while text.len() < 3_500_000 {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        match number >> 29 {
            0 => text.push_str("été, naïveté, 5 € + 3\r\n"),
            1 => text.push_str("子曰學而時習之\n"),
            2 => text.push_str("😀 emoji 🎉+-"),
            3 => write!(text, "plain text {number} ").unwrap(),
            4 => text.push_str(&"долго ".repeat(number as usize >> 8 & 0xFF)),
            5 => text.push('\n'),
            _ => text.push_str("and a line of plain English text to be copied.\n"),
        }
    }
    text
}

/// Converts on one thread, in chunks. Returns the output, and the error with its line and column.
fn serial(
    (source, target): (Encoding, Encoding),
    options: Options,
    bytes: &[u8],
) -> (Vec<u8>, Option<(utfall::Error, u64, u64)>, u64) {
    let mut transcoder = Transcoder::new(source, target, options).track_position();
    let (mut out, mut room, mut read) = (Vec::new(), vec![0; 100_000], 0);
    loop {
        let progress = transcoder.transcode(&bytes[read..], &mut room, true);
        read += progress.read;
        out.extend(&room[..progress.written]);
        let error = match progress.status {
            Status::OutputFull => continue,
            Status::InputEmpty => None,
            Status::Error(error) => {
                let position = transcoder.error_position().unwrap();
                Some((error, position.line, position.column))
            }
        };
        return (out, error, transcoder.counts().ill_formed + transcoder.counts().unencodable);
    }
}

fn check(pair: (Encoding, Encoding), options: Options, bytes: &[u8]) {
    let (expected, error, count) = serial(pair, options, bytes);
    for threads in [2, 7, 1, 3].into_iter().step_by(step(4)) {
        let mut out = Vec::new();
        let done =
            parallel::convert(pair.0, pair.1, options, threads, Cursor::new(bytes), &mut out);
        let case = format!("{pair:?} {options:?} on {threads} threads");
        assert!(out == expected, "{case}");
        match (done, error) {
            (Ok(done), None) => {
                assert_eq!((done.read, done.written), (bytes.len() as u64, out.len() as u64));
                assert_eq!(done.counts.ill_formed + done.counts.unencodable, count, "{case}");
            }
            (Err(parallel::Error::Text { error, position, bytes: bad }), Some(expected)) => {
                assert_eq!((error, position.line, position.column), expected, "{case}");
                let from = error.offset() as usize;
                assert_eq!(bad, bytes[from..from + error.length() as usize], "{case}");
            }
            (done, expected) => panic!("{case}: {done:?} and not {expected:?}"),
        }
    }
}

#[test]
fn every_pair_with_utf7_and_some_others() {
    let text = text();
    let pairs = [
        (Encoding::Utf8, Encoding::Utf7),
        (Encoding::Utf7, Encoding::Utf8),
        (Encoding::Utf7, Encoding::Utf16Be),
        (Encoding::Utf16Le, Encoding::Utf7),
        (Encoding::Utf32Be, Encoding::Utf8),
        (Encoding::Utf8, Encoding::Bocu1),
        (Encoding::Bocu1, Encoding::Utf7),
        (Encoding::Cesu8, Encoding::Utf8),
    ];
    for (source, target) in pairs.into_iter().step_by(step(2)) {
        assert!(parallel::is_possible(source, target), "{source} to {target}");
        let bytes = source.encode(&text).unwrap();
        for bom in [Bom::Auto, Bom::Keep, Bom::Strip, Bom::Add].into_iter().step_by(step(2)) {
            check((source, target), Options::default().with_bom(bom), &bytes);
        }
    }
    // Where the text cannot be split, one thread converts it.
    for pair in [(Encoding::Scsu, Encoding::Utf8), (Encoding::Utf8, Encoding::Utf16)] {
        assert!(!parallel::is_possible(pair.0, pair.1));
        check(pair, Options::default(), &pair.0.encode(&text).unwrap());
    }
}

#[test]
fn errors_have_the_offset_and_line_of_the_whole_text() {
    let mut bytes = Encoding::Utf7.encode(&text()).unwrap().into_owned();
    let pair = (Encoding::Utf7, Encoding::Utf8);
    let places = [100, 1_048_570, 1_500_000, 2_500_000, bytes.len() - 3];
    for at in places.into_iter().step_by(step(4)) {
        let before = std::mem::replace(&mut bytes[at], 0xFF);
        check(pair, Options::default(), &bytes);
        let policies = [Policy::Replace, Policy::Skip, Policy::Escape(Escape::Xml)];
        for policy in policies.into_iter().step_by(step(3)) {
            check(pair, Options::both(policy), &bytes);
        }
        bytes[at] = before;
    }
    let to_latin1 = (Encoding::Utf8, Encoding::Iso8859_1);
    check(to_latin1, Options::both(Policy::Replace), text().as_bytes());
    check(to_latin1, Options::default(), text().as_bytes());
}

#[test]
fn a_line_without_end_is_converted_by_one_thread() {
    let mut text = "one line\n".repeat(200_000);
    text.push_str(&"no end é ".repeat(1_200_000));
    text.push_str("\nthe last line");
    let utf7 = Encoding::Utf7.encode(&text).unwrap().into_owned();
    check((Encoding::Utf7, Encoding::Utf8), Options::default(), &utf7);
    let mut damaged = utf7;
    let end = damaged.len() - 2;
    damaged[end] = b'~';
    check((Encoding::Utf7, Encoding::Utf8), Options::default(), &damaged);
    check((Encoding::Utf8, Encoding::Utf7), Options::default(), b"");
}

/// If the sequence began in the previously read bytes, these were missing from the report.
#[test]
fn a_sequence_that_two_reads_cut_is_reported_whole() {
    for before in [512 * 1024 - 1, 512 * 1024 - 2] {
        let bytes = [&vec![b'a'; before][..], b"\xE2\x98", b"b"].concat();
        check((Encoding::Utf8, Encoding::Utf7), Options::default(), &bytes);
        check((Encoding::Utf8, Encoding::Utf7), Options::default(), &bytes[..before + 2]);
        let bytes = [&vec![b'a'; before][..], "☺".as_bytes()].concat();
        check((Encoding::Utf8, Encoding::UsAscii), Options::default(), &bytes);
    }
}

/// Started as many threads as requested, and panicked if the system did not allow so many.
#[test]
fn more_threads_than_there_can_be() {
    let pair = (Encoding::Utf8, Encoding::Utf16Le);
    let mut out = Vec::new();
    let text = "one line\nanother\n".repeat(100_000);
    let done = parallel::convert(
        pair.0,
        pair.1,
        Options::default(),
        usize::MAX,
        text.as_bytes(),
        &mut out,
    );
    assert_eq!(done.unwrap().written as usize, out.len());
    assert_eq!(out.len(), 2 * text.len());
}

/// Parts of any size, even of less than a code unit or more than memory.
#[test]
fn parts_of_any_size() {
    let text = "\u{FEFF}naïve 日\n\r\nlong: ".to_owned() + &"😀".repeat(300) + "\n\nend\u{FFFF}";
    for source in [Encoding::Utf8, Encoding::Utf16Be, Encoding::Utf32Le] {
        let bytes = source.encode(&text).unwrap();
        let (expected, ..) = serial((source, Encoding::Utf7), Options::default(), &bytes);
        for size in [0, 1, 3, 10, 101, 1000, usize::MAX] {
            let conversion = Conversion::new(source, Encoding::Utf7, Options::default());
            let mut out = Vec::new();
            conversion.threads(2).part_size(size).run(&bytes[..], &mut out).unwrap();
            assert!(out == expected, "{source:?}, parts of {size} bytes");
        }
    }
}

/// A reader that fails after some text.
struct Failing<'a>(&'a [u8]);

impl io::Read for Failing<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.0.read(room)
    }
}

/// Regression: when the input could not be read to its end, the text before that was lost.
#[test]
fn text_before_a_failing_read_is_converted() {
    let text = text();
    let mut damaged = text.clone().into_bytes();
    damaged[10] = 0xFF;
    // The last line has no end.
    for end in [100, 600_000, 3_000_001] {
        let text = &text.as_bytes()[..text.floor_char_boundary(end)];
        for threads in [1, 2, 5] {
            let convert = |bytes: &[u8]| {
                let mut out = Vec::new();
                let (from, to) = (Encoding::Utf8, Encoding::Utf16Le);
                let options = Options::default().with_bom(Bom::Keep);
                let done = parallel::convert(from, to, options, threads, Failing(bytes), &mut out);
                (done.unwrap_err(), out)
            };
            let (error, out) = convert(text);
            assert!(matches!(error, parallel::Error::Read(_)), "{error:?} on {threads} threads");
            let (expected, ..) = serial(
                (Encoding::Utf8, Encoding::Utf16Le),
                Options::default().with_bom(Bom::Keep),
                text,
            );
            assert!(out == expected, "{} bytes of {} on {threads} threads", out.len(), end);
            let (error, out) = convert(&damaged[..text.len()]);
            assert!(matches!(error, parallel::Error::Text { .. }), "{error:?} on {threads}");
            // 8 scalar values precede the damaged byte: U+FEFF has three bytes.
            assert_eq!(out.len(), 16, "on {threads} threads");
        }
    }
}
