//! Policies, byte order marks, positions, lengths, and the io adapters.

use std::fs;
use std::io::{BufRead, Read, Write};

use crate::common::{self, testdata};
use utfall::{
    Action, Bom, BufferError, Decoder, Encoder, Encoding, ErrorKind, Escape, Granularity, Options,
    Policy, Status, Substitute, Transcoder, Transliterate, lines::Position, transcode,
    transcode_into, transcoded_len,
};

fn with(policy: Policy) -> Options {
    Options::both(policy)
}

fn utf8_as(granularity: Granularity, bytes: &[u8]) -> String {
    let options = with(Policy::Replace).with_granularity(granularity);
    Encoding::Utf8.decode_with(bytes, options).unwrap().into_owned()
}

#[test]
fn granularities_count_as_their_peers_do() {
    // Bytes, with the number of U+FFFD for maximal subparts, JDK 17 and Perl.
    let table: [(&[u8], usize, usize, usize); 4] = [
        (b"\xED\xA0\x80", 3, 1, 1),
        (b"\xED\xA0\xBD\xED\xB8\x80", 6, 2, 2),
        (b"\xF8\x88\x80\x80\x80", 5, 5, 1),
        (b"\xE0\x80\xAF", 3, 3, 1),
    ];
    for (bytes, subparts, jdk, perl) in table {
        let count = |granularity| utf8_as(granularity, bytes).chars().count();
        assert_eq!(count(Granularity::MaximalSubpart), subparts, "{bytes:02X?}");
        assert_eq!(count(Granularity::Jdk), jdk, "{bytes:02X?}");
        assert_eq!(count(Granularity::Perl), perl, "{bytes:02X?}");
        assert_eq!(count(Granularity::PerByte), bytes.len(), "{bytes:02X?}");
    }
    // The standard library counts maximal subparts.
    for bytes in [
        &b"a\xF0\x9F\x98b\xE2\x98"[..],
        b"\xF4\x90\x80\x80\xC2",
        b"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41",
    ] {
        assert_eq!(utf8_as(Granularity::MaximalSubpart, bytes), String::from_utf8_lossy(bytes));
    }
}

#[test]
fn policies_when_decoding() {
    let bytes = b"a\xFFb\xE2\x98";
    let decode = |options| Encoding::Utf8.decode_with(bytes, options).map(String::from);
    assert_eq!(decode(with(Policy::Strict)).unwrap_err().offset(), 1);
    assert_eq!(decode(with(Policy::Replace)).unwrap(), "a\u{FFFD}b\u{FFFD}");
    assert_eq!(decode(with(Policy::Escape(Escape::Braces))).unwrap(), r"a\xffb\xe2\x98");
    assert_eq!(decode(with(Policy::Skip)).unwrap(), "ab");
    let replacement = Substitute::new("[?]");
    assert_eq!(decode(with(Policy::Replace).with_replacement(replacement)).unwrap(), "a[?]b[?]");
    let per_byte =
        with(Policy::Replace).with_replacement(replacement).with_granularity(Granularity::PerByte);
    assert_eq!(decode(per_byte).unwrap(), "a[?]b[?][?]");
}

#[test]
fn policies_when_encoding() {
    let encode = |options| Encoding::Iso8859_1.encode_with("é€😀!", options);
    assert_eq!(encode(with(Policy::Strict)).unwrap_err().kind(), ErrorKind::Unencodable(0x20AC));
    assert_eq!(&*encode(with(Policy::Replace)).unwrap(), b"\xE9??!");
    assert_eq!(&*encode(with(Policy::Skip)).unwrap(), b"\xE9!");
    let escaped = |style| encode(with(Policy::Escape(style))).unwrap().into_owned();
    assert_eq!(escaped(Escape::Braces), b"\xE9\\u{20ac}\\u{1f600}!");
    assert_eq!(escaped(Escape::Xml), b"\xE9&#8364;&#128512;!");
    assert_eq!(escaped(Escape::Python), b"\xE9\\u20ac\\U0001f600!");
    let substitute = Substitute::new("<€>");
    // Characters of the substitute that the target lacks become question marks.
    let options = with(Policy::Replace).with_substitute(substitute);
    assert_eq!(&*encode(options).unwrap(), b"\xE9<?><?>!");
}

#[test]
fn surrogate_escape_brings_every_byte_back() {
    let bytes: Vec<u8> = (0..=255).chain(*b"\xE2\x98\xED\xA0\x80\xF0\x9F").collect();
    let options = with(Policy::SurrogateEscape);
    let points = {
        let mut decoder = Decoder::new(Encoding::Utf8, options);
        let mut points = vec![0; 512];
        let progress = decoder.decode_to_code_points(&bytes, &mut points, true);
        assert_eq!(progress.status, Status::InputEmpty);
        points.truncate(progress.written);
        points
    };
    assert!(points.contains(&0xDCFF));
    let mut out = vec![0; 512];
    let progress =
        Encoder::new(Encoding::Utf8, options).encode_code_points(&points, &mut out, true);
    assert_eq!(progress.status, Status::InputEmpty);
    assert_eq!(out[..progress.written], bytes);
    assert_eq!(&*transcode(Encoding::Utf8, Encoding::Utf8, &bytes, options).unwrap(), bytes);
    // Not through a 16-bit encoding, and not for bytes below 80.
    assert!(transcode(Encoding::Utf8, Encoding::Utf16Le, b"\xFF", options).is_err());
    assert!(transcode(Encoding::Utf7, Encoding::Utf8, b"~", options).is_err());
}

/// A decoder to a `str` wrote 80 into it, and the one-call function returned an offset in its own
/// output.
#[test]
fn no_byte_takes_the_place_of_a_surrogate_in_a_string() {
    let options = with(Policy::SurrogateEscape);
    let mut out = [0; 16];
    let progress = Decoder::new(Encoding::Utf8, options).decode_to_utf8(b"a\x80", &mut out, true);
    let Status::Error(error) = progress.status else { panic!("{progress:?}") };
    assert_eq!((progress.written, error.offset()), (1, 1));
    assert_eq!(error.kind(), ErrorKind::Unencodable(0xDC80));
    let error = Encoding::Cesu8.decode_with(b"\xED\xA0\xBD\xED\xB8\x80\x80", options);
    assert_eq!(error.map_err(|error| error.offset()), Err(6));
}

/// A sequence was counted as omitted twice, if two characters of its replacement could not be
/// encoded.
#[test]
fn what_is_left_out_is_counted_once() {
    let replacement = Substitute::new("[é☺]");
    let granularity = Granularity::PerByte;
    let options = with(Policy::Replace)
        .with_replacement(replacement)
        .with_granularity(granularity)
        .with_on_unencodable(Policy::Skip);
    let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::UsAscii, options);
    let mut out = [0; 16];
    let progress = transcoder.transcode(b"\xE2\x98a\xFF", &mut out, true);
    assert_eq!(&out[..progress.written], b"[][]a[]");
    assert_eq!((transcoder.counts().ill_formed, transcoder.counts().skipped), (2, 2));
}

#[test]
fn callback_sees_errors_of_both_sides() {
    let mut seen = Vec::new();
    let mut handler = |error: &utfall::Error, bytes: &[u8]| {
        seen.push((error.offset(), error.length(), bytes.to_vec()));
        match error.kind() {
            ErrorKind::Unencodable(_) => Action::Skip,
            _ => Action::Substitute(Substitute::new("?!").unwrap()),
        }
    };
    let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::UsAscii, Options::default())
        .on_error(&mut handler);
    let mut out = [0; 16];
    let progress = transcoder.transcode(b"a\xFF\xE2\x82\xACb", &mut out, true);
    assert_eq!(&out[..progress.written], b"a?!b");
    assert_eq!(
        (
            transcoder.counts().ill_formed,
            transcoder.counts().unencodable,
            transcoder.counts().skipped
        ),
        (1, 1, 1)
    );
    assert_eq!(seen, [(1, 1, vec![0xFF]), (2, 3, vec![])]);
}

/// A stream with a handler was not `Send`, and so no stream was.
#[test]
fn streams_go_to_another_thread() {
    let mut seen = 0;
    let mut handler = |_: &utfall::Error, bytes: &[u8]| {
        seen += bytes.len();
        Action::Skip
    };
    let mut decoder = Decoder::new(Encoding::Utf8, Options::default()).on_error(&mut handler);
    let mut out = [0; 8];
    assert_eq!(decoder.decode_to_utf8(b"a\xFF", &mut out, false).written, 1);
    let written = std::thread::scope(|scope| {
        let out = &mut out[1..];
        let work = move || decoder.decode_to_utf8(b"b\xFEc", out, true).written;
        // The main check is that this compiles; WebAssembly has no threads.
        let thread = std::thread::Builder::new().spawn_scoped(scope, work);
        thread.map(|thread| thread.join().unwrap())
    });
    let written = match written {
        Ok(written) => written,
        Err(error) => return println!("SKIPPED: no thread can be started: {error}"),
    };
    assert_eq!((&out[..1 + written], seen), (&b"abc"[..], 2));
}

/// The bytes of an ill-formed sequence are reported even if they were read long before.
#[test]
fn escapes_show_bytes_of_earlier_calls() {
    let options = with(Policy::Escape(Escape::Braces));
    let mut transcoder = Transcoder::new(Encoding::Utf7, Encoding::Utf8, options);
    let mut out = [0; 64];
    let mut written = 0;
    for byte in b"a+2D0-b" {
        let progress = transcoder.transcode(&[*byte], &mut out[written..], false);
        written += progress.written;
    }
    written += transcoder.transcode(&[], &mut out[written..], true).written;
    assert_eq!(std::str::from_utf8(&out[..written]), Ok(r"a\x32\x44\x30b"));
}

#[test]
fn strict_streams_go_on_after_an_error() {
    let mut decoder = Decoder::new(Encoding::Utf8, Options::default());
    let mut out = [0; 16];
    let progress = decoder.decode_to_utf8(b"ab\xFFcd", &mut out, true);
    let Status::Error(error) = progress.status else { panic!("{progress:?}") };
    assert_eq!((progress.read, progress.written, error.offset()), (3, 2, 2));
    let progress = decoder.decode_to_utf8(b"cd", &mut out, true);
    assert_eq!((progress.written, progress.status), (2, Status::InputEmpty));
}

#[test]
fn unencodable_code_points_are_placed_in_bytes_of_the_source() {
    for (source, bytes, offset, length) in [
        (Encoding::Utf8, &b"ab\xE2\x82\xACc"[..], 2, 3),
        (Encoding::Utf16Be, b"\0a\0b\x20\xAC\0c", 4, 2),
        (Encoding::Utf7, b"ab+IKw-c", 3, 3),
        (Encoding::Utf32Le, b"a\0\0\0\xAC\x20\0\0", 4, 4),
        (Encoding::Utf7, b"+AOkA6QDpAOkgrA-", 12, 3),
        (Encoding::Scsu, b"a\x0E\x20\xACb", 1, 3),
        (Encoding::Scsu, b"a\x1B\x41\xACb", 3, 1),
        (Encoding::Utf16, b"\xFF\xFEa\0\xAC\x20", 4, 2),
    ] {
        let error = transcode(source, Encoding::Iso8859_1, bytes, Options::default()).unwrap_err();
        for at in 0..=bytes.len() {
            let mut transcoder = Transcoder::new(source, Encoding::Iso8859_1, Options::default());
            let mut out = [0; 16];
            let mut status = transcoder.transcode(&bytes[..at], &mut out, false).status;
            if status == Status::InputEmpty {
                status = transcoder.transcode(&bytes[at..], &mut out, true).status;
            }
            assert_eq!(status, Status::Error(error), "{source} cut at {at}");
        }
        assert_eq!((error.offset(), error.length()), (offset, length), "{source}");
        assert_eq!(error.kind(), ErrorKind::Unencodable(0x20AC));
        assert_eq!(error.encoding(), Encoding::Iso8859_1);
    }
}

/// Errors for text in memory name its form.
#[test]
fn errors_name_text_in_memory() {
    let error = Encoding::Utf7.encode_utf16(&[0x61, 0xD800, 0x62]).unwrap_err();
    assert_eq!(error.encoding(), Encoding::Utf16);
    assert_eq!((error.kind(), error.offset(), error.length()), (ErrorKind::Surrogate, 1, 1));
    let error = Encoding::Wtf8.decode_to_utf16(b"a\xED\xA0\x80").unwrap_err();
    assert_eq!((error.encoding(), error.kind()), (Encoding::Utf16, ErrorKind::Unencodable(0xD800)));
    let error = Encoding::Wtf8.decode(b"a\xED\xA0\x80").unwrap_err();
    assert_eq!((error.encoding(), error.offset()), (Encoding::Utf8, 1));
}

#[test]
fn byte_order_marks() {
    let convert = |from, to, bytes: &[u8], bom| {
        transcode(from, to, bytes, Options::default().with_bom(bom)).unwrap().into_owned()
    };
    use Encoding::{Iso8859_1, Utf8, Utf16, Utf16Be, Utf16Le};
    // The BOM of UTF-16 is not text; that of UTF-8 is, unless an option says otherwise.
    assert_eq!(convert(Utf16, Utf8, b"\xFF\xFEa\0", Bom::Auto), b"a");
    assert_eq!(convert(Utf16, Utf8, b"\0a", Bom::Auto), b"a");
    assert_eq!(convert(Utf16, Utf8, b"\xFF\xFEa\0", Bom::Keep), b"\xEF\xBB\xBFa");
    assert_eq!(convert(Utf8, Utf8, b"\xEF\xBB\xBFa", Bom::Auto), b"\xEF\xBB\xBFa");
    assert_eq!(convert(Utf8, Utf8, b"\xEF\xBB\xBFa", Bom::Strip), b"a");
    assert_eq!(convert(Utf16, Utf8, b"\xFE\xFF\xFE\xFF\0a", Bom::Strip), b"\xEF\xBB\xBFa");
    // UTF-16 is written with exactly one BOM.
    assert_eq!(convert(Utf8, Utf16, b"a", Bom::Auto), b"\xFE\xFF\0a");
    assert_eq!(convert(Utf8, Utf16, b"\xEF\xBB\xBFa", Bom::Auto), b"\xFE\xFF\0a");
    assert_eq!(convert(Utf8, Utf16, b"\xEF\xBB\xBFa", Bom::Add), b"\xFE\xFF\0a");
    assert_eq!(convert(Utf8, Utf16, b"\xEF\xBB\xBFa", Bom::Strip), b"\0a");
    assert_eq!(convert(Utf16, Utf16, b"\xFF\xFEa\0", Bom::Auto), b"\xFE\xFF\0a");
    // Added once, to Unicode encodings only, and to an empty text, too.
    assert_eq!(convert(Utf8, Utf8, b"a", Bom::Add), b"\xEF\xBB\xBFa");
    assert_eq!(convert(Utf8, Utf8, b"\xEF\xBB\xBFa", Bom::Add), b"\xEF\xBB\xBFa");
    assert_eq!(convert(Utf8, Utf16Le, b"", Bom::Add), b"\xFF\xFE");
    assert_eq!(convert(Utf16Be, Utf8, b"\xFE\xFF", Bom::Strip), b"");
    assert_eq!(convert(Utf8, Iso8859_1, b"a", Bom::Add), b"a");
    // Only at the very start.
    assert_eq!(convert(Utf8, Utf8, b"a\xEF\xBB\xBF", Bom::Strip), b"a\xEF\xBB\xBF");
}

#[test]
fn positions_count_lines_and_code_points() {
    let text = "één\nzwei ☺\n\nx";
    for source in
        [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Be, Encoding::Utf7]
    {
        let mut bytes = source.encode(text).unwrap().into_owned();
        let good = bytes.len();
        // Ill-formed in each of them.
        bytes.extend_from_slice(match source {
            Encoding::Utf16Le => b"\x00\xDC",
            Encoding::Utf16Be => b"\xDC\x00",
            _ => b"\xFF\xFF\xFF\xFF",
        });
        for target in [Encoding::Utf8, Encoding::Utf7, Encoding::Utf16Be] {
            for size in [1, 3, 1000] {
                let mut transcoder =
                    Transcoder::new(source, target, Options::default()).track_position();
                let mut out = [0; 256];
                let mut found = None;
                for piece in bytes.chunks(size) {
                    if let Status::Error(error) =
                        transcoder.transcode(piece, &mut out, false).status
                    {
                        found = Some(error.offset());
                        break;
                    }
                }
                assert_eq!(found, Some(good as u64), "{source} to {target} by {size}");
                let place = Some(Position { line: 4, column: 2 });
                assert_eq!(transcoder.error_position(), place, "{source} to {target} by {size}");
            }
        }
    }
}

#[test]
fn the_place_of_a_replaced_sequence_is_known() {
    let bytes = b"\xEF\xBB\xBFa\xFF\nb\xE2\x98c\xFFd";
    for target in [Encoding::Utf8, Encoding::Utf7, Encoding::Utf16Le, Encoding::UsAscii] {
        for (size, room) in [(1, 8), (3, 8), (1000, 8), (1000, 256)] {
            let mut transcoder =
                Transcoder::new(Encoding::Utf8, target, with(Policy::Replace)).track_position();
            let mut out = vec![0; room];
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let piece = &rest[..size.min(rest.len())];
                let last = piece.len() == rest.len();
                let progress = transcoder.transcode(piece, &mut out, last);
                rest = &rest[progress.read..];
            }
            let place = Some(Position { line: 2, column: 4 });
            assert_eq!(transcoder.error_position(), place, "{target} by {size} into {room}");
            assert_eq!(transcoder.counts().ill_formed, 3, "{target} by {size} into {room}");
        }
    }
}

/// Even if much is read at once, and after a U+FFFD in the source.
#[test]
fn the_place_of_a_replaced_sequence_is_known_in_long_text() {
    let text = "één ☺ 😀\n\u{FFFD}".repeat(300).into_bytes();
    for source in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be] {
        let text = source.encode(std::str::from_utf8(&text).unwrap()).unwrap().into_owned();
        for errors in [&[0][..], &[8, 900], &[700, 4000], &[5, 2048, 2049, 2050, 2051], &[3996]] {
            let mut bytes = text.clone();
            for at in errors {
                // A low surrogate in UTF-16.
                let damage = &[[0xDC, 0xDC], [0xFF, 0xFF]][usize::from(source == Encoding::Utf8)];
                bytes[at / 2 * 2..][..2].copy_from_slice(damage);
            }
            for target in [Encoding::Utf8, source, Encoding::Utf32Le, Encoding::Utf7] {
                let mut outcomes = Vec::new();
                for size in [bytes.len(), 1000, 1] {
                    let mut transcoder =
                        Transcoder::new(source, target, with(Policy::Replace)).track_position();
                    let mut out = vec![0; 4 * bytes.len()];
                    let mut written = 0;
                    for piece in bytes.chunks(size) {
                        let progress = transcoder.transcode(piece, &mut out[written..], false);
                        assert_eq!(progress.read, piece.len());
                        written += progress.written;
                    }
                    out.truncate(written);
                    outcomes.push((
                        transcoder.error_position(),
                        transcoder.counts().ill_formed,
                        out,
                    ));
                }
                assert!(outcomes[0].1 > 0);
                assert!(outcomes[1] == outcomes[2], "{source} to {target} {errors:?}");
                assert!(outcomes[0] == outcomes[2], "{source} to {target} {errors:?}");
            }
        }
    }
}

#[test]
fn lengths_are_exact_and_buffers_of_that_length_are_enough() {
    let texts: [&[u8]; 3] = ["A≢Α. 日本語 😀\n".as_bytes(), b"a\xFFb\xE2\x98", b""];
    for bytes in texts {
        for target in Encoding::ALL.iter().copied() {
            let options = with(Policy::Replace);
            let length = transcoded_len(Encoding::Utf8, target, bytes, options).unwrap();
            let converted = transcode(Encoding::Utf8, target, bytes, options).unwrap();
            assert_eq!(converted.len(), length, "{target}");
            let mut buffer = vec![0; length];
            let written = transcode_into(Encoding::Utf8, target, bytes, &mut buffer, options);
            assert_eq!((written, &buffer[..]), (Ok(length), &*converted), "{target}");
            if length > 0 {
                let small = &mut buffer[..length - 1];
                let result = transcode_into(Encoding::Utf8, target, bytes, small, options);
                assert_eq!(result, Err(BufferError::TooSmall { needed: length }), "{target}");
            }
        }
    }
}

/// Lengths counted by kernels equal those of the conversion.
#[test]
fn lengths_of_sound_text_are_exact_too() {
    let text = "abc é€ 日本語 😀😀 xyz\u{FEFF}\u{FFFF}\u{10FFFF}";
    for source in common::encodings() {
        let Ok(bytes) = source.encode(text) else { continue };
        for target in common::encodings() {
            let options = with(Policy::Replace);
            let length = transcoded_len(source, target, &bytes, options).unwrap();
            let converted = transcode(source, target, &bytes, options).unwrap();
            assert_eq!(converted.len(), length, "{source} to {target}");
        }
    }
    let latin1: Vec<u8> = (0..=255).collect();
    for target in Encoding::ALL.iter().copied() {
        let options = with(Policy::Replace);
        let length = transcoded_len(Encoding::Iso8859_1, target, &latin1, options).unwrap();
        let converted = transcode(Encoding::Iso8859_1, target, &latin1, options).unwrap();
        assert_eq!(converted.len(), length, "ISO-8859-1 to {target}");
    }
}

#[test]
fn corpora_survive_every_encoding_that_can_carry_them() {
    let mut carried = 0;
    for entry in fs::read_dir(testdata("corpora")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for encoding in Encoding::ALL.iter().copied() {
            let Ok(bytes) = encoding.encode(&text) else { continue };
            let same = encoding.decode(&bytes).unwrap() == text;
            assert!(same, "{encoding}: {}", path.display());
            carried += 1;
        }
        // Through UTF-16 in memory, at an odd address, and with the other byte order.
        let units: Vec<u16> = text.encode_utf16().collect();
        assert!(Encoding::Utf8.decode_to_utf16(text.as_bytes()).unwrap() == units);
        assert!(Encoding::Utf8.encode_utf16(&units).unwrap() == text.as_bytes());
        for (encoding, bytes) in [
            (Encoding::Utf16Le, units.iter().flat_map(|u| u.to_le_bytes()).collect::<Vec<u8>>()),
            (Encoding::Utf16Be, units.iter().flat_map(|u| u.to_be_bytes()).collect()),
        ] {
            let mut unaligned = vec![0];
            unaligned.extend(&bytes);
            assert!(encoding.decode(&bytes).unwrap() == text);
            assert!(encoding.decode(&unaligned[1..]).unwrap() == text);
        }
    }
    assert!(carried > 11 * 25, "only {carried}");
}

#[test]
fn readers_and_writers() {
    let text = "één ☺ 😀\n".repeat(20_000);
    let utf7 = Encoding::Utf7.encode(&text).unwrap();
    let new =
        || utfall::io::Reader::new(&utf7[..], Encoding::Utf7, Encoding::Utf8, Options::default());
    let mut back = String::new();
    new().read_to_string(&mut back).unwrap();
    assert!(back == text);
    assert_eq!(new().lines().count(), 20_000);

    let mut writer =
        utfall::io::Writer::new(Vec::new(), Encoding::Utf8, Encoding::Utf7, Options::default());
    for piece in text.as_bytes().chunks(7) {
        writer.write_all(piece).unwrap();
    }
    assert!(writer.finish().unwrap() == *utf7);

    // Buffers that hold one character, even if less is asked for.
    let (text, utf7) = (&text[..500], Encoding::Utf7.encode(&text[..500]).unwrap());
    for capacity in [0, 64, 65] {
        let decoder = Transcoder::new(Encoding::Utf7, Encoding::Utf8, Options::default());
        let mut back = String::new();
        utfall::io::Reader::with_capacity(capacity, &utf7[..], decoder)
            .read_to_string(&mut back)
            .unwrap();
        let encoder = Transcoder::new(Encoding::Utf8, Encoding::Utf7, Options::default());
        let mut writer = utfall::io::Writer::with_capacity(capacity, Vec::new(), encoder);
        writer.write_all(text.as_bytes()).unwrap();
        assert_eq!((&*back, &writer.finish().unwrap()[..]), (text, &*utf7));
    }

    // The text before an error is read first; then the error; then the text after it.
    let mut reader = utfall::io::Reader::new(
        &b"ab\xFFcd"[..],
        Encoding::Utf8,
        Encoding::Utf8,
        Options::default(),
    );
    let mut out = [0; 8];
    assert_eq!(reader.read(&mut out).unwrap(), 2);
    let error = reader.read(&mut out).unwrap_err();
    let inner = error.get_ref().unwrap().downcast_ref::<utfall::Error>().unwrap();
    assert_eq!(inner.offset(), 2);
    assert_eq!(reader.read(&mut out).unwrap(), 2);

    let mut writer =
        utfall::io::Writer::new(Vec::new(), Encoding::Utf8, Encoding::Utf16Le, Options::default());
    writer.write_all(b"a\xE2\x98").unwrap();
    let failed = writer.finish().unwrap_err();
    assert_eq!(failed.error().kind(), std::io::ErrorKind::InvalidData);
    assert_eq!(failed.into_writer().into_inner(), b"a\0");
}

/// `write` returns an error only if it has consumed nothing, so nothing is written twice.
#[test]
fn a_writer_keeps_the_contract_of_write() {
    let new =
        || utfall::io::Writer::new(Vec::new(), Encoding::Utf8, Encoding::Utf8, Options::default());
    let mut buffered = std::io::BufWriter::new(new());
    buffered.write_all(b"abc\xFFdef").unwrap();
    assert_eq!(buffered.flush().unwrap_err().kind(), std::io::ErrorKind::InvalidData);
    buffered.flush().unwrap();
    assert_eq!(buffered.get_ref().get_ref(), b"abcdef");

    let mut writer = new();
    assert_eq!(writer.write(b"abc\xFFdef").unwrap(), 4);
    assert_eq!(writer.write(b"def").unwrap_err().kind(), std::io::ErrorKind::InvalidData);
    assert_eq!(writer.write(b"def").unwrap(), 3);
    assert_eq!(writer.finish().unwrap(), b"abcdef");

    // `finish` returns an error of the last call, together with the writer.
    let mut writer = new();
    assert_eq!(writer.write(b"abc\xFF").unwrap(), 4);
    let failed = writer.finish().unwrap_err();
    assert_eq!(failed.error().kind(), std::io::ErrorKind::InvalidData);
    assert_eq!(failed.into_writer().finish().unwrap(), b"abc");

    // A sequence whose first bytes came earlier: this call has consumed nothing.
    let mut writer = new();
    assert_eq!(writer.write(b"a\xE2\x98").unwrap(), 3);
    assert!(writer.write(b"b").is_err());
    assert_eq!(writer.write(b"b").unwrap(), 1);
    assert_eq!(writer.finish().unwrap(), b"ab");
}

/// A target that accepts little, and fails at every second call: everything arrives once.
#[test]
fn a_writer_loses_nothing_to_a_target_that_fails() {
    struct Failing(Vec<u8>, bool);

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(std::io::ErrorKind::WouldBlock.into());
            }
            let count = bytes.len().min(3);
            self.0.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let text = "één ☺ 😀 ".repeat(40);
    let target = Failing(Vec::new(), false);
    let mut writer =
        utfall::io::Writer::new(target, Encoding::Utf8, Encoding::Utf16Le, Options::default());
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match writer.write(&rest[..rest.len().min(7)]) {
            Ok(count) => rest = &rest[count..],
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock),
        }
    }
    let target = loop {
        match writer.finish() {
            Ok(target) => break target,
            Err(failed) => writer = failed.into_writer(),
        }
    };
    assert!(target.0 == *Encoding::Utf16Le.encode(&text).unwrap());
}

#[test]
fn borrowed_when_nothing_changes() {
    use std::borrow::Cow;
    assert!(matches!(Encoding::Utf8.decode("é".as_bytes()), Ok(Cow::Borrowed(_))));
    assert!(matches!(Encoding::Iso8859_1.decode(b"abc"), Ok(Cow::Borrowed(_))));
    assert!(matches!(Encoding::Utf8.encode("é"), Ok(Cow::Borrowed(_))));
    let same = transcode(Encoding::Utf8, Encoding::Cesu8, b"abc", Options::default());
    assert!(matches!(same, Ok(Cow::Borrowed(_))));
    // Not if ASCII bytes have other meanings.
    assert_eq!(Encoding::Utf7.decode(b"+-").unwrap(), "+");
    assert_eq!(&*Encoding::Utf7.encode("+").unwrap(), b"+-");
    assert_eq!(&*Encoding::Mutf8.encode("\0").unwrap(), b"\xC0\x80");
}

/// The first BOM determines the byte order; the second one is text.
#[test]
fn of_two_byte_order_marks_one_is_text() {
    for (encoding, big) in
        [(Encoding::Utf16, Encoding::Utf16Be), (Encoding::Utf32, Encoding::Utf32Be)]
    {
        let bytes = big.encode("\u{FEFF}\u{FEFF}A").expect("Unicode");
        for bom in [Bom::Auto, Bom::Strip] {
            let options = Options::default().with_bom(bom);
            let text = transcode(encoding, Encoding::Utf8, &bytes, options).expect("well-formed");
            assert_eq!(text, "\u{FEFF}A".as_bytes(), "{encoding}, {bom:?}");
        }
    }
}

/// Transliterated text is correct for any split and any output size; the policy applies to
/// characters without a transliteration.
#[test]
fn transliteration_comes_before_the_policy() {
    let alike = Transliterate(|scalar| match scalar {
        '€' => Some("EUR"),
        '\u{301}' => Some(""),
        'é' => Some("not asked"),
        '★' => Some("☆"),
        _ => None,
    });
    let text = "1€é\u{301}★☃!";
    for (policy, expected) in [
        (Policy::Replace, &b"1EUR\xE9??!"[..]),
        (Policy::Skip, b"1EUR\xE9?!"),
        (Policy::Escape(Escape::Xml), b"1EUR\xE9?&#9731;!"),
    ] {
        let options = with(policy).with_transliterate(Some(alike));
        let whole = Encoding::Iso8859_1.encode_with(text, options).unwrap();
        assert_eq!(&*whole, expected);
        for cut in 0..=text.len() {
            for size in 1..=12 {
                let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Iso8859_1, options);
                let (mut out, mut dst) = (Vec::new(), vec![0; size]);
                for (piece, last) in
                    [(&text.as_bytes()[..cut], false), (&text.as_bytes()[cut..], true)]
                {
                    let mut read = 0;
                    loop {
                        let progress = transcoder.transcode(&piece[read..], &mut dst, last);
                        read += progress.read;
                        out.extend_from_slice(&dst[..progress.written]);
                        match progress.status {
                            Status::InputEmpty => break,
                            Status::OutputFull => {}
                            Status::Error(error) => panic!("{error}"),
                        }
                    }
                }
                assert_eq!(out, expected, "{policy:?}, cut at {cut}, output of {size}");
                assert_eq!(transcoder.counts().unencodable, 4);
            }
        }
    }
    let options = Options::default().with_transliterate(Some(alike));
    let error = Encoding::Iso8859_1.encode_with(text, options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unencodable(0x2603));
    let length = transcoded_len(Encoding::Utf8, Encoding::UsAscii, "€€".as_bytes(), options);
    assert_eq!(length.unwrap(), 6);
}

/// A BOM determines the encoding; the rest is as without it, strict and lossy.
#[test]
fn text_is_decoded_by_its_bom() {
    let marked = [
        Encoding::Utf8,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
        Encoding::Utf32Le,
        Encoding::Utf32Be,
    ];
    for marked in marked {
        for text in [&b""[..], b"ab\0\0", b"a\xFF\xFEb", b"a\0\0\0\xD8"] {
            let bytes = [marked.info().signature, text].concat();
            for named in [Encoding::Iso8859_1, Encoding::Utf7, marked] {
                let (lossy, encoding) = named.decode_by_bom_lossy(&bytes);
                assert_eq!((&lossy, encoding), (&marked.decode_lossy(text), marked));
                match named.decode_by_bom(&bytes) {
                    Ok(strict) => {
                        assert_eq!(strict, (lossy.text, marked));
                        assert_eq!(lossy.errors, 0);
                    }
                    Err(error) => {
                        let expected = marked.decode(text).unwrap_err().offset();
                        let mark = marked.info().signature.len() as u64;
                        assert_eq!(error.offset(), expected + mark);
                        assert!(lossy.errors > 0, "{marked} {text:02X?}");
                    }
                }
            }
        }
    }
    let (lossy, encoding) = Encoding::UsAscii.decode_by_bom_lossy(b"a\xFE");
    assert_eq!((&*lossy.text, lossy.errors, encoding), ("a\u{FFFD}", 1, Encoding::UsAscii));
}
