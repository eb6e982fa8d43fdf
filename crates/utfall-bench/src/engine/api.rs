//! The public API of `utfall`, with the table that `UTFALL_ISA` names.

use utfall::{Encoding, Error, Options, Policy, transcode_into, transcoded_len};
use utfall_simd::Layout;

use super::{API, Engine, engine};
use crate::op::{Kind, Op};

pub(super) fn engine_for(op: Op) -> Option<Engine> {
    let from = encoding(op.from);
    let to = encoding(op.to);
    match op.kind {
        Kind::Validate => {
            engine(API, move |piece, _| (usize::from(from.validate(piece.bytes).is_ok()), 0))
        }
        Kind::ValidUpTo => engine(API, move |piece, _| (up_to(from, piece.bytes), 0)),
        Kind::ValidateAscii => engine(API, |piece, _| {
            (usize::from(Encoding::UsAscii.validate(piece.bytes).is_ok()), 0)
        }),
        Kind::AsciiUpTo => engine(API, |piece, _| (up_to(Encoding::UsAscii, piece.bytes), 0)),
        Kind::Convert => engine(API, move |piece, output| {
            let written = transcode_into(from, to, piece.bytes, output, Options::default());
            (piece.bytes.len(), written.unwrap_or(0))
        }),
        Kind::Lossy => engine(API, move |piece, output| {
            let options = Options::both(Policy::Replace);
            let written = transcode_into(from, to, piece.bytes, output, options);
            (piece.bytes.len(), written.unwrap_or(0))
        }),
        Kind::Length => engine(API, move |piece, _| {
            (length(transcoded_len(from, to, piece.bytes, Options::default())), 0)
        }),
        Kind::LengthLossy => engine(API, move |piece, _| {
            let options = Options::both(Policy::Replace);
            (length(transcoded_len(from, to, piece.bytes, options)), 0)
        }),
        Kind::Transcode(from, to, utf7) => engine(API, move |piece, output| {
            let options = Options::default().with_utf7(utf7);
            let written = transcode_into(from, to, piece.bytes, output, options);
            (piece.bytes.len(), written.unwrap_or(0))
        }),
        Kind::TranscodeLength(from, to, utf7) => engine(API, move |piece, _| {
            let options = Options::default().with_utf7(utf7);
            (length(transcoded_len(from, to, piece.bytes, options)), 0)
        }),
        Kind::Latin1UpTo | Kind::Count | Kind::CountLossy => None,
    }
}

fn encoding(form: Layout) -> Encoding {
    match form {
        Layout::Utf8 => Encoding::Utf8,
        Layout::Utf16Le => Encoding::Utf16Le,
        Layout::Utf16Be => Encoding::Utf16Be,
        Layout::Utf32Le => Encoding::Utf32Le,
        Layout::Utf32Be => Encoding::Utf32Be,
        Layout::Latin1 => Encoding::Iso8859_1,
    }
}

fn up_to(encoding: Encoding, bytes: &[u8]) -> usize {
    match encoding.validate(bytes) {
        Ok(()) => bytes.len(),
        Err(error) => error.offset() as usize,
    }
}

fn length(result: Result<usize, Error>) -> usize {
    result.unwrap_or(0)
}
