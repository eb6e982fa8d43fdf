//! Problems for people.

use utfall::lines::Position;

use super::report::{Detail, Problem};
use crate::message;

/// `file:1:2: octet 1: C0 AE: overlong form of U+002E "." (RFC 3629 …)`.
pub(crate) fn problem(problem: &Problem<'_>) -> String {
    let Problem { file, position: Position { line, column }, offset, length, .. } = problem;
    let octets = match &problem.detail {
        Detail::IllFormed { octets, .. } => format!(" {}:", message::octets(octets)),
        _ if *length == 0 => String::new(),
        _ => format!(" {}:", message::count(*length, "octet")),
    };
    let mut text = format!("{file}:{line}:{column}: octet {offset}:{octets} {}", problem.message);
    if let Detail::Concealed { text: reads } = &problem.detail
        && !reads.is_empty()
    {
        text += &format!(": \"{}\"", message::plain(reads));
    }
    if !problem.clause.is_empty() {
        text += &format!(" ({})", problem.clause);
    }
    match &problem.detail {
        Detail::IllFormed { sequence: Some(sequence), .. } => {
            text += &format!("; {}", sequence.acceptance());
        }
        Detail::Lint { .. } | Detail::Concealed { .. } => {
            text += &format!(" [{}: {}]", problem.level.name(), problem.rule);
        }
        _ => {}
    }
    text
}
