//! UTF-8.

use crate::generic::utf8;

kernels! {
    prefix(src: &[u8]) -> usize = utf8::prefix;
}
