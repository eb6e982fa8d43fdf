//! Creates a tree of text files in 13 encodings, to try `utfall convert --in-place`. The tree is
//! always the same.
//!
//!     cargo run --release -p utfall-tree --example make_tree -- DIR [FILES]
//!
//! Creates in DIR: `tree`; `old`, a copy of it; `want`, the expected result in UTF-8, with files
//! that cannot be converted left unchanged; and `manifest.tsv`, for the files in `tree` whose
//! encoding neither a BOM nor well-formed UTF-8 determines.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::{env, process};

use utfall::Encoding;

/// The encodings, whether files begin with a byte order mark, and the corpora for their text.
const ENCODINGS: [(&str, bool, &[&str]); 13] = [
    ("UTF-8", false, &["Arabic-Lipsum", "Chinese-Lipsum", "Emoji-Lipsum", "Hindi-Lipsum"]),
    ("UTF-16LE", true, &["Chinese-Lipsum", "Hebrew-Lipsum", "wiki-english"]),
    ("UTF-16BE", true, &["Japanese-Lipsum", "Emoji-Lipsum"]),
    ("UTF-32LE", true, &["Korean-Lipsum", "Latin-Lipsum"]),
    ("UTF-7", false, &["wiki-french", "Russian-Lipsum"]),
    ("ISO-8859-1", false, &["wiki-french", "Latin-Lipsum"]),
    ("windows-1251", false, &["Russian-Lipsum"]),
    ("KOI8-R", false, &["Russian-Lipsum"]),
    ("windows-1256", false, &["Arabic-Lipsum"]),
    ("Shift_JIS", false, &["Japanese-Lipsum"]),
    ("EUC-JP", false, &["Japanese-Lipsum"]),
    ("GB18030", false, &["Chinese-Lipsum"]),
    ("EUC-KR", false, &["Korean-Lipsum"]),
];
/// One in this many files is damaged, if damage can be detected in its encoding.
const DAMAGED: usize = 101;
/// One in this many is binary, and one in this many is ignored.
const BINARY: usize = 211;
const IGNORED: usize = 307;
/// Files per directory.
const IN_FOLDER: usize = 50;
/// The most pieces of text in a file.
const MOST_PIECES: u64 = 48;

fn main() {
    if let Err(error) = run() {
        eprintln!("make_tree: {error}");
        process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    let folder = PathBuf::from(args.first().ok_or("which folder?")?);
    let files = args.get(1).map_or(Some(20_000), |files| files.to_str()?.parse().ok());
    let files: usize = files.ok_or("how many files?")?;
    let sources: Vec<Source> = ENCODINGS.iter().map(Source::new).collect::<Result<_, _>>()?;
    let mut tree = Tree { folder, manifest: Vec::new(), random: 1 };
    fs::create_dir_all(tree.folder.join("tree/.git"))?;
    for number in 0..files {
        tree.add(number, &sources[number % sources.len()])?;
    }
    tree.put("tree", Path::new(".gitignore"), b"*.cache\n")?;
    #[cfg(unix)]
    for (link, to) in [("to-a-file", "0/0.txt"), ("to-a-folder", "0"), ("to-nothing", "nothing")] {
        std::os::unix::fs::symlink(to, tree.folder.join("tree").join(link))?;
    }
    fs::write(tree.folder.join("manifest.tsv"), &tree.manifest)?;
    Ok(())
}

/// Text in one encoding: encoded paragraphs with their UTF-8.
struct Source {
    encoding: Encoding,
    mark: &'static [u8],
    pieces: Vec<(Vec<u8>, String)>,
}

impl Source {
    fn new((name, has_mark, corpora): &(&str, bool, &[&str])) -> Result<Self, Box<dyn Error>> {
        let encoding = Encoding::for_label(name).ok_or_else(|| format!("no {name}"))?;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpora");
        let mut pieces = Vec::new();
        for corpus in *corpora {
            let text = fs::read_to_string(folder.join(format!("{corpus}.utf8.txt")))?;
            let text = text.trim_start_matches('\u{FEFF}');
            for line in text.lines().filter(|line| !line.is_empty()) {
                // Short pieces, since a single unencodable character excludes the whole piece.
                let words: Vec<_> = line.split_inclusive(' ').collect();
                for words in words.chunks(24) {
                    let text = words.concat() + "\n";
                    // Not all text survives a round trip.
                    if let Ok(bytes) = encoding.encode(&text)
                        && encoding.decode(&bytes).is_ok_and(|back| back == text)
                    {
                        pieces.push((bytes.to_vec(), text));
                    }
                }
            }
        }
        let mark = if *has_mark { encoding.info().signature } else { b"" };
        if pieces.is_empty() {
            return Err(format!("no text for {name}").into());
        }
        Ok(Self { encoding, mark, pieces })
    }
}

struct Tree {
    folder: PathBuf,
    manifest: Vec<u8>,
    random: u64,
}

impl Tree {
    fn random(&mut self, below: u64) -> u64 {
        // The constants of Knuth's MMIX.
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % below
    }

    fn add(&mut self, number: usize, source: &Source) -> Result<(), Box<dyn Error>> {
        let mut bytes = source.mark.to_vec();
        let mut text = String::new();
        for _ in 0..1 + self.random(MOST_PIECES) {
            let piece = &source.pieces[self.random(source.pieces.len() as u64) as usize];
            bytes.extend(&piece.0);
            text += &piece.1;
        }
        let (mut path, mut want) = (path(number), text.into_bytes());
        let mut is_text = true;
        if number % BINARY == BINARY - 1 {
            bytes = (0..4000).map(|_| self.random(256) as u8).collect();
            bytes[1] = 0;
            (want, is_text) = (bytes.clone(), false);
        } else if number % IGNORED == IGNORED - 1 {
            path.set_extension("cache");
            (want, is_text) = (bytes.clone(), false);
        } else if number % DAMAGED == DAMAGED - 1 {
            // A lead byte, half a character, or a byte that 7-bit encodings never contain.
            bytes.push(0xFE);
            if source.encoding.validate(&bytes).is_err() {
                want.clone_from(&bytes);
            } else {
                bytes.pop();
            }
        }
        let says_it_itself = source.encoding == Encoding::Utf8 || !source.mark.is_empty();
        if is_text && !says_it_itself {
            self.manifest.extend(b"tree/");
            self.manifest.extend(path.as_os_str().as_encoded_bytes());
            let mut rest = String::new();
            writeln!(rest, "\t{}", source.encoding.name())?;
            self.manifest.extend(rest.as_bytes());
        }
        for (folder, bytes) in [("tree", &bytes), ("old", &bytes), ("want", &want)] {
            self.put(folder, &path, bytes)?;
        }
        Ok(())
    }

    fn put(&self, folder: &str, path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        let path = self.folder.join(folder).join(path);
        fs::create_dir_all(path.parent().ok_or("no folder")?)?;
        Ok(fs::write(path, bytes)?)
    }
}

/// Nested directories; names with a space, and some that are not Unicode if the system allows it.
fn path(number: usize) -> PathBuf {
    let folder = number / IN_FOLDER;
    let mut path = PathBuf::new();
    for digit in folder.to_string().chars() {
        path.push(digit.to_string());
    }
    path.join(match number % 97 {
        13 => OsString::from(format!("a name {number}.txt")),
        29 => not_unicode(number),
        _ => OsString::from(format!("{number}.txt")),
    })
}

#[cfg(target_os = "linux")]
fn not_unicode(number: usize) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    let mut name = OsStr::from_bytes(b"caf\xE9").to_owned();
    name.push(format!("-{number}.txt"));
    name
}

#[cfg(not(target_os = "linux"))]
fn not_unicode(number: usize) -> OsString {
    let mut name = OsStr::new("café").to_owned();
    name.push(format!("-{number}.txt"));
    name
}
