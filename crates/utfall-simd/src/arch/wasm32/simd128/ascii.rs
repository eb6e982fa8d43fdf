//! Runs of ASCII.

use crate::generic::ascii;

kernels! {
    prefix(src: &[u8]) -> usize = ascii::prefix;
}
