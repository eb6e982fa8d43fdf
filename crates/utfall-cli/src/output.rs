//! Where `convert` writes: standard output, or a file that appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use utfall_tree::same_file::{self, FileId};
use utfall_tree::{Keep, Replacement, behind_links};

use crate::failure::Failure;
use crate::input::{self, Source};
use crate::{message, stdout};

pub(crate) struct Output {
    /// How messages name it.
    name: String,
    writer: Writer,
}

enum Writer {
    Stdout(stdout::Raw),
    /// A device or a pipe: nothing to rename.
    Direct(File),
    /// Written beside the file that it replaces in the end.
    Beside(Box<Replacement>),
}

impl Output {
    /// Opens a file that is written as its text comes, after making sure that it is no input.
    pub(crate) fn open_at_once(path: &Path, inputs: &[Source]) -> Result<Self, Failure> {
        let name = message::path(path);
        let failed = || format!("cannot write {name}");
        let target = behind_links(path).map_err(Failure::io(failed))?;
        refuse_input(&name, &target, inputs, "")?;
        let file = File::create(&target).map_err(Failure::io(failed))?;
        Ok(Self { name, writer: Writer::Direct(file) })
    }

    /// Opens what is written besides OUT, after making sure that it is no input.
    pub(crate) fn open_apart(path: &Path, inputs: &[Source]) -> Result<Self, Failure> {
        let target = behind_links(path);
        let target =
            target.map_err(Failure::io(|| format!("cannot write {}", message::path(path))))?;
        refuse_input(&message::path(path), &target, inputs, "")?;
        Self::open(Some(path), inputs, true)
    }

    /// Opens OUT, or standard output, after making sure that it is no input.
    pub(crate) fn open(
        out: Option<&Path>,
        inputs: &[Source],
        overwrite_input: bool,
    ) -> Result<Self, Failure> {
        let Some(path) = out.filter(|path| *path != Path::new("-")) else {
            if let Some(source) = input_that_is(same_file::id_of_stdout(), inputs) {
                let name = input::name(source);
                return Err(Failure::Usage(format!("{name} is both input and standard output")));
            }
            let name = "(standard output)".into();
            return Ok(Self { name, writer: Writer::Stdout(stdout::lock()) });
        };
        let name = message::path(path);
        let failed = || format!("cannot write {name}");

        let target = behind_links(path).map_err(Failure::io(failed))?;
        if !overwrite_input {
            refuse_input(&name, &target, inputs, "; --overwrite-input writes over it")?;
        }
        let is_device = is_reserved(&target)
            || fs::metadata(&target)
                .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let writer = match is_device {
            true => OpenOptions::new().write(true).open(&target).map(Writer::Direct),
            false => Replacement::of(&target).map(|file| Writer::Beside(file.into())),
        };
        let writer = writer.map_err(Failure::io(failed))?;
        Ok(Self { name, writer })
    }

    /// Whether somebody reads it as it comes, and the device acts on what is in it.
    pub(crate) fn is_terminal(&self) -> bool {
        match &self.writer {
            Writer::Stdout(_) => io::stdout().is_terminal(),
            Writer::Direct(file) => file.is_terminal(),
            Writer::Beside(_) => false,
        }
    }

    /// Whether it is a file that will stay.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.writer, Writer::Beside(_))
    }

    pub(crate) fn write(&mut self, octets: &[u8]) -> Result<(), Failure> {
        self.writer().write_all(octets).map_err(|error| self.failure(error))
    }

    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        match &mut self.writer {
            Writer::Stdout(stdout) => stdout,
            Writer::Direct(file) => file,
            Writer::Beside(file) => file.file(),
        }
    }

    /// What it means that it cannot be written.
    pub(crate) fn failure(&self, error: io::Error) -> Failure {
        Failure::io(|| format!("cannot write {}", self.name))(error)
    }

    /// Writes what is still held back. An OUT that is a file is as it was before.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.writer {
            Writer::Stdout(stdout) => {
                stdout.flush().map_err(Failure::io(|| format!("cannot write {}", self.name)))
            }
            Writer::Direct(_) | Writer::Beside(_) => Ok(()),
        }
    }

    /// Ends the output: OUT is there from now on.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        match self.writer {
            // Not synced: this is about a conversion that fails, not about a power cut.
            Writer::Beside(file) => file
                .finish(Keep::default())
                .map_err(Failure::io(|| format!("cannot write {}", self.name))),
            Writer::Stdout(_) | Writer::Direct(_) => Ok(()),
        }
    }
}

/// A usage error if the file to be written is an input.
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

/// Whether it is the name of a device of Windows, which has them in every folder.
fn is_reserved(path: &Path) -> bool {
    let Some(name) = path.file_name().filter(|_| cfg!(windows)) else { return false };
    let name = name.to_string_lossy().to_ascii_uppercase();
    let name = name.split('.').next().unwrap_or_default().trim_end();
    match name.strip_prefix("COM").or(name.strip_prefix("LPT")) {
        Some(number) => matches!(number.as_bytes(), [b'1'..=b'9']),
        None => matches!(name, "CON" | "PRN" | "AUX" | "NUL"),
    }
}
