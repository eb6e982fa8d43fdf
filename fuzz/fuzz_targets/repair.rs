//! Every change can be reverted to the original text; everything else is unchanged; the result is
//! the same however the text is cut; a repair of known damage gives text that reverts to the same.
#![no_main]

use std::convert::Infallible;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use utfall_fuzz::cut::{Cuts, one_of};
use utfall_repair::{Chain, Charset, Loss, Options, Repaired, Repairer, Step, repair_with};

#[derive(Arbitrary, Debug)]
struct Input<'s> {
    cuts: Cuts,
    /// The damage done to the text first.
    steps: [Happens; 2],
    confidence: u8,
    /// How often it is repeated, to have lines longer than the part examined at once.
    times: u8,
    text: &'s [u8],
}

#[derive(Arbitrary, Debug)]
enum Happens {
    Nothing,
    Misread { charset: u8, loss: Option<u8> },
    Surrogates,
    Overlong(u8),
    Utf16Le,
    Utf16Be,
    StrayMark,
}

impl Happens {
    fn step(&self) -> Option<Step> {
        Some(match self {
            Self::Nothing => return None,
            Self::Misread { charset, loss } => {
                let all: Vec<_> = Charset::all().collect();
                let loss = loss.map(|loss| match loss % 4 {
                    0 => Loss::Space,
                    1 => Loss::Dropped,
                    2 => Loss::Replaced('?'),
                    _ => Loss::Replaced('\u{FFFD}'),
                });
                Step::Misread { charset: one_of(&all, *charset), loss }
            }
            Self::Surrogates => Step::Surrogates,
            Self::Overlong(length) => Step::Overlong(2 + length % 3),
            Self::Utf16Le => Step::Utf16Le,
            Self::Utf16Be => Step::Utf16Be,
            Self::StrayMark => Step::StrayMark,
        })
    }
}

impl Input<'_> {
    fn bytes(&self) -> Vec<u8> {
        let chain = Chain::new(self.steps.iter().filter_map(Happens::step).collect());
        assert!(!chain.to_string().is_empty() || chain.steps().is_empty());
        let text = chain.apply(self.text).unwrap_or_else(|| self.text.to_vec());
        let times = if self.times < 0xF8 { 1 } else { usize::from(self.times - 0xF7) * 8 };
        text.repeat(times)
    }
}

/// A text that arrives in pieces.
fn in_pieces(bytes: &[u8], cuts: &Cuts, options: Options) -> Repaired {
    let mut repaired = Repaired::default();
    let mut seen = 0;
    let mut sink = |piece: utfall_repair::Piece<'_>| {
        assert_eq!(piece.offset, seen);
        seen += piece.bytes.len() as u64;
        repaired.changes.extend_from_slice(piece.changes);
        repaired.skipped.extend_from_slice(piece.skipped);
        piece.repaired(|bytes| {
            repaired.bytes.extend_from_slice(bytes);
            Ok::<_, Infallible>(())
        })
    };
    let mut repairer = Repairer::new(options);
    for (piece, _) in cuts.pieces(bytes) {
        let Ok(()) = repairer.push(piece, &mut sink);
    }
    let Ok(()) = repairer.finish(&mut sink);
    assert_eq!(seen, bytes.len() as u64);
    repaired
}

fuzz_target!(|input: Input<'_>| {
    let bytes = input.bytes();
    let min_confidence = f64::from(input.confidence) / 255.0;
    let bit = |bit: u32| input.confidence >> bit & 1 == 1;
    let options = Options::new()
        .with_min_confidence(min_confidence)
        .with_json_escapes(bit(0))
        .with_html_entities(bit(2))
        .with_percent_encoding(bit(3))
        .with_force(bit(1));
    let repaired = repair_with(&bytes, options);
    // The unchanged parts together with the reverted changes are the original.
    let (mut before, mut after) = (0, 0);
    for change in &repaired.changes {
        let (begin, begin_after) = (change.offset as usize, change.offset_after as usize);
        assert_eq!(repaired.bytes[after..begin_after], bytes[before..begin]);
        before = begin + change.before.len();
        after = begin_after + change.after.len();
        assert_eq!(bytes[begin..before], change.before);
        assert_eq!(repaired.bytes[begin_after..after], change.after);
        assert_ne!(change.before, change.after);
        assert!(change.leads_back(), "{change:?}");
        assert!((options.min_confidence..=1.0).contains(&change.confidence));
        let lines = bytes[..begin].iter().filter(|byte| **byte == b'\n').count() as u64;
        assert!(change.line <= lines + 1);
        assert!(!change.chain.to_string().is_empty());
    }
    assert_eq!(repaired.bytes[after..], bytes[before..]);
    assert_eq!(in_pieces(&bytes, &input.cuts, options), repaired);
});
