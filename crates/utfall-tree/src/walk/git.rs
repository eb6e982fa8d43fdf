//! Finds Git's ignore files other than `.gitignore`.

use std::env;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::Trouble;
use super::ignored::trouble;
use crate::settings::read_settings;

/// The directory with the `info/exclude` of a repository, given its `.git`: the directory itself,
/// or a file that names one, which may in turn name a shared directory.
pub(super) fn common_folder(
    dot_git: &Path,
    metadata: &Metadata,
) -> Result<Option<PathBuf>, Trouble> {
    if metadata.is_dir() {
        return Ok(Some(dot_git.to_path_buf()));
    }
    let above = dot_git.parent().unwrap_or(dot_git);
    let Some(folder) = line(dot_git, "gitdir: ")? else { return Ok(None) };
    let folder = above.join(folder);
    let common = line(&folder.join("commondir"), "")?;
    Ok(Some(match common {
        Some(common) => folder.join(common),
        None => folder,
    }))
}

/// The path in the first line of a file, after this prefix.
fn line(path: &Path, prefix: &str) -> Result<Option<PathBuf>, Trouble> {
    let text = read_settings(path).map_err(trouble(path))?;
    let first = text.as_deref().and_then(|text| text.split(|byte| *byte == b'\n').next());
    let first = first.and_then(|line| str::from_utf8(line).ok()?.strip_prefix(prefix));
    Ok(first.map(str::trim_end).filter(|line| !line.is_empty()).map(PathBuf::from))
}

/// The user's ignore file for all repositories: `core.excludesFile`, or
/// `$XDG_CONFIG_HOME/git/ignore`.
pub(super) fn global_excludes() -> Result<Option<PathBuf>, Trouble> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let in_home = |name: &str| home.as_ref().map(|home| home.join(name));
    let folder = variable("XDG_CONFIG_HOME").or_else(|| in_home(".config"));
    let folder = folder.map(|folder| folder.join("git"));
    let system = variable("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into());
    let users = match variable("GIT_CONFIG_GLOBAL") {
        Some(path) => vec![path],
        None => {
            let in_folder = folder.as_ref().map(|folder| folder.join("config"));
            in_home(".gitconfig").into_iter().chain(in_folder).collect()
        }
    };
    for path in users.into_iter().chain([system]) {
        let text = match read_settings(&path) {
            // Like Git: the process may run with the home directory of another user.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => continue,
            text => text.map_err(trouble(&path))?.unwrap_or_default(),
        };
        if let Some(value) = excludes_file(&String::from_utf8_lossy(&text)) {
            return Ok(Some(match (value.strip_prefix("~/"), &home) {
                (Some(rest), Some(home)) => home.join(rest),
                _ => value.into(),
            }));
        }
    }
    let usual = folder.map(|folder| folder.join("ignore"));
    // Like above.
    let is_closed = |error: io::Error| error.kind() == ErrorKind::PermissionDenied;
    Ok(usual.filter(|path| !fs::metadata(path).is_err_and(is_closed)))
}

/// The value of `core.excludesFile` in Git's configuration; the last one if there are several.
fn excludes_file(config: &str) -> Option<String> {
    let mut is_core = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_core = line.eq_ignore_ascii_case("[core]");
        } else if let Some((key, value)) = line.split_once('=')
            && is_core
            && key.trim().eq_ignore_ascii_case("excludesfile")
        {
            found = Some(value.trim().trim_matches('"').to_owned());
        }
    }
    found.filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations() {
        let of = |text| excludes_file(text);
        assert_eq!(of("[core]\n\texcludesFile = ~/a b\n").as_deref(), Some("~/a b"));
        assert_eq!(of("[Core]\nexcludesfile=\"/x\"\n[user]\nname=y").as_deref(), Some("/x"));
        assert_eq!(of("[user]\nexcludesfile = x\n[core]\n# excludesfile = y\n"), None);
        assert_eq!(of("[core]\nexcludesfile = x\nexcludesfile = y").as_deref(), Some("y"));
        assert_eq!(of("[core]\nexcludesfile =\n"), None);
    }
}
