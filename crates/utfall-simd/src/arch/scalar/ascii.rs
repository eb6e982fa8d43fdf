//! Runs of ASCII, eight bytes at a time.

/// Length in bytes of the ASCII prefix.
pub(crate) fn prefix(src: &[u8]) -> usize {
    let (blocks, rest) = src.as_chunks::<8>();
    for (number, block) in blocks.iter().enumerate() {
        let high = u64::from_le_bytes(*block) & 0x8080_8080_8080_8080;
        if high != 0 {
            return 8 * number + high.trailing_zeros() as usize / 8;
        }
    }
    src.len() - rest.len() + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

/// Whether all eight bytes are ASCII.
#[inline(always)]
pub(crate) fn all(block: [u8; 8]) -> bool {
    u64::from_ne_bytes(block) & 0x8080_8080_8080_8080 == 0
}
