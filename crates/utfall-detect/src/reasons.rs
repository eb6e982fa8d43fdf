//! Collects the evidence for a candidate.

use utfall::hidden::{self, Hidden, Kind};
use utfall::{Encoding, unicode11};

use crate::candidate::Candidate;
use crate::evidence::Evidence;
use crate::facts::{Facts, Ranking};
use crate::hints::{covers, is_charset};
use crate::reading::{is_wide, shift};
use crate::sample::Piece;

/// The reasons for the candidate with this index, strongest first.
pub(crate) fn of(facts: &Facts<'_>, ranking: &Ranking, index: usize) -> Vec<Evidence> {
    let ranked = &ranking.ranked[index];
    let (reading, encoding) = (&ranked.reading, ranked.reading.encoding);
    let mut evidence = Vec::new();
    if facts.length == 0 {
        evidence.push(Evidence::Empty);
        return evidence;
    }
    if let Some((_, bytes)) = ranking.signature.filter(|(marked, _)| *marked == encoding) {
        evidence.push(Evidence::Signature { bytes });
    }
    match encoding {
        Encoding::UsAscii => evidence.push(Evidence::Ascii { bytes: facts.length }),
        Encoding::Utf8 => {
            if let (0, Some(first)) = (facts.utf8.errors, facts.utf8.first_high) {
                let (sequences, chance) = (facts.utf8.leads, facts.chance);
                evidence.push(Evidence::MultiByte { sequences, first, chance });
            }
        }
        Encoding::Cesu8 | Encoding::Mutf8 if reading.supplementary > 0 => {
            evidence.push(Evidence::SurrogatePairs { count: reading.supplementary });
        }
        Encoding::Utf7 | Encoding::Utf7Imap => {
            evidence.extend(shift(encoding).and_then(|shift| shifts(facts, shift)));
            evidence.extend(hidden_text(facts, encoding));
        }
        encoding
            if encoding.info().seven_bit && facts.bytes.escapes > 0 && is_charset(encoding) =>
        {
            if let Some(first) = facts.bytes.first_escape {
                evidence.push(Evidence::Escapes { count: facts.bytes.escapes, first });
            }
        }
        _ => {}
    }
    if let (true, Some(first)) = (is_wide(encoding), facts.bytes.first_zero) {
        evidence.push(Evidence::Zeros { count: facts.bytes.zeros, first });
    }
    if reading.letters > 0 {
        let script = reading.script.map_or("", |script| script.full_name());
        evidence.push(Evidence::Letters { count: reading.letters, script });
    }
    let (errors, first, bytes) = match encoding {
        Encoding::Utf8 => (facts.utf8.errors, facts.utf8.first_error, facts.length),
        _ => {
            let bytes = facts.pieces.iter().map(|piece| piece.bytes.len() as u64).sum();
            (reading.errors, reading.first_error, bytes)
        }
    };
    if let Some(first) = first {
        evidence.push(Evidence::IllFormed { count: errors, first, bytes });
    }
    if !reading.language.is_empty() {
        evidence.push(Evidence::Language { tag: reading.language });
    }
    evidence.extend(declaration(facts, ranking, index));
    if let Some(ahead) = ahead(ranking, index) {
        evidence.push(ahead);
    }
    if !ranked.same.is_empty() {
        evidence.push(Evidence::Same { encodings: ranked.same.clone() });
    }
    evidence
}

/// The declaration of the text about its encoding. US-ASCII is the same in most encodings, so it
/// contradicts only what it cannot be.
fn declaration(facts: &Facts<'_>, ranking: &Ranking, index: usize) -> Option<Evidence> {
    let declared = ranking.declared?;
    let ranked = &ranking.ranked[index];
    let is_this = |encoding: &Encoding| covers(declared.encoding, *encoding);
    let first = declared.offset as u64;
    if is_this(&ranked.reading.encoding) || ranked.same.iter().any(is_this) {
        return Some(Evidence::Declared { first });
    }
    let is_plain = ranked.reading.encoding == Encoding::UsAscii;
    let is_subset = is_plain && declared.encoding.info().ascii_transparent;
    let is_first = index == 0 && facts.length > 0 && !is_subset;
    is_first.then_some(Evidence::Contradicted { declared: declared.encoding, first })
}

/// Its lead over the next candidate, or over non-text.
fn ahead(ranking: &Ranking, index: usize) -> Option<Evidence> {
    let total = ranking.ranked[index].total;
    let next = ranking.ranked.get(index + 1).map(|next| (next.total, Some(next.reading.encoding)));
    let no_text = ranking.no_text.filter(|bits| *bits >= total).map(|bits| (bits, None));
    let (bits, of) = next.into_iter().chain(no_text).min()?;
    Some(Evidence::Ahead { bits: ((bits - total) / 16) as u64, of })
}

/// US-ASCII inside the runs of the sample, where no writer has to encode it.
fn hidden_text(facts: &Facts<'_>, encoding: Encoding) -> Option<Evidence> {
    let is_ascii = |found: &Hidden| {
        use Kind as K;
        matches!(found.kind, K::EncodedAscii | K::EncodedMarkup | K::EncodedControl)
    };
    let offsets: Vec<u64> = facts
        .pieces
        .iter()
        .flat_map(|piece| {
            let found = hidden::find(encoding, &piece.bytes).into_iter().filter(is_ascii);
            found.map(|found| piece.offset + found.offset)
        })
        .collect();
    let first = *offsets.first()?;
    Some(Evidence::Hidden { count: offsets.len() as u64, first })
}

/// The Base64 runs after a shift character, in the sample.
fn shifts(facts: &Facts<'_>, shift: u8) -> Option<Evidence> {
    let (count, first) = runs(&facts.pieces, shift);
    first.map(|first| Evidence::Shifts { count, first })
}

/// Counts the runs, ignoring numbers, and locates the first.
pub(crate) fn runs(pieces: &[Piece], shift: u8) -> (u64, Option<u64>) {
    let mut found = (0, None);
    for piece in pieces {
        let mut at = 0;
        while let Some(next) = piece.bytes[at..].iter().position(|byte| *byte == shift) {
            let begin = at + next + 1;
            let is_digit =
                |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b',');
            let digits = piece.bytes[begin..].iter().take_while(|byte| is_digit(byte)).count();
            if !piece.bytes[begin..begin + digits].iter().all(u8::is_ascii_digit) {
                found.0 += 1;
                found.1.get_or_insert(piece.offset + begin as u64 - 1);
            }
            at = begin + digits;
        }
    }
    found
}

/// Reports UTF-8 with Hangul at the code points of Unicode 1.1 as `UNICODE-1-1-UTF-8`.
pub(crate) fn old_hangul(facts: &Facts<'_>, candidates: &mut [Candidate]) {
    let Some(best) = candidates.first_mut().filter(|best| best.encoding == Encoding::Utf8) else {
        return;
    };
    if !facts.hints.allow(Encoding::Unicode11Utf8) {
        return;
    }
    let bytes: Vec<u8> = facts.pieces[0].bytes.clone();
    // A character cut by the end of the head is not evidence against it.
    let whole = match std::str::from_utf8(&bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => &bytes[..],
    };
    let found = unicode11::evidence(whole);
    if let (true, Some(first)) = (found.is_likely(), found.first) {
        best.encoding = Encoding::Unicode11Utf8;
        best.evidence.insert(0, Evidence::OldHangul { syllables: found.syllables, first });
    }
}
