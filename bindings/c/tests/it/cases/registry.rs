//! Encodings, labels, and words of options.

use std::mem::MaybeUninit;

use utfall_c::*;

use super::{Case, number_of, string, written};
use crate::vectors::initial;

pub(super) fn encoding(case: Case<'_>) {
    let number = number_of(case.text("name"));
    case.compare(u64::from(number), case.number("number"));
    case.compare(string(utfall_name(number)), Some(case.text("name")));
    let mut info = MaybeUninit::uninit();
    // SAFETY: the function initializes all of it.
    let info = unsafe {
        assert_eq!(utfall_get_info(number, info.as_mut_ptr()), UTFALL_OK);
        info.assume_init()
    };
    case.compare(string(info.name), Some(case.text("name")));
    case.compare(string(info.specification), Some(case.text("specification")));
    // SAFETY: constant bytes of this length.
    let mark = unsafe { std::slice::from_raw_parts(info.bom, info.bom_length) };
    case.compare(mark.to_vec(), case.bytes("bom"));
    case.compare(u64::from(info.code_unit), case.number("code_unit"));
    for (field, flag) in [
        ("iana", UTFALL_INFO_IANA),
        ("ascii_transparent", UTFALL_INFO_ASCII_TRANSPARENT),
        ("seven_bit", UTFALL_INFO_SEVEN_BIT),
        ("stateful", UTFALL_INFO_STATEFUL),
        ("self_synchronizing", UTFALL_INFO_SELF_SYNCHRONIZING),
    ] {
        case.compare(Some(info.flags & flag != 0), case.get(field).as_bool());
    }
    let aliases: Vec<_> = (0..).map_while(|at| string(utfall_alias(number, at))).collect();
    let expected: Vec<_> = case.list("aliases").map(|it| it.0.as_str().unwrap()).collect();
    case.compare(aliases, expected);
}

pub(super) fn label(case: Case<'_>) {
    let label = case.text("label");
    // SAFETY: a label of this length.
    let found = unsafe { utfall_for_label(label.as_ptr().cast(), label.len()) };
    case.compare(found, case.encoding("encoding"));
    // SAFETY: a label of this length, and the size of the space.
    let message = written(|text, size| unsafe {
        utfall_label_message(label.as_ptr().cast(), label.len(), text, size)
    });
    case.compare(&*message, case.get("message").as_str().unwrap_or_default());
}

pub(super) fn bom(case: Case<'_>) {
    let (input, mut length) = (case.bytes("input"), 99);
    // SAFETY: the pointer and length of a vector.
    let found = unsafe { utfall_for_bom(input.as_ptr().cast(), input.len(), &mut length) };
    case.compare(found, case.encoding("encoding"));
    case.compare(length as u64, case.number("length"));
}

pub(super) fn option_error(case: Case<'_>) {
    let (name, value) = (case.text("name"), case.text("value"));
    let mut options = initial();
    let mut message = vec![0_u8; 500];
    // SAFETY: pointers and lengths of texts.
    let status = unsafe {
        utfall_options_set(
            &mut options,
            name.as_ptr().cast(),
            name.len(),
            value.as_ptr().cast(),
            value.len(),
            message.as_mut_ptr().cast(),
            message.len(),
        )
    };
    case.compare(status, UTFALL_INVALID_ARGUMENT);
    case.compare(string(message.as_ptr().cast()), Some(case.text("message")));
}

pub(super) fn character_name(case: Case<'_>) {
    let point = case.number("code_point") as u32;
    // SAFETY: the size of the space.
    let name = written(|text, size| unsafe { utfall_character_name(point, text, size) });
    case.compare(&*name, case.text("name"));
}
