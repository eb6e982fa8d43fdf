//! `docs/engines.md` quotes the program, and what it prints.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_page_has_the_program_and_its_output() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(folder.join("../../../docs/engines.md")).unwrap();
    let program = fs::read_to_string(folder.join("src/bin/decode.rs")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_decode")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let expected = format!("```rust\n{program}```\n\n```text\n{printed}```\n");
    assert!(page.contains(&expected), "docs/engines.md must have\n{expected}");
}
