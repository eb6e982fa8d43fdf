//! Letters that lost their second byte: it looked like U+00A0, which became a space.

use utfall_repair::{Change, Options, repair, repair_with};

#[test]
fn half_letters_are_restored() {
    let mut wrong = Vec::new();
    for (broken, right) in [
        // French.
        ("voilÃ ", "voilà"),
        ("voilÃ  tout", "voilà tout"),
        ("Voilà, voilÃ\u{A0}", "Voilà, voilà"),
        ("dÃ©jÃ  vu", "déjà vu"),
        ("Ã  la carte", "à la carte"),
        ("Menu Ã  la carte", "Menu à la carte"),
        ("à la mode Ã  la mode", "à la mode à la mode"),
        ("Rendez-vous Ã  10h", "Rendez-vous à 10h"),
        ("jusqu'Ã  demain, lÃ -haut", "jusqu'à demain, là-haut"),
        // The space was merged with the next one.
        ("Il va Ã Paris et Ã Lyon", "Il va à Paris et à Lyon"),
        ("Elle a dÃ©jÃ Ã©tÃ© lÃ", "Elle a déjà été là"),
        // Italian, Catalan.
        ("CittÃ  del Vaticano", "Città del Vaticano"),
        ("la cittÃ Ã¨ bella", "la città è bella"),
        ("qualitÃ  e quantitÃ ", "qualità e quantità"),
        ("Ruota luminositÃ", "Ruota luminosità"),
        ("catalÃ  i castellÃ ", "català i castellà"),
        // U+00A0 alone.
        ("les paquets suivantsÂ :", "les paquets suivants\u{A0}:"),
        ("{0}Â Lj", "{0}\u{A0}Lj"),
        // Portuguese.
        ("vou Ã  praia", "vou à praia"),
        ("às vezes Ã s vezes", "às vezes às vezes"),
        ("nÃ£o Ã  toa", "não à toa"),
        // Vietnamese.
        ("lÃ  gÃ¬", "là gì"),
        ("tÃ\u{AD}nh nÄƒng nÃ y lÃ m viá»‡c", "tính năng này làm việc"),
        // Slavic languages.
        ("Å½eny a Å koda", "Ženy a Škoda"),
        ("Dvořák a Å koda", "Dvořák a Škoda"),
        ("Ten Å petr je za nebo na", "Ten Špetr je za nebo na"),
        ("Å\u{A0}koda", "Škoda"),
    ] {
        let repaired = repair(broken.as_bytes());
        assert!(repaired.changes.iter().all(Change::leads_back), "{broken}");
        let after = String::from_utf8(repaired.bytes).unwrap();
        if after != right {
            wrong.push(format!("{broken:?}: {after:?}, not {right:?}: {:?}", repaired.changes));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The line feed is not part of the line.
    let after = repair("voilÃ \nlÃ \r\n".as_bytes()).bytes;
    assert_eq!(String::from_utf8(after).unwrap(), "voilà\nlà\r\n");
}

/// Capitals that are letters of their own.
#[test]
fn capitals_stay() {
    let mut text = String::new();
    for line in [
        "NÃO",
        "MAÇÃ ",
        "MAÇÃ VERDE",
        "IRMÃ\u{A0}",
        "A IRMÃ DO JOÃO",
        "AMANHÃ",
        "LÃ  DE OVELHA",
        "ĐÃ NẴNG",
        "KHÔNG LÃ GÌ",
        "  --to-code=MÃ            bộ ký tự",
        "Ã",
        "Ã ",
        "A letra Ã é",
        "a letra Ã aparece",
        "la lettre Ã est",
        "« Ã  »",
        "[A Ã B C D]",
        "the letter Ã  here",
        "ROMÂ IA",
        "Â a",
        "&a<ă<<<Ă<â<<<Â",
        // Norwegian, Swedish, and the unit.
        "Å gjøre det",
        "Å lage mat",
        "Å bo",
        "På Å i Lofoten",
        "Seksjon 6, «Å finne i pakker»",
        "5 Å wave",
        "5 Å\u{A0}wave",
        "Å ",
    ] {
        let options = Options::default().with_min_confidence(0.5);
        let changes = repair_with(line.as_bytes(), options).changes;
        assert!(changes.is_empty(), "{line}: {changes:?}");
        text += &format!("{line}\n");
    }
    let changes = repair(text.as_bytes()).changes;
    assert!(changes.is_empty(), "{changes:?}");
}

/// A half that several letters share stays, unless a word or the language tells them apart.
#[test]
fn halves_of_other_letters_stay() {
    // `así`, `aquí`, `allí` without their soft hyphens; `í` is a word in Icelandic.
    for text in ["asÃ es la vida", "aquÃ y allÃ", "hann er Ã dag"] {
        let changes = repair(text.as_bytes()).changes;
        assert!(changes.is_empty(), "{text}: {changes:?}");
    }
}

/// A whole text in one line, as in JSON.
#[test]
fn a_line_with_many_halves_is_restored() {
    let [broken, right] =
        ["Elle est lÃ , dÃ©jÃ  ", "Elle est là, déjà "].map(|part| part.repeat(100));
    assert_eq!(repair(broken.trim_end().as_bytes()).bytes, right.trim_end().as_bytes());
}
