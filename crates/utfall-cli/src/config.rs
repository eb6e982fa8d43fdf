//! `utfall.toml`: the settings of a project. `docs/config.md` documents it.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use toml::Spanned;
use utfall::lint::Rule;
use utfall::{Encoding, Labels};
use utfall_tree::{Globs, read_settings, real_path};

use crate::check::{WARNINGS, is_rule};
use crate::cli::{ConfigArgs, LabelsArg};
use crate::failure::Failure;
use crate::message;

const NAME: &str = "utfall.toml";
/// A directory with one of these is a repository.
const REPOSITORY: [&str; 3] = [".git", ".hg", ".jj"];

/// The settings of a project; none by default.
#[derive(Default)]
pub(crate) struct Config {
    /// Excluded files and directories.
    pub(crate) exclude: Option<Globs>,
    pub(crate) check: Check,
    files: Vec<Files>,
    /// The directory of the last file looked up, as named and resolved.
    last: Mutex<Option<(PathBuf, PathBuf)>>,
}

/// Settings of `utfall check`.
#[derive(Default)]
pub(crate) struct Check {
    pub(crate) deny: Vec<String>,
    pub(crate) allow: Vec<String>,
    pub(crate) concealed: bool,
    pub(crate) baseline: Option<PathBuf>,
}

/// Settings for the files that match globs.
struct Files {
    globs: Globs,
    encoding: Option<Encoding>,
    allow: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Document {
    exclude: Vec<Spanned<String>>,
    /// The vocabulary of the encodings in `files`.
    labels: Option<LabelsArg>,
    check: CheckTable,
    files: Vec<FilesTable>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CheckTable {
    deny: Vec<Spanned<String>>,
    allow: Vec<Spanned<String>>,
    concealed: bool,
    baseline: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilesTable {
    glob: Spanned<String>,
    encoding: Option<Spanned<String>>,
    #[serde(default)]
    allow: Vec<Spanned<String>>,
}

impl Config {
    /// Reads the file that the arguments name, or the nearest one.
    pub(crate) fn load(args: &ConfigArgs) -> Result<Self, Failure> {
        let path = match &args.config {
            Some(path) => Some(path.clone()),
            None if args.no_config => None,
            None => nearest(),
        };
        let Some(path) = path else { return Ok(Self::default()) };
        let name = message::path(&path);
        let cannot = || format!("cannot read {name}");
        let text = read_settings(&path).map_err(Failure::io(cannot))?;
        let Some(text) = text else {
            return Err(Failure::Usage(format!("{name}: no such file")));
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let read = str::from_utf8(&text).map_err(|error| (error.valid_up_to(), "not UTF-8".into()));
        read.and_then(|text| Self::parse(text, folder)).map_err(|(at, what)| {
            let line = 1 + text.iter().take(at).filter(|byte| **byte == b'\n').count();
            Failure::Usage(format!("{name}:{line}: {}", message::plain(&what)))
        })
    }

    /// Parses the text of a file in `folder`. An error has an offset.
    fn parse(text: &str, folder: &Path) -> Result<Self, (usize, String)> {
        let document: Document = toml::from_str(text).map_err(|error| {
            (error.span().map_or(0, |span| span.start), error.message().to_owned())
        })?;
        let exclude = match document.exclude.is_empty() {
            true => None,
            false => Some(globs(folder, &document.exclude)?),
        };
        let check = document.check;
        let check = Check {
            deny: rules(&check.deny, true)?,
            allow: rules(&check.allow, false)?,
            concealed: check.concealed,
            baseline: check.baseline.map(|path| folder.join(path)),
        };
        let labels = document.labels.map(Labels::from);
        let files = document.files.iter().map(|table| {
            let encoding = table.encoding.as_ref().map(|label| {
                let unknown = || format!("unknown encoding \"{}\"", label.get_ref());
                let found = match labels {
                    Some(labels) => Encoding::for_label_in(label.get_ref(), labels),
                    None => Encoding::for_label(label.get_ref()),
                };
                found.ok_or((label.span().start, unknown()))
            });
            Ok(Files {
                globs: globs(folder, std::slice::from_ref(&table.glob))?,
                encoding: encoding.transpose()?,
                allow: rules(&table.allow, false)?,
            })
        });
        let files = files.collect::<Result<_, _>>()?;
        Ok(Self { exclude, check, files, last: Mutex::default() })
    }

    /// The encoding configured for a file; the last match counts.
    pub(crate) fn encoding_of(&self, file: &Path) -> Option<Encoding> {
        if self.files.iter().all(|files| files.encoding.is_none()) {
            return None;
        }
        let path = self.real(file);
        let matches = self.files.iter().rev().filter(|files| files.globs.matches(&path, false));
        matches.filter_map(|files| files.encoding).next()
    }

    /// The rules that are ignored in a file.
    pub(crate) fn allowed_in(&self, file: &Path) -> Vec<&str> {
        if self.files.iter().all(|files| files.allow.is_empty()) {
            return Vec::new();
        }
        let path = self.real(file);
        let matches = self.files.iter().filter(|files| files.globs.matches(&path, false));
        matches.flat_map(|files| files.allow.iter().map(String::as_str)).collect()
    }

    /// Whether a file in a directory may be repaired: not if apparent mojibake is allowed in it, nor if
    /// it is not UTF-8.
    pub(crate) fn may_repair(&self, file: &Path) -> bool {
        let is_meant = self.allowed_in(file).contains(&Rule::DoubleEncoding.name());
        !is_meant && self.encoding_of(file).is_none_or(|encoding| encoding == Encoding::Utf8)
    }

    /// [`real_path`], with one system call per directory.
    fn real(&self, file: &Path) -> PathBuf {
        let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
            return real_path(file);
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((named, real)) = &*last
            && named == folder
        {
            return real.join(name);
        }
        let path = real_path(file);
        *last = path.parent().map(|real| (folder.to_path_buf(), real.to_path_buf()));
        path
    }
}

fn globs(folder: &Path, globs: &[Spanned<String>]) -> Result<Globs, (usize, String)> {
    let texts = globs.iter().map(|glob| glob.get_ref().as_str());
    let at = |index: usize| globs.get(index).map_or(0, |glob| glob.span().start);
    Globs::new(folder, texts).map_err(|(index, what)| (at(index), what))
}

fn rules(names: &[Spanned<String>], with_warnings: bool) -> Result<Vec<String>, (usize, String)> {
    let known = |name: &str| is_rule(name) || with_warnings && name == WARNINGS;
    let rule = |name: &Spanned<String>| match known(name.get_ref()) {
        true => Ok(name.get_ref().clone()),
        false => Err((name.span().start, format!("unknown rule \"{}\"", name.get_ref()))),
    };
    names.iter().map(rule).collect()
}

/// `utfall.toml` in the current directory or, in a repository, in the nearest parent. Outside a
/// repository parents are ignored, because others may be able to write to them.
fn nearest() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let is_root = |folder: &&Path| REPOSITORY.iter().any(|name| folder.join(name).exists());
    let root = here.ancestors().find(is_root).unwrap_or(&here);
    let mut folders = here.ancestors().take_while(|folder| folder.starts_with(root));
    let folder = folders.find(|folder| folder.join(NAME).symlink_metadata().is_ok())?;
    // A relative path is shorter in messages.
    Some(if folder == here { NAME.into() } else { folder.join(NAME) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_has_a_place() {
        let wrong = |text: &str| Config::parse(text, Path::new(".")).err().unwrap();
        assert_eq!(wrong("[check]\nalow = []\n").0, 8);
        assert!(wrong("[check]\nalow = []\n").1.contains("unknown field `alow`"));
        assert_eq!(wrong("[check]\ndeny = [\"x\"]\n"), (16, "unknown rule \"x\"".into()));
        assert_eq!(wrong("exclude = [\"a\",\n\"b{\"]").0, 16);
        let encoding = "[[files]]\nglob = \"x\"\nencoding = \"y\"\n";
        assert_eq!(wrong(encoding), (32, "unknown encoding \"y\"".into()));
        assert!(wrong("[[files]]\nallow = []\n").1.contains("glob"));
        assert!(Config::parse("", Path::new(".")).is_ok());
        assert!(wrong("labels = \"perl\"\n").1.contains("unknown variant `perl`"));
    }

    #[test]
    fn labels_choose_the_meaning_of_encodings() {
        let encoding = |labels: &str| {
            let text = format!("{labels}[[files]]\nglob = \"x\"\nencoding = \"ISO-8859-1\"\n");
            let config = Config::parse(&text, Path::new(".")).ok().unwrap();
            config.files[0].encoding
        };
        assert_eq!(encoding(""), Some(Encoding::Iso8859_1));
        assert_eq!(encoding("labels = \"whatwg\"\n"), Some(Encoding::Windows1252));
    }
}
