//! Double-encoded UTF-8 must be found, and nothing else.

use std::fs;

use crate::common::testdata;
use utfall::Encoding;
use utfall::lint::{self, Finding, FindingKind, Rule, Rules};

/// The places of double-encoded text, with the original text.
fn twice(text: &str) -> Vec<(u64, u64, String)> {
    let found =
        lint::check(Encoding::Utf8, text.as_bytes(), Rules::NONE.with(Rule::DoubleEncoding));
    let shown = found.into_iter().map(|found| match found.what {
        FindingKind::DoubleEncoded { was, .. } => (found.offset, found.length, was),
        other => panic!("{other:?}"),
    });
    shown.collect()
}

/// Decodes the bytes of UTF-8 as windows-1252 or ISO-8859-1.
fn misread(text: &str, is_latin1: bool) -> String {
    const C1: [u32; 32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
        0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
    ];
    let point = |byte: u8| match byte {
        0x80..=0x9F if !is_latin1 => C1[usize::from(byte - 0x80)],
        byte => u32::from(byte),
    };
    text.bytes().map(|byte| char::from_u32(point(byte)).unwrap()).collect()
}

#[test]
fn read_as_something_else() {
    assert_eq!(twice("cafÃ©"), [(3, 4, "é".into())]);
    assert_eq!(twice("Itâ€™s"), [(2, 8, "’".into())]);
    assert_eq!(twice("ðŸ˜€"), [(0, 9, "😀".into())]);
    assert_eq!(twice("ï»¿x"), [(0, 6, "\u{FEFF}".into())]);
    for text in [
        "é",
        "À la carte",
        "garçon",
        "œuvre",
        "Grüße",
        "GRÖSSE",
        "España ¿qué?",
        "São Paulo",
        "5 °C",
        "£5",
        "©",
        "“quoted”",
        "it’s",
        "a – b — c…",
        "€",
        "™",
        "1 × 2",
        "→",
        "• point",
        "łódź",
        "wziął",
        "žluťoučký",
        "Привет",
        "Ελλάδα",
        "שלום",
        "مرحبا",
        "日本語",
        "中文",
        "한국어",
        "हिन्दी",
        "😀",
        "𝒳 and 😀😀",
        "naïve façade",
        "où",
        "ï",
        "tiếng Việt",
        "Łukasz ś",
    ] {
        for is_latin1 in [false, true] {
            let shown = misread(text, is_latin1);
            let found = twice(&shown);
            let all: String = found.iter().map(|(_, _, was)| &**was).collect();
            let expected: String = text.chars().filter(|c| !c.is_ascii()).collect();
            if [
                "œuvre",
                "1 × 2",
                "où",
                "ï",
                "łódź",
                "tiếng Việt",
                "À la carte",
                "Łukasz ś",
                "𝒳 and 😀😀",
            ]
            .contains(&text)
            {
                // Some of these are as likely to occur by chance.

                assert!(all.chars().all(|scalar| expected.contains(scalar)), "{text}: {all}");
            } else {
                assert_eq!(all, expected, "{text}: {shown}");
            }
            // The original itself is not suspicious.
            assert_eq!(twice(text), []);
        }
    }
}

/// Correct text with accidental sequences.
#[test]
fn read_as_what_it_is() {
    for text in [
        "« Il a parlé… »",
        "il a parlé…»",
        "« voilà\u{A0}»",
        "à\u{A0}»",
        "LIBERTÉ\u{A0}» LIBERTÉ…",
        "AMANHû",
        "MANHÔ",
        "MANHÃ…",
        "a letra “Ã”",
        "die Straße“ und „Spaß…“",
        "Spaß…",
        "12 Å³",
        "3 Å²",
        "„Ä“ und „Ö“",
        "É…",
        "À\u{A0}!",
        "ROMÂ\u{A0}», a letra Â…",
        "Ã, Â, Ä",
        "fiancé’s",
        "cliché—and",
        "café–bar",
        "CAFÉ’S",
        "‘Noël’ — “Noël”",
        "« é »",
        "ÿ",
        "ÃO, SÃO PAULO",
        "ANÕES",
        "ñ ò ó ô…",
        "Tiếng Việt: Ấ Ầ Ẩ Ă Â Đ Ê Ô Ơ Ư",
        "Đường sắt đô thị",
        "ngày mai trời lại sáng…»",
        "São Tomé e Príncipe",
        "coração», não—sim",
        "à demain…",
        "où ?",
        "Ça, là : « ici »",
        "naïve\u{AD}té",
        "10 °C, 5 µm ± 2 ¼",
        "ð\u{A0}þ",
        "Þetta er það…",
        "Ünlü",
        "ÉÉ",
        "×—×",
        "5×²",
        "ü³",
        "ô…»",
        "Málaga–Córdoba",
        "áššit ja áššá",
        "íž, áž",
        "José’s, María’s",
        "¿Qué…?",
        "¡Olé!»",
        "Größe »X«",
        "„Führer“",
        "na\u{EF}ve",
        "ΑΒΓ",
        "Åse—Åse",
    ] {
        assert_eq!(twice(text), [], "{text}");
    }
}

/// The corpora are not suspicious, except for known findings.
#[test]
fn corpora() {
    let rules = Rules::ALL.without(Rule::FinalNewline).without(Rule::BidiMark);
    let mut files = 0;
    for file in fs::read_dir(testdata("corpora")).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read(&path).unwrap();
        let found = lint::check(Encoding::Utf8, &text, rules);
        // Marks that someone copied with the text.
        let marks = match path.file_name().and_then(|name| name.to_str()) {
            Some("wiki-english.utf8.txt") => 18,
            Some("Emoji-Lipsum.utf8.txt") => 2,
            _ => 0,
        };
        let is_mark = |one: &Finding| matches!(one.rule, Rule::Bom | Rule::BomInside);
        assert!(found.iter().all(is_mark), "{}: {found:?}", path.display());
        assert_eq!(found.len(), marks, "{}", path.display());
        files += 1;
        // The same text, misread.
        let text = String::from_utf8(text).unwrap();
        let beyond = text.chars().filter(|scalar| !scalar.is_ascii()).count();
        let shown = misread(&text, false);
        let was: Vec<_> = twice(&shown);
        let seen: usize = was.iter().map(|(_, _, was)| was.chars().count().min(64)).sum();
        println!(
            "{}: {beyond} beyond ASCII, {} runs, {seen} characters shown",
            path.display(),
            was.len()
        );
        assert!(beyond < 100 || !was.is_empty());
    }
    assert!(files > 10);
}
