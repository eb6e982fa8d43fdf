//! Decoding: every encoding, however it is cut, to UTF-8, UTF-16 and code points, in streams and
//! in one call, strictly and with any options, compared with the oracle where it knows the
//! encoding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use utfall::{BufferError, Decoder, Encoder, Encoding, Options, Policy, Progress, Transcoder};
use utfall_fuzz::input::{Input, Sizes};
use utfall_fuzz::stream::{Outcome, run, run_on};
use utfall_fuzz::{check, room::Room};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let encoding = input.encoding();
    let options = input.options();
    let cut = (input.sizes(), input.sizes());
    let bytes = input.text();
    strict(encoding, &bytes, cut);
    with(encoding, options, &bytes, cut);
});

const WHOLE: (Sizes, Sizes) = (Sizes::ALL, Sizes::ALL);

fn decoder(encoding: Encoding, options: Options) -> Decoder<'static> {
    Decoder::new(encoding, options).track_position()
}

fn decode<T: Copy + PartialEq + From<u8>>(
    (encoding, options): (Encoding, Options),
    bytes: &[u8],
    cut: (Sizes, Sizes),
    step: impl FnMut(&mut Decoder<'static>, &[u8], &mut [T], bool) -> Progress,
) -> Outcome<T> {
    run(&mut decoder(encoding, options), bytes, cut.0, cut.1, step)
}

fn strict(encoding: Encoding, bytes: &[u8], cut: (Sizes, Sizes)) {
    let plain = (encoding, Options::default());
    let points = decode(plain, bytes, cut, Decoder::decode_to_code_points);
    check::as_oracle(encoding, bytes, &points);
    assert_eq!(encoding.validate(bytes).err(), points.error());

    // In one call.
    let text = decode(plain, bytes, WHOLE, Decoder::decode_to_utf8);
    let result = encoding.decode(bytes);
    assert_eq!(result.as_ref().map(|text| text.as_bytes()).map_err(|error| *error), text.result());
    let units = decode(plain, bytes, WHOLE, Decoder::decode_to_utf16);
    assert_eq!(encoding.decode_to_utf16(bytes).as_deref(), units.result().as_deref());
    if let Ok(text) = &result {
        let expected: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(units.result(), Ok(&expected[..]));
        let expected: Vec<u32> = text.chars().map(u32::from).collect();
        assert_eq!(points.result(), Ok(&expected[..]));
    }
    into_buffers(encoding, bytes, text.result());

    let lossy = encoding.decode_lossy(bytes);
    let replace = (encoding, Options::both(Policy::Replace));
    let mut stream = Transcoder::new(replace.0, Encoding::Utf8, replace.1);
    let replaced = run(&mut stream, bytes, cut.0, cut.1, Transcoder::transcode);
    assert_eq!(lossy.text.as_bytes(), replaced.written);
    assert_eq!(lossy.errors, replaced.counts.ill_formed + replaced.counts.unencodable);

    // A round trip. A mark at the start of a text is not part of the text.
    if points.errors.is_empty()
        && points.written.first() != Some(&0xFEFF)
        && check::is_invertible(encoding)
    {
        let mut encoder = Encoder::new(encoding, Options::default());
        let again = run(&mut encoder, &points.written, cut.0, cut.1, Encoder::encode_code_points);
        if let Ok(bytes) = again.result() {
            let back = decode(plain, bytes, WHOLE, Decoder::decode_to_code_points);
            assert_eq!(back.result(), points.result());
        }
    }
}

/// Into exactly enough space, and into less.
fn into_buffers(encoding: Encoding, bytes: &[u8], expected: Result<&[u8], utfall::Error>) {
    let mut room = match expected {
        Ok(text) => Room::new(text.len(), bytes.len() % 64),
        Err(_) => Room::new(3 * bytes.len() + 16, 0),
    };
    let (written, result) = room.fill(|room| match encoding.decode_into(bytes, room) {
        Ok(text) => (text.len(), Ok(())),
        Err(error) => (0, Err(error)),
    });
    assert_eq!(result.map(|()| written), expected.map_err(BufferError::Text));
    if let Ok(text) = expected
        && !text.is_empty()
    {
        let mut room = Room::<u8>::new(text.len() - 1, 0);
        let (_, result) = room.fill(|room| (0, encoding.decode_into(bytes, room).map(str::len)));
        assert_eq!(result, Err(BufferError::TooSmall { needed: text.len() }));
    }
}

fn with(encoding: Encoding, options: Options, bytes: &[u8], cut: (Sizes, Sizes)) {
    let conversion = (encoding, options);
    let points = decode(conversion, bytes, WHOLE, Decoder::decode_to_code_points);
    assert_eq!(decode(conversion, bytes, cut, Decoder::decode_to_code_points), points);
    let units = decode(conversion, bytes, WHOLE, Decoder::decode_to_utf16);
    assert_eq!(decode(conversion, bytes, cut, Decoder::decode_to_utf16), units);
    let text = decode(conversion, bytes, WHOLE, Decoder::decode_to_utf8);
    assert_eq!(decode(conversion, bytes, cut, Decoder::decode_to_utf8), text);

    let validate =
        |decoder: &mut Decoder<'_>, src: &[u8], _: &mut [u8], last| decoder.validate(src, last);
    let validated = decode(conversion, bytes, cut, validate);
    assert_eq!((validated.counts, validated.position), (points.counts, points.position));
    let errors = |errors: &[(utfall::Error, _, usize)]| -> Vec<_> {
        errors.iter().map(|(error, position, _)| (*error, *position)).collect()
    };
    assert_eq!(errors(&validated.errors), errors(&points.errors));

    let result = encoding.decode_with(bytes, options);
    match (result, text.result().map(std::str::from_utf8)) {
        (Ok(text), Ok(Ok(expected))) => assert_eq!(text, expected),
        (Err(error), Err(expected)) => assert_eq!(error, expected),
        // Bytes restored from surrogate escapes.
        (Err(_), Ok(Err(_))) => {}
        (result, expected) => panic!("{result:?} and not {expected:?}"),
    }

    // A fork continues as the original does.
    let (first, second) = bytes.split_at(cut.0.clone().next(bytes.len()));
    let mut stream = decoder(encoding, options);
    let mut found = Outcome {
        written: Vec::new(),
        errors: Vec::new(),
        counts: Default::default(),
        position: None,
    };
    run_on(&mut stream, first, WHOLE, false, &mut found, Decoder::decode_to_code_points);
    let mut fork = stream.fork();
    assert_eq!(fork.offset(), stream.offset());
    let mut forked = found.clone();
    run_on(&mut stream, second, cut, true, &mut found, Decoder::decode_to_code_points);
    run_on(&mut fork, second, WHOLE, true, &mut forked, Decoder::decode_to_code_points);
    assert_eq!(forked, found);
    assert_eq!((found.written, found.errors), (points.written, points.errors));
}
