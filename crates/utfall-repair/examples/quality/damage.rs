//! Wrong decodings as they happen.

use utfall_repair::{Chain, Charset, Loss, Step};

/// A chain of wrong decodings.
pub(crate) struct Damage {
    pub(crate) name: &'static str,
    pub(crate) chain: Chain,
    /// Whether bytes are lost, so that the original may not be known any more.
    pub(crate) is_lossy: bool,
    /// Whether a space that was U+00A0 is then merged with the next one, as HTML does, or removed at the end.
    is_collapsed: bool,
}

/// Name, charsets in order, and the loss in the last.
const ALL: [(&str, &[&str], Option<Loss>); 25] = [
    ("windows-1252", &["windows-1252"], None),
    ("ISO-8859-1", &["ISO-8859-1"], None),
    ("ISO-8859-2", &["ISO-8859-2"], None),
    ("ISO-8859-15", &["ISO-8859-15"], None),
    ("windows-1250", &["windows-1250"], None),
    ("windows-1251", &["windows-1251"], None),
    ("windows-1253", &["windows-1253"], None),
    ("windows-1254", &["windows-1254"], None),
    ("windows-1257", &["windows-1257"], None),
    ("macintosh", &["macintosh"], None),
    ("IBM437", &["IBM437"], None),
    ("IBM850", &["IBM850"], None),
    ("windows-1252 twice", &["windows-1252", "windows-1252"], None),
    ("ISO-8859-1 twice", &["ISO-8859-1", "ISO-8859-1"], None),
    ("windows-1251, windows-1252", &["windows-1251", "windows-1252"], None),
    ("macintosh, windows-1252", &["macintosh", "windows-1252"], None),
    ("windows-1252, A0 made a space", &["windows-1252"], Some(Loss::Space)),
    ("ISO-8859-1, A0 made a space", &["ISO-8859-1"], Some(Loss::Space)),
    ("windows-1251, A0 made a space", &["windows-1251"], Some(Loss::Space)),
    ("windows-1252, A0 collapsed", &["windows-1252"], Some(Loss::Space)),
    ("windows-1252, bytes dropped", &["windows-1252"], Some(Loss::Dropped)),
    ("ISO-8859-1, bytes dropped", &["ISO-8859-1"], Some(Loss::Dropped)),
    ("windows-1252, lost as `?`", &["windows-1252"], Some(Loss::Replaced('?'))),
    ("windows-1252, lost as U+FFFD", &["windows-1252"], Some(Loss::Replaced('\u{FFFD}'))),
    ("windows-1251, lost as U+FFFD", &["windows-1251"], Some(Loss::Replaced('\u{FFFD}'))),
];

/// The end of the names of damage with merged spaces.
const COLLAPSED: &str = "A0 collapsed";

pub(crate) fn all() -> Vec<Damage> {
    let damage = |(name, charsets, loss): (&'static str, &[&str], Option<Loss>)| {
        let last = charsets.len() - 1;
        let step = |(index, name): (usize, &&str)| Step::Misread {
            charset: Charset::from_name(name).expect("a charset of the crate"),
            loss: loss.filter(|_| index == last),
        };
        let chain = Chain::new(charsets.iter().enumerate().map(step).collect());
        let is_collapsed = name.ends_with(COLLAPSED);
        Damage { name, chain, is_lossy: loss.is_some(), is_collapsed }
    };
    ALL.into_iter().map(damage).collect()
}

impl Damage {
    /// The damaged text. `None` if a charset has no character for a byte, or nothing changes, or a
    /// lossy chain loses nothing.
    pub(crate) fn of(&self, text: &str) -> Option<String> {
        let broken = self.apply(text)?;
        if self.is_lossy {
            let intact = self.chain.steps().iter().map(|step| match step {
                Step::Misread { charset, .. } => Step::Misread { charset: *charset, loss: None },
                step => *step,
            });
            let intact = Chain::new(intact.collect()).apply(text.as_bytes());
            if intact.as_deref() == Some(broken.as_bytes()) {
                return None;
            }
        }
        (broken != text).then_some(broken)
    }

    /// The damaged form of a text.
    fn apply(&self, text: &str) -> Option<String> {
        let mut broken = String::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            broken += &self.of_character(character, characters.peek().copied())?;
        }
        Some(broken)
    }

    /// The damaged form of a character before another one.
    pub(crate) fn of_character(&self, character: char, next: Option<char>) -> Option<String> {
        let mut text = [0; 4];
        let bytes = self.chain.apply(character.encode_utf8(&mut text).as_bytes())?;
        let mut broken = String::from_utf8(bytes).ok()?;
        let is_merged = character != ' ' && matches!(next, None | Some(' '));
        if self.is_collapsed && is_merged && broken.ends_with(' ') {
            broken.pop();
        }
        Some(broken)
    }

    /// The text after each of the steps, the original first.
    pub(crate) fn levels(&self, text: &str) -> Vec<String> {
        let steps = self.chain.steps();
        let level = |count| Chain::new(steps[..count].to_vec()).apply(text.as_bytes());
        let levels = (0..steps.len()).filter_map(|count| String::from_utf8(level(count)?).ok());
        levels.chain(self.apply(text)).collect()
    }
}
