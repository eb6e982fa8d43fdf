//! Ranks the possible encodings of a text by the bits it takes in each.

use utfall::{Encoding, Family, Origin};

use crate::candidate::Candidate;
use crate::confidence::is_charset_of_one_byte;
use crate::facts::{Facts, Ranked, Ranking};
use crate::hints::Hints;
use crate::layers::Detect;
use crate::legacy::Votes;
use crate::model::{self, Bits, bits};
use crate::reading::{Reading, is_wide, prior, read, shift};
use crate::sample::{Interest, Piece};
use crate::{alphabets, confidence, layers, reasons, signature};

/// Bytes decoded in every encoding before the unlikely ones are dropped.
const PROBE: usize = 1024;
/// Length of each part of the probe.
const PROBE_PART: usize = 256;
/// Encodings that trail the best one in the probe by more than this are dropped.
const PROBE_BEHIND: Bits = bits(160);
/// Readings that trail the best one by more than this are abandoned.
const BEHIND: Bits = bits(400);
/// Bonus for each byte of a signature.
const SIGNATURE: Bits = bits(20);
/// Bonus if `chardetng` guesses the encoding without a country, and if it does so for all
/// countries.
const GUESS: Bits = bits(8);
const VOTES: Bits = bits(12);
/// Added to the bonus for all countries, per non-ASCII byte, in sixteenths of a bit.
const EACH_LETTER: Bits = 4;
/// Bonus for a text that is well-formed UTF-8 throughout: UTF-8 is more common than everything
/// else.
const WELL_FORMED: Bits = bits(12);
/// The highest prior cost of an encoding that the caller expects, roughly that of the most common
/// charset.
const EXPECTED: Bits = bits(20);
/// The lead that a single-byte charset needs to be clear. Five bits double the odds, so this makes
/// them 99 to 1.
const CLEAR: Bits = bits(33);
/// The lead that it needs by its letters alone.
const CLEAR_LETTERS: Bits = bits(5);
/// Cost of a letter outside the alphabet of the language.
const STRANGE: Bits = bits(6);
/// Prior cost of non-text.
const NO_TEXT: Bits = bits(8);
/// Decimal logarithm of the chance below which well-formed UTF-8 cannot be anything else.
const SURELY_UTF_8: f64 = -30.0;

/// The possible encodings, likeliest first. `detect` detects the encoding of an inner text.
pub(crate) fn candidates(facts: &Facts<'_>, detect: Detect) -> Vec<Candidate> {
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
    layers::look_inside(facts, &ranking, &mut candidates, detect);
    reasons::old_hangul(facts, &mut candidates);
    candidates
}

fn rank(facts: &Facts<'_>) -> Ranking {
    let head = &facts.pieces[0].bytes;
    let signature = signature(head);
    let is_eight_bit = facts.utf8.high > 0;
    let votes = if is_eight_bit && facts.utf8.errors > 0 {
        Votes::ask(&facts.pieces)
    } else {
        Votes::default()
    };
    let high = facts.pieces.iter().flat_map(|piece| &piece.bytes).filter(|o| **o >= 0x80).count();
    let bonus = |encoding: Encoding| {
        let marked = signature.filter(|(marked, _)| *marked == encoding);
        let votes_of_all = VOTES + high as Bits * EACH_LETTER;
        let vote = Bits::from(votes.of(encoding)) * votes_of_all / Bits::from(Votes::ASKED);
        let guess = if votes.guess == Some(encoding) { GUESS } else { 0 };
        marked.map_or(0, |(_, bytes)| bytes as Bits * SIGNATURE) + vote + guess
    };
    let looked_at: usize = facts.pieces.iter().map(|piece| piece.bytes.len()).sum();
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
    if facts.utf8.high + facts.bytes.controls > 0 {
        let compressed = compressed(facts, &ranked, head_start);
        ranked.extend(compressed);
        ranked.sort_by_key(|ranked| (ranked.total, ranked.reading.encoding));
    }
    let ranked = joined(ranked);
    let bytes = || facts.pieces.iter().map(|piece| &piece.bytes[..]);
    let may_be_none = facts.bytes.controls + facts.bytes.zeros > 0;
    let no_text = may_be_none.then(|| model::of_no_text(bytes()) + NO_TEXT);
    let doubt = doubt(facts, &ranked, &possible);
    Ranking { ranked, no_text, signature, votes, double, doubt }
}

/// An encoding over which the likeliest one has no clear lead, if that is a single-byte charset.
///
/// Converting on a guess requires both kinds of evidence, letters and `chardetng`. A clear lead is
/// [`CLEAR`] bits in total, and [`CLEAR_LETTERS`] bits without the votes of `chardetng`, by letters
/// and alphabets alone. For a text in a charset that `chardetng` does not know, it names the
/// nearest that it does, and for long texts its votes outweigh the letters.
fn doubt(facts: &Facts<'_>, ranked: &[Ranked], possible: &[Encoding]) -> Option<Encoding> {
    let (best, others) = ranked.split_first()?;
    if !is_charset_of_one_byte(best.reading.encoding) {
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
        .filter(|encoding| is_charset_of_one_byte(**encoding) && !is_same(**encoding))
        .filter_map(|encoding| {
            let left = most - before_reading(*encoding, facts.hints);
            let reading = read(*encoding, &facts.pieces, usize::MAX, left);
            let is_rival = reading.bits <= left && reading.hash != best.reading.hash;
            Some((letters(&reading), *encoding)).filter(|(bits, _)| is_rival && *bits < most)
        })
        .min()
        .map(|(_, encoding)| encoding)
}

/// The cost of an encoding before decoding. Expected encodings are not treated as rare.
fn before_reading(encoding: Encoding, hints: &Hints) -> Bits {
    let cost = prior(encoding);
    if hints.expect(encoding) { cost.min(EXPECTED) } else { cost }
}

/// The extra cost of finding a few UTF-7 runs in a long text: the longer the text, the likelier a
/// run occurs by chance.
fn of_shifts(encoding: Encoding, bytes: usize) -> Bits {
    if encoding.info().family != Family::Utf7 {
        return 0;
    }
    Bits::from((bytes / 128).max(1).ilog2()) * bits(3)
}

/// Whether the text has no UTF-7 runs, or too many ill-formed ones. Runs in real text are
/// well-formed; in other Base64, and in formulas, three in four are ill-formed.
fn is_other_base64(reading: &Reading, pieces: &[Piece]) -> bool {
    let Some(shift) = shift(reading.encoding) else { return false };
    let (runs, _) = reasons::runs(pieces, shift);
    // The end of the sample may have cut one run in two.
    runs == 0 || reading.errors.saturating_sub(1) * 4 > runs
}

/// Readings in SCSU and BOCU-1, which cannot be decoded from the middle. They are compared with the
/// best of the others at the head of the text only.
fn compressed(
    facts: &Facts<'_>,
    ranked: &[Ranked],
    head_start: impl Fn(Encoding) -> Bits,
) -> Vec<Ranked> {
    let Some(best) = ranked.first() else { return Vec::new() };
    // Well-formed UTF-8 is hardly ever anything else, and texts in these encodings have no zeros.
    let is_utf_8 = facts.utf8.errors == 0 && facts.utf8.high > 0;
    if is_utf_8 || facts.bytes.zeros > 0 {
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

/// Merges readings with the same text.
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

/// The encodings that both the bytes and the hints allow.
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
        // For these two, the byte order is detected.
        let is_open = matches!(encoding, Encoding::Utf16 | Encoding::Utf32);
        if is_other && !is_open && hints.allow(encoding) && !encodings.contains(&encoding) {
            encodings.push(encoding);
        }
    }
    encodings
}

/// Whether this charset gives bytes above 7F a meaning, unlike US-ASCII, and is text, unlike the two
/// that the web has for other purposes. Those that only glibc has are too rare.
fn is_charset(encoding: Encoding) -> bool {
    let info = encoding.info();
    matches!(info.family, Family::SingleByte | Family::MultiByte)
        && info.origin != Origin::Glibc
        && ![Encoding::UsAscii, Encoding::Replacement, Encoding::UserDefined].contains(&encoding)
}

/// The encodings that the bytes allow.
fn possible(facts: &Facts<'_>) -> Vec<Encoding> {
    use Encoding as E;
    let mut encodings = Vec::new();
    let has = |byte: u8| facts.pieces.iter().any(|piece| piece.bytes.contains(&byte));
    if facts.utf8.high == 0 {
        encodings.push(E::UsAscii);
        encodings.extend(has(b'+').then_some(E::Utf7));
        encodings.extend(has(b'&').then_some(E::Utf7Imap));
        encodings.extend((facts.bytes.escapes > 0).then_some(E::Iso2022Jp));
    } else {
        encodings.push(E::Utf8);
        if facts.utf8.errors > 0 {
            encodings.extend([E::Cesu8, E::Mutf8, E::Wtf8, E::Utf8Rfc2279, E::Utf8Rfc2044]);
        }
        // Text that looks this much like UTF-8 is in no other byte-oriented encoding.
        if facts.utf8.errors > 0 || facts.utf8.chance() > SURELY_UTF_8 {
            encodings.extend([E::UtfEbcdic, E::UtfEbcdicCdra, E::Utf1]);
            encodings.extend(E::ALL.iter().filter(|encoding| is_charset(**encoding)));
        }
    }
    encodings.extend([E::Utf16Le, E::Utf16Be]);
    if facts.length >= 4 {
        encodings.extend([E::Utf32Le, E::Utf32Be]);
    }
    debug_assert!(encodings.iter().filter(|encoding| is_wide(**encoding)).count() >= 2);
    encodings
}

/// Parts of the pieces that have non-ASCII bytes or controls.
fn probe(pieces: &[Piece]) -> Vec<Piece> {
    let parts = pieces.iter().flat_map(|piece| {
        let parts = piece.bytes.chunks(PROBE_PART).enumerate();
        parts.map(move |(index, bytes)| (piece, index * PROBE_PART, bytes))
    });
    parts
        .filter(|(_, _, bytes)| Interest::of(bytes) == Interest::High)
        .take(PROBE / PROBE_PART)
        .map(|(piece, at, bytes)| Piece {
            offset: piece.offset + at as u64,
            bytes: bytes.to_vec(),
            last: piece.last && at + bytes.len() == piece.bytes.len(),
        })
        .collect()
}
