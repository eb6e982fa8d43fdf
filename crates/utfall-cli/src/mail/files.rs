//! The files to convert: those named, and mail in directories.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use utfall_mime::Message;
use utfall_tree::walk;

use super::{FROM, Failures};
use crate::cli::MailArgs;
use crate::config::Config;
use crate::failure::Failure;
use crate::{message, output};

/// Bytes of a file in a directory that are searched for its header.
const LOOKED_AT: u64 = 256 * 1024;

/// The files, in order. Inaccessible ones are reported.
pub(super) fn find(args: &MailArgs, failures: &mut Failures) -> Result<Vec<PathBuf>, Failure> {
    let config = Config::load(&args.config)?;
    let found = walk(&args.files, &args.walk.options_with(&config))
        .map_err(|text| Failure::Usage(format!("--glob: {text}")))?;
    let mut files = Vec::new();
    for file in output::without_stdout(found) {
        match file {
            Ok(file) if file.is_named || is_mail(&file.path) => files.push(file.path),
            Ok(_) => {}
            Err(trouble) => {
                let name = message::path(trouble.path.as_deref().unwrap_or(Path::new("(unknown)")));
                let failure = Failure::io(|| format!("cannot read {name}"))(trouble.error);
                failures.survive(Err(failure))?;
            }
        }
    }
    Ok(files)
}

/// Whether the header of the first message has the fields that RFC 5322 §3.6 requires. Many texts that are not mail
/// begin with something like a field. A file that cannot be read is reported when it is converted.
fn is_mail(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut bytes));
    if read.is_err() {
        return true;
    }
    let mut start = &bytes[..];
    if start.starts_with(FROM) {
        let end = start.iter().position(|byte| *byte == b'\n').map_or(start.len(), |end| end + 1);
        start = &start[end..];
    }
    let message = Message::parse(start);
    let Some(whole) = message.parts().first() else { return false };
    let has = |name: &[u8]| message.fields(whole).any(|it| it.name.eq_ignore_ascii_case(name));
    has(b"Date") && has(b"From")
}
