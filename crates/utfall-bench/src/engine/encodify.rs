//! `encodify`: UTF-7 of mail. Its writer ends every run with `-`.
//!
//! It appends to its argument. The measured time is that of appending to a string with enough
//! capacity; only the output that is compared is copied.

use std::hint::black_box;
use std::ops::Range;

use encodify::utf7::MAIL;

use super::{Engine, Piece, Room, engine};
use crate::op::{Op, Outcome};

const NAME: &str = "encodify";

pub(super) fn engine_for(op: Op) -> Option<Engine> {
    match op.name {
        "utf7_to_utf8" | "utf7_to_utf8_direct" => {
            appending(|piece, text| MAIL.decode_append(piece.bytes, text).is_ok())
        }
        "utf8_to_utf7_explicit" | "utf8_to_utf7_direct" => appending(|piece, text| {
            MAIL.encode_append(piece.text, text);
            true
        }),
        "utf7_len_from_utf8" => engine(NAME, |piece, _| (MAIL.encoded_len(piece.text), 0)),
        _ => None,
    }
}

/// An engine that appends to a string, and returns whether all input was well-formed.
fn appending<F>(work: F) -> Option<Engine>
where
    F: Fn(&Piece<'_>, &mut String) -> bool + Copy + 'static,
{
    let run = move |pieces: &[Piece<'_>], _: &mut [u8], _: &[Range<usize>], times| {
        let mut text = String::new();
        for _ in 0..times {
            for piece in pieces {
                text.clear();
                black_box(work(black_box(piece), &mut text));
                black_box(&text);
            }
        }
    };
    let outcomes = move |pieces: &[Piece<'_>], output: &mut [u8], places: &[Range<usize>]| {
        let outcome = |(piece, place): (&Piece<'_>, &Range<usize>)| -> Outcome {
            let mut text = String::new();
            if !work(piece, &mut text) {
                return (0, 0);
            }
            let output = &mut output[place.clone()];
            let length = text.len().min(output.len());
            output[..length].copy_from_slice(&text.as_bytes()[..length]);
            (piece.bytes.len(), text.len())
        };
        pieces.iter().zip(places).map(outcome).collect()
    };
    Some(Engine { name: NAME, room: Room::Exact, run: Box::new(run), outcomes: Box::new(outcomes) })
}
