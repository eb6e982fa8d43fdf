//! Options that select files in directories, shared by every subcommand that reads directories.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use utfall_tree::WalkOptions;

use super::FILES;
use crate::config::Config;
use crate::failure::Failure;
use crate::message;

#[derive(Args)]
pub(crate) struct WalkArgs {
    /// Include only files matching GLOB
    ///
    /// `!GLOB` excludes. May be repeated. Patterns are those of .gitignore, relative to the directory given. The last
    /// match decides, and overrides ignore files.
    #[arg(short, long, value_name = "GLOB", help_heading = FILES)]
    glob: Vec<String>,

    /// Exclude files and directories matching GLOB
    ///
    /// May be repeated.
    #[arg(long, value_name = "GLOB", help_heading = FILES)]
    exclude: Vec<String>,

    /// Read names of files from LIST, one per line; `-` is standard input
    ///
    /// LIST may begin with a BOM, and its lines may end with CR LF. --null reads names with such bytes.
    #[arg(long, value_name = "LIST", help_heading = FILES, hide_short_help = true)]
    files_from: Option<PathBuf>,

    /// Expect a NUL byte after each name in LIST, as `find -print0` and `git ls-files -z` write
    #[arg(short = '0', long, requires = "files_from", help_heading = FILES, hide_short_help = true)]
    null: bool,

    /// Include files that .gitignore, .ignore or .utfallignore excludes
    #[arg(long, help_heading = FILES, hide_short_help = true)]
    no_ignore: bool,

    /// Include hidden files and directories, except .git and the like
    #[arg(long, help_heading = FILES, hide_short_help = true)]
    hidden: bool,

    /// Follow symbolic links in directories
    #[arg(short = 'L', long, help_heading = FILES, hide_short_help = true)]
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
        // Originals must not change.
        options.apart.extend(utfall_tree::state_folder());
        options
    }

    /// Adds the files of --files-from. Returns whether the list left `files` empty: then there is nothing to
    /// do, and standard input is not read instead.
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
        let names = match self.null {
            true => &names[..],
            false => names.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&names),
        };
        let lines = names.split(|byte| *byte == if self.null { b'\0' } else { b'\n' });
        let lines = lines.map(|line| match self.null {
            true => line,
            false => line.strip_suffix(b"\r").unwrap_or(line),
        });
        for line in lines.filter(|line| !line.is_empty()) {
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
