//! A surface: a function that takes untrusted input, hostile input for it, and its limits.

use std::fmt;
use std::hint::black_box;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The limit for the memory that a surface allocates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Memory {
    /// This many bytes, however long the input is.
    Constant(u64),
    /// This many bytes for each byte of the input, and 64 KiB.
    PerByte(u64),
    /// This many bytes for each byte of the input, and what the command needs for streams.
    OfCommand(u64),
}

/// The allowance on top of [`Memory::PerByte`].
const SLACK: u64 = 64 << 10;
/// Resident memory that the command may have on top of that of `utfall list`: the code that it
/// runs, stacks, blocks of a stream.
pub(crate) const COMMAND: u64 = 12 << 20;

impl Memory {
    pub(crate) fn allows(self, peak: u64, length: u64) -> bool {
        match self {
            Self::Constant(most) => peak <= most,
            Self::PerByte(most) => peak <= most * length + SLACK,
            Self::OfCommand(most) => peak <= most * length + COMMAND,
        }
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(0) => f.write_str("none"),
            Self::Constant(most) if *most < 1 << 20 => write!(f, "{} KiB", most >> 10),
            Self::Constant(most) => write!(f, "{} MiB", most >> 20),
            Self::PerByte(most) => write!(f, "{most} per byte"),
            Self::OfCommand(most) => write!(f, "{} MiB and {most} per byte", COMMAND >> 20),
        }
    }
}

/// Makes hostile input of about this many bytes.
pub(crate) type Make = Box<dyn Fn(usize) -> Vec<u8>>;
/// Runs the surface on an input.
pub(crate) type Work = Box<dyn Fn(&[u8])>;

/// A surface with its input.
pub(crate) struct Surface {
    /// The function under test: surfaces with the same name are one row of the table.
    pub(crate) name: &'static str,
    /// A description of the input.
    pub(crate) input: String,
    pub(crate) memory: Memory,
    /// The smallest input, in bytes; some surfaces need more than others to show their cost.
    pub(crate) smallest: usize,
    make: Make,
    work: Work,
}

impl Surface {
    /// A surface that may allocate sixteen bytes for each byte of its input.
    pub(crate) fn new(
        name: &'static str,
        input: impl Into<String>,
        make: impl Fn(usize) -> Vec<u8> + 'static,
        work: impl Fn(&[u8]) + 'static,
    ) -> Self {
        Self {
            name,
            input: input.into(),
            memory: Memory::PerByte(16),
            smallest: 1 << 10,
            make: Box::new(make),
            work: Box::new(work),
        }
    }

    pub(crate) fn memory(mut self, memory: Memory) -> Self {
        self.memory = memory;
        self
    }

    pub(crate) fn smallest(mut self, smallest: usize) -> Self {
        self.smallest = smallest;
        self
    }

    /// The name and the input.
    pub(crate) fn title(&self) -> String {
        format!("{}: {}", self.name, self.input)
    }

    pub(crate) fn make(&self, length: usize) -> Vec<u8> {
        (self.make)(length)
    }

    /// Runs on an input, and returns the most memory that was allocated.
    pub(crate) fn work(&self, input: &[u8]) -> usize {
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        counted_by_callgrind(&self.work, input);
        MEMORY.peak_usage().saturating_sub(before)
    }
}

/// The name of the function below, for callgrind.
pub(crate) const COUNTED: &str = "utfall_limits::surface::counted_by_callgrind";

#[inline(never)]
fn counted_by_callgrind(work: &Work, input: &[u8]) {
    work(black_box(input));
}

/// `text`, repeated as a whole, up to this many bytes.
pub(crate) fn repeated(text: impl Into<Vec<u8>>) -> impl Fn(usize) -> Vec<u8> + Clone {
    let text = text.into();
    move |length| text.repeat((length / text.len()).max(1))
}

/// `begin`, then `text`, repeated up to this many bytes, then `end`.
pub(crate) fn within(
    begin: &'static [u8],
    text: &'static [u8],
    end: &'static [u8],
) -> impl Fn(usize) -> Vec<u8> + Clone {
    move |length| [begin, &repeated(text)(length), end].concat()
}

/// Pieces that differ by their numbers, up to this many bytes.
pub(crate) fn numbered(
    piece: impl Fn(usize) -> String + Clone,
) -> impl Fn(usize) -> Vec<u8> + Clone {
    move |length| {
        let mut bytes = Vec::new();
        for number in 0.. {
            if bytes.len() >= length {
                break;
            }
            bytes.extend_from_slice(piece(number).as_bytes());
        }
        bytes
    }
}

/// Pseudorandom bytes, the same ones each time.
pub(crate) fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let next = || {
        // xorshift64* (Vigna 2016).
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        Some((state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 56) as u8)
    };
    std::iter::from_fn(next).take(length).collect()
}
