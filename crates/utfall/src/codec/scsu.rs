//! SCSU (UTS #6): the bytes 80–FF select characters of a window of 128; text without windows is
//! encoded in a mode of plain UTF-16.
//!
//! | single-byte mode | Unicode mode | |
//! |---|---|---|
//! | 00, 09, 0A, 0D, 20–7F | | themselves |
//! | 80–FF | | the active window |
//! | | 00–DF, F3–FF | first byte of a UTF-16 code unit |
//! | SQ*n* 01–08 | | quote: one character of static (00–7F) or dynamic (80–FF) window *n* |
//! | SQU 0E | UQU F0 | quote: one code unit |
//! | SC*n* 10–17 | UC*n* E0–E7 | change to window *n*, and to single-byte mode |
//! | SD*n* 18–1F | UD*n* E8–EF | place window *n* (one byte says where) and change to it |
//! | SDX 0B | UDX F1 | the same above FFFF (two bytes: which window, and where) |
//! | SCU 0F | | change to Unicode mode |
//!
//! See `docs/decisions.md` §7.

mod choice;

use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{Family, Info};
use crate::{ErrorKind, Options};
use choice::{AHEAD, Bytes, State};

pub(crate) struct Scsu;

impl Codec for Scsu {
    const INFO: Info = Info {
        name: "SCSU",
        iana: true,
        aliases: &["csSCSU", "ibm-1212", "ibm-1213"],
        specification: "UTS #6",
        stateful: true,
        signature: b"\x0E\xFE\xFF",
        clause: |kind| match kind {
            ErrorKind::Reserved => {
                "UTS #6 §5.1, §5.2, §6.1.2: 0C, F2 and the offsets 00 and A8 to F8 are reserved"
            }
            ErrorKind::Surrogate => "UTS #6 §8.1: surrogates come in pairs, high then low",
            ErrorKind::Unencodable(_) => {
                "UTS #6 §2.1: characters are those of UTF-16, 0 to D7FF and E000 to 10FFFF"
            }
            _ => "UTS #6 §5.1, §5.2: tags and code units must be complete",
        },
        ..Info::of(Family::Compression)
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder { unicode: false, active: 0x80, windows: DYNAMIC }
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { state: State::START, held: [0; AHEAD], count: 0 }
    }
}

/// The tags of single-byte mode. Those with a window number are for window 0.
mod single {
    pub(super) const SQ: u8 = 0x01;
    pub(super) const SDX: u8 = 0x0B;
    pub(super) const SQU: u8 = 0x0E;
    pub(super) const SCU: u8 = 0x0F;
    pub(super) const SC: u8 = 0x10;
    pub(super) const SD: u8 = 0x18;
}

/// The tags of Unicode mode.
mod unicode {
    pub(super) const UC: u8 = 0xE0;
    pub(super) const UD: u8 = 0xE8;
    pub(super) const UQU: u8 = 0xF0;
    pub(super) const UDX: u8 = 0xF1;
}

/// The starts of the static windows.
pub(crate) const STATIC: [u32; 8] = [0, 0x80, 0x100, 0x300, 0x2000, 0x2080, 0x2100, 0x3000];

/// The starts of the dynamic windows at the start of a text.
const DYNAMIC: [u32; 8] = [0x80, 0xC0, 0x400, 0x600, 0x900, 0x3040, 0x30A0, 0xFF00];

/// Offsets F9–FF: windows for scripts that are not aligned to 128.
const UNALIGNED: [u32; 7] = [0xC0, 0x250, 0x370, 0x530, 0x3040, 0x30A0, 0xFF60];

/// The size of a window.
const SIZE: u32 = 0x80;

/// The start of a window defined by SDn or UDn.
fn window(offset: u8) -> Option<u32> {
    let blocks = u32::from(offset) * SIZE;
    match offset {
        0x01..=0x67 => Some(blocks),
        0x68..=0xA7 => Some(blocks + 0xAC00),
        0xF9..=0xFF => Some(UNALIGNED[usize::from(offset - 0xF9)]),
        _ => None,
    }
}

/// Whether no window can contain `point`: ideographs and Hangul.
fn windowless(point: u32) -> bool {
    matches!(point, 0x3400..=0xDFFF)
}

/// Whether this US-ASCII control is a command in single-byte mode.
fn is_command(point: u32) -> bool {
    point < 0x20 && !matches!(point, 0x00 | 0x09 | 0x0A | 0x0D)
}

#[derive(Clone)]
pub(crate) struct Decoder {
    unicode: bool,
    /// The start of the active window.
    active: u32,
    windows: [u32; 8],
}

impl Decode for Decoder {
    #[inline]
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let Some(&byte) = src.first() else { return Next::End };
        if !self.unicode && !is_command(u32::from(byte)) {
            let begin = if byte < 0x80 { 0 } else { self.active };
            return Next::Point { point: begin + u32::from(byte & 0x7F), length: 1 };
        }
        self.command(src, last)
    }
}

impl Decoder {
    /// Whether it is in Unicode mode, the start of the active window, and the starts of all eight.
    pub(crate) fn windows(&self) -> (bool, u32, [u32; 8]) {
        (self.unicode, self.active, self.windows)
    }

    /// Decodes everything except single bytes of single-byte mode.
    fn command(&mut self, src: &[u8], last: bool) -> Next {
        use self::{single::*, unicode::*};

        let cut = || if last { Next::ill(ErrorKind::Truncated, src.len()) } else { Next::End };
        let tag = src[0];
        let n = usize::from(tag & 7);
        match (self.unicode, tag) {
            (false, SQ..=0x08) => {
                let Some(&byte) = src.get(1) else { return cut() };
                let n = usize::from(tag - SQ);
                let windows = if byte < 0x80 { &STATIC } else { &self.windows };
                Next::Point { point: windows[n] + u32::from(byte & 0x7F), length: 2 }
            }
            (false, SC..=0x17) | (true, UC..=0xE7) => {
                self.change(n);
                Next::Skip { length: 1 }
            }
            (false, SD..=0x1F) | (true, UD..=0xEF) => {
                let Some(&offset) = src.get(1) else { return cut() };
                let Some(begin) = window(offset) else { return Next::ill(ErrorKind::Reserved, 2) };
                self.windows[n] = begin;
                self.change(n);
                Next::Skip { length: 2 }
            }
            (false, SDX) | (true, UDX) => {
                let &[_, high, low, ..] = src else { return cut() };
                // Three bits of window number, thirteen of offset.
                let n = usize::from(high >> 5);
                let offset = u16::from_be_bytes([high & 0x1F, low]);
                self.windows[n] = 0x1_0000 + u32::from(offset) * SIZE;
                self.change(n);
                Next::Skip { length: 3 }
            }
            (false, SCU) => {
                self.unicode = true;
                Next::Skip { length: 1 }
            }
            _ => match self.tags(tag) {
                Some(tags) => self.utf16(tags, src, last),
                // 0C or F2. The rest of single-byte mode is handled by `next`.
                None => Next::ill(ErrorKind::Reserved, 1),
            },
        }
    }

    fn change(&mut self, n: usize) {
        self.unicode = false;
        self.active = self.windows[n];
    }

    /// How many tags precede the code unit that begins with `byte`; `None` if it is not a code
    /// unit.
    fn tags(&self, byte: u8) -> Option<usize> {
        match (self.unicode, byte) {
            (false, single::SQU) | (true, unicode::UQU) => Some(1),
            (true, 0x00..unicode::UC | 0xF3..) => Some(0),
            _ => None,
        }
    }

    /// A code unit after that many tags, or a surrogate pair.
    fn utf16(&self, tags: usize, src: &[u8], last: bool) -> Next {
        let unit = |tags, src: &[u8]| -> Option<u32> {
            let bytes = src.get(tags..)?.first_chunk()?;
            Some(u32::from(u16::from_be_bytes(*bytes)))
        };
        let Some(high) = unit(tags, src) else {
            return if last { Next::ill(ErrorKind::Truncated, src.len()) } else { Next::End };
        };
        let length = tags + 2;
        let alone = Next::ill(ErrorKind::Surrogate, length);
        match high {
            0xD800..=0xDBFF => {}
            0xDC00..=0xDFFF => return alone,
            _ => return Next::Point { point: high, length },
        }

        let unknown = if last { alone } else { Next::End };
        let rest = &src[length..];
        let Some(&byte) = rest.first() else { return unknown };
        let Some(tags) = self.tags(byte) else { return alone };
        match unit(tags, rest) {
            Some(low @ 0xDC00..=0xDFFF) => {
                let point = 0x1_0000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
                Next::Point { point, length: length + tags + 2 }
            }
            Some(_) => alone,
            None => unknown,
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    state: State,
    /// Code points held back until others are known.
    held: [u32; AHEAD],
    count: usize,
}

impl Encode for Encoder {
    #[inline]
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if char::from_u32(point).is_none() {
            return Put::Unencodable;
        }
        if self.count == 0 {
            if let Some(byte) = self.state.byte(point) {
                let Some(room) = dst.first_mut() else { return Put::Full };
                *room = byte;
                return Put::Written(1);
            }
            if self.state.unicode && windowless(point) {
                let Some(room) = dst.first_chunk_mut() else { return Put::Full };
                *room = (point as u16).to_be_bytes();
                return Put::Written(2);
            }
        }

        if (1..AHEAD).contains(&self.count) {
            // The first one is still held back.
            self.held[self.count] = point;
            self.count += 1;
            return Put::Written(0);
        }
        let mut points = [0; AHEAD + 1];
        points[..AHEAD].copy_from_slice(&self.held);
        points[self.count] = point;
        self.write(&points[..=self.count], false, dst).map_or(Put::Full, Put::Written)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let held = self.held;
        self.write(&held[..self.count], true, dst)
    }
}

impl Encoder {
    /// Writes as many of `points` as are decided (all if `last`) and holds back the others. Returns
    /// `None` and changes nothing if there is no space.
    #[cfg_attr(utfall_speed, optimize(speed))]
    fn write(&mut self, points: &[u32], last: bool, dst: &mut [u8]) -> Option<usize> {
        let mut state = self.state.clone();
        let mut bytes = Bytes::default();
        let mut points = points;
        while let Some((&point, rest)) = points.split_first() {
            let step = match state.only_step(point) {
                Some(step) => step,
                None if last || rest.len() == AHEAD => state.shortest(points, usize::MAX).1,
                None => break,
            };
            let expected = bytes.length + state.length(step, point);
            state.take(step, point, &mut bytes);
            debug_assert_eq!(bytes.length, expected);
            points = rest;
        }
        let bytes = bytes.as_slice();
        dst.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.state = state;
        self.held[..points.len()].copy_from_slice(points);
        self.count = points.len();
        Some(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use utfall_oracle::step;

    use super::{UNALIGNED, window};
    use crate::codec::round_trip::{self, decoded, encoded};
    use crate::{Encoder, Encoding, ErrorKind, Options, Status};

    const SCSU: Encoding = Encoding::Scsu;

    // The examples of UTS #6 §9: texts, and the bytes in the specification.

    const GERMAN: (&str, &[u8]) = ("Öl fließt", b"\xD6l flie\xDFt");
    const RUSSIAN: (&str, &[u8]) = ("Москва", b"\x12\x9C\xBE\xC1\xBA\xB2\xB0");
    const JAPANESE: (&str, &[u8]) = (
        "　♪リンゴ可愛いや可愛いやリンゴ。半世紀も前に流行した「リンゴの歌」がぴったりする\
         かもしれない。米アップルコンピュータ社のパソコン「マック（マッキントッシュ）」を、\
         こよなく愛する人たちのことだ。「アップル信者」なんて言い方まである。",
        b"\x08\x00\x1B\x4C\xEA\x16\xCA\xD3\x94\x0F\x53\xEF\x61\x1B\xE5\x84\xC4\x0F\x53\xEF\
          \x61\x1B\xE5\x84\xC4\x16\xCA\xD3\x94\x08\x02\x0F\x53\x4A\x4E\x16\x7D\x00\x30\x82\
          \x52\x4D\x30\x6B\x6D\x41\x88\x4C\xE5\x97\x9F\x08\x0C\x16\xCA\xD3\x94\x15\xAE\x0E\
          \x6B\x4C\x08\x0D\x8C\xB4\xA3\x9F\xCA\x99\xCB\x8B\xC2\x97\xCC\xAA\x84\x08\x02\x0E\
          \x7C\x73\xE2\x16\xA3\xB7\xCB\x93\xD3\xB4\xC5\xDC\x9F\x0E\x79\x3E\x06\xAE\xB1\x9D\
          \x93\xD3\x08\x0C\xBE\xA3\x8F\x08\x88\xBE\xA3\x8D\xD3\xA8\xA3\x97\xC5\x17\x89\x08\
          \x0D\x15\xD2\x08\x01\x93\xC8\xAA\x8F\x0E\x61\x1B\x99\xCB\x0E\x4E\xBA\x9F\xA1\xAE\
          \x93\xA8\xA0\x08\x02\x08\x0C\xE2\x16\xA3\xB7\xCB\x0F\x4F\xE1\x80\x05\xEC\x60\x8D\
          \xEA\x06\xD3\xE6\x0F\x8A\x00\x30\x44\x65\xB9\xE4\xFE\xE7\xC2\x06\xCB\x82",
    );
    const ALL_FEATURES: (&str, &[u8]) = (
        "A\u{DF}\u{401}\u{15F}\u{DF}\u{1DF}\u{F000}\u{10FFFF}\r\n\
         A\u{DF}\u{401}\u{15F}\u{DF}\u{1DF}\u{F000}\u{10FFFF}",
        b"\x41\xDF\x12\x81\x03\x5F\x10\xDF\x1B\x03\xDF\x1C\x88\x80\x0B\xBF\xFF\xFF\x0D\x0A\
          \x41\x10\xDF\x12\x81\x03\x5F\x10\xDF\x13\xDF\x14\x80\x15\xFF",
    );

    #[test]
    fn samples_of_section_9() {
        for ((text, bytes), most) in
            [(GERMAN, 9), (RUSSIAN, 7), (JAPANESE, 178), (ALL_FEATURES, 33)]
        {
            assert_eq!(SCSU.decode(bytes).unwrap(), text);
            let ours = SCSU.encode(text).unwrap();
            assert!(ours.len() <= most, "{} bytes for {text}", ours.len());
            assert_eq!(SCSU.decode(&ours).unwrap(), text);
        }
    }

    #[test]
    fn signature_of_section_8() {
        assert_eq!(encoded(SCSU, &[0xFEFF, 0x41]), b"\x0E\xFE\xFF\x41");
        assert_eq!(decoded(SCSU, SCSU.info().signature), [0xFEFF]);
    }

    #[test]
    fn window_offsets_of_section_6() {
        assert_eq!(window(0x01), Some(0x80));
        assert_eq!(window(0x67), Some(0x3380));
        assert_eq!(window(0x68), Some(0xE000));
        assert_eq!(window(0xA7), Some(0xFF80));
        for reserved in [0x00].into_iter().chain(0xA8..=0xF8) {
            assert_eq!(window(reserved), None);
            // The state does not change: window 2 is still Cyrillic, and active.
            let bytes = [0x12, 0x1A, reserved, 0x80];
            let error = SCSU.validate(&bytes).unwrap_err();
            assert_eq!((error.kind(), error.offset(), error.length()), (ErrorKind::Reserved, 1, 2));
            assert_eq!(SCSU.decode_lossy(&bytes).text, "\u{FFFD}\u{400}");
        }
        for (offset, begin) in (0xF9..=0xFF).zip(UNALIGNED) {
            assert_eq!(decoded(SCSU, &[0x18, offset, 0x80, 0xFF]), [begin, begin + 0x7F]);
        }
        assert_eq!(decoded(SCSU, b"\x0B\xE0\x00\x80\x0B\x1F\xFF\xFF"), [0x1_0000, 0x10_FFFF]);
        assert_eq!(decoded(SCSU, b"\x0F\xF1\xE0\x00\x80\x10\x08\xFF"), [0x1_0000, 0x1_007F]);
    }

    #[test]
    fn windows_see_what_they_are_placed_for() {
        for begin in UNALIGNED {
            for point in [begin - 1, begin, begin + 0x7F, begin + 0x80] {
                for text in [&[point][..], &[point; 4]] {
                    assert_eq!(decoded(SCSU, &encoded(SCSU, text)), text, "{point:X}");
                }
            }
        }
        for point in [0x7F, 0x80, 0xFFFF, 0x1_0000] {
            for text in [&[point][..], &[0x430, 0x4E00, 0x4E00, 0x4E00, point, 0x430, 0x430]] {
                assert_eq!(decoded(SCSU, &encoded(SCSU, text)), text, "{point:X}");
            }
        }
    }

    #[test]
    fn quotes() {
        // From each static window and each dynamic window.
        let bytes: Vec<u8> = (1..=8).flat_map(|tag| [tag, 0x05, tag, 0x85]).collect();
        let points = [
            0x05, 0x85, 0x85, 0xC5, 0x105, 0x405, 0x305, 0x605, 0x2005, 0x905, 0x2085, 0x3045,
            0x2105, 0x30A5, 0x3005, 0xFF05,
        ];
        assert_eq!(decoded(SCSU, &bytes), points);
        // Units that look like tags.
        assert_eq!(
            decoded(SCSU, b"\x0F\xF0\xE0\x41\xF0\xF2\x42\xF3\x43"),
            [0xE041, 0xF242, 0xF343]
        );
    }

    #[test]
    fn pairs_in_every_dress() {
        for bytes in [
            &b"\x0F\xD8\x3D\xDE\x00"[..],
            b"\x0F\xF0\xD8\x3D\xDE\x00",
            b"\x0F\xD8\x3D\xF0\xDE\x00",
            b"\x0F\xF0\xD8\x3D\xF0\xDE\x00",
            b"\x0E\xD8\x3D\x0E\xDE\x00",
        ] {
            assert_eq!(decoded(SCSU, bytes), [0x1_F600]);
        }
    }

    #[test]
    fn ill_formed() {
        let cases: [(&[u8], ErrorKind, u64, u32, &str); 21] = [
            (b"a\x0C\x80", ErrorKind::Reserved, 1, 1, "a\u{FFFD}\u{80}"),
            (b"\x0F\xF2\x00A", ErrorKind::Reserved, 1, 1, "\u{FFFD}A"),
            (b"\x0F\xEA\x00\x00A", ErrorKind::Reserved, 1, 2, "\u{FFFD}A"),
            (b"\x01", ErrorKind::Truncated, 0, 1, "\u{FFFD}"),
            (b"\x0B\xFF", ErrorKind::Truncated, 0, 2, "\u{FFFD}"),
            (b"\x0E\x4E", ErrorKind::Truncated, 0, 2, "\u{FFFD}"),
            (b"\x18", ErrorKind::Truncated, 0, 1, "\u{FFFD}"),
            (b"\x0F\x41", ErrorKind::Truncated, 1, 1, "\u{FFFD}"),
            (b"\x0F\xF0\x41", ErrorKind::Truncated, 1, 2, "\u{FFFD}"),
            (b"\x0F\xF1\x41", ErrorKind::Truncated, 1, 2, "\u{FFFD}"),
            (b"\x0F\xE8", ErrorKind::Truncated, 1, 1, "\u{FFFD}"),
            (b"\x0F\xDC\x00\x00A", ErrorKind::Surrogate, 1, 2, "\u{FFFD}A"),
            (b"\x0F\xD8\x00\x00A", ErrorKind::Surrogate, 1, 2, "\u{FFFD}A"),
            (b"\x0F\xD8\x00\xD8\x3D\xDE\x00", ErrorKind::Surrogate, 1, 2, "\u{FFFD}😀"),
            (b"\x0F\xD8\x00\xE0A", ErrorKind::Surrogate, 1, 2, "\u{FFFD}A"),
            (b"\x0F\xD8\x00", ErrorKind::Surrogate, 1, 2, "\u{FFFD}"),
            (b"\x0F\xD8\x00\xF0\xDC", ErrorKind::Surrogate, 1, 2, "\u{FFFD}\u{FFFD}"),
            (b"\x0F\xF0\xDC\x00\x00A", ErrorKind::Surrogate, 1, 3, "\u{FFFD}A"),
            (b"\x0E\xD8\x00A", ErrorKind::Surrogate, 0, 3, "\u{FFFD}A"),
            // A tag between the two.
            (b"\x0E\xD8\x00\x0F\xDC\x00", ErrorKind::Surrogate, 0, 3, "\u{FFFD}\u{FFFD}"),
            (b"\x0E\xDC\x00A", ErrorKind::Surrogate, 0, 3, "\u{FFFD}A"),
        ];
        for (bytes, kind, offset, length, lossy) in cases {
            let error = SCSU.validate(bytes).unwrap_err();
            assert_eq!((error.kind(), error.offset(), error.length()), (kind, offset, length));
            assert_eq!(SCSU.decode_lossy(bytes).text, lossy, "{bytes:X?}");
        }
        round_trip::short_sequences(SCSU);
    }

    #[test]
    fn every_value() {
        round_trip::scalar_values(SCSU);
    }

    /// Texts that alternate between scripts give the same bytes however they are split.
    #[test]
    fn cuts_do_not_matter() {
        const SCRIPTS: [u32; 24] = [
            0x0, 0x20, 0x41, 0x61, 0xE0, 0x100, 0x180, 0x3B1, 0x430, 0x5D0, 0xE01, 0x2010, 0x20A0,
            0x3041, 0x30A0, 0x4E00, 0x4F00, 0xAC00, 0xE000, 0xF300, 0xFEF0, 0xFF61, 0x1_F300,
            0x1_F600,
        ];
        let mut seed = 1_u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for length in (0..400).step_by(step(7)) {
            let mut script = 0;
            let mut text = Vec::new();
            for _ in 0..length {
                if random(3) == 0 {
                    script = random(SCRIPTS.len() as u64) as usize;
                }
                text.push(SCRIPTS[script] + random(0x20) as u32);
            }
            let whole = encoded(SCSU, &text);
            assert_eq!(decoded(SCSU, &whole), text);

            let mut encoder = Encoder::new(SCSU, Options::default());
            let mut pieces = Vec::new();
            let mut room = [0; 40];
            let mut at = 0;
            loop {
                let end = text.len().min(at + random(5) as usize);
                let last = end == text.len();
                let room = &mut room[..16 + random(24) as usize];
                let progress = encoder.encode_code_points(&text[at..end], room, last);
                pieces.extend_from_slice(&room[..progress.written]);
                at += progress.read;
                if last && progress.status == Status::InputEmpty {
                    break;
                }
            }
            assert_eq!(pieces, whole);
        }
    }
}
