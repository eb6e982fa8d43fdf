//! The cost of text in mail: bytes per character, in every charset and with every transfer encoding
//! (the Discussion section of RFC 2152).
//!
//! Nothing is estimated. The text is encoded in each charset that has all its characters. For each
//! transfer encoding and for encoded words, all bytes are counted, including those that keep lines
//! short. The header fields that declare charset and transfer encoding are not counted.
//!
//! - Line ends count as CR LF, as in mail (RFC 5322 §2.3), whatever they were: two characters.
//! - Bodies in UTF-7 are measured twice: with set O written directly, and with set D only. Every
//!   run is closed.
//! - For header fields, each line of the text, without its line end, is the value of a `Subject`.
//!   It is encoded completely as encoded words (RFC 2047), or left as it is if that means the same.

use std::collections::BTreeMap;

use memchr::{memchr, memchr_iter};
use utfall::{Encoder, Encoding, Options, Origin, Status, Utf7Options};

use crate::TransferEncoding;
use crate::base64;
use crate::body::has_ascii_lines;
use crate::charset::keeps;
use crate::encoded_word::{self, Scheme, encode_payload, overhead, q_length};
use crate::quoted_printable::Length;

/// The longest line of a message, in bytes (RFC 5322 §2.1.1).
const LONGEST_LINE: usize = 998;
/// The field whose value each line is.
const FIELD: &str = "Subject: ";
/// The space for an encoded word after [`FIELD`]: such a line has at most 76 bytes (RFC 2047 §2).
const FIRST: usize = 76 - FIELD.len();
/// CR LF and a space.
const FOLD: usize = 3;
/// Bytes encoded at a time.
const BLOCK: usize = 32 << 10;
/// The longest field value, in bytes of UTF-8. The rest becomes the next value.
const LONGEST_VALUE: usize = 64 << 10;

/// A way of carrying text in mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// A US-ASCII body as it is: no NUL, CR only in line ends, lines of at most 998 bytes.
    SevenBit,
    /// The same with any bytes.
    EightBit,
    /// A body in quoted-printable.
    QuotedPrintable,
    /// A body in Base64.
    Base64,
    /// A field as it is: printable US-ASCII that cannot be mistaken for encoded words.
    Plain,
    /// A field in encoded words, Q.
    Q,
    /// A field in encoded words, B.
    B,
}

impl Way {
    /// All ways. If costs are equal, the first one is the best.
    pub const ALL: [Self; 7] = [
        Self::SevenBit,
        Self::EightBit,
        Self::QuotedPrintable,
        Self::Base64,
        Self::Plain,
        Self::Q,
        Self::B,
    ];

    /// The name.
    ///
    /// ```
    /// assert_eq!(utfall_mime::cost::Way::SevenBit.name(), "7bit");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SevenBit => TransferEncoding::SevenBit.name(),
            Self::EightBit => TransferEncoding::EightBit.name(),
            Self::QuotedPrintable => TransferEncoding::QuotedPrintable.name(),
            Self::Base64 => TransferEncoding::Base64.name(),
            Self::Plain => "plain",
            Self::Q => "Q",
            Self::B => "B",
        }
    }

    /// Whether this way is for header fields and not for bodies.
    #[must_use]
    pub const fn is_for_headers(self) -> bool {
        matches!(self, Self::Plain | Self::Q | Self::B)
    }
}

/// The destination of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A body for 7-bit transports.
    Body7Bit,
    /// A body for 8-bit transports.
    Body8Bit,
    /// Header fields.
    Header,
}

impl Purpose {
    /// Whether text for this purpose can be carried this way.
    #[must_use]
    pub const fn allows(self, way: Way) -> bool {
        match self {
            Self::Body7Bit => !way.is_for_headers() && !matches!(way, Way::EightBit),
            Self::Body8Bit => !way.is_for_headers(),
            Self::Header => way.is_for_headers(),
        }
    }
}

/// The size of an encoded text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Total bytes.
    pub bytes: u64,
    /// Bytes of the total that only keep lines short: soft line breaks, and the line ends of
    /// Base64. For encoded words: everything except the payload, including the CR LF and space
    /// between two words.
    pub framing: u64,
}

/// The costs in a charset that has all characters of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The charset.
    pub charset: Encoding,
    /// For UTF-7: whether only set D is written directly, as header fields require, and not set O.
    pub set_d_only: bool,
    sizes: [Option<Size>; Way::ALL.len()],
}

impl Row {
    /// The size of the text; `None` if it cannot be carried this way. Charsets in which the bytes
    /// of line ends have other meanings, such as UTF-16 and SCSU, are carried in Base64 only.
    #[must_use]
    pub const fn size(&self, way: Way) -> Option<Size> {
        self.sizes[way as usize]
    }

    /// The name of the charset, with the variant of UTF-7.
    ///
    /// ```
    /// let costs = utfall_mime::cost::measure("");
    /// let names: Vec<_> = costs.rows.iter().take(4).map(|row| row.name()).collect();
    /// assert_eq!(names, ["US-ASCII", "UTF-8", "UTF-7", "UTF-7 (set D)"]);
    /// ```
    #[must_use]
    pub fn name(&self) -> String {
        let set = if self.set_d_only { " (set D)" } else { "" };
        format!("{}{set}", self.charset)
    }
}

/// The costs of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Costs {
    /// Number of code points, with two per line end.
    pub characters: u64,
    /// Number of code points without line ends.
    pub field_characters: u64,
    /// The charsets that can represent the text: US-ASCII, UTF-8, UTF-7, `UNICODE-2-0`, then the
    /// others registered with IANA. Excludes those with the Hangul of Unicode 1.1, and UTF-7 for
    /// IMAP.
    pub rows: Vec<Row>,
}

impl Costs {
    /// Bytes per character, or `None` if there are no characters. For header fields, line ends do
    /// not count as characters.
    ///
    /// ```
    /// use utfall_mime::cost::{Way, measure};
    /// let costs = measure("caf\u{e9} au lait\n");
    /// let utf8 = &costs.rows[0];
    /// assert_eq!(utf8.name(), "UTF-8");
    /// let bytes = utf8.size(Way::QuotedPrintable).unwrap().bytes;
    /// assert_eq!((bytes, costs.characters), (19, 14));
    /// assert_eq!(costs.per_character(Way::QuotedPrintable, bytes), Some(19.0 / 14.0));
    /// ```
    #[must_use]
    pub fn per_character(&self, way: Way, bytes: u64) -> Option<f64> {
        let characters = if way.is_for_headers() { self.field_characters } else { self.characters };
        (characters > 0).then(|| bytes as f64 / characters as f64)
    }

    /// The way that takes the fewest bytes. Ties go to the first in the order of rows and of
    /// [`Way::ALL`]. Never chooses a charset that is not used in mail: SCSU, BOCU-1,
    /// ISO-10646-UTF-1 or CESU-8.
    ///
    /// ```
    /// use utfall::Encoding;
    /// use utfall_mime::cost::{Purpose, Way, measure};
    /// let costs = measure("Stra\u{df}e\n");
    /// let best = |purpose| costs.best(purpose).map(|(row, way)| (row.charset, way)).unwrap();
    /// assert_eq!(best(Purpose::Body7Bit), (Encoding::Iso8859_1, Way::QuotedPrintable));
    /// assert_eq!(best(Purpose::Body8Bit), (Encoding::Iso8859_1, Way::EightBit));
    /// assert_eq!(best(Purpose::Header), (Encoding::Utf7, Way::Q));
    /// ```
    #[must_use]
    pub fn best(&self, purpose: Purpose) -> Option<(&Row, Way)> {
        let ways = || Way::ALL.into_iter().filter(|way| purpose.allows(*way));
        self.rows
            .iter()
            .filter(|row| is_in_use(row.charset))
            .flat_map(|row| ways().filter_map(move |way| Some((row, way, row.size(way)?.bytes))))
            .min_by_key(|(_, _, bytes)| *bytes)
            .map(|(row, way, _)| (row, way))
    }
}

/// Whether mail readers can be expected to know a charset. CESU-8 is not intended for interchange
/// (UTR #26), and UTF-1 was withdrawn from ISO 10646.
fn is_in_use(charset: Encoding) -> bool {
    use Encoding as E;
    !matches!(charset, E::Scsu | E::Bocu1 | E::Utf1 | E::Cesu8)
}

/// Measures a text.
///
/// ```
/// use utfall_mime::cost::{Way, measure};
/// let costs = measure("日本語");
/// let row = |name| costs.rows.iter().find(|row| row.name() == name).unwrap();
/// let bytes = |name, way| row(name).size(way).unwrap().bytes;
/// assert_eq!(bytes("UTF-7", Way::SevenBit), 10); // +ZeVnLIqe-
/// assert_eq!(bytes("UTF-8", Way::QuotedPrintable), 27);
/// assert_eq!(bytes("UNICODE-2-0", Way::Base64), 8);
/// assert_eq!(bytes("UTF-8", Way::B), 24); // =?UTF-8?B?5pel5pys6Kqe?=
/// assert!(costs.rows.iter().all(|row| row.name() != "ISO-8859-1"));
/// ```
#[must_use]
pub fn measure(text: &str) -> Costs {
    let mut meter = Meter::new();
    meter.push(text);
    meter.finish()
}

/// Measures a text that arrives in chunks. Chunk boundaries do not affect the costs, and memory is
/// bounded by the chunk size. A line of more than 64 KiB counts as several fields.
///
/// ```
/// use utfall_mime::cost::{Meter, measure};
/// let mut meter = Meter::new();
/// meter.push("Hi M");
/// meter.push("om ☺!\n");
/// assert_eq!(meter.finish(), measure("Hi Mom ☺!\n"));
/// ```
#[derive(Debug)]
pub struct Meter {
    /// The charsets that have had every character so far.
    candidates: Vec<Candidate>,
    /// Text that has not been encoded yet.
    block: String,
    /// The last character was a CR, which is not in the block yet.
    cr: bool,
    /// All text was US-ASCII so far: only the first of the transparent charsets has been encoded.
    is_ascii: bool,
    /// The current field value so far.
    value: String,
    /// Total bytes of the fields, if they can stay as they are.
    plain: Option<u64>,
    characters: u64,
    field_characters: u64,
}

impl Default for Meter {
    fn default() -> Self {
        Self::new()
    }
}

impl Meter {
    /// A meter without text.
    #[must_use]
    pub fn new() -> Self {
        let first = [Encoding::UsAscii, Encoding::Utf8];
        let last = |encoding: &Encoding| {
            use Encoding as E;
            // UTF-7 has its own rows. IMAP's is not for mail, and text in Unicode 1.1 is not written anymore.
            let apart = matches!(encoding, E::Utf7 | E::Utf7Imap | E::Unicode11 | E::Unicode11Utf7);
            // Mail is not written in the charsets of glibc, code pages of DOS and EBCDIC among them.
            let is_glibc = matches!(encoding.info().origin, Origin::Glibc | Origin::Other);
            encoding.info().iana && !is_glibc && !apart && !first.contains(encoding)
        };
        let mut last: Vec<_> = Encoding::ALL.iter().copied().filter(last).collect();
        // After the Internet charsets for the same letters.
        last.sort_by_key(|encoding| matches!(encoding, Encoding::Ibm866 | Encoding::Macintosh));
        let mut candidates: Vec<_> = first.into_iter().map(Candidate::new).collect();
        candidates.push(Candidate::new(Encoding::Utf7));
        candidates.push(Candidate::set_d_only());
        candidates.push(Candidate::new(Encoding::Unicode20));
        candidates.extend(last.into_iter().map(Candidate::new));
        Self {
            candidates,
            block: String::with_capacity(BLOCK + BLOCK / 4),
            cr: false,
            is_ascii: true,
            value: String::new(),
            plain: Some(0),
            characters: 0,
            field_characters: 0,
        }
    }

    /// Adds the next chunk of text.
    pub fn push(&mut self, text: &str) {
        for piece in text.split_inclusive('\n') {
            let (mut line, end) = match piece.strip_suffix('\n') {
                Some(line) => (line, "\r\n"),
                None => (piece, ""),
            };
            if self.cr && piece != "\n" {
                self.block.push('\r');
            }
            let without_cr = line.strip_suffix('\r');
            self.cr = end.is_empty() && without_cr.is_some();
            line = without_cr.unwrap_or(line);
            self.block.push_str(line);
            self.block.push_str(end);
            if self.block.len() >= BLOCK {
                self.flush(false);
            }
        }
    }

    /// Ends the text and returns its costs.
    #[must_use]
    pub fn finish(mut self) -> Costs {
        if std::mem::take(&mut self.cr) {
            self.block.push('\r');
        }
        self.flush(true);
        let value = std::mem::take(&mut self.value);
        self.field(&value);
        self.part();
        let plain = self.plain.map(|bytes| Size { bytes, framing: 0 });
        let row = |candidate: Candidate| {
            let ([seven_bit, eight_bit, quoted], base64) = candidate.body.sizes();
            let [q, b] = [0, 1].map(|at| candidate.words.map(|words| words[at]));
            let plain = plain.filter(|_| candidate.encoding == Encoding::UsAscii);
            Row {
                charset: candidate.encoding,
                set_d_only: candidate.options.utf7.shift_set_o,
                sizes: [seven_bit, eight_bit, quoted, Some(base64), plain, q, b],
            }
        };
        Costs {
            characters: self.characters,
            field_characters: self.field_characters,
            rows: self.candidates.into_iter().map(row).collect(),
        }
    }

    fn flush(&mut self, last: bool) {
        let block = std::mem::take(&mut self.block);
        self.characters += block.chars().count() as u64;
        if !block.is_ascii() {
            self.part();
        }
        let mut room = vec![0; BLOCK];
        self.candidates.retain_mut(|candidate| {
            candidate.is_shared || candidate.encode(&block, last, &mut room)
        });
        for piece in block.split_inclusive('\n') {
            let line = piece.strip_suffix("\r\n");
            let text = line.unwrap_or(piece);
            if self.value.is_empty() && line.is_some() {
                self.field(text);
                continue;
            }
            self.value.push_str(text);
            if line.is_some() || self.value.len() >= LONGEST_VALUE {
                let value = std::mem::take(&mut self.value);
                self.field(&value);
            }
        }
        self.block = block;
        self.block.clear();
    }

    /// Gives each charset its own counts from here on. Until here, those transparent to US-ASCII
    /// shared the bytes of the first.
    fn part(&mut self) {
        if !std::mem::take(&mut self.is_ascii) {
            return;
        }
        let shared = self.candidates.first().map(|ascii| ascii.body.clone()).unwrap_or_default();
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.is_shared) {
            candidate.is_shared = false;
            candidate.body = shared.clone();
        }
    }

    fn field(&mut self, value: &str) {
        if value.is_empty() {
            return;
        }
        self.field_characters += value.chars().count() as u64;
        self.plain = self.plain.filter(|_| is_plain(value)).map(|all| all + value.len() as u64);
        let is_ascii = value.is_ascii();
        // For charsets transparent to US-ASCII, only the length of the name matters.
        let mut by_overhead = BTreeMap::new();
        for candidate in &mut self.candidates {
            let Some(words) = candidate.words else { continue };
            let sizes = if is_ascii && candidate.encoding.info().ascii_transparent {
                let key = overhead(candidate.encoding);
                *by_overhead.entry(key).or_insert_with(|| candidate.field(value))
            } else {
                candidate.field(value)
            };
            let add = |all: Size, one: Size| Size {
                bytes: all.bytes + one.bytes,
                framing: all.framing + one.framing,
            };
            candidate.words = sizes.map(|[q, b]| [add(words[0], q), add(words[1], b)]);
        }
    }
}

/// Whether a field value can stay as it is.
fn is_plain(value: &str) -> bool {
    value.len() <= LONGEST_LINE - FIELD.len()
        && value.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'))
        && !value.contains("=?")
}

/// A charset that has had every character so far.
#[derive(Debug)]
struct Candidate {
    encoding: Encoding,
    options: Options,
    encoder: Encoder<'static>,
    /// The first of the charsets is counted on its behalf.
    is_shared: bool,
    body: Body,
    /// Sizes in Q and B, if the charset is for fields.
    words: Option<[Size; 2]>,
    /// Widths of characters, if the encoding has no state.
    widths: Option<Widths>,
}

impl Candidate {
    fn new(encoding: Encoding) -> Self {
        let utf7 = Utf7Options::new().with_explicit_close(true);
        Self::with(encoding, Options::default().with_utf7(utf7))
    }

    /// UTF-7 for header fields.
    fn set_d_only() -> Self {
        let utf7 = Utf7Options::new().with_explicit_close(true).with_shift_set_o(true);
        Self::with(Encoding::Utf7, Options::default().with_utf7(utf7))
    }

    fn with(encoding: Encoding, options: Options) -> Self {
        let is_direct = encoding == Encoding::Utf7 && !options.utf7.shift_set_o;
        let info = encoding.info();
        Self {
            encoding,
            options,
            encoder: Encoder::new(encoding, options),
            is_shared: info.ascii_transparent && encoding != Encoding::UsAscii,
            body: Body {
                quoted: has_ascii_lines(encoding).then(Length::default),
                ..Body::default()
            },
            words: (!is_direct).then_some([Size::default(); 2]),
            widths: Widths::new(encoding),
        }
    }

    /// Encodes a piece of the body. Returns whether the charset has all its characters.
    fn encode(&mut self, text: &str, last: bool, room: &mut [u8]) -> bool {
        if !keeps(text, self.encoding) {
            return false;
        }
        let mut rest = text;
        loop {
            let progress = self.encoder.encode_str(rest, room, last);
            self.body.push(&room[..progress.written]);
            rest = &rest[progress.read..];
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(_) => return false,
            }
        }
        if let (true, Some(quoted)) = (last, &mut self.body.quoted) {
            quoted.finish();
        }
        true
    }

    /// The sizes of a field value in Q and in B.
    fn field(&mut self, value: &str) -> Option<[Size; 2]> {
        let encoding = self.encoding;
        let widths = self.widths.as_mut().filter(|w| w.has_feff || !value.contains('\u{FEFF}'));
        let Some(widths) = widths else {
            let words = |scheme| {
                let words = encoded_word::encode(value, encoding, Some(scheme), FIRST).ok()?;
                let mut field = Field::default();
                words.iter().for_each(|word| field.add(word.len(), overhead(encoding)));
                Some(field.size)
            };
            return Some([words(Scheme::Q)?, words(Scheme::B)?]);
        };
        let [bytes, q] = widths.mark;
        let mut packers = [
            Packer::new(encoding, q, |length| length),
            Packer::new(encoding, bytes, base64::encoded_len),
        ];
        for c in value.chars() {
            let width = widths.of(c, encoding)?;
            packers[0].put(width.q);
            packers[1].put(width.bytes);
        }
        Some(packers.map(Packer::finish))
    }
}

/// Counts of the bytes of a body in one charset.
#[derive(Clone, Debug, Default)]
struct Body {
    length: u64,
    has_8bit: bool,
    has_nul: bool,
    /// Counts; every LF follows a CR.
    cr: u64,
    lf: u64,
    /// Bytes since the last LF.
    column: usize,
    /// Bytes of the longest line, without its line end.
    longest: usize,
    /// `None` if the encoding has no ASCII line ends.
    quoted: Option<Length>,
}

impl Body {
    fn push(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        let Some(quoted) = &mut self.quoted else { return };
        quoted.push(bytes);
        self.has_8bit |= !bytes.is_ascii();
        self.has_nul |= memchr(0, bytes).is_some();
        self.cr += memchr_iter(b'\r', bytes).count() as u64;
        let mut begin = 0;
        for end in memchr_iter(b'\n', bytes) {
            self.lf += 1;
            self.longest = self.longest.max((self.column + end - begin).saturating_sub(1));
            self.column = 0;
            begin = end + 1;
        }
        self.column += bytes.len() - begin;
    }

    /// The sizes in 7bit, 8bit and quoted-printable, and in Base64, which always works.
    fn sizes(&self) -> ([Option<Size>; 3], Size) {
        let line = base64::LINE as u64;
        let digits = self.length.div_ceil(3) * 4;
        // As in `base64::encode_lines`: no line end after the last line.
        let ends = digits.div_ceil(line).saturating_sub(1) * 2;
        let base64 = Size { bytes: digits + ends, framing: ends };
        let Some(quoted) = &self.quoted else { return ([None; 3], base64) };
        let fits = self.longest.max(self.column) <= LONGEST_LINE;
        let as_is = Size { bytes: self.length, framing: 0 };
        let as_is = Some(as_is).filter(|_| fits && !self.has_nul && self.cr == self.lf);
        let quoted = Size { bytes: quoted.bytes, framing: quoted.soft };
        ([as_is.filter(|_| !self.has_8bit), as_is, Some(quoted)], base64)
    }
}

/// Counts the encoded words of a field value.
#[derive(Default)]
struct Field {
    size: Size,
    words: usize,
}

impl Field {
    /// Adds a word of `length` bytes, `frame` of them framing.
    fn add(&mut self, length: usize, frame: usize) {
        let fold = match self.words {
            // A first word that is too long for its line is folded; the space already exists.
            0 if length > FIRST => FOLD - 1,
            0 => 0,
            _ => FOLD,
        };
        self.words += 1;
        self.size.bytes += (fold + length) as u64;
        self.size.framing += (fold + frame) as u64;
    }
}

/// Counts the words that [`encoded_word::encode`] would produce, for stateless charsets. Producing
/// them took ten times as long.
struct Packer {
    field: Field,
    frame: usize,
    /// The length in bytes of a payload with this many units.
    payload: fn(usize) -> usize,
    /// The units before the first character of a word.
    mark: usize,
    /// The longest payload of this word.
    most: usize,
    /// The units in this word.
    units: usize,
}

impl Packer {
    fn new(encoding: Encoding, mark: usize, payload: fn(usize) -> usize) -> Self {
        let frame = overhead(encoding);
        let most = FIRST.saturating_sub(frame);
        Self { field: Field::default(), frame, payload, mark, most, units: mark }
    }

    /// Adds a character of this many units.
    fn put(&mut self, units: usize) {
        let is_first = |packer: &Self| packer.units == packer.mark;
        let fits = |packer: &Self| (packer.payload)(packer.units + units) <= packer.most;
        if !is_first(self) && !fits(self) {
            self.end();
        }
        if is_first(self) && !fits(self) {
            self.most = encoded_word::LONGEST - self.frame;
        }
        self.units += units;
    }

    fn end(&mut self) {
        self.field.add(self.frame + (self.payload)(self.units), self.frame);
        self.units = self.mark;
        self.most = encoded_word::LONGEST - self.frame;
    }

    fn finish(mut self) -> Size {
        if self.units > self.mark {
            self.end();
        }
        self.field.size
    }
}

/// The width of one character.
#[derive(Clone, Copy, Debug)]
struct Width {
    c: char,
    bytes: usize,
    /// Bytes in Q.
    q: usize,
}

/// The widths of characters in a stateless charset, which may begin each text with a BOM.
#[derive(Debug)]
struct Widths {
    /// Length of the BOM, in bytes and in Q.
    mark: [usize; 2],
    /// Whether U+FEFF is an ordinary character, even at the start.
    has_feff: bool,
    /// Cache: the last character seen for each remainder.
    kept: Vec<Option<Width>>,
}

impl Widths {
    const KEPT: usize = 1024;

    fn new(encoding: Encoding) -> Option<Self> {
        if encoding.info().stateful {
            return None;
        }
        let lengths = |text: &str| {
            let bytes = encode_payload(text, encoding).unwrap_or_default();
            [bytes.len(), q_length(&bytes)]
        };
        let mark = |text: &str| {
            let (one, two) = (lengths(text), lengths(&text.repeat(2)));
            [0, 1].map(|at| (2 * one[at]).checked_sub(two[at]))
        };
        let [Some(bytes), Some(q)] = mark("A") else { return None };
        let has_feff = mark("\u{FEFF}") == mark("A");
        Some(Self { mark: [bytes, q], has_feff, kept: vec![None; Self::KEPT] })
    }

    fn of(&mut self, c: char, encoding: Encoding) -> Option<Width> {
        let kept = &mut self.kept[c as usize % Self::KEPT];
        if let Some(width) = kept.filter(|width| width.c == c) {
            return Some(width);
        }
        let payload = encode_payload(c.encode_utf8(&mut [0; 4]), encoding).ok()?;
        let [bytes, q] = [payload.len(), q_length(&payload)];
        let width = Width { c, bytes: bytes - self.mark[0], q: q - self.mark[1] };
        *kept = Some(width);
        Some(width)
    }
}

#[cfg(test)]
mod tests {
    use utfall::Family;

    use super::*;

    /// Every character of a charset survives a round trip, except those that the web replaces.
    #[test]
    fn characters_come_back() {
        let mut changed = 0;
        for encoding in Meter::new().candidates.iter().map(|candidate| candidate.encoding) {
            // The others have every scalar value by design.
            if !matches!(encoding.info().family, Family::SingleByte | Family::MultiByte) {
                continue;
            }
            for c in '\0'..='\u{2FFFF}' {
                let text = &*c.to_string();
                let Ok(bytes) = encoding.encode(text) else { continue };
                let is_same = encoding.decode(&bytes).is_ok_and(|back| back == text);
                assert_eq!(is_same, keeps(text, encoding), "{encoding}: {c:?}");
                changed += u32::from(!is_same);
            }
        }
        assert_eq!(changed, 2 * 3 + (1 + 63) + 2 * 18);
    }
}
