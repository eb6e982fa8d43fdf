//! `utfall mail`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

const MAIL_HELP: &str = "\
FILE is a message, or an mbox, which begins with `From `. Texts and header fields are read in
whatever charset and transfer encoding they came, and written in CHARSET; everything else stays
octet for octet, boundaries and attachments included. OUT appears whole or not at all, except for
a device, a pipe or an open descriptor such as /dev/stdout, which is written to directly.

Without --body a text is written in 7bit, if no line has more than 76 octets; else in
quoted-printable, or, where that is shorter by more than a line and CHARSET is not UTF-7, in Base64.
7bit and 8bit are taken where they can carry the text: no line of more than 998 octets, none that
begins with `From `. Encoded words have at most 75 octets, and nothing is split inside a character.
U+2028 and U+2029 become line ends in text/plain.

What is in CHARSET already stays as it is, and so does US-ASCII. A text without a label, or labelled
`x-unknown`, is guessed: by its byte order mark, as UTF-8 if it is well-formed, else as windows-1252.
Some text is left as it is and counted, with the reason: attachments; text that is invalid, in an
unknown charset or labelled ambiguously (two Content-Type fields, two boundaries); text with
characters that CHARSET lacks; encrypted parts; header fields of more than 256 KiB; and signed parts
(multipart/signed, DKIM-Signature) unless --force is given.

--extract escapes control characters, bidirectional controls and other invisible characters: in
header fields always, in texts only where they go to a terminal. Pipes and files get texts exactly;
so does a terminal with --raw.

Exit status: 0 everything was converted or needed no conversion, 1 text other than attachments was
left as it is although it needed conversion, or FILE is not mail, 2 usage, 4 I/O. With --extract, 1
means that a message or header field was too long, or had too many parts, to be decoded whole.

Examples:
  utfall mail letter.eml
  utfall mail --to UTF-7 -o out.mbox in.mbox
  utfall mail --extract bounce.eml
  utfall mail --to UTF-8 --body 8bit --overwrite-input -o letter.eml letter.eml";

/// Convert mail to another charset, or extract its text
#[derive(Args)]
#[command(after_long_help = MAIL_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct MailArgs {
    /// The charset to write [default: UTF-8]
    #[arg(short, long, alias = "to-code", value_name = "CHARSET")]
    pub(crate) to: Option<String>,

    /// The transfer encoding of texts, where it can carry them
    #[arg(long, value_name = "FORM")]
    pub(crate) body: Option<BodyArg>,

    /// Break lines of text/plain of more than 76 octets: that changes it, but for format=flowed
    #[arg(long)]
    pub(crate) wrap: bool,

    /// Change signed messages too, which breaks their signatures
    #[arg(long)]
    pub(crate) force: bool,

    /// Print header fields and texts, decoded, instead
    #[arg(long, conflicts_with_all = ["to", "body", "wrap", "force"])]
    pub(crate) extract: bool,

    /// Write texts to a terminal as they are, with whatever it acts on
    #[arg(long, requires = "extract")]
    pub(crate) raw: bool,

    /// The file to write, whole or not at all; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Let OUT be the input file
    #[arg(long)]
    pub(crate) overwrite_input: bool,

    /// Say nothing but errors, and show no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// The file to read; `-`, or none, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyArg {
    /// US-ASCII as it is
    #[value(name = "7bit")]
    SevenBit,
    /// Octets as they are
    #[value(name = "8bit")]
    EightBit,
    /// Quoted-printable
    #[value(name = "qp", alias = "quoted-printable")]
    Qp,
    /// Base64
    Base64,
}
