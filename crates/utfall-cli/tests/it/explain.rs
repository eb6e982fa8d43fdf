//! `utfall explain`, by the real program.

use std::fs;
#[cfg(unix)]
use std::process::Command;

use serde_json::Value;

use crate::common::{Folder, Run, program, repository, run, utfall};

/// Explains one argument.
fn explain(args: &str, argument: &str) -> Run {
    run(program().arg("explain").args(args.split_whitespace()).arg(argument), "")
}

fn objects(run: &Run) -> Vec<Value> {
    run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn units(run: &Run) -> Vec<Value> {
    objects(run).into_iter().filter(|object| object["type"] == "unit").collect()
}

fn bytes(hex: &Value) -> Vec<u8> {
    let words = hex.as_str().unwrap().split(' ').filter(|word| !word.is_empty());
    words.map(|word| u8::from_str_radix(word, 16).unwrap()).collect()
}

#[test]
fn nihongo_digit_by_digit() {
    explain("-f UTF-7", "+ZeVnLIqe-").gives(
        "\
the argument \"+ZeVnLIqe-\": UTF-7
offset  bytes  bits                         unit  code point      name
     0  2B            00101011                                    start of a
                                                                  shifted run
     1  5A 65         Z |011001  e 011110   65E5  U+65E5      日  CJK UNIFIED
        56            V 0101|01                                   IDEOGRAPH-65E5
     4  6E 4C  (01)   n 100111  L 001011    672C  U+672C      本  CJK UNIFIED
        49            I 00|1000                                   IDEOGRAPH-672C
     7  71 65  (1000) q 101010  e 011110    8A9E  U+8A9E      語  CJK UNIFIED
                                                                  IDEOGRAPH-8A9E
     9  2D            00101101                                    end of the run
the argument \"+ZeVnLIqe-\": 10 bytes, 0 problems
",
    );
}

#[test]
fn what_is_wrong_and_for_whom() {
    let run = explain("--hex", "2F C0 AE");
    assert_eq!((run.status, &*run.stderr), (1, ""));
    assert_eq!(
        run.text(),
        "\
the argument \"2F C0 AE\": UTF-8
offset  bytes  bits                 code point      name
     0  2F     0|0101111            U+002F      /   SOLIDUS
     1  C0 AE  110|00000 10|101110  U+002E
        ! overlong form of U+002E \".\"
          RFC 3629 §3: there is only one valid way to encode a character
          accepted by RFC 2044 (1996) and its 1997 draft revision
the argument \"2F C0 AE\": 3 bytes, 1 problem
"
    );
}

/// Whatever the width, nothing is cut: the characters are the same, and no line is longer.
#[test]
fn every_width_shows_everything() {
    use unicode_width::UnicodeWidthStr;
    let hex = "C0 AF E2 28 A1 F0 9F 98 80 E6 BC A2 EF BF BF 65 CC 81";
    let at = |width: usize, args: &[&str]| {
        let mut command = program();
        command.arg("explain").args(args).env("COLUMNS", width.to_string());
        let run = run(&mut command, "");
        let text = run.text().to_owned();
        let body: Vec<_> = text.lines().filter(|line| !line.starts_with("the arg")).collect();
        for line in &body {
            assert!(line.width() <= width, "{width}: {line}");
        }
        let mut shown: Vec<_> = body.concat().chars().filter(|c| *c != ' ').collect();
        shown.sort_unstable();
        shown
    };
    for args in [&["--hex", hex][..], &["-f", "UTF-7", "a+ZeVnLIqe-~+AAA"]] {
        let all = at(300, args);
        for width in [60, 80, 100, 132, 200] {
            assert_eq!(at(width, args), all, "{width}");
        }
    }
}

/// The worked examples of the RFCs: bytes, encoding, code points.
#[test]
fn worked_examples() {
    let examples = [
        ("UTF-8", "41 E2 89 A2 CE 91 2E", "41 2262 391 2E"),
        ("UTF-8", "48 69 20 4D 6F 6D 20 E2 98 BA 21", "48 69 20 4D 6F 6D 20 263A 21"),
        ("UTF-8", "ED 95 9C EA B5 AD EC 96 B4", "D55C AD6D C5B4"),
        ("UTF-8", "E6 97 A5 E6 9C AC E8 AA 9E", "65E5 672C 8A9E"),
        ("UTF-8", "EF BB BF F0 A3 8E B4", "FEFF 233B4"),
        ("UTF-7", "41 2B 49 6D 49 44 6B 51 2E", "41 2262 391 2E"),
        (
            "UTF-7",
            "48 69 20 4D 6F 6D 20 2D 2B 4A 6A 6F 2D 2D 21",
            "48 69 20 4D 6F 6D 20 2D 263A 2D 21",
        ),
        ("UTF-7", "2B 5A 65 56 6E 4C 49 71 65 2D", "65E5 672C 8A9E"),
    ];
    for (encoding, bytes, points) in examples {
        let run = explain(&format!("--hex --format json -f {encoding}"), bytes);
        assert_eq!(run.status, 0, "{run:?}");
        let shown: Vec<_> = units(&run)
            .iter()
            .filter_map(|unit| {
                Some(unit["code_point"].as_str()?[2..].trim_start_matches('0').to_owned())
            })
            .collect();
        assert_eq!(shown.join(" "), points, "{encoding} {bytes}");
    }
}

#[test]
fn what_an_input_is() {
    let folder = Folder::with([("41", b"\xC3\xA9")]);
    for (args, first, bytes) in [
        ("41", "41: UTF-8", "C3 A9"),
        ("--text 41", "the argument \"41\": UTF-8", "34"),
        ("--hex 41", "the argument \"41\": UTF-8", "41"),
        ("--hex \\x41", "the argument \"\\x41\": UTF-8", "41"),
        ("4142", "the argument \"4142\": UTF-8", "34"),
        ("-", "(standard input): UTF-8", "7A"),
        ("", "(standard input): UTF-8", "7A"),
        ("--hex FFFE4100", "the argument \"FFFE4100\": UTF-16LE (by its BOM)", "FF FE"),
    ] {
        let run = folder.utfall(&format!("explain {args}"), "z");
        let mut lines = run.text().lines();
        assert_eq!(lines.next(), Some(first), "{run:?}");
        let unit = lines.nth(1).unwrap_or_default();
        assert!(
            unit.starts_with(&format!("{:>1$}  {bytes}  ", 0, unit.find('0').unwrap_or(0) + 1)),
            "{args}: {unit}"
        );
    }
    folder.utfall("explain --hex 4G", "").fails(2, &["4G", "2F C0 AE"]);
    folder.utfall("explain --hex 412", "").fails(2, &["412"]);
    folder.utfall("explain -f klingon 41", "").fails(2, &["klingon"]);
    // One that cannot be read; the other is explained.
    fs::create_dir(folder.path("d")).unwrap();
    let run = folder.utfall("explain --format json d 41", "");
    run.fails(4, &["d"]);
    let ends: Vec<_> = objects(&run).into_iter().filter(|object| object["type"] == "end").collect();
    assert!(ends[0]["input"] == "d" && ends[0]["error"].is_string(), "{ends:?}");
    assert!(ends[1]["input"] == "41" && ends[1]["bytes"] == 2, "{ends:?}");
    // No file can have such a name.
    assert_eq!(explain("", &"a".repeat(5000)).status, 0);
}

/// The column of names begins at the same place, whatever precedes it.
#[test]
fn columns_stay_where_they_are() {
    use unicode_width::UnicodeWidthStr;
    let text = "a\u{301}日😀\u{202E}\u{5D0}\u{FDFD}\u{10FFFF}\n\u{1F468}\u{200D}\u{1F469}\u{E0020}";
    let mut command = program();
    let run = run(command.args(["explain", text]).env("COLUMNS", "200"), "");
    let mut count = 0;
    for line in run.text().lines().skip(2).filter(|line| line.starts_with("  ")) {
        let name = line.rfind("  ").unwrap() + 2;
        // A ligature may be wider than its column.
        if !line.contains('\u{FDFD}') {
            assert_eq!(line[..name].width(), 78, "{line}");
        }
        count += 1;
    }
    assert_eq!(count, text.chars().count());
}

#[test]
fn a_part() {
    let text = "0123456789é日本";
    for (args, offsets) in [
        ("--range 3..5", "3 4"),
        ("--range 0x3..0x5", "3 4"),
        ("--range ..2", "0 1"),
        ("--range 11..", "10 12 15"),
        ("--range 13..14", "12"),
        ("--range 100..", ""),
        ("--around 4 --context 1", "3 4 5"),
        ("--around 0 --context 0", "0"),
        ("--around 5", "0 1 2 3 4 5 6 7 8 9 10 12 15"),
    ] {
        let run = explain(&format!("--format json {args}"), text);
        let shown: Vec<_> = units(&run).iter().map(|unit| unit["offset"].to_string()).collect();
        assert_eq!(shown.join(" "), offsets, "{args}");
    }
    for args in
        ["--range 5..3", "--range 5", "--range x..", "--around 1 --range 1..2", "--context 3"]
    {
        explain(args, "a").fails(2, &[]);
    }
    // The state of a run is known in the middle of it.
    let run = explain("-f UTF-7 --format json --range 5..6", "+ZeVnLIqe-");
    assert_eq!(units(&run)[0]["code_point"], "U+672C");
}

/// Units tile every file of the test data in every encoding, and `--only problems` says the same
/// as `check --all --rule ill-formed` does.
#[test]
fn problems_are_those_of_check() {
    let file = repository("testdata/UTF-8-test.txt");
    let text = fs::read(&file).unwrap();
    let mut checked = 0;
    for encoding in
        ["UTF-8", "UTF-7", "UTF-16", "UTF-32", "CESU-8", "SCSU", "BOCU-1", "UTF-1", "GB18030"]
    {
        let json = |args: &str| {
            let mut command = program();
            run(
                command.args(args.split(' ')).args(["--format", "json", "-f", encoding]).arg(&file),
                "",
            )
        };
        let all = units(&json("explain"));
        let tiles: Vec<u8> = all.iter().flat_map(|unit| bytes(&unit["hex"])).collect();
        assert!(tiles == text, "{encoding}");
        let problems: Vec<_> = units(&json("explain --only problems"));
        let ill_formed: Vec<_> =
            all.into_iter().filter(|unit| unit["kind"] == "ill-formed").collect();
        assert_eq!(problems, ill_formed, "{encoding}");
        let lines = objects(&json("check --all --rule ill-formed"));
        let lines: Vec<_> = lines.iter().filter(|line| line["rule"] == "ill-formed").collect();
        assert_eq!(lines.len(), problems.len(), "{encoding}");
        for (problem, line) in problems.iter().zip(lines) {
            for field in ["line", "column", "accepted_by", "code_point"] {
                assert_eq!(problem[field], line[field], "{encoding}: {problem}");
            }
            for field in ["kind", "offset", "length", "clause", "run_bit"] {
                assert_eq!(problem["problem"][field], line[field], "{encoding}: {problem}");
            }
        }
        checked += problems.len();
    }
    assert!(checked > 1000);
}

/// Nothing that would move the cursor, but for line ends, comes out of hostile text.
#[test]
fn output_is_plain() {
    let bytes: Vec<u8> = (0..=255).flat_map(|byte| [byte, 0x1B, b'[', byte]).collect();
    for encoding in ["UTF-8", "ISO-8859-1", "UTF-7", "UTF-16", "IBM866", "UCS-4", "SCSU"] {
        let run = utfall(&format!("explain -f {encoding}"), &bytes);
        let is_plain = |c: char| c == '\n' || !c.is_control();
        assert!(run.text().chars().all(is_plain), "{encoding}");
    }
    assert!(explain("", "a\x1B[2J").text().starts_with("the argument \"a\\u{1b}[2J\": UTF-8\n"));
}

#[test]
fn colours_are_for_terminals() {
    let mut command = program();
    command.args(["explain", "a"]).env("CLICOLOR_FORCE", "1");
    assert!(run(&mut command, "").text().contains("\x1B["));
    command.env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE");
    assert!(!run(&mut command, "").text().contains('\x1B'));
}

/// `script` makes a terminal.
#[test]
#[cfg(target_os = "linux")]
fn a_pager_on_a_terminal() {
    let utfall = program().get_program().to_owned();
    let command = format!("{} explain --text ab", utfall.to_string_lossy());
    let page = |pager: &str| {
        let mut script = Command::new("script");
        script.args(["-qec", &command, "/dev/null"]).env("PAGER", pager).env_remove("NO_COLOR");
        script.env("TERM", "xterm").output()
    };
    let Ok(output) = page("sed s/^/PAGED/") else {
        println!("skipped: there is no `script` to make a terminal");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("PAGEDthe argument"), "{text}");
    assert!(text.contains("\x1B["), "{text}");
    for pager in ["", "cat", "there-is-no-such-pager"] {
        let output = page(pager).unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("the argument") && !text.contains("PAGED"), "{text}");
    }
}

/// Validates against the schema, as far as it uses the language of schemas. Patterns are not
/// checked.
fn validate(schema: &Value, root: &Value, value: &Value) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.strip_prefix("#/$defs/").unwrap();
        return validate(&root["$defs"][name], root, value);
    }
    if let Some(options) = schema["oneOf"].as_array() {
        let fits = options.iter().filter(|option| validate(option, root, value).is_ok()).count();
        return if fits == 1 { Ok(()) } else { Err(format!("{fits} of oneOf fit {value}")) };
    }
    let wrong = |what: &str| Err(format!("{value}: {what} of {schema}"));
    let has_type = match schema["type"].as_str() {
        None => true,
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some(other) => panic!("{other}"),
    };
    if !has_type {
        return wrong("type");
    }
    if !schema["const"].is_null() && schema["const"] != *value {
        return wrong("const");
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return wrong("enum");
    }
    for item in value.as_array().into_iter().flatten() {
        validate(&schema["items"], root, item)?;
    }
    if let Some(object) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten() {
            if !object.contains_key(name.as_str().unwrap()) {
                return wrong(name.as_str().unwrap());
            }
        }
        for (name, value) in object {
            match schema["properties"].get(name) {
                Some(schema) => validate(schema, root, value)?,
                None => return wrong(name),
            }
        }
    }
    Ok(())
}

/// The names of all fields, of objects that are as the schema says.
fn valid_fields(schema: &Value, run: &Run) -> Vec<String> {
    let mut names = Vec::new();
    for object in objects(run) {
        if let Err(why) = validate(schema, schema, &object) {
            panic!("{object}: {why}");
        }
        names.extend(object.as_object().unwrap().keys().cloned());
    }
    names
}

/// Every layer that mail has.
const LAYERED: &[u8] = b"From: =?ISO-8859-1?Q?Andr=E9?= <andre@example.org>\r\n\
    Subject: =?x-klingon?B?4pi6?= caf\xC3\xA9\r\n\
    Content-Type: multipart/mixed; boundary=b; name*=utf-8''%E2%98%BA.txt\r\n\r\n\
    --b\r\nContent-Type: text/plain; charset=UTF-8\r\n\
    Content-Transfer-Encoding: quoted-printable\r\n\r\n=E2=98=BA=\r\n=C0=AE\r\n\
    --b\r\nContent-Type: text/plain; charset=UTF-7\r\n\
    Content-Transfer-Encoding: base64\r\n\r\nK0pqcC0=\r\n\
    --b\r\nContent-Transfer-Encoding: x-uue\r\n\r\nM\r\n--b--\r\n";

fn layered(args: &str) -> Run {
    utfall(&format!("explain --mail {args}"), LAYERED)
}

#[test]
fn layers_of_mail() {
    let run = layered("--format json");
    let mut layers = Vec::new();
    for object in objects(&run) {
        if object["type"] == "layer" {
            let text = |name: &str| object[name].as_str().unwrap_or("-").to_owned();
            let names = ["place", "field", "transfer_encoding", "charset", "encoding"].map(text);
            layers.push((names.join(" "), String::new()));
        } else if let Some(written) = object.get("source") {
            let (offset, bytes) = (written["offset"].as_u64().unwrap(), bytes(&written["hex"]));
            assert_eq!(LAYERED[offset as usize..][..bytes.len()], bytes, "{object}");
            let read = object["code_point"].as_str().unwrap_or(object["kind"].as_str().unwrap());
            let last = layers.last_mut().unwrap();
            last.1 += &format!("{}={read} ", bytes.escape_ascii());
        }
    }
    let wanted = [
        (
            "encoded-word From Q ISO-8859-1 ISO-8859-1",
            "A=U+0041 n=U+006E d=U+0064 r=U+0072 =E9=U+00E9 ",
        ),
        // Text of an unknown charset is not read.
        ("encoded-word Subject B x-klingon -", ""),
        ("field Subject 8bit - UTF-8", "c=U+0063 a=U+0061 f=U+0066 \\xc3\\xa9=U+00E9 "),
        (
            "parameter Content-Type percent utf-8 UTF-8",
            "%E2%98%BA=U+263A .=U+002E t=U+0074 x=U+0078 t=U+0074 ",
        ),
        ("body - quoted-printable UTF-8 UTF-8", "=E2=98=BA=U+263A =C0=AE=U+002E "),
        // `+Jjp-`, where bits are left over that must be zero.
        ("body - base64 UTF-7 UTF-7", "K0=shift 0pqcC=U+263A =ill-formed C0=shift "),
        ("body - - - -", ""),
    ];
    let wanted: Vec<_> = wanted.map(|(layer, units)| (layer.to_owned(), units.to_owned())).into();
    assert_eq!(layers, wanted);
    assert_eq!(run.status, 1);

    let run = layered("--only problems");
    let text = run.text();
    assert!(
        text.contains("part 1: body of 18 bytes from 255 on, quoted-printable, charset UTF-8"),
        "{text}"
    );
    assert!(text.contains("=C0=AE     C0     110|00000"), "{text}");
    assert!(!text.contains("Subject"), "{text}");
    // An mbox: offsets are those of the file.
    let mbox = [b"From a Sat Nov 21 2026\r\n", LAYERED, b"\r\nFrom b\r\n", LAYERED].concat();
    let run = utfall("explain --mail --format json", &mbox);
    let mut messages = Vec::new();
    for object in objects(&run) {
        if let Some(written) = object.get("source") {
            let (offset, bytes) = (written["offset"].as_u64().unwrap(), bytes(&written["hex"]));
            assert_eq!(mbox[offset as usize..][..bytes.len()], bytes, "{object}");
        }
        messages.extend(object["message_index"].as_u64());
    }
    // Each has four parts and seven texts.
    assert_eq!(messages, [[0; 11], [1; 11]].concat());
}

#[test]
fn parts_and_texts_of_mail() {
    let run = layered("--format json --only layers");
    let all = objects(&run);
    let of = |kind: &str| all.iter().filter(|it| it["type"] == kind).collect::<Vec<_>>();
    assert!(of("unit").is_empty());
    let parts = of("part").into_iter().map(|it| {
        let [offset, length] = ["offset", "length"].map(|name| it[name].as_u64().unwrap() as usize);
        let text = LAYERED[offset..offset + length].escape_ascii().to_string();
        let start = text.split(['\\', ':', ';']).next().unwrap().to_owned();
        (it["media_type"].as_str().unwrap(), it["parent_index"].as_u64(), start)
    });
    let wanted = [
        ("multipart/mixed", None, "From"),
        ("text/plain", Some(0), "Content-Type"),
        ("text/plain", Some(0), "Content-Type"),
        ("text/plain", Some(0), "Content-Transfer-Encoding"),
    ];
    assert_eq!(parts.collect::<Vec<_>>(), wanted.map(|(t, p, s)| (t, p, s.to_owned())));
    let texts: Vec<_> = of("layer").into_iter().map(|it| it["text"].as_str()).collect();
    let wanted = [
        Some("André"),
        None,
        Some("café"),
        Some("☺.txt"),
        Some("☺\u{FFFD}\u{FFFD}"),
        Some("☺\u{FFFD}"),
        None,
    ];
    assert_eq!(texts, wanted);
    let problems = of("layer").into_iter().map(|it| it["problems"][0]["message"].as_str());
    let wanted = [
        None,
        Some("unknown charset"),
        Some("8-bit bytes in a header field"),
        None,
        None,
        None,
        Some("unknown transfer encoding"),
    ];
    assert_eq!(problems.collect::<Vec<_>>(), wanted);

    let run = layered("--only layers");
    let text = run.text();
    assert!(
        text.contains("From: encoded word of 24 bytes from 6 on, Q, charset ISO-8859-1"),
        "{text}"
    );
    assert!(!text.contains("U+0041"), "{text}");
    assert_eq!(utfall("explain --only layers", b"").status, 2);
    // Encoded words outside mail.
    let run = utfall("explain --mail --json", b"=?UTF-8?Q?caf=C3=A9?=\n");
    let all = objects(&run);
    assert_eq!((&all[1]["place"], &all[1]["text"]), (&"encoded-word".into(), &"café".into()));
}

#[test]
fn json_is_as_the_schema_says() {
    let schema = fs::read_to_string(repository("docs/explain.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let mut seen = Vec::new();
    let file = repository("testdata/UTF-8-test.txt");
    for encoding in ["UTF-8", "UTF-7", "UTF-16", "UCS-4", "SCSU", "UTF-8/RFC2044", "UTF-EBCDIC"] {
        let run = run(
            program()
                .args(["explain", "--format", "json", "-f", encoding, "--range", "..6000"])
                .arg(&file),
            "",
        );
        seen.extend(valid_fields(&schema, &run));
    }
    for mail in ["mail/multipart.eml", "mail/hi-mom.eml", "mail/pound.eml"] {
        let mail = repository("examples").join(mail);
        let run = run(program().args(["explain", "--format", "json", "--mail"]).arg(mail), "");
        seen.extend(valid_fields(&schema, &run));
    }
    seen.extend(valid_fields(&schema, &layered("--format json")));
    let unit = schema["$defs"]["unit"]["properties"].as_object().unwrap();
    let layer = schema["$defs"]["layer"]["properties"].as_object().unwrap();
    let part = schema["$defs"]["part"]["properties"].as_object().unwrap();
    for name in unit.keys().chain(layer.keys()).chain(part.keys()) {
        assert!(seen.contains(name), "{name} is never written");
    }
    // The validator can say no.
    let mut object = objects(&explain("--format json", "a")).remove(0);
    assert_eq!(validate(&schema, &schema, &object), Ok(()));
    object["version"] = 1.into();
    assert!(validate(&schema, &schema, &object).is_err());
}
