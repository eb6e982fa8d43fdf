//! The registry: one row for each encoding. Everything else about an encoding is in its file under
//! `codec/`.

mod labels;

use core::fmt;
use core::str::FromStr;

use utfall_simd::{Kernels, Layout};

pub use labels::Labels;

#[cfg(feature = "legacy")]
use crate::codec::mapped::Mapped;
use crate::codec::renumbered::Renumbered;
use crate::codec::{self, Codec, Decode, Decoded, Encode, Encoded, Next, Put, Rows};
use crate::route::Side;
use crate::{ByteOrder, ErrorKind, Info, Options};

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
                    $( $(#[$attr])* Self::$variant => {
                        const INFO: Info =
                            Info { description: $description, ..<$codec as Codec>::INFO }.kept();
                        // Where this is inlined, the kernels for plain text are chosen at compile
                        // time. Such copies of all charsets would take megabytes.
                        if const { matches!(INFO.side, Side::Plain(_)) } {
                            &const { INFO }
                        } else {
                            static ONE: Info = INFO;
                            &ONE
                        }
                    } )*
                }
            }
        }

        impl Encoding {
            /// The whole rows of the encoding, if it has a fast way to them.
            pub(crate) fn rows(self) -> Option<&'static dyn Rows> {
                match self {
                    $( $(#[$attr])* Self::$variant => <$codec as Codec>::ROWS, )*
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

            fn decode_to_utf16(
                &mut self,
                kernels: &Kernels,
                to: Layout,
                src: &[u8],
                dst: &mut [u8],
            ) -> Option<(usize, usize)> {
                match self {
                    $(
                        $(#[$attr])*
                        Self::$variant(d) => d.decode_to_utf16(kernels, to, src, dst),
                    )*
                }
            }

            fn is_little(&self) -> Option<bool> {
                match self { $( $(#[$attr])* Self::$variant(d) => Decode::is_little(d), )* }
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

            fn encode_utf16(
                &mut self,
                kernels: &Kernels,
                from: Layout,
                src: &[u8],
                dst: &mut [u8],
            ) -> Option<(usize, usize)> {
                match self {
                    $(
                        $(#[$attr])*
                        Self::$variant(e) => e.encode_utf16(kernels, from, src, dst),
                    )*
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
    Ibm866 = 100 => codec::single_byte::Ibm866, "DOS Cyrillic.",
    #[cfg(feature = "legacy")]
    Iso8859_2 = 101 => codec::single_byte::Iso8859_2, "Latin-2: Central European languages.",
    #[cfg(feature = "legacy")]
    Iso8859_3 = 102 => codec::single_byte::Iso8859_3, "Latin-3: South European languages, Esperanto and Maltese.",
    #[cfg(feature = "legacy")]
    Iso8859_4 = 103 => codec::single_byte::Iso8859_4, "Latin-4: North European languages.",
    #[cfg(feature = "legacy")]
    Iso8859_5 = 104 => codec::single_byte::Iso8859_5, "Latin and Cyrillic.",
    #[cfg(feature = "legacy")]
    Iso8859_6 = 105 => codec::single_byte::Iso8859_6, "Latin and Arabic.",
    #[cfg(feature = "legacy")]
    Iso8859_7 = 106 => codec::single_byte::Iso8859_7, "Latin and Greek.",
    #[cfg(feature = "legacy")]
    Iso8859_8 = 107 => codec::single_byte::Iso8859_8, "Latin and Hebrew, in visual order.",
    #[cfg(feature = "legacy")]
    Iso8859_8I = 108 => codec::single_byte::Iso8859_8I, "Latin and Hebrew, in logical order.",
    #[cfg(feature = "legacy")]
    Iso8859_10 = 109 => codec::single_byte::Iso8859_10, "Latin-6: Nordic languages.",
    #[cfg(feature = "legacy")]
    Iso8859_13 = 110 => codec::single_byte::Iso8859_13, "Latin-7: Baltic languages.",
    #[cfg(feature = "legacy")]
    Iso8859_14 = 111 => codec::single_byte::Iso8859_14, "Latin-8: Celtic languages.",
    #[cfg(feature = "legacy")]
    Iso8859_15 = 112 => codec::single_byte::Iso8859_15, "Latin-9: ISO 8859-1 with the euro sign.",
    #[cfg(feature = "legacy")]
    Iso8859_16 = 113 => codec::single_byte::Iso8859_16, "Latin-10: South-Eastern European languages.",
    #[cfg(feature = "legacy")]
    Koi8R = 114 => codec::single_byte::Koi8R, "KOI8 for Russian.",
    #[cfg(feature = "legacy")]
    Koi8U = 115 => codec::single_byte::Koi8U, "KOI8 for Ukrainian.",
    #[cfg(feature = "legacy")]
    Macintosh = 116 => codec::single_byte::Macintosh, "Mac OS Roman.",
    #[cfg(feature = "legacy")]
    Windows874 = 117 => codec::single_byte::Windows874, "Windows' Thai: TIS-620 with additions.",
    #[cfg(feature = "legacy")]
    Windows1250 = 118 => codec::single_byte::Windows1250, "Windows' Central European.",
    #[cfg(feature = "legacy")]
    Windows1251 = 119 => codec::single_byte::Windows1251, "Windows' Cyrillic.",
    #[cfg(feature = "legacy")]
    Windows1252 = 120 => codec::single_byte::Windows1252, "Windows' Western European: what most text labelled ISO 8859-1 really is.",
    #[cfg(feature = "legacy")]
    Windows1253 = 121 => codec::single_byte::Windows1253, "Windows' Greek.",
    #[cfg(feature = "legacy")]
    Windows1254 = 122 => codec::single_byte::Windows1254, "Windows' Turkish; the web's ISO 8859-9.",
    #[cfg(feature = "legacy")]
    Windows1255 = 123 => codec::single_byte::Windows1255, "Windows' Hebrew.",
    #[cfg(feature = "legacy")]
    Windows1256 = 124 => codec::single_byte::Windows1256, "Windows' Arabic.",
    #[cfg(feature = "legacy")]
    Windows1257 = 125 => codec::single_byte::Windows1257, "Windows' Baltic.",
    #[cfg(feature = "legacy")]
    Windows1258 = 126 => codec::single_byte::Windows1258, "Windows' Vietnamese.",
    #[cfg(feature = "legacy")]
    MacCyrillic = 127 => codec::single_byte::MacCyrillic, "Mac OS Cyrillic, with the letters of Ukrainian.",
    #[cfg(feature = "legacy")]
    Gbk = 128 => Mapped<codec::gb18030::Gbk>, "Simplified Chinese: GB 2312 and its extension by Microsoft.",
    #[cfg(feature = "legacy")]
    Gb18030 = 129 => Mapped<codec::gb18030::Gb18030>, "All of Unicode, compatible with GBK: one, two or four bytes.",
    #[cfg(feature = "legacy")]
    Big5 = 130 => Mapped<codec::big5::Big5>, "Traditional Chinese, with the characters of Hong Kong (HKSCS).",
    #[cfg(feature = "legacy")]
    EucJp = 131 => Mapped<codec::euc_jp::EucJp>, "Japanese: JIS X 0201, JIS X 0208 and JIS X 0212 in the form of Unix.",
    #[cfg(feature = "legacy")]
    Iso2022Jp = 132 => Mapped<codec::iso_2022_jp::Iso2022Jp>, "Japanese in mail: JIS X 0201 and JIS X 0208, switched by escape sequences.",
    #[cfg(feature = "legacy")]
    ShiftJis = 133 => Mapped<codec::shift_jis::ShiftJis>, "Japanese as Windows writes it: windows-31J.",
    #[cfg(feature = "legacy")]
    EucKr = 134 => Mapped<codec::euc_kr::EucKr>, "Korean: KS X 1001 with the additions of windows-949.",
    #[cfg(feature = "legacy")]
    Replacement = 135 => codec::replacement::Replacement, "Not text: the web decodes encodings that are unsafe in HTML to one U+FFFD.",
    #[cfg(feature = "legacy")]
    UserDefined = 136 => codec::single_byte::UserDefined, "US-ASCII, and bytes 80 to FF as U+F780 to U+F7FF, to read binary data as text.",
    #[cfg(feature = "glibc")]
    Ibm437 = 200 => codec::single_byte::Ibm437, "DOS: United States; the character set of the original PC.",
    #[cfg(feature = "glibc")]
    Cp737 = 201 => codec::single_byte::Cp737, "DOS: Greek.",
    #[cfg(feature = "glibc")]
    Cp770 = 202 => codec::single_byte::Cp770, "DOS: Baltic, of Lithuania (LST 1590-1).",
    #[cfg(feature = "glibc")]
    Cp771 = 203 => codec::single_byte::Cp771, "DOS: Lithuanian and Cyrillic, KBL.",
    #[cfg(feature = "glibc")]
    Cp772 = 204 => codec::single_byte::Cp772, "DOS: Lithuanian and Cyrillic (LST 1284).",
    #[cfg(feature = "glibc")]
    Cp773 = 205 => codec::single_byte::Cp773, "DOS: Baltic, KBL.",
    #[cfg(feature = "glibc")]
    Cp774 = 206 => codec::single_byte::Cp774, "DOS: Lithuanian (LST 1283).",
    #[cfg(feature = "glibc")]
    Ibm775 = 207 => codec::single_byte::Ibm775, "DOS: Baltic languages.",
    #[cfg(feature = "glibc")]
    Ibm850 = 208 => codec::single_byte::Ibm850, "DOS: Western European languages.",
    #[cfg(feature = "glibc")]
    Ibm851 = 209 => codec::single_byte::Ibm851, "DOS: Greek, older than code page 869.",
    #[cfg(feature = "glibc")]
    Ibm852 = 210 => codec::single_byte::Ibm852, "DOS: Central European languages.",
    #[cfg(feature = "glibc")]
    Ibm855 = 211 => codec::single_byte::Ibm855, "DOS: Cyrillic of IBM.",
    #[cfg(feature = "glibc")]
    Ibm856 = 212 => codec::single_byte::Ibm856, "DOS: Hebrew, older than code page 862.",
    #[cfg(feature = "glibc")]
    Ibm857 = 213 => codec::single_byte::Ibm857, "DOS: Turkish.",
    #[cfg(feature = "glibc")]
    Ibm00858 = 214 => codec::single_byte::Ibm00858, "DOS: code page 850 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm860 = 215 => codec::single_byte::Ibm860, "DOS: Portuguese.",
    #[cfg(feature = "glibc")]
    Ibm861 = 216 => codec::single_byte::Ibm861, "DOS: Icelandic.",
    #[cfg(feature = "glibc")]
    Ibm862 = 217 => codec::single_byte::Ibm862, "DOS: Hebrew.",
    #[cfg(feature = "glibc")]
    Ibm863 = 218 => codec::single_byte::Ibm863, "DOS: Canadian French.",
    #[cfg(feature = "glibc")]
    Ibm864 = 219 => codec::single_byte::Ibm864, "DOS: Arabic, in presentation forms.",
    #[cfg(feature = "glibc")]
    Ibm865 = 220 => codec::single_byte::Ibm865, "DOS: Danish and Norwegian.",
    #[cfg(feature = "glibc")]
    Ibm866nav = 221 => codec::single_byte::Ibm866nav, "DOS: Cyrillic, code page 866 with other letters from F2 to FB.",
    #[cfg(feature = "glibc")]
    Ibm868 = 222 => codec::single_byte::Ibm868, "DOS: Urdu.",
    #[cfg(feature = "glibc")]
    Ibm869 = 223 => codec::single_byte::Ibm869, "DOS: Greek.",
    #[cfg(feature = "glibc")]
    Ibm874 = 224 => codec::single_byte::Ibm874, "DOS: Thai, code page 874 of IBM.",
    #[cfg(feature = "glibc")]
    Ibm891 = 225 => codec::single_byte::Ibm891, "DOS: Korean half of code page 934.",
    #[cfg(feature = "glibc")]
    Ibm904 = 226 => codec::single_byte::Ibm904, "DOS: Traditional Chinese half of code page 938.",
    #[cfg(feature = "glibc")]
    Ibm1161 = 227 => codec::single_byte::Ibm1161, "DOS: Thai, code page 874 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm9066 = 228 => codec::single_byte::Ibm9066, "DOS: Thai, another code page 874.",
    #[cfg(feature = "glibc")]
    Ibm901 = 229 => codec::single_byte::Ibm901, "Baltic languages, code page 921 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm902 = 230 => codec::single_byte::Ibm902, "Estonian, code page 922 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm922 = 231 => codec::single_byte::Ibm922, "Estonian.",
    #[cfg(feature = "glibc")]
    Ibm1004 = 232 => codec::single_byte::Ibm1004, "OS/2: Latin-1 with most of the punctuation of windows-1252.",
    #[cfg(feature = "glibc")]
    Ibm1008 = 233 => codec::single_byte::Ibm1008, "Arabic, of IBM, with letters in isolated form.",
    #[cfg(feature = "glibc")]
    Ibm1046 = 234 => codec::single_byte::Ibm1046, "Arabic of AIX, with letters in all forms.",
    #[cfg(feature = "glibc")]
    Ibm1124 = 235 => codec::single_byte::Ibm1124, "Ukrainian, of AIX.",
    #[cfg(feature = "glibc")]
    Ibm1129 = 236 => codec::single_byte::Ibm1129, "Vietnamese, of AIX.",
    #[cfg(feature = "glibc")]
    Ibm1133 = 237 => codec::single_byte::Ibm1133, "Lao, of AIX.",
    #[cfg(feature = "glibc")]
    Ibm1163 = 238 => codec::single_byte::Ibm1163, "Vietnamese, code page 1129 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm4909 = 239 => codec::single_byte::Ibm4909, "Greek: ISO 8859-7 of 1987 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm9448 = 240 => codec::single_byte::Ibm9448, "Arabic of Windows with the euro sign: the characters of windows-1256.",
    #[cfg(feature = "glibc")]
    Ibm1167 = 241 => codec::single_byte::Ibm1167, "Belarusian and Ukrainian KOI8: KOI8-RU.",
    #[cfg(feature = "glibc")]
    Cp1125 = 242 => codec::single_byte::Cp1125, "DOS: Ukrainian, of the state standard RST 2018-91.",
    #[cfg(feature = "glibc")]
    Cwi = 243 => codec::single_byte::Cwi, "DOS: Hungarian, CWI-2.",
    #[cfg(feature = "glibc")]
    Mik = 244 => codec::single_byte::Mik, "DOS: Bulgarian.",
    #[cfg(feature = "glibc")]
    Koi8T = 245 => codec::single_byte::Koi8T, "KOI8 for Tajik.",
    #[cfg(feature = "glibc")]
    Koi8Glibc = 246 => codec::single_byte::Koi8Glibc, "KOI-8 of GOST 19768-74, without the Cyrillic Ё of KOI8-R.",
    #[cfg(feature = "glibc")]
    Ptcp154 = 247 => codec::single_byte::Ptcp154, "Cyrillic of Central Asia, of ParaType.",
    #[cfg(feature = "glibc")]
    Kz1048 = 248 => codec::single_byte::Kz1048, "Kazakh: windows-1251 with other letters.",
    #[cfg(feature = "glibc")]
    Armscii8 = 249 => codec::single_byte::Armscii8, "Armenian.",
    #[cfg(feature = "glibc")]
    GeorgianAcademy = 250 => codec::single_byte::GeorgianAcademy, "Georgian, of the Academy of Sciences.",
    #[cfg(feature = "glibc")]
    GeorgianPs = 251 => codec::single_byte::GeorgianPs, "Georgian, of ParaType.",
    #[cfg(feature = "glibc")]
    Viscii = 252 => codec::single_byte::Viscii, "Vietnamese, with letters instead of six controls (RFC 1456).",
    #[cfg(feature = "glibc")]
    Tcvn5712_1 = 253 => codec::single_byte::Tcvn5712_1, "Vietnamese, of the state standard TCVN 5712, not composed.",
    #[cfg(feature = "glibc")]
    WinSami2 = 254 => codec::single_byte::WinSami2, "Sami languages on Windows.",
    #[cfg(feature = "glibc")]
    MacCentraleurope = 255 => codec::single_byte::MacCentraleurope, "Mac OS: Central European languages.",
    #[cfg(feature = "glibc")]
    MacIs = 256 => codec::single_byte::MacIs, "Mac OS: Icelandic.",
    #[cfg(feature = "glibc")]
    MacSami = 257 => codec::single_byte::MacSami, "Mac OS: Sami languages.",
    #[cfg(feature = "glibc")]
    MacUk = 258 => codec::single_byte::MacUk, "Mac OS: Ukrainian.",
    #[cfg(feature = "glibc")]
    Cp10007 = 259 => codec::single_byte::Cp10007, "Mac OS: Cyrillic without the Ukrainian Ґ.",
    #[cfg(feature = "glibc")]
    DecMcs = 260 => codec::single_byte::DecMcs, "DEC's Multinational Character Set, a predecessor of ISO 8859-1.",
    #[cfg(feature = "glibc")]
    HpRoman8 = 261 => codec::single_byte::HpRoman8, "HP: Western European languages.",
    #[cfg(feature = "glibc")]
    HpRoman9 = 262 => codec::single_byte::HpRoman9, "HP: Roman-8 with a currency sign at BA that glibc reads as U+20A0.",
    #[cfg(feature = "glibc")]
    HpGreek8 = 263 => codec::single_byte::HpGreek8, "HP: Greek.",
    #[cfg(feature = "glibc")]
    HpTurkish8 = 264 => codec::single_byte::HpTurkish8, "HP: Turkish.",
    #[cfg(feature = "glibc")]
    Iso8859_9e = 265 => codec::single_byte::Iso8859_9e, "ISO 8859-9 with letters of Azerbaijani.",
    #[cfg(feature = "glibc")]
    IsoIr197 = 266 => codec::single_byte::IsoIr197, "Sami languages (ISO-IR 197).",
    #[cfg(feature = "glibc")]
    IsoIr209 = 267 => codec::single_byte::IsoIr209, "Sami languages (ISO-IR 209).",
    #[cfg(feature = "glibc")]
    EcmaCyrillic = 268 => codec::single_byte::EcmaCyrillic, "Cyrillic of ECMA-113, first edition.",
    #[cfg(feature = "glibc")]
    Ibm037 = 269 => codec::single_byte::Ibm037, "EBCDIC: United States and Canada.",
    #[cfg(feature = "glibc")]
    Ibm038 = 270 => codec::single_byte::Ibm038, "EBCDIC: international, older than code page 500.",
    #[cfg(feature = "glibc")]
    Ibm256 = 271 => codec::single_byte::Ibm256, "EBCDIC: international, the first.",
    #[cfg(feature = "glibc")]
    Ibm273 = 272 => codec::single_byte::Ibm273, "EBCDIC: Germany and Austria.",
    #[cfg(feature = "glibc")]
    Ibm274 = 273 => codec::single_byte::Ibm274, "EBCDIC: Belgium.",
    #[cfg(feature = "glibc")]
    Ibm275 = 274 => codec::single_byte::Ibm275, "EBCDIC: Brazil.",
    #[cfg(feature = "glibc")]
    Ibm277 = 275 => codec::single_byte::Ibm277, "EBCDIC: Denmark and Norway.",
    #[cfg(feature = "glibc")]
    Ibm278 = 276 => codec::single_byte::Ibm278, "EBCDIC: Finland and Sweden.",
    #[cfg(feature = "glibc")]
    Ibm280 = 277 => codec::single_byte::Ibm280, "EBCDIC: Italy.",
    #[cfg(feature = "glibc")]
    Ibm281 = 278 => codec::single_byte::Ibm281, "EBCDIC: Japan, Latin.",
    #[cfg(feature = "glibc")]
    Ibm284 = 279 => codec::single_byte::Ibm284, "EBCDIC: Spain and Latin America.",
    #[cfg(feature = "glibc")]
    Ibm285 = 280 => codec::single_byte::Ibm285, "EBCDIC: United Kingdom.",
    #[cfg(feature = "glibc")]
    Ibm290 = 281 => codec::single_byte::Ibm290, "EBCDIC: Japan, Katakana.",
    #[cfg(feature = "glibc")]
    Ibm297 = 282 => codec::single_byte::Ibm297, "EBCDIC: France.",
    #[cfg(feature = "glibc")]
    Ibm420 = 283 => codec::single_byte::Ibm420, "EBCDIC: Arabic.",
    #[cfg(feature = "glibc")]
    Ibm423 = 284 => codec::single_byte::Ibm423, "EBCDIC: Greek, older than code page 875.",
    #[cfg(feature = "glibc")]
    Ibm424 = 285 => codec::single_byte::Ibm424, "EBCDIC: Hebrew.",
    #[cfg(feature = "glibc")]
    Ibm500 = 286 => codec::single_byte::Ibm500, "EBCDIC: international.",
    #[cfg(feature = "glibc")]
    Ibm803 = 287 => codec::single_byte::Ibm803, "EBCDIC: Hebrew, older than code page 424.",
    #[cfg(feature = "glibc")]
    Ibm870 = 288 => codec::single_byte::Ibm870, "EBCDIC: Central European languages.",
    #[cfg(feature = "glibc")]
    Ibm871 = 289 => codec::single_byte::Ibm871, "EBCDIC: Iceland.",
    #[cfg(feature = "glibc")]
    Ibm875 = 290 => codec::single_byte::Ibm875, "EBCDIC: Greek.",
    #[cfg(feature = "glibc")]
    Ibm880 = 291 => codec::single_byte::Ibm880, "EBCDIC: Cyrillic, older than code page 1025.",
    #[cfg(feature = "glibc")]
    Ibm905 = 292 => codec::single_byte::Ibm905, "EBCDIC: Turkish, older than code page 1026.",
    #[cfg(feature = "glibc")]
    Ibm918 = 293 => codec::single_byte::Ibm918, "EBCDIC: Urdu.",
    #[cfg(feature = "glibc")]
    Ibm1025 = 294 => codec::single_byte::Ibm1025, "EBCDIC: Cyrillic.",
    #[cfg(feature = "glibc")]
    Ibm1026 = 295 => codec::single_byte::Ibm1026, "EBCDIC: Turkish.",
    #[cfg(feature = "glibc")]
    Ibm1047 = 296 => codec::single_byte::Ibm1047, "EBCDIC: Latin-1 of open systems on z/OS.",
    #[cfg(feature = "glibc")]
    Ibm1097 = 297 => codec::single_byte::Ibm1097, "EBCDIC: Persian.",
    #[cfg(feature = "glibc")]
    Ibm1112 = 298 => codec::single_byte::Ibm1112, "EBCDIC: Baltic languages.",
    #[cfg(feature = "glibc")]
    Ibm1122 = 299 => codec::single_byte::Ibm1122, "EBCDIC: Estonian.",
    #[cfg(feature = "glibc")]
    Ibm1123 = 300 => codec::single_byte::Ibm1123, "EBCDIC: Ukrainian.",
    #[cfg(feature = "glibc")]
    Ibm1130 = 301 => codec::single_byte::Ibm1130, "EBCDIC: Vietnamese.",
    #[cfg(feature = "glibc")]
    Ibm1132 = 302 => codec::single_byte::Ibm1132, "EBCDIC: Lao.",
    #[cfg(feature = "glibc")]
    Ibm1137 = 303 => codec::single_byte::Ibm1137, "EBCDIC: Devanagari.",
    #[cfg(feature = "glibc")]
    Ibm01140 = 304 => codec::single_byte::Ibm01140, "EBCDIC: code page 37 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm01141 = 305 => codec::single_byte::Ibm01141, "EBCDIC: code page 273 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm01142 = 306 => codec::single_byte::Ibm01142, "EBCDIC: code page 277 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm01143 = 307 => codec::single_byte::Ibm01143, "EBCDIC: code page 278 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm01144 = 308 => codec::single_byte::Ibm01144, "EBCDIC: code page 280 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm01145 = 309 => codec::single_byte::Ibm01145, "EBCDIC: code page 284 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm01146 = 310 => codec::single_byte::Ibm01146, "EBCDIC: code page 285 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm01147 = 311 => codec::single_byte::Ibm01147, "EBCDIC: code page 297 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm01148 = 312 => codec::single_byte::Ibm01148, "EBCDIC: code page 500 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm01149 = 313 => codec::single_byte::Ibm01149, "EBCDIC: code page 871 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm1153 = 314 => codec::single_byte::Ibm1153, "EBCDIC: code page 870 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm1154 = 315 => codec::single_byte::Ibm1154, "EBCDIC: code page 1025 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm1155 = 316 => codec::single_byte::Ibm1155, "EBCDIC: code page 1026 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm1156 = 317 => codec::single_byte::Ibm1156, "EBCDIC: code page 1112 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm1157 = 318 => codec::single_byte::Ibm1157, "EBCDIC: code page 1122 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm1158 = 319 => codec::single_byte::Ibm1158, "EBCDIC: code page 1123 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm1160 = 320 => codec::single_byte::Ibm1160, "EBCDIC: Thai with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm1164 = 321 => codec::single_byte::Ibm1164, "EBCDIC: code page 1130 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm1166 = 322 => codec::single_byte::Ibm1166, "EBCDIC: Cyrillic of Kazakhstan, with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm4517 = 323 => codec::single_byte::Ibm4517, "EBCDIC: Arabic, another code page 420.",
    #[cfg(feature = "glibc")]
    Ibm4899 = 324 => codec::single_byte::Ibm4899, "EBCDIC: Hebrew, code page 803 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm4971 = 325 => codec::single_byte::Ibm4971, "EBCDIC: Greek, code page 875 with the euro sign.",
    #[cfg(feature = "glibc")]
    Ibm9030 = 326 => codec::single_byte::Ibm9030, "EBCDIC: Thai.",
    #[cfg(feature = "glibc")]
    EbcdicAtDe = 327 => codec::single_byte::EbcdicAtDe, "EBCDIC: Germany and Austria, 94 characters.",
    #[cfg(feature = "glibc")]
    EbcdicAtDeA = 328 => codec::single_byte::EbcdicAtDeA, "EBCDIC: Germany and Austria, 94 characters, alternate.",
    #[cfg(feature = "glibc")]
    EbcdicCaFr = 329 => codec::single_byte::EbcdicCaFr, "EBCDIC: Canadian French, 94 characters.",
    #[cfg(feature = "glibc")]
    EbcdicDkNo = 330 => codec::single_byte::EbcdicDkNo, "EBCDIC: Denmark and Norway, 94 characters.",
    #[cfg(feature = "glibc")]
    EbcdicDkNoA = 331 => codec::single_byte::EbcdicDkNoA, "EBCDIC: Denmark and Norway, 94 characters, alternate.",
    #[cfg(feature = "glibc")]
    EbcdicEs = 332 => codec::single_byte::EbcdicEs, "EBCDIC: Spain, 94 characters.",
    #[cfg(feature = "glibc")]
    EbcdicEsA = 333 => codec::single_byte::EbcdicEsA, "EBCDIC: Spain, 94 characters, alternate.",
    #[cfg(feature = "glibc")]
    EbcdicEsS = 334 => codec::single_byte::EbcdicEsS, "EBCDIC: Spanish, 94 characters.",
    #[cfg(feature = "glibc")]
    EbcdicFiSe = 335 => codec::single_byte::EbcdicFiSe, "EBCDIC: Finland and Sweden, 94 characters.",
    #[cfg(feature = "glibc")]
    EbcdicFiSeA = 336 => codec::single_byte::EbcdicFiSeA, "EBCDIC: Finland and Sweden, 94 characters, alternate.",
    #[cfg(feature = "glibc")]
    EbcdicFr = 337 => codec::single_byte::EbcdicFr, "EBCDIC: France, 94 characters.",
    #[cfg(feature = "glibc")]
    EbcdicIsFriss = 338 => codec::single_byte::EbcdicIsFriss, "EBCDIC: Iceland, of Friðrik Skúlason.",
    #[cfg(feature = "glibc")]
    EbcdicIt = 339 => codec::single_byte::EbcdicIt, "EBCDIC: Italy, 94 characters.",
    #[cfg(feature = "glibc")]
    EbcdicPt = 340 => codec::single_byte::EbcdicPt, "EBCDIC: Portugal, 94 characters.",
    #[cfg(feature = "glibc")]
    EbcdicUk = 341 => codec::single_byte::EbcdicUk, "EBCDIC: United Kingdom, 94 characters.",
    #[cfg(feature = "glibc")]
    EbcdicUs = 342 => codec::single_byte::EbcdicUs, "EBCDIC: United States, 94 characters.",
    #[cfg(feature = "glibc")]
    Asmo449 = 343 => codec::single_byte::Asmo449, "Arabic in seven bits.",
    #[cfg(feature = "glibc")]
    Brf = 344 => codec::single_byte::Brf, "Braille as US-ASCII, in seven bits.",
    #[cfg(feature = "glibc")]
    Bs4730 = 345 => codec::single_byte::Bs4730, "ISO 646 of the United Kingdom.",
    #[cfg(feature = "glibc")]
    CsaZ243_4_1985_1 = 346 => codec::single_byte::CsaZ243_4_1985_1, "ISO 646 of Canada.",
    #[cfg(feature = "glibc")]
    CsaZ243_4_1985_2 = 347 => codec::single_byte::CsaZ243_4_1985_2, "ISO 646 of Canada, alternate.",
    #[cfg(feature = "glibc")]
    Csn369103 = 348 => codec::single_byte::Csn369103, "Central European languages, of the Czechoslovak standard ČSN 36 9103.",
    #[cfg(feature = "glibc")]
    Din66003 = 349 => codec::single_byte::Din66003, "ISO 646 of Germany.",
    #[cfg(feature = "glibc")]
    Ds2089 = 350 => codec::single_byte::Ds2089, "ISO 646 of Denmark.",
    #[cfg(feature = "glibc")]
    Es = 351 => codec::single_byte::Es, "ISO 646 of Spain, of Olivetti.",
    #[cfg(feature = "glibc")]
    Es2 = 352 => codec::single_byte::Es2, "ISO 646 of Spain, of IBM.",
    #[cfg(feature = "glibc")]
    Gb1988_80 = 353 => codec::single_byte::Gb1988_80, "ISO 646 of China.",
    #[cfg(feature = "glibc")]
    Gost19768_74 = 354 => codec::single_byte::Gost19768_74, "Cyrillic of GOST 19768-74, in the right half.",
    #[cfg(feature = "glibc")]
    GreekCcitt = 355 => codec::single_byte::GreekCcitt, "Greek in seven bits, of CCITT.",
    #[cfg(feature = "glibc")]
    Greek7 = 356 => codec::single_byte::Greek7, "Greek in seven bits, of ELOT.",
    #[cfg(feature = "glibc")]
    Greek7Old = 357 => codec::single_byte::Greek7Old, "Greek in seven bits, of Honeywell-Bull.",
    #[cfg(feature = "glibc")]
    IecP27_1 = 358 => codec::single_byte::IecP27_1, "Symbols of IEC P27-1.",
    #[cfg(feature = "glibc")]
    Inis = 359 => codec::single_byte::Inis, "ISO 646 of the International Nuclear Information System.",
    #[cfg(feature = "glibc")]
    Inis8 = 360 => codec::single_byte::Inis8, "Symbols of the International Nuclear Information System.",
    #[cfg(feature = "glibc")]
    InisCyrillic = 361 => codec::single_byte::InisCyrillic, "Cyrillic of the International Nuclear Information System.",
    #[cfg(feature = "glibc")]
    Iso10367Box = 362 => codec::single_byte::Iso10367Box, "Box drawings of ISO 10367.",
    #[cfg(feature = "glibc")]
    Iso2033_1983 = 363 => codec::single_byte::Iso2033_1983, "Characters of cheques: E-13B (ISO 2033).",
    #[cfg(feature = "glibc")]
    Iso5427 = 364 => codec::single_byte::Iso5427, "Cyrillic for bibliographies, in seven bits.",
    #[cfg(feature = "glibc")]
    Iso5427_1981 = 365 => codec::single_byte::Iso5427_1981, "Cyrillic for bibliographies, in seven bits, extended.",
    #[cfg(feature = "glibc")]
    Iso5428_1980 = 366 => codec::single_byte::Iso5428_1980, "Greek for bibliographies.",
    #[cfg(feature = "glibc")]
    It = 367 => codec::single_byte::It, "ISO 646 of Italy.",
    #[cfg(feature = "glibc")]
    JisC6220_1969Ro = 368 => codec::single_byte::JisC6220_1969Ro, "ISO 646 of Japan.",
    #[cfg(feature = "glibc")]
    JisC6229_1984B = 369 => codec::single_byte::JisC6229_1984B, "Characters of OCR-B in Japan.",
    #[cfg(feature = "glibc")]
    JusIB1_002 = 370 => codec::single_byte::JusIB1_002, "ISO 646 of Yugoslavia.",
    #[cfg(feature = "glibc")]
    Ksc5636 = 371 => codec::single_byte::Ksc5636, "ISO 646 of Korea.",
    #[cfg(feature = "glibc")]
    LatinGreek = 372 => codec::single_byte::LatinGreek, "Latin and Greek capitals in seven bits.",
    #[cfg(feature = "glibc")]
    LatinGreek1 = 373 => codec::single_byte::LatinGreek1, "Latin and Greek capitals in seven bits, with shared letters.",
    #[cfg(feature = "glibc")]
    Msz7795_3 = 374 => codec::single_byte::Msz7795_3, "ISO 646 of Hungary.",
    #[cfg(feature = "glibc")]
    NatsDano = 375 => codec::single_byte::NatsDano, "ISO 646 of newspapers in Denmark and Norway.",
    #[cfg(feature = "glibc")]
    NatsSefi = 376 => codec::single_byte::NatsSefi, "ISO 646 of newspapers in Sweden and Finland.",
    #[cfg(feature = "glibc")]
    NcNc00_10_81 = 377 => codec::single_byte::NcNc00_10_81, "ISO 646 of Cuba.",
    #[cfg(feature = "glibc")]
    NfZ62_010 = 378 => codec::single_byte::NfZ62_010, "ISO 646 of France.",
    #[cfg(feature = "glibc")]
    NfZ62_010_1973 = 379 => codec::single_byte::NfZ62_010_1973, "ISO 646 of France, first edition.",
    #[cfg(feature = "glibc")]
    Ns4551_1 = 380 => codec::single_byte::Ns4551_1, "ISO 646 of Norway.",
    #[cfg(feature = "glibc")]
    Ns4551_2 = 381 => codec::single_byte::Ns4551_2, "ISO 646 of Norway, alternate.",
    #[cfg(feature = "glibc")]
    Pt = 382 => codec::single_byte::Pt, "ISO 646 of Portugal, of Olivetti.",
    #[cfg(feature = "glibc")]
    Pt2 = 383 => codec::single_byte::Pt2, "ISO 646 of Portugal, of IBM.",
    #[cfg(feature = "glibc")]
    Sen850200B = 384 => codec::single_byte::Sen850200B, "ISO 646 of Sweden and Finland.",
    #[cfg(feature = "glibc")]
    Sen850200C = 385 => codec::single_byte::Sen850200C, "ISO 646 of Sweden and Finland, for names.",
    #[cfg(feature = "glibc")]
    Windows1250Glibc = 386 => codec::single_byte::Windows1250Glibc, "windows-1250 without the controls that the web adds.",
    #[cfg(feature = "glibc")]
    Windows1251Glibc = 387 => codec::single_byte::Windows1251Glibc, "windows-1251 without the control that the web adds.",
    #[cfg(feature = "glibc")]
    Windows1252Glibc = 388 => codec::single_byte::Windows1252Glibc, "windows-1252 without the controls that the web adds.",
    #[cfg(feature = "glibc")]
    Windows1253Glibc = 389 => codec::single_byte::Windows1253Glibc, "windows-1253 without the controls that the web adds.",
    #[cfg(feature = "glibc")]
    Windows1254Glibc = 390 => codec::single_byte::Windows1254Glibc, "windows-1254 without the controls that the web adds.",
    #[cfg(feature = "glibc")]
    Windows1257Glibc = 391 => codec::single_byte::Windows1257Glibc, "windows-1257 without the controls that the web adds.",
    #[cfg(feature = "glibc")]
    Iso8859_9Glibc = 392 => codec::single_byte::Iso8859_9Glibc, "Latin-5 as the standard has it: Turkish, with controls from 80 to 9F.",
    #[cfg(feature = "glibc")]
    Iso8859_11Glibc = 393 => codec::single_byte::Iso8859_11Glibc, "Latin and Thai as the standard has it, with controls from 80 to 9F.",
    #[cfg(feature = "glibc")]
    Tis620Glibc = 394 => codec::single_byte::Tis620Glibc, "Thai as the standard has it, with nothing from 80 to A0.",
    #[cfg(feature = "glibc")]
    Koi8UGlibc = 395 => codec::single_byte::Koi8UGlibc, "KOI8 for Ukrainian as RFC 2319 has it, without the Belarusian Ў of the web.",
    #[cfg(feature = "glibc")]
    MacintoshGlibc = 396 => codec::single_byte::MacintoshGlibc, "Mac OS Roman as glibc has it, with U+0394 and U+E01E at C6 and F0.",
    #[cfg(feature = "glibc")]
    MacCroatian = 397 => codec::single_byte::MacCroatian, "Mac OS: Croatian.",
    #[cfg(feature = "glibc")]
    MacGreek = 398 => codec::single_byte::MacGreek, "Mac OS: Greek.",
    #[cfg(feature = "glibc")]
    MacIcelandic = 399 => codec::single_byte::MacIcelandic, "Mac OS: Icelandic, with Apple's table; MAC-IS is glibc's.",
    #[cfg(feature = "glibc")]
    EucKrGlibc = 400 => Mapped<codec::multi_byte::EucKrGlibc>, "Korean: KS X 1001 alone, as glibc has it, without the other syllables of the web's EUC-KR.",
    #[cfg(feature = "glibc")]
    Gb2312Glibc = 401 => Mapped<codec::multi_byte::Gb2312Glibc>, "Simplified Chinese: GB 2312 alone, as glibc has it in EUC-CN; the web's GB2312 is GBK.",
    #[cfg(feature = "glibc")]
    GbkGlibc = 402 => Mapped<codec::multi_byte::GbkGlibc>, "GBK as glibc has it, without the private-use characters and the single-byte euro sign of the web.",
    #[cfg(feature = "glibc")]
    ShiftJisGlibc = 403 => Mapped<codec::multi_byte::ShiftJisGlibc>, "Japanese: JIS X 0201 and JIS X 0208 as in glibc's SJIS, with a yen sign at 5C; the web's is windows-31J.",
    #[cfg(feature = "glibc")]
    EucJpGlibc = 404 => Mapped<codec::multi_byte::EucJpGlibc>, "EUC-JP as glibc has it: JIS X 0208 and JIS X 0212, both written, without the characters of NEC and IBM.",
    #[cfg(feature = "glibc")]
    EucJpMs = 405 => Mapped<codec::multi_byte::EucJpMs>, "EUC-JP with the characters of NEC, IBM and Microsoft, and with user-defined ones, as glibc has it.",
    #[cfg(feature = "glibc")]
    Big5Glibc = 406 => Mapped<codec::multi_byte::Big5Glibc>, "Traditional Chinese: Big5 with the extensions of ETEN, as glibc has it, without those of Hong Kong.",
    #[cfg(feature = "glibc")]
    Johab = 407 => Mapped<codec::multi_byte::Johab>, "Korean: all syllables of Hangul by their letters, and KS X 1001 (KS X 1001 annex 3).",
    #[cfg(feature = "glibc")]
    Hz = 408 => Mapped<codec::shifted_pairs::Hz>, "Simplified Chinese in seven bits: GB 2312 between `~{` and `~}` within US-ASCII.",
    #[cfg(feature = "glibc")]
    Iso2022Kr = 409 => Mapped<codec::shifted_pairs::Iso2022Kr>, "Korean in mail: KS X 1001 between the controls SO and SI within US-ASCII.",
    #[cfg(feature = "glibc")]
    MacRomanian = 410 => codec::single_byte::MacRomanian, "Mac OS: Romanian.",
    #[cfg(feature = "glibc")]
    MacTurkish = 411 => codec::single_byte::MacTurkish, "Mac OS: Turkish.",
    #[cfg(feature = "glibc")]
    Gb18030Of2005 = 412 => Mapped<codec::gb18030_2005::Gb18030Of2005>, "GB 18030 of 2005: 18 characters at code points for private use; the web's GB18030 is the edition of 2022.",
    #[cfg(feature = "glibc")]
    Big5Hkscs = 413 => Mapped<codec::big5_hkscs::Big5Hkscs>, "Traditional Chinese: Big5 with the characters of Hong Kong of 2008, as glibc has it; the web's Big5 has them too.",
    #[cfg(feature = "glibc")]
    Windows949Glibc = 414 => Mapped<codec::multi_byte::Windows949Glibc>, "Korean as Windows writes it, with glibc's table of UHC; the web's EUC-KR is the same except for a few characters.",
    #[cfg(feature = "glibc")]
    Windows31JGlibc = 415 => Mapped<codec::multi_byte::Windows31JGlibc>, "Japanese as Windows writes it, with glibc's table of CP932; the web's Shift_JIS decodes the same characters.",
    #[cfg(feature = "glibc")]
    Iso6937 = 416 => codec::multi_byte::Iso6937, "Latin with accents as bytes before the letter, of 1992 (ISO 6937): videotex and teletext.",
    #[cfg(feature = "glibc")]
    Iso6937Of1983 = 417 => codec::multi_byte::Iso6937Of1983, "Latin with accents as bytes before the letter, of 1983 (ISO 6937-2).",
    #[cfg(feature = "glibc")]
    T61 = 418 => codec::multi_byte::T61, "Teletex: Latin with accents as bytes before the letter (ITU-T T.61), in X.500 and old certificates.",
    #[cfg(feature = "glibc")]
    AnsiX3_110 = 419 => codec::multi_byte::AnsiX3_110, "Videotex of North America: Latin with accents as bytes before the letter (NAPLPS).",
    #[cfg(feature = "cns")]
    EucTw = 420 => Mapped<codec::euc_tw::EucTw>, "Traditional Chinese: eight planes of CNS 11643, in two or four bytes.",
    #[cfg(feature = "cns")]
    Iso2022Cn = 421 => Mapped<codec::iso_2022_cn::Iso2022Cn>, "Chinese in mail: GB 2312 and CNS 11643 planes 1 and 2, switched by shifts and escape sequences.",
    #[cfg(feature = "glibc")]
    Iso2022Jp2 = 422 => Mapped<codec::iso_2022_jp_2::Iso2022Jp2>, "Japanese in mail, with sets of China and Korea, Latin-1 and Greek, switched by escape sequences.",
    #[cfg(feature = "jisx0213")]
    EucJisX0213 = 423 => Mapped<codec::jis_x_0213::JisX0213<codec::jis_x_0213::Euc>>, "Japanese: both planes of JIS X 0213:2004, in two or three bytes.",
    #[cfg(feature = "jisx0213")]
    ShiftJisX0213 = 424 => Mapped<codec::jis_x_0213::JisX0213<codec::jis_x_0213::Shift>>, "Japanese: Shift_JIS with both planes of JIS X 0213:2004, and a yen sign at 5C.",
    #[cfg(feature = "jisx0213")]
    Iso2022Jp3 = 425 => Mapped<codec::iso_2022_jp_3::Iso2022Jp3>, "Japanese in mail: JIS X 0208 and both planes of JIS X 0213, switched by escape sequences.",
    #[cfg(feature = "cns")]
    Iso2022CnExt = 426 => Mapped<codec::iso_2022_cn::Iso2022CnExt>, "Chinese in mail: GB 2312, ISO-IR-165 and CNS 11643 planes 1 to 7, switched by shifts and escape sequences.",
    #[cfg(feature = "glibc")]
    Tscii = 427 => codec::tscii::Tscii, "Tamil in visual order: a byte for most syllables, and signs before their consonants.",
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
    /// of Unicode 1.1. Perl's `utf8`, CESU-8 and the like are of [`Family::Utf8`](crate::Family), but not UTF-8.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert!(Encoding::Utf8Rfc2279.is_utf8());
    /// assert!(!Encoding::Cesu8.is_utf8());
    /// ```
    #[must_use]
    pub const fn is_utf8(self) -> bool {
        self.info().is_utf8
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

    /// The encoding with this label: a name, or one of [`Info::aliases`].
    ///
    /// Labels of Unicode encodings, of US-ASCII and of ISO 8859-1 have the meaning that IANA
    /// registered. Labels of the other charsets of the web have the meaning of the web, even if IANA
    /// registered another one: `ISO-8859-9` is windows-1254. All others are names of glibc.
    /// [`for_label_in`](Self::for_label_in) takes the vocabulary of the label, and so does a suffix:
    /// `ISO-8859-9/iana`, `ISO-8859-1/whatwg`, `KOI8-RU/glibc`.
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
        labels::find(label.as_ref())
    }

    /// The encoding with this label in a vocabulary. If the vocabulary lacks the label, it has the
    /// meaning of [`for_label`](Self::for_label).
    ///
    /// Labels are compared as in `for_label`, except that those of the web must match letter for
    /// letter.
    ///
    /// ```
    /// use utfall::{Encoding, Labels};
    /// let named = |labels| Encoding::for_label_in("ISO-8859-1", labels);
    /// assert_eq!(named(Labels::Iana), Some(Encoding::Iso8859_1));
    /// # #[cfg(feature = "legacy")]
    /// assert_eq!(named(Labels::Whatwg), Some(Encoding::Windows1252));
    /// # #[cfg(feature = "glibc")]
    /// assert_eq!(
    ///     Encoding::for_label_in("ISO-8859-9", Labels::Glibc),
    ///     Encoding::for_label("ISO-8859-9/glibc"),
    /// );
    /// ```
    #[must_use]
    pub fn for_label_in(label: impl AsRef<[u8]>, labels: Labels) -> Option<Self> {
        labels::find_in(label.as_ref(), labels)
    }

    /// The encoding with this label on the web: "get an encoding" of WHATWG Encoding §4.2. Case and
    /// surrounding white space are ignored, nothing else.
    ///
    /// Many labels differ from [`for_label`](Self::for_label): `iso-8859-1` and `us-ascii` are
    /// windows-1252, `utf-16` is UTF-16LE, `unicode-1-1-utf-8` is UTF-8. Labels that the web lacks are
    /// unknown, such as `utf-7`: for those, [`for_label_in`](Self::for_label_in) asks `for_label`.
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
        labels::find_whatwg(label.as_ref())
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
        let found = Self::ALL.binary_search_by_key(&number, |encoding| *encoding as u16);
        found.map(|at| Self::ALL[at]).map_err(|_| UnknownEncoding)
    }
}

/// No encoding of this build has that label or number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UnknownEncoding;

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown encoding")
    }
}

impl core::error::Error for UnknownEncoding {}
