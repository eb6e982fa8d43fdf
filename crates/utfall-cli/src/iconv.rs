//! `utfall iconv`: a replacement for glibc's `iconv` program.

use std::env;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;

use utfall::Encoding;
use utfall_iconv::{Charset, Code, Converter, Error, ErrorKind, Format, Rules};

use crate::cli::IconvArgs;
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::output::Output;
use crate::stdout::Stdout;
use crate::{message, screen};

/// The exit status of iconv for an unknown option (`EX_USAGE`).
pub(crate) const USAGE: u8 = 64;

/// The arguments, with the subcommand inserted if the program is called by the name `iconv`.
pub(crate) fn with_subcommand(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.collect();
    let stem = args.first().and_then(|program| Path::new(program).file_stem());
    if stem.is_some_and(|stem| stem.eq_ignore_ascii_case("iconv")) {
        // The name in the usage line, before that of the subcommand.
        args[0] = "utfall".into();
        args.insert(1, "iconv".into());
    }
    args
}

/// Reports all failures itself; the failure returned has exit status 1, as in iconv.
pub(crate) fn run(args: &IconvArgs) -> Result<(), Failure> {
    let done = if args.list { list() } else { convert(args) };
    done.map_err(|problem| match problem {
        Problem::Said => Failure::IllFormed,
        Problem::Io(failure) if failure.exit_status() == 0 => failure,
        Problem::Io(failure) => {
            say(&failure_text(&failure));
            Failure::IllFormed
        }
        Problem::Other(text) => {
            say(&text);
            Failure::IllFormed
        }
    })
}

enum Problem {
    /// Already reported.
    Said,
    Io(Failure),
    Other(String),
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Io(failure)
    }
}

fn list() -> Result<(), Problem> {
    let mut names: Vec<&str> = Charset::all()
        .flat_map(|charset| std::iter::once(charset.name()).chain(charset.other_names()))
        .collect();
    names.sort_unstable();
    let mut stdout = Stdout::new();
    for name in names {
        // A name with a single slash ends in it, as in glibc.
        stdout.text(&format!("{name}{}", if name.contains('/') { "/" } else { "//" }))?;
    }
    Ok(stdout.flush()?)
}

fn convert(args: &IconvArgs) -> Result<(), Problem> {
    let locale = locale();
    let code = |code: &Option<String>, what: &str| {
        Code::parse(code.as_deref().unwrap_or_default(), &locale)
            .map_err(|name| Problem::Other(unknown(name, what, args)))
    };
    let from = code(&args.from, "from")?;
    let to = code(&args.to, "to")?;
    let format = |text: &Option<String>| {
        text.as_deref().map(Format::parse).transpose().map_err(Problem::Other)
    };
    format(&args.widechar_subst)?;
    let rules = Rules::default()
        .with_skip(args.skip)
        .with_byte(format(&args.byte_subst)?)
        .with_unicode(format(&args.unicode_subst)?);
    let mut converter = Converter::with_codes(from, to, rules)
        .ok_or_else(|| Problem::Other("no table for this charset".into()))?;

    let sources = input::sources(&args.files);
    let mut output = Output::open(args.output.as_deref(), &sources, true)?;
    if !args.silent {
        input::tell_of_terminal(&args.files);
    }
    let mut result = Vec::new();
    let (mut fine, mut has_input) = (true, false);
    for (index, source) in sources.iter().enumerate() {
        if args.verbose {
            say_plainly(&format!("{}:", input::name(source)));
        }
        let mut input = match Input::open(source) {
            Ok(input) => input,
            // Other files may exist.
            Err(failure) => {
                say(&failure_text(&failure));
                fine = false;
                continue;
            }
        };
        has_input = true;
        if index > 0 {
            converter.next_text();
        }
        let before = converter.skipped();
        convert_one(&mut converter, &mut input, &mut output, &mut result, args)?;
        if to.ignore && !args.skip && converter.skipped() > before {
            let count = message::count(converter.skipped() - before, "place");
            say_unless(args.silent, &format!("{}: dropped: {count}", input.name()));
            output.finish()?;
            return Err(Problem::Said);
        }
    }
    if !has_input {
        // OUT is unchanged, as with glibc's.
        return Err(Problem::Said);
    }
    output.finish()?;
    if fine { Ok(()) } else { Err(Problem::Said) }
}

/// Converts one file to its end.
fn convert_one(
    converter: &mut Converter,
    input: &mut Input,
    output: &mut Output,
    result: &mut Vec<u8>,
    args: &IconvArgs,
) -> Result<(), Problem> {
    loop {
        input.advance()?;
        let piece = input.piece();
        let last = piece.is_empty();
        result.clear();
        let done = converter.convert(piece, last, result);
        output.write(result)?;
        if let Err(error) = done {
            // Write the text before the error first.
            _ = output.flush();
            let bytes = input.bytes(error.offset, error.length as u32);
            let text = format!("{}:{}", input.name(), error_text(&error, bytes, args));
            say_unless(args.silent, &text);
            return Err(Problem::Said);
        }
        if last {
            return Ok(());
        }
    }
}

fn error_text(error: &Error, bytes: &[u8], args: &IconvArgs) -> String {
    let Error { line, column, offset, .. } = error;
    let bytes = message::bytes(bytes);
    let name = |code: &Option<String>| match code.as_deref() {
        Some(name) if !name.is_empty() => message::plain(name),
        _ => "the locale's charset".into(),
    };
    let what = match error.kind {
        // Of a charset with a table, the name is enough.
        ErrorKind::IllFormed(Some(error)) if error.kind() != utfall::ErrorKind::Undefined => {
            format!("{bytes}: {} ({})", message::problem(&error), error.clause())
        }
        ErrorKind::Unencodable(point) => {
            format!("{bytes}: {} is not in {}", message::character(point), name(&args.to))
        }
        ErrorKind::Incomplete => {
            format!("{bytes}: incomplete character or shift sequence at the end of the input")
        }
        _ => format!("{bytes}: no character of {}", name(&args.from)),
    };
    format!("{line}:{column}: at byte {offset}: {what}")
}

fn unknown(name: &str, what: &str, args: &IconvArgs) -> String {
    let instead = match in_convert(name, args) {
        Some(command) => format!("`{command}` supports it"),
        None => "`iconv -l` shows all names".into(),
    };
    format!("conversion {what} \"{}\" is not supported; {instead}", message::plain(name))
}

/// The command that converts between these encodings, if `utfall convert` accepts the name that is
/// missing here.
fn in_convert(name: &str, args: &IconvArgs) -> Option<String> {
    Encoding::for_label(name)?;
    let label = |code: &Option<String>| {
        let label = code.as_deref().and_then(|code| code.split("//").next());
        message::shell_word(
            label.filter(|label| Encoding::for_label(label).is_some()).unwrap_or("UTF-8"),
        )
    };
    Some(format!("utfall convert -f {} -t {}", label(&args.from), label(&args.to)))
}

/// The charset of the locale, by the name that the C library would give.
fn locale() -> String {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(env::var_os)
        .find(|value| !value.is_empty())
        .map(|value| value.to_string_lossy().into_owned());
    let name = set.as_deref().unwrap_or("");
    let charset = name.split_once('.').map(|(_, charset)| charset.split('@').next());
    match (name, charset) {
        (_, Some(Some(charset))) if !charset.is_empty() => charset.into(),
        ("" | "C" | "POSIX", _) if cfg!(not(any(windows, target_os = "macos"))) => "ASCII".into(),
        _ => "UTF-8".into(),
    }
}

/// The text of a failure, reported under the name of another program.
fn failure_text(failure: &Failure) -> String {
    match failure {
        Failure::Io { what, error } | Failure::Output { what, error } => {
            format!("{what}: {}", message::io_reason(error))
        }
        Failure::Usage(text) => text.clone(),
        _ => String::new(),
    }
}

fn say_unless(silent: bool, text: &str) {
    if !silent {
        say(text);
    }
}

fn say(text: &str) {
    say_plainly(&format!("iconv: {text}"));
}

fn say_plainly(text: &str) {
    // If stderr is closed, the exit status still reports the result.
    _ = writeln!(anstream::stderr().lock(), "{}", screen::line(text));
}
