//! Read and rewrite mail in any charset and transfer encoding. Parts that a rewrite does not change
//! stay byte for byte the same.
//!
//! ```
//! use utfall_mime::{Message, encoded_word::Rules};
//! let message = Message::parse(
//!     b"Subject: =?UTF-7?Q?Hi_Mom_+Jjo-?=\n\
//!       Content-Type: text/plain; charset=UTF-7\n\n\
//!       Hi Mom +Jjo-!\n",
//! );
//! let part = &message.parts()[0];
//! let subject = message.fields(part).next().unwrap();
//! assert_eq!(subject.decode(Rules::Lenient).text, "Hi Mom ☺");
//! assert_eq!(message.text(part).unwrap().text, "Hi Mom ☺!\n");
//! ```
//!
//! - Parts, header fields, bodies and the text of a part: [`Message`].
//! - One header field, both ways: [`header`] for phrases, comments and addresses, [`encoded_word`]
//!   for RFC 2047, [`parameter`] for RFC 2231.
//! - One body, both ways: [`base64`], [`quoted_printable`].
//! - The meaning of a charset label, or a guess for text without one: [`charset`].
//! - Files of messages: [`mbox`].
//! - Conversion of a message to another charset: [`rewrite`].
//! - Size of a text in every charset and transfer encoding: [`cost`].
//! - Text that is hidden from people who look at the bytes: [`hidden`].
//! - Every text of a message, with the place of each decoded byte: [`layers`].
//!
//! Reading takes linear time and does not fail, whatever the bytes are. The depth and number of parts
//! are limited.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod base64;
mod body;
pub mod charset;
pub mod cost;
pub mod encoded_word;
mod field;
pub mod header;
pub mod hidden;
pub mod layers;
pub mod mbox;
mod message;
pub mod parameter;
mod places;
pub mod quoted_printable;
pub mod rewrite;
mod text;
mod transfer;

pub use charset::{Basis, Charset};
pub use message::{Content, DEEPEST, MOST_PARTS, Message, Part, PartKind};
pub use text::{NoText, Text};
pub use transfer::{Decoded, TransferEncoding};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
