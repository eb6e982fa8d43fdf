//! UTF-8.

use crate::arch::scalar::{BIG, LITTLE, Utf16, Utf32};
use crate::generic::utf8_to::{
    convert, convert_ascii, convert_lossy, convert_lossy_short, convert_short,
};
use crate::generic::{utf8, utf8_latin1};
use crate::kernels::Lossy;

kernels! {
    count(src: &[u8]) -> usize = utf8::count;
    utf16_len(src: &[u8]) -> usize = utf8::utf16_len;
}

kernels! {
    prefix(src: &[u8]) -> usize = utf8::prefix_short, from 19 utf8::prefix;
    latin1_prefix(src: &[u8]) -> usize = utf8_latin1::prefix_short, from 64 utf8_latin1::prefix;
    to_latin1(src: &[u8], dst: &mut [u8]) -> (usize, usize)
        = utf8_latin1::convert_short, from 72 utf8_latin1::convert;
    count_lossy(src: &[u8]) -> usize = utf8::count_lossy_short, from 19 utf8::count_lossy;
    utf16_len_lossy(src: &[u8]) -> usize
        = utf8::utf16_len_lossy_short, from 19 utf8::utf16_len_lossy;
    repair(src: &[u8], dst: &mut [u8]) -> Lossy = utf8::repair_short, from 19 utf8::repair;
}

kernels! {
    to_utf16le(src: &[u8], dst: &mut [u8]) -> (usize, usize)
        = convert_short::<Utf16<LITTLE>>, from 16 convert_ascii::<_, Utf16<LITTLE>>, from 67 convert::<_, Utf16<LITTLE>>;
    to_utf16be(src: &[u8], dst: &mut [u8]) -> (usize, usize)
        = convert_short::<Utf16<BIG>>, from 16 convert_ascii::<_, Utf16<BIG>>, from 67 convert::<_, Utf16<BIG>>;
    to_utf32le(src: &[u8], dst: &mut [u8]) -> (usize, usize)
        = convert_short::<Utf32<LITTLE>>, from 16 convert_ascii::<_, Utf32<LITTLE>>, from 67 convert::<_, Utf32<LITTLE>>;
    to_utf32be(src: &[u8], dst: &mut [u8]) -> (usize, usize)
        = convert_short::<Utf32<BIG>>, from 16 convert_ascii::<_, Utf32<BIG>>, from 67 convert::<_, Utf32<BIG>>;
}

kernels! {
    to_utf16le_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
        = convert_lossy_short::<Utf16<LITTLE>>, from 48 convert_lossy::<_, Utf16<LITTLE>>;
    to_utf16be_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
        = convert_lossy_short::<Utf16<BIG>>, from 48 convert_lossy::<_, Utf16<BIG>>;
    to_utf32le_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
        = convert_lossy_short::<Utf32<LITTLE>>, from 48 convert_lossy::<_, Utf32<LITTLE>>;
    to_utf32be_lossy(src: &[u8], dst: &mut [u8]) -> Lossy
        = convert_lossy_short::<Utf32<BIG>>, from 48 convert_lossy::<_, Utf32<BIG>>;
}
