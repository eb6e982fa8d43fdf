//! UTF-8 and its relatives, UTF-16, UTF-32, UCS-2, UCS-4.

use utfall::Encoding::{self, *};
use utfall::{ErrorKind, Granularity, Options};

use super::{
    Learned, READ, REPLACE, Rule, STRICT, WRITTEN, Whose, as_if, both_refuse, end_dropped,
    ill_formed, is_noncharacter, noncharacters_refused, same_text, surrogates_pass, text_lost,
};
use crate::answer::{Answer, Mode};
use crate::compare::Difference;
use crate::ours;

const UNMARKED: &[Encoding] = &[Utf16, Utf32];

/// Encodings of Perl with units of more than one byte.
const WIDE: &[Encoding] = &[Utf16, Utf16Le, Utf16Be, Ucs2Le, Ucs2Be, Utf32, Utf32Le, Utf32Be];

const PERL: &[Encoding] = &[Utf8, Utf16, Utf16Le, Utf16Be, Ucs2Le, Ucs2Be, Utf32, Utf32Le, Utf32Be];

const READ_LITTLE: &str = "Text without a BOM is read as little-endian, the order of this \
    processor. RFC 2781 §4.3 says that it SHOULD be read as big-endian. So do D98 and D101 of \
    the Unicode Standard, unless a higher protocol specifies the order.";

const WRITTEN_LITTLE: &str = "Text is written as little-endian after a BOM, the order of this \
    processor. The Unicode Standard D98 and D101 permit both orders; utfall always writes \
    big-endian.";

pub(super) const RULES: &[Rule] = &[
    Rule {
        peer: "CPython",
        id: "unmarked-little-endian",
        whose: Whose::Choice,
        encodings: UNMARKED,
        modes: READ,
        reason: READ_LITTLE,
        holds: read_little,
    },
    Rule {
        peer: "glibc",
        id: "unmarked-little-endian",
        whose: Whose::Choice,
        encodings: UNMARKED,
        modes: STRICT,
        reason: READ_LITTLE,
        holds: read_little,
    },
    Rule {
        peer: "CPython",
        id: "written-little-endian",
        whose: Whose::Choice,
        encodings: UNMARKED,
        modes: WRITTEN,
        reason: WRITTEN_LITTLE,
        holds: written_little,
    },
    Rule {
        peer: "glibc",
        id: "written-little-endian",
        whose: Whose::Choice,
        encodings: UNMARKED,
        modes: WRITTEN,
        reason: WRITTEN_LITTLE,
        holds: written_little,
    },
    Rule {
        peer: "ICU",
        id: "written-little-endian",
        whose: Whose::Choice,
        encodings: UNMARKED,
        modes: WRITTEN,
        reason: WRITTEN_LITTLE,
        holds: written_little,
    },
    Rule {
        peer: "CPython",
        id: "offset-after-mark",
        whose: Whose::Choice,
        encodings: &[Utf8],
        modes: &[Mode::Mark],
        reason: "`utf-8-sig` counts the offset of an error from the end of the removed BOM. No \
            specification defines offsets; utfall counts from the start of its input.",
        holds: after_mark,
    },
    Rule {
        peer: "Perl",
        id: "noncharacters",
        whose: Whose::Theirs,
        encodings: PERL,
        modes: &[Mode::Strict, Mode::Replace, Mode::Encode],
        reason: "Noncharacters (U+FDD0, U+FFFE …) are rejected. The Unicode Standard §23.7 and \
            Corrigendum #9: they may be interchanged, and are well-formed in every form.",
        holds: noncharacters_refused,
    },
    Rule {
        peer: "Perl",
        id: "incomplete-end",
        whose: Whose::Theirs,
        encodings: WIDE,
        modes: REPLACE,
        reason: "An incomplete unit at the end is dropped silently. The Unicode Standard C10: an \
            ill-formed sequence is an error, and must not be deleted.",
        holds: end_dropped,
    },
    Rule {
        peer: "Perl",
        id: "announced-length",
        whose: Whose::Choice,
        encodings: &[Utf8, Utf8Perl],
        modes: REPLACE,
        reason: "One U+FFFD replaces all octets that the lead octet announces. The Unicode \
            Standard §3.9 recommends one for each maximal subpart, and requires no number.",
        holds: perl_granularity,
    },
    Rule {
        peer: "Perl",
        id: "runs",
        whose: Whose::Choice,
        encodings: &[Utf8, Utf8Perl],
        modes: REPLACE,
        reason: "One U+FFFD replaces several malformed sequences in a row, including forms of \
            seven and thirteen octets (`FE`, `FF`). The Unicode Standard §3.9 requires no \
            number.",
        holds: malformed_runs,
    },
    Rule {
        peer: "Perl",
        id: "text-lost",
        whose: Whose::Theirs,
        encodings: &[Utf8, Utf8Perl],
        modes: REPLACE,
        reason: "Well-formed characters after a stray octet are lost (`80 C2 8F BF`). The \
            Unicode Standard §3.9 and C10: an ill-formed sequence must not consume a well-formed \
            one.",
        holds: text_lost,
    },
    Rule {
        peer: "Perl",
        id: "mark-of-utf-16",
        whose: Whose::Theirs,
        encodings: &[Utf32],
        modes: READ,
        reason: "`00 00 FF FE`, U+FFFE in big-endian order, is treated as a little-endian BOM. \
            The Unicode Standard D101: that is `FF FE 00 00`.",
        holds: mark_of_utf16,
    },
    Rule {
        peer: "Perl",
        id: "several",
        whose: Whose::Theirs,
        encodings: PERL,
        modes: REPLACE,
        reason: "As above: noncharacters or an incomplete end, in a text that has other errors \
            too.",
        holds: perl_several,
    },
    Rule {
        peer: "ICU",
        id: "surrogates",
        whose: Whose::Theirs,
        encodings: &[Cesu8],
        modes: &[Mode::Strict, Mode::Replace, Mode::Encode],
        reason: "Unpaired surrogates are read and written as three octets. UTR #26 §2: only \
            pairs are, each as six octets.",
        holds: surrogates_in_cesu8,
    },
    Rule {
        peer: "ICU",
        id: "four-octets",
        whose: Whose::Choice,
        encodings: &[Cesu8],
        modes: READ,
        reason: "A sequence of four octets, which CESU-8 lacks, is one ill-formed sequence. UTR \
            #26 does not define the length of ill-formed sequences.",
        holds: four_bytes,
    },
];

fn little(encoding: Encoding) -> Encoding {
    if encoding == Utf16 { Utf16Le } else { Utf32Le }
}

fn read_little(difference: &Difference, _: &Learned) -> bool {
    let Difference { encoding, input, .. } = difference;
    let marks: [&[u8]; 2] = match encoding {
        Utf16 => [b"\xFE\xFF", b"\xFF\xFE"],
        _ => [b"\0\0\xFE\xFF", b"\xFF\xFE\0\0"],
    };
    !marks.iter().any(|mark| input.starts_with(mark))
        && as_if(difference, little(*encoding), Options::default())
}

fn written_little(difference: &Difference, _: &Learned) -> bool {
    let Difference { encoding, input, theirs, .. } = difference;
    let plain = ours::answer(Mode::Encode, little(*encoding), input);
    let (Answer::Fine(plain), Answer::Fine(theirs)) = (plain, theirs) else { return false };
    let mark: &[u8] = if *encoding == Utf16 { b"\xFF\xFE" } else { b"\xFF\xFE\0\0" };
    [mark, &plain].concat() == *theirs
}

fn after_mark(difference: &Difference, _: &Learned) -> bool {
    let mark = Utf8.info().signature;
    match (&difference.ours, &difference.theirs) {
        (Answer::Error(Some(offset), length), Answer::Error(Some(at), long)) => {
            difference.input.starts_with(mark) && offset - 3 == *at && length == long
        }
        _ => false,
    }
}

fn perl_options() -> Options {
    Options::default().with_granularity(Granularity::Perl)
}

fn perl_granularity(difference: &Difference, _: &Learned) -> bool {
    as_if(difference, difference.encoding, perl_options())
}

/// All peculiarities of Perl together: the same text except for noncharacters, U+FFFD, and the
/// end.
fn perl_several(difference: &Difference, _: &Learned) -> bool {
    let Difference { mode, encoding, input, theirs, .. } = difference;
    let mut end = input.len();
    if WIDE.contains(encoding)
        && let Some((offset, bytes, ErrorKind::Truncated | ErrorKind::HighSurrogate)) =
            ill_formed(difference).pop()
        && offset + bytes.len() == end
    {
        end = offset;
    }
    let kept = |answer: &Answer| {
        let mut points = answer.points()?;
        points.retain(|point| *point != 0xFFFD && !is_noncharacter(*point));
        Some(points)
    };
    let ours = ours::answer(*mode, *encoding, &input[..end]);
    kept(&ours).is_some() && kept(&ours) == kept(theirs)
}

/// U+FFFE read as the mark of UTF-16LE.
fn mark_of_utf16(difference: &Difference, _: &Learned) -> bool {
    difference.input.starts_with(b"\0\0\xFF\xFE")
}

fn malformed_runs(difference: &Difference, learned: &Learned) -> bool {
    let next_to_another =
        |pair: &[(usize, Vec<u8>, ErrorKind)]| pair[0].0 + pair[0].1.len() == pair[1].0;
    same_text(difference, learned) && ill_formed(difference).windows(2).any(next_to_another)
}

/// utfall stops at a surrogate in three bytes, and the peer does not.
fn surrogates_in_cesu8(difference: &Difference, learned: &Learned) -> bool {
    let Answer::Error(Some(offset), _) = difference.ours else {
        return surrogates_pass(difference, learned);
    };
    let is_surrogate =
        matches!(difference.input.get(offset as usize..), Some([0xED, 0xA0..=0xBF, ..]));
    let passed = match difference.theirs {
        Answer::Error(Some(at), _) => at >= offset + 3,
        _ => surrogates_pass(difference, learned),
    };
    passed && (difference.mode == Mode::Encode || is_surrogate)
}

/// The difference is at a lead byte of four, and everything else is the same.
fn four_bytes(difference: &Difference, learned: &Learned) -> bool {
    let wrong = ill_formed(difference);
    if !wrong.iter().any(|(_, bytes, _)| matches!(bytes[0], 0xF0..=0xF4)) {
        return false;
    }
    both_refuse(difference, learned) || same_text(difference, learned)
}
