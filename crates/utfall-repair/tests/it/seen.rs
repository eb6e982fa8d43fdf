//! Cases that users saw go wrong.

use std::fs;

use crate::common::repository;
use utfall_repair::{Chain, Charset, Options, Reason, Step, repair, repair_with};

/// Correct text that was changed.
#[test]
fn correct_text_stays() {
    for text in [
        "يت\u{651}قد\u{651}م",
        "10 кБ, 20 кБ, 30 кБ",
        "ТГц",
        "рРНК",
        "água/BÂÄö",
        "0 mijë\u{A0}¤",
        "NICIODATĂ™",
        "`¬´ `",
        "الد\u{651}ق\u{651}ة:",
        // Tamil in the font encoding TSCII, and Big5, both read as windows-1252.
        "¦¾ý ¦¸¡Ã¢Â¡\tkr",
        "Í§Ä¡Å¢É¢Â¡\tsi",
        "¬\u{8a}Íò¾¢§ÃÄ¢Â¡\tau",
        "³ì¸¢Â «¦ÁÃ¢ì¸ ¿¡Î¸û\tus",
        "®Ã¡ì\tiq",
        "                               10 ¤ë 26 ¤é, 2007",
        "³oÓ°Ñ¼Æ·|Åý Tux Paint ¸ÕµÛ¥h¸ü¤J§@·~¨t²Îªº¦r«¬ÀÉ",
        // Noise, and a quotation mark within a word.
        "Mi Zoltrix vue$$@@!!\u{91}\u{9c}\u{9c}/!(*!3...",
        "SeR²qu®lehace mAlelcaféalte\u{91}lado?",
        // Bytes of UTF-8 as TeX reads them.
        "literate={{Ã€}{{\\\"a}}1 {Ã¶}{{\\\"o}}1 {ÃŒ}{{\\\"u}}1},",
        // Roots in formulas are not misread as macintosh.
        "The limit is ∞, so f(x) → √∞ as n → ∞.",
        "The roots are √±1.",
        "for x√≥0",
        "√∂u",
        "√µ is the root",
        // The name of a letter after an article.
        "L'Ã portugais est nasal.",
        "L’Ã est une lettre portugaise",
        // Other damage, which is not known how to repair.
        "ItÃ?Â¢â?¬â?¢s classic",
    ] {
        let options = Options::default().with_min_confidence(0.5);
        let repaired = repair_with(text.as_bytes(), options);
        assert!(repaired.changes.is_empty(), "{text}: {:?}", repaired.changes);
        // Among other correct lines.
        let lines = format!("naïve\ndéjà vu\n{text}\n{text}\n");
        let repaired = repair_with(lines.as_bytes(), options);
        assert!(repaired.changes.is_empty(), "{text}: {:?}", repaired.changes);
    }
}

/// Misread text that stayed, or was repaired in part.
#[test]
fn misread_text_is_restored() {
    let mut wrong = Vec::new();
    for (broken, right) in [
        ("voilÃ\u{A0} tout", "voilà tout"),
        ("il est allÃ©  Ã\u{A0} Paris", "il est allé  à Paris"),
        ("de A Ã\u{A0} Z", "de A à Z"),
        ("dÃ©jÃ  vu", "déjà vu"),
        ("Å koda a vÅ¡e ostatnÃ\u{AD}", "Škoda a vše ostatní"),
        ("âœ” No problems", "✔ No problems"),
        ("HÃ”TEL", "HÔTEL"),
        ("Zam√≤", "Zamò"),
        ("IL2RÎ³", "IL2Rγ"),
        // U+0081 is no character of text.
        ("add 1â\u{81}„2 cup", "add 1⁄2 cup"),
        ("a tie â\u{81}” below", "a tie ⁔ below"),
        // The word is there twice, and damaged in two places.
        ("expÃ©diÃ©e expédiée", "expédiée expédiée"),
        ("El se√±or vive aqu√≠", "El señor vive aquí"),
        ("√∂ffnen und schlie√üen", "öffnen und schließen"),
        ("\u{93}quoted\u{94} \u{96} it\u{92}s", "“quoted” – it’s"),
    ] {
        let repaired = repair(broken.as_bytes());
        let after = String::from_utf8(repaired.bytes).unwrap();
        if after != right {
            wrong.push(format!("{broken:?}: {after:?}, not {right:?}: {:?}", repaired.changes));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// If every line was misread, weak and quoted places are repaired too: headings, single signs and capitals.
#[test]
fn texts_misread_as_a_whole_are_restored_whole() {
    let polish = ".SH \"ZOBACZ TAKŻE\"\nZażółć gęślą jaźń, jak mówi przysłowie.\nWięcej można znaleźć w książce.\n\
        DATA_WAŻN=1\n»:source!\n";
    let czech = "Nástroj čte soubor řádek po řádku.\nPoužití je jednoduché, ale záleží na verzi.\nKLÍČ=hodnota\nDNŮ\n";
    let chinese = ".SH \"名称\"\n这个工具用来转换文本的编码。\n使用起来非常简单。\n它支持 UTF-8 和其他编码。\n.SH \"大纲\"\n“不”\n";
    let russian = "Этот ключ задаёт имя сервера.\nБез него имя выбирает программа.\n{имя} — значение этого ключа.\n'я'\n";
    for text in [polish, czech, chinese, russian] {
        for charset in ["windows-1252", "ISO-8859-1", "macintosh", "windows-1250"] {
            let step = Step::Misread { charset: Charset::from_name(charset).unwrap(), loss: None };
            for chain in [vec![step], vec![step; 2]] {
                let chain = Chain::new(chain);
                // Some charsets cannot decode all bytes.
                let Some(broken) = chain.apply(text.as_bytes()) else { continue };
                let repaired = repair(&broken);
                assert_eq!(String::from_utf8(repaired.bytes).unwrap(), text, "{chain}");
            }
        }
    }
    // Examples of code, and samples after their topic, do not make a text misread.
    let misread = "ZaÅ¼Ã³Å‚Ä‡ gÄ™Å›lÄ… jaÅºÅ„, jak mÃ³wi przysÅ‚owie.\n".repeat(3);
    let code = "assert!(is_broken(\"Ã©\"));\n// Ã©tÃ© franÃ§ais garÃ§on\n// Ã©lÃ¨ve prÃ©fÃ©rÃ©\n";
    let plain = "A line of US-ASCII.\n".repeat(70);
    let topic = format!("This is mojibake:\n{misread}{plain}The sign “Ã©” appears\n");
    // Correct lines that could be sequences: in windows-1251, and in windows-1252.
    let ukrainian = format!("{}- Ні\n", "РџСЂРёРІС–С‚ СЃРІС–С‚\n".repeat(2));
    let french = format!(
        "{}LE CAFÉ…\n«AU CAFÉ»\n",
        "L’Ã©tÃ©, les Ã©lÃ¨ves prÃ©fÃ¨rent la forÃªt\n".repeat(3)
    );
    for (text, last) in [
        (code.to_owned(), ""),
        (topic, ""),
        (ukrainian, "- Ні\n"),
        (french, "LE CAFÉ…\n«AU CAFÉ»\n"),
        (
            format!("{misread}Größe: “Ã©”\nThe sign “Ã©” appears\n"),
            "Größe: “Ã©”\nThe sign “Ã©” appears\n",
        ),
    ] {
        let repaired = String::from_utf8(repair(text.as_bytes()).bytes).unwrap();
        match last {
            "" => assert_eq!(repaired, text),
            last => assert!(repaired.ends_with(last), "{repaired}"),
        }
    }
    // The answer to an answer, quoted in a mail.
    assert_eq!(
        repair(">>> Il a Ã©tÃ© lÃ\u{A0}\n".as_bytes()).bytes,
        ">>> Il a été là\n".as_bytes()
    );
    // After a line that is right, a quoted place is an example again.
    let text = format!("{misread}Zażółć gęślą jaźń\nThe sign “Ã©” appears\n");
    let repaired = repair(text.as_bytes());
    assert_eq!(repaired.skipped.len(), 1, "{:?}", repaired.changes.last());
}

/// Text that lost bytes is completed only if one original is left.
#[test]
fn lost_bytes_are_not_guessed() {
    for (broken, right) in [
        // `à` whose U+00A0 went with the space, or `í` without its soft hyphen.
        ("aquÃ, allÃ Ã© isso", "aquÃ, allÃ é isso"),
        // Any of 33 letters, if a decoder dropped C1 controls.
        ("StraÃe", "StraÃe"),
        ("Ä ÄÃ¡s", "Ä ÄÃ¡s"),
        ("ÅszintÃ©n", "ÅszintÃ©n"),
        ("ÃsafjÃ¶rÃ°ur", "ÃsafjÃ¶rÃ°ur"),
        ("ÃrvÃ\u{AD}ztÅ±rÅ‘ tÃ¼kÃ¶rfÃºrÃ³gÃ©p", "ÃrvÃ\u{AD}ztÅ±rÅ‘ tükörfúrógép"),
        // `ö` is followed by `ß`, and by none of the others.
        ("GrÃ¶Ãe", "Größe"),
        ("â€œHiâ€ you", "“Hi” you"),
    ] {
        let repaired = repair(broken.as_bytes());
        let after = String::from_utf8(repaired.bytes).unwrap();
        assert_eq!(after, right, "{broken}: {:?}", repaired.changes);
        assert!(repaired.changes.iter().all(utfall_repair::Change::leads_back), "{broken}");
    }
}

/// `Å` may be the rest of a damaged letter at the start of a word.
#[test]
fn words_are_not_repaired_without_their_first_letter() {
    for (broken, right) in [
        ("Å Ã¡rka", "Šárka"),
        ("Å Ã¡rka a TomÃ¡Å¡", "Šárka a Tomáš"),
        ("Å Ãºmava je hezkÃ¡", "Å Ãºmava je hezká"),
        ("ÅÃ¡rka a TomÃ¡Å¡", "ÅÃ¡rka a Tomáš"),
        ("ÅÅ¥astnÃ©", "ÅÅ¥astnÃ©"),
        ("ÅÃ¶yle", "ÅÃ¶yle"),
        ("ÅÃ³dÅº", "ÅÃ³dÅº"),
        // It is a word in Swedish.
        ("Å Ã¤r vi Ã¶", "Å är vi ö"),
        ("É Ã© isso", "É é isso"),
    ] {
        let repaired = repair(broken.as_bytes());
        let after = String::from_utf8(repaired.bytes).unwrap();
        assert_eq!(after, right, "{broken}: {:?}", repaired.changes);
    }
}

/// A word next to its restored form may be shown on purpose. It is never repaired in part.
#[test]
fn no_word_is_half_repaired() {
    for text in ["Ã\u{FFFD}tÃ©", "Ã?tÃ© et aprÃ¨s"] {
        let repaired = repair(text.as_bytes());
        let after = String::from_utf8(repaired.bytes).unwrap();
        let (before, after) = (text.split(' ').next(), after.split(' ').next());
        assert_eq!(before, after, "{text}: {:?}", repaired.changes);
    }
}

/// One charset explains all places of a line, and the letters and words of its language decide which.
#[test]
fn a_line_is_restored_in_one_charset() {
    for (right, charset) in [
        ("Der Bäcker hat schon geschlossen, wir müssen morgen", "windows-1250"),
        ("José Núñez, Málaga", "ISO-8859-2"),
        ("Każdy to wie.", "ISO-8859-2"),
        ("Zielona żaba siedzi na trawie.", "ISO-8859-2"),
        ("bir kaş daha olan", "windows-1250"),
        ("Življenje je lepo", "IBM850"),
        ("Lahko bi šel, če želi", "IBM852"),
        ("Þórðarson", "windows-1252"),
    ] {
        let step = Step::Misread { charset: Charset::from_name(charset).unwrap(), loss: None };
        let broken = Chain::from(step).apply(right.as_bytes()).unwrap();
        let repaired = repair(&broken);
        assert_eq!(String::from_utf8_lossy(&repaired.bytes), right, "{:?}", repaired.changes);
        assert!(repaired.changes.iter().all(utfall_repair::Change::leads_back));
    }
    // Letters of several languages: `każdy` or `kaşdy`, `Þórðarson` or `øórðarson`.
    for broken in ["kaĹźdy", "─¢ahko", "JÃ³n ÃžÃ³rÃ°arson"] {
        assert_eq!(repair(broken.as_bytes()).changes, [], "{broken}");
    }
}

/// Misread text whose parts alone could be other misread text. Each word is restored as a whole, or stays.
#[test]
fn parts_are_not_taken_for_other_text() {
    let twice = &["windows-1251", "windows-1252"][..];
    for (right, charsets) in [
        // `¤` alone would be restored.
        ("Färgjustering", twice),
        ("Länsi-Eurooppa (ASCII/US)", twice),
        // The invisible signs would be Korean in IBM855.
        ("שם השדה \u{200F}\u{202A}'$name$'\u{202C}\u{200F} אינו קיים", twice),
        // In windows-1250, a letter that only phonetics has.
        ("<month>Shaʻban</month>", &["ISO-8859-2"]),
    ] {
        let steps = charsets.iter().map(|name| {
            let charset = Charset::from_name(name).unwrap();
            Step::Misread { charset, loss: None }
        });
        let broken = Chain::new(steps.collect()).apply(right.as_bytes()).unwrap();
        let after = repair(&broken).bytes;
        let [after, broken] = [after, broken].map(|text| String::from_utf8(text).unwrap());
        let words = after.split(' ').zip(broken.split(' ')).zip(right.split(' '));
        for ((after, broken), right) in words {
            assert!(after == broken || after == right, "{after:?}, not {right:?}");
        }
        assert_eq!(after.split(' ').count(), right.split(' ').count());
    }
}

/// Text that shows misread text on purpose stays, and the reason is told; `force` repairs it.
#[test]
fn skipped_text_has_a_reason() {
    for (text, reason, right) in [
        ("It says \"Ã©\" there", Reason::Quoted, "It says \"é\" there"),
        ("mojibake like cafÃ©", Reason::Topic, "mojibake like café"),
        ("in UTF-8, read Ã© here", Reason::Charsets, "in UTF-8, read é here"),
        ("not cafÃ© but café", Reason::Restored, "not café but café"),
        ("Ã\u{FFFD}tÃ© ", Reason::HalfWord, "Ã\u{FFFD}tÃ© "),
    ] {
        let repaired = repair(text.as_bytes());
        assert!(repaired.changes.is_empty(), "{text}: {:?}", repaired.changes);
        let reasons: Vec<Reason> = repaired.skipped.iter().map(|skipped| skipped.reason).collect();
        assert_eq!(reasons, [reason], "{text}");
        let skipped = &repaired.skipped[0];
        let begin = skipped.offset as usize;
        assert_eq!(skipped.before, text.as_bytes()[begin..begin + skipped.before.len()], "{text}");
        let options = Options::default().with_force(true);
        let forced = repair_with(text.as_bytes(), options).bytes;
        assert_eq!(String::from_utf8(forced).unwrap(), right);
    }
}

/// The pages of this repository show much misread text, and none of it may change.
#[test]
fn own_pages_stay() {
    let pages = fs::read_dir(repository("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages: Vec<_> =
        pages.filter(|page| page.extension().is_some_and(|end| end == "md")).collect();
    assert!(pages.len() > 10);
    let mut wrong = Vec::new();
    for page in pages.into_iter().chain([repository("README.md")]) {
        let text = fs::read(&page).unwrap();
        for change in repair(&text).changes {
            let texts = [&change.before, &change.after].map(|bytes| String::from_utf8_lossy(bytes));
            wrong.push(format!("{}:{}: {texts:?}", page.display(), change.line));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Examples of misread text in programs, tests and reports, which stay and are reported.
#[test]
fn examples_stay() {
    for (text, reason) in [
        ("// Prints: tÃ©st\n", Reason::Quoted),
        ("<span>// Prints: this is a tÃ©st</span>\n", Reason::Quoted),
        ("{\"input\": \"/foo%2Â©zbar\"}\n", Reason::Quoted),
        ("You may see characters like â€™ or Ã© in the output.\n", Reason::Quoted),
        ("It appears as â€™ in mails\n", Reason::Quoted),
        ("'# -*- coding: cp437 -*-\\n'\n'\"┬ó┬ó┬ó┬ó\" + f(x)'\n", Reason::Topic),
        ("open(name, 'w', encoding='cp437')\n\nf('\"┬ó┬ó┬ó┬ó┬ó┬ó\" + g')\n", Reason::Topic),
        ("assert_eq!(convert(\"é\"), \"Ã©\");\nlet bad = \"schÃ¶n\";\n", Reason::Quoted),
        ("assert fix('cafÃ©') == 'cafe'\n", Reason::Quoted),
        (">>> print(fix(\"Ã¼ber\"))\n", Reason::Quoted),
        ("# Bug: the title is displayed as \"EinfÃ¼hrung\"\n", Reason::Quoted),
        ("In Latin-1, `é` is `Ã©`, and you see `cafÃ©`.\n", Reason::Charsets),
        ("/* \"FranÃ§ois\", not \"François\" */\nchar *s = \"FranÃ§ois\";\n", Reason::Restored),
    ] {
        let repaired = repair(text.as_bytes());
        assert!(repaired.changes.is_empty(), "{text}: {:?}", repaired.changes);
        assert_eq!(repaired.skipped[0].reason, reason, "{text}");
        let forced = repair_with(text.as_bytes(), Options::default().with_force(true));
        assert_eq!(forced.changes.len(), repaired.skipped.len(), "{text}");
    }
}

/// Misread text that looks like an example but is not one: more of the line was misread, or a line before.
#[test]
fn misread_quotations_are_restored() {
    for (broken, right) in [
        ("The \"cafÃ©\" in SÃ£o Paulo is broken", "The \"café\" in São Paulo is broken"),
        ("* The cafÃ© should be open", "* The café should be open"),
        ("â€œThe cafÃ© should be openâ€\u{9d}", "“The café should be open”"),
        ("name = \"MÃ¼ller\"", "name = \"Müller\""),
        ("Things I like â€“ and others", "Things I like – and others"),
        ("costs such as â‚¬ 50", "costs such as € 50"),
        ("The cafÃ© is like Ã© there", "The café is like é there"),
        ("/foo%20Â©zbar %1Â°C â€ž%câ€œ", "/foo%20©zbar %1°C „%c“"),
        // A declaration in markup says nothing about examples.
        (
            "<meta charset=\"cp437\">\n<p title=\"┬ó┬ó┬ó\">",
            "<meta charset=\"cp437\">\n<p title=\"¢¢¢\">",
        ),
        (
            "open(n, encoding='cp437')\nname = \"MÃ¼ller\"",
            "open(n, encoding='cp437')\nname = \"Müller\"",
        ),
        ("DÃ©jÃ\u{A0} vu\nassert(\"cafÃ©\")", "Déjà vu\nassert(\"café\")"),
    ] {
        let repaired = repair(broken.as_bytes());
        assert_eq!(String::from_utf8_lossy(&repaired.bytes), right);
    }
}
