//! Reasons for differences: each difference must belong to a class here, or it is a bug.
//!
//! A class is a rule: the peer, the encodings, the operations, and a condition on the input and
//! both answers. If the exact behaviour of the peer is known, the condition is that utfall gives
//! the peer's answer when it does the same: with a relaxed rule, in another byte order, without
//! the last bytes. Rules are tried in order, so the exact ones come first.

mod compressed;
mod legacy;
mod unicode;
mod utf7;

use std::collections::HashSet;

use utfall::{Action, Decoder, Encoding, ErrorKind, Options, Status};

use crate::answer::{Answer, Mode, bytes, points};
use crate::compare::Difference;
use crate::labels::is_legacy;
use crate::ours;

/// The cause of a difference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The peer departs from the specification.
    Theirs,
    /// The specification leaves it open.
    Choice,
    /// Two tables have the same name.
    Table,
}

impl Whose {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Theirs => "theirs",
            Self::Choice => "permitted choice",
            Self::Table => "another table",
        }
    }
}

/// A class of differences, as narrow as possible.
pub(crate) struct Rule {
    pub(crate) peer: &'static str,
    /// Unique for the peer.
    pub(crate) id: &'static str,
    pub(crate) whose: Whose,
    pub(crate) encodings: &'static [Encoding],
    pub(crate) modes: &'static [Mode],
    /// The behaviour of the peer, and the clause that it violates or that permits it.
    pub(crate) reason: &'static str,
    pub(crate) holds: fn(&Difference, &Learned) -> bool,
}

/// Differences in the peer's table of an encoding, learned from the short inputs.
#[derive(Default)]
pub(crate) struct Learned {
    /// Codes of one character that have another character, or none, in one of the two tables.
    pub(crate) codes: HashSet<Vec<u8>>,
    /// Code points that are encoded differently.
    pub(crate) points: HashSet<u32>,
}

impl Learned {
    /// Records a code that differs, if it is a single character for one of the two.
    pub(crate) fn learn(&mut self, difference: &Difference) {
        let Difference { encoding, mode, input, ours, theirs } = difference;
        if !is_legacy(*encoding) {
            return;
        }
        let single = |answer: &Answer| {
            answer.points().is_some_and(|points| {
                points.len() == 1 || points.len() == 2 && *encoding == Encoding::Big5
            })
        };
        match mode {
            Mode::Strict if input.len() <= 5 && (single(ours) || single(theirs)) => {
                // ISO-2022-JP: after the escape sequence for two bytes per character.
                let pairs = input.strip_prefix(b"\x1B$B").or(input.strip_prefix(b"\x1B$@"));
                let code = pairs.unwrap_or(input);
                self.codes.insert(code.to_vec());
            }
            Mode::Encode if input.len() == 4 => self.points.extend(points(input)),
            _ => {}
        }
    }
}

/// Every rule, in the order in which they are tried.
pub(crate) fn rules() -> impl Iterator<Item = &'static Rule> {
    [unicode::RULES, utf7::RULES, compressed::RULES, legacy::RULES].into_iter().flatten()
}

/// The first rule that matches, and its index.
pub(crate) fn class(
    peer: &str,
    difference: &Difference,
    learned: &Learned,
) -> Option<(usize, &'static Rule)> {
    rules().enumerate().find(|(_, rule)| {
        rule.peer == peer
            && rule.encodings.contains(&difference.encoding)
            && rule.modes.contains(&difference.mode)
            && (rule.holds)(difference, learned)
    })
}

const READ: &[Mode] = &[Mode::Strict, Mode::Replace];
const STRICT: &[Mode] = &[Mode::Strict];
const REPLACE: &[Mode] = &[Mode::Replace];
const WRITTEN: &[Mode] = &[Mode::Encode];

/// Whether the peer answers as utfall does with another encoding or other options.
fn as_if(difference: &Difference, encoding: Encoding, options: Options) -> bool {
    let Difference { mode, input, theirs, .. } = difference;
    ours::with(*mode, encoding, options, input).agrees(theirs)
}

/// Every ill-formed sequence, as utfall counts them: its offset, its bytes, its error.
fn ill_formed(difference: &Difference) -> Vec<(usize, Vec<u8>, ErrorKind)> {
    ill_formed_with(difference, Options::default())
}

fn ill_formed_with(difference: &Difference, options: Options) -> Vec<(usize, Vec<u8>, ErrorKind)> {
    let mut all = Vec::new();
    let mut note = |error: &utfall::Error, bytes: &[u8]| {
        all.push((error.offset() as usize, bytes.to_vec(), error.kind()));
        Action::Skip
    };
    let mut decoder = Decoder::new(difference.encoding, options).on_error(&mut note);
    let mut room = vec![0; 2 * difference.input.len() + 16];
    let progress = decoder.decode_to_code_points(&difference.input, &mut room, true);
    assert!(progress.status == Status::InputEmpty, "the callback skips");
    all
}

/// Both report ill-formed text, but with different offsets or lengths.
fn both_refuse(difference: &Difference, _: &Learned) -> bool {
    difference.ours.is_error() && difference.theirs.is_error()
}

/// Both report an error at the same offset, but with different lengths.
fn same_place(difference: &Difference, _: &Learned) -> bool {
    match (&difference.ours, &difference.theirs) {
        (Answer::Error(offset, _), Answer::Error(at, _)) => offset == at,
        _ => false,
    }
}

/// The text that each has read, without U+FFFD.
fn without_replacements(difference: &Difference) -> Option<[Vec<u32>; 2]> {
    let kept = |answer: &Answer| {
        let points = answer.points()?;
        Some(points.into_iter().filter(|point| *point != 0xFFFD).collect())
    };
    Some([kept(&difference.ours)?, kept(&difference.theirs)?])
}

/// The same text, with a different number of U+FFFD.
fn same_text(difference: &Difference, _: &Learned) -> bool {
    let has_errors = !ill_formed(difference).is_empty();
    has_errors && without_replacements(difference).is_some_and(|[ours, theirs]| ours == theirs)
}

/// The same text up to the first U+FFFD of utfall.
fn same_until_error(difference: &Difference, _: &Learned) -> bool {
    let (Some(ours), Some(theirs)) = (difference.ours.points(), difference.theirs.points()) else {
        return false;
    };
    let sound = ours.iter().position(|point| *point == 0xFFFD);
    sound.is_some_and(|sound| theirs.len() >= sound && ours[..sound] == theirs[..sound])
}

/// The peer has lost text after an ill-formed sequence, and added none.
fn text_lost(difference: &Difference, _: &Learned) -> bool {
    let Some([ours, theirs]) = without_replacements(difference) else { return false };
    let mut rest = ours.iter();
    let within = theirs.iter().all(|point| rest.any(|own| own == point));
    within && theirs.len() < ours.len() && !ill_formed(difference).is_empty()
}

/// The peer silently drops the bytes of an incomplete character at the end: it answers as utfall
/// does without these bytes.
fn end_dropped(difference: &Difference, _: &Learned) -> bool {
    let Some((offset, bytes, _)) = ill_formed(difference).pop() else { return false };
    let Difference { mode, encoding, input, theirs, .. } = difference;
    offset + bytes.len() == input.len()
        && ours::answer(*mode, *encoding, &input[..offset]).agrees(theirs)
}

/// Whether any code point of the answers, or of the input when encoding, satisfies the condition.
fn any_point(difference: &Difference, is: fn(u32) -> bool) -> bool {
    let fine = |answer: &Answer| answer.points().is_some_and(|all| all.into_iter().any(is));
    match difference.mode {
        Mode::Encode => points(&difference.input).into_iter().any(is),
        _ => fine(&difference.ours) || fine(&difference.theirs),
    }
}

/// The peer's output is the same text to utfall.
fn reads_back(difference: &Difference, _: &Learned) -> bool {
    let Answer::Fine(theirs) = &difference.theirs else { return false };
    ours::answer(Mode::Strict, difference.encoding, theirs)
        == Answer::Fine(difference.input.clone())
}

fn is_surrogate(point: u32) -> bool {
    (0xD800..0xE000).contains(&point)
}

fn is_noncharacter(point: u32) -> bool {
    (0xFDD0..=0xFDEF).contains(&point) || point & 0xFFFE == 0xFFFE
}

/// There are unpaired surrogates among the code points that the peer reads or writes.
fn surrogates_pass(difference: &Difference, _: &Learned) -> bool {
    match difference.mode {
        Mode::Encode => {
            difference.ours.is_error()
                && !difference.theirs.is_error()
                && any_point(difference, is_surrogate)
        }
        _ => difference.theirs.points().is_some_and(|all| all.into_iter().any(is_surrogate)),
    }
}

/// A noncharacter is rejected or replaced, as if it were ill-formed; everything else is the same.
fn noncharacters_refused(difference: &Difference, _: &Learned) -> bool {
    match &difference.ours {
        Answer::Fine(_) if difference.theirs.is_error() => any_point(difference, is_noncharacter),
        Answer::Fine(output) if difference.mode == Mode::Replace => {
            let replaced = points(output);
            let replaced: Vec<u32> = replaced
                .into_iter()
                .map(|point| if is_noncharacter(point) { 0xFFFD } else { point })
                .collect();
            difference.theirs == Answer::Fine(bytes(&replaced))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(mode: Mode, input: &[u8], theirs: Answer) -> Difference {
        let encoding = Encoding::Utf7;
        let ours = ours::answer(mode, encoding, input);
        Difference { encoding, mode, input: input.to_vec(), ours, theirs }
    }

    #[test]
    fn a_rule_is_found_by_its_peer_and_name() {
        let mut known = HashSet::new();
        for rule in rules() {
            for encoding in rule.encodings {
                for mode in rule.modes {
                    let key = (rule.peer, rule.id, *encoding, *mode);
                    assert!(known.insert(key), "{key:?} twice");
                }
            }
        }
    }

    /// `++` ends in a digit that is left over, which glibc does not check.
    #[test]
    fn what_has_no_class_is_told() {
        let learned = Learned::default();
        let class = |peer, theirs| class(peer, &difference(Mode::Strict, b"++", theirs), &learned);
        let nothing = || Answer::Fine(Vec::new());
        assert!(class("glibc", nothing()).is_some_and(|(_, rule)| rule.id == "end-unchecked"));
        assert!(class("simdutf", nothing()).is_none());
        assert!(class("glibc", Answer::Fine(bytes(&[0x41]))).is_none());
    }

    #[test]
    fn answers_agree_as_far_as_both_tell() {
        let at = |offset, length| Answer::Error(offset, length);
        assert!(at(Some(1), Some(2)).agrees(&at(Some(1), None)));
        assert!(at(Some(1), Some(2)).agrees(&at(None, None)));
        assert!(!at(Some(1), Some(2)).agrees(&at(Some(1), Some(3))));
        assert!(!at(Some(1), None).agrees(&at(Some(0), None)));
        assert!(!at(None, None).agrees(&Answer::Fine(Vec::new())));
    }
}
