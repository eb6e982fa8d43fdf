//! Shuffle orders for [`lookup`](crate::simd::Vector::lookup) that move selected bytes of a half
//! to its start. See Lemire and Muła, "Transcoding Unicode characters with AVX-512 instructions"
//! (2022) and "Transcoding billions of Unicode characters per second with SIMD instructions"
//! (2021).

use crate::simd::{Simd, Vector};

/// Selects no byte; the result is ignored.
pub(crate) const NONE: u8 = 0x80;

/// Orders by an index that encodes the selection. None crosses the end of a cache line.
#[repr(align(64))]
pub(crate) struct Orders<const N: usize>([[u8; 16]; N]);

/// For eight lanes of 16 bits, one bit of the index each: the first byte of the lane, or both.
pub(crate) static ONE_OR_BOTH: Orders<256> = {
    let mut orders = [[NONE; 16]; 256];
    let mut index = 0;
    while index < 256 {
        let (mut to, mut lane) = (0, 0);
        while lane < 8 {
            orders[index][to] = 2 * lane as u8;
            to += 1;
            if index >> lane & 1 == 1 {
                orders[index][to] = 2 * lane as u8 + 1;
                to += 1;
            }
            lane += 1;
        }
        index += 1;
    }
    Orders(orders)
};

/// For four lanes of 32 bits, two bits of the index each. With neither set: the second byte of the
/// lane. With the lower one: the third and fourth. With both: the first as well.
pub(crate) static UP_TO_THREE: Orders<256> = {
    let mut orders = [[NONE; 16]; 256];
    let mut index = 0;
    while index < 256 {
        let (mut to, mut lane) = (0, 0);
        while lane < 4 {
            let bytes: &[u8] = match index >> (2 * lane) & 3 {
                0 => &[1],
                1 => &[2, 3],
                3 => &[0, 2, 3],
                _ => &[],
            };
            let mut byte = 0;
            while byte < bytes.len() {
                orders[index][to] = 4 * lane as u8 + bytes[byte];
                to += 1;
                byte += 1;
            }
            lane += 1;
        }
        index += 1;
    }
    Orders(orders)
};

/// For four lanes of 32 bits, one bit of the index each: the whole lane.
pub(crate) static LANES: Orders<16> = {
    let mut orders = [[NONE; 16]; 16];
    let mut index = 0;
    while index < 16 {
        let (mut to, mut byte) = (0, 0);
        while byte < 16 {
            if index >> (byte / 4) & 1 == 1 {
                orders[index][to] = byte as u8;
                to += 1;
            }
            byte += 1;
        }
        index += 1;
    }
    Orders(orders)
};

/// For four lanes of 32 bits, one bit of the index each: the first 16 bits of the lane, or all.
pub(crate) static HALF_OR_WHOLE: Orders<16> = {
    let mut orders = [[NONE; 16]; 16];
    let mut index = 0;
    while index < 16 {
        let (mut to, mut byte) = (0, 0);
        while byte < 16 {
            if byte % 4 < 2 || index >> (byte / 4) & 1 == 1 {
                orders[index][to] = byte as u8;
                to += 1;
            }
            byte += 1;
        }
        index += 1;
    }
    Orders(orders)
};

/// For four lanes of 32 bits, a lower and an upper bit of the index each, the lower bits of all
/// lanes first: how many of the last bytes of the lane to select, less one.
pub(crate) static LAST: Orders<256> = {
    let mut orders = [[NONE; 16]; 256];
    let mut index = 0;
    while index < 256 {
        let (mut to, mut byte) = (0, 0);
        while byte < 16 {
            let lane = byte / 4;
            let less_one = (index >> lane & 1) + (index >> (4 + lane) & 1) * 2;
            if byte % 4 + less_one >= 3 {
                orders[index][to] = byte as u8;
                to += 1;
            }
            byte += 1;
        }
        index += 1;
    }
    Orders(orders)
};

/// The bytes of each half of `vector` in the order that `index` gives for the half.
#[inline(always)]
pub(crate) fn compress<S: Simd, const N: usize>(
    simd: S,
    vector: S::Vector,
    orders: &'static Orders<N>,
    index: impl Fn(usize) -> usize,
) -> S::Vector {
    simd.load_halves(|half| &orders.0[index(half)]).lookup(vector)
}

/// Writes the bytes of `vector` in `kept`, eight at a time, to the start of `out`. Each time, it
/// writes sixteen. Returns their number.
#[inline(always)]
pub(crate) fn push_kept<S: Simd>(
    simd: S,
    vector: S::Vector,
    mut kept: u64,
    out: &mut [u8],
) -> usize {
    let mut written = 0;
    for half in 0..S::Vector::HALVES {
        let bytes = vector.half(half);
        for rows in &KEPT {
            let set = kept as u8;
            kept >>= 8;
            let order = simd.half().load(&rows[usize::from(set)]);
            order.lookup(bytes).store(&mut out[written..]);
            written += set.count_ones() as usize;
        }
    }
    written
}

/// For each set of eight bytes, the positions of its members among sixteen, for a set of the lower
/// eight and for one of the upper eight.
static KEPT: [[[u8; 16]; 256]; 2] = {
    let mut table = [[[0x80; 16]; 256]; 2];
    let mut set = 0;
    while set < 256 {
        let (mut byte, mut kept) = (0, 0);
        while byte < 8 {
            if set >> byte & 1 == 1 {
                table[0][set][kept] = byte;
                table[1][set][kept] = byte + 8;
                kept += 1;
            }
            byte += 1;
        }
        set += 1;
    }
    table
};
