//! Encoders and decoders of the library for charsets with shift states, as glibc uses them.

use std::borrow::Cow;

use utfall::{Bom, Decoder, Encoder, Encoding, Progress, Status};

use crate::options::{decoder, encoder};

/// The designation with which glibc begins every text in ISO-2022-KR.
const HEADER: &[u8; 4] = b"\x1B$)C";
const SHIFT_IN: u8 = 0x0F;
/// The names of charsets that not every build has.
const ISO_2022_CN: [&str; 2] = ["ISO-2022-CN/iana", "ISO-2022-CN-EXT/iana"];
const SHIFT_JISX0213: &str = "SHIFT_JISX0213";
/// A text that leaves an encoder of ISO-2022-KR in US-ASCII, after the designation.
const PRELUDE: [u32; 2] = [0xAC00, 0x61];

/// The progress of a call: code points read, bytes written.
pub(crate) struct Written {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) stop: WriteStop,
}

pub(crate) enum WriteStop {
    /// All code points were written.
    Input,
    /// The output has no space for the next code point.
    Full,
    /// The charset lacks the next code point.
    Unencodable,
}

impl Written {
    /// The progress of an encoder in `space` bytes, if the shortest character has `least` bytes.
    pub(crate) fn of(progress: Progress, least: usize, space: usize) -> Self {
        let Progress { read, written, status, .. } = progress;
        match status {
            Status::InputEmpty => Self { read, written, stop: WriteStop::Input },
            Status::OutputFull => Self { read, written, stop: WriteStop::Full },
            Status::Error(_) => {
                let is_full = space - written < least;
                let stop = if is_full { WriteStop::Full } else { WriteStop::Unencodable };
                Self { read: read - 1, written, stop }
            }
        }
    }
}

/// The encoder of a text.
pub(crate) struct ShiftingEncoder {
    encoding: Encoding,
    /// Made when the text begins.
    encoder: Option<Box<Encoder<'static>>>,
    /// The line has a character of ISO-2022-CN or -CN-EXT that is not in US-ASCII. glibc ends such a text with SI,
    /// even if it is in US-ASCII.
    ends_with_shift: bool,
}

impl ShiftingEncoder {
    pub(crate) fn new(encoding: Encoding) -> Self {
        Self { encoding, encoder: None, ends_with_shift: false }
    }

    /// A copy in the same state.
    pub(crate) fn fork(&self) -> Self {
        let encoder = self.encoder.as_ref().map(|encoder| Box::new(encoder.fork()));
        Self { encoder, ..*self }
    }

    pub(crate) fn reset(&mut self) {
        *self = Self::new(self.encoding);
    }

    /// Encodes a prefix of `points`.
    pub(crate) fn write(&mut self, points: &[u32], dst: &mut [u8]) -> Written {
        if points.is_empty() {
            return Written { read: 0, written: 0, stop: WriteStop::Input };
        }
        let mut begun = 0;
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            none => {
                let mut encoder = Box::new(encoder(self.encoding, bom(self.encoding)));
                if self.encoding == Encoding::Iso2022Kr {
                    let Some(space) = dst.first_chunk_mut() else {
                        return Written { read: 0, written: 0, stop: WriteStop::Full };
                    };
                    *space = *HEADER;
                    begun = HEADER.len();
                    _ = encoder.encode_code_points(&PRELUDE, &mut [0; 16], false);
                }
                none.insert(encoder)
            }
        };
        let space = &mut dst[begun..];
        let points = &*similar(self.encoding, points);
        let progress = encoder.encode_code_points(points, space, false);
        let done = Written::of(progress, 1, space.len());
        if ISO_2022_CN.contains(&self.encoding.name()) {
            for point in &points[..done.read] {
                self.ends_with_shift = *point != 0x0A && (self.ends_with_shift || *point >= 0x80);
            }
        }
        Written { written: begun + done.written, ..done }
    }

    /// Ends a text. Returns the number of bytes written, or `None` if the output has no space.
    pub(crate) fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let Some(encoder) = &mut self.encoder else { return Some(0) };
        let progress = encoder.encode_code_points(&[], dst, true);
        if progress.status != Status::InputEmpty {
            return None;
        }
        let mut written = progress.written;
        if self.ends_with_shift && written == 0 {
            *dst.first_mut()? = SHIFT_IN;
            written = 1;
        }
        self.ends_with_shift = false;
        Some(written)
    }
}

/// Replaces `\` and `~` by the yen sign and the overline in SHIFT_JISX0213, as glibc does: they have the bytes
/// 5C and 7E there.
fn similar(encoding: Encoding, points: &[u32]) -> Cow<'_, [u32]> {
    let is_any = |point: &u32| matches!(point, 0x5C | 0x7E);
    if encoding.name() != SHIFT_JISX0213 || !points.iter().any(is_any) {
        return Cow::Borrowed(points);
    }
    let of = |point: &u32| match point {
        0x5C => 0xA5,
        0x7E => 0x203E,
        _ => *point,
    };
    points.iter().map(of).collect()
}

/// A decoder for an encoding with shift states.
pub(crate) fn shifting_decoder(encoding: Encoding) -> Decoder<'static> {
    decoder(encoding, bom(encoding))
}

/// How to treat a BOM: as glibc does in UTF-7, otherwise as the library does.
fn bom(encoding: Encoding) -> Bom {
    match encoding {
        Encoding::Utf7 | Encoding::Utf7Imap => Bom::Keep,
        _ => Bom::Auto,
    }
}
