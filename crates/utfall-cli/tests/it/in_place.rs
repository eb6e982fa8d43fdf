//! `--in-place` of `convert` and `repair`: originals that are kept, and files that are never
//! replaced.

use std::fs::{self, File, FileTimes, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Folder;

const BROKEN: &[u8] = "Les Ã©lÃ¨ves\n".as_bytes();

/// The variable of `--in-place="$suffix"` is not set: the file was replaced, and nothing was kept.
#[test]
fn an_empty_suffix_is_refused() {
    for command in ["repair", "convert -f UTF-8 -t UTF-16", "convert -f UTF-8 -t UTF-16 --dry-run"]
    {
        for (suffix, why) in
            [("", "leave out the `=`"), ("/old", "path separator"), ("a\\b", "separator")]
        {
            let folder = Folder::with([("a", BROKEN)]);
            let run = folder.utfall(&format!("{command} --in-place={suffix} a"), "");
            run.fails(2, &["--in-place", why]);
            assert_eq!((folder.read("a"), folder.names()), (BROKEN.into(), vec!["a".into()]));
        }
    }
}

/// Help says that nothing is written with --diff, and so nothing is.
#[test]
fn a_diff_replaces_nothing() {
    for flags in ["--diff --in-place", "--in-place=.old --diff", "--dry-run --in-place"] {
        let folder = Folder::with([("a", BROKEN)]);
        folder.utfall(&format!("repair {flags} a"), "").fails(2, &["--in-place", "cannot be used"]);
        assert_eq!((folder.read("a"), folder.names()), (BROKEN.into(), vec!["a".into()]));
    }
}

/// Somebody changes a file that is being repaired, to a text of the same length, and sets its time
/// back: what they wrote was replaced by what had been read before.
#[test]
fn a_file_that_changes_while_it_is_repaired_is_left_alone() {
    let text = BROKEN.repeat(100_000);
    let folder = Folder::with([("a", &text)]);
    let path = folder.path("a");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let mut command = folder.command();
    command.args(["repair", "--quiet", "--in-place", "a"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // Its first lines have been read when some of it has been written.
    let begun = Instant::now();
    let is_written = |name: &String| {
        name.starts_with(".utfall-") && fs::metadata(folder.path(name)).is_ok_and(|m| m.len() > 0)
    };
    while !folder.names().iter().any(is_written) {
        assert!(begun.elapsed() < Duration::from_secs(120), "nothing is written");
        thread::sleep(Duration::from_millis(1));
    }
    let mut file: File = OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(b"LES")).unwrap();
    file.set_times(FileTimes::new().set_modified(modified)).unwrap();
    drop(file);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("it changed during the repair"), "{stderr}");
    let now = folder.read("a");
    assert!(now.starts_with(b"LES ") && now[3..] == text[3..]);
    assert!(!folder.names().iter().any(is_written), "{:?}", folder.names());
}
