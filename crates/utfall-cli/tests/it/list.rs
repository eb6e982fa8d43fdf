//! `utfall list`.

use crate::common::utfall;

#[test]
fn the_list_can_be_filtered() {
    let run = utfall("list --format table utf16", "");
    assert_eq!(run.status, 0);
    let names: Vec<_> =
        run.text().lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["UTF-16", "UTF-16LE", "UTF-16BE"]);
    // By a label, and by a specification.
    assert!(utfall("list cp65001", "").text().starts_with("UTF-8\n"));
    assert!(utfall("list --format table 2152", "").text().contains("UTF-7 "));
    let json: serde_json::Value =
        serde_json::from_slice(&utfall("list --json scsu", "").stdout).unwrap();
    assert_eq!(json["encodings"][0]["name"], "SCSU");
    assert_eq!(
        utfall("list --format labels KOI8-RU", "").text(),
        "LABEL    DEFAULT  WHATWG  IANA          GLIBC\n\
         KOI8-U   KOI8-U   KOI8-U  KOI8-U/glibc  KOI8-U/glibc\n\
         koi8-ru  KOI8-U   KOI8-U  KOI8-U        IBM1167\n\
         cskoi8u  KOI8-U   KOI8-U  KOI8-U/glibc  KOI8-U\n"
    );
    utfall("list klingon", "").fails(2, &["klingon"]);
    utfall("list --json --format table", "").fails(2, &["--json"]);
}
