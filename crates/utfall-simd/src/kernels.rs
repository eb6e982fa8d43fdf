//! The table of kernels and the contract they all follow.
//!
//! # Contract
//!
//! - **Bytes in, bytes out.** All lengths are in bytes. UTF-16 and UTF-32 kernels have a byte
//!   order in their name and need no alignment; see [`units`](crate::units) for `[u16]`.
//! - **A conversion** returns `(read, written)`: `src[..read]` is well-formed and ends on a
//!   sequence boundary, and `dst[..written]` is its conversion. It goes as far as possible: it
//!   stops only before an ill-formed or truncated sequence, before a code point that the target
//!   lacks, before a sequence that does not fit into `dst`, or at the end. It may overwrite all of
//!   `dst`, but never a byte outside.
//! - **A lossy conversion** (`…_lossy`) writes U+FFFD for each maximal subpart of an ill-formed
//!   sequence (Unicode §3.9, as in the WHATWG standard; an unpaired surrogate in UTF-16) and
//!   continues. It stops before a truncated sequence at the end, and when `dst` is full.
//! - **A `…_prefix`** returns the length of the longest well-formed prefix.
//! - **A count** (`…_count`, `…_len`) expects well-formed text. For other text the result is
//!   unspecified, but there is no other effect. Those named `…_lossy` accept any text. They count
//!   the output of the lossy conversion, with one U+FFFD for a truncated sequence at the end.
//!
//! Every table gives the same results. An instruction set that cannot determine why it stopped
//! leaves the rest of the block to the scalar table.

use crate::pairs::{FromCodes, FromPairs};
use crate::single_byte::Table;
use crate::utf7::{FromUtf7, RunState, Style, ToUtf7};

/// An encoding form of Unicode and its byte order. Kernels convert from one layout to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// UTF-8, RFC 3629.
    Utf8,
    /// UTF-16, little-endian, no byte order mark.
    Utf16Le,
    /// UTF-16, big-endian, no byte order mark.
    Utf16Be,
    /// UTF-32, little-endian, no byte order mark.
    Utf32Le,
    /// UTF-32, big-endian, no byte order mark.
    Utf32Be,
    /// ISO 8859-1 with all 256 bytes, which are the first 256 code points.
    Latin1,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Self; 6] =
        [Self::Utf8, Self::Utf16Le, Self::Utf16Be, Self::Utf32Le, Self::Utf32Be, Self::Latin1];
}

/// The result of a lossy conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lossy {
    /// Bytes read.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// Number of U+FFFD written for ill-formed sequences.
    pub replaced: usize,
}

/// Calls the macro `to` with its own arguments, followed by the list of kernels and of the layouts
/// that they convert between.
macro_rules! list {
    ($to:ident! $($given:tt)*) => {
        $to! {
            $($given)*
            convert {
                /// UTF-8 to UTF-16, little-endian.
                utf8_to_utf16le(Utf8, Utf16Le),
                /// UTF-8 to UTF-16, big-endian.
                utf8_to_utf16be(Utf8, Utf16Be),
                /// UTF-8 to UTF-32, little-endian.
                utf8_to_utf32le(Utf8, Utf32Le),
                /// UTF-8 to UTF-32, big-endian.
                utf8_to_utf32be(Utf8, Utf32Be),
                /// UTF-8 to Latin-1; stops before a code point above U+00FF.
                utf8_to_latin1(Utf8, Latin1),
                /// UTF-16, little-endian, to UTF-8.
                utf16le_to_utf8(Utf16Le, Utf8),
                /// UTF-16 with its bytes swapped.
                utf16le_to_utf16be(Utf16Le, Utf16Be),
                /// UTF-16, little-endian, to UTF-32, little-endian.
                utf16le_to_utf32le(Utf16Le, Utf32Le),
                /// UTF-16, little-endian, to UTF-32, big-endian.
                utf16le_to_utf32be(Utf16Le, Utf32Be),
                /// UTF-16, little-endian, to Latin-1.
                utf16le_to_latin1(Utf16Le, Latin1),
                /// UTF-16, big-endian, to UTF-8.
                utf16be_to_utf8(Utf16Be, Utf8),
                /// UTF-16 with its bytes swapped.
                utf16be_to_utf16le(Utf16Be, Utf16Le),
                /// UTF-16, big-endian, to UTF-32, little-endian.
                utf16be_to_utf32le(Utf16Be, Utf32Le),
                /// UTF-16, big-endian, to UTF-32, big-endian.
                utf16be_to_utf32be(Utf16Be, Utf32Be),
                /// UTF-16, big-endian, to Latin-1.
                utf16be_to_latin1(Utf16Be, Latin1),
                /// UTF-32, little-endian, to UTF-8.
                utf32le_to_utf8(Utf32Le, Utf8),
                /// UTF-32, little-endian, to UTF-16, little-endian.
                utf32le_to_utf16le(Utf32Le, Utf16Le),
                /// UTF-32, little-endian, to UTF-16, big-endian.
                utf32le_to_utf16be(Utf32Le, Utf16Be),
                /// UTF-32 with its bytes swapped.
                utf32le_to_utf32be(Utf32Le, Utf32Be),
                /// UTF-32, little-endian, to Latin-1.
                utf32le_to_latin1(Utf32Le, Latin1),
                /// UTF-32, big-endian, to UTF-8.
                utf32be_to_utf8(Utf32Be, Utf8),
                /// UTF-32, big-endian, to UTF-16, little-endian.
                utf32be_to_utf16le(Utf32Be, Utf16Le),
                /// UTF-32, big-endian, to UTF-16, big-endian.
                utf32be_to_utf16be(Utf32Be, Utf16Be),
                /// UTF-32 with its bytes swapped.
                utf32be_to_utf32le(Utf32Be, Utf32Le),
                /// UTF-32, big-endian, to Latin-1.
                utf32be_to_latin1(Utf32Be, Latin1),
                /// Latin-1 to UTF-8.
                latin1_to_utf8(Latin1, Utf8),
                /// Latin-1 to UTF-16, little-endian.
                latin1_to_utf16le(Latin1, Utf16Le),
                /// Latin-1 to UTF-16, big-endian.
                latin1_to_utf16be(Latin1, Utf16Be),
                /// Latin-1 to UTF-32, little-endian.
                latin1_to_utf32le(Latin1, Utf32Le),
                /// Latin-1 to UTF-32, big-endian.
                latin1_to_utf32be(Latin1, Utf32Be),
            }
            lossy {
                /// UTF-8 to well-formed UTF-8.
                utf8_to_utf8_lossy(Utf8, Utf8),
                /// UTF-8 to UTF-16, little-endian.
                utf8_to_utf16le_lossy(Utf8, Utf16Le),
                /// UTF-8 to UTF-16, big-endian.
                utf8_to_utf16be_lossy(Utf8, Utf16Be),
                /// UTF-8 to UTF-32, little-endian.
                utf8_to_utf32le_lossy(Utf8, Utf32Le),
                /// UTF-8 to UTF-32, big-endian.
                utf8_to_utf32be_lossy(Utf8, Utf32Be),
                /// UTF-16, little-endian, to UTF-8.
                utf16le_to_utf8_lossy(Utf16Le, Utf8),
                /// UTF-16, big-endian, to UTF-8.
                utf16be_to_utf8_lossy(Utf16Be, Utf8),
                /// UTF-16, little-endian, made well-formed.
                utf16le_to_utf16le_lossy(Utf16Le, Utf16Le),
                /// UTF-16, big-endian, made well-formed.
                utf16be_to_utf16be_lossy(Utf16Be, Utf16Be),
            }
            measure {
                /// Length in bytes of the ASCII prefix.
                ascii_prefix,
                /// Length in bytes of the prefix, well-formed or not, in which a linter has nothing to
                /// look at. It ends before a control other than tab, line feed and form feed, or before a
                /// byte that may begin a format character, a noncharacter or a character encoded twice.
                /// It also ends before ASCII letters beside those of other scripts, and before `xn`.
                /// Bytes after the end count as 00.
                utf8_unremarkable_prefix,
                /// Length in bytes of a prefix of well-formed UTF-8 whose code points are in Latin-1.
                utf8_latin1_prefix,
                /// Length in bytes of a prefix of UTF-16, little-endian, whose code points are in Latin-1.
                utf16le_latin1_prefix,
                /// Length in bytes of a prefix of UTF-16, big-endian, whose code points are in Latin-1.
                utf16be_latin1_prefix,
                /// Length in bytes of a well-formed UTF-8 prefix (RFC 3629 §4).
                utf8_prefix,
                /// Length in bytes of a well-formed UTF-16 prefix, little-endian.
                utf16le_prefix,
                /// Length in bytes of a well-formed UTF-16 prefix, big-endian.
                utf16be_prefix,
                /// Length in bytes of a well-formed UTF-32 prefix, little-endian.
                utf32le_prefix,
                /// Length in bytes of a well-formed UTF-32 prefix, big-endian.
                utf32be_prefix,
                /// Code points in well-formed UTF-8.
                utf8_count,
                /// Code points in well-formed UTF-16, little-endian.
                utf16le_count,
                /// Code points in well-formed UTF-16, big-endian.
                utf16be_count,
                /// Bytes of UTF-16 for well-formed UTF-8.
                utf16_len_from_utf8,
                /// Bytes of UTF-8 for well-formed UTF-16, little-endian.
                utf8_len_from_utf16le,
                /// Bytes of UTF-8 for well-formed UTF-16, big-endian.
                utf8_len_from_utf16be,
                /// Bytes of UTF-8 for well-formed UTF-32, little-endian.
                utf8_len_from_utf32le,
                /// Bytes of UTF-8 for well-formed UTF-32, big-endian.
                utf8_len_from_utf32be,
                /// Bytes of UTF-16 for well-formed UTF-32, little-endian.
                utf16_len_from_utf32le,
                /// Bytes of UTF-16 for well-formed UTF-32, big-endian.
                utf16_len_from_utf32be,
                /// Bytes of UTF-8 for Latin-1.
                utf8_len_from_latin1,
                /// Code points of the lossy conversion of UTF-8.
                utf8_count_lossy,
                /// Bytes of UTF-16 of the lossy conversion of UTF-8.
                utf16_len_from_utf8_lossy,
            }
        }
    };
}
pub(crate) use list;

/// Declares the table: a private function pointer per operation and a safe method that
/// calls it.
macro_rules! declare {
    (
        convert { $( $(#[$doc_c:meta])* $convert:ident ($from:ident, $to:ident), )* }
        lossy { $( $(#[$doc_l:meta])* $lossy:ident ($lossy_from:ident, $lossy_to:ident), )* }
        measure { $( $(#[$doc_m:meta])* $measure:ident, )* }
    ) => {
        /// The kernels of one instruction set. Get one from [`dispatch`](crate::dispatch).
        // A function that needs features of the processor becomes a safe pointer only in a function
        // that has them too. So a table can be made only where its kernels can run.
        pub struct Kernels {
            pub(crate) name: &'static str,
            $( pub(crate) $convert: fn(&[u8], &mut [u8]) -> (usize, usize), )*
            $( pub(crate) $lossy: fn(&[u8], &mut [u8]) -> Lossy, )*
            $( pub(crate) $measure: fn(&[u8]) -> usize, )*
            pub(crate) utf7_to_utf8: FromUtf7,
            pub(crate) utf7_to_utf16le: Option<FromUtf7>,
            pub(crate) utf7_to_utf16be: Option<FromUtf7>,
            pub(crate) utf8_to_utf7: ToUtf7,
            pub(crate) utf16le_to_utf7: Option<ToUtf7>,
            pub(crate) utf16be_to_utf7: Option<ToUtf7>,
            pub(crate) utf7_len_from_utf8: fn(Style, &mut RunState, &[u8]) -> usize,
            pub(crate) utf8_from_table: FromTable,
            pub(crate) utf16le_from_table: FromTable,
            pub(crate) utf16be_from_table: FromTable,
            pub(crate) utf8_from_table_lossy: FromTableLossy,
            pub(crate) utf16le_from_table_lossy: FromTableLossy,
            pub(crate) utf16be_from_table_lossy: FromTableLossy,
            pub(crate) table_from_utf8: FromTable,
            pub(crate) table_from_utf16le: FromTable,
            pub(crate) table_from_utf16be: FromTable,
            pub(crate) utf8_from_pairs: Option<FromPairs>,
            pub(crate) utf16le_from_pairs: Option<FromPairs>,
            pub(crate) utf16be_from_pairs: Option<FromPairs>,
            pub(crate) bytes_from_codes: Option<FromCodes>,
        }

        impl Kernels {
            $(
                $(#[$doc_c])*
                #[inline]
                pub fn $convert(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                    (self.own().$convert)(src, dst)
                }
            )*
            $(
                $(#[$doc_l])*
                #[inline]
                pub fn $lossy(&self, src: &[u8], dst: &mut [u8]) -> Lossy {
                    (self.own().$lossy)(src, dst)
                }
            )*
            $(
                $(#[$doc_m])*
                #[inline]
                #[must_use]
                pub fn $measure(&self, src: &[u8]) -> usize {
                    (self.own().$measure)(src)
                }
            )*

            /// Converts a prefix of `src` from one layout to another, or copies it if they are the
            /// same. Returns `(read, written)` in bytes.
            pub fn convert(&self, from: Layout, to: Layout, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                if src.is_empty() {
                    return (0, 0);
                }
                match (from, to) {
                    $( (Layout::$from, Layout::$to) => self.$convert(src, dst), )*
                    _ => self.copy(from, src, dst),
                }
            }

            /// Converts from one layout to another, replacing ill-formed sequences by U+FFFD, if
            /// there is a kernel for it.
            pub fn convert_lossy(
                &self,
                from: Layout,
                to: Layout,
                src: &[u8],
                dst: &mut [u8],
            ) -> Option<Lossy> {
                match (from, to) {
                    $( (Layout::$lossy_from, Layout::$lossy_to) => Some(self.$lossy(src, dst)), )*
                    _ => None,
                }
            }
        }
    };
}

/// A kernel for UTF-16 and UTF-7. A module of WebAssembly converts by way of UTF-8, since it is loaded
/// over a network.
// Not a function, whose result a table cannot refer to.
#[cfg(not(target_arch = "wasm32"))]
macro_rules! unless_small {
    ($kernel:expr) => {
        Some($kernel)
    };
}
#[cfg(target_arch = "wasm32")]
macro_rules! unless_small {
    ($kernel:expr) => {
        (Some($kernel), None).1
    };
}
pub(crate) use unless_small;

/// A conversion from or to a single-byte charset.
type FromTable = fn(&Table, &[u8], &mut [u8]) -> (usize, usize);
type FromTableLossy = fn(&Table, &[u8], &mut [u8]) -> Lossy;

list!(declare!);

impl Kernels {
    /// The kernel that decodes US-ASCII and pairs to this layout. Only AVX-512 has some, to UTF-8
    /// and UTF-16: elsewhere a loop is faster.
    #[inline]
    #[must_use]
    pub fn from_pairs(&self, to: Layout) -> Option<FromPairs> {
        match to {
            Layout::Utf8 => self.own().utf8_from_pairs,
            Layout::Utf16Le => self.own().utf16le_from_pairs,
            Layout::Utf16Be => self.own().utf16be_from_pairs,
            _ => None,
        }
    }

    /// The kernel that writes codes of one or two bytes. The scalar table and WebAssembly have none.
    #[inline]
    #[must_use]
    pub fn from_codes(&self) -> Option<FromCodes> {
        self.own().bytes_from_codes
    }
}

impl Kernels {
    /// UTF-7 to UTF-8, as a conversion that follows RFC 2152 strictly. `state` is the state at the
    /// start of `src`, and is updated to the state at `src[read..]`. A run may have begun or ended
    /// after the last code point that was written.
    ///
    /// ```
    /// use utfall_simd::{dispatch, utf7::RunState};
    /// let (mut state, mut utf8) = (RunState::default(), [0; 8]);
    /// let converted = dispatch::active().utf7_to_utf8(&mut state, b"a+AOk-b", &mut utf8);
    /// assert_eq!((converted, &utf8[..4]), ((7, 4), "aéb".as_bytes()));
    /// ```
    #[inline]
    pub fn utf7_to_utf8(&self, state: &mut RunState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        (self.own().utf7_to_utf8)(state, src, dst)
    }

    /// The kernel that converts UTF-7 to this layout as [`utf7_to_utf8`](Self::utf7_to_utf8) does, if
    /// there is one: to UTF-8, and outside WebAssembly to UTF-16.
    ///
    /// ```
    /// use utfall_simd::{Layout, dispatch, utf7::RunState};
    /// let (mut state, mut utf16) = (RunState::default(), [0; 8]);
    /// if let Some(read) = dispatch::active().from_utf7(Layout::Utf16Le) {
    ///     assert_eq!(read(&mut state, b"a+AOk-b", &mut utf16), (7, 6));
    ///     assert_eq!(&utf16[..6], b"a\0\xE9\0b\0");
    /// }
    /// ```
    #[inline]
    #[must_use]
    pub fn from_utf7(&self, to: Layout) -> Option<FromUtf7> {
        match to {
            Layout::Utf8 => Some(self.own().utf7_to_utf8),
            Layout::Utf16Le => self.own().utf7_to_utf16le,
            Layout::Utf16Be => self.own().utf7_to_utf16be,
            _ => None,
        }
    }

    /// UTF-8 to UTF-7, as a conversion. `state` is the state at the end of the text before `src`,
    /// and is updated to the state at the end of the output. If that is in a run, the caller ends
    /// it.
    ///
    /// ```
    /// use utfall_simd::{dispatch, utf7::{RunState, Style}};
    /// let (mut state, mut utf7) = (RunState::default(), [0; 64]);
    /// let (_, written) = dispatch::active().utf8_to_utf7(
    ///     Style::default(), &mut state, "né!".as_bytes(), &mut utf7,
    /// );
    /// assert_eq!(&utf7[..written], b"n+AOk!");
    /// ```
    #[inline]
    pub fn utf8_to_utf7(
        &self,
        style: Style,
        state: &mut RunState,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        (self.own().utf8_to_utf7)(style, state, src, dst)
    }

    /// The kernel that converts this layout to UTF-7 as [`utf8_to_utf7`](Self::utf8_to_utf7) does, if
    /// there is one: from UTF-8, and outside WebAssembly from UTF-16.
    ///
    /// ```
    /// use utfall_simd::{Layout, dispatch, utf7::{RunState, Style}};
    /// let (mut state, mut utf7) = (RunState::default(), [0; 64]);
    /// if let Some(write) = dispatch::active().to_utf7(Layout::Utf16Le) {
    ///     let done = write(Style::default(), &mut state, b"n\0\xE9\0!\0", &mut utf7);
    ///     assert_eq!((done, &utf7[..6]), ((6, 6), b"n+AOk!".as_slice()));
    /// }
    /// ```
    #[inline]
    #[must_use]
    pub fn to_utf7(&self, from: Layout) -> Option<ToUtf7> {
        match from {
            Layout::Utf8 => Some(self.own().utf8_to_utf7),
            Layout::Utf16Le => self.own().utf16le_to_utf7,
            Layout::Utf16Be => self.own().utf16be_to_utf7,
            _ => None,
        }
    }

    /// Number of bytes that [`utf8_to_utf7`](Self::utf8_to_utf7) writes for well-formed UTF-8,
    /// given enough space. Updates `state` in the same way.
    #[inline]
    pub fn utf7_len_from_utf8(&self, style: Style, state: &mut RunState, src: &[u8]) -> usize {
        (self.own().utf7_len_from_utf8)(style, state, src)
    }

    /// The name of the instruction set, as accepted in `UTFALL_ISA`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The length in bytes of a well-formed prefix of `src`.
    #[must_use]
    pub fn prefix(&self, layout: Layout, src: &[u8]) -> usize {
        if src.is_empty() {
            return 0;
        }
        match layout {
            Layout::Utf8 => self.utf8_prefix(src),
            Layout::Utf16Le => self.utf16le_prefix(src),
            Layout::Utf16Be => self.utf16be_prefix(src),
            Layout::Utf32Le => self.utf32le_prefix(src),
            Layout::Utf32Be => self.utf32be_prefix(src),
            Layout::Latin1 => src.len(),
        }
    }

    /// Copies a well-formed prefix: the conversion of a layout to itself.
    fn copy(&self, layout: Layout, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let room = src.len().min(dst.len());
        let length = self.prefix(layout, &src[..room]);
        dst[..length].copy_from_slice(&src[..length]);
        (length, length)
    }
}

impl core::fmt::Debug for Kernels {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Kernels").field(&self.name).finish()
    }
}
