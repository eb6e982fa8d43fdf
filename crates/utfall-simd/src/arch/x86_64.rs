//! x86-64: SSE4.2 (128 bits), AVX2 (256 bits), AVX-512 with VBMI2 and GFNI (512 bits).

/// `Simd::table128`. Each part of the table is stored as its difference from the part before.
macro_rules! table128 {
    ($vector:ident) => {
        #[inline(always)]
        fn table128(self, bytes: &[u8; 128]) -> [$vector; 8] {
            let (mut table, mut before) = ([self.zero(); 8], self.zero());
            for (part, sixteen) in table.iter_mut().zip(bytes.as_chunks().0) {
                let sixteen = self.repeat(*sixteen);
                *part = sixteen.xor(before);
                before = sixteen;
            }
            table
        }
    };
}

/// `Vector::lookup128`. A lookup in sixteen bytes ignores bits 4 to 6 of the index. So the parts up
/// to that of the index all find something, and these differences add up to the entry. For the
/// parts after it, the index minus 16 for each part is negative, which finds 0.
macro_rules! lookup128 {
    ($token:ident) => {
        #[inline(always)]
        fn lookup128(self, table: &[Self; 8]) -> Self {
            let (mut index, mut found) = (self, self.lookup(table[0]));
            for part in &table[1..] {
                index = index.sub_saturating_signed($token(()).splat(16));
                found = found.xor(index.lookup(*part));
            }
            found
        }
    };
}

pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod sse42;
