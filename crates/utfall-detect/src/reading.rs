//! Decodes a sample in one encoding and computes its cost.

use unicode_script::Script;
use utfall::{Bom, Decoder, Encoding, ErrorKind, Family, Options, Status, Utf7Tolerance};

use crate::cost::{Bits, bits};
use crate::model::{ILL_FORMED, Model};
use crate::sample::Piece;

/// Code points decoded at a time.
const BLOCK: usize = 256;
/// Cost of a literal `+` before a number, as in the dates of mail.
const NUMBER: Bits = bits(1);
/// Cost of an encoded shift character (`+-`). It is no less than that of a `-`, so that lines of
/// `+-+-+` do not seem to gain by it.
const WRITTEN_SHIFT: Bits = 100;
/// Cost of a literal `\\` or `~`, which UTF-7 does not allow but writers often leave.
const NOT_DIRECT: Bits = bits(6);
/// A character of a multi-byte charset between two letters of US-ASCII.
const ALONE_IN_WORD: Bits = bits(10);
/// A letter or closing bracket of a multi-byte charset before a letter of US-ASCII, but not after one: its
/// trail byte may have been a letter.
const ALONE_BEFORE_WORD: Bits = bits(6);
/// A character of a multi-byte charset next to a letter of US-ASCII, if no two of them are neighbours.
const ALL_ALONE: Bits = bits(6);
/// No letter of East Asia at all.
const WITHOUT_LETTERS: Bits = bits(12);
/// Ill-formed sequences this close to a cut are attributed to the cut.
pub(crate) const CUT: u64 = 4;

/// The result of decoding a sample in an encoding.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) encoding: Encoding,
    pub(crate) bits: Bits,
    /// Number of ill-formed sequences.
    pub(crate) errors: u64,
    pub(crate) first_error: Option<u64>,
    /// Number of code points.
    pub(crate) points: u64,
    /// Number of code points above U+FFFF.
    pub(crate) supplementary: u64,
    /// Number of non-ASCII letters, and the script of the last one.
    pub(crate) letters: u64,
    pub(crate) script: Option<Script>,
    /// The language whose letter pairs fit best, for charsets of one byte.
    pub(crate) language: &'static str,
    /// How many of its letters are foreign to that language.
    pub(crate) foreign: Foreign,
    /// The cost of its non-ASCII bytes with their neighbours, for charsets of one byte.
    pub(crate) of_pairs: Bits,
    /// The number of pairs of bytes, one of which is not US-ASCII.
    pub(crate) pairs: Bits,
    /// How many code points are above U+007F or ill-formed sequences, and their cost, for charsets
    /// of several bytes.
    pub(crate) beyond_ascii_points: Bits,
    pub(crate) beyond_ascii: Bits,
    /// Readings with equal hashes have the same text.
    pub(crate) hash: Hash,
}

/// A hash of code points: the sum of each one times a factor that depends on its place. So the places of
/// each byte can be added up before a charset of one byte gives the byte its code point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash {
    pub(crate) sum: u64,
    /// The factor of the next place.
    pub(crate) factor: u64,
}

impl Hash {
    pub(crate) const START: Self = Self { sum: 0, factor: 1 };
    /// Represents an ill-formed sequence.
    pub(crate) const ILL_FORMED: u64 = 0x11_0000;
    /// The factor of a place above that of the place before it: odd, so that it never becomes 0.
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

    pub(crate) const fn add(&mut self, point: u64) {
        self.add_all(self.factor, point);
        self.skip();
    }

    /// Adds a code point at all places with this sum of factors.
    pub(crate) const fn add_all(&mut self, factors: u64, point: u64) {
        self.sum = self.sum.wrapping_add(factors.wrapping_mul(point));
    }

    pub(crate) const fn skip(&mut self) {
        self.factor = self.factor.wrapping_mul(Self::STEP);
    }
}

/// How many letters are foreign to a language, or have symbols inside words, as if the text were in a charset
/// that is nearly the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    Few,
    Many,
    All,
}

/// Decodes at most `limit` bytes of the pieces. Stops early once the cost exceeds `most`.
pub(crate) fn read(encoding: Encoding, pieces: &[Piece], limit: usize, most: Bits) -> Reading {
    let mut reading = Reading::of(encoding);
    let mut left = limit;
    let mut costs = Costs::default();
    for piece in pieces {
        let length = piece.bytes.len().min(left);
        left -= length;
        let last = piece.last && length == piece.bytes.len();
        let begin = start(encoding, piece);
        if length <= begin {
            continue;
        }
        let offset = piece.offset + begin as u64;
        let bytes = &piece.bytes[begin..length];
        reading.piece(&mut costs, bytes, offset, last, most);
        if reading.bits > most {
            break;
        }
    }
    reading.letters = costs.model.letters;
    reading.script = costs.model.script;
    if encoding.info().family == Family::MultiByte && !costs.neighbours.are_found {
        let all = costs.neighbours.alone * ALL_ALONE;
        reading.bits += all;
        reading.beyond_ascii += all;
    }
    if encoding.info().family == Family::MultiByte
        && !costs.model.has_eastern
        && reading.beyond_ascii_points > 0
    {
        reading.bits += WITHOUT_LETTERS;
        reading.beyond_ascii += WITHOUT_LETTERS;
    }
    reading
}

/// The state on which the cost of the next character depends.
#[derive(Default)]
struct Costs {
    model: Model,
    neighbours: Neighbours,
}

/// The characters before one, in a charset of several bytes.
#[derive(Default)]
struct Neighbours {
    /// The last two.
    last: [u32; 2],
    /// Whether two characters that US-ASCII lacks were neighbours.
    are_found: bool,
    /// How many were next to letters of US-ASCII.
    alone: Bits,
}

impl Neighbours {
    /// Adds characters of US-ASCII. The first alone tells the cost of the character before it.
    fn add_ascii(&mut self, points: &[u32]) -> Bits {
        let cost = points.first().map_or(0, |first| self.add(*first));
        if let [.., before, last] = points {
            self.last = [*before, *last];
        }
        cost
    }

    /// Adds a code point. Returns the extra cost of the one before it, whose neighbours are now known.
    fn add(&mut self, point: u32) -> Bits {
        let is_letter =
            |point: u32| u8::try_from(point).is_ok_and(|byte| byte.is_ascii_alphabetic());
        let [first, second] = self.last;
        self.last = [second, point];
        if second < 0x80 {
            return 0;
        }
        self.are_found |= point >= 0x80;
        self.alone += Bits::from(is_letter(first) || is_letter(point));
        if !is_letter(point) {
            return 0;
        }
        // Brackets and other signs open words: `「Word」`, `●Word`.
        let is_opener = !matches!(
            second,
            0x3005..=0x3007 | 0x3009 | 0x300B | 0x300D | 0x300F | 0x3011 | 0x3015 | 0x3041..
        );
        match first {
            0x80.. => 0,
            first if is_letter(first) => ALONE_IN_WORD,
            _ if is_opener || second >= 0xFF00 => 0,
            _ => ALONE_BEFORE_WORD,
        }
    }
}

/// Where to start in a piece. All encodings start at about the same place, so that their costs are
/// comparable. The place is a character boundary, or as close to one as can be known.
pub(crate) fn start(encoding: Encoding, piece: &Piece) -> usize {
    if piece.offset == 0 {
        return 0;
    }
    // Multi-byte and stateful encodings start at a line.
    let half = &piece.bytes[..piece.bytes.len() / 2];
    let line = half.iter().position(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
    if is_wide(encoding) {
        let offset = piece.offset + line as u64;
        return line + (offset.next_multiple_of(4) - offset) as usize;
    }
    if encoding.info().family == Family::Utf8 && line == 0 {
        return piece.bytes.iter().take(3).take_while(|byte| matches!(**byte, 0x80..0xC0)).count();
    }
    line
}

/// Whether the code units have more than one byte.
pub(crate) fn is_wide(encoding: Encoding) -> bool {
    encoding.info().code_unit > 1
}

/// The character that begins a Base64 run.
pub(crate) fn shift(encoding: Encoding) -> Option<u8> {
    match encoding {
        Encoding::Utf7 => Some(b'+'),
        Encoding::Utf7Imap => Some(b'&'),
        _ => None,
    }
}

/// Rewrites each literal `+` before a number to `+-`, and counts them. Many writers leave the `+`
/// of dates and telephone numbers unencoded, so it is not evidence either way.
fn without_numbers(bytes: &[u8]) -> (Vec<u8>, u64) {
    let (mut made, mut count) = (Vec::with_capacity(bytes.len() + 16), 0);
    for (at, byte) in bytes.iter().enumerate() {
        made.push(*byte);
        if *byte == b'+' {
            let after = &bytes[at + 1..];
            let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_end = !after.get(digits).is_some_and(|o| o.is_ascii_alphabetic() || *o == b'/');
            if digits > 0 && is_end {
                made.push(b'-');
                count += 1;
            }
        }
    }
    (made, count)
}

/// Accepts the characters that UTF-7 writers often leave unencoded.
fn options() -> Options {
    Options::default().with_bom(Bom::Strip).with_utf7_tolerance(Utf7Tolerance::BACKSLASH_TILDE)
}

impl Reading {
    /// A reading of nothing so far.
    pub(crate) const fn of(encoding: Encoding) -> Self {
        Self {
            encoding,
            bits: 0,
            errors: 0,
            first_error: None,
            points: 0,
            supplementary: 0,
            letters: 0,
            script: None,
            language: "",
            foreign: Foreign::Few,
            of_pairs: 0,
            pairs: 0,
            beyond_ascii_points: 0,
            beyond_ascii: 0,
            hash: Hash::START,
        }
    }

    /// Adds decoded code points.
    fn points(&mut self, costs: &mut Costs, mut points: &[u32]) {
        let Costs { model, neighbours } = costs;
        let is_multi_byte = self.encoding.info().family == Family::MultiByte;
        self.points += points.len() as u64;
        while !points.is_empty() {
            let (count, cost) = model.add_ascii(points);
            let (ascii, others) = points.split_at(count);
            let mut alone = neighbours.add_ascii(ascii);
            self.bits += cost;
            ascii.iter().for_each(|point| self.hash.add(u64::from(*point)));
            points = others;
            if let Some((point, others)) = others.split_first() {
                let cost = model.add(*point);
                alone += neighbours.add(*point);
                self.bits += cost;
                if *point >= 0x80 {
                    self.beyond_ascii_points += 1;
                    self.beyond_ascii += cost;
                }
                self.hash.add(u64::from(*point));
                self.supplementary += u64::from(*point > 0xFFFF);
                points = others;
            }
            if is_multi_byte {
                self.bits += alone;
                self.beyond_ascii += alone;
            }
        }
    }

    fn piece(&mut self, costs: &mut Costs, bytes: &[u8], offset: u64, last: bool, most: Bits) {
        let (changed, designated);
        let mut bytes = bytes;
        if let Some(shift) = shift(self.encoding) {
            let written = bytes.windows(2).filter(|pair| *pair == [shift, b'-']).count();
            self.bits += written as Bits * WRITTEN_SHIFT;
        }
        if self.encoding == Encoding::Utf7 {
            let (made, count) = without_numbers(bytes);
            changed = made;
            bytes = &changed;
            self.bits += count as Bits * NUMBER;
        }
        if self.encoding == Encoding::Iso2022Kr && offset > 0 {
            // Its header is at the start of the text only.
            designated = [&b"\x1B$)C"[..], bytes].concat();
            bytes = &designated;
        }
        let mut decoder = Decoder::new(self.encoding, options());
        let (mut block, mut read) = ([0_u32; BLOCK], 0);
        costs.neighbours.last = [0; 2];
        // One error covers four bytes here; in a byte-oriented encoding, these would cost as much
        // one by one.
        let is_four = self.encoding.info().code_unit == 4;
        loop {
            let progress = decoder.decode_to_code_points(&bytes[read..], &mut block, last);
            read += progress.read;
            self.points(costs, &block[..progress.written]);
            match progress.status {
                Status::InputEmpty => {
                    self.bits += decoder.counts().tolerated as Bits * NOT_DIRECT;
                    return;
                }
                Status::OutputFull => {}
                Status::Error(error) => {
                    let at = offset + error.offset();
                    // A fragment of a character cut at the start or end of the piece.
                    let by_cut = (offset > 0 && error.offset() < CUT)
                        || (!last && error.kind() == ErrorKind::Truncated);
                    if !by_cut {
                        self.errors += 1;
                        self.first_error.get_or_insert(at);
                        self.beyond_ascii_points += 1;
                        self.beyond_ascii += ILL_FORMED;
                        self.bits += if is_four { 2 * ILL_FORMED } else { ILL_FORMED };
                    }
                    self.hash.add(Hash::ILL_FORMED);
                }
            }
            if self.bits > most {
                return;
            }
        }
    }
}

/// The cost of an encoding before decoding; rarer encodings cost more.
pub(crate) fn prior(encoding: Encoding) -> Bits {
    use Encoding as E;
    bits(match encoding {
        E::UsAscii | E::Utf8 => 0,
        E::Utf16Le => 5,
        E::Utf16Be => 6,
        E::Utf32Le | E::Utf32Be => 8,
        E::Iso2022Jp | E::Iso2022Kr => 5,
        E::Hz => 8,
        E::Iso2022Jp2 => 6,
        #[cfg(feature = "jisx0213")]
        E::Iso2022Jp3 => 6,
        #[cfg(feature = "cns")]
        E::Iso2022Cn => 6,
        #[cfg(feature = "cns")]
        E::Iso2022CnExt => 7,
        #[cfg(feature = "cns")]
        E::EucTw => 25,
        E::Cesu8 => 8,
        E::Mutf8 => 9,
        E::Wtf8 => 10,
        E::Utf8Rfc2279 => 12,
        E::Utf8Rfc2044 => 13,
        E::Utf7 => 14,
        E::Utf7Imap => 18,
        E::UtfEbcdic => 30,
        E::UtfEbcdicCdra => 34,
        E::Utf1 | E::Bocu1 => 40,
        E::Scsu => 80,
        // Most text that is well-formed UTF-8 is UTF-8, even if it has only one non-ASCII
        // character.
        E::Windows1252 => 20,
        E::Windows1250 | E::Windows1251 | E::Gbk | E::Big5 | E::ShiftJis | E::EucKr => 22,
        E::Windows1253 | E::Windows1254 | E::Windows1255 | E::Windows1256 => 23,
        E::Windows1257 | E::Windows874 | E::EucJp | E::Koi8R | E::Iso8859_2 => 23,
        E::Koi8U | E::Iso8859_5 | E::Iso8859_7 | E::Iso8859_1 | E::Windows1258 | E::Gb18030 => 24,
        E::Ibm866 | E::Iso8859_15 | E::Iso8859_6 | E::Iso8859_8I | E::Iso8859_8 => 26,
        E::Iso8859_4 | E::Iso8859_13 | E::MacCyrillic | E::Macintosh => 27,
        E::Ibm850 | E::Ibm852 | E::Iso8859_3 | E::Iso8859_14 | E::Koi8T => 28,
        E::Ibm437 | E::Ibm855 | E::Ibm862 | E::Cp737 | E::Ibm857 | E::Ibm775 => 29,
        E::MacCentraleurope | E::Viscii | E::Iso8859_10 | E::Johab => 29,
        E::MacGreek | E::MacTurkish => 29,
        E::Ptcp154 | E::Kz1048 | E::MacIcelandic => 30,
        E::MacCroatian | E::MacRomanian | E::Ibm860 | E::Ibm863 | E::Cp1125 => 31,
        // Such as ISO-8859-16, which no system has used by default. Hungarian in windows-1250 has nearly
        // the same bytes.
        _ => 33,
    })
}
