//! Any charset to any other, by any rules: however the text is cut, bytes, errors and counts are
//! the same, and names and formats are accepted or rejected.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use utfall_fuzz::cut::{Cuts, one_of};
use utfall_iconv::{Charset, Code, Converter, Error, Format, Rules};

#[derive(Arbitrary, Debug)]
struct Input<'s> {
    from: u8,
    to: u8,
    rules: u8,
    cuts: Cuts,
    formats: [Option<&'s str>; 2],
    code: &'s str,
    text: &'s [u8],
}

/// A conversion of two texts, one after the other.
fn converted(
    from: Charset,
    to: Charset,
    rules: &Rules,
    pieces: &[(&[u8], bool)],
) -> Option<(Vec<u8>, Option<Error>, u64)> {
    let mut converter = Converter::new(from, to, rules.clone())?;
    let mut out = Vec::new();
    for turn in 0..2 {
        if turn > 0 {
            converter.next_text();
        }
        for (piece, last) in pieces {
            if let Err(error) = converter.convert(piece, *last, &mut out) {
                return Some((out, Some(error), converter.skipped()));
            }
        }
    }
    Some((out, None, converter.skipped()))
}

fuzz_target!(|input: Input<'_>| {
    let all: Vec<_> = Charset::all().collect();
    let (from, to) = (one_of(&all, input.from), one_of(&all, input.to));
    let is_set = |bit: u8| input.rules >> bit & 1 == 1;
    let [byte, unicode] =
        input.formats.map(|format| format.and_then(|text| Format::parse(text).ok()));
    let longest = [&byte, &unicode].into_iter().flatten().map(|format| format.of(u32::MAX).len());
    let longest = longest.max().unwrap_or(0);
    let rules = Rules::default()
        .with_skip(is_set(0))
        .with_discard(is_set(1))
        .with_transliterate(is_set(2))
        .with_byte(byte)
        .with_unicode(unicode);
    if let Ok(code) = Code::parse(input.code, to.name()) {
        assert_eq!(Charset::for_name(code.charset.name()), Some(code.charset));
    }

    let whole = converted(from, to, &rules, &[(input.text, true)]);
    let pieces = input.cuts.pieces(input.text);
    assert_eq!(converted(from, to, &rules, &pieces), whole, "{} to {}", from.name(), to.name());
    let Some((out, error, skipped)) = whole else { return };
    // A transliterated character becomes a few characters, each of some bytes; so does one of a
    // format.
    let most = (input.text.len() + 8) * 2 * 8 * (32 + 8 * longest);
    assert!(out.len() <= most, "{} bytes of {}", out.len(), input.text.len());
    // Characters of a format can be left out too.
    assert!(skipped <= most as u64);
    if let Some(error) = error {
        assert!(error.offset + error.length as u64 <= input.text.len() as u64, "{error:?}");
        assert!(error.line >= 1 && error.column >= 1);
    }
});
