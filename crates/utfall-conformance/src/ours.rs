//! The answers of utfall.

use utfall::{Bom, Decoder, Encoder, Encoding, Options, Policy, Status};

use crate::answer::{Answer, Mode, bytes, points};

/// The answer with default options.
pub(crate) fn answer(mode: Mode, encoding: Encoding, input: &[u8]) -> Answer {
    with(mode, encoding, Options::default(), input)
}

/// The answer with options; the mode overrides them.
pub(crate) fn with(mode: Mode, encoding: Encoding, mut options: Options, input: &[u8]) -> Answer {
    match mode {
        Mode::Encode => return encode(encoding, options, input),
        Mode::Strict => {}
        Mode::Mark => options.bom = Bom::Strip,
        Mode::Replace => options.on_ill_formed = Policy::Replace,
    }
    let mut decoder = Decoder::new(encoding, options);
    // No encoding has more than two code points per byte.
    let mut output = vec![0; 2 * input.len() + 16];
    let progress = decoder.decode_to_code_points(input, &mut output, true);
    match progress.status {
        Status::InputEmpty => Answer::Fine(bytes(&output[..progress.written])),
        Status::Error(error) => Answer::Error(Some(error.offset() as u32), Some(error.length())),
        Status::OutputFull => panic!("{encoding}: output too small for {input:02X?}"),
    }
}

fn encode(encoding: Encoding, options: Options, input: &[u8]) -> Answer {
    let mut encoder = Encoder::new(encoding, options);
    let mut output = vec![0; 4 * input.len() + 32];
    let progress = encoder.encode_code_points(&points(input), &mut output, true);
    match progress.status {
        Status::InputEmpty => {
            output.truncate(progress.written);
            Answer::Fine(output)
        }
        Status::Error(error) => Answer::Error(Some(error.offset() as u32), Some(error.length())),
        Status::OutputFull => panic!("{encoding}: output too small for {input:02X?}"),
    }
}
