//! The `utfall` command: [`run`] acts on its arguments and maps the outcome to an exit status.
//! `cli` defines the options, the other modules act on them.
//!
//! This is a library so that a fuzz target can run the command in its own process. The public
//! interface may change with every version.
#![forbid(unsafe_code)]

mod argument;
mod check;
mod cli;
mod config;
mod convert;
mod cost;
mod descriptor;
mod detect;
mod excerpt;
mod explain;
mod failure;
mod generate;
mod iconv;
mod imap_name;
mod in_place;
mod input;
mod interrupt;
mod json_escapes;
mod kept;
mod label;
mod lenience;
mod likely;
mod list;
mod mail;
mod message;
mod output;
mod patient;
mod progress;
mod repair;
mod show;
mod snippet;
mod stdout;
mod tree;
mod undo;
mod width;

use std::ffi::OsString;

pub use cli::{Flag, subcommands};
use utfall_simd::dispatch;

use cli::{Cli, ColorArgs, Command};
use failure::Failure;
use utfall_bind::{file_name, guess, json, screen};

/// Runs the command with these arguments, the first of which is the name of the program, and
/// returns its exit status.
#[must_use]
pub fn run(args: impl Iterator<Item = OsString>) -> u8 {
    let args = iconv::with_subcommand(args);
    let cli = match cli::parse(&args) {
        Ok(cli) => cli,
        Err(mut error) => {
            if let Some(color) = ColorArgs::in_args(&args) {
                color.apply();
            }
            let is_iconv = args.get(1).is_some_and(|arg| arg == "iconv");
            return match error.exit_code() as u8 {
                // Help and version are errors too.
                0 => end(cli::print(&error)),
                code => {
                    cli::tell(&mut error);
                    if code == 2 && is_iconv { iconv::USAGE } else { code }
                }
            };
        }
    };
    end(act(cli))
}

fn end(result: Result<(), Failure>) -> u8 {
    match result {
        Ok(()) => 0,
        Err(failure) => {
            failure.report();
            failure.exit_status()
        }
    }
}

fn act(cli: Cli) -> Result<(), Failure> {
    cli.color.apply();
    if let Err(name) = dispatch::forced() {
        let known: Vec<_> = dispatch::available().map(|kernels| kernels.name()).collect();
        return Err(Failure::Usage(format!(
            "UTFALL_ISA={}: no such kernels for this processor; available: {}",
            message::plain(&name.to_string_lossy()),
            known.join(", "),
        )));
    }
    match cli.command {
        Command::Convert(mut args) => {
            if args.tree.walk.read_list(&mut args.files)? {
                Ok(())
            } else if args.tree.is_on() {
                tree::run(&args)
            } else {
                convert::run(&args)
            }
        }
        Command::Undo(args) => undo::run(&args),
        Command::Check(mut args) => {
            let is_nothing = args.walk.read_list(&mut args.files)?;
            check::run(&args, is_nothing)
        }
        Command::List(args) => list::run(&args),
        Command::ImapName(args) => imap_name::run(&args),
        Command::Mail(mut args) => {
            if args.walk.read_list(&mut args.files)? {
                Ok(())
            } else {
                mail::run(&args)
            }
        }
        Command::Cost(args) => cost::run(&args),
        Command::Detect(mut args) => {
            if args.walk.read_list(&mut args.files)? {
                Ok(())
            } else {
                detect::run(&args)
            }
        }
        Command::Explain(args) => explain::run(&args),
        Command::Repair(mut args) => {
            if args.walk.read_list(&mut args.files)? && args.given.is_empty() {
                Ok(())
            } else {
                repair::run(&args)
            }
        }
        Command::Generate(args) => generate::run(&args),
        Command::Iconv(args) => iconv::run(&args),
    }
}
