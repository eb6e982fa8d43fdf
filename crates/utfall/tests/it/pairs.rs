//! Every pair of encodings, under every policy: output, error, position and counts must not depend
//! on how input and output are split, and nothing may panic.

use crate::common::contract::{Cut, check_one_call, convert, whole};
use crate::common::{self, Random};
use utfall::lines::Position;
use utfall::{
    Bom, Decoder, Encoding, Error, Escape, Granularity, Options, Policy, Progress, Status,
    Substitute, Utf7Options, Utf7Tolerance, transcode,
};
use utfall_oracle::rounds;

fn random_options(random: &mut Random) -> Options {
    let policies = [
        Policy::Strict,
        Policy::Replace,
        Policy::Escape(Escape::Braces),
        Policy::Escape(Escape::Xml),
        Policy::Escape(Escape::Python),
        Policy::SurrogateEscape,
        Policy::Skip,
    ];
    let granularities =
        [Granularity::MaximalSubpart, Granularity::PerByte, Granularity::Jdk, Granularity::Perl];
    let boms = [Bom::Auto, Bom::Keep, Bom::Strip, Bom::Add];
    let texts = [None, None, Substitute::new("[é☺]"), Substitute::new("")];
    // Rarely strict, since a stream that continues shows more.
    Options::strict()
        .with_on_ill_formed(policies[random.below(20) % 7])
        .with_on_unencodable(policies[random.below(20) % 7])
        .with_granularity(granularities[random.below(4)])
        .with_replacement(texts[random.below(4)])
        .with_substitute(texts[random.below(4)])
        .with_bom(boms[random.below(4)])
        .with_utf7(
            Utf7Options::new()
                .with_shift_set_o(random.below(2) == 0)
                .with_explicit_close(random.below(2) == 0),
        )
        .with_utf7_tolerance(
            Utf7Tolerance::NAMED
                .iter()
                .filter(|_| random.below(2) == 0)
                .fold(Utf7Tolerance::NONE, |set, (_, one, _)| set | *one),
        )
}

/// Text in the source encoding with some damage, or random bytes.
fn random_input(random: &mut Random, source: Encoding) -> Vec<u8> {
    let mut input = Vec::new();
    if random.below(4) > 0 {
        let length = random.below(60);
        let text: String = (0..length)
            .filter_map(|_| {
                let (first, count) = [
                    (0x20, 0x5F),
                    (0x0A, 1),
                    (0xA0, 0x200),
                    (0xFEFF, 1),
                    (0x4E00, 0x3000),
                    (0xAC00, 0x2BA4),
                    (0x1F300, 0x400),
                ][random.below(7)];
                char::from_u32(first + random.below(count) as u32)
            })
            .collect();
        let options = Options::both(Policy::Skip);
        input = source.encode_with(&text, options).unwrap().into_owned();
    }
    for _ in 0..random.below(6) {
        let at = random.below(input.len() + 1);
        match (random.below(3), at < input.len()) {
            (0, true) => _ = input.remove(at),
            (1, true) => input[at] = random.next() as u8,
            _ => input.insert(at, random.next() as u8),
        }
    }
    input
}

#[test]
fn any_cut_gives_the_same() {
    let mut random = Random(0x5EED_0004);
    for source in common::encodings() {
        for target in common::encodings() {
            for _ in 0..rounds(40, 20) {
                let conversion = (source, target, random_options(&mut random));
                let input = random_input(&mut random, source);
                let all = convert(conversion, &input, whole());
                let single = convert(conversion, &input, Cut { piece: || 1, room: || 16 });
                assert_eq!(single, all, "{conversion:?}: {input:02X?}, one by one");
                let mut pieces = Random(random.next() | 1);
                let mut rooms = Random(random.next() | 1);
                let cut = Cut { piece: || pieces.below(12), room: || 16 + rooms.below(20) };
                let cut = convert(conversion, &input, cut);
                assert_eq!(cut, all, "{conversion:?}: {input:02X?}, cut");
                check_one_call(conversion, &input, &all);
            }
        }
    }
}

#[derive(Debug, PartialEq)]
struct Problems {
    found: Vec<(Error, Option<Position>)>,
    last: Option<Position>,
    ill_formed: u64,
}

/// The errors found by a decoding function.
fn problems(
    (source, options): (Encoding, Options),
    input: &[u8],
    size: usize,
    mut decode: impl FnMut(&mut Decoder<'_>, &[u8], bool) -> Progress,
) -> Problems {
    let mut decoder = Decoder::new(source, options).track_position();
    let mut found = Vec::new();
    let mut rest = input;
    loop {
        let (mut now, later) = rest.split_at(rest.len().min(size));
        rest = later;
        loop {
            let progress = decode(&mut decoder, now, rest.is_empty());
            now = &now[progress.read..];
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => found.push((error, decoder.error_position())),
            }
        }
        if rest.is_empty() {
            let (last, ill_formed) = (decoder.error_position(), decoder.counts().ill_formed);
            return Problems { found, last, ill_formed };
        }
    }
}

#[test]
fn validation_finds_what_decoding_finds() {
    let mut random = Random(0x5EED_0005);
    let mut ill_formed = 0;
    for source in Encoding::ALL.iter().copied() {
        for _ in 0..rounds(200, 20) {
            let conversion = (source, random_options(&mut random));
            let mut input = random_input(&mut random, source);
            if random.below(4) == 0 {
                input = input.repeat(20);
            }
            let decoded = problems(conversion, &input, usize::MAX, |decoder, piece, last| {
                decoder.decode_to_code_points(piece, &mut [0; 100], last)
            });
            for size in [usize::MAX, 1 + random.below(9)] {
                let validated = problems(conversion, &input, size, |decoder, piece, last| {
                    decoder.validate(piece, last)
                });
                assert_eq!(validated, decoded, "{conversion:?}: {input:02X?} by {size}");
            }
            ill_formed += decoded.ill_formed;
        }
    }
    assert!(ill_formed as usize > rounds(1000, 20));
}

/// U+FFFD for each byte, which takes more space in UTF-32 than in UTF-8.
#[test]
fn every_byte_is_replaced() {
    for length in 0..300 {
        let bytes = vec![0xFF; length];
        let made = transcode(Encoding::Utf8, Encoding::Utf32Le, &bytes, Options::lossy()).unwrap();
        assert_eq!(*made, b"\xFD\xFF\0\0".repeat(length));
    }
}
