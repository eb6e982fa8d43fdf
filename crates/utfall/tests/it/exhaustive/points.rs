//! Code points through every encoder and back.

use utfall::{Encoding, Options, Policy, transcode};

use crate::common::encode_code_points;

/// Forms that kernels know, to convert each text from.
const FORMS: [Encoding; 5] =
    [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf32Be];

/// Texts of 1024 code points, in order, as far as the encoding may have them; above 10FFFF, every
/// 1021st with its neighbours.
fn texts(encoding: Encoding) -> impl Iterator<Item = Vec<u32>> {
    let repertoire = encoding.info().repertoire;
    let end = if is_table(encoding) { 0x1_0000 } else { 0x11_0000_u32 };
    let unicode = (0..end).step_by(0x400).map(|first| (first..first + 0x400).collect());
    // The maximum of any encoding.
    let last: u32 =
        if repertoire.contains(0x7FFF_FFFF) && !is_table(encoding) { 0x8000_0000 } else { 0 };
    let beyond = (0x11_0000..last).step_by(1021 * 0x400).map(|first| {
        let points = (0..0x400).map(|at| first.saturating_add(1021 * at + at % 3));
        points.collect::<Vec<u32>>()
    });
    let edges = [0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000, 0x7FFF_FFFE, 0x7FFF_FFFF].to_vec();
    unicode.chain(beyond).chain([edges]).filter_map(move |mut points: Vec<u32>| {
        points.retain(|point| repertoire.contains(*point));
        // So that U+FEFF is not at the start.
        points.insert(0, 0x61);
        (points.len() > 1).then_some(points)
    })
}

/// Whether it is a table of the feature `legacy`: these have numbers from 100.
fn is_table(encoding: Encoding) -> bool {
    encoding as u16 >= 100
}

fn encoded(form: Encoding, text: &str) -> Vec<u8> {
    let units = || text.encode_utf16();
    let points = || text.chars().map(u32::from);
    match form {
        Encoding::Utf16Le => units().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => units().flat_map(u16::to_be_bytes).collect(),
        Encoding::Utf32Le => points().flat_map(u32::to_le_bytes).collect(),
        Encoding::Utf32Be => points().flat_map(u32::to_be_bytes).collect(),
        _ => text.as_bytes().to_vec(),
    }
}

/// Converts all code points of an encoding: from code points and from the forms that kernels know,
/// and back. Returns the number of code points.
pub(crate) fn there_and_back(encoding: Encoding, every: usize) -> u64 {
    let is_table = is_table(encoding);
    let strict = Options::default();
    let (mut count, mut decoded) = (0, Vec::new());
    for points in texts(encoding).step_by(every) {
        count += points.len() as u64 - 1;
        let scalars: Option<String> = points.iter().map(|point| char::from_u32(*point)).collect();
        let (bytes, scalars) = if is_table {
            // The characters that it has.
            let text: String = points.iter().filter_map(|point| char::from_u32(*point)).collect();
            let bytes = encoding.encode_with(&text, Options::both(Policy::Skip)).expect("skips");
            let back = encoding.decode(&bytes).expect("what it writes").into_owned();
            (bytes.into_owned(), Some(back))
        } else {
            let bytes = encode_code_points(encoding, &points, points.len(), 8192);
            (bytes.unwrap_or_else(|at| panic!("{encoding}: {:X}", points[at])), scalars)
        };
        let Some(text) = scalars else {
            // The forms lack these values, so test code points only.
            decoded.clear();
            crate::common::decode_items(encoding, &[&bytes], 64, &mut decoded);
            let expected = points.iter().map(|point| utfall_oracle::Item::Point(*point));
            assert!(expected.eq(decoded.iter().copied()), "{encoding}: from {:X} on", points[1]);
            continue;
        };
        for form in FORMS {
            let source = encoded(form, &text);
            let there = transcode(form, encoding, &source, strict);
            let same = there.as_deref() == Ok(&bytes[..]);
            assert!(same, "{form} to {encoding}: from {:X} on", points[1]);
            let back = transcode(encoding, form, &bytes, strict);
            let same = back.as_deref() == Ok(&source[..]);
            assert!(same, "{encoding} to {form}: from {:X} on", points[1]);
        }
    }
    count
}
