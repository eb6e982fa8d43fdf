//! Charsets that are not Unicode formats. utfall has those of the Encoding Standard. Other
//! programs have charsets of the same names, with tables of vendors and rules of their own for
//! ill-formed text, which only the Encoding Standard defines.

use utfall::Encoding::{self, *};

use super::{
    Learned, READ, REPLACE, Rule, STRICT, WRITTEN, Whose, both_refuse, end_dropped, ill_formed,
    same_place, same_text, same_until_error, text_lost,
};
use crate::answer::{Answer, Mode, bytes, points};
use crate::compare::Difference;
use crate::ours;

/// All of the Encoding Standard, preceded by some more.
macro_rules! web {
    ($( $more:ident )*) => {
        &[
            $( $more, )*
            Ibm866, Iso8859_2, Iso8859_3, Iso8859_4, Iso8859_5, Iso8859_6, Iso8859_7, Iso8859_8,
            Iso8859_8I, Iso8859_10, Iso8859_13, Iso8859_14, Iso8859_15, Iso8859_16, Koi8R, Koi8U,
            Macintosh, Windows874, Windows1250, Windows1251, Windows1252, Windows1253,
            Windows1254, Windows1255, Windows1256, Windows1257, Windows1258, MacCyrillic, Gbk,
            Gb18030, Big5, EucJp, Iso2022Jp, ShiftJis, EucKr,
        ]
    };
}

/// All of the Encoding Standard.
const WEB: &[Encoding] = web!();

/// Those with characters of several bytes.
const MULTI: &[Encoding] = &[Gbk, Gb18030, Big5, EucJp, Iso2022Jp, ShiftJis, EucKr];

/// Those that cannot encode everything.
const NARROW: &[Encoding] = web!(Ucs2Le Ucs2Be UsAscii Iso8859_1);

/// The rules that apply to any peer with charsets of its own.
macro_rules! rules {
    ($( $peer:literal, $whose:ident, $errors:ident, $tables:literal; )*) => {
        &[
            IGNORED_BY_ICU,
            IGNORED_BY_GLIBC,
            END_DROPPED,
            CUT_SHORT,
            ESCAPE_KEPT_BY_CPYTHON,
            ESCAPE_KEPT_BY_GLIBC,
            ESCAPES_BY_CPYTHON,
            ESCAPES_BY_GLIBC,
            ESCAPES_BY_PERL,
            QUOTED,
            KATAKANA_OF_CPYTHON,
            KATAKANA_OF_GLIBC,
            ROMAN,
            CONTROLS_OF_CPYTHON,
            CONTROLS_OF_GLIBC,
            CONTROLS_OF_ICU,
            CONTROLS_OF_NODE,
            CONTROLS_OF_PERL,
            COMPOSED,
            $(
                Rule {
                    peer: $peer,
                    id: "table",
                    whose: Whose::$whose,
                    encodings: WEB,
                    modes: READ,
                    reason: concat!(
                        "A code represents a different character, or none, in one of the two \
                         tables. ",
                        $tables,
                    ),
                    holds: has_learned_code,
                },
                Rule {
                    peer: $peer,
                    id: "another-character",
                    whose: Whose::Theirs,
                    encodings: WEB,
                    modes: WRITTEN,
                    reason: "A character that the charset lacks is written as a similar one, \
                        although the call requested an error.",
                    holds: another_character,
                },
                Rule {
                    peer: $peer,
                    id: "table-written",
                    whose: Whose::$whose,
                    encodings: WEB,
                    modes: WRITTEN,
                    reason: concat!(
                        "A character has a different code, or none, in one of the two tables. ",
                        $tables,
                    ),
                    holds: has_learned_point,
                },
                Rule {
                    peer: $peer,
                    id: "length",
                    whose: Whose::$errors,
                    encodings: MULTI,
                    modes: STRICT,
                    reason: "The same error has a different length. Only the Encoding Standard \
                        says how much of a code is ill-formed (§5: a trail octet that is \
                        US-ASCII is not).",
                    holds: same_place,
                },
                Rule {
                    peer: $peer,
                    id: "place",
                    whose: Whose::$errors,
                    encodings: MULTI,
                    modes: STRICT,
                    reason: "Both reject it, at different places: in a sequence of escapes or a \
                        broken code. Only the Encoding Standard has rules for these.",
                    holds: both_refuse,
                },
                Rule {
                    peer: $peer,
                    id: "number",
                    whose: Whose::$errors,
                    encodings: MULTI,
                    modes: REPLACE,
                    reason: "The text is the same, but the number of U+FFFD differs. Only the \
                        Encoding Standard defines the number.",
                    holds: same_text,
                },
                Rule {
                    peer: $peer,
                    id: "text-lost",
                    whose: Whose::$errors,
                    encodings: MULTI,
                    modes: REPLACE,
                    reason: "Text after a broken code is lost. The Encoding Standard §5 and §10 \
                        to §13 read octets of US-ASCII again, for security.",
                    holds: text_lost,
                },
                Rule {
                    peer: $peer,
                    id: "resumes-elsewhere",
                    whose: Whose::$errors,
                    encodings: MULTI,
                    modes: REPLACE,
                    reason: "The text is the same up to the first error. After it, reading \
                        resumes at a different octet. Only the Encoding Standard §10 to §13 \
                        defines which.",
                    holds: same_until_error,
                },
            )*
        ]
    };
}

pub(super) const RULES: &[Rule] = rules! {
    "CPython", Table, Choice, "Its tables are Unicode's and vendors' mappings; those of the \
        Encoding Standard §5 are what browsers agree on.";
    "glibc", Table, Choice, "Its tables are Unicode's and vendors' mappings; those of the \
        Encoding Standard §5 are what browsers agree on.";
    "ICU", Table, Choice, "Its tables are IBM's and Microsoft's; those of the Encoding Standard \
        §5 are what browsers agree on.";
    "Perl", Table, Choice, "Its tables are Unicode's and vendors' mappings; those of the \
        Encoding Standard §5 are what browsers agree on.";
    "Node", Theirs, Theirs, "TextDecoder is specified with the tables of the Encoding Standard \
        §5; Node uses ICU's tables with a similar name.";
};

const IGNORED_BY_ICU: Rule = Rule {
    peer: "ICU",
    id: "ignorable",
    whose: Whose::Theirs,
    encodings: NARROW,
    modes: WRITTEN,
    reason: "Default ignorable code points that the charset lacks are dropped, although the call \
        requested an error. The Unicode Standard §5.21 permits this for display only.",
    holds: ignorable_dropped,
};

const IGNORED_BY_GLIBC: Rule = Rule {
    peer: "glibc",
    id: "tags",
    whose: Whose::Theirs,
    encodings: NARROW,
    modes: WRITTEN,
    reason: "Tag characters (U+E0000 to U+E007F) that the charset lacks are dropped, although \
        the call did not request that.",
    holds: ignorable_dropped,
};

const END_DROPPED: Rule = Rule {
    peer: "Perl",
    id: "incomplete-end",
    whose: Whose::Theirs,
    encodings: MULTI,
    modes: READ,
    reason: "An incomplete code at the end is dropped silently. The Encoding Standard §10 to \
        §13: end-of-queue with a lead is an error.",
    holds: end_dropped,
};

const CUT_SHORT: Rule = Rule {
    peer: "Perl",
    id: "cut-short",
    whose: Whose::Theirs,
    encodings: &[EucJp, Iso2022Jp],
    modes: STRICT,
    reason: "The text ends silently at an error, although the call requested an error.",
    holds: cut_short,
};

const ESCAPE_KEPT_BY_CPYTHON: Rule = Rule {
    peer: "CPython",
    id: "escape-kept",
    whose: Whose::Theirs,
    encodings: &[Iso2022Jp],
    modes: READ,
    reason: "An escape character that begins no known sequence is text. RFC 1468: ESC is not a \
        character of ISO-2022-JP, only part of its four sequences.",
    holds: escape_kept,
};

const ESCAPE_KEPT_BY_GLIBC: Rule = Rule { peer: "glibc", ..ESCAPE_KEPT_BY_CPYTHON };

const ESCAPES_BY_CPYTHON: Rule = Rule {
    peer: "CPython",
    id: "escapes",
    whose: Whose::Choice,
    encodings: &[Iso2022Jp],
    modes: READ,
    reason: "An escape sequence directly after another, or one of another ISO-2022 encoding, is \
        accepted. RFC 1468 permits the former; the Encoding Standard §12.2 rejects both, for \
        security.",
    holds: escapes,
};

const ESCAPES_BY_GLIBC: Rule = Rule { peer: "glibc", ..ESCAPES_BY_CPYTHON };

const ESCAPES_BY_PERL: Rule = Rule { peer: "Perl", ..ESCAPES_BY_CPYTHON };

const QUOTED: Rule = Rule {
    peer: "Perl",
    id: "quoted",
    whose: Whose::Theirs,
    encodings: &[Iso2022Jp],
    modes: STRICT,
    reason: "Ill-formed octets are written as `\\xHH` into the text, although the call requested \
        an error.",
    holds: quoted,
};

const KATAKANA_OF_CPYTHON: Rule = Rule {
    peer: "CPython",
    id: "katakana",
    whose: Whose::Table,
    encodings: &[Iso2022Jp],
    modes: READ,
    reason: "`ESC ( I`, for half-width katakana of JIS X 0201, is unknown. RFC 1468 lacks it; \
        the Encoding Standard §12.2 has it.",
    holds: |difference, _| has_escape(difference, b"\x1B(I"),
};

const KATAKANA_OF_GLIBC: Rule = Rule { peer: "glibc", ..KATAKANA_OF_CPYTHON };

const ROMAN: Rule = Rule {
    peer: "Perl",
    id: "roman",
    whose: Whose::Theirs,
    encodings: &[Iso2022Jp],
    modes: READ,
    reason: "Text after `ESC ( J` is US-ASCII. RFC 1468: it is JIS X 0201 Roman, where `5C` is \
        U+00A5 and `7E` is U+203E.",
    holds: |difference, _| has_escape(difference, b"\x1B(J"),
};

const CONTROLS_OF_CPYTHON: Rule = Rule {
    peer: "CPython",
    id: "controls",
    whose: Whose::Choice,
    encodings: &[Iso2022Jp],
    modes: READ,
    reason: "A control or a space between two-octet characters is accepted. RFC 1468 has neither \
        there but does not specify readers; the Encoding Standard §12.2 rejects it.",
    holds: controls_read,
};

const CONTROLS_OF_GLIBC: Rule = Rule { peer: "glibc", ..CONTROLS_OF_CPYTHON };

const CONTROLS_OF_ICU: Rule = Rule { peer: "ICU", ..CONTROLS_OF_CPYTHON };

const CONTROLS_OF_NODE: Rule = Rule { peer: "Node", whose: Whose::Theirs, ..CONTROLS_OF_CPYTHON };

const CONTROLS_OF_PERL: Rule = Rule { peer: "Perl", ..CONTROLS_OF_CPYTHON };

const COMPOSED: Rule = Rule {
    peer: "glibc",
    id: "composed",
    whose: Whose::Choice,
    encodings: &[Windows1255, Windows1258],
    modes: STRICT,
    reason: "A letter and the following mark are read as one composed character, which is \
        canonically equivalent (the Unicode Standard C6, D70). The Encoding Standard §9 has a \
        code point for each octet.",
    holds: composed,
};

/// Unicode's Default_Ignorable_Code_Point, and tags.
fn is_ignorable(point: u32) -> bool {
    matches!(point,
        0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F
        | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF
        | 0xFFA0 | 0xFFF0..=0xFFF8 | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

/// The peer writes what utfall writes without the ignorable ones.
fn ignorable_dropped(difference: &Difference, _: &Learned) -> bool {
    let all = points(&difference.input);
    let kept: Vec<u32> = all.iter().copied().filter(|point| !is_ignorable(*point)).collect();
    kept.len() < all.len()
        && ours::answer(Mode::Encode, difference.encoding, &bytes(&kept)).agrees(&difference.theirs)
}

fn has_learned_code(difference: &Difference, learned: &Learned) -> bool {
    let input = &difference.input;
    (1..=4).any(|length| input.windows(length).any(|code| learned.codes.contains(code)))
}

fn has_learned_point(difference: &Difference, learned: &Learned) -> bool {
    points(&difference.input).iter().any(|point| learned.points.contains(point))
}

/// The peer's output reads back as something else.
fn another_character(difference: &Difference, _: &Learned) -> bool {
    let Difference { encoding, input, ours, theirs, .. } = difference;
    let Answer::Fine(written) = theirs else { return false };
    let back = ours::answer(Mode::Strict, *encoding, written);
    ours.is_error() && matches!(back, Answer::Fine(back) if back != *input && !back.is_empty())
}

/// Bytes that do not start a known escape sequence are text to the peer.
fn escape_kept(difference: &Difference, _: &Learned) -> bool {
    let escape = |(_, bytes, _): &(usize, Vec<u8>, _)| bytes.contains(&0x1B);
    let kept = difference.theirs.points().is_some_and(|points| points.contains(&0x1B));
    kept && ill_formed(difference).iter().any(escape)
}

fn controls_read(difference: &Difference, _: &Learned) -> bool {
    let control = |(_, bytes, _): &(usize, Vec<u8>, _)| matches!(bytes[..], [..=0x20 | 0x7F]);
    !difference.theirs.is_error() && ill_formed(difference).iter().any(control)
}

fn composed(difference: &Difference, _: &Learned) -> bool {
    let (Some(ours), Some(theirs)) = (difference.ours.points(), difference.theirs.points()) else {
        return false;
    };
    let mark = |point: &u32| matches!(point, 0x300..=0x323 | 0x5B0..=0x5C2);
    let marks = |points: &[u32]| points.iter().filter(|point| mark(point)).count();
    theirs.len() < ours.len() && ours.len() - theirs.len() == marks(&ours) - marks(&theirs)
}

fn has_escape(difference: &Difference, escape: &[u8]) -> bool {
    let both_refuse = difference.ours.is_error() && difference.theirs.is_error();
    !both_refuse && difference.input.windows(escape.len()).any(|window| window == escape)
}

fn escapes(difference: &Difference, _: &Learned) -> bool {
    let escape = |(_, bytes, _): &(usize, Vec<u8>, _)| bytes[0] == 0x1B;
    !difference.theirs.is_error() && ill_formed(difference).iter().any(escape)
}

fn quoted(difference: &Difference, _: &Learned) -> bool {
    let quotes = |points: Vec<u32>| points.windows(2).any(|pair| pair == [0x5C, 0x78]);
    difference.ours.is_error() && difference.theirs.points().is_some_and(quotes)
}

/// The peer has read the text before the error, and reports no error.
fn cut_short(difference: &Difference, _: &Learned) -> bool {
    let Difference { mode, encoding, input, ours, theirs } = difference;
    let Answer::Error(Some(offset), _) = ours else { return false };
    let before = ours::answer(*mode, *encoding, &input[..*offset as usize]);
    !theirs.is_error() && before.agrees(theirs)
}
