//! `utfall convert` on texts: its output, its messages, its exit status.

use crate::common::{self, Folder, has_encoding, repository, utfall};

#[test]
fn analects_of_the_utf_7_memo() {
    let read = |name: &str| {
        let path = repository("examples").join(name);
        let run = utfall(&format!("convert -f UTF-7 -t UTF-8 {}", path.display()), "");
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        run.text().to_owned()
    };
    let text = read("analects.utf7");
    assert!(text.contains("論語") && text.contains("台北"), "{text}");
    assert_eq!(text, read("analects-header-safe.utf7"));
}

#[test]
fn first_error_of_utf_8() {
    let folder = Folder::with([("input.txt", b"abc\xFF\n")]);
    let run = folder.utfall("convert -f UTF-8 -t UTF-16 -o out", "abc\n");
    run.quietly_gives("");
    assert_eq!(folder.read("out"), b"\xFE\xFF\0a\0b\0c\0\n");
    std::fs::remove_file(folder.path("out")).unwrap();

    let run = folder.utfall("convert -f UTF-8 -t UTF-16 -o out", b"abc\xFF\n");
    run.fails(1, &["(standard input): line 1, column 4 (byte 3): FF: byte that never appears"]);
    assert_eq!(folder.names(), ["input.txt"]);

    let run = folder.utfall("convert -f UTF-8 -t UTF-16 -o out input.txt", "");
    assert_eq!(
        run.stderr,
        "\
error: input.txt: line 1, column 4 (byte 3): FF: byte that never appears in UTF-8
  |
1 | abc<FF>
  |    ^^^^
  |
  = note: RFC 3629 §1: C0, C1 and F5 to FF never appear
  = help: `utfall check --all input.txt` shows all problems; --on-error replace writes U+FFFD for each
"
    );
    assert_eq!((run.status, run.stdout), (1, Vec::new()));
    assert_eq!(folder.names(), ["input.txt"]);
}

#[test]
fn the_place_is_marked() {
    // Columns are those of a terminal: two for a wide character, none for what combines.
    let text = "one\ne\u{301}日本\t\u{202E}€ñ\r\nnext\n";
    let run = utfall("convert -f UTF-8 -t US-ASCII", text.replace("€", "\u{301}"));
    run.fails(3, &["\n2 | e<U+0301>日本    <U+202E>\u{301}ñ\n  |  ^^^^^^^^\n"]);
    let text = [text.as_bytes(), b"o\xCC\x81\xE6\x97\xA5\x1B\xE2\x82<\r\n"].concat();
    let run = utfall("convert -f UTF-8 -t UTF-8", text);
    let line = "\n4 | o\u{301}日<U+001B><E2 82><\n  |            ^^^^^^^\n";
    run.fails(1, &[&line.replace("\n4", "\n  |\n4")]);
}

#[test]
fn help_can_be_typed() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("a")).unwrap();
    let quoted = if cfg!(windows) { "\"it's here\"" } else { r"'it'\''s here'" };
    for (name, typed) in [("-c", "./-c"), ("it's here", quoted), ("a/../b", "a/../b")] {
        std::fs::write(folder.path(name), b"\xFF").unwrap();
        let mut command = folder.command();
        let args = ["convert", "-f", "UTF-8", "-t", "UTF-8", "--", name];
        common::run(command.args(args), "").fails(1, &[&format!("check --all {typed}`")]);
    }
}

#[test]
fn standard_output_has_what_stands_before_an_error() {
    let run = utfall("convert -f UTF-8 -t UTF-16LE", b"abc\xFF\n");
    run.fails(1, &["byte 3"]);
    assert_eq!(run.stdout, b"a\0b\0c\0");
}

#[test]
fn not_encodable() {
    let run = utfall("convert -f UTF-8 -t ISO-8859-1", "é\n5 €\n");
    run.fails(
        3,
        &[
            "(standard input): line 2, column 3 (byte 5): E2 82 AC: U+20AC \"€\" cannot be \
             encoded in ISO-8859-1",
            "help: ISO-8859-15 and windows-1252 have it, and UTF-8 has every character; or try \
             --transliterate, --on-error escape or --on-error replace",
        ],
    );
    assert_eq!(run.stdout, b"\xE9\n5 ");
    // A surrogate or an invisible character is not quoted.
    utfall("convert -f UTF-8/Perl -t UTF-8", b"\xED\xA0\x80").fails(3, &[": U+D800 cannot be"]);
    utfall("convert -f UTF-8 -t US-ASCII", "\u{202E}").fails(3, &[": U+202E cannot be"]);
    // The first error in the order of the text counts.
    utfall("convert -f UTF-8 -t US-ASCII", "é\u{0}").fails(3, &[]);
    utfall("convert -f UTF-8 -t US-ASCII", b"\xFF\xC3\xA9").fails(1, &[]);
}

#[test]
fn policies() {
    let text = b"a\xFF\xE2\x82\xAC<\xC3\xA9>";
    for (policy, expected, said) in [
        ("replace", "a??<?>", "replaced: 1 invalid sequence and 2 characters not in US-ASCII"),
        ("skip", "a<>", "dropped: 1 invalid sequence and 2 characters not in US-ASCII"),
        ("escape", r"a\xff\u{20ac}<\u{e9}>", "escaped: 1 invalid"),
        ("escape-xml", r"a\xff&#8364;<&#233;>", "escaped: 1 invalid"),
        ("escape-python", r"a\xff\u20ac<\xe9>", "escaped: 1 invalid"),
    ] {
        let flags = format!("convert -f UTF-8 -t US-ASCII --on-error {policy}");
        let run = utfall(&flags, text);
        run.gives(expected);
        assert_eq!(run.stderr.lines().count(), 1);
        assert!(run.stderr.contains(said), "{}", run.stderr);
        utfall(&format!("{flags} --quiet"), text).quietly_gives(expected);
        utfall(&flags, "plain").quietly_gives("plain");
    }
    utfall("convert -f UTF-8 -t US-ASCII --on-error strict", text).fails(1, &["byte 1"]);
    utfall("convert -f UTF-8 -t UTF-8 --on-error replace", text).gives("a\u{FFFD}€<é>");
    utfall("convert -f UTF-8 -t UTF-8 -q --on-error escape-python", "😀\u{1}").gives("😀\u{1}");
    utfall("convert -f UTF-8 -t US-ASCII -q --on-error escape-python", "😀").gives(r"\U0001f600");
}

#[test]
fn skip_as_iconv() {
    let run = utfall("convert -c -f UTF-8 -t ISO-8859-1", b"a\xFF\xE2\x82\xAC\xC3\xA9");
    run.gives(b"a\xE9");
    let said = "note: dropped: 1 invalid sequence and 1 character not in ISO-8859-1\n";
    assert_eq!(run.stderr, said);
    utfall("convert -c -f UTF-8 -t UTF-8", b"a\xFF\xFE").gives("a");
    utfall("convert -c --on-error replace -f UTF-8 -t UTF-8", "").fails(2, &["-c", "--on-error"]);
}

#[test]
fn surrogateescape() {
    let text = b"\xC3\xA9\xFF\x80";
    let flags = "--on-error surrogateescape";
    let inside = utfall(&format!("convert -f UTF-8 -t UTF-8/Perl {flags}"), text);
    inside.quietly_gives(b"\xC3\xA9\xED\xB3\xBF\xED\xB2\x80");
    utfall(&format!("convert -f UTF-8/Perl -t UTF-8 {flags}"), inside.stdout).quietly_gives(text);
    utfall(&format!("convert -f UTF-8 -t UTF-8 {flags}"), text).quietly_gives(text);
    utfall(&format!("convert -f UTF-8 -t UTF-16LE {flags}"), text).fails(3, &["U+DCFF"]);
}

#[test]
fn replacements_of_ones_own() {
    let folder = Folder::new();
    let run = |args: &[&str], stdin: &[u8]| {
        let fixed = ["convert", "-q", "-f", "UTF-8", "-t", "US-ASCII"];
        common::run(folder.command().args(fixed).args(args), stdin)
    };
    let replace = ["--on-error", "replace"];
    let text = b"a\xFF\xC3\xA9";
    run(&[&replace[..], &["--replacement", "<bad>"]].concat(), text).gives("a<bad>?");
    run(&[&replace[..], &["--substitute", "[é]"]].concat(), text).gives("a[?][?]");
    run(&[&replace[..], &["--replacement", "", "--substitute", "_"]].concat(), text).gives("a_");
    run(&["--replacement", "x"], text).fails(2, &["--replacement needs --on-error replace"]);
    run(&["--substitute", "x"], text).fails(2, &["--substitute needs --on-error replace"]);
    let long = "x".repeat(25);
    run(&[&replace[..], &["--substitute", &long]].concat(), text).fails(2, &["at most 24"]);
}

#[test]
fn granularity() {
    let text = b"\xED\xA0\x80|\xF8\x88\x80\x80\x80";
    for (name, surrogate, long_form) in
        [("maximal-subpart", 3, 5), ("per-byte", 3, 5), ("jdk", 1, 5), ("perl", 1, 1)]
    {
        let flags = format!("convert -q -f UTF-8 -t UTF-8 --on-error replace --granularity {name}");
        let expected = format!("{}|{}", "\u{FFFD}".repeat(surrogate), "\u{FFFD}".repeat(long_form));
        utfall(&flags, text).gives(expected);
    }
    utfall(
        "convert -q -f UTF-8 -t US-ASCII --on-error replace --granularity per-byte",
        b"\xE2\x98",
    )
    .gives("??");
}

#[test]
fn byte_order_marks() {
    let convert = |flags: &str, stdin: &[u8]| utfall(&format!("convert {flags}"), stdin);
    // The encodings say.
    convert("-f UTF-16 -t UTF-8", b"\xFF\xFEa\0").quietly_gives("a");
    convert("-f UTF-16 -t UTF-8", b"\0a").quietly_gives("a");
    convert("-f UTF-8 -t UTF-16", b"a").quietly_gives(b"\xFE\xFF\0a");
    convert("-f UTF-8 -t UTF-16", b"\xEF\xBB\xBFa").quietly_gives(b"\xFE\xFF\0a");
    convert("-f UTF-8 -t UTF-8", b"\xEF\xBB\xBFa").quietly_gives(b"\xEF\xBB\xBFa");
    convert("-f UTF-8 -t ISO-8859-1", b"\xEF\xBB\xBFa").fails(3, &["help:", "--bom strip"]);
    // Keep, strip, add.
    convert("-f UTF-16 -t UTF-8 --bom keep", b"\xFF\xFEa\0").quietly_gives(b"\xEF\xBB\xBFa");
    convert("-f UTF-8 -t UTF-8 --bom strip", b"\xEF\xBB\xBFa").quietly_gives("a");
    convert("-f UTF-8 -t UTF-16 --bom strip", b"a").quietly_gives(b"\0a");
    convert("-f UTF-8 -t UTF-16LE --bom add", b"a").quietly_gives(b"\xFF\xFEa\0");
    convert("-f UTF-8 -t UTF-8 --bom add", b"\xEF\xBB\xBFa").quietly_gives(b"\xEF\xBB\xBFa");
    convert("-f UTF-8 -t ISO-8859-1 --bom add", b"a").quietly_gives("a");
    convert("-f UTF-8 -t UTF-8 --bom add", b"").quietly_gives(b"\xEF\xBB\xBF");
}

#[test]
fn from_may_be_left_out_if_a_mark_decides() {
    let convert = |flags: &str, stdin: &[u8]| utfall(&format!("convert {flags}"), stdin);
    convert("-t UTF-8", b"\xFF\xFEa\0").quietly_gives("a");
    convert("-t UTF-8", b"\xFE\xFF\0a").quietly_gives("a");
    convert("-t UTF-8", b"\xFF\xFE\0\0a\0\0\0").quietly_gives("a");
    convert("-t UTF-8", b"\0\0\xFE\xFF\0\0\0a").quietly_gives("a");
    convert("-t UTF-8", b"\xEF\xBB\xBFa").quietly_gives("a");
    convert("-t UTF-8 --bom keep", b"\xEF\xBB\xBFa").quietly_gives(b"\xEF\xBB\xBFa");
    convert("-t UTF-16", b"\xEF\xBB\xBFa").quietly_gives(b"\xFE\xFF\0a");
    convert("-t ISO-8859-1", b"\xEF\xBB\xBFa").quietly_gives("a");
    // Without one it is UTF-8, or not known.
    convert("-t UTF-8", b"abc").quietly_gives("abc");
    convert("-t UTF-8", b"").quietly_gives("");
    let run = convert("-t UTF-8", b"\xEF\xBB");
    run.fails(1, &["error: cannot tell the encoding of (standard input); best guess: "]);
    assert_eq!(run.stdout, b"");
    // A BOM is not a column.
    convert("-t UTF-8", b"\xEF\xBB\xBFa\xFF").fails(1, &["line 1, column 2 (byte 4)"]);
}

#[test]
fn unknown_encodings() {
    let run = utfall("convert -f utf-88 -t UTF-8", "");
    run.fails(2, &["unknown encoding \"utf-88\"\n", "help: did you mean \"UTF-8\"", "utfall list"]);
    utfall("convert -f UTF-8 -t iso-8859-12", "").fails(2, &["\"iso-8859-12\""]);
    utfall("convert -f klingon -t UTF-8", "").fails(2, &["unknown encoding \"klingon\"\n"]);
    utfall("convert -f UTF-8 -t ASCII//TRANSLIT", "").fails(2, &["--transliterate"]);
    utfall("convert -f UTF-8//IGNORE -t UTF-8", "").fails(2, &["give \"UTF-8\", and -c"]);
    utfall("convert -f \u{1B}[31m -t UTF-8", "").fails(2, &[r"\u{1b}[31m"]);
}

#[test]
fn vocabularies() {
    let convert = |args: &str, bytes: &[u8]| utfall(&format!("convert -t UTF-8 {args}"), bytes);
    for (args, text) in [
        ("-f ISO-8859-1", "\u{80}"),
        ("-f ISO-8859-1 --labels whatwg", "€"),
        ("-f ISO-8859-1/whatwg", "€"),
        ("-f ISO-8859-9", "€"),
        ("-f ISO-8859-9 --labels iana", "\u{80}"),
        ("-f KOI8-RU --labels glibc", "─"),
    ] {
        convert(args, b"\x80").quietly_gives(text);
    }
    convert("-f EUC-KR", b"\xB0\x41").quietly_gives("캚");
    convert("-f EUC-KR --labels glibc", b"\xB0\x41").fails(1, &["EUC-KR/glibc"]);
    convert("-f ISO-2022-KR --labels iana", b"\x1B$)C\x0E0!\x0F").quietly_gives("가");
    convert("-f JOHAB", b"\x88\x61").quietly_gives("가");
    let explained = utfall("explain -f latin5 --labels iana --hex 80", "");
    assert!(explained.text().contains("ISO-8859-9/glibc"), "{}", explained.text());
    utfall("convert -f UTF-8 -t UTF-8 --labels perl", "").fails(2, &["whatwg, iana, glibc"]);
    for name in ["CP932", "CP936", "MS936", "CP949", "CP950", "UJIS", "LATIN7", "LATIN-9", "CP912"]
    {
        convert(&format!("-f {name}"), b"a").quietly_gives("a");
    }
}

#[test]
fn usage() {
    utfall("convert -f UTF-8", "").fails(2, &["--to"]);
    utfall("convert -f UTF-8 -t UTF-8 --on-error panic", "").fails(2, &["surrogateescape"]);
    utfall("convert -f UTF-8 -t UTF-8 --no-such-flag", "").fails(2, &["--no-such-flag"]);
    utfall("frobnicate", "").fails(2, &["frobnicate"]);
    utfall("", "").fails(2, &["Usage: utfall"]);
    for help in [
        "--help",
        "convert --help",
        "check --help",
        "list --help",
        "mail --help",
        "-h",
        "--version",
    ] {
        let run = utfall(help, "");
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{help}");
        let longest = run.text().lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(100), "{help}: {longest:?}");
    }
    assert!(utfall("convert --help", "").text().contains("Examples:"));
    // As iconv calls them.
    utfall("convert --from-code=UTF-8 --to-code=UTF-8 --output=-", "a").quietly_gives("a");
}

#[test]
fn several_files_are_one_text() {
    let folder = Folder::with([
        ("one", "one ☺".as_bytes()),
        ("two", "☺ two".as_bytes()),
        ("big", b"\xFE\xFF\0b"),
        ("little", b"\xFF\xFEl\0"),
        ("marked", b"\xEF\xBB\xBFm"),
        ("empty", b""),
    ]);
    let convert = |args: &str, stdin: &str| folder.utfall(&format!("convert {args}"), stdin);
    convert("-f UTF-8 -t UTF-8 one two", "").quietly_gives("one ☺☺ two");
    convert("-f UTF-8 -t UTF-8 one - two", "|").quietly_gives("one ☺|☺ two");
    convert("-f UTF-8 -t UTF-8 empty one empty", "").quietly_gives("one ☺");
    // One output: one run, one mark.
    convert("-f UTF-8 -t UTF-7 one two", "").quietly_gives("one +JjomOg two");
    convert("-f UTF-8 -t UTF-16 empty one", "").quietly_gives(b"\xFE\xFF\0o\0n\0e\0 \x26\x3A");
    // Each input has its own byte order.
    convert("-f UTF-16 -t UTF-8 big little", "").quietly_gives("bl");
    convert("-t UTF-8 big little marked", "").quietly_gives("blm");
    convert("-t UTF-16 marked marked big", "").quietly_gives(b"\xFE\xFF\0m\0m\0b");
    convert("-f UTF-8 -t UTF-8 --bom strip marked marked", "").quietly_gives("mm");
    convert("-f UTF-8 -t UTF-8 --bom add marked one", "").quietly_gives("\u{FEFF}mone ☺");
    convert("-f UTF-8 -t UTF-8 --bom add one marked", "").quietly_gives("\u{FEFF}one ☺m");
    // As in iconv, U+FEFF is text in a later UTF-8 file.
    convert("-f UTF-8 -t UTF-8 marked marked", "").quietly_gives("\u{FEFF}m\u{FEFF}m");
    convert("-t UTF-8 marked one", "").quietly_gives("mone ☺");
}

#[test]
fn errors_name_the_right_file() {
    let folder = Folder::with([
        ("one", b"line\nline"),
        ("two", b"line\nab\xE2\x98\xBA\xC0"),
        ("cut", b"ab\xE2\x98"),
        ("rest", b"\xBA"),
        ("euro", b"1\n2\n \xE2\x82\xAC"),
    ]);
    let convert = |args: &str| folder.utfall(&format!("convert {args}"), "");
    convert("-f UTF-8 -t UTF-8 one two")
        .fails(1, &["error: two: line 2, column 4 (byte 10): C0:", "`utfall check --all two`"]);
    // A sequence does not go on in the next file.
    convert("-f UTF-8 -t UTF-8 one cut rest")
        .fails(1, &["error: cut: line 1, column 3 (byte 2): E2 98: incomplete UTF-8 sequence"]);
    convert("-f UTF-8 -t ISO-8859-1 one euro")
        .fails(3, &["error: euro: line 3, column 2 (byte 5): E2 82 AC: U+20AC"]);
    let run = convert("-f UTF-8 -t UTF-8 one nothing two");
    run.fails(4, &[&format!("cannot open nothing: {}", common::no_such_file())]);
    assert_eq!(run.stdout, b"line\nline");
}

#[test]
fn lines_and_columns_in_other_encodings() {
    let mut text = Vec::new();
    for unit in "a\n😀b".encode_utf16().chain([0xD800, 0x62]) {
        text.extend(unit.to_le_bytes());
    }
    utfall("convert -f UTF-16LE -t UTF-8", &text)
        .fails(1, &["line 2, column 3 (byte 10): 00 D8: surrogate in UTF-16LE"]);
    utfall("convert -f UTF-16BE -t UTF-8", b"\0a\0")
        .fails(1, &["column 2 (byte 2): 00: incomplete"]);
    utfall("convert -f UTF-32BE -t UTF-8", b"\0\0\0\n\0\x11\0\0")
        .fails(1, &["line 2, column 1 (byte 4): 00 11 00 00: value out of range"]);
    if has_encoding("UTF-7") {
        utfall("convert -f UTF-7 -t UTF-8", "a\n+Jjo- b\n+IKx-").fails(
            1,
            &[
                "line 3, column 2 (byte 13): 78: non-zero padding bits in a shifted run in UTF-7, \
                 bit 16 of its group of eight digits",
                "RFC 2152 rule 2",
                "-f UTF-7",
            ],
        );
        utfall("convert -f UTF-7 -t UTF-8", "ab~").fails(1, &["line 1, column 3 (byte 2): 7E"]);
    }
    if has_encoding("windows-1252") {
        utfall("convert -f UTF-8 -t windows-1252", "€\n☺").fails(3, &["line 2, column 1"]);
    }
    if has_encoding("Big5") {
        utfall("convert -f Big5 -t UTF-8", b"a\n\x80").fails(1, &["line 2, column 1 (byte 2)"]);
    }
}

/// Errors after, within and across the pieces in which input is read.
#[test]
fn errors_far_into_the_input() {
    for length in [65_534, 65_535, 65_536, 131_071, 131_072, 131_135, 131_136, 300_001] {
        let mut text = "☺".repeat(length / 3).into_bytes();
        text.resize(length, b'\n');
        text.extend(b"\xE2\x98|");
        let run = utfall("convert -f UTF-8 -t UTF-16LE", &text);
        let line = 1 + length % 3;
        let column = if line == 1 { 1 + length / 3 } else { 1 };
        let place = format!("line {line}, column {column} (byte {length}): E2 98: incomplete");
        run.fails(1, &[&place]);
    }
}

#[test]
fn utf_7_options() {
    if !has_encoding("UTF-7") {
        return;
    }
    let text = "A☺!☺.";
    utfall("convert -f UTF-8 -t UTF-7", text).quietly_gives("A+Jjo!+Jjo.");
    utfall("convert -f UTF-8 -t UTF-7 --utf7 explicit", text).quietly_gives("A+Jjo-!+Jjo-.");
    utfall("convert -f UTF-8 -t UTF-7 --utf7 header", text).quietly_gives("A+JjoAISY6.");
    utfall("convert -f UTF-8 -t UTF-7 --utf7 direct,minimal", text).quietly_gives("A+Jjo!+Jjo.");
    utfall("convert -f UTF-8 -t UTF-7 --utf7 header,explicit", text).quietly_gives("A+JjoAISY6-.");
    utfall("convert -t UTF-7 --utf7 direct,header", "").fails(2, &["`direct` or `header`"]);
}

#[test]
fn utf_7_is_for_mail() {
    if !has_encoding("UTF-7") {
        return;
    }
    let folder = Folder::new();
    let run = folder.utfall("convert -f UTF-8 -t UTF-7 -o out", "☺");
    run.gives("");
    assert!(run.stderr.contains("UTF-7 is meant for 7-bit mail transport"), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1);
    folder.utfall("convert -q -f UTF-8 -t UTF-7 -o out", "☺").quietly_gives("");
    // A pipe may lead to mail.
    folder.utfall("convert -f UTF-8 -t UTF-7", "☺").quietly_gives("+Jjo-");
}

#[test]
fn unknown_kernels() {
    let mut command = common::program();
    let run = common::run(command.env("UTFALL_ISA", "abacus").arg("list"), "");
    run.fails(2, &["UTFALL_ISA=abacus", "scalar"]);
    assert_eq!(run.stdout, b"");
    let mut command = common::program();
    let args = ["convert", "-f", "UTF-8", "-t", "UTF-16LE"];
    common::run(command.env("UTFALL_ISA", "scalar").args(args), "a").quietly_gives(b"a\0");
}

#[test]
fn transliterates_what_the_target_lacks() {
    let text = "a “b” €5 ﬁ é\u{E000}\n";
    let run = utfall("convert -f UTF-8 -t US-ASCII --transliterate", &text[..text.len() - 4]);
    run.gives("a \"b\" EUR5 fi e");
    assert!(run.stderr.contains("transliterated: 5 characters not in US-ASCII"), "{run:?}");
    // One without a transliteration is for the policy.
    utfall("convert -f UTF-8 -t US-ASCII --translit", text).fails(3, &["U+E000"]);
    let run = utfall("convert -f UTF-8 -t US-ASCII --translit --on-error replace", text);
    run.gives("a \"b\" EUR5 fi e?\n");
    assert!(run.stderr.contains("transliterated or replaced: 6 characters"), "{run:?}");
    // A character that the target has stays.
    utfall("convert -f UTF-8 -t ISO-8859-1 --translit", "é€").gives(b"\xE9EUR");
}

#[test]
fn compatibility_forms_and_cr() {
    utfall("convert -f UTF-8 -t UTF-8 --nfkc --newline cr", "ﬁ½\r\nｱﾞ\n")
        .gives("fi1⁄2\rア\u{3099}\r");
    utfall("convert -f UTF-8 -t UTF-8 --nfkd", "é").gives("e\u{301}");
    utfall("convert -f UTF-8 -t UTF-8 --nfkc --nfc", "").fails(2, &["--nfkc", "--nfc"]);
}
