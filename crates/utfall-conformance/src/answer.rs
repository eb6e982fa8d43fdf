//! What is asked, what is answered, and how both are written.

/// What is done with the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mode {
    /// Decode, and stop at what is ill-formed. U+FEFF is text where it does not tell the order.
    Strict,
    /// The same, but a byte order mark at the start is removed.
    Mark,
    /// Decode, with U+FFFD in place of what is ill-formed.
    Replace,
    /// Encode, and stop at what cannot be encoded.
    Encode,
}

impl Mode {
    pub(crate) const ALL: [Self; 4] = [Self::Strict, Self::Mark, Self::Replace, Self::Encode];

    /// As the scripts of the peers call it.
    pub(crate) fn letter(self) -> u8 {
        match self {
            Self::Strict => b'd',
            Self::Mark => b'm',
            Self::Replace => b'r',
            Self::Encode => b'e',
        }
    }

    /// As the page calls it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Strict => "read strictly",
            Self::Mark => "mark removed",
            Self::Replace => "read with U+FFFD",
            Self::Encode => "written",
        }
    }
}

/// One input for one encoding: octets, or for [`Mode::Encode`] code points in UTF-32LE.
pub(crate) type Input = Vec<u8>;

/// What somebody makes of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Code points in UTF-32LE, or for [`Mode::Encode`] octets.
    Fine(Vec<u8>),
    /// It is ill-formed, or cannot be encoded: where and how much, in octets or in code points, as
    /// far as that is told.
    Error(Option<u32>, Option<u32>),
    /// It does not know the encoding, or cannot be given this input.
    NotAsked,
}

impl Answer {
    /// Whether two answers do not contradict each other: what only one tells is not compared.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let alike = |one: &Option<u32>, two: &Option<u32>| match (one, two) {
            (Some(one), Some(two)) => one == two,
            _ => true,
        };
        match (self, other) {
            (Self::Error(offset, length), Self::Error(at, long)) => {
                alike(offset, at) && alike(length, long)
            }
            _ => self == other,
        }
    }

    /// The code points of what was decoded.
    pub(crate) fn points(&self) -> Option<Vec<u32>> {
        match self {
            Self::Fine(output) => Some(points(output)),
            _ => None,
        }
    }

    pub(crate) fn is_error(&self) -> bool {
        matches!(self, Self::Error(..))
    }
}

/// The code points that these octets of UTF-32LE are.
pub(crate) fn points(octets: &[u8]) -> Vec<u32> {
    octets.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four)).collect()
}

/// Octets in UTF-32LE.
pub(crate) fn octets(points: &[u32]) -> Vec<u8> {
    points.iter().flat_map(|point| point.to_le_bytes()).collect()
}

const NONE: u32 = u32::MAX;

/// The head of a question: mode, length of the label, number of inputs, octets that follow the
/// label; then each input with its length before it. All numbers are little-endian.
pub(crate) fn question(mode: Mode, label: &str, inputs: &[Input]) -> Vec<u8> {
    let size: usize = inputs.iter().map(|input| input.len() + 4).sum();
    let mut out = vec![mode.letter(), label.len() as u8];
    out.extend((inputs.len() as u32).to_le_bytes());
    out.extend((size as u32).to_le_bytes());
    out.extend(label.as_bytes());
    for input in inputs {
        out.extend((input.len() as u32).to_le_bytes());
        out.extend(input);
    }
    out
}

/// An answer as it is written: what became of it, offset, length, number of octets, the octets.
#[cfg(feature = "simdutf")]
#[allow(dead_code)] // Of the two programs that have this file, one writes and one reads.
pub(crate) fn written(answer: &Answer) -> Vec<u8> {
    let (status, offset, length, output): (u8, _, _, &[u8]) = match answer {
        Answer::Fine(output) => (0, None, None, output),
        Answer::Error(offset, length) => (1, *offset, *length, &[]),
        Answer::NotAsked => (2, None, None, &[]),
    };
    let mut out = vec![status];
    out.extend(offset.unwrap_or(NONE).to_le_bytes());
    out.extend(length.unwrap_or(NONE).to_le_bytes());
    out.extend((output.len() as u32).to_le_bytes());
    out.extend(output);
    out
}

/// Reads an answer.
pub(crate) fn read(source: &mut impl std::io::Read) -> std::io::Result<Answer> {
    let mut head = [0; 13];
    source.read_exact(&mut head)?;
    let number =
        |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let told = |at| Some(number(at)).filter(|number| *number != NONE);
    let mut output = vec![0; number(9) as usize];
    source.read_exact(&mut output)?;
    Ok(match head[0] {
        0 => Answer::Fine(output),
        1 => Answer::Error(told(1), told(5)),
        _ => Answer::NotAsked,
    })
}
