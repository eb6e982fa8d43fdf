//! Help: `utfall`, `utfall -h` and `utfall --help` show the subcommands in groups, in the order in which
//! people need them.

mod layout;
mod page;

use std::fmt::Write as _;

use clap::{Command, CommandFactory};

use super::Cli;
use crate::width;

pub(crate) use layout::{Block, blocks};
pub(crate) use page::{BATCH, FILES, INPUT, OTHER, OUTPUT, RULES};

/// Longer lines are hard to read.
const MAX_WIDTH: usize = 100;

/// Every subcommand, once.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Text", &["convert", "check", "detect", "explain", "repair", "undo"]),
    ("Mail", &["mail", "imap-name", "cost"]),
    ("More", &["list", "iconv", "generate"]),
];

/// Fits a terminal of 24 lines, with the line before it and the prompt after it.
const SHORT: &str = "\
Try: utfall explain 'naïve €5'
     utfall detect *.txt
`utfall help COMMAND` describes a command, `utfall --help` shows more.";

const LONG: &str = "\
Options:
  -h, --help     Print help
  -V, --version  Print version

Examples:
  utfall explain 'naïve €5'
  utfall detect *.txt
  utfall convert -f detect -t UTF-8 --in-place docs
  utfall undo
  utfall repair --diff letter.txt
  utfall check src
  utfall mail --extract letter.eml

Exit status:
  0  success
  1  invalid input, a failed check, or an encoding that cannot be determined
  2  usage error: a wrong option, label or name
  3  a character that the target encoding lacks
  4  a file that cannot be read or written
A closed output pipe (`| head`) is not an error.

Environment:
  UTFALL_THREADS    default for --threads
  UTFALL_STATE_DIR  where `utfall undo` keeps the original files
  UTFALL_KEEP       default for --keep
  UTFALL_ISA        kernels to use instead of the fastest, such as `scalar`
  NO_COLOR          if set, disables colors
  CLICOLOR_FORCE    if set, enables colors even if the output is not a terminal
  COLUMNS           width of help
  LC_ALL            charset of `utfall iconv`; else LC_CTYPE, LANG
  PAGER             program that shows long output; `less` if unset";

/// The command with all its subcommands.
pub(crate) fn command() -> Command {
    let command = Cli::command();
    let groups = groups(&command);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}} [OPTION]... [FILE]...\n\n{}{{after-help}}",
        groups.trim_end()
    );
    command.help_template(template).after_help(SHORT).after_long_help(LONG)
}

/// The same with help that fits the terminal, which takes longer to make.
pub(super) fn with_pages(is_long: bool) -> Command {
    let width = width::columns().min(MAX_WIDTH);
    let mut built = command();
    built.build();
    let root = command().after_help(SHORT).after_long_help(layout::laid_out(LONG, width));
    root.mut_subcommands(|command| with_page(command, &mut built, is_long, width))
}

fn with_page(command: Command, parent: &mut Command, is_long: bool, width: usize) -> Command {
    let Some(built) = parent.find_subcommand_mut(command.get_name()) else { return command };
    let page = page::page(built, is_long, width);
    let command = command.mut_subcommands(|below| with_page(below, built, is_long, width));
    command.override_help(page)
}

/// The subcommands under their headings, a line each.
fn groups(command: &Command) -> String {
    let heading = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut text = String::new();
    for (title, names) in GROUPS {
        _ = writeln!(text, "{heading}{title}:{heading:#}");
        for subcommand in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            _ = writeln!(text, "  {literal}{:<9}{literal:#}  {about}", subcommand.get_name());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subcommand_is_in_one_group() {
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        grouped.sort_unstable();
        let command = Cli::command();
        let mut all: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }
}
