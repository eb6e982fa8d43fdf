//! `utfall convert -f`: how the encoding of an input is known.

use std::fs::File;
use std::io;

use utfall::Encoding;
use utfall_detect::{Candidate, Extent, Hints, detect_file_with, detect_with};
use utfall_tree::walk::Found;
use utfall_tree::{Basis, Choice, Choose, Text, is_binary};

use crate::cli::ConvertArgs;
use crate::failure::Failure;
use crate::input::{Input, Source};
use crate::{detect as detection, label, message};

/// What stands for an encoding where one is to be found.
const DETECT: &str = "detect";
/// What the user may do about a file that is left alone.
const TO_DECIDE: &str = "to decide: --expect, --language, -f or --manifest";
/// What must be as probable as this, if `--min-confidence` says nothing else.
const MIN_CONFIDENCE: f64 = 0.9;

/// How it is known.
#[derive(Clone)]
pub(crate) enum How {
    /// It was said.
    Said(Encoding),
    /// A byte order mark says it.
    ByMark,
    /// It is guessed.
    Guessed(Guess),
}

/// The encoding of an input.
pub(super) struct Known {
    pub(super) encoding: Encoding,
    /// A byte order mark has decided it, and is no text.
    pub(super) has_mark: bool,
    /// A guess, to be told.
    pub(super) guess: Option<String>,
}

impl How {
    /// Whether FROM means that the encoding is to be guessed.
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
            Some(_) if is_guess => {
                Self::Guessed(Guess { least: args.min_confidence, hints: args.hints.hints()? })
            }
            Some(from) => Self::Said(label::find(from)?),
            None => Self::ByMark,
        })
    }

    /// The encoding of an input, which is at its start.
    pub(super) fn of(&self, input: &mut Input) -> Result<Known, Failure> {
        let known = |encoding, has_mark| Known { encoding, has_mark, guess: None };
        match self {
            Self::Said(encoding) => Ok(known(*encoding, false)),
            Self::ByMark => by_mark(input).map(|encoding| known(encoding, true)),
            Self::Guessed(guess) => guess.of_input(input),
        }
    }
}

/// The encoding that the mark at the start of an input says.
fn by_mark(input: &mut Input) -> Result<Encoding, Failure> {
    let found = Encoding::for_bom(input.first_octets()?);
    found.map(|(encoding, _)| encoding).ok_or_else(|| Failure::UsageWithHelp {
        text: format!("{}: no byte order mark says which encoding it is", input.name()),
        help: "say it with -f, for example -f UTF-8, or -f detect to have it guessed".into(),
    })
}

/// Guesses what an input is in, from all of it.
#[derive(Clone)]
pub(crate) struct Guess {
    /// What is less probable is not known, if the user said so.
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
            // What cannot be read twice is guessed from what is read of it first.
            None => detect_with(input.first_piece()?, &self.hints),
        };
        match self.choice(&candidates) {
            Choice::Known(encoding, basis) => {
                let why = match &basis {
                    Basis::Guessed(why) => format!("guessed, {why}"),
                    Basis::Mark => "by its byte order mark".into(),
                    _ => "well-formed".into(),
                };
                let guess = format!("{} is taken for {encoding} ({why})", input.name());
                Ok(Known { encoding, has_mark: basis == Basis::Mark, guess: Some(guess) })
            }
            Choice::Unknown(why) => Err(unsure(input, &why)),
            // A guess contradicts nothing.
            Choice::Binary | Choice::Contradicted(..) => Err(unsure(input, "no text")),
        }
    }

    fn choice(&self, candidates: &[Candidate]) -> Choice {
        let likely: f64 = candidates.iter().map(|candidate| candidate.confidence).sum();
        let Some(best) = candidates.first().filter(|_| likely > 0.5) else {
            return Choice::Binary;
        };
        // Whoever says how much is enough decides about doubts, too.
        let doubt = best.doubt.filter(|_| self.least.is_none());
        if best.confidence < self.least.unwrap_or(MIN_CONFIDENCE) || doubt.is_some() {
            let next = doubt.or_else(|| candidates.get(1).map(|next| next.encoding));
            let or = next.map_or(String::new(), |next| format!("; or {next}"));
            return Choice::Unknown(format!("unsure, perhaps {}{or}", detection::sentence(best)));
        }
        let has = |name: &str| best.evidence.iter().any(|evidence| evidence.name() == name);
        if has("hidden") {
            // Nobody is to be led to decode what was smuggled past a filter (U7-14).
            return Choice::Unknown(format!("text is hidden in it: {}", detection::sentence(best)));
        }
        let basis = match best.encoding {
            _ if has("signature") => Basis::Mark,
            Encoding::Utf8 if has("multi-octet") => Basis::WellFormed,
            Encoding::UsAscii => Basis::WellFormed,
            _ => Basis::Guessed(detection::reasons(best)),
        };
        Choice::Known(best.encoding, basis)
    }
}

fn unsure(input: &Input, why: &str) -> Failure {
    Failure::UsageWithHelp {
        text: format!("{}: which encoding it is in is not known: {why}", input.name()),
        help: "say it with -f, narrow it with --expect or --language, or accept less with \
               --min-confidence"
            .into(),
    }
}

impl Choose for Guess {
    fn choose(&self, file: &Found, text: &mut dyn Text) -> io::Result<Choice> {
        let looks_binary = is_binary(text.fill_buf()?);
        let choice = self.choice(&detect_file_with(text, Extent::All, &self.hints)?.candidates);
        Ok(match choice {
            Choice::Binary if file.is_named => Choice::Unknown("no text".into()),
            // Among files that nobody named, what has a NUL is no text unless that is explained.
            Choice::Unknown(_) if looks_binary && !file.is_named => Choice::Binary,
            Choice::Unknown(why) => Choice::Unknown(format!("{why}; {TO_DECIDE}")),
            choice => choice,
        })
    }
}

/// Tells a guess.
pub(super) fn tell(known: &Known, is_quiet: bool) {
    if let Some(guess) = known.guess.as_ref().filter(|_| !is_quiet) {
        message::note(guess);
    }
}
