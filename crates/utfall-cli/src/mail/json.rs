//! The decoded texts of messages as lines of JSON.

use serde::Serialize;
use utfall_mime::Charset;
use utfall_mime::encoded_word::Decoded;

use crate::file_name::FileName;

/// A line, after the name of the input.
#[derive(Serialize)]
pub(super) struct Object<'a> {
    #[serde(flatten)]
    pub(super) file: &'a FileName,
    #[serde(flatten)]
    pub(super) about: About<'a>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum About<'a> {
    /// A header field.
    Field {
        /// From 1; left out if the input is not mail.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'a str>,
        #[serde(flatten)]
        read: Read<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        encoded_words: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        unknown_words: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        raw_words: Option<usize>,
    },
    /// A part that is not a multipart or message.
    Part {
        message: u64,
        media_type: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'a str>,
        #[serde(flatten)]
        read: Read<'a>,
    },
    /// The end of the input.
    Summary {
        messages: u64,
        /// Messages that were too long.
        skipped_messages: u64,
    },
}

/// A decoded text, or the reason for skipping it.
#[derive(Default, Serialize)]
pub(super) struct Read<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    charset: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guessed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<&'a str>,
}

impl<'a> Read<'a> {
    pub(super) fn text(text: &'a utfall_mime::Text) -> Self {
        Self { text: Some(&text.text), errors: Some(text.errors), ..Self::charset(text.charset) }
    }

    pub(super) fn skipped(bytes: usize, why: &'a str) -> Self {
        Self { bytes: Some(bytes), skipped: Some(why), ..Self::default() }
    }

    fn charset(charset: Charset) -> Self {
        Self {
            charset: Some(charset.encoding.name()),
            guessed: Some(charset.is_guess()),
            ..Self::default()
        }
    }
}

impl<'a> About<'a> {
    pub(super) fn field(message: Option<u64>, name: Option<&'a str>, decoded: &'a Decoded) -> Self {
        let guess = decoded.guess.map_or_else(Read::default, Read::charset);
        Self::Field {
            message,
            name,
            read: Read { text: Some(&decoded.text), errors: Some(decoded.ill_formed), ..guess },
            encoded_words: Some(decoded.words),
            unknown_words: Some(decoded.unknown),
            raw_words: Some(decoded.raw),
        }
    }

    pub(super) fn long_field(message: u64, name: &'a str, bytes: usize) -> Self {
        Self::Field {
            message: Some(message),
            name: Some(name),
            read: Read::skipped(bytes, "too long"),
            encoded_words: None,
            unknown_words: None,
            raw_words: None,
        }
    }
}
