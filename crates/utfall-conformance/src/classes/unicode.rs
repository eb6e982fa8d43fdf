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

const READ_LITTLE: &str = "Without a mark it is read little-endian, as this processor is. RFC 2781 \
    §4.3 says that it SHOULD be read big-endian, and so does the Unicode Standard D98 and D101 \
    where no higher protocol says otherwise.";

const WRITTEN_LITTLE: &str = "Written little-endian behind a mark, as this processor is. The \
    Unicode Standard D98 and D101 permit both orders; utfall writes big-endian everywhere.";

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
        id: "offset-behind-mark",
        whose: Whose::Choice,
        encodings: &[Utf8],
        modes: &[Mode::Mark],
        reason: "`utf-8-sig` counts the offset of an error from behind the mark that it has removed. \
            No specification says how errors are counted; utfall counts what it was given.",
        holds: behind_mark,
    },
    Rule {
        peer: "Perl",
        id: "noncharacters",
        whose: Whose::Theirs,
        encodings: PERL,
        modes: &[Mode::Strict, Mode::Replace, Mode::Encode],
        reason: "Noncharacters (U+FDD0, U+FFFE …) are refused. The Unicode Standard §23.7 and \
            Corrigendum #9: they may be interchanged, and are well-formed in every form.",
        holds: noncharacters_refused,
    },
    Rule {
        peer: "Perl",
        id: "incomplete-end",
        whose: Whose::Theirs,
        encodings: WIDE,
        modes: REPLACE,
        reason: "Octets of an incomplete unit at the end are left out without a word. The Unicode \
            Standard C10: an ill-formed sequence is an error, and not to be deleted.",
        holds: end_dropped,
    },
    Rule {
        peer: "Perl",
        id: "announced-length",
        whose: Whose::Choice,
        encodings: &[Utf8, Utf8Perl],
        modes: REPLACE,
        reason: "One U+FFFD stands for all octets that the lead octet announces. The Unicode Standard \
            §3.9 recommends one for each maximal subpart, and requires no number.",
        holds: perl_granularity,
    },
    Rule {
        peer: "Perl",
        id: "runs",
        whose: Whose::Choice,
        encodings: &[Utf8, Utf8Perl],
        modes: REPLACE,
        reason: "One U+FFFD stands for several malformed sequences in a row, among them forms of seven \
            and thirteen octets (`FE`, `FF`). The Unicode Standard §3.9 requires no number.",
        holds: malformed_runs,
    },
    Rule {
        peer: "Perl",
        id: "text-lost",
        whose: Whose::Theirs,
        encodings: &[Utf8, Utf8Perl],
        modes: REPLACE,
        reason: "Well-formed characters behind a stray octet are lost with it (`80 C2 8F BF`). The Unicode \
            Standard §3.9 and C10: a well-formed sequence is not to be consumed by an ill-formed one.",
        holds: text_lost,
    },
    Rule {
        peer: "Perl",
        id: "mark-of-utf-16",
        whose: Whose::Theirs,
        encodings: &[Utf32],
        modes: READ,
        reason: "`00 00 FF FE`, U+FFFE in big-endian order, is taken for a little-endian mark, which is \
            `FF FE 00 00`: the Unicode Standard D101.",
        holds: mark_of_utf16,
    },
    Rule {
        peer: "Perl",
        id: "several",
        whose: Whose::Theirs,
        encodings: PERL,
        modes: REPLACE,
        reason: "Noncharacters or an incomplete end, as above, in a text that is ill-formed besides.",
        holds: perl_several,
    },
    Rule {
        peer: "ICU",
        id: "surrogates",
        whose: Whose::Theirs,
        encodings: &[Cesu8],
        modes: &[Mode::Strict, Mode::Replace, Mode::Encode],
        reason: "Unpaired surrogates are read and written in three octets. UTR #26 §2: only pairs are, \
            each as six octets.",
        holds: surrogates_in_cesu8,
    },
    Rule {
        peer: "ICU",
        id: "four-octets",
        whose: Whose::Choice,
        encodings: &[Cesu8],
        modes: READ,
        reason: "A sequence of four octets, which CESU-8 has not, is one ill-formed sequence as it \
            would be in UTF-8. UTR #26 says nothing of how much is ill-formed.",
        holds: four_octets,
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

fn behind_mark(difference: &Difference, _: &Learned) -> bool {
    let mark = Utf8.info().signature;
    match (&difference.ours, &difference.theirs) {
        (Answer::Error(Some(offset), length), Answer::Error(Some(at), long)) => {
            difference.input.starts_with(mark) && offset - 3 == *at && length == long
        }
        _ => false,
    }
}

fn perl_options() -> Options {
    Options { granularity: Granularity::Perl, ..Options::default() }
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
        && let Some((offset, octets, ErrorKind::Truncated | ErrorKind::HighSurrogate)) =
            ill_formed(difference).pop()
        && offset + octets.len() == end
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
fn four_octets(difference: &Difference, learned: &Learned) -> bool {
    let wrong = ill_formed(difference);
    if !wrong.iter().any(|(_, octets, _)| matches!(octets[0], 0xF0..=0xF4)) {
        return false;
    }
    both_refuse(difference, learned) || same_text(difference, learned)
}
