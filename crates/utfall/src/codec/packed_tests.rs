//! The packed indexes: made from the texts, and unpacked. `cargo xtask pages packed-indexes` writes them.

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
