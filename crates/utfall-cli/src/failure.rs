//! Reasons for an exit status other than 0.

use std::io;

use crate::message::{self, TextError};

/// A failure. `main` reports it and exits with its status.
pub(crate) enum Failure {
    /// Ill-formed input, or a character the target lacks.
    Text(Box<TextError>),
    /// A valid text that cannot be changed as requested, and where.
    Refused(String),
    /// The same, with a suggestion.
    RefusedWithHelp { text: String, help: String },
    /// A usage error that clap cannot detect.
    Usage(String),
    /// The same, with a suggestion.
    UsageWithHelp { text: String, help: String },
    /// An argument that seems to name a missing file, and how to pass it as text.
    NoSuchFile { name: String, help: String },
    /// `what` is the failed action: `cannot read x.txt`.
    Io { what: String, error: io::Error },
    /// The same for an output of all files, after which continuing is pointless.
    Output { what: String, error: io::Error },
    /// Ill-formed input, already reported.
    IllFormed,
    /// Characters that the target lacks, already reported.
    Unencodable,
    /// Unreadable files, already reported.
    Unreadable,
}

impl Failure {
    /// Turns an I/O error into a failure, for `map_err`.
    pub(crate) fn io(what: impl FnOnce() -> String) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { what: what(), error }
    }

    /// The same for an output of all files.
    pub(crate) fn of_all(self) -> Self {
        match self {
            Self::Io { what, error } => Self::Output { what, error },
            other => other,
        }
    }

    /// The reader of our output has closed it: not a failure.
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

    /// Reports the failure on standard error, unless it was reported already or needs no report.
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
