//! C1 controls that are characters of windows-1252: `\u{93}` for `“`. Bytes of windows-1252 become such
//! controls when they are read as ISO-8859-1. Text has no other use for them, except U+0085.

use crate::chain::Step;
use crate::charset::Charset;
use crate::guard;
use crate::line::Edit;
use crate::raw::Characters;

/// How sure it is, in bits, that controls are characters of windows-1252.
const BITS: i32 = 10;

/// The character of windows-1252 for a C1 control.
fn character(control: char) -> Option<char> {
    let byte = u8::try_from(control).ok().filter(|byte| (0x80..0xA0).contains(byte))?;
    // windows-1252 is the first.
    Charset::all().next()?.decode(byte).filter(|character| !character.is_control())
}

/// The C1 control that a character of windows-1252 becomes.
pub(crate) fn of(other: char) -> Option<char> {
    ('\u{80}'..'\u{A0}').find(|control| character(*control) == Some(other))
}

/// Whether text often has a character. U+0085, which would be `…`, ends lines.
fn is_usual(character: char) -> bool {
    matches!(character, '‘' | '’' | '“' | '”' | '„' | '–' | '—' | '•' | '€' | '™')
        || matches!(character, 'Œ' | 'œ' | 'Š' | 'š' | 'Ž' | 'ž')
}

/// Whether a character is in a plausible position.
fn is_in_place(character: char, last: Option<char>, next: Option<char>) -> bool {
    let is_of_word = |near: Option<char>| near.is_some_and(char::is_alphanumeric);
    let is_letter = |near: Option<char>| near.is_some_and(|near| near.is_ascii_alphabetic());
    match character {
        '‘' | '“' | '„' => !is_of_word(last) && next.is_some_and(|next| !next.is_control()),
        '’' | '”' => last.is_some_and(|last| !last.is_whitespace()),
        '™' => is_of_word(last),
        character if character.is_alphabetic() => is_letter(last) || is_letter(next),
        _ => true,
    }
}

/// Whether a line has C1 controls, in UTF-8.
pub(crate) fn are_in(line: &[u8]) -> bool {
    guard::has_pair(line, |first, second| first == 0xC2 && (0x80..0xA0).contains(&second))
}

/// The edits that restore the characters, if all controls of the line that no other edit restores can be
/// explained so. `others` are in order.
pub(crate) fn edits(line: &Characters, others: &[Edit]) -> Vec<Edit> {
    let is_free = |offset: usize| {
        let before = others.partition_point(|edit| edit.begin <= offset);
        others[..before].last().is_none_or(|edit| offset >= edit.end)
    };
    let mut edits: Vec<Edit> = Vec::new();
    let mut is_proven = false;
    for (index, &control) in line.all.iter().enumerate() {
        let begin = line.offsets[index];
        if !('\u{80}'..'\u{A0}').contains(&control) || !is_free(begin) {
            continue;
        }
        let last = index.checked_sub(1).map(|last| line.all[last]);
        let next = line.all.get(index + 1).copied();
        // The rest of a sequence of UTF-8, or a control sequence of a terminal.
        let is_lead = last.is_some_and(|last| ('\u{C2}'..='\u{F4}').contains(&last));
        let is_cut = last.is_some_and(char::is_uppercase);
        let goes_on = next.is_some_and(|next| ('\u{80}'..='\u{BF}').contains(&next));
        let is_sequence = control == '\u{9B}' && next.is_some_and(|next| !next.is_alphabetic());
        // windows-1252 has only Latin letters.
        let is_foreign = |near: Option<char>| {
            near.is_some_and(|near| near > '\u{24F}' && near.is_alphanumeric())
        };
        let is_other =
            is_foreign(last) || is_foreign(next) || is_lead && (is_cut || goes_on) || is_sequence;
        let Some(character) = character(control).filter(|_| !is_other) else { return Vec::new() };
        is_proven |= is_usual(character) && is_in_place(character, last, next);
        edits.push(Edit {
            begin,
            end: line.offsets[index + 1],
            cells: vec![(begin, character)],
            chain: Step::Controls.into(),
            bits: BITS,
        });
    }
    match is_proven {
        true => edits,
        false => Vec::new(),
    }
}
