//! Code shared by the targets of UTF-7 and of IMAP names.

use arbitrary::Arbitrary;
use utfall::{Decoder, Encoding, Options, Policy, Status};
use utfall_oracle::shifted::{self, Reading};

/// Bytes of the relevant alphabet, or any.
#[derive(Arbitrary, Debug)]
pub enum Bytes {
    Chosen(Vec<Choice>),
    Any(Vec<u8>),
}

/// The elements of such texts.
#[derive(Arbitrary, Debug)]
pub enum Choice {
    Shift,
    And,
    Minus,
    Digit(u8),
    Euro,
    Pair,
    High,
    Line,
    Plain,
    Other(u8),
}

impl Bytes {
    pub fn bytes(&self) -> Vec<u8> {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        match self {
            Self::Any(bytes) => bytes.clone(),
            Self::Chosen(choices) => {
                let mut bytes = Vec::new();
                for choice in choices {
                    match choice {
                        Choice::Shift => bytes.push(b'+'),
                        Choice::And => bytes.push(b'&'),
                        Choice::Minus => bytes.push(b'-'),
                        Choice::Digit(value) => bytes.push(DIGITS[usize::from(value % 64)]),
                        Choice::Euro => bytes.extend(b"IKw"),
                        Choice::Pair => bytes.extend(b"2D3cAA"),
                        Choice::High => bytes.extend(b"2D0"),
                        Choice::Line => bytes.push(b'\n'),
                        Choice::Plain => bytes.extend(b"plain text, "),
                        Choice::Other(byte) => bytes.push(*byte),
                    }
                }
                bytes
            }
        }
    }
}

/// Reads `bytes` cut at `cuts`, a few code points at a time, and compares the result with the
/// oracle.
pub fn check_reading(encoding: Encoding, bytes: &[u8], cuts: &[u8]) {
    let expected = shifted::read(encoding.name(), bytes).expect("the oracle knows it");
    let mut faults = Vec::new();
    let mut handler = |error: &utfall::Error, _: &[u8]| {
        faults.push((error.offset() as usize, error.length() as usize, error.run_bit()));
        utfall::Action::Skip
    };
    let options = Options::both(Policy::Skip);
    let mut points: Vec<u32> = Vec::new();
    {
        let mut decoder = Decoder::new(encoding, options).on_error(&mut handler);
        let mut room = [0; 7];
        let mut cuts = cuts.iter().cycle();
        let mut rest = bytes;
        loop {
            let length =
                cuts.next().map_or(rest.len(), |cut| usize::from(*cut).max(1)).min(rest.len());
            let (piece, more) = rest.split_at(length);
            rest = more;
            let (mut read, last) = (0, rest.is_empty());
            loop {
                let progress = decoder.decode_to_code_points(&piece[read..], &mut room, last);
                read += progress.read;
                points.extend(&room[..progress.written]);
                match progress.status {
                    Status::InputEmpty => break,
                    Status::OutputFull => {}
                    Status::Error(error) => panic!("{error} is skipped"),
                }
            }
            if last {
                break;
            }
        }
    }
    let of_oracle: Vec<u32> = expected
        .iter()
        .filter_map(|reading| match reading {
            Reading::Point(point) => Some(*point),
            Reading::Fault(_) => None,
        })
        .collect();
    let faults_of_oracle: Vec<_> = expected
        .iter()
        .filter_map(|reading| match reading {
            Reading::Fault(fault) => {
                Some((fault.offset, fault.length, fault.bit.map(|bit| bit as u32)))
            }
            Reading::Point(_) => None,
        })
        .collect();
    assert_eq!(points, of_oracle);
    assert_eq!(faults, faults_of_oracle);
    // Without any cut, and by the kernels.
    let whole = encoding.validate(bytes).map_err(|error| error.offset() as usize);
    let first = faults_of_oracle.first().map_or(Ok(()), |fault| Err(fault.0));
    assert_eq!(whole, first);
}
