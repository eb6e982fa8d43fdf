//! Reads and rewrites mail. Decodes and encodes every charset and transfer encoding, and preserves
//! everything else byte for byte.
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
//! - [`Message`]: parts, header fields and bodies with their offsets, and the text of a part.
//! - [`header`], [`encoded_word`], [`parameter`]: fields, and the phrases, comments and addresses
//!   in them; RFC 2047 and RFC 2231, both ways.
//! - [`charset`]: the meaning of labels, and marked guesses for text without a label.
//! - [`base64`], [`quoted_printable`]: bodies, both ways.
//! - [`mbox`]: files of messages.
//! - [`hidden`]: text hidden from anyone who inspects the raw bytes.
//! - [`layers`]: every text of a message, with the place of each decoded byte.
//! - [`rewrite`]: conversion of a message to another charset, with everything else unchanged.
//! - [`cost`]: bytes per character of a text, in every charset and transfer encoding.
//!
//! Parsing takes linear time and never fails, whatever the input. The depth and number of parts are
//! limited.
#![forbid(unsafe_code)]

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
