//! IMAP mailbox names: read however they are spelled, with a report, and spelled the one way
//! that RFC 3501 §5.1.3 allows.
//!
//! The encoding itself is [`Encoding::Utf7Imap`], and strict. Servers have handed out names that
//! are not canonical for decades, and programs disagree on what those mean; two spellings of one
//! name are two mailboxes to one program and one to another.
//!
//! ```
//! use utfall::imap_name;
//!
//! // "a" need not be encoded, and two runs should be one.
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
use crate::{Encoding, Error, ErrorKind, Options, Utf7Leniences};

/// A mailbox name as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    text: String,
    problems: Vec<Error>,
    has_surrogates: bool,
}

impl Name {
    /// What the name says. U+FFFD stands for a surrogate without its partner; all else that is
    /// wrong with a spelling leaves a text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is wrong with the spelling, in the order of the octets. Offsets and lengths are
    /// octets of the spelling.
    #[must_use]
    pub fn problems(&self) -> &[Error] {
        &self.problems
    }

    /// Whether the spelling is the one that the name has.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        self.problems.is_empty()
    }

    /// The spelling that the name has; none if there are unpaired surrogates in it.
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

/// Reads a mailbox name, whatever its spelling.
///
/// What RFC 3501 forbids is read as most readers do who accept it, and reported:
///
/// - A `&` that begins nothing is a `&`, also at the end.
/// - US-ASCII in a run, a run directly behind another, and a pair of surrogates in two runs are
///   read as they are meant.
/// - A run without its `-` is one if all else is right at its end; if not, as in `R&D`, it is
///   text.
/// - A `/` in a run is a digit if whole code units and a `-` come of it, and else ends the run,
///   as what divides a hierarchy.
/// - Bits left over at the end of a run are left out.
/// - Control octets stand for themselves. Octets above 7F are UTF-8 where they are well-formed
///   UTF-8, and else ISO 8859-1.
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
    let options = Options { utf7_allow: tolerated(), ..Options::default() };
    let mut decoder = imap_utf7::Utf7Imap::decoder(&options);
    let mut name = Name { text: String::new(), problems: Vec::new(), has_surrogates: false };
    let mut at = 0;
    loop {
        if !decoder.is_shifted()
            && let [b'&', run @ ..] = &spelling[at..]
        {
            match Run::new(run) {
                Run::Plain => decoder.set_allow(tolerated()),
                Run::WithSlash => decoder.set_allow(tolerated() | Utf7Leniences::SLASH_DIGIT),
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
                // Not reached: nothing is left that is not tolerated.
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

/// Everything but `/` as a digit, with each `&` kept.
fn tolerated() -> Utf7Leniences {
    use Utf7Leniences as L;
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

/// What stands behind a `&`.
enum Run {
    /// What the decoder takes it for.
    Plain,
    /// A run in which `/` is a digit.
    WithSlash,
    /// Text.
    None,
}

impl Run {
    fn new(src: &[u8]) -> Self {
        let is_digit = |octet: &u8| imap_utf7::digit(*octet).is_some();
        let digits = src.iter().take_while(|octet| is_digit(octet)).count();
        // Up to four bits pad whole units.
        let padding = |digits: usize| Some(6 * digits % 16).filter(|bits| *bits < 6);
        if src.get(digits) == Some(&b'/') {
            let all = src.iter().take_while(|octet| is_digit(octet) || **octet == b'/').count();
            if src.get(all) == Some(&b'-') && padding(all).is_some() {
                return Self::WithSlash;
            }
        }
        let last = src[..digits].last().and_then(|octet| imap_utf7::digit(*octet));
        match (last, padding(digits)) {
            _ if src.get(digits) == Some(&b'-') => Self::Plain,
            (None, _) => Self::Plain,
            // Not closed: it should be right for the rest.
            (Some(last), Some(bits)) if last & ((1 << bits) - 1) == 0 => Self::Plain,
            _ => Self::None,
        }
    }
}

/// The first character, if it is one in UTF-8.
fn first_of_utf8(octets: &[u8]) -> Option<char> {
    let longest = &octets[..octets.len().min(4)];
    longest.utf8_chunks().next()?.valid().chars().next()
}

/// The spelling of a name: no US-ASCII in runs, no run directly behind another, nothing but
/// printable US-ASCII.
///
/// ```
/// use utfall::imap_name;
/// assert_eq!(imap_name::encode("~peter/mail/台北/日本語"), "~peter/mail/&U,BTFw-/&ZeVnLIqe-");
/// assert_eq!(imap_name::encode("R&D\u{7F}"), "R&-D&AH8-");
/// ```
#[must_use]
pub fn encode(text: &str) -> String {
    // Every `str` can be encoded.
    let octets = Encoding::Utf7Imap.encode(text).unwrap_or_default();
    String::from_utf8_lossy(&octets).into_owned()
}

/// Different spellings of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The name.
    pub text: String,
    /// Which of the spellings that were given are its, by their places.
    pub members: Vec<usize>,
}

/// Finds names that are there in more than one spelling, in the order of the first of each.
///
/// `INBOX` is the same name in upper and lower case (RFC 3501 §5.1); no other is. A name with
/// unpaired surrogates has no other spelling.
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
    // Texts are kept of those alone that may be the same: a list may have millions of names.
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

/// What a spelling says, the same for all that name one mailbox; nothing if that is no text.
fn text_of(spelling: &[u8]) -> Option<String> {
    let Name { text, has_surrogates, .. } = decode(spelling);
    let is_inbox = text.eq_ignore_ascii_case("INBOX");
    (!has_surrogates).then(|| if is_inbox { "INBOX".into() } else { text })
}

/// FNV-1a (Fowler, Noll, Vo). Texts that share one by chance are compared.
fn hash(octets: &[u8]) -> u64 {
    octets.iter().fold(0xCBF2_9CE4_8422_2325, |hash, octet| {
        (hash ^ u64::from(*octet)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
