//! Checks shared by the tests of several formats.

extern crate std;

use std::vec::Vec;

use utfall_oracle::step;

use crate::{Decoder, Encoder, Encoding, Options, Status};

/// A decoded item: a code point, or the offset and length of an ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Point(u32),
    Ill(usize, usize),
}

/// Decodes `pieces`, one call after another, into an output with space for `room` code points.
pub(super) fn decode(encoding: Encoding, pieces: &[&[u8]], room: usize) -> Vec<Item> {
    let mut decoder = Decoder::new(encoding, Options::default());
    let mut items = Vec::new();
    let mut points = std::vec![0; room];
    for (index, piece) in pieces.iter().enumerate() {
        let last = index + 1 == pieces.len();
        let mut rest = *piece;
        loop {
            let progress = decoder.decode_to_code_points(rest, &mut points, last);
            rest = &rest[progress.read..];
            items.extend(points[..progress.written].iter().map(|point| Item::Point(*point)));
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => {
                    items.push(Item::Ill(error.offset() as usize, error.length() as usize));
                }
            }
        }
        assert!(rest.is_empty(), "{encoding}: {rest:02X?} left of {pieces:02X?}");
    }
    items
}

/// Encodes `points`, a few per call, into an output of `room` bytes. `Err` is the index of the
/// first unencodable one.
pub(super) fn encode(
    encoding: Encoding,
    points: &[u32],
    step: usize,
    room: usize,
) -> Result<Vec<u8>, usize> {
    let mut encoder = Encoder::new(encoding, Options::default());
    let mut bytes = Vec::new();
    let mut out = std::vec![0; room];
    let mut read = 0;
    loop {
        let end = points.len().min(read + step);
        let progress =
            encoder.encode_code_points(&points[read..end], &mut out, end == points.len());
        read += progress.read;
        bytes.extend_from_slice(&out[..progress.written]);
        match progress.status {
            Status::InputEmpty if end == points.len() => return Ok(bytes),
            Status::InputEmpty | Status::OutputFull => {}
            Status::Error(error) => return Err(error.offset() as usize),
        }
    }
}

/// Decodes `bytes` whole, split at every place, byte by byte, and with little space.
pub(super) fn check_decoding(encoding: Encoding, bytes: &[u8], expected: &[Item]) {
    let check = |pieces: &[&[u8]], room| {
        let found = decode(encoding, pieces, room);
        assert_eq!(found, expected, "{encoding}: {pieces:02X?}, space for {room}");
    };
    check(&[bytes], 64);
    (1..4).for_each(|room| check(&[bytes], room));
    for at in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(at);
        check(&[head, &[], tail], 64);
        check(&[head, tail], 1);
    }
    let single: Vec<&[u8]> = bytes.chunks(1).chain([&[][..]]).collect();
    check(&single, 1);
    let ill = expected.iter().find_map(|item| match item {
        Item::Point(_) => None,
        Item::Ill(offset, length) => Some((*offset as u64, *length as u32)),
    });
    let found = encoding.validate(bytes).err().map(|error| (error.offset(), error.length()));
    assert_eq!(found, ill, "{encoding}: validate {bytes:02X?}");
}

/// Encodes `points` whole and in parts.
pub(super) fn check_encoding(encoding: Encoding, points: &[u32], expected: Result<&[u8], usize>) {
    for (step, room) in [(points.len(), 4096), (1, 16), (2, 17), (3, 33)] {
        let found = encode(encoding, points, step, room);
        assert_eq!(
            found.as_deref(),
            expected.as_ref().map(|bytes| &**bytes),
            "{encoding}: {points:X?} by {step}, space for {room}"
        );
    }
}

/// Encodes and decodes every code point for which `has` returns true, both alone and in one text.
/// All others must be unencodable, or are left out.
pub(super) fn round_trip(encoding: Encoding, has: impl Fn(u32) -> bool) {
    let mut all = Vec::new();
    for point in (0..0x11_0000).step_by(step(97)).filter(|point| has(*point)) {
        let bytes = encode(encoding, &[point], 1, 16).expect("can be encoded");
        assert_eq!(decode(encoding, &[&bytes], 4), [Item::Point(point)], "{encoding}");
        all.push(point);
    }
    let bytes = encode(encoding, &all, all.len(), 4096).expect("can be encoded");
    let items = decode(encoding, &[&bytes], 4096);
    assert!(items.iter().copied().eq(all.into_iter().map(Item::Point)), "{encoding}");
}

/// xorshift64*: the same numbers on every machine.
#[cfg(feature = "legacy")]
pub(super) struct Random(pub(in crate::codec) u64);

#[cfg(feature = "legacy")]
impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }
}

/// The items that `encoding_rs` finds in the whole of `bytes`.
#[cfg(feature = "legacy")]
pub(super) fn decode_by_encoding_rs(
    charset: &'static encoding_rs::Encoding,
    bytes: &[u8],
) -> Vec<Item> {
    use encoding_rs::DecoderResult;
    let mut decoder = charset.new_decoder_without_bom_handling();
    let mut units = std::vec![0; bytes.len() + 4];
    let mut items = Vec::new();
    let mut at = 0;
    loop {
        let (result, read, written) =
            decoder.decode_to_utf16_without_replacement(&bytes[at..], &mut units, true);
        at += read;
        let points = char::decode_utf16(units[..written].iter().copied());
        items.extend(points.map(|point| Item::Point(u32::from(point.expect("well-formed")))));
        match result {
            DecoderResult::InputEmpty => return items,
            DecoderResult::OutputFull => unreachable!("space for all"),
            DecoderResult::Malformed(length, after) => {
                let (length, after) = (usize::from(length), usize::from(after));
                items.push(Item::Ill(at - after - length, length));
            }
        }
    }
}

/// The encoding of the whole of `text` by `encoding_rs`. `Err` is the index of the first
/// unencodable character.
#[cfg(feature = "legacy")]
pub(super) fn encode_by_encoding_rs(
    charset: &'static encoding_rs::Encoding,
    text: &[char],
) -> Result<Vec<u8>, usize> {
    use encoding_rs::EncoderResult;
    let mut encoder = charset.new_encoder();
    let mut bytes = std::vec![0; 8 * text.len() + 16];
    let mut written = 0;
    for (index, scalar) in text.iter().enumerate() {
        let mut units = [0; 2];
        let last = index + 1 == text.len();
        let (result, _, count) = encoder.encode_from_utf16_without_replacement(
            scalar.encode_utf16(&mut units),
            &mut bytes[written..],
            last,
        );
        written += count;
        match result {
            EncoderResult::InputEmpty => {}
            EncoderResult::OutputFull => unreachable!("space for all"),
            EncoderResult::Unmappable(_) => return Err(index),
        }
    }
    bytes.truncate(written);
    Ok(bytes)
}

/// Text whose characters JIS X 0213 combines, and others.
#[cfg(feature = "jisx0213")]
pub(super) const COMBINING: [&str; 22] = [
    "か",
    "か\u{309A}",
    "キ",
    "キ\u{309A}",
    "セ",
    "ㇷ",
    "ㇷ\u{309A}",
    "æ",
    "ɔ",
    "ʌ",
    "ə",
    "ɚ",
    "\u{300}",
    "\u{301}",
    "˥",
    "˩",
    "˥˩",
    "a",
    "ｱ",
    "日",
    "Ａ",
    "\n",
];

/// Whether glibc provides the system's `iconv`, and tests may run it.
#[cfg(feature = "glibc")]
pub(super) fn has_iconv() -> bool {
    run("iconv", &["--version"], b"").is_some_and(|it| it.windows(5).any(|part| part == b"GLIBC"))
}

/// The output of the system's `iconv`. `None` unless glibc provides it.
#[cfg(feature = "glibc")]
pub(super) fn iconv(args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    has_iconv().then(|| run("iconv", args, input))?
}

/// The standard output of a program. `None` if it is not installed, or if `UTFALL_TEST_ALONE` is set.
#[cfg(feature = "glibc")]
pub(super) fn run(program: &str, args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    if std::env::var_os("UTFALL_TEST_ALONE").is_some() {
        return None;
    }
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    std::thread::scope(|scope| {
        // A program that ends early has closed the pipe.
        scope.spawn(move || _ = stdin.write_all(input));
        Some(child.wait_with_output().ok()?.stdout)
    })
}
