//! Damage below the level of characters, edge cases, and streams.

use crate::common::{corpora, reversed};
use utfall_repair::{Options, Repairer, repair, repair_with};

/// Checks the repaired text, and that it can be reversed.
#[track_caller]
fn check(text: impl AsRef<[u8]>, right: impl AsRef<[u8]>) {
    let (text, right) = (text.as_ref(), right.as_ref());
    let repaired = repair(text);
    assert_eq!(
        String::from_utf8_lossy(&repaired.bytes),
        String::from_utf8_lossy(right),
        "{:?}",
        repaired.changes
    );
    assert_eq!(repaired.bytes, right);
    assert_eq!(reversed(&repaired), text);
    for change in repaired.changes {
        assert_eq!(change.chain.apply(&change.after), Some(change.before), "{}", change.chain);
    }
}

#[test]
fn surrogates() {
    check(b"so \xED\xA0\xBD\xED\xB8\x80\xED\xA0\xBD\xED\xB8\x81 so", "so 😀😁 so");
    // Decoded as ISO-8859-1.
    let text: String = b"so \xED\xA0\xBD\xED\xB8\x80 so".iter().map(|o| char::from(*o)).collect();
    check(text, "so 😀 so");
    // Lone surrogates stay.
    check(b"\xED\xA0\xBD", b"\xED\xA0\xBD");
    check(b"\xED\xB8\x80\xED\xA0\xBD \xED\xA0\xBDx", b"\xED\xB8\x80\xED\xA0\xBD \xED\xA0\xBDx");
}

/// Undoing the last misreading leaves only UTF-8 sequences, so the first one needs little evidence.
#[test]
fn short_text_that_was_misread_twice() {
    check("ÃƒÂ¨", "è");
    check("Ã…Â\u{A0}iandien", "Šiandien");
    check("Diapositivo de Ð“Â\u{AD}ndice", "Diapositivo de índice");
    check("La dimensione del file âˆšÂ® %1", "La dimensione del file è %1");
}

/// Two charsets restore equally common letters, but only one gives words of a language.
#[test]
fn letters_of_one_language() {
    check(
        "Die BĂ¤ckerei schlieĂźt heute frĂĽher als ĂĽblich.",
        "Die Bäckerei schließt heute früher als üblich.",
    );
    check("Pra┼íome ─»vesti slapta┼¥od─»", "Prašome įvesti slaptažodį");
    check("El niĂąo pequeĂąo comiĂł piĂąa.", "El niño pequeño comió piña.");
    check(
        "NĂŁo hĂĄ soluĂ§ĂŁo rĂĄpida para a inflaĂ§ĂŁo.",
        "Não há solução rápida para a inflação.",
    );
}

#[test]
fn overlong() {
    check(b"a\xC0\x80b", b"a\0b");
    check(["déjà né à ".as_bytes(), b"\xC1\xA1"].concat(), "déjà né à a");
    check(b"a\xE0\x80\xAFb \xF0\x82\x82\xAC", "a/b €");
    // Two letters in ISO 8859-1, or something else.
    check(b"a\xC1\xA1b", b"a\xC1\xA1b");
    assert_eq!(
        repair_with(b"a\xC1\xA1b", Options::default().with_min_confidence(0.5)).bytes,
        b"aab"
    );
    check(b"\xC1\xA1 d\xE9j\xE0", b"\xC1\xA1 d\xE9j\xE0");
}

#[test]
fn byte_order_marks() {
    check("\u{FEFF}a\n\u{FEFF}b\n", "\u{FEFF}a\nb\n");
    check("\u{FEFF}\u{FEFF}a\n", "\u{FEFF}a\n");
    check("ï»¿a\nï»¿b\n", "\u{FEFF}a\nb\n");
    // Inside a line it may be intended.
    check("a\u{FEFF}b", "a\u{FEFF}b");
    check("the mark shows as ï»¿ there", "the mark shows as ï»¿ there");
}

/// The two bytes of a C1 control are common in double-byte charsets.
#[test]
fn other_charsets_stay() {
    for corpus in corpora() {
        for label in ["GBK", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "windows-1251", "KOI8-R"] {
            let encoding = utfall::Encoding::for_label(label).unwrap();
            let lines = corpus.all.iter().filter_map(|line| encoding.encode(line).ok());
            let bytes = lines.collect::<Vec<_>>().join(&b'\n');
            let repaired = repair(&bytes);
            assert_eq!(repaired.bytes, bytes, "{} in {label}: {:?}", corpus.name, repaired.changes);
        }
    }
}

#[test]
fn binary_texts_stay() {
    let text = b"\x89PNG\r\n\0\0tEXt Andr\xC3\x83\xC2\xA9\n\xC2\x93so\xC2\x94\n";
    let repaired = repair(text);
    assert_eq!((&repaired.bytes[..], repaired.changes.len()), (&text[..], 0));
    assert_eq!(repaired.skipped[0].reason, utfall_repair::Reason::Binary);
    let forced = repair_with(text, Options::default().with_force(true));
    assert!(forced.bytes.ends_with("André\n“so”\n".as_bytes()), "{forced:?}");
}

#[test]
fn utf16() {
    let le = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let be = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
    check(
        [&b"log\n"[..], &le("one line\r\n\r\nanother\n\nend")].concat(),
        "log\none line\r\n\r\nanother\n\nend",
    );
    check([&b"log\n"[..], &be("one line\nanother")].concat(), "log\none line\nanother");
    check(le("whole text\nin two lines"), "whole text\nin two lines");
    // Decoded as ISO-8859-1, then encoded as UTF-8.
    check("ÿþn\0a\0ï\0v\0e\0", "\u{FEFF}naïve");
    // A text that is UTF-16 throughout must not be changed in parts.
    let text = le("zwei Zeilen\nüber 20 €\n");
    check(&text, &text);
    let marked = [&b"\xFF\xFE"[..], &le("a text\nof two lines\n")].concat();
    check(&marked, &marked);
    check(b"bin\0\0ary\n\0\x01\0\x02", b"bin\0\0ary\n\0\x01\0\x02");
}

#[test]
fn losses() {
    // U+201D with one byte lost in three ways.
    check("â€œHiâ€\u{9D} you", "“Hi” you");
    check("â€œHiâ€ you", "“Hi” you");
    check("â€œHiâ€\u{FFFD} you", "“Hi” you");
    check("â€œHiâ€? you", "“Hi” you");
    // U+00A0 became a space.
    check("dÃ©jÃ  vu", "déjà vu");
    // Five bytes are possible.
    check("Ã©tÃ©, Ã\u{FFFD}", "été, Ã\u{FFFD}");
    check("Ã©tÃ©, Ã? non", "été, Ã? non");
}

#[test]
fn mixtures() {
    check("déjà Ã©tÃ©", "déjà été");
    check("Ã©tÃ© ÃƒÂ©tÃƒÂ©", "été été");
    check("cafÃ© and caf√©s", "café and cafés");
    check("РџСЂРёРІРµС‚, cafÃ©s", "Привет, cafés");
}

/// Chunk boundaries do not affect the result.
#[test]
fn splits() {
    let mut text = Vec::new();
    for corpus in corpora() {
        let line = corpus.sample.first().map_or("", String::as_str);
        text.extend(line.as_bytes());
        text.push(b'\n');
        let broken: String = line.bytes().map(char::from).collect();
        text.extend(broken.as_bytes());
        text.extend(b"\nplain\n\0\n\n\0\0a");
    }
    text.extend("Ã©tÃ©".repeat(20_000).as_bytes());
    text.extend("ÃƒÂ© ÃƒÂ©\n".repeat(2000).as_bytes());
    text.extend("ascii ".repeat(9000).as_bytes());
    text.extend("l\0i\0n\0e\0s\0\n\0\n\0a\0n\0d\0\n\0".as_bytes());
    let expected = repair(&text);
    assert_eq!((expected.bytes, expected.changes.len()), (text.clone(), 0), "it looks binary");
    let options = Options::default().with_force(true);
    let expected = repair_with(&text, options);
    assert!(expected.changes.len() > 50);
    assert_eq!(reversed(&expected), text);
    for size in [1, 2, 3, 7, 61, 4096, 16383, 16384, 16385, 100_000] {
        let (mut bytes, mut changes, mut offset) = (Vec::new(), Vec::new(), 0);
        let mut sink = |piece: utfall_repair::Piece<'_>| {
            assert_eq!(piece.offset, offset);
            offset += piece.bytes.len() as u64;
            changes.extend_from_slice(piece.changes);
            piece.repaired(|part| {
                bytes.extend_from_slice(part);
                Ok::<_, ()>(())
            })
        };
        let mut repairer = Repairer::new(options);
        for part in text.chunks(size) {
            repairer.push(part, &mut sink).unwrap();
        }
        repairer.finish(&mut sink).unwrap();
        assert!(bytes == expected.bytes && changes == expected.changes, "in parts of {size}");
    }
}

/// A line without an end is repaired in parts that fit together.
#[test]
fn long_lines() {
    for (text, broken) in [("é", "Ã©"), ("😀", "ðŸ˜€"), ("é", "ÃƒÆ’Ã‚Â©"), ("l’été ", "lâ€™Ã©tÃ© ")]
    {
        let repaired = repair(broken.repeat(30_000).as_bytes());
        assert!(repaired.bytes == text.repeat(30_000).as_bytes(), "{broken}");
        assert_eq!(reversed(&repaired), broken.repeat(30_000).as_bytes());
    }
}

/// Chunk boundaries do not affect texts with escapes, and every change is reversible.
#[test]
fn json_escapes() {
    let options = Options::default().with_json_escapes(true);
    let text =
        r#"{"a":"Fran\u00c3\u00a7ois \\u00c3 \ud83d\ude00","b":"\u00C3\u00A9l\u00c3\u00A8ves"}"#;
    let right = r#"{"a":"Fran\u00e7ois \\u00c3 \ud83d\ude00","b":"\u00E9l\u00e8ves"}"#;
    let whole = repair_with(text.as_bytes(), options);
    assert_eq!(String::from_utf8_lossy(&whole.bytes), right);
    assert_eq!(reversed(&whole), text.as_bytes());
    assert!(whole.changes.iter().all(utfall_repair::Change::leads_back));
    // If all digits have the same case, the original bytes are reproduced exactly.
    let exact = |change: &&utfall_repair::Change| {
        change.chain.apply(&change.after).as_ref() == Some(&change.before)
    };
    assert_eq!(whole.changes.iter().filter(exact).count(), 2);
    is_the_same_in_pieces(text, options, &whole.bytes);
    check(text, text);
}

/// Checks that the place of a cut does not affect the result.
#[track_caller]
fn is_the_same_in_pieces(text: &str, options: Options, right: &[u8]) {
    for cut in 0..text.len() {
        let mut bytes = Vec::new();
        let mut repairer = Repairer::new(options);
        let mut sink = |piece: utfall_repair::Piece<'_>| {
            piece.repaired(|part| {
                bytes.extend_from_slice(part);
                Ok::<_, std::convert::Infallible>(())
            })
        };
        let Ok(()) = repairer.push(&text.as_bytes()[..cut], &mut sink);
        let Ok(()) = repairer.push(&text.as_bytes()[cut..], &mut sink);
        let Ok(()) = repairer.finish(&mut sink);
        assert_eq!(bytes, right, "{cut}");
    }
}

/// Entities are repaired to entities, and percent-encoding to percent-encoding, if that is enabled.
#[test]
fn html_entities_and_percent_encoding() {
    let usual = Options::default();
    let html = usual.with_html_entities(true);
    let percent = usual.with_percent_encoding(true);
    for (options, text, right) in [
        (
            html,
            "<p>caf&Atilde;&copy; &amp; d&Atilde;&copy;j&Atilde;&nbsp;",
            "<p>caf&eacute; &amp; d&eacute;j&agrave;",
        ),
        (html, "caf&#195;&#169; &#233;&#xE9;", "caf&#233; &#233;&#xE9;"),
        (html, "caf&#xc3;&#xa9;", "caf&#xE9;"),
        (html, "l&acirc;&euro;&trade;&Atilde;&copy;t&Atilde;&copy;", "l&rsquo;&eacute;t&eacute;"),
        // In numbers, C1 controls are windows-1252.
        (html, "&#195;&#137;t&#195;&#169;", "&#201;t&#233;"),
        // `Å™` is the form of a letter that HTML 4 has no name for.
        (html, "p&Aring;&trade;&Atilde;&shy;li&Aring;&iexcl;", "p&#345;&iacute;li&scaron;"),
        // Two layers.
        (html, "&Atilde;&fnof;&Acirc;&copy;t&Atilde;&fnof;&Acirc;&copy;", "&eacute;t&eacute;"),
        // Only U+00A0 is an entity.
        (html, "voilÃ&nbsp; tout, dÃ©jÃ&nbsp;", "voilà tout, déjà"),
        (percent, "/caf%C3%83%C2%A9/%C3%A8/%20%E9", "/caf%C3%A9/%C3%A8/%20%E9"),
        (percent, "/d%c3%83%c2%a9j%c3%83%c2%a0", "/d%c3%a9j%c3%a0"),
    ] {
        let repaired = repair_with(text.as_bytes(), options);
        assert_eq!(String::from_utf8_lossy(&repaired.bytes), right, "{:?}", repaired.changes);
        assert_eq!(reversed(&repaired), text.as_bytes());
        assert!(repaired.changes.iter().all(utfall_repair::Change::leads_back), "{text}");
        is_the_same_in_pieces(text, options, &repaired.bytes);
        // Right text stays, and so do escapes that are not enabled.
        assert!(repair_with(right.as_bytes(), options).changes.is_empty(), "{right}");
        if text.is_ascii() {
            check(text, text);
        }
    }
    let text = "caf&Atilde;&copy; ".repeat(3000);
    let repaired = repair_with(text.as_bytes(), html);
    assert!(repaired.bytes == "caf&eacute; ".repeat(3000).as_bytes());
    assert_eq!(reversed(&repaired), text.as_bytes());
}
