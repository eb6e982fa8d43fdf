//! Encodes code points to bytes.

use utfall::{Bom, Encoder, Encoding, Status};

use crate::iso_2022_jp::{self, Set};
use crate::names::{BIG5_HKSCS, Charset, Kind};
use crate::options::encoder;
use crate::shifting::{ShiftingEncoder, WriteStop};
use crate::table::{RUN, Table};

/// Size of the output buffer in bytes.
const ROOM: usize = 16 * 1024;

/// The encoder of a text.
pub(crate) struct Target {
    kind: Writer,
    room: Vec<u8>,
}

enum Writer {
    Plain {
        encoding: Encoding,
        encoder: Box<Encoder<'static>>,
        /// Write a BOM before the first character of each text.
        marked: bool,
        /// Something of this text has been written.
        begun: bool,
    },
    Table(&'static Table),
    /// A table in which two code points may be one character, and the letter that waits for the next one.
    Combining(&'static Table, Option<u32>),
    Iso2022Jp(&'static Table, Set),
    Shifting(ShiftingEncoder),
}

impl Target {
    /// `None` if a table is missing.
    pub(crate) fn new(charset: Charset) -> Option<Self> {
        let plain = |encoding, marked| Writer::Plain {
            encoding,
            encoder: Box::new(encoder(encoding, Bom::Keep)),
            marked,
            begun: false,
        };
        let kind = match charset.kind() {
            // Faster if many characters are unencodable.
            Kind::Plain(Encoding::UsAscii) => Writer::Table(Table::ascii()),
            Kind::Plain(Encoding::Iso8859_1) => Writer::Table(Table::latin1()),
            Kind::Plain(encoding) => plain(encoding, false),
            Kind::Shifting(encoding) => Writer::Shifting(ShiftingEncoder::new(encoding)),
            Kind::Marked { little, big, .. } => {
                plain(if cfg!(target_endian = "little") { little } else { big }, true)
            }
            Kind::Table(_) if charset.name() == BIG5_HKSCS => {
                Writer::Combining(charset.table()?, None)
            }
            Kind::Table(_) => Writer::Table(charset.table()?),
            Kind::Missing => return None,
            Kind::Iso2022Jp => Writer::Iso2022Jp(charset.table()?, Set::Ascii),
        };
        Some(Self { kind, room: vec![0; ROOM] })
    }

    /// Appends the bytes of `points`, up to the first code point that the charset lacks. Returns
    /// the number of code points written.
    pub(crate) fn encode(&mut self, points: &[u32], out: &mut Vec<u8>) -> usize {
        match &mut self.kind {
            Writer::Table(table) => encode_by(table, points, &mut self.room, out),
            Writer::Combining(table, held) => combine(table, held, points, &mut self.room, out),
            Writer::Iso2022Jp(table, set) => {
                let encode = |point: &&u32| iso_2022_jp::encode(table, set, **point, out);
                points.iter().take_while(encode).count()
            }
            Writer::Shifting(encoder) => {
                let mut read = 0;
                loop {
                    let done = encoder.write(&points[read..], &mut self.room);
                    out.extend_from_slice(&self.room[..done.written]);
                    read += done.read;
                    match done.stop {
                        WriteStop::Full => {}
                        WriteStop::Input | WriteStop::Unencodable => return read,
                    }
                }
            }
            Writer::Plain { encoder, marked, begun, .. } => {
                if points.is_empty() {
                    return 0;
                }
                if *marked && !std::mem::replace(begun, true) {
                    let mut room = [0; 8];
                    let progress = encoder.encode_code_points(&[0xFEFF], &mut room, false);
                    out.extend_from_slice(&room[..progress.written]);
                }
                let mut read = 0;
                loop {
                    let progress =
                        encoder.encode_code_points(&points[read..], &mut self.room, false);
                    out.extend_from_slice(&self.room[..progress.written]);
                    read += progress.read;
                    match progress.status {
                        Status::InputEmpty => return read,
                        Status::OutputFull => {}
                        Status::Error(_) => return read - 1,
                    }
                }
            }
        }
    }

    /// Ends a text, so that following output can be decoded like the start of a text.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        match &mut self.kind {
            Writer::Plain { encoding, encoder, begun, .. } => {
                let progress = encoder.encode_code_points(&[], &mut self.room, true);
                out.extend_from_slice(&self.room[..progress.written]);
                **encoder = crate::options::encoder(*encoding, Bom::Keep);
                *begun = false;
            }
            Writer::Shifting(encoder) => {
                let written = encoder.finish(&mut self.room).unwrap_or_default();
                out.extend_from_slice(&self.room[..written]);
                encoder.reset();
            }
            Writer::Iso2022Jp(_, set) => iso_2022_jp::finish(set, out),
            Writer::Combining(table, held) => write_held(table, held, out),
            Writer::Table(_) => {}
        }
    }
}

/// Encodes by a table, as far as it goes.
fn encode_by(table: &Table, points: &[u32], room: &mut [u8], out: &mut Vec<u8>) -> usize {
    let (mut read, mut filled) = (0, 0);
    loop {
        let done = table.encode_prefix(&points[read..], &mut room[filled..]);
        read += done.0;
        filled += done.1;
        let is_full = room.len() - filled < RUN;
        if done.0 == 0 && !is_full || read == points.len() {
            out.extend_from_slice(&room[..filled]);
            return read;
        }
        if is_full {
            out.extend_from_slice(&room[..filled]);
            filled = 0;
        }
    }
}

/// Encodes by a table with pairs. A letter that begins one is not written before the next code point.
fn combine(
    table: &Table,
    held: &mut Option<u32>,
    points: &[u32],
    room: &mut [u8],
    out: &mut Vec<u8>,
) -> usize {
    let mut read = 0;
    while let Some(point) = points.get(read) {
        if let Some(letter) = *held
            && let Some(bytes) = table.encode_pair([letter, *point])
        {
            out.extend(bytes);
            *held = None;
            read += 1;
            continue;
        }
        write_held(table, held, out);
        if table.begins_pair(*point) {
            *held = Some(*point);
            read += 1;
            continue;
        }
        let rest = &points[read..];
        let until = rest.iter().position(|point| table.begins_pair(*point)).unwrap_or(rest.len());
        let done = encode_by(table, &rest[..until], room, out);
        read += done;
        if done < until {
            break;
        }
    }
    read
}

/// Writes a letter without a mark after it.
fn write_held(table: &Table, held: &mut Option<u32>, out: &mut Vec<u8>) {
    if let Some(bytes) = held.take().and_then(|letter| table.encode_two(letter)) {
        out.extend(bytes);
    }
}
