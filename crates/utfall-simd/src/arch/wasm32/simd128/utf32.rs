//! From UTF-32.

use crate::arch::scalar::{BIG, LITTLE, Latin1, Utf8, Utf16, Utf32, convert_call};
use crate::generic::{map, to_utf8, utf32};

kernels! {
    le_to_be(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf32::swap::<_, LITTLE>;
    le_prefix(src: &[u8]) -> usize = utf32::prefix::<_, LITTLE>;
    le_utf8_len(src: &[u8]) -> usize = utf32::utf8_len::<_, LITTLE>;
    le_utf16_len(src: &[u8]) -> usize = utf32::utf16_len::<_, LITTLE>;
    be_to_le(src: &[u8], dst: &mut [u8]) -> (usize, usize) = utf32::swap::<_, BIG>;
    be_prefix(src: &[u8]) -> usize = utf32::prefix::<_, BIG>;
    be_utf8_len(src: &[u8]) -> usize = utf32::utf8_len::<_, BIG>;
    be_utf16_len(src: &[u8]) -> usize = utf32::utf16_len::<_, BIG>;
}

conversions! {
    le_to_utf8 = to_utf8::convert::<_, Utf32<LITTLE>>, if to_utf8::is_short::<_, Utf32<LITTLE>> => convert_call::<Utf32<LITTLE>, Utf8>;
    be_to_utf8 = to_utf8::convert::<_, Utf32<BIG>>, if to_utf8::is_short::<_, Utf32<BIG>> => convert_call::<Utf32<BIG>, Utf8>;
    le_to_utf16le = utf32::to_utf16::<_, LITTLE, LITTLE>, if map::is_short::<_, 8> => convert_call::<Utf32<LITTLE>, Utf16<LITTLE>>;
    le_to_utf16be = utf32::to_utf16::<_, LITTLE, BIG>, if map::is_short::<_, 8> => convert_call::<Utf32<LITTLE>, Utf16<BIG>>;
    le_to_latin1 = utf32::to_latin1::<_, LITTLE>, if map::is_short::<_, 16> => convert_call::<Utf32<LITTLE>, Latin1>;
    be_to_utf16le = utf32::to_utf16::<_, BIG, LITTLE>, if map::is_short::<_, 8> => convert_call::<Utf32<BIG>, Utf16<LITTLE>>;
    be_to_utf16be = utf32::to_utf16::<_, BIG, BIG>, if map::is_short::<_, 8> => convert_call::<Utf32<BIG>, Utf16<BIG>>;
    be_to_latin1 = utf32::to_latin1::<_, BIG>, if map::is_short::<_, 16> => convert_call::<Utf32<BIG>, Latin1>;
}
