//! Converts files that are not read whole.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Write};

use utfall::parallel;

use crate::choose::Text;
use crate::digest::{self, Digest, Digester};
use crate::plan::Item;
use crate::replace::Replacement;
use crate::settle::{self, New, Step, settle};
use crate::task::{Decision, Task, Trouble, choose, options, reading, text_outcome, writing};

/// Bytes read at a time.
pub(crate) const ROOM: usize = 256 * 1024;

/// A file that is read in pieces.
pub(crate) struct Large<'r> {
    pub(crate) task: &'r Task<'r>,
    pub(crate) item: &'r Item,
    pub(crate) metadata: Metadata,
    pub(crate) saw: &'r (dyn Fn(u64) + Sync),
}

impl Large<'_> {
    pub(crate) fn convert(
        self,
        mut text: BufReader<File>,
        threads: Option<usize>,
    ) -> Result<Step, Trouble> {
        let Self { task, item, metadata, saw } = self;
        let conversion = task.conversion;
        let digest = |text: &mut dyn Text| digest::of_reader(text);
        let chosen = choose(task, item, &mut text, metadata.len(), digest).map_err(reading)?;
        let (from, basis) = match chosen {
            Decision::Convert(from, basis) => (from, basis),
            Decision::Right(run) => {
                saw(metadata.len());
                let digest = || digest::of_file(&item.source);
                let create = || {
                    let mut replacement = settle::replacement(item)?;
                    io::copy(&mut text, replacement.file())?;
                    Ok(replacement)
                };
                return settle::copy(task, item, (&metadata, run), digest, create)
                    .map(Step::Outcome);
            }
            Decision::Leave(outcome) => {
                saw(metadata.len());
                return Ok(Step::Outcome(outcome));
            }
        };
        let (to, change) = (conversion.to, conversion.change);
        let is_worthwhile = if change.is_nothing() {
            parallel::is_worthwhile(from, conversion.to)
        } else {
            parallel::is_possible(from, conversion.to)
        };
        let threads = match threads {
            _ if !is_worthwhile => 1,
            None => return Ok(Step::ForSeveralThreads),
            Some(threads) => threads,
        };
        let mut replacement = if conversion.dry_run {
            None
        } else {
            Some(settle::replacement(item).map_err(writing)?)
        };
        let mut writer = Writer {
            file: replacement.as_mut().map(Replacement::file),
            old: Some(BufReader::new(File::open(&item.source).map_err(reading)?)),
            room: Vec::new(),
            digester: Digester::default(),
        };
        let options = options(conversion, &basis);
        let reader = Reader { text: &mut text, saw };
        let done =
            utfall_normalize::convert(from, to, options, change, threads, reader, &mut writer);
        let done = match done {
            Ok(done) => done,
            Err(failed) => return text_outcome(failed, from, basis).map(Step::Outcome),
        };
        let (is_same, digest) = writer.finish(metadata.len());
        // Windows does not replace open files.
        drop(text);
        let new = New { metadata, is_same, digest, from, basis, done };
        let create = || replacement.ok_or_else(|| io::ErrorKind::NotFound.into());
        settle(task, item, new, create)
    }
}

/// Reports how much has been read.
struct Reader<'r> {
    text: &'r mut BufReader<File>,
    saw: &'r (dyn Fn(u64) + Sync),
}

impl Read for Reader<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(room)?;
        (self.saw)(count as u64);
        Ok(count)
    }
}

/// Writes to the file, if there is one, computes the digest, and compares with the original while
/// both are equal.
struct Writer<'r> {
    file: Option<&'r mut File>,
    old: Option<BufReader<File>>,
    room: Vec<u8>,
    digester: Digester,
}

impl Writer<'_> {
    /// Whether the text equals an original of this length, and the digest of the text.
    fn finish(self, length: u64) -> (bool, Digest) {
        let digest = self.digester.finish();
        (self.old.is_some() && digest.length == length, digest)
    }
}

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file {
            file.write_all(bytes)?;
        }
        if let Some(old) = &mut self.old {
            self.room.clear();
            old.take(bytes.len() as u64).read_to_end(&mut self.room)?;
            if self.room != bytes {
                self.old = None;
            }
        }
        self.digester.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
