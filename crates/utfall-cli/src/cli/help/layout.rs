//! Layout of help texts for a width.
//!
//! Lines without spaces before them are a paragraph. A line that begins with two spaces is a row of a
//! table if at least two spaces separate its term from its text, and an example otherwise. A line
//! that begins with more spaces continues the row before it.

use unicode_width::UnicodeWidthStr;

/// Before rows and examples.
const INDENT: &str = "  ";
/// Columns between the terms of a table and their texts.
const GAP: usize = 2;
/// A longer term has its text on the next line.
const LONGEST_TERM: usize = 26;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Block<'a> {
    Paragraph(String),
    /// Terms and their texts.
    Table(Vec<(&'a str, String)>),
    /// Lines that stay as they are.
    Examples(Vec<&'a str>),
    Blank,
}

/// The parts of a text.
pub(crate) fn blocks<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    for line in lines {
        let Some(content) = line.strip_prefix(INDENT) else {
            match blocks.last_mut() {
                _ if line.is_empty() => blocks.push(Block::Blank),
                Some(Block::Paragraph(text)) => append(text, line),
                _ => blocks.push(Block::Paragraph(line.to_owned())),
            }
            continue;
        };
        match (row(content), blocks.last_mut()) {
            (_, Some(Block::Table(rows))) if content.starts_with(' ') => {
                let (_, text) = rows.last_mut().expect("a table has rows");
                append(text, content.trim_start());
            }
            (Some(row), Some(Block::Table(rows))) => rows.push(row),
            (Some(row), _) => blocks.push(Block::Table(vec![row])),
            (None, Some(Block::Examples(lines))) => lines.push(line),
            (None, _) => blocks.push(Block::Examples(vec![line])),
        }
    }
    blocks
}

fn append(text: &mut String, line: &str) {
    text.push(' ');
    text.push_str(line);
}

fn row(line: &str) -> Option<(&str, String)> {
    let (term, text) = line.split_once("  ")?;
    Some((term, text.trim_start().to_owned())).filter(|(term, _)| !term.is_empty())
}

/// The text in lines of at most `width` columns.
pub(super) fn laid_out(text: &str, width: usize) -> String {
    let mut out = String::new();
    for block in blocks(text.lines()) {
        match block {
            Block::Blank => out.push('\n'),
            Block::Paragraph(text) => wrap(&mut out, &text, 0, 0, width),
            Block::Table(rows) => table(&mut out, &rows, width),
            Block::Examples(lines) => {
                for line in lines {
                    out += line;
                    out.push('\n');
                }
            }
        }
    }
    out
}

fn table(out: &mut String, rows: &[(&str, String)], width: usize) {
    let terms = rows.iter().map(|(term, _)| term.width()).filter(|width| *width <= LONGEST_TERM);
    let begin = INDENT.len() + terms.max().unwrap_or_default() + GAP;
    for (term, text) in rows {
        *out += INDENT;
        *out += term;
        let end = INDENT.len() + term.width();
        match begin.checked_sub(end) {
            Some(gap) => *out += &" ".repeat(gap),
            None => out.push_str(&format!("\n{}", " ".repeat(begin))),
        }
        wrap(out, text, begin, begin, width);
    }
}

/// Appends a paragraph that begins at the column `at` of a line; its other lines are indented.
pub(super) fn wrap(out: &mut String, text: &str, at: usize, indent: usize, width: usize) {
    let mut column = at;
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 && column + 1 + word.width() > width {
            out.push('\n');
            *out += &" ".repeat(indent);
            column = indent;
        } else if index > 0 {
            out.push(' ');
            column += 1;
        }
        *out += word;
        column += word.width();
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "One two\nthree four.\n\nNames:\n  a     one two three\n        four\n  long  b\n\n\
                        Examples:\n  utfall check src docs tests";

    #[test]
    fn text_has_blocks() {
        use Block::{Blank, Examples, Paragraph, Table};
        assert_eq!(
            blocks(TEXT.lines()),
            [
                Paragraph("One two three four.".into()),
                Blank,
                Paragraph("Names:".into()),
                Table(vec![("a", "one two three four".into()), ("long", "b".into())]),
                Blank,
                Paragraph("Examples:".into()),
                Examples(vec!["  utfall check src docs tests"]),
            ]
        );
    }

    #[test]
    fn paragraphs_and_rows_are_wrapped_and_examples_are_not() {
        assert_eq!(
            laid_out(TEXT, 17),
            "One two three\nfour.\n\nNames:\n  a     one two\n        three\n        four\n  long  b\n\n\
             Examples:\n  utfall check src docs tests\n"
        );
    }
}
