//! The token and the vector of NEON.

use crate::simd::{Bits, Simd, Vector, first};
use core::arch::aarch64::*;
use core::arch::aarch64::{
    vreinterpretq_s8_u8 as signed, vreinterpretq_s16_u8 as signed16,
    vreinterpretq_s32_u8 as signed32, vreinterpretq_u8_u16 as from16,
    vreinterpretq_u8_u32 as from32, vreinterpretq_u16_u8 as to16, vreinterpretq_u32_u8 as to32,
    vreinterpretq_u64_u8 as to64,
};

type Register = uint8x16_t;

/// Invariant: a value exists only in code that runs with NEON; see `new`.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

impl Neon {
    featured! {
        /// Safe to call only from code with this feature.
        #[inline]
        pub(crate) fn new() -> Self {
            Self(())
        }
    }
}

/// Invariant: as for [`Neon`], from which it comes.
#[derive(Clone, Copy)]
pub(crate) struct V128(Register);

impl Simd for Neon {
    type Vector = V128;
    type Half = Self;

    #[inline(always)]
    fn half(self) -> Self {
        self
    }

    #[inline(always)]
    fn load(self, src: &[u8]) -> V128 {
        let bytes: &[u8; 16] = &first(src);
        // SAFETY: sixteen bytes are readable; alignment does not matter; the invariant of `Neon`.
        V128(unsafe { vld1q_u8(bytes.as_ptr()) })
    }

    constructors! { V128:
        load_widened16(src: &[u8]) = from16(vmovl_u8(eight(first(src))));
        load_widened32(src: &[u8]) = {
            let [a, b, c, d] = first(src);
            let units = vmovl_u8(eight([a, b, c, d, 0, 0, 0, 0]));
            from32(vmovl_u16(vget_low_u16(units)))
        };
        load_units_widened32(src: &[u8]) = from32(vmovl_u16(vreinterpret_u16_u8(eight(first(src)))));
        splat(byte: u8) = vdupq_n_u8(byte);
        splat16(value: u16) = from16(vdupq_n_u16(value));
        splat32(value: u32) = from32(vdupq_n_u32(value));
    }

    #[inline(always)]
    fn table128(self, bytes: &[u8; 128]) -> [V128; 8] {
        let mut table = [self.zero(); 8];
        for (part, sixteen) in table.iter_mut().zip(bytes.as_chunks().0) {
            *part = self.repeat(*sixteen);
        }
        table
    }

    #[inline(always)]
    fn load_halves<'a>(self, half: impl Fn(usize) -> &'a [u8; 16]) -> V128 {
        self.load(half(0))
    }

    #[inline(always)]
    fn repeat(self, bytes: [u8; 16]) -> V128 {
        self.load(&bytes)
    }
}

featured! {
    #[inline]
    fn eight(bytes: [u8; 8]) -> uint8x8_t {
        vcreate_u8(u64::from_le_bytes(bytes))
    }
}

impl Vector for V128 {
    type Simd = Neon;
    type Half = Self;
    type Bits = Masks;
    const BYTES: usize = 16;

    #[inline(always)]
    fn half(self, number: usize) -> Self {
        debug_assert_eq!(number, 0);
        self
    }

    #[inline(always)]
    fn store(self, dst: &mut [u8]) {
        let bytes: &mut [u8; 16] = dst.first_chunk_mut().expect("enough space for a vector");
        // SAFETY: sixteen bytes are writable; alignment does not matter; the invariant of `V128`.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), self.0) }
    }

    vectors! {
        and(a, b) = vandq_u8(a, b);
        or(a, b) = vorrq_u8(a, b);
        xor(a, b) = veorq_u8(a, b);
        and_not(a, b) = vbicq_u8(a, b);
        add(a, b) = vaddq_u8(a, b);
        sub(a, b) = vsubq_u8(a, b);
        add16(a, b) = from16(vaddq_u16(to16(a), to16(b)));
        sub16(a, b) = from16(vsubq_u16(to16(a), to16(b)));
        add32(a, b) = from32(vaddq_u32(to32(a), to32(b)));
        sub32(a, b) = from32(vsubq_u32(to32(a), to32(b)));
        sub_saturating(a, b) = vqsubq_u8(a, b);
        min(a, b) = vminq_u8(a, b);
        max(a, b) = vmaxq_u8(a, b);
        max32(a, b) = from32(vmaxq_u32(to32(a), to32(b)));
        equal(a, b) = vceqq_u8(a, b);
        equal16(a, b) = from16(vceqq_u16(to16(a), to16(b)));
        equal32(a, b) = from32(vceqq_u32(to32(a), to32(b)));
        greater_signed(a, b) = vcgtq_s8(signed(a), signed(b));
        greater_signed16(a, b) = from16(vcgtq_s16(signed16(a), signed16(b)));
        greater_signed32(a, b) = from32(vcgtq_s32(signed32(a), signed32(b)));
        select(a, b, mask) = vbslq_u8(mask, a, b);
        high_nibbles(a) = vshrq_n_u8::<4>(a);
        swap16(a) = vrev16q_u8(a);
        swap32(a) = vrev32q_u8(a);
        lookup(index, table) = vqtbl1q_u8(table, index);
        zip_low(a, b) = vzip1q_u8(a, b);
        zip_high(a, b) = vzip2q_u8(a, b);
        zip_low16(a, b) = from16(vzip1q_u16(to16(a), to16(b)));
        zip_high16(a, b) = from16(vzip2q_u16(to16(a), to16(b)));
        pack16(a, b) = vqmovun_high_s16(vqmovun_s16(signed16(a)), signed16(b));
        pack32(a, b) = from16(vqmovun_high_s32(vqmovun_s32(signed32(a)), signed32(b)));
    }

    #[inline(always)]
    fn narrow16(self, other: Self) -> Self {
        self.pack16(other)
    }

    #[inline(always)]
    fn narrow32(self, other: Self) -> Self {
        self.pack32(other)
    }

    shifts! {
        shl16(a) = from16(vshlq_n_u16::<BITS>(to16(a)));
        shr16(a) = from16(vshrq_n_u16::<BITS>(to16(a)));
        shl32(a) = from32(vshlq_n_u32::<BITS>(to32(a)));
        shr32(a) = from32(vshrq_n_u32::<BITS>(to32(a)));
    }

    #[inline(always)]
    fn lookup128(self, &[a, b, c, d, e, f, g, h]: &[Self; 8]) -> Self {
        let upper = self.sub(Neon(()).splat(64));
        self.lookup64(a, b, c, d).or(upper.lookup64(e, f, g, h))
    }

    #[inline(always)]
    fn widen16(self) -> [Self; 2] {
        let zero = self.xor(self);
        [self.zip_low16(zero), self.zip_high16(zero)]
    }

    #[inline(always)]
    fn narrow32_16(self, [b, c, d]: [Self; 3]) -> Self {
        self.pack32(b).pack16(c.pack32(d))
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        // The bits of the lower eight bytes go to the lower halves of lanes, those of the upper
        // eight to the upper halves. Adding pairs three times takes more instructions: the
        // compiler turns it into ORs and moves, since no two addends have a bit in common.
        let order = Neon(()).repeat([0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]);
        order.lookup(self.eighths()).sum16().into()
    }

    #[inline(always)]
    fn mask32(self) -> u32 {
        let bits = Neon(()).repeat([1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0]);
        Neon(()).zero().greater_signed32(self).and(bits).sum32()
    }

    values! {
        any_high(a) -> bool = vgetq_lane_u64::<0>(to64(vpmaxq_u8(a, a))) & 0x8080_8080_8080_8080 != 0;
        any(a) -> bool = vgetq_lane_u64::<0>(to64(from32(vpmaxq_u32(to32(a), to32(a))))) != 0;
        sum(a) -> u64 = u64::from(vaddlvq_u8(a));
    }
}

impl V128 {
    /// A distinct bit in each byte whose highest bit is set.
    #[inline(always)]
    fn eighths(self) -> Self {
        let bits = Neon(()).repeat([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
        Neon(()).zero().greater_signed(self).and(bits)
    }

    vectors! {
        // Indices above 63 give 0.
        lookup64(index, a, b, c, d) = vqtbl4q_u8(uint8x16x4_t(a, b, c, d), index);
        add_pairs(a, b) = vpaddq_u8(a, b);
    }

    values! {
        halves_added_by_pairs(a) -> u64
            = vget_lane_u64::<0>(vreinterpret_u64_u8(vpadd_u8(vget_low_u8(a), vget_high_u8(a))));
        sum16(a) -> u16 = vaddvq_u16(to16(a));
        sum32(a) -> u32 = vaddvq_u32(to32(a));
    }
}

/// The vectors of a block, until it is complete.
#[derive(Clone, Copy)]
pub(crate) struct Masks([V128; 4]);

impl Bits<V128> for Masks {
    #[inline(always)]
    fn new(simd: Neon) -> Self {
        Self([simd.zero(); 4])
    }

    #[inline(always)]
    fn put(&mut self, at: usize, vector: V128) {
        self.0[at / 16] = vector;
    }

    #[inline(always)]
    fn get(self) -> u64 {
        let [a, b, c, d] = self.0.map(V128::eighths);
        a.add_pairs(b).add_pairs(c.add_pairs(d)).halves_added_by_pairs()
    }
}
