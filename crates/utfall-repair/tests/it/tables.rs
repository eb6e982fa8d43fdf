//! A column of a table is repaired whole or not at all.

use utfall_repair::{Change, repair};

fn repaired(text: &str) -> String {
    let repaired = repair(text.as_bytes());
    assert!(repaired.changes.iter().all(Change::leads_back), "{text}");
    String::from_utf8(repaired.bytes).unwrap()
}

/// `¤ 5` and `É™` alone are no proof, and the first cells come before any.
#[test]
fn cells_follow_their_column() {
    let broken = "id\tname\tnote\n\
        1\tÃ”\tnaïve\n\
        2\tÂ£5\tdéjà\n\
        3\tJÃ¼rgen\tà propos\n\
        4\tZoÃ«\tGroße Straße\n\
        5\tFranÃ§ois\tcafé\n\
        6\tÃ‰\tMAÇÃ\n\
        7\tplain\t\n";
    let right = "id\tname\tnote\n\
        1\tÔ\tnaïve\n\
        2\t£5\tdéjà\n\
        3\tJürgen\tà propos\n\
        4\tZoë\tGroße Straße\n\
        5\tFrançois\tcafé\n\
        6\tÉ\tMAÇÃ\n\
        7\tplain\t\n";
    assert_eq!(repaired(broken), right);
    let [broken, right] = [broken, right].map(|text| text.replace('\t', ";"));
    assert_eq!(repaired(&broken), right);
}

#[test]
fn a_column_of_capitals_stays() {
    let text = "1,IRMÃ,Ã”\n2,LÃ,Ã‰\n3,MAÇÃ,Ê™\n4,NÃO,Â£\n5,MÃE,Š\n6,PÃO,É\n";
    let after = repaired(text);
    let columns = |text: &str, at: usize| -> Vec<String> {
        text.lines().map(|line| line.split(',').nth(at).unwrap().to_owned()).collect()
    };
    assert_eq!(columns(&after, 1), columns(text, 1));
}
