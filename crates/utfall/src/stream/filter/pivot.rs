//! The intermediate text between the two conversions: UTF-8, or a superset if the source needs one.

use std::vec::Vec;

use utfall_simd::Kernels;

use crate::codec::{Encode, Encoded, Put};
use crate::encoding::AnyEncoder;
use crate::repertoire::Repertoire;
use crate::route::Side;
use crate::{Bom, Encoding, Options, Policy, Substitute};

/// The intermediate encoding, which can represent everything in `source`.
pub(super) fn encoding(source: Encoding, options: &Options) -> Encoding {
    use Repertoire::{Ascii, Bmp, Latin1, ScalarValues, Table, Unicode11};
    let gives_characters = options.on_ill_formed != Policy::SurrogateEscape
        && options.utf7_tolerance.is_empty()
        && matches!(
            source.info().repertoire,
            ScalarValues | Bmp | Unicode11 | Latin1 | Ascii | Table
        );
    if gives_characters { Encoding::Utf8 } else { Encoding::Utf8Perl }
}

/// The options of both conversions.
pub(super) fn options(options: Options, target: Encoding) -> (Options, Options) {
    let before = Options {
        on_unencodable: Policy::Strict,
        transliterate: None,
        replacement: replacement(&options, target),
        bom: match options.bom {
            // The second conversion adds a BOM, if the target has one.
            Bom::Add if target.info().signature.is_empty() => Bom::Auto,
            bom => bom,
        },
        ..options
    };
    (before, Options { on_ill_formed: Policy::Strict, ..options })
}

/// The replacement for ill-formed input. Characters of it that the target lacks are replaced here,
/// so that they do not count as unencodable text.
fn replacement(options: &Options, target: Encoding) -> Option<Substitute> {
    if (options.on_ill_formed, options.on_unencodable) != (Policy::Replace, Policy::Replace) {
        return options.replacement;
    }
    let mut encoder = AnyEncoder::new(target, options);
    let mut is_lacking = |point: char| {
        let mut room = [0; 64];
        encoder.put(u32::from(point), &mut room) == Put::Unencodable
    };
    let text = |substitute: Option<Substitute>| -> Vec<char> {
        let points = substitute.map_or(Vec::from([0xFFFD]), |text| text.points().collect());
        points.into_iter().filter_map(char::from_u32).collect()
    };
    let (replacement, substitute) = (text(options.replacement), text(options.substitute));
    if !replacement.iter().any(|point| is_lacking(*point)) {
        return options.replacement;
    }
    let mut whole = std::string::String::new();
    for point in replacement {
        match is_lacking(point) {
            false => whole.push(point),
            true => whole.extend(substitute.iter().map(|p| if is_lacking(*p) { '?' } else { *p })),
        }
    }
    Substitute::new(&whole).or(options.replacement)
}

/// The encoder of the intermediate text, which records what happens to byte order marks.
#[derive(Clone)]
pub(super) struct Pivot {
    encoder: AnyEncoder,
    has_mark: bool,
}

impl Pivot {
    pub(super) fn new(encoding: Encoding, options: &Options) -> Self {
        Self { encoder: AnyEncoder::new(encoding, options), has_mark: false }
    }

    /// Whether the text was found to begin with a BOM, which replaces the one that the target would
    /// write. Returns true only once.
    pub(super) fn takes_mark(&mut self) -> bool {
        std::mem::take(&mut self.has_mark)
    }
}

impl Encode for Pivot {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        self.encoder.put(point, dst)
    }

    fn encode(&mut self, kernels: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        self.encoder.encode(kernels, src, dst)
    }

    fn side(&self) -> Side {
        self.encoder.side()
    }

    fn omit_bom(&mut self) {
        self.has_mark = true;
    }
}
