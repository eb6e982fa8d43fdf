//! The names of characters. `UTFALL_BLESS=1` writes their table.

use std::fmt::Write as _;

use utfall_bind::character_name;

const FILE: &str = "crates/utfall-bind/src/name/names.txt";

/// Names between two places where reading can begin. Fewer make the table longer, and more make
/// reading slower.
const MOST: usize = 32;

/// The table as `src/name/table.rs` describes it.
fn table() -> String {
    let mut table = String::new();
    let (mut last, mut last_point, mut read, mut repeated) = (String::new(), None, 0, 0);
    for point in '\0'..=char::MAX {
        let Some(name) = unicode_names2::name(point).map(|name| name.to_string()) else { continue };
        if name.starts_with("HANGUL SYLLABLE ") {
            continue;
        }
        let point = u32::from(point);
        let name = match name.strip_suffix(&format!("-{point:04X}")) {
            Some(head) => format!("{head}-*"),
            None => name,
        };
        let is_next = last_point.replace(point) == point.checked_sub(1);
        if is_next && name == last && name.ends_with('*') {
            repeated += 1;
            continue;
        }
        if repeated > 0 {
            writeln!(table, "={repeated:X}").unwrap();
            repeated = 0;
        }
        if !is_next || read == MOST {
            writeln!(table, "!{point:X}").unwrap();
            (last, read) = (String::new(), 0);
        }
        let pairs = last.split(' ').zip(name.split(' '));
        let shared = pairs.take_while(|(old, new)| old == new).count();
        let rest: Vec<_> = name.split(' ').skip(shared).collect();
        writeln!(table, "{}{}", char::from(b'0' + shared as u8), rest.join(" ")).unwrap();
        (last, read) = (name, read + 1);
    }
    if repeated > 0 {
        writeln!(table, "={repeated:X}").unwrap();
    }
    table
}

#[test]
fn the_table_is_current() {
    utfall_page::compare(FILE, &table());
}

#[test]
fn names_are_those_of_unicode() {
    let mut count = 0;
    for point in '\0'..=char::MAX {
        let Some(name) = unicode_names2::name(point) else {
            assert!(character_name(point.into()).starts_with('<'), "{point:?}");
            continue;
        };
        assert_eq!(character_name(point.into()), name.to_string(), "{point:?}");
        count += 1;
    }
    assert!(count > 150_000, "{count}");
}
