//! Runs the engines of one cell: first compares their results, then measures their times.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::corpus::{Corpus, Extent};
use crate::engine::{Engine, Piece, Room};
use crate::instructions::Counter;
use crate::op::{Kind, Op, Outcome};

/// The time to spend on a cell.
#[derive(Clone, Copy)]
struct Effort {
    /// A sample is at least this long.
    sample: Duration,
    /// All samples of all engines together take about this long.
    cell: Duration,
    /// The fewest and the most rounds, whatever the time.
    rounds: (u32, u32),
}

/// The time of one engine for one run over the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    pub(crate) min_ns: f64,
    pub(crate) median_ns: f64,
}

/// The results of a cell.
pub(crate) struct Cell {
    /// Bytes of input that are read.
    pub(crate) bytes: usize,
    /// One for each engine; `None` if its result is wrong, or if times are not measured.
    pub(crate) times: Vec<Option<Time>>,
    /// For each engine, how its result is wrong.
    pub(crate) wrong: Vec<Option<String>>,
}

/// Measures one operation on one corpus, or returns `None` if the corpus is unsuitable.
pub(crate) fn cell(
    op: Op,
    corpus: &Corpus,
    engines: &[Engine],
    extent: Extent,
    counter: Option<&mut Counter>,
) -> Option<Cell> {
    let sources = corpus.sources(op)?;
    let lengths = sources.iter().map(|source| source.bytes.len());
    let mut input = Aligned::new(lengths.sum());
    let mut at = 0;
    for source in &sources {
        input.bytes_mut()[at..at + source.bytes.len()].copy_from_slice(&source.bytes);
        at += source.bytes.len();
    }
    let mut rest = input.bytes();
    let mut pieces = Vec::new();
    for source in &sources {
        let (bytes, after) = rest.split_at(source.bytes.len());
        pieces.push(Piece { bytes, text: &source.text });
        rest = after;
    }

    let answers: Vec<(Outcome, Vec<u8>)> =
        pieces.iter().map(|piece| op.answer(piece.bytes, piece.text)).collect();
    let mut places = Places::default();
    for (piece, (_, output)) in pieces.iter().zip(&answers) {
        places.add(output.len(), 3 * piece.bytes.len() + 64);
    }
    let mut output = Aligned::new(places.end);
    let output = output.bytes_mut();

    let wrong: Vec<Option<String>> = engines
        .iter()
        .map(|engine| {
            let places = places.of(engine.room);
            output.fill(0xAA);
            let outcomes = (engine.outcomes)(&pieces, output, places);
            outcomes.iter().zip(places).zip(&answers).find_map(|((&outcome, place), answer)| {
                difference(outcome, &output[place.clone()], answer)
            })
        })
        .collect();

    let bytes = match op.kind {
        // No engine reads beyond the first error.
        Kind::ValidUpTo => answers.iter().map(|((valid_up_to, _), _)| valid_up_to).sum(),
        _ => pieces.iter().map(|piece| piece.bytes.len()).sum(),
    };
    let mut times = vec![None; engines.len()];
    if let Some(effort) = Effort::of(extent) {
        let mut samplers: Vec<Sampler<'_>> = Vec::new();
        for (index, engine) in engines.iter().enumerate() {
            if wrong[index].is_none() {
                let places = places.of(engine.room);
                samplers.push(Sampler { index, engine, places, loops: 1, samples: Vec::new() });
            }
        }
        match counter {
            Some(counter) => {
                for sampler in &mut samplers {
                    sampler.count(counter, &pieces, output);
                }
            }
            None if samplers.is_empty() => {}
            None => sample(&mut samplers, &pieces, output, effort),
        }
        for sampler in samplers {
            let index = sampler.index;
            times[index] = Some(sampler.time());
        }
    }
    Some(Cell { bytes, times, wrong })
}

/// Takes the samples; the engines alternate.
fn sample(samplers: &mut [Sampler<'_>], pieces: &[Piece<'_>], output: &mut [u8], effort: Effort) {
    let mut round = Duration::ZERO;
    for sampler in samplers.iter_mut() {
        round += sampler.calibrate(pieces, output, effort.sample);
    }
    let (least, most) = effort.rounds;
    let rounds = effort.cell.as_nanos() / round.as_nanos().max(1);
    let rounds = u32::try_from(rounds).unwrap_or(most).clamp(least, most);
    for round in 0..rounds {
        // Back and forth, so that no engine always follows the same one.
        let last = samplers.len() - 1;
        for at in 0..=last {
            let at = if round % 2 == 0 { at } else { last - at };
            samplers[at].sample(pieces, output);
        }
    }
}

impl Effort {
    fn of(extent: Extent) -> Option<Self> {
        let (sample, cell, rounds) = match extent {
            Extent::Test => return None,
            Extent::Quick => (20, 10_000, (7, 41)),
            Extent::Full => (50, 60_000, (7, 101)),
        };
        let micros = Duration::from_micros;
        Some(Self { sample: micros(sample), cell: micros(cell), rounds })
    }
}

/// An engine that is being measured.
struct Sampler<'a> {
    index: usize,
    engine: &'a Engine,
    places: &'a [Range<usize>],
    /// How often a sample runs it.
    loops: u64,
    /// Nanoseconds of one run.
    samples: Vec<f64>,
}

impl Sampler<'_> {
    /// Determines the number of runs in a sample; returns the duration of a sample.
    fn calibrate(&mut self, pieces: &[Piece<'_>], output: &mut [u8], least: Duration) -> Duration {
        loop {
            let time = self.time_of(pieces, output);
            if time >= least {
                return time;
            }
            let more = least.as_nanos() as f64 / time.as_nanos().max(20) as f64;
            // A little more than needed, so that the loop ends.
            self.loops = (self.loops as f64 * (1.1 * more).clamp(1.5, 16.0)).ceil() as u64;
        }
    }

    fn sample(&mut self, pieces: &[Piece<'_>], output: &mut [u8]) {
        let time = self.time_of(pieces, output);
        self.samples.push(time.as_nanos() as f64 / self.loops as f64);
    }

    fn time_of(&self, pieces: &[Piece<'_>], output: &mut [u8]) -> Duration {
        let start = Instant::now();
        (self.engine.run)(pieces, output, self.places, self.loops);
        start.elapsed()
    }

    /// Counts the instructions of a run, instead of its nanoseconds.
    fn count(&mut self, counter: &mut Counter, pieces: &[Piece<'_>], output: &mut [u8]) {
        let count = counter.of(|| (self.engine.run)(pieces, output, self.places, 1));
        self.samples.push(count as f64);
    }

    fn time(mut self) -> Time {
        self.samples.sort_by(f64::total_cmp);
        Time { min_ns: self.samples[0], median_ns: self.samples[self.samples.len() / 2] }
    }
}

/// How a result differs from the expected one.
fn difference(
    outcome: Outcome,
    output: &[u8],
    (right, bytes): &(Outcome, Vec<u8>),
) -> Option<String> {
    if outcome != *right {
        return Some(format!("{outcome:?} instead of {right:?}"));
    }
    let at = output.iter().zip(bytes).position(|(is, should)| is != should)?;
    Some(format!("byte {at} is {:02X} instead of {:02X}", output[at], bytes[at]))
}

/// The places for the outputs of the pieces.
#[derive(Default)]
struct Places {
    exact: Vec<Range<usize>>,
    ample: Vec<Range<usize>>,
    end: usize,
}

impl Places {
    fn add(&mut self, exact: usize, ample: usize) {
        // Whole units of every form, and aligned for them.
        let ample = exact.max(ample).next_multiple_of(16);
        self.exact.push(self.end..self.end + exact);
        self.ample.push(self.end..self.end + ample);
        self.end += ample;
    }

    fn of(&self, room: Room) -> &[Range<usize>] {
        match room {
            Room::Exact => &self.exact,
            Room::Ample => &self.ample,
        }
    }
}

/// Bytes that start 16 bytes after a multiple of 64, like large blocks from `malloc`: not the best
/// case for wide loads, but the usual one, and the same in every run.
struct Aligned {
    words: Vec<u32>,
    start: usize,
    length: usize,
}

impl Aligned {
    fn new(length: usize) -> Self {
        let words = vec![0_u32; length.div_ceil(4) + 16 + 4];
        let start = 4 * words.as_ptr().align_offset(64) + 16;
        Self { words, start, length }
    }

    fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[self.start..][..self.length]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[self.start..][..self.length]
    }
}
