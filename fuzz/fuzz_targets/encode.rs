//! Encoding: every encoding, from strings, UTF-16 and code points, however they are cut, in
//! streams and in one call, strictly and with any options, compared with the oracle where it knows
//! the encoding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use utfall::{BufferError, Decoder, Encoder, Encoding, Options, Policy, Progress};
use utfall_fuzz::input::{Input, Sizes};
use utfall_fuzz::stream::{Outcome, run};
use utfall_fuzz::{check, room::Room};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let encoding = input.encoding();
    let options = input.options();
    let cut = (input.sizes(), input.sizes());
    let bytes = input.text();

    // This includes surrogates and values above 10FFFF.
    let replace = Options::both(Policy::Replace);
    let mut decoder = Decoder::new(Encoding::Utf8Perl, replace);
    let read = run(&mut decoder, &bytes, Sizes::ALL, Sizes::ALL, Decoder::decode_to_code_points);
    let points: Vec<u32> = read.written;
    let text = String::from_utf8_lossy(&bytes);
    let units: Vec<u16> =
        bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    for options in [Options::default(), options] {
        strings(encoding, options, &text, cut);
        from_units(encoding, options, &units, cut);
        from_points(encoding, options, &points, cut);
    }
    in_one_call(encoding, &text, &units);
    as_oracle(encoding, &points);
});

const WHOLE: (Sizes, Sizes) = (Sizes::ALL, Sizes::ALL);

fn encode<S>(
    (encoding, options): (Encoding, Options),
    src: &[S],
    cut: (Sizes, Sizes),
    step: impl FnMut(&mut Encoder<'static>, &[S], &mut [u8], bool) -> Progress,
) -> Outcome<u8> {
    run(&mut Encoder::new(encoding, options), src, cut.0, cut.1, step)
}

fn strings(encoding: Encoding, options: Options, text: &str, cut: (Sizes, Sizes)) {
    // Characters are not cut: each piece ends at the end of a character.
    let whole = encode((encoding, options), text.as_bytes(), WHOLE, |encoder, src, dst, last| {
        encoder.encode_str(std::str::from_utf8(src).expect("a character ends here"), dst, last)
    });
    let result = encoding.encode_with(text, options);
    assert_eq!(result.as_deref().map_err(|error| *error), whole.result());

    let mut sizes = cut.0;
    let mut encoder = Encoder::new(encoding, options);
    let mut outcome = Outcome {
        written: Vec::new(),
        errors: Vec::new(),
        counts: Default::default(),
        position: None,
    };
    let mut rest = text;
    loop {
        let end = rest.ceil_char_boundary(sizes.next(rest.len()));
        let (piece, after) = rest.split_at(end);
        rest = after;
        utfall_fuzz::stream::run_on(
            &mut encoder,
            piece.as_bytes(),
            (Sizes::ALL, cut.1),
            rest.is_empty(),
            &mut outcome,
            |encoder, src, dst, last| {
                let src = std::str::from_utf8(src).expect("characters are read whole");
                encoder.encode_str(src, dst, last)
            },
        );
        if rest.is_empty() {
            break;
        }
    }
    assert_eq!((outcome.written, outcome.errors), (whole.written.clone(), whole.errors));
    assert_eq!(encoder.counts().unencodable, whole.counts.unencodable);

    // The same text from other units.
    let units: Vec<u16> = text.encode_utf16().collect();
    let of_units = encode((encoding, options), &units, WHOLE, Encoder::encode_utf16);
    assert_eq!(of_units.written, whole.written);
    let points: Vec<u32> = text.chars().map(u32::from).collect();
    let of_points = encode((encoding, options), &points, WHOLE, Encoder::encode_code_points);
    assert_eq!(of_points.written, whole.written);
}

fn from_units(encoding: Encoding, options: Options, units: &[u16], cut: (Sizes, Sizes)) {
    let whole = encode((encoding, options), units, WHOLE, Encoder::encode_utf16);
    assert_eq!(encode((encoding, options), units, cut, Encoder::encode_utf16), whole);
}

fn from_points(encoding: Encoding, options: Options, points: &[u32], cut: (Sizes, Sizes)) {
    let whole = encode((encoding, options), points, WHOLE, Encoder::encode_code_points);
    assert_eq!(encode((encoding, options), points, cut, Encoder::encode_code_points), whole);
}

fn in_one_call(encoding: Encoding, text: &str, units: &[u16]) {
    let plain = (encoding, Options::default());
    let of_units = encode(plain, units, WHOLE, Encoder::encode_utf16);
    assert_eq!(encoding.encode_utf16(units).as_deref().map_err(|error| *error), of_units.result());

    let result = encoding.encode(text);
    assert_eq!(result, encoding.encode_with(text, Options::default()));
    let length = result.as_ref().map_or(8 * text.len() + 16, |bytes| bytes.len());
    let mut room = Room::<u8>::new(length, text.len() % 64);
    let (written, into) = room.fill(|room| match encoding.encode_into(text, room) {
        Ok(written) => (written, Ok(())),
        Err(error) => (0, Err(error)),
    });
    let expected = result.as_deref().map_err(|error| BufferError::Text(*error));
    assert_eq!(into.map(|()| written), expected);
    let Ok(bytes) = result else { return };
    if !bytes.is_empty() {
        let mut room = Room::<u8>::new(bytes.len() - 1, 0);
        let (_, into) = room.fill(|room| (0, encoding.encode_into(text, room)));
        assert_eq!(into, Err(BufferError::TooSmall { needed: bytes.len() }));
    }
    // A mark at the start of a text is not part of the text.
    if !text.starts_with('\u{FEFF}') && check::is_faithful(encoding) {
        assert_eq!(encoding.decode(&bytes).as_deref(), Ok(text));
    }
}

fn as_oracle(encoding: Encoding, points: &[u32]) {
    let mut bytes = Vec::new();
    let expected = match utfall_oracle::encode(encoding.name(), points, &mut bytes) {
        Ok(()) => Ok(&bytes[..]),
        Err(Some(index)) => Err(index as u64),
        Err(None) => return,
    };
    let ours = encode((encoding, Options::default()), points, WHOLE, Encoder::encode_code_points);
    let found = ours.result().map_err(|error| error.offset());
    // SCSU has many encodings of a text.
    match (encoding, found, expected) {
        (Encoding::Scsu, Ok(found), Ok(bytes)) => {
            let (mut items, mut expected) = (Vec::new(), Vec::new());
            utfall_oracle::decode(encoding.name(), found, &mut items);
            utfall_oracle::decode(encoding.name(), bytes, &mut expected);
            assert_eq!(items, expected);
        }
        (_, found, expected) => assert_eq!(found, expected),
    }
}
