//! Why others answer differently: each difference must be of a class here, or it is a bug.
//!
//! A class is a rule: who, which encodings, what is done, and a condition on the input and both
//! answers. Where it can be told what exactly the other does, the condition is that utfall gives
//! their answer when it does the same: with a lenience, in another byte order, without the last
//! octets. Rules are asked in order, so that the exact ones come first.

mod compressed;
mod legacy;
mod unicode;
mod utf7;

use std::collections::HashSet;

use utfall::{Action, Decoder, Encoding, ErrorKind, Options, Status};

use crate::answer::{Answer, Mode, octets, points};
use crate::compare::Difference;
use crate::labels::is_legacy;
use crate::ours;

/// Who departs from what.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The peer departs from the specification.
    Theirs,
    /// The specification leaves it open.
    Choice,
    /// Two tables go by the same name.
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

/// A class of differences, as narrow as it can be told.
pub(crate) struct Rule {
    pub(crate) peer: &'static str,
    /// Unique for the peer.
    pub(crate) id: &'static str,
    pub(crate) whose: Whose,
    pub(crate) encodings: &'static [Encoding],
    pub(crate) modes: &'static [Mode],
    /// What the peer does, and the clause that says what is right or that it may.
    pub(crate) reason: &'static str,
    pub(crate) holds: fn(&Difference, &Learned) -> bool,
}

/// What the short inputs have told about the peer's table of an encoding.
#[derive(Default)]
pub(crate) struct Learned {
    /// Codes of one character that have another one, or none, in one of the two tables.
    pub(crate) codes: HashSet<Vec<u8>>,
    /// Code points that are written differently.
    pub(crate) points: HashSet<u32>,
}

impl Learned {
    /// Notes a code that differs: one that is a single character to one of the two.
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
                // ISO-2022-JP: behind the escape sequence of two octets a character.
                let pairs = input.strip_prefix(b"\x1B$B").or(input.strip_prefix(b"\x1B$@"));
                let code = pairs.unwrap_or(input);
                self.codes.insert(code.to_vec());
            }
            Mode::Encode if input.len() == 4 => self.points.extend(points(input)),
            _ => {}
        }
    }
}

/// Every rule, in the order in which they are asked.
pub(crate) fn rules() -> impl Iterator<Item = &'static Rule> {
    [unicode::RULES, utf7::RULES, compressed::RULES, legacy::RULES].into_iter().flatten()
}

/// The first rule that holds, and its place.
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

/// Whether they answer as utfall does with another encoding or other options.
fn as_if(difference: &Difference, encoding: Encoding, options: Options) -> bool {
    let Difference { mode, input, theirs, .. } = difference;
    ours::with(*mode, encoding, options, input).agrees(theirs)
}

/// Every ill-formed sequence, by utfall's count: its offset, its octets, what is wrong.
fn ill_formed(difference: &Difference) -> Vec<(usize, Vec<u8>, ErrorKind)> {
    ill_formed_with(difference, Options::default())
}

fn ill_formed_with(difference: &Difference, options: Options) -> Vec<(usize, Vec<u8>, ErrorKind)> {
    let mut all = Vec::new();
    let mut note = |error: &utfall::Error, octets: &[u8]| {
        all.push((error.offset() as usize, octets.to_vec(), error.kind()));
        Action::Skip
    };
    let mut decoder = Decoder::new(difference.encoding, options).on_error(&mut note);
    let mut room = vec![0; 2 * difference.input.len() + 16];
    let progress = decoder.decode_to_points(&difference.input, &mut room, true);
    assert!(progress.status == Status::InputEmpty, "the callback skips");
    all
}

/// Both see that it is ill-formed, and say so of other places or lengths.
fn both_refuse(difference: &Difference, _: &Learned) -> bool {
    difference.ours.is_error() && difference.theirs.is_error()
}

/// Both see an error at the same place, and say that it is of another length.
fn same_place(difference: &Difference, _: &Learned) -> bool {
    match (&difference.ours, &difference.theirs) {
        (Answer::Error(offset, _), Answer::Error(at, _)) => offset == at,
        _ => false,
    }
}

/// What both have read, without U+FFFD.
fn without_replacements(difference: &Difference) -> Option<[Vec<u32>; 2]> {
    let kept = |answer: &Answer| {
        let points = answer.points()?;
        Some(points.into_iter().filter(|point| *point != 0xFFFD).collect())
    };
    Some([kept(&difference.ours)?, kept(&difference.theirs)?])
}

/// The same text, with another number of U+FFFD.
fn same_text(difference: &Difference, _: &Learned) -> bool {
    let has_errors = !ill_formed(difference).is_empty();
    has_errors && without_replacements(difference).is_some_and(|[ours, theirs]| ours == theirs)
}

/// The same text as far as the first U+FFFD of ours.
fn same_until_error(difference: &Difference, _: &Learned) -> bool {
    let (Some(ours), Some(theirs)) = (difference.ours.points(), difference.theirs.points()) else {
        return false;
    };
    let sound = ours.iter().position(|point| *point == 0xFFFD);
    sound.is_some_and(|sound| theirs.len() >= sound && ours[..sound] == theirs[..sound])
}

/// They have lost text that stands behind an ill-formed sequence, and added none.
fn text_lost(difference: &Difference, _: &Learned) -> bool {
    let Some([ours, theirs]) = without_replacements(difference) else { return false };
    let mut rest = ours.iter();
    let within = theirs.iter().all(|point| rest.any(|own| own == point));
    within && theirs.len() < ours.len() && !ill_formed(difference).is_empty()
}

/// They leave out, without a word, the octets of an incomplete character at the end: they answer
/// as utfall does without these octets.
fn end_dropped(difference: &Difference, _: &Learned) -> bool {
    let Some((offset, octets, _)) = ill_formed(difference).pop() else { return false };
    let Difference { mode, encoding, input, theirs, .. } = difference;
    offset + octets.len() == input.len()
        && ours::answer(*mode, *encoding, &input[..offset]).agrees(theirs)
}

/// All code points of an answer or an input.
fn any_point(difference: &Difference, is: fn(u32) -> bool) -> bool {
    let fine = |answer: &Answer| answer.points().is_some_and(|all| all.into_iter().any(is));
    match difference.mode {
        Mode::Encode => points(&difference.input).into_iter().any(is),
        _ => fine(&difference.ours) || fine(&difference.theirs),
    }
}

/// What they write is the same text to utfall.
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

/// Unpaired surrogates among the code points that they read or write.
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

/// A noncharacter is refused, or replaced, as if it were ill-formed; all else is the same.
fn noncharacters_refused(difference: &Difference, _: &Learned) -> bool {
    match &difference.ours {
        Answer::Fine(_) if difference.theirs.is_error() => any_point(difference, is_noncharacter),
        Answer::Fine(output) if difference.mode == Mode::Replace => {
            let replaced = points(output);
            let replaced: Vec<u32> = replaced
                .into_iter()
                .map(|point| if is_noncharacter(point) { 0xFFFD } else { point })
                .collect();
            difference.theirs == Answer::Fine(octets(&replaced))
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

    /// `++` ends in a digit that is left over, which glibc does not look at.
    #[test]
    fn what_has_no_class_is_told() {
        let learned = Learned::default();
        let class = |peer, theirs| class(peer, &difference(Mode::Strict, b"++", theirs), &learned);
        let nothing = || Answer::Fine(Vec::new());
        assert!(class("glibc", nothing()).is_some_and(|(_, rule)| rule.id == "end-unchecked"));
        assert!(class("simdutf", nothing()).is_none());
        assert!(class("glibc", Answer::Fine(octets(&[0x41]))).is_none());
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
