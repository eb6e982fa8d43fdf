//! The help of a subcommand: `-h` has a line for each common option, `--help` everything.

use std::borrow::Cow;
use std::fmt::Write as _;

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use unicode_width::UnicodeWidthStr;

use super::layout::{laid_out, wrap};

/// Headings of options, in the order in which help shows them.
pub(crate) const INPUT: &str = "Input";
pub(crate) const OUTPUT: &str = "Output";
pub(crate) const BATCH: &str = "Batch conversion";
pub(crate) const RULES: &str = "Rules";
pub(crate) const FILES: &str = "Files";
pub(crate) const OTHER: &str = "Other";
const ORDER: [&str; 6] = [INPUT, OUTPUT, BATCH, RULES, FILES, OTHER];

/// The longest text of `-h` that gets the values of its option.
const LONGEST_SHORT: usize = 54;
/// Where `--help` begins the description of an option.
const INDENT: usize = 10;

/// Help of a command that has been built, for a screen of this width.
pub(super) fn page(command: &mut Command, is_long: bool, width: usize) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.render_usage().ansi().to_string();
    let page = Page { command, is_long, width, text: format!("{about}\n\n{usage}\n\n") };
    page.finish()
}

struct Page<'a> {
    command: &'a Command,
    is_long: bool,
    width: usize,
    text: String,
}

impl Page<'_> {
    fn finish(mut self) -> String {
        let mut groups = self.groups();
        groups.retain(|(_, rows)| !rows.is_empty());
        let lefts = groups.iter().flat_map(|(_, rows)| rows).map(|row| row.left.width());
        let begin = lefts.max().unwrap_or_default() + 4;
        for (heading, rows) in groups {
            self.heading(heading);
            for row in rows {
                self.row(&row, begin);
            }
        }
        self.end();
        self.text
    }

    /// Subcommands, arguments and options under their headings.
    fn groups(&self) -> Vec<(&'static str, Vec<Row>)> {
        let subcommands = self.command.get_subcommands();
        let subcommands = subcommands.filter(|below| below.get_name() != "help").map(|below| {
            let about = below.get_about().map(ToString::to_string).unwrap_or_default();
            Row { left: below.get_name().to_owned(), text: about, values: Vec::new() }
        });
        let (positionals, options): (Vec<_>, Vec<_>) = self
            .command
            .get_arguments()
            .filter(|arg| self.shows(arg))
            .partition(|arg| arg.is_positional());
        let mut groups = vec![
            ("Commands", subcommands.collect()),
            ("Arguments", positionals.into_iter().map(|arg| self.argument(arg)).collect()),
        ];
        let is_plain = options.iter().all(|arg| arg.get_help_heading().is_none());
        for heading in ORDER {
            let of_group = |arg: &&&Arg| arg.get_help_heading().unwrap_or(OTHER) == heading;
            let rows = options.iter().filter(of_group).map(|arg| self.argument(arg)).collect();
            groups.push((if is_plain { "Options" } else { heading }, rows));
        }
        groups
    }

    fn shows(&self, arg: &Arg) -> bool {
        if !self.is_long && arg.get_id() == "help" {
            // The reader has found it.
            return false;
        }
        let hidden =
            if self.is_long { arg.is_hide_long_help_set() } else { arg.is_hide_short_help_set() };
        !arg.is_hide_set() && !hidden
    }

    fn argument(&self, arg: &Arg) -> Row {
        let short = arg.get_help().map(ToString::to_string);
        let long = arg.get_long_help().map(ToString::to_string).filter(|_| self.is_long);
        let text = match arg.get_id().as_str() {
            // The end of the page mentions the other kind of help.
            "help" => "Print help".to_owned(),
            _ => long.or(short).unwrap_or_default(),
        };
        let mut text = sentences(&text);
        let values = if arg.is_hide_possible_values_set() || !arg.get_action().takes_values() {
            Vec::new()
        } else {
            arg.get_possible_values()
        };
        let notes = if self.is_long { notes(arg) } else { self.short_notes(arg, &text, &values) };
        text += &notes;
        let values = if self.is_long { values } else { Vec::new() };
        Row { left: spec(arg), text, values }
    }

    /// The values, of which the default is first, for `-h`. `--help` lists those that would not fit.
    fn short_notes(&self, arg: &Arg, text: &str, values: &[PossibleValue]) -> String {
        let default = default(arg);
        let shown = values.iter().filter(|value| !value.is_hide_set());
        let names: Vec<_> = shown.map(PossibleValue::get_name).collect();
        let list = format!(": {}", names.join(", "));
        if !names.is_empty() && text.width() + list.width() <= LONGEST_SHORT {
            return match default {
                Some(default) if names.first() != Some(&&*default) => {
                    format!("{list} [default: {default}]")
                }
                _ => list,
            };
        }
        default.map(|value| format!(" [default: {value}]")).unwrap_or_default()
    }

    fn heading(&mut self, heading: &str) {
        let style = *self.command.get_styles().get_header();
        let blank = if self.is_long { "\n" } else { "" };
        let is_first = self.text.ends_with("\n\n");
        _ = writeln!(self.text, "{}{style}{heading}:{style:#}", if is_first { "" } else { blank });
    }

    fn row(&mut self, row: &Row, begin: usize) {
        let literal = *self.command.get_styles().get_literal();
        // The names are bold, the value is not.
        let value = row.left.find(['<', '[']).unwrap_or(row.left.len());
        let (names, value) = row.left.split_at(value);
        _ = write!(self.text, "  {literal}{names}{literal:#}{value}");
        if self.is_long {
            self.text.push('\n');
            self.text += &" ".repeat(INDENT);
            wrap(&mut self.text, &row.text, INDENT, INDENT, self.width);
            self.values(&row.values);
        } else {
            self.text += &" ".repeat(begin - 2 - row.left.width());
            wrap(&mut self.text, &row.text, begin, begin, self.width);
        }
    }

    /// The values of an option, each with its meaning.
    fn values(&mut self, values: &[PossibleValue]) {
        let shown = values.iter().filter(|value| !value.is_hide_set());
        let longest = shown.clone().map(|value| value.get_name().width()).max().unwrap_or_default();
        let begin = INDENT + 2 + longest + 2;
        let literal = *self.command.get_styles().get_literal();
        for value in shown {
            let name = value.get_name();
            let indent = " ".repeat(INDENT + 2);
            let gap = " ".repeat(longest - name.width() + 2);
            _ = write!(self.text, "{indent}{literal}{name}{literal:#}{gap}");
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            wrap(&mut self.text, &help, begin, begin, self.width);
        }
    }

    /// The details, or where they are.
    fn end(&mut self) {
        let name = self.command.get_bin_name().unwrap_or(self.command.get_name());
        match self.command.get_after_long_help() {
            Some(details) if self.is_long => {
                let text = laid_out(&details.to_string(), self.width);
                _ = write!(self.text, "\n{text}");
            }
            Some(_) => _ = write!(self.text, "\n`{name} --help` shows all options and examples."),
            None => {}
        }
    }
}

/// A subcommand, an argument or an option.
struct Row {
    left: String,
    text: String,
    values: Vec<PossibleValue>,
}

/// One paragraph made of several.
fn sentences(text: &str) -> String {
    let mut all = String::new();
    for part in text.split("\n\n") {
        if !all.is_empty() {
            all += if all.ends_with('.') { " " } else { ". " };
        }
        all += part;
    }
    all
}

/// `-f, --from <ENCODING>`.
fn spec(arg: &Arg) -> String {
    let text = arg.to_string();
    match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(_)) => format!("-{short}, {text}"),
        (None, Some(_)) => format!("    {text}"),
        _ => text,
    }
}

/// The default and other names, for `--help`.
fn notes(arg: &Arg) -> String {
    let mut notes = String::new();
    if let Some(default) = default(arg) {
        notes += &format!(" [default: {default}]");
    }
    if let Some(variable) = arg.get_env() {
        notes += &format!(" [env: {}]", variable.to_string_lossy());
    }
    for alias in arg.get_visible_aliases().unwrap_or_default() {
        notes += &format!(" [alias: --{alias}]");
    }
    notes
}

fn default(arg: &Arg) -> Option<Cow<'_, str>> {
    let is_shown = arg.get_action().takes_values() && !arg.is_hide_default_value_set();
    arg.get_default_values().first().filter(|_| is_shown).map(|value| value.to_string_lossy())
}
