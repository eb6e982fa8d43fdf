//! UTF-7 and its variant for IMAP, byte by byte as in glibc: a call can stop after each of them.

use super::reader::{Read, Stop};

/// The size of [`Utf7::bits`].
const ALL: u32 = 32;

#[derive(Clone, Copy)]
pub(super) struct Utf7 {
    is_imap: bool,
    /// The number of unused bits at the end of `bits`; 0 outside a run of Base64.
    free: u32,
    /// The bits of an unfinished code unit, or of a high surrogate and what follows it.
    bits: u32,
}

impl Utf7 {
    pub(super) fn new(is_imap: bool) -> Self {
        Self { is_imap, free: 0, bits: 0 }
    }

    /// The next text, or the text after ill-formed bytes, begins outside a run.
    pub(super) fn reset(&mut self) {
        (self.free, self.bits) = (0, 0);
    }

    /// Like glibc's, this decodes a low surrogate without a high one to itself, so that the call stops at
    /// the same byte. No target must have it.
    pub(super) fn read(&mut self, src: &[u8], dst: &mut [u32]) -> Read {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let Some(byte) = src.get(read) else { break Stop::Input };
            let Some(slot) = dst.get_mut(written) else { break Stop::Full };
            let point = match self.free {
                0 if self.is_direct(*byte) => Some(u32::from(*byte)),
                0 if *byte == self.shift() => match src.get(read + 1) {
                    None => break Stop::Incomplete,
                    Some(b'-') => {
                        read += 1;
                        Some(u32::from(*byte))
                    }
                    Some(_) => {
                        self.free = ALL;
                        None
                    }
                },
                0 => break Stop::Ill(1),
                _ => match self.digit(*byte) {
                    Some(digit) => match self.push(digit) {
                        Ok(point) => point,
                        Err(()) => break Stop::Ill(1),
                    },
                    None if self.can_end(*byte) => {
                        self.reset();
                        // Any other byte is read again, outside the run.
                        read += usize::from(*byte == b'-');
                        continue;
                    }
                    None => break Stop::Ill(1),
                },
            };
            read += 1;
            if let Some(point) = point {
                *slot = point;
                written += 1;
            }
        };
        Read { read, written, stop }
    }

    fn shift(self) -> u8 {
        if self.is_imap { b'&' } else { b'+' }
    }

    fn is_direct(self, byte: u8) -> bool {
        match self.is_imap {
            true => matches!(byte, b' '..=b'~') && byte != b'&',
            false => matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'}') && !b"+\\".contains(&byte),
        }
    }

    fn digit(self, byte: u8) -> Option<u32> {
        let last = if self.is_imap { b',' } else { b'/' };
        Some(u32::from(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            _ if byte == last => 63,
            _ => return None,
        }))
    }

    /// Whether a run ends before `byte`, with less than a digit of padding, which is zero.
    fn can_end(self, byte: u8) -> bool {
        self.bits == 0 && self.free > ALL - 6 && (!self.is_imap || byte == b'-')
    }

    /// Adds six bits. Returns the code point that they complete, or an error if the surrogate that they
    /// complete does not follow a high surrogate as it should.
    fn push(&mut self, digit: u32) -> Result<Option<u32>, ()> {
        if self.free > 6 {
            let free = self.free - 6;
            let bits = self.bits | digit << free;
            let unit = bits >> 16;
            let is_high = matches!(unit, 0xD800..0xDC00);
            // The first bits of the next unit show whether it is a low surrogate.
            if is_high && free <= 10 && bits & 0xFC00 != 0xDC00 {
                return Err(());
            }
            if free > 16 || is_high {
                (self.free, self.bits) = (free, bits);
                return Ok(None);
            }
            (self.free, self.bits) = (free + 16, bits << 16);
            return Ok(Some(unit));
        }
        let rest = 6 - self.free;
        let pair = self.bits | digit >> rest;
        let low = (pair & 0xFFFF) - 0xDC00;
        self.free = ALL - rest;
        self.bits = digit.checked_shl(self.free).unwrap_or(0);
        Ok(Some(0x1_0000 + (((pair >> 16) - 0xD800) << 10) + low))
    }
}
