//! IMAP mailbox names: read in any spelling, with a report, and written in the only spelling that
//! RFC 3501 §5.1.3 allows.
//!
//! The encoding itself, [`Encoding::Utf7Imap`], is strict. But servers have returned non-canonical
//! names for decades, and programs disagree on their meaning: one program treats two spellings as
//! the same mailbox, another as two.
//!
//! ```
//! use utfall::imap_name;
//!
//! // "a" must not be encoded, and the two runs must be one.
//! let name = imap_name::decode(b"&AGE-&IKw-&IKw-");
//! assert_eq!(name.text(), "a€€");
//! assert_eq!(name.canonical().as_deref(), Some("a&IKwgrA-"));
//! let kinds: Vec<_> = name.problems().iter().map(|error| error.kind().name()).collect();
//! assert_eq!(kinds, ["encoded-ascii", "null-shift", "null-shift"]);
//! ```

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::codec::{Codec, Decode, Next, Pass, imap_utf7};
use crate::{Encoding, Error, ErrorKind, Options, Utf7Tolerance};

/// A mailbox name and what was wrong with its spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    text: String,
    problems: Vec<Error>,
    has_surrogates: bool,
}

impl Name {
    /// The name. U+FFFD replaces an unpaired surrogate; all other errors in a spelling leave the
    /// text intact.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The errors in the spelling, by position. Offsets and lengths are bytes of the spelling.
    #[must_use]
    pub fn problems(&self) -> &[Error] {
        &self.problems
    }

    /// Whether the spelling is the canonical one.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        self.problems.is_empty()
    }

    /// The canonical spelling; `None` if the name has unpaired surrogates.
    ///
    /// ```
    /// use utfall::imap_name;
    /// assert_eq!(imap_name::decode(b"R&D").canonical().as_deref(), Some("R&-D"));
    /// assert_eq!(imap_name::decode(b"&2AA-").canonical(), None);
    /// ```
    #[must_use]
    pub fn canonical(&self) -> Option<String> {
        (!self.has_surrogates).then(|| encode(&self.text))
    }
}

/// Reads a mailbox name in any spelling.
///
/// Violations of RFC 3501 are reported, and read as most readers that accept them do:
///
/// - A `&` that does not begin a run is a literal `&`, also at the end.
/// - US-ASCII in a run, a run directly after another, and a surrogate pair split between two runs
///   are read as intended.
/// - A run without its `-` is accepted if it ends correctly otherwise; if not, as in `R&D`, it is
///   text.
/// - A `/` in a run is a digit if that results in whole code units and a `-` follows. Otherwise it
///   ends the run, as a hierarchy separator.
/// - Bits left over at the end of a run are ignored.
/// - Control bytes are read literally. Bytes above 7F are read as UTF-8 where they are well-formed
///   UTF-8, otherwise as ISO 8859-1.
///
/// ```
/// use utfall::{ErrorKind, imap_name};
///
/// let name = imap_name::decode(b"&U/BTFw-/Entw\xC3\xBCrfe");
/// assert_eq!(name.text(), "台北/Entwürfe");
/// let found: Vec<_> = name.problems().iter().map(|p| (p.offset(), p.kind())).collect();
/// assert_eq!(found, [(2, ErrorKind::SlashDigit), (13, ErrorKind::EightBit)]);
/// assert_eq!(name.canonical().as_deref(), Some("&U,BTFw-/Entw&APw-rfe"));
/// ```
#[must_use]
pub fn decode(spelling: &[u8]) -> Name {
    let options = Options { utf7_tolerance: tolerated(), ..Options::default() };
    let mut decoder = imap_utf7::Utf7Imap::decoder(&options);
    let mut name = Name { text: String::new(), problems: Vec::new(), has_surrogates: false };
    let mut at = 0;
    loop {
        if !decoder.is_shifted()
            && let [b'&', run @ ..] = &spelling[at..]
        {
            match Run::new(run) {
                Run::Plain => decoder.set_allow(tolerated()),
                Run::WithSlash => decoder.set_allow(tolerated() | Utf7Tolerance::SLASH_DIGIT),
                Run::None => {
                    name.push(u32::from('&'));
                    name.problem(ErrorKind::Unterminated, at, 1, None);
                    at += 1;
                    continue;
                }
            }
        }
        let ill = match decoder.next(&spelling[at..], true) {
            Next::End => return name,
            Next::Skip { length } => {
                at += length;
                continue;
            }
            Next::Point { point, length } => {
                at += length;
                name.push(point);
                continue;
            }
            Next::Ill(ill) => ill,
        };
        at += ill.consumed;
        let begin = at - ill.back;
        let mut length = ill.length;
        match first_of_utf8(&spelling[begin..]) {
            Some(scalar) if ill.kind == ErrorKind::EightBit => {
                name.text.push(scalar);
                length = scalar.len_utf8();
                at = begin + length;
            }
            _ => match ill.pass {
                Some(Pass { point, .. }) => point.into_iter().for_each(|point| name.push(point)),
                // Unreachable: every error is tolerated.
                None => name.push(u32::MAX),
            },
        }
        name.problem(ill.kind, begin, length, ill.run_bit);
    }
}

impl Name {
    fn push(&mut self, point: u32) {
        match char::from_u32(point) {
            Some(scalar) => self.text.push(scalar),
            None => {
                self.has_surrogates = true;
                self.text.push('\u{FFFD}');
            }
        }
    }

    fn problem(&mut self, kind: ErrorKind, offset: usize, length: usize, run_bit: Option<u8>) {
        let (encoding, offset, length) = (Encoding::Utf7Imap, offset as u64, length as u32);
        self.problems.push(Error { encoding, offset, length, kind, run_bit });
    }
}

/// All relaxed rules except `/` as a digit; a `&` without a run is literal.
fn tolerated() -> Utf7Tolerance {
    use Utf7Tolerance as L;
    L::END_SHIFT_KEPT
        | L::EMPTY_SHIFT_KEPT
        | L::NON_ZERO_PADDING
        | L::DANGLING_DIGITS
        | L::LONE_SURROGATES
        | L::SPLIT_PAIRS
        | L::CONTROLS
        | L::LATIN1
        | L::ENCODED_ASCII
        | L::NULL_SHIFT
        | L::UNTERMINATED
}

/// How to read the text after a `&`.
enum Run {
    /// As the decoder reads it.
    Plain,
    /// A run in which `/` is a digit.
    WithSlash,
    /// Text.
    None,
}

impl Run {
    fn new(src: &[u8]) -> Self {
        let is_digit = |byte: &u8| imap_utf7::digit(*byte).is_some();
        let digits = src.iter().take_while(|byte| is_digit(byte)).count();
        // Up to four bits are padding.
        let padding = |digits: usize| Some(6 * digits % 16).filter(|bits| *bits < 6);
        if src.get(digits) == Some(&b'/') {
            let all = src.iter().take_while(|byte| is_digit(byte) || **byte == b'/').count();
            if src.get(all) == Some(&b'-') && padding(all).is_some() {
                return Self::WithSlash;
            }
        }
        let last = src[..digits].last().and_then(|byte| imap_utf7::digit(*byte));
        match (last, padding(digits)) {
            _ if src.get(digits) == Some(&b'-') => Self::Plain,
            (None, _) => Self::Plain,
            // The run is not closed, so the rest must be correct.
            (Some(last), Some(bits)) if last & ((1 << bits) - 1) == 0 => Self::Plain,
            _ => Self::None,
        }
    }
}

/// The first character, if it is well-formed UTF-8.
fn first_of_utf8(bytes: &[u8]) -> Option<char> {
    let longest = &bytes[..bytes.len().min(4)];
    longest.utf8_chunks().next()?.valid().chars().next()
}

/// The canonical spelling of a name: runs without US-ASCII, merged with adjacent ones, and
/// otherwise only printable US-ASCII.
///
/// ```
/// use utfall::imap_name;
/// assert_eq!(imap_name::encode("~peter/mail/台北/日本語"), "~peter/mail/&U,BTFw-/&ZeVnLIqe-");
/// assert_eq!(imap_name::encode("R&D\u{7F}"), "R&-D&AH8-");
/// ```
#[must_use]
pub fn encode(text: &str) -> String {
    // Every `str` can be encoded.
    let bytes = Encoding::Utf7Imap.encode(text).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Different spellings of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Collision {
    /// The name.
    pub text: String,
    /// The indices of its spellings among those given.
    pub members: Vec<usize>,
}

/// Finds names that appear in more than one spelling, in the order of their first occurrence.
///
/// `INBOX` is the only name that ignores case (RFC 3501 §5.1). A name with unpaired surrogates has
/// no other spelling.
///
/// ```
/// use utfall::imap_name;
///
/// let names = ["inbox", "Ideen &- Pl&AOQ-ne", "INBOX", "Ideen & Pl&AOQ-ne", "INBOX"];
/// let found = imap_name::collisions(&names);
/// assert_eq!((found[0].text.as_str(), &found[0].members[..]), ("INBOX", &[0, 2, 4][..]));
/// assert_eq!((found[1].text.as_str(), &found[1].members[..]), ("Ideen & Pläne", &[1, 3][..]));
/// ```
#[must_use]
pub fn collisions(spellings: &[impl AsRef<[u8]>]) -> Vec<Collision> {
    let spelling = |at: usize| spellings[at].as_ref();
    // Compare hashes first, since a list may have millions of names. Texts are only decoded again
    // for equal hashes.
    let hash = |at| Some((hash(text_of(spelling(at))?.as_bytes()), at));
    let mut hashes: Vec<(u64, usize)> = (0..spellings.len()).filter_map(hash).collect();
    hashes.sort_unstable();
    let mut found = Vec::new();
    for same in hashes.chunk_by(|(a, _), (b, _)| a == b) {
        let places = same.iter().map(|(_, at)| *at);
        if places.clone().all(|at| spelling(at) == spelling(same[0].1)) {
            continue;
        }
        let mut members: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for at in places {
            let text = text_of(spelling(at)).unwrap_or_default();
            members.entry(text).or_default().push(at);
        }
        let differs =
            |members: &[usize]| members.iter().any(|at| spelling(*at) != spelling(members[0]));
        let different = members.into_iter().filter(|(_, members)| differs(members));
        found.extend(different.map(|(text, members)| Collision { text, members }));
    }
    found.sort_by_key(|collision| collision.members[0]);
    found
}

/// The text of a spelling, in a form that is the same for all spellings of a mailbox. `None` if it
/// has unpaired surrogates.
fn text_of(spelling: &[u8]) -> Option<String> {
    let Name { text, has_surrogates, .. } = decode(spelling);
    let is_inbox = text.eq_ignore_ascii_case("INBOX");
    (!has_surrogates).then(|| if is_inbox { "INBOX".into() } else { text })
}

/// The FNV-1a hash (Fowler, Noll, Vo). Texts with equal hashes are compared.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
