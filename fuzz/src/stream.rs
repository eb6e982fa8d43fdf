//! Streams, cut in any way: what comes of them, and that they come to an end.

use utfall::lines::Position;
use utfall::{Counts, Decoder, Encoder, Error, Progress, Status, Substitute, Transcoder};

use crate::input::Sizes;
use crate::room::Room;

/// What came of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<T> {
    pub written: Vec<T>,
    /// Each with its line and column, and how much was written before it.
    pub errors: Vec<(Error, Option<Position>, usize)>,
    pub counts: Counts,
    pub position: Option<Position>,
}

impl<T> Outcome<T> {
    /// The first error.
    pub fn error(&self) -> Option<Error> {
        self.errors.first().map(|(error, ..)| *error)
    }

    /// What was written, or the first error.
    pub fn result(&self) -> Result<&[T], Error> {
        self.error().map_or(Ok(&self.written), Err)
    }
}

/// What is the same of all streams.
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

/// Gives `src` to a stream in pieces, with rooms for what becomes of it, to the end and over all
/// errors, and collects that.
///
/// # Panics
/// If a call reads or writes more than there is, says that all was read when it was not, or does
/// not come on with 16 octets of room.
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

/// As [`run`], of a part of a text, which is the `last` or not.
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
    // What a call without progress needs so that the next one has some.
    let mut least = 0;
    loop {
        let (mut piece, behind) = rest.split_at(cuts.next(rest.len()));
        rest = behind;
        let ends = last && rest.is_empty();
        loop {
            // Often enough for all that becomes of it.
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
