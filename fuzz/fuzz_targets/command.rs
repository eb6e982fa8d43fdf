//! The command, with any arguments, on files and standard input: in this process, in a directory
//! of its own. It never panics. Its exit status is documented. Where it should not write, nothing
//! changes. An output appears completely or not at all. `undo` restores replaced files. JSON is
//! valid.
#![no_main]

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use utfall_cli::{Flag, subcommands};
use utfall_fuzz::cut::one_of;
use utfall_fuzz::world::{self, MANIFEST, NAMES, Ran, World};

#[derive(Arbitrary, Debug)]
struct Input<'s> {
    subcommand: u8,
    args: Vec<Arg<'s>>,
    files: [&'s [u8]; 4],
    stdin: &'s [u8],
}

#[derive(Arbitrary, Debug)]
enum Arg<'s> {
    /// A flag of the subcommand, with a value if it takes one.
    Flag {
        number: u8,
        value: Value<'s>,
        is_joined: bool,
    },
    /// A file name, which exists or not.
    File(u8),
    Any(&'s [u8]),
}

#[derive(Arbitrary, Debug)]
enum Value<'s> {
    /// One of the existing values.
    Named(u8),
    Label(u8),
    Number(u16),
    File(u8),
    Any(&'s [u8]),
}

/// Encodings, and names from other programs.
const LABELS: [&str; 20] = [
    "UTF-8",
    "UTF-7",
    "UTF-16",
    "UTF-16LE",
    "UTF-32BE",
    "UTF-7-IMAP",
    "US-ASCII",
    "ISO-8859-1",
    "windows-1252",
    "SCSU",
    "BOCU-1",
    "CESU-8",
    "UTF-EBCDIC",
    "Shift_JIS",
    "gb18030",
    "ISO-2022-JP",
    "UTF-8/RFC2279",
    "detect",
    "ASCII//TRANSLIT",
    "UTF-8//IGNORE",
];

static SUBCOMMANDS: LazyLock<Vec<(String, Vec<Flag>)>> = LazyLock::new(subcommands);

/// An argument that cannot be a path to anywhere else, and that the system would pass on.
fn harmless(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.iter().copied().filter(|byte| !matches!(byte, b'/' | 0)).collect())
}

impl Input<'_> {
    fn args(&self) -> Vec<OsString> {
        let all = &*SUBCOMMANDS;
        let (name, flags) = &all[usize::from(self.subcommand) % all.len()];
        let mut args = vec!["utfall".into(), OsString::from(name)];
        for arg in &self.args {
            match arg {
                Arg::File(number) => args.push(one_of(&NAMES, *number).into()),
                Arg::Any(bytes) => args.push(harmless(bytes)),
                Arg::Flag { number, value, is_joined } => {
                    let Some((flag, values)) = flags.get(usize::from(*number) % flags.len().max(1))
                    else {
                        continue;
                    };
                    let value = match value {
                        Value::Named(number) => values
                            .as_ref()
                            .filter(|values| !values.is_empty())
                            .map(|values| values[usize::from(*number) % values.len()].clone())
                            .map_or_else(|| "UTF-8".into(), OsString::from),
                        Value::Label(number) => one_of(&LABELS, *number).into(),
                        Value::Number(number) => number.to_string().into(),
                        Value::File(number) => one_of(&NAMES, *number).into(),
                        Value::Any(bytes) => harmless(bytes),
                    };
                    match (values.is_some(), is_joined) {
                        (false, _) => args.push(flag.into()),
                        (true, true) => {
                            let joined = [flag.as_bytes(), b"=", value.as_bytes()].concat();
                            args.push(OsString::from_vec(joined));
                        }
                        (true, false) => args.extend([flag.into(), value]),
                    }
                }
            }
        }
        // Its lines name files, and may name any.
        for arg in &mut args {
            if arg.as_bytes().starts_with(b"--man") {
                *arg = format!("--manifest={}", MANIFEST).into();
            }
        }
        args
    }
}

/// Whether any argument begins with one of these.
fn has(args: &[OsString], beginnings: &[&str]) -> bool {
    let begins = |arg: &OsString| {
        beginnings.iter().any(|begin| arg.as_bytes().starts_with(begin.as_bytes()))
    };
    args.iter().any(begins)
}

/// Whether something may be written besides standard output.
fn may_write(args: &[OsString]) -> bool {
    let is_cluster = |arg: &OsString| {
        let bytes = arg.as_bytes();
        bytes.starts_with(b"-") && !bytes.starts_with(b"--") && bytes.contains(&b'o')
    };
    // iconv accepts prefixes of flags.
    matches!(args[1].to_str(), Some("undo" | "generate"))
        || has(args, &["--in-p", "--o", "--r"])
        || args.iter().any(is_cluster)
}

fn check(args: &[OsString], ran: &Ran) {
    let is_iconv = args[1] == "iconv";
    assert!(ran.status <= 4 || is_iconv && ran.status == 64, "status {}", ran.status);
    let is_json = |arg: &OsString| arg == "--format=json";
    let formats = args.iter().filter(|arg| arg.as_bytes().starts_with(b"--format")).count();
    if formats == 1
        && args.iter().any(is_json)
        && ran.status != 2
        && !has(args, &["-h", "--h", "-V", "--v"])
    {
        let lines = ran.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        for line in lines {
            let read = serde_json::from_slice::<serde_json::Value>(line);
            assert!(read.is_ok(), "{}: {}", read.unwrap_err(), line.escape_ascii());
        }
    }
}

fuzz_target!(init: world::begin(), |input: Input<'_>| {
    let args = input.args();
    let world = World::new(&input.files, input.stdin);
    let before = world.look();
    let ran = world.run(&args);
    check(&args, &ran);
    let after = world.look();
    let is_temporary = |name: &&OsString| name.as_bytes().ends_with(b".tmp");
    assert_eq!(after.keys().find(is_temporary), None, "{args:?}");
    if !may_write(&args) {
        assert_eq!(after, before, "{args:?}");
    }
    // An output appears completely or not at all; iconv writes everything that it does not leave
    // out, and so does mail, with status 1.
    let writes_nothing = match args[1].to_str() {
        Some("convert") => ran.status != 0,
        Some("mail") => ran.status > 1,
        _ => false,
    };
    if writes_nothing && !has(&args, &["--in-p", "--output-d"]) {
        assert_eq!(after, before, "{args:?}");
    }
    let is_undone = matches!(args[1].to_str(), Some("convert" | "repair"))
        && args.iter().any(|arg| arg == "--in-place")
        && !has(&args, &["--in-place=", "--no-undo", "--o", "--r"]);
    if is_undone && after != before {
        let undo: Vec<OsString> = ["utfall", "undo", "--verbose"].map(OsString::from).to_vec();
        let ran = world.run(&undo);
        let said = ran.stdout.escape_ascii().to_string();
        assert_eq!(ran.status, 0, "{args:?}, then undo: {said}");
        assert_eq!(world.look(), before, "{args:?}, then undo: {said}");
    }
});
