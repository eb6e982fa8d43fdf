//! `utfall convert`: one transcoder, one buffer on each side, whatever the size of the files.

mod filtered;
mod known;

use std::num::NonZero;
use std::thread;

use utfall::lines::Position;
use utfall::parallel::{self, Done, Failed};
use utfall::{
    Bom, Encoding, ErrorKind, Escape, Granularity, Options, Policy, Status, Substitute, Transcoder,
    Transliterate, Utf7Leniences, Utf7Options,
};
use utfall_normalize::{Form, Newline, Normalize};

use crate::cli::{BomArg, ConvertArgs, GranularityArg, NewlineArg, OnError, Utf7Writer};
use crate::config::Config;
use crate::excerpt::{Around, Excerpt, Place};
use crate::failure::Failure;
use crate::input::{self, Input, Source};
use crate::message::TextError;
use crate::output::Output;
use crate::{label, lenience, message, tree, width};
pub(crate) use known::How;

/// How much is converted at a time, in octets of output: almost always all of a piece of input.
///
/// Writing by a thread of its own, while the next piece is converted, made it slower by a tenth
/// where the second core had other work: what one core has made is in its cache, not in the
/// other's.
const ROOM: usize = 512 * 1024;

/// A file of so many octets may be worth several threads.
const LARGE: u64 = 8 * 1024 * 1024;

pub(crate) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    if args.tree.is_on() {
        return tree::run(args);
    }
    if let Some(folder) = args.files.iter().find(|file| file.is_dir()) {
        return Err(Failure::UsageWithHelp {
            text: format!("{} is a directory", message::path(folder)),
            help: "--in-place converts the files in it where they are, --output-dir elsewhere; \
                   --dry-run says what would be done"
                .into(),
        });
    }
    let to = label::find(&args.to)?;
    let options = options(args)?;
    let sources = input::sources(&args.files);
    let how = match How::new(args)? {
        How::ByMark => configured(args, &sources)?.map_or(How::ByMark, How::Said),
        how => how,
    };

    let mut output = Output::open(args.output.as_deref(), &sources, args.overwrite_input)?;
    let changes = match &sources[..] {
        [source] => convert_in_parts(args, (&how, to), options, source, &mut output)?,
        _ => None,
    };
    let change = change(args);
    let changes = match changes {
        Some(changes) => changes,
        None if change.is_nothing() => {
            convert_all(args, &sources, (&how, to), options, &mut output)?
        }
        None => filtered::convert_all(args, &sources, (&how, to), options, &mut output)?,
    };
    let is_file = output.is_file();
    output.finish()?;

    if !args.quiet {
        let is_told = args.transliterate || policy(args) != OnError::Surrogateescape;
        if is_told {
            tell_changes(changes, to, done_with_errors(args));
        }
        if changes.passed > 0 {
            message::note(&lenience::passed(changes.passed, changes.leniences));
        }
        let is_utf7 =
            matches!(to, Encoding::Utf7 | Encoding::Utf7Rfc1642 | Encoding::Unicode11Utf7);
        if is_utf7 && is_file {
            message::note("UTF-7 is meant for 7-bit mail transport; for files use UTF-8");
        }
    }
    Ok(())
}

/// The encoding that utfall.toml has for all sources.
fn configured(args: &ConvertArgs, sources: &[Source]) -> Result<Option<Encoding>, Failure> {
    let config = Config::load(&args.config)?;
    let of = |source: &Source| source.as_deref().and_then(|path| config.encoding_of(path));
    let first = sources.first().and_then(of);
    Ok(first.filter(|_| sources.iter().all(|source| of(source) == first)))
}

/// How much of the output is not as it was, and what was let pass.
#[derive(Clone, Copy, Default)]
struct Changes {
    ill_formed: u64,
    unencodable: u64,
    passed: u64,
    leniences: Utf7Leniences,
}

impl From<Done> for Changes {
    fn from(done: Done) -> Self {
        let Done { ill_formed, unencodable, passed, leniences, .. } = done;
        Self { ill_formed, unencodable, passed, leniences }
    }
}

/// Converts a large file on several threads, if it is one and that is worth it.
fn convert_in_parts(
    args: &ConvertArgs,
    (how, to): (&How, Encoding),
    options: Options,
    source: &Source,
    output: &mut Output,
) -> Result<Option<Changes>, Failure> {
    let (mut input, change) = (Input::open(source)?, change(args));
    if input.size().is_none_or(|size| size < LARGE) {
        return Ok(None);
    }
    let known = how.of(&mut input)?;
    let encoding = known.encoding;
    let threads = match args.threads {
        Some(threads) if parallel::is_possible(encoding, to) => threads,
        None if parallel::is_worthwhile(encoding, to)
            || !change.is_nothing() && parallel::is_possible(encoding, to) =>
        {
            thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
        }
        _ => return Ok(None),
    };
    if threads.get() == 1 {
        return Ok(None);
    }
    known::tell(&known, args.quiet);
    let options = Options { bom: bom(options.bom, known.has_mark, true, to), ..options };
    let writer = output.writer();
    let (pair, threads) = ((encoding, to), threads.get());
    let done = utfall_normalize::convert(pair, options, change, threads, input.whole(), writer);
    done.map(|done| Some(done.into())).map_err(|failed| match failed {
        Failed::Read(error) => input.failure(error),
        Failed::Write(error) => output.failure(error),
        Failed::Refused { offset, position, reason } => {
            _ = output.flush();
            filtered::refused(input.name(), offset, position, reason)
        }
        Failed::Text { error, position, octets } => {
            // What came before the error first; if that fails too, the error is still why.
            _ = output.flush();
            let help = help(&error, input.source());
            let around = input.around_again(error.offset());
            failure((error, position), octets, encoding, &around, input.name(), help)
        }
    })
}

/// Converts one input after the other on this thread.
fn convert_all(
    args: &ConvertArgs,
    sources: &[Source],
    (how, to): (&How, Encoding),
    options: Options,
    output: &mut Output,
) -> Result<Changes, Failure> {
    let mut room = vec![0; ROOM];
    let mut transcoder: Option<Transcoder<'_>> = None;
    for (index, source) in sources.iter().enumerate() {
        let mut input = Input::open(source)?;
        let known = how.of(&mut input)?;
        known::tell(&known, args.quiet);
        let encoding = known.encoding;
        let bom = bom(options.bom, known.has_mark, index == 0, to);
        let transcoder = match &mut transcoder {
            None => {
                let options = Options { bom, ..options };
                transcoder.insert(Transcoder::new(encoding, to, options).track_position())
            }
            Some(transcoder) => {
                transcoder.next_text(encoding, bom);
                transcoder
            }
        };
        transcoder.set_output_goes_on(index + 1 < sources.len());
        let result = convert(transcoder, &mut input, output, &mut room);
        if result.is_err() {
            // What came before the error first; if that fails too, the error is still why.
            _ = output.flush();
        }
        result?;
    }
    Ok(transcoder.map_or_else(Changes::default, |transcoder| Changes {
        ill_formed: transcoder.ill_formed(),
        unencodable: transcoder.unencodable(),
        passed: transcoder.passed(),
        leniences: transcoder.leniences(),
    }))
}

/// What to do with the mark of one input, if `wanted` is what to do with marks.
fn bom(wanted: Bom, has_decided: bool, is_first: bool, to: Encoding) -> Bom {
    match wanted {
        // One output has one mark, at its start.
        Bom::Add if !is_first => Bom::Strip,
        Bom::Auto if has_decided && !is_first => Bom::Strip,
        _ => utfall_tree::bom_of(wanted, has_decided, to),
    }
}

/// Converts all of one input.
fn convert(
    transcoder: &mut Transcoder<'_>,
    input: &mut Input,
    output: &mut Output,
    room: &mut [u8],
) -> Result<(), Failure> {
    loop {
        input.advance()?;
        let piece = input.piece();
        let last = piece.is_empty();
        let mut read = 0;
        loop {
            let progress = transcoder.transcode(&piece[read..], room, last);
            read += progress.read;
            output.write(&room[..progress.written])?;
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => {
                    let position = transcoder.error_position().unwrap_or_default();
                    let (help, from) = (help(&error, input.source()), transcoder.encodings().0);
                    return Err(text_failure((error, position), from, input, help));
                }
            }
        }
        if last {
            return Ok(());
        }
    }
}

/// What an error in a text of this encoding means for a command that has no policies.
pub(crate) fn without_policies(
    at: (utfall::Error, Position),
    from: Encoding,
    input: &Input,
) -> Failure {
    let command = check_command(&at.0, input.source());
    text_failure(at, from, input, format!("`{command}` shows all problems"))
}

fn text_failure(
    at: (utfall::Error, Position),
    from: Encoding,
    input: &Input,
    help: String,
) -> Failure {
    let octets = input.octets(at.0.offset(), at.0.length()).to_vec();
    failure(at, octets, from, &input.around(at.0.offset()), input.name(), help)
}

fn failure(
    (error, position): (utfall::Error, Position),
    octets: Vec<u8>,
    from: Encoding,
    around: &Around,
    name: &str,
    help: String,
) -> Failure {
    let place = Place::of(&error, position.line);
    let excerpt = Excerpt::new(from, &place, around, width::columns());
    let name = name.into();
    Failure::Text(Box::new(TextError { error, name, position, octets, excerpt, help }))
}

/// What may be done about it.
fn help(error: &utfall::Error, source: &Source) -> String {
    match error.kind() {
        ErrorKind::Unencodable(0xFEFF) => "it is a byte order mark: try --bom strip".into(),
        ErrorKind::Unencodable(_) => {
            "try --on-error replace or --on-error escape, or another target, such as UTF-8".into()
        }
        _ => {
            let command = check_command(error, source);
            let allow = match lenience::that_passes(error) {
                Some(name) => format!("--utf7-allow {name}, "),
                None => String::new(),
            };
            format!("try {allow}--on-error replace, or `{command}` for all problems")
        }
    }
}

/// The command that shows all that is wrong with an input.
fn check_command(error: &utfall::Error, source: &Source) -> String {
    let mut command = String::from("utfall check");
    if error.encoding() != Encoding::Utf8 {
        command += &format!(" -f {}", message::shell_word(error.encoding().name()));
    }
    command += " --all";
    if let Some(file) = source {
        command += &format!(" {}", message::shell_path(file));
    }
    command
}

/// What has been done with errors that did not end the conversion.
pub(crate) fn done_with_errors(args: &ConvertArgs) -> &'static str {
    match (policy(args), args.transliterate) {
        (OnError::Strict, true) => "transliterated",
        (OnError::Strict, false) => "passed on",
        (OnError::Surrogateescape, true) => "transliterated or passed on",
        (OnError::Surrogateescape, false) => "passed on",
        (OnError::Replace, true) => "transliterated or replaced",
        (OnError::Replace, false) => "replaced",
        (OnError::Skip, true) => "transliterated or left out",
        (OnError::Skip, false) => "left out",
        (OnError::Escape | OnError::EscapeXml | OnError::EscapePython, true) => {
            "transliterated or escaped"
        }
        (OnError::Escape | OnError::EscapeXml | OnError::EscapePython, false) => "escaped",
    }
}

/// Says how much is not as it was.
fn tell_changes(changes: Changes, to: Encoding, done: &str) {
    let ill_formed = message::count(changes.ill_formed, "ill-formed sequence");
    let unencodable = message::count(changes.unencodable, "character");
    let unencodable = format!("{unencodable} not in {to}");
    let what = match (changes.ill_formed, changes.unencodable) {
        (0, 0) => return,
        (_, 0) => ill_formed,
        (0, _) => unencodable,
        _ => format!("{ill_formed} and {unencodable}"),
    };
    message::note(&format!("{done}: {what}"));
}

pub(crate) fn policy(args: &ConvertArgs) -> OnError {
    if args.skip { OnError::Skip } else { args.on_error }
}

/// What is to be changed besides the encoding.
pub(crate) fn change(args: &ConvertArgs) -> Normalize {
    let forms = [
        (args.nfc, Form::Nfc),
        (args.nfd, Form::Nfd),
        (args.nfkc, Form::Nfkc),
        (args.nfkd, Form::Nfkd),
    ];
    let form = forms.into_iter().find_map(|(is_wanted, form)| is_wanted.then_some(form));
    let newline = match args.newline {
        NewlineArg::Keep => Newline::Keep,
        NewlineArg::Lf => Newline::Lf,
        NewlineArg::Crlf => Newline::Crlf,
        NewlineArg::Cr => Newline::Cr,
    };
    Normalize { newline, form }
}

pub(crate) fn options(args: &ConvertArgs) -> Result<Options, Failure> {
    let policy = policy(args);
    for (flag, text) in [("replacement", &args.replacement), ("substitute", &args.substitute)] {
        if text.is_some() && policy != OnError::Replace {
            return Err(Failure::Usage(format!("--{flag} needs --on-error replace")));
        }
    }
    let replacement = text_option("replacement", args.replacement.as_deref())?;
    let substitute = text_option("substitute", args.substitute.as_deref())?;
    let policy = match policy {
        OnError::Strict => Policy::Strict,
        OnError::Replace => Policy::Replace,
        OnError::Skip => Policy::Skip,
        OnError::Escape => Policy::Escape(Escape::Braces),
        OnError::EscapeXml => Policy::Escape(Escape::Xml),
        OnError::EscapePython => Policy::Escape(Escape::Python),
        OnError::Surrogateescape => Policy::SurrogateEscape,
    };
    Ok(Options {
        granularity: match args.granularity {
            GranularityArg::MaximalSubpart => Granularity::MaximalSubpart,
            GranularityArg::PerByte => Granularity::PerByte,
            GranularityArg::Jdk => Granularity::Jdk,
            GranularityArg::Perl => Granularity::Perl,
        },
        replacement,
        substitute,
        transliterate: args.transliterate.then_some(Transliterate(utfall_iconv::transliteration)),
        bom: match args.bom {
            BomArg::Auto => Bom::Auto,
            BomArg::Keep => Bom::Keep,
            BomArg::Strip => Bom::Strip,
            BomArg::Add => Bom::Add,
        },
        utf7: utf7(&args.utf7)?,
        utf7_allow: lenience::allowed(&args.utf7_allow)?,
        ..Options::both(policy)
    })
}

fn utf7(writers: &[Utf7Writer]) -> Result<Utf7Options, Failure> {
    use Utf7Writer::{Direct, Explicit, Header, Minimal};
    let has = |writer| writers.contains(&writer);
    if has(Direct) && has(Header) || has(Minimal) && has(Explicit) {
        let text = "--utf7: `direct` or `header`, and `minimal` or `explicit`";
        return Err(Failure::Usage(text.into()));
    }
    Ok(Utf7Options { shift_set_o: has(Header), explicit_close: has(Explicit) })
}

fn text_option(flag: &str, text: Option<&str>) -> Result<Option<Substitute>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let too_long = || {
        let most = Substitute::MAX;
        Failure::Usage(format!("--{flag}: at most {most} characters (code points)"))
    };
    Substitute::new(text).ok_or_else(too_long).map(Some)
}
