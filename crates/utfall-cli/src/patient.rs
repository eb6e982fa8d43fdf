//! Standard streams that may not be ready: programs that share them can make them non-blocking, as
//! some do with a terminal or a pipe. Also reads that signals interrupt.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};

/// Reads, again if a signal interrupted it.
pub(crate) fn read(reader: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(room) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// A file for writing that waits: another standard stream, or a descriptor that the program
/// inherited.
pub(crate) struct PatientFile(pub(crate) File);

impl Write for PatientFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => os::file(&self.0, error)?,
                result => return result,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard input for reading, or standard output for writing, that waits.
pub(crate) struct Patient<T>(pub(crate) T);

impl<T> Patient<T> {
    /// Repeats an operation each time the stream becomes ready.
    fn wait<R>(
        &mut self,
        is_ready: impl Fn(io::Error) -> io::Result<()>,
        mut act: impl FnMut(&mut T) -> io::Result<R>,
    ) -> io::Result<R> {
        loop {
            match act(&mut self.0) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => is_ready(error)?,
                result => return result,
            }
        }
    }
}

impl<T: Read> Read for Patient<T> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.wait(os::stdin, |stream| stream.read(room))
    }
}

/// A reader that stays at its end. A terminal continues after Ctrl-D and would need a second one.
pub(crate) struct Ended<R> {
    reader: R,
    is_at_end: bool,
}

impl<R> Ended<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, is_at_end: false }
    }
}

impl<R: Read> Read for Ended<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.is_at_end || room.is_empty() {
            return Ok(0);
        }
        let count = self.reader.read(room)?;
        self.is_at_end = count == 0;
        Ok(count)
    }
}

// No `write_all` of its own, which would hide how much was written.
impl<T: Write> Write for Patient<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait(os::stdout, |stream| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.wait(os::stdout, Write::flush)
    }
}

#[cfg(unix)]
mod os {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;

    use rustix::event::{PollFd, PollFlags, poll};

    pub(super) fn stdin(_: io::Error) -> io::Result<()> {
        ready(&io::stdin(), PollFlags::IN)
    }

    pub(super) fn stdout(_: io::Error) -> io::Result<()> {
        ready(&io::stdout(), PollFlags::OUT)
    }

    pub(super) fn file(file: &File, _: io::Error) -> io::Result<()> {
        ready(file, PollFlags::OUT)
    }

    fn ready(stream: &impl AsFd, what: PollFlags) -> io::Result<()> {
        match poll(&mut [PollFd::new(stream, what)], None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// On other systems they always wait.
#[cfg(not(unix))]
mod os {
    use std::fs::File;
    use std::io;

    pub(super) fn file(_: &File, error: io::Error) -> io::Result<()> {
        Err(error)
    }

    pub(super) fn stdin(error: io::Error) -> io::Result<()> {
        Err(error)
    }

    pub(super) fn stdout(error: io::Error) -> io::Result<()> {
        Err(error)
    }
}
