//! The files of `examples/mixed` are in the encodings that their page names, and `detect` is sure of each.

use std::fs;

use crate::common::{program, repository};

/// Each file, its encoding, and the start of its text.
const FILES: [(&str, &str, &str); 7] = [
    (
        "einladung.txt",
        "UTF-16LE",
        "Liebe Freunde,\n\nam Samstag feiern wir im Garten Einweihung. Für",
    ),
    ("notes.txt", "UTF-8", "Café “Zoë”, Kraków – opening hours"),
    ("oshirase.txt", "Shift_JIS", "図書館からのお知らせ"),
    ("pismo.txt", "KOI8-", "Здравствуй, дорогая бабушка!"),
    ("przepis.txt", "ISO-8859-2", "Żurek według cioci Zosi"),
    ("recette.txt", "windows-1252", "Crêpes à la châtaigne\n\nMélangez la farine, les œufs"),
    ("tongzhi.txt", "GBK", "关于春季郊游的通知"),
];

#[test]
fn files_in_mixed_encodings_are_detected_and_read() {
    let mut names = vec!["logo.png".to_owned()];
    for (name, encoding, text) in FILES {
        let path = repository("examples/mixed").join(name);
        let found = program().arg("detect").arg(&path).output().unwrap();
        let line = String::from_utf8(found.stdout).unwrap();
        assert!(found.status.success() && line.contains(&format!("{name}: {encoding}")), "{line}");
        let converted = program()
            .args(["convert", "-f", "detect", "-t", "UTF-8", "--bom", "strip"])
            .arg(&path)
            .output()
            .unwrap();
        let converted = String::from_utf8(converted.stdout).unwrap();
        assert!(converted.starts_with(text), "{name}: {converted}");
        names.push(name.to_owned());
    }
    let entries = fs::read_dir(repository("examples/mixed")).unwrap();
    let mut there: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    there.sort();
    names.sort();
    assert_eq!(there, names, "a file has no test");
    let binary =
        program().arg("detect").arg(repository("examples/mixed/logo.png")).output().unwrap();
    assert_eq!(binary.status.code(), Some(1), "logo.png is binary");
}
