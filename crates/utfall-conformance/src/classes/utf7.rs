//! UTF-7 and IMAP mailbox names. The library has a name for each rule that a reader relaxes
//! (`Utf7Tolerance`). A difference belongs to the class of a relaxed rule if utfall, with all
//! rules relaxed that the reader is known to relax, gives the reader's answer and has made use of
//! this one.

use utfall::Encoding::{self, Utf7, Utf7Imap};
use utfall::{Decoder, Options, Policy, Status, Utf7Options, Utf7Tolerance as L};

use super::{
    Learned, READ, REPLACE, Rule, STRICT, WRITTEN, Whose, as_if, both_refuse, ill_formed_with,
    is_noncharacter, is_surrogate, reads_back, same_until_error, surrogates_pass,
};
use crate::answer::{Answer, Mode, bytes, points};
use crate::compare::Difference;
use crate::ours;

/// The rules of an encoding that a reader relaxes.
struct Reader {
    encoding: Encoding,
    passes: L,
}

/// In the order of the constants below.
const READERS: &[Reader] = &[
    Reader {
        encoding: Utf7,
        passes: L::END_SHIFT_DROPPED
            .union(L::LONE_SURROGATES)
            .union(L::CONTROLS)
            .union(L::BACKSLASH_TILDE),
    },
    Reader { encoding: Utf7, passes: L::EMPTY_SHIFT_DROPPED },
    Reader {
        encoding: Utf7,
        passes: L::END_SHIFT_DROPPED
            .union(L::DANGLING_DIGITS)
            .union(L::SPLIT_PAIRS)
            .union(L::LONE_SURROGATES),
    },
    Reader {
        encoding: Utf7,
        passes: L::END_SHIFT_KEPT
            .union(L::EMPTY_SHIFT_KEPT)
            .union(L::NON_ZERO_PADDING)
            .union(L::DANGLING_DIGITS)
            .union(L::CONTROLS)
            .union(L::BACKSLASH_TILDE)
            .union(L::LATIN1),
    },
    Reader {
        encoding: Utf7Imap,
        passes: L::NULL_SHIFT.union(L::ENCODED_ASCII).union(L::UNTERMINATED),
    },
    Reader {
        encoding: Utf7Imap,
        passes: L::NULL_SHIFT.union(L::SPLIT_PAIRS).union(L::LONE_SURROGATES),
    },
];
const CPYTHON: usize = 0;
const GLIBC: usize = 1;
const ICU: usize = 2;
const PERL: usize = 3;
const GLIBC_NAMES: usize = 4;
const ICU_NAMES: usize = 5;

/// The rule for a relaxed rule, by its index in `Utf7Tolerance::NAMED`.
macro_rules! passes {
    ($peer:literal, $reader:ident, $lenience:literal, $modes:ident, $reason:literal) => {
        Rule {
            peer: $peer,
            id: L::NAMED[$lenience].0,
            whose: Whose::Theirs,
            encodings: &[READERS[$reader].encoding],
            modes: $modes,
            reason: $reason,
            holds: passes::<$reader, $lenience>,
        }
    };
}

/// Rules for differences that are not due to a single relaxed rule.
macro_rules! rule {
    ($peer:literal, $id:literal, $whose:ident, $encoding:ident, $modes:ident, $holds:expr, $reason:literal) => {
        Rule {
            peer: $peer,
            id: $id,
            whose: Whose::$whose,
            encodings: &[$encoding],
            modes: $modes,
            reason: $reason,
            holds: $holds,
        }
    };
}

pub(super) const RULES: &[Rule] = &[
    passes!(
        "CPython",
        CPYTHON,
        0,
        READ,
        "`+` at the end is dropped. RFC 2152 rule 2: Base64 or `-` follows it."
    ),
    passes!(
        "CPython",
        CPYTHON,
        6,
        READ,
        "Unpaired surrogates are accepted. RFC 2152 rule 2: surrogate pairs are Unicode \
         characters, halves are not."
    ),
    passes!(
        "CPython",
        CPYTHON,
        8,
        READ,
        "Controls represent themselves. RFC 2152 rule 3: only space, TAB, CR and LF do."
    ),
    passes!(
        "CPython",
        CPYTHON,
        9,
        READ,
        "`\\` and `~` represent themselves. RFC 2152 rule 1: neither is in set D or set O."
    ),
    rule!(
        "CPython",
        "offset-of-run",
        Choice,
        Utf7,
        STRICT,
        both_refuse,
        "The offset of an error in a run is that of its `+`. No specification defines offsets."
    ),
    rule!(
        "CPython",
        "number",
        Choice,
        Utf7,
        REPLACE,
        number::<CPYTHON>,
        "The number of U+FFFD differs. RFC 2152 says only that such text is ill-formed."
    ),
    rule!(
        "CPython",
        "text-lost",
        Theirs,
        Utf7,
        REPLACE,
        lost::<CPYTHON>,
        "The octet that ends a broken run is lost. RFC 2152 rule 2: it ends the run, and is read \
         as usual."
    ),
    rule!(
        "CPython",
        "surrogates-written",
        Theirs,
        Utf7,
        WRITTEN,
        surrogates_pass,
        "Unpaired surrogates are written. RFC 2152 rule 2, as above."
    ),
    passes!(
        "glibc",
        GLIBC,
        2,
        STRICT,
        "`+` before neither Base64 nor `-` is dropped. RFC 2152 rule 2: this is ill-formed."
    ),
    rule!(
        "glibc",
        "end-unchecked",
        Theirs,
        Utf7,
        STRICT,
        end_unchecked::<GLIBC>,
        "Incomplete bits of a run at the end of the text are dropped silently. RFC 2152 rule 2: \
         they are ill-formed."
    ),
    rule!(
        "glibc",
        "offset-of-run",
        Choice,
        Utf7,
        STRICT,
        both_refuse,
        "The offset is that of the octet at which reading stopped. No specification defines \
         offsets."
    ),
    rule!(
        "glibc",
        "set-o-shifted",
        Choice,
        Utf7,
        WRITTEN,
        shifted,
        "Characters of set O are written in Base64. RFC 2152 rule 1 permits both."
    ),
    passes!(
        "ICU",
        ICU,
        0,
        READ,
        "`+` at the end is dropped. RFC 2152 rule 2: Base64 or `-` follows it."
    ),
    passes!(
        "ICU",
        ICU,
        5,
        READ,
        "Six or more leftover zero bits are ignored. RFC 2152 rule 2: zeros fill a run to the \
         end of a digit, at most four."
    ),
    passes!(
        "ICU",
        ICU,
        7,
        READ,
        "A pair split between two runs is joined. RFC 2152 rule 2: a run is a sequence of whole \
         characters."
    ),
    passes!(
        "ICU",
        ICU,
        6,
        READ,
        "Unpaired surrogates are accepted. RFC 2152 rule 2: surrogate pairs are Unicode \
         characters, halves are not."
    ),
    rule!(
        "ICU",
        "offset-of-run",
        Choice,
        Utf7,
        STRICT,
        both_refuse,
        "An error in a run has a different offset or length. No specification defines them."
    ),
    rule!(
        "ICU",
        "number",
        Choice,
        Utf7,
        REPLACE,
        number::<ICU>,
        "The number of U+FFFD differs. RFC 2152 says only that such text is ill-formed."
    ),
    rule!(
        "ICU",
        "text-lost",
        Theirs,
        Utf7,
        REPLACE,
        lost::<ICU>,
        "The octet that ends a broken run is lost. RFC 2152 rule 2: it ends the run, and is read \
         as usual."
    ),
    rule!(
        "ICU",
        "surrogates-written",
        Theirs,
        Utf7,
        WRITTEN,
        surrogates_pass,
        "Unpaired surrogates are written. RFC 2152 rule 2, as above."
    ),
    passes!(
        "Perl",
        PERL,
        1,
        READ,
        "`+` at the end represents itself. RFC 2152 rule 2: Base64 or `-` follows it."
    ),
    passes!(
        "Perl",
        PERL,
        3,
        READ,
        "`+` before neither Base64 nor `-` represents itself. RFC 2152 rule 2: this is ill-formed."
    ),
    passes!(
        "Perl",
        PERL,
        4,
        READ,
        "Leftover bits need not be zero. RFC 2152 rule 2: they must be."
    ),
    passes!(
        "Perl",
        PERL,
        5,
        READ,
        "Six or more leftover bits are ignored. RFC 2152 rule 2: zeros fill a run to the end of \
         a digit, at most four."
    ),
    passes!(
        "Perl",
        PERL,
        8,
        READ,
        "Controls represent themselves. RFC 2152 rule 3: only space, TAB, CR and LF do."
    ),
    passes!(
        "Perl",
        PERL,
        9,
        READ,
        "`\\` and `~` represent themselves. RFC 2152 rule 1: neither is in set D or set O."
    ),
    passes!(
        "Perl",
        PERL,
        10,
        READ,
        "Each octet above 7F is read as ISO 8859-1. RFC 2152: all octets are US-ASCII."
    ),
    rule!(
        "Perl",
        "surrogates-replaced",
        Theirs,
        Utf7,
        STRICT,
        perl_surrogates,
        "Unpaired surrogates and noncharacters become U+FFFD, even if the call requested an \
         error. RFC 2152 rule 2: the former are ill-formed; the Unicode Standard §23.7: the \
         latter are not."
    ),
    rule!(
        "Perl",
        "number",
        Choice,
        Utf7,
        REPLACE,
        number::<PERL>,
        "The number of U+FFFD differs. RFC 2152 says only that such text is ill-formed."
    ),
    rule!(
        "Perl",
        "surrogates-written",
        Theirs,
        Utf7,
        WRITTEN,
        perl_surrogates_written,
        "Unpaired surrogates and noncharacters are written as U+FFFD, even if the call requested \
         an error. The Unicode Standard §23.7: noncharacters may be interchanged."
    ),
    rule!(
        "Perl",
        "always-closed",
        Choice,
        Utf7,
        WRITTEN,
        closed,
        "Every run is closed with `-`. RFC 2152 rule 2 permits it."
    ),
    rule!(
        "Perl",
        "some-of-set-o",
        Choice,
        Utf7,
        WRITTEN,
        some_of_set_o,
        "Some characters of set O (`%`, `$`) are written in Base64, and every run is closed. RFC 2152 rule 1 permits it."
    ),
    passes!(
        "glibc",
        GLIBC_NAMES,
        11,
        STRICT,
        "Printable US-ASCII is accepted in Base64. RFC 3501 §5.1.3: it represents itself."
    ),
    passes!(
        "glibc",
        GLIBC_NAMES,
        12,
        STRICT,
        "A run directly after another is accepted. RFC 3501 §5.1.3: null shifts are not permitted."
    ),
    passes!(
        "glibc",
        GLIBC_NAMES,
        14,
        STRICT,
        "A name may end in a run. RFC 3501 §5.1.3: names end in US-ASCII."
    ),
    rule!(
        "glibc",
        "end-unchecked",
        Theirs,
        Utf7Imap,
        STRICT,
        end_unchecked::<GLIBC_NAMES>,
        "Incomplete bits of a run at the end of the name are dropped silently. RFC 3501 §5.1.3: \
         names end in US-ASCII."
    ),
    rule!(
        "glibc",
        "offset-of-run",
        Choice,
        Utf7Imap,
        STRICT,
        both_refuse,
        "The offset is that of the octet at which reading stopped. No specification defines \
         offsets."
    ),
    passes!(
        "ICU",
        ICU_NAMES,
        12,
        READ,
        "A run directly after another is accepted. RFC 3501 §5.1.3: null shifts are not permitted."
    ),
    passes!(
        "ICU",
        ICU_NAMES,
        7,
        READ,
        "A pair that is split between two runs is joined. RFC 3501 §5.1.3: null shifts are not permitted."
    ),
    passes!(
        "ICU",
        ICU_NAMES,
        6,
        READ,
        "Unpaired surrogates are accepted. RFC 2152 rule 2, which RFC 3501 §5.1.3 modifies: \
         surrogate pairs are characters, halves are not."
    ),
    rule!(
        "ICU",
        "offset-of-run",
        Choice,
        Utf7Imap,
        STRICT,
        both_refuse,
        "An error has a different offset or length. No specification defines them."
    ),
    rule!(
        "ICU",
        "number",
        Choice,
        Utf7Imap,
        REPLACE,
        number::<ICU_NAMES>,
        "The number of U+FFFD differs. RFC 3501 says only what is not permitted."
    ),
    rule!(
        "ICU",
        "text-lost",
        Theirs,
        Utf7Imap,
        REPLACE,
        lost::<ICU_NAMES>,
        "The octet that ends a broken run is lost. RFC 3501 §5.1.3: it represents itself."
    ),
    rule!(
        "ICU",
        "run-left",
        Choice,
        Utf7Imap,
        REPLACE,
        same_until_error,
        "Reading resumes outside a broken run, so that digits and `-` become text. RFC 3501 \
         §5.1.3 says only what is not permitted."
    ),
    rule!(
        "ICU",
        "surrogates-written",
        Theirs,
        Utf7Imap,
        WRITTEN,
        surrogates_pass,
        "Unpaired surrogates are written. RFC 2152 rule 2, as above."
    ),
];

/// The answer of utfall with the relaxed rules of a reader, and those of them that were used.
fn lenient(difference: &Difference, reader: &Reader) -> (Answer, L) {
    let on_ill_formed =
        if difference.mode == Mode::Replace { Policy::Replace } else { Policy::Strict };
    let options =
        Options::default().with_utf7_tolerance(reader.passes).with_on_ill_formed(on_ill_formed);
    let mut decoder = Decoder::new(difference.encoding, options);
    let mut room = vec![0; 2 * difference.input.len() + 16];
    let progress = decoder.decode_to_code_points(&difference.input, &mut room, true);
    let answer = match progress.status {
        Status::InputEmpty => Answer::Fine(bytes(&room[..progress.written])),
        _ => Answer::Error(None, None),
    };
    (answer, decoder.counts().tolerance)
}

fn passes<const READER: usize, const LENIENCE: usize>(
    difference: &Difference,
    _: &Learned,
) -> bool {
    if difference.ours.is_error() && difference.theirs.is_error() {
        return false;
    }
    let (answer, used) = lenient(difference, &READERS[READER]);
    used.contains(L::NAMED[LENIENCE].1) && answer.agrees(&difference.theirs)
}

/// The text that each reads, with the relaxed rules, without code points that are U+FFFD to
/// either: unpaired surrogates, and Perl's noncharacters.
fn texts(difference: &Difference, reader: usize) -> Option<[Vec<u32>; 2]> {
    let replaced = |point: u32| {
        point == 0xFFFD || is_surrogate(point) || reader == PERL && is_noncharacter(point)
    };
    let kept = |answer: Answer| {
        let points = answer.points()?;
        Some(points.into_iter().filter(|point| !replaced(*point)).collect())
    };
    let (answer, _) = lenient(difference, &READERS[reader]);
    Some([kept(answer)?, kept(difference.theirs.clone())?])
}

fn number<const READER: usize>(difference: &Difference, _: &Learned) -> bool {
    texts(difference, READER).is_some_and(|[ours, theirs]| ours == theirs)
}

fn lost<const READER: usize>(difference: &Difference, _: &Learned) -> bool {
    texts(difference, READER).is_some_and(|[ours, theirs]| {
        let mut rest = ours.iter();
        theirs.len() < ours.len() && theirs.iter().all(|point| rest.any(|own| own == point))
    })
}

fn end_unchecked<const READER: usize>(difference: &Difference, _: &Learned) -> bool {
    let utf7_tolerance = READERS[READER].passes;
    let options =
        Options::default().with_utf7_tolerance(utf7_tolerance).with_on_ill_formed(Policy::Skip);
    let Difference { mode, encoding, input, theirs, .. } = difference;
    match &ill_formed_with(difference, options)[..] {
        [(offset, bytes, _)] => {
            offset + bytes.len() == input.len()
                && ours::with(*mode, *encoding, options, input).agrees(theirs)
        }
        _ => false,
    }
}

/// As the relaxed reader would read it with U+FFFD, except for the number of those.
fn perl_surrogates(difference: &Difference, learned: &Learned) -> bool {
    let replaced = Difference { mode: Mode::Replace, ..difference.clone() };
    number::<PERL>(&replaced, learned)
}

fn perl_surrogates_written(difference: &Difference, _: &Learned) -> bool {
    let Difference { input, theirs, .. } = difference;
    let refused = |point| is_surrogate(point) || is_noncharacter(point);
    let all: Vec<u32> = points(input)
        .into_iter()
        .map(|point| if refused(point) { 0xFFFD } else { point })
        .collect();
    written_closed(&bytes(&all)).agrees(theirs)
}

fn some_of_set_o(difference: &Difference, learned: &Learned) -> bool {
    let set_o = |point: &u32| "!\"#$%&*;<=>@[]^_`{|}".chars().any(|own| u32::from(own) == *point);
    points(&difference.input).iter().any(set_o) && reads_back(difference, learned)
}

fn closed(difference: &Difference, _: &Learned) -> bool {
    written_closed(&difference.input).agrees(&difference.theirs)
}

fn written_closed(input: &[u8]) -> Answer {
    let utf7 = Utf7Options::new().with_explicit_close(true);
    ours::with(Mode::Encode, Utf7, Options::default().with_utf7(utf7), input)
}

fn shifted(difference: &Difference, _: &Learned) -> bool {
    let utf7 = Utf7Options::new().with_shift_set_o(true);
    as_if(difference, difference.encoding, Options::default().with_utf7(utf7))
}
