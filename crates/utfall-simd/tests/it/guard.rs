//! Every kernel with its input and its output next to pages that cannot be accessed, at either
//! end: a read or write outside, however small, kills the process.
//!
//! The signal ends the whole test; its handler first prints the operation.

#![cfg(all(unix, not(miri)))]

use std::ffi::c_int;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};
use std::{env, ptr, slice};

use crate::pairs::{Table, codes, write_codes};
use crate::support::{Measure, Random, measures};
use crate::utf7::{FORMS, read_to, write_from};
use utfall_oracle::step;
use utfall_simd::utf7::{RunState, Style};
use utfall_simd::{Kernels, Layout, Lossy, dispatch, units};

const CANARY: u8 = 0xA5;
/// More bytes than a kernel writes at once.
const BESIDE: usize = 512;
/// More bytes than [`lengths`] require, a power of two.
const PAGE: usize = 1 << 14;

/// The position of a slice in its page.
#[derive(Clone, Copy, Debug)]
enum Place {
    Start,
    End,
}

const PLACES: [Place; 2] = [Place::Start, Place::End];

/// Pages, here called one page, between others that cannot be accessed.
///
/// Invariant: `base` is the start of a mapping of three such pages of `page` bytes, which has no
/// other owner; the middle one can be read and written.
struct Guarded {
    base: *mut u8,
    page: usize,
}

impl Guarded {
    fn new() -> Self {
        // SAFETY: a query without side effects.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let page = page.max(PAGE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        // SAFETY: a new mapping, placed by the system, does not affect existing memory.
        let base = unsafe { libc::mmap(ptr::null_mut(), 3 * page, libc::PROT_NONE, flags, -1, 0) };
        assert_ne!(base, libc::MAP_FAILED);
        let base = base.cast::<u8>();
        let middle = base.wrapping_add(page).cast();
        // SAFETY: the middle page of the mapping just made, to which there is no reference.
        let failed = unsafe { libc::mprotect(middle, page, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(failed, 0);
        Self { base, page }
    }

    /// The accessible page.
    fn page(&mut self) -> &mut [u8] {
        let middle = self.base.wrapping_add(self.page);
        // SAFETY: the invariant, and anonymous memory is zeroed; it is borrowed through `self`.
        unsafe { slice::from_raw_parts_mut(middle, self.page) }
    }

    /// The slice of this length at an end of the page.
    fn slice(&mut self, length: usize, place: Place) -> &mut [u8] {
        let page = self.page();
        match place {
            Place::Start => &mut page[..length],
            Place::End => {
                let start = page.len() - length;
                &mut page[start..]
            }
        }
    }

    /// The bytes next to the slice of this length at an end of the page.
    fn beside(&mut self, length: usize, place: Place) -> &[u8] {
        let page = self.page();
        match place {
            Place::Start => &page[length..][..BESIDE],
            Place::End => &page[page.len() - length - BESIDE..][..BESIDE],
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the invariant; no slice outlives `self`.
        unsafe { libc::munmap(self.base.cast(), 3 * self.page) };
    }
}

/// The operation in progress, for [`report`]: an operation of a table, and two lengths.
static OPERATION: AtomicPtr<String> = AtomicPtr::new(ptr::null_mut());
static TABLE: AtomicPtr<Kernels> = AtomicPtr::new(ptr::null_mut());
static INPUT: AtomicUsize = AtomicUsize::new(0);
static ROOM: AtomicUsize = AtomicUsize::new(0);

/// Records the operation that runs next. It is leaked: there are few.
fn begin(operation: String) {
    OPERATION.store(Box::leak(Box::new(operation)), Relaxed);
}

/// Records its table and lengths.
fn note(kernels: &'static Kernels, input: usize, room: usize) {
    TABLE.store(ptr::from_ref(kernels).cast_mut(), Relaxed);
    INPUT.store(input, Relaxed);
    ROOM.store(room, Relaxed);
}

/// The signal handler: prints the operation, and lets the fault happen again to end the test.
extern "C" fn report(signal: c_int) {
    // SAFETY: allowed in a handler; from now on the signal is fatal.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
    print(b"\naccess outside of the input or the output: ");
    // SAFETY: null, or a string that is never freed or changed.
    if let Some(operation) = unsafe { OPERATION.load(Relaxed).as_ref() } {
        print(operation.as_bytes());
    }
    // SAFETY: null, or a table, which lives as long as the process.
    if let Some(kernels) = unsafe { TABLE.load(Relaxed).as_ref() } {
        print(b", table ");
        print(kernels.name().as_bytes());
    }
    for (name, number) in [(&b", bytes in: "[..], &INPUT), (b", room: ", &ROOM)] {
        print(name);
        let number = number.load(Relaxed);
        for power in [10_000, 1000, 100, 10, 1] {
            print(&[b'0' + (number / power % 10) as u8]);
        }
    }
    print(b"\n");
}

/// Writes to standard error, even in a signal handler.
fn print(bytes: &[u8]) {
    // SAFETY: as many readable bytes as the length says.
    unsafe { libc::write(2, bytes.as_ptr().cast(), bytes.len()) };
}

fn report_faults() {
    for signal in [libc::SIGSEGV, libc::SIGBUS] {
        let handler = report as extern "C" fn(c_int) as libc::sighandler_t;
        // SAFETY: `report` has the signature of a handler, and calls only functions allowed in
        // one.
        unsafe { libc::signal(signal, handler) };
    }
}

/// The text in a form, as far as the form has its code points.
fn encoded(form: Layout, points: &[u32]) -> Vec<u8> {
    let bytes: Vec<u8> = points.iter().flat_map(|point| point.to_le_bytes()).collect();
    let mut text = vec![0; 4 * points.len()];
    let (_, written) = dispatch::scalar().convert(Layout::Utf32Le, form, &bytes, &mut text);
    text.truncate(written);
    text
}

/// Text of `length` bytes of each kind: of one class, mixed, cut anywhere, and damaged.
fn texts(form: Layout, length: usize, random: &mut Random) -> Vec<Vec<u8>> {
    let mut texts: Vec<_> = ["a", "é", "€", "😀", "aé", "日本 "]
        .iter()
        .map(|text| encoded(form, &text.repeat(length).chars().map(u32::from).collect::<Vec<_>>()))
        .collect();
    for _ in 0..3 {
        texts.push(encoded(form, &random.text(length)));
    }
    for text in &mut texts {
        text.truncate(length);
        text.resize(length, b'x');
    }
    let mut damaged = texts.clone();
    for text in &mut damaged {
        if length > 0 {
            let at = random.below(length);
            text[at] = random.one_of(&[0x00, 0x80, 0xC2, 0xD8, 0xDC, 0xED, 0xF0, 0xFF]);
        }
    }
    texts.extend(damaged);
    texts
}

/// All short lengths, those around blocks, and some at which kernels align their output.
fn lengths() -> impl Iterator<Item = usize> {
    let around = [320, 384, 448, 512, 640, 768, 1024, 2048];
    (0..=300)
        .chain(around.map(|length| [length - 1, length, length + 1]).into_iter().flatten())
        .chain([1100, 2500])
        .step_by(step(5))
}

/// The pages of input and output.
struct Pages {
    input: Guarded,
    output: Guarded,
}

impl Pages {
    fn new() -> Self {
        let (input, mut output) = (Guarded::new(), Guarded::new());
        output.page().fill(CANARY);
        Self { input, output }
    }
}

/// A conversion, strict or lossy: what it reads, writes and replaces.
type Run<'a> = &'a dyn Fn(&Kernels, &[u8], &mut [u8]) -> Lossy;

/// One conversion of each text by every table, with input and output at both ends of their pages,
/// into ample space, into just enough, and into less.
fn conversion(run: Run, texts: &[Vec<u8>], pages: &mut Pages) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for text in texts {
        // The longest possible conversion; a page is at least as long.
        let mut buffer = vec![0; 4 * text.len() + 4];
        let most = buffer.len();
        let written = run(dispatch::scalar(), text, &mut buffer).written;
        for room in [most, written, written.saturating_sub(1), random.below(written + 1)] {
            let expected = run(dispatch::scalar(), text, &mut buffer[..room]);
            for place in PLACES {
                pages.input.slice(text.len(), place).copy_from_slice(text);
                for kernels in dispatch::available() {
                    note(kernels, text.len(), room);
                    let src = pages.input.slice(text.len(), place);
                    let dst = pages.output.slice(room, place);
                    dst.fill(CANARY);
                    let done = run(kernels, src, dst);
                    let right = done == expected && dst[..done.written] == buffer[..done.written];
                    dst.fill(CANARY);
                    let beside = pages.output.beside(room, place);
                    assert!(
                        right && *beside == [CANARY; BESIDE],
                        "{kernels:?} at {place:?} into {room}: {done:?} and not {expected:?}, \
                         for\n{text:02X?}",
                    );
                }
            }
        }
    }
}

/// All measures of each text.
fn measurement(measure: &Measure, form: Layout, texts: &[Vec<u8>], page: &mut Guarded) {
    let Measure { name, of, any_text } = measure;
    let scalar = dispatch::scalar();
    for text in texts {
        let expected = of(scalar, text);
        let told = *any_text || scalar.prefix(form, text) == text.len();
        for place in PLACES {
            page.slice(text.len(), place).copy_from_slice(text);
            for kernels in dispatch::available() {
                note(kernels, text.len(), 0);
                let got = of(kernels, page.slice(text.len(), place));
                assert!(
                    got == expected || !told,
                    "{kernels:?} {name} at {place:?}: {got} and not {expected} for\n{text:02X?}"
                );
            }
        }
    }
}

/// A single test, since a fault is reported for one thread only.
#[test]
fn nothing_outside_is_accessed() {
    report_faults();
    let mut pages = Pages::new();
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    for form in Layout::ALL {
        let texts: Vec<_> = lengths().flat_map(|length| texts(form, length, &mut random)).collect();
        for to in Layout::ALL {
            begin(format!("{form:?} to {to:?}"));
            let strict = |kernels: &Kernels, src: &[u8], dst: &mut [u8]| {
                let (read, written) = kernels.convert(form, to, src, dst);
                Lossy { read, written, replaced: 0 }
            };
            conversion(&strict, &texts, &mut pages);
            if dispatch::scalar().convert_lossy(form, to, b"", &mut []).is_some() {
                begin(format!("{form:?} to {to:?}, lossy"));
                let lossy = |kernels: &Kernels, src: &[u8], dst: &mut [u8]| {
                    kernels.convert_lossy(form, to, src, dst).unwrap()
                };
                conversion(&lossy, &texts, &mut pages);
            }
        }
        for measure in measures(form) {
            begin(measure.name.to_owned());
            measurement(measure, form, &texts, &mut pages.input);
        }
    }
    utf7(&mut pages, &mut random);
    pairs(&mut pages, &mut random);
}

fn pairs(pages: &mut Pages, random: &mut Random) {
    for table in [Table::wide(5000), Table::narrow(5000)] {
        let texts: Vec<_> = lengths().map(|length| table.text(length, random)).collect();
        for to in [Layout::Utf8, Layout::Utf16Le, Layout::Utf16Be] {
            begin(format!("pairs to {to:?}"));
            let decode = |kernels: &Kernels, src: &[u8], dst: &mut [u8]| {
                let (read, written) = table.decode(kernels, to, src, dst);
                Lossy { read, written, replaced: 0 }
            };
            conversion(&decode, &texts, pages);
        }
    }
    begin("codes".into());
    let texts: Vec<_> = lengths().map(|length| codes(length / 2, random)).collect();
    let texts: Vec<_> = texts.iter().map(|codes| units::bytes(codes).to_vec()).collect();
    let write = |kernels: &Kernels, src: &[u8], dst: &mut [u8]| {
        // SAFETY: any two bytes are a code.
        let (before, codes, after) = unsafe { src.align_to::<u16>() };
        let copied: Vec<_>;
        let codes = if before.is_empty() && after.is_empty() {
            codes
        } else {
            copied = src.as_chunks().0.iter().map(|code| u16::from_ne_bytes(*code)).collect();
            &copied
        };
        let (read, written) = write_codes(kernels, codes, dst);
        Lossy { read: 2 * read, written, replaced: 0 }
    };
    conversion(&write, &texts, pages);
}

fn utf7(pages: &mut Pages, random: &mut Random) {
    let utf8: Vec<_> = lengths().flat_map(|length| texts(Layout::Utf8, length, random)).collect();
    for shift_set_o in [false, true] {
        begin(format!("Utf8 to UTF-7, set O shifted: {shift_set_o}"));
        let style = Style::new().with_shift_set_o(shift_set_o).with_explicit_close(shift_set_o);
        let write = |kernels: &Kernels, src: &[u8], dst: &mut [u8]| {
            let (read, written) = kernels.utf8_to_utf7(style, &mut RunState::default(), src, dst);
            Lossy { read, written, replaced: 0 }
        };
        conversion(&write, &utf8, pages);
        for text in &utf8 {
            for place in PLACES {
                pages.input.slice(text.len(), place).copy_from_slice(text);
                for kernels in dispatch::available() {
                    note(kernels, text.len(), 0);
                    let text = pages.input.slice(text.len(), place);
                    let length = |kernels: &Kernels, text: &[u8]| {
                        kernels.utf7_len_from_utf8(style, &mut RunState::default(), text)
                    };
                    let sound = dispatch::scalar().utf8_prefix(text) == text.len();
                    let (got, wanted) = (length(kernels, text), length(dispatch::scalar(), text));
                    assert!(got == wanted || !sound, "{kernels:?}: {got} and not {wanted}");
                }
            }
        }
    }
    let utf7: Vec<_> = utf8
        .iter()
        .map(|text| {
            let mut bytes = vec![0; 6 * text.len()];
            let scalar = dispatch::scalar();
            let shift = &mut RunState::default();
            let (_, written) = scalar.utf8_to_utf7(Style::default(), shift, text, &mut bytes);
            bytes.truncate(written.min(text.len()));
            bytes
        })
        .collect();
    for &(from, unit) in FORMS {
        begin(format!("{from:?} to UTF-7"));
        let texts: Vec<_> = utf8
            .iter()
            .map(|text| {
                let units = String::from_utf8_lossy(text);
                let mut bytes: Vec<u8> = units.encode_utf16().flat_map(unit).collect();
                bytes.truncate(text.len());
                bytes
            })
            .collect();
        let write = |kernels: &Kernels, src: &[u8], dst: &mut [u8]| {
            let state = &mut RunState::default();
            let (read, written) = write_from(from, kernels, Style::default(), state, src, dst);
            Lossy { read, written, replaced: 0 }
        };
        conversion(&write, &texts, pages);
    }
    for to in FORMS.iter().map(|form| form.0).chain([Layout::Utf8]) {
        begin(format!("UTF-7 to {to:?}"));
        let read = |kernels: &Kernels, src: &[u8], dst: &mut [u8]| {
            let (read, written) = read_to(to, kernels, &mut RunState::default(), src, dst);
            Lossy { read, written, replaced: 0 }
        };
        conversion(&read, &utf7, pages);
    }
}

/// Set for the process below, which runs the same test, to make it access memory outside.
const TRESPASS: &str = "UTFALL_TEST_TRESPASS";

/// Accesses one byte outside, in a separate process, and checks how that ends.
#[test]
fn one_byte_outside_is_fatal() {
    if let Ok(how) = env::var(TRESPASS) {
        report_faults();
        begin(how.clone());
        let mut page = Guarded::new();
        let outside = match how.as_str() {
            "before" => page.page().as_mut_ptr().wrapping_sub(1),
            _ => page.page().as_mut_ptr_range().end,
        };
        // SAFETY: this is not allowed, and the test is about that; it never runs in the process of
        // the test itself.
        unsafe { outside.write_volatile(0) };
        return;
    }
    for how in ["before", "after"] {
        let output = Command::new(env::current_exe().unwrap())
            .args(["--exact", "guard::one_byte_outside_is_fatal", "--nocapture"])
            .env(TRESPASS, how)
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(
            matches!(output.status.signal(), Some(libc::SIGSEGV | libc::SIGBUS)),
            "{:?} {printed}",
            output.status
        );
        assert!(printed.contains(&format!("the output: {how}")), "{printed}");
    }
}
