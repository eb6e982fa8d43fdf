//! Sequences of four bytes. In order, they are the code points without two bytes: up to U+FFFF by
//! ranges, then all others. One pointer is an exception.

/// Where the difference between pointer and code point changes: a line for each range, with the
/// first pointer in decimal and the first code point in hexadecimal digits.
const INDEX: &str = include_str!("../index/gb18030_ranges.txt");

const COUNT: usize = 206;

/// Pointers up to U+FFFF, and the first above.
const LOW: u32 = 39420;
const HIGH: u32 = 189_000;

/// The pointer of U+1E3F, which has two bytes, and the private-use character that took its place.
const EXCEPTION: (u32, u32) = (7457, 0xE7C7);

/// Values in a page, each of which knows its first range.
const PAGE: usize = 64;

struct Range {
    pointer: u16,
    point: u16,
}

static RANGES: [Range; COUNT] = ranges();
/// The range of the first pointer of each page.
static BY_POINTER: [u8; LOW as usize / PAGE + 1] = by_pointer();
/// The range of the first code point of each page.
static BY_POINT: [u8; 0x1_0000 / PAGE] = by_point();

const fn ranges() -> [Range; COUNT] {
    let mut ranges = [const { Range { pointer: 0, point: 0 } }; COUNT];
    let text = INDEX.as_bytes();
    let (mut at, mut line) = (0, 0);
    while at < text.len() {
        let (pointer, end) = number(text, at, 10);
        let (point, end) = number(text, end + 1, 16);
        ranges[line] = Range { pointer, point };
        line += 1;
        at = end + 1;
    }
    assert!(line == COUNT);
    ranges
}

const fn number(text: &[u8], mut at: usize, base: u16) -> (u16, usize) {
    let mut number = 0;
    while text[at].is_ascii_alphanumeric() {
        let digit = if text[at] <= b'9' { text[at] - b'0' } else { text[at] - b'A' + 10 };
        number = number * base + digit as u16;
        at += 1;
    }
    (number, at)
}

const fn by_pointer() -> [u8; LOW as usize / PAGE + 1] {
    let mut pages = [0; LOW as usize / PAGE + 1];
    let (mut page, mut range) = (0, 0);
    while page < pages.len() {
        while range + 1 < COUNT && RANGES[range + 1].pointer as usize <= page * PAGE {
            range += 1;
        }
        pages[page] = range as u8;
        page += 1;
    }
    pages
}

const fn by_point() -> [u8; 0x1_0000 / PAGE] {
    let mut pages = [0; 0x1_0000 / PAGE];
    let (mut page, mut range) = (0, 0);
    while page < pages.len() {
        while range + 1 < COUNT && RANGES[range + 1].point as usize <= page * PAGE {
            range += 1;
        }
        pages[page] = range as u8;
        page += 1;
    }
    pages
}

/// The last range from `first` on that `begins` before or at a value.
#[inline(always)]
fn range_of(first: u8, begins: impl Fn(&Range) -> bool) -> &'static Range {
    let mut at = usize::from(first);
    while let Some(range) = RANGES.get(at + 1)
        && begins(range)
    {
        at += 1;
    }
    &RANGES[at]
}

/// The code point of four bytes in 81 to FE and 30 to 39.
#[inline(always)]
pub(super) fn point(bytes: [u8; 4]) -> Option<u32> {
    let [a, b, c, d] = bytes;
    let [a, b, c, d] = [u32::from(a), u32::from(b), u32::from(c), u32::from(d)];
    let pointer = ((a - 0x81) * 10 + (b - 0x30)) * 1260 + (c - 0x81) * 10 + (d - 0x30);
    match pointer {
        _ if pointer == EXCEPTION.0 => Some(EXCEPTION.1),
        ..LOW => {
            let first = BY_POINTER[pointer as usize / PAGE];
            let range = range_of(first, |range| u32::from(range.pointer) <= pointer);
            Some(u32::from(range.point) + pointer - u32::from(range.pointer))
        }
        LOW..HIGH => None,
        _ => Some(pointer - HIGH + 0x1_0000).filter(|point| *point <= 0x10_FFFF),
    }
}

/// The four bytes of a code point that has no two bytes; 0 if it has none.
#[inline(always)]
pub(super) fn code(point: u32) -> u32 {
    let pointer = match point {
        // A cell that is another character now.
        0xE5E5 | 0xD800..=0xDFFF | 0x11_0000.. => return 0,
        _ if point == EXCEPTION.1 => EXCEPTION.0,
        0x1_0000.. => point - 0x1_0000 + HIGH,
        _ => {
            let first = BY_POINT[point as usize / PAGE];
            let range = range_of(first, |range| u32::from(range.point) <= point);
            point - u32::from(range.point) + u32::from(range.pointer)
        }
    };
    half(pointer / HALVES) << 16 | half(pointer % HALVES)
}

/// The number of pairs of a byte from 81 to FE and a digit. A four-byte sequence is two such pairs.
const HALVES: u32 = 126 * 10;

/// The bytes of such a pair, or 0.
#[inline(always)]
#[cfg(not(target_arch = "wasm32"))]
fn half(number: u32) -> u32 {
    HALF.get(number as usize).copied().map_or(0, u32::from)
}

/// The same without a table, which would be larger than this code.
#[inline(always)]
#[cfg(target_arch = "wasm32")]
fn half(number: u32) -> u32 {
    if number < HALVES { bytes_of_half(number) } else { 0 }
}

const fn bytes_of_half(number: u32) -> u32 {
    (0x81 + number / 10) << 8 | (0x30 + number % 10)
}

/// The bytes of all pairs.
#[cfg(not(target_arch = "wasm32"))]
static HALF: [u16; HALVES as usize] = {
    let mut all = [0; HALVES as usize];
    let mut number = 0;
    while number < HALVES {
        all[number as usize] = bytes_of_half(number) as u16;
        number += 1;
    }
    all
};
