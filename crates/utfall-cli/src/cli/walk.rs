//! Which files of a directory are taken: flags of every subcommand that takes directories.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use utfall_tree::WalkOptions;

use crate::config::Config;
use crate::failure::Failure;
use crate::message;

const HEADING: &str = "Files and directories";

#[derive(Args)]
pub(crate) struct WalkArgs {
    /// Include only files matching GLOB; `!GLOB` excludes; may be repeated
    ///
    /// Patterns are those of .gitignore, relative to the directory given. The last match decides,
    /// and overrides ignore files.
    #[arg(short, long, value_name = "GLOB", help_heading = HEADING)]
    glob: Vec<String>,

    /// Exclude files and directories matching GLOB; may be repeated
    #[arg(long, value_name = "GLOB", help_heading = HEADING)]
    exclude: Vec<String>,

    /// Read more FILE arguments from LIST, one per line; `-` is standard input
    #[arg(long, value_name = "LIST", help_heading = HEADING)]
    files_from: Option<PathBuf>,

    /// Names in LIST end in a NUL byte, as `find -print0` and `git ls-files -z` write them
    #[arg(short = '0', long, requires = "files_from", help_heading = HEADING)]
    null: bool,

    /// Include files that .gitignore, .ignore or .utfallignore excludes
    #[arg(long, help_heading = HEADING)]
    no_ignore: bool,

    /// Include hidden files and directories, except .git and the like
    #[arg(long, help_heading = HEADING)]
    hidden: bool,

    /// Follow symbolic links in directories
    #[arg(short = 'L', long, help_heading = HEADING)]
    follow: bool,
}

impl WalkArgs {
    pub(crate) fn options_with(&self, config: &Config) -> WalkOptions {
        let mut options = self.options();
        options.excluded.clone_from(&config.exclude);
        options
    }

    pub(crate) fn options(&self) -> WalkOptions {
        let mut options = WalkOptions::default();
        options.globs.clone_from(&self.glob);
        options.globs.extend(self.exclude.iter().map(|glob| format!("!{glob}")));
        options.no_ignore = self.no_ignore;
        options.hidden = self.hidden;
        options.follow = self.follow;
        // Old texts stay old.
        options.apart.extend(utfall_tree::state_folder());
        options
    }

    /// Adds the files of --files-from. Returns whether there is a list, and it left `files` empty:
    /// then there is nothing to do, and standard input is not meant.
    pub(crate) fn read_list(&self, files: &mut Vec<PathBuf>) -> Result<bool, Failure> {
        let Some(list) = &self.files_from else { return Ok(false) };
        let is_stdin = list == Path::new("-");
        if is_stdin && files.iter().any(|file| file == Path::new("-")) {
            let text = "standard input cannot be both LIST and FILE";
            return Err(Failure::Usage(text.into()));
        }
        let name = || if is_stdin { "(standard input)".into() } else { message::path(list) };
        let names = match is_stdin {
            true => {
                let mut names = Vec::new();
                io::stdin().lock().read_to_end(&mut names).map(|_| names)
            }
            false => fs::read(list),
        };
        let names = names.map_err(Failure::io(|| format!("cannot read {}", name())))?;
        let end = if self.null { b'\0' } else { b'\n' };
        for line in names.split(|byte| *byte == end).filter(|line| !line.is_empty()) {
            files.push(path(line).ok_or_else(|| {
                let shown = message::plain(&String::from_utf8_lossy(line));
                Failure::Usage(format!("{}: not a file name: \"{shown}\"", name()))
            })?);
        }
        Ok(files.is_empty())
    }
}

/// A file name in a list. `-` is a file there.
fn path(name: &[u8]) -> Option<PathBuf> {
    let name = match name {
        b"-" => "./-".into(),
        _ if name.contains(&0) => return None,
        _ => os_string(name)?,
    };
    Some(PathBuf::from(name))
}

#[cfg(unix)]
fn os_string(name: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(name.to_vec()))
}

#[cfg(not(unix))]
fn os_string(name: &[u8]) -> Option<OsString> {
    let name = name.strip_suffix(b"\r").unwrap_or(name);
    Some(str::from_utf8(name).ok()?.into())
}
