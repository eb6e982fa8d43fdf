//! The registry: one row for each encoding. Everything else about an encoding is in its file under
//! `codec/`.

use core::fmt;

use utfall_simd::{Form, Kernels};

use crate::codec::{self, Codec, Decode, Decoded, Encode, Encoded, Next, Put};
use crate::{Info, Options};

/// Generates the enum, the states and the dispatch from the rows.
macro_rules! encodings {
    ($( $(#[$attr:meta])* $variant:ident = $number:literal => $codec:path, )*) => {
        /// A character encoding.
        ///
        /// The numbers (`Encoding::Utf8 as u16`) are stable and are never reused for another
        /// encoding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u16)]
        pub enum Encoding {
            $(
                $(#[$attr])*
                #[doc = concat!("See [`Encoding::info`]; number ", stringify!($number), ".")]
                $variant = $number,
            )*
        }

        impl Encoding {
            /// Every encoding of this build, by number.
            pub const ALL: &'static [Self] = &[ $( $(#[$attr])* Self::$variant, )* ];

            /// The properties of the encoding.
            #[inline]
            #[must_use]
            pub const fn info(self) -> &'static Info {
                match self {
                    $( $(#[$attr])* Self::$variant => const { &<$codec as Codec>::INFO }, )*
                }
            }
        }

        /// The decoder of any encoding, dispatched by variant.
        #[derive(Clone)]
        pub(crate) enum AnyDecoder {
            $( $(#[$attr])* $variant(<$codec as Codec>::Decoder), )*
        }

        impl AnyDecoder {
            pub(crate) fn new(encoding: Encoding, options: &Options) -> Self {
                match encoding {
                    $( $(#[$attr])* Encoding::$variant =>
                        Self::$variant(<$codec as Codec>::decoder(options)), )*
                }
            }
        }

        impl Decode for AnyDecoder {
            fn next(&mut self, src: &[u8], last: bool) -> Next {
                match self { $( $(#[$attr])* Self::$variant(d) => d.next(src, last), )* }
            }

            fn decode(&mut self, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
                match self { $( $(#[$attr])* Self::$variant(d) => d.decode(src, dst, last), )* }
            }

            fn form(&self) -> Option<Form> {
                match self { $( $(#[$attr])* Self::$variant(d) => Decode::form(d), )* }
            }

            fn decode_to_utf8(
                &mut self,
                kernels: &Kernels,
                src: &[u8],
                dst: &mut [u8],
            ) -> Option<(usize, usize)> {
                match self {
                    $( $(#[$attr])* Self::$variant(d) => d.decode_to_utf8(kernels, src, dst), )*
                }
            }

            fn removes_bom(&self) -> bool {
                match self { $( $(#[$attr])* Self::$variant(d) => d.removes_bom(), )* }
            }
        }

        /// The encoder of any encoding, dispatched by variant.
        #[derive(Clone)]
        pub(crate) enum AnyEncoder {
            $( $(#[$attr])* $variant(<$codec as Codec>::Encoder), )*
        }

        impl AnyEncoder {
            pub(crate) fn new(encoding: Encoding, options: &Options) -> Self {
                match encoding {
                    $( $(#[$attr])* Encoding::$variant =>
                        Self::$variant(<$codec as Codec>::encoder(options)), )*
                }
            }
        }

        impl Encode for AnyEncoder {
            fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
                match self { $( $(#[$attr])* Self::$variant(e) => e.put(point, dst), )* }
            }

            fn encode(&mut self, src: &[u32], dst: &mut [u8]) -> Encoded {
                match self { $( $(#[$attr])* Self::$variant(e) => e.encode(src, dst), )* }
            }

            fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
                match self { $( $(#[$attr])* Self::$variant(e) => e.finish(dst), )* }
            }

            fn form(&self) -> Option<Form> {
                match self { $( $(#[$attr])* Self::$variant(e) => Encode::form(e), )* }
            }

            fn encode_utf8(
                &mut self,
                kernels: &Kernels,
                src: &[u8],
                dst: &mut [u8],
            ) -> Option<(usize, usize)> {
                match self {
                    $( $(#[$attr])* Self::$variant(e) => e.encode_utf8(kernels, src, dst), )*
                }
            }

            fn len_of_utf8(&mut self, kernels: &Kernels, src: &[u8]) -> Option<usize> {
                match self {
                    $( $(#[$attr])* Self::$variant(e) => e.len_of_utf8(kernels, src), )*
                }
            }

            fn omit_bom(&mut self) {
                match self { $( $(#[$attr])* Self::$variant(e) => e.omit_bom(), )* }
            }
        }
    };
}

encodings! {
    Utf8 = 1 => codec::utf8::Utf8,
    Utf8Rfc2279 = 2 => codec::utf8_legacy::Rfc2279,
    Utf8Rfc2044 = 3 => codec::utf8_legacy::Rfc2044,
    Utf8Perl = 4 => codec::utf8_legacy::Perl,
    Cesu8 = 5 => codec::cesu8::Cesu8,
    Mutf8 = 6 => codec::mutf8::Mutf8,
    Wtf8 = 7 => codec::wtf8::Wtf8,
    Unicode11Utf8 = 8 => codec::utf8::Unicode11,
    Utf16 = 10 => codec::utf16::Utf16,
    Utf16Le = 11 => codec::utf16::Utf16Le,
    Utf16Be = 12 => codec::utf16::Utf16Be,
    Ucs2 = 13 => codec::utf16::Ucs2,
    Ucs2Le = 14 => codec::utf16::Ucs2Le,
    Ucs2Be = 15 => codec::utf16::Ucs2Be,
    Unicode11 = 16 => codec::utf16::Unicode11,
    Unicode20 = 17 => codec::utf16::Unicode20,
    Utf32 = 20 => codec::utf32::Utf32,
    Utf32Le = 21 => codec::utf32::Utf32Le,
    Utf32Be = 22 => codec::utf32::Utf32Be,
    Ucs4 = 23 => codec::utf32::Ucs4,
    Ucs4Le = 24 => codec::utf32::Ucs4Le,
    Ucs4Be = 25 => codec::utf32::Ucs4Be,
    Utf7 = 30 => codec::utf7::Utf7,
    Utf7Rfc1642 = 31 => codec::utf7::Rfc1642,
    Utf7Imap = 32 => codec::imap_utf7::Utf7Imap,
    Unicode11Utf7 = 33 => codec::utf7::Unicode11,
    Utf1 = 40 => codec::utf1::Utf1,
    UtfEbcdic = 41 => codec::utf_ebcdic::UtfEbcdic,
    UtfEbcdicCdra = 42 => codec::utf_ebcdic::Cdra,
    Scsu = 43 => codec::scsu::Scsu,
    Bocu1 = 44 => codec::bocu1::Bocu1,
    UsAscii = 50 => codec::ascii::UsAscii,
    Iso8859_1 = 51 => codec::latin1::Iso8859_1,
    #[cfg(feature = "legacy")]
    Ibm866 = 100 => codec::legacy::Ibm866,
    #[cfg(feature = "legacy")]
    Iso8859_2 = 101 => codec::legacy::Iso8859_2,
    #[cfg(feature = "legacy")]
    Iso8859_3 = 102 => codec::legacy::Iso8859_3,
    #[cfg(feature = "legacy")]
    Iso8859_4 = 103 => codec::legacy::Iso8859_4,
    #[cfg(feature = "legacy")]
    Iso8859_5 = 104 => codec::legacy::Iso8859_5,
    #[cfg(feature = "legacy")]
    Iso8859_6 = 105 => codec::legacy::Iso8859_6,
    #[cfg(feature = "legacy")]
    Iso8859_7 = 106 => codec::legacy::Iso8859_7,
    #[cfg(feature = "legacy")]
    Iso8859_8 = 107 => codec::legacy::Iso8859_8,
    #[cfg(feature = "legacy")]
    Iso8859_8I = 108 => codec::legacy::Iso8859_8I,
    #[cfg(feature = "legacy")]
    Iso8859_10 = 109 => codec::legacy::Iso8859_10,
    #[cfg(feature = "legacy")]
    Iso8859_13 = 110 => codec::legacy::Iso8859_13,
    #[cfg(feature = "legacy")]
    Iso8859_14 = 111 => codec::legacy::Iso8859_14,
    #[cfg(feature = "legacy")]
    Iso8859_15 = 112 => codec::legacy::Iso8859_15,
    #[cfg(feature = "legacy")]
    Iso8859_16 = 113 => codec::legacy::Iso8859_16,
    #[cfg(feature = "legacy")]
    Koi8R = 114 => codec::legacy::Koi8R,
    #[cfg(feature = "legacy")]
    Koi8U = 115 => codec::legacy::Koi8U,
    #[cfg(feature = "legacy")]
    Macintosh = 116 => codec::legacy::Macintosh,
    #[cfg(feature = "legacy")]
    Windows874 = 117 => codec::legacy::Windows874,
    #[cfg(feature = "legacy")]
    Windows1250 = 118 => codec::legacy::Windows1250,
    #[cfg(feature = "legacy")]
    Windows1251 = 119 => codec::legacy::Windows1251,
    #[cfg(feature = "legacy")]
    Windows1252 = 120 => codec::legacy::Windows1252,
    #[cfg(feature = "legacy")]
    Windows1253 = 121 => codec::legacy::Windows1253,
    #[cfg(feature = "legacy")]
    Windows1254 = 122 => codec::legacy::Windows1254,
    #[cfg(feature = "legacy")]
    Windows1255 = 123 => codec::legacy::Windows1255,
    #[cfg(feature = "legacy")]
    Windows1256 = 124 => codec::legacy::Windows1256,
    #[cfg(feature = "legacy")]
    Windows1257 = 125 => codec::legacy::Windows1257,
    #[cfg(feature = "legacy")]
    Windows1258 = 126 => codec::legacy::Windows1258,
    #[cfg(feature = "legacy")]
    MacCyrillic = 127 => codec::legacy::MacCyrillic,
    #[cfg(feature = "legacy")]
    Gbk = 128 => codec::legacy::Gbk,
    #[cfg(feature = "legacy")]
    Gb18030 = 129 => codec::legacy::Gb18030,
    #[cfg(feature = "legacy")]
    Big5 = 130 => codec::legacy::Big5,
    #[cfg(feature = "legacy")]
    EucJp = 131 => codec::legacy::EucJp,
    #[cfg(feature = "legacy")]
    Iso2022Jp = 132 => codec::iso_2022_jp::Iso2022Jp,
    #[cfg(feature = "legacy")]
    ShiftJis = 133 => codec::legacy::ShiftJis,
    #[cfg(feature = "legacy")]
    EucKr = 134 => codec::legacy::EucKr,
    #[cfg(feature = "legacy")]
    Replacement = 135 => codec::legacy::Replacement,
    #[cfg(feature = "legacy")]
    UserDefined = 136 => codec::legacy::UserDefined,
    // Add new rows above this line.
}

impl Encoding {
    /// The preferred name.
    ///
    /// ```
    /// assert_eq!(utfall::Encoding::Ucs2.name(), "ISO-10646-UCS-2");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The encoding with this label, as named by IANA and this library.
    ///
    /// Labels are compared as described in UTS #22 §1.4: ignoring case, everything except letters
    /// and digits, and leading zeros of numbers. A label with bytes above 7F matches nothing.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert_eq!(Encoding::for_label("utf8"), Some(Encoding::Utf8));
    /// assert_eq!(Encoding::for_label("Iso 8859_1"), Some(Encoding::Iso8859_1));
    /// assert_eq!(Encoding::for_label("utf-9000"), None);
    /// ```
    #[must_use]
    pub fn for_label(label: &str) -> Option<Self> {
        if !label.is_ascii() {
            return None;
        }
        let mut buffer = [0; LONGEST_LABEL];
        let mut length = 0;
        for byte in folded(label) {
            *buffer.get_mut(length)? = byte;
            length += 1;
        }
        let wanted = buffer.get(..length).filter(|wanted| !wanted.is_empty())?;
        Self::ALL.iter().copied().find(|encoding| {
            let info = encoding.info();
            core::iter::once(info.name)
                .chain(info.aliases.iter().copied())
                // Folding keeps the first character of each name and never lengthens it.
                .filter(|known| known.len() >= wanted.len())
                .filter(|known| known.as_bytes()[0].eq_ignore_ascii_case(&wanted[0]))
                .any(|known| folded(known).eq(wanted.iter().copied()))
        })
    }

    /// The encoding with this label on the web: "get an encoding" of WHATWG Encoding §4.2. Case and
    /// surrounding white space are ignored, nothing else.
    ///
    /// Many labels differ from [`for_label`](Self::for_label): `iso-8859-1` and `us-ascii` are
    /// windows-1252, `utf-16` is UTF-16LE, `unicode-1-1-utf-8` is UTF-8.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert_eq!(Encoding::for_whatwg_label(" Latin1 "), Some(Encoding::Windows1252));
    /// assert_eq!(Encoding::for_label(" Latin1 "), Some(Encoding::Iso8859_1));
    /// assert_eq!(Encoding::for_whatwg_label("utf-16"), Some(Encoding::Utf16Le));
    /// assert_eq!(Encoding::for_whatwg_label("utf-7"), None);
    /// ```
    #[cfg(feature = "legacy")]
    #[must_use]
    pub fn for_whatwg_label(label: &str) -> Option<Self> {
        // Unlike labels, names mean the same in both.
        Self::for_label(encoding_rs::Encoding::for_label(label.as_bytes())?.name())
    }

    /// The encoding whose byte order mark is at the start of `bytes`, and the length of the mark in
    /// bytes. Only the marks of UTF-8, UTF-16 and UTF-32 are recognized: those of other encodings
    /// are too likely to be something else.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert_eq!(Encoding::for_bom(b"\xFF\xFEa\0"), Some((Encoding::Utf16Le, 2)));
    /// assert_eq!(Encoding::for_bom(b"abc"), None);
    /// ```
    #[must_use]
    pub fn for_bom(bytes: &[u8]) -> Option<(Self, usize)> {
        // UTF-32LE first, because its mark begins with that of UTF-16LE.
        [Self::Utf8, Self::Utf32Le, Self::Utf32Be, Self::Utf16Le, Self::Utf16Be]
            .into_iter()
            .map(|encoding| (encoding, encoding.info().signature))
            .find(|(_, mark)| bytes.starts_with(mark))
            .map(|(encoding, mark)| (encoding, mark.len()))
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// More letters and digits than the longest label has.
const LONGEST_LABEL: usize = 64;

/// The letters and digits of a label in lower case, without leading zeros of numbers.
fn folded(label: &str) -> impl Iterator<Item = u8> {
    let bytes = label.as_bytes();
    let mut follows_digit = false;
    bytes.iter().enumerate().filter_map(move |(at, byte)| {
        if !byte.is_ascii_alphanumeric() {
            return None;
        }
        let leads_number =
            *byte == b'0' && !follows_digit && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        follows_digit = byte.is_ascii_digit() && !leads_number;
        (!leads_number).then(|| byte.to_ascii_lowercase())
    })
}
