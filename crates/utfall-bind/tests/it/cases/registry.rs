//! Encodings, labels, and words of options.

use utfall::{Encoding, Options};
use utfall_bind::{character_name, label, options};

use super::case::{Case, Hex};

const LABELS: [&str; 14] = [
    "UTF-8",
    "utf8",
    " Latin1 ",
    "latin1",
    "ISO_8859-1:1987",
    "cp1252",
    "sjis",
    "unicode-1-1-utf-7",
    "imap",
    "ucs2",
    "",
    "klingon",
    "utf-9",
    "é",
];

const STARTS: [&[u8]; 7] = [
    b"",
    b"a",
    b"\xEF\xBB\xBFa",
    b"\xFE\xFF\0a",
    b"\xFF\xFEa\0",
    b"\xFF\xFE\0\0a\0\0\0",
    b"\x0E\xFE\xFFa",
];

const WRONG: [(&str, &str); 9] = [
    ("on-error", "ignore"),
    ("on-invalid", ""),
    ("granularity", "byte"),
    ("bom", "none"),
    ("replacement", "0123456789012345678901234"),
    ("utf7", "direct,header"),
    ("utf7-allow", "controls,everything"),
    ("utf7-allow", "end-shift-dropped,end-shift-kept"),
    ("newline", "lf"),
];

pub(super) fn cases() -> Vec<Case> {
    let encodings = Encoding::ALL.iter().map(|encoding| encoding_case(*encoding));
    let labels = LABELS.iter().map(|label| {
        let found = label::find(label.as_bytes());
        Case::Label {
            label,
            encoding: found.as_ref().ok().map(|encoding| encoding.name()),
            message: found.err(),
        }
    });
    let marks = STARTS.iter().map(|start| {
        let found = Encoding::for_bom(start);
        Case::Bom {
            input: Hex(start.to_vec()),
            encoding: found.map(|(encoding, _)| encoding.name()),
            length: found.map_or(0, |(_, length)| length),
        }
    });
    let wrong = WRONG.iter().map(|(name, value)| Case::OptionError {
        name,
        value,
        message: options::set(Options::default(), name, value).unwrap_err(),
    });
    let points = [0x0A, 0x61, 0x20AC, 0xAC00, 0x1F600, 0xD800, 0xE000, 0xFFFE, 0x110000];
    let names = points
        .map(|code_point| Case::CharacterName { code_point, name: character_name(code_point) });
    encodings.chain(labels).chain(marks).chain(wrong).chain(names).collect()
}

fn encoding_case(encoding: Encoding) -> Case {
    let info = encoding.info();
    Case::Encoding {
        name: info.name,
        number: encoding as u16,
        specification: info.specification,
        aliases: info.aliases,
        bom: Hex(info.signature.to_vec()),
        code_unit: info.code_unit,
        iana: info.iana,
        ascii_transparent: info.ascii_transparent,
        seven_bit: info.seven_bit,
        stateful: info.stateful,
        self_synchronizing: info.is_self_synchronizing(),
    }
}
