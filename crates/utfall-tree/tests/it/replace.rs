//! Replacement of a single file.

use std::fs::{self, File, FileTimes};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use utfall_tree::{Keep, Replacement, back_up, remove_left_behind};

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(&path, "old").unwrap();
    (folder, path)
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn replace(path: &Path, keep: Keep) -> std::io::Result<()> {
    let mut new = Replacement::of(path)?;
    new.file().write_all(b"new")?;
    new.finish(keep)
}

#[test]
fn nothing_changes_before_the_end() {
    let (folder, path) = folder();
    let mut new = Replacement::of(&path).unwrap();
    new.file().write_all(b"ne").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(&folder).len(), 2);
    drop(new);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(&folder), ["a"]);
    replace(&path, Keep::default()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(&folder), ["a"]);
    replace(&folder.path().join("b"), Keep::default()).unwrap();
    assert_eq!(names(&folder), ["a", "b"]);
    assert!(Replacement::of(folder.path()).is_err());
}

#[test]
fn times_on_request() {
    let (_folder, path) = folder();
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(777_000_000);
    let times = FileTimes::new().set_accessed(then).set_modified(then);
    File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
    let modified = || fs::metadata(&path).unwrap().modified().unwrap();
    let mut keep = Keep::default();
    (keep.times, keep.sync) = (true, true);
    replace(&path, keep).unwrap();
    assert_eq!(modified(), then);
    replace(&path, Keep::default()).unwrap();
    assert!(modified() > then);
}

#[cfg(unix)]
#[test]
fn permissions_and_owner() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let (_folder, path) = folder();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o4751)).unwrap();
    if chown(&path, Some(12345), Some(54321)).is_err() {
        println!("only root can give files away: skipped with another owner");
    }
    fs::set_permissions(&path, PermissionsExt::from_mode(0o4751)).unwrap();
    let all = || {
        let metadata = fs::metadata(&path).unwrap();
        (metadata.uid(), metadata.gid(), metadata.mode() & 0o7777)
    };
    let before = all();
    replace(&path, Keep::default()).unwrap();
    assert_eq!(all(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn extended_attributes() {
    let (_folder, path) = folder();
    if xattr::set(&path, "user.mime_type", b"text/plain").is_err() {
        println!("skipped: no extended attributes on this file system");
        return;
    }
    replace(&path, Keep::default()).unwrap();
    assert_eq!(xattr::get(&path, "user.mime_type").unwrap().unwrap(), b"text/plain");
}

#[test]
fn what_is_left_behind_is_removed_unless_it_is_being_written() {
    let (folder, path) = folder();
    let new = Replacement::of(&path).unwrap();
    for name in [".utfall-aB3dE6.tmp", ".utfall-notes.tmp", ".utfall-aB3dE6.txt"] {
        fs::write(folder.path().join(name), "cut short").unwrap();
    }
    assert_eq!(remove_left_behind(folder.path()).unwrap(), 1);
    assert_eq!(remove_left_behind(folder.path()).unwrap(), 0);
    assert_eq!(names(&folder).len(), 4);
    new.finish(Keep::default()).unwrap();
    assert_eq!(names(&folder), [".utfall-aB3dE6.txt", ".utfall-notes.tmp", "a"]);
}

#[test]
fn backups() {
    let (folder, path) = folder();
    let backup = folder.path().join("a~");
    assert_eq!(back_up(&path, "~".as_ref()).unwrap(), backup);
    // Continues an interrupted run.
    assert_eq!(back_up(&path, "~".as_ref()).unwrap(), backup);
    replace(&path, Keep::default()).unwrap();
    assert_eq!(fs::read(&backup).unwrap(), b"old");
    let error = back_up(&path, "~".as_ref()).unwrap_err();
    assert!(error.to_string().ends_with("a~ exists already"), "{error}");
    assert_eq!(
        (fs::read(&path).unwrap(), fs::read(&backup).unwrap()),
        (b"new".into(), b"old".into())
    );
    fs::write(&backup, "new").unwrap();
    back_up(&path, "~".as_ref()).unwrap();
}
