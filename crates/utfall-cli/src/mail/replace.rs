//! `utfall mail --in-place`: each file is replaced whole or not at all.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use utfall_mime::rewrite::Options;
use utfall_tree::{Digest, Digester, Journal, Keep, Replacement, back_up, is_as_it_was};

use super::{Done, Failures, Job, files};
use crate::cli::MailArgs;
use crate::failure::Failure;
use crate::{in_place, input, interrupt, kept, message, output};

pub(super) fn run(args: &MailArgs, options: Options) -> Result<(), Failure> {
    let suffix = in_place::suffix(args.in_place.as_ref())?;
    if args.files.is_empty() || args.files.iter().any(|file| file == Path::new("-")) {
        return Err(Failure::Usage("--in-place cannot be used with standard input".into()));
    }
    output::refuse_as_stdout(&input::sources(&args.files))?;
    interrupt::watch();
    let mut failures = Failures::default();
    let _locks = kept::lock(&args.files)?;
    let keeping = match suffix.is_some() || args.no_undo {
        true => None,
        // `convert` must not take such a file for a text in this encoding.
        false => Some(kept::begin(&format!("{} mail", options.to), false, &args.keep)?),
    };
    let place =
        Place { args, options, suffix, journal: keeping.as_ref().map(|keeping| &keeping.journal) };
    let (mut converted, mut unchanged) = (0, 0);
    for path in files::find(args, &mut failures)? {
        let result = place.replace(&path).and_then(|(done, is_changed)| {
            converted += u64::from(is_changed);
            unchanged += u64::from(!is_changed && !done.is_text);
            let name = message::path(&path);
            match is_changed || done.is_text {
                true => done.tell(args, &name, false),
                // A file without changes needs no line, unless it should have some.
                false => done.refuse(args, &name),
            }
        });
        failures.survive(result)?;
    }
    if !args.quiet {
        let files = message::count(converted, "file");
        message::note(&format!("{files} converted, {unchanged} unchanged"));
        keeping.iter().for_each(kept::Keeping::tell);
    }
    failures.end()
}

/// How to replace files.
struct Place<'r> {
    args: &'r MailArgs,
    options: Options,
    suffix: Option<&'r OsStr>,
    journal: Option<&'r Journal>,
}

/// The result of a conversion, with the digests of the input and the output.
struct Pass {
    done: Done,
    before: Digest,
    after: Digest,
}

impl Place<'_> {
    /// Replaces a file if its mail needs conversion. Returns whether it did.
    fn replace(&self, path: &Path) -> Result<(Done, bool), Failure> {
        let name = message::path(path);
        let unread = || format!("cannot read {name}");
        let failed = || format!("cannot write {name}");
        let metadata = in_place::regular(path).map_err(Failure::io(unread))?;
        // Files that need no conversion are not written.
        let first = self.pass(path, &mut |_| Ok(()))?;
        if first.before == first.after {
            return Ok((first.done, false));
        }
        let mut new = Replacement::of(path).map_err(Failure::io(failed))?;
        let pass =
            self.pass(path, &mut |bytes| new.file().write_all(bytes).map_err(Failure::io(failed)))?;
        let target: PathBuf = new.target().into();
        // Times in file systems are coarse and can be set, so the content is compared too.
        let is_same = is_as_it_was(&target, &metadata)
            .and_then(|is_same| Ok(is_same && Digest::of_file(&target)? == pass.before));
        if !is_same.map_err(Failure::io(unread))? {
            let changed = io::Error::other("it changed during the conversion");
            return Err(Failure::io(|| format!("cannot replace {name}"))(changed));
        }
        if let Some(suffix) = self.suffix {
            back_up(&target, suffix).map_err(Failure::io(failed))?;
        }
        if let Some(journal) = self.journal {
            let kept = new.file().rewind().and_then(|()| {
                let text: &mut File = new.file();
                journal.keep_for(&target, text, "mail")
            });
            kept.map_err(Failure::io(|| format!("cannot keep {name}")))?;
        }
        new.finish(Keep::default()).map_err(Failure::io(failed))?;
        Ok((pass.done, true))
    }

    fn pass(
        &self,
        path: &Path,
        write: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<Pass, Failure> {
        let name = message::path(path);
        let (mut before, mut after) = (Digester::default(), Digester::default());
        let reader =
            Digesting { reader: super::open(&Some(path.into()), &name)?, digester: &mut before };
        let mut output = |bytes: &[u8]| {
            after.add(bytes);
            write(bytes)
        };
        let done = Job::new(self.args, self.options, &mut output).run(reader, &name)?;
        Ok(Pass { done, before: before.finish(), after: after.finish() })
    }
}

/// Adds everything that is read to a digest.
struct Digesting<'d, R> {
    reader: R,
    digester: &'d mut Digester,
}

impl<R: Read> Read for Digesting<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(room)?;
        self.digester.add(&room[..count]);
        Ok(count)
    }
}
