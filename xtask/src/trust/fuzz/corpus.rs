//! The inputs that are checked in: few and small ones that together reach as much as all known
//! ones.

use std::fs;
use std::path::Path;

use super::{Target, files, named};

/// The most files of a target, and the most bytes in all of them.
const FILES: usize = 300;
const BYTES: u64 = 300 * 1024;

/// Rebuilds the corpus of a target from itself and the inputs found, and returns a summary in one
/// line.
pub(super) fn keep(target: &Target<'_>) -> Result<String, String> {
    if target.kept.exists() {
        fs::remove_dir_all(&target.kept).map_err(|error| named(&target.kept, &error))?;
    }
    fs::create_dir_all(&target.kept).map_err(|error| named(&target.kept, &error))?;
    let mut command = target.command()?;
    // Each input that is saved reaches an edge that no other does; how often it does so does not
    // count.
    command.args([
        "-set_cover_merge=1",
        "-use_counters=0",
        &format!("-max_len={}", super::LONGEST),
    ]);
    command.args([&target.kept, &target.corpus, &target.found]);
    let status = command.status().map_err(|error| format!("{}: {error}", target.name))?;
    if !status.success() {
        let log = fs::read(&target.log).map_err(|error| named(&target.log, &error))?;
        return Err(target.failure(&String::from_utf8_lossy(&log), &status.to_string()));
    }

    let mut kept = Vec::new();
    for file in files(&target.kept)? {
        let length = fs::metadata(&file).map_err(|error| named(&file, &error))?.len();
        kept.push((length, file));
    }
    let all = kept.len();
    // If there are too many, the shorter ones are removed, which reach less.
    kept.sort_by(|one, other| other.cmp(one));
    kept.truncate(FILES);
    let mut bytes = 0;
    kept.retain(|(length, _)| {
        let fits = bytes + length <= BYTES;
        bytes += if fits { *length } else { 0 };
        fits
    });
    replace(&target.corpus, kept.iter().map(|(_, file)| file.as_path()))?;
    Ok(format!("saved {} inputs of {all}, {bytes} bytes", kept.len()))
}

/// Replaces the files in `folder` by copies of `files`.
fn replace<'a>(folder: &Path, kept: impl Iterator<Item = &'a Path>) -> Result<(), String> {
    for file in files(folder)? {
        fs::remove_file(&file).map_err(|error| named(&file, &error))?;
    }
    for file in kept {
        let Some(name) = file.file_name() else { continue };
        fs::copy(file, folder.join(name)).map_err(|error| named(file, &error))?;
    }
    Ok(())
}
