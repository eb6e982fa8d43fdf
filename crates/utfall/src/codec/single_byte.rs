//! The single-byte charsets: one table for each, and the same kernels for all.
//!
//! Those of the web (`charsets.rs`) have the web's labels, without those that IANA assigns to
//! US-ASCII or ISO 8859-1: `ISO-8859-9` is windows-1254. The others come from glibc (`glibc.rs`)
//! and Apple (`apple.rs`).
//!
//! `tables.rs` and `glibc_tables.rs` have the code points, from which tables are made at compile time.

/// The table of a charset from its code points and what is encoded besides: made at compile time, or in a
/// module of WebAssembly when it is first used.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown", feature = "std")))]
macro_rules! table {
    ($name:ident, $units:expr, $more:expr) => {{
        const INVERSE: Inverse = Inverse::new(&$units, $more);
        static PAGES: [Page; INVERSE.count()] = INVERSE.pages();
        static ENTRIES: Entries = Entries::new(&$units, &INVERSE);
        static TABLE: Table = Table::new(&ENTRIES, &PAGES);
        &TABLE
    }};
}
#[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
macro_rules! table {
    ($name:ident, $units:expr, $more:expr) => {{
        fn units() -> &'static [u16; 256] {
            units!($name, $units)
        }
        static TABLE: Table = Table::lazy(
            || std::boxed::Box::new(Entries::new(units(), &Inverse::new(units(), $more))),
            || Inverse::new(units(), $more).to_vec(),
        );
        &TABLE
    }};
}

/// The code points of a charset in a module of WebAssembly, which has all tables packed, or those of the web
/// as they are.
#[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std", feature = "glibc"))]
macro_rules! units {
    ($name:ident, $units:expr) => {{
        const _: [u16; 256] = $units;
        super::unpacked(crate::Encoding::$name)
    }};
}
#[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std", not(feature = "glibc")))]
macro_rules! units {
    ($name:ident, $units:expr) => {{
        static UNITS: [u16; 256] = $units;
        &UNITS
    }};
}

#[cfg(feature = "glibc")]
#[rustfmt::skip]
mod apple;
#[cfg(feature = "glibc")]
#[rustfmt::skip]
mod apple_tables;
mod charsets;
#[cfg(feature = "glibc")]
#[rustfmt::skip]
mod glibc;
#[cfg(feature = "glibc")]
#[rustfmt::skip]
mod glibc_tables;
#[rustfmt::skip]
mod tables;

use utfall_simd::single_byte::Table;
use utfall_simd::{Kernels, units};

use super::shared::kernel;
use super::{Decode, Decoded, Encode, Encoded, Next, Put};
use crate::ErrorKind;
use crate::charset::Charset;
use crate::route::Side;
pub(crate) use charsets::*;
#[cfg(feature = "glibc")]
pub(crate) use {apple::*, glibc::*};

/// How many charsets have tables.
#[cfg(all(
    feature = "glibc",
    any(test, all(target_arch = "wasm32", target_os = "unknown", feature = "std"))
))]
pub(super) const COUNT: usize = 231;

/// The code points of a charset, unpacked with those of all others when the first is used.
#[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std", feature = "glibc"))]
fn unpacked(encoding: crate::Encoding) -> &'static [u16; 256] {
    use crate::packed::{Coder, rows};
    static ROWS: std::sync::LazyLock<std::vec::Vec<rows::Row>> = std::sync::LazyLock::new(|| {
        let mut packed = Coder::unpacker(include_bytes!("single_byte/tables.bin"));
        rows::code(&mut packed, COUNT, &[])
    });
    let is_before = |other: &&crate::Encoding| {
        **other < encoding && matches!(other.info().side, Side::Charset(Charset::SingleByte(_)))
    };
    &ROWS[crate::Encoding::ALL.iter().filter(is_before).count()]
}

#[derive(Clone)]
pub(crate) struct Decoder(&'static Table);

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], _last: bool) -> Next {
        match src.first().map(|byte| self.0.code_point(*byte)) {
            None => Next::End,
            Some(Some(point)) => Next::Point { point: u32::from(point), length: 1 },
            Some(None) => Next::ill(ErrorKind::Undefined, 1),
        }
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        kernel::decode_with(self, src, dst, last, |this, src, dst| {
            let dst = units::bytes_mut(dst);
            let (read, written) = kernels.convert_from_table(this.0, units::NATIVE_UTF32, src, dst);
            (read, written / 4)
        })
    }

    fn side(&self) -> Side {
        Side::Charset(Charset::SingleByte(self.0))
    }
}

#[derive(Clone)]
pub(crate) struct Encoder(&'static Table);

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let Some(value) = self.0.byte_of(point) else { return Put::Unencodable };
        let Some(byte) = dst.first_mut() else { return Put::Full };
        *byte = value;
        Put::Written(1)
    }

    fn encode(&mut self, kernels: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        kernel::encode_with(self, src, dst, |this, src, dst| {
            let src = units::bytes(src);
            let (read, written) = kernels.convert_to_table(units::NATIVE_UTF32, this.0, src, dst);
            (read / 4, written)
        })
    }

    fn side(&self) -> Side {
        Side::Charset(Charset::SingleByte(self.0))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec;
    use std::vec::Vec;

    use utfall_oracle::{rounds, step};

    use super::super::testing::{
        Item, Random, check_decoding, check_encoding, decode_by_encoding_rs, encode_by_encoding_rs,
    };
    use crate::charset::Charset;
    use crate::route::Side;
    use crate::{
        Encoding, Encoding::*, ErrorKind, Family, Options, Origin, Policy, transcode,
        transcode_into,
    };

    /// Our charsets and those of `encoding_rs`.
    fn charsets() -> impl Iterator<Item = (Encoding, &'static encoding_rs::Encoding)> {
        let is_ours = |encoding: &&Encoding| {
            let info = encoding.info();
            info.origin == Origin::Whatwg && info.family == Family::SingleByte
        };
        Encoding::ALL.iter().filter(is_ours).map(|encoding| {
            let charset = encoding_rs::Encoding::for_label(encoding.name().as_bytes());
            (*encoding, charset.expect("a WHATWG name"))
        })
    }

    #[test]
    fn there_are_all_of_them() {
        assert_eq!(charsets().count(), 29);
    }

    #[test]
    fn worked_examples() {
        check_encoding(Windows1252, &[0x20AC, 0x151], Err(1));
        check_encoding(UserDefined, &[0x41, 0xF780, 0xF7FF], Ok(b"A\x80\xFF"));
        check_encoding(Windows1252, &[0x41, 0xD800], Err(1));
        check_encoding(Windows1252, &[0x41, 0x11_0000], Err(1));
        check_decoding(Windows1253, b"a\xD2", &[Item::Point(0x61), Item::Ill(1, 1)]);
        let error = Windows1253.validate(b"a\xD2").unwrap_err();
        assert_eq!((error.kind(), error.offset(), error.length()), (ErrorKind::Undefined, 1, 1));
        assert_eq!(error.clause(), "WHATWG Encoding §9.1: no entry in the index of this encoding");
    }

    /// The text of `bytes` with U+FFFD, and the offset of the first error.
    fn by_encoding_rs(
        charset: &'static encoding_rs::Encoding,
        bytes: &[u8],
    ) -> (String, Option<u64>) {
        let items = decode_by_encoding_rs(charset, bytes);
        let ill = items.iter().find_map(|item| match item {
            Item::Ill(offset, _) => Some(*offset as u64),
            Item::Point(_) => None,
        });
        let scalars = items.iter().map(|item| match item {
            Item::Point(point) => char::from_u32(*point).expect("a scalar value"),
            Item::Ill(..) => '\u{FFFD}',
        });
        (scalars.collect(), ill)
    }

    /// Decodes by all functions for whole texts.
    fn check_text(encoding: Encoding, charset: &'static encoding_rs::Encoding, bytes: &[u8]) {
        let (text, ill) = by_encoding_rs(charset, bytes);
        let what = || std::format!("{encoding}: {bytes:02X?}");
        let strict = encoding.decode(bytes).map_err(|error| error.offset());
        assert_eq!(strict.as_deref(), ill.map_or(Ok(&*text), Err).as_ref().copied(), "{}", what());
        let lossy = encoding.decode_lossy(bytes);
        let errors = text.matches('\u{FFFD}').count() as u64;
        assert_eq!((&*lossy.text, lossy.errors), (&*text, errors), "{}", what());
        assert_eq!(
            encoding.validate(bytes).map_err(|error| error.offset()),
            ill.map_or(Ok(()), Err)
        );
        let units: Vec<u16> = text.encode_utf16().collect();
        let to = if cfg!(target_endian = "little") { Utf16Le } else { Utf16Be };
        let mut utf16 = vec![0; 2 * units.len()];
        let options = Options::both(Policy::Replace);
        assert_eq!(transcode_into(encoding, to, bytes, &mut utf16, options), Ok(utf16.len()));
        assert_eq!(utf16, utfall_simd::units::bytes(&units), "{}", what());
        if ill.is_none() {
            assert_eq!(encoding.decode_to_utf16(bytes).as_ref(), Ok(&units), "{}", what());
            let mut room = vec![0; text.len()];
            assert_eq!(encoding.decode_into(bytes, &mut room), Ok(&*text), "{}", what());
            let expected = encode_by_encoding_rs(charset, &text.chars().collect::<Vec<_>>());
            let expected = expected.expect("it was decoded");
            assert_eq!(encoding.encode(&text).as_deref(), Ok(&*expected), "{}", what());
            assert_eq!(encoding.encode_utf16(&units).as_ref(), Ok(&expected), "{}", what());
            let mut room = vec![0; expected.len()];
            assert_eq!(encoding.encode_into(&text, &mut room), Ok(expected.len()));
            assert_eq!(room, expected, "{}", what());
        }
    }

    /// Every sequence of two bytes at the start and the end of texts, and at each place of a block.
    #[test]
    fn every_two_bytes_in_every_context() {
        for (encoding, charset) in charsets() {
            for pair in (0..=0xFFFF_u16).step_by(step(13)) {
                let [a, b] = pair.to_be_bytes();
                check_text(encoding, charset, &[a]);
                check_text(encoding, charset, &[a, b]);
                let place = usize::from(pair) % 131;
                let mut bytes = vec![b'x'; place];
                bytes.extend([a, b]);
                bytes.resize(place + 2 + usize::from(a) % 70, b'y');
                check_text(encoding, charset, &bytes);
                // Among characters that are not US-ASCII, which all charsets have at E1.
                bytes.iter_mut().filter(|byte| matches!(byte, b'x' | b'y')).for_each(|c| *c = 0xE1);
                check_text(encoding, charset, &bytes);
            }
        }
    }

    #[test]
    fn mixtures_of_any_length() {
        let mut random = Random(0x5EED_0004);
        for (encoding, charset) in charsets() {
            for round in 0..rounds(300, 20) {
                let length =
                    if round.is_multiple_of(4) { random.below(9000) } else { random.below(400) };
                let share = random.below(9);
                let bytes: Vec<u8> = (0..length)
                    .map(|_| (random.below(0x80) | usize::from(random.below(8) < share) << 7) as u8)
                    .collect();
                check_text(encoding, charset, &bytes);
            }
        }
    }

    /// Every byte and every code point of every charset, by its entries.
    #[test]
    fn tables_are_read_and_written() {
        for encoding in Encoding::ALL.iter().filter(|e| e.info().family == Family::SingleByte) {
            let Side::Charset(Charset::SingleByte(table)) = encoding.info().side else { continue };
            let mut units = Vec::new();
            for byte in 0..=0xFF {
                let unit = table.code_point(byte);
                let expected = unit.map_or(Item::Ill(0, 1), |unit| Item::Point(u32::from(unit)));
                check_decoding(*encoding, &[byte], &[expected]);
                units.extend(unit);
            }
            let ascii = (0..0x80).all(|byte| table.code_point(byte) == Some(u16::from(byte)));
            assert_eq!((encoding.info().ascii_transparent, table.keeps_ascii()), (ascii, ascii));
            for unit in (0..=0xFFFF).step_by(step(1)) {
                let found = table.byte_of(u32::from(unit));
                assert!(found.is_some() || !units.contains(&unit), "{encoding}: U+{unit:04X}");
                let Some(byte) = found else { continue };
                let scalar = char::from_u32(u32::from(unit)).expect("a scalar value");
                let text: String = core::iter::repeat_n(scalar, 70).collect();
                assert_eq!(encoding.encode(&text).as_deref(), Ok(&[byte; 70][..]), "{encoding}");
            }
        }
    }

    #[test]
    #[cfg(feature = "glibc")]
    fn bare_labels_mean_the_tables_of_the_web() {
        for (label, encoding) in [
            ("CP1252", Windows1252),
            ("CP1252/glibc", Windows1252Glibc),
            ("ISO-8859-9", Windows1254),
            ("ISO-8859-9/glibc", Iso8859_9Glibc),
            ("KOI8-U", Koi8U),
            ("KOI8-RU", Koi8U),
            ("KOI8-RU/glibc", Ibm1167),
            ("TIS-620", Windows874),
            ("CP437", Ibm437),
            ("EBCDIC-CP-US", Ibm037),
        ] {
            assert_eq!(Encoding::for_label(label), Some(encoding), "{label}");
        }
        assert_eq!(Encoding::for_whatwg_label("CP437"), None);
        assert_eq!(Ibm437.decode(b"caf\x82 \xB0"), Ok("caf\u{E9} \u{2591}".into()));
        assert_eq!(Ibm037.decode(b"\xC8\x85\x93\x93\x96\x25"), Ok("Hello\n".into()));
    }

    /// From one charset to another, with characters that the other lacks.
    #[test]
    fn between_charsets() {
        let mut random = Random(0x5EED_0005);
        let pairs = [
            (Koi8R, Windows1251),
            (Iso8859_2, Windows1250),
            (Windows1253, Iso8859_7),
            (Windows1252, Iso8859_1),
            (Iso8859_1, Windows1252),
        ];
        for (from, to) in pairs {
            for round in 0..rounds(400, 20) {
                let bytes: Vec<u8> =
                    (0..random.below(if round.is_multiple_of(9) { 9000 } else { 200 }))
                        .map(|_| {
                            (random.below(0x80) | usize::from(random.below(3) == 0) << 7) as u8
                        })
                        .collect();
                let options = Options::both(Policy::Replace);
                let text = from.decode_lossy(&bytes).text;
                let expected = to.encode_with(&text, Options::both(Policy::Skip)).unwrap();
                let options_skip = Options { on_unencodable: Policy::Skip, ..options };
                let made = transcode(from, to, &bytes, options_skip).unwrap();
                // U+FFFD is not in the other charset either, so a policy decides.
                let sound: Vec<u8> = bytes
                    .iter()
                    .copied()
                    .filter(|byte| from.validate(core::slice::from_ref(byte)).is_ok())
                    .collect();
                let skipped = transcode(from, to, &sound, options_skip).unwrap();
                assert_eq!(skipped, expected, "{from} to {to}: {bytes:02X?}");
                if sound == bytes {
                    assert_eq!(made, expected, "{from} to {to}: {bytes:02X?}");
                }
            }
        }
    }
}
