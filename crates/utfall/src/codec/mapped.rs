//! Applies [`DoubleMappings`] to the codec of an East Asian charset.
//!
//! By default, nothing changes, and kernels are used. With options that only add code points,
//! kernels convert up to such a code point.

use core::marker::PhantomData;

use utfall_simd::{Kernels, Layout};

use super::shared::jis;
use super::{
    Codec, Decode, Decoded, Encode, EncodeStop, Encoded, Next, Put, Rows, decode_each, encode_each,
    gb18030,
};
use crate::info::Info;
use crate::route::Side;
use crate::{DoubleMappings, Options};

/// Characters with two code points: the mapping of JIS and Unicode, and the mapping of Microsoft. A
/// charset may have only one of them.
const JIS_AND_MICROSOFT: [(u32, u32); 7] = [
    (0x2016, 0x2225),
    (0x2212, 0xFF0D),
    (0x301C, 0xFF5E),
    (0xA2, 0xFFE0),
    (0xA3, 0xFFE1),
    (0xAC, 0xFFE2),
    (0xA6, 0xFFE4),
];

/// More pairs of code points, about which tables disagree in other ways. US-ASCII is left out:
/// programs give its characters a meaning.
const OTHERS: [(u32, u32); 6] = [
    (0x2014, 0x2015),
    (0x301C, 0x223C),
    (0xB7, 0x30FB),
    (0xB7, 0x2027),
    (0xA5, 0xFFE5),
    (0x203E, 0xFFE3),
];

/// The other code points of a character.
fn twins(point: u32) -> impl Iterator<Item = u32> {
    let all = JIS_AND_MICROSOFT.iter().chain(&OTHERS);
    all.filter_map(move |(first, second)| match point {
        _ if point == *first => Some(*second),
        _ if point == *second => Some(*first),
        _ => None,
    })
}

/// A codec to which the options apply.
pub(crate) trait Charset: Codec {
    /// Whether the charset contains JIS X 0208.
    const IS_JAPANESE: bool = false;

    /// Whether the code point does not survive a round trip.
    fn changes(_point: u32) -> bool {
        false
    }

    /// The three bytes of a code point that the codec reads but never writes.
    fn unwritten(_point: u32) -> Option<[u8; 3]> {
        None
    }
}

fn is_changed_by_the_web(point: u32) -> bool {
    matches!(point, 0xA5 | 0x203E | 0x2212)
}

impl Charset for super::big5::Big5 {}
impl Charset for super::euc_kr::EucKr {}

impl Charset for super::gb18030::Gbk {
    fn changes(point: u32) -> bool {
        is_changed_in_gb18030(point)
    }
}

impl Charset for super::gb18030::Gb18030 {
    fn changes(point: u32) -> bool {
        is_changed_in_gb18030(point)
    }
}

/// Some characters of GB 18030 once had private-use code points. The web still encodes these, as
/// the same characters.
fn is_changed_in_gb18030(point: u32) -> bool {
    let Ok(unit @ 0xE000..=0xF8FF) = u16::try_from(point) else { return false };
    match gb18030::code(unit).to_be_bytes() {
        [0, _] => false,
        [lead, trail] => gb18030::pair(lead, trail) != unit,
    }
}

impl Charset for super::shift_jis::ShiftJis {
    const IS_JAPANESE: bool = true;

    fn changes(point: u32) -> bool {
        is_changed_by_the_web(point)
    }
}

impl Charset for super::euc_jp::EucJp {
    const IS_JAPANESE: bool = true;

    fn changes(point: u32) -> bool {
        is_changed_by_the_web(point)
    }

    fn unwritten(point: u32) -> Option<[u8; 3]> {
        let code = jis::code_0212(u16::try_from(point).ok()?);
        let [.., lead, trail] = code.to_be_bytes();
        (code != 0).then_some([0x8F, lead, trail])
    }
}

impl Charset for super::iso_2022_jp::Iso2022Jp {
    const IS_JAPANESE: bool = true;

    fn changes(point: u32) -> bool {
        // Halfwidth katakana become fullwidth.
        matches!(point, 0x2212 | 0xFF61..=0xFF9F)
    }
}

#[cfg(feature = "cns")]
impl Charset for super::euc_tw::EucTw {}
#[cfg(feature = "cns")]
impl Charset for super::iso_2022_cn::Iso2022Cn {}
#[cfg(feature = "cns")]
impl Charset for super::iso_2022_cn::Iso2022CnExt {}

#[cfg(feature = "jisx0213")]
impl<F: super::jis_x_0213::Form> Charset for super::jis_x_0213::JisX0213<F> {
    const IS_JAPANESE: bool = true;
}

#[cfg(feature = "jisx0213")]
impl Charset for super::iso_2022_jp_3::Iso2022Jp3 {
    const IS_JAPANESE: bool = true;
}

#[cfg(feature = "glibc")]
mod of_glibc {
    use super::super::{big5_hkscs, gb18030_2005, iso_2022_jp_2, multi_byte, shifted_pairs};
    use super::Charset;

    impl Charset for big5_hkscs::Big5Hkscs {}
    impl Charset for gb18030_2005::Gb18030Of2005 {}
    impl Charset for multi_byte::Big5Glibc {}
    impl Charset for multi_byte::Windows949Glibc {}
    impl Charset for multi_byte::EucKrGlibc {}
    impl Charset for multi_byte::Gb2312Glibc {}
    impl Charset for multi_byte::GbkGlibc {}
    impl Charset for multi_byte::Johab {}
    impl Charset for shifted_pairs::Hz {}
    impl Charset for shifted_pairs::Iso2022Kr {}

    impl Charset for iso_2022_jp_2::Iso2022Jp2 {
        const IS_JAPANESE: bool = true;
    }

    impl Charset for multi_byte::EucJpGlibc {
        const IS_JAPANESE: bool = true;
    }

    impl Charset for multi_byte::EucJpMs {
        const IS_JAPANESE: bool = true;
    }

    impl Charset for multi_byte::Windows31JGlibc {
        const IS_JAPANESE: bool = true;
    }

    impl Charset for multi_byte::ShiftJisGlibc {
        const IS_JAPANESE: bool = true;
    }
}

/// The charset `C` with the options.
pub(crate) struct Mapped<C>(PhantomData<C>);

impl<C: Charset> Codec for Mapped<C> {
    const INFO: Info = C::INFO;
    const ROWS: Option<&'static dyn Rows> = C::ROWS;
    type Decoder = Decoder<C::Decoder>;
    type Encoder = Encoder<C>;

    fn decoder(options: &Options) -> Self::Decoder {
        let to = match options.double_mappings {
            DoubleMappings::Jis if C::IS_JAPANESE => Some(To::Jis),
            DoubleMappings::Microsoft if C::IS_JAPANESE => Some(To::Microsoft),
            _ => None,
        };
        Decoder { codec: C::decoder(options), to }
    }

    fn encoder(options: &Options) -> Self::Encoder {
        Encoder {
            codec: C::encoder(options),
            rule: options.double_mappings,
            writes_all: options.jis_x_0212,
        }
    }
}

/// Which mappings to decode with.
#[derive(Clone, Copy)]
enum To {
    Jis,
    Microsoft,
}

#[derive(Clone)]
pub(crate) struct Decoder<D> {
    codec: D,
    to: Option<To>,
}

impl To {
    fn of(self, point: u32, length: usize) -> u32 {
        // The tilde of JIS X 0212, which the web decodes as fullwidth, is not the wave dash.
        if (point, length) == (0xFF5E, 3) {
            return point;
        }
        let is_it = |(jis, microsoft): &&(u32, u32)| point == *jis || point == *microsoft;
        match (self, JIS_AND_MICROSOFT.iter().find(is_it)) {
            (_, None) => point,
            (Self::Jis, Some((jis, _))) => *jis,
            (Self::Microsoft, Some((_, microsoft))) => *microsoft,
        }
    }
}

impl<D: Decode> Decode for Decoder<D> {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match (self.codec.next(src, last), self.to) {
            (Next::Point { point, length }, Some(to)) => {
                Next::Point { point: to.of(point, length), length }
            }
            (next, _) => next,
        }
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        match self.to {
            None => self.codec.decode(kernels, src, dst, last),
            Some(_) => decode_each(self, src, dst, last),
        }
    }

    fn side(&self) -> Side {
        match self.to {
            None => self.codec.side(),
            Some(_) => Side::CodePoints,
        }
    }

    fn decode_to_utf8(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        match self.to {
            None => self.codec.decode_to_utf8(kernels, src, dst),
            Some(_) => (0, 0),
        }
    }

    fn decode_to_utf16(
        &mut self,
        kernels: &Kernels,
        to: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        match self.to {
            None => self.codec.decode_to_utf16(kernels, to, src, dst),
            Some(_) => None,
        }
    }
}

pub(crate) struct Encoder<C: Codec> {
    codec: C::Encoder,
    rule: DoubleMappings,
    /// Whether to write JIS X 0212, which the charset only decodes.
    writes_all: bool,
}

impl<C: Codec> Clone for Encoder<C> {
    fn clone(&self) -> Self {
        Self { codec: self.codec.clone(), ..*self }
    }
}

impl<C: Charset> Encoder<C> {
    /// Writes a code point that the codec lacks.
    fn put_other(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if self.writes_all
            && let Some(bytes) = C::unwritten(point)
        {
            let Some(room) = dst.first_chunk_mut() else { return Put::Full };
            *room = bytes;
            return Put::Written(bytes.len());
        }
        match self.rule {
            DoubleMappings::Table | DoubleMappings::RoundTrip => Put::Unencodable,
            DoubleMappings::Either | DoubleMappings::Jis | DoubleMappings::Microsoft => {
                let mut puts = twins(point).map(|twin| self.codec.put(twin, dst));
                puts.find(|put| *put != Put::Unencodable).unwrap_or(Put::Unencodable)
            }
        }
    }
}

impl<C: Charset> Encode for Encoder<C> {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if self.rule == DoubleMappings::RoundTrip && C::changes(point) {
            return Put::Unencodable;
        }
        match self.codec.put(point, dst) {
            Put::Unencodable => self.put_other(point, dst),
            put => put,
        }
    }

    fn encode(&mut self, kernels: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        if self.rule == DoubleMappings::RoundTrip {
            return encode_each(self, src, dst);
        }
        let (mut read, mut written) = (0, 0);
        loop {
            let done = self.codec.encode(kernels, &src[read..], &mut dst[written..]);
            read += done.read;
            written += done.written;
            let stop = match done.stop {
                EncodeStop::Unencodable => match self.put_other(src[read], &mut dst[written..]) {
                    Put::Written(bytes) => {
                        read += 1;
                        written += bytes;
                        continue;
                    }
                    Put::Full => EncodeStop::Output,
                    Put::Unencodable => EncodeStop::Unencodable,
                },
                stop => stop,
            };
            return Encoded { read, written, stop };
        }
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        self.codec.finish(dst)
    }

    fn side(&self) -> Side {
        match self.rule {
            DoubleMappings::RoundTrip => Side::CodePoints,
            _ => self.codec.side(),
        }
    }

    fn encode_utf8(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        self.codec.encode_utf8(kernels, src, dst)
    }

    fn encode_utf16(
        &mut self,
        kernels: &Kernels,
        from: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        self.codec.encode_utf16(kernels, from, src, dst)
    }

    fn len_of_utf8(&mut self, kernels: &Kernels, src: &[u8]) -> Option<usize> {
        self.codec.len_of_utf8(kernels, src)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec::Vec;

    use utfall_oracle::step;

    use super::*;
    use crate::{Encoding, Encoding::*, Family, Transcoder};

    fn with(rule: DoubleMappings) -> Options {
        Options::strict().with_double_mappings(rule)
    }

    fn multi_byte() -> impl Iterator<Item = Encoding> {
        let all = Encoding::ALL.iter().copied();
        all.filter(|encoding| {
            encoding.info().family == Family::MultiByte && *encoding != Replacement
        })
    }

    /// The bytes of a text, by small buffers.
    fn encode(encoding: Encoding, text: &str, options: Options, room: usize) -> Option<Vec<u8>> {
        let mut transcoder = Transcoder::new(Utf8, encoding, options);
        let (mut read, mut out, mut buffer) = (0, Vec::new(), std::vec![0; room]);
        loop {
            let end = text.len().min(read + 1);
            let is_last = end == text.len();
            let made = transcoder.transcode(&text.as_bytes()[read..end], &mut buffer, is_last);
            out.extend_from_slice(&buffer[..made.written]);
            read += made.read;
            match made.status {
                crate::Status::InputEmpty if is_last && read == text.len() => return Some(out),
                crate::Status::Error(_) => return None,
                _ => {}
            }
        }
    }

    #[test]
    fn a_round_trip_encodes_only_what_is_decoded_as_the_same() {
        let options = with(DoubleMappings::RoundTrip);
        for encoding in multi_byte() {
            let mut refused = Vec::new();
            let mut whole = String::new();
            let is_private = |scalar: &char| ('\u{E000}'..='\u{F8FF}').contains(scalar);
            let every = step(1);
            for scalar in ('\0'..'\u{30000}').step_by(every) {
                let mut room = [0; 4];
                let text = &*scalar.encode_utf8(&mut room);
                let bytes = encoding.encode_with(text, options);
                match (encoding.encode(text), &bytes) {
                    (Ok(_), Err(_)) => refused.push(scalar),
                    (table, bytes) => assert_eq!(table, *bytes, "{encoding}: {scalar:?}"),
                }
                if let Ok(bytes) = bytes {
                    let decoded = encoding.decode(&bytes);
                    assert_eq!(decoded.as_deref(), Ok(text), "{encoding}: {scalar:?}");
                    whole.push(scalar);
                }
            }
            let bytes = encoding.encode_with(&whole, options).expect("each can be encoded");
            assert!(encoding.decode(&bytes).is_ok_and(|text| text == whole), "{encoding}");
            // Few code points are refused.
            if every > 1 {
                continue;
            }
            let expected: &[char] = match encoding {
                ShiftJis | EucJp => &['¥', '‾', '−'],
                Iso2022Jp => &['−'],
                _ => &[],
            };
            refused.retain(|scalar| !('｡'..='ﾟ').contains(scalar) || encoding != Iso2022Jp);
            if matches!(encoding, Gbk | Gb18030) {
                assert!(refused.len() > 5 && refused.iter().all(is_private), "{refused:?}");
                continue;
            }
            assert_eq!(refused, expected, "{encoding}");
        }
    }

    #[test]
    fn either_encodes_both_code_points() {
        let options = with(DoubleMappings::Either);
        let check = |encoding: Encoding, text: &str, other: &str| {
            assert!(encoding.encode(text).is_err(), "{encoding}: {text}");
            let text = std::format!("日{text}本a{text}");
            let other = std::format!("日{other}本a{other}");
            let expected = encoding.encode(&other).expect("in the charset");
            assert_eq!(encoding.encode_with(&text, options).as_deref(), Ok(&*expected), "{text}");
            for room in [1, 5, 64] {
                let small = encode(encoding, &text, options, room.max(8));
                assert_eq!(small.as_deref(), Some(&*expected), "{encoding}: {text}");
            }
        };
        for encoding in [ShiftJis, EucJp, Iso2022Jp] {
            check(encoding, "〜‖", "～∥");
            check(encoding, "¢£¬", "￠￡￢");
            check(encoding, "—", "―");
        }
        check(Gbk, "−〜¥", "－～￥");
        check(EucKr, "¢£", "￠￡");
        check(Big5, "〜・", "～·");
        #[cfg(feature = "glibc")]
        {
            check(ShiftJisGlibc, "～∥－￠￡￢", "〜‖−¢£¬");
            check(EucJpMs, "¥", "￥");
            check(Hz, "—·", "―・");
        }
        // A character of US-ASCII is never written for another one.
        assert!(Gbk.encode_with("‾", options).is_ok_and(|bytes| bytes.len() == 2));
        assert!(Gbk.encode_with("é〠", options).is_err());
    }

    #[test]
    fn decoding_to_the_code_points_of_jis_and_of_microsoft() {
        let (jis, microsoft) = ("〜‖−¢£¬", "～∥－￠￡￢");
        let mut all = std::vec![ShiftJis, EucJp, Iso2022Jp];
        #[cfg(feature = "glibc")]
        all.extend([ShiftJisGlibc, EucJpGlibc, EucJpMs]);
        for encoding in all {
            for (rule, expected) in
                [(DoubleMappings::Jis, jis), (DoubleMappings::Microsoft, microsoft)]
            {
                let options = with(rule);
                let bytes = encoding.encode_with(jis, options).expect("both are encoded");
                // EUC-JP of glibc has both, and U+FF5E in JIS X 0212.
                if std::format!("{encoding}") != "EUC-JP/glibc" {
                    assert_eq!(encoding.encode_with(microsoft, options), Ok(bytes.clone()));
                }
                let decoded = encoding.decode_with(&bytes, options);
                assert_eq!(decoded.as_deref(), Ok(expected), "{encoding}");
                let to_units =
                    crate::transcode(encoding, Utf16Le, &bytes, options).expect("the same");
                assert_eq!(Utf16Le.decode(&to_units).as_deref(), Ok(expected), "{encoding}");
            }
        }
        let options = with(DoubleMappings::Jis);
        // The tilde of JIS X 0212, and the other charsets.
        assert_eq!(EucJp.decode_with(b"\x8F\xA2\xB7", options).as_deref(), Ok("～"));
        assert_eq!(Gbk.decode_with(b"\xA1\xAB", options).as_deref(), Ok("～"));
        assert_eq!(ShiftJis.decode_with(b"\x5C\x7E", options).as_deref(), Ok("\\~"));
    }

    #[test]
    fn jis_x_0212() {
        let options = Options::strict().with_jis_x_0212(true);
        let mut text = String::new();
        for lead in 0xA1..=0xFE {
            for trail in 0xA1..=0xFE {
                if let Ok(more) = EucJp.decode(&[0x8F, lead, trail]) {
                    text.push_str(&more);
                }
            }
        }
        assert_eq!(text.chars().count(), 6067);
        let bytes = EucJp.encode_with(&text, options).expect("all are in the charset");
        assert_eq!(EucJp.decode(&bytes).as_deref(), Ok(&*text));
        assert_eq!(encode(EucJp, &text, options, 8).as_deref(), Some(&*bytes));
        assert!(EucJp.encode_with("😀", options).is_err());
        assert!(ShiftJis.encode_with("丂", options).is_err());
    }
}
