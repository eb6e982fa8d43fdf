//! `utfall mail`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ConfigArgs, Format, KeepArgs, LabelArgs, OUTPUT, WalkArgs};

/// The options that write messages. They conflict with --extract, and with the options that require it.
const CONVERSION: [&str; 5] = ["to", "body", "wrap", "force", "in_place"];

const MAIL_HELP: &str = "\
FILE is a message, or an mbox, which begins with `From `. Texts and header fields are decoded from
their charset and transfer encoding, and written in CHARSET. Everything else, including boundaries and
attachments, is copied byte for byte. OUT appears whole or not at all, except that a device, a pipe or
an open descriptor such as /dev/stdout is written directly.

With --in-place, each file is replaced whole or not at all, and `utfall undo` restores the originals. A file
that changes meanwhile is skipped. With --in-place and --extract, there may be several FILEs, which may
be directories. In directories, a file is mail if the header of its first message has Date and From (RFC
5322 §3.6); others are skipped.

Without --body, a text is written in 7bit if no line has more than 76 bytes. Otherwise it is written in
quoted-printable, or in Base64 where that is shorter by more than a line and CHARSET is not UTF-7.
7bit and 8bit are used only for text that they can carry: no line of more than 998 bytes, and none that
begins with `From `. Encoded words have at most 75 bytes, and no character is split.
U+2028 and U+2029 become newlines in text/plain.

Text that is already in CHARSET is unchanged, and so is US-ASCII. The charset of a text without a label, or
labeled `x-unknown`, is guessed: by its BOM, as UTF-8 if it is valid, else as `utfall detect` does, or as
windows-1252 if nothing is likely. 8-bit header fields are guessed in the same way, but the charset of the
message's text comes before `utfall detect`.
Some text is unchanged and counted, with the reason: attachments; text that is invalid, in an
unknown charset or labeled ambiguously (two Content-Type fields, two boundaries); text with
characters that CHARSET lacks; encrypted parts; header fields of more than 256 KiB; and signed parts
(multipart/signed, DKIM-Signature) unless --force is given.

--extract also decodes encoded words in a FILE that is not mail. It escapes control characters, bidirectional controls and other invisible characters: always in
header fields, and in texts on a terminal unless --raw is given. Pipes and files receive texts
unchanged.

Exit status:
  0  everything was converted, or needed no conversion
  1  text other than attachments was not converted although it needed to be, or FILE is not mail; with
     --extract, a message or header field was too long or had too many parts to be decoded whole
  2  usage error
  4  a file cannot be read or written

Examples:
  utfall mail letter.eml
  utfall mail --extract bounce.eml
  utfall mail --extract --json inbox.mbox
  utfall mail --to UTF-7 -o out.mbox in.mbox
  utfall mail --to UTF-8 --body 8bit --in-place letter.eml inbox.mbox";

/// Convert mail to another charset, or extract its text
#[derive(Args)]
#[command(after_long_help = MAIL_HELP)]
pub(crate) struct MailArgs {
    /// Charset to write [default: UTF-8]
    #[arg(short, long, alias = "to-code", value_name = "CHARSET", help_heading = OUTPUT)]
    pub(crate) to: Option<String>,

    #[command(flatten)]
    pub(crate) labels: LabelArgs,

    /// Transfer encoding of texts, where it can carry them
    #[arg(long, value_name = "ENCODING", help_heading = OUTPUT)]
    pub(crate) body: Option<BodyArg>,

    /// Break lines of text/plain after at most 76 bytes
    ///
    /// This changes the text, except in format=flowed.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) wrap: bool,

    /// Convert signed messages too
    ///
    /// This breaks their signatures.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) force: bool,

    /// Print the decoded header fields and texts instead
    #[arg(long, conflicts_with_all = CONVERSION, help_heading = OUTPUT)]
    pub(crate) extract: bool,

    // An argument that `requires` --extract is accepted without it if another one conflicts with --extract.
    /// Print control characters unescaped (with --extract)
    #[arg(long, requires = "extract", conflicts_with_all = CONVERSION, help_heading = OUTPUT)]
    pub(crate) raw: bool,

    /// Format of --extract
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"), requires = "extract",
          conflicts_with_all = CONVERSION, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) format: Format,

    /// Print JSON (short for `--format json`)
    #[arg(id = "json", long = "json", requires = "extract", conflicts_with_all = ["format", "raw"],
          conflicts_with_all = CONVERSION, help_heading = OUTPUT)]
    _json: bool,

    /// Replace files; `utfall undo` restores them
    ///
    /// With SUFFIX, the originals stay beside the files, under their names with SUFFIX, and there is no undo.
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true,
          conflicts_with_all = ["output"], help_heading = OUTPUT)]
    pub(crate) in_place: Option<Option<OsString>>,

    /// Replace files without keeping the originals
    #[arg(long, requires = "in_place", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) no_undo: bool,

    #[command(flatten, next_help_heading = OUTPUT)]
    pub(crate) keep: KeepArgs,

    /// Write to OUT, whole or not at all
    ///
    /// `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Allow OUT to be an input file
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) overwrite_input: bool,

    /// Print only errors, and no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    /// Files to read; standard input if none or `-`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyArg {
    /// US-ASCII, unencoded
    #[value(name = "7bit")]
    SevenBit,
    /// Bytes, unencoded
    #[value(name = "8bit")]
    EightBit,
    /// Quoted-printable
    #[value(name = "qp", alias = "quoted-printable")]
    Qp,
    /// Base64
    Base64,
}
