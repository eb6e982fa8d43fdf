//! The packed indexes and tables: made from the texts, and unpacked. `cargo xtask pages packed-indexes
//! packed-tables` writes them.

extern crate std;

use std::vec::Vec;

use super::shared::index::layouts;
use super::shared::jis;
use crate::packed::Coder;
use crate::packed::cells::{Cells, Layout};

const SHIFT_JIS: &str = include_str!("index/shift_jis.txt");

/// Packs indexes together.
fn check(name: &str, indexes: &[(Layout, &str)]) {
    let mut packer = Coder::packer();
    let mut cells = Cells::unused();
    for (layout, text) in indexes {
        cells.code(&mut packer, *layout, text);
    }
    let packed = packer.finish();
    let mut unpacker = Coder::unpacker(&packed);
    let mut cells = Cells::unused();
    for (layout, text) in indexes {
        assert!(cells.code(&mut unpacker, *layout, "") == *text, "{name}");
    }
    utfall_page::compare_bytes(&std::format!("crates/utfall/src/codec/index/{name}.bin"), &packed);
}

#[test]
fn indexes_are_packed() {
    check("gb18030", &[(layouts::GB18030, include_str!("index/gb18030.txt"))]);
    check("euc_kr", &[(layouts::EUC_KR, include_str!("index/euc_kr.txt"))]);
    check("big5", &[(layouts::BIG5, include_str!("index/big5.txt"))]);
    let jis_x_0212 = include_str!("index/jis0212.txt");
    check("jis", &[(layouts::SHIFT_JIS, SHIFT_JIS), (layouts::JIS_X_0212, jis_x_0212)]);
}

#[test]
fn jis_x_0208_is_in_shift_jis() {
    let rows = jis::rows(SHIFT_JIS);
    let expected: Vec<_> = include_str!("index/jis0208.txt").lines().collect();
    assert_eq!(rows.lines().collect::<Vec<_>>(), expected);
}

#[cfg(feature = "glibc")]
mod single_byte {
    use std::vec::Vec;

    use utfall_simd::single_byte::NONE;

    use super::super::single_byte::COUNT;
    use crate::Encoding;
    use crate::charset::Charset;
    use crate::packed::{Coder, rows};
    use crate::route::Side;

    /// The code points of all charsets, by number.
    fn tables() -> Vec<rows::Row> {
        let tables = Encoding::ALL.iter().filter_map(|encoding| match encoding.info().side {
            Side::Charset(Charset::SingleByte(table)) => Some(table),
            _ => None,
        });
        let unit = |table: &utfall_simd::single_byte::Table, byte: usize| {
            table.code_point(byte as u8).unwrap_or(NONE)
        };
        tables.map(|table| core::array::from_fn(|byte| unit(table, byte))).collect()
    }

    #[test]
    fn tables_are_packed() {
        let tables = tables();
        assert_eq!(tables.len(), COUNT);
        let mut packer = Coder::packer();
        rows::code(&mut packer, COUNT, &tables);
        let packed = packer.finish();
        assert_eq!(rows::code(&mut Coder::unpacker(&packed), COUNT, &[]), tables);
        utfall_page::compare_bytes("crates/utfall/src/codec/single_byte/tables.bin", &packed);
    }
}
