//! Every byte belongs to exactly one unit. The units do not depend on how much of the text is
//! available. Ill-formed units are those at which the decoder stops. Skipping well-formed text
//! leads to the same offsets.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use utfall::explain::{Explainer, LOOK_AHEAD, Unit, UnitKind};
use utfall::{Bom, Decoder, Encoding, Error, Granularity, Options, Status};
use utfall_fuzz::cut::{Cuts, one_of};

#[derive(Arbitrary, Debug)]
struct Input<'s> {
    encoding: u8,
    cuts: Cuts,
    text: &'s [u8],
}

/// Everything that a unit reports.
fn told(unit: &Unit<'_>) -> String {
    let bits: Vec<_> = unit.bits().collect();
    let note = unit.note.map(|note| note.to_string());
    for bits in &bits {
        assert!(u16::from(bits.value | bits.payload) < 1 << bits.width && bits.width <= 8);
        assert!(bits.begins.is_none_or(|begins| begins < bits.width));
    }
    format!("{unit:?} {bits:?} {:?} {:?} {note:?}", unit.carried(), unit.code_units().as_slice())
}

/// The units of a complete text.
fn units<'s>(encoding: Encoding, text: &'s [u8]) -> Vec<Unit<'s>> {
    let mut explainer = Explainer::new(encoding);
    let mut units = Vec::new();
    let mut rest = text;
    while let Some(unit) = explainer.next(rest, true) {
        assert!(rest.starts_with(unit.bytes));
        assert_eq!(unit.offset, (text.len() - rest.len()) as u64);
        rest = &rest[unit.bytes.len()..];
        assert_eq!(explainer.offset(), (text.len() - rest.len()) as u64);
        units.push(unit);
        // Some have no bytes: they describe those before them, or share the byte of one.
        assert!(units.len() <= 4 * text.len() + 2);
    }
    assert_eq!(rest, b"");
    units
}

/// The result of a decoder with the same options.
fn decoded(encoding: Encoding, text: &[u8]) -> (Vec<u32>, Vec<Error>) {
    use Encoding as E;
    let is_utf8 = matches!(encoding, E::Utf8 | E::Utf8Rfc2279 | E::Utf8Rfc2044 | E::Unicode11Utf8);
    let granularity = if is_utf8 { Granularity::Perl } else { Granularity::MaximalSubpart };
    let options = Options::default().with_bom(Bom::Keep).with_granularity(granularity);
    let mut decoder = Decoder::new(encoding, options);
    let (mut points, mut errors, mut rest) = (Vec::new(), Vec::new(), text);
    let mut room = [0; 64];
    loop {
        let progress = decoder.decode_to_code_points(rest, &mut room, true);
        points.extend_from_slice(&room[..progress.written]);
        rest = &rest[progress.read..];
        match progress.status {
            Status::InputEmpty => return (points, errors),
            Status::OutputFull => {}
            Status::Error(error) => errors.push(error),
        }
    }
}

fuzz_target!(|input: Input<'_>| {
    let encoding = one_of(Encoding::ALL, input.encoding);
    let text = input.text;
    let units = units(encoding, text);
    let (mut points, mut errors) = (Vec::new(), Vec::new());
    for unit in &units {
        match unit.what {
            UnitKind::Character(point) => points.push(point),
            UnitKind::Mark => points.push(0xFEFF),
            UnitKind::IllFormed(error) => errors.push(error),
            _ => {}
        }
    }
    assert_eq!((points, errors), decoded(encoding, text));

    // Only the part of the text read so far is available.
    let told_whole: Vec<_> = units.iter().map(told).collect();
    let mut explainer = Explainer::new(encoding);
    let mut seen = Vec::new();
    let mut there = 0;
    for (piece, last) in input.cuts.pieces(text) {
        there += piece.len();
        loop {
            let rest = &text[explainer.offset() as usize..there];
            if !last && rest.len() < LOOK_AHEAD {
                break;
            }
            match explainer.next(rest, last) {
                Some(unit) => seen.push(told(&unit)),
                None => break,
            }
        }
    }
    assert_eq!(seen, told_whole);

    // Skipped text is well-formed, and counted.
    let mut explainer = Explainer::new(encoding);
    let mut problems = Vec::new();
    let mut there = 0;
    for (piece, last) in input.cuts.pieces(text) {
        there += piece.len();
        loop {
            let rest = &text[explainer.offset() as usize..there];
            let passed = explainer.skip_well_formed(rest);
            let rest = &rest[passed..];
            if !last && rest.len() < LOOK_AHEAD {
                break;
            }
            match explainer.next(rest, last) {
                Some(unit) if matches!(unit.what, UnitKind::IllFormed(_)) => {
                    problems.push(told(&unit))
                }
                Some(_) => {}
                None => break,
            }
        }
    }
    let is_ill = |unit: &&Unit<'_>| matches!(unit.what, UnitKind::IllFormed(_));
    assert_eq!(problems, units.iter().filter(is_ill).map(told).collect::<Vec<_>>());
    if let Some(unit) = units.last() {
        assert!(unit.offset <= text.len() as u64);
    }
});
