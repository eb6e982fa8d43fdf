//! Runs streams, cut in any way: collects their results, and checks that they finish.

use utfall::lines::Position;
use utfall::{Counts, Decoder, Encoder, Error, Progress, Status, Substitute, Transcoder};

use crate::input::Sizes;
use crate::room::Room;

/// The result for a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<T> {
    pub written: Vec<T>,
    /// Each with its line and column, and the number of units written before it.
    pub errors: Vec<(Error, Option<Position>, usize)>,
    pub counts: Counts,
    pub position: Option<Position>,
}

impl<T> Outcome<T> {
    /// The first error.
    pub fn error(&self) -> Option<Error> {
        self.errors.first().map(|(error, ..)| *error)
    }

    /// The text written, or the first error.
    pub fn result(&self) -> Result<&[T], Error> {
        self.error().map_or(Ok(&self.written), Err)
    }
}

/// Properties common to all streams.
pub trait Stream {
    fn counts(&self) -> Counts;
    fn position(&self) -> Option<Position>;
}

impl Stream for Transcoder<'_> {
    fn counts(&self) -> Counts {
        Self::counts(self)
    }

    fn position(&self) -> Option<Position> {
        self.error_position()
    }
}

impl Stream for Decoder<'_> {
    fn counts(&self) -> Counts {
        Self::counts(self)
    }

    fn position(&self) -> Option<Position> {
        self.error_position()
    }
}

impl Stream for Encoder<'_> {
    fn counts(&self) -> Counts {
        Self::counts(self)
    }

    fn position(&self) -> Option<Position> {
        None
    }
}

/// Passes `src` to a stream in pieces, with output buffers, to the end and past all errors, and
/// collects the results.
///
/// # Panics
/// If a call reads or writes more than there is, reports that all was read when it was not, or
/// makes no progress with a buffer of 16 bytes.
pub fn run<S, T, R: Stream>(
    stream: &mut R,
    src: &[S],
    cuts: Sizes,
    rooms: Sizes,
    step: impl FnMut(&mut R, &[S], &mut [T], bool) -> Progress,
) -> Outcome<T>
where
    T: Copy + PartialEq + From<u8>,
{
    let mut outcome = Outcome {
        written: Vec::new(),
        errors: Vec::new(),
        counts: Counts::default(),
        position: None,
    };
    run_on(stream, src, (cuts, rooms), true, &mut outcome, step);
    outcome.counts = stream.counts();
    outcome.position = stream.position();
    outcome
}

/// Like [`run`], for a part of a text, which is the last one or not.
pub fn run_on<S, T, R: Stream>(
    stream: &mut R,
    src: &[S],
    (mut cuts, mut rooms): (Sizes, Sizes),
    last: bool,
    outcome: &mut Outcome<T>,
    mut step: impl FnMut(&mut R, &[S], &mut [T], bool) -> Progress,
) where
    T: Copy + PartialEq + From<u8>,
{
    let enough = 16_usize.div_ceil(size_of::<T>());
    let before = outcome.errors.len();
    let mut rest = src;
    // The space that a call without progress needs to make some the next time.
    let mut least = 0;
    loop {
        let (mut piece, after) = rest.split_at(cuts.next(rest.len()));
        rest = after;
        let ends = last && rest.is_empty();
        loop {
            // Usually enough for the whole output.
            let length = rooms.next(64 + 4 * piece.len()).max(least);
            let mut room = Room::new(length, 0);
            let (written, progress) = room.fill(|room| {
                let progress = step(stream, piece, room, ends);
                (progress.written, progress)
            });
            outcome.written.extend(written);
            piece = &piece[progress.read..];
            match progress.status {
                Status::InputEmpty => break,
                Status::Error(error) => {
                    outcome.errors.push((error, stream.position(), outcome.written.len()));
                    // One for each code point of a substitute, if none of them can be encoded.
                    let most = (outcome.errors.len() - before) / (Substitute::MAX + 1);
                    assert!(most <= src.len() + 1, "{error} comes again and again");
                    least = 0;
                }
                Status::OutputFull if progress.read + progress.written > 0 => least = 0,
                Status::OutputFull => {
                    assert!(length < enough, "no progress into {length} units");
                    least = enough;
                }
            }
        }
        assert!(piece.is_empty(), "{} units are left of what was read", piece.len());
        if rest.is_empty() {
            return;
        }
    }
}
