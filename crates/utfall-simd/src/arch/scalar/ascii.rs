//! Runs of ASCII, eight bytes at a time.

/// Length in bytes of the ASCII prefix.
pub(crate) fn prefix(src: &[u8]) -> usize {
    let (blocks, _) = src.as_chunks::<8>();
    let whole = 8 * blocks.iter().take_while(|block| all(**block)).count();
    whole + src[whole..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Whether all eight bytes are ASCII.
#[inline(always)]
pub(crate) fn all(block: [u8; 8]) -> bool {
    u64::from_ne_bytes(block) & 0x8080_8080_8080_8080 == 0
}
