//! `cargo xtask mbox`: an mbox of any size made of the messages in `examples/mail`, to try `utfall
//! mail` with.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

/// Writes at least this many MiB to standard output, in whole messages.
pub(crate) fn run(root: &Path, mebibytes: &str) -> ExitCode {
    let Ok(mebibytes) = mebibytes.parse::<u64>() else {
        eprintln!("xtask: invalid number of MiB: {mebibytes}");
        return ExitCode::from(2);
    };
    match messages(root).and_then(|messages| write(&messages, mebibytes << 20)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The messages, by name.
fn messages(root: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root.join("examples/mail"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "eml") {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        return Err(io::Error::other("examples/mail: no messages"));
    }
    paths.iter().map(fs::read).collect()
}

fn write(messages: &[Vec<u8>], size: u64) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut written = 0;
    for message in messages.iter().cycle() {
        if written >= size {
            break;
        }
        let from = b"From goldsmith@apple.com Tue Mar 11 00:00:00 1997\n";
        out.write_all(from)?;
        out.write_all(message)?;
        // The empty line belongs to the next `From `, and one more to a message without a line end.
        let end: &[u8] = if message.ends_with(b"\n") { b"\n" } else { b"\n\n" };
        out.write_all(end)?;
        written += (from.len() + message.len() + end.len()) as u64;
    }
    out.flush()
}
