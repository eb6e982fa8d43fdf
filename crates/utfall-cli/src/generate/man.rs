//! A manual page: the options as clap_mangen renders them, and the text at the end of `--help` as
//! sections with paragraphs and lists.

use std::io;

use clap::Command;
use clap_mangen::Man;
use roff::{Inline, Roff, bold, roman};

use crate::cli::{Block, blocks};

/// Lines that begin a section in the text at the end of `--help`, and the title of the section.
const SECTIONS: [(&str, &str); 4] = [
    ("Exit status:", "EXIT STATUS"),
    ("Environment:", "ENVIRONMENT"),
    ("Examples:", "EXAMPLES"),
    ("Example:", "EXAMPLES"),
];

pub(crate) struct Page<'a> {
    command: &'a Command,
    /// All commands with pages, the program first.
    all: &'a [&'a Command],
    man: Man,
}

impl<'a> Page<'a> {
    /// The page of one of `all` commands.
    pub(crate) fn new(command: &'a Command, all: &'a [&'a Command]) -> Self {
        let version = all.iter().find_map(|command| command.get_version()).unwrap_or_default();
        let man =
            Man::new(command.clone()).source(format!("utfall {version}")).manual("User Commands");
        Self { command, all, man }
    }

    /// `utfall-check.1`.
    pub(crate) fn file_name(&self) -> String {
        self.man.get_filename()
    }

    pub(crate) fn text(&self) -> Vec<u8> {
        let mut page = Vec::new();
        // Writing to a vector cannot fail.
        _ = self.write(&mut page);
        page
    }

    fn write(&self, page: &mut Vec<u8>) -> io::Result<()> {
        let help = self.command.get_after_long_help().or(self.command.get_after_help());
        let help = help.map(ToString::to_string).unwrap_or_default();
        let mut sections = sections(&help).into_iter();
        self.man.render_title(page)?;
        self.man.render_name_section(page)?;
        self.man.render_synopsis_section(page)?;
        self.man.render_description_section(page)?;
        // The text before the first heading.
        if let Some((_, details)) = sections.next() {
            section(None, &details).to_writer(page)?;
        }
        self.man.render_options_section(page)?;
        if self.command.has_subcommands() {
            self.man.render_subcommands_section(page)?;
        }
        for (title, lines) in sections {
            section(title, &lines).to_writer(page)?;
        }
        self.see_also().to_writer(page)
    }

    fn see_also(&self) -> Roff {
        fn name(command: &Command) -> &str {
            command.get_display_name().unwrap_or(command.get_name())
        }
        let names = self.all.iter().map(|command| name(command));
        let mut line = Vec::new();
        for name in names.filter(|other| *other != name(self.command)) {
            if !line.is_empty() {
                line.push(roman(", "));
            }
            line.extend([bold(name), roman("(1)")]);
        }
        let mut roff = Roff::new();
        roff.control("SH", ["SEE ALSO"]).text(line);
        roff
    }
}

/// The lines of a text by section. The first section has no title, and may have no lines.
fn sections(help: &str) -> Vec<(Option<&'static str>, Vec<&str>)> {
    let mut sections = vec![(None, Vec::new())];
    for line in help.lines() {
        let heading = SECTIONS
            .iter()
            .find_map(|(begin, title)| Some((*title, line.strip_prefix(begin)?.trim_start())));
        match (heading, sections.last_mut()) {
            (Some((title, rest)), _) => {
                let lines = Some(rest).filter(|rest| !rest.is_empty()).into_iter().collect();
                sections.push((Some(title), lines));
            }
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    sections
}

fn section(title: Option<&str>, lines: &[&str]) -> Roff {
    let mut roff = Roff::new();
    if let Some(title) = title {
        roff.control("SH", [title]);
    }
    for block in blocks(lines.iter().copied()) {
        match block {
            Block::Blank => {}
            Block::Paragraph(text) => {
                roff.control("PP", []).text(inline(&text));
            }
            Block::Table(rows) => {
                for (term, text) in rows {
                    roff.control("TP", []).text([bold(term)]).text(inline(&text));
                }
            }
            Block::Examples(lines) => {
                roff.control("PP", []).control("nf", []);
                for line in lines {
                    roff.text([roman(line)]);
                }
                roff.control("fi", []);
            }
        }
    }
    roff
}

/// Text with words in back-quotes in bold.
fn inline(text: &str) -> Vec<Inline> {
    if text.matches('`').count() % 2 == 1 {
        return vec![roman(text)];
    }
    let parts = text.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 1 { bold(part) } else { roman(part) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_becomes_sections() {
        let help = "One `flag` and\nanother\n\n  a  b\n\nExit status: 0 fine\n\nExamples:\n  -x .y";
        let rendered: Vec<_> =
            sections(help).iter().map(|(title, lines)| section(*title, lines).to_roff()).collect();
        assert_eq!(
            rendered,
            [
                ".PP\nOne \\fBflag\\fR and another\n.TP\n\\fBa\\fR\nb\n",
                ".SH \"EXIT STATUS\"\n.PP\n0 fine\n",
                ".SH EXAMPLES\n.PP\n.nf\n  \\-x .y\n.fi\n",
            ]
        );
        assert_eq!(section(None, &sections("")[0].1).to_roff(), "");
    }
}
