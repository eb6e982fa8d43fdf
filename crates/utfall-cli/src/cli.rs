//! The flags. They only record what was asked for.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use utfall::Utf7Leniences;

const AFTER_HELP: &str = "\
Exit status:
  0  fine
  1  ill-formed input, or hidden text that was looked for
  2  a wrong flag, label or name
  3  a character that the target encoding lacks
  4  a file that cannot be read or written
A reader that closes the pipe early (`| head`) is no error.

Examples:
  utfall convert -f UTF-7 -t UTF-8 letter.utf7
  utfall check --all *.txt
  utfall mail --extract letter.eml
  utfall list

Environment:
  UTFALL_ISA  the name of the kernels to use, such as `scalar`; the best ones by default";

/// Convert and check text in every Unicode transformation format
///
/// That is UTF-8, today's and that of the older memos, UTF-7, UTF-16, UTF-32 and their
/// relatives, and the charsets that came before them.
#[derive(Parser)]
#[command(name = "utfall", version, after_help = AFTER_HELP, max_term_width = 100)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Convert(ConvertArgs),
    Check(CheckArgs),
    List(ListArgs),
    ImapName(ImapNameArgs),
    Mail(MailArgs),
    Cost(CostArgs),
}

const CONVERT_HELP: &str = "\
Several files become one text, as with iconv: each FILE is decoded from its own start, and
offsets, lines and columns in messages are those of that FILE; the output is written as one
text, with one byte order mark if it has any. Offsets count octets from 0, lines and columns
count from 1, columns in code points.

With -o the result is written beside OUT and renamed when it is complete, so OUT appears whole
or not at all. An OUT that exists keeps its permissions; of a symbolic link, the file behind it
is replaced; another hard link keeps the old text. On standard output, what stands before an
error is written.

Every policy but `strict` goes on after an error, and the exit status is then 0. How much was
replaced, escaped or left out is said on standard error.

Exit status: 0 fine, 1 ill-formed input, 2 usage, 3 a character that TO lacks, 4 I/O. The first
problem ends the conversion.

Examples:
  utfall convert -f UTF-7 -t UTF-8 letter.utf7
  utfall convert -f ISO-8859-1 -t UTF-8 -o new.txt old.txt
  utfall convert -t UTF-8 --bom strip from-windows.txt
  utfall convert -f UTF-8 -t US-ASCII --on-error escape-xml <page.html
  utfall convert -f UTF-8 -t UTF-16LE --bom add -o both.txt one.txt two.txt";

/// Convert text from one encoding to another
#[derive(Args)]
#[command(after_long_help = CONVERT_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct ConvertArgs {
    /// The encoding of the input
    ///
    /// May be left out if every FILE begins with a byte order mark of
    /// UTF-8, UTF-16 or UTF-32, which is then not part of the text.
    #[arg(short, long, alias = "from-code", value_name = "FROM")]
    pub(crate) from: Option<String>,

    /// The encoding of the output
    #[arg(short, long, alias = "to-code", value_name = "TO")]
    pub(crate) to: String,

    /// The file to write, whole or not at all; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Let OUT be one of the input files
    #[arg(long)]
    pub(crate) overwrite_input: bool,

    /// What to do with ill-formed input, and with characters that TO lacks
    #[arg(long, value_name = "POLICY", default_value = "strict")]
    pub(crate) on_error: OnError,

    /// Leave out what is ill-formed or not in TO, as `iconv -c`; short for `--on-error skip`
    ///
    /// Standard error says how much it was; the exit status is 0. What stood on both sides of
    /// a gap now touches, which has been used to smuggle markup past filters.
    #[arg(short = 'c', conflicts_with = "on_error")]
    pub(crate) skip: bool,

    /// What to do with a byte order mark
    #[arg(long, value_name = "MARK", default_value = "auto")]
    pub(crate) bom: BomArg,

    /// How many replacements stand for ill-formed UTF-8
    #[arg(long, value_name = "COUNT", default_value = "maximal-subpart")]
    pub(crate) granularity: GranularityArg,

    /// With `--on-error replace`: what stands for ill-formed input, instead of U+FFFD
    #[arg(long, value_name = "TEXT")]
    pub(crate) replacement: Option<String>,

    /// With `--on-error replace`: what stands for a character TO lacks, instead of U+FFFD or ?
    #[arg(long, value_name = "TEXT")]
    pub(crate) substitute: Option<String>,

    /// To UTF-7: what goes direct, and how runs are closed
    #[arg(long, value_name = "WRITER,…", value_delimiter = ',')]
    pub(crate) utf7: Vec<Utf7Writer>,

    /// From UTF-7 or IMAP mailbox names: what is ill-formed and passes all the same
    ///
    /// How much has passed, and by which of these, is said on standard error.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = leniences())]
    pub(crate) utf7_allow: Vec<Utf7Leniences>,

    /// How many threads convert one large file, cut at line ends; by default, one for each
    /// processor where that is quicker
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Say nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// The files to read; `-`, or none, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnError {
    /// Stop at the first error and say where it is
    Strict,
    /// U+FFFD for ill-formed input; U+FFFD, or `?`, for what TO lacks
    Replace,
    /// Leave it out
    Skip,
    /// `\xNN` for each ill-formed octet, `\u{N}` for what TO lacks
    Escape,
    /// `\xNN` for each ill-formed octet, `&#N;` for what TO lacks
    EscapeXml,
    /// `\xNN` for each ill-formed octet; `\xNN`, `\uNNNN` or `\UNNNNNNNN` for what TO lacks
    EscapePython,
    /// Octets 80 to FF become U+DC80 to U+DCFF, and octets again in a TO that keeps ASCII, as
    /// in Python; all else as `strict`
    Surrogateescape,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Utf7Writer {
    /// The characters of set O, !"#$%&*;<=>@[]^_`{|}, go direct: this is the default
    Direct,
    /// They are shifted, as mail headers need it
    Header,
    /// A run is closed by `-` only where it must be: this is the default
    Minimal,
    /// Every run is closed by `-`
    Explicit,
}

/// The names of leniences, with what they mean for `--help`.
fn leniences() -> impl TypedValueParser<Value = Utf7Leniences> {
    let values =
        Utf7Leniences::NAMED.iter().map(|(name, _, what)| PossibleValue::new(*name).help(*what));
    PossibleValuesParser::new(values)
        .map(|name| Utf7Leniences::from_name(&name).unwrap_or_default())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BomArg {
    /// As the encodings say: one that decides the byte order is used and removed
    Auto,
    /// Keep the input's
    Keep,
    /// Write none, whether there was one or not
    Strip,
    /// Write one at the start, if TO is an encoding of Unicode
    Add,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GranularityArg {
    /// One for each maximal subpart of a well-formed sequence, as Unicode and WHATWG have it
    MaximalSubpart,
    /// One for each octet
    PerOctet,
    /// As Java: one for a surrogate in three octets
    Jdk,
    /// As Perl: one for each sequence that its first octet announces
    Perl,
}

const CHECK_HELP: &str = "\
Each problem is a line on standard output:

  FILE:LINE:COLUMN: octet OFFSET: OCTETS: what is wrong (clause of the specification)

OFFSET counts octets from 0, LINE and COLUMN count from 1, COLUMN in code points; an ill-formed
sequence is one column wide, a byte order mark none. For UTF-7, the line also says from which
bit on a run is wrong: bits count from 0 in groups of eight Base64 digits, 48 bits, three code
units, so bit 16 is bit 4 of the third digit, the one shown. For UTF-8, OCTETS are the whole
sequence as an older memo would have read it, and the line also says which memos accept it:
RFC 2044 (1996), its draft revision of 1997, RFC 2279 (1998), RFC 3629 (2003, today's UTF-8).
Then follows a summary of each file, with the memos it satisfies, and a total.

`--format json` writes JSON Lines, one object on each line. The field `type` tells them apart:
  problem  file, line, column, offset, length (octets), octets (hexadecimal), kind, message,
           clause; for UTF-7 also run_bit; for UTF-8 also accepted_by (memos) and, if it stands for one, code_point
  file     file, encoding, octets (how many), problems, well_formed; with --utf7-allow also
           passed (how many problems it let pass) and leniences (names); for UTF-8 also valid
           (memos) and generation (text); error instead if the file cannot be read
  summary  files, problems, ill_formed_files, unreadable_files, exit_status: the last line

--hidden finds what reads otherwise than it looks: US-ASCII that did not need encoding in UTF-7,
IMAP mailbox names and encoded words, overlong forms, surrogates that are split, alone or encoded,
byte order marks inside, encoded words in addresses, two charsets, and fields that are there twice:

  FILE:LINE:COLUMN: octet OFFSET: LENGTH: how it is hidden: \"what it reads\" (why it is needless)

Every place is listed. Without -f, a FILE that begins with `From `, or with fields of which one is
From, To, Subject, Date, Received, Return-Path, Message-ID, MIME-Version or Content-Type, is mail,
and looked into part by part; any other is text. In JSON the types are:
  hidden   file, line, column, offset, length (octets), kind, message, text, reason
  file     file, read_as (an encoding, or `mail`), octets, hidden (places); too_long, if there are
           messages of more than 64 MiB, which are not looked into; error instead as above
  summary  files, hidden (places), hidden_files, unreadable_files, exit_status: the last line

Exit status: 0 all well-formed, 1 ill-formed input, 2 usage, 4 some file could not be read; with
--hidden: 1 something is hidden, even if some file could not be read, 0 nothing.

Examples:
  utfall check --all *.txt
  utfall check --hidden letter.eml
  utfall check --hidden -f UTF-7 page.html
  utfall check -f UTF-7 letter.utf7
  utfall check --format json --all page.html | jq .offset
  printf '/\\xC0\\xAE./' | utfall check";

/// Find what is ill-formed in files, and which UTF-8 they are, or text that is hidden in them
#[derive(Args)]
#[command(after_long_help = CHECK_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct CheckArgs {
    /// The encoding; by default what a byte order mark says, else UTF-8
    #[arg(short = 'f', long, alias = "from-code", value_name = "ENC")]
    pub(crate) from: Option<String>,

    /// How to write the result; `json` is JSON Lines
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,

    /// Every problem, not only the first of each file
    #[arg(short, long)]
    pub(crate) all: bool,

    /// Find text that is hidden from whoever looks at the octets, instead
    #[arg(long, conflicts_with_all = ["all", "utf7_allow"])]
    pub(crate) hidden: bool,

    /// With --hidden: FILE is a message or an mbox, however it begins
    #[arg(long, requires = "hidden", conflicts_with = "from")]
    pub(crate) mail: bool,

    /// In UTF-7 and IMAP mailbox names: what is ill-formed and passes all the same
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = leniences())]
    pub(crate) utf7_allow: Vec<Utf7Leniences>,

    /// The files to read; `-`, or none, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

const LIST_HELP: &str = "\
Labels are compared without case, without anything that is not a letter or digit, and without
zeros that lead a number: `utf8`, `UTF_8` and `utf-08` are UTF-8.

Properties:
  self-synchronising  character boundaries can be found from anywhere in the text
  ASCII-transparent   octets 00 to 7F are US-ASCII, wherever they stand
  7-bit               no octet above 7F
  stateful            what an octet means depends on octets before its character
  cut                 where a text may be cut into parts that can be decoded apart

Examples:
  utfall list
  utfall list --format json | jq -r '.[].name'";

/// List the encodings
#[derive(Args)]
#[command(after_long_help = LIST_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct ListArgs {
    /// How to write the list; `json` is one array
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,
}

const IMAP_NAME_HELP: &str = "\
A mailbox name has one spelling (RFC 3501 section 5.1.3): printable US-ASCII stands for itself,
all else is modified UTF-7 between `&` and `-`, and `&` is `&-`. Other spellings are read as
they are meant, and said to be wrong: at which octet, and what the right one is. Names in
several spellings are a collision: one mailbox to some programs, several to others.

--decode writes the text of each name on a line, control characters escaped, and what is wrong
on standard error. --check writes a report on standard output instead. --encode writes the
spelling of each text.

`--format json` writes JSON Lines, one object on each line. The field `type` tells them apart:
  name       name, octets (hexadecimal), text, canonical (null if it has none), problems, a
             list of: offset, length (octets), octets, kind, message, clause, run_bit
  collision  text, names (spellings)
  summary    names, not_canonical, collisions, exit_status: the last line
With --encode it is: text, canonical.

Exit status: 0 fine, 1 some name is not canonical or collides, or some text is not UTF-8.

Examples:
  utfall imap-name 'Entw&APw-rfe'
  utfall imap-name --encode Entwürfe
  utfall imap-name --check --format json <names.txt";

/// Read, write and check IMAP mailbox names
#[derive(Args)]
#[command(after_long_help = IMAP_NAME_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct ImapNameArgs {
    #[command(flatten)]
    pub(crate) mode: ImapNameMode,

    /// How to write the result; `json` is JSON Lines
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,

    /// The names, or with --encode the texts; if there are none, each line of standard input
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<OsString>,
}

#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct ImapNameMode {
    /// From a spelling to text: this is the default
    #[arg(long)]
    pub(crate) decode: bool,

    /// From text to its spelling
    #[arg(long)]
    pub(crate) encode: bool,

    /// Report what is wrong with spellings
    #[arg(long)]
    pub(crate) check: bool,
}

const MAIL_HELP: &str = "\
FILE is a message, or an mbox, which begins with `From `. Texts and header fields are read in
whatever charset and transfer encoding they came, and written in CHARSET; everything else stays
octet for octet, boundaries and attachments included. OUT appears whole or not at all.

Without --body a text is written in 7bit, if no line has more than 76 octets; else in
quoted-printable, or, where that is shorter by more than a line and CHARSET is not UTF-7, in Base64.
7bit and 8bit are taken where they can carry the text: no line of more than 998 octets, none that
begins with `From `. Encoded words have at most 75 octets, and nothing is split inside a character.
U+2028 and U+2029 become line ends in text/plain.

What is in CHARSET already stays as it is, and so does US-ASCII. A text without a label, or labelled
`x-unknown`, is guessed: by its byte order mark, as UTF-8 if it is well-formed, else as windows-1252.
Left alone are attachments, what is ill-formed, in an unknown charset or labelled twice, what
CHARSET lacks, and what is signed (multipart/signed, DKIM-Signature) unless --force is given. At the
end stands how many of each there were.

Exit status: 0 fine, 2 usage, 4 I/O. What is left alone is no failure.

Examples:
  utfall mail letter.eml
  utfall mail --to UTF-7 -o out.mbox in.mbox
  utfall mail --extract bounce.eml
  utfall mail --to UTF-8 --body 8bit --overwrite-input -o letter.eml letter.eml";

/// Rewrite mail in another charset and transfer encoding, or show what it says
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

const COST_HELP: &str = "\
Each FILE is encoded in every charset of mail that has all its characters, and gets a table of
octets for each character (code point). A text is measured as it would travel: line ends are CR LF,
two characters, and a byte order mark is no part of it.

In a body:
  7bit              as it is, if that is US-ASCII in lines of at most 998 octets
  8bit              as it is, in lines of at most 998 octets
  quoted-printable  with its soft line breaks
  base64            in lines of 76 digits
In a header field, each line of the text being the value of a Subject:
  plain             as it is, if that is printable US-ASCII without `=?`
  Q, B              all of it in encoded words of at most 75 octets, folded between them

`-` is what cannot carry the text, `*` what takes the fewest octets for bodies on a 7-bit transport,
on an 8-bit one, and for header fields. SCSU, BOCU-1, ISO-10646-UTF-1 and CESU-8, which readers of
mail do not know, are never the best. `UTF-7 (set D)` is UTF-7 with set O shifted, as header fields
need it. Fields that name the charset are not counted. Charsets that are alike in a body are one row.

`--format json` writes JSON Lines, one object on each line. The field `type` tells them apart:
  cost  file, charset, set_d_only (true for UTF-7 without set O), way (a column of the table),
        octets, framing (those that only keep lines short), per_character (null if there is
        none), best (a list of: body_7bit, body_8bit, header)
  file  file, encoding, characters, field_characters (line ends not counted): behind its costs

Exit status: 0 fine, 1 ill-formed input, 2 usage, 4 I/O. The first problem ends the command.

Examples:
  utfall cost letter.txt
  utfall cost -f ISO-8859-1 old.txt
  cat *.txt | utfall cost
  utfall cost --format json letter.txt | jq -c 'select(.best[0])'";

/// Measure what text costs in mail, in every charset and transfer encoding
#[derive(Args)]
#[command(after_long_help = COST_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct CostArgs {
    /// The encoding; by default what a byte order mark says, else UTF-8
    #[arg(short = 'f', long, alias = "from-code", value_name = "ENC")]
    pub(crate) from: Option<String>,

    /// How to write the result; `json` is JSON Lines
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,

    /// The files to read; `-`, or none, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn flags_are_consistent() {
        Cli::command().debug_assert();
    }
}
