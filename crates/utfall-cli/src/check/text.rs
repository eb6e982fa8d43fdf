//! Problems as text.

use crate::excerpt::{Excerpt, Place};
use crate::message;
use crate::snippet::{self, Layout};

use super::report::{Detail, Problem};
use super::rules::Level;

/// The problem and its place, the line with the place marked, and the reason. Omits reasons in
/// `said`, which were already shown for this file.
pub(crate) fn problem(problem: &Problem<'_>, layout: &Layout, said: &mut Vec<String>) -> String {
    let place = message::place(problem.file, problem.position, problem.offset);
    let excerpt = problem.around().map(|around| {
        let place = Place {
            offset: problem.offset,
            length: problem.length,
            line: problem.position.line,
            is_ill_formed: matches!(problem.detail, Detail::IllFormed { .. }),
        };
        Excerpt::new(problem.encoding, &place, &around, layout.columns)
    });
    let mut notes = vec![problem.clause.to_owned()];
    if let Detail::IllFormed { sequence: Some(sequence), .. } = &problem.detail {
        notes.push(sequence.acceptance());
    }
    notes.retain(|note| !note.is_empty());
    let all = notes.join("; ");
    match said.contains(&all) {
        true => notes.clear(),
        false => said.push(all),
    }
    let notes: Vec<_> = notes.iter().map(|note| (snippet::Kind::Note, note.as_str())).collect();
    layout.message(&snippet::Message {
        kind: match problem.level {
            Level::Error => snippet::Kind::Error,
            _ => snippet::Kind::Warning,
        },
        rule: problem.rule,
        title: &format!("{place}: {}", said_of(problem)),
        line: excerpt.as_ref().map(|excerpt| (problem.position.line, excerpt)),
        notes: &notes,
    })
}

/// `file:1:2: error: C0 AE: overlong form of U+002E "." [ill-formed]`.
pub(crate) fn short(problem: &Problem<'_>) -> String {
    let (line, column) = (problem.position.line, problem.position.column);
    let (file, level, rule) = (problem.file, problem.level.name(), problem.rule);
    format!("{file}:{line}:{column}: {level}: {} [{rule}]", said_of(problem))
}

/// The problem without its place.
fn said_of(problem: &Problem<'_>) -> String {
    let what = &problem.message;
    match &problem.detail {
        Detail::IllFormed { bytes, .. } => format!("{}: {what}", message::bytes(bytes)),
        Detail::Concealed { text } if !text.is_empty() => {
            format!("{what}: \"{}\"", message::plain(text))
        }
        _ => what.clone(),
    }
}
