//! `utfall convert --newline`, `--nfc` and `--nfd`: several inputs as one text, changed between
//! decoding and encoding.

use utfall::filter::{self, FilteredTranscoder};
use utfall::lines::Position;
use utfall::{Counts, Encoding, Options};

use super::{How, bom, change, failure, help, known};
use crate::cli::ConvertArgs;
use crate::excerpt::Around;
use crate::failure::Failure;
use crate::input::{self, Input, Source};
use crate::likely::{Advice, Likely, Origin};
use crate::output::Output;

/// Converts one input after the other on this thread.
pub(super) fn convert_all(
    args: &ConvertArgs,
    sources: &[Source],
    (how, to): (&How, Encoding),
    options: Options,
    output: &mut Output,
) -> Result<Counts, Failure> {
    let change = change(args);
    let mut out = Vec::new();
    let mut transcoder: Option<FilteredTranscoder<'_>> = None;
    // The encodings of the inputs so far, and where they come from.
    let mut all = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let mut input = super::open(args, source, output)?;
        let mut known = how.of(&mut input)?;
        known::tell(&known, args.quiet);
        let encoding = known.encoding;
        all.push((encoding, known.origin));
        let bom = bom(options.bom, known.has_mark, index == 0, to);
        let transcoder = match &mut transcoder {
            None => {
                let options = options.with_bom(bom);
                transcoder.insert(FilteredTranscoder::new(encoding, to, options, &change))
            }
            Some(transcoder) => {
                transcoder.next_text(encoding, bom);
                transcoder
            }
        };
        transcoder.set_output_goes_on(index + 1 < sources.len());
        loop {
            input.advance()?;
            known.look(&input)?;
            let piece = input.piece();
            let last = piece.is_empty();
            out.clear();
            let result = transcoder.transcode(piece, last, &mut out);
            output.write(&out)?;
            if let Err(error) = result {
                // Write the text before the error first. If that fails too, the first error is
                // reported.
                _ = output.flush();
                return Err(why((sources, &all), error, &mut input));
            }
            if last {
                break;
            }
        }
    }
    Ok(transcoder.map_or_else(Counts::default, |transcoder| transcoder.done().counts))
}

/// Explains why a conversion stopped while it read `current`. The error may be in an earlier input
/// whose last characters waited for the next ones.
fn why(
    (sources, all): (&[Source], &[(Encoding, Origin)]),
    error: filter::Error,
    current: &mut Input,
) -> Failure {
    match error {
        filter::Error::Text { error, bytes, index, position } => {
            let (source, is_current) = (&sources[index], index + 1 == all.len());
            let ((encoding, origin), offset) = (all[index], error.offset());
            let of = |input: &mut Input| (input.around_again(offset), input.sample_again(offset));
            let (around, sample) = match source {
                None if is_current => (current.around(offset), current.sample(offset).to_vec()),
                Some(_) if is_current => of(current),
                Some(_) => {
                    Input::open(source).map_or_else(|_| nothing(), |mut input| of(&mut input))
                }
                None => nothing(),
            };
            let likely = (!error.is_unencodable()).then(|| Likely::of(&sample, encoding)).flatten();
            let help = help(&error, source, likely.map(|likely| likely.advice(encoding, origin)));
            failure((error, position), bytes, encoding, &around, &input::name(source), help)
        }
        filter::Error::Rejected { offset, reason, index, position } => {
            rejected(&input::name(&sources[index]), offset, position, reason)
        }
        other => Failure::Refused(other.to_string()),
    }
}

/// The surroundings of a place in a text that is no longer available, and a sample of it.
fn nothing() -> (Around, Vec<u8>) {
    (Around { start: Vec::new(), offset: 0, bytes: Vec::new() }, Vec::new())
}

/// Reports where a text cannot be changed.
pub(super) fn rejected(name: &str, offset: u64, position: Position, reason: &str) -> Failure {
    let Position { line, column } = position;
    Failure::Refused(format!("{name}: line {line}, column {column} (byte {offset}): {reason}"))
}
