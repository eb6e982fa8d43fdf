//! `utfall generate`: files made from the definitions of the options.

mod man;

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use clap::Command;
use clap::builder::PossibleValuesParser;
use utfall::Encoding;
use utfall_tree::{Keep, Replacement};

use crate::cli::{self, GenerateArgs, Generated};
use crate::failure::Failure;
use crate::{interrupt, message, stdout};

pub(crate) fn run(args: &GenerateArgs) -> Result<(), Failure> {
    let mut command = cli::command();
    match &args.what {
        Generated::Man { folder } => {
            // `help` has no page of its own.
            command = with_all_options(command.disable_help_subcommand(true));
            command.build();
            pages(&command, folder)
        }
        Generated::Completions { shell } => {
            let mut command = with_encodings(command);
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut command, "utfall", &mut text);
            let mut out = stdout::lock();
            out.write_all(&text).and_then(|()| out.flush()).map_err(stdout::failed)
        }
    }
}

/// The command with the names of all encodings as values, so that shells complete them. The real
/// command accepts every label.
fn with_encodings(command: Command) -> Command {
    let names: Vec<_> = Encoding::ALL.iter().map(|encoding| encoding.name()).collect();
    command.mut_subcommands(|subcommand| {
        // `iconv` has its own names.
        if subcommand.get_name() == "iconv" {
            return subcommand;
        }
        subcommand.mut_args(|arg| match arg.get_long() {
            Some("from" | "to") => arg.value_parser(PossibleValuesParser::new(names.clone())),
            _ => arg,
        })
    })
}

/// The command with the descriptions of all options: pages lack those of options that `-h` hides.
fn with_all_options(command: Command) -> Command {
    let command = command.mut_args(|arg| arg.hide_short_help(false));
    command.mut_subcommands(with_all_options)
}

/// Writes the pages of a program and its subcommands, such as `utfall-check.1`.
fn pages(program: &Command, folder: &Path) -> Result<(), Failure> {
    interrupt::watch();
    let cannot = |path: &Path| format!("cannot write {}", message::path(path));
    fs::create_dir_all(folder).map_err(Failure::io(|| cannot(folder)))?;
    let commands = commands(program);
    for command in &commands {
        let page = man::Page::new(command, &commands);
        let path = folder.join(page.file_name());
        write(&path, &page.text()).map_err(Failure::io(|| cannot(&path)))?;
    }
    Ok(())
}

/// Writes a page, whole or not at all.
fn write(path: &Path, page: &[u8]) -> io::Result<()> {
    let mut new = Replacement::of(path)?;
    new.file().write_all(page)?;
    new.finish(Keep::default())
}

/// A command and all its subcommands.
fn commands(command: &Command) -> Vec<&Command> {
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    [command].into_iter().chain(shown.flat_map(commands)).collect()
}
