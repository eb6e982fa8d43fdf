//! The encodings a text may be in, by the bits it takes in each.

use utfall::{Encoding, Family};

use crate::candidate::Candidate;
use crate::confidence::is_charset_of_one_octet;
use crate::detector::Octets;
use crate::hints::Hints;
use crate::layers::Double;
use crate::legacy::Votes;
use crate::model::{self, Bits, bits};
use crate::reading::{Reading, is_wide, prior, read, shift};
use crate::sample::{Interest, Piece};
use crate::utf8::Utf8;
use crate::{alphabets, confidence, layers, reasons, signature};

/// How much is read in every encoding, before the unlikely ones are left out.
const PROBE: usize = 1024;
/// The length of its parts.
const PROBE_PART: usize = 256;
/// What is so many bits behind in the probe is left out.
const PROBE_BEHIND: Bits = bits(160);
/// What is so many bits behind is not read to its end.
const BEHIND: Bits = bits(400);
/// What each octet of a signature is worth.
const SIGNATURE: Bits = bits(20);
/// What it is worth that `chardetng` names an encoding, and that it does so for each country.
const GUESS: Bits = bits(8);
const VOTES: Bits = bits(12);
/// The same for every letter it may be about, in sixteenths of a bit.
const EACH_LETTER: Bits = 4;
/// What it is worth that all of a text is well-formed UTF-8: there is more of it than of all else.
const WELL_FORMED: Bits = bits(12);
/// What an encoding costs at most that was said to be expected: no more than the most usual charset.
const EXPECTED: Bits = bits(20);
/// By how much a charset of one byte must be ahead to be clearly so: five bits double the odds, and
/// these make them 99 to 1.
const CLEAR: Bits = bits(33);
/// The same by its letters alone.
const CLEAR_LETTERS: Bits = bits(5);
/// What a letter costs that is beyond the alphabet of the language.
const STRANGE: Bits = bits(6);
/// What no text costs beforehand.
const NO_TEXT: Bits = bits(8);
/// The chance, as a decimal logarithm, below which text that is well-formed UTF-8 is nothing else.
const SURELY_UTF_8: f64 = -30.0;

/// What is known of a stream at its end.
pub(crate) struct Facts<'a> {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) utf8: &'a Utf8,
    pub(crate) octets: Octets,
    pub(crate) length: u64,
    pub(crate) hints: &'a Hints,
}

/// A reading among its rivals.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) reading: Reading,
    /// Its bits with all that speaks for it beside the text.
    pub(crate) total: Bits,
    /// Encodings in which what was read is the same.
    pub(crate) same: Vec<Encoding>,
}

/// What all candidates have in common.
pub(crate) struct Ranking {
    /// The likeliest first.
    pub(crate) ranked: Vec<Ranked>,
    /// The bits of no text, if it may be that.
    pub(crate) no_text: Option<Bits>,
    pub(crate) signature: Option<(Encoding, usize)>,
    pub(crate) votes: Votes,
    /// What the likeliest one is not clearly ahead of.
    pub(crate) doubt: Option<Encoding>,
    /// What UTF-8 becomes if it was made UTF-8 twice.
    pub(crate) double: Option<Double>,
}

pub(crate) fn candidates(facts: &Facts<'_>) -> Vec<Candidate> {
    let ranking = rank(facts);
    let confidences = confidence::of(&ranking);
    let mut candidates: Vec<Candidate> = (0..ranking.ranked.len())
        .map(|index| Candidate {
            encoding: ranking.ranked[index].reading.encoding,
            confidence: confidences[index],
            doubt: ranking.doubt.filter(|_| index == 0),
            evidence: reasons::of(facts, &ranking, index),
            inside: None,
        })
        .collect();
    layers::look_inside(facts, &ranking, &mut candidates);
    reasons::old_hangul(facts, &mut candidates);
    candidates
}

fn rank(facts: &Facts<'_>) -> Ranking {
    let head = &facts.pieces[0].octets;
    let signature = signature(head);
    let is_eight_bit = facts.utf8.high > 0;
    let votes = match is_eight_bit && facts.utf8.errors > 0 {
        true => Votes::ask(&facts.pieces),
        false => Votes::default(),
    };
    let high = facts.pieces.iter().flat_map(|piece| &piece.octets).filter(|o| **o >= 0x80).count();
    let bonus = |encoding: Encoding| {
        let marked = signature.filter(|(marked, _)| *marked == encoding);
        let votes_of_all = VOTES + high as Bits * EACH_LETTER;
        let vote = Bits::from(votes.of(encoding)) * votes_of_all / Bits::from(Votes::ASKED);
        let guess = if votes.guess == Some(encoding) { GUESS } else { 0 };
        marked.map_or(0, |(_, octets)| octets as Bits * SIGNATURE) + vote + guess
    };
    let looked_at: usize = facts.pieces.iter().map(|piece| piece.octets.len()).sum();
    let head_start = |encoding: Encoding| {
        let is_whole = encoding == Encoding::Utf8 && facts.utf8.errors == 0;
        let whole = if is_whole { WELL_FORMED } else { 0 };
        before_reading(encoding, facts.hints) - bonus(encoding) + of_shifts(encoding, looked_at)
            - whole
    };

    let possible = allowed(facts, signature);
    let mut encodings = possible.clone();
    if is_eight_bit {
        let probe = probe(&facts.pieces);
        let mut probed: Vec<_> = encodings
            .iter()
            .map(|encoding| {
                let reading = read(*encoding, &probe, PROBE, Bits::MAX);
                (reading.bits + head_start(*encoding), *encoding)
            })
            .collect();
        probed.sort();
        let most = probed.first().map_or(0, |(best, _)| *best) + PROBE_BEHIND;
        encodings = probed
            .into_iter()
            .filter(|(bits, encoding)| *bits <= most || bonus(*encoding) > 0)
            .map(|(_, encoding)| encoding)
            .collect();
    }

    let mut ranked: Vec<Ranked> = Vec::new();
    let mut double = None;
    let mut most = Bits::MAX;
    for encoding in encodings {
        let left = most.saturating_sub(head_start(encoding));
        let mut reading = read(encoding, &facts.pieces, usize::MAX, left);
        if encoding == Encoding::Utf8 && reading.errors == 0 {
            double = layers::double_utf8(&facts.pieces, reading.bits);
            reading.bits = double.as_ref().map_or(reading.bits, |double| double.bits);
        }
        let total = reading.bits + head_start(encoding);
        if total > most || is_other_base64(&reading, &facts.pieces) {
            continue;
        }
        most = most.min(total.saturating_add(BEHIND));
        ranked.push(Ranked { reading, total, same: Vec::new() });
    }
    ranked.sort_by_key(|ranked| (ranked.total, ranked.reading.encoding));
    if facts.utf8.high + facts.octets.controls > 0 {
        let compressed = compressed(facts, &ranked, head_start);
        ranked.extend(compressed);
        ranked.sort_by_key(|ranked| (ranked.total, ranked.reading.encoding));
    }
    let ranked = joined(ranked);
    let octets = || facts.pieces.iter().map(|piece| &piece.octets[..]);
    let may_be_none = facts.octets.controls + facts.octets.zeros > 0;
    let no_text = may_be_none.then(|| model::of_no_text(octets()) + NO_TEXT);
    let doubt = doubt(facts, &ranked, &possible);
    Ranking { ranked, no_text, signature, votes, double, doubt }
}

/// An encoding that the likeliest one is not clearly ahead of, if that is a charset of one byte.
///
/// There are two witnesses, letters and `chardetng`, and what is written by a guess needs both.
/// Clearly ahead is what leads by [`CLEAR`] bits in all, and by [`CLEAR_LETTERS`] without the votes
/// of `chardetng`, in its letters and the alphabets they are of. For a text in a charset that
/// `chardetng` does not know it names the nearest that it does, and for long text its votes
/// weigh more than letters.
fn doubt(facts: &Facts<'_>, ranked: &[Ranked], possible: &[Encoding]) -> Option<Encoding> {
    let (best, others) = ranked.split_first()?;
    if !is_charset_of_one_octet(best.reading.encoding) {
        return None;
    }
    if let Some(next) = others.first().filter(|next| next.total - best.total < CLEAR) {
        return Some(next.reading.encoding);
    }
    let letters = |reading: &Reading| {
        let strange = alphabets::uncovered(reading.encoding, &facts.pieces) as Bits * STRANGE;
        reading.bits + before_reading(reading.encoding, facts.hints) + strange
    };
    let most = letters(&best.reading) + CLEAR_LETTERS;
    let is_same = |encoding| best.reading.encoding == encoding || best.same.contains(&encoding);
    possible
        .iter()
        .filter(|encoding| is_charset_of_one_octet(**encoding) && !is_same(**encoding))
        .filter_map(|encoding| {
            let left = most - before_reading(*encoding, facts.hints);
            let reading = read(*encoding, &facts.pieces, usize::MAX, left);
            let is_rival = reading.bits <= left && reading.hash != best.reading.hash;
            Some((letters(&reading), *encoding)).filter(|(bits, _)| is_rival && *bits < most)
        })
        .min()
        .map(|(_, encoding)| encoding)
}

/// What an encoding costs before anything is read. What is expected is not rare.
fn before_reading(encoding: Encoding, hints: &Hints) -> Bits {
    let cost = prior(encoding);
    if hints.expect(encoding) { cost.min(EXPECTED) } else { cost }
}

/// What more it costs in a long text that a few runs in it are UTF-7: the longer it is, the likelier
/// something in it looks like one.
fn of_shifts(encoding: Encoding, octets: usize) -> Bits {
    if encoding.info().family != Family::Utf7 {
        return 0;
    }
    Bits::from((octets / 128).max(1).ilog2()) * bits(3)
}

/// Whether there is no run of what would be UTF-7, or too many are ill-formed: those of real text
/// are not, and of other Base64, and of sums, three in four are.
fn is_other_base64(reading: &Reading, pieces: &[Piece]) -> bool {
    let Some(shift) = shift(reading.encoding) else { return false };
    let (runs, _) = reasons::runs(pieces, shift);
    // One may have been cut in two where the text ends.
    runs == 0 || reading.errors.saturating_sub(1) * 4 > runs
}

/// SCSU and BOCU-1, of which nothing can be read without all that is before it: they are compared
/// with the best of the others at the head of the text alone.
fn compressed(
    facts: &Facts<'_>,
    ranked: &[Ranked],
    head_start: impl Fn(Encoding) -> Bits,
) -> Vec<Ranked> {
    let Some(best) = ranked.first() else { return Vec::new() };
    // What is well-formed UTF-8 is hardly anything else, and zeros are in no text of these.
    let is_utf_8 = facts.utf8.errors == 0 && facts.utf8.high > 0;
    if is_utf_8 || facts.octets.zeros > 0 {
        return Vec::new();
    }
    let head = &facts.pieces[..1];
    let other = read(best.reading.encoding, head, usize::MAX, Bits::MAX).bits;
    let most = other.saturating_add(BEHIND);
    [Encoding::Scsu, Encoding::Bocu1]
        .into_iter()
        .filter(|encoding| facts.hints.allow(*encoding))
        .filter(|encoding| ranked.iter().all(|ranked| ranked.reading.encoding != *encoding))
        .map(|encoding| read(encoding, head, usize::MAX, most))
        .filter(|reading| reading.bits <= most && reading.errors <= 1)
        .map(|reading| {
            let total = best.reading.bits - other + reading.bits + head_start(reading.encoding);
            Ranked { reading, total, same: Vec::new() }
        })
        .collect()
}

/// Those that read the same text become one.
fn joined(ranked: Vec<Ranked>) -> Vec<Ranked> {
    let mut joined: Vec<Ranked> = Vec::new();
    for one in ranked {
        let key = |ranked: &Ranked| (ranked.reading.hash, ranked.reading.points);
        match joined.iter_mut().find(|before| key(before) == key(&one)) {
            Some(before) => before.same.push(one.reading.encoding),
            None => joined.push(one),
        }
    }
    joined
}

/// The encodings that the octets allow, and what is known beforehand.
fn allowed(facts: &Facts<'_>, signature: Option<(Encoding, usize)>) -> Vec<Encoding> {
    let hints = facts.hints;
    let mut encodings = possible(facts);
    let is_seen = |encoding: Encoding| {
        encoding == Encoding::UsAscii
            || encoding == Encoding::Utf8 && facts.utf8.errors == 0
            || signature.is_some_and(|(marked, _)| marked == encoding)
    };
    encodings.retain(|encoding| is_seen(*encoding) || hints.allow(*encoding));
    for encoding in hints.expected.iter().flatten().copied() {
        // Text that is all ASCII is the same in all of these.
        let is_other = facts.utf8.high > 0 || !encoding.info().ascii_transparent;
        // Of these two, the byte order is found.
        let is_open = matches!(encoding, Encoding::Utf16 | Encoding::Utf32);
        if is_other && !is_open && hints.allow(encoding) && !encodings.contains(&encoding) {
            encodings.push(encoding);
        }
    }
    encodings
}

/// The encodings that the octets allow.
fn possible(facts: &Facts<'_>) -> Vec<Encoding> {
    use Encoding as E;
    let mut encodings = Vec::new();
    let has = |octet: u8| facts.pieces.iter().any(|piece| piece.octets.contains(&octet));
    if facts.utf8.high == 0 {
        encodings.push(E::UsAscii);
        encodings.extend(has(b'+').then_some(E::Utf7));
        encodings.extend(has(b'&').then_some(E::Utf7Imap));
        encodings.extend((facts.octets.escapes > 0).then_some(E::Iso2022Jp));
    } else {
        encodings.push(E::Utf8);
        if facts.utf8.errors > 0 {
            encodings.extend([E::Cesu8, E::Mutf8, E::Wtf8, E::Utf8Rfc2279, E::Utf8Rfc2044]);
        }
        // What looks so much like UTF-8 is nothing else of octets.
        if facts.utf8.errors > 0 || facts.utf8.chance() > SURELY_UTF_8 {
            encodings.extend([E::UtfEbcdic, E::UtfEbcdicCdra, E::Utf1]);
            encodings.push(E::Iso8859_1);
            let is_charset = |encoding: &E| (E::Ibm866..=E::ShiftJis).contains(encoding);
            encodings.extend(E::ALL.iter().filter(|encoding| is_charset(encoding)));
            encodings.push(E::EucKr);
        }
    }
    encodings.extend([E::Utf16Le, E::Utf16Be]);
    if facts.length >= 4 {
        encodings.extend([E::Utf32Le, E::Utf32Be]);
    }
    debug_assert!(encodings.iter().filter(|encoding| is_wide(**encoding)).count() >= 2);
    encodings
}

/// Parts of the pieces that have octets beyond ASCII, or controls.
fn probe(pieces: &[Piece]) -> Vec<Piece> {
    let parts = pieces.iter().flat_map(|piece| {
        let parts = piece.octets.chunks(PROBE_PART).enumerate();
        parts.map(move |(index, octets)| (piece, index * PROBE_PART, octets))
    });
    parts
        .filter(|(_, _, octets)| Interest::of(octets) == Interest::High)
        .take(PROBE / PROBE_PART)
        .map(|(piece, at, octets)| Piece {
            offset: piece.offset + at as u64,
            octets: octets.to_vec(),
            last: piece.last && at + octets.len() == piece.octets.len(),
        })
        .collect()
}
