//! Ranks the possible encodings of a text by the bits it takes in each.

use utfall::{Encoding, Family};

use crate::candidate::Candidate;
use crate::confidence::is_charset_of_one_byte;
use crate::cost::{Bits, bits};
use crate::counts::Counts;
use crate::declared::Declared;
use crate::facts::{Double, Facts, Ranked, Ranking, has_blanks};
use crate::hints::{Hints, covers};
use crate::language::Pairs;
use crate::layers::Detect;
use crate::model;
use crate::reading::{self, Foreign, Reading, is_wide, prior, read, shift};
use crate::sample::{Interest, Piece};
use crate::{confidence, declared, language, layers, possible, reasons, signature, utf8};

/// Bytes decoded in every encoding before the unlikely ones are dropped.
const PROBE: usize = 1024;
/// Length of each part of the probe.
const PROBE_PART: usize = 256;
/// Encodings that trail the best one in the probe by more than this are dropped.
const PROBE_BEHIND: Bits = bits(160);
/// Readings that trail the best one by more than this are abandoned.
const BEHIND: Bits = bits(400);
/// Charsets of one byte that trail others by more than this are not read. It leaves most short texts
/// a runner-up.
const FAR_BEHIND: Bits = bits(1600);
/// Bonus for each byte of a signature.
const SIGNATURE: Bits = bits(20);
/// Bonus for the encoding that the text declares.
const DECLARED: Bits = bits(20);
/// Further bonus for a declaration that the text confirms. With [`DECLARED`], it makes the lead clear.
const CONFIRMED: Bits = bits(30);
/// How far a declared encoding may trail another one, by the text alone, and still be confirmed.
const CONFIRMED_BEHIND: Bits = bits(3);
/// How far it must be ahead if many letters are foreign to the language.
const CONFIRMED_AHEAD: Bits = bits(8);
/// Bonus for a text that is well-formed UTF-8 throughout: UTF-8 is more common than everything
/// else.
const WELL_FORMED: Bits = bits(12);
/// The cost of UTF-16 and UTF-32 if no byte is zero: even a text without Latin letters has spaces and line
/// feeds.
const NO_ZEROS: Bits = bits(8);
/// The highest prior cost of an encoding that the caller expects, roughly that of the most common
/// charset.
const EXPECTED: Bits = bits(20);
/// The lead that a single-byte charset needs to be clear. At most four bits double the odds, so
/// this makes them 99 to 1 and more.
const CLEAR: Bits = bits(27);
/// How many charsets of one byte are decoded, to compare their texts.
const READ: usize = 16;
/// The cost of a non-ASCII byte with its neighbours above which a charset of one byte does not fit.
const FITTING: Bits = bits(14);
/// The cost that is allowed in addition.
const UNFITTING_ALLOWED: Bits = bits(40);
/// The cost of a pair of bytes in a charset of one byte that barely fits, and of a non-ASCII
/// character in one of several bytes.
const BARELY_FITTING: Bits = bits(9);
const BARELY_FITTING_EAST: Bits = 204;
/// The cost of a charset that is not offered, above that of the likeliest one.
const NONE: Bits = bits(24);
/// Prior cost of non-text.
const NO_TEXT: Bits = bits(8);
/// Decimal logarithm of the chance below which well-formed UTF-8 with characters that hardly any text has
/// cannot be anything else.
const HARDLY_CHANCE: f64 = -4.0;

/// The possible encodings, likeliest first. `detect` detects the encoding of an inner text.
pub(crate) fn candidates(facts: &Facts<'_>, detect: Detect) -> Vec<Candidate> {
    let ranking = rank(facts);
    let confidences = confidence::of(&ranking);
    let mut candidates: Vec<Candidate> = (0..ranking.ranked.len())
        .map(|index| Candidate {
            encoding: ranking.ranked[index].reading.encoding,
            confidence: confidences[index],
            doubt: ranking.doubt.filter(|_| index == 0),
            language: language::of(&ranking.ranked[index].reading),
            evidence: reasons::of(facts, &ranking, index),
            inside: None,
        })
        .collect();
    layers::look_inside(facts, &ranking, &mut candidates, detect);
    reasons::old_hangul(facts, &mut candidates);
    candidates
}

fn rank(facts: &Facts<'_>) -> Ranking {
    let known = Known::of(facts);
    let (single, others): (Vec<_>, Vec<_>) = possible::allowed(facts, known.signature)
        .into_iter()
        .partition(|encoding| is_charset_of_one_byte(*encoding));
    let may_be_none = facts.bytes.controls + facts.bytes.zeros > 0;
    let bytes = || facts.pieces.iter().map(|piece| &piece.bytes[..]);
    let no_text = may_be_none.then(|| model::of_no_text(bytes()) + NO_TEXT);
    // A text in SCSU or BOCU-1, which has no zeros, is compared with the best of the others.
    let has_zeros = facts.bytes.zeros > 0;
    let mut most =
        no_text.filter(|_| has_zeros).map_or(Bits::MAX, |bits| bits.saturating_add(FAR_BEHIND));
    let probed = known.probed(others);
    if let Some(fitting) = &probed.fitting {
        let total = fitting.bits + known.head_start(fitting.encoding);
        most = most.min(total.saturating_add(FAR_BEHIND));
    }
    let single = known.in_one_byte(&single, most);
    if let Some(best) = single.first() {
        most = most.min(best.total.saturating_add(BEHIND));
    }
    let (mut ranked, double) = known.in_others(probed, single.first(), most);
    ranked.extend(single);
    sort(&mut ranked);
    if facts.utf8.high + facts.bytes.controls > 0 {
        ranked.extend(known.compressed(&ranked));
        sort(&mut ranked);
    }
    if facts.hints.expected.is_none() {
        without_rare(&mut ranked, known.signature, known.high);
    }
    let mut ranked = joined(ranked);
    let is_confirmed = known.declared.is_some_and(|found| is_confirmed(found, &ranked));
    if is_confirmed {
        ranked[0].total -= CONFIRMED;
    }
    Ranking {
        doubt: doubt(&ranked),
        none: none_of_these(facts, &ranked),
        ranked,
        no_text,
        signature: known.signature,
        declared: known.declared,
        is_confirmed,
        double,
        may_be_chance: facts.chance > HARDLY_CHANCE && has_rare(facts.blanked()),
        has_zeros,
    }
}

fn sort(ranked: &mut [Ranked]) {
    ranked.sort_by_key(|ranked| (ranked.total, ranked.reading.encoding));
}

/// Evidence that is known before the text is read in any encoding.
struct Known<'a> {
    facts: &'a Facts<'a>,
    signature: Option<(Encoding, usize)>,
    declared: Option<Declared>,
    /// Size of the sample in bytes.
    looked_at: usize,
    /// How many of its bytes are non-ASCII.
    high: usize,
}

/// The encodings that a probe leaves.
struct Probed {
    encodings: Vec<Encoding>,
    /// The reading in the likeliest charset of several bytes, if it fits: few others need a look then.
    fitting: Option<Reading>,
}

impl<'a> Known<'a> {
    fn of(facts: &'a Facts<'a>) -> Self {
        let head = &facts.pieces[0].bytes;
        let bytes = facts.blanked().iter().flat_map(|piece| &piece.bytes);
        Self {
            facts,
            signature: signature(head),
            declared: declared::find(head),
            looked_at: facts.pieces.iter().map(|piece| piece.bytes.len()).sum(),
            high: bytes.filter(|byte| **byte >= 0x80).count(),
        }
    }

    /// The cost that a signature and a declaration save.
    fn bonus(&self, encoding: Encoding) -> Bits {
        let marked = self.signature.filter(|(marked, _)| *marked == encoding);
        let is_declared = self.declared.is_some_and(|it| covers(it.encoding, encoding));
        let declared = if is_declared { DECLARED } else { 0 };
        marked.map_or(0, |(_, bytes)| bytes as Bits * SIGNATURE) + declared
    }

    /// The cost of an encoding without the text.
    fn head_start(&self, encoding: Encoding) -> Bits {
        let facts = self.facts;
        let is_whole = encoding == Encoding::Utf8 && facts.utf8.errors == 0;
        let whole = if is_whole { WELL_FORMED } else { 0 };
        let no_zeros = if is_wide(encoding) && facts.bytes.zeros == 0 { NO_ZEROS } else { 0 };
        before_reading(encoding, facts.hints) - self.bonus(encoding)
            + of_shifts(encoding, self.looked_at)
            + no_zeros
            - whole
    }

    /// Drops the encodings that do not fit a small part of the text.
    fn probed(&self, encodings: Vec<Encoding>) -> Probed {
        let facts = self.facts;
        if facts.utf8.high == 0 {
            return Probed { encodings, fitting: None };
        }
        let (plain, blanked) = (probe(&facts.pieces), probe(facts.blanked()));
        let mut probed: Vec<_> = encodings
            .iter()
            .map(|encoding| {
                let probe = if has_blanks(*encoding) { &blanked } else { &plain };
                let reading = read(*encoding, probe, PROBE, Bits::MAX);
                let fits = reading.errors == 0 && reading.beyond_ascii_points > 0;
                (reading.bits + self.head_start(*encoding), *encoding, fits)
            })
            .collect();
        probed.sort_unstable();
        let fitting = probed
            .first()
            .filter(|(_, first, fits)| *fits && first.info().family == Family::MultiByte)
            .map(|(_, first, _)| read(*first, facts.pieces_for(*first), usize::MAX, Bits::MAX));
        let most = probed.first().map_or(0, |(best, ..)| *best) + PROBE_BEHIND;
        let kept = probed
            .into_iter()
            .filter(|(bits, encoding, _)| *bits <= most || self.bonus(*encoding) > 0);
        Probed { encodings: kept.map(|(_, encoding, _)| encoding).collect(), fitting }
    }

    /// The readings in encodings other than charsets of one byte that cost at most `most`, and the inner
    /// text if UTF-8 was encoded twice. `best` is the likeliest reading in a charset of one byte.
    fn in_others(
        &self,
        probed: Probed,
        best: Option<&Ranked>,
        mut most: Bits,
    ) -> (Vec<Ranked>, Option<Double>) {
        let facts = self.facts;
        let Probed { encodings, mut fitting } = probed;
        let (mut ranked, mut double) = (Vec::new(), None);
        let (head, rest) = facts.blanked().split_at(1);
        let of_head = |encoding: Encoding| read(encoding, head, usize::MAX, Bits::MAX).bits;
        let most_of_head = best
            .filter(|_| !rest.is_empty())
            .map_or(Bits::MAX, |best| of_head(best.reading.encoding).saturating_add(PROBE_BEHIND));
        for encoding in encodings {
            // Of a text that is mostly US-ASCII, every charset of several bytes would be read to the end.
            let is_read = fitting.as_ref().is_some_and(|fitting| fitting.encoding == encoding);
            let is_east_asian = encoding.info().family == Family::MultiByte;
            if is_east_asian
                && !is_read
                && most_of_head < Bits::MAX
                && of_head(encoding) > most_of_head
            {
                continue;
            }
            let left = most.saturating_sub(self.head_start(encoding));
            let mut reading = match fitting.take_if(|fitting| fitting.encoding == encoding) {
                Some(fitting) => fitting,
                None => read(encoding, facts.pieces_for(encoding), usize::MAX, left),
            };
            if encoding == Encoding::Utf8 && reading.errors == 0 {
                double = layers::double_utf8(facts.blanked(), reading.bits);
                reading.bits = double.as_ref().map_or(reading.bits, |double| double.bits);
            }
            let total = reading.bits + self.head_start(encoding);
            if total > most
                || self.is_other_utf_8(&reading)
                || is_other_base64(&reading, &facts.pieces)
            {
                continue;
            }
            most = most.min(total.saturating_add(BEHIND));
            ranked.push(Ranked { reading, total, same: Vec::new() });
        }
        (ranked, double)
    }

    /// Whether a reading in UTF-8, or in a relative of it, is an accident.
    fn is_other_utf_8(&self, reading: &Reading) -> bool {
        let encoding = reading.encoding;
        // With so many ill-formed sequences, nothing suggests UTF-8.
        let is_mostly_errors = match reading.errors {
            // The end of the text may have cut a character.
            0 | 1 => reading.errors as usize * 3 > self.high,
            errors => errors * 4 > self.high as u64,
        };
        // Relatives of UTF-8 have further sequences. In a text that is damaged or mixed, these occur by
        // chance.
        let is_meant = self.facts.hints.expect(encoding)
            || self.declared.is_some_and(|declared| declared.allows(encoding));
        let is_damaged = encoding != Encoding::Utf8 && reading.errors > 1 && !is_meant;
        encoding.info().family == Family::Utf8 && (is_mostly_errors || is_damaged)
    }

    /// The readings in charsets of one byte that cost at most `most`, likeliest first.
    fn in_one_byte(&self, encodings: &[Encoding], mut most: Bits) -> Vec<Ranked> {
        let facts = self.facts;
        if encodings.is_empty() || facts.utf8.high == 0 {
            return Vec::new();
        }
        let pairs = Pairs::of(facts.blanked());
        let ascii = model::of_ascii(
            facts
                .blanked()
                .iter()
                .map(|piece| &piece.bytes[reading::start(Encoding::Windows1252, piece)..]),
        );
        let mut all = Vec::new();
        for encoding in encodings {
            let apart = ascii + self.head_start(*encoding);
            if let Some(likeliest) = pairs.likeliest(*encoding, most.saturating_sub(apart)) {
                let total = likeliest.bits + apart;
                most = most.min(total.saturating_add(PROBE_BEHIND));
                all.push((total, *encoding, likeliest));
            }
        }
        all.sort_by_key(|(total, encoding, _)| (*total, *encoding));
        let counts = Counts::of(facts.blanked());
        let kept = all.into_iter().take_while(|(total, ..)| *total <= most).take(READ);
        kept.map(|(total, encoding, likeliest)| {
            let mut reading = counts.read(encoding);
            reading.bits = ascii + likeliest.bits;
            reading.language = likeliest.language;
            reading.foreign = likeliest.foreign;
            reading.of_pairs = likeliest.bits;
            reading.pairs = pairs.count();
            Ranked { reading, total, same: Vec::new() }
        })
        .collect()
    }

    /// Readings in SCSU and BOCU-1, which cannot be decoded from the middle. They are compared with the
    /// best of the others at the head of the text only.
    fn compressed(&self, ranked: &[Ranked]) -> Vec<Ranked> {
        let facts = self.facts;
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
            // Without a control, SCSU is ISO-8859-1.
            .filter(|encoding| *encoding != Encoding::Scsu || facts.bytes.controls > 0)
            .map(|encoding| read(encoding, head, usize::MAX, most))
            .filter(|reading| reading.bits <= most && reading.errors <= 1)
            .map(|reading| {
                let total =
                    best.reading.bits - other + reading.bits + self.head_start(reading.encoding);
                Ranked { reading, total, same: Vec::new() }
            })
            .collect()
    }
}

/// Whether the text confirms the declaration: the declared reading is the likeliest, has no errors, and
/// trails no other one by more than 3 bits on the text alone. If many letters are foreign, it leads by 8.
fn is_confirmed(declared: Declared, ranked: &[Ranked]) -> bool {
    let Some((best, others)) = ranked.split_first() else { return false };
    let reading = &best.reading;
    let least = match reading.foreign {
        Foreign::Few => reading.bits - CONFIRMED_BEHIND,
        Foreign::Many => reading.bits + CONFIRMED_AHEAD,
        Foreign::All => return false,
    };
    declared.allows(reading.encoding)
        && reading.errors == 0
        && others.iter().all(|other| other.reading.bits >= least)
}

/// An encoding over which the likeliest one has no clear lead, if that is a single-byte charset.
///
/// A clear lead is [`CLEAR`] bits.
fn doubt(ranked: &[Ranked]) -> Option<Encoding> {
    let (best, others) = ranked.split_first()?;
    if !is_charset_of_one_byte(best.reading.encoding) {
        return None;
    }
    let next = others.first().filter(|next| next.total - best.total < CLEAR)?;
    Some(next.reading.encoding)
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

/// The cost of the text in a charset that is not offered, if the likeliest one is a charset: it is
/// what that one would cost if it fitted barely.
fn none_of_these(facts: &Facts<'_>, ranked: &[Ranked]) -> Option<Bits> {
    let best = ranked.first()?;
    let is_hz = best.reading.encoding == Encoding::UsAscii && possible::hz_runs(&facts.pieces) > 0;
    let is_charset =
        matches!(best.reading.encoding.info().family, Family::SingleByte | Family::MultiByte);
    if is_hz || is_charset && looks_like_ebcdic(&facts.pieces) {
        return Some(best.total - NONE);
    }
    let (fitting, own) = match best.reading.encoding.info().family {
        Family::SingleByte if best.reading.of_pairs > 0 => {
            (best.reading.pairs * BARELY_FITTING, best.reading.of_pairs)
        }
        Family::MultiByte if best.reading.beyond_ascii_points > 0 => {
            (best.reading.beyond_ascii_points * BARELY_FITTING_EAST, best.reading.beyond_ascii)
        }
        _ => return None,
    };
    Some(best.total - own + fitting + NONE)
}

/// Whether the words are separated by `@`, and nothing by a space or a line feed of US-ASCII: the
/// byte of `@` is the space of EBCDIC.
fn looks_like_ebcdic(pieces: &[Piece]) -> bool {
    let mut counts = [0_usize; 256];
    pieces.iter().flat_map(|piece| &piece.bytes).for_each(|byte| counts[usize::from(*byte)] += 1);
    let high: usize = counts[0x80..].iter().sum();
    let spaces = counts[usize::from(b' ')] + counts[usize::from(b'\n')];
    // The Big5 code of `一` ends with 40, and other characters end with 41 to 7E. In EBCDIC, 40 is the
    // space, and most of the others are punctuation.
    let others: usize = counts[0x41..0x7F].iter().sum();
    let is_most_common = counts[0x40] > others;
    spaces * 16 < counts[0x40] && counts[0x40] * 20 > high && high > 8 && is_most_common
}

/// Removes the encodings that nobody uses without a signature, if another one fits.
fn without_rare(ranked: &mut Vec<Ranked>, signature: Option<(Encoding, usize)>, high: usize) {
    let is_rare = |ranked: &Ranked| {
        let encoding = ranked.reading.encoding;
        confidence::is_rare(encoding) && signature.is_none_or(|(marked, _)| marked != encoding)
    };
    let is_other_fitting = ranked.iter().filter(|ranked| !is_rare(ranked)).any(|ranked| {
        // Pictures and foreign letters are rare in text, as ill-formed sequences are.
        ranked.reading.errors * 16 <= high as u64
            && ranked.reading.of_pairs <= FITTING * high as Bits + UNFITTING_ALLOWED
    });
    // Without a signature, the text must at least be well-formed.
    ranked.retain(|ranked| !is_rare(ranked) || !is_other_fitting && ranked.reading.errors == 0);
}

/// Merges readings with the same text.
fn joined(ranked: Vec<Ranked>) -> Vec<Ranked> {
    let mut joined: Vec<Ranked> = Vec::new();
    for one in ranked {
        let key = |ranked: &Ranked| (ranked.reading.hash.sum, ranked.reading.points);
        match joined.iter_mut().find(|before| key(before) == key(&one)) {
            Some(before) => before.same.push(one.reading.encoding),
            None => joined.push(one),
        }
    }
    joined
}

/// Whether there are sequences of two bytes in UTF-8 for characters that hardly any text has.
fn has_rare(pieces: &[Piece]) -> bool {
    let is_rare = |pair: &[u8]| match pair {
        [lead @ 0xC2..=0xDF, trail @ 0x80..=0xBF] => {
            utf8::is_rare(u32::from(lead & 0x1F) << 6 | u32::from(trail & 0x3F))
        }
        _ => false,
    };
    pieces.iter().any(|piece| piece.bytes.windows(2).any(is_rare))
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
