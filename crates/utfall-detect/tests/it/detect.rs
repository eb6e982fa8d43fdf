//! Test vectors from other projects, and files that must not be misdetected.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use utfall::Encoding;
use utfall_detect::{Candidate, Detector, Evidence, Hints, Layer, detect, detect_with, signature};
use utfall_oracle::vectors::{self, Account, Case, Outcome, bytes};

fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// `testdata/dissents.tsv` lists the cases whose source expects a different result.
#[test]
fn vectors() {
    let mut account = Account::default();
    for case in vectors::detect_cases() {
        account.add(&case, run(&case));
    }
    account.close();
}

fn run(case: &Case) -> Outcome {
    let text = bytes(&case.input);
    let said = match case.direction.as_str() {
        "detect" => case.expected.as_str(),
        _ => return Outcome::NotRun("decoding that a mark decides belongs to convert".into()),
    };
    let failed = |found: &dyn Debug| Outcome::Failed(format!("{found:?} instead of {said:?}"));
    if case.mode == "signature" {
        let found = signature(&text);
        let is_right = match found {
            Some((found, length)) => {
                Encoding::for_label(said) == Some(found) && case.error_length == Some(length)
            }
            None => said.is_empty(),
        };
        return if is_right { Outcome::Passed } else { failed(&found) };
    }
    let found = detect(&text).into_iter().next();
    let Some(wanted) = Encoding::for_label(said) else {
        let is_sure = found.as_ref().is_some_and(|best| best.confidence >= 0.5);
        return if is_sure { failed(&found) } else { Outcome::Passed };
    };
    // Perl reports UTF-16 without the byte order.
    let decoded = |encoding: Encoding| {
        let decoded = encoding.decode_lossy(&text).text;
        decoded.trim_start_matches('\u{FEFF}').to_owned()
    };
    match found {
        Some(best) if decoded(best.encoding) == decoded(wanted) => Outcome::Passed,
        found => failed(&found),
    }
}

/// All source, data and prose in the repository is ASCII or UTF-8, and not UTF-7.
#[test]
fn sources_are_what_they_are() {
    let mut files = Vec::new();
    for folder in ["crates", "xtask/src", "docs", "fuzz", "examples", "bench", "testdata"] {
        collect(&repository(folder), &mut files);
    }
    let mut seen = 0;
    for path in files {
        let bytes = fs::read(&path).unwrap();
        let name = path.to_string_lossy();
        // Files that contain UTF-7 or ill-formed text on purpose, and tables.
        if name.ends_with(".bin")
            || std::str::from_utf8(&bytes).is_err()
            || name.contains("utf7")
            || name.contains("mail")
        {
            continue;
        }
        seen += 1;
        let best = detect(&bytes).into_iter().next().unwrap();
        assert!(
            best.encoding.decode(&bytes).unwrap() == str::from_utf8(&bytes).unwrap(),
            "{name}: {best:?}"
        );
    }
    assert!(seen > 200, "{seen}");
}

/// Collects the files of a directory tree, without build output.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true if path.ends_with("target") || path.ends_with("corpus") => {}
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}

/// Each of the mail examples is in the charset that it declares.
#[test]
fn mail_is_utf_7_where_it_says_so() {
    for entry in fs::read_dir(repository("examples/mail")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        let best = &detect(&bytes)[0];
        let has_utf_7 =
            text.contains("charset=unicode-1-1-utf-7") || text.contains("charset=utf-7");
        // In a multipart message, only one of the parts is in it.
        let expected = has_utf_7 && !text.contains("multipart/");
        assert_eq!(best.encoding == Encoding::Utf7, expected, "{}: {best:?}", path.display());
    }
}

#[test]
fn plus_and_ampersand_are_no_shifts() {
    for text in [
        "C++",
        "a+b-",
        "1+1=2",
        "x+y+z",
        "+49 30 1234567",
        "anna+news@example.org",
        "R&D-Labor",
        "if (a&&b-c)",
        "?q=a+b&lang=en&x=C%2B%2B",
        "+++ b/file\n--- a/file\n+use std;\n+let x = y;\n",
        "E=mc+ab-cd",
        "Tom & Jerry - AT&T-",
        "g++ -O2 a.c++ -o b",
        "2026-11-22T08:00:00+01:00",
        "&amp;-&lt;-",
        "+1-202-555-0143",
        "a += b & -c;",
    ] {
        let best = &detect(text.as_bytes())[0];
        assert_eq!(best.encoding, Encoding::UsAscii, "{text}: {best:?}");
        assert!(best.confidence > 0.5, "{text}: {best:?}");
    }
}

#[test]
fn utf_7_is_found_where_it_is() {
    for text in [
        "Hi Mom +Jjo-!",
        "A+ImIDkQ.",
        "+ZeVnLIqe-",
        "Item 3 is +AKM-1.",
        "+ADw-script+AD4-alert(1)",
    ] {
        assert_eq!(detect(text.as_bytes())[0].encoding, Encoding::Utf7, "{text}");
    }
    let name = b"~peter/mail/&U,BTFw-/&ZeVnLIqe-";
    assert_eq!(detect(name)[0].encoding, Encoding::Utf7Imap);
}

/// Text that needed no shift is reported as hidden.
#[test]
fn hidden_text_is_evidence() {
    let best = &detect(b"Hello +ADw-script+AD4-alert(1)+ADw-/script+AD4- there")[0];
    assert_eq!(best.encoding, Encoding::Utf7);
    assert!(best.evidence.contains(&Evidence::Hidden { count: 4, first: 7 }), "{best:?}");
    let best = &detect(b"Hi Mom +Jjo-! +ZeVnLIqe-")[0];
    assert!(!best.evidence.iter().any(|evidence| evidence.name() == "hidden"), "{best:?}");
}

#[test]
fn layers_are_seen() {
    let layers = |bytes: &[u8]| {
        let best = detect(bytes).into_iter().next().unwrap();
        let inside = best.inside.map(|inside| (inside.layer, inside.candidate.encoding));
        (best.encoding, inside)
    };
    let text = "Die Straße vor unserem Haus glänzte, und Großmutter schüttelte den Kopf.\n";
    let latin: Vec<u8> = Encoding::Iso8859_1.encode(text).unwrap().into_owned();
    let base64 = utfall_mime::base64::encode_lines(&latin, b"\n");
    assert_eq!(layers(&base64), (Encoding::UsAscii, Some((Layer::Base64, Encoding::Windows1252))));
    let quoted = utfall_mime::quoted_printable::encode(text.as_bytes(), b"\n");
    assert_eq!(
        layers(&quoted),
        (Encoding::UsAscii, Some((Layer::QuotedPrintable, Encoding::Utf8)))
    );
    let twice = Encoding::Windows1252.decode(text.as_bytes()).unwrap();
    assert_eq!(
        layers(twice.as_bytes()),
        (Encoding::Utf8, Some((Layer::DoubleUtf8, Encoding::Utf8)))
    );
    assert_eq!(layers(text.as_bytes()), (Encoding::Utf8, None));
    // Base64 of binary data, a word, and a list of words.
    for other in
        ["q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ", "Internationalization", "Abcd\nEfgh\nIjkl\nMnop\nQrst"]
    {
        assert_eq!(layers(other.as_bytes()), (Encoding::UsAscii, None), "{other}");
    }
}

#[test]
fn relatives_of_utf_8_are_told_apart() {
    let text = "omg the snow ❄️ is high 🥾 – call me 📞 love 💕 and good night 🌙😴\n";
    for encoding in [Encoding::Cesu8, Encoding::Utf8] {
        let bytes = encoding.encode(text).unwrap();
        assert_eq!(detect(&bytes)[0].encoding, encoding);
    }
    let with_nul = text.replace("and", "\0");
    let bytes = Encoding::Mutf8.encode(&with_nul).unwrap();
    assert_eq!(detect(&bytes)[0].encoding, Encoding::Mutf8);
    let lone = [text.as_bytes(), b"\xED\xA0\xBD!"].concat();
    assert_eq!(detect(&lone)[0].encoding, Encoding::Wtf8);
    let long = [text.as_bytes(), b"\xF8\x88\x80\x80\x80!"].concat();
    assert_eq!(detect(&long)[0].encoding, Encoding::Utf8Rfc2279);
    let overlong = [text.as_bytes(), b"..\xC0\xAFetc"].concat();
    assert_eq!(detect(&overlong)[0].encoding, Encoding::Utf8Rfc2044);
    let korean = "한국어는 이렇게 쓰고 이다는 의에을 가고하지은 사로한를";
    let old = Encoding::Unicode11Utf8.encode(korean).unwrap();
    let best = &detect(&old)[0];
    assert_eq!(best.encoding, Encoding::Unicode11Utf8);
    assert!(matches!(best.evidence[0], Evidence::OldHangul { .. }), "{best:?}");
}

/// Chunk boundaries do not affect the result.
#[test]
fn pieces_make_no_difference() {
    let text = "Größe und Maß, überall. ".repeat(900);
    for bytes in [text.as_bytes().to_vec(), Encoding::Utf16Be.encode(&text).unwrap().into_owned()] {
        let whole = detect(&bytes);
        for length in [1, 7, 1023, 4097] {
            let mut detector = Detector::new();
            bytes.chunks(length).for_each(|piece| detector.feed(piece));
            assert_eq!(detector.finish(), whole, "{length}");
        }
    }
}

/// Skipped bytes are never evidence, wherever they are.
#[test]
fn gaps_make_no_errors() {
    let text = "日本語の文章です。".repeat(4000);
    for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf32Be, Encoding::ShiftJis] {
        let bytes = encoding.encode(&text).unwrap();
        for gap in [1, 2, 3, 4, 999] {
            let mut detector = Detector::new();
            detector.feed(&bytes[..9001]);
            detector.skip(gap);
            detector.feed(&bytes[9001 + gap as usize..]);
            let best = &detector.finish()[0];
            assert_eq!(best.encoding, encoding, "{gap}");
            let is_error = |evidence: &Evidence| evidence.name() == "ill-formed";
            assert!(
                encoding == Encoding::ShiftJis || !best.evidence.iter().any(is_error),
                "{gap}: {best:?}"
            );
        }
    }
}

/// One character in a gigabyte of ASCII is enough to be noticed.
#[test]
fn what_is_rare_is_seen() {
    let line = b"nothing but ASCII in this line, and in the next one too\n";
    let many = || iter::repeat_n(&line[..], 20_000);
    for (rare, encoding) in
        [("naïve café\n", Encoding::Utf8), ("naïve café\n", Encoding::Windows1252)]
    {
        let mut detector = Detector::new();
        many().for_each(|line| detector.feed(line));
        detector.feed(&encoding.encode(rare).unwrap());
        many().for_each(|line| detector.feed(line));
        assert_eq!(detector.finish()[0].encoding, encoding);
    }
}

/// The faults of an earlier model: each text was reported in another charset, with high confidence.
#[test]
fn known_faults() {
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю. ".repeat(4);
    let turkish = "Pijamalı hasta yağız şoföre çabucak güvendi. ".repeat(4);
    let chinese = "這是一個測試，請打開這個檔案並且輸入您的姓名。".repeat(4);
    for (text, encoding) in [
        (&russian, Encoding::Ibm855),
        (&russian, Encoding::MacCyrillic),
        (&turkish, Encoding::Windows1254),
        (&turkish, Encoding::Ibm857),
        (&chinese, Encoding::Big5),
    ] {
        let best = &detect(&encoding.encode(text).unwrap())[0];
        assert_eq!(best.encoding, encoding, "{best:?}");
        assert!(best.confidence >= 0.9, "{best:?}");
    }
    // Not GBK.
    let johab = Encoding::Johab.encode("한국어를 지원하는 프로그램의 메뉴를 번역합니다.").unwrap();
    let best = detect(&johab).into_iter().next();
    assert!(best.is_some_and(|best| best.encoding == Encoding::Johab), "{johab:X?}");
}

/// Charsets of mail and of old systems in East Asia, beside text that looks like them.
#[test]
fn escapes_and_ranges_of_east_asia() {
    let korean = "대한민국은 민주공화국이다. 대한민국의 주권은 국민에게 있고, 모든 권력은 국민으로부터 나온다.\n";
    let chinese =
        "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。\n";
    for (text, encoding) in [
        (korean, Encoding::Johab),
        (korean, Encoding::Iso2022Kr),
        (korean, Encoding::EucKr),
        (chinese, Encoding::Hz),
        (chinese, Encoding::Gbk),
    ] {
        let bytes = encoding.encode(text).unwrap();
        let best = &detect(&bytes)[0];
        assert_eq!(best.encoding, encoding, "{best:?}");
        assert!(best.confidence >= 0.9, "{best:?}");
        assert_eq!(best.language, Some(if text == korean { "ko" } else { "zh-hans" }));
        let long = encoding.encode(&text.repeat(400)).unwrap().into_owned();
        let best = &detect(&long)[0];
        assert_eq!(best.encoding, encoding, "{best:?}");
    }
    let japanese =
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。";
    let others = [
        (format!("{japanese} 한국 «é»\n"), "ISO-2022-JP-2"),
        #[cfg(feature = "jisx0213")]
        (format!("{japanese}か゚き゚俱\n"), "ISO-2022-JP-3"),
        #[cfg(feature = "cns")]
        (format!("{chinese}丂丄\n"), "ISO-2022-CN-EXT/iana"),
        (format!("{japanese}\n"), "ISO-2022-JP"),
    ];
    for (text, name) in others {
        let encoding = Encoding::for_label(name).unwrap();
        let best = &detect(&encoding.encode(&text).unwrap())[0];
        assert_eq!(best.encoding, encoding, "{best:?}");
        assert!(best.confidence >= 0.9, "{best:?}");
    }
    // A terminal's line drawing, a shell, and a regular expression.
    for text in ["\x1B)0\x0Elqqqk\x0F\n", "cp ~{a,b} ~}\n", "s/~{[^~]*~}/x/\n", "\x1B$)B x"] {
        let best = detect(text.as_bytes()).into_iter().next();
        let is_other =
            |best: &Candidate| ![Encoding::Hz, Encoding::Iso2022Kr].contains(&best.encoding);
        assert!(best.as_ref().is_none_or(is_other), "{text:?}: {best:?}");
    }
}

/// Kazakh in its own charsets, which differ from windows-1251 in a few letters.
#[test]
fn kazakh_is_recognized() {
    let text = "Қазақ тілі – Қазақстан Республикасының мемлекеттік тілі, сонымен қатар Ресейде, Өзбекстанда, \
                Қытайда, Моңғолияда және т. б. елдерде тұратын қазақтардың ана тілі.";
    for encoding in [Encoding::Ptcp154, Encoding::Kz1048] {
        let best = &detect(&encoding.encode(text).unwrap())[0];
        assert_eq!((best.encoding, best.language), (encoding, Some("kk")), "{best:?}");
    }
}

/// Letters of the Macintosh and of DOS that the common charsets of these systems lack.
#[test]
fn other_charsets_of_the_macintosh_and_dos() {
    use Encoding as E;
    for (encoding, text) in [
        (E::MacGreek, "Ο φύλακας έκλεισε την πύλη και γύρισε το κλειδί στην κλειδαριά."),
        (E::MacTurkish, "Bekçi kapıyı kapattı ve anahtarı kilitte çevirdi; dağ yolu boştu."),
        (E::MacIcelandic, "Vörðurinn lokaði hliðinu og sneri lyklinum í lásnum; þokan var þykk."),
        (E::MacCroatian, "Čuvar je zatvorio vrata i okrenuo ključ u bravi; mačka je srušila vazu."),
        (E::Cp1125, "Сторож зачинив браму й повернув ключ у замку; її потяг їде до Києва."),
    ] {
        let bytes = encoding.encode(text).unwrap();
        let best = &detect(&bytes)[0];
        assert_eq!(best.encoding.decode(&bytes).unwrap(), text, "{encoding}: {best:?}");
    }
}

/// In Big5, `一` has the byte that is the space of EBCDIC.
#[test]
fn a_short_text_with_at_signs_as_trail_bytes_is_no_ebcdic() {
    let bytes = Encoding::Big5.encode("到了車站請告訴我一聲！").unwrap();
    let best = detect(&bytes).into_iter().next();
    assert!(best.as_ref().is_some_and(|best| best.encoding == Encoding::Big5), "{best:?}");
}

/// Some programs write the header of ISO-2022-KR where they need it.
#[test]
fn the_header_of_iso_2022_kr_may_be_inside_a_line() {
    let text = Encoding::Iso2022Kr.encode("대한민국은 민주공화국이다.").unwrap();
    let late = [b"1000;\"", &text[..], b"\";0\r\n"].concat();
    let best = detect(&late).into_iter().next();
    assert!(best.as_ref().is_some_and(|best| best.encoding == Encoding::Iso2022Kr), "{best:?}");
}

/// A multiplication sign is likelier between two digits than a letter.
#[test]
fn letters_between_digits_are_unlikely() {
    let bytes = Encoding::Iso8859_1.encode("A3×5\nA3×6\nA3×7\nA4×3\n12×19\n").unwrap();
    let hints = Hints::default().with_expected([Encoding::Windows1252, Encoding::Koi8R]);
    let best = &detect_with(&bytes, &hints)[0];
    assert_eq!(best.encoding, Encoding::Windows1252, "{best:?}");
}

/// Texts in charsets that are not offered, or in 7-bit ones: none is converted as something else.
#[test]
fn nothing_else_is_certain() {
    let german = "Die deutsche Sprache gehört zu den westgermanischen Sprachen. Überall hörten wir fröhliche \
                  Stimmen, während die größeren Kinder süße Äpfel aßen.";
    let ebcdic = Encoding::Ibm273.encode(german).unwrap().into_owned();
    let hz = b"This sentence is in ASCII.\nThe next one is in GB.~{<:Ky2;S{#,NpJ)l6HK!#~}Bye.\n"
        .to_vec();
    for bytes in [ebcdic, hz] {
        let best = detect(&bytes).into_iter().next();
        let is_right = |best: &Candidate| best.encoding.name().contains("HZ");
        assert!(
            best.as_ref().is_none_or(|best| best.confidence < 0.9 || is_right(best)),
            "{best:?}"
        );
    }
    // Neither is HZ.
    for text in ["See Fig.~{\\ref{a}} and~{\\em b}~.\n", "echo ~{a,b}/c ~}\n", "a~{b c~}d\n"] {
        let best = &detect(text.as_bytes())[0];
        assert!(best.encoding == Encoding::UsAscii && best.confidence >= 0.9, "{best:?}");
    }
}

#[test]
fn tajik_is_recognized() {
    let text = "Тоҷикӣ забони давлатии Ҷумҳурии Тоҷикистон мебошад, ғайр аз ин дар Ӯзбекистон ва Афғонистон низ ҳарф мезананд.";
    let best = &detect(&Encoding::Koi8T.encode(text).unwrap())[0];
    assert_eq!((best.encoding, best.language), (Encoding::Koi8T, Some("tg")), "{best:?}");
}

/// In a short text, the more common of two related languages is likelier.
#[test]
fn short_texts_are_in_common_languages() {
    for (text, encoding, language) in [
        ("Привет", Encoding::Windows1251, "ru"),
        ("Привет", Encoding::Koi8R, "ru"),
        ("Größe", Encoding::Windows1252, "de"),
        ("Дякую", Encoding::Windows1251, "uk"),
    ] {
        let best = &detect(&encoding.encode(text).unwrap())[0];
        assert_eq!(best.language, Some(language), "{text}: {best:?}");
    }
}

#[test]
fn declarations_count() {
    // The letters alone do not show which charset this is.
    let page = b"<meta charset=\"windows-1257\"><p>a\xE8i\xFB</p>";
    let best = &detect(page)[0];
    assert_eq!(best.encoding, Encoding::Windows1257, "{best:?}");
    assert!(best.evidence.contains(&Evidence::Declared { first: 15 }), "{best:?}");
    let page = "<?xml version='1.0' encoding='ISO-8859-1'?><p>Größe, façade, 日本語</p>";
    let best = &detect(page.as_bytes())[0];
    assert_eq!(best.encoding, Encoding::Utf8, "{best:?}");
    let contradicted = Evidence::Contradicted { declared: Encoding::Iso8859_1, first: 30 };
    assert!(best.evidence.contains(&contradicted), "{best:?}");
}

#[test]
fn nothing_panics() {
    assert_eq!(detect(b"")[0].encoding, Encoding::UsAscii);
    let mut state = 1_u64;
    for length in 0..400 {
        let random = iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        });
        let bytes: Vec<u8> = random.take(length).collect();
        for candidate in detect(&bytes) {
            assert!((0.0..=1.0).contains(&candidate.confidence));
        }
        let ascii: Vec<u8> = bytes.iter().map(|byte| byte & 0x7F).collect();
        _ = detect(&ascii);
    }
    let mut detector = Detector::new();
    detector.skip(5);
    detector.feed(b"\xFF");
    detector.skip(1 << 40);
    _ = detector.finish();
}

#[test]
fn a_declaration_that_the_text_confirms_is_certain() {
    let sure = |bytes: &[u8]| {
        let best = detect(bytes).remove(0);
        (best.encoding, best.confidence >= 0.9 && best.doubt.is_none())
    };
    let text: &[u8] = b"\\usepackage[latin2]{inputenc}\nP\xF8\xEDli\xB9 \xBElu\xBBou\xE8k\xFD\n";
    assert_eq!(sure(text), (Encoding::Iso8859_2, true));
    let undeclared = &text[b"\\usepackage[latin2]{inputenc}\n".len()..];
    assert_eq!(sure(undeclared), (Encoding::Iso8859_2, false));
    // Browsers and programs for Windows use the label ISO-8859-1 for windows-1252.
    let quotes = b"<meta charset=iso-8859-1>\n<p>\x93d\xE9j\xE0 vu\x94 \x96 l\x92\xE9t\xE9</p>";
    assert_eq!(sure(quotes), (Encoding::Windows1252, true));
    // A contradicted declaration.
    let wrong = b"<meta charset=koi8-r>\n<p>d\xE9j\xE0 vu</p>";
    assert_eq!(sure(wrong), (Encoding::Windows1252, false));
}

#[test]
fn a_lone_east_asian_character_in_a_latin_word_is_a_latin_letter() {
    // In Shift_JIS, `\x81\x6C` is `〕`.
    let names = b"Waloiera, \x81land uharteak\n26311 \x81land uharteak\n";
    assert_ne!(detect(names)[0].encoding, Encoding::ShiftJis);
    let names = b"6838;I\x88men;328,21;USD\n1130;Sud\xC6o;388,92;EUR\n7620;Achin\x88s;789,62\n";
    assert_eq!(detect(names)[0].encoding, Encoding::Ibm850);
    // In Japanese, such characters are normal.
    let list = b"\x81\x9CWindows\n\x81\x9CLinux\n\x93\xFA\x96\x7B\x8C\xEA Hat \x82\xE2\n";
    assert_eq!(detect(list)[0].encoding, Encoding::ShiftJis);
}

/// Checks that the likeliest charset of a text is this one, or decodes it to the same text.
fn assert_is(encoding: Encoding, text: &str) {
    let bytes = encoding.encode(text).unwrap();
    let best = &detect(&bytes)[0];
    assert_eq!(best.encoding.decode(&bytes).as_deref().ok(), Some(text), "{encoding}: {best:?}");
}

/// `ˆ` of windows-1252 stands alone, although Unicode has it among the letters.
#[test]
fn a_circumflex_that_stands_alone_is_no_letter() {
    let text = "Die skip vaar deur die wêreld en kom weer by die huis.";
    let best = &detect(&Encoding::Ibm850.encode(text).unwrap())[0];
    assert_ne!(best.encoding, Encoding::Windows1252, "{best:?}");
}

/// Without any letter of East Asia, two bytes are two letters of another charset.
#[test]
fn a_text_of_east_asia_has_its_letters() {
    assert_is(Encoding::Ibm437, "Envíe os informes de fallo a %s.");
    assert_is(Encoding::Ibm775, "Enamikul üksustel on see juba olemas.");
}

/// windows-1257 has the letters of Breton, but Breton is not written in it.
#[test]
fn charsets_have_their_languages() {
    assert_is(Encoding::Windows1252, "Skrammañ ha rannañ ar c'hoarioù; lañsañ ar c'hoari.");
}

#[test]
fn celtic_languages_and_occitan_are_recognized() {
    for (language, encoding, text) in [
        (
            "gd",
            Encoding::Iso8859_14,
            "Tha an ath chnàmh-sgeul a dhìth agus chan urrainn dhut a chur a-mach.",
        ),
        (
            "br",
            Encoding::Iso8859_1,
            "Ar c'hoarioù-mañ a zo bet krouet gant tud a vro Breizh, hag ez int digoust.",
        ),
        (
            "oc",
            Encoding::Windows1252,
            "Aquesta pagina es estada modificada lo mes passat per un autre utilizaire; çò que cal far.",
        ),
    ] {
        let best = &detect(&encoding.encode(text).unwrap())[0];
        assert_eq!(best.language, Some(language), "{text}: {best:?}");
    }
}

/// Regression: a list with one word was as certain as a text with as many words.
#[test]
fn the_same_word_again_proves_nothing_more() {
    let list = |line: &str| (1..40).map(|n| line.replace('N', &n.to_string())).collect::<String>();
    for (encoding, text) in [
        (Encoding::Windows1252, list("N;Österreich\n")),
        (Encoding::Windows1252, list("Straße N\n")),
        (Encoding::Windows1251, list("N руб.\n")),
        (Encoding::ShiftJis, list("N,東京\n")),
        (Encoding::EucKr, list("N호\n")),
        (Encoding::Windows1252, format!("Plain English.\n{}\n", "—".repeat(60))),
        (Encoding::Ibm437, format!("{0}\n README \n{0}", "═".repeat(40))),
    ] {
        let bytes = encoding.encode(&text).unwrap();
        let best = &detect(&bytes)[0];
        let is_right = best.encoding.decode(&bytes).is_ok_and(|decoded| decoded == text);
        assert!(is_right || best.confidence < 0.9 || best.doubt.is_some(), "{text}: {best:?}");
    }
    // A few words more are enough.
    assert_is(Encoding::Windows1252, &list("N;München;Köln;Düsseldorf\n"));
    assert_is(Encoding::EucKr, &list("N원 서울특별시 강남구\n"));
}

#[test]
fn two_rare_letters_are_no_certain_utf_8() {
    // `PANEVĖŽYS` in ISO-8859-4, and `目录` in GBK.
    for bytes in [&b"PANEV\xCC\xAEYS\n"[..], b"\xC4\xBF\xC2\xBC"] {
        let best = &detect(bytes)[0];
        assert!(best.confidence < 0.9, "{best:?}");
    }
    // As macOS writes `é` in file names.
    let best = &detect("Cafe\u{301}\n".as_bytes())[0];
    assert!(best.encoding == Encoding::Utf8 && best.confidence > 0.9, "{best:?}");
}

#[test]
fn no_charset_is_certain_beside_zeros() {
    let text = "Les élèves étaient à l'école.\n".repeat(9) + "\0\0\0\0";
    for candidate in detect(&Encoding::Macintosh.encode(&text).unwrap()) {
        assert!(
            candidate.encoding == Encoding::UsAscii || candidate.confidence < 0.9,
            "{candidate:?}"
        );
    }
}

/// Regression: text that fits no charset well had no candidates, as binary data.
#[test]
fn text_without_controls_has_a_candidate() {
    let text = "똠방각하 펲시콜라\n㉯㉯납!! 因九月패믤릔궈 ⓡⓖ훀¿¿¿ 긍뒙 ⓔ뎨 ㉯. .\n";
    let best = &detect(&Encoding::EucKr.encode(text).unwrap())[0];
    assert!(best.confidence >= 0.005, "{best:?}");
}
