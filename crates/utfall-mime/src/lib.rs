//! Mail, read and rewritten: every charset and every transfer encoding to text and back, and octet
//! for octet the same where nothing is to change.
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
//! - [`header`], [`encoded_word`], [`parameter`]: fields; phrases, comments and addresses in
//!   them; RFC 2047 and RFC 2231, both ways.
//! - [`charset`]: what a label means, and what text without one is, marked as a guess.
//! - [`base64`], [`quoted_printable`]: bodies, both ways.
//! - [`mbox`]: files of messages.
//! - [`hidden`]: text that is hidden from who looks at the octets.
//! - [`layers`]: every text of a message, and where in it each decoded octet stands.
//! - [`rewrite`]: a message in another charset, with everything else as it was.
//! - [`cost`]: octets for each character of a text, in every charset and transfer encoding.
//!
//! Whatever the octets are, reading them takes linear time and does not fail. Depth and number of
//! parts are limited.
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
