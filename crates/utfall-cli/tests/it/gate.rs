//! `utfall check` as a gate: rules, formats, trees.

use std::fmt::Write as _;
use std::fs;

use crate::common::{self, Folder, Run, utfall};
use serde_json::{Value, json};

fn lines(run: &Run) -> Vec<&str> {
    run.titles()
}

fn objects(run: &Run) -> Vec<Value> {
    run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Text that breaks each rule, and the line that says so.
const BROKEN: [(&str, &[u8], &str); 23] = [
    ("ill-formed", b"a\xFF\n", "line 1, column 2 (byte 1): FF: byte that never appears"),
    ("bom", b"\xEF\xBB\xBFa\n", "line 1, column 1 (byte 0): byte order mark at the start"),
    (
        "bom-inside",
        b"a\n\xEF\xBB\xBFb\n",
        "line 2, column 1 (byte 2): byte order mark inside the text",
    ),
    ("mixed-newlines", b"a\nb\r\nc\n", "line 2, column 2 (byte 3): mixed line ends: 2 LF, 1 CR LF"),
    ("noncharacter", b"a\xEF\xBF\xBE\n", "line 1, column 2 (byte 1): noncharacter U+FFFE"),
    (
        "bidi-control",
        b"\xE2\x80\xAAa\xE2\x80\xAC\n",
        "line 1, column 1 (byte 0): bidirectional embedding, override or isolate U+202A (LRE)",
    ),
    (
        "bidi-unbalanced",
        b"ab\xE2\x80\xAE\n",
        "line 1, column 3 (byte 2): unbalanced bidirectional control U+202E (RLO)",
    ),
    ("bidi-mark", b"\xE2\x80\x8F\n", "line 1, column 1 (byte 0): bidirectional mark U+200F (RLM)"),
    (
        "replacement-character",
        b"\n\n \xEF\xBF\xBD\n",
        "line 3, column 2 (byte 3): replacement character U+FFFD",
    ),
    (
        "double-encoding",
        b"caf\xC3\x83\xC2\xA9\n",
        "line 1, column 4 (byte 3): \"\u{C3}\u{A9}\" looks like a double-encoded \"\u{E9}\" (UTF-8 read as windows-1252)",
    ),
    ("control", b"\x1B[0m\n", "line 1, column 1 (byte 0): control character U+001B (ESC)"),
    (
        "tag-character",
        b"a\xF3\xA0\x81\xA7\xF3\xA0\x81\xAF\n",
        "line 1, column 2 (byte 1): tag character U+E0067 and 1 more: hidden text \"go\"",
    ),
    (
        "variation-payload",
        b"a\xEF\xB8\x80\xF3\xA0\x84\x80\xEF\xB8\x81\n",
        "line 1, column 2 (byte 1): variation selectors in a row U+FE00 (VS1) and 2 more",
    ),
    (
        "variation-selector",
        b"a\xEF\xB8\x8F\n",
        "line 1, column 2 (byte 1): misplaced variation selector U+FE0F (VS16)",
    ),
    (
        "zero-width",
        b"a\xE2\x80\x8Bb\n",
        "line 1, column 2 (byte 1): zero-width character U+200B (ZWSP)",
    ),
    (
        "default-ignorable",
        b"a\xCD\x8Fb\n",
        "line 1, column 2 (byte 1): default-ignorable code point U+034F (CGJ)",
    ),
    ("blank-letter", b"\xE3\x85\xA4\n", "line 1, column 1 (byte 0): blank letter U+3164 (HF)"),
    (
        "soft-hyphen",
        b"is\xC2\xADAdmin\n",
        "line 1, column 3 (byte 2): soft hyphen in an identifier U+00AD (SHY)",
    ),
    ("utf7-markup", b"<p>+ADwAYgA+-\n", "line 1, column 4 (byte 3): markup in UTF-7: \"<b>\""),
    (
        "mixed-script",
        b"p\xD0\xB0ypal\n",
        "line 1, column 2 (byte 1): \"p\u{430}ypal\" looks like \"paypal\", but has letters of another script",
    ),
    (
        "lookalike-letter",
        b"p\xC9\x91ypal\n",
        "line 1, column 2 (byte 1): \"p\u{251}ypal\" looks like \"paypal\", but has letters that are not ASCII",
    ),
    (
        "lookalike-domain",
        b"a@\xD1\x85y.example\n",
        "line 1, column 3 (byte 2): \"\u{445}y.example\" looks like \"xy.example\", but has letters of another script",
    ),
    (
        "final-newline",
        b"a\nbc",
        "line 2, column 3 (byte 4): missing line end at the end of the text",
    ),
];

#[test]
fn each_rule() {
    for (rule, text, line) in BROKEN {
        let is_error = matches!(
            rule,
            "ill-formed"
                | "bidi-unbalanced"
                | "tag-character"
                | "variation-payload"
                | "utf7-markup"
        );
        let is_warning = !is_error && !matches!(rule, "bidi-mark" | "final-newline");
        let usual = utfall("check", text);
        assert_eq!(usual.status, i32::from(is_error), "{usual:?}");
        assert_eq!(
            usual.text().contains(" 1 warning"),
            is_warning && rule != "bidi-control",
            "{usual:?}"
        );
        // Alone.
        let run = utfall(&format!("check --rule {rule}"), text);
        assert_eq!(run.status, 1, "{rule}: {run:?}");
        assert_eq!(lines(&run)[0], format!("error[{rule}]: (standard input): {line}"));
        assert!(run.text().contains("\n  | ") && run.text().contains('^'), "{rule}: {run:?}");
        assert_eq!(lines(&run).len(), 3, "{run:?}");
        // Denied, and not.
        assert_eq!(utfall(&format!("check --deny {rule}"), text).status, 1, "{rule}");
        assert_eq!(utfall("check --deny warnings", text).status, i32::from(is_warning || is_error));
        let run = utfall(&format!("check --allow {rule} --deny warnings"), text);
        assert_eq!(run.status, 0, "{run:?}");
        assert_eq!(lines(&run).len(), 2);
        // Not looked for.
        let other = if rule == "bom" { "control" } else { "bom" };
        assert_eq!(utfall(&format!("check --rule {other}"), text).status, 0, "{rule}");
        // In UTF-16 too, but what only UTF-8 can have.
        if let Ok(text) = str::from_utf8(text)
            && !matches!(rule, "bom" | "utf7-markup")
        {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            let run = utfall(&format!("check -f UTF-16BE --rule {rule}"), bytes);
            let place = line.split(" (byte ").next().unwrap();
            assert!(lines(&run)[0].contains(&format!(": {place} (byte ")), "{run:?}");
        }
    }
    assert_eq!(BROKEN.map(|(rule, ..)| rule).len(), utfall::lint::Rule::ALL.len());
    utfall("check --rule nothing", "").fails(2, &["double-encoding", "bidi-mark"]);
}

/// What invisible characters spell, and what a word looks like, with the clause.
#[test]
fn hidden_text_in_reports() {
    let text = "a\u{E0067}\u{E006F}\np\u{430}ypal\n";
    let found = objects(&utfall("check --json", text));
    assert_eq!((&found[0]["text"], &found[0]["code_point"]), (&json!("go"), &json!("U+E0067")));
    assert_eq!(found[0]["clause"], "Unicode 23.9: tag characters are for flags (UTS #51, ED-14a)");
    assert_eq!(
        (&found[1]["looks_like"], &found[1]["level"]),
        (&json!("paypal"), &json!("warning"))
    );
    let run = utfall("check --format sarif", text);
    let log: Value = serde_json::from_str(run.text()).unwrap();
    let results = &log["runs"][0]["results"];
    assert_eq!(results[0]["properties"], json!({ "text": "go" }));
    assert_eq!(results[1]["properties"], json!({ "looksLike": "paypal" }));
    let run = utfall("check", text);
    assert!(run.text().contains("\n  = note: Unicode 23.9: tag characters are"), "{run:?}");
    // Without -f UTF-7, in files of any size.
    let run = utfall("check", "<html><p>+ADw-script+AD4-</html>\n");
    let error =
        "error[utf7-markup]: (standard input): line 1, column 10 (byte 9): markup in UTF-7: \"<\"";
    assert!(run.status == 1 && lines(&run)[0] == error, "{run:?}");
    assert!(run.text().contains("\n  = note: RFC 2152, rule 2: readers that guess"), "{run:?}");
    let large = format!("<html>{}+ADw-", "text\n".repeat(4 << 20));
    let folder = Folder::with([("large.html", large.as_bytes())]);
    let run = folder.utfall("check --json -j 2 large.html", "");
    assert_eq!(objects(&run)[0]["line"], (4 << 20) + 1, "{run:?}");
}

#[test]
fn whether_it_is_well_formed_is_always_said() {
    let run = utfall("check --rule bom", b"\xFF");
    assert_eq!(
        (run.status, lines(&run)[0].starts_with("(standard input): not well-formed UTF-8;")),
        (0, true),
        "{run:?}"
    );
    let run = utfall("check --deny bom", b"\xEF\xBB\xBFa\n");
    assert_eq!(
        lines(&run)[1..],
        [
            "(standard input): well-formed UTF-8 (by its BOM): 1 problem; valid by RFC 3629, RFC 2279 and RFC 2044",
            "total: 1 file, 0 ill-formed, 1 problem"
        ]
    );
}

#[test]
fn the_first_of_each_rule() {
    let text = b"\x01\xFF\x02\xFE\xEF\xBF\xBD\x03\n";
    let run = utfall("check", text);
    assert_eq!(lines(&run).len(), 5, "{run:?}");
    assert!(
        run.text().contains(
            ": 2 problems, 4 warnings, the first of each kind is shown, --all shows all;"
        ),
        "{run:?}"
    );
    assert_eq!(lines(&utfall("check --all", text)).len(), 8);
    let run = utfall("check --all --max 2", text);
    assert_eq!(lines(&run).len(), 4);
    assert_eq!(lines(&run)[3], "total: 1 file, 1 ill-formed, 2 problems, 4 warnings, 4 not shown");
    let run = utfall("check --all --max 0 --format json", text);
    assert_eq!(objects(&run)[1]["not_shown"], 6);
}

#[test]
fn json_of_each_rule() {
    for (rule, text, _) in BROKEN {
        let run = utfall(&format!("check --format json --rule {rule}"), text);
        let objects = objects(&run);
        assert_eq!((&objects[0]["rule"], &objects[0]["level"]), (&json!(rule), &json!("error")));
        assert_eq!(objects[1]["errors"], if rule == "bidi-control" { 2 } else { 1 });
        assert_eq!(objects[1]["valid"], rule != "ill-formed");
    }
    let run = utfall("check --format json", "caf\u{C3}\u{A9}\u{202E}\n");
    let objects = objects(&run);
    assert_eq!(
        objects[0],
        json!({
            "version": 2, "type": "problem", "file": "(standard input)", "line": 1, "column": 4, "offset": 3,
            "length": 4, "kind": "double-encoding",
            "message": "\"\u{C3}\u{A9}\" looks like a double-encoded \"\u{E9}\" (UTF-8 read as windows-1252)",
            "original": "\u{E9}", "rule": "double-encoding", "level": "warning",
        })
    );
    assert_eq!(
        (&objects[1]["code_point"], &objects[1]["kind"]),
        (&json!("U+202E"), &json!("bidi-unbalanced"))
    );
    assert_eq!((&objects[0]["level"], &objects[1]["level"]), (&json!("warning"), &json!("error")));
    assert_eq!((&objects[2]["errors"], &objects[2]["warnings"]), (&json!(1), &json!(1)));
    assert_eq!((&objects[3]["warnings"], &objects[3]["exit_status"]), (&json!(1), &json!(1)));
}

/// A log, with all that the schema of SARIF 2.1.0 wants to be there.
fn sarif(run: &Run) -> Value {
    let log: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"].as_array().unwrap().len(), 1);
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "utfall");
    let rules = driver["rules"].as_array().unwrap();
    assert!(
        rules
            .iter()
            .all(|rule| rule["id"].is_string() && rule["shortDescription"]["text"].is_string())
    );
    for result in run["results"].as_array().unwrap() {
        assert!(result["message"]["text"].is_string());
        assert!(["error", "warning"].contains(&result["level"].as_str().unwrap()));
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].is_string());
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
        assert!(place["region"]["startColumn"].as_u64().unwrap() > 0);
    }
    for invocation in run["invocations"].as_array().unwrap() {
        assert!(invocation["executionSuccessful"].is_boolean());
        for notification in invocation["toolExecutionNotifications"].as_array().unwrap() {
            assert!(notification["message"]["text"].is_string());
        }
    }
    log
}

#[test]
fn sarif_log() {
    let folder =
        Folder::with([("a b.txt", b"fine\n\xC0\xAE\n\xEF\xBF\xBD\xEF\xBF\xBD"), ("clean", b"")]);
    let run = folder.utfall("check --format sarif", "");
    assert_eq!(sarif(&run)["runs"][0]["results"], json!([]));
    let run = common::run(
        folder.command().args(["check", "--format=sarif", "a b.txt", "clean", "missing"]),
        "",
    );
    let log = sarif(&run);
    assert_eq!(run.status, 4);
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 3);
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("ill-formed"), &json!("error")));
    let text = result["message"]["text"].as_str().unwrap();
    assert!(text.starts_with("overlong form of U+002E \".\" (RFC 3629"), "{text}");
    assert_eq!(
        result["locations"][0]["physicalLocation"],
        json!({
            "artifactLocation": { "uri": "a%20b.txt" },
            "region": { "startLine": 2, "startColumn": 1, "byteOffset": 5, "byteLength": 2 },
        })
    );
    assert_eq!(run["results"][1]["level"], "warning");
    let invocation = &run["invocations"][0];
    assert_eq!(
        (&invocation["executionSuccessful"], &invocation["exitCode"]),
        (&json!(false), &json!(4))
    );
    let said = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap();
    assert!(said.starts_with("cannot open missing"), "{said}");
    // Hidden files, too.
    let run = utfall("check --concealed --format sarif", b"..\xC0\xAF");
    let results = &sarif(&run)["runs"][0]["results"];
    assert_eq!(
        (&results[0]["ruleId"], &results[1]["ruleId"]),
        (&json!("ill-formed"), &json!("overlong"))
    );
}

#[test]
fn github_commands() {
    let name = "100%,a.txt";
    let folder = Folder::with([(name, b"x\xFF\ny\xEF\xBF\xBD\n")]);
    let run = folder.utfall(&format!("check --format github {name} missing"), "");
    let missing = common::no_such_file();
    let missing = format!("::error file=missing,title=unreadable::cannot open missing: {missing}");
    assert_eq!(
        lines(&run),
        [
            "::error file=100%25%2Ca.txt,line=1,col=2,title=ill-formed::FF: byte that never appears \
             (RFC 3629 \u{A7}1: C0, C1 and F5 to FF never appear)",
            "::warning file=100%25%2Ca.txt,line=2,col=2,title=replacement-character::replacement \
             character U+FFFD",
            &missing,
            "total: 2 files, 1 ill-formed, 1 problem, 1 warning, 1 unreadable",
        ]
    );
    let run = utfall("check --concealed --format github", b"..\xC0\xAF");
    assert!(
        run.text().contains("\n::error file=(standard input),line=1,col=3,title=overlong::"),
        "{run:?}"
    );
}

#[test]
fn trees() {
    let folder = Folder::new();
    for directory in ["src/deep", "target", ".hidden"] {
        fs::create_dir_all(folder.path(directory)).unwrap();
    }
    for (name, bytes) in [
        ("src/b.rs", &b"fine\n"[..]),
        ("src/a.rs", b"\xFF\n"),
        ("src/deep/c.txt", b"\xEF\xBF\xBD\n"),
        ("src/image.bin", b"\x89PNG\0\0\xFF"),
        ("src/utf16.txt", b"\xFF\xFEa\0\0\xDC"),
        ("target/x", b"\xFF"),
        (".hidden/x", b"\xFF"),
        (".ignore", b"target\n"),
    ] {
        fs::write(folder.path(name), bytes).unwrap();
    }
    let expected = "\
        error[ill-formed]: src/a.rs: line 1, column 1 (byte 0): FF: byte that never appears\n\
        src/a.rs: not well-formed UTF-8: 1 problem; not valid UTF-8 by any RFC: byte that never appears at line 1, column 1\n\
        warning[replacement-character]: src/deep/c.txt: line 1, column 1 (byte 0): replacement character U+FFFD\n\
        src/deep/c.txt: well-formed UTF-8: 1 warning; valid by RFC 3629, RFC 2279 and RFC 2044\n\
        error[ill-formed]: src/utf16.txt: line 1, column 2 (byte 4): 00 DC: surrogate\n\
        src/utf16.txt: not well-formed UTF-16LE (by its BOM): 1 problem\n\
        total: 4 files, 2 ill-formed, 2 problems, 1 warning, 1 binary file skipped";
    // In this order on any number of threads.
    for threads in [1, 2, 7] {
        for _ in 0..5 {
            let run = folder.utfall(&format!("check --threads {threads} src"), "");
            assert_eq!(run.status, 1);
            assert_eq!(
                lines(&run).join("\n"),
                expected.replace('/', std::path::MAIN_SEPARATOR_STR)
            );
        }
    }
    let run = folder.utfall("check .", "");
    assert!(
        run.text().ends_with(
            "total: 4 files, 2 ill-formed, 2 problems, 1 warning, 1 binary file skipped\n"
        ),
        "{run:?}"
    );
    let run = folder.utfall("check . --no-ignore --hidden -g *x", "");
    assert!(run.text().ends_with("total: 2 files, 2 ill-formed, 2 problems\n"), "{run:?}");
    let run = folder.utfall("check --quiet src/b.rs", "");
    run.quietly_gives("");
    let run = folder.utfall("check --concealed --quiet src/b.rs", "");
    run.quietly_gives("");
    // Named, it is looked at.
    assert_eq!(folder.utfall("check src/image.bin", "").status, 1);
    // JSON has every file.
    let objects = objects(&folder.utfall("check --format json src", ""));
    let files: Vec<_> = objects.iter().filter(|o| o["type"] == "file").collect();
    assert_eq!(files.len(), 4);
    assert_eq!(objects.last().unwrap()["skipped_files"], 1);
    // Concealed text in a directory.
    fs::write(folder.path("src/deep/c.txt"), b"\xC0\xAF").unwrap();
    let run = folder.utfall("check --concealed src", "");
    assert!(
        run.text().ends_with(
            "total: 4 files, 3 ill-formed, 5 problems, 2 with concealed text, \
             1 binary file skipped\n"
        ),
        "{run:?}"
    );
}

/// A gate that has checked nothing has not been passed.
#[test]
fn nothing_to_check() {
    let folder = Folder::with([("a.txt", b"a\n"), (".ignore", b"ignored.txt\n")]);
    fs::create_dir(folder.path("empty")).unwrap();
    fs::create_dir(folder.path("all-ignored")).unwrap();
    fs::write(folder.path("all-ignored/ignored.txt"), b"\xFF").unwrap();
    fs::write(folder.path("list"), b"").unwrap();
    for args in ["empty", "-g *.rs .", "--exclude *.txt --exclude list .", "all-ignored"] {
        let run = folder.utfall(&format!("check {args}"), "");
        run.fails(2, &["no files to check", "--allow-empty"]);
        let run = folder.utfall(&format!("check --allow-empty {args}"), "");
        run.gives("total: 0 files, 0 ill-formed, 0 problems\n");
        // Logs are whole even then.
        let run = folder.utfall(&format!("check --format sarif {args}"), "");
        assert_eq!(
            (run.status, &sarif(&run)["runs"][0]["invocations"][0]["exitCode"]),
            (2, &json!(2))
        );
        let run = folder.utfall(&format!("check --format json {args}"), "");
        assert_eq!(objects(&run)[0]["exit_status"], 2);
    }
    folder.utfall("check --files-from list", "").fails(2, &["no files to check"]);
    folder.utfall("check --allow-empty --quiet empty", "").quietly_gives("");
    // That which cannot be read is another matter.
    folder.utfall("check missing", "").fails(4, &["cannot open missing"]);
}

/// CVE-2021-42574.
#[test]
fn trojan_source() {
    let open = "if (a) {\u{202E} } \u{2066}// x\n";
    let closed = "a \u{202B}\u{5D0}\u{202C} b \u{2067}\u{5D0}\u{2069}\n";
    let run = utfall("check", open);
    assert_eq!(run.status, 1);
    assert!(run.text().starts_with("error[bidi-unbalanced]: "), "{run:?}");
    let run = utfall("check", closed);
    assert_eq!(run.status, 0);
    assert!(run.text().starts_with("warning[bidi-control]: "), "{run:?}");
    assert_eq!(utfall("check --allow bidi-unbalanced", open).status, 0);
}

#[test]
fn quiet_is_silent() {
    let folder =
        Folder::with([("fine", b"fine\n"), ("warned", b"\xEF\xBB\xBFa\n"), ("wrong", b"\xFF")]);
    for format in ["text", "github"] {
        let check = |name: &str| folder.utfall(&format!("check -q --format {format} {name}"), "");
        check("fine").quietly_gives("");
        check("fine fine").quietly_gives("");
        assert!(check("warned").text().contains("bom"));
        assert!(check("fine wrong").text().contains("byte that never appears"));
        assert!(!check("fine wrong").text().contains("fine:"));
    }
    // Those formats that are documents stay so.
    assert_eq!(sarif(&folder.utfall("check -q --format sarif fine", ""))["version"], "2.1.0");
}

/// Dotfiles, in every subcommand that takes directories, as in rg and fd.
#[test]
fn hidden_means_dotfiles() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("tree/.hidden")).unwrap();
    fs::write(folder.path("tree/.hidden/a"), "caf\u{C3}\u{A9}\n").unwrap();
    fs::write(folder.path("tree/b"), "enough to be sure\n").unwrap();
    for (args, without) in [
        ("check --rule double-encoding", 0),
        ("repair --dry-run", 0),
        ("detect", 0),
        ("convert -t UTF-16LE --dry-run --verbose", 0),
    ] {
        let run = folder.utfall(&format!("{args} tree"), "");
        assert_eq!(run.status, without, "{run:?}");
        assert!(!run.text().contains(".hidden"), "{run:?}");
        let run = folder.utfall(&format!("{args} --hidden tree"), "");
        assert!(common::slashes(run.text()).contains("tree/.hidden/a"), "{args}: {run:?}");
        let run = folder.utfall(&format!("{args} --hidden-files tree"), "");
        run.fails(2, &["--hidden-files", "'--hidden'"]);
    }
}

/// Lists of files, by other programs.
#[test]
fn files_from() {
    let folder = Folder::with([("a b", b"\xFF\n"), ("-", b"\xFE\n"), ("c", b"c\n")]);
    fs::write(folder.path("list"), "a b\n-\n\n").unwrap();
    fs::write(folder.path("list0"), "a b\0-\0").unwrap();
    for args in ["--files-from list", "--files-from list0 -0", "--files-from list0 --null"] {
        let run = folder.utfall(&format!("check {args} c"), "");
        assert_eq!(run.status, 1);
        let summary = "total: 3 files, 2 ill-formed, 2 problems\n";
        assert!(run.text().ends_with(summary), "{run:?}");
    }
    let run = folder.utfall("check --files-from - -0", "a b\0c\0");
    assert!(run.text().ends_with("total: 2 files, 1 ill-formed, 1 problem\n"), "{run:?}");
    let run = folder.utfall("detect --files-from list", "");
    assert_eq!(run.text().lines().count(), 2, "{run:?}");
    let run = folder.utfall("repair --dry-run --files-from -", "c\na b\n");
    assert_eq!(run.status, 0, "{run:?}");
    let run =
        folder.utfall("convert -f ISO-8859-1 -t UTF-8 --output-dir out --files-from -", "c\n");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(folder.read("out/c"), b"c\n");
    // An empty list is not standard input.
    fs::write(folder.path("none"), "").unwrap();
    for args in ["detect", "repair", "convert -t UTF-8 --in-place", "convert -f UTF-8 -t UTF-16"] {
        folder.utfall(&format!("{args} --files-from none"), b"\xFF").quietly_gives("");
    }
    folder.utfall("check --files-from missing", "").fails(4, &["cannot read missing"]);
    folder.utfall("check --files-from - -", "").fails(2, &["both LIST and FILE"]);
    folder.utfall("check -0 c", "").fails(2, &["--files-from"]);
}

#[cfg(unix)]
#[test]
fn short_flags_of_trees() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("tree")).unwrap();
    fs::create_dir_all(folder.path("other")).unwrap();
    fs::write(folder.path("other/a"), b"\xFF").unwrap();
    fs::write(folder.path("tree/b"), b"b\n").unwrap();
    std::os::unix::fs::symlink("../other", folder.path("tree/link")).unwrap();
    assert_eq!(folder.utfall("check -j 2 tree", "").status, 0);
    assert_eq!(folder.utfall("check -j 2 -L tree", "").status, 1);
    assert_eq!(folder.utfall("check -L --exclude link tree", "").status, 0);
    assert_eq!(folder.utfall("check -L -g * --exclude a tree", "").status, 0);
    assert_eq!(folder.utfall("convert -n -j2 -L -t UTF-8 tree", "").status, 1);
}

/// Files that are looked at in parts, by one thread and several.
#[test]
fn large_files() {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < (20 << 20) {
        number += 1;
        _ = write!(text, "line {number} of many, \u{65E5}\u{672C}\u{8A9E}, caf\u{E9}");
        text += match number % 50_000 {
            7 => "\u{FFFD}\n",
            8 => "\r\n",
            9 => "\u{202E}\n",
            _ => "\n",
        };
    }
    let mut bytes = text.into_bytes();
    // One line across the end of a part, one error right before such an end.
    for byte in &mut bytes[(8 << 20) - 70_000..(8 << 20) + 70_000] {
        if *byte == b'\n' {
            *byte = b' ';
        }
    }
    bytes[(16 << 20) - 1] = 0xFF;
    bytes.extend(b"the end\xC0\xAF");
    let folder = Folder::with([("large", &bytes)]);
    for flags in ["--all", "", "--all --format json --deny warnings", "--all --rule final-newline"]
    {
        let check = |threads: usize, stdin: &[u8], name: &str| {
            folder.utfall(&format!("check {flags} --threads {threads} {name}"), stdin)
        };
        let one = check(1, b"", "large");
        assert_eq!(one.status, 1);
        let two = check(3, b"", "large");
        assert_eq!(one.text(), two.text());
        // In one piece. What a pipe had long before is not shown again.
        let whole = check(1, &bytes, "-");
        let whole = whole.titles().join("\n").replace("(standard input)", "large");
        assert!(one.titles().join("\n") == whole, "{flags}: {one:?}\n{whole}");
        assert!(one.text().len() < 100_000);
    }
}

#[test]
fn a_hundred_thousand_problems() {
    let folder = Folder::with([("many", &b"a\xFF\xEF\xBF\xBD\n".repeat(50_000))]);
    let run = folder.utfall("check --all many", "");
    assert_eq!(lines(&run).len(), 100_003);
    assert_eq!(lines(&run)[100_002], "total: 1 file, 1 ill-formed, 50000 problems, 50000 warnings");
    assert!(
        lines(&run)[99_999].contains(": many: line 50000, column 3 (byte 299996): replacement")
    );
    let run = folder.utfall("check --format sarif many", "");
    assert_eq!(sarif(&run)["runs"][0]["results"].as_array().unwrap().len(), 100_000);
    let run = folder.utfall("check --format github --max 10 many", "");
    assert_eq!(lines(&run).len(), 11);
}

#[cfg(unix)]
#[test]
fn names_that_are_not_unicode_and_files_that_cannot_be_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    let name = OsStr::from_bytes(b"caf\xE9");
    if fs::write(folder.path("").join(name), b"\xFF").is_err() {
        return println!("skipped: this file system wants names in Unicode");
    }
    let run = folder.utfall("check .", "");
    assert!(
        run.text().starts_with("error[ill-formed]: ./caf\u{FFFD}: line 1, column 1 "),
        "{run:?}"
    );
    let run = folder.utfall("check --format json .", "");
    let name = "2E 2F 63 61 66 E9";
    assert!(objects(&run)[..2].iter().all(|object| object["file_hex"] == name), "{run:?}");
    let run = folder.utfall("check --format sarif .", "");
    let location = &sarif(&run)["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "./caf%E9");

    let secret = folder.path("secret");
    fs::write(&secret, b"x").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&secret).is_ok() {
        return println!("skipped: nothing is unreadable for root");
    }
    folder.utfall("check .", "").fails(4, &["cannot open ./secret: Permission denied"]);
}

/// What reads ahead stops when nobody wants to know any more.
#[test]
fn a_closed_pipe() {
    let folder = Folder::with([("many", &b"\xFF\n".repeat(2 << 20))]);
    let mut child = folder
        .command()
        .args(["check", "--all", "--threads", "2", "many", "many"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

/// Ignore files by strangers neither stop a run nor take its memory: the directory is left out, and
/// that is said.
#[cfg(target_os = "linux")]
#[test]
fn hostile_ignore_files() {
    use std::os::unix::fs::symlink;
    use std::path::Path;
    use std::process::Command;

    let make = |prepare: &dyn Fn(&Path)| {
        let folder = Folder::new();
        fs::create_dir_all(folder.path("tree/sub")).unwrap();
        fs::create_dir_all(folder.path("tree/.git/info")).unwrap();
        fs::write(folder.path("tree/sub/a"), b"a\n").unwrap();
        fs::create_dir(folder.path("other")).unwrap();
        fs::write(folder.path("other/b"), b"b\n").unwrap();
        prepare(&folder.path("tree"));
        folder
    };
    let fifo = |path: &Path| {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let linked = |at: &str, to: &str| {
        let (at, to) = (at.to_owned(), to.to_owned());
        move |tree: &Path| symlink(&to, tree.join(&at)).unwrap()
    };
    let many: String = (0..200_000).map(|n| format!("*a{n}*b\n")).collect();
    let long = "#".repeat((1 << 20) + 1);
    let worktree = |tree: &Path| {
        fs::remove_dir_all(tree.join(".git")).unwrap();
        fs::create_dir(tree.join("../git")).unwrap();
        fs::write(tree.join(".git"), "gitdir: ../git\n").unwrap();
        fifo(&tree.join("../git/commondir"));
    };
    // The parser of globs is recursive.
    let deep = format!("x\n{}a{}\n", "{".repeat(100_000), "}".repeat(100_000));
    type Prepare<'p> = &'p dyn Fn(&Path);
    let cases: [(&str, Prepare<'_>); 13] = [
        ("tree/.ignore: line 2: longer than 4096 bytes", &|tree| {
            fs::write(tree.join(".ignore"), &deep).unwrap();
        }),
        ("tree/.ignore: line 1: error parsing glob", &|tree| {
            let deep = format!("{}a", "{".repeat(4095));
            fs::write(tree.join(".ignore"), deep).unwrap();
        }),
        ("tree/sub/.ignore: not a regular file", &linked("sub/.ignore", "/dev/zero")),
        ("tree/sub/.ignore: not a regular file", &linked("sub/.ignore", "/dev/random")),
        ("tree/sub/.utfallignore: not a regular file", &|tree| {
            fifo(&tree.join("sub/.utfallignore"))
        }),
        ("tree/.gitignore: not a regular file", &linked(".gitignore", "/dev/zero")),
        ("tree/.gitignore: not a regular file", &|tree| fifo(&tree.join(".gitignore"))),
        ("tree/.ignore: larger than 1 MiB", &|tree| {
            fs::write(tree.join(".ignore"), &long).unwrap()
        }),
        ("tree/.ignore: more than 10000 patterns", &|tree| {
            fs::write(
                tree.join(".ignore"),
                many.lines().take(10_001).collect::<Vec<_>>().join("\n"),
            )
            .unwrap();
        }),
        ("tree/.git/info/exclude: not a regular file", &linked(".git/info/exclude", "/dev/zero")),
        ("tree/.git/info/exclude: larger than 1 MiB", &|tree| {
            fs::write(tree.join(".git/info/exclude"), &many).unwrap();
        }),
        ("git/commondir: not a regular file", &worktree),
        ("more than 20000 patterns, with those of parents", &|tree| {
            let part = many.lines().take(10_000).collect::<Vec<_>>().join("\n");
            fs::write(tree.join(".ignore"), &part).unwrap();
            fs::write(tree.join(".gitignore"), &part).unwrap();
            fs::write(tree.join("sub/.ignore"), "x").unwrap();
        }),
    ];
    for (message, prepare) in cases {
        let folder = make(prepare);
        // 512 MiB of address space, and ten seconds.
        for (inside, file) in [("tree other", "other/b"), ("tree/sub other", "other/b")] {
            let program = common::program().get_program().to_os_string();
            let script =
                format!("ulimit -v 524288; exec timeout 10 \"$0\" check -j 1 --all {inside}");
            let mut command = Command::new("sh");
            command.arg("-c").arg(script).arg(program).current_dir(folder.path(""));
            let run = common::run(&mut command, "");
            run.fails(4, &[message]);
            // The rest is checked.
            assert!(run.text().ends_with("unreadable\n"), "{file}: {run:?}");
            assert!(run.text().starts_with("total: 1 file, ") || run.text().contains("2 files"));
        }
        let run = folder.utfall("check --no-ignore tree other", "");
        assert_eq!(run.status, 0, "{run:?}");
    }
    // The user's own.
    let folder = make(&|_| {});
    symlink("/dev/zero", folder.path("zero")).unwrap();
    let run = |key: &str, value: &str| {
        common::run(folder.command().env(key, folder.path(value)).args(["check", "tree"]), "")
    };
    run("GIT_CONFIG_GLOBAL", "zero").fails(4, &["zero: not a regular file"]);
    fs::write(folder.path("config"), "[core]\nexcludesFile = /dev/zero\n").unwrap();
    run("GIT_CONFIG_GLOBAL", "config").fails(4, &["/dev/zero: not a regular file"]);
    fs::create_dir_all(folder.path("xdg/git")).unwrap();
    fs::write(folder.path("xdg/git/ignore"), "sub\n").unwrap();
    let none = folder
        .command()
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("XDG_CONFIG_HOME", folder.path("xdg"))
        .args(["check", "tree"])
        .output()
        .unwrap();
    assert_eq!(none.status.code(), Some(2), "{none:?}");
}
