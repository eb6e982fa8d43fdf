//! AVX-512 with VBMI2 and GFNI: 512-bit registers, masks, compression.
//!
//! Everything here works by position. A block is 64 bytes wherever it begins. For each of its
//! positions the preceding bytes are available too, through loads that overlap the previous block,
//! so each position determines on its own what ends there. Positions where nothing ends are
//! compressed away. So blocks have a fixed stride, and a block waits for another only to know
//! where its output goes.

instruction_set!(
    $ "avx512f",
    "avx512bw",
    "avx512cd",
    "avx512vl",
    "avx512vbmi",
    "avx512vbmi2",
    "gfni",
    "bmi1",
    "bmi2",
    "lzcnt",
    "popcnt"
);

mod ascii;
mod blocks;
mod count;
mod latin1;
mod lossy;
#[allow(unsafe_code, reason = "loads and stores")]
mod memory;
mod pairs;
mod remarkable;
mod single_byte;
mod utf16;
mod utf32;
mod utf7;
mod utf8;

use crate::Kernels;

featured! {
    fn table() -> &'static Kernels {
        &Kernels {
            name: "avx512",
            utf8_to_utf16le: utf8::to_utf16::<true>,
            utf8_to_utf16be: utf8::to_utf16::<false>,
            utf8_to_utf32le: utf8::to_utf32::<true>,
            utf8_to_utf32be: utf8::to_utf32::<false>,
            utf8_to_latin1: utf8::to_latin1,
            utf16le_to_utf8: utf16::to_utf8::<true>,
            utf16le_to_utf16be: utf16::swap::<true>,
            utf16le_to_utf32le: utf16::to_utf32::<true, true>,
            utf16le_to_utf32be: utf16::to_utf32::<true, false>,
            utf16le_to_latin1: utf16::to_latin1::<true>,
            utf16be_to_utf8: utf16::to_utf8::<false>,
            utf16be_to_utf16le: utf16::swap::<false>,
            utf16be_to_utf32le: utf16::to_utf32::<false, true>,
            utf16be_to_utf32be: utf16::to_utf32::<false, false>,
            utf16be_to_latin1: utf16::to_latin1::<false>,
            utf32le_to_utf8: utf32::to_utf8::<true>,
            utf32le_to_utf16le: utf32::to_utf16::<true, true>,
            utf32le_to_utf16be: utf32::to_utf16::<true, false>,
            utf32le_to_utf32be: utf32::swap::<true>,
            utf32le_to_latin1: utf32::to_latin1::<true>,
            utf32be_to_utf8: utf32::to_utf8::<false>,
            utf32be_to_utf16le: utf32::to_utf16::<false, true>,
            utf32be_to_utf16be: utf32::to_utf16::<false, false>,
            utf32be_to_utf32le: utf32::swap::<false>,
            utf32be_to_latin1: utf32::to_latin1::<false>,
            latin1_to_utf8: latin1::to_utf8,
            latin1_to_utf16le: latin1::to_utf16::<true>,
            latin1_to_utf16be: latin1::to_utf16::<false>,
            latin1_to_utf32le: latin1::to_utf32::<true>,
            latin1_to_utf32be: latin1::to_utf32::<false>,
            utf8_to_utf8_lossy: lossy::utf8_to_utf8,
            utf8_to_utf16le_lossy: lossy::utf8_to_utf16::<true>,
            utf8_to_utf16be_lossy: lossy::utf8_to_utf16::<false>,
            utf8_to_utf32le_lossy: lossy::utf8_to_utf32::<true>,
            utf8_to_utf32be_lossy: lossy::utf8_to_utf32::<false>,
            utf16le_to_utf8_lossy: lossy::utf16_to_utf8::<true>,
            utf16be_to_utf8_lossy: lossy::utf16_to_utf8::<false>,
            utf16le_to_utf16le_lossy: lossy::utf16_to_utf16::<true>,
            utf16be_to_utf16be_lossy: lossy::utf16_to_utf16::<false>,
            utf8_count_lossy: lossy::utf8_count,
            utf16_len_from_utf8_lossy: lossy::utf16_from_utf8,
            ascii_prefix: ascii::prefix,
            utf8_latin1_prefix: utf8::latin1_prefix,
            utf16le_latin1_prefix: ascii::utf16_latin1_prefix::<true>,
            utf16be_latin1_prefix: ascii::utf16_latin1_prefix::<false>,
            utf8_prefix: utf8::prefix,
            utf16le_prefix: utf16::prefix::<true>,
            utf16be_prefix: utf16::prefix::<false>,
            utf32le_prefix: utf32::prefix::<true>,
            utf32be_prefix: utf32::prefix::<false>,
            utf8_unremarkable_prefix: remarkable::prefix,
            utf8_count: count::utf8,
            utf16le_count: count::utf16::<true>,
            utf16be_count: count::utf16::<false>,
            utf16_len_from_utf8: count::utf16_from_utf8,
            utf8_len_from_utf16le: count::utf8_from_utf16::<true>,
            utf8_len_from_utf16be: count::utf8_from_utf16::<false>,
            utf8_len_from_utf32le: count::utf8_from_utf32::<true>,
            utf8_len_from_utf32be: count::utf8_from_utf32::<false>,
            utf16_len_from_utf32le: count::utf16_from_utf32::<true>,
            utf16_len_from_utf32be: count::utf16_from_utf32::<false>,
            utf8_len_from_latin1: count::utf8_from_latin1,
            utf7_to_utf8: utf7::to_utf8,
            utf7_to_utf16le: Some(utf7::to_utf16::<true>),
            utf7_to_utf16be: Some(utf7::to_utf16::<false>),
            utf8_to_utf7: utf7::from_utf8,
            utf16le_to_utf7: Some(utf7::from_utf16::<true>),
            utf16be_to_utf7: Some(utf7::from_utf16::<false>),
            utf7_len_from_utf8: utf7::len_from_utf8,
            utf8_from_table: single_byte::to_utf8,
            utf16le_from_table: single_byte::to_utf16::<true>,
            utf16be_from_table: single_byte::to_utf16::<false>,
            utf8_from_table_lossy: single_byte::to_utf8_lossy,
            utf16le_from_table_lossy: single_byte::to_utf16_lossy::<true>,
            utf16be_from_table_lossy: single_byte::to_utf16_lossy::<false>,
            table_from_utf8: single_byte::from_utf8,
            table_from_utf16le: single_byte::from_utf16::<true>,
            table_from_utf16be: single_byte::from_utf16::<false>,
            utf8_from_pairs: Some(pairs::to_utf8),
            utf16le_from_pairs: Some(pairs::to_utf16::<true>),
            utf16be_from_pairs: Some(pairs::to_utf16::<false>),
            bytes_from_codes: Some(pairs::from_codes),
        }
    }
}
