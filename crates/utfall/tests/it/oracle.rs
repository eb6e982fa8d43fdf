//! Compares the codecs with the oracle, in every encoding that it knows: every sequence of up to
//! three bytes (for encodings with larger code units, up to two and some of three), and a seeded
//! sample of longer ones, whole and split at every place.

use crate::common::{Random, decode_items, encode_code_points, in_two};
use utfall::Encoding;
use utfall_oracle::{Item, rounds, step};

fn encodings() -> impl Iterator<Item = (&'static str, Encoding)> {
    utfall_oracle::names().iter().map(|name| {
        (*name, Encoding::for_label(name).unwrap_or_else(|| panic!("{name} is not registered")))
    })
}

/// Compares one sequence, whole.
fn compare(
    name: &str,
    encoding: Encoding,
    bytes: &[u8],
    ours: &mut Vec<Item>,
    theirs: &mut Vec<Item>,
) {
    compare_decoded(name, encoding, bytes, ours, theirs);
    let first = theirs.iter().find_map(|item| match item {
        Item::Ill { offset, length } => Some((*offset as u64, *length as u32)),
        Item::Point(_) => None,
    });
    let found = encoding.validate(bytes).err().map(|error| (error.offset(), error.length()));
    assert_eq!(found, first, "{name}: validate {bytes:02X?}");
}

/// Compares the result of a stream.
fn compare_decoded(
    name: &str,
    encoding: Encoding,
    bytes: &[u8],
    ours: &mut Vec<Item>,
    theirs: &mut Vec<Item>,
) {
    ours.clear();
    theirs.clear();
    decode_items(encoding, &[bytes], 64, ours);
    assert!(utfall_oracle::decode(name, bytes, theirs));
    assert_eq!(ours, theirs, "{name}: {bytes:02X?}");
}

/// Whether its code units have two or four bytes.
fn is_in_units(name: &str) -> bool {
    let units = ["UTF-16", "UCS-", "UTF-32"];
    ["UNICODE-1-1", "UNICODE-2-0"].contains(&name) || units.iter().any(|unit| name.contains(unit))
}

/// Runs `work` for every encoding, two at a time.
fn for_each_encoding(work: impl Fn(&'static str, Encoding) + Sync) {
    let next = std::sync::Mutex::new(encodings());
    in_two(|_| {
        while let Some((name, encoding)) = {
            let mut next = next.lock().unwrap();
            next.next()
        } {
            work(name, encoding);
        }
    });
}

#[test]
fn every_sequence_of_up_to_three_bytes() {
    // Primes, so that the values at each place vary.
    let shorter = step(1999);
    for_each_encoding(|name, encoding| {
        // Three bytes are a unit and part of another, or only part of one.
        let step = if is_in_units(name) { shorter.max(61) } else { shorter };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        compare(name, encoding, &[], &mut ours, &mut theirs);
        for length in 1..=3 {
            let step = if length == 3 { step } else { shorter };
            for number in (0..256_u32.pow(length)).step_by(step) {
                let bytes = number.to_be_bytes();
                let bytes = &bytes[4 - length as usize..];
                // Validate three bytes only now and then: validation is the stream without its
                // output.
                let is_validated = length < 3 || number % 7 == 0;
                let compare = if is_validated { compare } else { compare_decoded };
                compare(name, encoding, bytes, &mut ours, &mut theirs);
            }
        }
    });
}

/// Significant bytes for each kind of encoding, so that random sequences reach deep into its
/// decoder.
fn alphabet(name: &str) -> &'static [u8] {
    match name {
        _ if name.contains("UTF-7") => b"+-&,/AIKwZeVnLqg2D0c3Q9 ~\\\t\n\x80a!=.",
        "SCSU" => b"\x00\x01\x05\x0B\x0C\x0D\x0E\x0F\x10\x14\x18\x1C\x1F\x20A\x7F\x80\xA7\xA8\xD8\xDB\xDC\xDF\xE0\xE4\xE8\xEC\xF0\xF1\xF2\xF8\xF9\xFF",
        "BOCU-1" => b"\x00\x0A\x0D\x1B\x20\x21\x22\x25\x4C\x50\x8F\xB1\xD0\xFA\xFB\xFC\xFD\xFE\xFF",
        "ISO-10646-UTF-1" => b"\x20\x21\x7E\x7F\x9F\xA0\xA1\xF5\xF6\xF7\xF9\xFB\xFC\xFD\xFE\xFF\xBD\x2B\xB9\x40",
        "UTF-EBCDIC" | "UTF-EBCDIC/CDRA" => b"\x15\x25\x40\x41\x42\x43\x45\x49\x4A\x57\x64\x65\x66\x67\x73\x74\x78\x80\xB7\xDC\xDD\xDE\xED\xEE\xFA\xFB\xFE\xC1",
        _ if name.contains("16") || name.contains("UCS-2") || name.starts_with("UNICODE-1-1") || name == "UNICODE-2-0" => {
            b"\x00\x41\xAC\xD7\xD8\xDB\xDC\xDF\xE0\xFE\xFF\x34\x4D"
        }
        _ if name.contains("32") || name.contains("UCS-4") => b"\x00\x00\x00\x01\x10\x11\x41\x7F\x80\xD8\xDF\xFE\xFF",
        _ => b"\x00\x41\x7F\x80\x8F\x90\x9F\xA0\xAF\xB0\xBF\xC0\xC1\xC2\xDF\xE0\xED\xED\xEF\xF0\xF4\xF5\xF7\xF8\xFB\xFC\xFD\xFE\xFF",
    }
}

/// Bytes that move the decoders of stateful formats between all of their states.
fn symbols(name: &str) -> Option<&'static [u8]> {
    Some(match name {
        "UTF-7-IMAP" => b"&-,AI2D3/.~\x80",
        _ if name.contains("UTF-7") => b"+-AI2D3/.~\\\x80",
        "SCSU" => b"\x01\x0B\x0E\x0F\x10\x18A\x80\xD8\xDC\xE0\xF0\xF1",
        "BOCU-1" => b"\x0A\x20\x21\x50\x8F\xD0\xFA\xFB\xFE\xFF",
        "ISO-10646-UTF-1" => b"\x20\x21\x7F\x9F\xA0\xF5\xF6\xFB\xFC\xFF",
        "UTF-EBCDIC" | "UTF-EBCDIC/CDRA" => b"\x15\x41\x42\x43\x80\xB7\xDD\xED\xFA\xFE",
        "WTF-8" | "CESU-8" | "MUTF-8" => b"A\x80\x90\xA0\xB0\xC0\xED\xF0",
        "UTF-16" | "UTF-16LE" | "UTF-16BE" => b"\x00A\xD8\xDC\xFE\xFF",
        _ => return None,
    })
}

/// Every sequence of five symbols, and so every path of five steps through the states of a decoder.
/// With few symbols, sequences of seven; also sequences of six bytes.
#[test]
fn every_row_of_symbols() {
    for_each_encoding(|name, encoding| {
        let Some(symbols) = symbols(name) else { return };
        let longest = if symbols.len() <= 8 { 7 } else { 5 };
        let length = if step(9) > 1 { 3 } else { longest };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut row = vec![0; length];
        loop {
            let bytes: Vec<u8> = row.iter().map(|symbol| symbols[*symbol]).collect();
            compare(name, encoding, &bytes, &mut ours, &mut theirs);
            let more = row.iter().rposition(|symbol| symbol + 1 < symbols.len());
            let Some(at) = more else { break };
            row[at] += 1;
            row[at + 1..].fill(0);
        }
    });
}

#[test]
fn a_sample_of_longer_sequences() {
    let rounds = rounds(60_000, 40);
    for_each_encoding(|name, encoding| {
        let mut random = Random(0x5EED_0001);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let special = alphabet(name);
        for round in 0..rounds {
            let length = 4 + random.below(if round % 100 == 0 { 300 } else { 14 });
            let bytes: Vec<u8> = (0..length)
                .map(|_| match random.below(8) {
                    0 => random.next() as u8,
                    _ => special[random.below(special.len())],
                })
                .collect();
            compare(name, encoding, &bytes, &mut ours, &mut theirs);
        }
    });
}

#[test]
fn every_split_and_every_output_size() {
    let rounds = rounds(1_500, 20);
    for_each_encoding(|name, encoding| {
        let mut random = Random(0x5EED_0002);
        let special = alphabet(name);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            let length = 1 + random.below(if round % 20 == 0 { 250 } else { 12 });
            let bytes: Vec<u8> =
                (0..length).map(|_| special[random.below(special.len())]).collect();
            theirs.clear();
            utfall_oracle::decode(name, &bytes, &mut theirs);
            let mut check = |pieces: &[&[u8]], room| {
                ours.clear();
                decode_items(encoding, pieces, room, &mut ours);
                assert_eq!(ours, theirs, "{name}: {pieces:02X?}, room for {room}");
            };
            for at in 0..=length {
                let (head, tail) = bytes.split_at(at);
                check(&[head, &[], tail], 1 + at % 5);
            }
            let single: Vec<&[u8]> = bytes.chunks(1).chain([&[][..]]).collect();
            check(&single, 1);
            check(&single, 64);
            let cut: Vec<&[u8]> = bytes.chunks(1 + random.below(70)).chain([&[][..]]).collect();
            check(&cut, 64);
            for room in 1..=5 {
                check(&[&bytes], room);
            }
        }
    });
}

/// The oracle decodes what an encoder writes; neither encodes what the other cannot.
#[test]
fn every_code_point_is_encoded_as_the_oracle_does() {
    let every = step(97);
    for_each_encoding(|name, encoding| {
        let (mut theirs, mut back) = (Vec::new(), Vec::new());
        let beyond = [0x11_0000, 0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000, 0x7FFF_FFFF];
        for point in (0..0x11_0000).step_by(every).chain(beyond) {
            theirs.clear();
            let expected = utfall_oracle::encode(name, &[point], &mut theirs);
            match (encode_code_points(encoding, &[point], 1, 16), expected) {
                (Err(0), Err(Some(0))) => {}
                (Ok(bytes), Ok(())) if name == "SCSU" => {
                    // SCSU encoders may differ; their output must have the same meaning.
                    back.clear();
                    utfall_oracle::decode(name, &bytes, &mut back);
                    assert_eq!(back, [Item::Point(point)], "{name}: U+{point:04X}");
                }
                (Ok(bytes), Ok(())) => assert_eq!(bytes, theirs, "{name}: U+{point:04X}"),
                (ours, theirs) => panic!("{name}: U+{point:04X}: {ours:02X?}, oracle {theirs:?}"),
            }
        }
    });
}

#[test]
fn random_text_is_encoded_as_the_oracle_does_in_any_pieces() {
    let rounds = rounds(4_000, 20);
    for_each_encoding(|name, encoding| {
        let mut random = Random(0x5EED_0003);
        let (mut theirs, mut back) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let length = 1 + random.below(24);
            let points: Vec<u32> = (0..length).map(|_| random_point(&mut random)).collect();
            theirs.clear();
            let expected = utfall_oracle::encode(name, &points, &mut theirs);
            for (step, room) in [(64, 4096), (1, 16), (2, 17), (3, 33)] {
                match (encode_code_points(encoding, &points, step, room), expected) {
                    (Err(ours), Err(Some(index))) => assert_eq!(ours, index, "{name}: {points:X?}"),
                    (Ok(bytes), Ok(())) if name == "SCSU" => {
                        back.clear();
                        utfall_oracle::decode(name, &bytes, &mut back);
                        let meant: Vec<Item> = points.iter().map(|p| Item::Point(*p)).collect();
                        assert_eq!(back, meant, "{name}: {points:X?}");
                    }
                    (Ok(bytes), Ok(())) => {
                        assert_eq!(bytes, theirs, "{name}: {points:X?} by {step}, {room}");
                    }
                    (ours, theirs) => panic!("{name}: {points:X?}: {ours:02X?}, oracle {theirs:?}"),
                }
            }
        }
    });
}

/// Mostly text that every encoding has, sometimes characters that some lack.
fn random_point(random: &mut Random) -> u32 {
    let (first, count) = match random.below(16) {
        0..=4 => (0x20, 0x5F),
        5 => (0, 0x20),
        6..=7 => (0xA0, 0x60),
        8 => (0x400, 0x100),
        9..=10 => (0x4E00, 0x5000),
        11 => (0xAC00, 0x2BA4),
        12 => (0x3040, 0xC0),
        13 => (0x1F300, 0x300),
        14 => (0xE000, 0x2000),
        _ => (0xD7F0, 0x900),
    };
    first + random.below(count) as u32
}
