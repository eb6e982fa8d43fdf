//! Inputs of targets that convert text: [`HEAD`] bytes of choices, then the text. Zero selects the
//! usual choice, so a vector preceded by zeros is an input.

use utfall::{
    Bom, Encoding, Escape, Granularity, Options, Policy, Substitute, Utf7Options, Utf7Tolerance,
};

/// Bytes of choices; not every target uses all of them.
pub const HEAD: usize = 24;
/// Bytes of a text that is repeated: more than a stream converts in one step.
const LONGEST: usize = 5000;

/// An input that is being read.
pub struct Input<'a> {
    choices: std::slice::Iter<'a, u8>,
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    /// Starts reading.
    pub fn new(data: &'a [u8]) -> Self {
        let (head, rest) = data.split_at(data.len().min(HEAD));
        Self { choices: head.iter(), rest }
    }

    /// The next choice.
    pub fn byte(&mut self) -> u8 {
        self.choices.next().copied().unwrap_or(0)
    }

    /// Chooses one of these.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::from(self.byte()) % choices.len()]
    }

    /// A set of eight booleans.
    pub fn flags(&mut self) -> impl Iterator<Item = bool> + use<> {
        let byte = self.byte();
        (0..8).map(move |bit| byte >> bit & 1 == 1)
    }

    /// The encoding with a number, which does not change when another encoding is added.
    pub fn encoding(&mut self) -> Encoding {
        // Numbers from 200 on take two bytes, so that inputs of the corpus keep their encodings.
        let number = match usize::from(self.byte()) {
            number @ ..200 => number,
            high => 200 + ((high - 200) << 8 | usize::from(self.byte())),
        };
        let known = Encoding::ALL.iter().find(|encoding| **encoding as usize == number);
        *known.unwrap_or(&Encoding::ALL[number % Encoding::ALL.len()])
    }

    /// Any options of a conversion. Takes seven bytes.
    pub fn options(&mut self) -> Options {
        let policies = [
            Policy::Strict,
            Policy::Replace,
            Policy::Escape(Escape::Braces),
            Policy::Escape(Escape::Xml),
            Policy::Escape(Escape::Python),
            Policy::SurrogateEscape,
            Policy::Skip,
        ];
        let granularities = [
            Granularity::MaximalSubpart,
            Granularity::PerByte,
            Granularity::Jdk,
            Granularity::Perl,
        ];
        // The longest one allowed is longer than the space that a stream must be given.
        let texts = [
            "[é☺]",
            "",
            "\u{FEFF}",
            "+\u{1F600}\u{AC00}\u{1F600}-\u{1F600}+ééééé日本語日本語日本語",
        ];
        let substitutes = [None, None, Substitute::new(texts[0]), Substitute::new(texts[1])];
        let others = [None, None, Substitute::new(texts[2]), Substitute::new(texts[3])];
        let (on_ill_formed, on_unencodable) = (self.one_of(&policies), self.one_of(&policies));
        let granularity = self.one_of(&granularities);
        let bom = self.one_of(&[Bom::Auto, Bom::Keep, Bom::Strip, Bom::Add]);
        let choice = self.byte();
        let pick = |from: [Option<Substitute>; 4], choice: u8| from[usize::from(choice % 4)];
        let leniences = u16::from_le_bytes([self.byte(), self.byte()]);
        // The oracle does not transliterate.
        Options::strict()
            .with_on_ill_formed(on_ill_formed)
            .with_on_unencodable(on_unencodable)
            .with_granularity(granularity)
            .with_replacement(pick(substitutes, choice).or(pick(others, choice >> 4)))
            .with_substitute(pick(substitutes, choice >> 2).or(pick(others, choice >> 6)))
            .with_bom(bom)
            .with_utf7(
                Utf7Options::new()
                    .with_shift_set_o(choice & 0x21 == 0x21)
                    .with_explicit_close(choice & 0x42 == 0x42),
            )
            .with_utf7_tolerance(
                Utf7Tolerance::NAMED
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| leniences >> bit & 1 == 1)
                    .fold(Utf7Tolerance::NONE, |set, (_, (_, one, _))| set | *one),
            )
    }

    /// How to cut something. Takes four bytes.
    pub fn sizes(&mut self) -> Sizes {
        let sizes = [self.byte(), self.byte(), self.byte(), self.byte()];
        Sizes { sizes: sizes.map(|size| usize::from(size).checked_sub(1)), at: 0 }
    }

    /// The text, repeated up to 17 times, for long ones. Takes one byte.
    pub fn text(&mut self) -> Vec<u8> {
        let times = self.one_of(&[1, 1, 1, 1, 2, 3, 5, 17]);
        let mut text = self.rest.repeat(times);
        text.truncate(LONGEST.max(self.rest.len()));
        text
    }
}

/// A repeating sequence of sizes.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// `None` means everything.
    sizes: [Option<usize>; 4],
    at: usize,
}

impl Sizes {
    /// All at once.
    pub const ALL: Self = Self { sizes: [None; 4], at: 0 };
    /// One at a time.
    pub const ONE: Self = Self { sizes: [Some(1); 4], at: 0 };

    /// The next size, at most `all`. From the second round on, it is never 0.
    pub fn next(&mut self, all: usize) -> usize {
        let least = usize::from(self.at >= self.sizes.len());
        let size = self.sizes[self.at % self.sizes.len()];
        self.at += 1;
        size.map_or(all, |size| size.max(least)).min(all)
    }
}
