//! The registry: one row for each encoding. Everything else about an encoding is in its file under
//! `codec/`.

use core::fmt;
use core::str::FromStr;

use utfall_simd::Kernels;

use crate::codec::renumbered::Renumbered;
use crate::codec::{self, Codec, Decode, Decoded, Encode, Encoded, Next, Put};
use crate::route::Side;
use crate::{ByteOrder, ErrorKind, Family, Info, Options};

/// Generates the enum, the states and the dispatch from the rows.
macro_rules! encodings {
    ($( $(#[$attr:meta])* $variant:ident = $number:literal => $codec:path, $description:literal, )*) => {
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
                #[doc = $description]
                #[doc = ""]
                #[doc = concat!("Number ", stringify!($number), ".")]
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
                    $( $(#[$attr])* Self::$variant => const {
                        &Info { description: $description, ..<$codec as Codec>::INFO }
                    }, )*
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

            fn decode(
                &mut self,
                kernels: &Kernels,
                src: &[u8],
                dst: &mut [u32],
                last: bool,
            ) -> Decoded {
                match self {
                    $( $(#[$attr])* Self::$variant(d) => d.decode(kernels, src, dst, last), )*
                }
            }

            fn side(&self) -> Side {
                match self { $( $(#[$attr])* Self::$variant(d) => Decode::side(d), )* }
            }

            fn decode_to_utf8(
                &mut self,
                kernels: &Kernels,
                src: &[u8],
                dst: &mut [u8],
            ) -> (usize, usize) {
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

            fn encode(&mut self, kernels: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
                match self { $( $(#[$attr])* Self::$variant(e) => e.encode(kernels, src, dst), )* }
            }

            fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
                match self { $( $(#[$attr])* Self::$variant(e) => e.finish(dst), )* }
            }

            fn side(&self) -> Side {
                match self { $( $(#[$attr])* Self::$variant(e) => Encode::side(e), )* }
            }

            fn encode_utf8(
                &mut self,
                kernels: &Kernels,
                src: &[u8],
                dst: &mut [u8],
            ) -> (usize, usize) {
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
    Utf8 = 1 => codec::utf8::Utf8, "UTF-8: one to four bytes for each scalar value (RFC 3629).",
    Utf8Rfc2279 = 2 => codec::utf8_legacy::Rfc2279, "UTF-8 as RFC 2279 defined it: up to six bytes, values up to 7FFFFFFF.",
    Utf8Rfc2044 = 3 => codec::utf8_legacy::Rfc2044, "UTF-8 as RFC 2044 defined it: up to six bytes; overlong forms are not ruled out.",
    Utf8Perl = 4 => codec::utf8_legacy::Perl, "Perl's lax `utf8`: UTF-8 of up to six bytes, with surrogates.",
    Cesu8 = 5 => codec::cesu8::Cesu8, "UTF-16 code units as three bytes each, for characters above U+FFFF two units.",
    Mutf8 = 6 => codec::mutf8::Mutf8, "Java's modified UTF-8: CESU-8 with `C0 80` for U+0000, and unpaired surrogates.",
    Wtf8 = 7 => codec::wtf8::Wtf8, "UTF-8 with unpaired surrogates, for file names of Windows.",
    Unicode11Utf8 = 8 => Renumbered<codec::utf8::Unicode11>, "UTF-8 of text in Unicode 1.1, with its Hangul at U+3400 to U+4DFF.",
    Utf16 = 10 => codec::utf16::Utf16, "UTF-16 with a byte order mark; big-endian if it has none.",
    Utf16Le = 11 => codec::utf16::Utf16Le, "UTF-16, little-endian, without a byte order mark.",
    Utf16Be = 12 => codec::utf16::Utf16Be, "UTF-16, big-endian, without a byte order mark.",
    Ucs2 = 13 => codec::utf16::Ucs2, "Two bytes for each code point up to U+FFFF, with a byte order mark.",
    Ucs2Le = 14 => codec::utf16::Ucs2Le, "Two bytes for each code point up to U+FFFF, little-endian.",
    Ucs2Be = 15 => codec::utf16::Ucs2Be, "Two bytes for each code point up to U+FFFF, big-endian.",
    Unicode11 = 16 => Renumbered<codec::utf16::Unicode11>, "UCS-2 of Unicode 1.1, with its Hangul at U+3400 to U+4DFF.",
    Unicode20 = 17 => codec::utf16::Unicode20, "UTF-16 as Unicode 2.0 defined it.",
    Utf32 = 20 => codec::utf32::Utf32, "UTF-32 with a byte order mark; big-endian if it has none.",
    Utf32Le = 21 => codec::utf32::Utf32Le, "UTF-32, little-endian, without a byte order mark.",
    Utf32Be = 22 => codec::utf32::Utf32Be, "UTF-32, big-endian, without a byte order mark.",
    Ucs4 = 23 => codec::utf32::Ucs4, "Four bytes for each value up to 7FFFFFFF, with a byte order mark.",
    Ucs4Le = 24 => codec::utf32::Ucs4Le, "Four bytes for each value up to 7FFFFFFF, little-endian.",
    Ucs4Be = 25 => codec::utf32::Ucs4Be, "Four bytes for each value up to 7FFFFFFF, big-endian.",
    Utf7 = 30 => codec::utf7::Utf7, "UTF-16 in Base64 between `+` and `-` within US-ASCII, for mail (RFC 2152).",
    Utf7Rfc1642 = 31 => codec::utf7::Rfc1642, "UTF-7 as RFC 1642 defined it.",
    Utf7Imap = 32 => codec::imap_utf7::Utf7Imap, "The modified UTF-7 of IMAP's mailbox names (RFC 3501).",
    Unicode11Utf7 = 33 => Renumbered<codec::utf7::Unicode11>, "UTF-7 of text in Unicode 1.1, with its Hangul at U+3400 to U+4DFF.",
    Utf1 = 40 => codec::utf1::Utf1, "UTF-1, the predecessor of UTF-8: one to five bytes, no C0 or C1 control inside a sequence.",
    UtfEbcdic = 41 => codec::utf_ebcdic::UtfEbcdic, "UTF-8's counterpart for EBCDIC systems: a line feed is 15, NEL is 25 (UTR #16).",
    UtfEbcdicCdra = 42 => codec::utf_ebcdic::Cdra, "UTF-EBCDIC with the line ends of IBM's CDRA: a line feed is 25, NEL is 15.",
    Scsu = 43 => codec::scsu::Scsu, "The Standard Compression Scheme for Unicode: windows of 128 characters (UTS #6).",
    Bocu1 = 44 => codec::bocu1::Bocu1, "Differences between code points, in binary order and MIME-compatible (UTN #6).",
    UsAscii = 50 => codec::ascii::UsAscii, "US-ASCII: the 128 characters of ANSI X3.4.",
    Iso8859_1 = 51 => codec::latin1::Iso8859_1, "ISO 8859-1: each byte is the code point with its value.",
    #[cfg(feature = "legacy")]
    Ibm866 = 100 => codec::legacy::Ibm866, "DOS Cyrillic.",
    #[cfg(feature = "legacy")]
    Iso8859_2 = 101 => codec::legacy::Iso8859_2, "Latin-2: Central European languages.",
    #[cfg(feature = "legacy")]
    Iso8859_3 = 102 => codec::legacy::Iso8859_3, "Latin-3: South European languages, Esperanto and Maltese.",
    #[cfg(feature = "legacy")]
    Iso8859_4 = 103 => codec::legacy::Iso8859_4, "Latin-4: North European languages.",
    #[cfg(feature = "legacy")]
    Iso8859_5 = 104 => codec::legacy::Iso8859_5, "Latin and Cyrillic.",
    #[cfg(feature = "legacy")]
    Iso8859_6 = 105 => codec::legacy::Iso8859_6, "Latin and Arabic.",
    #[cfg(feature = "legacy")]
    Iso8859_7 = 106 => codec::legacy::Iso8859_7, "Latin and Greek.",
    #[cfg(feature = "legacy")]
    Iso8859_8 = 107 => codec::legacy::Iso8859_8, "Latin and Hebrew, in visual order.",
    #[cfg(feature = "legacy")]
    Iso8859_8I = 108 => codec::legacy::Iso8859_8I, "Latin and Hebrew, in logical order.",
    #[cfg(feature = "legacy")]
    Iso8859_10 = 109 => codec::legacy::Iso8859_10, "Latin-6: Nordic languages.",
    #[cfg(feature = "legacy")]
    Iso8859_13 = 110 => codec::legacy::Iso8859_13, "Latin-7: Baltic languages.",
    #[cfg(feature = "legacy")]
    Iso8859_14 = 111 => codec::legacy::Iso8859_14, "Latin-8: Celtic languages.",
    #[cfg(feature = "legacy")]
    Iso8859_15 = 112 => codec::legacy::Iso8859_15, "Latin-9: ISO 8859-1 with the euro sign.",
    #[cfg(feature = "legacy")]
    Iso8859_16 = 113 => codec::legacy::Iso8859_16, "Latin-10: South-Eastern European languages.",
    #[cfg(feature = "legacy")]
    Koi8R = 114 => codec::legacy::Koi8R, "KOI8 for Russian.",
    #[cfg(feature = "legacy")]
    Koi8U = 115 => codec::legacy::Koi8U, "KOI8 for Ukrainian.",
    #[cfg(feature = "legacy")]
    Macintosh = 116 => codec::legacy::Macintosh, "Mac OS Roman.",
    #[cfg(feature = "legacy")]
    Windows874 = 117 => codec::legacy::Windows874, "Windows' Thai: TIS-620 with additions.",
    #[cfg(feature = "legacy")]
    Windows1250 = 118 => codec::legacy::Windows1250, "Windows' Central European.",
    #[cfg(feature = "legacy")]
    Windows1251 = 119 => codec::legacy::Windows1251, "Windows' Cyrillic.",
    #[cfg(feature = "legacy")]
    Windows1252 = 120 => codec::legacy::Windows1252, "Windows' Western European: what most text labelled ISO 8859-1 really is.",
    #[cfg(feature = "legacy")]
    Windows1253 = 121 => codec::legacy::Windows1253, "Windows' Greek.",
    #[cfg(feature = "legacy")]
    Windows1254 = 122 => codec::legacy::Windows1254, "Windows' Turkish; the web's ISO 8859-9.",
    #[cfg(feature = "legacy")]
    Windows1255 = 123 => codec::legacy::Windows1255, "Windows' Hebrew.",
    #[cfg(feature = "legacy")]
    Windows1256 = 124 => codec::legacy::Windows1256, "Windows' Arabic.",
    #[cfg(feature = "legacy")]
    Windows1257 = 125 => codec::legacy::Windows1257, "Windows' Baltic.",
    #[cfg(feature = "legacy")]
    Windows1258 = 126 => codec::legacy::Windows1258, "Windows' Vietnamese.",
    #[cfg(feature = "legacy")]
    MacCyrillic = 127 => codec::legacy::MacCyrillic, "Mac OS Cyrillic, with the letters of Ukrainian.",
    #[cfg(feature = "legacy")]
    Gbk = 128 => codec::legacy::Gbk, "Simplified Chinese: GB 2312 and its extension by Microsoft.",
    #[cfg(feature = "legacy")]
    Gb18030 = 129 => codec::legacy::Gb18030, "All of Unicode, compatible with GBK: one, two or four bytes.",
    #[cfg(feature = "legacy")]
    Big5 = 130 => codec::legacy::Big5, "Traditional Chinese, with the characters of Hong Kong (HKSCS).",
    #[cfg(feature = "legacy")]
    EucJp = 131 => codec::legacy::EucJp, "Japanese: JIS X 0201, JIS X 0208 and JIS X 0212 in the form of Unix.",
    #[cfg(feature = "legacy")]
    Iso2022Jp = 132 => codec::iso_2022_jp::Iso2022Jp, "Japanese in mail: JIS X 0201 and JIS X 0208, switched by escape sequences.",
    #[cfg(feature = "legacy")]
    ShiftJis = 133 => codec::legacy::ShiftJis, "Japanese as Windows writes it: windows-31J.",
    #[cfg(feature = "legacy")]
    EucKr = 134 => codec::legacy::EucKr, "Korean: KS X 1001 with the additions of windows-949.",
    #[cfg(feature = "legacy")]
    Replacement = 135 => codec::legacy::Replacement, "Not text: the web decodes encodings that are unsafe in HTML to one U+FFFD.",
    #[cfg(feature = "legacy")]
    UserDefined = 136 => codec::legacy::UserDefined, "US-ASCII, and bytes 80 to FF as U+F780 to U+F7FF, to read binary data as text.",
    // Add new rows above this line.
}

impl Encoding {
    /// The clause of the specification that an error of this kind violates, as
    /// [`Error::clause`](crate::Error::clause).
    ///
    /// ```
    /// use utfall::{Encoding, ErrorKind};
    /// let clause = Encoding::Utf8.clause(ErrorKind::InvalidByte);
    /// assert_eq!(clause, "RFC 3629 §1: C0, C1 and F5 to FF never appear");
    /// ```
    #[must_use]
    pub fn clause(self, kind: ErrorKind) -> &'static str {
        (self.info().clause)(kind)
    }

    /// The preferred name.
    ///
    /// ```
    /// assert_eq!(utfall::Encoding::Ucs2.name(), "ISO-10646-UCS-2");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Whether an RFC defines it as UTF-8: RFC 3629, RFC 2279 or RFC 2044, or RFC 2279 §5 for text
    /// of Unicode 1.1. Perl's `utf8`, CESU-8 and the like are of [`Family::Utf8`], but not UTF-8.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert!(Encoding::Utf8Rfc2279.is_utf8());
    /// assert!(!Encoding::Cesu8.is_utf8());
    /// ```
    #[must_use]
    pub const fn is_utf8(self) -> bool {
        let info = self.info();
        matches!(info.family, Family::Utf8)
            && matches!(info.specification.as_bytes(), [b'R', b'F', b'C', ..])
    }

    /// The same encoding in this byte order, if there is one.
    ///
    /// ```
    /// use utfall::{ByteOrder, Encoding};
    /// assert_eq!(Encoding::Utf16.with_byte_order(ByteOrder::Big), Some(Encoding::Utf16Be));
    /// assert_eq!(Encoding::Ucs4Le.with_byte_order(ByteOrder::Marked), Some(Encoding::Ucs4));
    /// assert_eq!(Encoding::Unicode11.with_byte_order(ByteOrder::Big), None);
    /// assert_eq!(Encoding::Utf8.with_byte_order(ByteOrder::Big), None);
    /// ```
    #[must_use]
    pub fn with_byte_order(self, order: ByteOrder) -> Option<Self> {
        let own = self.info();
        let is_it = |encoding: &Self| {
            let info = encoding.info();
            info.byte_order == Some(order)
                && (info.family, info.repertoire) == (own.family, own.repertoire)
                && info.specification == own.specification
        };
        Self::ALL.iter().copied().find(is_it)
    }

    /// The encoding with this label, as named by IANA and this library.
    ///
    /// Labels are compared as described in UTS #22 §1.4: ignoring case, everything except letters
    /// and digits, and leading zeros of numbers. A label with bytes above 7F matches nothing.
    ///
    /// A label may be a string or bytes, such as the value of an HTTP header. [`str::parse`] does
    /// the same.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert_eq!("utf8".parse(), Ok(Encoding::Utf8));
    /// assert_eq!(Encoding::for_label(b"utf8"), Some(Encoding::Utf8));
    /// assert_eq!(Encoding::for_label("Iso 8859_1"), Some(Encoding::Iso8859_1));
    /// assert_eq!(Encoding::for_label("utf-9000"), None);
    /// ```
    #[must_use]
    pub fn for_label(label: impl AsRef<[u8]>) -> Option<Self> {
        Self::for_label_bytes(label.as_ref())
    }

    fn for_label_bytes(label: &[u8]) -> Option<Self> {
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
                .any(|known| folded(known.as_bytes()).eq(wanted.iter().copied()))
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
    pub fn for_whatwg_label(label: impl AsRef<[u8]>) -> Option<Self> {
        // Unlike labels, names mean the same in both.
        Self::for_label(encoding_rs::Encoding::for_label(label.as_ref())?.name())
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

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// As [`Encoding::for_label`].
    fn from_str(label: &str) -> Result<Self, UnknownEncoding> {
        Self::for_label(label).ok_or(UnknownEncoding)
    }
}

impl TryFrom<u16> for Encoding {
    type Error = UnknownEncoding;

    /// The encoding with this number, as `encoding as u16` gives it.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert_eq!(Encoding::try_from(Encoding::Scsu as u16), Ok(Encoding::Scsu));
    /// assert!(Encoding::try_from(0).is_err());
    /// ```
    fn try_from(number: u16) -> Result<Self, UnknownEncoding> {
        let found = Self::ALL.iter().copied().find(|encoding| *encoding as u16 == number);
        found.ok_or(UnknownEncoding)
    }
}

/// No encoding of this build has that label or number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEncoding;

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown encoding")
    }
}

impl core::error::Error for UnknownEncoding {}

/// More letters and digits than the longest label has.
const LONGEST_LABEL: usize = 64;

/// The letters and digits of a label in lower case, without leading zeros of numbers.
fn folded(bytes: &[u8]) -> impl Iterator<Item = u8> {
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
