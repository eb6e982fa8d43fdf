//! `utfall convert`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use utfall::Utf7Leniences;

use super::detect::probability;
use super::{ConfigArgs, HintArgs, TreeArgs, leniences};

const CONVERT_HELP: &str = "\
Several files become one text, as with iconv: each FILE is decoded from its own start, and
offsets, lines and columns in messages are those of that FILE; the output is written as one
text, with one byte order mark if it has any. Offsets count octets from 0, lines and columns
count from 1, columns in code points.

Line ends and normalisation are changed between decoding and encoding. A character that TO
lacks is then placed where the text stands that it came from.

With -o the result is written beside OUT and renamed when it is complete, so OUT appears whole
or not at all. An OUT that exists keeps its permissions; of a symbolic link, the file behind it
is replaced; another hard link keeps the old text. Ctrl-C leaves OUT as it was. Devices,
pipes and open descriptors (/dev/stdout, /dev/fd/3, `>(cmd)`) are written to directly, from their
current position on. There, and on standard output, the text before an error is written.
Output to a file that is also an input is refused; in a directory such a file is skipped.

Every policy but `strict` goes on after an error, and the exit status is then 0. How much was
replaced, escaped or left out is said on standard error.

If the input is invalid and looks like another encoding, the error says which one.

Exit status: 0 success, 1 invalid input or an encoding that cannot be determined, 2 usage, 3 a character
that TO lacks, 4 I/O. The first problem ends the conversion.

With --in-place, --output-dir, --dry-run or --check, each file is converted by itself, and FILE may be a
directory: all files in it and below, but those that are hidden, that .gitignore (in a Git
repository), .ignore or .utfallignore names, or that have a NUL and look as if they were no text. A
file named as FILE is always taken. Without -f and --manifest, a byte order mark says the encoding,
or that the file is well-formed UTF-8; with -f detect it is guessed, and the report ends with how many
files were converted from which encoding. utfall.toml can say it by glob and exclude files
(docs/config.md). A guess among charsets of one byte that is not clearly ahead
is not used: narrow it with --expect or --language. Any other is reported and left
alone, as is every file with a problem. With -f, a file found in a directory that is well-formed UTF-8
with characters beyond ASCII, or whose BOM contradicts FROM, is reported and not converted, unless
--force is given. What is right already is not written; --output-dir copies it unchanged. Each file is replaced whole or not at all, by
a rename, with its permissions and, where that is allowed, its owner; what a symbolic link named as
FILE leads to is replaced; other hard links keep the old text, which is said. Unless --no-undo or a
SUFFIX is given, `utfall undo` puts back what was replaced, and a file that a run has made is not
converted again by -f or MANIFEST. The originals are deleted by a later run after 30 days (--keep,
UTFALL_KEEP). A run ends at once, with 4, if another one is changing the same files. See docs/trees.md.

The report on standard output has a line for each file with a problem, with --verbose for each file,
and a total. `--format json` writes JSON Lines: an object of type `file` for each file, and `summary` at the end.
`--progress json` writes objects of type `progress` on standard error. docs/json.md lists the fields.

Exit status then: 4 if a file could not be read or written, else 1 if one is ill-formed, in an
unknown encoding or in another one than -f says, or, with --check, if one would change, else 3 if one
has a character that TO lacks or would lose text, else 0.

Examples:
  utfall convert -f UTF-7 -t UTF-8 letter.utf7
  utfall convert -f ISO-8859-1 -t UTF-8 -o new.txt old.txt
  utfall convert -t UTF-8 --bom strip from-windows.txt
  utfall convert -f UTF-8 -t US-ASCII --on-error escape-xml <page.html
  utfall convert -f UTF-8 -t UTF-16LE --bom add -o both.txt one.txt two.txt
  utfall convert -f UTF-16 -t UTF-8 --newline lf --nfc -o unix.txt windows.txt
  utfall convert -t UTF-8 --dry-run .
  utfall convert -t UTF-8 --newline lf --check src
  utfall convert -f ISO-8859-1 -t UTF-8 --only-if needed --in-place=.old -g '*.txt' docs
  utfall convert -f detect -t UTF-8 --dry-run .
  utfall convert -f detect --language fr -t UTF-8 --in-place .
  utfall convert -t UTF-8 --manifest encodings.tsv --in-place";

/// Convert text from one encoding to another
#[derive(Args)]
#[command(after_long_help = CONVERT_HELP, after_help = "`--help` says more, with examples.")]
pub(crate) struct ConvertArgs {
    /// The encoding of the input
    ///
    /// By default what a BOM says, which is then not part of the text, else UTF-8 if the input is valid
    /// UTF-8. Other input is an error with the best guess. `detect` guesses, as `utfall detect` does,
    /// and reports every guess.
    #[arg(short, long, alias = "from-code", value_name = "FROM")]
    pub(crate) from: Option<String>,

    /// With `-f detect`: use a guess if it is as probable as this, from 0 to 1
    ///
    /// By default 0.9; and a guess among charsets of one byte must be clearly ahead of the
    /// runner-up, which this replaces (see docs/detect.md).
    #[arg(long, value_name = "P", value_parser = probability)]
    pub(crate) min_confidence: Option<f64>,

    #[command(flatten)]
    pub(crate) hints: HintArgs,

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

    /// What line ends become
    ///
    /// Line ends are LF, CR LF, and CR alone; U+0085, U+2028 and U+2029 are none here.
    #[arg(long, value_name = "END", default_value = "keep")]
    pub(crate) newline: NewlineArg,

    /// Compose characters: Unicode Normalization Form C
    ///
    /// More than 128 KiB of combining marks in one sequence are refused, with exit status 1.
    #[arg(long, conflicts_with_all = ["nfd", "nfkc", "nfkd"])]
    pub(crate) nfc: bool,

    /// Decompose characters: Unicode Normalization Form D
    #[arg(long, conflicts_with_all = ["nfkc", "nfkd"])]
    pub(crate) nfd: bool,

    /// Compose characters and replace compatibility characters, such as `²` by `2`: Form KC
    ///
    /// Distinctions that the text needs may be lost.
    #[arg(long, conflicts_with = "nfkd")]
    pub(crate) nfkc: bool,

    /// Decompose characters and replace compatibility characters: Form KD
    #[arg(long)]
    pub(crate) nfkd: bool,

    /// Replace characters that TO lacks by ones that look or read alike: `€` by `EUR`
    ///
    /// As `iconv` does with `//TRANSLIT`. --on-error applies to characters without a replacement.
    /// Standard error says how many characters were replaced.
    #[arg(long, visible_alias = "translit")]
    pub(crate) transliterate: bool,

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

    /// How many threads convert one large file, cut at line ends, or many files; by default, one
    /// for each processor where that is quicker
    #[arg(short = 'j', long, value_name = "N", env = "UTFALL_THREADS", hide_env_values = true)]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Say nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) tree: TreeArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

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
    /// Write set O of RFC 2152, such as `&` and `<`, as it is (default)
    Direct,
    /// Encode set O in runs, as mail headers need it
    Header,
    /// Close a run with `-` only where needed (default)
    Minimal,
    /// Close every run with `-`
    Explicit,
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
pub(crate) enum NewlineArg {
    /// LF, as on Unix
    Lf,
    /// CR LF, as on Windows
    Crlf,
    /// CR, as on the classic Mac OS
    Cr,
    /// What they are
    Keep,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GranularityArg {
    /// One for each maximal subpart, as in Unicode and WHATWG
    MaximalSubpart,
    /// One for each byte
    #[value(alias = "per-octet")]
    PerByte,
    /// As in Java: one for a surrogate encoded in three bytes
    Jdk,
    /// As in Perl: one for each sequence, by the length its lead byte announces
    Perl,
}
