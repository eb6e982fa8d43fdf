//! Parses the arguments.
//!
//! Defining the flags of all subcommands takes longer than converting a page of text. Subcommands
//! that scripts call in loops therefore define only their own flags, and `--version` defines none.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::builder::StyledStr;
use clap::error::{ContextValue, ErrorKind};
use clap::{Args, FromArgMatches};

use super::help::with_pages;
use super::{
    CheckArgs, Cli, ColorArgs, ConvertArgs, CostArgs, DetectArgs, ExplainArgs, IconvArgs, MailArgs,
    RepairArgs, command,
};
use crate::failure::Failure;
use crate::{screen, stdout};

/// Parses the arguments. The first is the name of the program.
pub(crate) fn parse(args: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = args.get(1).and_then(|name| only(name.to_str()?)).unwrap_or_else(command);
    let found = command.try_get_matches_from_mut(args);
    let mut matches =
        found.map_err(|error| if is_help(&error) { help(args, error) } else { error })?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

fn is_help(error: &clap::Error) -> bool {
    use ErrorKind as Kind;
    matches!(error.kind(), Kind::DisplayHelp | Kind::DisplayHelpOnMissingArgumentOrSubcommand)
}

/// The requested help, fitted to the terminal.
fn help(args: &[OsString], plain: clap::Error) -> clap::Error {
    // Long options of `iconv` may be abbreviated.
    let asks_for_all =
        |arg: &OsString| arg.to_str().is_some_and(|arg| arg.len() > 2 && "--help".starts_with(arg));
    let is_long = args.iter().any(asks_for_all) || args.get(1).is_some_and(|arg| arg == "help");
    with_pages(is_long).try_get_matches_from(args).err().unwrap_or(plain)
}

/// Writes help, or the version.
pub(crate) fn print(help: &clap::Error) -> Result<(), Failure> {
    if cfg!(windows) {
        // Older terminals do not support escape sequences.
        return help.print().map_err(stdout::failed);
    }
    let text = match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => help.render().to_string(),
        _ => help.render().ansi().to_string(),
    };
    let mut out = stdout::lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(stdout::failed)
}

/// Reports errors in the arguments. If stderr is closed, the exit status still reports them.
pub(crate) fn tell(error: &mut clap::Error) {
    // The context has values of arguments and of the environment. Its texts of several lines are
    // written by the program.
    let context: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in context {
        error.insert(kind, plain(value));
    }
    let text = error.render().to_string();
    match screen::lines(&screen::text(&text)) == text {
        true => _ = error.print(),
        // The reason may contain text from outside.
        false => _ = write!(io::stderr(), "{}", screen::lines(&screen::text(&text))),
    }
}

fn plain(value: ContextValue) -> ContextValue {
    use ContextValue as V;
    let styled = |text: StyledStr| {
        let shown = text.to_string();
        match screen::plain(&shown) {
            plain if plain == shown => text,
            plain => plain.into(),
        }
    };
    match value {
        V::String(text) => V::String(screen::plain(&text)),
        V::Strings(all) => V::Strings(all.iter().map(|text| screen::plain(text)).collect()),
        V::StyledStrs(all) => V::StyledStrs(all.into_iter().map(styled).collect()),
        value => value,
    }
}

/// The command with only the subcommand of this name, or with none if the version is requested.
fn only(name: &str) -> Option<clap::Command> {
    let command = ColorArgs::augment_args(clap::Command::new("utfall"));
    if ["--version", "-V"].contains(&name) {
        return Some(command.version(env!("CARGO_PKG_VERSION")));
    }
    let (name, augment): (_, fn(clap::Command) -> clap::Command) = match name {
        "convert" => ("convert", ConvertArgs::augment_args),
        "check" => ("check", CheckArgs::augment_args),
        "detect" => ("detect", DetectArgs::augment_args),
        "explain" => ("explain", ExplainArgs::augment_args),
        "repair" => ("repair", RepairArgs::augment_args),
        "mail" => ("mail", MailArgs::augment_args),
        "cost" => ("cost", CostArgs::augment_args),
        "iconv" => ("iconv", IconvArgs::augment_args),
        _ => return None,
    };
    Some(command.subcommand(augment(clap::Command::new(name))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors and help are the same as with all subcommands defined.
    #[test]
    fn one_subcommand_looks_the_same_alone() {
        for name in ["convert", "check", "detect", "explain", "repair", "mail", "cost", "iconv"] {
            for arg in ["--help", "-h", "--no-such-flag", "--version", "--on-error=x", "--help=y"] {
                let args = ["utfall", name, arg].map(OsString::from);
                let all = command().try_get_matches_from(&args).unwrap_err();
                let alone = only(name).unwrap().try_get_matches_from(&args).unwrap_err();
                assert_eq!(alone.kind(), all.kind(), "{args:?}");
                let (alone, all) = (alone.render().to_string(), all.render().to_string());
                assert_eq!(alone, all, "{args:?}");
            }
        }
        assert!(only("list").is_none() && only("help").is_none());
    }

    #[test]
    fn version_looks_the_same_alone() {
        for flag in ["--version", "-V"] {
            let args = ["utfall", flag];
            let all = command().try_get_matches_from(args).unwrap_err();
            let alone = only(flag).unwrap().try_get_matches_from(args).unwrap_err();
            assert_eq!(alone.kind(), ErrorKind::DisplayVersion);
            assert_eq!(alone.render().to_string(), all.render().to_string());
        }
    }
}
