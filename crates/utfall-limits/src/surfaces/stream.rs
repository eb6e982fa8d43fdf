//! Streams: input that comes byte by byte, goes into little space, and consists only of errors.

use std::io::Read as _;

use utfall::{Bom, Decoder, Encoder, Encoding, Granularity, Options, Policy, Progress, Status};
use utfall::{Transcoder, Utf7Tolerance};

use crate::surface::{Memory, Surface, Work, noise, repeated};

/// The memory of a stream, whatever its input.
const STREAM: Memory = Memory::Constant(0);
/// A block, and a buffer to read into.
const IO: Memory = Memory::Constant(64 << 10);

pub(super) fn all() -> Vec<Surface> {
    let mut all = Vec::new();
    for encoding in super::encodings() {
        all.extend(of(encoding));
    }
    all.extend(special());
    all
}

/// Goes through `src` in pieces of `step` bytes.
fn push(src: &[u8], step: usize, mut stream: impl FnMut(&[u8], bool) -> Progress) {
    let mut at = 0;
    loop {
        let end = src.len().min(at + step);
        let last = end == src.len();
        let progress = stream(&src[at..end], last);
        at += progress.read;
        match progress.status {
            Status::InputEmpty if last => return,
            Status::InputEmpty | Status::OutputFull | Status::Error(_) => {}
        }
    }
}

fn lenient() -> Utf7Tolerance {
    let all = Utf7Tolerance::NAMED.iter().map(|(_, lenience, _)| *lenience);
    all.fold(Utf7Tolerance::NONE, Utf7Tolerance::union)
}

fn of(encoding: Encoding) -> Vec<Surface> {
    let replace = Options::both(Policy::Replace);
    let surface = |name, make: fn(usize) -> Vec<u8>, work: Work| {
        Surface::new(name, encoding.name(), make, work).memory(STREAM)
    };
    vec![
        surface(
            "decode noise, byte by byte",
            noise,
            Box::new(move |src| {
                let mut decoder = Decoder::new(encoding, replace);
                push(src, 1, |src, last| decoder.decode_to_utf8(src, &mut [0; 4], last));
            }),
        ),
        surface(
            "decode noise into four bytes",
            noise,
            Box::new(move |src| {
                let mut decoder = Decoder::new(encoding, replace);
                push(src, usize::MAX / 2, |src, last| {
                    decoder.decode_to_utf8(src, &mut [0; 4], last)
                });
            }),
        ),
        surface(
            "decode noise, each error returned",
            noise,
            Box::new(move |src| {
                let mut decoder = Decoder::new(encoding, Options::default()).track_position();
                push(src, usize::MAX / 2, |src, last| decoder.validate(src, last));
            }),
        ),
        surface(
            "encode missing characters, byte by byte",
            |length| repeated("a\u{10FFFD}é\u{FEFF}\u{3042}")(length),
            Box::new(move |src| {
                let options = xml().with_on_ill_formed(Policy::Replace);
                let mut stream = Transcoder::new(Encoding::Utf8, encoding, options);
                push(src, 1, |src, last| stream.transcode(src, &mut [0; 16], last));
            }),
        ),
        surface(
            "encode missing characters into sixteen bytes",
            |length| repeated("a\u{10FFFD}é\u{FEFF}\u{3042}")(length),
            Box::new(move |src| {
                let text = String::from_utf8_lossy(src);
                let mut encoder = Encoder::new(encoding, xml());
                let mut at = 0;
                while at < text.len() {
                    at += encoder.encode_str(&text[at..], &mut [0; 16], true).read;
                }
            }),
        )
        // The text itself.
        .memory(Memory::PerByte(4)),
    ]
}

fn xml() -> Options {
    Options::default().with_on_unencodable(Policy::Escape(utfall::Escape::Xml)).with_bom(Bom::Keep)
}

/// Features of single encodings: runs without end, states, switches.
fn special() -> Vec<Surface> {
    let replace = Options::both(Policy::Replace);
    let lenient = replace.with_utf7_tolerance(lenient());
    let perl = replace.with_granularity(Granularity::Perl);
    let mut all = Vec::new();
    let inputs: [(&str, Encoding, &[u8], Options); 24] = [
        ("UTF-7: a run without end", Encoding::Utf7, b"AGEA", replace),
        ("UTF-7: one digit and out", Encoding::Utf7, b"+A-", replace),
        ("UTF-7: shifts", Encoding::Utf7, b"+", replace),
        ("UTF-7: shifts, all accepted", Encoding::Utf7, b"+", lenient),
        ("UTF-7: pairs in two runs, all accepted", Encoding::Utf7, b"+2D0-+3A0-+2D0-", lenient),
        ("UTF-7: noise in runs, all accepted", Encoding::Utf7, b"+A\xFFA\0-+AAA~", lenient),
        ("IMAP: a run without end", Encoding::Utf7Imap, b"AGEA", replace),
        ("IMAP: shifts, all accepted", Encoding::Utf7Imap, b"&", lenient),
        ("IMAP: runs and slashes, all accepted", Encoding::Utf7Imap, b"&AA/A", lenient),
        ("ISO-2022-JP: escapes", Encoding::Iso2022Jp, b"\x1B$B\x1B(B", replace),
        ("ISO-2022-JP: escapes without end", Encoding::Iso2022Jp, b"\x1B$", replace),
        ("ISO-2022-JP: one escape", Encoding::Iso2022Jp, b"\x1B(J", replace),
        ("SCSU: windows change", Encoding::Scsu, b"\x10\x11\x12", replace),
        ("SCSU: windows are defined", Encoding::Scsu, b"\x18\x80\x19\x81", replace),
        ("SCSU: modes change", Encoding::Scsu, b"\x0F\xE0", replace),
        ("SCSU: quotes", Encoding::Scsu, b"\x01\x0E", replace),
        ("BOCU-1: far away and back", Encoding::Bocu1, b"\xFE\xFF\x40\x21\xFF", replace),
        ("UTF-8: long leads", Encoding::Utf8, b"\xFD\x80\x80\x80\x80", replace),
        ("UTF-8: long leads, as Perl counts", Encoding::Utf8, b"\xFD\x80\x80\x80\x80", perl),
        ("UTF-8/Perl: the longest, cut", Encoding::Utf8Perl, b"\xFF\x80\x80\x80\x80\x80", replace),
        ("UTF-EBCDIC: trails", Encoding::UtfEbcdic, b"\x41\x42", replace),
        ("UTF-16: high surrogates", Encoding::Utf16Le, b"\0\xD8", replace),
        ("GB 18030: half of four", Encoding::Gb18030, b"\x81\x30\x81", replace),
        ("UTF-16: marks", Encoding::Utf16, b"\xFE\xFF", replace),
    ];
    for (input, encoding, text, options) in inputs {
        let head: &[u8] = match input {
            "UTF-7: a run without end" => b"+",
            "IMAP: a run without end" => b"&",
            _ => b"",
        };
        let make = move |length| [head, &repeated(text)(length)].concat();
        let bytes = move |src: &[u8]| {
            let mut stream = Transcoder::new(encoding, Encoding::Utf8, options);
            push(src, 1, |src, last| stream.transcode(src, &mut [0; 4], last));
        };
        let at_once = move |src: &[u8]| {
            let mut stream = Transcoder::new(encoding, Encoding::Scsu, options);
            push(src, usize::MAX / 2, |src, last| stream.transcode(src, &mut [0; 64], last));
        };
        all.push(Surface::new("decode states, byte by byte", input, make, bytes).memory(STREAM));
        all.push(Surface::new("decode states to SCSU", input, make, at_once).memory(STREAM));
    }
    all.push(
        Surface::new("io::Reader, one byte at a time", "UTF-7", noise, move |src| {
            let options = replace;
            let mut reader = utfall::io::Reader::new(src, Encoding::Utf7, Encoding::Utf16, options);
            while reader.read(&mut [0]).is_ok_and(|read| read > 0) {}
        })
        .memory(IO),
    );
    all.push(
        Surface::new("io::Writer, one byte at a time", "UTF-8", noise, move |src| {
            let target = std::io::sink();
            let mut writer =
                utfall::io::Writer::new(target, Encoding::Utf8, Encoding::Utf7, replace);
            for byte in src {
                let _ = std::io::Write::write_all(&mut writer, &[*byte]);
            }
            let _ = writer.finish();
        })
        .memory(IO),
    );
    all
}
