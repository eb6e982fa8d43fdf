//! The bits of a unit, and the code units they form.

use super::state::State;
use super::{Unit, UnitKind};
use crate::codec::{imap_utf7, utf7};

/// The meaningful bits of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bits {
    /// The value of the bits: of the byte; in UTF-EBCDIC, of the I8 byte; in a shifted run, of the
    /// digit.
    pub value: u8,
    /// The number of bits: 8, or 6 for a digit.
    pub width: u8,
    /// Mask of the bits that are part of the unit's code point or code units. Zero if the encoding
    /// uses tables.
    pub payload: u8,
    /// In a shifted run: how many bits of this digit precede the first bit of a code unit, if a
    /// code unit begins here.
    pub begins: Option<u8>,
}

/// The code units of a unit of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeUnits {
    units: [u32; Self::MOST],
    count: usize,
}

impl CodeUnits {
    /// Enough for all digits a unit may have and the bits before them.
    const MOST: usize = 6;

    /// The code units.
    #[must_use]
    pub fn as_slice(&self) -> &[u32] {
        &self.units[..self.count]
    }

    fn push(&mut self, unit: u32) {
        if let Some(room) = self.units.get_mut(self.count) {
            *room = unit;
            self.count += 1;
        }
    }
}

impl<'s> Unit<'s> {
    /// The bits of each byte.
    ///
    /// ```
    /// use utfall::{Encoding, explain::Explainer};
    ///
    /// let unit = Explainer::new(Encoding::Utf8).next("é".as_bytes(), true).unwrap();
    /// let payload: Vec<_> = unit.bits().map(|bits| bits.value & bits.payload).collect();
    /// assert_eq!(payload, [0b00011, 0b101001]);
    /// ```
    pub fn bits(&self) -> impl Iterator<Item = Bits> + use<'s> {
        let unit = *self;
        (0..self.bytes.len()).map(move |at| unit.bits_of(at))
    }

    /// In a shifted run, the number and value of the bits of the preceding digit that belong to
    /// this unit.
    ///
    /// ```
    /// use utfall::{Encoding, explain::Explainer};
    ///
    /// let mut explainer = Explainer::new(Encoding::Utf7);
    /// let text = b"+ImIDkQ-";
    /// let units = std::iter::from_fn(|| explainer.next(&text[explainer.offset() as usize..], true));
    /// let carried: Vec<_> = units.map(|unit| unit.carried()).collect();
    /// // `+`, `ImI`, `DkQ`, `-`: the last two bits of `I` are the first of U+0391.
    /// assert_eq!(carried, [None, None, Some((2, 0b00)), Some((4, 0b0000))]);
    /// ```
    #[must_use]
    pub fn carried(&self) -> Option<(u8, u8)> {
        match self.state {
            State::Run { count: count @ 1.., bits, .. } => Some((count, bits)),
            _ => None,
        }
    }

    /// The code units, in encodings whose code units are not bytes: 16 or 32 bits in UTF-16 and
    /// UTF-32; 16 in UTF-7, in the Unicode mode of SCSU, and for surrogates of three bytes each.
    /// Empty otherwise.
    ///
    /// ```
    /// use utfall::{Encoding, explain::Explainer};
    ///
    /// let unit = Explainer::new(Encoding::Utf16Le).next(b"\x3D\xD8\x00\xDE", true).unwrap();
    /// assert_eq!(unit.code_units().as_slice(), [0xD83D, 0xDE00]);
    /// ```
    #[must_use]
    pub fn code_units(&self) -> CodeUnits {
        let mut units = CodeUnits::default();
        match self.state {
            State::Units { bytes: 2, is_little, .. } => {
                for bytes in self.bytes.as_chunks().0 {
                    units.push(u32::from(unit_of_two(*bytes, is_little)));
                }
            }
            State::Units { is_little, .. } => {
                for bytes in self.bytes.as_chunks().0 {
                    units.push(match is_little {
                        true => u32::from_le_bytes(*bytes),
                        false => u32::from_be_bytes(*bytes),
                    });
                }
            }
            State::Run { bits, count, is_imap } => {
                let (mut bits, mut count) = (u32::from(bits), count);
                for byte in self.bytes {
                    let Some(digit) = digit(*byte, is_imap) else { break };
                    bits = bits << 6 | u32::from(digit);
                    count += 6;
                    if count >= 16 {
                        count -= 16;
                        units.push(bits >> count & 0xFFFF);
                        bits &= (1 << count) - 1;
                    }
                }
            }
            State::Utf8 { surrogates: true } if matches!(self.bytes, [0xED, _, _, _, _, _]) => {
                for bytes in self.bytes.as_chunks::<3>().0 {
                    let [a, b, c] = bytes.map(u32::from);
                    units.push((a & 0xF) << 12 | (b & 0x3F) << 6 | c & 0x3F);
                }
            }
            State::Scsu { .. } => {
                if let (UnitKind::Character(point), Some(_)) = (self.what, self.unit_at(0)) {
                    let mut room = [0; 2];
                    if let Some(scalar) = char::from_u32(point) {
                        scalar.encode_utf16(&mut room).iter().for_each(|u| units.push((*u).into()));
                    }
                }
            }
            _ => {}
        }
        units
    }

    fn bits_of(&self, at: usize) -> Bits {
        let byte = self.bytes[at];
        let whole = Bits { value: byte, width: 8, payload: 0, begins: None };
        let stands_for_itself =
            matches!(self.what, UnitKind::Character(point) if point == u32::from(byte));
        match self.state {
            // In HZ, a tilde is written twice.
            State::Bytes | State::Bocu1 { .. } => {
                match stands_for_itself && byte < 0x80 && at + 1 == self.bytes.len() {
                    true => Bits { payload: 0x7F, ..whole },
                    false => whole,
                }
            }
            State::Single { payload } => match stands_for_itself {
                true => Bits { payload, ..whole },
                false => whole,
            },
            State::Utf8 { .. } => Bits { payload: payload_of_utf8(byte), ..whole },
            State::I8(to_i8) => {
                let value = to_i8[usize::from(byte)];
                Bits { value, payload: payload_of_i8(value), ..whole }
            }
            State::Run { count, is_imap, .. } => match digit(byte, is_imap) {
                Some(value) => self.bits_of_digit(at, value, count),
                None => whole,
            },
            State::Units { bytes, is_little, has_pairs } => {
                let size = usize::from(bytes);
                let begin = at / size * size;
                let pair = self.bytes[begin..].first_chunk().filter(|_| size == 2 && has_pairs);
                let Some(pair) = pair else { return Bits { payload: 0xFF, ..whole } };
                let is_first = (at == begin) != is_little;
                let is_surrogate = unit_of_two(*pair, is_little) & 0xF800 == 0xD800;
                let payload = if is_surrogate && is_first { 0x03 } else { 0xFF };
                Bits { payload, ..whole }
            }
            State::Scsu { unicode, .. } => {
                Bits { payload: self.payload_of_scsu(at, unicode), ..whole }
            }
        }
    }

    /// A digit that is preceded by that many bits of a code unit.
    fn bits_of_digit(&self, at: usize, value: u8, carried: u8) -> Bits {
        let is_last = !self.bytes.get(at + 1).is_some_and(|byte| match self.state {
            State::Run { is_imap, .. } => digit(*byte, is_imap).is_some(),
            _ => false,
        });
        let left = if is_last { self.left } else { 0 };
        let payload = 0x3F & !((1 << left) - 1);
        // Where this digit begins and ends, in bits from the start of a code unit.
        let begin = usize::from(carried) + 6 * at;
        let next_unit = begin.next_multiple_of(16);
        let begins = (next_unit < begin + 6).then_some((next_unit - begin) as u8);
        Bits { value, width: 6, payload, begins }
    }

    /// In SCSU, the number of tags before a code unit, if the bytes form one.
    fn unit_at(&self, at: usize) -> Option<usize> {
        let State::Scsu { unicode, .. } = self.state else { return None };
        match (unicode, self.bytes.get(at)?) {
            (false, 0x0E) | (true, 0xF0) => Some(1),
            (true, 0x00..0xE0 | 0xF3..) => Some(0),
            _ => None,
        }
    }

    fn payload_of_scsu(&self, at: usize, unicode: bool) -> u8 {
        if !matches!(self.what, UnitKind::Character(_)) {
            return 0;
        }
        let Some(tags) = self.unit_at(0) else {
            // The last byte is mapped through a window, whose number a tag may select.
            return if at + 1 == self.bytes.len() && !unicode { 0x7F } else { 0 };
        };
        let second = tags + 2;
        // The second unit of a pair may be preceded by a tag again.
        let begin = if at < second { tags } else { second + self.unit_at(second).unwrap_or(0) };
        match (at.checked_sub(begin), self.bytes.len() > tags + 2) {
            (None, _) => 0,
            (Some(0), true) => 0x03,
            _ => 0xFF,
        }
    }
}

fn unit_of_two(bytes: [u8; 2], is_little: bool) -> u16 {
    match is_little {
        true => u16::from_le_bytes(bytes),
        false => u16::from_be_bytes(bytes),
    }
}

fn digit(byte: u8, is_imap: bool) -> Option<u8> {
    match is_imap {
        true => imap_utf7::digit(byte),
        false => utf7::digit(byte),
    }
}

/// RFC 2044: bytes 80 to BF carry six bits; a first byte carries those after its first zero.
fn payload_of_utf8(byte: u8) -> u8 {
    match byte.leading_ones() {
        0 => 0x7F,
        1 => 0x3F,
        ones => 0x7F_u8.checked_shr(ones).unwrap_or(0),
    }
}

/// UTR #16: as in UTF-8, but bytes A0 to BF carry five bits, and lower ones are characters.
fn payload_of_i8(byte: u8) -> u8 {
    match byte {
        0x00..=0x9F => 0xFF,
        0xA0..=0xBF => 0x1F,
        _ => 0x7F_u8.checked_shr(byte.leading_ones()).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::{payload_of_i8, payload_of_utf8};

    #[test]
    fn payload_of_each_lead() {
        let utf8 = [0x41, 0x80, 0xBF, 0xC2, 0xE2, 0xF0, 0xF8, 0xFC, 0xFE, 0xFF];
        let masks = [0x7F, 0x3F, 0x3F, 0x1F, 0x0F, 0x07, 0x03, 0x01, 0, 0];
        assert_eq!(utf8.map(payload_of_utf8), masks);
        let i8_bytes = [0x41, 0x9F, 0xA0, 0xC5, 0xE1, 0xF0, 0xF8, 0xFC];
        assert_eq!(i8_bytes.map(payload_of_i8), [0xFF, 0xFF, 0x1F, 0x1F, 0x0F, 0x07, 0x03, 0x01]);
    }
}
