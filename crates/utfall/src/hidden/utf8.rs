//! Hidden text in UTF-8 and its relatives: forms that current UTF-8 forbids and older decoders
//! accept.

use super::{Kind, Place, Shown, Tell, is_high, is_low, joined};
use crate::lines::Position;
use crate::{Decoder, Encoding, Granularity, Options, Status};

/// The longest sequence.
const LONGEST: usize = 6;

#[derive(Debug)]
pub(super) struct Utf8 {
    encoding: Encoding,
    decoder: Decoder<'static>,
    /// The last bytes before the input of the current call, and the offset of their end.
    recent: [u8; LONGEST],
    offset: u64,
    /// A high surrogate, which a low one may follow.
    high: Option<(Place, u32)>,
}

impl Utf8 {
    pub(super) fn new(encoding: Encoding) -> Self {
        // Whole sequences as an older RFC would have read them, which is how Perl counts.
        let options = Options { granularity: Granularity::Perl, ..Options::default() };
        Self {
            encoding,
            decoder: Decoder::new(Encoding::Utf8, options).track_position(),
            recent: [0; LONGEST],
            offset: 0,
            high: None,
        }
    }

    pub(super) fn find(&mut self, src: &[u8], last: bool, tell: Tell<'_>) {
        let mut read = 0;
        loop {
            let progress = self.decoder.validate(&src[read..], last);
            read += progress.read;
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => {
                    let position = self.decoder.error_position().unwrap_or_default();
                    let length = error.length() as usize;
                    let mut sequence = [0; LONGEST];
                    if let Some(sequence) = sequence.get_mut(..length) {
                        for (byte, offset) in sequence.iter_mut().zip(error.offset()..) {
                            *byte = self.byte(src, offset);
                        }
                        self.sequence(sequence, error.offset(), position, tell);
                    }
                }
            }
        }
        let kept = src.len().min(LONGEST);
        self.recent.copy_within(kept.., 0);
        self.recent[LONGEST - kept..].copy_from_slice(&src[src.len() - kept..]);
        self.offset += src.len() as u64;
        if last {
            self.end_high(tell);
        }
    }

    /// A byte of `src`, or one of the last before it.
    fn byte(&self, src: &[u8], offset: u64) -> u8 {
        let at = match offset.checked_sub(self.offset) {
            Some(at) => src.get(at as usize),
            None => self.recent.get(LONGEST.wrapping_sub((self.offset - offset) as usize)),
        };
        at.copied().unwrap_or_default()
    }

    fn sequence(&mut self, bytes: &[u8], offset: u64, position: Position, tell: Tell<'_>) {
        let Some(point) = value(bytes) else { return };
        let place = Place { offset, position };
        if let Some((begin, high)) = self.high
            && begin.offset + 3 == offset
            && is_low(point)
            && bytes.len() == 3
        {
            self.high = None;
            if !matches!(self.encoding, Encoding::Cesu8 | Encoding::Mutf8) {
                let text = Shown::one(joined(high, point));
                tell(begin.to(offset + 3, Kind::SurrogatePair, &text, SURROGATES));
            }
            return;
        }
        self.end_high(tell);
        let shortest = match point {
            0..0x80 => 1,
            0x80..0x800 => 2,
            0x800..0x1_0000 => 3,
            0x1_0000..0x20_0000 => 4,
            0x20_0000..0x400_0000 => 5,
            _ => 6,
        };
        let (kind, reason) = match bytes.len() {
            length if length > shortest => {
                (Kind::Overlong, "RFC 3629 §3: only the shortest form is valid")
            }
            3 if is_high(point) => {
                self.high = Some((place, point));
                return;
            }
            3 if is_low(point) => return self.surrogate(place, point, tell),
            5.. => (Kind::LongForm, "RFC 3629 §3: at most four bytes"),
            _ => return,
        };
        let is_nul_of_java = self.encoding == Encoding::Mutf8 && bytes == [0xC0, 0x80];
        if !is_nul_of_java {
            tell(place.to(offset + bytes.len() as u64, kind, &Shown::one(point), reason));
        }
    }

    fn end_high(&mut self, tell: Tell<'_>) {
        if let Some((place, high)) = self.high.take() {
            self.surrogate(place, high, tell);
        }
    }

    fn surrogate(&self, place: Place, unit: u32, tell: Tell<'_>) {
        if !matches!(self.encoding, Encoding::Wtf8 | Encoding::Mutf8) {
            tell(place.to(place.offset + 3, Kind::Surrogate, &Shown::one(unit), SURROGATES));
        }
    }
}

const SURROGATES: &str = "RFC 3629 §3: surrogates must not be encoded";

/// The value of a whole sequence as the older RFCs read it.
fn value(bytes: &[u8]) -> Option<u32> {
    let (lead, trail) = bytes.split_first()?;
    let announced = lead.leading_ones() as usize;
    let is_whole = matches!(announced, 2..=LONGEST) && bytes.len() == announced;
    let bits = u32::from(*lead) & (0x7F >> announced);
    is_whole.then(|| trail.iter().fold(bits, |bits, byte| bits << 6 | u32::from(byte & 0x3F)))
}
