//! The output of `convert`: standard output, or a file that appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use utfall_tree::same_file::{self, FileId};
use utfall_tree::{Found, Keep, Replacement, Trouble, resolved_links};

use crate::descriptor::{self, Descriptor};
use crate::failure::Failure;
use crate::input::{self, Source};
use crate::patient::PatientFile;
use crate::{interrupt, message, stdout};

pub(crate) struct Output {
    /// The name in messages.
    name: String,
    writer: Writer,
}

enum Writer {
    Stdout(stdout::Raw),
    /// A device, a pipe or an open descriptor, which cannot be renamed.
    Direct(PatientFile),
    /// A temporary file beside the file that it will replace.
    Beside(Box<Replacement>),
}

impl Output {
    /// Opens a file that is written as text arrives, after checking that it is not an input.
    pub(crate) fn open_at_once(path: &Path, inputs: &[Source]) -> Result<Self, Failure> {
        let name = message::path(path);
        let failed = || format!("cannot write {name}");
        if let Some(descriptor) = descriptor::named_by(path).map_err(Failure::io(failed))? {
            return Self::through(descriptor, name, inputs);
        }
        let target = resolved_links(path).map_err(Failure::io(failed))?;
        refuse_input(&name, &target, inputs, "")?;
        let file = File::create(&target).map_err(Failure::io(failed))?;
        Ok(Self { name, writer: Writer::Direct(PatientFile(file)) })
    }

    /// Opens an output other than OUT, after checking that it is not an input.
    pub(crate) fn open_apart(path: &Path, inputs: &[Source]) -> Result<Self, Failure> {
        let target = resolved_links(path);
        let target =
            target.map_err(Failure::io(|| format!("cannot write {}", message::path(path))))?;
        refuse_input(&message::path(path), &target, inputs, "")?;
        Self::open(Some(path), inputs, true)
    }

    /// Opens OUT, or standard output, after checking that it is not an input.
    pub(crate) fn open(
        out: Option<&Path>,
        inputs: &[Source],
        overwrite_input: bool,
    ) -> Result<Self, Failure> {
        let Some(path) = out.filter(|path| *path != Path::new("-")) else {
            return Self::through(Descriptor::Stdout, "(standard output)".into(), inputs);
        };
        let name = message::path(path);
        let failed = || format!("cannot write {name}");
        if let Some(descriptor) = descriptor::named_by(path).map_err(Failure::io(failed))? {
            return Self::through(descriptor, name, inputs);
        }

        let target = resolved_links(path).map_err(Failure::io(failed))?;
        if !overwrite_input {
            refuse_input(&name, &target, inputs, "; --overwrite-input writes over it")?;
        }
        let is_device = is_reserved(&target)
            || fs::metadata(&target)
                .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let writer = if is_device {
            let file = OpenOptions::new().write(true).open(&target);
            file.map(|file| Writer::Direct(PatientFile(file)))
        } else {
            interrupt::watch();
            Replacement::of(&target).map(|file| Writer::Beside(file.into()))
        };
        let writer = writer.map_err(Failure::io(failed))?;
        Ok(Self { name, writer })
    }

    /// Whether the output is a terminal, which acts on control characters.
    pub(crate) fn is_terminal(&self) -> bool {
        match &self.writer {
            Writer::Stdout(_) => io::stdout().is_terminal(),
            Writer::Direct(file) => file.0.is_terminal(),
            Writer::Beside(_) => false,
        }
    }

    /// An output that is open already, after checking that it is not an input.
    fn through(descriptor: Descriptor, name: String, inputs: &[Source]) -> Result<Self, Failure> {
        let writer = match descriptor {
            Descriptor::Stdout => {
                refuse_as_stdout(inputs)?;
                Writer::Stdout(stdout::lock())
            }
            Descriptor::Other(file) => {
                refuse(same_file::id_of_file(&file), &name, inputs)?;
                Writer::Direct(PatientFile(file))
            }
        };
        Ok(Self { name, writer })
    }

    /// Whether it is a permanent file.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.writer, Writer::Beside(_))
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer().write_all(bytes).map_err(|error| self.failure(error))
    }

    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        match &mut self.writer {
            Writer::Stdout(stdout) => stdout,
            Writer::Direct(file) => file,
            Writer::Beside(file) => file.file(),
        }
    }

    /// The failure to write the output.
    pub(crate) fn failure(&self, error: io::Error) -> Failure {
        Failure::io(|| format!("cannot write {}", self.name))(error)
    }

    /// Writes buffered text. If OUT is a file, it stays as it was.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.writer {
            Writer::Stdout(stdout) => {
                stdout.flush().map_err(Failure::io(|| format!("cannot write {}", self.name)))
            }
            Writer::Direct(_) | Writer::Beside(_) => Ok(()),
        }
    }

    /// Finishes the output: OUT exists from now on.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        match self.writer {
            // Not synced: this protects against failed conversions, not against power failures.
            Writer::Beside(file) => file
                .finish(Keep::default())
                .map_err(Failure::io(|| format!("cannot write {}", self.name))),
            Writer::Stdout(_) | Writer::Direct(_) => Ok(()),
        }
    }
}

/// A usage error if standard output is also an input, which might then never end.
pub(crate) fn refuse_as_stdout(inputs: &[Source]) -> Result<(), Failure> {
    refuse(same_file::id_of_stdout(), "standard output", inputs)
}

/// The same for standard error, for commands that write more of it the more they read.
pub(crate) fn refuse_as_stderr(inputs: &[Source]) -> Result<(), Failure> {
    refuse(same_file::id_of_stderr(), "standard error", inputs)
}

fn refuse(id: Option<FileId>, output: &str, inputs: &[Source]) -> Result<(), Failure> {
    match input_that_is(id, inputs) {
        Some(source) => {
            let name = input::name(source);
            Err(Failure::Usage(format!("{name} is both input and {output}")))
        }
        None => Ok(()),
    }
}

/// The files found, except a file in a directory that standard output goes to: it is a report about
/// the others. For such a file named itself, see [`refuse_as_stdout`].
pub(crate) fn without_stdout(
    found: impl Iterator<Item = Result<Found, Trouble>>,
) -> impl Iterator<Item = Result<Found, Trouble>> {
    let stdout = same_file::id_of_stdout();
    found.filter(move |file| {
        let Ok(file) = file else { return true };
        let is_stdout =
            stdout.is_some() && !file.is_named && same_file::id_of_path(&file.path) == stdout;
        if is_stdout {
            let name = message::path(&file.path);
            message::warning(&format!("skipped {name}: it is also standard output"));
        }
        !is_stdout
    })
}

/// A usage error if the output file is an input.
fn refuse_input(name: &str, target: &Path, inputs: &[Source], help: &str) -> Result<(), Failure> {
    match input_that_is(same_file::id_of_path(target), inputs) {
        Some(source) => {
            Err(Failure::Usage(format!("{name} is the input {}{help}", input::name(source))))
        }
        None => Ok(()),
    }
}

/// The input with this id.
fn input_that_is(id: Option<FileId>, inputs: &[Source]) -> Option<&Source> {
    let id = id?;
    inputs.iter().find(|source| {
        let input = match source {
            Some(path) => same_file::id_of_path(path),
            None => same_file::id_of_stdin(),
        };
        input.as_ref() == Some(&id)
    })
}

/// Whether this is a device name of Windows, which exists in every directory.
fn is_reserved(path: &Path) -> bool {
    let Some(name) = path.file_name().filter(|_| cfg!(windows)) else { return false };
    let name = name.to_string_lossy().to_ascii_uppercase();
    let name = name.split('.').next().unwrap_or_default().trim_end();
    match name.strip_prefix("COM").or(name.strip_prefix("LPT")) {
        Some(number) => matches!(number.as_bytes(), [b'1'..=b'9']),
        None => matches!(name, "CON" | "PRN" | "AUX" | "NUL"),
    }
}
