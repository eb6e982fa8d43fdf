//! Modified UTF-7 for IMAP mailbox names: RFC 3501 §5.1.3.
//!
//! `&` shifts, `,` stands for `/`, every run is closed by `-`, and printable US-ASCII always
//! stands for itself. Each name has one spelling; the decoder refuses the others.
//! `docs/decisions.md` §4 says what is ill-formed and where it begins.

use super::shared::shifted_run::{DigitValues, Found, RunReader, RunWriter, digit_values};
use super::{Codec, Decode, Encode, Ill, Next, Put};
use crate::info::Info;
use crate::{ErrorKind, Options};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";
static DIGITS: DigitValues = digit_values(ALPHABET);

pub(crate) struct Utf7Imap;

impl Codec for Utf7Imap {
    const INFO: Info = Info {
        name: "UTF-7-IMAP",
        iana: true,
        aliases: &["csUTF7IMAP", "imap-utf-7", "imap4-utf-7", "IMAP-mailbox-name"],
        specification: "RFC 3501 §5.1.3",
        seven_bit: true,
        stateful: true,
        clause: |kind| match kind {
            ErrorKind::NotDirect => {
                "RFC 3501 §5.1.3: only printable US-ASCII stands for itself, 20 to 7E"
            }
            ErrorKind::EmptyShift => "RFC 3501 §5.1.3: '&' is followed by modified Base64 or '-'",
            ErrorKind::Unterminated => {
                "RFC 3501 §5.1.3: '-' shifts back, and names end in US-ASCII"
            }
            ErrorKind::NullShift => {
                "RFC 3501 §5.1.3: null shifts ('-&' in Base64) are not permitted"
            }
            ErrorKind::EncodedAscii => {
                "RFC 3501 §5.1.3: Base64 must not represent printable US-ASCII"
            }
            ErrorKind::LeftoverBits => {
                "RFC 2152 rule 2: a run is whole 16-bit units, and what pads it is zero"
            }
            ErrorKind::Surrogate => "RFC 2152 rule 2: surrogates come in pairs",
            _ => "RFC 2152 rule 2: characters beyond the surrogate pairs cannot be encoded",
        },
        ..Info::BASE
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder { state: State::Direct, run: RunReader::default() }
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { shifted: false, run: RunWriter::default() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Direct,
    /// Directly behind a run closed by `-`.
    Closed,
    Shifted,
    /// As `Shifted`, and what is wrong with the end of the run has been reported.
    Reported,
}

#[derive(Clone)]
pub(crate) struct Decoder {
    state: State,
    run: RunReader,
}

impl Decoder {
    fn next_direct(&mut self, src: &[u8], last: bool) -> Next {
        let (state, next) = match src {
            [] => return Next::End,
            [b'&'] if !last => return Next::End,
            [b'&', b'-', ..] => (State::Direct, Next::Point { point: u32::from('&'), length: 2 }),
            [b'&', octet, ..] if DIGITS[usize::from(*octet)] < 64 => {
                let next = match self.state {
                    State::Closed => Next::ill(ErrorKind::NullShift, 1),
                    _ => Next::Skip { length: 1 },
                };
                (State::Shifted, next)
            }
            [b'&', ..] => (State::Direct, Next::ill(ErrorKind::EmptyShift, 1)),
            [octet @ 0x20..=0x7E, ..] => {
                (State::Direct, Next::Point { point: u32::from(*octet), length: 1 })
            }
            _ => (State::Direct, Next::ill(ErrorKind::NotDirect, 1)),
        };
        self.state = state;
        next
    }

    fn next_shifted(&mut self, src: &[u8], last: bool) -> Next {
        let digits = match self.run.next(src, &DIGITS, last) {
            Found::Point { point: 0x20..=0x7E, length } => {
                let back = self.run.last_unit();
                let kind = ErrorKind::EncodedAscii;
                return Next::Ill(Ill { kind, consumed: length, back, length: back });
            }
            Found::Point { point, length } => return Next::Point { point, length },
            Found::Ill(ill) => return Next::Ill(ill),
            Found::IllEnd(ill) => {
                self.state = State::Reported;
                return Next::Ill(ill);
            }
            Found::More => return Next::End,
            Found::End { length } => length,
        };
        let reported = self.state == State::Reported;
        if src.get(digits) == Some(&b'-') {
            self.state = State::Closed;
            return Next::Skip { length: digits + 1 };
        }
        self.state = State::Direct;
        match reported {
            true => Next::Skip { length: digits },
            false => {
                let kind = ErrorKind::Unterminated;
                Next::Ill(Ill { kind, consumed: digits, back: 1, length: 1 })
            }
        }
    }
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match self.state {
            State::Direct | State::Closed => self.next_direct(src, last),
            State::Shifted | State::Reported => self.next_shifted(src, last),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    shifted: bool,
    run: RunWriter,
}

impl Encoder {
    /// The end of a run: a last digit if bits are left over, and `-`.
    fn close(&self) -> ([u8; 2], usize) {
        match self.run.last_digit(ALPHABET) {
            Some(digit) => ([digit, b'-'], 2),
            None => ([b'-', 0], 1),
        }
    }
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        // At most: `&` and six digits; or two octets of an end and `&-`.
        let mut octets = [0; 8];
        let mut length = 0;
        let mut run = self.run;
        let shifted = match point {
            0x20..=0x7E => {
                if self.shifted {
                    let (end, count) = self.close();
                    octets[..2].copy_from_slice(&end);
                    length = count;
                    run = RunWriter::default();
                }
                octets[length] = point as u8;
                length += 1;
                if point == u32::from('&') {
                    octets[length] = b'-';
                    length += 1;
                }
                false
            }
            _ if Utf7Imap::INFO.repertoire.contains(point) => {
                if !self.shifted {
                    octets[0] = b'&';
                    length = 1;
                }
                let mut digits = [0; 6];
                let count = run.put(point, &mut digits, ALPHABET);
                octets[length..][..6].copy_from_slice(&digits);
                length += count;
                true
            }
            _ => return Put::Unencodable,
        };
        let Some(room) = dst.get_mut(..length) else { return Put::Full };
        room.copy_from_slice(&octets[..length]);
        (self.shifted, self.run) = (shifted, run);
        Put::Written(length)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        if !self.shifted {
            return Some(0);
        }
        let (octets, length) = self.close();
        dst.get_mut(..length)?.copy_from_slice(&octets[..length]);
        (self.shifted, self.run) = (false, RunWriter::default());
        Some(length)
    }
}
