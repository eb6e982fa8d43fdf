//! Hidden text in UTF-7 (RFC 2152) and IMAP mailbox names (RFC 3501 §5.1.3).

use utfall_simd::utf7::Style;

use super::{Hidden, Kind, Place, Shown, Tell, is_high, is_low, joined};
use crate::codec::{imap_utf7, utf7};
use crate::lines::Position;

/// Set D and white space.
static SET_D: &[bool; 256] = Style::new().with_shift_set_o(true).direct();

#[derive(Debug)]
pub(super) struct Utf7 {
    is_imap: bool,
    here: Place,
    state: State,
    /// Bits of the incomplete unit, in the low end, and their number.
    bits: u32,
    count: u32,
    /// Where the first of these bits is.
    unit: Place,
    /// No unit of this run is complete yet.
    is_first: bool,
    /// A high surrogate, and where it ends. A low one may follow, even in a run directly after this
    /// one.
    high: Option<(Place, u64, u32)>,
    /// A null shift after such a high surrogate.
    null_shift: Option<Place>,
    stretch: Option<Stretch>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Direct,
    /// Directly after a run.
    AfterRun,
    /// After a shift character at this place; whether it directly followed a run.
    Shift(Place, bool),
    Run,
}

/// US-ASCII in a run.
#[derive(Debug)]
struct Stretch {
    begin: Place,
    end: u64,
    text: Shown,
    has_control: bool,
    has_brackets: bool,
    has_markup: bool,
    /// How many consecutive characters could have appeared directly.
    group: usize,
    /// Whether some characters did not need encoding.
    is_needless: bool,
}

impl Utf7 {
    pub(super) fn new(is_imap: bool) -> Self {
        let here = Place { offset: 0, position: Position::default() };
        Self {
            is_imap,
            here,
            state: State::Direct,
            bits: 0,
            count: 0,
            unit: here,
            is_first: true,
            high: None,
            null_shift: None,
            stretch: None,
        }
    }

    pub(super) fn find(&mut self, src: &[u8], last: bool, tell: Tell<'_>) {
        let shift = if self.is_imap { b'&' } else { b'+' };
        let mut at = 0;
        while let Some(&byte) = src.get(at) {
            match self.state {
                State::Direct | State::AfterRun if byte == shift => {
                    let follows_run = matches!(self.state, State::AfterRun);
                    self.state = State::Shift(self.here, follows_run);
                    self.here.offset += 1;
                    at += 1;
                }
                State::Direct | State::AfterRun => {
                    self.end_high(tell);
                    self.state = State::Direct;
                    let end = src[at..].iter().position(|byte| *byte == shift);
                    let end = end.map_or(src.len(), |end| at + end);
                    self.here.position.advance_single(&src[at..end]);
                    self.here.offset += (end - at) as u64;
                    at = end;
                }
                State::Shift(place, follows_run) if self.digit(byte).is_some() => {
                    if follows_run {
                        match self.high {
                            Some(_) => self.null_shift = Some(place),
                            None => tell(self.null_shift(place)),
                        }
                    }
                    (self.state, self.is_first, self.count) = (State::Run, true, 0);
                }
                State::Shift(..) => {
                    // A literal shift character, followed by `-`.
                    self.end_high(tell);
                    self.here.position.column += 1;
                    self.state = State::Direct;
                    if byte == b'-' {
                        self.here.offset += 1;
                        at += 1;
                    }
                }
                State::Run => {
                    if let Some(value) = self.digit(byte) {
                        self.push(value, tell);
                        self.here.offset += 1;
                        at += 1;
                        continue;
                    }
                    self.end_stretch(true, tell);
                    self.state = State::AfterRun;
                    if byte == b'-' {
                        self.here.offset += 1;
                        at += 1;
                    }
                }
            }
        }
        if last {
            self.end_stretch(true, tell);
            self.end_high(tell);
        }
    }

    fn digit(&self, byte: u8) -> Option<u32> {
        let digit = if self.is_imap { imap_utf7::digit(byte) } else { utf7::digit(byte) };
        digit.map(u32::from)
    }

    fn push(&mut self, value: u32, tell: Tell<'_>) {
        if self.count == 0 {
            self.unit = self.here;
        }
        self.bits = self.bits << 6 | value;
        self.count += 6;
        if self.count >= 16 {
            self.count -= 16;
            let unit = self.bits >> self.count & 0xFFFF;
            self.unit(unit, tell);
            self.is_first = false;
            self.unit = self.here;
        }
    }

    /// Handles a unit that ends with the current digit.
    fn unit(&mut self, unit: u32, tell: Tell<'_>) {
        let (begin, end) = (self.unit, self.here.offset + 1);
        if let (Some((high_begin, _, high)), true) = (self.high, is_low(unit)) {
            self.high = None;
            if self.null_shift.take().is_some() {
                let text = Shown::one(joined(high, unit));
                tell(high_begin.to(end, Kind::SplitSurrogates, &text, self.reason_of_pairs()));
            }
            self.advance(unit);
            return;
        }
        self.end_high(tell);
        if unit < 0x80 {
            self.push_ascii(unit as u8);
        } else {
            self.end_stretch(false, tell);
            if is_high(unit) {
                self.high = Some((begin, end, unit));
                return;
            }
            if is_low(unit) {
                let text = Shown::one(unit);
                tell(begin.to(end, Kind::Surrogate, &text, self.reason_of_pairs()));
            }
        }
        self.advance(unit);
    }

    fn advance(&mut self, unit: u32) {
        let position = &mut self.here.position;
        match unit {
            0x0A => *position = Position { line: position.line + 1, column: 1 },
            _ => position.column += 1,
        }
    }

    fn push_ascii(&mut self, byte: u8) {
        let could_be_direct = match self.is_imap {
            true => matches!(byte, b' '..=b'~'),
            // Some encoders shift every space, which hides nothing.
            false => SET_D[usize::from(byte)] && !matches!(byte, b' ' | b'\t'),
        };
        let stretch = self.stretch.get_or_insert_with(|| Stretch {
            begin: self.unit,
            end: 0,
            text: Shown::default(),
            has_control: false,
            has_brackets: false,
            has_markup: false,
            group: 0,
            is_needless: false,
        });
        stretch.end = self.here.offset + 1;
        stretch.text.push(u32::from(byte));
        stretch.has_control |= byte.is_ascii_control() && byte != b'\t';
        stretch.has_brackets |= matches!(byte, b'<' | b'>');
        stretch.has_markup |= b"<>\"'&/=@".contains(&byte);
        stretch.group = if could_be_direct { stretch.group + 1 } else { 0 };
        // One character between two others takes no more bytes in the run than outside.
        stretch.is_needless |=
            could_be_direct && (self.is_imap || self.is_first || stretch.group > 1);
    }

    fn end_stretch(&mut self, is_end_of_run: bool, tell: Tell<'_>) {
        let Some(stretch) = self.stretch.take() else { return };
        let is_needless = stretch.is_needless || is_end_of_run && stretch.group > 0;
        let kind = match () {
            () if stretch.has_control => Kind::EncodedControl,
            () if stretch.has_brackets || is_needless && stretch.has_markup => Kind::EncodedMarkup,
            () if is_needless => Kind::EncodedAscii,
            () => return,
        };
        let reason = match (self.is_imap, kind) {
            (false, Kind::EncodedControl) => {
                "RFC 2152 rule 3: tab, CR and LF are the only controls in text, and appear directly"
            }
            (false, _) => "RFC 2152 rule 1: sets D and O may appear directly",
            (true, Kind::EncodedControl) => "RFC 3501 §5.1: control characters in a name",
            (true, _) => "RFC 3501 §5.1.3: printable US-ASCII appears directly",
        };
        tell(stretch.begin.to(stretch.end, kind, &stretch.text, reason));
    }

    /// Reports a high surrogate that no low one followed.
    fn end_high(&mut self, tell: Tell<'_>) {
        if let Some((begin, end, high)) = self.high.take() {
            tell(begin.to(end, Kind::Surrogate, &Shown::one(high), self.reason_of_pairs()));
            self.advance(high);
        }
        if let Some(place) = self.null_shift.take() {
            tell(self.null_shift(place));
        }
    }

    fn null_shift(&self, place: Place) -> Hidden {
        let reason = match self.is_imap {
            true => "RFC 3501 §5.1.3: null shifts are not permitted",
            false => "RFC 2152 rule 2: a run continues to the first byte that is not a digit",
        };
        place.to(place.offset + 1, Kind::NullShift, &Shown::default(), reason)
    }

    fn reason_of_pairs(&self) -> &'static str {
        match self.is_imap {
            true => "RFC 3501 §5.1.3, RFC 2152 rule 2: surrogates come in pairs",
            false => "RFC 2152 rule 2: surrogates come in pairs",
        }
    }
}
