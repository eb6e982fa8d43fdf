//! simdutf, the C++ library, as a peer of `utfall-conformance`: a separate program, so that a
//! crash does not affect the others. `answer.rs` describes the format of the pipes.

#[allow(dead_code)] // The other program needs the rest.
mod answer;

use std::io::{self, Read as _, Write as _};

use answer::{Answer, written};
use simdutf as peer;

fn main() -> io::Result<()> {
    let (mut source, mut target) = (io::stdin().lock(), io::stdout().lock());
    // The crate contains the C++ code, and has no function that returns its version.
    target.write_all(concat!("crate ", env!("SIMDUTF_VERSION"), "\n").as_bytes())?;
    target.flush()?;
    let mut head = [0; 10];
    while source.read_exact(&mut head).is_ok() {
        let mut label = vec![0; usize::from(head[1])];
        source.read_exact(&mut label)?;
        let mut size = [0; 4];
        size.copy_from_slice(&head[6..]);
        let mut inputs = vec![0; u32::from_le_bytes(size) as usize];
        source.read_exact(&mut inputs)?;
        let mut rest = &inputs[..];
        let mut answers = Vec::new();
        while let Some((length, after)) = rest.split_first_chunk() {
            let (input, after) = after.split_at(u32::from_le_bytes(*length) as usize);
            rest = after;
            answers.extend(written(&ask(head[0], &label, input)));
        }
        target.write_all(&answers)?;
        target.flush()?;
    }
    Ok(())
}

fn ask(mode: u8, label: &[u8], input: &[u8]) -> Answer {
    match (mode, label) {
        (b'd', b"ascii") => ascii(input),
        (b'd', b"utf-8") => utf8(input),
        (b'd', b"utf-16le") => utf16(input, peer::validate_utf16le_with_errors, |units, out| {
            // SAFETY: well-formed, which `utf16` has checked, and `out` has a place for each unit.
            unsafe { peer::convert_valid_utf16le_to_utf32(units.as_ptr(), units.len(), out) }
        }),
        (b'd', b"utf-16be") => utf16(input, peer::validate_utf16be_with_errors, |units, out| {
            // SAFETY: as above.
            unsafe { peer::convert_valid_utf16be_to_utf32(units.as_ptr(), units.len(), out) }
        }),
        (b'd', b"utf-32le") => utf32(input),
        (b'e', b"utf-8") => encode(input, 4, |points, out| {
            // SAFETY: `encode` has space for four bytes for each code point.
            unsafe { peer::convert_utf32_to_utf8_with_errors(points.as_ptr(), points.len(), out) }
        }),
        (b'e', b"utf-16le") => encode(input, 2, |points, out: *mut u16| {
            // SAFETY: `encode` has space for two units for each code point.
            unsafe {
                peer::convert_utf32_to_utf16le_with_errors(points.as_ptr(), points.len(), out)
            }
        }),
        (b'e', b"utf-16be") => encode(input, 2, |points, out: *mut u16| {
            // SAFETY: as above.
            unsafe {
                peer::convert_utf32_to_utf16be_with_errors(points.as_ptr(), points.len(), out)
            }
        }),
        _ => Answer::NotAsked,
    }
}

fn outcome(result: peer::Result, unit: usize) -> Option<Answer> {
    (result.error != peer::ErrorCode::Success)
        .then(|| Answer::Error(Some((result.count * unit) as u32), None))
}

fn ascii(input: &[u8]) -> Answer {
    outcome(peer::validate_ascii_with_errors(input), 1).unwrap_or_else(|| {
        Answer::Fine(input.iter().flat_map(|byte| u32::from(*byte).to_le_bytes()).collect())
    })
}

fn utf8(input: &[u8]) -> Answer {
    outcome(peer::validate_utf8_with_errors(input), 1).unwrap_or_else(|| {
        let mut out = vec![0; input.len()];
        // SAFETY: well-formed, and `out` has a place for each byte.
        let written = unsafe {
            peer::convert_valid_utf8_to_utf32(input.as_ptr(), input.len(), out.as_mut_ptr())
        };
        Answer::Fine(answer::bytes(&out[..written]))
    })
}

fn utf16(
    input: &[u8],
    validate: fn(&[u16]) -> peer::Result,
    convert: fn(&[u16], *mut u32) -> usize,
) -> Answer {
    let (units, rest) = input.as_chunks();
    if !rest.is_empty() {
        return Answer::NotAsked;
    }
    let units: Vec<u16> = units.iter().map(|two| u16::from_ne_bytes(*two)).collect();
    outcome(validate(&units), 2).unwrap_or_else(|| {
        let mut out = vec![0; units.len()];
        let written = convert(&units, out.as_mut_ptr());
        Answer::Fine(answer::bytes(&out[..written]))
    })
}

fn utf32(input: &[u8]) -> Answer {
    if !input.len().is_multiple_of(4) || cfg!(target_endian = "big") {
        return Answer::NotAsked;
    }
    let result = peer::validate_utf32_with_errors(&answer::points(input));
    outcome(result, 4).unwrap_or_else(|| Answer::Fine(input.to_vec()))
}

fn encode<T: Unit>(
    input: &[u8],
    most: usize,
    convert: fn(&[u32], *mut T) -> peer::Result,
) -> Answer {
    let points = answer::points(input);
    let mut out = vec![T::default(); most * points.len()];
    let result = convert(&points, out.as_mut_ptr());
    outcome(result, 1).unwrap_or_else(|| {
        Answer::Fine(out[..result.count].iter().flat_map(|u| u.bytes()).collect())
    })
}

/// Code units as their bytes in memory.
trait Unit: Copy + Default {
    fn bytes(&self) -> Vec<u8>;
}

impl Unit for u8 {
    fn bytes(&self) -> Vec<u8> {
        vec![*self]
    }
}

impl Unit for u16 {
    fn bytes(&self) -> Vec<u8> {
        self.to_ne_bytes().to_vec()
    }
}
