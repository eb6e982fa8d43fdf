//! UTF-7 and IMAP mailbox names, rule by rule: each kind of error with its offset and bit, and the
//! effect of each relaxed rule. Compares with the oracle over every short sequence of significant
//! bytes, whole and split.

use crate::common::{self, Random, in_two};
use utfall::{Decoder, Encoding, ErrorKind, Options, Status, Utf7Options, Utf7Tolerance as L};
use utfall_oracle::shifted::{self, Fault, Reading, Rule};
use utfall_oracle::{rounds, step};

const NAMES: [(&str, Encoding); 2] =
    [("UTF-7", Encoding::Utf7), ("UTF-7-IMAP", Encoding::Utf7Imap)];

/// A decoded item: a code point, or an error with its offset, length and bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Point(u32),
    Error(ErrorKind, usize, usize, Option<u32>),
}

fn kind(rule: Rule) -> ErrorKind {
    match rule {
        Rule::NotDirect => ErrorKind::NotDirect,
        Rule::Control => ErrorKind::Control,
        Rule::EightBit => ErrorKind::EightBit,
        Rule::EmptyShift => ErrorKind::EmptyShift,
        Rule::Truncated => ErrorKind::Truncated,
        Rule::NonZeroPadding => ErrorKind::NonZeroPadding,
        Rule::DanglingDigit => ErrorKind::DanglingDigit,
        Rule::OddBytes => ErrorKind::OddBytes,
        Rule::HighSurrogate => ErrorKind::HighSurrogate,
        Rule::LowSurrogate => ErrorKind::LowSurrogate,
        Rule::Unterminated => ErrorKind::Unterminated,
        Rule::SlashDigit => ErrorKind::SlashDigit,
        Rule::NullShift => ErrorKind::NullShift,
        Rule::EncodedAscii => ErrorKind::EncodedAscii,
    }
}

fn error(fault: &Fault) -> Found {
    let Fault { rule, offset, length, bit, .. } = *fault;
    Found::Error(kind(rule), offset, length, bit.map(|bit| bit as u32))
}

/// Decodes `pieces` into an output for `room` code points or, if that is 0, through UTF-8, which
/// has kernels. Appends the items to `found`. Returns how many errors were accepted, and by which
/// rules.
fn decode(
    encoding: Encoding,
    utf7_tolerance: L,
    pieces: &mut dyn Iterator<Item = &[u8]>,
    room: usize,
    found: &mut Vec<Found>,
) -> (u64, L) {
    let mut decoder =
        Decoder::new(encoding, Options::default().with_utf7_tolerance(utf7_tolerance));
    let (mut points, mut bytes) = ([0; 64], [0; 64]);
    // The end is announced in a separate call.
    for piece in pieces.map(Some).chain([None]) {
        let (mut rest, last) = (piece.unwrap_or_default(), piece.is_none());
        loop {
            let progress = match room {
                0 => decoder.decode_to_utf8(rest, &mut bytes, last),
                _ => decoder.decode_to_code_points(rest, &mut points[..room], last),
            };
            rest = &rest[progress.read..];
            match room {
                0 => {
                    let text = std::str::from_utf8(&bytes[..progress.written]).unwrap();
                    found.extend(text.chars().map(|scalar| Found::Point(scalar.into())));
                }
                _ => found.extend(points[..progress.written].iter().map(|p| Found::Point(*p))),
            }
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => {
                    let (offset, length) = (error.offset() as usize, error.length() as usize);
                    found.push(Found::Error(error.kind(), offset, length, error.run_bit()));
                }
            }
        }
        assert!(rest.is_empty(), "{encoding}: {rest:02X?} left");
    }
    (decoder.counts().tolerated, decoder.counts().tolerance)
}

/// Bytes that are significant to some rule, and some that are not.
const ALPHABET: &[u8; 16] = b"+-&,/ABIKw.~\\\n\x80=";

/// Every sequence of `length` bytes of the alphabet whose number is `part` modulo `parts`.
fn sequences(length: u32, (part, parts): (u64, u64)) -> impl Iterator<Item = Vec<u8>> {
    // A prime, so that the bytes at each place vary.
    let numbers = (0..16_u64.pow(length)).step_by(if length > 2 { step(97) } else { 1 });
    numbers.filter(move |number| number % parts == part).map(move |number| {
        (0..length).map(|at| ALPHABET[(number >> (4 * at) & 15) as usize]).collect()
    })
}

fn check_strictly(name: &str, encoding: Encoding, bytes: &[u8]) {
    let readings = shifted::read(name, bytes).unwrap();
    let expected: Vec<Found> = readings
        .iter()
        .map(|reading| match reading {
            Reading::Point(point) => Found::Point(*point),
            Reading::Fault(fault) => error(fault),
        })
        .collect();
    let mut found = Vec::with_capacity(expected.len());
    let mut check = |pieces: &mut dyn Iterator<Item = &[u8]>, room| {
        found.clear();
        assert_eq!(decode(encoding, L::NONE, pieces, room, &mut found), (0, L::NONE));
        assert_eq!(found, expected, "{name}: {bytes:02X?}");
    };
    check(&mut [bytes].into_iter(), 64);
    check(&mut bytes.chunks(1), 1);
    check(&mut [bytes].into_iter(), 0);
    for at in 1..bytes.len() {
        check(&mut [&bytes[..at], &bytes[at..]].into_iter(), 1 + at);
        check(&mut [&bytes[..at], &bytes[at..]].into_iter(), 0);
    }
    // The one-call functions find the same first error.
    let first = expected.iter().find(|found| matches!(found, Found::Error(..)));
    let one = encoding.validate(bytes).err().map(|error| {
        let (offset, length) = (error.offset() as usize, error.length() as usize);
        Found::Error(error.kind(), offset, length, error.run_bit())
    });
    assert_eq!(one.as_ref(), first, "{name}: validate {bytes:02X?}");
}

/// Each third code unit ends with a digit; the others share a digit with the next.
#[test]
fn a_high_surrogate_alone_at_each_place_of_a_digit() {
    let mut items = [Vec::new(), Vec::new()];
    for (name, encoding) in NAMES {
        let is_imap = encoding == Encoding::Utf7Imap;
        let digit = |bits: u128| match (bits & 0x3F) as u8 {
            value @ 0..26 => b'A' + value,
            value @ 26..52 => b'a' + (value - 26),
            value @ 52..62 => b'0' + (value - 52),
            62 => b'+',
            _ if is_imap => b',',
            _ => b'/',
        };
        for before in 0..3 {
            let units = [&[0x4E00; 2][..before], &[0xD83D, 0x4E01, 0xDE00, 0x4E02]].concat();
            let bits = units.iter().fold(0, |bits, unit| bits << 16 | unit);
            let length = (16 * units.len()).next_multiple_of(6);
            let bits = bits << (length - 16 * units.len());
            let mut text = vec![if is_imap { b'&' } else { b'+' }];
            text.extend((0..length / 6).rev().map(|at| digit(bits >> (6 * at))));
            text.push(b'-');
            items.iter_mut().for_each(Vec::clear);
            assert!(utfall_oracle::decode(name, &text, &mut items[0]));
            common::decode_items(encoding, &[&text], 64, &mut items[1]);
            assert_eq!(items[0], items[1], "{name}: {}", text.escape_ascii());
            assert_eq!(items[0].len(), units.len());
        }
    }
}

#[test]
fn every_sequence_of_up_to_five_bytes_cut_everywhere() {
    in_two(|part| {
        for (name, encoding) in NAMES {
            for length in 0..=5 {
                for bytes in sequences(length, (part, 2)) {
                    check_strictly(name, encoding, &bytes);
                }
            }
        }
    });
}

/// Of six bytes, only those that begin with a shift character: after any other byte, the remaining
/// five are decoded like a text of their own.
#[test]
fn every_sequence_of_six_bytes_cut_everywhere() {
    in_two(|part| {
        for (name, encoding) in NAMES {
            let shift = if name == "UTF-7" { b'+' } else { b'&' };
            for bytes in sequences(5, (part, 2)) {
                check_strictly(name, encoding, &[&[shift], &bytes[..]].concat());
            }
        }
    });
}

/// The expected items with the rules `allow`: what is accepted, and by which rules.
fn leniently(readings: &[Reading], shift: char, allow: L) -> (Vec<Found>, u64, L) {
    let mut found = Vec::new();
    let (mut count, mut used) = (0, L::NONE);
    let padding = |rule, non_zero| {
        let digits = match rule {
            Some(Rule::DanglingDigit | Rule::OddBytes) => L::DANGLING_DIGITS,
            _ => L::NONE,
        };
        if non_zero { digits | L::NON_ZERO_PADDING } else { digits }
    };
    let shift = u32::from(shift);
    for reading in readings {
        let fault = match reading {
            Reading::Point(point) => {
                found.push(Found::Point(*point));
                continue;
            }
            Reading::Fault(fault) => *fault,
        };
        let (takes, point) = match fault.rule {
            Rule::Truncated if allow.contains(L::END_SHIFT_KEPT) => {
                (L::END_SHIFT_KEPT, Some(shift))
            }
            Rule::Truncated => (L::END_SHIFT_DROPPED, None),
            Rule::EmptyShift if allow.contains(L::EMPTY_SHIFT_KEPT) => {
                (L::EMPTY_SHIFT_KEPT, Some(shift))
            }
            Rule::EmptyShift => (L::EMPTY_SHIFT_DROPPED, None),
            Rule::NonZeroPadding | Rule::DanglingDigit | Rule::OddBytes => {
                (padding(Some(fault.rule), fault.non_zero), None)
            }
            Rule::HighSurrogate | Rule::LowSurrogate => {
                (L::LONE_SURROGATES | padding(fault.also, fault.non_zero), fault.unit)
            }
            // The faulty bytes themselves: the unit is requested below.
            Rule::Control => (L::CONTROLS, None),
            Rule::NotDirect => (L::BACKSLASH_TILDE, None),
            Rule::EightBit => (L::LATIN1, None),
            Rule::EncodedAscii => (L::ENCODED_ASCII, fault.unit),
            Rule::NullShift => (L::NULL_SHIFT, None),
            Rule::Unterminated => (L::UNTERMINATED, None),
            Rule::SlashDigit => unreachable!("no '/' in these texts"),
        };
        if !allow.contains(takes) {
            found.push(error(&fault));
            continue;
        }
        (count, used) = (count + 1, used | takes);
        match fault.rule {
            Rule::Control | Rule::NotDirect | Rule::EightBit => {
                // Patched by the caller, which has the bytes.
                found.push(Found::Point(u32::MAX - fault.offset as u32));
            }
            _ => found.extend(point.map(Found::Point)),
        }
        if fault.unclosed {
            let offset = fault.offset + fault.length - 1;
            match allow.contains(L::UNTERMINATED) {
                true => (count, used) = (count + 1, used | L::UNTERMINATED),
                false => found.push(Found::Error(ErrorKind::Unterminated, offset, 1, None)),
            }
        }
    }
    (found, count, used)
}

#[test]
fn what_each_lenience_lets_pass() {
    // Surrogates are made of `2`, `3`, `D` and `A`.
    let alphabet = b"+-&,ABIKw23DD3A2AA.~\\\n\x80\xE9=+&--";
    let rounds = rounds(120_000, 40);
    in_two(|part| {
        let mut random = Random(0x5EED_0007 + part);
        for round in 0..rounds {
            let length = 1 + random.below(if round % 50 == 0 { 200 } else { 12 });
            let bytes: Vec<u8> =
                (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect();
            // A single rule, some of them, all of them; pairs and slashes have their own tests.
            let mask = match round % 3 {
                0 => 1 << random.below(15),
                1 => random.next(),
                _ => u64::MAX,
            };
            let allow = L::NAMED.iter().enumerate().fold(L::NONE, |set, (at, (_, one, _))| {
                let takes_part = *one != L::SPLIT_PAIRS && *one != L::SLASH_DIGIT;
                if mask >> at & 1 == 1 && takes_part { set | *one } else { set }
            });
            for (name, encoding) in NAMES {
                let readings = shifted::read(name, &bytes).unwrap();
                let shift = if name == "UTF-7" { '+' } else { '&' };
                let (mut expected, count, used) = leniently(&readings, shift, allow);
                for found in &mut expected {
                    if let Found::Point(point @ 0x8000_0000..) = found {
                        *point = u32::from(bytes[(u32::MAX - *point) as usize]);
                    }
                }
                let ways =
                    [(length, 64), (1, 1), (1 + random.below(length), 3), (length, 0), (1, 0)];
                // UTF-8 has no surrogates.
                let ways = &ways[..if allow.contains(L::LONE_SURROGATES) { 3 } else { 5 }];
                for &(size, room) in ways {
                    let mut found = Vec::new();
                    let passed = decode(encoding, allow, &mut bytes.chunks(size), room, &mut found);
                    assert_eq!(found, expected, "{name}: {bytes:02X?}, {allow:?}");
                    assert_eq!(passed, (count, used), "{name}: {bytes:02X?}, {allow:?}");
                }
            }
        }
    });
}

/// Decodes with these relaxed rules, split everywhere.
fn lenient(encoding: Encoding, allow: L, bytes: &[u8]) -> (Vec<Found>, u64, L) {
    let mut whole = Vec::new();
    let (count, used) = decode(encoding, allow, &mut [bytes].into_iter(), 64, &mut whole);
    for size in 1..bytes.len() {
        let mut cut = Vec::new();
        let passed = decode(encoding, allow, &mut bytes.chunks(size), 1, &mut cut);
        assert_eq!((&cut, passed), (&whole, (count, used)), "{bytes:02X?} by {size}");
    }
    (whole, count, used)
}

#[test]
fn pairs_in_two_runs() {
    let high = |offset, length| Found::Error(ErrorKind::HighSurrogate, offset, length, Some(0));
    let low = |offset| Found::Error(ErrorKind::LowSurrogate, offset, 3, Some(0));
    let pair = Found::Point(0x10000);
    let utf7 = |bytes: &[u8], allow| lenient(Encoding::Utf7, allow, bytes);
    assert_eq!(utf7(b"+2AA-+3AA-", L::NONE), (vec![high(1, 3), low(6)], 0, L::NONE));
    assert_eq!(utf7(b"+2AA-+3AA-", L::SPLIT_PAIRS), (vec![pair], 1, L::SPLIT_PAIRS));
    // The run continues after the pair.
    let more = vec![pair, Found::Point(0xE9), Found::Point(0x2E)];
    assert_eq!(utf7(b"+2AA-+3AAA6Q.", L::SPLIT_PAIRS), (more, 1, L::SPLIT_PAIRS));
    // Not directly after it; not a low surrogate; incomplete.
    let between = vec![high(1, 3), Found::Point(0x2E), low(7)];
    assert_eq!(utf7(b"+2AA-.+3AA-", L::SPLIT_PAIRS), (between, 0, L::NONE));
    let other = vec![high(1, 3), Found::Point(0xE9)];
    assert_eq!(utf7(b"+2AA-+AOk-", L::SPLIT_PAIRS), (other, 0, L::NONE));
    let half = Found::Error(ErrorKind::OddBytes, 6, 2, Some(0));
    assert_eq!(utf7(b"+2AA-+3A", L::SPLIT_PAIRS), (vec![high(1, 3), half], 0, L::NONE));
    assert_eq!(utf7(b"+2AA-+3AA-", L::LONE_SURROGATES), {
        let points = vec![Found::Point(0xD800), Found::Point(0xDC00)];
        (points, 2, L::LONE_SURROGATES)
    });
    // Padding must be zero here too, unless a rule accepts it.
    assert_eq!(utf7(b"+2AB-+3AA-", L::SPLIT_PAIRS), (vec![high(1, 3), low(6)], 0, L::NONE));
    let both = L::SPLIT_PAIRS | L::NON_ZERO_PADDING;
    assert_eq!(utf7(b"+2AB-+3AA-", both), (vec![pair], 1, both));

    // In a mailbox name it is also a null shift.
    let imap = |allow| lenient(Encoding::Utf7Imap, allow, b"&2AA-&3AA-");
    let null = Found::Error(ErrorKind::NullShift, 5, 1, None);
    assert_eq!(imap(L::SPLIT_PAIRS).0, [high(1, 3), null, low(6)]);
    let both = L::SPLIT_PAIRS | L::NULL_SHIFT;
    assert_eq!(imap(both), (vec![pair], 1, both));
}

#[test]
fn slashes_as_digits() {
    let imap = |bytes: &[u8], allow| lenient(Encoding::Utf7Imap, allow, bytes);
    let points = vec![Found::Point(0x53F0), Found::Point(0x5317)];
    assert_eq!(imap(b"&U/BTFw-", L::SLASH_DIGIT), (points, 1, L::SLASH_DIGIT));
    let strict = imap(b"&U/BTFw-", L::NONE).0;
    assert_eq!(strict[0], Found::Error(ErrorKind::SlashDigit, 1, 1, Some(0)));
    // After a well-formed run it is the same, unless unterminated runs are accepted.
    let euro = Found::Point(0x20AC);
    let slash = Found::Error(ErrorKind::SlashDigit, 3, 1, None);
    assert_eq!(imap(b"&IKw/", L::NONE).0, [euro, slash, Found::Point(0x2F)]);
    let open = (vec![euro, Found::Point(0x2F)], 1, L::UNTERMINATED);
    assert_eq!(imap(b"&IKw/", L::UNTERMINATED), open);
    // "€€?"; to accept the encoded question mark takes another rule.
    let question = Found::Error(ErrorKind::EncodedAscii, 6, 3, Some(32));
    assert_eq!(imap(b"&IKwgrAA/-", L::SLASH_DIGIT), (vec![euro, euro, question], 0, L::NONE));
    let both = L::SLASH_DIGIT | L::ENCODED_ASCII;
    let text = vec![euro, euro, Found::Point(0x3F)];
    assert_eq!(imap(b"&IKwgrAA/-", both), (text, 1, both));
    // The same text with commas has the same code points.
    let mut random = Random(0x5EED_0008);
    let all = L::NAMED.iter().fold(L::NONE, |set, (_, one, _)| set | *one);
    for _ in 0..rounds(50_000, 40) {
        let length = 2 + random.below(12);
        let digits: Vec<u8> = (0..length).map(|_| b"/AIKw,2D"[random.below(8)]).collect();
        let text = [b"&", &digits[..], b"-"].concat();
        let commas: Vec<u8> =
            text.iter().map(|byte| if *byte == b'/' { b',' } else { *byte }).collect();
        let (slashes, commas) = (imap(&text, all), imap(&commas, all));
        assert_eq!(slashes.0, commas.0, "{text:02X?}");
        assert_eq!(slashes.2.contains(L::SLASH_DIGIT), text.contains(&b'/'), "{text:02X?}");
    }
}

#[test]
fn lone_surrogates_are_written_if_they_are_read() {
    let options = Options::default().with_utf7_tolerance(L::LONE_SURROGATES);
    let mut encoder = utfall::Encoder::new(Encoding::Utf7, options);
    let mut out = [0; 16];
    let progress = encoder.encode_code_points(&[0xD800, 0xD800], &mut out, true);
    assert_eq!((&out[..progress.written], progress.status), (&b"+2ADYAA-"[..], Status::InputEmpty));
    // Without the rule, and for values outside Unicode, the clauses differ.
    for (point, clause) in
        [(0xDC00, "surrogates come in pairs"), (0x11_0000, "only characters of UTF-16")]
    {
        let mut encoder = utfall::Encoder::new(Encoding::Utf7, Options::default());
        let progress = encoder.encode_code_points(&[0x41, point], &mut out, true);
        let Status::Error(error) = progress.status else { panic!("{point:X}") };
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Unencodable(point), 1));
        assert!(error.clause().contains(clause), "{}", error.clause());
    }
    // UTF-8 has no surrogates: the error is that of the output, at the bytes of the surrogate.
    let error = utfall::transcode(Encoding::Utf7, Encoding::Utf8, b"a+IKzYAA-", options);
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unencodable(0xD800));
    assert_eq!((error.offset(), error.length()), (4, 4));
}

#[test]
fn bits_of_long_runs_are_those_of_their_group() {
    for units in 0..40_usize {
        // "€" repeated, with a superfluous digit.
        let text: String = "\u{20AC}".repeat(units);
        let mut bytes = Encoding::Utf7.encode(&text).unwrap().into_owned();
        if units == 0 {
            bytes.extend(b"+-");
        }
        bytes.pop();
        bytes.extend(b"E-");
        let error = Encoding::Utf7.validate(&bytes).unwrap_err();
        let bit = error.run_bit().unwrap() as usize;
        assert_eq!(bit, 16 * (units % 3), "{units}");
        // The offset is that of the digit with this bit of this group.
        assert_eq!(error.offset() as usize, 1 + units / 3 * 8 + bit / 6, "{units}");
        let message = error.to_string();
        assert!(message.contains(&format!("bit {bit} of its group of eight digits")), "{message}");
    }
}

#[test]
fn every_writer() {
    let text = "Hi Mom \u{263A}! a=b \u{E9}-x \u{E9}.";
    for (shift_set_o, explicit_close, expected) in [
        (false, false, "Hi Mom +Jjo! a=b +AOk--x +AOk."),
        (false, true, "Hi Mom +Jjo-! a=b +AOk--x +AOk-."),
        (true, false, "Hi Mom +JjoAIQ a+AD0-b +AOk--x +AOk."),
        (true, true, "Hi Mom +JjoAIQ- a+AD0-b +AOk--x +AOk-."),
    ] {
        let utf7 =
            Utf7Options::new().with_shift_set_o(shift_set_o).with_explicit_close(explicit_close);
        let options = Options::default().with_utf7(utf7);
        let bytes = Encoding::Utf7.encode_with(text, options).unwrap();
        assert_eq!(String::from_utf8_lossy(&bytes), expected);
        assert_eq!(Encoding::Utf7.decode(&bytes).unwrap(), text);
    }
}

/// Results of other decoders for texts on which they disagree, and the rules that reproduce them:
/// CPython 3.11, ICU 72, glibc 2.36, Perl 5.36. `cargo xtask conformance` runs these programs.
#[test]
fn as_other_readers() {
    let surrogates = L::LONE_SURROGATES;
    let python = L::END_SHIFT_DROPPED | surrogates | L::CONTROLS | L::BACKSLASH_TILDE;
    let icu = L::END_SHIFT_DROPPED | L::DANGLING_DIGITS | L::SPLIT_PAIRS | surrogates;
    let glibc = L::EMPTY_SHIFT_DROPPED;
    let perl = L::END_SHIFT_KEPT
        | L::EMPTY_SHIFT_KEPT
        | L::NON_ZERO_PADDING
        | L::DANGLING_DIGITS
        | L::CONTROLS
        | L::BACKSLASH_TILDE
        | L::LATIN1;
    let readers = [python, icu, glibc, perl];
    // `None` is an error. Perl replaces surrogates, so it is not tested with them.
    type Outcome = Option<&'static str>;
    let check = |encoding, allow, bytes: &[u8], expected: Outcome| {
        let found = lenient(encoding, allow, bytes).0;
        let points: Option<Vec<u32>> = found
            .iter()
            .map(|found| match found {
                Found::Point(point) => Some(*point),
                Found::Error(..) => None,
            })
            .collect();
        let expected: Option<Vec<u32>> = expected.map(|text| text.chars().map(u32::from).collect());
        assert_eq!(points, expected, "{}, {allow:?}", bytes.escape_ascii());
    };
    let rows: [(&[u8], [Outcome; 4]); 12] = [
        (b"a+", [Some("a"), Some("a"), None, Some("a+")]),
        (b"a+@b", [None, None, Some("a@b"), Some("a+@b")]),
        (b"+IKx-", [None, None, None, Some("€")]),
        (b"+IKwA-", [None, Some("€"), None, Some("€")]),
        (b"+I-", [None, None, None, Some("")]),
        (b"++-", [None, None, None, Some("")]),
        (b"~\\x", [Some("~\\x"), None, None, Some("~\\x")]),
        (b"a\x1Bb", [Some("a\x1Bb"), None, None, Some("a\x1Bb")]),
        (b"a\0b", [Some("a\0b"), None, None, Some("a\0b")]),
        (b"a\xE9b", [None, None, None, Some("aéb")]),
        (b"+IKw.b", [Some("€.b"); 4]),
        (b"+IKw", [Some("€"); 4]),
    ];
    for (bytes, outcomes) in rows {
        for (allow, outcome) in readers.into_iter().zip(outcomes) {
            check(Encoding::Utf7, allow, bytes, outcome);
        }
    }

    // Mailbox names: ICU and glibc.
    let icu = L::NULL_SHIFT;
    let glibc = L::ENCODED_ASCII | L::NULL_SHIFT;
    let rows: [(&[u8], Outcome, Outcome); 9] = [
        (b"&I-", None, None),
        (b"&IKx-", None, None),
        (b"&@-", None, None),
        (b"a&", None, None),
        (b"&AGE-", None, Some("a")),
        (b"&IKw-&IKw-", Some("€€"), Some("€€")),
        (b"&U/BTFw-", None, None),
        (b"a\x7Fb", None, None),
        (b"a\xE9b", None, None),
    ];
    for (bytes, by_icu, by_glibc) in rows {
        check(Encoding::Utf7Imap, icu, bytes, by_icu);
        check(Encoding::Utf7Imap, glibc, bytes, by_glibc);
    }
}
