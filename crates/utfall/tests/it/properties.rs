//! The contract of streams (ARCHITECTURE.md, “Contracts”) for any pair of encodings, any input, any
//! options, and any splits of input and output. The generated cases are always the same:
//! `UTFALL_SEED` changes them, `UTFALL_CASES` multiplies their number.
//!
//! A failure is shrunk, printed, and saved in `properties.regressions`, whose cases run first from
//! then on.

use std::fmt::Debug;
use std::io::Write as _;

use crate::common::contract::{
    Cut, Kind, Outcome, Text, bytes, check_one_call, convert, convert_by_callback, convert_two,
    decode, encode, sizes, whole,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestRunner};
use utfall::{
    Bom, Encoding, Escape, Granularity, Options, Policy, Substitute, Utf7Options, Utf7Tolerance,
};
use utfall_oracle::rounds;

/// Runs `check` on this many cases, multiplied by `UTFALL_CASES`, and reports it.
fn for_all<S: Strategy>(name: &str, cases: u32, strategy: &S, check: impl Fn(S::Value)) {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    let times = number("UTFALL_CASES").unwrap_or(1);
    let seed = number("UTFALL_SEED").unwrap_or(0x5EED_0011);
    let cases = u32::try_from(rounds(cases as usize, 20)).unwrap_or(cases);
    let cases = cases.saturating_mul(times.try_into().unwrap_or(u32::MAX));
    let found = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/properties.regressions");
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(found))),
        test_name: Some(Box::leak(name.to_owned().into_boxed_str())),
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(strategy, |value| {
        check(value);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{name}: {error}");
    }
    // Not through a macro, whose output would be captured.
    let _ = writeln!(std::io::stderr(), "property of {name}: {cases} cases, seed {seed:#X}");
}

/// Half of them have kernels or a state.
fn encodings() -> impl Strategy<Value = Encoding> {
    use Encoding::{
        Bocu1, Cesu8, Iso8859_1, Scsu, Ucs2Le, UsAscii, Utf7, Utf7Imap, Utf8, Utf16, Utf16Be,
        Utf16Le, Utf32Be, Utf32Le, Wtf8,
    };
    let known = vec![
        Utf8, Utf16Le, Utf16Be, Utf32Le, Utf32Be, Utf16, Iso8859_1, UsAscii, Utf7, Utf7Imap, Wtf8,
        Cesu8, Ucs2Le, Scsu, Bocu1,
    ];
    prop_oneof![select(known), select(Encoding::ALL)]
}

fn policies() -> impl Strategy<Value = Policy> {
    prop_oneof![
        4 => Just(Policy::Replace),
        2 => Just(Policy::Strict),
        1 => Just(Policy::Skip),
        1 => Just(Policy::SurrogateEscape),
        1 => select(&[Escape::Braces, Escape::Xml, Escape::Python][..]).prop_map(Policy::Escape),
    ]
}

fn substitutes() -> impl Strategy<Value = Option<Substitute>> {
    select(&[None, None, None, Some(""), Some("?"), Some("[é☺]"), Some("\u{FEFF}\u{10FFFF}+-")][..])
        .prop_map(|text| text.and_then(Substitute::new))
}

fn options() -> impl Strategy<Value = Options> {
    let granularities =
        [Granularity::MaximalSubpart, Granularity::PerByte, Granularity::Jdk, Granularity::Perl];
    let boms = [Bom::Auto, Bom::Auto, Bom::Keep, Bom::Strip, Bom::Add];
    let leniences = vec(any::<bool>(), Utf7Tolerance::NAMED.len()).prop_map(|chosen| {
        let named = Utf7Tolerance::NAMED.iter().zip(chosen);
        named.filter(|(_, is)| *is).fold(Utf7Tolerance::NONE, |all, ((_, one, _), _)| all | *one)
    });
    (
        (policies(), policies()),
        prop_oneof![Just(granularities[0]), select(granularities.to_vec())],
        (substitutes(), substitutes()),
        select(boms.to_vec()),
        any::<[bool; 2]>(),
        prop_oneof![Just(Utf7Tolerance::NONE), leniences],
    )
        .prop_map(
            |((on_ill_formed, on_unencodable), granularity, texts, bom, utf7, utf7_tolerance)| {
                Options::strict()
                    .with_on_ill_formed(on_ill_formed)
                    .with_on_unencodable(on_unencodable)
                    .with_granularity(granularity)
                    .with_replacement(texts.0)
                    .with_substitute(texts.1)
                    .with_bom(bom)
                    .with_utf7(
                        Utf7Options::new().with_shift_set_o(utf7[0]).with_explicit_close(utf7[1]),
                    )
                    .with_utf7_tolerance(utf7_tolerance)
            },
        )
}

/// Scalar values of all kinds.
fn scalars() -> impl Strategy<Value = char> {
    prop_oneof![
        6 => prop::char::range(' ', '~'),
        1 => prop::char::range('\0', '\u{1F}'),
        2 => select(&['+', '-', '&', '~', '\n', '\r', '\u{FEFF}', '\u{FFFD}', '\u{2028}'][..]),
        2 => prop::char::range('\u{7F}', '\u{7FF}'),
        2 => prop::char::range('\u{3000}', '\u{9FFF}'),
        1 => prop::char::range('\u{AC00}', '\u{D7FF}'),
        1 => prop::char::range('\u{E000}', '\u{FFFF}'),
        1 => prop::char::range('\u{10000}', '\u{10FFFF}'),
    ]
}

/// Short texts, and occasionally one long enough to fill blocks and buffers.
fn texts() -> impl Strategy<Value = Vec<char>> {
    let short = vec(scalars(), 0..40);
    let long = (vec(scalars(), 1..60), 1_usize..120).prop_map(|(text, times)| text.repeat(times));
    prop_oneof![20 => short, 1 => long]
}

/// A change of one byte.
#[derive(Clone, Debug)]
enum Damage {
    Remove(Index),
    Insert(Index, u8),
    Replace(Index, u8),
}

fn damage() -> impl Strategy<Value = Damage> {
    let byte = || {
        prop_oneof![
            any::<u8>(),
            select(&b"+-&AZ/~\x80\xA0\xBF\xC0\xD8\xDC\xED\xEF\xF0\xF4\xFE\xFF\x0E\x10\x1B"[..])
        ]
    };
    prop_oneof![
        any::<Index>().prop_map(Damage::Remove),
        (any::<Index>(), byte()).prop_map(|(at, byte)| Damage::Insert(at, byte)),
        (any::<Index>(), byte()).prop_map(|(at, byte)| Damage::Replace(at, byte)),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for one in damages {
        match one {
            Damage::Insert(at, byte) => bytes.insert(at.index(bytes.len() + 1), *byte),
            _ if bytes.is_empty() => {}
            Damage::Remove(at) => _ = bytes.remove(at.index(bytes.len())),
            Damage::Replace(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
        }
    }
    bytes
}

/// Text in an encoding, with some damage, or random bytes.
fn inputs(source: Encoding) -> impl Strategy<Value = Vec<u8>> {
    let text = (texts(), vec(damage(), 0..6)).prop_map(move |(text, damages)| {
        let text: String = text.into_iter().collect();
        let encoded = source.encode_with(&text, Options::both(Policy::Skip));
        damaged(encoded.expect("skips").into_owned(), &damages)
    });
    prop_oneof![6 => text, 1 => vec(any::<u8>(), 0..40)]
}

/// An encoding with a text in it.
fn sources() -> impl Strategy<Value = (Encoding, Vec<u8>)> {
    encodings().prop_flat_map(|source| (Just(source), inputs(source)))
}

/// Sizes of chunks and of outputs; the last one is not 0, so that the stream ends.
fn cuts() -> impl Strategy<Value = [Vec<usize>; 2]> {
    let some = || {
        (vec(prop_oneof![6 => 0_usize..24, 1 => 0_usize..5000], 0..5), 1_usize..40).prop_map(
            |(mut sizes, last)| {
                sizes.push(last);
                sizes
            },
        )
    };
    [some(), some()]
}

fn cut(by: &[Vec<usize>; 2]) -> Cut<impl FnMut() -> usize + '_, impl FnMut() -> usize + '_> {
    Cut { piece: sizes(&by[0]), room: sizes(&by[1]) }
}

fn same<T: PartialEq + Debug>(ours: T, whole: &T) {
    assert!(ours == *whole, "cut: {ours:?}\nwhole: {whole:?}");
}

#[test]
fn conversions_are_the_same_however_cut() {
    let cases = (sources(), encodings(), options(), cuts());
    for_all("conversions", 12_000, &cases, |((source, input), target, options, by)| {
        let conversion = (source, target, options);
        let all = convert(conversion, &input, whole());
        same(convert(conversion, &input, cut(&by)), &all);
        same(convert(conversion, &input, Cut { piece: || 1, room: || 16 }), &all);
        check_one_call(conversion, &input, &all);
    });
}

#[test]
fn callbacks_are_the_same_however_cut() {
    let cases = (sources(), encodings(), options(), cuts());
    for_all("callbacks", 8_000, &cases, |((source, input), target, options, by)| {
        let conversion = (source, target, options);
        let all = convert_by_callback(conversion, &input, whole());
        let (errors, counts) = (all.1.len() as u64, all.0.counts);
        assert!(counts[0] + counts[1] <= errors + counts[3], "{errors}, {counts:?}");
        same(convert_by_callback(conversion, &input, cut(&by)), &all);
    });
}

#[test]
fn another_text_begins_anew() {
    let two = encodings().prop_flat_map(|source| (Just(source), [inputs(source), inputs(source)]));
    let cases = (two, encodings(), options(), cuts());
    for_all("two texts", 6_000, &cases, |((source, inputs), target, options, by)| {
        let conversion = (source, target, options);
        let inputs = [&inputs[0][..], &inputs[1]];
        let all = convert_two(conversion, inputs, || usize::MAX, || 1 << 16);
        let apart = convert_two(conversion, inputs, sizes(&by[0]), sizes(&by[1]));
        same(apart, &all);
        // Errors, offsets and positions are as if there were no text before.
        let second = convert(conversion, inputs[1], whole());
        let ill_formed = |outcome: &Outcome| {
            let errors = outcome.errors.iter().filter(|(error, _)| !error.is_unencodable());
            errors.copied().collect::<Vec<_>>()
        };
        assert_eq!(ill_formed(&all[1]), ill_formed(&second));
    });
}

#[test]
fn decoders_agree_and_can_be_forked() {
    let cases = (sources(), options(), cuts(), 0_usize..12);
    for_all("decoders", 6_000, &cases, |((source, input), options, by, fork_at)| {
        let [utf8, utf16, points, nothing] = Kind::ALL.map(|kind| {
            let all = decode((source, options), kind, &input, fork_at, whole());
            same(decode((source, options), kind, &input, fork_at, cut(&by)), &all);
            all
        });
        assert_eq!((&nothing.errors, nothing.last), (&points.errors, points.last));
        assert_eq!(nothing.counts, points.counts);
        // Decoders to UTF-8 or UTF-16 report the same as one to code points.
        for text in [&utf8, &utf16] {
            let of_text = |(error, _): &&_| !utfall::Error::is_unencodable(error);
            let errors: Vec<_> = text.errors.iter().filter(of_text).collect();
            assert_eq!(errors, points.errors.iter().filter(of_text).collect::<Vec<_>>());
            assert_eq!(text.counts, points.counts);
        }
        let one_call = source.decode_with(&input, options).map(|text| text.into_owned());
        let expected = match utf8.errors.first() {
            None => Ok(String::from_utf8(bytes(&utf8)).expect("UTF-8")),
            Some((error, _)) => Err(*error),
        };
        assert_eq!(one_call, expected);
        let scalars: Option<String> = points.output.iter().map(|p| char::from_u32(*p)).collect();
        if let Some(text) = scalars {
            assert!(bytes(&utf8) == text.as_bytes(), "{utf8:?} of {text:?}");
            assert!(utf16.output.iter().copied().eq(text.encode_utf16().map(u32::from)));
        }
    });
}

#[test]
fn encoders_agree() {
    let cases = (texts(), encodings(), options(), cuts());
    for_all("encoders", 8_000, &cases, |(text, target, options, by)| {
        let points: Vec<u32> = text.iter().map(|scalar| u32::from(*scalar)).collect();
        let string: String = text.iter().collect();
        let units: Vec<u16> = string.encode_utf16().collect();
        let texts = [Text::Str(&text), Text::Utf16(&units), Text::Points(&points)];
        let [a, b, c] = texts.map(|text| {
            let all = encode((target, options), &text, whole());
            same(encode((target, options), &text, cut(&by)), &all);
            all
        });
        for other in [&b, &c] {
            assert_eq!((&other.output, other.counts), (&a.output, a.counts));
            let kinds = |o: &Outcome| o.errors.iter().map(|(e, _)| e.kind()).collect::<Vec<_>>();
            assert_eq!(kinds(other), kinds(&a));
        }
        let one_call = target.encode_with(&string, options).map(|bytes| bytes.into_owned());
        let expected = a.errors.first().map_or_else(|| Ok(bytes(&a)), |(error, _)| Err(*error));
        assert_eq!(one_call, expected);
    });
}

/// Any code points and code units, including invalid ones.
#[test]
fn encoders_take_anything() {
    let points = prop_oneof![
        3 => scalars().prop_map(u32::from),
        1 => 0xD7F0_u32..0xE010,
        1 => 0x10_FFF0_u32..0x11_0010,
        1 => any::<u32>(),
    ];
    let units = prop_oneof![2 => any::<u16>(), 1 => 0xD7FE_u16..0xE002, 1 => 0x20_u16..0x7F];
    let cases = (vec(points, 0..30), vec(units, 0..30), encodings(), options(), cuts());
    for_all("anything", 6_000, &cases, |(points, units, target, options, by)| {
        for text in [Text::Utf16(&units), Text::Points(&points)] {
            let all = encode((target, options), &text, whole());
            same(encode((target, options), &text, cut(&by)), &all);
        }
        let expected = String::from_utf16(&units).is_ok();
        let strict = encode((target, Options::default()), &Text::Utf16(&units), whole());
        let found = strict.errors.iter().all(|(error, _)| error.is_unencodable());
        assert_eq!(found, expected, "{units:04X?}");
    });
}

/// Encoded text survives a round trip; if a charset has one code for two characters, the code does.
#[test]
fn what_is_encoded_comes_back() {
    let cases = (texts(), encodings(), any::<[bool; 2]>());
    for_all("round trips", 12_000, &cases, |(text, target, [shift_set_o, explicit_close])| {
        let utf7 =
            Utf7Options::new().with_shift_set_o(shift_set_o).with_explicit_close(explicit_close);
        let options = Options::default().with_utf7(utf7);
        // Omit the characters that the encoding lacks.
        let text: String = text
            .into_iter()
            .filter(|scalar| target.encode(scalar.encode_utf8(&mut [0; 4])).is_ok())
            .collect();
        let bytes = target.encode_with(&text, options).expect("it has every character");
        let back = target.decode(&bytes).expect("what it writes is well-formed");
        if target as u16 > Encoding::Iso8859_1 as u16 {
            assert_eq!(target.encode(&back), Ok(bytes.clone()), "{back:?}");
        } else {
            assert_eq!(back, text, "{bytes:02X?}");
        }
    });
}
