//! Real text through every encoding that can carry it, and back.

use std::fs;

use crate::common::{self, Folder, repository};
use utfall::Encoding;
use utfall_oracle::step;

#[test]
fn corpora() {
    let folder = Folder::new();
    let mut texts: Vec<_> = fs::read_dir(repository("testdata/corpora"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| fs::read(path).unwrap())
        // What UTF-16 does with a mark is tested elsewhere.
        .map(|text| text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text).to_vec())
        .collect();
    texts.push(texts.concat());
    for encoding in Encoding::ALL.iter().step_by(step(5)) {
        let (mut carried, mut lacking) = (0, 0);
        for text in &texts {
            let convert = |from: Encoding, to: Encoding, files: [&str; 2]| {
                let mut command = folder.command();
                command.args(["convert", "-q", "-f", from.name(), "-t", to.name(), "-o"]);
                common::run(command.args(files), "")
            };
            fs::write(folder.path("text"), text).unwrap();
            let there = convert(Encoding::Utf8, *encoding, ["there", "text"]);
            if there.status == 3 {
                lacking += 1;
                continue;
            }
            there.quietly_gives("");
            convert(*encoding, Encoding::Utf8, ["back", "there"]).quietly_gives("");
            assert!(folder.read("back") == *text, "{encoding}");
            carried += 1;
        }
        println!("{encoding}: {carried} carried, {lacking} not encodable");
        let carries_all = encoding.encode("é中\u{1F600}").is_ok();
        assert!(carried == texts.len() || !carries_all, "{encoding}");
    }
}
