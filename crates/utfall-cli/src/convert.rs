//! `utfall convert`: one transcoder, one buffer on each side, whatever the size of the files.

mod filtered;
mod known;

use std::num::NonZero;
use std::thread;

use utfall::lines::Position;
use utfall::parallel;
use utfall::{
    Bom, Counts, DoubleMappings, Encoding, ErrorKind, Escape, Family, Granularity, Options, Policy,
    Status, Substitute, Transcoder, Transliterate, Utf7Options,
};
use utfall_bind::show;
use utfall_normalize::{Form, Newline, Normalize};

use crate::cli::{
    BomArg, ConvertArgs, DoubleMappingsArg, GranularityArg, JisX0212Arg, NewlineArg, OnError,
    ProgressArg, Utf7Writer,
};
use crate::config::Config;
use crate::excerpt::{Around, Excerpt, Place};
use crate::failure::Failure;
use crate::input::{self, Input, Source};
use crate::label::{self, Use};
use crate::likely::{Advice, Likely, Origin};
use crate::message::TextError;
use crate::output::Output;
use crate::progress::Reading;
use crate::{lenience, message, width};
pub(crate) use known::How;
use known::Known;

/// Bytes of output per call, which usually hold all of an input piece.
///
/// A separate thread for writing made conversion a tenth slower when the second core was busy: the
/// data is in the cache of the core that produced it.
const ROOM: usize = 512 * 1024;

/// Minimum size in bytes of files that may be converted on several threads.
const LARGE: u64 = 8 * 1024 * 1024;

/// Converts text from the inputs to one output.
pub(crate) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    if args.tree.progress == ProgressArg::Json {
        let text = "--progress json needs --in-place, --output-dir, --dry-run or --check";
        return Err(Failure::Usage(text.into()));
    }
    if let Some(folder) = args.files.iter().find(|file| file.is_dir()) {
        return Err(Failure::UsageWithHelp {
            text: format!("{} is a directory", message::path(folder)),
            help: "--in-place replaces its files, --output-dir writes them elsewhere; \
                   --dry-run only reports"
                .into(),
        });
    }
    let to = label::find_for(&args.to, args.labels.get(), Use::To(args.from.as_deref()))?;
    let options = options(args)?;
    let sources = input::sources(&args.files);
    let how = match How::new(args)? {
        How::ByContent => configured(args, &sources)?.map_or(How::ByContent, How::Configured),
        how => how,
    };

    let mut output = Output::open(args.output.as_deref(), &sources, args.overwrite_input)?;
    if !args.quiet {
        input::tell_of_terminal(&args.files);
    }
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
        if changes.tolerated > 0 {
            message::note(&lenience::passed(changes.tolerated, changes.tolerance));
        }
        let is_utf7 = to.info().family == Family::Utf7 && to != Encoding::Utf7Imap;
        if is_utf7 && is_file {
            message::note("UTF-7 is meant for 7-bit mail transport; for files use UTF-8");
        }
    }
    Ok(())
}

/// Opens an input of a conversion. A large one shows its progress.
fn open(args: &ConvertArgs, source: &Source, output: &Output) -> Result<Input, Failure> {
    let mut input = Input::open(source)?;
    let is_shown = args.tree.progress == ProgressArg::Auto && !args.quiet;
    // A terminal that shows the text shows nothing else.
    if is_shown && !output.is_terminal() {
        let progress = input.size().and_then(Reading::of_file);
        input.show(progress);
    }
    Ok(input)
}

/// The encoding that utfall.toml gives for all sources.
fn configured(args: &ConvertArgs, sources: &[Source]) -> Result<Option<Encoding>, Failure> {
    let config = Config::load(&args.config)?;
    let of = |source: &Source| source.as_deref().and_then(|path| config.encoding_of(path));
    let first = sources.first().and_then(of);
    Ok(first.filter(|_| sources.iter().all(|source| of(source) == first)))
}

/// Converts a file on several threads if it is large enough.
fn convert_in_parts(
    args: &ConvertArgs,
    (how, to): (&How, Encoding),
    options: Options,
    source: &Source,
    output: &mut Output,
) -> Result<Option<Counts>, Failure> {
    // A named pipe can be opened only once.
    if source.as_deref().is_some_and(|path| !path.is_file()) {
        return Ok(None);
    }
    let (mut input, change) = (open(args, source, output)?, change(args));
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
    let options = options.with_bom(bom(options.bom, known.has_mark, true, to));
    let writer = output.writer();
    let (threads, text) = (threads.get(), input.whole());
    let done = utfall_normalize::convert(encoding, to, options, change, threads, text, writer);
    done.map(|done| Some(done.counts)).map_err(|failed| match failed {
        parallel::Error::Read(error) => input.failure(error),
        parallel::Error::Write(error) => output.failure(error),
        parallel::Error::Rejected { offset, position, reason } => {
            _ = output.flush();
            filtered::rejected(input.name(), offset, position, reason)
        }
        parallel::Error::Text { error, position, bytes } => {
            // Write the text before the error first. If that fails too, the first error is
            // reported.
            _ = output.flush();
            let likely = Likely::of(&input.sample_again(error.offset()), encoding);
            let help =
                help(&error, input.source(), likely.map(|it| it.advice(encoding, known.origin)));
            let around = input.around_again(error.offset());
            failure((error, position), bytes, encoding, &around, input.name(), help)
        }
        other => Failure::Refused(format!("{}: {other}", input.name())),
    })
}

/// Converts one input after the other on this thread.
fn convert_all(
    args: &ConvertArgs,
    sources: &[Source],
    (how, to): (&How, Encoding),
    options: Options,
    output: &mut Output,
) -> Result<Counts, Failure> {
    let mut room = vec![0; ROOM];
    let mut transcoder: Option<Transcoder<'_>> = None;
    for (index, source) in sources.iter().enumerate() {
        let mut input = open(args, source, output)?;
        let known = how.of(&mut input)?;
        known::tell(&known, args.quiet);
        let encoding = known.encoding;
        let bom = bom(options.bom, known.has_mark, index == 0, to);
        let transcoder = match &mut transcoder {
            None => {
                let options = options.with_bom(bom);
                transcoder.insert(Transcoder::new(encoding, to, options).track_position())
            }
            Some(transcoder) => {
                transcoder.next_text(encoding, bom);
                transcoder
            }
        };
        transcoder.set_output_goes_on(index + 1 < sources.len());
        let result = convert(transcoder, &mut input, known, output, &mut room);
        if result.is_err() {
            // Write the text before the error first. If that fails too, the first error is
            // reported.
            _ = output.flush();
        }
        result?;
    }
    Ok(transcoder.map_or_else(Counts::default, |transcoder| transcoder.counts()))
}

/// The treatment of the BOM of one input, given the option `wanted`.
fn bom(wanted: Bom, has_decided: bool, is_first: bool, to: Encoding) -> Bom {
    match wanted {
        // The output has one BOM, at its start.
        Bom::Add if !is_first => Bom::Strip,
        Bom::Auto if has_decided && !is_first => Bom::Strip,
        _ => utfall_tree::bom_of(wanted, has_decided, to),
    }
}

/// Converts all of one input.
fn convert(
    transcoder: &mut Transcoder<'_>,
    input: &mut Input,
    mut known: Known,
    output: &mut Output,
    room: &mut [u8],
) -> Result<(), Failure> {
    loop {
        input.advance()?;
        known.look(input)?;
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
                    let likely = likely(&error, &known, input);
                    let help = help(&error, input.source(), likely);
                    return Err(text_failure((error, position), known.encoding, input, help));
                }
            }
        }
        if last {
            return Ok(());
        }
    }
}

/// The failure for an error in a text of this encoding, for commands without policies.
pub(crate) fn without_policies(
    at: (utfall::Error, Position),
    from: Encoding,
    input: &Input,
) -> Failure {
    let likely = Likely::of(input.sample(at.0.offset()), from);
    let likely = likely.map(|likely| likely.advice(from, Origin::Option));
    let command = check_command(&at.0, input.source());
    let help = likely.into_iter().chain([format!("`{command}` shows all problems")]).collect();
    text_failure(at, from, input, help)
}

/// The likely encoding of the text around an error.
fn likely(error: &utfall::Error, known: &Known, input: &Input) -> Option<String> {
    let sample = || input.sample(error.offset());
    let is_invalid = !error.is_unencodable();
    let likely = is_invalid.then(|| Likely::of(sample(), known.encoding))??;
    Some(likely.advice(known.encoding, known.origin))
}

fn text_failure(
    at: (utfall::Error, Position),
    from: Encoding,
    input: &Input,
    help: Vec<String>,
) -> Failure {
    let bytes = input.bytes(at.0.offset(), at.0.length()).to_vec();
    failure(at, bytes, from, &input.around(at.0.offset()), input.name(), help)
}

fn failure(
    (error, position): (utfall::Error, Position),
    bytes: Vec<u8>,
    from: Encoding,
    around: &Around,
    name: &str,
    help: Vec<String>,
) -> Failure {
    let place = Place::of(&error, position.line);
    let excerpt = Excerpt::new(from, &place, around, width::columns());
    let name = name.into();
    Failure::Text(Box::new(TextError { error, name, position, bytes, excerpt, help }))
}

/// Suggestions for the user: the likely cause first, lossy options last.
fn help(error: &utfall::Error, source: &Source, likely: Option<String>) -> Vec<String> {
    let otherwise = match error.kind() {
        ErrorKind::Unencodable(0xFEFF) => "it is a BOM: try --bom strip".into(),
        ErrorKind::Unencodable(point) => {
            let others = show::charsets_with(point, error.encoding());
            let others: Vec<_> = others.iter().map(|encoding| encoding.name()).collect();
            let has = match (&others[..], char::from_u32(point)) {
                (_, None) => "try another target, such as WTF-8".into(),
                ([], _) => "UTF-8 has every character".into(),
                ([one], _) => format!("{one} has it, and UTF-8 has every character"),
                _ => format!("{} have it, and UTF-8 has every character", others.join(" and ")),
            };
            format!("{has}; or try --transliterate, --on-error escape or --on-error replace")
        }
        _ => {
            let command = check_command(error, source);
            let allow = match lenience::that_passes(error) {
                Some(name) => format!("try --utf7-allow {name}; "),
                None => String::new(),
            };
            format!(
                "{allow}`{command}` shows all problems; --on-error replace writes U+FFFD for each"
            )
        }
    };
    likely.into_iter().chain([otherwise]).collect()
}

/// The command that shows all problems of an input.
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

/// The effect of the policy on errors that did not end the conversion.
pub(crate) fn done_with_errors(args: &ConvertArgs) -> &'static str {
    match (policy(args), args.transliterate) {
        (OnError::Strict, true) => "transliterated",
        (OnError::Strict, false) => "passed on",
        (OnError::Surrogateescape, true) => "transliterated or passed on",
        (OnError::Surrogateescape, false) => "passed on",
        (OnError::Replace, true) => "transliterated or replaced",
        (OnError::Replace, false) => "replaced",
        (OnError::Skip, true) => "transliterated or dropped",
        (OnError::Skip, false) => "dropped",
        (OnError::Escape | OnError::EscapeXml | OnError::EscapePython, true) => {
            "transliterated or escaped"
        }
        (OnError::Escape | OnError::EscapeXml | OnError::EscapePython, false) => "escaped",
    }
}

/// Reports the number of changes.
fn tell_changes(changes: Counts, to: Encoding, done: &str) {
    let ill_formed = message::count(changes.ill_formed, "invalid sequence");
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

/// Changes to the text other than the encoding.
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
    Normalize::new().with_newline(newline).with_form(form)
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
    Ok(Options::both(policy)
        .with_granularity(match args.granularity {
            GranularityArg::MaximalSubpart => Granularity::MaximalSubpart,
            GranularityArg::PerByte => Granularity::PerByte,
            GranularityArg::Jdk => Granularity::Jdk,
            GranularityArg::Perl => Granularity::Perl,
        })
        .with_replacement(replacement)
        .with_substitute(substitute)
        .with_transliterate(
            args.transliterate.then_some(Transliterate(utfall_iconv::transliteration)),
        )
        .with_bom(match args.bom {
            BomArg::Auto => Bom::Auto,
            BomArg::Keep => Bom::Keep,
            BomArg::Strip => Bom::Strip,
            BomArg::Add => Bom::Add,
        })
        .with_double_mappings(match args.double_mappings {
            DoubleMappingsArg::Table => DoubleMappings::Table,
            DoubleMappingsArg::RoundTrip => DoubleMappings::RoundTrip,
            DoubleMappingsArg::Either => DoubleMappings::Either,
            DoubleMappingsArg::Jis => DoubleMappings::Jis,
            DoubleMappingsArg::Microsoft => DoubleMappings::Microsoft,
        })
        .with_jis_x_0212(args.jis_x_0212 == JisX0212Arg::Write)
        .with_utf7(utf7(&args.utf7)?)
        .with_utf7_tolerance(lenience::allowed(&args.utf7_allow)?))
}

fn utf7(writers: &[Utf7Writer]) -> Result<Utf7Options, Failure> {
    use Utf7Writer::{Direct, Explicit, Header, Minimal};
    let has = |writer| writers.contains(&writer);
    if has(Direct) && has(Header) || has(Minimal) && has(Explicit) {
        let text = "--utf7: `direct` or `header`, and `minimal` or `explicit`";
        return Err(Failure::Usage(text.into()));
    }
    Ok(Utf7Options::new().with_shift_set_o(has(Header)).with_explicit_close(has(Explicit)))
}

fn text_option(flag: &str, text: Option<&str>) -> Result<Option<Substitute>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let too_long = || {
        let most = Substitute::MAX;
        Failure::Usage(format!("--{flag}: at most {most} characters (code points)"))
    };
    Substitute::new(text).ok_or_else(too_long).map(Some)
}
