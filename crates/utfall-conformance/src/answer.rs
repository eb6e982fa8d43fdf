//! Questions and answers, and how both are serialized.

/// The operation on the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mode {
    /// Decode, and stop at ill-formed sequences. U+FEFF is text unless it determines the byte
    /// order.
    Strict,
    /// The same, but a byte order mark at the start is removed.
    Mark,
    /// Decode, replacing ill-formed sequences by U+FFFD.
    Replace,
    /// Encode, and stop at code points that cannot be encoded.
    Encode,
}

impl Mode {
    pub(crate) const ALL: [Self; 4] = [Self::Strict, Self::Mark, Self::Replace, Self::Encode];

    /// Its letter in the scripts of the peers.
    pub(crate) fn letter(self) -> u8 {
        match self {
            Self::Strict => b'd',
            Self::Mark => b'm',
            Self::Replace => b'r',
            Self::Encode => b'e',
        }
    }

    /// Its name on the page.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Strict => "read strictly",
            Self::Mark => "mark removed",
            Self::Replace => "read with U+FFFD",
            Self::Encode => "written",
        }
    }
}

/// One input for one encoding: bytes, or for [`Mode::Encode`] code points in UTF-32LE.
pub(crate) type Input = Vec<u8>;

/// The result for an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Code points in UTF-32LE, or for [`Mode::Encode`] bytes.
    Fine(Vec<u8>),
    /// It is ill-formed, or cannot be encoded: the offset and the length, in bytes or code points,
    /// as far as they are reported.
    Error(Option<u32>, Option<u32>),
    /// The encoding is unknown, or this input cannot be passed.
    NotAsked,
}

impl Answer {
    /// Whether two answers are consistent: details that only one reports are not compared.
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

    /// The decoded code points.
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

/// The code points of these bytes of UTF-32LE.
pub(crate) fn points(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four)).collect()
}

/// The bytes of these code points in UTF-32LE.
pub(crate) fn bytes(points: &[u32]) -> Vec<u8> {
    points.iter().flat_map(|point| point.to_le_bytes()).collect()
}

const NONE: u32 = u32::MAX;

/// Serializes a question: mode, length of the label, number of inputs, number of bytes after the
/// label, the label; then the length of each input and the input. All numbers are little-endian.
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

/// Serializes an answer: status, offset, length, number of bytes, the bytes.
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
