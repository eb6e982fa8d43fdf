//! Measures `utfall-detect` on public text that nobody chose for it: translations and manuals of
//! Debian packages. `cargo xtask detect-quality` fetches the packages, and runs this.
//!
//! `packages.txt` assigns each package to the training part or to the held-out part.

mod answers;
mod cases;
mod mo;
mod texts;
mod train;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
usage: quality collect FOLDER
       quality train   FOLDER CRATE               write the tables in CRATE/src/language
       quality cases   FOLDER training|held-out   cut the texts, write FOLDER/PART.tsv
       quality answers FOLDER training|held-out   detect them, write FOLDER/PART.utfall.tsv";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["collect", folder] => texts::collect(Path::new(folder)),
        ["train", folder, target] => train::write(Path::new(folder), Path::new(target)),
        ["cases", folder, part] => cases::write(Path::new(folder), part),
        ["answers", folder, part] => answers::write(Path::new(folder), part),
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
