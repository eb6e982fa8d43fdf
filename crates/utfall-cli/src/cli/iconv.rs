//! `utfall iconv`.

use std::path::PathBuf;

use clap::{ArgAction, Args};

const ICONV_HELP: &str = "\
Called by the name `iconv`, through a link or a copy, the program is this subcommand. Names of
charsets are glibc's; without -f or -t, or with an empty name, it is the charset of the locale
(LC_ALL, LC_CTYPE, LANG). What stands behind // in the name given with -t:

  //TRANSLIT  write what looks or reads alike for a character that TO lacks, or `?`
  //IGNORE    leave out what cannot be converted, and fail in the end; -c does not fail
  //NON_IDENTICAL_DISCARD  leave out what TO lacks

Files are converted one by one, each from its own start and to its own end, with its own byte
order mark. The first character that cannot be converted ends everything: what stands before it
is on standard output, and -o is as it was, unless it is a device, a pipe or an open descriptor such
as /dev/stdout. Files of any size take a few megabytes of memory.

Exit status, as glibc's: 0 fine, 1 anything that went wrong, 64 a wrong option. That a reader
closes the pipe early is no error.

Examples:
  utfall iconv -f CP1252 -t UTF-8 letter.txt
  utfall iconv -f UTF-8 -t ASCII//TRANSLIT names.csv >plain.csv
  utfall iconv -f UTF-16 -t UTF-8 -o out.txt in.txt
  utfall iconv -f UTF-8 -t ISO-8859-1 --unicode-subst='&#x%X;' page.html

docs/iconv.md says what is the same as in glibc and libiconv, what differs, and why.";

/// Convert like iconv(1): its options, names and exit status
#[derive(Args)]
#[command(after_long_help = ICONV_HELP, after_help = "`--help` says more, with examples.")]
#[command(infer_long_args = true, version, args_override_self = true)]
pub(crate) struct IconvArgs {
    /// The charset of the input; of the locale by default
    #[arg(short, long = "from-code", value_name = "FROM")]
    pub(crate) from: Option<String>,

    /// The charset of the output; of the locale by default
    #[arg(short, long = "to-code", value_name = "TO")]
    pub(crate) to: Option<String>,

    /// Leave out what is ill-formed or not in TO, and do not fail for it
    #[arg(short = 'c')]
    pub(crate) skip: bool,

    /// The file to write, whole or not at all; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Print the names of all charsets, one on a line
    #[arg(short, long)]
    pub(crate) list: bool,

    /// Do not say what cannot be converted
    #[arg(short, long)]
    pub(crate) silent: bool,

    /// Say which file is being converted
    #[arg(long)]
    pub(crate) verbose: bool,

    /// What stands for each ill-formed octet, with a directive of printf: `<%02x>`
    #[arg(long, value_name = "FORMAT")]
    pub(crate) byte_subst: Option<String>,

    /// What stands for a character that TO lacks: `<U+%04X>`
    #[arg(long, value_name = "FORMAT")]
    pub(crate) unicode_subst: Option<String>,

    /// For wide characters that are not those of Unicode, of which there are none here
    #[arg(long, value_name = "FORMAT")]
    pub(crate) widechar_subst: Option<String>,

    /// The same as --help
    #[arg(short = '?', action = ArgAction::Help, hide = true)]
    pub(crate) question: Option<bool>,

    /// The same as -h
    #[arg(long, action = ArgAction::HelpShort, hide = true)]
    pub(crate) usage: Option<bool>,

    /// The files to read; `-`, or none, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}
