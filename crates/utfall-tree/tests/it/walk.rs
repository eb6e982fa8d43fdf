//! The files selected by arguments.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use utfall_tree::{WalkOptions, walk};

/// Creates a directory with these files. They are empty unless the name is followed by `=` and
/// text.
fn folder(files: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let (name, text) = file.split_once('=').unwrap_or((file, ""));
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The files found in a directory, and the errors, separated by spaces.
fn found(folder: &TempDir, arguments: &[&str], options: &WalkOptions) -> String {
    let arguments: Vec<PathBuf> = arguments.iter().map(|name| folder.path().join(name)).collect();
    let shown = |path: &Path| {
        let path = path.strip_prefix(folder.path()).unwrap();
        path.to_string_lossy().replace('\\', "/")
    };
    let all = walk(&arguments, options).unwrap().map(|found| match found {
        Ok(found) if found.is_named => format!("={}", shown(&found.path)),
        Ok(found) => shown(&found.path),
        Err(trouble) => format!("!{}", shown(&trouble.path.unwrap())),
    });
    all.collect::<Vec<_>>().join(" ")
}

fn options(change: impl FnOnce(&mut WalkOptions)) -> WalkOptions {
    let mut options = WalkOptions::default();
    change(&mut options);
    options
}

#[test]
fn sorted_and_in_the_order_of_the_arguments() {
    let folder = folder(&["b/2", "b/10", "b/c/1", "a/1", "a/.x", "z"]);
    let plain = options(|_| {});
    assert_eq!(found(&folder, &[""], &plain), "a/1 b/10 b/2 b/c/1 z");
    assert_eq!(found(&folder, &["z", "b", "a"], &plain), "=z b/10 b/2 b/c/1 a/1");
    assert_eq!(found(&folder, &["a/.x", "nothing"], &plain), "=a/.x =nothing");
    assert_eq!(found(&folder, &[], &plain), "");
}

#[test]
fn ignore_files() {
    let files = [
        ".git/config",
        ".gitignore=by-git\n",
        ".ignore=by-ignore\n",
        ".utfallignore=by-us\nsub/x\n",
        "by-git",
        "by-ignore",
        "by-us",
        "kept",
        "sub/by-us",
        "sub/x",
        "sub/y",
    ];
    let folder = folder(&files);
    let found = |change: fn(&mut WalkOptions)| found(&folder, &[""], &options(change));
    assert_eq!(found(|_| {}), "kept sub/y");
    assert_eq!(found(|o| o.no_ignore = true), "by-git by-ignore by-us kept sub/by-us sub/x sub/y");
    assert_eq!(found(|o| o.hidden = true), ".gitignore .ignore .utfallignore kept sub/y");
    // Outside a repository `.gitignore` has no effect.
    fs::remove_dir_all(folder.path().join(".git")).unwrap();
    assert_eq!(found(|_| {}), "by-git kept sub/y");
}

#[test]
fn named_files_are_always_taken() {
    let folder = folder(&[".ignore=*.txt\n", "a.txt", "sub/b.txt"]);
    let strict = options(|o| o.globs = vec!["!*".into()]);
    assert_eq!(
        found(&folder, &["a.txt", "sub/b.txt", ".ignore", ""], &strict),
        "=a.txt =sub/b.txt =.ignore"
    );
    // The same for a directory given by name.
    assert_eq!(found(&folder, &["sub"], &options(|o| o.no_ignore = true)), "sub/b.txt");
}

#[test]
fn globs() {
    let folder = folder(&["a.txt", "a.png", "sub/b.txt", "sub/deep/c.txt", ".ignore=a.txt\n"]);
    let found = |globs: &[&str], arguments: &[&str]| {
        let globs = globs.iter().map(|&glob| glob.into()).collect();
        found(&folder, arguments, &options(|o| o.globs = globs))
    };
    assert_eq!(found(&["*.txt"], &[""]), "a.txt sub/b.txt sub/deep/c.txt");
    assert_eq!(found(&["!*.txt"], &[""]), "a.png");
    assert_eq!(found(&["*.txt", "!deep"], &[""]), "a.txt sub/b.txt");
    assert_eq!(found(&["/*.txt"], &["", "sub"]), "a.txt sub/b.txt");
    assert!(walk(&[], &options(|o| o.globs = vec!["a{".into()])).is_err());
}

#[test]
fn neither_version_control_nor_what_is_being_written() {
    let files =
        [".git/a", ".svn/a", "CVS/a", "sub/.hg/a", "sub/.utfall-Ab3xYz.tmp", "sub/a", ".utfall-x"];
    let folder = folder(&files);
    let all = options(|o| (o.hidden, o.no_ignore) = (true, true));
    assert_eq!(found(&folder, &[""], &all), ".utfall-x sub/a");
    // If given by name, they are included.
    assert_eq!(
        found(&folder, &[".git", "sub/.utfall-Ab3xYz.tmp"], &all),
        ".git/a =sub/.utfall-Ab3xYz.tmp"
    );
}

#[test]
fn directories_apart() {
    let folder = folder(&["a", "state/b", "sub/state/c"]);
    let apart = options(|o| o.apart = vec![folder.path().join("sub/../state"), "nothing".into()]);
    assert_eq!(found(&folder, &[""], &apart), "a sub/state/c");
    assert_eq!(found(&folder, &["state"], &apart), "state/b");
}

#[test]
fn a_glob_in_an_ignore_file_that_is_none() {
    let folder = folder(&[".ignore=a{\nb\n", "a", "b"]);
    assert_eq!(found(&folder, &[""], &options(|_| {})), "!.ignore a");
}

#[cfg(unix)]
#[test]
fn symbolic_links() {
    use std::os::unix::fs::symlink;
    let folder = folder(&["sub/a", "other/b"]);
    symlink("a", folder.path().join("sub/link")).unwrap();
    symlink("../other", folder.path().join("sub/dir")).unwrap();
    symlink("nothing", folder.path().join("sub/to-nothing")).unwrap();
    let plain = options(|_| {});
    assert_eq!(found(&folder, &["sub"], &plain), "sub/a");
    assert_eq!(found(&folder, &["sub/link", "sub/dir"], &plain), "=sub/link sub/dir/b");
    let follow = options(|o| o.follow = true);
    assert_eq!(found(&folder, &["sub"], &follow), "sub/a sub/dir/b sub/link !sub/to-nothing");
    symlink("..", folder.path().join("other/up")).unwrap();
    assert_eq!(found(&folder, &["other"], &plain), "other/b");
    let all = found(&folder, &["other"], &follow);
    assert!(all.starts_with("other/b ") && all.contains("!other/up/other"), "{all}");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_unicode_and_what_is_no_file() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::UnixListener;
    let folder = folder(&["a"]);
    let name = OsStr::from_bytes(b"caf\xE9");
    fs::write(folder.path().join(name), "").unwrap();
    let _socket = UnixListener::bind(folder.path().join("socket")).unwrap();
    let arguments = [folder.path().to_path_buf()];
    let paths: Vec<_> =
        walk(&arguments, &options(|_| {})).unwrap().map(|found| found.unwrap().path).collect();
    assert_eq!(paths, [folder.path().join("a"), folder.path().join(name)]);
}

#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&["closed/a", "open/a"]);
    let closed = folder.path().join("closed");
    fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).unwrap();
    if fs::read_dir(&closed).is_ok() {
        println!("skipped: root may read everywhere");
    } else {
        let error = walk(std::slice::from_ref(&closed), &options(|_| {}))
            .unwrap()
            .next()
            .unwrap()
            .unwrap_err();
        assert_eq!(error.error.kind(), std::io::ErrorKind::PermissionDenied);
        assert_eq!(found(&folder, &[""], &options(|_| {})), "!closed open/a");
    }
    fs::set_permissions(&closed, PermissionsExt::from_mode(0o755)).unwrap();
}

/// Rules above the directory being walked apply, nearest first. `.gitignore` applies up to the root
/// of the repository, and so do Git's other ignore files.
#[test]
fn ignore_files_of_parents_and_of_git() {
    let files = [
        ".gitignore=outside\n",
        ".ignore=/repo/sub/by-ignore\n!kept\n",
        "repo/.git/info/exclude=by-exclude\n",
        "repo/.gitignore=by-git\n/sub/anchored\nkept\ndirectory/\n",
        "repo/sub/.gitignore=!by-git-again\n*-again\n!whitelisted-again\n",
        "repo/sub/outside",
        "repo/sub/by-ignore",
        "repo/sub/by-exclude",
        "repo/sub/by-git",
        "repo/sub/anchored",
        "repo/sub/kept",
        "repo/sub/directory/x",
        "repo/sub/y/directory",
        "repo/sub/y/anchored",
        "repo/sub/y/by-git-again",
        "repo/sub/y/whitelisted-again",
        "repo/sub/inner/.git/HEAD",
        "repo/sub/inner/by-git",
        "repo/sub/inner/by-exclude",
    ];
    let folder = folder(&files);
    let plain = options(|_| {});
    let all = "repo/sub/inner/by-exclude repo/sub/inner/by-git repo/sub/kept repo/sub/outside \
               repo/sub/y/anchored repo/sub/y/directory repo/sub/y/whitelisted-again";
    assert_eq!(found(&folder, &["repo/sub"], &plain), all);
    assert_eq!(found(&folder, &["repo"], &plain), all);
    let below = "repo/sub/y/anchored repo/sub/y/directory repo/sub/y/whitelisted-again";
    assert_eq!(found(&folder, &["repo/sub/y"], &plain), below);
    // Patterns are relative to their files, however the directory is written.
    assert_eq!(found(&folder, &["repo/sub/../sub/y/."], &plain).matches('/').count(), 18);
}

#[test]
fn patterns_that_are_not_utf_8() {
    let folder = folder(&["a", "b", "c"]);
    fs::write(folder.path().join(".ignore"), b"\xEF\xBB\xBFa\r\n\xFF\n# \xFF\nb").unwrap();
    assert_eq!(found(&folder, &[""], &options(|_| {})), "!.ignore c");
}
