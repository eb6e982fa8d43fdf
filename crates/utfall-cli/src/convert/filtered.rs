//! `utfall convert --newline`, `--nfc` and `--nfd`: several inputs as one text, changed between
//! decoding and encoding.

use utfall::filter::{Cause, FilteredTranscoder, Stopped};
use utfall::lines::Position;
use utfall::{Encoding, Options};

use super::{Changes, How, bom, change, failure, help, known};
use crate::cli::ConvertArgs;
use crate::excerpt::Around;
use crate::failure::Failure;
use crate::input::{self, Input, Source};
use crate::output::Output;

/// Converts one input after the other on this thread.
pub(super) fn convert_all(
    args: &ConvertArgs,
    sources: &[Source],
    (how, to): (&How, Encoding),
    options: Options,
    output: &mut Output,
) -> Result<Changes, Failure> {
    let change = change(args);
    let mut out = Vec::new();
    let mut transcoder: Option<FilteredTranscoder<'_>> = None;
    // Of the inputs so far.
    let mut encodings = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let mut input = Input::open(source)?;
        let known = how.of(&mut input)?;
        known::tell(&known, args.quiet);
        let encoding = known.encoding;
        encodings.push(encoding);
        let bom = bom(options.bom, known.has_mark, index == 0, to);
        let transcoder = match &mut transcoder {
            None => {
                let options = Options { bom, ..options };
                transcoder.insert(FilteredTranscoder::new((encoding, to), options, &change))
            }
            Some(transcoder) => {
                transcoder.next_text(encoding, bom);
                transcoder
            }
        };
        transcoder.set_output_goes_on(index + 1 < sources.len());
        loop {
            input.advance()?;
            let piece = input.piece();
            let last = piece.is_empty();
            out.clear();
            let result = transcoder.transcode(piece, last, &mut out);
            output.write(&out)?;
            if let Err(stopped) = result {
                // What came before the error first; if that fails too, the error is still why.
                _ = output.flush();
                return Err(why((sources, &encodings), stopped, &mut input));
            }
            if last {
                break;
            }
        }
    }
    Ok(transcoder.map_or_else(Changes::default, |transcoder| transcoder.done().into()))
}

/// What it means that a conversion has stopped while it read `current`: the error may be in an
/// input before that, which waited for what comes behind it.
fn why(
    (sources, encodings): (&[Source], &[Encoding]),
    stopped: Stopped,
    current: &mut Input,
) -> Failure {
    let Stopped { text, position, cause } = stopped;
    let (source, is_current) = (&sources[text], text + 1 == encodings.len());
    let name = input::name(source);
    match cause {
        Cause::Text { error, octets } => {
            let offset = error.offset();
            let around = match source {
                None if is_current => current.around(offset),
                Some(_) if is_current => current.around_again(offset),
                Some(_) => {
                    Input::open(source).map_or_else(|_| nothing(), |mut i| i.around_again(offset))
                }
                None => nothing(),
            };
            let help = help(&error, source);
            failure((error, position), octets, encodings[text], &around, &name, help)
        }
        Cause::Refused { offset, reason } => refused(&name, offset, position, reason),
    }
}

/// What stands around a place in a text that has gone.
fn nothing() -> Around {
    Around { start: Vec::new(), offset: 0, octets: Vec::new() }
}

/// Says where a text cannot be changed.
pub(super) fn refused(name: &str, offset: u64, position: Position, reason: &str) -> Failure {
    let Position { line, column } = position;
    Failure::Refused(format!("{name}: line {line}, column {column} (byte {offset}): {reason}"))
}
