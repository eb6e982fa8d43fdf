//! From UTF-16.

use crate::arch::scalar::{BIG, LITTLE, Latin1, Utf8, Utf16, Utf32, convert_call};
use crate::generic::{map, to_utf8, utf16};
use crate::kernels::Lossy;

kernels! {
    le_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Lossy = to_utf8::lossy::<_, LITTLE>;
    le_to_le_lossy(src: &[u8], dst: &mut [u8]) -> Lossy = utf16::to_well_formed::<_, LITTLE>;
    be_to_be_lossy(src: &[u8], dst: &mut [u8]) -> Lossy = utf16::to_well_formed::<_, BIG>;
    le_to_be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::swap::<_, LITTLE>;
    le_latin1_prefix(src: &[u8]) -> usize = utf16::latin1_prefix::<_, LITTLE>;
    le_prefix(src: &[u8]) -> usize = utf16::prefix::<_, LITTLE>;
    le_count(src: &[u8]) -> usize = utf16::count::<_, LITTLE>;
    le_utf8_len(src: &[u8]) -> usize = utf16::utf8_len::<_, LITTLE>;
    be_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Lossy = to_utf8::lossy::<_, BIG>;
    be_to_le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf16::swap::<_, BIG>;
    be_latin1_prefix(src: &[u8]) -> usize = utf16::latin1_prefix::<_, BIG>;
    be_prefix(src: &[u8]) -> usize = utf16::prefix::<_, BIG>;
    be_count(src: &[u8]) -> usize = utf16::count::<_, BIG>;
    be_utf8_len(src: &[u8]) -> usize = utf16::utf8_len::<_, BIG>;
}

conversions! {
    le_to_utf8 = to_utf8::convert::<_, Utf16<LITTLE>>, if to_utf8::is_short::<_, Utf16<LITTLE>> => convert_call::<Utf16<LITTLE>, Utf8>;
    le_to_utf32le = utf16::to_utf32::<_, LITTLE, LITTLE>, if map::is_short::<_, 4> => convert_call::<Utf16<LITTLE>, Utf32<LITTLE>>;
    le_to_utf32be = utf16::to_utf32::<_, LITTLE, BIG>, if map::is_short::<_, 4> => convert_call::<Utf16<LITTLE>, Utf32<BIG>>;
    le_to_latin1 = utf16::to_latin1::<_, LITTLE>, if map::is_short::<_, 8> => convert_call::<Utf16<LITTLE>, Latin1>;
    be_to_utf8 = to_utf8::convert::<_, Utf16<BIG>>, if to_utf8::is_short::<_, Utf16<BIG>> => convert_call::<Utf16<BIG>, Utf8>;
    be_to_utf32le = utf16::to_utf32::<_, BIG, LITTLE>, if map::is_short::<_, 4> => convert_call::<Utf16<BIG>, Utf32<LITTLE>>;
    be_to_utf32be = utf16::to_utf32::<_, BIG, BIG>, if map::is_short::<_, 4> => convert_call::<Utf16<BIG>, Utf32<BIG>>;
    be_to_latin1 = utf16::to_latin1::<_, BIG>, if map::is_short::<_, 8> => convert_call::<Utf16<BIG>, Latin1>;
}
