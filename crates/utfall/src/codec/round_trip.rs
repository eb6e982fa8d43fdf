//! Checks shared by the tests of several formats.

use alloc::{vec, vec::Vec};

use utfall_oracle::step;

use crate::{Decoder, Encoder, Encoding, Options, Policy, Progress, Status};

/// The bytes of `points`.
pub(super) fn encoded(encoding: Encoding, points: &[u32]) -> Vec<u8> {
    let mut encoder = Encoder::new(encoding, Options::default());
    collect(points, 4096, |src, dst| encoder.encode_code_points(src, dst, true))
}

/// The code points of `bytes`.
pub(super) fn decoded(encoding: Encoding, bytes: &[u8]) -> Vec<u32> {
    let mut decoder = Decoder::new(encoding, Options::default());
    collect(bytes, 4096, |src, dst| decoder.decode_to_code_points(src, dst, true))
}

/// Encodes and decodes every scalar value, both alone and in one text with small and large steps
/// between neighbours.
pub(super) fn scalar_values(encoding: Encoding) {
    let scalar = |point: &u32| char::from_u32(*point).is_some();
    let mut bytes = [0; 16];
    let mut points = [0; 4];
    for point in (0..0x11_0000).step_by(step(97)).filter(scalar) {
        let mut encoder = Encoder::new(encoding, Options::default());
        let progress = encoder.encode_code_points(&[point], &mut bytes, true);
        assert_eq!((progress.read, progress.status), (1, Status::InputEmpty), "{point:X}");
        let mut decoder = Decoder::new(encoding, Options::default());
        let progress = decoder.decode_to_code_points(&bytes[..progress.written], &mut points, true);
        assert_eq!(
            (&points[..progress.written], progress.status),
            (&[point][..], Status::InputEmpty)
        );
    }
    for point in (0xD800..=0xDFFF).chain([0x8000_0000, u32::MAX]) {
        let mut encoder = Encoder::new(encoding, Options::default());
        let progress = encoder.encode_code_points(&[point], &mut bytes, true);
        assert!(matches!(progress.status, Status::Error(_)), "{point:X}");
    }

    // Multiplication by an odd factor permutes the numbers below a power of two.
    for factor in [0x81, 1, 3, 0x5_4321].into_iter().step_by(step(4)) {
        let text: Vec<u32> = (0..0x20_0000_u32)
            .step_by(step(7))
            .map(|number| number.wrapping_mul(factor) % 0x20_0000)
            .filter(scalar)
            .collect();
        let bytes = encoded(encoding, &text);
        assert!(decoded(encoding, &bytes) == text, "{encoding}, factor {factor:X}");
    }
}

/// Decodes every sequence of one or two bytes, both whole and byte by byte with little space. Both
/// must read everything and agree.
pub(super) fn short_sequences(encoding: Encoding) {
    let one = (0..=0xFF).map(|a| vec![a]);
    let two = (0..=0xFFFF_u16).map(|ab| ab.to_be_bytes().to_vec());
    for bytes in one.chain(two.step_by(step(7))) {
        let _ = encoding.validate(&bytes);
        let mut decoder = Decoder::new(encoding, Options::both(Policy::Replace));
        let whole = collect(&bytes, 64, |src, dst| decoder.decode_to_code_points(src, dst, true));
        let mut decoder = Decoder::new(encoding, Options::both(Policy::Replace));
        let mut pieces = Vec::new();
        for at in 0..bytes.len() {
            let last = at + 1 == bytes.len();
            let piece = &bytes[at..=at];
            pieces.extend(collect(piece, 4, |src, dst| {
                decoder.decode_to_code_points(src, dst, last)
            }));
        }
        assert_eq!(whole, pieces, "{bytes:X?}");
    }
}

/// Runs a stream to its end, with `room` places of output per call.
fn collect<S, T: Copy + Default>(
    src: &[S],
    room: usize,
    mut run: impl FnMut(&[S], &mut [T]) -> Progress,
) -> Vec<T> {
    let mut out = Vec::new();
    let mut dst = vec![T::default(); room];
    let mut read = 0;
    loop {
        let progress = run(&src[read..], &mut dst);
        read += progress.read;
        out.extend_from_slice(&dst[..progress.written]);
        match progress.status {
            Status::InputEmpty => break,
            Status::OutputFull => {}
            Status::Error(error) => panic!("{error}"),
        }
    }
    assert_eq!(read, src.len());
    out
}
