//! `docs/json.md`: every field of every report is documented, and every documented field is written.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::{self, Folder, misname, repository, run};
use serde_json::Value;

/// The fields of each type of object of each subcommand.
type Fields = BTreeMap<(String, String), BTreeSet<String>>;

/// What the page lists: in `## SUBCOMMAND` and `### TYPE`, the code in the first column of the table.
fn documented() -> Fields {
    let page = fs::read_to_string(repository("docs/json.md")).unwrap();
    let (mut fields, mut command, mut kind) = (Fields::new(), String::new(), String::new());
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            (command, kind) = (title.into(), String::new());
        } else if let Some(title) = line.strip_prefix("### ") {
            kind = title.trim_matches('`').into();
        } else if let Some(row) = line.strip_prefix("| `") {
            let names = row.split('|').next().unwrap().split('`').step_by(2);
            let names = names.filter(|name| !name.trim().is_empty()).map(str::to_owned);
            fields.entry((command.clone(), kind.clone())).or_default().extend(names);
        }
    }
    assert!(fields.len() > 15, "{fields:?}");
    fields
}

/// Adds the paths of all fields of an object, as the page writes them.
fn add_paths(value: &Value, path: &str, paths: &mut BTreeSet<String>) {
    // A candidate inside another has the fields of one.
    if let (Some(outer), true) = (path.strip_suffix(".inside.candidate"), value.is_object()) {
        paths.insert(path.into());
        return add_paths(value, outer, paths);
    }
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = if path == "converted_from" { "ENCODING" } else { name };
                let dot = if path.is_empty() { "" } else { "." };
                add_paths(value, &format!("{path}{dot}{name}"), paths);
            }
        }
        Value::Array(values) if values.iter().any(Value::is_object) => {
            values.iter().for_each(|value| add_paths(value, &format!("{path}[]"), paths));
        }
        _ => _ = paths.insert(path.into()),
    }
}

/// Runs of the subcommands, and the fields seen.
struct Seen {
    folder: Folder,
    fields: Fields,
}

impl Seen {
    fn new() -> Self {
        Self { folder: Folder::new(), fields: Fields::new() }
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.folder.path(name), bytes).unwrap();
    }

    /// Runs `utfall SUBCOMMAND ARGS --json`. The objects are the same as with `--format json`.
    fn run(&mut self, command: &str, args: &str, stdin: impl AsRef<[u8]>) {
        let run = self.folder.utfall(&format!("{command} --json {args}"), stdin);
        assert!(!run.stdout.is_empty(), "{command} {args}: {run:?}");
        self.see(command, run.text());
    }

    fn see(&mut self, command: &str, text: &str) {
        let objects = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        for object in objects {
            let mut object = object.unwrap_or_else(|error| panic!("{command}: {error}: {text}"));
            let fields = object.as_object_mut().unwrap();
            assert_eq!(fields.remove("version"), Some(2.into()), "{command}: {text}");
            let kind = fields.remove("type").unwrap_or_else(|| panic!("no type: {text}"));
            let kind = (command.to_owned(), kind.as_str().unwrap().to_owned());
            add_paths(&object, "", self.fields.entry(kind).or_default());
        }
    }
}

/// A name that JSON cannot have.
fn odd_name() -> std::ffi::OsString {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        std::ffi::OsStr::from_bytes(b"caf\xE9.txt").into()
    }
    #[cfg(not(unix))]
    "na\u{202E}me.txt".into()
}

impl Seen {
    /// Runs the subcommand on a copy of a file under that name.
    fn run_on_odd_name(&mut self, command: &str, args: &str, bytes: &[u8]) {
        fs::write(self.folder.path(".").join(odd_name()), bytes).unwrap();
        let mut line = self.folder.command();
        line.arg(command).arg("--json").args(args.split_whitespace()).arg(odd_name());
        let run = run(&mut line, "");
        self.see(command, run.text());
        _ = fs::remove_file(self.folder.path(".").join(odd_name()));
    }
}

const LATIN_1: &[u8] = b"caf\xE9\n";
const MAIL: &[u8] = b"From: =?ISO-8859-1?Q?And=E9?=\r\nSubject: =?UTF-8?Q?=61?= caf\xC3\xA9\r\n\
    MIME-Version: 1.0\r\nContent-Type: text/plain; charset=UTF-8\r\n\
    Content-Transfer-Encoding: quoted-printable\r\n\r\n=E2=98=BA =C0=AE\r\n";

fn check(seen: &mut Seen) {
    seen.file("overlong", b"/\xC0\xAE./ caf\xC3\x83\xC2\xA9\n");
    seen.file("tree-logo.png", b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0");
    seen.run("check", "--all overlong missing", "");
    seen.run("check", "--max 0 overlong", "");
    seen.run("check", ".", "");
    seen.run("check", "-f UTF-7 --all --utf7-allow latin1", "+2AA- ~\u{E9} +@");
    seen.run_on_odd_name("check", "", b"\xFF\n");
    seen.run("check", "", LATIN_1);
    seen.run("check", "", "p\u{430}ypal\n");
    seen.folder.utfall("check --write-baseline known overlong", "");
    seen.run("check", "--baseline known overlong", "");
    seen.run("check", "--concealed -f UTF-7", "+ADw-script+AD4-");
    // Longer than a message that is searched.
    let long = [MAIL, &b"a line of a long message\r\n".repeat((65 << 20) / 26)].concat();
    seen.run("check", "--concealed --mail", &long);
}

fn convert(seen: &mut Seen) {
    for name in ["a", "b", "c"] {
        seen.file(name, LATIN_1);
    }
    let all = "-f ISO-8859-1 -t UTF-8 --in-place";
    seen.run("convert", &format!("{all} a"), "");
    // What is old is said by the next run.
    let journal = seen.folder.path(".state/undo/1/journal.jsonl");
    age(&journal);
    seen.run("convert", &format!("{all} b"), "");
    seen.run("convert", "-f ISO-8859-1 -t US-ASCII --dry-run c", "");
    seen.run("convert", "-f ISO-8859-1 -t UTF-8 --in-place=.old c", "");
    seen.file("d", b"d\xE9j\xE0 vu, na\xEFve caf\xE9 and r\xE9sum\xE9 \xE0 la carte".repeat(20));
    seen.run("convert", "-f detect -t UTF-8 --dry-run d missing", "");
    seen.run_on_odd_name("convert", all, LATIN_1);
    seen.file("e", LATIN_1);
    seen.run("convert", "-f UTF-8 -t UTF-16 --dry-run e", "");
    let run = seen.folder.utfall("convert -f UTF-8 -t UTF-16 --dry-run --progress json a", "");
    seen.see("convert", &run.stderr);
}

/// Makes a run look as if it were made a hundred days earlier.
fn age(journal: &std::path::Path) {
    let text = fs::read_to_string(journal).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let (about, _) = first.rsplit_once(",\"check\"").unwrap();
    let (before, after) = about.split_once("\"time\":").unwrap();
    let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap();
    let time = after[..digits].parse::<u64>().unwrap() - 100 * 86_400;
    let about = format!("{before}\"time\":{time}{}", &after[digits..]);
    let check = twox_hash::XxHash3_128::oneshot_with_seed(1, about.as_bytes());
    fs::write(journal, format!("{about},\"check\":\"{check:032x}\"}}\n{rest}")).unwrap();
}

fn cost(seen: &mut Seen) {
    seen.run("cost", "", "\u{65E5}\u{672C}\u{8A9E}");
    seen.run_on_odd_name("cost", "", b"plain");
}

fn detect(seen: &mut Seen) {
    seen.run("detect", "", "caf=C3=A9 et th=C3=A9, d=C3=A9j=C3=A0 vu\n");
    seen.run("detect", "", b"r\xE9sum\xE9");
    seen.run_on_odd_name("detect", "", LATIN_1);
}

fn explain(seen: &mut Seen) {
    seen.file("bom", "\u{FEFF}caf\u{E9}");
    seen.run("explain", "bom missing.txt", "");
    seen.run("explain", "", b"\xC0\xAE\xFF");
    seen.run("explain", "", LATIN_1);
    seen.run("explain", "-f UTF-7", "+2AA- +ZeVnLIqe- +A");
    seen.run("explain", "-f UTF-16", "\0a");
    let parts = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b--\n";
    seen.run("explain", "--mail", [parts.as_bytes(), MAIL].concat());
    seen.run("explain", "--mail", MAIL);
    seen.run_on_odd_name("explain", "", b"a");
}

fn imap_name(seen: &mut Seen) {
    seen.run("imap-name", "Entw&APw-rfe Entw&APw-r&AGY-e caf\u{E9}", "");
    seen.run("imap-name", "--encode Entw\u{FC}rfe", "");
    seen.run("imap-name", "", [b"\xFF".repeat(20), b"\n".to_vec(), b"x".repeat(70_000)].concat());
}

fn mail(seen: &mut Seen) {
    seen.run("mail", "--extract", MAIL);
    let long = format!("Subject: {}\n", "x".repeat(300_000));
    seen.run(
        "mail",
        "--extract",
        [long.as_bytes(), b"To: \xE9\nContent-Type: image/png; name=a.png\n\nPNG"].concat(),
    );
    seen.run("mail", "--extract", "=?UTF-8?Q?caf=C3=A9?=");
    seen.run_on_odd_name("mail", "--extract", MAIL);
}

fn repair(seen: &mut Seen) {
    let broken = "She said \u{E2}\u{20AC}\u{153}hello\u{E2}\u{20AC}?, then left\n";
    seen.run("repair", "--dry-run", broken);
    seen.run("repair", "--dry-run", b"d\xC3\xA9 \xE0\x80\xAF\n");
    seen.run("repair", "--dry-run missing.txt", "");
    seen.run("repair", "--dry-run", LATIN_1);
    let skipped = format!("{broken}It says \"\u{C3}\u{A9}\" there\n");
    seen.run_on_odd_name("repair", "--dry-run", skipped.as_bytes());
}

fn undo(seen: &mut Seen) {
    for name in ["a", "b", "c"] {
        seen.file(name, LATIN_1);
    }
    let convert = "convert -f ISO-8859-1 -t UTF-8 --in-place";
    seen.folder.utfall(&format!("{convert} a b"), "");
    // A later run changes a file of an earlier one.
    seen.folder.utfall("convert -f UTF-8 -t UTF-16 --in-place --again a", "");
    seen.run("undo", "--list", "");
    seen.run("undo", "--recover --dry-run 1", "");
    fs::remove_file(seen.folder.path("b")).unwrap();
    seen.run("undo", "--verbose 1", "");
    seen.run("undo", "2", "");
    // An original that has gone.
    seen.folder.utfall(&format!("{convert} c"), "");
    let last = (1..9).rfind(|number| is_run(seen, *number)).unwrap();
    fs::remove_file(seen.folder.path(&format!(".state/undo/{last}/1"))).unwrap();
    seen.run("undo", "--verbose", "");
    let mut line = seen.folder.command();
    fs::write(seen.folder.path(".").join(odd_name()), LATIN_1).unwrap();
    run(line.args(convert.split(' ')).arg(odd_name()), "");
    seen.file("e", LATIN_1);
    seen.folder.utfall(&format!("{convert} e"), "");
    let runs: Vec<_> = (1..9).filter(|n| is_run(seen, *n)).collect();
    let [.., odd, last] = runs[..] else { panic!("{runs:?}") };
    seen.run("undo", &format!("--recover --dry-run {odd}"), "");
    seen.run("undo", &odd.to_string(), "");
    // A damaged line.
    let journal = seen.folder.path(&format!(".state/undo/{last}/journal.jsonl"));
    misname(&journal, "e", "x");
    seen.run("undo", "--list", "");
    seen.run("undo", &last.to_string(), "");
    seen.run("undo", &format!("--recover --to out {last}"), "");
    // The copy is there already.
    seen.run("undo", &format!("--recover --to out {last}"), "");
}

fn is_run(seen: &Seen, number: u32) -> bool {
    seen.folder.path(&format!(".state/undo/{number}")).is_dir()
}

#[test]
fn every_field_is_documented_and_every_documented_field_is_written() {
    let mut seen = Seen::new();
    check(&mut seen);
    for each in [convert, cost, detect, explain, imap_name, mail, repair, undo] {
        seen.folder = Folder::new();
        each(&mut seen);
    }
    seen.run("list", "", "");
    let documented = documented();
    let types = |fields: &Fields| fields.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(types(&seen.fields), types(&documented));
    let mut wrong = Vec::new();
    for (kind, documented) in &documented {
        let seen = &seen.fields[kind];
        // An array that is empty says nothing about its objects.
        let is_known = |name: &String| {
            documented.contains(name)
                || documented.iter().any(|other| other.starts_with(&format!("{name}[]")))
        };
        let missing: Vec<_> = seen.iter().filter(|name| !is_known(name)).collect();
        let never: Vec<_> = documented.difference(seen).collect();
        if !missing.is_empty() || !never.is_empty() {
            wrong.push(format!("{kind:?}: not documented: {missing:?}; never written: {never:?}"));
        }
    }
    assert!(wrong.is_empty(), "docs/json.md:\n{}", wrong.join("\n"));
}

/// Every subcommand that has `--format json` has `--json` for it.
#[test]
fn json_is_short_for_its_format() {
    let mut count = 0;
    for command in common::commands("").iter().filter(|name| !name.contains(' ')) {
        let help = common::utfall(&format!("{command} --help"), "");
        if !help.text().contains("--format <FORMAT>") {
            assert!(!help.text().contains("--json\n"), "{command}");
            continue;
        }
        count += 1;
        let args = match command.as_str() {
            "convert" => "-f ISO-8859-1 -t UTF-8 --dry-run a",
            "repair" => "--dry-run a",
            "mail" => "--extract",
            "undo" => "--list",
            "imap-name" => "a",
            "list" => "UTF-7",
            _ => "a",
        };
        let folder = Folder::with([("a", "cafÃ©\n".as_bytes()), ("b", b"b\xE9\n".as_slice())]);
        folder.utfall("convert -f ISO-8859-1 -t UTF-8 --in-place b", "");
        let short = folder.utfall(&format!("{command} --json {args}"), "");
        let long = folder.utfall(&format!("{command} --format json {args}"), "");
        assert!(short.text().starts_with('{'), "{short:?}");
        assert_eq!((short.status, &short.stdout), (long.status, &long.stdout), "{command}");
        folder.utfall(&format!("{command} --json --format json {args}"), "").fails(2, &["--json"]);
    }
    assert_eq!(count, 10);
}
