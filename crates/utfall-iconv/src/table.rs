//! Charsets with more than one byte for a character, or more than one code point, as tables: bytes to code
//! points and back.
//!
//! The library has the characters. `tables.txt` adds the behaviour of glibc: the number of ill-formed
//! bytes that it drops, similar characters that it encodes, and pairs that it composes. `table_tests.rs` generates
//! the file and compares all of this with the system's iconv.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use utfall::{Character, Characters, Encoding};

use crate::iso_2022_jp::Set;

const DATA: &str = include_str!("tables.txt");

/// The kinds of entries, in the upper eight bits; the other bits hold a number.
const UNDEFINED: u32 = 0;
const POINT: u32 = 1 << 24;
const PAIR: u32 = 2 << 24;
const NODE: u32 = 3 << 24;
/// The first two of four bytes.
const FOUR: u32 = 4 << 24;
const NUMBER: u32 = POINT - 1;

/// The entries after a prefix, one for each byte.
type Node = [u32; 256];

/// The name of EUC-TW, which not every build has.
const EUC_TW: &str = "EUC-TW";

/// The bytes of a code point: their number (0 to 3) in the upper eight bits, then the bytes.
type Bytes = u32;
const PAGE: usize = 256;

/// Bytes of US-ASCII that are converted at once.
pub(crate) const RUN: usize = 16;

/// A charset.
#[derive(Debug)]
pub(crate) struct Table {
    nodes: Vec<Node>,
    pairs: Vec<[u32; 2]>,
    /// Pairs of code points that compose to one; sorted.
    composed: Vec<([u32; 2], u32)>,
    /// Pairs of code points that are one character of two bytes.
    encoded_pairs: Vec<([u32; 2], [u8; 2])>,
    /// Code points that wait for the next one.
    waiting: RangeInclusive<u32>,
    /// The page number of each block of 256 code points.
    pages: Vec<u16>,
    bytes: Vec<[Bytes; PAGE]>,
    /// Bytes below 80 are US-ASCII.
    keeps_ascii: bool,
    /// No character has more than one byte.
    is_single: bool,
    /// GB 18030 or EUC-TW, in which all other characters have four bytes.
    four: Option<Encoding>,
}

/// The sequence at the start of a text. Numbers are lengths in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Point(u32, usize),
    Pair([u32; 2], usize),
    /// Bytes that are not a character.
    Ill(usize),
    /// An escape sequence that selects another set.
    Shift(Set, usize),
    /// The sequence continues after the given bytes.
    Incomplete,
}

impl Table {
    /// The charset with this glibc name. It has the characters of `encoding`.
    pub(crate) fn read(name: &str, encoding: Encoding) -> Option<Self> {
        let sections = DATA.split("\n[").skip(1).filter_map(|section| section.split_once("]\n"));
        let lines = sections.filter(|(head, _)| *head == name).map(|(_, lines)| lines).next();
        Self::new(encoding, lines.unwrap_or_default())
    }

    /// US-ASCII.
    pub(crate) fn ascii() -> &'static Self {
        static ASCII: OnceLock<Table> = OnceLock::new();
        ASCII.get_or_init(|| Self::of(Encoding::UsAscii))
    }

    /// ISO 8859-1.
    pub(crate) fn latin1() -> &'static Self {
        static LATIN1: OnceLock<Table> = OnceLock::new();
        LATIN1.get_or_init(|| Self::of(Encoding::Iso8859_1))
    }

    fn empty() -> Self {
        Self {
            nodes: vec![[UNDEFINED; 256]],
            pairs: Vec::new(),
            composed: Vec::new(),
            encoded_pairs: Vec::new(),
            waiting: RangeInclusive::new(1, 0),
            pages: vec![0; 0x11_0000 / PAGE],
            bytes: vec![[0; PAGE]],
            keeps_ascii: false,
            is_single: false,
            four: None,
        }
    }

    /// The characters of an encoding without shift states.
    pub(crate) fn of(encoding: Encoding) -> Self {
        let mut this = Self::empty();
        let has_four = encoding == Encoding::Gb18030 || encoding.name() == EUC_TW;
        this.four = has_four.then_some(encoding);
        this.fill(&mut Characters::new(encoding), &mut Vec::new());
        this.look_for_shortcuts();
        this
    }

    /// The characters of `encoding`, except these:
    ///
    /// - `D 80 20AC - 201A`: the byte 80 maps to U+20AC, 81 is undefined, 82 maps to U+201A.
    /// - `S 81-FE 00-3F 2`: after 81 to FE, an undefined sequence whose last byte is 00 to 3F is
    ///   two ill-formed bytes.
    /// - `E 20AC 80`, `E 20AC -`: the encoding of a code point.
    /// - `C 65 301 E9`: two code points that are decoded as one.
    pub(crate) fn new(encoding: Encoding, lines: &str) -> Option<Self> {
        let mut this = Self::of(encoding);
        for line in lines.lines() {
            let mut words = line.split(' ');
            let (kind, first) = (words.next()?, words.next());
            match (kind, first) {
                ("D", Some(start)) => this.define(&bytes(start)?, words)?,
                ("S", Some(leads)) => this.skip(leads, words)?,
                ("E", Some(point)) => {
                    let bytes = match words.next()? {
                        "-" => Vec::new(),
                        text => bytes(text)?,
                    };
                    *this.slot(number(point)?) = packed(&bytes);
                }
                ("C", Some(first)) => {
                    let points = [number(first)?, number(words.next()?)?];
                    this.composed.push((points, number(words.next()?)?));
                }
                _ => {}
            }
        }
        this.composed.sort_unstable();
        this.look_for_waiting();
        this.look_for_shortcuts();
        Some(this)
    }

    /// Finds out what the fast paths can do.
    fn look_for_shortcuts(&mut self) {
        self.is_single = self.bytes.iter().flatten().all(|bytes| bytes >> 24 <= 1);
        self.keeps_ascii = (0..0x80).all(|byte| {
            self.nodes[0][usize::from(byte)] == POINT | u32::from(byte)
                && *self.slot(u32::from(byte)) == packed(&[byte])
        });
    }

    /// Adds the sequences that begin with `prefix`, and the bytes of their code points.
    fn fill(&mut self, characters: &mut Characters, prefix: &mut Vec<u8>) {
        let at = self.node(prefix);
        let mut points = [Characters::NONE; 256];
        if characters.row(prefix, &mut points) {
            for (byte, point) in (0..=0xFF).zip(points) {
                self.nodes[at][usize::from(byte)] = if point == Characters::NONE {
                    UNDEFINED | 1
                } else {
                    prefix.push(byte);
                    if characters.writes(point, prefix) {
                        *self.slot(point) = packed(prefix);
                    } else {
                        self.encode_as_library(characters, point);
                    }
                    prefix.pop();
                    POINT | point
                };
            }
            return;
        }
        for byte in 0..=0xFF {
            prefix.push(byte);
            let entry = match characters.decode(prefix) {
                Character::Point(point) => {
                    self.encode_as_library(characters, point);
                    Some(POINT | point)
                }
                Character::Two(points) => {
                    if let Some(bytes) = prefix.first_chunk() {
                        self.encoded_pairs.push((points, *bytes));
                    }
                    self.pairs.push(points);
                    Some(PAIR | (self.pairs.len() - 1) as u32)
                }
                Character::Prefix if self.four.is_some() && prefix.len() == 2 => Some(FOUR),
                Character::Prefix => {
                    self.fill(characters, prefix);
                    None
                }
                // glibc waits for four bytes of plane 16 too, which has no characters.
                Character::Ill(_) if self.four.is_some() && prefix[..] == [0x8E, 0xB0] => {
                    Some(FOUR)
                }
                // Unless `tables.txt` says otherwise, glibc drops one byte.
                Character::Ill(_) => Some(UNDEFINED | 1),
            };
            if let Some(entry) = entry {
                self.nodes[at][usize::from(byte)] = entry;
            }
            prefix.pop();
        }
    }

    fn encode_as_library(&mut self, characters: &mut Characters, point: u32) {
        let slot = self.slot(point);
        if *slot == 0 {
            let mut room = [0; 4];
            let length = characters.encode(point, &mut room);
            if length < room.len() {
                *slot = packed(&room[..length]);
            }
        }
    }

    /// The number of the node after `prefix`, which is created if necessary.
    fn node(&mut self, prefix: &[u8]) -> usize {
        let mut at = 0;
        for byte in prefix {
            let entry = self.nodes[at][usize::from(*byte)];
            at = if entry & !NUMBER == NODE {
                (entry & NUMBER) as usize
            } else {
                self.nodes.push([UNDEFINED; 256]);
                let new = self.nodes.len() - 1;
                self.nodes[at][usize::from(*byte)] = NODE | new as u32;
                new
            };
        }
        at
    }

    fn define<'w>(&mut self, start: &[u8], words: impl Iterator<Item = &'w str>) -> Option<()> {
        let (first, prefix) = start.split_last()?;
        let at = self.node(prefix);
        for (byte, word) in (*first..=0xFF).zip(words) {
            let bytes = packed(&[prefix, &[byte]].concat());
            let old = self.nodes[at][usize::from(byte)];
            if old & !NUMBER == POINT && self.slot_of(old & NUMBER) == bytes {
                *self.slot(old & NUMBER) = 0;
            }
            self.nodes[at][usize::from(byte)] = if word == "-" {
                UNDEFINED | 1
            } else {
                let point = number(word)?;
                let slot = self.slot(point);
                if *slot == 0 {
                    *slot = bytes;
                }
                POINT | point
            };
        }
        Some(())
    }

    fn skip<'w>(&mut self, leads: &str, mut words: impl Iterator<Item = &'w str>) -> Option<()> {
        let (from, to) = leads.split_once('-')?;
        let (mut lead, to) = (bytes(from)?, bytes(to)?);
        let (first, last) = words.next()?.split_once('-')?;
        let trails = *bytes(first)?.first()?..=*bytes(last)?.first()?;
        let count = number(words.next()?)?;
        loop {
            let at = self.node(&lead);
            for trail in trails.clone() {
                let entry = &mut self.nodes[at][usize::from(trail)];
                if *entry & !NUMBER == UNDEFINED {
                    *entry = UNDEFINED | count;
                }
            }
            if lead == to {
                return Some(());
            }
            *lead.last_mut()? += 1;
        }
    }

    fn slot(&mut self, point: u32) -> &mut Bytes {
        let page = &mut self.pages[point as usize / PAGE];
        if *page == 0 {
            self.bytes.push([0; PAGE]);
            *page = (self.bytes.len() - 1) as u16;
        }
        &mut self.bytes[usize::from(*page)][point as usize % PAGE]
    }

    /// The sequence at the start of `src`, which is not empty.
    pub(crate) fn next(&self, src: &[u8]) -> Next {
        let mut node = &self.nodes[0];
        for (at, byte) in src.iter().enumerate() {
            let entry = node[usize::from(*byte)];
            let number = entry & NUMBER;
            match entry & !NUMBER {
                POINT => return Next::Point(number, at + 1),
                NODE => node = &self.nodes[number as usize],
                PAIR => return Next::Pair(self.pairs[number as usize], at + 1),
                FOUR => return self.four(src),
                _ => return Next::Ill(number.max(1) as usize),
            }
        }
        Next::Incomplete
    }

    /// The code point of two bytes.
    pub(crate) fn pair(&self, first: u8, second: u8) -> Option<u32> {
        let node = self.nodes[0][usize::from(first)];
        if node & !NUMBER != NODE {
            return None;
        }
        let entry = self.nodes[(node & NUMBER) as usize][usize::from(second)];
        (entry & !NUMBER == POINT).then_some(entry & NUMBER)
    }

    /// The sequence at the start of `src`, which begins with the first half of a four-byte
    /// sequence.
    fn four(&self, src: &[u8]) -> Next {
        let (Some(encoding), Some(bytes)) = (self.four, src.first_chunk::<4>()) else {
            return Next::Incomplete;
        };
        let ill = Next::Ill(match bytes[2] {
            _ if encoding != Encoding::Gb18030 => 1,
            0x81..=0xFE => 4,
            _ => 3,
        });
        let mut room = [0; 4];
        let text = encoding.decode_into(bytes, &mut room).unwrap_or_default();
        match text.chars().next().map(u32::from) {
            // Characters with two bytes in the edition of 2005 have no four-byte sequence.
            Some(point @ 0..0x1_0000)
                if encoding == Encoding::Gb18030 && self.slot_of(point) != 0 =>
            {
                ill
            }
            Some(point) => Next::Point(point, 4),
            None => ill,
        }
    }

    /// The four bytes of a code point, in GB 18030 and EUC-TW.
    fn encode_four(&self, point: u32) -> Option<[u8; 4]> {
        let mut text = [0; 4];
        let text = char::from_u32(point)?.encode_utf8(&mut text);
        let mut bytes = [0; 4];
        let length = self.four?.encode_into(text, &mut bytes).ok()?;
        (length == 4).then_some(bytes)
    }

    fn slot_of(&self, point: u32) -> Bytes {
        let page = self.pages.get(point as usize / PAGE).map_or(0, |page| usize::from(*page));
        self.bytes[page][point as usize % PAGE]
    }

    /// Fast path: decodes characters from the start of `src` that are single code points. Returns
    /// bytes read and code points written, or zeros if the first character is something else.
    pub(crate) fn decode_prefix(&self, src: &[u8], dst: &mut [u32]) -> (usize, usize) {
        let first = &self.nodes[0];
        let (mut read, mut written) = (0, 0);
        while self.keeps_ascii
            && let Some(bytes) = src.get(read..).and_then(<[u8]>::first_chunk::<RUN>)
            && let Some(points) = dst.get_mut(written..).and_then(<[u32]>::first_chunk_mut::<RUN>)
            && bytes.is_ascii()
        {
            *points = bytes.map(u32::from);
            read += RUN;
            written += RUN;
        }
        // Decode this many bytes before trying US-ASCII again.
        let end = src.len().min(if self.keeps_ascii { read + 8 * RUN } else { src.len() });
        let src = &src[..end];
        while let (Some(byte), Some(slot)) = (src.get(read), dst.get_mut(written)) {
            let mut entry = first[usize::from(*byte)];
            let mut length = 1;
            if entry & !NUMBER == NODE {
                let Some(byte) = src.get(read + 1) else { break };
                entry = self.nodes[(entry & NUMBER) as usize][usize::from(*byte)];
                length = 2;
            }
            if entry & !NUMBER != POINT {
                break;
            }
            *slot = entry & NUMBER;
            read += length;
            written += 1;
        }
        (read, written)
    }

    /// Fast path: encodes code points from the start of `src` to `dst`. Returns code points read
    /// and bytes written, or zeros if the charset lacks the first one or `dst` has less space than
    /// [`RUN`] bytes.
    pub(crate) fn encode_prefix(&self, src: &[u32], dst: &mut [u8]) -> (usize, usize) {
        let (mut start, mut written) = (0, 0);
        while self.keeps_ascii
            && let Some(points) = src.get(start..).and_then(<[u32]>::first_chunk::<RUN>)
            && let Some(room) = dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<RUN>)
            && points.iter().fold(0, |all, point| all | point) < 0x80
        {
            *room = points.map(|point| point as u8);
            start += RUN;
            written += RUN;
        }
        let end = src.len().min(if self.keeps_ascii { start + 8 * RUN } else { src.len() });
        if self.is_single {
            for (point, slot) in src[start..end].iter().zip(&mut dst[written..]) {
                let bytes = self.slot_of(*point);
                if bytes == 0 {
                    break;
                }
                *slot = bytes as u8;
                start += 1;
                written += 1;
            }
            return (start, written);
        }
        for (read, point) in src.iter().enumerate().take(end).skip(start) {
            let bytes = self.slot_of(*point);
            let Some(room) = dst.get_mut(written..).and_then(|dst| dst.first_chunk_mut::<4>())
            else {
                return (read, written);
            };
            // Writes four bytes; the next character overwrites the surplus ones.
            match bytes >> 24 {
                0 if self.four.is_some() => match self.encode_four(*point) {
                    Some(bytes) => {
                        *room = bytes;
                        written += 4;
                    }
                    None => return (read, written),
                },
                0 => return (read, written),
                length @ (1..=3) => {
                    *room = (bytes << 8 << (8 * (3 - length))).to_be_bytes();
                    written += length as usize;
                }
                _ => return (read, written),
            }
        }
        (end, written)
    }

    /// Whether bytes below 80 are US-ASCII, and no character depends on the next one.
    pub(crate) fn is_plain(&self) -> bool {
        self.keeps_ascii && !self.composes() && self.encoded_pairs.is_empty()
    }

    /// Whether no character has more than one byte.
    pub(crate) fn is_single(&self) -> bool {
        self.is_single
    }

    /// Whether some code points compose with the next one.
    pub(crate) fn composes(&self) -> bool {
        !self.composed.is_empty()
    }

    /// Whether `point` may compose with the next one.
    pub(crate) fn begins_composed(&self, point: u32) -> bool {
        let at = self.composed.partition_point(|(points, _)| points[0] < point);
        self.composed.get(at).is_some_and(|(points, _)| points[0] == point)
    }

    /// Whether `point` waits for the next one, in glibc: if it is encoded as one byte and may compose, or is
    /// between two that do.
    pub(crate) fn waits(&self, point: u32) -> bool {
        self.waiting.contains(&point)
    }

    fn look_for_waiting(&mut self) {
        let is_composed = |point| self.composed.iter().any(|(_, one)| *one == point);
        let points = || self.composed.iter().map(|(points, _)| points[0]);
        let letters = || points().filter(|point| !is_composed(*point));
        if let (Some(first), Some(last)) = (letters().min(), letters().max()) {
            self.waiting = first..=last;
        }
    }

    /// The code point to which two compose.
    pub(crate) fn compose(&self, points: [u32; 2]) -> Option<u32> {
        let at = self.composed.binary_search_by_key(&points, |(points, _)| *points).ok()?;
        Some(self.composed[at].1)
    }

    /// The bytes of `point`, and how many of them there are, if the table has them.
    pub(crate) fn encode_one(&self, point: u32) -> Option<([u8; 4], usize)> {
        let bytes = self.slot_of(point);
        let length = (bytes >> 24) as usize;
        (length > 0).then(|| ((bytes << 8 << (8 * (3 - length))).to_be_bytes(), length))
    }

    /// Whether `point` is the first of two code points that are one character.
    pub(crate) fn begins_pair(&self, point: u32) -> bool {
        self.encoded_pairs.iter().any(|(points, _)| points[0] == point)
    }

    /// The bytes of two code points that are one character.
    pub(crate) fn encode_pair(&self, points: [u32; 2]) -> Option<[u8; 2]> {
        let found = self.encoded_pairs.iter().find(|(pair, _)| *pair == points);
        found.map(|(_, bytes)| *bytes)
    }

    /// The bytes of `point`, if there are two.
    pub(crate) fn encode_two(&self, point: u32) -> Option<[u8; 2]> {
        let bytes = self.slot_of(point);
        (bytes >> 24 == 2).then(|| (bytes as u16).to_be_bytes())
    }

    /// The bytes of `point`: the last `n` of the four, where `n` is the second value.
    #[cfg(test)]
    pub(crate) fn encode(&self, point: u32) -> Option<([u8; 4], usize)> {
        let page = *self.pages.get(point as usize / PAGE)?;
        let bytes = self.bytes[usize::from(page)][point as usize % PAGE];
        (bytes != 0).then(|| (bytes.to_be_bytes(), (bytes >> 24) as usize))
    }
}

/// Bytes preceded by their number.
fn packed(bytes: &[u8]) -> Bytes {
    debug_assert!(bytes.len() < 4, "{bytes:X?}");
    let value = bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte));
    value | (bytes.len() as u32) << 24
}

fn number(text: &str) -> Option<u32> {
    u32::from_str_radix(text, 16).ok()
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
