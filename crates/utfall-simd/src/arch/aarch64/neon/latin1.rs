//! From Latin-1.

use crate::arch::scalar::{BIG, LITTLE, Latin1, Utf8, Utf16, Utf32, convert_call};
use crate::generic::{latin1, map, to_utf8};

kernels! {
    utf8_len(src: &[u8]) -> usize = latin1::utf8_len;
}

conversions! {
    to_utf8 = to_utf8::convert::<_, Latin1>, if to_utf8::is_short::<_, Latin1> => convert_call::<Latin1, Utf8>;
    to_utf16le = latin1::to_utf16::<_, LITTLE>, if map::is_short::<_, 2> => convert_call::<Latin1, Utf16<LITTLE>>;
    to_utf32le = latin1::to_utf32::<_, LITTLE>, if map::is_short::<_, 1> => convert_call::<Latin1, Utf32<LITTLE>>;
    to_utf16be = latin1::to_utf16::<_, BIG>, if map::is_short::<_, 2> => convert_call::<Latin1, Utf16<BIG>>;
    to_utf32be = latin1::to_utf32::<_, BIG>, if map::is_short::<_, 1> => convert_call::<Latin1, Utf32<BIG>>;
}
