//! `encoding_rs`: its decoders, and `mem` for text in memory.
//!
//! Some of its functions replace ill-formed sequences where others stop; on well-formed text that
//! is the same work.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, mem};

use super::{Engine, ample, engine};
use crate::op::{Kind, Op};

const NAME: &str = "encoding_rs";

/// A decoder, to UTF-8.
fn decoder(encoding: &'static Encoding) -> Option<Engine> {
    ample(NAME, move |piece, output| {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let (_, read, written, _) = decoder.decode_to_utf8(piece.bytes, output, true);
        (read, written)
    })
}

/// An encoder, from UTF-8.
fn encoder(encoding: &'static Encoding) -> Option<Engine> {
    ample(NAME, move |piece, output| {
        let mut encoder = encoding.new_encoder();
        let (_, read, written) =
            encoder.encode_from_utf8_without_replacement(piece.text, output, true);
        (read, written)
    })
}

pub(super) fn engine_for(op: Op) -> Option<Engine> {
    if let Kind::Transcode(from, to, _) = op.kind {
        let charset = |encoding: utfall::Encoding| Encoding::for_label(encoding.name().as_bytes());
        let (from, to) = (charset(from)?, charset(to)?);
        return if to == UTF_8 { decoder(from) } else { encoder(to) };
    }
    // Its functions for text in memory use native byte order.
    let native = cfg!(target_endian = "little");
    match op.name {
        "validate_ascii" => engine(NAME, |piece, _| (usize::from(mem::is_ascii(piece.bytes)), 0)),
        "validate_utf8" => engine(NAME, |piece, _| {
            (usize::from(Encoding::utf8_valid_up_to(piece.bytes) == piece.bytes.len()), 0)
        }),
        "validate_utf16le" if native => engine(NAME, |piece, _| {
            let units = piece.u16s();
            (usize::from(mem::utf16_valid_up_to(units) == units.len()), 0)
        }),
        "ascii_valid_up_to" => {
            engine(NAME, |piece, _| (Encoding::ascii_valid_up_to(piece.bytes), 0))
        }
        "utf8_valid_up_to" => engine(NAME, |piece, _| (Encoding::utf8_valid_up_to(piece.bytes), 0)),
        "utf16le_valid_up_to" if native => {
            engine(NAME, |piece, _| (2 * mem::utf16_valid_up_to(piece.u16s()), 0))
        }
        "utf8_to_utf16le" if native => ample(NAME, |piece, output| {
            let output = bytemuck::cast_slice_mut(output);
            let written = mem::convert_utf8_to_utf16_without_replacement(piece.bytes, output);
            (piece.bytes.len(), 2 * written.unwrap_or(0))
        }),
        "utf8_to_utf16le_lossy" if native => ample(NAME, |piece, output| {
            let written = mem::convert_utf8_to_utf16(piece.bytes, bytemuck::cast_slice_mut(output));
            (piece.bytes.len(), 2 * written)
        }),
        "utf16le_to_utf8" | "utf16le_to_utf8_lossy" if native => ample(NAME, |piece, output| {
            (piece.bytes.len(), mem::convert_utf16_to_utf8(piece.u16s(), output))
        }),
        "utf16le_to_utf8" | "utf16le_to_utf8_lossy" => decoder(UTF_16LE),
        "utf16be_to_utf8" | "utf16be_to_utf8_lossy" => decoder(UTF_16BE),
        "utf8_to_utf8_lossy" => decoder(UTF_8),
        "utf16le_to_utf16le_lossy" if native => engine(NAME, |piece, output| {
            output.copy_from_slice(piece.bytes);
            mem::ensure_utf16_validity(bytemuck::cast_slice_mut(output));
            (piece.bytes.len(), output.len())
        }),
        "utf8_to_latin1" => ample(NAME, |piece, output| {
            (piece.bytes.len(), mem::convert_utf8_to_latin1_lossy(piece.bytes, output))
        }),
        "utf16le_to_latin1" if native => ample(NAME, |piece, output| {
            let units = piece.u16s();
            mem::convert_utf16_to_latin1_lossy(units, output);
            (piece.bytes.len(), units.len())
        }),
        "latin1_to_utf8" => ample(NAME, |piece, output| {
            (piece.bytes.len(), mem::convert_latin1_to_utf8(piece.bytes, output))
        }),
        "latin1_to_utf16le" if native => engine(NAME, |piece, output| {
            mem::convert_latin1_to_utf16(piece.bytes, bytemuck::cast_slice_mut(output));
            (piece.bytes.len(), 2 * piece.bytes.len())
        }),
        "utf8_latin1_prefix" => engine(NAME, |piece, _| (mem::utf8_latin1_up_to(piece.bytes), 0)),
        // It only returns whether all is Latin-1.
        "utf16le_latin1_prefix" if native => engine(NAME, |piece, _| {
            (if mem::is_utf16_latin1(piece.u16s()) { piece.bytes.len() } else { 0 }, 0)
        }),
        _ => None,
    }
}
