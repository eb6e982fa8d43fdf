//! UTF-7 and IMAP mailbox names by CPython, glibc and ICU, and here with the leniences that they
//! have: the same on random text. Not run by itself, as it needs the three; a reader that is not
//! there is left out:
//!
//! ```text
//! cargo test -p utfall --test others -- --ignored --nocapture
//! ```

mod common;

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use common::Random;
use utfall::{Decoder, Encoding, Options, Status, Utf7Leniences as L};

const ROUNDS: usize = 300_000;

fn read(encoding: Encoding, utf7_allow: L, octets: &[u8]) -> String {
    let mut decoder = Decoder::new(encoding, Options { utf7_allow, ..Options::default() });
    let mut points = [0; 64];
    let progress = decoder.decode_to_points(octets, &mut points, true);
    match progress.status {
        Status::InputEmpty => {
            let points = &points[..progress.written];
            points.iter().map(|point| format!("{point:X}")).collect::<Vec<_>>().join(" ")
        }
        _ => "E".into(),
    }
}

#[test]
#[ignore = "needs Python 3, and glibc and ICU"]
fn the_same_with_their_leniences() {
    let surrogates = L::LONE_SURROGATES;
    let python = L::END_SHIFT_DROPPED | surrogates | L::CONTROLS | L::BACKSLASH_TILDE;
    let icu = L::END_SHIFT_DROPPED | L::DANGLING_DIGITS | L::SPLIT_PAIRS | surrogates;
    let in_names = L::NULL_SHIFT | L::SPLIT_PAIRS | surrogates;
    let readers = [
        (Encoding::Utf7, [python, L::EMPTY_SHIFT_DROPPED, icu]),
        (Encoding::Utf7Imap, [L::NONE, L::NULL_SHIFT | L::ENCODED_ASCII, in_names]),
    ];

    let mut random = Random(0x5EED_000A);
    let alphabet = b"+++---AAIKwg23DD3A.~\\\n\x01\x80=, +/9q";
    let texts: Vec<(usize, Vec<u8>)> = (0..ROUNDS)
        .map(|round| {
            let length = 1 + random.below(14);
            let mut text: Vec<u8> =
                (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect();
            if round % 2 == 1 {
                let shift = |octet: &mut u8| *octet = if *octet == b'+' { b'&' } else { *octet };
                text.iter_mut().for_each(shift);
            }
            // How a text ends inside a run, no two agree on.
            text.extend(b"-.");
            (round % 2, text)
        })
        .collect();

    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/others.py");
    let mut child = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3");
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = String::new();
    for (which, text) in &texts {
        let hex: String = text.iter().map(|octet| format!("{octet:02X}")).collect();
        lines += &format!("{} {hex}\n", readers[*which].0.name());
    }
    let feed = thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    feed.join().unwrap().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.lines().count(), ROUNDS);

    let mut asked = [0; 3];
    for ((which, text), line) in texts.iter().zip(output.lines()) {
        let (encoding, leniences) = readers[*which];
        for (at, theirs) in line.split('\t').enumerate().filter(|(_, theirs)| *theirs != "-") {
            let ours = read(encoding, leniences[at], text);
            let name = ["CPython", "glibc", "ICU"][at];
            assert_eq!(ours, theirs, "{encoding} {} by {name}", text.escape_ascii());
            asked[at] += 1;
        }
    }
    println!("the same: {asked:?} by CPython, glibc and ICU");
}
