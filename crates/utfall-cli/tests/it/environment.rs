//! What `utfall --help` says of the environment.

use crate::common::{Folder, Run, run, utfall};

/// Runs with variables, in a folder with an ill-formed file.
fn with(variables: &[(&str, &str)], args: &str) -> Run {
    let folder = Folder::with([("a.txt", b"a\xFF")]);
    let mut command = folder.command();
    run(command.args(args.split_whitespace()).envs(variables.iter().copied()), "")
}

#[test]
fn every_variable_is_tested_here() {
    let help = utfall("--help", "");
    let (_, section) = help.text().split_once("\nEnvironment:\n").unwrap();
    let names: Vec<_> = section.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let tests = include_str!("environment.rs");
    for name in &names {
        let elsewhere = ["PAGER"];
        let quoted = format!("(\"{name}\"");
        assert!(tests.contains(&quoted) || elsewhere.contains(name), "{name} is not tested");
    }
    assert!(names.contains(&"UTFALL_ISA"), "{names:?}");
}

#[test]
fn colours() {
    let check = "convert -f UTF-8 -t UTF-8 a.txt";
    let is_coloured = |run: &Run| run.stderr.contains("\u{1B}[");
    assert!(!is_coloured(&with(&[], check)), "this is no terminal");
    let coloured = with(&[("CLICOLOR_FORCE", "1")], check);
    assert!(is_coloured(&coloured));
    // Usage errors are clap's.
    assert!(is_coloured(&with(&[("CLICOLOR_FORCE", "1")], "convert")));
    assert!(!is_coloured(&with(&[("NO_COLOR", "1")], check)));
    assert!(!is_coloured(&with(&[("NO_COLOR", "1")], "convert")));
    // Nothing but the colours differs.
    let plain = with(&[("NO_COLOR", "1")], check).stderr;
    assert_eq!(anstream::adapter::strip_str(&coloured.stderr).to_string(), plain);
}

#[test]
fn threads() {
    let convert = "convert -f ISO-8859-1 -t UTF-8 a.txt";
    with(&[("UTFALL_THREADS", "2")], convert).quietly_gives("aÿ");
    with(&[("UTFALL_THREADS", "0")], convert).fails(2, &["--threads"]);
    with(&[("UTFALL_THREADS", "0")], "check a.txt").fails(2, &["--threads"]);
    // The command line overrides it.
    with(&[("UTFALL_THREADS", "0")], &format!("{convert} --threads 1")).quietly_gives("aÿ");
}

#[test]
fn old_texts() {
    let folder = Folder::with([("a.txt", b"\xFF")]);
    let mut command = folder.command();
    let args = ["convert", "--in-place", "-f", "ISO-8859-1", "-t", "UTF-8", "-q", "a.txt"];
    run(command.args(args).envs([("UTFALL_STATE_DIR", "old texts")]), "").gives("");
    assert!(folder.path("old texts").is_dir(), "{:?}", folder.names());
}

/// `keep.rs` tests its effect.
#[test]
fn how_long_originals_are_kept() {
    let convert = "convert -f ISO-8859-1 -t UTF-8 --in-place -q a.txt";
    with(&[("UTFALL_KEEP", "0")], convert).quietly_gives("");
    with(&[("UTFALL_KEEP", "x")], convert).fails(2, &["UTFALL_KEEP=x"]);
}

#[test]
fn charset_of_the_locale() {
    with(&[("LC_ALL", "de_DE.ISO-8859-1")], "iconv -t UTF-8 a.txt").quietly_gives("aÿ");
}

#[test]
fn kernels() {
    with(&[("UTFALL_ISA", "scalar")], "check a.txt").fails(1, &[]);
    with(&[("UTFALL_ISA", "quantum")], "check a.txt").fails(2, &["UTFALL_ISA=quantum", "scalar"]);
}

#[test]
fn width() {
    let longest = |columns| {
        let help = with(&[("COLUMNS", columns)], "mail -h");
        help.text().lines().map(|line| line.chars().count()).max().unwrap()
    };
    assert!(longest("60") < longest("90"), "{} and {}", longest("60"), longest("90"));
}
