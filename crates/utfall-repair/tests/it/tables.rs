//! A column of a table is repaired whole or not at all.

use utfall_repair::{Chain, Change, Charset, Step, repair};

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

/// `ÃŽ` alone may be a word in capitals, `Å“` may end a quotation, and `Ã©` twice is short.
#[test]
fn a_column_that_was_misread_twice() {
    let right = "1\tÎle\tok\n2\tœuf\tok\n3\té\tok\n4\tgarçon\tok\n5\tété\tok\n";
    let step = |charset| Step::Misread { charset, loss: None };
    for (first, last) in [("windows-1252", "windows-1252"), ("IBM437", "windows-1252")] {
        let charset = |name| Charset::from_name(name).unwrap();
        let chain = Chain::new(vec![step(charset(first)), step(charset(last))]);
        let broken = String::from_utf8(chain.apply(right.as_bytes()).unwrap()).unwrap();
        assert_eq!(repaired(&broken), right);
    }
}

/// The commonest cells are the same in windows-1250 and ISO-8859-2; `estĂĄ` is not.
#[test]
fn a_column_has_one_charset() {
    let right = "0;informação;ok\n1;está;ok\n2;página;ok\n3;Não;ok\n4;há;ok\n5;rápida;ok\n";
    let charset = Charset::from_name("ISO-8859-2").unwrap();
    let chain = Chain::from(Step::Misread { charset, loss: None });
    let broken = String::from_utf8(chain.apply(right.as_bytes()).unwrap()).unwrap();
    assert_eq!(repaired(&broken), right);
}

/// Some lines also contain the restored text of their cell. If most do, the table is about misread text.
#[test]
fn cells_that_their_lines_repeat() {
    let broken =
        "1;Ã©cole;une école\n2;garÃ§on;jeune\n3;forÃªt;bois\n4;fenÃªtre;vue\n5;thÃ©;vert\n";
    let right = "1;école;une école\n2;garçon;jeune\n3;forêt;bois\n4;fenêtre;vue\n5;thé;vert\n";
    assert_eq!(repaired(broken), right);
    let shown =
        "1;Ã©cole;école\n2;garÃ§on;garçon\n3;forÃªt;forêt\n4;fenÃªtre;fenêtre\n5;thÃ©;vert\n";
    assert_eq!(repaired(shown), shown);
}
