//! Languages: the letters of US-ASCII that their words lack, and some of their commonest words that
//! are all US-ASCII.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::table::CODES;

const WORDS: [(&str, &str, &str); 32] = [
    ("az", "w", "bir bu da olan ile sonra"),
    ("bs", "qwxy", "je i u na se za da su od ne s ili po kao nije sam"),
    ("ca", "kw", "el la els les de que i en un una per amb del al"),
    ("crh", "wx", "bir ve bu da olan ile"),
    ("cs", "qwx", "na je se v to a z do pro ale jako si tak po od jsem byl"),
    ("da", "", "og at det som en af ikke jeg har med til den var der"),
    (
        "de",
        "",
        "der die das und ist nicht ein eine mit von auf den dem sich wir ich hat schon auch",
    ),
    ("es", "kw", "el la los las de que y en un una por con para se del al es su"),
    ("et", "qwxy", "ja on ei see oli et kui aga ning"),
    ("fi", "", "ja on ei se oli mutta niin kuin joka tai ovat"),
    ("fo", "cqwxz", "og er ikki at sum av til ein"),
    ("fr", "", "le la les de des et est un une que pour dans qui pas sur au ce il je"),
    ("gl", "jkwy", "o a os as de que e do da un unha para con se por non na"),
    ("hr", "qwxy", "je i u na se za da su od ne s ili po kao nije sam"),
    ("hu", "qwx", "a az egy nem hogy is meg ez volt van csak mint"),
    ("is", "cqwz", "og er ekki en um var hann sem til af"),
    ("it", "jkwxy", "il la di che e un una per non con del della sono si le dei"),
    ("lt", "qwx", "ir tai kad yra su ne kaip bet per"),
    ("lv", "qwxy", "un ir ar no uz par kas bet tas"),
    ("nl", "", "de het een van en dat niet met voor zijn ook maar bij nog"),
    ("nn", "", "og det som ein ei av ikkje eg har med til den var men vi"),
    ("no", "", "og at det som en et av ikke jeg har med til den var men vi"),
    ("pl", "qvx", "na nie to jest do w z i sie o jak ale co po ze tak od czy"),
    ("pt", "kwy", "o a os as de que e do da em um uma para com se por mais no na"),
    ("ro", "kqwy", "si de la un o cu nu pe din care ce este sunt pentru mai"),
    ("sk", "qwx", "na je sa v to a z do pre ale ako si tak po od som bol"),
    ("sl", "qwxy", "je in na se v za da so ki pa ne z bi ali po od sem"),
    ("sq", "w", "dhe e nuk me per ka do si se i nga"),
    ("sr-latin", "qwxy", "je i u na se za da su od ne s ili po kao nije sam"),
    ("sv", "", "och att det som en ett av inte jag har med till den var men om"),
    ("tr", "qwx", "bir ve bu da olan ile daha gibi sonra ama kadar"),
    ("vi", "fwz", "la va cho trong theo khi sau trang tin"),
];

/// A language with words.
pub(super) struct Language {
    /// Its place in the table.
    pub(super) index: usize,
    /// A bit for each letter that it lacks.
    lacking: u32,
}

impl Language {
    pub(super) fn lacks(&self, letter: u8) -> bool {
        letter.is_ascii_lowercase() && self.lacking >> (letter - b'a') & 1 == 1
    }
}

static ALL: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let index = |code: &str| CODES.iter().position(|other| *other == code).unwrap_or(0);
    let set = |letters: &str| letters.bytes().fold(0, |set, letter| set | 1 << (letter - b'a'));
    WORDS.map(|(code, lacking, _)| Language { index: index(code), lacking: set(lacking) }).into()
});

/// The languages of each word, with one bit for each.
static BY_WORD: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for (index, (_, _, words)) in WORDS.iter().enumerate() {
        words.split(' ').for_each(|word| *all.entry(word).or_insert(0) |= 1 << index);
    }
    all
});

pub(super) fn all() -> impl Iterator<Item = &'static Language> {
    ALL.iter()
}

/// The languages of a word.
pub(super) fn of(word: &str) -> u32 {
    BY_WORD.get(word).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_is_in_the_table() {
        for (code, lacking, words) in WORDS {
            assert!(CODES.contains(&code), "{code}");
            assert!(lacking.bytes().all(|letter| letter.is_ascii_lowercase()));
            assert!(!words.contains(|c: char| lacking.contains(c)), "{code}");
        }
    }
}
