//! The prose of Markdown, in pages and doc comments: headings, paragraphs, list items and table
//! cells, without code.

use super::prose::{Kind, Prose};

/// How to read a page.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) kind: Kind,
    /// Whether the first paragraph begins the description of something.
    pub(crate) is_described: bool,
    pub(crate) with_tables: bool,
}

/// The prose of a text with numbered lines.
pub(crate) fn prose<'a>(
    lines: impl IntoIterator<Item = (usize, &'a str)>,
    reading: Reading,
) -> Vec<Prose> {
    let mut blocks = Blocks { reading, done: Vec::new(), open: None, is_begun: false };
    let mut fence: Option<&str> = None;
    let mut in_comment = false;
    for (number, line) in lines {
        let text = line.trim();
        if let Some(mark) = fence {
            if text.starts_with(mark) {
                fence = None;
            }
            continue;
        }
        if in_comment || text.starts_with("<!--") {
            in_comment = !text.contains("-->");
            blocks.close();
            continue;
        }
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| text.starts_with(mark)) {
            fence = Some(mark);
            blocks.close();
        } else if text.is_empty() || is_rule(text) || is_code(line, blocks.open.is_some()) {
            blocks.close();
        } else if let Some(heading) = heading(text) {
            blocks.close();
            blocks.add(Kind::Heading, heading, number);
            blocks.close();
        } else if text.starts_with('|') {
            blocks.close();
            if reading.with_tables {
                blocks.cells(text, number);
            }
        } else {
            let item = item(text);
            if item.is_some() {
                blocks.close();
            }
            blocks.add(reading.kind, item.unwrap_or(text), number);
        }
    }
    blocks.close();
    blocks.done
}

struct Blocks {
    reading: Reading,
    done: Vec<Prose>,
    open: Option<Prose>,
    is_begun: bool,
}

impl Blocks {
    fn add(&mut self, kind: Kind, text: &str, line: usize) {
        let is_first = kind == Kind::Heading || (self.reading.is_described && !self.is_begun);
        self.is_begun = true;
        self.open.get_or_insert_with(|| Prose::new(kind, is_first)).push_line(text, line);
    }

    fn cells(&mut self, row: &str, line: usize) {
        for cell in row.trim_matches('|').split(" | ") {
            self.add(self.reading.kind, cell.trim(), line);
            self.close();
        }
    }

    fn close(&mut self) {
        self.done.extend(self.open.take().filter(|prose| !prose.is_empty()));
    }
}

/// The text of a heading.
fn heading(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('#');
    (rest.len() < text.len()).then(|| rest.strip_prefix(' ')).flatten()
}

/// The text of a list item or of a quotation.
fn item(text: &str) -> Option<&str> {
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "> "]
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
        .or_else(|| numbered.strip_prefix(". ").filter(|_| numbered.len() < text.len()))
}

/// Lines between the head and the body of a table, and those between sections.
fn is_rule(text: &str) -> bool {
    text.chars().all(|c| "-|: =".contains(c))
}

/// Indented code, which cannot be inside a paragraph.
fn is_code(line: &str, is_inside: bool) -> bool {
    line.starts_with("    ") && !is_inside && item(line.trim()).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_left_out_and_all_else_is_read() {
        let page = "# Title\n\nOne\ntwo.\n- three\n  four\n1. five\n\n```sh\ncode\n```\n    code\n\n\
                    | a | b c |\n|---|---|\n<!-- octet\noctet -->\n> six\n";
        let reading = Reading { kind: Kind::Page, is_described: false, with_tables: true };
        let lines = page.lines().enumerate().map(|(at, line)| (at + 1, line));
        let texts: Vec<_> = prose(lines, reading)
            .iter()
            .map(|prose| (prose.line(0), prose.excerpt(0..0, 100)))
            .collect();
        let texts: Vec<_> = texts.iter().map(|(line, text)| (*line, text.as_str())).collect();
        let expected = [
            (1, "Title"),
            (3, "One two."),
            (5, "three four"),
            (7, "five"),
            (14, "a"),
            (14, "b c"),
            (18, "six"),
        ];
        assert_eq!(texts, expected);
    }
}
