//! Measures `utfall-repair` on public text that nobody chose for it: translations, manuals and
//! dictionaries of Debian packages, in many languages. `cargo xtask repair-quality` fetches the
//! packages, and runs this.
//!
//! `quality collect FOLDER` reads the unpacked packages in FOLDER/files, and writes the lines of
//! each language to FOLDER/tuning/LANGUAGE.txt or FOLDER/held-out/LANGUAGE.txt. The hash of a
//! source file's path decides which. `quality correct|damaged|speed FOLDER PART` measures.

mod collect;
mod correct;
mod damage;
mod damaged;
mod languages;
mod letters;
mod mo;
mod speed;
mod spelling;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
usage: quality collect FOLDER
       quality letters FOLDER                   print the table of Latin letters, from the tuning part
       quality spelling FOLDER                  print the table of spelling, from the tuning part
       quality correct FOLDER tuning|held-out   count changes to correct text
       quality damaged FOLDER tuning|held-out   count restored lines and half-repaired words, write the lines
       quality speed   FOLDER held-out          write the texts that are timed, and time them";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["collect", folder] => collect::run(Path::new(folder)),
        ["letters", folder] => letters::run(&Path::new(folder).join("tuning")),
        ["spelling", folder] => spelling::run(&Path::new(folder).join("tuning")),
        ["correct", folder, part] => correct::run(&Path::new(folder).join(part)),
        ["damaged", folder, part] => damaged::run(Path::new(folder), part),
        ["speed", folder, part] => speed::run(Path::new(folder), part),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quality: {error}");
            ExitCode::FAILURE
        }
    }
}
