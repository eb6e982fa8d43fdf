//! Every sequence of four bytes of UTF-8, every two units of UTF-16, every unit of UTF-32, through
//! every table: 2^32 of each. `cargo xtask exhaustive` runs them all; the tests run only part of
//! them.
//!
//! For each table, this enumerates:
//!
//! 1. **UTF-8, strict.** Each of the 2^32 sequences, on its own in otherwise well-formed text.
//!    Checks the prefix; if the sequence begins with a lead byte, the conversion to UTF-16 (after
//!    ASCII it is a sequence of three, which is covered with every following byte; anything else
//!    is ill-formed at once); and if it is well-formed, its count and its length in UTF-16. Its
//!    offset in a block of 64 bytes is the sum of its bytes modulo 64, so whichever of the four
//!    bytes is varied, each run of 64 values covers every offset. A hash of all bytes except the
//!    last selects the first, second or third block, and the surrounding characters of one, two,
//!    three or four bytes. (In loops over the last byte, the processor learns the path through the
//!    kernel.)
//! 2. **UTF-8, strict, every offset.** The bytes that can decide about one sequence, at each of
//!    the 64 offsets: every two bytes of which the first is above 7F; every third continuation
//!    byte after two bytes that need another, and every fourth after three that do; and in their
//!    positions other bytes at the edges of classes. All other sequences of four bytes are several
//!    of these in a row, and a kernel stops at the first that is ill-formed. To UTF-16 and UTF-32,
//!    both big-endian, and to Latin-1; Latin-1 prefix, and the checks above.
//! 3. **UTF-8, lossy.** Each sequence that begins with a lead byte, or with one of a few other
//!    bytes that are ill-formed, in texts of 32 with characters of every class between them: to
//!    UTF-8 and UTF-16, and lossy count and length; one text in eight also to UTF-32 and
//!    big-endian.
//! 4. **UTF-8, alone.** Each such sequence of up to four bytes as the whole input: prefix, strict
//!    and lossy conversion to UTF-16.
//! 5. **UTF-16.** Each of the 2^32 pairs of units in either byte order. Those without a surrogate,
//!    concatenated (A B A C A D … has A B, B A, A C and so on), with occasional characters of
//!    every class: prefix, conversion to UTF-8, UTF-32 and the other byte order, count and length.
//!    Those with a surrogate, in texts of 64, through the lossy conversions to UTF-8 and to
//!    UTF-16; the well-formed ones also through the same checks as pairs without surrogates; the
//!    ill-formed ones, as in 1, to UTF-8 and UTF-32. Those with a first unit up to FF, as in 1, to
//!    Latin-1.
//! 6. **UTF-16, every offset.** Every unit before and after those at the edges of classes, at each
//!    offset, to every form.
//! 7. **UTF-32.** Each of the 2^32 values, as in 1: prefix; one in eight also big-endian. Scalar
//!    values, at each offset, and those with a half at the edge of a class, in both byte orders:
//!    conversions to every form, and lengths.
//!
//! The expected results come from `plain.rs`, which is checked against `utfall-oracle`. Other
//! tests (`kernels.rs`, `mixtures.rs`, `guard.rs`) cover outputs that are too short.

mod batch;
mod plain;
mod window;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use batch::Batch;
use utfall_oracle::step;
use utfall_simd::{Kernels, Layout, Lossy, dispatch};
use window::{BLOCK, Window};

/// How much to run: everything, or as much as a test has time for.
struct Extent {
    /// Values of a byte.
    bytes: Vec<u8>,
    /// Values of a unit of UTF-16, and of half a unit of UTF-32.
    units: Vec<u16>,
    /// Runs one task in this many.
    every: usize,
    is_shown: bool,
}

/// The variable that sets it. Best odd, since tasks are numbered by bytes and units.
const EVERY: &str = "UTFALL_EXHAUSTIVE_EVERY";

/// Values at which kernels may decide differently.
const EDGES_OF_BYTES: [u8; 28] = [
    0x00, 0x41, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
    0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
];
const EDGES_OF_UNITS: [u16; 24] = [
    0x0000, 0x0001, 0x0010, 0x0011, 0x0061, 0x007F, 0x0080, 0x00FF, 0x0100, 0x07FF, 0x0800, 0x0FFF,
    0x1000, 0xD7FF, 0xD800, 0xD801, 0xDBFF, 0xDC00, 0xDC01, 0xDFFF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF,
];

impl Extent {
    fn all() -> Self {
        let every = env::var(EVERY).map_or(1, |every| every.parse().expect(EVERY));
        let (bytes, units) = ((0..=255).collect(), (0..=u16::MAX).collect());
        Self { bytes, units, every, is_shown: true }
    }

    fn part() -> Self {
        let (bytes, units) = (EDGES_OF_BYTES.into(), EDGES_OF_UNITS.into());
        // Odd, as above.
        Self { bytes, units, every: step(9), is_shown: false }
    }
}

#[test]
fn a_part() {
    dispatch::available().for_each(|kernels| run(kernels, &Extent::part()));
}

/// Takes minutes for each table: the one that `UTFALL_ISA` names, or all.
#[test]
#[ignore = "takes many minutes: `cargo xtask exhaustive`"]
fn everything() {
    let extent = Extent::all();
    match dispatch::forced() {
        Ok(Some(kernels)) => run(kernels, &extent),
        Ok(None) => dispatch::available().for_each(|kernels| run(kernels, &extent)),
        Err(name) => panic!("no table {} can run here", name.display()),
    }
}

/// Everything with one table.
fn run(kernels: &Kernels, extent: &Extent) {
    let start = Instant::now();
    let bytes = &extent.bytes;
    let pairs: Vec<[u8; 2]> = bytes.iter().flat_map(|a| bytes.iter().map(|b| [*a, *b])).collect();
    let on = |name: &str| Step { name: format!("{} {name}", kernels.name()), start, extent };

    let window = || Window::new(Layout::Utf8, kernels);
    on("UTF-8, strict")
        .run(&pairs, window, |window, pair| utf8_strict(kernels, window, *pair, bytes));
    on("UTF-8, strict, every offset")
        .run(&pairs, window, |window, pair| utf8_every_offset(kernels, window, *pair, bytes));
    let batch = || Batch::new(Layout::Utf8);
    on("UTF-8, lossy").run(&pairs, batch, |batch, pair| utf8_lossy(kernels, batch, *pair, bytes));
    on("UTF-8, alone").run(&pairs, || (), |(), pair| utf8_alone_from(kernels, *pair, bytes));
    let units = &extent.units;
    let state = || Utf16::new(kernels);
    on("UTF-16").run(units, state, |state, unit| utf16(kernels, state, *unit, units));
    on("UTF-16, every offset")
        .run(units, state, |state, unit| utf16_every_offset(kernels, state, *unit));
    let state = || Utf32::new(kernels);
    on("UTF-32").run(units, state, |state, unit| utf32(kernels, state, *unit, units));
    if extent.is_shown {
        let (of, seconds) = (extent.every, start.elapsed().as_secs_f64());
        println!("{}: one task in {of}, all sound, {seconds:.0} s", kernels.name());
    }
}

/// A part of the work, and how to report its progress.
struct Step<'a> {
    name: String,
    start: Instant,
    extent: &'a Extent,
}

impl Step<'_> {
    /// Runs all tasks on all processors, each thread with a state of its own.
    fn run<T: Sync, S>(
        &self,
        tasks: &[T],
        state: impl Fn() -> S + Sync,
        task: impl Fn(&mut S, &T) + Sync,
    ) {
        let begin = Instant::now();
        let next = AtomicUsize::new(0);
        let tasks: Vec<&T> = tasks.iter().step_by(self.extent.every).collect();
        let work = || {
            let mut state = state();
            loop {
                let index = next.fetch_add(1, Relaxed);
                let Some(now) = tasks.get(index) else { break };
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| task(&mut state, now))) {
                    // The other threads should not continue for minutes.
                    next.store(tasks.len(), Relaxed);
                    resume_unwind(panic);
                }
                if self.extent.is_shown && index.is_multiple_of(tasks.len() / 8 + 1) {
                    let (done, seconds) = (100 * index / tasks.len(), self.start.elapsed());
                    println!("{}: {done} %, {:.0} s in all", self.name, seconds.as_secs_f64());
                }
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        if threads == 1 {
            // It may not be possible to start threads.
            work();
        } else {
            thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        }
        if self.extent.is_shown {
            println!("{}: done in {:.0} s", self.name, begin.elapsed().as_secs_f64());
        }
    }
}

/// A number for a sequence.
fn number(bytes: [u8; 4]) -> u32 {
    u32::from_be_bytes(bytes)
}

/// Bytes that begin a sequence of more than one byte.
fn is_lead(byte: u8) -> bool {
    (0xC2..=0xF4).contains(&byte)
}

/// The same, and some bytes that begin none.
fn is_lead_or_ill(byte: u8) -> bool {
    is_lead(byte) || [0x80, 0xBF, 0xC0, 0xF5, 0xFF].contains(&byte)
}

fn utf8_strict(kernels: &Kernels, window: &mut Window, [a, b]: [u8; 2], bytes: &[u8]) {
    let forms: &[Layout] = if is_lead(a) { &[Layout::Utf16Le] } else { &[] };
    for &c in bytes {
        for &d in bytes {
            let sequence = [a, b, c, d];
            let offset = sequence.iter().copied().map(usize::from).sum();
            let place = window.place(number(sequence) >> 8, offset);
            window.check(kernels, sequence, &plain::utf8(&sequence), place, forms);
        }
    }
}

fn utf8_every_offset(kernels: &Kernels, window: &mut Window, [a, b]: [u8; 2], bytes: &[u8]) {
    const FORMS: [Layout; 3] = [Layout::Utf16Be, Layout::Utf32Be, Layout::Latin1];
    let is_edge = |byte: u8| EDGES_OF_BYTES.contains(&byte);
    let edges: Vec<u8> = bytes.iter().copied().filter(|o| is_edge(*o)).collect();
    let wanted: Vec<u8> =
        bytes.iter().copied().filter(|o| is_edge(*o) || (0x80..=0xBF).contains(o)).collect();
    let wants = |begun: &[u8]| {
        let items = plain::utf8(begun);
        items.is_cut && items.all().len() == 1
    };
    if a < 0x80 {
        return;
    }
    for &c in if wants(&[a, b]) { &wanted } else { &edges } {
        let fourth = if wants(&[a, b, c]) { &wanted[..] } else { b"a" };
        for offset in 0..BLOCK {
            for &d in fourth {
                let sequence = [a, b, c, d];
                let place = window.place((number(sequence) >> 8) + offset as u32, offset);
                window.check(kernels, sequence, &plain::utf8(&sequence), place, &FORMS);
            }
        }
    }
}

fn utf8_lossy(kernels: &Kernels, batch: &mut Batch, [a, b]: [u8; 2], bytes: &[u8]) {
    use Layout::{Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    if !is_lead_or_ill(a) {
        return;
    }
    for &c in bytes {
        for (index, part) in bytes.chunks(32).enumerate() {
            let turn = usize::from(a) + usize::from(b) + usize::from(c) + index;
            batch.begin(turn % BLOCK);
            for &d in part {
                let sequence = [a, b, c, d];
                batch.push(sequence, &plain::utf8(&sequence));
            }
            batch.lossy(kernels, &[Utf8, Utf16Le]);
            if turn % 8 == 0 {
                batch.swap_converted();
                batch.lossy(kernels, &[Utf16Be, Utf32Le, Utf32Be]);
            }
        }
    }
}

fn utf8_alone_from(kernels: &Kernels, [a, b]: [u8; 2], bytes: &[u8]) {
    if !is_lead_or_ill(a) {
        return;
    }
    if b == bytes[0] {
        utf8_alone(kernels, &[a]);
    }
    utf8_alone(kernels, &[a, b]);
    for &c in bytes {
        utf8_alone(kernels, &[a, b, c]);
        for &d in bytes {
            utf8_alone(kernels, &[a, b, c, d]);
        }
    }
}

fn utf8_alone(kernels: &Kernels, src: &[u8]) {
    let items = plain::utf8(src);
    let (sound, points) = items.sound();
    let all = items.all();
    let whole = &all[..all.len() - usize::from(items.is_cut)];
    let (mut expected, mut length, mut strict) = ([0; 16], 0, 0);
    let mut lossy = Lossy::default();
    for (index, item) in whole.iter().enumerate() {
        let point = item.point.unwrap_or(0xFFFD);
        let (bytes, count) = plain::encoded(Layout::Utf16Le, point).unwrap();
        expected[length..][..4].copy_from_slice(&bytes);
        length += count;
        strict = if index < points.len() { length } else { strict };
        lossy.read += item.length;
        lossy.replaced += usize::from(item.point.is_none());
    }
    lossy.written = length;
    let mut dst = [0; 16];
    let right = kernels.utf8_prefix(src) == sound
        && kernels.utf8_to_utf16le(src, &mut dst) == (sound, strict)
        && dst[..strict] == expected[..strict]
        && kernels.utf8_to_utf16le_lossy(src, &mut dst) == lossy
        && dst[..length] == expected[..length];
    assert!(right, "{kernels:?} {src:02X?} alone");
}

/// The state for UTF-16.
struct Utf16 {
    windows: [Window; 2],
    /// Well-formed pairs, and those with a surrogate.
    sound: Batch,
    surrogates: Batch,
}

impl Utf16 {
    fn new(kernels: &Kernels) -> Self {
        Self {
            windows: [Layout::Utf16Le, Layout::Utf16Be].map(|form| Window::new(form, kernels)),
            sound: Batch::new(Layout::Utf16Le),
            surrogates: Batch::new(Layout::Utf16Le),
        }
    }

    /// Checks a pair as in 1, in both byte orders.
    fn check(
        &mut self,
        kernels: &Kernels,
        [first, second]: [u16; 2],
        items: &plain::Items,
        (offset, turn): (usize, u32),
        forms: &[Layout],
    ) {
        let number = u32::from(first) << 8 | u32::from(second) >> 8;
        for (window, order) in self.windows.iter_mut().zip([u16::to_le_bytes, u16::to_be_bytes]) {
            let ([a, b], [c, d]) = (order(first), order(second));
            let place = window.place(number.wrapping_add(turn), offset);
            window.check(kernels, [a, b, c, d], items, place, forms);
        }
    }
}

fn is_surrogate(unit: u16) -> bool {
    (0xD800..=0xDFFF).contains(&unit)
}

fn utf16(kernels: &Kernels, state: &mut Utf16, first: u16, units: &[u16]) {
    if is_surrogate(first) {
        utf16_surrogates(kernels, state, first, units);
    } else {
        let is_single = |unit: &u16| !is_surrogate(*unit);
        let (singles, surrogates): (Vec<u16>, Vec<u16>) =
            units.iter().copied().partition(is_single);
        utf16_singles(kernels, state, first, &singles);
        utf16_surrogates(kernels, state, first, &surrogates);
    }
    if first <= 0xFF {
        for &second in units {
            let items = plain::utf16([first, second]);
            let offset = 2 * (usize::from(first) + usize::from(second));
            state.check(kernels, [first, second], &items, (offset, 0), &[Layout::Latin1]);
        }
    }
}

/// Conversions of well-formed text: to UTF-8, UTF-32 and the other byte order.
fn utf16_strict(kernels: &Kernels, batch: &mut Batch) {
    batch.swap_converted();
    batch.strict(kernels, &[Layout::Utf8, Layout::Utf32Le, Layout::Utf16Be]);
    batch.swap();
    batch.strict(kernels, &[Layout::Utf8, Layout::Utf32Be, Layout::Utf16Le]);
}

/// Concatenates the pairs of this unit with each that is not below it.
fn utf16_singles(kernels: &Kernels, state: &mut Utf16, first: u16, singles: &[u16]) {
    let from = singles.partition_point(|second| *second < first);
    let batch = &mut state.sound;
    let first_unit = batch::Unit::new(first);
    for (index, part) in singles[from..].chunks(128).enumerate() {
        batch.begin((usize::from(first) + index) % BLOCK);
        for part in part.chunks(8) {
            for second in part {
                batch.push_unit(&first_unit);
                batch.push_unit(&batch::Unit::new(*second));
            }
            batch.push_unit(&first_unit);
            batch.push_between();
        }
        utf16_strict(kernels, batch);
    }
}

/// Pairs with a surrogate.
fn utf16_surrogates(kernels: &Kernels, state: &mut Utf16, first: u16, seconds: &[u16]) {
    for (index, part) in seconds.chunks(64).enumerate() {
        let letters = (usize::from(first) + index) % BLOCK;
        state.sound.begin(letters);
        state.surrogates.begin(letters);
        for &second in part {
            let pair = [first, second];
            let items = plain::utf16(pair);
            let ([a, b], [c, d]) = (first.to_le_bytes(), second.to_le_bytes());
            state.surrogates.push([a, b, c, d], &items);
            if items.sound().0 == 4 {
                state.sound.push([a, b, c, d], &items);
            } else {
                let offset = 2 * (usize::from(first) + usize::from(second));
                state.check(kernels, pair, &items, (offset, 0), &[Layout::Utf8, Layout::Utf32Le]);
            }
        }
        utf16_strict(kernels, &mut state.sound);
        state.surrogates.swap_converted();
        state.surrogates.lossy(kernels, &[Layout::Utf8, Layout::Utf16Le]);
        state.surrogates.swap();
        state.surrogates.lossy(kernels, &[Layout::Utf8, Layout::Utf16Be]);
    }
}

/// This unit with each edge, in both orders.
fn utf16_every_offset(kernels: &Kernels, state: &mut Utf16, unit: u16) {
    const FORMS: [Layout; 4] = [Layout::Utf8, Layout::Utf32Le, Layout::Utf32Be, Layout::Latin1];
    for edge in EDGES_OF_UNITS {
        for pair in [[edge, unit], [unit, edge]] {
            let items = plain::utf16(pair);
            for offset in (0..BLOCK).step_by(2) {
                state.check(kernels, pair, &items, (offset, offset as u32), &FORMS);
            }
        }
    }
}

/// The state for UTF-32.
struct Utf32([Window; 2]);

impl Utf32 {
    fn new(kernels: &Kernels) -> Self {
        Self([Layout::Utf32Le, Layout::Utf32Be].map(|form| Window::new(form, kernels)))
    }

    fn check(
        &mut self,
        kernels: &Kernels,
        value: u32,
        items: &plain::Items,
        (offset, turn): (usize, u32),
        forms: &[Layout],
    ) {
        // There is no time for all values in both orders, and little benefit.
        let orders = if forms.is_empty() && !value.is_multiple_of(8) { 1 } else { 2 };
        let bytes = [value.to_le_bytes(), value.to_be_bytes()];
        for (window, bytes) in self.0.iter_mut().zip(bytes).take(orders) {
            let place = window.place((value >> 8) + turn, offset);
            window.check(kernels, bytes, items, place, forms);
        }
    }
}

fn utf32(kernels: &Kernels, state: &mut Utf32, high: u16, units: &[u16]) {
    const FORMS: [Layout; 5] =
        [Layout::Utf8, Layout::Utf16Le, Layout::Utf16Be, Layout::Latin1, Layout::Utf32Be];
    for &low in units {
        let value = u32::from(high) << 16 | u32::from(low);
        let items = plain::utf32(value);
        let offset = 4 * (usize::from(high) + usize::from(low));
        let is_edge = EDGES_OF_UNITS.contains(&high) || EDGES_OF_UNITS.contains(&low);
        if items.sound().0 == 4 {
            for offset in (0..BLOCK).step_by(4) {
                state.check(kernels, value, &items, (offset, offset as u32), &FORMS);
            }
        } else {
            let forms = if is_edge { &FORMS[..] } else { &[] };
            state.check(kernels, value, &items, (offset, 0), forms);
        }
    }
}
