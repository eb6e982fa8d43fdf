//! Code shared by the targets of UTF-7 and of IMAP names.

use arbitrary::Arbitrary;
use utfall::{Decoder, Encoding, Options, Policy, Status};
use utfall_oracle::shifted::{self, Reading};

/// Bytes of the relevant alphabet, or any.
#[derive(Arbitrary, Debug)]
pub enum Octets {
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

impl Octets {
    pub fn bytes(&self) -> Vec<u8> {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        match self {
            Self::Any(octets) => octets.clone(),
            Self::Chosen(choices) => {
                let mut octets = Vec::new();
                for choice in choices {
                    match choice {
                        Choice::Shift => octets.push(b'+'),
                        Choice::And => octets.push(b'&'),
                        Choice::Minus => octets.push(b'-'),
                        Choice::Digit(value) => octets.push(DIGITS[usize::from(value % 64)]),
                        Choice::Euro => octets.extend(b"IKw"),
                        Choice::Pair => octets.extend(b"2D3cAA"),
                        Choice::High => octets.extend(b"2D0"),
                        Choice::Line => octets.push(b'\n'),
                        Choice::Plain => octets.extend(b"plain text, "),
                        Choice::Other(octet) => octets.push(*octet),
                    }
                }
                octets
            }
        }
    }
}

/// Reads `octets` cut at `cuts`, a few code points at a time, and compares the result with the
/// oracle.
pub fn check_reading(encoding: Encoding, octets: &[u8], cuts: &[u8]) {
    let expected = shifted::read(encoding.name(), octets).expect("the oracle knows it");
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
        let mut rest = octets;
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
    let whole = encoding.validate(octets).map_err(|error| error.offset() as usize);
    let first = faults_of_oracle.first().map_or(Ok(()), |fault| Err(fault.0));
    assert_eq!(whole, first);
}
