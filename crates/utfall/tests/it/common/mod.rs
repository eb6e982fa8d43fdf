//! Shared by the tests: vectors read from `testdata`, decoding to the items of the oracle, and a
//! small random number generator.

pub(crate) mod contract;

use std::path::PathBuf;

use utfall::{Decoder, Encoder, Encoding, Error, Options, Origin, Status};
use utfall_oracle::Item;

/// The path of a file in the repository's `testdata`.
pub(crate) fn testdata(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// The encodings, with some of the charsets of glibc: these are tables of one codec, which has
/// tests of its own.
pub(crate) fn encodings() -> impl Iterator<Item = Encoding> {
    let is_glibc = |encoding: &Encoding| encoding.info().origin == Origin::Glibc;
    let all = Encoding::ALL.iter().copied().enumerate();
    let some = all.filter(move |(at, encoding)| at.is_multiple_of(24) || !is_glibc(encoding));
    some.map(|(_, encoding)| encoding)
}

/// Decodes to the items of the oracle: code points, and the places of ill-formed sequences.
/// `pieces` are the chunks of input; `room` is the size of the output in code points.
pub(crate) fn decode_items(
    encoding: Encoding,
    pieces: &[&[u8]],
    room: usize,
    items: &mut Vec<Item>,
) {
    let mut decoder = Decoder::new(encoding, Options::default());
    let mut points = [0; 64];
    for (index, piece) in pieces.iter().enumerate() {
        let last = index + 1 == pieces.len();
        let mut rest = *piece;
        loop {
            let progress = decoder.decode_to_code_points(rest, &mut points[..room], last);
            rest = &rest[progress.read..];
            items.extend(points[..progress.written].iter().map(|point| Item::Point(*point)));
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => items.push(Item::Ill {
                    offset: error.offset() as usize,
                    length: error.length() as usize,
                }),
            }
        }
        assert!(rest.is_empty(), "{encoding}: {rest:02X?} left of {pieces:02X?}");
    }
}

/// Encodes code points, in chunks of `step`, into an output of `room` bytes. The error is the index
/// of a code point.
pub(crate) fn encode_code_points(
    encoding: Encoding,
    points: &[u32],
    step: usize,
    room: usize,
) -> Result<Vec<u8>, usize> {
    let encoded = encode_with(encoding, Options::default(), points, step, room);
    encoded.map_err(|error| error.offset() as usize)
}

/// Encodes code points, in chunks of `step`, into an output of `room` bytes.
pub(crate) fn encode_with(
    encoding: Encoding,
    options: Options,
    points: &[u32],
    step: usize,
    room: usize,
) -> Result<Vec<u8>, Error> {
    let mut encoder = Encoder::new(encoding, options);
    let mut bytes = Vec::new();
    let mut out = vec![0; room];
    let mut read = 0;
    loop {
        let end = points.len().min(read + step);
        let last = end == points.len();
        let progress = encoder.encode_code_points(&points[read..end], &mut out, last);
        read += progress.read;
        bytes.extend_from_slice(&out[..progress.written]);
        match progress.status {
            Status::InputEmpty if last => return Ok(bytes),
            Status::InputEmpty | Status::OutputFull => {}
            Status::Error(error) => return Err(error),
        }
    }
}

/// Does work in two parts, on separate threads if threads are available.
pub(crate) fn in_two(work: impl Fn(u64) + Sync) {
    if cfg!(target_family = "wasm") {
        work(0);
        work(1);
        return;
    }
    std::thread::scope(|scope| {
        scope.spawn(|| work(0));
        scope.spawn(|| work(1));
    });
}

/// xorshift64*: the same numbers on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }
}
