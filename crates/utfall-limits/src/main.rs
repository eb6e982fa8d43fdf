//! The cost of hostile input, in instructions and memory: run as `cargo xtask limits`.
//!
//! Every surface, of the library and of the command, gets input of growing size. Instructions per
//! byte must not grow, and memory must stay within the limit of the surface.
#![forbid(unsafe_code)]

mod command;
mod measured;
mod page;
mod surface;
mod surfaces;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: utfall-limits --utfall PROGRAM [--short | --long] [--only TEXT] [--write PAGE]

Requires valgrind. --short runs as much as CI has time for, --long sizes up to 64 times the smallest.
--only runs the surfaces with this text in their names. --write updates the table in a page.";

/// The options given.
#[derive(Default)]
struct Wanted {
    utfall: PathBuf,
    is_short: bool,
    is_long: bool,
    only: String,
    page: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        // The request to the process under callgrind.
        ["work", sizes, only, part, parts] => {
            let number = |text: &str| text.parse::<usize>().unwrap_or(1);
            let sizes: Vec<_> = sizes.split(',').map(number).collect();
            measured::work(&sizes, only, (number(part), number(parts)));
            Ok(())
        }
        ["peak", program, ref args @ ..] => command::peak(program, args),
        _ => match wanted(&args) {
            Some(wanted) => limits(&wanted),
            None => Err(USAGE.to_owned()),
        },
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn wanted(args: &[&str]) -> Option<Wanted> {
    let mut wanted = Wanted::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match *arg {
            "--utfall" => wanted.utfall = std::path::absolute(args.next()?).ok()?,
            "--short" => wanted.is_short = true,
            "--long" => wanted.is_long = true,
            "--only" => wanted.only = (*args.next()?).to_owned(),
            "--write" => wanted.page = Some(args.next()?.into()),
            _ => return None,
        }
    }
    (wanted.utfall != Path::new("")).then_some(wanted)
}

fn limits(wanted: &Wanted) -> Result<(), String> {
    let sizes: &[usize] = match (wanted.is_short, wanted.is_long) {
        (true, _) => &[1, 8],
        (_, true) => &[1, 8, 16, 64],
        _ => &[1, 2, 4, 8],
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let folder = folder.path();
    let mut all = measured::measure(sizes, &wanted.only, folder)?;
    let library = all.len();
    // The program's start has to be subtracted, and a tree of many files takes long.
    let sizes = if wanted.is_long { &[1, 8, 16] } else { &[1, 2, 8] };
    let (only, short) = (&wanted.only, wanted.is_short);
    all.extend(command::measure(&wanted.utfall, sizes, only, short, folder)?);
    let page = page::rows(&all);
    print!("{}", page::text(&page));
    if let Some(path) = &wanted.page {
        page::write(path, &page)?;
    }
    let mut problems = 0;
    for measured in &all {
        for problem in measured.problems() {
            println!("{}: {}: {problem}", measured.name, measured.input);
            problems += 1;
        }
    }
    println!("{library} surfaces of the library, {} of the command", all.len() - library);
    match problems {
        0 => Ok(()),
        count => Err(format!("{count} limits exceeded")),
    }
}
