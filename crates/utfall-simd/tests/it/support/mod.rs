//! Shared by the tests of kernels.

pub(crate) mod text;

use utfall_simd::{Kernels, Layout};

const CANARY: u8 = 0xA5;
const MARGIN: usize = 64;

/// Space for the output of a kernel, between bytes that must not change.
pub(crate) struct Output {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl Output {
    /// For space of up to `most` bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self { buffer: vec![CANARY; most + 3 * MARGIN], start: 0, end: 0 }
    }

    /// `room` bytes, moved by `shift` bytes (below 64).
    pub(crate) fn room(&mut self, room: usize, shift: usize) -> &mut [u8] {
        self.start = MARGIN + shift % MARGIN;
        self.end = self.start + room;
        let (before, rest) = self.buffer.split_at_mut(self.start);
        let (room, after) = rest.split_at_mut(room);
        before[shift % MARGIN..].fill(CANARY);
        after[..MARGIN].fill(CANARY);
        room
    }

    /// Whether nothing was written before or after the space.
    pub(crate) fn is_untouched(&self) -> bool {
        let before = &self.buffer[self.start - MARGIN..self.start];
        let after = &self.buffer[self.end..self.end + MARGIN];
        [before, after] == [&[CANARY; MARGIN]; 2]
    }

    /// The first `length` bytes written.
    pub(crate) fn written(&self, length: usize) -> &[u8] {
        assert!(length <= self.end - self.start, "{length} bytes written, beyond the room");
        &self.buffer[self.start..][..length]
    }
}

/// A small random number generator with a fixed seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % limit
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Runs of code points of one size, of several lengths.
    pub(crate) fn text(&mut self, length: usize) -> Vec<u32> {
        let mut points = Vec::new();
        while points.len() < length {
            let (first, count) = self.one_of(&[
                (0, 0x80),
                (0x80, 0x80),
                (0x80, 0x780),
                (0x800, 0xD000),
                (0xE000, 0x2000),
                (0x1_0000, 0x10_0000),
            ]);
            let longest = self.one_of(&[1, 4, 40, 200]);
            for _ in 0..=self.below(longest) {
                points.push((first + self.below(count)) as u32);
            }
        }
        points.truncate(length);
        points
    }
}

/// A prefix, a count or a length.
#[derive(Clone, Copy)]
pub(crate) struct Measure {
    pub(crate) name: &'static str,
    pub(crate) of: fn(&Kernels, &[u8]) -> usize,
    /// Whether the result is also specified for ill-formed text.
    pub(crate) any_text: bool,
}

macro_rules! measures {
    ($( $form:ident { any { $($any:ident)* } sound { $($sound:ident)* } } )*) => {
        /// All measures of text of a form.
        pub(crate) fn measures(form: Layout) -> &'static [Measure] {
            match form {
                $( Layout::$form => &[
                    $( Measure { name: stringify!($any), of: Kernels::$any, any_text: true }, )*
                    $( Measure { name: stringify!($sound), of: Kernels::$sound, any_text: false }, )*
                ], )*
            }
        }
    };
}

measures! {
    Utf8 {
        any {
            utf8_prefix ascii_prefix utf8_unremarkable_prefix utf8_latin1_prefix utf8_count_lossy
            utf16_len_from_utf8_lossy
        }
        sound { utf8_count utf16_len_from_utf8 }
    }
    Utf16Le {
        any { utf16le_prefix utf16le_latin1_prefix }
        sound { utf16le_count utf8_len_from_utf16le }
    }
    Utf16Be {
        any { utf16be_prefix utf16be_latin1_prefix }
        sound { utf16be_count utf8_len_from_utf16be }
    }
    Utf32Le { any { utf32le_prefix } sound { utf8_len_from_utf32le utf16_len_from_utf32le } }
    Utf32Be { any { utf32be_prefix } sound { utf8_len_from_utf32be utf16_len_from_utf32be } }
    Latin1 { any { ascii_prefix utf8_len_from_latin1 } sound {} }
}
