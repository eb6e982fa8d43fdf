//! `utfall convert -f`: how the encoding of an input is determined.

use std::fs::File;
use std::io;

use utfall::{Decoder, Encoding, Options, Status};
use utfall_detect::{Candidate, Extent, Hints, detect_file_with, detect_with};
use utfall_tree::walk::Found;
use utfall_tree::{Basis, Choice, Choose, Text, is_binary};

use crate::cli::ConvertArgs;
use crate::failure::Failure;
use crate::guess::Verdict;
use crate::input::{Input, Source};
use crate::label::{self, Use};
use crate::likely::{self, Origin};
use crate::{detect as detection, message};

/// The value of `-f` that asks for detection.
const DETECT: &str = "detect";
/// The suggestion for a file that is skipped.
const TO_DECIDE: &str = "to decide: --expect, --language, -f or --manifest";

/// How the encoding is determined.
#[derive(Clone)]
pub(crate) enum How {
    /// By an option.
    Said(Encoding),
    /// By `utfall.toml`.
    Configured(Encoding),
    /// By a BOM; otherwise UTF-8, if the text is valid UTF-8.
    ByContent,
    /// By a guess.
    Guessed(Guess),
}

/// The encoding of an input.
pub(super) struct Known {
    pub(super) encoding: Encoding,
    /// Whether a BOM determined it. The BOM is not part of the text.
    pub(super) has_mark: bool,
    /// The guess to report, if any.
    pub(super) guess: Option<String>,
    pub(super) origin: Origin,
    /// Set if the input is assumed to be UTF-8 and is still to be validated.
    assumed: Option<Assumed>,
}

impl Known {
    fn new(encoding: Encoding, origin: Origin) -> Self {
        Self { encoding, has_mark: false, guess: None, origin, assumed: None }
    }

    /// Validates the piece of an input that is converted next, if UTF-8 is assumed.
    pub(super) fn look(&mut self, input: &Input) -> Result<(), Failure> {
        self.assumed.as_mut().map_or(Ok(()), |assumed| assumed.look(input))
    }
}

/// A text for which no encoding was given: UTF-8, as long as it is valid.
struct Assumed(Decoder<'static>);

impl Assumed {
    fn new() -> Self {
        Self(Decoder::new(Encoding::Utf8, Options::default()))
    }

    /// Validates the current piece of an input.
    fn look(&mut self, input: &Input) -> Result<(), Failure> {
        let (piece, mut read) = (input.piece(), 0);
        loop {
            let progress = self.0.validate(&piece[read..], piece.is_empty());
            read += progress.read;
            match progress.status {
                Status::InputEmpty => return Ok(()),
                Status::OutputFull => {}
                Status::Error(error) => return Err(likely::cannot_tell(input, error.offset())),
            }
        }
    }
}

impl How {
    /// Whether FROM asks to guess the encoding.
    pub(crate) fn is_guess(from: &str) -> bool {
        from.eq_ignore_ascii_case(DETECT)
    }

    pub(crate) fn new(args: &ConvertArgs) -> Result<Self, Failure> {
        let is_guess = args.from.as_deref().is_some_and(Self::is_guess);
        if args.min_confidence.is_some() && !is_guess {
            return Err(Failure::Usage("--min-confidence needs -f detect".into()));
        }
        if !args.hints.is_empty() && !is_guess {
            return Err(Failure::Usage("--expect and --language need -f detect".into()));
        }
        Ok(match &args.from {
            Some(_) if is_guess => Self::Guessed(Guess {
                least: args.min_confidence,
                hints: args.hints.hints(args.labels.get())?,
            }),
            Some(from) => Self::Said(label::find_for(from, args.labels.get(), Use::From)?),
            None => Self::ByContent,
        })
    }

    /// The encoding of an input that is still at its start.
    pub(super) fn of(&self, input: &mut Input) -> Result<Known, Failure> {
        match self {
            Self::Said(encoding) => Ok(Known::new(*encoding, Origin::Option)),
            Self::Configured(encoding) => Ok(Known::new(*encoding, Origin::Config)),
            Self::ByContent => by_content(input),
            Self::Guessed(guess) => guess.of_input(input),
        }
    }
}

/// The encoding of the BOM at the start of an input, otherwise UTF-8 if the input is valid UTF-8:
/// the rule of [`utfall_tree::ByContent`] for many files.
fn by_content(input: &mut Input) -> Result<Known, Failure> {
    if let Some((encoding, _)) = Encoding::for_bom(input.first_bytes()?) {
        return Ok(Known { has_mark: true, ..Known::new(encoding, Origin::Option) });
    }
    let known = Known::new(Encoding::Utf8, Origin::Option);
    if input.source().is_none() || input.size().is_none() {
        // An input that cannot be read twice is validated during conversion.
        return Ok(Known { assumed: Some(Assumed::new()), ..known });
    }
    // Validate first, so that nothing is written for an invalid file.
    let (mut again, mut assumed) = (Input::open(input.source())?, Assumed::new());
    loop {
        again.advance()?;
        assumed.look(&again)?;
        if again.piece().is_empty() {
            return Ok(known);
        }
    }
}

/// Guesses the encoding of an input from its whole content.
#[derive(Clone)]
pub(crate) struct Guess {
    /// The lowest confidence at which a guess is used, if the user gave one.
    least: Option<f64>,
    hints: Hints,
}

impl Guess {
    fn of_input(&self, input: &mut Input) -> Result<Known, Failure> {
        let again = |source: &Source| source.as_ref().map(File::open);
        let candidates = match input.size().and_then(|_| again(input.source())) {
            Some(file) => {
                file.and_then(|file| detect_file_with(file, Extent::All, &self.hints))
                    .map_err(|error| input.failure(error))?
                    .candidates
            }
            // Guess from the first piece if the input cannot be read twice.
            None => detect_with(input.first_piece()?, &self.hints),
        };
        match self.verdict(&candidates) {
            Verdict::Sure(best) => {
                let basis = basis(best);
                let why = match &basis {
                    Basis::Guessed(why) => format!("guessed, {why}"),
                    Basis::Mark => "by its BOM".into(),
                    _ => "valid".into(),
                };
                let guess = format!("reading {} as {} ({why})", input.name(), best.encoding);
                let known = Known::new(best.encoding, Origin::Option);
                Ok(Known { has_mark: basis == Basis::Mark, guess: Some(guess), ..known })
            }
            verdict => Err(refused(&verdict, input.name())),
        }
    }

    fn verdict<'a>(&self, candidates: &'a [Candidate]) -> Verdict<'a> {
        Verdict::on(candidates, self.least)
    }
}

/// The basis of a guess.
fn basis(best: &Candidate) -> Basis {
    let has = |name: &str| best.evidence.iter().any(|evidence| evidence.name() == name);
    match best.encoding {
        _ if has("signature") => Basis::Mark,
        Encoding::Utf8 if has("multi-byte") => Basis::WellFormed,
        Encoding::UsAscii => Basis::WellFormed,
        _ => Basis::Guessed(detection::reasons(best)),
    }
}

fn refused(verdict: &Verdict<'_>, name: &str) -> Failure {
    let help = match verdict {
        Verdict::Hidden(best) => format!(
            "`-f {}` decodes the hidden text; -f UTF-8 keeps it as it is",
            message::shell_word(best.encoding.name())
        ),
        Verdict::Unsure(best, _) => format!(
            "try `-f {}`, narrow it with --expect or --language, or accept less with \
             --min-confidence",
            message::shell_word(best.encoding.name())
        ),
        _ => "give the encoding with -f, or narrow it with --expect or --language".into(),
    };
    Failure::RefusedWithHelp { text: verdict.refusal(name), help }
}

impl Choose for Guess {
    fn choose(&self, file: &Found, text: &mut dyn Text) -> io::Result<Choice> {
        let first = text.fill_buf()?;
        let (looks_binary, has_controls) = (is_binary(first), has_controls(first));
        let candidates = detect_file_with(text, Extent::All, &self.hints)?.candidates;
        let likely: f64 = candidates.iter().map(|candidate| candidate.confidence).sum();
        Ok(match self.verdict(&candidates) {
            // Skip files that were not named explicitly if they have a NUL, or controls and are unlikely
            // to be text.
            _ if likely <= 0.5 && has_controls && !file.is_named => Choice::Binary,
            Verdict::Sure(best) => Choice::Known(best.encoding, basis(best)),
            _ if looks_binary && !file.is_named => Choice::Binary,
            verdict => Choice::Unknown(format!("{}; {TO_DECIDE}", verdict.best_guess())),
        })
    }
}

/// Whether there are controls that text hardly ever has.
fn has_controls(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .any(|byte| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B))
}

/// Reports a guess.
pub(super) fn tell(known: &Known, is_quiet: bool) {
    if let Some(guess) = known.guess.as_ref().filter(|_| !is_quiet) {
        message::note(guess);
    }
}
