//! One folder per instruction set; each overrides what it does better than the one below.
//!
//! What runs `generic/` has two macros: `featured!` gives functions its features, `token!`
//! makes its token. The ones here make kernels of them.

/// Kernels that lend an instruction set to a function of `generic/`, which gets the token
/// before its arguments.
macro_rules! kernels {
    ($( $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $generic:expr; )*) => { $(
        featured! {
            pub(super) fn $name($($argument: $type),*) -> $result {
                ($generic)(token!(), $($argument),*)
            }
        }
    )* };
    // The same for text from a length on, and other functions for shorter text, which need
    // not save registers and make room for what they do not use.
    ($( $name:ident($src:ident: $type:ty $(, $dst:ident: $dst_type:ty)?) -> $result:ty
        = $short:expr, from $length:literal $generic:expr; )*) => { $(
        featured! {
            pub(super) fn $name($src: $type $(, $dst: $dst_type)?) -> $result {
                featured! {
                    #[inline(never)]
                    fn long($src: $type $(, $dst: $dst_type)?) -> $result {
                        ($generic)(token!(), $src $(, $dst)?)
                    }
                }
                if $src.len() < $length { ($short)($src $(, $dst)?) } else { long($src $(, $dst)?) }
            }
        }
    )* };
    ($( $name:ident($src:ident: $type:ty, $dst:ident: $dst_type:ty) -> $result:ty
        = $short:expr, from $middling:literal $middle:expr, from $length:literal $generic:expr;
    )*) => { $(
        featured! {
            pub(super) fn $name($src: $type, $dst: $dst_type) -> $result {
                featured! {
                    #[inline(never)]
                    fn long($src: $type, $dst: $dst_type) -> $result {
                        ($generic)(token!(), $src, $dst)
                    }
                }
                match $src.len() {
                    ..$middling => ($short)($src, $dst),
                    ..$length => ($middle)(token!(), $src, $dst),
                    _ => long($src, $dst),
                }
            }
        }
    )* };
}

/// Conversions of which the condition says whether the text is too short for vectors. It goes
/// to the scalar function then, before registers are saved for the other.
macro_rules! conversions {
    ($( $name:ident = $generic:expr, if $short:expr => $scalar:expr; )*) => { $(
        featured! {
            pub(super) fn $name(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                featured! {
                    #[inline(never)]
                    fn vectors(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                        ($generic)(token!(), src, dst)
                    }
                }
                if ($short)(token!(), src) {
                    return ($scalar)(src, dst);
                }
                vectors(src, dst)
            }
        }
    )* };
}

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(crate) mod aarch64;
pub(crate) mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod wasm32;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;
