//! Binary interfaces, compared with the recorded ones.

use std::path::Path;
use std::process::Command;

use crate::steps::{self, Outcome};
use crate::tools::lacking_programs;

/// The binary interface of `library`, which has the debugging information of C, is the one in the file
/// `recorded`. `UTFALL_BLESS=1` records another.
pub(super) fn compare(library: &Path, recorded: &Path) -> Result<Outcome, String> {
    if !cfg!(target_arch = "x86_64") {
        return Ok(Outcome::Skipped("the recorded interface is that of x86-64".into()));
    }
    let programs = [["abidiff", "--version"], ["abidw", "--version"]];
    if let Some(lacking) = lacking_programs(&programs, &["abigail-tools"])? {
        return Ok(Outcome::Skipped(lacking));
    }
    if utfall_page::is_renewed() {
        let mut record = Command::new("abidw");
        record.args(["--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--out-file"]);
        return steps::run(record.arg(recorded).arg(library)).map(|()| Outcome::Passed);
    }
    let mut compare = Command::new("abidiff");
    steps::run(compare.arg("--no-show-locs").arg(recorded).arg(library))?;
    Ok(Outcome::Passed)
}
