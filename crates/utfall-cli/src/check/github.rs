//! Workflow commands of GitHub Actions, which annotate the lines of a change.

use utfall::lines::Position;

use super::report::{Detail, Problem};
use super::rules::Level;
use crate::input::Source;
use crate::message;

/// `::error file=a.txt,line=1,col=2,title=ill-formed::overlong form …`.
pub(crate) fn problem(problem: &Problem<'_>) -> String {
    let command = match problem.level {
        Level::Error => "error",
        _ => "warning",
    };
    let Position { line, column } = problem.position;
    let bytes = match &problem.detail {
        Detail::IllFormed { bytes, .. } => format!("{}: ", message::bytes(bytes)),
        _ => String::new(),
    };
    let mut text = format!("{bytes}{}", message::plain(&problem.message));
    if !problem.clause.is_empty() {
        text += &format!(" ({})", problem.clause);
    }
    format!(
        "::{command} file={},line={line},col={column},title={}::{}",
        property(&path(problem.source)),
        property(problem.rule),
        data(&text)
    )
}

pub(crate) fn unreadable(source: &Source, error: &str) -> String {
    format!(
        "::error file={},title=unreadable::{}",
        property(&path(source)),
        data(&message::plain(error))
    )
}

/// A path with the separators that GitHub expects.
fn path(source: &Source) -> String {
    match source {
        Some(path) => {
            let name = path.to_string_lossy();
            let name = if cfg!(windows) { name.replace('\\', "/") } else { name.into_owned() };
            // GitHub has escapes for line ends; other characters must not move the cursor.
            name.split_inclusive(['\r', '\n'])
                .map(|line| match line.strip_suffix(['\r', '\n']) {
                    Some(text) => message::plain(text) + &line[text.len()..],
                    None => message::plain(line),
                })
                .collect()
        }
        None => "(standard input)".into(),
    }
}

/// Escapes the characters that end a command or begin an escape.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the same characters, and those that end a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(data("50% a:b,c\r\n"), "50%25 a:b,c%0D%0A");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
    }
}
