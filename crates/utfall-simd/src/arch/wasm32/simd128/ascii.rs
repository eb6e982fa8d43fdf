//! Runs of ASCII.

use crate::generic::ascii;

kernels! {
    prefix(src: &[u8]) -> usize = ascii::prefix_short, from 64 ascii::prefix;
}
