//! SCSU and BOCU-1, which only ICU has.

use utfall::Encoding::{self, Bocu1, Scsu};
use utfall::ErrorKind;

use super::{
    Learned, READ, REPLACE, Rule, STRICT, WRITTEN, Whose, both_refuse, ill_formed, reads_back,
    same_text, same_until_error, surrogates_pass, text_lost,
};
use crate::compare::Difference;

const BOTH: &[Encoding] = &[Scsu, Bocu1];

pub(super) const RULES: &[Rule] = &[
    Rule {
        peer: "ICU",
        id: "surrogates-read",
        whose: Whose::Theirs,
        encodings: BOTH,
        modes: READ,
        reason: "Unpaired surrogates are accepted, and two of them joined. UTS #6 §5.1 and UTN \
            #6 encode Unicode text, which has no such characters (the Unicode Standard C1, D79).",
        holds: surrogates_read,
    },
    Rule {
        peer: "ICU",
        id: "surrogates-written",
        whose: Whose::Theirs,
        encodings: BOTH,
        modes: WRITTEN,
        reason: "Unpaired surrogates are written, as above.",
        holds: surrogates_pass,
    },
    Rule {
        peer: "ICU",
        id: "reserved-offset",
        whose: Whose::Theirs,
        encodings: &[Scsu],
        modes: READ,
        reason: "A window at a reserved offset is defined silently, or the text ends there. UTS \
            #6 §6, table of window offsets: these values are reserved.",
        holds: reserved,
    },
    Rule {
        peer: "ICU",
        id: "another-way",
        whose: Whose::Choice,
        encodings: &[Scsu],
        modes: WRITTEN,
        reason: "The windows or tags differ, but decode to the same text. UTS #6 §8: the encoder \
            chooses how to compress.",
        holds: reads_back,
    },
    Rule {
        peer: "ICU",
        id: "offset",
        whose: Whose::Choice,
        encodings: BOTH,
        modes: STRICT,
        reason: "An error that both report has a different offset or length. No specification \
            defines them.",
        holds: both_refuse,
    },
    Rule {
        peer: "ICU",
        id: "number",
        whose: Whose::Choice,
        encodings: BOTH,
        modes: REPLACE,
        reason: "Another number of U+FFFD. UTS #6 and UTN #6 say nothing of it.",
        holds: same_text,
    },
    Rule {
        peer: "ICU",
        id: "text-lost",
        whose: Whose::Choice,
        encodings: BOTH,
        modes: REPLACE,
        reason: "ICU drops the text after an ill-formed sequence with it. UTS #6 and UTN #6 do not say \
            how to continue.",
        holds: text_lost,
    },
    Rule {
        peer: "ICU",
        id: "state-after-error",
        whose: Whose::Choice,
        encodings: BOTH,
        modes: REPLACE,
        reason: "After an ill-formed sequence the state differs, and so does the text. UTS #6 and UTN #6 \
            do not say how to continue.",
        holds: same_until_error,
    },
];

fn surrogates_read(difference: &Difference, learned: &Learned) -> bool {
    let wrong = ill_formed(difference);
    let lone = wrong.iter().filter(|(_, _, kind)| *kind == ErrorKind::Surrogate).count();
    let joined = || {
        let mut theirs = difference.theirs.points().into_iter().flatten();
        lone > 0 && theirs.any(|point| point > 0xFFFF)
    };
    surrogates_pass(difference, learned) || joined()
}

fn reserved(difference: &Difference, _: &Learned) -> bool {
    !difference.theirs.is_error()
        && ill_formed(difference).iter().any(|(_, _, kind)| *kind == ErrorKind::Reserved)
}
