//! `utfall convert`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use utfall::Utf7Tolerance;

use super::detect::probability;
use super::{ConfigArgs, HintArgs, INPUT, LabelArgs, OUTPUT, TreeArgs, leniences};

const CONVERT_HELP: &str = "\
Several files become one text, as with iconv. Each FILE is decoded from its own start, and messages
give offsets, lines and columns within it. The output has at most one BOM. Offsets count bytes from
0; lines and columns count from 1, columns in code points.

Newlines and normalization are changed between decoding and encoding. A character that the target lacks
is then reported at the place in FILE that it comes from.

With -o, the output goes to a temporary file beside OUT that is renamed when it is complete: OUT appears
whole or not at all, and Ctrl-C leaves it unchanged. An existing OUT keeps its permissions; if it is a
symbolic link, its target is replaced; other hard links keep the original. Devices, pipes
and open descriptors (/dev/stdout, /dev/fd/3, `>(cmd)`) are written directly, from their current
position. There, and on standard output, the text before an error is written. Output to a file that
is also an input is an error; in a directory, such a file is skipped.

With every policy except `strict`, conversion continues after an error, and the exit status is 0.
Standard error reports how much was replaced, escaped or dropped.

If the input is invalid and looks like another encoding, the error names that encoding.

Batch conversion: with --in-place, --output-dir, --dry-run or --check, each file is converted
separately, and FILE may be a directory. That means all files in it and below, except hidden files,
files that .gitignore (in a Git repository), .ignore or .utfallignore excludes, and binary files (with a NUL
byte). A FILE named on the command line is always converted.

Without -f and --manifest, a batch converts only files with a BOM and valid UTF-8. With -f detect, it
guesses the encodings and reports the number of files per encoding. utfall.toml can
give encodings by glob and exclude files (docs/config.md). A guess among single-byte charsets that is
not clearly ahead is not used: narrow the choice with --expect or --language. Files of unknown
encoding, and files with problems, are reported and skipped. With -f or an encoding in utfall.toml, a
file that is valid UTF-8 with characters beyond ASCII, or has a BOM that contradicts ENCODING, is
reported and skipped unless --force is given.

Unchanged files are not written; --output-dir copies them. A file is replaced whole or not
at all, by a rename, with its permissions and, where allowed, its owner. If FILE is a symbolic link,
its target is replaced. Other hard links keep the original, and the report says so. Unless --no-undo or
SUFFIX is given, `utfall undo` restores the replaced files, and -f or MANIFEST does not convert the
result of an earlier run again. Later runs delete originals after 30 days (--keep). A run ends at
once, with exit status 4, if another run is changing the same files. docs/trees.md has the details.

The report on standard output has a line for each file with a problem (with --verbose, for every
file) and a total. `--format json` writes JSON Lines: an object of type `file` for each file, and `summary`
at the end. `--progress json` writes objects of type `progress` on standard error. docs/json.md lists the
fields.

Exit status:
  0  success
  1  invalid input; in a batch also an unknown or contradicted encoding, or, with --check, a file that
     would change
  2  usage error
  3  a character that the target encoding lacks
  4  a file cannot be read or written
The first problem ends a conversion to one output. A batch goes on; of its problems, 4 takes
precedence over 1, and 1 over 3.

Examples:
  utfall convert -f detect -t UTF-8 --dry-run .
  utfall convert -f ISO-8859-1 -t UTF-8 old.txt
  utfall convert -f ISO-8859-1 -t UTF-8 -o new.txt old.txt
  utfall convert -f UTF-7 -t UTF-8 letter.utf7
  utfall convert -t UTF-8 --bom strip from-windows.txt
  utfall convert -f UTF-8 -t US-ASCII --on-error escape-xml <page.html
  utfall convert -f UTF-8 -t UTF-16LE --bom add -o both.txt one.txt two.txt
  utfall convert -f UTF-16 -t UTF-8 --newline lf --nfc -o unix.txt windows.txt
  utfall convert -t UTF-8 --dry-run .
  utfall convert -t UTF-8 --newline lf --check src
  utfall convert -f latin1 -t utf8 --only-if needed --in-place=.old docs
  utfall convert -f detect --language fr -t UTF-8 --in-place .
  utfall convert -t UTF-8 --manifest encodings.tsv --in-place";

/// Convert text from one encoding to another
#[derive(Args)]
#[command(after_long_help = CONVERT_HELP)]
pub(crate) struct ConvertArgs {
    /// Encoding of the input; `detect` guesses it
    ///
    /// By default that of the BOM (UTF-8, UTF-16 or UTF-32), else UTF-8 if the input is valid UTF-8. Other
    /// input is an error that names the best guess. `detect` guesses, as `utfall detect` does, and
    /// reports every guess on standard error.
    #[arg(short, long, alias = "from-code", value_name = "ENCODING", help_heading = INPUT)]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) labels: LabelArgs,

    /// Use guesses of at least this probability, from 0 to 1 (with `-f detect`)
    ///
    /// By default 0.9; and a guess among single-byte charsets must be clearly ahead of the runner-up,
    /// unless this option is given (see docs/detect.md).
    #[arg(long, value_name = "PROBABILITY", value_parser = probability, help_heading = INPUT,
          hide_short_help = true)]
    pub(crate) min_confidence: Option<f64>,

    #[command(flatten)]
    pub(crate) hints: HintArgs,

    /// Encoding of the output
    #[arg(short, long, alias = "to-code", value_name = "ENCODING", help_heading = OUTPUT)]
    pub(crate) to: String,

    /// Write to OUT, whole or not at all
    ///
    /// `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Allow OUT to be one of the input files
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) overwrite_input: bool,

    /// Policy for invalid text
    ///
    /// It applies to invalid input, and to characters that the target encoding lacks.
    #[arg(long, value_name = "POLICY", default_value = "strict", help_heading = OUTPUT)]
    pub(crate) on_error: OnError,

    /// Drop invalid input and characters that the target lacks
    ///
    /// Short for `--on-error skip`, as in `iconv -c`. Standard error reports how much was dropped; the exit
    /// status is 0. The text on both sides of a gap is joined, which attackers have used to get
    /// markup past filters.
    #[arg(short = 'c', conflicts_with = "on_error", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) skip: bool,

    /// BOM of the output
    #[arg(long, value_name = "BOM", default_value = "auto", help_heading = OUTPUT)]
    pub(crate) bom: BomArg,

    /// Newlines
    ///
    /// LF, CR LF and a CR alone are converted; U+0085, U+2028 and U+2029 are not.
    #[arg(long, value_name = "NEWLINE", default_value = "keep", help_heading = OUTPUT)]
    pub(crate) newline: NewlineArg,

    /// Compose characters (Unicode Normalization Form C)
    ///
    /// More than 128 KiB of combining marks in one sequence are an error, with exit status 1.
    #[arg(long, conflicts_with_all = ["nfd", "nfkc", "nfkd"], help_heading = OUTPUT,
          hide_short_help = true)]
    pub(crate) nfc: bool,

    /// Decompose characters (Form D)
    #[arg(long, conflicts_with_all = ["nfkc", "nfkd"], help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) nfd: bool,

    /// Compose, and replace compatibility characters, such as `²` by `2` (Form KC)
    ///
    /// This may lose distinctions that the text needs.
    #[arg(long, conflicts_with = "nfkd", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) nfkc: bool,

    /// Decompose, and replace compatibility characters (Form KD)
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) nfkd: bool,

    /// Replace characters that the target lacks by similar ones: `€` by `EUR`
    ///
    /// As `iconv` does with `//TRANSLIT`. --on-error applies to characters without a replacement.
    /// Standard error reports how many characters were replaced.
    #[arg(long, visible_alias = "translit", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) transliterate: bool,

    /// Number of U+FFFD written for invalid UTF-8
    #[arg(long, value_name = "UNIT", default_value = "maximal-subpart", help_heading = OUTPUT,
          hide_short_help = true)]
    pub(crate) granularity: GranularityArg,

    /// Write TEXT instead of U+FFFD for invalid input (with `--on-error replace`)
    #[arg(long, value_name = "TEXT", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) replacement: Option<String>,

    /// Write TEXT instead of U+FFFD or `?` for characters that the target lacks (with `--on-error
    /// replace`)
    #[arg(long, value_name = "TEXT", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) substitute: Option<String>,

    /// How to convert characters that vendors of East Asian charsets map differently
    ///
    /// JIS maps the wave dash to U+301C; Microsoft and the web map it to U+FF5E. docs/charsets.md
    /// lists these characters.
    #[arg(long, value_name = "RULE", default_value = "table", help_heading = OUTPUT,
          hide_short_help = true)]
    pub(crate) double_mappings: DoubleMappingsArg,

    /// Read or write JIS X 0212, three bytes per character, in EUC-JP
    #[arg(long = "jis-x-0212", value_name = "USE", default_value = "read", help_heading = OUTPUT,
          hide_short_help = true)]
    pub(crate) jis_x_0212: JisX0212Arg,

    /// Style of UTF-7 output (comma-separated)
    #[arg(long, value_name = "STYLES", value_delimiter = ',', help_heading = OUTPUT,
          hide_short_help = true)]
    pub(crate) utf7: Vec<Utf7Writer>,

    /// Accept these deviations in UTF-7 and IMAP mailbox names (comma-separated)
    ///
    /// Standard error reports how many each of them accepted.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = leniences(),
          help_heading = INPUT, hide_short_help = true)]
    pub(crate) utf7_allow: Vec<Utf7Tolerance>,

    /// Use N threads; by default one per processor where that is faster
    ///
    /// Several threads convert many files, or one large file that is split at newlines.
    #[arg(
        short = 'j',
        long,
        value_name = "N",
        env = "UTFALL_THREADS",
        hide_env_values = true,
        hide_short_help = true
    )]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Print only errors
    #[arg(short, long, hide_short_help = true)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) tree: TreeArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    /// Files to read; standard input if none or `-`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnError {
    /// Stop at the first error and report its place
    Strict,
    /// Write U+FFFD for invalid input; U+FFFD or `?` for a character that the target lacks
    Replace,
    /// Write nothing for it
    Skip,
    /// Write `\xNN` for each invalid byte, `\u{N}` for a character that the target lacks
    Escape,
    /// Write `\xNN` for each invalid byte, `&#N;` for a character that the target lacks
    EscapeXml,
    /// Write `\xNN` for each invalid byte; `\xNN`, `\uNNNN` or `\UNNNNNNNN` for a character that the
    /// target lacks
    EscapePython,
    /// Read bytes 80 to FF as U+DC80 to U+DCFF, and write these as bytes again if the target keeps
    /// ASCII, as Python does; otherwise as `strict`
    Surrogateescape,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoubleMappingsArg {
    /// Follow the charset; on the web, a yen sign becomes a backslash
    Table,
    /// Write only characters that survive a round trip
    RoundTrip,
    /// Write either code point as the one character of the charset
    Either,
    /// Like `either`; read Japanese charsets with the mappings of JIS
    Jis,
    /// Like `either`; read Japanese charsets with the mappings of Microsoft
    Microsoft,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JisX0212Arg {
    /// Read it without writing it, as the web does
    Read,
    /// Write it too
    Write,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Utf7Writer {
    /// Write set O of RFC 2152, such as `&` and `<`, directly (default)
    Direct,
    /// Encode set O in runs, as mail headers require
    Header,
    /// Close a run with `-` only where needed (default)
    Minimal,
    /// Close every run with `-`
    Explicit,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BomArg {
    /// Follow the encodings: a BOM that determines the byte order is used and removed
    Auto,
    /// Keep the BOM of the input
    Keep,
    /// Write no BOM
    Strip,
    /// Write a BOM, if the output is an encoding of Unicode
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
    /// The newlines of the input
    Keep,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GranularityArg {
    /// One per maximal subpart, as in Unicode and WHATWG
    MaximalSubpart,
    /// One per byte
    #[value(alias = "per-octet")]
    PerByte,
    /// As in Java: one for a surrogate encoded in three bytes
    Jdk,
    /// As in Perl: one for each sequence, by the length its lead byte announces
    Perl,
}
