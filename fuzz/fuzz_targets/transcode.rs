//! Conversion from every encoding to every other, with any options: streams however they are cut,
//! one call, exact lengths, callbacks, several texts in one output, `std::io`, threads, filters.
#![no_main]

use std::io::{Read, Write};

use libfuzzer_sys::fuzz_target;
use utfall::filter::{self, Filter, FilteredTranscoder, Rejection};
use utfall::parallel::{self, Conversion, Summary};
use utfall::{
    Action, BufferError, Counts, Encoding, Error, Options, Policy, Transcoder, transcode,
    transcode_into, transcoded_len,
};
use utfall_fuzz::input::{Input, Sizes};
use utfall_fuzz::room::Room;
use utfall_fuzz::stream::{Outcome, run, run_on};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let pair = (input.encoding(), input.encoding());
    let options = input.options();
    let cut = (input.sizes(), input.sizes());
    let mut flags = input.flags();
    let bytes = input.text();
    let mut is_chosen = || flags.next().unwrap_or_default();

    let whole = convert(pair, options, &bytes, WHOLE);
    assert_eq!(convert(pair, options, &bytes, cut), whole);
    in_one_call(pair, options, &bytes, &whole);
    callbacks(pair, options, &bytes, cut);
    if is_chosen() {
        two_texts(pair, options, &bytes, cut);
    }
    if is_chosen() {
        readers_and_writers(pair, options, &bytes, cut.0);
    }
    let threads = if is_chosen() { 3 } else { 1 };
    if is_chosen() {
        in_parts(pair, options, threads, &bytes, &whole);
    }
    if is_chosen() {
        filtered(pair, options, threads, &bytes, cut.0);
    }
});

const WHOLE: (Sizes, Sizes) = (Sizes::ALL, Sizes::ALL);

type Pair = (Encoding, Encoding);

fn stream((source, target): Pair, options: Options) -> Transcoder<'static> {
    Transcoder::new(source, target, options).track_position()
}

fn convert(pair: Pair, options: Options, bytes: &[u8], cut: (Sizes, Sizes)) -> Outcome<u8> {
    run(&mut stream(pair, options), bytes, cut.0, cut.1, Transcoder::transcode)
}

fn in_one_call(pair: Pair, options: Options, bytes: &[u8], whole: &Outcome<u8>) {
    let (source, target) = pair;
    let result = transcode(source, target, bytes, options);
    assert_eq!(result.as_deref().map_err(|error| *error), whole.result());
    let length = transcoded_len(source, target, bytes, options);
    assert_eq!(length, whole.result().map(|bytes| bytes.len()));

    let into = |room: &mut Room<u8>| {
        let (written, result) =
            room.fill(|room| match transcode_into(source, target, bytes, room, options) {
                Ok(written) => (written, Ok(())),
                Err(error) => (0, Err(error)),
            });
        result.map(|()| written.to_vec())
    };
    let mut room = Room::new(whole.written.len() + 16 * whole.errors.len(), bytes.len() % 64);
    let expected = whole.result().map(<[u8]>::to_vec).map_err(BufferError::Text);
    assert_eq!(into(&mut room), expected);
    if let Ok(made) = whole.result()
        && !made.is_empty()
    {
        assert_eq!(
            into(&mut Room::new(made.len() - 1, 0)),
            Err(BufferError::TooSmall { needed: made.len() })
        );
    }
}

/// A callback that does the same as a policy.
fn callbacks(pair: Pair, options: Options, bytes: &[u8], cut: (Sizes, Sizes)) {
    let mut heard = Vec::new();
    let mut handler = |error: &Error, bad: &[u8]| {
        let begin = error.offset() as usize;
        if !error.is_unencodable() {
            let end = begin + error.length() as usize;
            assert_eq!(bad, &bytes[begin..end], "{error}");
        }
        heard.push(*error);
        Action::Skip
    };
    let mut stream = Transcoder::new(pair.0, pair.1, options).on_error(&mut handler);
    let asked = run(&mut stream, bytes, cut.0, cut.1, Transcoder::transcode);
    let skip = options.with_on_ill_formed(Policy::Skip).with_on_unencodable(Policy::Skip);
    let skipped = convert(pair, skip, bytes, WHOLE);
    assert_eq!(asked.written, skipped.written);
    assert_eq!(heard.len() as u64, skipped.counts.skipped);
    assert_eq!(skipped.counts, asked.counts);
    // Without any policy the same errors stop it, one after the other.
    let strict = options.with_on_ill_formed(Policy::Strict).with_on_unencodable(Policy::Strict);
    let strict = convert(pair, strict, bytes, WHOLE);
    assert_eq!(strict.written, skipped.written);
    assert_eq!(strict.errors.iter().map(|(error, ..)| *error).collect::<Vec<_>>(), heard);
}

/// Two texts in one output, cut in any way.
fn two_texts(pair: Pair, options: Options, bytes: &[u8], cut: (Sizes, Sizes)) {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let made = [WHOLE, cut].map(|cut| {
        let mut stream = stream(pair, options);
        let mut outcome = Outcome {
            written: Vec::new(),
            errors: Vec::new(),
            counts: Counts::default(),
            position: None,
        };
        stream.set_output_goes_on(true);
        run_on(&mut stream, first, cut, true, &mut outcome, Transcoder::transcode);
        stream.next_text(pair.0, options.bom);
        stream.set_output_goes_on(false);
        outcome.errors.push((Encoding::Utf8.validate(b"\xFF").unwrap_err(), None, 0));
        run_on(&mut stream, second, cut, true, &mut outcome, Transcoder::transcode);
        outcome
    });
    assert_eq!(made[1], made[0]);
}

/// The size of the buffers of readers and writers: small, since the inputs are short.
const BUFFER: usize = 100;

/// Reading and writing give the same as a stream.
fn readers_and_writers((source, target): Pair, options: Options, bytes: &[u8], mut sizes: Sizes) {
    let expected = transcode(source, target, bytes, options);
    let mut read = Vec::new();
    let stream = || Transcoder::new(source, target, options);
    let mut reader = utfall::io::Reader::with_capacity(BUFFER, bytes, stream());
    let result = reader.read_to_end(&mut read);
    assert_eq!(result.is_ok(), expected.is_ok());
    let mut writer = utfall::io::Writer::with_capacity(BUFFER, Vec::new(), stream());
    let mut rest = bytes;
    let written = loop {
        if rest.is_empty() {
            break writer.finish().map_err(std::io::Error::from);
        }
        let (piece, after) = rest.split_at(sizes.next(rest.len()));
        rest = after;
        if let Err(error) = writer.write_all(piece) {
            break Err(error);
        }
    };
    assert_eq!(written.is_ok(), expected.is_ok());
    if let (Ok(written), Ok(expected)) = (written, expected) {
        assert_eq!(read, *expected);
        assert_eq!(written, *expected);
    }
}

/// Parts of 100 bytes, since the inputs are short.
fn conversion((source, target): Pair, options: Options) -> Conversion<'static> {
    Conversion::new(source, target, options).part_size(100)
}

/// The output, and an error with its line, column and bytes, or the counts.
type Found = (Vec<u8>, Result<Summary, (Error, u64, u64, Vec<u8>)>);

fn found(run: impl FnOnce(&mut Vec<u8>) -> Result<Summary, parallel::Error>) -> Found {
    let mut out = Vec::new();
    let result = run(&mut out).map_err(|failed| match failed {
        parallel::Error::Text { error, position, bytes } => {
            (error, position.line, position.column, bytes)
        }
        failed => panic!("{failed:?}"),
    });
    (out, result)
}

/// Small parts give the same as a stream.
fn in_parts(pair: Pair, options: Options, threads: usize, bytes: &[u8], whole: &Outcome<u8>) {
    let (out, result) = found(|out| conversion(pair, options).threads(threads).run(bytes, out));
    match (result, whole.errors.first()) {
        (Ok(done), None) => {
            assert_eq!(out, whole.written);
            assert_eq!((done.read, done.written), (bytes.len() as u64, out.len() as u64));
            assert_eq!(done.counts, whole.counts);
        }
        (Err((error, line, column, bad)), Some((expected, Some(position), written))) => {
            assert_eq!(out, whole.written[..*written]);
            assert_eq!((error, line, column), (*expected, position.line, position.column));
            let begin = error.offset() as usize;
            assert_eq!(bad, &bytes[begin..begin + error.length() as usize]);
        }
        (result, expected) => panic!("{result:?} and not {expected:?}"),
    }
}

/// Changes nothing, and reads the text after the last space only when it must.
struct Same;

impl Filter for Same {
    fn apply(&self, text: &[u8], last: bool, out: &mut Vec<u8>) -> Result<usize, Rejection> {
        let end = text.iter().rposition(|byte| *byte == b' ').unwrap_or(0);
        let taken = if last { text.len() } else { end };
        out.extend_from_slice(&text[..taken]);
        Ok(taken)
    }

    fn piece(&self, text: &[u8]) -> usize {
        text.iter().skip(1).position(|byte| *byte == b' ').map_or(text.len(), |end| end + 1)
    }
}

/// With a filter that changes nothing, the output is the same.
fn filtered(pair: Pair, options: Options, threads: usize, bytes: &[u8], mut sizes: Sizes) {
    // A replacement that the target lacks is one error, but after a filter each of its code points
    // counts, too.
    let counted = |(out, result): Found| {
        let result = result.map(|mut done| {
            let Counts { ill_formed, unencodable, skipped, .. } = &mut done.counts;
            *unencodable *= u64::from(*ill_formed == 0);
            *skipped *= u64::from(*ill_formed == 0);
            done
        });
        (out, result)
    };
    let parts = conversion(pair, options);
    let expected = counted(found(|out| parts.run(bytes, out)));
    let whole = found(|out| parts.threads(threads).filter(&Same).run(bytes, out));
    assert_eq!(counted(whole), expected);
    let cut = found(|out| {
        let mut stream = FilteredTranscoder::new(pair.0, pair.1, options, &Same);
        let mut rest = bytes;
        loop {
            let (piece, after) = rest.split_at(sizes.next(rest.len()));
            rest = after;
            match stream.transcode(piece, rest.is_empty(), out) {
                Ok(()) if rest.is_empty() => return Ok(stream.done()),
                Ok(()) => {}
                Err(filter::Error::Text { error, bytes, index: 0, position }) => {
                    return Err(parallel::Error::Text { error, bytes, position });
                }
                Err(stopped) => panic!("{stopped:?}"),
            }
        }
    });
    assert_eq!(counted(cut), expected);
}
