//! `utfall iconv`.

use std::path::PathBuf;

use clap::{ArgAction, Args};

const ICONV_HELP: &str = "\
The program behaves as this subcommand if it is called by the name `iconv`, through a link or a copy.
Names of charsets are glibc's. Without -f or -t, or with an empty name, the charset is that of the locale
(LC_ALL, LC_CTYPE, LANG). Suffixes of the name given with -t:
  //TRANSLIT               replace characters that the target lacks by similar ones, or `?`
  //IGNORE                 drop invalid input and continue, but fail at the end; -c does not fail
  //NON_IDENTICAL_DISCARD  drop characters that the target lacks

Files are converted one after another, each from its own start to its own end, with its own BOM. The
first character that cannot be converted ends the conversion: the text before it is on standard output,
and -o is unchanged, unless it is a device, a pipe or an open descriptor such as /dev/stdout. Files of
any size take a few megabytes of memory.

docs/iconv.md compares this command with glibc and libiconv, and gives the reasons.

Exit status:
  0   success
  1   any failure
  64  an invalid option
These are as with glibc. A closed output pipe (`| head`) is not an error.

Examples:
  echo 'naïve €5' | utfall iconv -f UTF-8 -t ASCII//TRANSLIT
  utfall iconv -f CP1252 -t UTF-8 letter.txt
  utfall iconv -f UTF-8 -t ASCII//TRANSLIT names.csv >plain.csv
  utfall iconv -f UTF-16 -t UTF-8 -o out.txt in.txt
  utfall iconv -f UTF-8 -t ISO-8859-1 --unicode-subst='&#x%X;' page.html";

/// Convert like iconv(1): its options, names and exit status
#[derive(Args)]
#[command(after_long_help = ICONV_HELP)]
#[command(infer_long_args = true, version, args_override_self = true)]
pub(crate) struct IconvArgs {
    /// Charset of the input
    ///
    /// By default that of the locale.
    #[arg(short, long = "from-code", value_name = "CHARSET")]
    pub(crate) from: Option<String>,

    /// Charset of the output
    ///
    /// By default that of the locale.
    #[arg(short, long = "to-code", value_name = "CHARSET")]
    pub(crate) to: Option<String>,

    /// Drop text that cannot be converted
    ///
    /// It may be invalid input, or characters that the output charset lacks. Unlike with //IGNORE, the
    /// exit status is 0.
    #[arg(short = 'c')]
    pub(crate) skip: bool,

    /// Write to OUT, whole or not at all
    ///
    /// `-` is standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// List the names of all charsets, one per line
    #[arg(short, long)]
    pub(crate) list: bool,

    /// Suppress messages about conversion errors
    #[arg(short, long)]
    pub(crate) silent: bool,

    /// Report the file being converted
    #[arg(long)]
    pub(crate) verbose: bool,

    /// Write invalid bytes so, such as `<%02x>`
    ///
    /// FORMAT has a directive of printf.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) byte_subst: Option<String>,

    /// Write missing characters so: `<U+%04X>`
    ///
    /// FORMAT has a directive of printf. It replaces characters that the output charset lacks.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) unicode_subst: Option<String>,

    /// Ignored; for wide characters outside Unicode, which do not occur
    #[arg(long, value_name = "FORMAT", hide_short_help = true)]
    pub(crate) widechar_subst: Option<String>,

    /// Print help
    #[arg(short = '?', action = ArgAction::Help, hide = true)]
    pub(crate) question: Option<bool>,

    /// Print a summary of the options
    #[arg(long, action = ArgAction::HelpShort, hide = true)]
    pub(crate) usage: Option<bool>,

    /// Files to read; standard input if none or `-`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}
