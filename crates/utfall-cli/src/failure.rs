//! Why the command ends with something else than 0.

use std::io;

use crate::message::{self, TextError};

/// What went wrong. `main` reports it and exits with its status.
pub(crate) enum Failure {
    /// Ill-formed input, or a character the target lacks.
    Text(Box<TextError>),
    /// A sound text that cannot be changed as wanted, and where.
    Refused(String),
    /// The same, with what may be done about it.
    RefusedWithHelp { text: String, help: String },
    /// Something about the arguments that clap cannot know.
    Usage(String),
    /// The same, with what may be done about it.
    UsageWithHelp { text: String, help: String },
    /// An argument that seems to name a file, which there is not; and how to say that it is a text.
    NoSuchFile { name: String, help: String },
    /// `what` is what was being done to what: `cannot read x.txt`.
    Io { what: String, error: io::Error },
    /// The same for what all files are written or reported to: it is no use to go on.
    Output { what: String, error: io::Error },
    /// Ill-formed input that has been reported already.
    IllFormed,
    /// Characters that the target lacks, which has been reported already.
    Unencodable,
    /// Files that could not be read, which has been reported already.
    Unreadable,
}

impl Failure {
    /// An I/O error, as a `map_err` wants it.
    pub(crate) fn io(what: impl FnOnce() -> String) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { what: what(), error }
    }

    /// That of something that all files are written or reported to.
    pub(crate) fn of_all(self) -> Self {
        match self {
            Self::Io { what, error } => Self::Output { what, error },
            other => other,
        }
    }

    /// Whoever read our output has seen enough: no failure of ours.
    fn is_broken_pipe(&self) -> bool {
        match self {
            Self::Io { error, .. } | Self::Output { error, .. } => {
                error.kind() == io::ErrorKind::BrokenPipe
            }
            _ => false,
        }
    }

    pub(crate) fn exit_status(&self) -> u8 {
        match self {
            Self::Text(text) if text.error.is_unencodable() => 3,
            Self::Text(_) | Self::IllFormed => 1,
            Self::Refused(_) | Self::RefusedWithHelp { .. } => 1,
            Self::Usage(_) | Self::UsageWithHelp { .. } => 2,
            Self::Unencodable => 3,
            Self::Io { .. } | Self::Output { .. } if self.is_broken_pipe() => 0,
            Self::Io { .. } | Self::Output { .. } | Self::Unreadable | Self::NoSuchFile { .. } => 4,
        }
    }

    /// Says on stderr what is wrong, unless that has been said or is none of our business.
    pub(crate) fn report(&self) {
        match self {
            Self::Text(text) => message::text_error(text),
            Self::Refused(text) | Self::Usage(text) => message::error(text),
            Self::UsageWithHelp { text, help } | Self::RefusedWithHelp { text, help } => {
                message::error_with_help(text, help);
            }
            Self::NoSuchFile { name, help } => {
                message::error_with_help(&format!("no such file: {name}"), help);
            }
            Self::Io { what, error } | Self::Output { what, error } if !self.is_broken_pipe() => {
                message::error(&format!("{what}: {}", message::io_reason(error)));
            }
            Self::Io { .. } | Self::Output { .. } => {}
            Self::IllFormed | Self::Unencodable | Self::Unreadable => {}
        }
    }
}
