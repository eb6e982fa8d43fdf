//! Every subcommand in each of its formats.

/// The content of the file.
#[derive(Clone, Copy)]
pub(crate) enum Content {
    Text,
    Sound,
    Message,
    Mbox,
    Mailboxes,
    /// A report of `repair` or a manifest that is none.
    Lines,
}

/// What standard output is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stdout {
    /// A report.
    Report,
    /// Like a report, but nothing is from outside.
    Constant,
    /// Commands to GitHub, and nothing else that looks like one.
    Github,
    /// Objects, one on each line or one in all.
    Json,
    /// Decoded or changed text, which is exact unless it goes to a terminal.
    Text,
    /// The very result that was asked for, which nothing may change: see SECURITY.md. What is wrong
    /// with the input is on standard error.
    Result,
    /// The same, and nothing is wrong.
    Alone,
}

pub(crate) struct Case {
    /// Separated by spaces; `NAME` is a hostile name, `WORD` a hostile argument.
    pub(crate) args: &'static str,
    pub(crate) content: Content,
    pub(crate) stdout: Stdout,
    /// What ran before.
    pub(crate) before: &'static str,
}

const fn case(args: &'static str, content: Content, stdout: Stdout) -> Case {
    Case { args, content, stdout, before: "" }
}

use Content::{Lines, Mailboxes, Mbox, Message, Sound, Text};
use Stdout::{Alone, Constant, Github, Json, Report, Result as Exact};

/// What ran before something is undone.
const IN_PLACE: &str = "convert -f UTF-8 -t UTF-16 --in-place NAME";

pub(crate) const CASES: &[Case] = &[
    case("convert -f UTF-8 -t UTF-16 NAME", Text, Exact),
    case("convert -f UTF-8 -t US-ASCII NAME", Sound, Exact),
    case("convert -f UTF-8 -t US-ASCII --nfc NAME", Sound, Exact),
    case("convert -f UTF-7 -t UTF-8 NAME", Text, Exact),
    case("convert -f detect -t UTF-16 NAME", Text, Exact),
    case("convert -t UTF-16 NAME", Text, Exact),
    case("convert -f UTF-8 -t UTF-16 -o NAME NAME", Text, Report),
    case("convert -f UTF-8 -t UTF-16 -o none/NAME NAME", Text, Report),
    case("convert -f WORD -t UTF-16 NAME", Text, Report),
    case("convert -f UTF-8 -t WORD NAME", Text, Report),
    case("convert -f UTF-8 -t WORD//TRANSLIT NAME", Text, Report),
    case("convert -f UTF-8 -t UTF-16 --utf7-allow WORD NAME", Text, Report),
    case("convert -f UTF-8 -t UTF-16 --replacement WORD NAME", Text, Constant),
    case("convert -f UTF-8 -t UTF-16 --dry-run NAME", Text, Report),
    case("convert -f UTF-8 -t US-ASCII --dry-run --format text NAME", Sound, Report),
    case("convert -f UTF-8 -t US-ASCII --dry-run --format json NAME", Sound, Json),
    case("convert -f detect -t UTF-16 --in-place --verbose .", Text, Report),
    case("convert -f UTF-8 -t UTF-16 --in-place --format json --progress json .", Sound, Json),
    case("convert -f UTF-8 -t UTF-16 --in-place=WORD --verbose NAME", Sound, Report),
    case("convert -f UTF-8 -t UTF-16 --output-dir WORD --verbose NAME", Sound, Report),
    case("convert -f UTF-8 -t UTF-16 --output-dir out --verbose .", Sound, Report),
    case("convert -t UTF-16 --in-place -g WORD[ .", Sound, Report),
    case("convert -t UTF-16 --in-place --manifest NAME", Lines, Report),
    case("undo --list", Sound, Constant),
    Case { before: IN_PLACE, ..case("undo --list", Sound, Report) },
    Case { before: IN_PLACE, ..case("undo --list --format json", Sound, Json) },
    Case { before: IN_PLACE, ..case("undo --dry-run --format text", Sound, Report) },
    Case { before: IN_PLACE, ..case("undo --verbose", Sound, Report) },
    Case { before: IN_PLACE, ..case("undo --format json", Sound, Json) },
    case("undo WORD", Sound, Report),
    case("check NAME", Text, Report),
    case("check --all --format text NAME", Text, Report),
    case("check --all .", Text, Report),
    case("check --all --deny warnings -f UTF-7 NAME", Text, Report),
    case("check --format short NAME", Text, Report),
    case("check --all --format json NAME", Text, Json),
    case("check --format sarif NAME", Text, Json),
    case("check --format github NAME", Text, Github),
    case("check --format github none/NAME", Text, Github),
    case("check --format github none/NAME", Text, Github),
    case("check --format sarif none/NAME", Text, Json),
    case("check --format json none/NAME", Text, Json),
    case("check none/NAME", Text, Report),
    case("check -g WORD[ .", Text, Report),
    case("check -f WORD NAME", Text, Report),
    case("check --rule WORD NAME", Text, Report),
    case("check --concealed NAME", Text, Report),
    case("check --concealed --format json NAME", Text, Json),
    case("check --concealed --format sarif NAME", Text, Json),
    case("check --concealed --format github NAME", Text, Github),
    case("check --concealed --mail NAME", Message, Report),
    case("check --concealed --mail NAME", Mbox, Report),
    case("check --concealed --mail --format json NAME", Message, Json),
    case("check --concealed --mail --format sarif NAME", Message, Json),
    case("check --concealed --mail --format github NAME", Message, Github),
    case("list", Text, Constant),
    case("list --format text", Text, Constant),
    case("list --format table", Text, Constant),
    case("list --format json", Text, Constant),
    case("list WORD", Text, Report),
    case("imap-name", Mailboxes, Report),
    case("imap-name --format text", Mailboxes, Report),
    case("imap-name --format json", Mailboxes, Json),
    case("imap-name --check", Mailboxes, Report),
    case("imap-name --check --format json", Mailboxes, Json),
    case("imap-name --encode", Mailboxes, Exact),
    case("imap-name --encode --format json", Mailboxes, Json),
    case("imap-name WORD NAME &ABs-", Mailboxes, Report),
    case("imap-name --check WORD NAME &ABs-", Mailboxes, Report),
    case("mail NAME", Message, Exact),
    case("mail -o WORD NAME", Message, Constant),
    case("mail -o none/NAME NAME", Message, Report),
    case("mail --to WORD NAME", Message, Report),
    case("mail --extract NAME", Message, Stdout::Text),
    case("mail --extract NAME", Mbox, Stdout::Text),
    case("mail --extract --format text NAME", Mbox, Stdout::Text),
    case("mail --extract --format json NAME", Message, Json),
    case("mail --extract --format json NAME", Mbox, Json),
    case("mail --extract none/NAME", Mbox, Report),
    case("cost NAME", Sound, Report),
    case("cost --format text NAME", Text, Report),
    case("cost --format json NAME", Sound, Json),
    case("cost -f WORD NAME", Sound, Report),
    case("detect NAME", Text, Report),
    case("detect --all --candidates 9 --format text NAME", Sound, Report),
    case("detect --format json NAME", Text, Json),
    case("detect --format manifest --min-confidence 0 NAME", Sound, Stdout::Text),
    case("detect --format manifest NAME", Text, Stdout::Text),
    case("detect --verbose NAME", Text, Report),
    case("detect .", Message, Report),
    case("detect none/NAME", Text, Report),
    case("detect --min-confidence WORD NAME", Text, Report),
    case("explain --no-pager NAME", Text, Report),
    case("explain --format text NAME", Text, Report),
    case("explain --format json NAME", Text, Json),
    case("explain --only problems NAME", Text, Report),
    case("explain --mail NAME", Message, Report),
    case("explain --mail NAME", Mbox, Report),
    case("explain --mail --only problems NAME", Message, Report),
    case("explain --mail --format json NAME", Message, Json),
    case("explain --text WORD NAME", Text, Report),
    case("explain --text --format json WORD NAME", Text, Json),
    case("explain --hex WORD", Text, Report),
    case("explain -e WORD", Text, Report),
    case("explain --range WORD NAME", Text, Report),
    case("explain -f UTF-7 NAME", Text, Report),
    case("repair NAME", Text, Alone),
    case("repair -o none/NAME NAME", Text, Report),
    case("repair --dry-run NAME", Text, Report),
    case("repair --dry-run --format text .", Text, Report),
    case("repair --dry-run --format json NAME", Text, Json),
    case("repair --dry-run --report WORD NAME", Text, Report),
    case("repair --diff NAME", Text, Stdout::Text),
    case("repair --dry-run -e WORD NAME", Text, Report),
    case("repair --in-place NAME", Text, Report),
    case("repair --in-place --format json NAME", Text, Json),
    case("repair --dry-run -g WORD[ .", Text, Report),
    case("repair --dry-run none/NAME", Text, Report),
    case("repair --undo NAME NAME", Lines, Exact),
    case("repair --undo none/NAME NAME", Lines, Report),
    case("generate man NAME", Text, Report),
    case("generate man none/WORD", Text, Constant),
    case("generate completions WORD", Text, Report),
    case("generate completions bash", Text, Constant),
    case("generate completions elvish", Text, Constant),
    case("generate completions fish", Text, Constant),
    case("generate completions powershell", Text, Constant),
    case("generate completions zsh", Text, Constant),
    case("iconv -f UTF-8 -t UTF-16 NAME", Text, Exact),
    case("iconv --verbose -f UTF-8 -t ASCII NAME", Sound, Exact),
    case("iconv -f UTF-8 -t ASCII//IGNORE NAME", Sound, Exact),
    case("iconv -f UTF-8 -t UTF-16 -o none/NAME NAME", Sound, Report),
    case("iconv -f UTF-8 -t UTF-16 none/NAME", Sound, Report),
    case("iconv -f WORD -t UTF-16 NAME", Sound, Report),
    case("iconv -f UTF-8 -t WORD NAME", Sound, Report),
    case("iconv -f UTF-8 -t ASCII --unicode-subst=WORD%n NAME", Sound, Report),
    case("iconv -l", Sound, Constant),
];
